#include "weir/experiment/store/run_difference.hpp"

#include <fmt/format.h>

#include <array>

namespace weir::experiment {
namespace {

/// A table, what its rows are ordered by, and how many columns behind `run` name a row.
struct Numbers {
  const char* table;
  const char* order;
  int key_columns;
};

constexpr std::array<Numbers, 9> kNumbers{{{"scalars", "metric, label", 2},
                                           {"series", "metric, label", 2},
                                           {"histograms", "metric, label", 2},
                                           {"links", "port", 1},
                                           {"trees", "at, root", 2},
                                           {"set_aside_trees", "number", 1},
                                           {"set_aside_events", "number", 1},
                                           {"frames", "run", 0},
                                           {"set_aside_frames", "run", 0}}};

/// Shortened: series are long.
std::string shown(const SQLite::Column& column) {
  constexpr std::size_t kMost = 40;
  if (column.isNull()) return "nothing";
  if (column.isBlob()) return fmt::format("{} bytes", column.getBytes());
  const std::string text = column.getString();
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

bool is_same(const SQLite::Column& one, const SQLite::Column& other) {
  if (one.getType() != other.getType()) return false;
  // As text two numbers may look alike that are not.
  return one.isFloat() ? one.getDouble() == other.getDouble()
                       : one.getString() == other.getString();
}

std::string row_name(const Numbers& numbers, SQLite::Statement& row) {
  std::string name = numbers.table;
  for (int i = 1; i <= numbers.key_columns; ++i) {
    const std::string part = row.getColumn(i).getString();
    if (!part.empty()) name += (i == 1 ? " " : "[") + part + (i == 1 ? "" : "]");
  }
  return name;
}

std::string difference_in(const Numbers& numbers, SQLite::Statement& one,
                          SQLite::Statement& other) {
  while (true) {
    const bool is_row = one.executeStep();
    if (is_row != other.executeStep()) {
      return fmt::format("{} is in {} of the two only", row_name(numbers, is_row ? one : other),
                         is_row ? "the first" : "the second");
    }
    if (!is_row) return "";
    for (int i = 1; i < one.getColumnCount(); ++i) {
      const SQLite::Column a = one.getColumn(i);
      const SQLite::Column b = other.getColumn(i);
      if (is_same(a, b)) continue;
      return fmt::format("{}: {} is {} and {}", row_name(numbers, one), a.getName(), shown(a),
                         shown(b));
    }
  }
}

}  // namespace

std::string run_difference(SQLite::Database& one, std::int64_t run, SQLite::Database& other,
                           std::int64_t other_run) {
  for (const Numbers& numbers : kNumbers) {
    const std::string query =
        fmt::format("SELECT * FROM {} WHERE run = ? ORDER BY {}", numbers.table, numbers.order);
    SQLite::Statement first(one, query);
    SQLite::Statement second(other, query);
    first.bind(1, run);
    second.bind(1, other_run);
    std::string difference = difference_in(numbers, first, second);
    if (!difference.empty()) return difference;
  }
  return "";
}

}  // namespace weir::experiment
