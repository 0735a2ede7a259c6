#include "weir/workload/collectives.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload {
namespace {

const WorkloadRegistration kRingAllReduce(
    workload_registry(),
    {"ring-all-reduce", "sum over all ranks in a ring of 2(n - 1) steps", "patarasuk2009ring"},
    message_round_keys("size of the vector that every rank has; a message carries 1/n of it"),
    [](const Checked<MessageRoundSettings>& settings, const RankCount& count) {
      return write_rounds(*settings, count.ranks, [&](RankProgram& program) {
        ring_all_reduce(program, settings->bytes.count);
      });
    });

}  // namespace
}  // namespace weir::workload
