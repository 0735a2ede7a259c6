#include "weir/experiment/run/probe.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "weir/experiment/config/run_kind.hpp"

namespace weir::experiment {
namespace {

/// How a run went as far as it was simulated.
struct Course {
  struct Point {
    Time at;
    double packet_hops = 0;
  };
  std::vector<Point> points{Point{}};
  bool is_over = false;

  [[nodiscard]] const Point& last() const { return points.back(); }

  /// Packet-hops a second in the second half of what was done from `begin` on.
  [[nodiscard]] double late_rate(Time begin) const {
    const auto first = std::find_if(points.begin(), points.end(),
                                    [&](const Point& point) { return point.at >= begin; });
    if (first == points.end()) return 0;
    const double half = (first->packet_hops + last().packet_hops) / 2;
    const Point* from = &*first;
    for (auto point = first; point != points.end() && point->packet_hops <= half; ++point) {
      from = &*point;
    }
    const double seconds = to_seconds(last().at - from->at);
    return seconds > 0 ? (last().packet_hops - from->packet_hops) / seconds : 0;
  }
};

double packet_hops(const Simulation& simulation) {
  return static_cast<double>(simulation.fabric().counters().packet_hops);
}

/// Simulates until the run is over or the limits are reached, in steps that are small beside them;
/// a step ends where traffic changes.
Course follow(Simulation& simulation, const std::vector<Time>& changes, const ProbeLimits& limits) {
  constexpr double kSteps = 50;
  const double began = cpu_seconds();
  Course course;
  Time step = microseconds(1);
  auto change = changes.begin();
  while (true) {
    const Time now = simulation.fabric().now();
    while (change != changes.end() && *change <= now) {
      ++change;
      step = microseconds(1);
    }
    Time next = step;
    if (change != changes.end()) next = std::min(next, *change - now);
    const double events = static_cast<double>(simulation.fabric().counters().events);
    course.is_over = !simulation.advance(next);
    course.points.push_back({simulation.fabric().now(), packet_hops(simulation)});
    if (course.is_over || course.last().packet_hops >= limits.packet_hops ||
        cpu_seconds() - began >= limits.seconds) {
      return course;
    }
    // An event costs about half of what a packet-hop does.
    const double done = (static_cast<double>(simulation.fabric().counters().events) - events) / 2;
    if (done < limits.packet_hops / kSteps && step < milliseconds(100)) step = step * 2;
    if (done > 2 * limits.packet_hops / kSteps) step = std::max(Time(1'000), step / 2);
  }
}

/// What a run would be in which traffic is as it is at a time of this one, all of the time.
Configuration as_at(const Configuration& configuration, Time at, Time length) {
  Configuration out = configuration;
  out.duration = length;
  out.until_drained = false;
  out.until_precise.reset();
  out.failures.clear();
  for (traffic::TrafficEntry& entry : out.traffic) {
    const auto now = std::find_if(
        entry.phases.begin(), entry.phases.end(),
        [&](const traffic::Phase& phase) { return phase.start <= at && at < phase.stop; });
    if (now == entry.phases.end()) {
      entry.phases = {traffic::Phase{Time::max() - Time(1), Time::max(), std::nullopt}};
    } else {
      entry.phases = {traffic::Phase{Time(0), Time::max(), now->load}};
    }
  }
  return out;
}

/// Traffic is a matter of the phases alone: any stretch of the run can be simulated by itself.
bool has_stretches(const Configuration& configuration) {
  return configuration.workloads.empty() && configuration.source.find("flow") == nullptr &&
         std::all_of(configuration.traffic.begin(), configuration.traffic.end(),
                     [](const traffic::TrafficEntry& entry) {
                       return !entry.is_recorded() && !entry.has_rate &&
                              entry.start_after_packets == 0;
                     });
}

class Prober {
 public:
  Prober(const Configuration& configuration, const std::shared_ptr<const Network>& network,
         const std::function<double()>& mean_hops, const ProbeLimits& limits)
      : configuration_(configuration), network_(network), mean_hops_(mean_hops), limits_(limits) {}

  Probe run() {
    const double before = cpu_seconds();
    Simulation simulation(configuration_, network_);
    const double began = cpu_seconds();
    probe_.set_up = began - before;
    const Offered offered = offered_by(configuration_, simulation, mean_hops_);
    const Course course = simulate(simulation, offered.changes(), limits_);
    probe_.packet_hops =
        course.is_over ? course.last().packet_hops : extrapolated(simulation, course, offered);
    return probe_;
  }

 private:
  Course simulate(Simulation& simulation, const std::vector<Time>& changes,
                  const ProbeLimits& limits) {
    const double began = cpu_seconds();
    Course course = follow(simulation, changes, limits);
    probe_.seconds += cpu_seconds() - began;
    probe_.simulated += course.last().packet_hops;
    probe_.fingerprint += simulation.fabric().fingerprint();
    return course;
  }

  double extrapolated(const Simulation& simulation, const Course& course, const Offered& offered) {
    const fabric::Counters& counters = simulation.fabric().counters();
    const bool all_arrives = configuration_.until_drained && offered.is_fixed();
    if (all_arrives && counters.packets_delivered > 0) {
      // Packets under way are half way.
      const double carried = static_cast<double>(counters.packets_delivered) +
                             static_cast<double>(simulation.fabric().packets_in_flight()) / 2;
      return offered.packets() * course.last().packet_hops / carried;
    }
    const double done = course.last().packet_hops;
    const double left = offered.packet_hops() - offered.packet_hops(course.last().at);
    // All of its messages are sent, however long that takes.
    if (configuration_.until_workload) return std::max(done, offered.packet_hops());
    return done + (has_stretches(configuration_) ? by_stretches(course, offered)
                                                 : left * share_carried(course, offered));
  }

  /// Of what is offered, how much gets through; taken to be all until something is known.
  static double share_carried(const Course& course, const Offered& offered) {
    constexpr double kDoubt = 0.05;
    const double asked = offered.packet_hops(course.last().at);
    const double doubt = kDoubt * offered.packet_hops();
    return doubt > 0 ? (course.last().packet_hops + doubt) / (asked + doubt) : 1;
  }

  /// What comes after the course.
  double by_stretches(const Course& course, const Offered& offered) {
    std::vector<Time> bounds{Time(0)};
    bounds.insert(bounds.end(), offered.changes().begin(), offered.changes().end());
    // What is left when all sources have stopped is little: it was refused, or it has its room.
    if (configuration_.duration) bounds.push_back(*configuration_.duration);
    const Time reached = course.last().at;
    const double left = offered.packet_hops() - offered.packet_hops(reached);
    double sum = 0;
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
      const Time from = bounds[i];
      const Time to = bounds[i + 1];
      if (to <= reached) continue;
      if (from <= reached) {
        sum += course.late_rate(from) * to_seconds(to - reached);
        continue;
      }
      const double share = (offered.packet_hops(to) - offered.packet_hops(from)) / left;
      sum += stretch(from, to, share);
    }
    return sum;
  }

  double stretch(Time from, Time to, double share) {
    constexpr double kLeast = 0.02;
    const Configuration part = as_at(configuration_, from, to - from);
    Simulation simulation(part, network_);
    ProbeLimits limits = limits_;
    limits.packet_hops *= std::clamp(share, kLeast, 1.0);
    limits.seconds *= std::clamp(share, kLeast, 1.0);
    const Course course = simulate(simulation, {}, limits);
    const double rest = to_seconds(to - from - course.last().at);
    return course.last().packet_hops + course.late_rate(Time(0)) * rest;
  }

  const Configuration& configuration_;
  const std::shared_ptr<const Network>& network_;
  const std::function<double()>& mean_hops_;
  const ProbeLimits& limits_;
  Probe probe_;
};

}  // namespace

Offered offered_by(const Configuration& configuration, const Simulation& simulation,
                   const std::function<double()>& mean_hops) {
  Offered offered(configuration, simulation.network(), [&] { return mean_hops() + 1; });
  offered.add_flows(simulation.flow_work(), simulation.end());
  return offered;
}

Probe probe_simulation(const Configuration& configuration,
                       const std::shared_ptr<const Network>& network,
                       const std::function<double()>& mean_hops, const ProbeLimits& limits) {
  return Prober(configuration, network, mean_hops, limits).run();
}

}  // namespace weir::experiment
