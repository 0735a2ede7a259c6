#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/error.hpp"
#include "weir/base/ids.hpp"

namespace weir::workload {

/// Process of a parallel program. Dense from 0.
using RankId = Id<struct RankTag>;

/// Peer or tag of a receive that takes any.
inline constexpr std::uint32_t kAny = UINT32_MAX;
/// As GOAL writes a peer or a tag: -1 is any.
constexpr std::int64_t goal_number(std::uint32_t number) {
  return number == kAny ? -1 : std::int64_t{number};
}

enum class OperationKind : std::uint8_t { send, receive, calculation };

/// One operation of one rank.
struct Operation {
  std::int64_t amount = 0;  ///< bytes of a message, ns of a calculation
  std::uint32_t peer = 0;   ///< rank it goes to or comes from
  std::uint32_t tag = 0;    ///< of the message
  std::uint32_t line = 0;   ///< of the file it was read from; 0: made
  std::uint8_t cpu = 0;     ///< of its rank, that it keeps busy
  std::uint8_t nic = 0;     ///< kept, but means nothing: a host has one adapter
  OperationKind kind = OperationKind::calculation;

  /// Of what they do, not of where they stood.
  bool operator==(const Operation& other) const {
    return amount == other.amount && peer == other.peer && tag == other.tag && cpu == other.cpu &&
           nic == other.nic && kind == other.kind;
  }
};

/// `later` of a rank waits for `earlier` of the same rank, both counted from 0 within the rank.
struct Dependency {
  std::uint32_t later = 0;
  std::uint32_t earlier = 0;
  bool on_start = false;  ///< until it has begun (GOAL: irequires), else until it is done

  bool operator==(const Dependency&) const = default;
};

/// What all ranks of a parallel program do: sends, receives and calculations, and what must come
/// before what within a rank. Immutable. Operations are numbered through all ranks, those of a rank
/// are contiguous; some 40 bytes an operation.
class Schedule {
 public:
  [[nodiscard]] std::size_t rank_count() const { return first_.size() - 1; }
  [[nodiscard]] std::size_t size() const { return operations_.size(); }
  [[nodiscard]] const Operation& operator[](std::uint32_t operation) const {
    return operations_[operation];
  }
  /// Number of the first operation of a rank; of rank_count(): size().
  [[nodiscard]] std::uint32_t first(RankId rank) const { return first_[rank.index()]; }
  [[nodiscard]] std::span<const Operation> operations(RankId rank) const {
    return std::span(operations_).subspan(first(rank), first_[rank.index() + 1] - first(rank));
  }
  [[nodiscard]] RankId rank_of(std::uint32_t operation) const;

  /// Operations it waits for, once for each dependency.
  [[nodiscard]] std::uint32_t wait_count(std::uint32_t operation) const {
    return wait_counts_[operation];
  }
  /// Operations that wait until it is done.
  [[nodiscard]] std::span<const std::uint32_t> after_end(std::uint32_t operation) const {
    return after_end_.of(operation);
  }
  /// Operations that wait until it has begun.
  [[nodiscard]] std::span<const std::uint32_t> after_start(std::uint32_t operation) const {
    return after_start_.of(operation);
  }

  /// Messages and their bytes, those of a rank to itself too.
  [[nodiscard]] std::uint64_t message_count() const;
  [[nodiscard]] std::int64_t message_bytes() const;

  /// "rank 3: recv 10b from 0 tag 2 (line 17)", for messages to people.
  [[nodiscard]] std::string describe(std::uint32_t operation) const;
  /// Where an operation stands in its file.
  [[nodiscard]] SourcePosition position(std::uint32_t operation) const;

  /// Same operations and dependencies, in the same order.
  bool operator==(const Schedule& other) const;

 private:
  friend class ScheduleBuilder;

  /// Lists of operations, one for each operation.
  struct Lists {
    std::vector<std::uint32_t> first;  ///< per operation, plus an end mark
    std::vector<std::uint32_t> items;

    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t operation) const {
      return std::span(items).subspan(first[operation], first[operation + 1] - first[operation]);
    }
    bool operator==(const Lists&) const = default;
  };

  std::vector<Operation> operations_;
  std::vector<std::uint32_t> first_{0};  ///< per rank, plus an end mark
  std::vector<std::uint32_t> wait_counts_;
  Lists after_end_;
  Lists after_start_;
  std::shared_ptr<const std::string> file_;  ///< null: made
};

/// Collects the operations of one rank, in its order.
class RankBuilder {
 public:
  /// Each returns the number of the operation within the rank.
  std::uint32_t send(std::int64_t bytes, std::uint32_t to, std::uint32_t tag = 0);
  std::uint32_t receive(std::int64_t bytes, std::uint32_t from, std::uint32_t tag = 0);
  std::uint32_t calculate(std::int64_t nanoseconds);
  std::uint32_t add(const Operation& operation);

  /// `later` begins when `earlier` is done.
  void require(std::uint32_t later, std::uint32_t earlier) {
    dependencies_.push_back({later, earlier, false});
  }
  /// `later` begins when `earlier` has begun.
  void require_start(std::uint32_t later, std::uint32_t earlier) {
    dependencies_.push_back({later, earlier, true});
  }

 private:
  friend class ScheduleBuilder;

  std::vector<Operation> operations_;
  std::vector<Dependency> dependencies_;
};

/// Makes a schedule rank by rank:
///
///     ScheduleBuilder builder(2);
///     builder.rank(0).send(1'000, 1);
///     builder.rank(1).receive(1'000, 0);
///     Schedule schedule = std::move(builder).build();
class ScheduleBuilder {
 public:
  /// `file`: where its operations stand, for messages.
  explicit ScheduleBuilder(std::size_t ranks, std::shared_ptr<const std::string> file = nullptr);

  RankBuilder& rank(std::size_t rank) { return ranks_[rank]; }
  [[nodiscard]] std::size_t rank_count() const { return ranks_.size(); }

  /// Throws InputError, with file and line, where dependencies of a rank go round in a circle, or a
  /// send or receive finds no partner.
  [[nodiscard]] Schedule build() &&;

 private:
  std::vector<RankBuilder> ranks_;
  std::shared_ptr<const std::string> file_;
};

/// Throws InputError when operations of a rank wait for each other in a circle.
void check_order(const Schedule& schedule);
/// Throws InputError when a message has no receive or a receive no message. Receives that take any
/// source or tag are only counted.
void check_partners(const Schedule& schedule);

}  // namespace weir::workload
