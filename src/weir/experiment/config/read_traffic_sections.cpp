#include "weir/experiment/config/read_sections.hpp"

#include <fmt/format.h>

#include <limits>

#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/run_kind.hpp"

namespace weir::experiment {
namespace {

bool ends(const traffic::TrafficEntry& entry) {
  return entry.trace || entry.messages != std::numeric_limits<std::uint64_t>::max() ||
         entry.phases.back().stop != Time::max() ||
         (entry.arrivals && entry.arrivals->name == "once") ||
         (entry.incast && (*entry.incast)->times);
}

/// Those of [[flow]]s are no others.
void check_flow_classes(const Configuration& out) {
  const RateInput& input = *out.rates;
  for (const FlowClass& one : input.classes) {
    const auto refuse = [&](const std::string& whose) {
      throw input.flows[one.first].keys.error(
          &FlowKeys::name,
          fmt::format(
              "'{}'{} is the name of {} already", one.name,
              input.flows[one.first].is_named ? "" : ", the class of [[flow]]s without one,",
              whose));
    };
    for (const workload::WorkloadEntry& workload : out.workloads) {
      if (workload.name == one.name) refuse("a [[workload]]");
    }
    for (const traffic::TrafficEntry& entry : out.traffic) {
      if (entry.name == one.name) refuse(entry.where);
    }
  }
  const std::size_t others = out.traffic.size() + out.workloads.size();
  if (others + input.classes.size() <= traffic::kMaxClasses) return;
  throw InputError(
      position_of(out.source, "flow"), "flow",
      fmt::format("makes more than {} classes together with [[traffic]]", traffic::kMaxClasses));
}

}  // namespace

void read_workloads(const ConfigTable& table, Configuration& out) {
  const ConfigValue* value = table.find("workload");
  if (value != nullptr) {
    out.workloads = workload::check_workloads(*value);
    ConfigArray resolved;
    for (const workload::WorkloadEntry& entry : out.workloads) {
      resolved.emplace_back(entry.resolved, value->position);
    }
    out.resolved.set("workload", ConfigValue(std::move(resolved), value->position));
  }
  if (out.until_workload && out.workloads.empty()) {
    throw InputError(position_of(table, "experiment.until"), "experiment.until",
                     "waits for a workload, but there is no [[workload]]");
  }
  if (out.find && !out.workloads.empty()) {
    throw InputError(position_of(table, "experiment.find"), "experiment.find",
                     "varies a load; a [[workload]] has none");
  }
}

/// Traffic classes have one name each.
void check_class_names(const Configuration& out) {
  if (out.traffic.size() + out.workloads.size() > traffic::kMaxClasses) {
    throw InputError(
        position_of(out.source, "workload"), "workload",
        fmt::format("makes more than {} classes together with [[traffic]]", traffic::kMaxClasses));
  }
  if (out.rates && out.kind->simulates) check_flow_classes(out);
  for (const workload::WorkloadEntry& workload : out.workloads) {
    for (const traffic::TrafficEntry& entry : out.traffic) {
      if (entry.name != workload.name) continue;
      throw workload.settings.error(
          &workload::WorkloadSettings::name,
          fmt::format("'{}' is the name of {} already", entry.name, entry.where));
    }
  }
}

void read_traffic(const ConfigTable& table, TrafficFrom from, Configuration& out) {
  const ConfigValue* value = table.find("traffic");
  const bool has_others =
      from == TrafficFrom::program || table.contains("workload") || table.contains("flow");
  if (value == nullptr && (!out.kind->simulates || has_others)) return;
  if (value == nullptr) {
    throw InputError(table.position, "traffic",
                     "is missing; at least one [[traffic]] says who sends what, or a [[workload]] "
                     "what a parallel program does, or a [[flow]] which hosts have flows");
  }
  out.traffic = traffic::check_traffic(*value);
  ConfigArray resolved;
  for (const traffic::TrafficEntry& entry : out.traffic) {
    resolved.emplace_back(entry.resolved, value->position);
  }
  out.resolved.set("traffic", ConfigValue(std::move(resolved), value->position));
}

/// What ends the run is there, and comes.
void check_ends(const ConfigTable& table, const Configuration& out) {
  for (const traffic::TrafficEntry& entry : out.traffic) {
    if (out.duration || out.until_workload || !out.kind->simulates || ends(entry)) continue;
    throw InputError(position_of(table, "experiment.until"), "experiment.until",
                     fmt::format("traffic '{}' never ends: give it a stop or a number of "
                                 "messages, or the experiment a duration",
                                 entry.name));
  }
  if (!table.contains("traffic") && !table.contains("flow")) return;
  if (out.until_delivered) (void)delivered_class(*out.until_delivered, out);
  if (out.until_precise) check_label(*out.until_precise, out);
}

}  // namespace weir::experiment
