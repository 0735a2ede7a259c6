#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/base/ranks.hpp"
#include "weir/fabric/hooks/hooks.hpp"
#include "weir/fabric/links.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/fabric/parallel/part_work.hpp"

namespace weir::fabric {

class Core;
class Hosts;

/// What an observer is told in one part of a network while all parts run side by side, kept until
/// it can be told in the order of time: all that is measured. Tags, lanes and buffer classes of
/// messages and packets are not kept.
class ObserverLog final : public Observer {
 public:
  /// Of the part; before anything happens there. `work` is told at once, and may be null.
  void attach(const Core& core, const Hosts& hosts, PartWork* work) {
    core_ = &core;
    hosts_ = &hosts;
    work_ = work;
  }

  void on_generated(const Message& message, Time now) override;
  void on_refused(HostId source, const MessageRequest& request,
                  std::uint8_t traffic_class) override;
  void on_injected(const Packet& packet, const Message& message) override;
  void on_delivered(const Packet& packet, const Message& message, Time now, bool in_order) override;
  void on_message_complete(const Message& message, Time now) override;
  void on_set_aside(const SetAsideEvent& event) override;
  void on_lost(const Packet& packet, const Message& message, PortId port, Time now) override;

 private:
  friend class ObserverReplay;
  enum Kind : std::uint8_t { generated, refused, injected, delivered, set_aside, lost };
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
    std::uint32_t newest = 0;  ///< of a packet that was lost: the port
    std::uint16_t part = 0;    ///< of the source
    std::uint8_t traffic_class = 0;
    std::uint8_t service_level = 0;
    std::uint8_t flags = 0;
    std::uint8_t hops = 0;
    Kind kind = Kind::generated;
    bool in_order : 1 = true;
    bool is_complete : 1 = false;  ///< it was the last packet of its message
  };

  /// What is of before `end` is to be told.
  void set_apart(std::int64_t end);
  Entry& add(Kind kind, const Message& message);
  Entry& add(Kind kind, const Message& message, const Packet& packet);

  const Core* core_ = nullptr;
  const Hosts* hosts_ = nullptr;
  PartWork* work_ = nullptr;
  std::vector<Entry> entries_;
  std::vector<Entry> apart_;  ///< to be told now
};

/// Tells an observer what is in the logs of all parts, by time, and empties them. Flows, which each
/// part numbers for itself, have one number for the observer. What is to be told is set apart
/// between windows, so that a thread that waits for others can tell some of it. Where other parts
/// are in other processes, only tell_all() tells, in all of them the same.
class ObserverReplay {
 public:
  ObserverReplay(std::vector<ObserverLog*> logs, Observer& observer, Ranks* ranks = nullptr)
      : observer_(observer),
        ranks_(ranks),
        tells_flows_apart_(observer.tells_flows_apart()),
        numbers_(logs.size()),
        logs_(std::move(logs)),
        next_(logs_.size()) {}

  /// Between windows: sets apart what has come since, if all from before has been told; what is of
  /// before `end`, which all parts have got to.
  void set_apart(std::int64_t end = kNever);
  /// Tells a little of what is set apart. False: there is none, or another thread is at it.
  bool tell_some();
  /// Between windows: tells everything of before `end`, by default all.
  void tell_all(std::int64_t end = kNever);

 private:
  /// Entries that are told at a time: some microseconds.
  static constexpr std::size_t kSome = 64;
  /// More in a log than this, and it is told without waiting for who has time: logs stay in the
  /// nearest caches.
  static constexpr std::size_t kMany = 1U << 11;

  void tell_all_ranks();
  /// False: nothing is left of what was set apart.
  bool tell_next();
  void tell(const ObserverLog::Entry& entry);
  [[nodiscard]] std::uint32_t number_of(std::uint16_t part, std::uint32_t flow);

  Observer& observer_;
  Ranks* ranks_;
  bool tells_flows_apart_;
  std::vector<std::vector<std::uint32_t>> numbers_;  ///< per part and flow
  std::uint32_t flows_ = 0;
  std::vector<ObserverLog*> logs_;
  std::vector<std::size_t> next_;  ///< per log: of what is set apart
  std::atomic<bool> is_left_ = false;
  std::atomic_flag is_busy_;
};

}  // namespace weir::fabric
