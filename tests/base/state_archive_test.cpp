#include "weir/base/state_archive.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir {
namespace {

/// With state of all kinds.
struct Thing {
  std::int64_t number = 0;
  std::array<double, 2> pair{};
  std::vector<std::uint16_t> list;
  std::vector<bool> bits;
  std::vector<std::string> names;
  std::optional<std::vector<int>> some;
  std::map<int, std::string> by_number;
  std::vector<std::pair<std::string, int>> pairs;
  int not_state = 0;

  void checkpoint(StateArchive& state) {
    state(number, pair, list, bits, names, some, by_number, pairs);
  }
};

TEST(StateArchive, ReadsBackWhatItHasWritten) {
  Thing one;
  one.number = -5;
  one.pair = {0.1, 2};
  one.list = {3, 1, 2};
  one.bits = {true, false, true};
  one.names = {"a", "", "bc"};
  one.some = {7};
  one.by_number = {{4, "four"}, {1, "one"}};
  one.pairs = {{"x", 1}};
  Thing other;
  other.list = {9, 9, 9, 9};
  other.by_number = {{8, "eight"}};
  other.not_state = 3;
  read_state(state_bytes(one), other);
  EXPECT_EQ(other.number, one.number);
  EXPECT_EQ(other.pair, one.pair);
  EXPECT_EQ(other.list, one.list);
  EXPECT_EQ(other.bits, one.bits);
  EXPECT_EQ(other.names, one.names);
  EXPECT_EQ(other.some, one.some);
  EXPECT_EQ(other.by_number, one.by_number);
  EXPECT_EQ(other.pairs, one.pairs);
  EXPECT_EQ(other.not_state, 3);
}

/// Plain, but for what it points to.
struct Pointing {
  const int* to = nullptr;
  int value = 0;

  void checkpoint(StateArchive& state) { state(value); }
};

TEST(StateArchive, AsksWhoSaysItsStateAlsoInLists) {
  const int here = 1;
  std::vector<Pointing> one{{nullptr, 5}, {nullptr, 6}};
  std::vector<Pointing> other{{&here, 0}, {&here, 0}};
  read_state(state_bytes(one), other);
  EXPECT_EQ(other[1].value, 6);
  EXPECT_EQ(other[1].to, &here);
}

TEST(StateArchive, SaysWhereTheStateEnds) {
  Thing one;
  one.list.resize(100);
  std::vector<std::byte> bytes = state_bytes(one);
  bytes.resize(bytes.size() / 2);
  EXPECT_THROW(read_state(bytes, one), std::runtime_error);
  std::vector<int> three(3);
  std::ostringstream out;
  StateArchive archive(out);
  EXPECT_THROW(archive.slice(three, 2, 2), std::out_of_range);
}

}  // namespace
}  // namespace weir
