// GOAL schedules, text or binary: any bytes are read or refused with an InputError, and what was
// read is whole: written out again it reads back to the same schedule.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "weir/workload/goal.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const weir::workload::Schedule& schedule) {
  std::uint64_t waits = 0;
  std::uint64_t followers = 0;
  for (std::uint32_t i = 0; i < schedule.size(); ++i) {
    const weir::workload::Operation& one = schedule[i];
    require(one.amount >= 0);
    const bool is_message = one.kind != weir::workload::OperationKind::calculation;
    require(!is_message || one.peer == weir::workload::kAny || one.peer < schedule.rank_count());
    waits += schedule.wait_count(i);
    followers += schedule.after_end(i).size() + schedule.after_start(i).size();
  }
  require(waits == followers);
  require(weir::workload::parse_goal(to_goal(schedule), "again.goal") == schedule);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const bool is_binary = weir::workload::is_goal_binary(text);
    check(is_binary ? weir::workload::parse_goal_binary(text, "fuzz.bin")
                    : weir::workload::parse_goal(text, "fuzz.goal"));
  } catch (const weir::InputError&) {
    // Refused, as it should be.
  }
  return 0;
}
