#include <fmt/format.h>

#include "weir/workload/program.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload {
namespace {

std::size_t root_of(const Settings& settings, std::size_t ranks) {
  const auto root = static_cast<std::size_t>(settings.integer("root"));
  if (root < ranks) return root;
  throw settings.error("root", fmt::format("there is no rank {} of {}", root, ranks));
}

void gather(RankProgram& program, std::int64_t bytes, std::size_t root) {
  if (program.rank() != root) {
    program.send(bytes, root);
    return;
  }
  for (std::size_t r = 0; r < program.rank_count(); ++r) {
    if (r != root) program.receive(bytes, r);
  }
}

const WorkloadRegistration kGather(
    workload_registry(),
    {"gather", "all ranks send a message to one rank, together: an incast", "thakur2005collectives",
     with_rounds({Parameter::of(ParameterType::bytes, "bytes", "size of each message").required(),
                  Parameter::of(ParameterType::integer, "root", "rank that receives the messages")
                      .by_default("0")
                      .at_least(0)})},
    [](const Settings& settings, const RankCount& count) {
      const std::int64_t bytes = settings.bytes("bytes").count;
      const std::size_t root = root_of(settings, count.ranks);
      return write_rounds(settings, count.ranks,
                          [&](RankProgram& program) { gather(program, bytes, root); });
    });

}  // namespace
}  // namespace weir::workload
