#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "weir/workload/schedule.hpp"

namespace weir {
class StateArchive;
}

namespace weir::workload {

/// A receive and the message (its send) that it takes, as operations of the schedule.
struct Match {
  std::uint32_t receive = 0;
  std::uint32_t message = 0;

  bool operator==(const Match&) const = default;
};

/// Messages to one rank and its receives that have yet to meet, by the rules of MPI: a message goes
/// to the receive posted first that fits it, a receive takes the first message that fits it, and
/// messages of one source and tag do not overtake each other, whatever the network does to them.
/// Logarithmic in the number of different (source, tag) that wait.
class Mailbox {
 public:
  /// `any_tag`: some receives take any tag, so that no message of a source may overtake another.
  explicit Mailbox(bool any_tag) : any_tag_(any_tag) {}

  /// A message is sent: its place among those that it must not overtake. Who sends from elsewhere
  /// counts places by itself, for each source and stream_tag().
  std::uint32_t send(std::uint32_t source, std::uint32_t tag);
  [[nodiscard]] std::uint32_t stream_tag(std::uint32_t tag) const { return any_tag_ ? 0 : tag; }
  /// The message at that place is here. Appends what meets; that may be several pairs, when others
  /// waited for it.
  void arrive(std::uint32_t source, std::uint32_t tag, std::uint32_t place, std::uint32_t message,
              std::vector<Match>& out);
  /// A receive is posted: the message that it takes, if one is here.
  std::optional<Match> post(std::uint32_t receive, std::uint32_t source, std::uint32_t tag);

  /// How many messages have been sent here, where that is counted here.
  struct Sent {
    std::uint32_t source = 0;
    std::uint32_t receiver = 0;  ///< the rank of the mailbox
    std::uint32_t stream_tag = 0;
    std::uint32_t count = 0;
  };
  void add_sent(std::uint32_t receiver, std::vector<Sent>& out) const;
  void set_sent(const Sent& sent);
  /// All else.
  void checkpoint(StateArchive& state);

  /// Messages that wait for a receive, now and at most.
  [[nodiscard]] std::size_t unexpected() const { return unexpected_count_; }
  [[nodiscard]] std::size_t unexpected_max() const { return unexpected_max_; }

 private:
  using Key = std::uint64_t;  ///< source and tag
  /// Something that waits, with its place in the order of coming.
  struct Waiting {
    std::uint64_t order = 0;
    std::uint32_t operation = 0;
  };
  struct OpenReceive {
    Waiting waiting;
    std::uint32_t source = 0;
    std::uint32_t tag = 0;
  };
  struct Message {
    std::uint32_t tag = 0;
    std::uint32_t operation = 0;
  };
  /// Messages that must not overtake each other.
  struct Stream {
    std::uint32_t sent = 0;                  ///< 0: counted elsewhere
    std::uint32_t arrived = 0;               ///< in order
    std::map<std::uint32_t, Message> early;  ///< by place
  };

  static Key key(std::uint32_t source, std::uint32_t tag) { return Key{source} << 32U | tag; }
  [[nodiscard]] Key stream_key(std::uint32_t source, std::uint32_t tag) const {
    return key(source, stream_tag(tag));
  }
  void deliver(std::uint32_t source, std::uint32_t tag, std::uint32_t message,
               std::vector<Match>& out);
  static std::uint32_t take_first(std::map<Key, std::vector<Waiting>>& lists,
                                  std::map<Key, std::vector<Waiting>>::iterator list);

  bool any_tag_;
  std::uint64_t order_ = 0;
  std::map<Key, Stream> streams_;  ///< those with messages on their way, or counted elsewhere
  std::map<Key, std::vector<Waiting>> posted_;
  std::vector<OpenReceive> open_;  ///< posted, take any source or tag; by order
  std::map<Key, std::vector<Waiting>> unexpected_;
  std::size_t unexpected_count_ = 0;
  std::size_t unexpected_max_ = 0;
};

}  // namespace weir::workload
