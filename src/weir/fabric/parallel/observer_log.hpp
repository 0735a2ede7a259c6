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
/// it can be told in the order of time.
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
  enum class Kind : std::uint8_t { generated, refused, injected, delivered, complete };
  struct Entry {
    std::int64_t at = 0;
    Kind kind = Kind::generated;
    bool in_order = true;
    std::uint8_t traffic_class = 0;
    std::uint16_t part = 0;  ///< that the message began in, and its flow is numbered in
    std::uint32_t source = 0;
    MessageRequest request;
    Message message;
    Packet packet;
  };

  Entry& add(Kind kind, const Message& message);

  const Core* core_ = nullptr;
  const Hosts* hosts_ = nullptr;
  std::vector<Entry> entries_;
};

/// Tells an observer what is in the logs of all parts, by time, and empties them. Flows, which each
/// part numbers for itself, have one number for the observer.
class ObserverReplay {
 public:
  ObserverReplay(std::size_t parts, Observer& observer) : observer_(observer), numbers_(parts) {}

  void tell(std::span<ObserverLog* const> logs);

 private:
  void tell(ObserverLog::Entry& entry);
  [[nodiscard]] std::uint32_t number_of(std::uint16_t part, std::uint32_t flow);

  Observer& observer_;
  std::vector<std::vector<std::uint32_t>> numbers_;  ///< per part and flow
  std::uint32_t flows_ = 0;
  std::vector<std::size_t> next_;
};

}  // namespace weir::fabric
