#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "weir/fabric/settings.hpp"

namespace weir::fabric {

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

  /// Number of the connection; nothing, and nothing changes, when the table has no room for it.
  std::optional<int> add(int vl, int weight);
  /// Throws std::out_of_range for numbers that are not in the table.
  void remove(int connection);

  /// Entries that the VL uses (E of the Entry Threshold).
  [[nodiscard]] int entries(int vl) const;
  /// The entries in use, in order, with the weight that is scheduled.
  [[nodiscard]] std::vector<VlWeight> table() const;
  /// What the connections in an entry weigh together; 0: free.
  [[nodiscard]] int filled(int entry) const {
    return entries_.at(static_cast<std::size_t>(entry)).sum;
  }

 private:
  struct Entry {
    int vl = -1;
    int sum = 0;
  };
  struct Part {
    std::size_t entry;
    int weight;
  };

  std::vector<Entry> entries_ = std::vector<Entry>(kEntries);
  std::map<int, std::vector<Part>> connections_;
  int next_ = 0;
};

}  // namespace weir::fabric
