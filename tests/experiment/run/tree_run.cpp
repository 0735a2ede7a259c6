#include "experiment/run/tree_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/config/variants.hpp"

namespace weir::experiment {

namespace {

Configuration configuration_of(const std::string& experiment, const std::string& case_name) {
  const std::string file = WEIR_SOURCE_DIR "/experiments/lippens2010/trees/" + experiment + ".toml";
  for (const Variant& variant : ExperimentFile(read_experiment(file), {}).variants()) {
    if (variant.case_name == case_name) return resolve(variant.table);
  }
  throw InputError("no case " + case_name + " in " + file);
}

}  // namespace

TreeRun::TreeRun(const std::string& experiment, const std::string& case_name) {
  const Configuration configuration = configuration_of(experiment, case_name);
  network_ = make_network(configuration);
  build(configuration);
  is_drained_ = fabric_->run_until(milliseconds(20));
  fabric_->check();
  result_ = recorder_->finish(*fabric_, 0);
}

void TreeRun::build(const Configuration& configuration) {
  const topology::Graph& graph = *network_->graph;
  traffic::Traffic traffic = make_traffic(configuration, graph);
  metrics::RecorderSettings recorded;
  for (const traffic::TrafficClass& one : traffic.classes)
    recorded.traffic.classes.push_back({one.name, metrics::Role::plain});
  recorded.traffic.bin = configuration.bin;
  recorder_ = std::make_unique<metrics::Recorder>(graph, recorded);
  const fabric::Models models{
      network_->graph, network_->routing, make_selection(configuration),
      (*configuration.queueing.make)(configuration.queueing.settings, graph)};
  fabric::Mechanisms mechanisms;
  if (configuration.isolation.make != nullptr) {
    mechanisms.isolation =
        (*configuration.isolation.make)(configuration.isolation.settings,
                                        {network_->graph, network_->routing, configuration.fabric});
  }
  fabric::FabricSettings settings = configuration.fabric;
  settings.sample_period = configuration.bin;
  fabric::Observer& observer = *this;
  fabric_ = std::make_unique<fabric::Fabric>(models, mechanisms, settings, observer);
  for (traffic::HostSource& one : traffic.sources)
    fabric_->add_source(one.host, std::move(one.source));
}

void TreeRun::on_sample(const fabric::Fabric& fabric, Time now) {
  recorder_->on_sample(fabric, now);
  if (fabric.isolation() == nullptr) return;
  samples_.push_back({now, {}});
  fabric.isolation()->for_each_line(
      [&](const fabric::SetAsideLine& line) { samples_.back().lines.push_back(line); });
}

std::string TreeRun::side_name(fabric::Side side) const {
  return network_->graph->name(PortId(side.port())) + (side.is_egress() ? " out" : " in");
}

// --- Tracker

TreeRun::Names TreeRun::roots(Time from, Time to) const {
  Names names;
  for (const metrics::TreeRecord& one : result_.trees) {
    if (one.at >= from && one.at <= to) names.insert(one.root);
  }
  return names;
}

std::optional<Time> TreeRun::first_root(const std::string& root) const {
  for (const metrics::TreeRecord& one : result_.trees) {
    if (one.root == root) return one.at;
  }
  return std::nullopt;
}

const metrics::TreeRecord* TreeRun::tree(const std::string& root, Time at) const {
  for (const metrics::TreeRecord& one : result_.trees) {
    if (one.root == root && one.at == at) return &one;
  }
  return nullptr;
}

TreeRun::Names TreeRun::branches(const std::string& root, Time at, int depth) const {
  Names names;
  const metrics::TreeRecord* one = tree(root, at);
  if (one == nullptr) return names;
  for (std::size_t i = 0; i < one->branches.size(); ++i) {
    if (one->branch_depths[i] == depth) names.insert(one->branches[i]);
  }
  return names;
}

double TreeRun::rate(const std::string& traffic, Time from, Time to) const {
  const metrics::Series* series = result_.find_series("throughput", traffic);
  if (series == nullptr) return -1;
  double sum = 0;
  int bins = 0;
  Time at = series->start;
  for (const double value : series->values) {
    if (at >= from && at + series->bin <= to) {
      sum += value;
      ++bins;
    }
    at = at + series->bin;
  }
  return bins == 0 ? -1 : sum / bins / 8;
}

// --- Mechanism

TreeRun::Names TreeRun::sides(const std::string& root, Time from, Time to,
                              std::optional<std::uint32_t> hops) const {
  Names names;
  for (const Sample& sample : samples_) {
    if (sample.at < from || sample.at > to) continue;
    for (const fabric::SetAsideLine& line : sample.lines) {
      if (hops && line.hops != *hops) continue;
      if (network_->graph->name(line.root) == root) names.insert(side_name(line.side));
    }
  }
  return names;
}

TreeRun::Names TreeRun::line_roots(Time from, Time to) const {
  std::set<PortId> roots;
  std::map<PortId, int> lines;  // before `from`
  for (const fabric::SetAsideEvent& event : events_) {
    if (event.at > to) break;
    const bool is_allocated = event.kind == fabric::SetAsideEvent::allocated;
    if (event.at >= from) {
      if (is_allocated) roots.insert(event.root);
    } else if (is_allocated) {
      ++lines[event.root];
    } else if (event.kind == fabric::SetAsideEvent::released) {
      --lines[event.root];
    }
  }
  Names names;
  for (const auto& [root, count] : lines) {
    if (count > 0) names.insert(network_->graph->name(root));
  }
  for (const PortId root : roots) names.insert(network_->graph->name(root));
  return names;
}

std::vector<SetAsideNote> TreeRun::notes(Kind kind) const {
  std::vector<SetAsideNote> all;
  for (const fabric::SetAsideEvent& event : events_) {
    if (event.kind != kind) continue;
    all.push_back({event.at, side_name(event.side), network_->graph->name(event.root), event.hops,
                   event.kind});
  }
  return all;
}

std::optional<Time> TreeRun::first(Kind kind, const std::string& root,
                                   const std::string& side) const {
  for (const SetAsideNote& note : notes(kind)) {
    if (note.root == root && (side.empty() || note.side == side)) return note.at;
  }
  return std::nullopt;
}

std::optional<Time> TreeRun::last(Kind kind, const std::string& root,
                                  const std::string& side) const {
  std::optional<Time> at;
  for (const SetAsideNote& note : notes(kind)) {
    if (note.root == root && note.side == side) at = note.at;
  }
  return at;
}

void expect_at(const std::optional<Time>& at, double expected, double later) {
  ASSERT_TRUE(at.has_value());
  const double value = static_cast<double>(at->count) / 1e6;
  EXPECT_GE(value, expected - 0.3);
  EXPECT_LE(value, expected + later);
}

void expect_all_released(const TreeRun& run) {
  EXPECT_TRUE(run.is_drained());
  const double* out_of_order = run.result().scalar("out_of_order");
  ASSERT_NE(out_of_order, nullptr);
  EXPECT_EQ(*out_of_order, 0);
  if (!run.has_isolation()) return;
  EXPECT_GT(run.counters().allocations, 0U);
  EXPECT_EQ(run.counters().allocations, run.counters().releases);
  EXPECT_EQ(run.counters().in_use, 0U);
  // Allocated and released take turns at every (side, root).
  std::map<std::pair<std::string, std::string>, std::vector<std::pair<Time, int>>> changes;
  for (const SetAsideNote& note : run.notes(fabric::SetAsideEvent::allocated))
    changes[{note.side, note.root}].emplace_back(note.at, 1);
  for (const SetAsideNote& note : run.notes(fabric::SetAsideEvent::released))
    changes[{note.side, note.root}].emplace_back(note.at, -1);
  for (auto& [place, list] : changes) {
    std::sort(list.begin(), list.end());  // of one instant: given back before taken again
    int queues = 0;
    for (const auto& [at, change] : list) {
      queues += change;
      ASSERT_LE(queues, 1) << place.first << " for " << place.second << " at " << to_string(at);
    }
    EXPECT_EQ(queues, 0) << place.first << " for " << place.second;
  }
}

}  // namespace weir::experiment
