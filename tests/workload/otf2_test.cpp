#include <fmt/format.h>
#include <filesystem>
#include <fstream>

#include "support/otf2_archive.hpp"
#include "support/temporary_folder.hpp"
#include "tests/workload/helpers.hpp"
#include "tests/workload/play.hpp"
#include "weir/base/config.hpp"
#include "weir/workload/collectives.hpp"
#include "weir/workload/otf2/schedule.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload::otf2_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class Otf2 : public testing::Test {
 public:
  [[nodiscard]] static Schedule read(const std::string& anchor, const std::string& more = "",
                                     std::size_t ranks = 0) {
    const auto& model = workload_registry().find("otf2", {}, "workload");
    const std::string toml = "file = \"" + anchor + "\"\n" + more;
    const Settings settings =
        Settings::check(parse_toml(toml, "x.toml"), model.info.parameters, "workload[0]");
    return model.make(settings, {ranks, ranks > 0});
  }
  [[nodiscard]] static std::string refused(const std::string& anchor, const std::string& more = "",
                                           std::size_t ranks = 0) {
    return error_of([&] { (void)read(anchor, more, ranks); });
  }

  support::TemporaryFolder folder_;
};

#ifndef WEIR_HAS_OTF2

TEST_F(Otf2, WithoutTheLibraryTheModelSaysSo) {
  EXPECT_THAT(refused("traces.otf2"),
              HasSubstr("traces.otf2: OTF2 archives cannot be read by this weir"));
}

#else

using otf2_support::Otf2Archive;

/// An archive in a folder of its own.
class Otf2Recorded : public Otf2 {
 public:
  Otf2Archive& archive(std::uint32_t ranks) {
    archive_.reset();
    fs::remove_all(folder_ / "run");
    archive_ = std::make_unique<Otf2Archive>((folder_ / "run").string(), ranks);
    return *archive_;
  }
  /// A collective operation of all ranks of a communicator, each with its sizes.
  void all_do(Otf2Archive& to, OTF2_CollectiveOp operation, std::uint32_t root,
              const std::vector<std::pair<std::uint64_t, std::uint64_t>>& sizes) {
    for (std::size_t r = 0; r < sizes.size(); ++r) {
      to.enter(r, 100, "MPI_Any");
      to.collective(r, 110, operation, 0, root, sizes[r].first, sizes[r].second);
      to.leave(r, 120, "MPI_Any");
    }
  }
  /// Such an operation and nothing else.
  Schedule schedule_with(OTF2_CollectiveOp operation, std::uint32_t root,
                         const std::vector<std::pair<std::uint64_t, std::uint64_t>>& sizes,
                         const std::string& more = "") {
    Otf2Archive& to = archive(static_cast<std::uint32_t>(sizes.size()));
    all_do(to, operation, root, sizes);
    return read(to.close(), more);
  }
  std::string refusal_of(OTF2_CollectiveOp operation, std::uint32_t root,
                         const std::vector<std::pair<std::uint64_t, std::uint64_t>>& sizes,
                         const std::string& more = "") {
    return error_of([&] { (void)schedule_with(operation, root, sizes, more); });
  }

 private:
  std::unique_ptr<Otf2Archive> archive_;
};

/// What a rank does, each operation with those of the rank that wait for it.
std::vector<std::string> operations_of(const Schedule& schedule, std::size_t rank) {
  std::vector<std::string> out;
  const std::uint32_t first = schedule.first(RankId(rank));
  for (std::uint32_t i = first; i < schedule.first(RankId(rank + 1)); ++i) {
    std::string text = schedule.describe(i);
    text = text.substr(text.find(": ") + 2);
    for (const std::uint32_t later : schedule.after_end(i)) {
      text += fmt::format(" >{}", later - first);
    }
    out.push_back(text);
  }
  return out;
}

/// A program of four ranks with one operation of them, as the generators write it.
template <class Write>
Schedule program(std::size_t ranks, Write write) {
  return write_programs(ranks, [&](RankProgram& one) {
    one.use_tag(kFirstMadeTag);
    write(one);
  });
}

TEST_F(Otf2Recorded, PingPongHasTheTimesBetweenCalls) {
  Otf2Archive& to = archive(2);
  to.enter(0, 1'000, "main");
  to.enter(0, 1'300, "MPI_Send");  // 300 ns after the first event
  to.send(0, 1'310, 1, 7, 4096);
  to.leave(0, 1'400, "MPI_Send");
  to.enter(0, 1'450, "MPI_Recv");  // 50 ns later
  to.receive(0, 2'900, 1, 8, 64);
  to.leave(0, 3'000, "MPI_Recv");
  to.leave(0, 3'020, "main");  // 20 ns after the last call
  to.enter(1, 1'200, "MPI_Recv");
  to.receive(1, 2'000, 0, 7, 4096);
  to.leave(1, 2'100, "MPI_Recv");
  to.enter(1, 2'100, "MPI_Send");  // at once
  to.send(1, 2'110, 0, 8, 64);
  to.leave(1, 2'200, "MPI_Send");
  const std::string anchor = to.close();
  const Schedule schedule = read(anchor);
  ASSERT_EQ(schedule.rank_count(), 2U);
  EXPECT_THAT(operations_of(schedule, 0),
              ElementsAre("calc 300 >1", "send 4096b to 1 tag 7 >2", "calc 50 >3",
                          "recv 64b from 1 tag 8 >4", "calc 20"));
  EXPECT_THAT(operations_of(schedule, 1),
              ElementsAre("recv 4096b from 0 tag 7 >1", "send 64b to 0 tag 8"));
  // 300 ns, a message there and one back, the 50 ns hidden behind them, 20 ns.
  Stage stage(2);
  EXPECT_EQ(stage.play(read(anchor)).finish[0],
            nanoseconds(320) + Stage::transfer(4096) + Stage::transfer(64));
}

TEST_F(Otf2Recorded, WhatIsBegunGoesOnUntilItIsWaitedFor) {
  Otf2Archive& to = archive(2);
  to.enter(0, 0, "MPI_Isend");
  to.begin_send(0, 1, 1, 3, 100'000, 77);
  to.leave(0, 2, "MPI_Isend");
  to.enter(0, 502, "MPI_Waitall");
  to.end_send(0, 600, 77);
  to.leave(0, 600, "MPI_Waitall");
  to.enter(0, 610, "MPI_Finalize");
  to.leave(0, 611, "MPI_Finalize");
  to.enter(1, 0, "MPI_Irecv");
  to.begin_receive(1, 1, 5);
  to.leave(1, 2, "MPI_Irecv");
  to.enter(1, 2, "MPI_Irecv");
  to.begin_receive(1, 3, 6);
  to.leave(1, 4, "MPI_Irecv");
  to.enter(1, 54, "MPI_Cancel");
  to.cancel(1, 55, 6);
  to.leave(1, 55, "MPI_Cancel");
  to.enter(1, 85, "MPI_Wait");
  to.end_receive(1, 700, 0, 3, 100'000, 5);
  to.leave(1, 701, "MPI_Wait");
  to.enter(1, 711, "MPI_Finalize");
  to.leave(1, 712, "MPI_Finalize");
  const Schedule schedule = read(to.close());
  // The computation does not wait for the message, what comes behind the wait does for both.
  EXPECT_THAT(operations_of(schedule, 0),
              ElementsAre("send 100000b to 1 tag 3 >2", "calc 500 >2", "calc 10"));
  EXPECT_THAT(operations_of(schedule, 1),
              ElementsAre("recv 100000b from 0 tag 3 >3", "calc 50 >2", "calc 30 >3", "calc 10"));
}

TEST_F(Otf2Recorded, SendAndReceiveOfOneCallGoTogether) {
  Otf2Archive& to = archive(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    to.enter(r, 10 * r, "MPI_Sendrecv");
    to.send(r, 11, 1 - r, 1, 1'000);
    to.receive(r, 50, 1 - r, 1, 1'000);
    to.leave(r, 60, "MPI_Sendrecv");
    to.enter(r, 65, "MPI_Finalize");
    to.leave(r, 66, "MPI_Finalize");
  }
  EXPECT_THAT(operations_of(read(to.close()), 1),
              ElementsAre("send 1000b to 0 tag 1 >2", "recv 1000b from 0 tag 1 >2", "calc 5"));
}

TEST_F(Otf2Recorded, TimeThatTheRecorderTookIsNotComputed) {
  Otf2Archive& to = archive(1);
  to.enter(0, 0, "main");
  to.flush(0, 40, 90);
  to.enter(0, 100, "MPI_Wtime");
  to.enter(0, 110, "MPI_Initialized");  // a call in a call
  to.leave(0, 120, "MPI_Initialized");
  to.leave(0, 130, "MPI_Wtime");
  to.leave(0, 140, "main");
  EXPECT_THAT(operations_of(read(to.close()), 0), ElementsAre("calc 50 >1", "calc 10"));
}

TEST_F(Otf2Recorded, CollectiveOperationsOfPartsOfTheProgram) {
  // Ranks 3 and 1 in this order, 0 and 2; the two groups work side by side.
  Otf2Archive& to = archive(4);
  const std::uint32_t odd = to.add_communicator("odd", {3, 1});
  const std::uint32_t even = to.add_communicator("even", {0, 2}, OTF2_GROUP_FLAG_GLOBAL_MEMBERS);
  to.map_communicator(1, 40, odd);  // rank 1 counts communicators for itself
  const std::vector<std::uint32_t> names{even, 40, even, odd};
  for (std::uint32_t r = 0; r < 4; ++r) {
    const bool is_odd = r % 2 == 1;
    to.enter(r, 0, "MPI_Bcast");
    // From rank 3, place 0 of the odd; from rank 2, whose group names ranks of the program.
    const bool is_root = r >= 2;
    to.collective(r, 5, OTF2_COLLECTIVE_OP_BCAST, names[r], is_odd ? 0 : 2, is_root ? 2'000 : 0,
                  1'000);
    to.leave(r, 10, "MPI_Bcast");
    to.enter(r, 10, "MPI_Barrier");
    to.collective(r, 11, OTF2_COLLECTIVE_OP_BARRIER, 1, Otf2Archive::kNone, 0, 0);  // by itself
    to.leave(r, 12, "MPI_Barrier");
    to.enter(r, 12, "MPI_Sendrecv");
    const std::uint32_t other = is_odd ? (r == 3 ? 1 : 0) : 2 - r;
    to.send(r, 13, other, 0, 8, names[r]);
    to.receive(r, 14, other, 0, 8, names[r]);
    to.leave(r, 20, "MPI_Sendrecv");
  }
  const Schedule schedule = read(to.close());
  const auto with = [](const char* text, int number) {
    return fmt::format(fmt::runtime(text), kFirstMadeTag + static_cast<std::uint32_t>(number));
  };
  EXPECT_THAT(operations_of(schedule, 0),
              ElementsAre(with("recv 1000b from 2 tag {} >1 >2", 0), with("send 8b to 2 tag {}", 2),
                          with("recv 8b from 2 tag {}", 2)));
  EXPECT_THAT(operations_of(schedule, 1),
              ElementsAre(with("recv 1000b from 3 tag {} >1 >2", 1), with("send 8b to 3 tag {}", 3),
                          with("recv 8b from 3 tag {}", 3)));
  EXPECT_THAT(operations_of(schedule, 3),
              ElementsAre(with("send 1000b to 1 tag {} >1 >2", 1), with("send 8b to 1 tag {}", 3),
                          with("recv 8b from 1 tag {}", 3)));
}

TEST_F(Otf2Recorded, RootsAreMembers) {
  Otf2Archive& to = archive(2);
  const std::uint32_t one = to.add_communicator("first", {0}, OTF2_GROUP_FLAG_GLOBAL_MEMBERS);
  to.enter(0, 10, "MPI_Bcast");
  to.collective(0, 11, OTF2_COLLECTIVE_OP_BCAST, one, 1, 8, 8);
  to.leave(0, 20, "MPI_Bcast");
  EXPECT_THAT(refused(to.close()),
              HasSubstr("rank 0, event 3 in MPI_Bcast: there is no rank 1 in first, which has 1"));
  Otf2Archive& other = archive(2);
  other.add_communicator("first", {0});
  other.enter(1, 10, "MPI_Barrier");
  other.collective(1, 11, OTF2_COLLECTIVE_OP_BARRIER, 2, Otf2Archive::kNone, 0, 0);
  other.leave(1, 20, "MPI_Barrier");
  EXPECT_THAT(refused(other.close()),
              HasSubstr("rank 1, event 3 in MPI_Barrier: rank 1 is not in first"));
}

// More than the writer holds in memory at a time, so that it writes down when it emptied that.
TEST_F(Otf2Recorded, LongRecordingsAreReadWhole) {
  constexpr std::uint32_t kCalls = 60'000;
  Otf2Archive& to = archive(1);
  for (std::uint32_t i = 0; i < kCalls; ++i) {
    const std::uint64_t begin = 100ULL * i;
    to.enter(0, begin, "MPI_Sendrecv");
    to.send(0, begin + 10, 0, i, 8, 1);
    to.receive(0, begin + 20, 0, i, 8, 1);
    to.leave(0, begin + 30, "MPI_Sendrecv");
  }
  const Schedule schedule = read(to.close());
  EXPECT_EQ(schedule.message_count(), kCalls);
  EXPECT_EQ(schedule.size(), 3 * kCalls - 1) << "70 ns between two calls";
}

TEST_F(Otf2Recorded, CollectiveOperationsThatAreBegunGoByTheirBeginning) {
  // Two are under way at once and end the other way round at rank 1.
  Otf2Archive& to = archive(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    to.enter(r, 0, "MPI_Iallreduce");
    to.begin_collective(r, 1, 1);
    to.leave(r, 2, "MPI_Iallreduce");
    to.enter(r, 2, "MPI_Ibarrier");
    to.begin_collective(r, 3, 2);
    to.leave(r, 4, "MPI_Ibarrier");
    to.enter(r, 104, "MPI_Waitall");
    const auto all_reduce = [&] {
      to.end_collective(r, 200, OTF2_COLLECTIVE_OP_ALLREDUCE, 0, 16, 16, 1);
    };
    if (r == 0) all_reduce();
    to.end_collective(r, 200, OTF2_COLLECTIVE_OP_BARRIER, 0, 0, 0, 2);
    if (r == 1) all_reduce();
    to.leave(r, 210, "MPI_Waitall");
    to.enter(r, 215, "MPI_Finalize");
    to.leave(r, 216, "MPI_Finalize");
  }
  const std::uint32_t tag = kFirstMadeTag;
  EXPECT_THAT(
      operations_of(read(to.close()), 1),
      ElementsAre(fmt::format("send 8b to 0 tag {} >5", tag),
                  fmt::format("recv 8b from 0 tag {} >5", tag),
                  fmt::format("send 0b to 0 tag {} >5", tag + 1),
                  fmt::format("recv 0b from 0 tag {} >5", tag + 1), "calc 100 >5", "calc 5"));
}

TEST_F(Otf2Recorded, SizesAreThoseThatScorePCounts) {
  const std::uint32_t none = Otf2Archive::kNone;
  const auto all = [](std::uint64_t sent, std::uint64_t received) {
    return std::vector<std::pair<std::uint64_t, std::uint64_t>>(4, {sent, received});
  };
  EXPECT_EQ(schedule_with(OTF2_COLLECTIVE_OP_BARRIER, none, all(0, 0)),
            program(4, [](RankProgram& one) { recursive_doubling_all_reduce(one, 0); }));
  EXPECT_EQ(schedule_with(OTF2_COLLECTIVE_OP_CREATE_HANDLE, none, all(0, 0)),
            program(4, [](RankProgram& one) { recursive_doubling_all_reduce(one, 0); }));
  const Schedule doubling =
      program(4, [](RankProgram& one) { recursive_doubling_all_reduce(one, 9'999); });
  EXPECT_EQ(schedule_with(OTF2_COLLECTIVE_OP_ALLREDUCE, none, all(4 * 9'999, 4 * 9'999)), doubling);
  EXPECT_EQ(schedule_with(OTF2_COLLECTIVE_OP_ALLREDUCE, none, all(3 * 9'999, 3 * 9'999)), doubling)
      << "in place: only the three others are counted";
  EXPECT_EQ(schedule_with(OTF2_COLLECTIVE_OP_ALLREDUCE, none, all(9'999, 9'999),
                          "collective_sizes = \"buffer\""),
            doubling);
  EXPECT_EQ(schedule_with(OTF2_COLLECTIVE_OP_ALLREDUCE, none, all(40'000, 40'000)),
            program(4, [](RankProgram& one) { ring_all_reduce(one, 10'000); }));
  EXPECT_EQ(schedule_with(OTF2_COLLECTIVE_OP_ALLREDUCE, none, all(40'000, 40'000),
                          "ring_from = \"10001 B\""),
            program(4, [](RankProgram& one) { recursive_doubling_all_reduce(one, 10'000); }));
  EXPECT_EQ(schedule_with(OTF2_COLLECTIVE_OP_ALLGATHER, none, all(400, 400)),
            program(4, [](RankProgram& one) { ring_all_gather(one, 100); }));
  EXPECT_EQ(schedule_with(OTF2_COLLECTIVE_OP_ALLTOALL, none, all(400, 400)),
            program(4, [](RankProgram& one) { all_to_all_pieces(one, 400); }));
  EXPECT_EQ(schedule_with(OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, none, all(400, 400)),
            program(4, [](RankProgram& one) { ring_reduce_scatter(one, 400); }));
}

TEST_F(Otf2Recorded, OperationsWithARootOrWithPiecesOfTheirOwn) {
  const std::uint32_t none = Otf2Archive::kNone;
  // Rank 2 sends 100 bytes to all: to 3 and 0 itself, 0 passes it on to 1.
  const Schedule broadcast =
      schedule_with(OTF2_COLLECTIVE_OP_BCAST, 2, {{0, 100}, {0, 100}, {400, 100}, {0, 100}});
  const std::string tag = fmt::format(" tag {}", kFirstMadeTag);
  EXPECT_THAT(operations_of(broadcast, 2),
              ElementsAre("send 100b to 0" + tag + " >1", "send 100b to 3" + tag));
  EXPECT_THAT(operations_of(broadcast, 0),
              ElementsAre("recv 100b from 2" + tag + " >1", "send 100b to 1" + tag));
  const Schedule reduce =
      schedule_with(OTF2_COLLECTIVE_OP_REDUCE, 2, {{100, 0}, {100, 0}, {100, 400}, {100, 0}});
  EXPECT_THAT(operations_of(reduce, 2),
              ElementsAre("recv 100b from 3" + tag + " >1", "recv 100b from 0" + tag));
  EXPECT_THAT(operations_of(reduce, 0),
              ElementsAre("recv 100b from 1" + tag + " >1", "send 100b to 2" + tag));
  const Schedule gather =
      schedule_with(OTF2_COLLECTIVE_OP_GATHERV, 1, {{10, 0}, {20, 60}, {30, 0}});
  EXPECT_THAT(operations_of(gather, 1),
              ElementsAre("recv 10b from 0" + tag, "recv 30b from 2" + tag));
  EXPECT_THAT(operations_of(gather, 2), ElementsAre("send 30b to 1" + tag));
  const Schedule scatter =
      schedule_with(OTF2_COLLECTIVE_OP_SCATTERV, 1, {{0, 10}, {60, 20}, {0, 30}});
  EXPECT_THAT(operations_of(scatter, 1), ElementsAre("send 10b to 0" + tag, "send 30b to 2" + tag));
  // Rank 1 gives its 20 bytes and passes on the 10 of rank 0.
  const Schedule all_gather =
      schedule_with(OTF2_COLLECTIVE_OP_ALLGATHERV, none, {{30, 60}, {60, 60}, {90, 60}});
  EXPECT_THAT(operations_of(all_gather, 1),
              ElementsAre("send 20b to 2" + tag + " >2 >3", "recv 10b from 0" + tag + " >2 >3",
                          "send 10b to 2" + tag, "recv 30b from 0" + tag));
  // Of 60 bytes rank 0 gets 10, 1 gets 20, 2 gets 30: the last thing a rank receives is its own.
  const Schedule scattered =
      schedule_with(OTF2_COLLECTIVE_OP_REDUCE_SCATTER, none, {{60, 30}, {60, 60}, {60, 90}});
  EXPECT_THAT(operations_of(scattered, 1),
              ElementsAre("send 10b to 2" + tag + " >2 >3", "recv 30b from 0" + tag + " >2 >3",
                          "send 30b to 2" + tag, "recv 20b from 0" + tag));
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> uneven{{30, 60}, {60, 60}, {90, 60}};
  EXPECT_THAT(refusal_of(OTF2_COLLECTIVE_OP_ALLTOALLV, none, uneven),
              HasSubstr("rank 0, event 3 in MPI_Any: ALLTOALLV: the trace has only the sum"));
  const Schedule even =
      schedule_with(OTF2_COLLECTIVE_OP_ALLTOALLV, none, uneven, "uneven = \"even\"");
  EXPECT_THAT(operations_of(even, 1),
              ElementsAre("send 20b to 2" + tag + " >2 >3", "recv 10b from 0" + tag + " >2 >3",
                          "send 20b to 0" + tag, "recv 30b from 2" + tag));
}

TEST_F(Otf2Recorded, WhatHasNoPlaceIsNamed) {
  const std::uint32_t none = Otf2Archive::kNone;
  EXPECT_THAT(
      refusal_of(OTF2_COLLECTIVE_OP_SCAN, none, {{1, 1}, {1, 1}}),
      HasSubstr("traces.otf2: rank 0, event 3 in MPI_Any: collective operation SCAN of OTF2 "
                "has no place in a schedule"));
  EXPECT_THAT(refusal_of(OTF2_COLLECTIVE_OP_ALLOCATE, none, {{1, 1}}),
              HasSubstr("collective operation 19 of OTF2 has no place"));
  EXPECT_THAT(refusal_of(OTF2_COLLECTIVE_OP_BCAST, 2, {{1, 1}, {1, 1}}),
              HasSubstr("there is no rank 2 in MPI_COMM_WORLD, which has 2"));
  EXPECT_THAT(refusal_of(OTF2_COLLECTIVE_OP_ALLGATHER, none, {{7, 7}, {7, 7}, {7, 7}}),
              HasSubstr("ALLGATHER of 7 bytes is not counted as Score-P does"));
  EXPECT_THAT(refusal_of(OTF2_COLLECTIVE_OP_ALLREDUCE, none, {{8, 8}, {16, 16}}),
              HasSubstr("rank 1, event 3 in MPI_Any: ALLREDUCE is of 16 bytes here and of 8 "
                        "elsewhere (rank 0, event 3"));
  const auto with = [&](auto write) {
    Otf2Archive& to = archive(2);
    to.enter(0, 10, "MPI_Any");
    write(to);
    to.leave(0, 20, "MPI_Any");
    return refused(to.close());
  };
  EXPECT_THAT(with([](auto& to) { to.put(0, 11); }),
              HasSubstr("rank 0, event 2 in MPI_Any: one-sided communication (RMA) has no place"));
  EXPECT_THAT(with([](auto& to) { to.switch_off(0, 11); }), HasSubstr("recording is switched off"));
  EXPECT_THAT(with([](auto& to) { to.send(0, 11, 5, 0, 8); }),
              HasSubstr("there is no rank 5 in MPI_COMM_WORLD, which has 2"));
  EXPECT_THAT(with([](auto& to) { to.send(0, 11, 1, 0, 8, 9); }),
              HasSubstr("communicator 9 is not one of MPI that the archive defines"));
  EXPECT_THAT(with([](auto& to) { to.send(0, 11, 1, kFirstMadeTag, 8); }),
              HasSubstr("tag 2147483648 is too large"));
  EXPECT_THAT(with([](auto& to) { to.send(0, 11, 1, 0, std::uint64_t{1} << 60); }),
              HasSubstr("1152921504606846976 bytes are too many"));
  EXPECT_THAT(with([](auto& to) { to.send(0, 11, 1, 0, 8); }),
              HasSubstr("rank 0: send 8b to 1 tag 0: rank 1 has no receive left for it"));
  EXPECT_THAT(with([](auto& to) { to.begin_receive(0, 11, 1); }),
              HasSubstr("rank 0, event 2 in MPI_Any: request 1 does not end"));
  EXPECT_THAT(with([](auto& to) { to.end_send(0, 11, 9); }),
              HasSubstr("rank 0, event 2 in MPI_Any: request 9 ends here, but has not begun"));
  EXPECT_THAT(with([](auto& to) {
                to.begin_receive(0, 11, 1);
                to.begin_send(0, 11, 1, 0, 8, 1);
              }),
              HasSubstr("request 1 begins before it has ended"));
  EXPECT_THAT(with([](auto& to) {
                to.begin_receive(0, 11, 1);
                to.end_send(0, 11, 1);
              }),
              HasSubstr("request 1 ends as something else than event 2 began"));
  EXPECT_THAT(with([](auto& to) {
                to.collective(0, 11, OTF2_COLLECTIVE_OP_BARRIER, 0, Otf2Archive::kNone, 0, 0);
              }),
              HasSubstr("rank 0, event 3 in MPI_Any: rank 1 has 0 collective operations of "
                        "MPI_COMM_WORLD, too few"));
  EXPECT_THAT(with([](auto& to) {
                to.collective(0, 11, OTF2_COLLECTIVE_OP_BARRIER, 0, Otf2Archive::kNone, 0, 0);
                to.enter(1, 11, "MPI_Bcast");
                to.collective(1, 11, OTF2_COLLECTIVE_OP_BCAST, 0, 0, 8, 8);
                to.leave(1, 12, "MPI_Bcast");
              }),
              HasSubstr("rank 1, event 3 in MPI_Bcast: BCAST is operation 1 of MPI_COMM_WORLD; in "
                        "its place rank 0, event 3 has BARRIER"));
  EXPECT_THAT(with([](auto& to) {
                const std::size_t thread = to.add_location();
                to.send(thread, 11, 1, 0, 8);
              }),
              HasSubstr("location 12 (thread 2), event 1: a thread that is no rank communicates"));
  EXPECT_THAT(with([](auto& to) { to.receive(1, 11, 0, 0, 8); }),
              HasSubstr("rank 1, event 1: communication outside of any call of MPI"));
  EXPECT_THAT(with([](auto& to) { to.enter(1, 11, "MPI_Send"); }),
              HasSubstr("rank 1, event 1 in MPI_Send: the trace ends within this call"));
}

TEST_F(Otf2Recorded, WrongArchivesAreNamed) {
  Otf2Archive& to = archive(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    to.enter(r, 10, "MPI_Barrier");
    to.collective(r, 11, OTF2_COLLECTIVE_OP_BARRIER, 0, Otf2Archive::kNone, 0, 0);
    to.leave(r, 12, "MPI_Barrier");
  }
  const std::string anchor = to.close();
  EXPECT_EQ(read(anchor, "", 2).rank_count(), 2U);
  EXPECT_THAT(refused(anchor, "", 3), HasSubstr("has 2 ranks, not 3 as `ranks` says"));
  EXPECT_THAT(refused("/nowhere/traces.otf2"),
              StartsWith("/nowhere/traces.otf2: there is no such file"));
  EXPECT_THAT(refused((folder_ / "run").string()),
              HasSubstr("is a folder; an archive is named by"));
  const std::string text = (folder_ / "text.otf2").string();
  std::ofstream(text) << "num_ranks 2\n";
  EXPECT_THAT(refused(text), HasSubstr("text.otf2: is no anchor file of an OTF2 archive: "));
  Otf2Archive& shorter = archive(1);
  shorter.enter(0, 10, "main");
  shorter.claim_events(5);
  EXPECT_THAT(refused(shorter.close()),
              HasSubstr("location 10 (thread 0) has 5 events, of which 1 are there"));
  Otf2Archive& serial = archive(1);
  serial.enter(0, 10, "main");
  serial.leave_out_locations();
  EXPECT_THAT(refused(serial.close()), HasSubstr("is not of an MPI program"));
  Otf2Archive& twice = archive(2);
  twice.add_communicator("twice", {1, 1});
  EXPECT_THAT(refused(twice.close()), HasSubstr("twice has rank 1 twice; there are 2 ranks"));
}

// Whatever is cut off, an archive is read or refused with its name.
TEST_F(Otf2Recorded, EveryTruncationIsReadOrRefused) {
  Otf2Archive& to = archive(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    to.enter(r, 10, "MPI_Sendrecv");
    to.send(r, 11, 1 - r, 1, 1'000);
    to.receive(r, 50, 1 - r, 1, 1'000);
    to.leave(r, 60, "MPI_Sendrecv");
  }
  to.map_communicator(1, 7, 0);
  const std::string anchor = to.close();
  const Schedule whole = read(anchor);
  for (const char* name : {"traces.otf2", "traces.def", "traces/10.evt", "traces/11.def"}) {
    const fs::path path = folder_ / "run" / name;
    ASSERT_TRUE(fs::exists(path)) << path;
    std::string bytes;
    {
      std::ifstream in(path, std::ios::binary);
      bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    std::size_t refusals = 0;
    for (std::size_t size = 0; size < bytes.size();
         size += std::max<std::size_t>(1, bytes.size() / 50)) {
      std::ofstream(path, std::ios::binary) << bytes.substr(0, size);
      try {
        EXPECT_EQ(read(anchor), whole) << path << " " << size;
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), StartsWith(anchor + ": ")) << size;
        ++refusals;
      }
    }
    EXPECT_GT(refusals, 0U) << path;
    std::ofstream(path, std::ios::binary) << bytes;
  }
  EXPECT_EQ(read(anchor), whole);
}

#endif

}  // namespace
}  // namespace weir::workload::otf2_test
