#include <fmt/format.h>

#include <sstream>

#include "tests/workload/helpers.hpp"

namespace weir::workload::goal_binary_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Writes bytes as the description of the format says, without knowing the reader.
class Writer {
 public:
  Writer& number(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes_ += static_cast<char>((value >> (8 * i)) & 0xFF);
    return *this;
  }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

constexpr int kSend = 1;
constexpr int kReceive = 2;
constexpr int kCalculation = 3;

struct Node {
  int kind = kCalculation;
  std::uint64_t size = 0;
  std::uint32_t peer = 0;
  std::uint32_t tag = 0;
  std::uint8_t cpu = 0;
  std::uint8_t nic = 0;
  std::vector<std::uint32_t> after_end;
  std::vector<std::uint32_t> after_start;
};
using Program = std::vector<Node>;

std::string rank_bytes(const Program& nodes) {
  std::vector<std::uint32_t> waits(nodes.size());
  for (const Node& node : nodes) {
    for (const std::uint32_t later : node.after_end) ++waits[later];
    for (const std::uint32_t later : node.after_start) ++waits[later];
  }
  std::vector<std::uint32_t> roots;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (waits[i] == 0) roots.push_back(i);
  }
  Writer out;
  out.number(nodes.size(), 4).number(roots.size(), 4);
  for (const std::uint32_t root : roots) out.number(root, 4);
  std::vector<std::uint32_t> list;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    out.number(waits[i], 4).number(static_cast<std::uint64_t>(node.kind), 1);
    out.number(node.peer, 4).number(node.size, 8).number(node.tag, 4);
    out.number(node.cpu, 1).number(node.nic, 1);
    out.number(node.after_end.size(), 4).number(list.size(), 4);
    list.insert(list.end(), node.after_end.begin(), node.after_end.end());
    out.number(node.after_start.size(), 4).number(list.size(), 4);
    list.insert(list.end(), node.after_start.begin(), node.after_start.end());
  }
  for (const std::uint32_t later : list) out.number(later, 4);
  return out.bytes();
}

std::string file_of(const std::vector<Program>& ranks) {
  Writer head;
  head.number(4223, 8).number(ranks.size(), 4).number(3, 1).number(2, 1);
  std::uint64_t place = 6 + 16 * ranks.size();
  std::string rest;
  for (const Program& rank : ranks) {
    const std::string own = rank_bytes(rank);
    head.number(place, 8).number(place + own.size(), 8);
    place += own.size();
    rest += own;
  }
  return head.bytes() + rest;
}

Schedule read(const std::string& bytes) {
  std::istringstream in(bytes);
  return read_goal(in, "x.bin");
}

std::string refused_binary(const std::string& bytes) {
  return error_of([&] { (void)read(bytes); });
}

/// The same with the bytes at a place made other ones.
std::string with(std::string bytes, std::size_t at, std::uint64_t value, int size) {
  return bytes.replace(at, static_cast<std::size_t>(size), Writer().number(value, size).bytes());
}

const std::vector<Program> kTwoRanks{
    {{kCalculation, 100, 0, 0, 3, 0, {1}, {}},
     {kSend, 10, 1, 2, 0, 0, {}, {2}},
     {kReceive, 7, UINT32_MAX, UINT32_MAX, 0, 0, {}, {}}},
    {{kReceive, 10, 0, 2, 0, 0, {}, {}}, {kSend, 7, 0, 0, 1, 2, {}, {}}}};
/// Where the first rank stands: behind magic number, header and two places.
constexpr std::size_t kFirst = 8 + 6 + 2 * 16;
/// Its operations, behind two counts and one first operation.
constexpr std::size_t kOperations = kFirst + 8 + 4;

TEST(GoalBinary, IsWhatTheTextSays) {
  const Schedule text = goal(
      "num_ranks 2\n"
      "rank 0 {\nl1: calc 100 cpu 3\nl2: send 10b to 1 tag 2\nl3: recv 7b from -1 tag -1\n"
      "l2 requires l1\nl3 irequires l2\n}\n"
      "rank 1 {\nrecv 10b from 0 tag 2\nsend 7b to 0 cpu 1 nic 2\n}\n");
  EXPECT_EQ(read(file_of(kTwoRanks)), text);
}

TEST(GoalBinary, IsTheBytesThatTxt2binWrites) {
  // One rank that computes 258 ns and another that does nothing, byte for byte.
  const std::vector<unsigned> all{
      0x7F, 0x10, 0, 0, 0, 0, 0, 0,              // 4223
      2,    0,    0, 0, 0, 0,                    // ranks, highest cpu, highest nic
      38,   0,    0, 0, 0, 0, 0, 0,              // rank 0 from here, behind the magic number
      89,   0,    0, 0, 0, 0, 0, 0,              // to here
      89,   0,    0, 0, 0, 0, 0, 0,              // rank 1
      97,   0,    0, 0, 0, 0, 0, 0,              //
      1,    0,    0, 0, 1, 0, 0, 0, 0, 0, 0, 0,  // one operation, one first one: number 0
      0,    0,    0, 0, 3,                       // waits for none, calculation
      0,    0,    0, 0, 2, 1, 0, 0, 0, 0, 0, 0,  // no peer, 258 ns
      0,    0,    0, 0, 0, 0,                    // tag, cpu, nic
      0,    0,    0, 0, 0, 0, 0, 0,              // none waits for its end
      0,    0,    0, 0, 0, 0, 0, 0,              // nor for its start
      0,    0,    0, 0, 0, 0, 0, 0};             // no operation, no first one
  std::string bytes;
  for (const unsigned one : all) bytes += static_cast<char>(one);
  EXPECT_EQ(read(bytes), goal("num_ranks 2\nrank 0 {\ncalc 258\n}\n"));
}

TEST(GoalBinary, EveryTruncationIsRefusedWithItsPlace) {
  const std::string whole = file_of(kTwoRanks);
  for (std::size_t size = 4; size < whole.size(); ++size) {
    EXPECT_THAT(refused_binary(whole.substr(0, size)), StartsWith("x.bin: at byte ")) << size;
  }
  EXPECT_THAT(refused_binary(whole.substr(0, 6)),
              HasSubstr("at byte 0: the file ends after 6 bytes, inside the magic number"));
  EXPECT_THAT(
      refused_binary(whole.substr(0, 20)),
      HasSubstr("at byte 8: 2 ranks need 46 bytes for their places alone; the file has 20"));
  EXPECT_THAT(refused_binary(whole + "x"), HasSubstr("1 bytes stand behind the last rank"));
}

TEST(GoalBinary, ErrorsNameTheByte) {
  const std::string whole = file_of(kTwoRanks);
  EXPECT_THAT(refused_binary(with(whole, 0, 2342, 8)),
              HasSubstr("LogGOPSim has used this schedule"));
  EXPECT_THAT(refused_binary(with(whole, 0, 17, 8)),
              HasSubstr("x.bin: at byte 0: no binary GOAL: it begins with 17, not with 4223"));
  EXPECT_THAT(refused_binary(with(whole, 8, 0, 4)), HasSubstr("at byte 8: the number of ranks"));
  EXPECT_THAT(refused_binary(with(whole, 14, 1 << 20, 8)),
              HasSubstr("at byte 14: rank 0 is said to stand from 1048576 to"));
  EXPECT_THAT(refused_binary(with(whole, 14, 39, 8)),
              HasSubstr("at byte 47: rank 0 begins here; what is before it ends at byte 46"));
  EXPECT_THAT(refused_binary(with(whole, kFirst, 9, 4)),
              HasSubstr("9 operations of 39 bytes and 1 first ones do not fill"));
  EXPECT_THAT(refused_binary(with(whole, kOperations + 4, 4, 1)),
              HasSubstr("no operation is of kind 4; 1 (send), 2 (receive) and 3 (calculation)"));
  EXPECT_THAT(refused_binary(with(whole, kOperations + 39 + 5, 2, 4)),
              HasSubstr(fmt::format("at byte {}: there is no rank 2 of 2", kOperations + 39 + 5)));
  EXPECT_THAT(refused_binary(with(whole, kOperations + 39 + 17, UINT32_MAX, 4)),
              HasSubstr("a send needs a tag"));
  EXPECT_THAT(refused_binary(with(whole, kOperations + 9, UINT64_MAX, 8)),
              HasSubstr("18446744073709551615 ns are too many"));
  EXPECT_THAT(refused_binary(with(whole, kOperations, 1, 4)),
              HasSubstr("operation 0 of rank 0 is said to wait for 1 others; 0 have it"));
  EXPECT_THAT(refused_binary(with(whole, kOperations + 23, 7, 4)),
              HasSubstr("operation 0 has dependencies 0 to 7 of 2"));
  EXPECT_THAT(refused_binary(with(whole, kOperations + 3 * 39, 8, 4)),
              HasSubstr("there is no operation 8 of 3"));
  EXPECT_THAT(refused_binary(with(whole, kFirst + 8, 2, 4)),
              HasSubstr("operation 0 of rank 0 waits for none, but is not among its first ones"));
}

TEST(GoalBinary, CirclesAndLoneMessagesAreRefusedAsOfText) {
  EXPECT_THAT(refused_binary(file_of({{{kCalculation, 1, 0, 0, 0, 0, {1}, {}},
                                       {kCalculation, 2, 0, 0, 0, 0, {0}, {}}}})),
              HasSubstr("rank 0: calc"));
  EXPECT_THAT(refused_binary(file_of({{{kSend, 1, 1, 0, 0, 0, {}, {}}}, {}})),
              HasSubstr("rank 0: send 1b to 1 tag 0"));
}

TEST(GoalBinary, TextIsNotTakenForIt) {
  EXPECT_FALSE(is_goal_binary("num_ranks 1\n"));
  EXPECT_FALSE(is_goal_binary(""));
  EXPECT_TRUE(is_goal_binary(file_of(kTwoRanks)));
}

}  // namespace
}  // namespace weir::workload::goal_binary_test
