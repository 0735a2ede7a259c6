#include "weir/workload/collectives.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload {
namespace {

const WorkloadRegistration kRecursiveDoublingAllReduce(
    workload_registry(),
    {"recursive-doubling-all-reduce", "sum over all ranks by exchanges at distances 1, 2, 4, ...",
     "thakur2005collectives",
     with_rounds({Parameter::of(ParameterType::bytes, "bytes",
                                "size of the vector that every rank has, and of each message")
                      .required()})},
    [](const Settings& settings, const RankCount& count) {
      const std::int64_t bytes = settings.bytes("bytes").count;
      return write_rounds(settings, count.ranks, [&](RankProgram& program) {
        recursive_doubling_all_reduce(program, bytes);
      });
    });

}  // namespace
}  // namespace weir::workload
