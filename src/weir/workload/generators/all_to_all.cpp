#include "weir/workload/program.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload {
namespace {

/// In step i every rank sends to the i-th rank behind it and receives from the i-th before it.
void exchange(RankProgram& program, std::int64_t bytes, bool in_steps) {
  const std::size_t n = program.rank_count();
  const std::size_t r = program.rank();
  for (std::size_t i = 1; i < n; ++i) {
    program.send(bytes, (r + i) % n);
    program.receive(bytes, (r + n - i) % n);
    if (in_steps) program.next_step();
  }
}

struct AllToAllSettings : MessageRoundSettings {
  bool in_steps = true;
};

const WorkloadRegistration kAllToAll(
    workload_registry(),
    {"all-to-all", "every rank sends a message to every other one",
     "thakur2005collectives; rocher2021, section 4.2.2"},
    Keys<AllToAllSettings>{
        key(&AllToAllSettings::bytes, "bytes", "size of each message").required(),
        order_key(&AllToAllSettings::in_steps)}
        .with(round_keys()),
    [](const Checked<AllToAllSettings>& settings, const RankCount& count) {
      return write_rounds(*settings, count.ranks, [&](RankProgram& program) {
        exchange(program, settings->bytes.count, settings->in_steps);
      });
    });

}  // namespace
}  // namespace weir::workload
