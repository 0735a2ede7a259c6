#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <rapidcheck.h>

#include "support/small_network.hpp"
#include "weir/fabric/hooks/isolation.hpp"
#include "weir/fabric/hooks/reaction.hpp"

namespace weir::fabric::testing {

inline constexpr topology::LinkSpec kLink{Rate(8'000'000'000), nanoseconds(20)};  // 1 B/ns

/// Packets and bytes that each pair of hosts got through.
class Flows : public Observer {
 public:
  struct Count {
    std::int64_t packets = 0;
    std::int64_t bytes = 0;
  };
  explicit Flows(Time from) : from_(from) {}
  void on_delivered(const Packet& p, const Message&, Time now, bool) override {
    if (now < from_) return;
    Count& count = counts_[{p.source, p.destination}];
    ++count.packets;
    count.bytes += p.size;
  }
  [[nodiscard]] Count of(std::uint32_t source, std::uint32_t destination) const {
    const auto it = counts_.find({source, destination});
    return it == counts_.end() ? Count{} : it->second;
  }

 private:
  Time from_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Count> counts_;
};

struct Flow {
  std::uint32_t source;
  std::uint32_t destination;
  std::int64_t bytes;  ///< of its messages
  int level = 0;       ///< service level
};

struct Network : SmallNetwork {
  Network() {
    routing = "shortest-path";
    settings.mtu = Bytes(2'048);
    settings.source_queues = SourceQueueKind::per_destination;
    settings.ingress_buffer = settings.egress_buffer = Bytes(8'192);
  }
  /// Saturates all flows up to `end` and counts from a tenth of it on. With `steady` its first flow
  /// sends a message at a time, that long after the one before.
  Flows run(const std::vector<Flow>& flows, Time end, Time steady = Time(0)) {
    if (!marker.empty()) mechanisms.marker = make_marker(marker, *graph, marker_toml);
    Flows counts(Time(end.count / 10));
    const auto fabric = build(counts);
    for (const Flow& flow : flows) {
      std::unique_ptr<MessageSource> source = std::make_unique<SaturatedSource>(
          std::vector<HostId>{HostId(flow.destination)}, Bytes(flow.bytes));
      if (steady.count > 0 && &flow == flows.data()) {
        std::vector<MessageRequest> messages;
        for (Time at; at < end; at = at + steady)
          messages.push_back({at, HostId(flow.destination), Bytes(flow.bytes)});
        source = std::make_unique<ListSource>(std::move(messages));
      }
      source->service_level = static_cast<std::uint8_t>(flow.level);
      fabric->add_source(HostId(flow.source), std::move(source));
    }
    fabric->run_until(end);
    passed_over = fabric->passed_over_note();
    return counts;
  }
  std::string marker, marker_toml;  ///< empty: none
  std::string passed_over;
};

inline std::shared_ptr<const topology::Graph> single_switch(int hosts) {
  return make_topology("single-switch", fmt::format("hosts = {}", hosts), kLink);
}

template <class T>
T one_of(const std::vector<T>& values) {
  return *rc::gen::elementOf(values);
}
inline int number(int low, int high) { return *rc::gen::inRange(low, high + 1); }

inline std::shared_ptr<const topology::Graph> any_graph() {
  switch (number(0, 3)) {
    case 0:
      return single_switch(number(3, 8));
    case 1:
      return make_topology(
          "line",
          fmt::format("switches = 2\nhosts_per_switch = [{}, {}]", number(1, 6), number(2, 4)),
          kLink);
    case 2:
      return make_topology("k-ary-n-tree", "k = 2\nn = 3", kLink);
    default:
      return make_topology("rlft", "ports = 4\nstages = 2", kLink);
  }
}

/// Up to three saturated flows a host, half of them to one hot host.
inline std::vector<Flow> hot_flows(const topology::Graph& graph) {
  const auto hosts = static_cast<int>(graph.host_count());
  const int hot = number(0, hosts - 1);
  std::vector<Flow> flows;
  for (int source = 0; source < hosts; ++source) {
    for (int f = number(0, 3); f > 0; --f) {
      const int destination = number(0, 1) == 0 ? hot : (source + number(1, hosts - 1)) % hosts;
      const auto bytes = one_of<std::int64_t>({64, 100, 256, 1'000, 1'500, 2'048});
      const Flow flow{static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(destination),
                      bytes};
      const bool is_known = std::any_of(flows.begin(), flows.end(), [&](const Flow& other) {
        return other.source == flow.source && other.destination == flow.destination;
      });
      if (destination != source && !is_known) flows.push_back(flow);
    }
  }
  return flows;
}

/// A run of twice the time in which each flow gets the memory of a port through if all of them
/// share a link and have the same turns in bytes; a flow that got nothing may have stood behind
/// small packets, each of which waits for large ones, and gets 32 times as long.
inline Flows run_turns_of_all(Network& net, const std::vector<Flow>& flows, Time more = Time(0)) {
  const std::int64_t memory = net.settings.ingress_buffer.count + net.settings.egress_buffer.count;
  const auto count = static_cast<std::int64_t>(flows.size());
  const Time end = nanoseconds(2 * count * memory) + more;
  const Flows counts = net.run(flows, end);
  const bool all_are_served = std::all_of(flows.begin(), flows.end(), [&](const Flow& flow) {
    return counts.of(flow.source, flow.destination).packets > 0;
  });
  return all_are_served || !net.passed_over.empty() ? counts : net.run(flows, Time(32 * end.count));
}

/// What each flow got, behind `what`. Fails when one got nothing.
inline void nobody_got_nothing(const Network& net, const std::vector<Flow>& flows,
                               const Flows& counts, std::string what) {
  bool is_served = true;
  for (const Flow& f : flows) {
    const std::int64_t packets = counts.of(f.source, f.destination).packets;
    what += fmt::format(" {}->{} {} B: {};", f.source, f.destination, f.bytes, packets);
    is_served = is_served && packets > 0;
  }
  if (!is_served || !net.passed_over.empty()) RC_FAIL(what + net.passed_over);
}

}  // namespace weir::fabric::testing
