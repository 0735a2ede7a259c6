#include <gtest/gtest.h>

#include "selection/mock_view.hpp"

namespace weir::selection::test {
namespace {

/// One switch after another packet to `destination`.
class OmniPath : public testing::Test {
 protected:
  void make(const std::string& toml) { selection_ = make_selection("omni-path", toml); }
  std::uint16_t port(const Outputs& outputs, std::uint32_t destination = 9) {
    fabric::Packet packet;
    packet.destination = destination;
    MockView view(outputs, random_, packet);
    return selection_->select(view).output.port;
  }
  /// Ports 4 to 7, of which 4 is the default, with these credits of 100.
  static Outputs credits(std::int64_t c4, std::int64_t c5, std::int64_t c6, std::int64_t c7) {
    Outputs outputs{{{4, 0}, {5, 0}, {6, 0}, {7, 0}}, {}, {}, {}, 100};
    outputs.credits = {{4, c4}, {5, c5}, {6, c6}, {7, c7}};
    return outputs;
  }

 private:
  std::unique_ptr<fabric::SelectionFunction> selection_;
  RandomStream random_{3, 1, StreamPurpose::selection};
};

TEST_F(OmniPath, GreedyMovesADestinationAndItStays) {
  make("");
  EXPECT_EQ(port(credits(25, 100, 100, 100)), 4) << "filled to the threshold, not above";
  EXPECT_EQ(port(credits(24, 30, 90, 80)), 6);
  EXPECT_EQ(port(credits(100, 100, 90, 100)), 6) << "the table keeps it";
  EXPECT_EQ(port(credits(100, 100, 90, 100), 10), 4) << "other destinations stay";
  EXPECT_EQ(port(credits(99, 98, 10, 97)), 4) << "back when the new one is busy";
}

TEST_F(OmniPath, GreedyStaysWhereNothingIsLessBusy) {
  make("threshold = 0.5");
  EXPECT_EQ(port(credits(40, 40, 39, 0)), 4);
  EXPECT_EQ(port(credits(40, 41, 39, 0)), 5);
}

TEST_F(OmniPath, RandomTakesAnyOtherOutput) {
  make("policy = \"random\"");
  std::map<std::uint16_t, int> taken;
  for (std::uint32_t d = 0; d < 3'000; ++d) ++taken[port(credits(0, 0, 0, 100), d)];
  EXPECT_EQ(taken.count(4), 0U);
  for (const std::uint16_t p : std::vector<std::uint16_t>{5, 6, 7})
    EXPECT_NEAR(taken[p], 1'000, 5 * 26) << p;
}

TEST_F(OmniPath, GreedyRandomTakesAnyOtherThatIsNotBusy) {
  make("policy = \"greedy-random\"");
  std::map<std::uint16_t, int> taken;
  for (std::uint32_t d = 0; d < 3'000; ++d) ++taken[port(credits(10, 25, 24, 100), d)];
  EXPECT_EQ(taken.size(), 2U);
  for (const std::uint16_t p : std::vector<std::uint16_t>{5, 7})
    EXPECT_NEAR(taken[p], 1'500, 5 * 28) << p;
  EXPECT_EQ(port(credits(0, 24, 0, 10), 4'000), 4) << "all are busy";
}

}  // namespace
}  // namespace weir::selection::test
