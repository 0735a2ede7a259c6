#include "weir/experiment/run/flow_set_ups.hpp"

#include <unordered_map>
#include <utility>

namespace weir::experiment {

FlowSetUps::FlowSetUps(const std::vector<rates::FlowRequest>& flows, std::vector<bool> is_endless,
                       Options options, Begin begin)
    : options_(options), begin_(std::move(begin)), flows_(flows.size()) {
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  for (std::uint32_t f = 0; f < flows.size(); ++f) {
    const std::uint64_t key =
        std::uint64_t{flows[f].source.value} << 32 | flows[f].destination.value;
    const auto [place, is_new] = known.emplace(key, static_cast<std::uint32_t>(pairs_.size()));
    if (is_new) pairs_.emplace_back();
    pairs_[place->second].flows.push_back(f);
    flows_[f].pair = place->second;
    flows_[f].is_endless = is_endless[f];
  }
}

void FlowSetUps::wish(std::uint32_t flow) {
  flows_[flow].wishes = true;
  const Pair& pair = pairs_[flows_[flow].pair];
  if (!options_.per_message && !pair.path.empty()) begin(flow, pair.path);
}

void FlowSetUps::begin(std::uint32_t flow, const std::vector<rates::LinkId>& path) {
  Flow& one = flows_[flow];
  if (!one.path.empty()) return;
  one.path = path;
  // Of an endless flow more will always come.
  if (one.is_endless || !one.is_generated) ++pairs_[one.pair].unsent;
  begin_(flow);
}

void FlowSetUps::note_message(std::uint32_t flow) {
  Flow& one = flows_[flow];
  one.wishes = true;
  if (one.is_generated) return;
  one.is_generated = true;
  if (!one.path.empty() && !one.is_endless) --pairs_[one.pair].unsent;
}

void FlowSetUps::on_generated(const fabric::Message& message) {
  if (message.flow >= pair_of_.size()) {
    pair_of_.resize(message.flow + 1, kNone);
    if (options_.per_message) waiting_.resize(message.flow + 1);
  }
  const bool is_ours = message.traffic_class == options_.traffic_class;
  if (is_ours) {
    pair_of_[message.flow] = flows_[message.tag].pair;
    note_message(message.tag);
  }
  // Where a message is a flow, those of others have their turns as well.
  if (options_.per_message) waiting_[message.flow].push_back(is_ours ? message.tag : kNone);
}

void FlowSetUps::on_path(std::uint32_t connection, std::span<const PortId> path) {
  std::vector<rates::LinkId> links;
  for (const PortId port : path) links.emplace_back(port.value);
  if (options_.per_message) {
    std::vector<std::uint32_t>& waiting = waiting_[connection];
    const std::uint32_t flow = waiting.front();
    waiting.erase(waiting.begin());
    if (flow != kNone) begin(flow, links);
    return;
  }
  if (pair_of_[connection] == kNone) return;
  Pair& pair = pairs_[pair_of_[connection]];
  pair.path = std::move(links);
  for (const std::uint32_t flow : pair.flows) {
    if (flows_[flow].wishes) begin(flow, pair.path);
  }
}

void FlowSetUps::on_end(std::uint32_t connection) {
  if (pair_of_[connection] != kNone) pairs_[pair_of_[connection]].path.clear();
}

bool FlowSetUps::goes_on(std::uint32_t connection) const {
  const std::uint32_t pair = pair_of_[connection];
  return !options_.per_message && pair != kNone && pairs_[pair].unsent > 0;
}

}  // namespace weir::experiment
