#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/config.hpp"

namespace weir {
namespace {

bool same(const ConfigTable& a, const ConfigTable& b);

/// Equal values of equal types; the order of keys does not count.
bool same(const ConfigValue& a, const ConfigValue& b) {
  if (a.data.index() != b.data.index()) return false;
  if (a.is_bool()) return std::get<bool>(a.data) == std::get<bool>(b.data);
  if (a.is_integer()) return a.integer() == b.integer();
  if (a.is_real()) return std::get<double>(a.data) == std::get<double>(b.data);
  if (a.is_text()) return a.text() == b.text();
  if (a.is_table()) return same(a.table(), b.table());
  return std::equal(a.array().begin(), a.array().end(), b.array().begin(), b.array().end(),
                    [](const ConfigValue& x, const ConfigValue& y) { return same(x, y); });
}

bool same(const ConfigTable& a, const ConfigTable& b) {
  if (a.entries().size() != b.entries().size()) return false;
  return std::all_of(a.entries().begin(), a.entries().end(), [&b](const ConfigEntry& entry) {
    const ConfigValue* other = b.find(entry.key);
    return other != nullptr && same(entry.value, *other);
  });
}

std::string any_text() {
  return *rc::gen::container<std::string>(
      rc::gen::oneOf(rc::gen::inRange<char>('a', 'z'), rc::gen::inRange<char>(1, 127),
                     rc::gen::element('"', '\\', '\n', '\t', '.', '\'', '#', ' ')));
}

double any_real() {
  const double number = *rc::gen::arbitrary<double>();
  const int scale = *rc::gen::inRange(-300, 300);
  const double scaled = std::ldexp(number, scale);
  return std::isfinite(scaled) ? scaled : number;
}

ConfigTable any_table(int depth);

ConfigValue any_value(int depth) {
  const int kind = *rc::gen::inRange(0, depth > 0 ? 7 : 4);
  if (kind == 0) return {*rc::gen::arbitrary<bool>(), {}};
  if (kind == 1) return {*rc::gen::arbitrary<std::int64_t>(), {}};
  if (kind == 2) return {any_real(), {}};
  if (kind == 3) return {any_text(), {}};
  if (kind == 4) return {any_table(depth - 1), {}};
  ConfigArray array;
  const int size = *rc::gen::inRange(0, 12);
  for (int i = 0; i < size; ++i) {
    // Lists of tables alone are written as sections, mixed lists in a line.
    if (kind == 5) {
      array.emplace_back(any_table(depth - 1), SourcePosition{});
    } else {
      array.push_back(any_value(depth - 1));
    }
  }
  return {std::move(array), {}};
}

ConfigTable any_table(int depth) {
  ConfigTable table;
  const int size = *rc::gen::inRange(0, 5);
  for (int i = 0; i < size; ++i) table.set(any_text(), any_value(depth));
  return table;
}

RC_GTEST_PROP(ToToml, ReadsBackToTheSameValues, ()) {
  const ConfigTable table = any_table(3);
  const std::string written = to_toml(table);
  RC_LOG() << written;
  const ConfigTable read = parse_toml(written, "written");
  RC_ASSERT(same(table, read));
  RC_ASSERT(to_toml(read) == written);
}

TEST(ToToml, KeepsTheExtremes) {
  ConfigTable table;
  table.set("least", {std::numeric_limits<std::int64_t>::min(), {}});
  table.set("most", {std::numeric_limits<std::int64_t>::max(), {}});
  table.set("tiny", {std::numeric_limits<double>::denorm_min(), {}});
  table.set("huge", {std::numeric_limits<double>::max(), {}});
  table.set("whole", {3.0, {}});
  table.set("micro", {std::string("3 \xC2\xB5s"), {}});
  EXPECT_TRUE(same(table, parse_toml(to_toml(table), "written")));
}

TEST(ToToml, WritesWhatAPersonWouldWrite) {
  const std::string text =
      "name = \"demo\"\n"
      "seeds = [1, 2, 3]\n"
      "load = 0.5\n"
      "\n"
      "[topology]\n"
      "type = \"k-ary-n-tree\"\n"
      "k = 4\n"
      "\n"
      "[routing.tables]\n"
      "\"odd key\" = true\n"
      "\n"
      "[[traffic]]\n"
      "sources = \"all\"\n"
      "\n"
      "[traffic.arrivals]\n"
      "type = \"poisson\"\n"
      "\n"
      "[[traffic]]\n"
      "sources = [{ from = 0, to = 3 }, 9]\n"
      "\n"
      "[empty]\n";
  EXPECT_EQ(to_toml(parse_toml(text, "x.toml")), text);
}

TEST(ToToml, PutsPlainValuesBeforeSections) {
  ConfigTable inner;
  inner.set("x", {std::int64_t{1}, {}});
  ConfigTable table;
  table.set("section", {inner, {}});
  table.set("plain", {std::int64_t{2}, {}});
  EXPECT_EQ(to_toml(table), "plain = 2\n\n[section]\nx = 1\n");
}

TEST(ToToml, WrapsLongLists) {
  ConfigArray numbers;
  for (std::int64_t i = 0; i < 60; ++i) numbers.emplace_back(i, SourcePosition{});
  ConfigTable table;
  table.set("hosts", {numbers, {}});
  const std::string written = to_toml(table);
  EXPECT_TRUE(same(table, parse_toml(written, "written")));
  std::size_t start = 0;
  for (std::size_t end = written.find('\n'); end != std::string::npos;
       start = end + 1, end = written.find('\n', start)) {
    EXPECT_LE(end - start, 102U);
  }
}

TEST(ToToml, RefusesNumbersThatItCouldNotReadBack) {
  ConfigTable table;
  table.set("x", {std::nan(""), {}});
  EXPECT_THROW(to_toml(table), std::logic_error);
}

}  // namespace
}  // namespace weir
