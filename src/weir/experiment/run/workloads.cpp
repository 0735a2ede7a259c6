#include "weir/experiment/run/workloads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace weir::experiment {
namespace {

/// WorkloadNumbers of one workload; those of a set of them are the extremes.
struct WorkloadNumbers {
  Time execution;
  bool is_done = true;
  Time finish_min = Time::max();
  double finish_mean = 0;  ///< s
  double communication = 0;
  std::size_t unexpected = 0;
};

WorkloadNumbers numbers_of(const workload::PlayerReport& report) {
  WorkloadNumbers out;
  out.is_done = report.operations_left == 0;
  out.unexpected = report.unexpected_max;
  std::size_t busy = 0;
  for (std::size_t r = 0; r < report.finish.size(); ++r) {
    const Time finish = report.finish[r];
    out.execution = std::max(out.execution, finish);
    out.finish_min = std::min(out.finish_min, finish);
    out.finish_mean += to_seconds(finish) / static_cast<double>(report.finish.size());
    if (finish.count == 0) continue;
    ++busy;
    const double computing = to_seconds(report.computing[r]) / to_seconds(finish);
    out.communication += 1 - std::min(1.0, computing);
  }
  if (busy > 0) out.communication /= static_cast<double>(busy);
  return out;
}

void add(metrics::RunResult& out, const std::string& label, const WorkloadNumbers& numbers) {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  const auto if_done = [&](double value) { return numbers.is_done ? value : kNothing; };
  const double execution = to_seconds(numbers.execution);
  out.add_scalar("execution_time", label, if_done(execution));
  out.add_scalar("rank_finish_min", label, if_done(to_seconds(numbers.finish_min)));
  out.add_scalar("rank_finish_mean", label, if_done(numbers.finish_mean));
  out.add_scalar("rank_finish_max", label, if_done(execution));
  out.add_scalar("communication_share", label, if_done(numbers.communication));
  out.add_scalar("unexpected_messages_max", label, static_cast<double>(numbers.unexpected));
}

}  // namespace

std::vector<workload::Workload> make_workloads(const Configuration& configuration,
                                               const topology::Graph& graph) {
  std::vector<workload::Workload> made;
  at_place(configuration.source, "workload", [&] {
    made = workload::make_workloads(configuration.workloads, graph, configuration.fabric.seed,
                                    configuration.traffic.size());
  });
  return made;
}

std::vector<traffic::TrafficClass> workload_classes(const Configuration& configuration,
                                                    const std::vector<workload::Workload>& made) {
  std::vector<traffic::TrafficClass> classes;
  for (std::size_t i = 0; i < made.size(); ++i) {
    traffic::TrafficClass one;
    one.name = made[i].name;
    one.role = configuration.workloads[i].settings->role;
    one.sources = made[i].hosts;
    std::sort(one.sources.begin(), one.sources.end());
    one.sources.erase(std::unique(one.sources.begin(), one.sources.end()), one.sources.end());
    classes.push_back(std::move(one));
  }
  return classes;
}

void add_workloads(metrics::RunResult& out, const workload::Players& players) {
  Time first = Time::max();
  Time last;
  for (std::size_t i = 0; i < players.size(); ++i) {
    const workload::PlayerReport report = players[i].report();
    const WorkloadNumbers numbers = numbers_of(report);
    first = std::min(first, players[i].start());
    last = std::max(last, players[i].start() + numbers.execution);
    add(out, players.name(i), numbers);
    if (numbers.is_done) continue;
    const std::string lost =
        report.lost > 0 ? fmt::format(", {} messages were lost", report.lost) : "";
    out.notes.push_back(fmt::format("workload '{}' was not done: {} operations were left{}",
                                    players.name(i), report.operations_left, lost));
  }
  if (players.are_done()) out.add_scalar("execution_time", "", to_seconds(last - first));
}

}  // namespace weir::experiment
