#include "weir/workload/collectives.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload {
namespace {

const WorkloadRegistration kRingAllGather(
    workload_registry(),
    {"ring-all-gather",
     "every rank gets the data of all others, passed on in a ring of n - 1 steps",
     "thakur2005collectives",
     with_rounds(
         {Parameter::of(ParameterType::bytes, "bytes",
                        "size of the data that every rank has at first, and of each message")
              .required()})},
    [](const Settings& settings, const RankCount& count) {
      const std::int64_t bytes = settings.bytes("bytes").count;
      return write_rounds(settings, count.ranks,
                          [&](RankProgram& program) { ring_all_gather(program, bytes); });
    });

}  // namespace
}  // namespace weir::workload
