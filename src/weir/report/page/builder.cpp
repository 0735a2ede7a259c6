#include "weir/report/page/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "weir/base/encoding.hpp"
#include "weir/base/error.hpp"
#include "weir/report/page/run.hpp"

namespace weir::report {

using experiment::Configuration;
using experiment::RunRecord;
using nlohmann::json;

namespace {

/// Charts take at most this share of what scalars leave.
constexpr double kShareOfLines = 0.7;
/// Figures of the experiment, as drawn, take at most this share of the page.
constexpr double kShareOfFigures = 0.2;
/// Points a line of a chart, and in all charts together.
constexpr std::size_t kMostPoints = 1'000;
constexpr std::size_t kFewestPoints = 60;
constexpr std::size_t kPointsOfAllRuns = 60'000;
/// A congestion view with less room, or fewer frames, shows nothing of the course of time.
constexpr std::size_t kUsefulView = 120'000;
constexpr std::size_t kFewestFrames = 12;
/// Times at which trees are shown of a run that kept no frames.
constexpr std::size_t kMostTreeTimes = 200;

constexpr const char* kNoLines = R"("series":[],"histograms":[])";
constexpr const char* kNoCongestion =
    R"("topology":null,"links":null,"frames":null,"trees":[],"hosts":null)";

std::string text_of(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Members of an object without its braces.
std::string members_of(const json& object) {
  const std::string text = text_of(object);
  return text.substr(1, text.size() - 2);
}

/// What a text adds to the page.
std::size_t cost_of(const std::string& text) { return gzip(text).size() * 4 / 3; }

std::size_t scaled(std::size_t size, double factor) {
  return static_cast<std::size_t>(static_cast<double>(size) * factor);
}

}  // namespace

PageBuilder::PageBuilder(const PageRuns& runs, const PageOptions& options, std::size_t most_bytes)
    : source_(runs),
      options_(options),
      most_(options.is_full ? std::numeric_limits<std::size_t>::max() : most_bytes),
      notes_(options.notes) {
  for (RunRecord& run : selected(runs.list, options.runs)) {
    entries_.push_back({std::move(run), nullptr, kNoLines, kNoCongestion});
  }
}

std::string PageBuilder::data() {
  std::vector<RunRecord> runs;
  runs.reserve(entries_.size());
  for (const Entry& entry : entries_) runs.push_back(entry.run);
  json head = page_head(runs, options_, source_.read);
  runs = {};
  make_room_for_figures(head);
  add_cores();
  add_lines();
  add_congestion();
  tell_what_is_missing();
  head["metrics"] = metrics_to_json(metrics_);
  head["notes"] = notes_;
  return assemble(head);
}

void PageBuilder::make_room_for_figures(json& head) {
  if (head["drawn"].empty()) return;
  const std::size_t cost = cost_of(text_of(head["drawn"]));
  if (cost <= scaled(most_, kShareOfFigures)) {
    most_ -= cost;
    return;
  }
  head["drawn"] = json::array();
  notes_.emplace_back(
      "The figures that no chart can show are left out: they would make the page too large. "
      "weir report --full shows everything.");
}

void PageBuilder::add_cores() {
  std::string all;
  for (Entry& entry : entries_) {
    const std::optional<Configuration> configuration = configuration_of(entry.run);
    entry.core = run_to_json(entry.run, configuration ? &*configuration : nullptr);
    collect_metrics(entry.run.result, metrics_);
    all += text_of(entry.core);
  }
  used_ = cost_of(all);
  constexpr double kFull = 0.9;
  if (used_ <= scaled(most_, kFull)) return;
  const double share = kFull * static_cast<double>(most_) / static_cast<double>(used_);
  const std::size_t kept = std::max<std::size_t>(1, scaled(entries_.size(), share));
  runs_left_out_ = entries_.size() - kept;
  entries_.resize(kept);
  used_ = scaled(used_, share);
}

void PageBuilder::add_lines() {
  const std::size_t limit = options_.is_full ? most_ : used_ + scaled(room(), kShareOfLines);
  const std::size_t points =
      options_.is_full ? std::numeric_limits<std::size_t>::max()
                       : std::clamp(kPointsOfAllRuns / entries_.size(), kFewestPoints, kMostPoints);
  for (Entry& entry : entries_) {
    RunRecord run = entry.run;
    source_.read(run, {true, true, false, false});
    std::string lines = members_of(lines_of(run, points));
    const std::size_t cost = cost_of(lines);
    if (used_ + cost > limit) {
      ++lines_left_out_;
      continue;
    }
    used_ += cost;
    collect_metrics(run.result, metrics_);
    entry.lines = std::move(lines);
  }
}

void PageBuilder::add_congestion() {
  // One run of each case before all others: views of different cases say more than of many seeds.
  std::vector<Entry*> order;
  std::vector<Entry*> others;
  std::set<std::string> cases;
  for (Entry& entry : entries_) {
    if (entry.run.status != "done") continue;
    (cases.insert(entry.run.case_name).second ? order : others).push_back(&entry);
  }
  order.insert(order.end(), others.begin(), others.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t share = std::max(room() / (order.size() - i), kUsefulView);
    if (room() >= kUsefulView / 2 && add_congestion(*order[i], std::min(share, room()))) continue;
    ++congestion_left_out_;
  }
}

std::shared_ptr<const PageNetwork> PageBuilder::network_of(Entry& entry, json& hosts) {
  try {
    const std::optional<Configuration> configuration = configuration_of(entry.run);
    if (!configuration) throw InputError("this version of weir cannot read its configuration");
    auto network = networks_.get(*configuration);
    hosts = hosts_of(*configuration, network->graph());
    return network;
  } catch (const InputError& error) {
    entry.core["notes"].push_back(fmt::format("the network cannot be drawn: {}", error.what()));
    return nullptr;
  }
}

const topology::SubnetCounters* PageBuilder::counters_of(const PageNetwork& network) {
  if (options_.counters.after.empty()) return nullptr;
  const auto it = counters_.find(&network);
  if (it != counters_.end()) return &it->second;
  return &counters_.emplace(&network, topology::read_counters(network.graph(), options_.counters))
              .first->second;
}

bool PageBuilder::add_congestion(Entry& entry, std::size_t share) {
  experiment::ResultParts parts{false, false, true, true};
  parts.frames = true;
  RunRecord run = entry.run;
  source_.read(run, parts);
  if (run.result.links.empty()) return true;
  json hosts;
  const std::shared_ptr<const PageNetwork> network = network_of(entry, hosts);
  if (!network) return true;
  const bool is_new = std::find(shown_.begin(), shown_.end(), network) == shown_.end();
  const topology::SubnetCounters* counters = counters_of(*network);
  std::string topology;
  if (is_new) {
    json described = network->to_json();
    if (counters != nullptr) {
      described["measured"] = measured_to_json(network->graph(), *counters, options_.counters);
    }
    topology = text_of(described);
  }
  const std::size_t topology_cost = is_new ? cost_of(topology) : 0;
  if (topology_cost >= share) return false;
  View view;
  try {
    view = congestion_within(run, *network, share - topology_cost);
  } catch (const InputError& error) {
    entry.core["notes"].push_back(fmt::format("the network cannot be drawn: {}", error.what()));
    return true;
  }
  if (view.text.empty()) return false;
  if (is_new) {
    shown_.push_back(network);
    topologies_.push_back(topology);
  }
  const auto index = std::find(shown_.begin(), shown_.end(), network) - shown_.begin();
  entry.congestion =
      fmt::format(R"("topology":{},"hosts":{},{})", index, text_of(hosts), view.text);
  if (counters != nullptr) {
    const json agreement = agreement_to_json(
        metrics::compare_links(network->graph(), *counters, options_.counters, run.result));
    entry.congestion += R"(,"agreement":)" + text_of(agreement);
  }
  used_ += topology_cost + view.cost;
  ++congestion_shown_;
  return true;
}

PageBuilder::View PageBuilder::congestion_within(const RunRecord& run, const PageNetwork& network,
                                                 std::size_t room) {
  const metrics::LinkFrames& frames = run.result.frames;
  const bool has_frames = !frames.times.empty();
  const std::size_t fewest = has_frames ? std::min(kFewestFrames, frames.times.size()) : 1;
  std::size_t most = has_frames ? frames.times.size() : kMostTreeTimes;
  // What the frames take in the database is about what they take in the page, before base64.
  const std::size_t estimate =
      (frames.utilization.size() + frames.wait.size() + frames.set_aside.size()) * 4 / 3;
  if (estimate > room) {
    most = scaled(most, static_cast<double>(room) / static_cast<double>(estimate));
  }
  while (most >= fewest) {
    View view{members_of(congestion_of(run, network, most)), 0};
    view.cost = cost_of(view.text);
    if (view.cost <= room) return view;
    const double factor = static_cast<double>(room) / static_cast<double>(view.cost);
    most = std::min(most - 1, scaled(most, factor));
  }
  return {};
}

void PageBuilder::tell_what_is_missing() {
  const std::string how =
      "weir report --runs CASE,... shows the runs you choose, --full everything";
  if (runs_left_out_ > 0) {
    notes_.push_back(fmt::format("Only the first {} of {} runs are in this page. {}.",
                                 entries_.size(), entries_.size() + runs_left_out_, how));
  }
  if (lines_left_out_ > 0) {
    notes_.push_back(
        fmt::format("The charts show {} of {} runs: more would make the page too "
                    "large. {}.",
                    entries_.size() - lines_left_out_, entries_.size(), how));
  }
  if (congestion_left_out_ > 0) {
    notes_.push_back(
        fmt::format("The congestion view has {} of {} runs: more would make the page "
                    "too large. {}.",
                    congestion_shown_, congestion_shown_ + congestion_left_out_, how));
  }
  if (!options_.counters.after.empty() && counters_.empty()) {
    notes_.push_back(fmt::format(
        "The counters of {} are not shown: no run has a congestion view, which they stand beside.",
        options_.counters.after));
  }
}

std::string PageBuilder::assemble(const json& head) {
  std::string out = '{' + members_of(head) + R"(,"runs":[)";
  const char* comma = "";
  for (Entry& entry : entries_) {
    out +=
        fmt::format("{}{{{},{},{}}}", comma, members_of(entry.core), entry.lines, entry.congestion);
    comma = ",";
  }
  out += R"(],"topologies":[)" + fmt::format("{}", fmt::join(topologies_, ",")) + "]}";
  return out;
}

}  // namespace weir::report
