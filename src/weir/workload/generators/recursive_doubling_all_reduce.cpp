#include "weir/workload/collectives.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload {
namespace {

const WorkloadRegistration kRecursiveDoublingAllReduce(
    workload_registry(),
    {"recursive-doubling-all-reduce", "sum over all ranks by exchanges at distances 1, 2, 4, ...",
     "thakur2005collectives"},
    message_round_keys("size of the vector that every rank has, and of each message"),
    [](const Checked<MessageRoundSettings>& settings, const RankCount& count) {
      return write_rounds(*settings, count.ranks, [&](RankProgram& program) {
        recursive_doubling_all_reduce(program, settings->bytes.count);
      });
    });

}  // namespace
}  // namespace weir::workload
