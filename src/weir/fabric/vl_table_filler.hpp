#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "weir/fabric/settings.hpp"

namespace weir {
class StateArchive;
}

namespace weir::fabric {

/// When an entry that connections have filled is free again.
enum class EntriesEnd : std::uint8_t {
  with_connections,  ///< when all connections that weigh in it have ended
  with_last_of_vl,   ///< when all connections of its VL have ended
};

/// Fills a VL arbitration table with connections: those of a VL share entries up to a weight of
/// 255 each, and a connection may go over several. What is scheduled is 255 for every entry in use,
/// so that a VL's share is that of its entries. Source: yan2012, section 5.2.
class VlTableFiller {
 public:
  static constexpr int kEntries = 64;
  static constexpr int kMostWeight = 255;

  /// What a connection weighs that asks for this share of the link: a full table is all of it.
  /// At least 1. Throws InputError unless 0 < share <= 1.
  static int weight_of(double share);

  /// A table with room for that many entries.
  explicit VlTableFiller(int entries = kEntries, EntriesEnd end = EntriesEnd::with_connections)
      : end_(end), entries_(static_cast<std::size_t>(entries)) {}

  /// Number of the connection; nothing, and nothing changes, when the table has no room for it.
  /// VLs are 0 to 15.
  std::optional<int> add(int vl, int weight);
  /// Throws std::out_of_range for numbers that are not in the table.
  void remove(int connection);

  /// Entries that the VL uses (E of the Entry Threshold).
  [[nodiscard]] int entries(int vl) const { return used_.at(static_cast<std::size_t>(vl)); }
  /// Connections of the VL.
  [[nodiscard]] int connections(int vl) const {
    return connections_of_.at(static_cast<std::size_t>(vl));
  }
  /// Entries of the table.
  [[nodiscard]] int size() const { return static_cast<int>(entries_.size()); }
  /// The entries in use, in order, with the weight that is scheduled.
  [[nodiscard]] std::vector<VlWeight> table() const;
  /// What is scheduled of an entry; weight 0: it is free.
  [[nodiscard]] VlWeight scheduled(int entry) const;
  /// What the connections in an entry weigh together.
  [[nodiscard]] int filled(int entry) const {
    return entries_.at(static_cast<std::size_t>(entry)).sum;
  }
  void checkpoint(StateArchive& state);

 private:
  struct Entry {
    int vl = -1;  ///< -1: free
    int sum = 0;
  };
  struct Part {
    std::size_t entry;
    int weight;
  };
  struct Connection {
    int vl;
    std::vector<Part> parts;

    void checkpoint(StateArchive& state);
  };
  void free(Entry& entry);

  EntriesEnd end_;
  std::vector<Entry> entries_;
  std::map<int, Connection> connections_;
  std::array<int, 16> used_{};            ///< entries, by VL
  std::array<int, 16> connections_of_{};  ///< by VL
  int next_ = 0;
};

}  // namespace weir::fabric
