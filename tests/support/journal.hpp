#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <vector>

#include "weir/fabric/fabric.hpp"
#include "weir/fabric/hooks/isolation.hpp"

namespace weir {
inline void PrintTo(Time t, std::ostream* out) { *out << to_string(t); }
}  // namespace weir

namespace weir::fabric::testing {

/// A data packet that reached its destination.
struct Delivery {
  HostId source;
  HostId destination;
  Time injected;
  Time delivered;
  std::uint32_t sequence = 0;
  bool in_order = true;
  std::uint8_t marks = 0;
  Time generated;  ///< its message
  std::int64_t bytes = 0;
};

inline void PrintTo(const Delivery& d, std::ostream* out) {
  *out << "packet " << d.sequence << " of " << d.bytes << " B from host " << d.source.value
       << " to " << d.destination.value << ", " << to_string(d.injected) << " to "
       << to_string(d.delivered);
}

/// What happened in a run, in order.
class Journal : public Observer {
 public:
  void on_delivered(const Packet& packet, const Message& message, Time now,
                    bool in_order) override {
    deliveries.push_back({HostId(packet.source), HostId(packet.destination), Time(packet.injected),
                          now, packet.sequence, in_order,
                          static_cast<std::uint8_t>(packet.flags & packet_flag::kMarks),
                          Time(message.generated), packet.size});
    if (now < count_from) return;
    add(bytes_from, packet.source, packet.size);
    add(bytes_to, packet.destination, packet.size);
  }
  void on_set_aside(const SetAsideEvent& event) override { events.push_back(event); }
  void on_sample(const Fabric& fabric, Time now) override {
    if (sample) sample(fabric, now);
  }

  /// Delivered packets that carry all of these marks.
  [[nodiscard]] std::size_t with(std::uint8_t bits) const {
    return count_deliveries([&](const Delivery& d) { return (d.marks & bits) == bits; });
  }
  [[nodiscard]] std::size_t marked_from(HostId source) const {
    return count_deliveries([&](const Delivery& d) { return d.source == source && d.marks != 0; });
  }
  [[nodiscard]] std::size_t out_of_order() const {
    return count_deliveries([](const Delivery& d) { return !d.in_order; });
  }
  [[nodiscard]] std::size_t count(SetAsideEvent::Kind kind) const {
    return count_events([&](const SetAsideEvent& e) { return e.kind == kind; });
  }
  [[nodiscard]] std::size_t count(SetAsideEvent::Kind kind, Side side) const {
    return count_events(
        [&](const SetAsideEvent& e) { return e.kind == kind && e.side.index == side.index; });
  }
  /// Time of the first such event at a side in ns, or -1.
  [[nodiscard]] double first(SetAsideEvent::Kind kind, Side side) const {
    for (const SetAsideEvent& e : events) {
      if (e.kind == kind && e.side.index == side.index) return to_nanoseconds(e.at);
    }
    return -1;
  }

  std::vector<Delivery> deliveries;
  std::vector<std::int64_t> bytes_from;  ///< delivered, per source host, since count_from
  std::vector<std::int64_t> bytes_to;    ///< likewise, per destination
  Time count_from;
  std::vector<SetAsideEvent> events;
  std::function<void(const Fabric&, Time)> sample;  ///< called at every sample

 private:
  static void add(std::vector<std::int64_t>& bytes, std::size_t host, std::int64_t more) {
    if (bytes.size() <= host) bytes.resize(host + 1);
    bytes[host] += more;
  }
  template <class Holds>
  [[nodiscard]] std::size_t count_deliveries(Holds holds) const {
    return static_cast<std::size_t>(std::count_if(deliveries.begin(), deliveries.end(), holds));
  }
  template <class Holds>
  [[nodiscard]] std::size_t count_events(Holds holds) const {
    return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), holds));
  }
};

}  // namespace weir::fabric::testing
