#include "weir/workload/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace weir::workload {
RankId Schedule::rank_of(std::uint32_t operation) const {
  const auto after = std::upper_bound(first_.begin(), first_.end(), operation);
  return RankId(static_cast<std::size_t>(after - first_.begin() - 1));
}

std::uint64_t Schedule::message_count() const {
  return static_cast<std::uint64_t>(std::count_if(
      operations_.begin(), operations_.end(),
      [](const Operation& operation) { return operation.kind == OperationKind::send; }));
}

std::int64_t Schedule::message_bytes() const {
  std::int64_t bytes = 0;
  for (const Operation& operation : operations_) {
    if (operation.kind == OperationKind::send) bytes += operation.amount;
  }
  return bytes;
}

std::string Schedule::describe(std::uint32_t operation) const {
  const Operation& it = operations_[operation];
  std::string what;
  switch (it.kind) {
    case OperationKind::send:
      what = fmt::format("send {}b to {} tag {}", it.amount, it.peer, it.tag);
      break;
    case OperationKind::receive:
      what = fmt::format("recv {}b from {} tag {}", it.amount, goal_number(it.peer),
                         goal_number(it.tag));
      break;
    case OperationKind::calculation:
      what = fmt::format("calc {}", it.amount);
      break;
  }
  const std::string place = it.line > 0 ? fmt::format(" (line {})", it.line) : "";
  return fmt::format("rank {}: {}{}", rank_of(operation).value, what, place);
}

SourcePosition Schedule::position(std::uint32_t operation) const {
  return {file_, static_cast<int>(operations_[operation].line), 0};
}

bool Schedule::operator==(const Schedule& other) const {
  return first_ == other.first_ && operations_ == other.operations_ &&
         wait_counts_ == other.wait_counts_ && after_end_ == other.after_end_ &&
         after_start_ == other.after_start_;
}

std::uint32_t RankBuilder::add(const Operation& operation) {
  operations_.push_back(operation);
  return static_cast<std::uint32_t>(operations_.size() - 1);
}

std::uint32_t RankBuilder::send(std::int64_t bytes, std::uint32_t to, std::uint32_t tag) {
  Operation made;
  made.kind = OperationKind::send;
  made.amount = bytes;
  made.peer = to;
  made.tag = tag;
  return add(made);
}

std::uint32_t RankBuilder::receive(std::int64_t bytes, std::uint32_t from, std::uint32_t tag) {
  Operation made;
  made.kind = OperationKind::receive;
  made.amount = bytes;
  made.peer = from;
  made.tag = tag;
  return add(made);
}

std::uint32_t RankBuilder::calculate(std::int64_t nanoseconds) {
  Operation made;
  made.amount = nanoseconds;
  return add(made);
}

ScheduleBuilder::ScheduleBuilder(std::size_t ranks, std::shared_ptr<const std::string> file)
    : ranks_(ranks), file_(std::move(file)) {}

namespace {

/// Sorts the dependencies of all ranks by the operation that others wait for: counts, then places.
template <class Lists>
void fill_lists(Lists& lists, std::size_t operations,
                const std::vector<std::pair<std::uint32_t, std::uint32_t>>& waits) {
  lists.first.assign(operations + 1, 0);
  for (const auto& [earlier, later] : waits) ++lists.first[earlier + 1];
  for (std::size_t i = 0; i < operations; ++i) lists.first[i + 1] += lists.first[i];
  lists.items.resize(waits.size());
  std::vector<std::uint32_t> place(lists.first.begin(), lists.first.end() - 1);
  for (const auto& [earlier, later] : waits) lists.items[place[earlier]++] = later;
  for (std::size_t i = 0; i < operations; ++i) {
    std::sort(lists.items.begin() + lists.first[i], lists.items.begin() + lists.first[i + 1]);
  }
}

}  // namespace

Schedule ScheduleBuilder::build() && {
  Schedule made;
  made.file_ = file_;
  std::size_t all = 0;
  for (const RankBuilder& rank : ranks_) all += rank.operations_.size();
  if (all >= std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(fmt::format("a schedule of {} operations is too large", all));
  }
  made.operations_.reserve(all);
  made.wait_counts_.assign(all, 0);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> starts;
  for (RankBuilder& rank : ranks_) {
    const auto first = static_cast<std::uint32_t>(made.operations_.size());
    made.operations_.insert(made.operations_.end(), rank.operations_.begin(),
                            rank.operations_.end());
    made.first_.push_back(static_cast<std::uint32_t>(made.operations_.size()));
    for (const Dependency& one : rank.dependencies_) {
      if (std::max(one.later, one.earlier) >= rank.operations_.size()) {
        throw std::logic_error("a dependency on an operation that its rank does not have");
      }
      ++made.wait_counts_[first + one.later];
      (one.on_start ? starts : ends).emplace_back(first + one.earlier, first + one.later);
    }
    rank = {};
  }
  fill_lists(made.after_end_, all, ends);
  fill_lists(made.after_start_, all, starts);
  check_order(made);
  check_partners(made);
  return made;
}

}  // namespace weir::workload
