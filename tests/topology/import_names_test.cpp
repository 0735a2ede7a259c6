#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "weir/topology/import_names.hpp"

namespace weir::topology {
namespace {

TEST(NaturalOrder, ComparesNumbersInNames) {
  std::vector<std::string> names{"node10",  "node2", "node02", "node",  "leaf3-12",
                                 "leaf3-2", "9",     "",       "node1a"};
  std::sort(names.begin(), names.end(), natural_less);
  EXPECT_EQ(names, (std::vector<std::string>{"", "9", "leaf3-2", "leaf3-12", "node", "node1a",
                                             "node02", "node2", "node10"}));
}

TEST(NaturalOrder, IsStrictAndTakesLongNumbers) {
  const std::string huge(60, '9');
  EXPECT_TRUE(natural_less("x" + huge, "x1" + huge));
  EXPECT_FALSE(natural_less("x1" + huge, "x" + huge));
  EXPECT_FALSE(natural_less("same7", "same7"));
  EXPECT_TRUE(natural_less("x0", "x00") != natural_less("x00", "x0"));
}

}  // namespace
}  // namespace weir::topology
