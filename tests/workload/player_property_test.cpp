#include <rapidcheck.h>

#include <algorithm>

#include "tests/workload/play.hpp"

namespace weir::workload {
namespace {

/// A schedule and when each rank is done with it, on a network that takes no time and with a CPU
/// for every operation.
struct Example {
  Schedule schedule;
  std::vector<Time> finish;
};

/// Operations are made one after the other, each with dependencies on earlier ones of its rank; a
/// receive is made right after its message. So each can be dated when it is made.
class ExampleMaker {
 public:
  explicit ExampleMaker(std::uint32_t ranks)
      : builder_(ranks), dates_(ranks), finish_(ranks, Time(0)) {}

  void calculate(std::uint32_t rank) {
    Operation operation;
    operation.amount = *rc::gen::inRange<std::int64_t>(0, 1000);
    const Time begin = add(rank, operation);
    end(rank, begin, begin + nanoseconds(operation.amount));
  }
  void communicate(std::uint32_t from, std::uint32_t to) {
    Operation operation;
    operation.kind = OperationKind::send;
    operation.amount = *rc::gen::inRange<std::int64_t>(0, 100'000);
    operation.peer = to;
    operation.tag = ++tags_;
    const Time sent = add(from, operation);
    end(from, sent, sent);
    operation.kind = OperationKind::receive;
    operation.peer = from;
    const Time posted = add(to, operation);
    end(to, posted, std::max(posted, sent));
  }
  Example make() && { return {std::move(builder_).build(), finish_}; }

 private:
  struct Dates {
    Time begin;
    Time end;
  };

  Time add(std::uint32_t rank, Operation operation) {
    const auto number = static_cast<std::uint32_t>(dates_[rank].size());
    operation.cpu = static_cast<std::uint8_t>(number);
    builder_.rank(rank).add(operation);
    Time begin;
    for (int i = *rc::gen::inRange(0, 3); i > 0 && number > 0; --i) {
      const auto earlier = *rc::gen::inRange<std::uint32_t>(0, number);
      if (*rc::gen::arbitrary<bool>()) {
        builder_.rank(rank).require(number, earlier);
        begin = std::max(begin, dates_[rank][earlier].end);
      } else {
        builder_.rank(rank).require_start(number, earlier);
        begin = std::max(begin, dates_[rank][earlier].begin);
      }
    }
    return begin;
  }
  void end(std::uint32_t rank, Time begin, Time end) {
    dates_[rank].push_back({begin, end});
    finish_[rank] = std::max(finish_[rank], end);
  }

  ScheduleBuilder builder_;
  std::vector<std::vector<Dates>> dates_;  ///< per rank and operation
  std::vector<Time> finish_;
  std::uint32_t tags_ = 0;
};

Example any_example() {
  const auto ranks = *rc::gen::inRange<std::uint32_t>(1, 6);
  ExampleMaker maker(ranks);
  for (int i = *rc::gen::inRange(0, 40); i > 0; --i) {
    const auto rank = *rc::gen::inRange<std::uint32_t>(0, ranks);
    if (*rc::gen::arbitrary<bool>()) {
      maker.calculate(rank);
    } else {
      maker.communicate(rank, *rc::gen::inRange<std::uint32_t>(0, ranks));
    }
  }
  return std::move(maker).make();
}

TEST(Player, TakesTheLongestPathWhereNothingIsShort) {
  rc::check("all ranks on one host, a CPU for every operation", [] {
    const Example example = any_example();
    const std::vector<HostId> hosts(example.schedule.rank_count(), HostId(0));
    const PlayerReport report = Stage(2).play(example.schedule, {}, hosts);
    RC_ASSERT(report.finish == example.finish);
  });
}

TEST(Player, ANetworkOrOneCpuTakesNoLessTime) {
  rc::check("each rank on a host of its own", [] {
    const Example example = any_example();
    PlayerSettings settings;
    settings.overhead = nanoseconds(3);
    const PlayerReport report =
        Stage(static_cast<int>(example.schedule.rank_count()) + 1).play(example.schedule, settings);
    RC_ASSERT(report.operations_left == 0U);
    for (std::size_t r = 0; r < example.finish.size(); ++r) {
      RC_ASSERT(report.finish[r] >= example.finish[r]);
    }
  });
}

}  // namespace
}  // namespace weir::workload
