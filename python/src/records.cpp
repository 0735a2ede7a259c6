#include "records.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "weir/base/error.hpp"
#include "weir/report/page/builder.hpp"
#include "weir/report/table/replications.hpp"

namespace weir::python {

namespace py = pybind11;
using experiment::RunRecord;

namespace {

/// Python's strings of few different texts, each made once.
class Texts {
 public:
  void add(const std::string& text) {
    const auto [it, is_new] = known_.try_emplace(text);
    if (is_new) it->second = py::str(text);
    list_.append(it->second);
  }
  [[nodiscard]] py::list list() const { return list_; }

 private:
  std::map<std::string, py::object> known_;
  py::list list_;
};

template <class T>
py::array_t<T> array(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

/// Columns that all parts with metrics have.
struct MetricRows {
  std::vector<std::int32_t> run;
  Texts metric;
  Texts label;
  Texts unit;

  void add(std::size_t of_run, const MetricName& name) {
    run.push_back(static_cast<std::int32_t>(of_run));
    metric.add(name.metric);
    label.add(name.label);
    unit.add(metric_kind(name.metric).unit);
  }
  [[nodiscard]] py::dict columns() const {
    py::dict out;
    out["run"] = array(run);
    out["metric"] = metric.list();
    out["label"] = label.list();
    return out;
  }
};

/// Columns of a quantity of measured links, as `weir counters --format csv` has them.
class QuantityColumns {
 public:
  void add(const metrics::ComparedQuantity& quantity, const metrics::Agreement& agreement) {
    state_.add(std::string(to_string(quantity.state)));
    count_.push_back(quantity.count);
    share_.push_back(quantity.measured);
    share_simulated_.push_back(quantity.simulated);
    time_.push_back(quantity.measured_time);
    time_simulated_.push_back(quantity.simulated_time);
    rank_.push_back(quantity.measured_rank);
    rank_simulated_.push_back(quantity.simulated_rank);
    correlation_.push_back(agreement.coefficient);
  }
  void put(py::dict& to, const std::string& name, const char* unit) const {
    const auto key = [&](const std::string& rest) { return py::str(name + "_" + rest); };
    to[key("state")] = state_.list();
    to[key(unit)] = array(count_);
    to[key("share")] = array(share_);
    to[key("share_simulated")] = array(share_simulated_);
    to[key("time")] = array(time_);
    to[key("time_simulated")] = array(time_simulated_);
    to[key("rank")] = array(rank_);
    to[key("rank_simulated")] = array(rank_simulated_);
    to[key("correlation")] = array(correlation_);
  }

 private:
  Texts state_;
  std::vector<double> count_, share_, share_simulated_, time_, time_simulated_, rank_,
      rank_simulated_, correlation_;
};

std::optional<Time> time_of(const std::optional<std::string>& text, const char* key) {
  if (!text) return std::nullopt;
  try {
    const Time time = parse_time(*text);
    if (time.count > 0) return time;
  } catch (const std::invalid_argument& error) {
    throw InputError(key, error.what());
  }
  throw InputError(key, fmt::format("'{}' is no time that can pass", *text));
}

}  // namespace

py::dict Records::runs() const {
  py::list experiment, name, seed, version, status, error, hash, fingerprint, host, started,
      finished, configuration;
  std::vector<double> wall, cpu, speed;
  for (const RunRecord& run : runs_) {
    experiment.append(run.experiment);
    name.append(run.case_name);
    seed.append(run.seed);
    version.append(run.version);
    status.append(run.status);
    error.append(run.error);
    hash.append(run.configuration_hash);
    fingerprint.append(fmt::format("{:016x}", run.result.fingerprint));
    host.append(run.host);
    started.append(run.started);
    finished.append(run.finished);
    configuration.append(run.configuration);
    wall.push_back(run.result.wall_seconds);
    cpu.push_back(run.result.cpu_seconds);
    speed.push_back(run.result.hops_per_second());
  }
  py::dict out;
  out["experiment"] = experiment;
  out["case"] = name;
  out["seed"] = seed;
  out["version"] = version;
  out["status"] = status;
  out["error"] = error;
  out["configuration_hash"] = hash;
  out["fingerprint"] = fingerprint;
  out["host"] = host;
  out["started"] = started;
  out["finished"] = finished;
  out["wall_seconds"] = array(wall);
  out["cpu_seconds"] = array(cpu);
  out["hops_per_second"] = array(speed);
  out["configuration"] = configuration;
  return out;
}

py::list Records::parameters() const {
  py::list all;
  for (const RunRecord& run : runs_) {
    py::dict one;
    for (const auto& [key, value] : run.parameters) one[py::str(key)] = value;
    all.append(one);
  }
  return all;
}

py::list Records::notes() const {
  py::list all;
  for (const RunRecord& run : runs_) all.append(py::cast(run.result.notes));
  return all;
}

py::dict Records::scalars() const {
  MetricRows rows;
  std::vector<double> value, half_width;
  Texts quality;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    for (const metrics::Scalar& scalar : runs_[r].result.scalars) {
      rows.add(r, scalar.name);
      value.push_back(scalar.value);
      half_width.push_back(scalar.half_width);
      quality.add(std::string(to_string(scalar.quality)));
    }
  }
  py::dict out = rows.columns();
  out["value"] = array(value);
  out["half_width"] = array(half_width);
  out["unit"] = rows.unit.list();
  out["quality"] = quality.list();
  return out;
}

py::dict Records::series() const {
  MetricRows rows;
  std::vector<double> time, bin, value;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    for (const metrics::Series& series : runs_[r].result.series) {
      for (std::size_t k = 0; k < series.values.size(); ++k) {
        rows.add(r, series.name);
        time.push_back(to_nanoseconds(series.start + series.bin * static_cast<std::int64_t>(k)));
        bin.push_back(to_nanoseconds(series.bin));
        value.push_back(series.values[k]);
      }
    }
  }
  py::dict out = rows.columns();
  out["time_ns"] = array(time);
  out["bin_ns"] = array(bin);
  out["value"] = array(value);
  out["unit"] = rows.unit.list();
  return out;
}

py::dict Records::histograms() const {
  MetricRows rows;
  std::vector<double> low;
  std::vector<std::uint64_t> count;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    for (const metrics::NamedHistogram& one : runs_[r].result.histograms) {
      for (const auto& [bucket, times] : one.histogram.stored().buckets) {
        rows.add(r, one.name);
        low.push_back(to_nanoseconds(Time(metrics::Histogram::lower_bound(bucket))));
        count.push_back(static_cast<std::uint64_t>(times));
      }
    }
  }
  py::dict out = rows.columns();
  out["from_ns"] = array(low);
  out["count"] = array(count);
  return out;
}

py::dict Records::links() const {
  std::vector<std::int32_t> run;
  py::list port;
  Texts group;
  std::vector<double> utilization, wait;
  std::vector<std::int64_t> bytes, packets, queued_max;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    for (const metrics::LinkSummary& link : runs_[r].result.links) {
      run.push_back(static_cast<std::int32_t>(r));
      port.append(link.name);
      group.add(link.group);
      utilization.push_back(link.utilization);
      wait.push_back(link.wait);
      bytes.push_back(link.bytes);
      packets.push_back(link.packets);
      queued_max.push_back(link.queued_max);
    }
  }
  py::dict out;
  out["run"] = array(run);
  out["port"] = port;
  out["group"] = group.list();
  out["utilization"] = array(utilization);
  out["wait"] = array(wait);
  out["bytes"] = array(bytes);
  out["packets"] = array(packets);
  out["queued_max"] = array(queued_max);
  return out;
}

py::dict Records::counters(const topology::CounterFiles& files) const {
  report::MeasuredFabrics fabrics(files);
  std::vector<std::int32_t> run;
  py::list port;
  Texts group;
  QuantityColumns sent, wait;
  py::list notes;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    if (runs_[r].status != "done") continue;
    const auto configuration = report::configuration_of(runs_[r]);
    if (!configuration) throw InputError("this version of weir cannot read its configuration");
    const metrics::LinkComparison comparison = fabrics.compare(*configuration, runs_[r].result);
    for (const metrics::ComparedLink& link : comparison.links) {
      run.push_back(static_cast<std::int32_t>(r));
      port.append(link.name);
      group.add(link.group);
      sent.add(link.sent, comparison.sent);
      wait.add(link.wait, comparison.wait);
    }
    for (const std::string& note : comparison.notes) notes.append(note);
  }
  if (run.empty()) throw InputError("no run has been done");
  py::dict out;
  out["run"] = array(run);
  out["port"] = port;
  out["group"] = group.list();
  sent.put(out, "sent", "bytes");
  wait.put(out, "wait", "ticks");
  out["notes"] = notes;
  return out;
}

py::dict Records::trees() const {
  std::vector<std::int32_t> run, depth;
  std::vector<double> time;
  Texts root;
  py::list branches, branch_depths, leaves;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    for (const metrics::TreeRecord& tree : runs_[r].result.trees) {
      run.push_back(static_cast<std::int32_t>(r));
      time.push_back(to_nanoseconds(tree.at));
      root.add(tree.root);
      depth.push_back(tree.depth);
      branches.append(py::cast(tree.branches));
      branch_depths.append(py::cast(tree.branch_depths));
      leaves.append(py::cast(tree.leaves));
    }
  }
  py::dict out;
  out["run"] = array(run);
  out["time_ns"] = array(time);
  out["root"] = root.list();
  out["depth"] = array(depth);
  out["branches"] = branches;
  out["branch_depths"] = branch_depths;
  out["leaves"] = leaves;
  return out;
}

py::dict Records::set_aside_trees() const {
  std::vector<std::int32_t> run;
  Texts root;
  std::vector<double> since, until;
  std::vector<std::uint64_t> allocations;
  std::vector<std::uint32_t> queues_max, hops_max;
  std::vector<std::int64_t> bytes_max;
  py::list sides, leaves;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    for (const metrics::SetAsideTree& tree : runs_[r].result.set_aside_trees) {
      run.push_back(static_cast<std::int32_t>(r));
      root.add(tree.root);
      since.push_back(to_nanoseconds(tree.from));
      until.push_back(to_nanoseconds(tree.until));
      allocations.push_back(tree.allocations);
      queues_max.push_back(tree.queues_max);
      hops_max.push_back(tree.hops_max);
      bytes_max.push_back(tree.bytes_max);
      sides.append(py::cast(tree.sides));
      leaves.append(py::cast(tree.leaves));
    }
  }
  py::dict out;
  out["run"] = array(run);
  out["root"] = root.list();
  out["since_ns"] = array(since);
  out["until_ns"] = array(until);
  out["allocations"] = array(allocations);
  out["queues_max"] = array(queues_max);
  out["hops_max"] = array(hops_max);
  out["bytes_max"] = array(bytes_max);
  out["sides"] = sides;
  out["leaves"] = leaves;
  return out;
}

Records Records::across_seeds() const { return Records(report::across_seeds(runs_)); }

void order(metrics::RunResult& result) {
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  std::stable_sort(result.scalars.begin(), result.scalars.end(), by_name);
  std::stable_sort(result.series.begin(), result.series.end(), by_name);
  std::stable_sort(result.histograms.begin(), result.histograms.end(), by_name);
}

void add_records(py::module_& module) {
  py::class_<Records>(module, "Records")
      .def("__len__", [](const Records& records) { return records.all().size(); })
      .def("runs", &Records::runs)
      .def("parameters", &Records::parameters)
      .def("notes", &Records::notes)
      .def("scalars", &Records::scalars)
      .def("series", &Records::series)
      .def("histograms", &Records::histograms)
      .def("links", &Records::links)
      .def("counters",
           [](const Records& records, const std::string& after, const std::string& before,
              const std::optional<std::string>& interval, const std::optional<std::string>& tick) {
             return records.counters(
                 {after, before, time_of(interval, "interval"), time_of(tick, "tick")});
           })
      .def("trees", &Records::trees)
      .def("set_aside_trees", &Records::set_aside_trees)
      .def("across_seeds", &Records::across_seeds);
}

}  // namespace weir::python
