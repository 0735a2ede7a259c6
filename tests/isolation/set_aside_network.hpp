#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fabric/test_network.hpp"
#include "weir/fabric/hooks/isolation.hpp"

namespace weir::isolation::testing {

using fabric::Fabric;
using fabric::SetAsideEvent;
using fabric::SetAsideLine;
using fabric::Side;
using fabric::testing::make_routing;
using fabric::testing::make_topology;
using fabric::testing::settings_of;

/// 1 B/ns with a propagation of 20 ns (lippens2010, section 5.1).
inline constexpr topology::LinkSpec kLink{Rate(8'000'000'000), Time(20'000)};

/// Packets of one size in a row: one every `every`, from `begin` until `end`.
class Stream : public fabric::MessageSource {
 public:
  Stream(HostId destination, Bytes size, Time every, Time begin, Time end)
      : destination_(destination), size_(size), every_(every), next_(begin), end_(end) {}
  std::optional<fabric::MessageRequest> next(Time now) override {
    if (next_ >= end_) return std::nullopt;
    const Time at = std::max(next_, now);
    next_ += every_;
    return fabric::MessageRequest{at, destination_, size_};
  }

 private:
  HostId destination_;
  Bytes size_;
  Time every_;
  Time next_;
  Time end_;
};

/// What happened.
class Journal : public fabric::Observer {
 public:
  void on_delivered(const fabric::Packet& packet, const fabric::Message&, Time,
                    bool is_in_order) override {
    bytes_to.resize(std::max<std::size_t>(bytes_to.size(), packet.destination + std::size_t{1}));
    bytes_to[packet.destination] += packet.size;
    out_of_order += is_in_order ? 0 : 1;
    if ((packet.flags & fabric::packet_flag::kMarks) != 0) ++marked_from[packet.source];
  }
  void on_set_aside(const SetAsideEvent& event) override { events.push_back(event); }
  void on_sample(const Fabric& fabric, Time now) override {
    if (sample) sample(fabric, now);
  }

  [[nodiscard]] std::size_t count(SetAsideEvent::Kind kind) const {
    return static_cast<std::size_t>(std::count_if(
        events.begin(), events.end(), [&](const SetAsideEvent& e) { return e.kind == kind; }));
  }
  [[nodiscard]] std::size_t count(SetAsideEvent::Kind kind, Side side) const {
    return static_cast<std::size_t>(std::count_if(
        events.begin(), events.end(),
        [&](const SetAsideEvent& e) { return e.kind == kind && e.side.index == side.index; }));
  }
  /// Time of the first such event at a side in ns, or -1.
  [[nodiscard]] double first(SetAsideEvent::Kind kind, Side side) const {
    for (const SetAsideEvent& e : events) {
      if (e.kind == kind && e.side.index == side.index) return to_nanoseconds(e.at);
    }
    return -1;
  }

  std::vector<SetAsideEvent> events;
  std::vector<std::int64_t> bytes_to;  ///< delivered, per host
  std::size_t out_of_order = 0;
  std::map<std::uint32_t, int> marked_from;  ///< delivered packets with a mark, per source
  std::function<void(const Fabric&, Time)> sample;
};

/// A network whose congested packets are set aside: choose, then build().
struct Network {
  std::shared_ptr<const topology::Graph> graph;
  std::string routing = "shortest-path";
  std::string routing_toml;
  std::string model = "recn-enhanced";
  std::string toml;
  std::shared_ptr<fabric::Marker> marker;
  fabric::FabricSettings settings;
  Journal journal;

  Network() {
    settings.architecture = fabric::Architecture::cioq;
    settings.speedup = 2;
    settings.mtu = Bytes(64);
    settings.ingress_buffer = settings.egress_buffer = Bytes(32'768);
    settings.source_queues = fabric::SourceQueueKind::per_destination;
    settings.check_period = nanoseconds(500);
  }

  /// Switches in a row with so many hosts each.
  void line(const std::vector<int>& hosts) {
    std::string list;
    for (const int n : hosts) list += (list.empty() ? "" : ", ") + std::to_string(n);
    graph = make_topology(
        "line",
        "switches = " + std::to_string(hosts.size()) + "\nhosts_per_switch = [" + list + "]",
        kLink);
  }

  [[nodiscard]] std::unique_ptr<Fabric> build() {
    const auto function = make_routing(routing, *graph, routing_toml);
    fabric::Models models{graph, function, fabric::testing::make_selection("fixed"),
                          fabric::testing::make_queueing("fifo", *graph)};
    const auto& chosen = fabric::isolation_registry().find(model, {}, "isolation");
    fabric::Mechanisms mechanisms;
    mechanisms.marker = marker;
    mechanisms.isolation = chosen.make(settings_of(chosen.info, toml), {graph, function, settings});
    return std::make_unique<Fabric>(models, mechanisms, settings, journal);
  }

  // --- Places
  /// The switch port to which a host is attached.
  [[nodiscard]] std::uint32_t at_host(std::uint32_t host) const {
    return graph->port(graph->host_port(HostId(host))).to.value;
  }
  /// The port of switch `from` that leads to switch `to`.
  [[nodiscard]] std::uint32_t towards(std::uint32_t from, std::uint32_t to) const {
    for (const topology::Port& port : graph->ports(graph->node(SwitchId(from)))) {
      if (port.to.valid() && graph->port(port.to).node == graph->node(SwitchId(to)))
        return graph->port(port.to).from.value;
    }
    throw std::logic_error("no such cable");
  }
};

/// A stream at the full rate of kLink.
inline void send(Fabric& fabric, std::uint32_t from, std::uint32_t to, Time begin, Time end,
                 double rate = 1.0, std::int64_t size = 64) {
  const Time every(static_cast<std::int64_t>(static_cast<double>(size) * 1'000 / rate));
  fabric.add_source(HostId(from),
                    std::make_unique<Stream>(HostId(to), Bytes(size), every, begin, end));
}

inline std::vector<SetAsideLine> lines_of(const Fabric& fabric) {
  std::vector<SetAsideLine> all;
  fabric.isolation()->for_each_line([&](const SetAsideLine& line) { all.push_back(line); });
  return all;
}
inline std::vector<SetAsideLine> lines_at(const Fabric& fabric, Side side) {
  std::vector<SetAsideLine> some = lines_of(fabric);
  std::erase_if(some, [&](const SetAsideLine& line) { return line.side.index != side.index; });
  return some;
}

inline std::unique_ptr<Fabric> one_switch(Network& net, int hosts,
                                          const std::string& model = "recn") {
  net.graph = make_topology("single-switch", "hosts = " + std::to_string(hosts), kLink);
  net.model = model;
  return net.build();
}

/// Host 0 sends through two switches to host 2 behind the third, to which hosts 3 and 4 of that
/// switch send as well; host 1 in the middle sends to host 5 and shares a link with host 0.
struct Chain : Network {
  explicit Chain(const std::string& the_model) {
    line({1, 1, 4});
    model = the_model;
  }
  void start(Fabric& fabric, Time end) const {
    for (const std::uint32_t h : {0U, 3U, 4U}) send(fabric, h, 2, Time(0), end);
    send(fabric, 1, 5, Time(0), end, 0.4);
  }
  /// From the root to the source: sides that hold a line for host 2, with their links to the root.
  [[nodiscard]] std::vector<std::pair<Side, std::uint32_t>> branch() const {
    return {{Side::ingress(towards(2, 1)), 0}, {Side::egress(towards(1, 2)), 1},
            {Side::ingress(towards(1, 0)), 1}, {Side::egress(towards(0, 1)), 2},
            {Side::ingress(at_host(0)), 2},    {Side::egress(0), 3}};
  }
};

/// Three hosts of the first switch and two of the second send to host 3, at the second.
struct Merge : Network {
  explicit Merge(const std::string& the_model) {
    line({3, 3});
    model = the_model;
  }
};

}  // namespace weir::isolation::testing
