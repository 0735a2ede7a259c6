#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "weir/base/encoding.hpp"
#include "weir/base/error.hpp"
#include "weir/metrics/link_frames.hpp"
#include "weir/report/page/network.hpp"

namespace weir::report {

using experiment::RunRecord;
using metrics::FrameBytes;
using metrics::TreeRecord;
using nlohmann::json;

namespace {

/// Where each link of the run stands in `Topology.ports`.
std::vector<std::size_t> places_of(const RunRecord& run, const PageNetwork& network) {
  std::vector<std::size_t> places;
  places.reserve(run.result.links.size());
  for (const metrics::LinkSummary& link : run.result.links) {
    const auto place = network.index_of(link.name);
    if (!place) break;
    places.push_back(*place);
  }
  if (places.size() == run.result.links.size() && places.size() == network.port_count()) {
    return places;
  }
  throw InputError("the file of the fabric has changed since the run");
}

/// Four decimals: more than can be seen.
double share(double value) {
  constexpr double kSteps = 1e4;
  return std::round(value * kSteps) / kSteps;
}

json links_to_json(const RunRecord& run, const std::vector<std::size_t>& places) {
  std::vector<double> utilization(places.size());
  std::vector<double> wait(places.size());
  std::vector<std::int64_t> bytes(places.size());
  std::vector<std::int64_t> queued(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const metrics::LinkSummary& link = run.result.links[i];
    utilization[places[i]] = share(link.utilization);
    wait[places[i]] = share(link.wait);
    bytes[places[i]] = link.bytes;
    queued[places[i]] = link.queued_max;
  }
  return {{"utilization", utilization}, {"wait", wait}, {"bytes", bytes}, {"queued_max", queued}};
}

std::string in_order_of_ports(const std::vector<std::uint8_t>& bytes,
                              const std::vector<std::size_t>& places) {
  std::string out(bytes.size(), '\0');
  const std::size_t width = places.size();
  for (std::size_t at = 0; at < bytes.size(); at += width) {
    for (std::size_t i = 0; i < width; ++i) {
      out[at + places[i]] = static_cast<char>(bytes[at + i]);
    }
  }
  return out;
}

FrameBytes frames_of(const RunRecord& run, std::size_t most) {
  FrameBytes frames;
  try {
    frames = metrics::unpack(run.result.frames);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
  if (most == 0) return {};
  for (unsigned round = 0; frames.times.size() > most; ++round) frames.merge_pairs(round);
  return frames;
}

json frames_to_json(const FrameBytes& frames, const std::vector<std::size_t>& places) {
  if (frames.times.empty() || frames.links != places.size()) return nullptr;
  json times = json::array();
  for (const Time at : frames.times) times.push_back(to_nanoseconds(at));
  json out{{"times_ns", std::move(times)},
           {"utilization", base64(in_order_of_ports(frames.utilization, places))},
           {"wait", base64(in_order_of_ports(frames.wait, places))}};
  if (!frames.set_aside.empty()) {
    out["set_aside"] = base64(in_order_of_ports(frames.set_aside, places));
  }
  return out;
}

/// The largest ones, ascending in time.
json set_aside_to_json(const RunRecord& run, const PageNetwork& network) {
  std::vector<const metrics::SetAsideTree*> shown;
  for (const metrics::SetAsideTree& tree : run.result.set_aside_trees) shown.push_back(&tree);
  std::stable_sort(shown.begin(), shown.end(),
                   [](const auto* a, const auto* b) { return a->queues_max > b->queues_max; });
  shown.resize(std::min(shown.size(), kMostSetAsideTrees));
  std::stable_sort(shown.begin(), shown.end(),
                   [](const auto* a, const auto* b) { return a->from < b->from; });
  json out = json::array();
  for (const metrics::SetAsideTree* tree : shown) {
    const auto root = network.index_of(tree->root);
    if (!root) continue;
    out.push_back({{"root", *root},
                   {"from_ns", to_nanoseconds(tree->from)},
                   {"until_ns", to_nanoseconds(tree->until)},
                   {"queues", tree->queues_max},
                   {"hops", tree->hops_max}});
  }
  return out;
}

/// Nothing when one of its ports is not of the network.
json tree_to_json(const TreeRecord& tree, const PageNetwork& network) {
  const auto root = network.index_of(tree.root);
  if (!root) return nullptr;
  json branches = json::array();
  for (std::size_t i = 0; i < tree.branches.size(); ++i) {
    const auto port = network.index_of(tree.branches[i]);
    if (!port) return nullptr;
    branches.push_back({*port, tree.branch_depths[i]});
  }
  json leaves = json::array();
  for (const std::string& leaf : tree.leaves) {
    if (const auto port = network.index_of(leaf)) leaves.push_back(*port);
  }
  return {{"t_ns", to_nanoseconds(tree.at)},
          {"root", *root},
          {"depth", tree.depth},
          {"branches", std::move(branches)},
          {"leaves", std::move(leaves)}};
}

/// Times at which trees are shown: those of the frames; where the run kept none, of its samples,
/// evenly spread.
std::vector<Time> times_of_trees(const RunRecord& run, const FrameBytes& frames, std::size_t most) {
  if (!run.result.frames.times.empty()) return frames.times;
  std::vector<Time> all;
  for (const TreeRecord& tree : run.result.trees) {
    if (all.empty() || all.back() < tree.at) all.push_back(tree.at);
  }
  if (all.size() <= most) return all;
  std::vector<Time> some;
  for (std::size_t k = 0; k < most; ++k) some.push_back(all[(k + 1) * all.size() / most - 1]);
  return some;
}

/// Of each time the largest trees.
std::vector<const TreeRecord*> trees_to_show(const RunRecord& run, const std::vector<Time>& times) {
  std::vector<const TreeRecord*> shown;
  for (const TreeRecord& tree : run.result.trees) {
    if (std::binary_search(times.begin(), times.end(), tree.at)) shown.push_back(&tree);
  }
  std::stable_sort(shown.begin(), shown.end(), [](const TreeRecord* a, const TreeRecord* b) {
    return a->at != b->at ? a->at < b->at : a->branches.size() > b->branches.size();
  });
  std::vector<const TreeRecord*> kept;
  std::size_t at_this_time = 0;
  for (const TreeRecord* tree : shown) {
    at_this_time = kept.empty() || kept.back()->at != tree->at ? 0 : at_this_time + 1;
    if (at_this_time < kMostTreesAtATime) kept.push_back(tree);
  }
  return kept;
}

}  // namespace

json congestion_of(const RunRecord& run, const PageNetwork& network, std::size_t most_frames) {
  const std::vector<std::size_t> places = places_of(run, network);
  const FrameBytes frames = frames_of(run, most_frames);
  json trees = json::array();
  const std::vector<Time> times = times_of_trees(run, frames, most_frames);
  for (const TreeRecord* tree : trees_to_show(run, times)) {
    json one = tree_to_json(*tree, network);
    if (!one.is_null()) trees.push_back(std::move(one));
  }
  json out{{"links", links_to_json(run, places)},
           {"frames", frames_to_json(frames, places)},
           {"trees", std::move(trees)}};
  if (!run.result.set_aside_trees.empty()) out["set_aside"] = set_aside_to_json(run, network);
  return out;
}

}  // namespace weir::report
