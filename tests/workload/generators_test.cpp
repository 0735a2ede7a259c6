#include <bit>
#include <cstdio>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "tests/workload/play.hpp"
#include "weir/workload/collectives.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload {
namespace {

using testing::HasSubstr;

Schedule make(const std::string& name, const std::string& toml, std::size_t ranks) {
  const auto& model = workload_registry().find(name, {}, "workload");
  const Settings settings =
      Settings::check(parse_toml(toml, "x.toml"), model.info.parameters, "workload[0]");
  return model.make(settings, {ranks, true});
}

/// Bytes that each pair of ranks exchanges, and messages in all.
std::map<std::pair<std::size_t, std::uint32_t>, std::int64_t> bytes_between(
    const Schedule& schedule) {
  std::map<std::pair<std::size_t, std::uint32_t>, std::int64_t> bytes;
  for (std::size_t r = 0; r < schedule.rank_count(); ++r) {
    for (const Operation& one : schedule.operations(RankId(r))) {
      if (one.kind == OperationKind::send) bytes[{r, one.peer}] += one.amount;
    }
  }
  return bytes;
}

/// Plays the schedule as data: a set of ranks travels with every message, receives join it to what
/// their rank knows. Returns what every rank knows at the end. Steps follow each other as their
/// dependencies say, in any order that these allow.
std::vector<std::set<std::size_t>> knowledge(const Schedule& schedule) {
  const std::size_t n = schedule.rank_count();
  std::vector<std::set<std::size_t>> known(n);
  for (std::size_t r = 0; r < n; ++r) known[r].insert(r);
  std::vector<std::uint32_t> waits(schedule.size());
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < schedule.size(); ++i) {
    waits[i] = schedule.wait_count(i);
    if (waits[i] == 0) ready.push_back(i);
  }
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::set<std::size_t>>> wires;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    std::vector<std::uint32_t> later;
    for (const std::uint32_t one : std::exchange(ready, {})) {
      const Operation& operation = schedule[one];
      const std::size_t rank = schedule.rank_of(one).index();
      if (operation.kind == OperationKind::send) {
        wires[{rank, operation.peer}].push_back(known[rank]);
      } else if (operation.kind == OperationKind::receive) {
        auto& wire = wires[{operation.peer, rank}];
        if (wire.empty()) {
          later.push_back(one);
          continue;
        }
        known[rank].insert(wire.front().begin(), wire.front().end());
        wire.erase(wire.begin());
      }
      goes_on = true;
      for (const std::uint32_t follower : schedule.after_end(one)) {
        if (--waits[follower] == 0) later.push_back(follower);
      }
    }
    ready = later;
  }
  EXPECT_TRUE(ready.empty()) << "the schedule does not come to its end";
  return known;
}

void expect_everyone_knows_all(const Schedule& schedule) {
  const auto known = knowledge(schedule);
  for (std::size_t r = 0; r < known.size(); ++r) {
    EXPECT_EQ(known[r].size(), known.size()) << "rank " << r;
  }
}

TEST(Generators, AllToAll) {
  for (const std::size_t n : {1U, 2U, 5U, 16U}) {
    const Schedule schedule = make("all-to-all", "bytes = \"7 B\"\nrounds = 3", n);
    EXPECT_EQ(schedule.message_count(), 3 * n * (n - 1));
    const auto bytes = bytes_between(schedule);
    EXPECT_EQ(bytes.size(), n * (n - 1));
    for (const auto& [pair, sum] : bytes) {
      EXPECT_NE(pair.first, pair.second);
      EXPECT_EQ(sum, 21);
    }
    expect_everyone_knows_all(schedule);
  }
}

TEST(Generators, AllToAllAtOnceOrInSteps) {
  EXPECT_EQ(make("all-to-all", "bytes = \"7 B\"", 4).wait_count(2), 2U);
  const Schedule at_once = make("all-to-all", "bytes = \"7 B\"\norder = \"at-once\"", 4);
  for (std::uint32_t i = 0; i < at_once.size(); ++i) EXPECT_EQ(at_once.wait_count(i), 0U);
}

TEST(Generators, RingAllReduceMovesTwiceTheVectorLessTwoPieces) {
  for (const std::size_t n : {1U, 2U, 3U, 7U, 8U}) {
    const Schedule schedule = make("ring-all-reduce", "bytes = \"1003 B\"", n);
    EXPECT_EQ(schedule.message_count(), 2 * (n - 1) * n);
    EXPECT_EQ(schedule.message_bytes(), 2 * (static_cast<std::int64_t>(n) - 1) * 1003);
    for (const auto& [pair, sum] : bytes_between(schedule)) {
      EXPECT_EQ(pair.second, (pair.first + 1) % n);
    }
    expect_everyone_knows_all(schedule);
  }
  for (std::size_t n = 1; n < 9; ++n) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += piece(1003, i, n);
    EXPECT_EQ(sum, 1003);
  }
}

TEST(Generators, RingAllReducePassesThePieceOnThatItReceived) {
  // 4 ranks, pieces of 3, 2, 2, 2 bytes: what a rank receives in a step it sends in the next one.
  const Schedule schedule = make("ring-all-reduce", "bytes = \"9 B\"", 4);
  for (std::size_t r = 0; r < 4; ++r) {
    const auto operations = schedule.operations(RankId(r));
    ASSERT_EQ(operations.size(), 12U);
    for (std::size_t step = 0; step + 1 < 6; ++step) {
      EXPECT_EQ(operations[2 * step + 1].amount, operations[2 * step + 2].amount);
    }
  }
}

TEST(Generators, RecursiveDoublingMeetsEveryoneInLogarithmicSteps) {
  for (std::size_t n = 1; n <= 17; ++n) {
    const Schedule schedule = make("recursive-doubling-all-reduce", "bytes = \"10 B\"", n);
    const std::size_t power = std::bit_floor(n);
    const auto steps = static_cast<std::size_t>(std::countr_zero(power));
    const std::size_t messages = power * steps + 2 * (n - power);
    EXPECT_EQ(schedule.message_count(), messages) << n;
    EXPECT_EQ(schedule.message_bytes(), static_cast<std::int64_t>(10 * messages));
    expect_everyone_knows_all(schedule);
  }
}

TEST(Generators, RingAllGatherPassesEveryBlockToAll) {
  const Schedule schedule = make("ring-all-gather", "bytes = \"10 B\"\nrounds = 2", 6);
  EXPECT_EQ(schedule.message_count(), 2U * 6 * 5);
  expect_everyone_knows_all(schedule);
}

TEST(Generators, GatherIsAnIncast) {
  const Schedule schedule = make("gather", "bytes = \"10 B\"\nroot = 2\ncompute = \"5 ns\"", 6);
  EXPECT_EQ(schedule.message_count(), 5U);
  EXPECT_EQ(schedule.size(), 16U);
  for (const auto& [pair, sum] : bytes_between(schedule)) EXPECT_EQ(pair.second, 2U);
  EXPECT_EQ(knowledge(schedule)[2].size(), 6U);
  EXPECT_THAT(error_of([] { (void)make("gather", "bytes = \"10 B\"\nroot = 6", 6); }),
              HasSubstr("workload[0].root: there is no rank 6 of 6"));
}

/// Matrix of l x l blocks: bytes from the owner of each block to that of the transposed one.
void expect_transposition(std::size_t rows, std::size_t columns) {
  const std::size_t l = std::lcm(rows, columns);
  std::map<std::pair<std::size_t, std::uint32_t>, std::int64_t> expected;
  for (std::size_t i = 0; i < l; ++i) {
    for (std::size_t j = 0; j < l; ++j) {
      const std::size_t from = (i % rows) * columns + j % columns;
      const std::size_t to = (j % rows) * columns + i % columns;
      if (from != to) expected[{from, static_cast<std::uint32_t>(to)}] += 100;
    }
  }
  const std::string toml = "rows = " + std::to_string(rows) +
                           "\ncolumns = " + std::to_string(columns) + "\nbytes = \"100 B\"";
  const Schedule schedule = make("transpose", toml, rows * columns);
  EXPECT_EQ(bytes_between(schedule), expected) << rows << " x " << columns;
  // A step is an exchange with one partner, who has its own step with this rank then.
  std::vector<std::vector<std::uint32_t>> partners(rows * columns);
  for (std::size_t r = 0; r < rows * columns; ++r) {
    for (const Operation& one : schedule.operations(RankId(r))) {
      if (one.kind == OperationKind::send) partners[r].push_back(one.peer);
    }
    EXPECT_LE(partners[r].size(), l * l / (rows * columns));
  }
  (void)knowledge(schedule);
}

TEST(Generators, TransposeSendsEveryBlockToWhereItBelongs) {
  expect_transposition(1, 1);
  expect_transposition(3, 3);
  expect_transposition(2, 3);
  expect_transposition(4, 6);
  expect_transposition(18, 24);
  EXPECT_THAT(
      error_of([] { (void)make("transpose", "rows = 2\ncolumns = 3\nbytes = \"1 B\"", 7); }),
      HasSubstr("2 rows of 3 columns are not 7 ranks"));
}

TEST(Generators, TransposePairsSendToEachOtherInTheSameStep) {
  const Schedule schedule = make("transpose", "rows = 18\ncolumns = 24\nbytes = \"1 B\"", 432);
  // Ranks whose partners are all others have 12 steps; the k-th of a rank and of its partner agree.
  std::vector<std::vector<std::uint32_t>> partners(432);
  for (std::size_t r = 0; r < 432; ++r) {
    for (const Operation& one : schedule.operations(RankId(r))) {
      if (one.kind == OperationKind::send) partners[r].push_back(one.peer);
    }
  }
  std::size_t full = 0;
  for (std::size_t r = 0; r < 432; ++r) {
    if (partners[r].size() != 12) continue;
    ++full;
    for (std::size_t k = 0; k < 12; ++k) {
      const auto& theirs = partners[partners[r][k]];
      if (theirs.size() == 12) {
        EXPECT_EQ(theirs[k], r);
      }
    }
  }
  EXPECT_GT(full, 300U);
}

// The sizes of the two recorded applications (rocher2021, section 4.2.2): every schedule
// is sound, or building it would have thrown, and every rank has something to do.
TEST(Generators, MakeSchedulesFor432And512Ranks) {
  const std::pair<const char*, const char*> models[] = {
      {"all-to-all", "bytes = \"8 B\""},
      {"ring-all-reduce", "bytes = \"4 KiB\""},
      {"recursive-doubling-all-reduce", "bytes = \"4 KiB\""},
      {"ring-all-gather", "bytes = \"8 B\""},
      {"gather", "bytes = \"8 B\""},
      {"training",
       "steps = 1\ncompute = \"1 us\"\ngradient = \"95 MB\"\n"
       "all_reduce = \"recursive-doubling\""}};
  for (const std::size_t ranks : {432U, 512U}) {
    for (const auto& [model, keys] : models) {
      const Schedule schedule = make(model, keys, ranks);
      ASSERT_EQ(schedule.rank_count(), ranks) << model;
      for (std::size_t r = 0; r < ranks; ++r) {
        EXPECT_FALSE(schedule.operations(RankId(r)).empty()) << model << ", rank " << r;
      }
    }
  }
  // An all-reduce by doubling: 9 exchanges of 512 ranks; 432 are 256 and 176 that first hand over.
  const auto messages = [](std::size_t ranks) {
    std::size_t count = 0;
    const Schedule schedule = make("recursive-doubling-all-reduce", "bytes = \"8 B\"", ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
      for (const Operation& one : schedule.operations(RankId(r))) {
        count += one.kind == OperationKind::send ? 1 : 0;
      }
    }
    return count;
  };
  EXPECT_EQ(messages(512), 512U * 9);
  EXPECT_EQ(messages(432), 256U * 8 + 2 * 176);
}

TEST(Generators, TrainingOverlapsBucketsWithComputation) {
  // 2 ranks, 100 bytes: an exchange of 50 bytes twice, 64 ns each way.
  const auto steps = [](const std::string& toml) {
    return Stage(2).play(make("training", toml, 2));
  };
  const Time hop = Stage::transfer(50);
  const Time half = Stage::transfer(25);
  const auto one = steps("compute = \"1 us\"\ngradient = \"100 B\"\nsteps = 3");
  EXPECT_EQ(one.finish[0], (nanoseconds(1000) + hop * 2) * 3);
  EXPECT_EQ(one.computing[0], nanoseconds(3000));
  const auto two = steps("compute = \"1 us\"\ngradient = \"100 B\"\nsteps = 3\nbuckets = 2");
  EXPECT_EQ(two.finish[0], (nanoseconds(1000) + half * 2) * 3);
  const auto doubling =
      steps("compute = \"1 us\"\ngradient = \"100 B\"\nall_reduce = \"recursive-doubling\"");
  EXPECT_EQ(doubling.finish[0], nanoseconds(1000) + Stage::transfer(100));
}

TEST(Generators, RoundsComputeFirst) {
  const Schedule schedule =
      make("all-to-all", "bytes = \"1000 B\"\nrounds = 2\ncompute = \"50.4 ns\"", 2);
  EXPECT_EQ(Stage(2).play(schedule).finish[0], (nanoseconds(50) + Stage::transfer(1000)) * 2);
}

TEST(Generators, GoalFilesHaveTheirOwnRanks) {
  const std::string file = testing::TempDir() + "weir_generators.goal";
  std::ofstream(file) << "num_ranks 2\nrank 0 {\nsend 5b to 1\n}\nrank 1 {\nrecv 5b from 0\n}\n";
  EXPECT_EQ(make("goal", "file = \"" + file + "\"", 2).rank_count(), 2U);
  EXPECT_THAT(error_of([&] { (void)make("goal", "file = \"" + file + "\"", 3); }),
              HasSubstr("has 2 ranks, not 3"));
  std::remove(file.c_str());
  EXPECT_THAT(error_of([&] { (void)make("goal", "file = \"" + file + "\"", 2); }),
              HasSubstr("cannot read"));
}

}  // namespace
}  // namespace weir::workload
