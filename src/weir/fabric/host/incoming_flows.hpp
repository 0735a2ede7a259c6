#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::fabric {

/// Numbers of the flows that come to the hosts of a part of a network from hosts of other parts.
/// Each destination has a table of its own, which grows by itself: by open addressing, at most
/// three quarters full, until one with an entry for each source is as small.
class IncomingFlows {
 public:
  IncomingFlows() = default;
  /// Of so many destinations, and sources.
  IncomingFlows(std::size_t destinations, std::size_t sources)
      : sources_(sources), tables_(destinations) {}

  /// Number of the flow plus one; 0: there is none.
  [[nodiscard]] std::uint32_t find(std::uint32_t destination, std::uint32_t source) const {
    const Table& table = tables_[destination];
    if (table.has_all) return table.words[source];
    return table.words.empty() ? 0 : table.words[place_in(table, source) + 1];
  }
  /// `flow`: its number plus one. There is none yet.
  void add(std::uint32_t destination, std::uint32_t source, std::uint32_t flow) {
    Table& table = tables_[destination];
    if (!table.has_all && (table.used + 1) * 4 > places(table) * 3) grow(table);
    put(table, source, flow);
    ++table.used;
  }
  /// Where find() looks first; null: nowhere.
  [[nodiscard]] const std::uint32_t* first_place(std::uint32_t destination,
                                                 std::uint32_t source) const {
    const Table& table = tables_[destination];
    if (table.has_all) return &table.words[source];
    return table.words.empty() ? nullptr : &table.words[2 * first_of(table, source) + 1];
  }
  [[nodiscard]] std::size_t memory() const {
    std::size_t bytes = tables_.capacity() * sizeof(Table);
    for (const Table& table : tables_) bytes += table.words.capacity() * sizeof(std::uint32_t);
    return bytes;
  }

 private:
  /// A source and its flow, or the flow alone (`has_all`).
  struct Table {
    std::vector<std::uint32_t> words;
    std::uint32_t used = 0;
    bool has_all = false;
  };
  static constexpr std::size_t kLeast = 8;  ///< places

  [[nodiscard]] static std::size_t places(const Table& table) { return table.words.size() / 2; }
  [[nodiscard]] static std::size_t first_of(const Table& table, std::uint32_t source) {
    const std::uint32_t h = source * 0x9e3779b1U;
    return (h ^ (h >> 16)) & (places(table) - 1);
  }
  /// In words; the flow stands behind, 0: of a free place.
  [[nodiscard]] static std::size_t place_in(const Table& table, std::uint32_t source) {
    std::size_t i = first_of(table, source);
    while (table.words[2 * i + 1] != 0 && table.words[2 * i] != source)
      i = (i + 1) & (places(table) - 1);
    return 2 * i;
  }
  static void put(Table& table, std::uint32_t source, std::uint32_t flow) {
    if (table.has_all) {
      table.words[source] = flow;
      return;
    }
    const std::size_t at = place_in(table, source);
    table.words[at] = source;
    table.words[at + 1] = flow;
  }
  void grow(Table& table) const {
    const std::vector<std::uint32_t> before = std::move(table.words);
    const std::size_t more = std::max(kLeast, before.size());
    table.has_all = 2 * more >= sources_;
    table.words.assign(table.has_all ? sources_ : 2 * more, 0);
    for (std::size_t at = 0; at < before.size(); at += 2)
      if (before[at + 1] != 0) put(table, before[at], before[at + 1]);
  }

  std::size_t sources_ = 0;
  std::vector<Table> tables_;
};

}  // namespace weir::fabric
