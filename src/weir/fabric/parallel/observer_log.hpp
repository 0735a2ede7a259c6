#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/fabric/hooks/hooks.hpp"
#include "weir/fabric/packet.hpp"

namespace weir::fabric {

class Core;
class Hosts;

/// What an observer is told in one part of a network while all parts run side by side, kept until
/// it can be told in the order of time: all that is measured. Tags, lanes and buffer classes of
/// messages and packets are not kept.
class ObserverLog final : public Observer {
 public:
  /// Of the part; before anything happens there.
  void attach(const Core& core, const Hosts& hosts) {
    core_ = &core;
    hosts_ = &hosts;
  }

  void on_generated(const Message& message) override;
  void on_refused(HostId source, const MessageRequest& request,
                  std::uint8_t traffic_class) override;
  void on_injected(const Packet& packet, const Message& message) override;
  void on_delivered(const Packet& packet, const Message& message, Time now, bool in_order) override;
  void on_message_complete(const Message& message, Time now) override;

 private:
  friend class ObserverReplay;
  enum Kind : std::uint8_t { generated, refused, injected, delivered };
  /// In one cache line: what one thread writes another one reads.
  struct alignas(64) Entry {
    std::int64_t at = 0;
    std::int64_t generated = 0;
    std::int64_t injected = 0;
    std::int64_t bytes = 0;  ///< of the message
    std::uint32_t source = 0;
    std::uint32_t destination = 0;
    std::uint32_t flow = 0;  ///< as it is numbered at the source
    std::uint32_t size = 0;  ///< of the packet
    std::uint32_t sequence = 0;
    std::uint32_t newest = 0;
    std::uint16_t part = 0;  ///< of the source
    std::uint8_t traffic_class = 0;
    std::uint8_t service_level = 0;
    std::uint8_t flags = 0;
    std::uint8_t hops = 0;
    Kind kind = Kind::generated;
    bool in_order : 1 = true;
    bool is_complete : 1 = false;  ///< it was the last packet of its message
  };

  Entry& add(Kind kind, const Message& message);
  Entry& add(Kind kind, const Message& message, const Packet& packet);

  const Core* core_ = nullptr;
  const Hosts* hosts_ = nullptr;
  std::vector<Entry> entries_;
};

/// Tells an observer what is in the logs of all parts, by time, and empties them. Flows, which each
/// part numbers for itself, have one number for the observer.
class ObserverReplay {
 public:
  ObserverReplay(std::size_t parts, Observer& observer)
      : observer_(observer), tells_flows_apart_(observer.tells_flows_apart()), numbers_(parts) {}

  void tell(std::span<ObserverLog* const> logs);
  /// So much is in the logs that it is time to.
  [[nodiscard]] static bool is_due(std::span<ObserverLog* const> logs);

 private:
  /// Entries of all logs: some megabytes.
  static constexpr std::size_t kMany = 1U << 15;

  void tell(const ObserverLog::Entry& entry);
  [[nodiscard]] std::uint32_t number_of(std::uint16_t part, std::uint32_t flow);

  Observer& observer_;
  bool tells_flows_apart_;
  std::vector<std::vector<std::uint32_t>> numbers_;  ///< per part and flow
  std::uint32_t flows_ = 0;
  std::vector<std::size_t> next_;
};

}  // namespace weir::fabric
