#include "weir/workload/collectives.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload {
namespace {

const WorkloadRegistration kRingAllGather(
    workload_registry(),
    {"ring-all-gather",
     "every rank gets the data of all others, passed on in a ring of n - 1 steps",
     "thakur2005collectives"},
    message_round_keys("size of the data that every rank has at first, and of each message"),
    [](const Checked<MessageRoundSettings>& settings, const RankCount& count) {
      return write_rounds(*settings, count.ranks, [&](RankProgram& program) {
        ring_all_gather(program, settings->bytes.count);
      });
    });

}  // namespace
}  // namespace weir::workload
