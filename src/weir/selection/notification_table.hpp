#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace weir {
class StateArchive;
}

namespace weir::selection {

/// What an adaptive routing notification says (rocher2021, section 3.4): packets to
/// `destination` of class `scheme_class` congest root `id`.
struct Notification {
  std::uint32_t destination = 0;
  std::uint32_t id = 0;
  std::uint16_t port = 0;          ///< local: the congested output, or where the message came in
  std::uint16_t scheme_class = 0;  ///< class that the queueing scheme gives these packets
  std::uint8_t info = 0;           ///< stage at which it is consumed
  bool from_adapted = false;       ///< the responsible packet was adapted: switches do not consume
  bool is_failure = false;         ///< the output has no link any more; packets are not adapted
};

/// Roots that a switch, or a host, knows of, with the output that packets take instead of the
/// default one. Entries live until a time that is renewed; those that are past it are gone.
class NotificationTable {
 public:
  struct Entry {
    Notification about;
    bool is_consumed = false;
    std::int64_t expires = 0;        ///< ps
    std::int64_t refreshed = 0;      ///< ps
    std::vector<std::int64_t> sent;  ///< per local port, ps: when a notification last left there

    void checkpoint(StateArchive& state);
  };

  /// False: nothing is known of the destination. True: perhaps.
  [[nodiscard]] bool may_know(std::uint32_t destination) const {
    return (filter_ >> (destination & 63U) & 1U) != 0;
  }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  /// Of live entries, call purge() before.
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  /// Removes what has expired by `now`.
  void purge(std::int64_t now) {
    if (now >= earliest_) purge_all(now);
  }
  /// The entry with the same destination, port, class and id.
  Entry* find_exact(const Notification& about);
  /// A consumed entry for the destination and class.
  Entry* find_consumed(std::uint32_t destination, std::uint16_t scheme_class);
  /// An entry for the destination and class; of several the one refreshed last.
  Entry* find_any(std::uint32_t destination, std::uint16_t scheme_class);
  /// Removes entries for the destination, port and class, whatever their id.
  void erase(const Notification& about);
  /// Makes room for one more among `limit` (0: no limit) by removing the entry refreshed longest
  /// ago. True when one had to go.
  bool make_room(std::size_t limit);
  /// Renews the entry that says the same. False: there is none, and entries about an older root of
  /// the same flow and port are gone now.
  bool renew(const Notification& about, std::int64_t now, std::int64_t expires);
  Entry& add(const Notification& about, std::int64_t now, std::int64_t expires);
  static void refresh(Entry& entry, std::int64_t now, std::int64_t expires) {
    entry.refreshed = now;
    entry.expires = expires;
  }
  /// Renews all entries of a root.
  void refresh_root(std::uint32_t id, std::int64_t now, std::int64_t expires);

  /// The output that packets to a destination take while a consumed entry for it lives.
  [[nodiscard]] std::optional<std::uint16_t> alternative(std::uint32_t destination) const;
  void set_alternative(std::uint32_t destination, std::uint16_t port);

  void checkpoint(StateArchive& state);
  [[nodiscard]] std::size_t memory() const;

 private:
  struct Alternative {
    std::uint32_t destination = 0;
    std::uint16_t port = 0;
  };
  template <class Match>
  void remove_if(Match match);
  void purge_all(std::int64_t now);

  std::uint64_t filter_ = 0;           ///< bit destination mod 64
  std::int64_t earliest_ = INT64_MAX;  ///< nothing expires before
  std::vector<Entry> entries_;
  std::vector<Alternative> alternatives_;
};

}  // namespace weir::selection
