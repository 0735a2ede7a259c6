#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/base/units.hpp"
#include "weir/workload/schedule.hpp"

namespace weir::workload {

/// Writes what one rank does as a sequence of steps: operations added within a step wait for all of
/// the step before.
class RankProgram {
 public:
  RankProgram(RankBuilder& rank, std::size_t number, std::size_t ranks)
      : builder_(&rank), number_(number), ranks_(ranks) {}

  [[nodiscard]] std::size_t rank() const { return number_; }
  [[nodiscard]] std::size_t rank_count() const { return ranks_; }
  /// The CPU of what is added from now on.
  void use_cpu(std::uint8_t cpu) { cpu_ = cpu; }
  /// The tag of messages from now on.
  void use_tag(std::uint32_t tag) { tag_ = tag; }
  /// Some of all ranks, of which `rank()` counts: others are named by their places in it from now
  /// on. It must outlive the program.
  void use_members(const std::vector<std::uint32_t>& members) { members_ = &members; }

  void send(std::int64_t bytes, std::size_t to) {
    add(OperationKind::send, bytes, static_cast<std::uint32_t>(to));
  }
  void receive(std::int64_t bytes, std::size_t from) {
    add(OperationKind::receive, bytes, static_cast<std::uint32_t>(from));
  }
  void calculate(std::int64_t nanoseconds) { add(OperationKind::calculation, nanoseconds, 0); }

  /// What comes next waits for what was added since the last step.
  void next_step() {
    if (step_.empty()) return;
    before_ = std::exchange(step_, {});
  }
  /// A step of one calculation; of no time: none.
  void compute(Time time) {
    next_step();
    const std::int64_t nanoseconds = (time.count + 500) / 1000;
    if (nanoseconds == 0) return;
    calculate(nanoseconds);
    next_step();
  }

  /// What comes next would wait for these.
  [[nodiscard]] const std::vector<std::uint32_t>& last() const {
    return step_.empty() ? before_ : step_;
  }
  /// What comes next waits for `operations` instead.
  void resume_after(std::vector<std::uint32_t> operations) {
    step_.clear();
    before_ = std::move(operations);
  }

 private:
  void add(OperationKind kind, std::int64_t amount, std::uint32_t peer) {
    Operation made;
    made.kind = kind;
    made.amount = amount;
    made.peer = peer;
    made.cpu = cpu_;
    if (kind != OperationKind::calculation) {
      if (members_ != nullptr) made.peer = (*members_)[peer];
      made.tag = tag_;
    }
    const std::uint32_t number = builder_->add(made);
    for (const std::uint32_t earlier : before_) builder_->require(number, earlier);
    step_.push_back(number);
  }

  RankBuilder* builder_;
  std::size_t number_;
  std::size_t ranks_;
  std::uint8_t cpu_ = 0;
  std::uint32_t tag_ = 0;
  const std::vector<std::uint32_t>* members_ = nullptr;  ///< null: all ranks
  std::vector<std::uint32_t> before_;
  std::vector<std::uint32_t> step_;
};

/// Writes the program of every rank.
inline Schedule write_programs(std::size_t ranks, const std::function<void(RankProgram&)>& write) {
  ScheduleBuilder builder(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    RankProgram program(builder.rank(r), r, ranks);
    write(program);
  }
  return std::move(builder).build();
}

/// Exchanges of a round one after the other ("steps") or all together.
template <class S>
Key<S> order_key(bool S::*in_steps) {
  return choice(in_steps, "order",
                "order of the exchanges: steps, each waits for the one before; at-once, all of a "
                "round are begun together",
                {{"steps", true}, {"at-once", false}});
}

/// Of programs in rounds. Their keys stand behind those of the generator itself.
struct RoundSettings {
  std::int64_t rounds = 1;
  Time compute;  ///< of every rank before each round
};
const Keys<RoundSettings>& round_keys();
/// Every rank computes, then does `round`, `rounds` times.
Schedule write_rounds(const RoundSettings& settings, std::size_t ranks,
                      const std::function<void(RankProgram&)>& round);

/// With messages of one size.
struct MessageRoundSettings : RoundSettings {
  Bytes bytes;
};
Keys<MessageRoundSettings> message_round_keys(std::string_view help);

}  // namespace weir::workload
