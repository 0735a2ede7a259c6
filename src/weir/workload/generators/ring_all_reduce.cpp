#include "weir/workload/collectives.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload {
namespace {

const WorkloadRegistration kRingAllReduce(
    workload_registry(),
    {"ring-all-reduce", "sum over all ranks in a ring of 2(n - 1) steps", "patarasuk2009ring",
     with_rounds(
         {Parameter::of(ParameterType::bytes, "bytes",
                        "size of the vector that every rank has; a message carries 1/n of it")
              .required()})},
    [](const Settings& settings, const RankCount& count) {
      const std::int64_t bytes = settings.bytes("bytes").count;
      return write_rounds(settings, count.ranks,
                          [&](RankProgram& program) { ring_all_reduce(program, bytes); });
    });

}  // namespace
}  // namespace weir::workload
