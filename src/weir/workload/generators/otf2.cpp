#include <fmt/format.h>

#include "weir/base/keys.hpp"
#include "weir/workload/otf2/schedule.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload {
namespace {

struct Otf2Settings {
  FilePath file;
  Bytes ring_from{10'000};
  bool counts_members = true;
  bool splits_evenly = false;
};

const WorkloadRegistration kOtf2(
    workload_registry(),
    {"otf2",
     "OTF2 archive of an MPI program, as Score-P records it: messages and collective operations, "
     "and the time between calls of MPI as computation",
     "eschweiler2012otf2; thakur2005collectives"},
    Keys<Otf2Settings>{
        key(&Otf2Settings::file, "file", "anchor file of the archive, as in 'run/traces.otf2'")
            .required(),
        key(&Otf2Settings::ring_from, "ring_from",
            "size of the vector from which an all-reduce goes in rings; smaller ones are done by "
            "recursive doubling")
            .at_least(0),
        choice(&Otf2Settings::counts_members, "collective_sizes",
               "what sizes of ALLREDUCE, ALLGATHER and REDUCE_SCATTER count: score-p, what a rank "
               "has for each member of the communicator; buffer, its buffer once",
               {{"score-p", true}, {"buffer", false}}),
        choice(&Otf2Settings::splits_evenly, "uneven",
               "what becomes of ALLTOALLV and ALLTOALLW, of which a trace has only sums: error; "
               "even, each rank sends the same to all others",
               {{"error", false}, {"even", true}})},
    [](const Checked<Otf2Settings>& settings, const RankCount& count) {
      const Otf2Trace trace = read_otf2(settings->file.name);
      if (count.is_given && count.ranks != trace.ranks.size()) {
        throw settings.error(
            &Otf2Settings::file,
            fmt::format("has {} ranks, not {} as `ranks` says", trace.ranks.size(), count.ranks));
      }
      return schedule_of(
          trace, {settings->ring_from.count, settings->counts_members, settings->splits_evenly});
    });

}  // namespace
}  // namespace weir::workload
