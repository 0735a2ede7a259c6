#include "weir/experiment/run/simulation.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <chrono>
#include <memory>
#include <utility>

#include "bindings.hpp"
#include "experiment.hpp"
#include "graph.hpp"
#include "listener.hpp"
#include "message_source.hpp"
#include "records.hpp"
#include "values.hpp"
#include "waiting.hpp"
#include "weir/experiment/campaign/runner.hpp"
#include "weir/experiment/config/cables.hpp"
#include "weir/experiment/config/run_kind.hpp"
#include "weir/experiment/config/variants.hpp"
#include "weir/experiment/run/pace.hpp"
#include "weir/traffic/streams.hpp"

namespace weir::python {

namespace py = pybind11;
using Clock = std::chrono::steady_clock;

namespace {

/// A class of traffic that Python code makes.
struct PythonTraffic {
  std::string name;
  std::string role;
  py::object messages;
  py::object hosts;  ///< numbers or names; None: all
  std::uint8_t service_level = 0;
  bool is_closed_loop = false;
};

traffic::Role role_of(const std::string& name) {
  if (name == "hot") return traffic::Role::hot;
  if (name == "cold") return traffic::Role::cold;
  if (name.empty() || name == "none") return traffic::Role::none;
  throw InputError("role", "must be hot, cold or none, not '" + name + "'");
}

/// The only run of an experiment.
experiment::Variant only_run(ConfigTable table, const std::vector<ConfigTable>& overrides) {
  const experiment::ExperimentFile file(std::move(table), overrides);
  if (file.run_count() != 1) {
    throw InputError(fmt::format(
        "a simulation is one run, and the experiment has {}: cases, sweep and seeds are for "
        "weir.run",
        file.run_count()));
  }
  if (file.has_variants()) return std::move(file.variants().front());
  experiment::Variant only;  // variants() would check it, and traffic may be missing
  only.table = file.table();
  return only;
}

class SteppedRun {
 public:
  SteppedRun(py::handle experiment, const py::dict& set, const std::vector<PythonTraffic>& traffic,
             py::object on_sample, py::object on_deliveries)
      : variant_(only_run(read(experiment), overrides(set))),
        configuration_(experiment::resolve(variant_.table, traffic.empty()
                                                               ? experiment::TrafficFrom::file
                                                               : experiment::TrafficFrom::program)),
        listener_(std::move(on_sample), std::move(on_deliveries)) {
    if (configuration_.kind_name != "simulation" || configuration_.find) {
      throw InputError(configuration_.source.position, "experiment.kind",
                       "must be \"simulation\" for steps; weir.run carries out the others");
    }
    without_lock(
        [&](const std::atomic<bool>&) { network_ = experiment::make_network(configuration_); });
    experiment::SimulationAdditions additions;
    if (listener_.listens()) additions.observer = &listener_;
    additions.only_watches = true;
    additions.add_traffic = [&](const topology::Graph& graph, traffic::Traffic& made) {
      for (const PythonTraffic& one : traffic) add(one, graph, made);
      for (const traffic::TrafficClass& one : made.classes) classes_.push_back(one.name);
    };
    simulation_ = std::make_unique<experiment::Simulation>(configuration_, network_, additions);
  }

  [[nodiscard]] Time now() const { return fabric().now(); }
  [[nodiscard]] Time end() const { return simulation_->end(); }
  [[nodiscard]] bool is_over() const { return is_over_; }
  [[nodiscard]] const std::vector<std::string>& classes() const { return classes_; }

  /// Goes on to `target`, or to the end of the run.
  void run_until(Time target) {
    check_whole();
    is_broken_ = true;  // until it has come back
    const AtWork at_work;
    const auto begin = Clock::now();
    experiment::Pace pace(simulation_->step());
    while (!is_over_ && now() < target) {
      {
        const py::gil_scoped_release released;
        is_over_ = !simulation_->advance(std::min(pace.step(), target - now()));
      }
      if (PyErr_CheckSignals() != 0) {
        is_broken_ = false;
        throw py::error_already_set();
      }
      pace.took();
    }
    listener_.flush();
    seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
    is_broken_ = false;
  }

  [[nodiscard]] py::dict counters() const {
    const fabric::Counters& c = fabric().counters();
    py::dict out;
    out["events"] = c.events;
    out["packet_hops"] = c.packet_hops;
    out["messages_generated"] = c.messages_generated;
    out["messages_completed"] = c.messages_completed;
    out["messages_refused"] = c.messages_refused;
    out["packets_injected"] = c.packets_injected;
    out["packets_delivered"] = c.packets_delivered;
    out["packets_in_flight"] = fabric().packets_in_flight();
    out["packets_lost"] = c.packets_lost;
    out["acks_delivered"] = c.acks_delivered;
    out["diverted"] = c.diverted;
    out["ties"] = c.ties;
    out["backlog"] = fabric().backlog().count;
    return out;
  }

  /// By class: what has been counted since the beginning.
  [[nodiscard]] py::dict traffic() const {
    std::vector<std::int64_t> messages, completed, generated, injected, delivered, packets;
    std::vector<double> latency, network_latency;
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      const metrics::TrafficCounts counts = simulation_->recorder().counts(i);
      const metrics::TrafficTotals totals = simulation_->recorder().totals(i);
      const auto mean = [&](std::uint64_t sum) {
        return static_cast<double>(sum) / static_cast<double>(totals.packets) * 1e-3;
      };
      messages.push_back(counts.messages_generated);
      completed.push_back(counts.messages_completed);
      generated.push_back(counts.bytes_generated);
      injected.push_back(counts.bytes_injected);
      delivered.push_back(counts.bytes_delivered);
      packets.push_back(counts.packets_delivered);
      latency.push_back(mean(totals.latency));
      network_latency.push_back(mean(totals.network_latency));
    }
    py::dict out;
    out["traffic"] = classes_;
    out["messages_generated"] = messages;
    out["messages_completed"] = completed;
    out["bytes_generated"] = generated;
    out["bytes_injected"] = injected;
    out["bytes_delivered"] = delivered;
    out["packets_delivered"] = packets;
    out["latency_mean_ns"] = latency;
    out["network_latency_mean_ns"] = network_latency;
    return out;
  }

  /// A row a port with a cable.
  [[nodiscard]] py::dict ports() const {
    const topology::Graph& graph = fabric().graph();
    py::list port;
    std::vector<double> busy, waiting;
    std::vector<std::int64_t> bytes, packets, queued, stored;
    std::vector<bool> blocked;
    for (std::size_t p = 0; p < graph.port_count(); ++p) {
      const PortId id(p);
      if (!graph.port(id).to.valid()) continue;
      const fabric::PortStatistics one = fabric().port(id);
      port.append(graph.name(id));
      busy.push_back(to_nanoseconds(one.busy));
      waiting.push_back(to_nanoseconds(one.waiting));
      bytes.push_back(one.bytes);
      packets.push_back(one.packets);
      queued.push_back(one.queued);
      stored.push_back(stored_at(id));
      blocked.push_back(one.blocked);
    }
    py::dict out;
    out["port"] = port;
    out["busy_ns"] = busy;
    out["waiting_ns"] = waiting;
    out["bytes"] = bytes;
    out["packets"] = packets;
    out["queued"] = queued;
    out["stored"] = stored;
    out["blocked"] = blocked;
    return out;
  }

  [[nodiscard]] std::string fingerprint() const {
    return fmt::format("{:016x}", fabric().fingerprint());
  }
  [[nodiscard]] py::dict graph() const { return describe(fabric().graph()); }

  /// The numbers of the run up to now, as a run of an experiment has them.
  [[nodiscard]] Records finish() {
    check_whole();
    is_finished_ = is_over_ = true;
    experiment::RunRecord record = experiment::describe_run(configuration_, variant_);
    record.result = simulation_->finish(seconds_);
    order(record.result);
    record.result.wall_seconds = seconds_;
    experiment::add_cable_delays(record.result, configuration_, *network_->graph);
    std::string note = experiment::tie_note(configuration_, *network_->graph);
    if (!note.empty()) record.result.notes.push_back(std::move(note));
    record.finished = experiment::utc_now();
    return Records({std::move(record)});
  }

 private:
  [[nodiscard]] const fabric::Fabric& fabric() const { return simulation_->fabric(); }

  void check_whole() const {
    if (is_finished_) throw RunError("the simulation is finished");
    if (is_broken_) {
      throw RunError("the simulation has failed, or a callback has, and cannot go on");
    }
  }

  /// Bytes in the ingress buffer of a switch port, or on the way out of a host.
  [[nodiscard]] std::int64_t stored_at(PortId port) const {
    std::int64_t bytes = 0;
    for (int buffer = 0; buffer < fabric().buffer_classes(); ++buffer) {
      bytes += fabric().stored(port, buffer).count;
    }
    return bytes;
  }

  std::vector<HostId> hosts_of(const PythonTraffic& one, const topology::Graph& graph) const {
    std::vector<HostId> hosts;
    if (one.hosts.is_none()) {
      for (std::size_t h = 0; h < graph.host_count(); ++h) hosts.emplace_back(h);
      return hosts;
    }
    for (const py::handle host : one.hosts) {
      std::size_t index = graph.host_count();
      if (PyUnicode_Check(host.ptr())) {
        const auto named = names_->find(py::str(host));
        if (named != names_->end()) index = named->second;
      } else {
        index = py::cast<std::size_t>(host);
      }
      if (index >= graph.host_count()) {
        throw InputError("hosts", fmt::format("there is no host {} among {}",
                                              std::string(py::str(host)), graph.host_count()));
      }
      hosts.emplace_back(index);
    }
    std::sort(hosts.begin(), hosts.end());
    if (hosts.empty() || std::adjacent_find(hosts.begin(), hosts.end()) != hosts.end()) {
      throw InputError("hosts", "must be at least one, and none twice");
    }
    return hosts;
  }

  void add(const PythonTraffic& one, const topology::Graph& graph, traffic::Traffic& made) {
    if (!names_) {
      auto names = std::make_shared<HostNames>();
      for (std::size_t h = 0; h < graph.host_count(); ++h) {
        names->emplace(graph.name(graph.node(HostId(h))), static_cast<std::uint32_t>(h));
      }
      names_ = names;
    }
    const std::size_t number = made.classes.size();
    if (number >= traffic::kMaxClasses) throw InputError("sources", "make too many classes");
    for (const traffic::TrafficClass& known : made.classes) {
      if (known.name == one.name) {
        throw InputError("sources", "two classes are called '" + one.name + "'");
      }
    }
    traffic::TrafficClass added{one.name, role_of(one.role), hosts_of(one, graph), {}};
    for (const HostId host : added.sources) {
      auto source = std::make_unique<PythonSource>(
          one.messages, PythonSource::Host{host, graph.host_count(), names_},
          RandomStream(configuration_.fabric.seed,
                       traffic::source_entity(static_cast<std::uint32_t>(number), host),
                       StreamPurpose::destinations),
          one.is_closed_loop);
      source->traffic_class = static_cast<std::uint8_t>(number);
      source->service_level = one.service_level;
      made.sources.push_back({host, std::move(source), 0});
    }
    made.classes.push_back(std::move(added));
  }

  experiment::Variant variant_;
  experiment::Configuration configuration_;
  Listener listener_;
  std::shared_ptr<const experiment::Network> network_;
  std::shared_ptr<const HostNames> names_;
  std::vector<std::string> classes_;
  std::unique_ptr<experiment::Simulation> simulation_;
  double seconds_ = 0;
  bool is_over_ = false;
  bool is_broken_ = false;
  bool is_finished_ = false;
};

}  // namespace

void add_simulation(py::module_& module) {
  add_deliveries();
  py::class_<PythonTraffic>(module, "PythonTraffic")
      .def(py::init([](std::string name, std::string role, py::object messages, py::object hosts,
                       std::uint8_t service_level, bool is_closed_loop) {
             return PythonTraffic{std::move(name),  std::move(role), std::move(messages),
                                  std::move(hosts), service_level,   is_closed_loop};
           }),
           py::arg("name"), py::arg("role"), py::arg("messages"), py::arg("hosts"),
           py::arg("service_level"), py::arg("is_closed_loop"));
  py::class_<SteppedRun>(module, "SteppedRun")
      .def(py::init([](const py::object& experiment, const py::dict& set,
                       const std::vector<PythonTraffic>& traffic, py::object on_sample,
                       py::object on_deliveries) {
             return std::make_unique<SteppedRun>(experiment, set, traffic, std::move(on_sample),
                                                 std::move(on_deliveries));
           }),
           py::arg("experiment"), py::arg("set"), py::arg("traffic"), py::arg("on_sample"),
           py::arg("on_deliveries"))
      .def("now", [](const SteppedRun& run) { return to_nanoseconds(run.now()); })
      .def("end",
           [](const SteppedRun& run) -> py::object {
             if (run.end() == Time::max()) return py::none();
             return py::float_(to_nanoseconds(run.end()));
           })
      .def("is_over", &SteppedRun::is_over)
      .def("classes", &SteppedRun::classes)
      .def(
          "step",
          [](SteppedRun& run, const py::object& duration) {
            const Time time = to_time(duration, "duration");
            run.run_until(Time::max() - run.now() > time ? run.now() + time : Time::max());
          },
          py::arg("duration"))
      .def(
          "run_until",
          [](SteppedRun& run, const py::object& time) { run.run_until(to_time(time, "time")); },
          py::arg("time"))
      .def("run", [](SteppedRun& run) { run.run_until(Time::max()); })
      .def("counters", &SteppedRun::counters)
      .def("traffic", &SteppedRun::traffic)
      .def("ports", &SteppedRun::ports)
      .def("fingerprint", &SteppedRun::fingerprint)
      .def("graph", &SteppedRun::graph)
      .def("finish", &SteppedRun::finish);
}

}  // namespace weir::python
