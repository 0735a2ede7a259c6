#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/small_network.hpp"
#include "weir/fabric/hooks/isolation.hpp"

namespace weir::isolation::testing {

using fabric::Fabric;
using fabric::SetAsideEvent;
using fabric::SetAsideLine;
using fabric::Side;
using fabric::testing::Journal;
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

/// A network whose congested packets are set aside: choose, then build().
struct Network : fabric::testing::SmallNetwork {
  Network() {
    routing = "shortest-path";
    isolation = "recn-enhanced";
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
};

/// A stream at the full rate of kLink.
inline void send(Fabric& fabric, std::uint32_t from, std::uint32_t to, Time begin, Time end,
                 double rate = 1.0, std::int64_t size = 64, std::uint8_t level = 0,
                 std::uint16_t connection = 0) {
  const Time every(static_cast<std::int64_t>(static_cast<double>(size) * 1'000 / rate));
  auto stream = std::make_unique<Stream>(HostId(to), Bytes(size), every, begin, end);
  stream->service_level = level;
  stream->connection = connection;
  fabric.add_source(HostId(from), std::move(stream));
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
  net.isolation = model;
  return net.build();
}

/// Host 0 sends through two switches to host 2 behind the third, to which hosts 3 and 4 of that
/// switch send as well; host 1 in the middle sends to host 5 and shares a link with host 0.
struct Chain : Network {
  explicit Chain(const std::string& the_model) {
    line({1, 1, 4});
    isolation = the_model;
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
    isolation = the_model;
  }
};

}  // namespace weir::isolation::testing
