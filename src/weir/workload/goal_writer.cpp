#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "weir/workload/goal.hpp"

namespace weir::workload {
namespace {

using Out = std::back_insert_iterator<std::string>;

void write_operation(Out out, const Operation& one) {
  switch (one.kind) {
    case OperationKind::calculation:
      fmt::format_to(out, "calc {}", one.amount);
      break;
    case OperationKind::send:
      fmt::format_to(out, "send {}b to {}", one.amount, one.peer);
      break;
    case OperationKind::receive:
      fmt::format_to(out, "recv {}b from {}", one.amount, goal_number(one.peer));
      break;
  }
  if (one.kind != OperationKind::calculation && one.tag != 0) {
    fmt::format_to(out, " tag {}", goal_number(one.tag));
  }
  if (one.cpu != 0) fmt::format_to(out, " cpu {}", one.cpu);
  if (one.nic != 0) fmt::format_to(out, " nic {}", one.nic);
  *out++ = '\n';
}

}  // namespace

std::string to_goal(const Schedule& schedule) {
  std::string text = fmt::format("num_ranks {}\n", schedule.rank_count());
  const Out out = std::back_inserter(text);
  for (std::size_t r = 0; r < schedule.rank_count(); ++r) {
    const std::uint32_t first = schedule.first(RankId(r));
    const auto label = [&](std::uint32_t operation) { return operation - first + 1; };
    const std::uint32_t end = schedule.first(RankId(r + 1));
    fmt::format_to(out, "\nrank {} {{\n", r);
    for (std::uint32_t i = first; i < end; ++i) {
      fmt::format_to(out, "l{}: ", label(i));
      write_operation(out, schedule[i]);
    }
    for (std::uint32_t i = first; i < end; ++i) {
      for (const std::uint32_t later : schedule.after_end(i)) {
        fmt::format_to(out, "l{} requires l{}\n", label(later), label(i));
      }
      for (const std::uint32_t later : schedule.after_start(i)) {
        fmt::format_to(out, "l{} irequires l{}\n", label(later), label(i));
      }
    }
    text += "}\n";
  }
  return text;
}

}  // namespace weir::workload
