#include "weir/traffic/flow_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weir/traffic/recorded.hpp"
#include "weir/traffic/source_set.hpp"

namespace weir::traffic {
namespace {

void sort_out(std::vector<HostId>& hosts) {
  std::sort(hosts.begin(), hosts.end());
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
}

class PairFinder {
 public:
  PairFinder(const TrafficEntry& entry, std::uint32_t index) : entry_(entry), index_(index) {}

  void add_recorded(const Recorded& recorded, std::vector<FlowPair>& out) const {
    for (const HostId source : recorded.senders) {
      std::vector<HostId> destinations;
      for (const Trace::Record& one : recorded.trace->messages(source))
        destinations.emplace_back(one.destination);
      add(source, std::move(destinations), out);
    }
  }

  void add_drawn(const std::vector<HostId>& sources, const TrafficContext& context,
                 std::vector<FlowPair>& out) const {
    const auto pattern = (*entry_.destinations->make)(
        entry_.destinations->settings, {context.graph, sources, context.seed, index_});
    for (std::uint32_t rank = 0; rank < sources.size(); ++rank) {
      if (!pattern->sends(sources[rank])) continue;
      std::vector<HostId> destinations = pattern->destinations(sources[rank], rank);
      if (destinations.empty()) refuse();
      add(sources[rank], std::move(destinations), out);
    }
  }

 private:
  void add(HostId source, std::vector<HostId> destinations, std::vector<FlowPair>& out) const {
    sort_out(destinations);
    for (std::uint16_t number = 0; number < entry_.connections; ++number) {
      for (const HostId destination : destinations)
        out.push_back({index_, source, destination, number});
    }
  }

  [[noreturn]] void refuse() const {
    throw entry_.keys.error(
        &TrafficKeys::has_rate,
        fmt::format("\"calculated\" is for pairs of hosts that are known before they send, and "
                    "destinations '{0}' are drawn from many hosts, message by message: a flow with "
                    "a rate would be one message. Take destinations that every source has for "
                    "itself, such as fixed, hot-spots or random-permutation, or rate = \"none\"",
                    entry_.destinations->name));
  }

  const TrafficEntry& entry_;
  std::uint32_t index_;
};

}  // namespace

std::vector<FlowPair> flow_pairs(const std::vector<TrafficEntry>& entries,
                                 const TrafficContext& context) {
  std::vector<FlowPair> out;
  const bool some_have =
      std::any_of(entries.begin(), entries.end(), [](const auto& one) { return one.has_rate; });
  if (!some_have) return out;
  std::vector<Recorded> recorded;
  for (std::uint32_t i = 0; i < entries.size(); ++i)
    recorded.push_back(make_recorded(entries[i], i, context));
  const std::vector<std::vector<HostId>> sets = source_sets(entries, recorded, context);
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].has_rate) continue;
    const PairFinder finder(entries[i], i);
    if (recorded[i].trace) {
      finder.add_recorded(recorded[i], out);
    } else {
      finder.add_drawn(sets[i], context, out);
    }
  }
  return out;
}

}  // namespace weir::traffic
