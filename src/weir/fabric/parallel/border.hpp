#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "weir/base/prefetch.hpp"
#include "weir/base/ranks.hpp"
#include "weir/fabric/control_queue.hpp"
#include "weir/fabric/hooks/mechanism.hpp"
#include "weir/fabric/links.hpp"
#include "weir/fabric/messages_to_hosts.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/fabric/parallel/territories.hpp"

namespace weir::fabric {

class Core;

/// What is on its way keeps a network busy, as in one part: what moves something does; an
/// expectation is in the background there; of feedback, and of messages that are done, nothing is
/// scheduled.
struct Stirs {
  bool moves = false;
  bool has_background = false;

  Stirs& operator|=(const Stirs& other) {
    moves = moves || other.moves;
    has_background = has_background || other.has_background;
    return *this;
  }
};

/// What is known of the message of a packet outside the part that its source is in; of an ACK only
/// the connection.
struct CarriedMessage {
  std::int64_t generated = 0;
  std::int64_t bytes = 0;
  std::uint32_t flow = 0;  ///< number at its source
  std::uint32_t tag = 0;
  /// Number of its flow among those to the part of the destination; of no meaning in one part.
  std::uint32_t across = UINT32_MAX;
  std::uint16_t connection = 0;
  bool keeps_rate = false;
};
static_assert(sizeof(CarriedMessage) == 32);

/// What leaves a part of the network for another one. Parts share nothing that changes: all that
/// one does to another goes through here, and arrives no sooner than cables let it: see Lookahead.
struct Crossings {
  /// As little as can be, since another core reads what one has written: the packet without the
  /// alignment that it has where it waits.
  struct PacketCrossing {
    std::int64_t at = 0;
    std::uint32_t port = 0;        ///< of an ideal ACK: host
    std::uint32_t records_at = 0;  ///< in `records`
    CarriedMessage carried;
    std::array<std::byte, sizeof(Packet)> packet;

    PacketCrossing() = default;
    PacketCrossing(std::int64_t when, std::uint32_t where, const Packet& it,
                   const CarriedMessage& its)
        : at(when), port(where), carried(its) {
      std::memcpy(packet.data(), &it, sizeof(Packet));
    }
    void copy_to(Packet& there) const { std::memcpy(&there, packet.data(), sizeof(Packet)); }
  };
  static_assert(sizeof(PacketCrossing) == 112);
  struct FeedbackCrossing {
    std::uint32_t port = 0;  ///< sender of the link that it is about
    Feedback feedback;
  };
  struct ControlCrossing {
    std::int64_t at = 0;
    std::uint32_t port = 0;
    ControlSender sender = ControlSender::own;
    ControlMessage message;
    std::uint32_t mechanism = 0;  ///< its recipient among Core::every_mechanism
  };
  struct TransitCrossing {
    std::int64_t at = 0;
    std::uint32_t port = 0;
    MessagesToHosts::Transit transit;
    std::uint32_t mechanism = 0;  ///< recipient of its message among Core::every_mechanism
  };
  struct Expectation {
    std::int64_t at = 0;
    std::uint32_t bytes = 0;
    std::uint16_t buffer = 0;
  };

  std::vector<PacketCrossing> packets;
  std::vector<std::byte> records;  ///< what those carry for mechanisms, one after the other
  std::vector<PacketCrossing> ideal_acks;
  std::vector<PacketCrossing> lost;  ///< what their hosts are told of
  std::vector<FeedbackCrossing> feedback;
  std::vector<ControlCrossing> controls;
  std::vector<TransitCrossing> transits;
  std::vector<Expectation> expectations;
  std::vector<std::uint32_t> finished;  ///< messages of the other part whose last packet is here
  std::int64_t earliest = kNever;       ///< that any of it is to be known

  void clear();
  [[nodiscard]] bool is_empty() const;
  /// What it would be where it is taken in: see Stirs.
  [[nodiscard]] Stirs stirs() const;
  /// Adds it to what goes to another process, and the other way round: from `at` on, which then
  /// stands behind it. Recipients of messages are found again by their numbers.
  void pack(Ranks::Parcel& parcel) const;
  void unpack(const Ranks::Parcel& parcel, std::size_t& at);
  [[nodiscard]] std::size_t memory() const;
};

/// How much has crossed a border, of one part and then of all together.
struct CrossingCounts {
  std::uint64_t packets = 0;
  std::uint64_t feedback = 0;
  std::uint64_t others = 0;

  CrossingCounts& operator+=(const CrossingCounts& other);
};

/// The border of one part: what it has for the others, and what it knows of packets that began
/// elsewhere. Two sets of crossings change places after every window, so that a part can be read
/// while it goes on.
class Border {
 public:
  Border(std::shared_ptr<const Territories> territories, std::uint16_t part);

  [[nodiscard]] bool is_own_port(std::uint32_t port) const {
    return territories_->of_port[port] == part_;
  }
  [[nodiscard]] bool is_own_host(std::uint32_t host) const {
    return territories_->of_node[host] == part_;
  }
  [[nodiscard]] std::uint16_t part_of_host(std::uint32_t host) const {
    return territories_->of_node[host];
  }
  [[nodiscard]] const Territories& territories() const { return *territories_; }
  [[nodiscard]] std::uint16_t part() const { return part_; }

  // --- What leaves

  /// A packet that arrives at `port` at `at`; it is given back here.
  void send(Core& core, std::int64_t at, std::uint32_t port, std::uint32_t packet);
  void send_ideal_ack(Core& core, std::int64_t at, std::uint32_t packet);
  /// The host of `port`, which the packet was for, hears at `at` that it is lost.
  void send_lost(Core& core, std::int64_t at, std::uint32_t port, std::uint32_t packet);
  void tell(std::uint32_t port, const Feedback& feedback);
  void post(const Core& core, std::int64_t at, std::uint32_t port, ControlSender sender,
            const ControlMessage& message);
  /// A message to a host that arrives at `port` at `at`.
  void send(const Core& core, std::int64_t at, std::uint32_t port,
            const MessagesToHosts::Transit& transit);
  void expect(std::int64_t at, std::uint16_t buffer, std::uint32_t bytes);
  /// All of a message that began at host `source` has been received, or lost.
  void finish(std::uint32_t source, std::uint32_t at_source);

  /// A data packet of `size` bytes begins here, of flow number `across` (FlowTable).
  void begin(std::uint32_t packet, std::uint32_t size, const Message& message, std::uint32_t across,
             std::uint16_t connection) {
    see(size);
    carry(packet) = {message.generated, message.bytes,     message.flow, message.tag, across,
                     connection,        message.keeps_rate};
  }
  /// A packet of `size` bytes is here again, from a checkpoint.
  void resume(std::uint32_t packet, std::uint32_t size, const CarriedMessage& carried) {
    see(size);
    carry(packet) = carried;
  }
  /// An ACK begins here.
  void begin_ack(std::uint32_t packet, std::uint32_t size, std::uint16_t connection) {
    see(size);
    carry(packet).connection = connection;
  }
  /// Bytes of the smallest packet that has begun here; kNever: none has.
  [[nodiscard]] std::int64_t smallest() const { return smallest_; }

  // --- What comes

  /// Of a packet that is here.
  [[nodiscard]] const CarriedMessage& carried(std::uint32_t packet) const {
    return carried_[packet];
  }
  void prefetch_carried(std::uint32_t packet) const {
    if (packet < carried_.size()) weir::prefetch(&carried_[packet]);
  }
  /// Puts what `from` has for this part into the core and `to_hosts`, and hands messages that are
  /// done to `finish(message)`.
  template <class Finish>
  void take(Core& core, MessagesToHosts& to_hosts, Border& from, Finish finish) {
    take(core, to_hosts, from.sent_[1 - from.open_][part_], finish);
  }
  /// The same of a part in another process, from what has come from there.
  template <class Finish>
  void take(Core& core, MessagesToHosts& to_hosts, std::uint16_t from, Finish finish) {
    take(core, to_hosts, received_[from], finish);
  }

  // --- Parts in other processes

  /// Adds what has been sent to part `to` since the last time, behind the numbers of both parts,
  /// and forgets it here; nothing, if there is none. Adds to `stirs` what it does there. The time
  /// of the first of it, or kNever.
  std::int64_t pack(std::uint16_t to, Ranks::Parcel& parcel, Stirs& stirs);
  /// What pack() of part `from` has packed for this one, from `at` on, which then stands behind it.
  /// take() has taken what came before.
  void receive(std::uint16_t from, const Ranks::Parcel& parcel, std::size_t& at) {
    received_[from].unpack(parcel, at);
  }

  /// What has been sent since the last time can be taken from now on.
  void turn_over();
  /// Something has been sent since the last time.
  [[nodiscard]] bool has_sent() const { return has_sent_; }
  /// Of all that can be taken.
  [[nodiscard]] Stirs stirs() const;
  /// Time of the first of what part `to` can take, kNever: there is none.
  [[nodiscard]] std::int64_t earliest(std::size_t to) const {
    return sent_[1 - open_][to].earliest;
  }
  /// The part has done all that happens before `end`: nothing may come any more that is sooner.
  void close(std::int64_t end) { has_run_to_ = std::max(has_run_to_, end); }
  [[nodiscard]] std::size_t memory() const;
  /// What has come so far.
  [[nodiscard]] const CrossingCounts& counts() const { return counts_; }

 private:
  static std::uint32_t number_of(const Core& core, const Mechanism* recipient);
  template <class Finish>
  void take(Core& core, MessagesToHosts& to_hosts, Crossings& all, Finish finish) {
    if (all.earliest < has_run_to_) throw_too_late(all.earliest);
    admit_all(core, to_hosts, all);
    for (const std::uint32_t message : all.finished) finish(message);
    all.clear();
  }
  void admit_all(Core& core, MessagesToHosts& to_hosts, const Crossings& all);
  [[noreturn]] void throw_too_late(std::int64_t at) const;
  void see(std::uint32_t size) { smallest_ = std::min(smallest_, std::int64_t{size}); }
  CarriedMessage& carry(std::uint32_t packet) {
    if (packet >= carried_.size()) carried_.resize(packet + packet / 2 + 64);
    return carried_[packet];
  }
  std::uint32_t admit(Core& core, const Crossings& all, const Crossings::PacketCrossing& one);
  /// Puts the packet, which is given back here, into `list` of `out`.
  void append(Core& core, Crossings& out, std::vector<Crossings::PacketCrossing>& list,
              std::int64_t at, std::uint32_t port, std::uint32_t packet);
  [[nodiscard]] Crossings& to(std::uint16_t part) {
    has_sent_ = true;
    return sent_[open_][part];
  }

  std::shared_ptr<const Territories> territories_;
  std::uint16_t part_;
  unsigned open_ = 0;                           ///< which of the two sets is being filled
  bool has_sent_ = false;                       ///< something that is in it
  std::int64_t smallest_ = kNever;              ///< see smallest()
  std::int64_t has_run_to_ = 0;                 ///< see close()
  std::array<std::vector<Crossings>, 2> sent_;  ///< each per part
  std::vector<Crossings> received_;             ///< per part, from those in other processes
  std::vector<CarriedMessage> carried_;         ///< per packet
  CrossingCounts counts_;
};

}  // namespace weir::fabric
