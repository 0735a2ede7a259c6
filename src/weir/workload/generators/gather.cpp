#include <fmt/format.h>

#include "weir/workload/program.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload {
namespace {

struct GatherSettings : MessageRoundSettings {
  std::size_t root = 0;
};

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
    {"gather", "all ranks send a message to one rank, together: an incast",
     "thakur2005collectives"},
    Keys<GatherSettings>{
        key(&GatherSettings::bytes, "bytes", "size of each message").required(),
        key(&GatherSettings::root, "root", "rank that receives the messages").at_least(0)}
        .with(round_keys()),
    [](const Checked<GatherSettings>& settings, const RankCount& count) {
      const std::size_t root = settings->root;
      if (root >= count.ranks) {
        throw settings.error(&GatherSettings::root,
                             fmt::format("there is no rank {} of {}", root, count.ranks));
      }
      return write_rounds(*settings, count.ranks, [&](RankProgram& program) {
        gather(program, settings->bytes.count, root);
      });
    });

}  // namespace
}  // namespace weir::workload
