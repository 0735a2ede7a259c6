#include "weir/workload/chakra/schedule.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <optional>

#include "weir/base/keys.hpp"
#include "weir/workload/goal_limits.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload {
namespace {

namespace fs = std::filesystem;

struct ChakraSettings {
  FilePath file;
  std::optional<FilePath> groups;
  bool has_rings = true;
  double operations_per_ns = 0;
};

/// N of PREFIX.N.ENDING.
std::optional<std::size_t> rank_in(const std::string& name, const std::string& prefix,
                                   const std::string& ending) {
  if (!name.starts_with(prefix + ".") || !name.ends_with(ending)) return std::nullopt;
  const std::size_t begin = prefix.size() + 1;
  if (name.size() <= begin + ending.size()) return std::nullopt;
  const char* last = name.data() + name.size() - ending.size();
  std::size_t rank = 0;
  const auto parsed = std::from_chars(name.data() + begin, last, rank);
  if (parsed.ec != std::errc() || parsed.ptr != last) return std::nullopt;
  return rank;
}

/// Files PREFIX.0.et, PREFIX.1.et, .. or, where there is none of these, the same with .json.
class TraceFiles {
 public:
  explicit TraceFiles(const std::string& prefix) : prefix_(prefix) {
    for (const char* ending : {".et", ".json"}) {
      ending_ = ending;
      count_ = count();
      if (count_ > 0) return;
    }
    ending_ = ".et";
  }

  /// One more than the highest rank.
  [[nodiscard]] std::size_t ranks() const { return count_; }
  [[nodiscard]] std::string file(std::size_t rank) const {
    return fmt::format("{}.{}{}", prefix_, rank, ending_);
  }

 private:
  [[nodiscard]] std::size_t count() const {
    const fs::path path(prefix_);
    const fs::path folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
    std::size_t most = 0;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
      const auto rank =
          rank_in(entry.path().filename().string(), path.filename().string(), ending_);
      if (rank) most = std::max(most, *rank + 1);
    }
    return most;
  }

  std::string prefix_;
  std::string ending_;
  std::size_t count_ = 0;
};

std::vector<ChakraTrace> read_traces(const Checked<ChakraSettings>& settings,
                                     const RankCount& count) {
  const TraceFiles files(settings->file.name);
  const std::size_t ranks = count.is_given ? count.ranks : files.ranks();
  if (files.ranks() == 0) {
    throw settings.error(
        &ChakraSettings::file,
        fmt::format("there is no {}; `file` is the name of the traces up to .RANK.et or .RANK.json",
                    files.file(0)));
  }
  if (files.ranks() > kMostRanks) {
    throw settings.error(&ChakraSettings::file,
                         fmt::format("has {} ranks; the most is {}", files.ranks(), kMostRanks));
  }
  std::vector<ChakraTrace> traces;
  for (std::size_t r = 0; r < ranks; ++r) {
    std::error_code ignored;
    if (!fs::exists(files.file(r), ignored)) {
      throw settings.error(
          &ChakraSettings::file,
          fmt::format("the trace of rank {} is missing: there is no {} ({} ranks "
                      "are {})",
                      r, files.file(r), ranks, count.is_given ? "asked for" : "there"));
    }
    traces.push_back(read_chakra(files.file(r)));
  }
  if (files.ranks() <= ranks) return traces;
  throw settings.error(&ChakraSettings::file, fmt::format("has traces of {} ranks, not {} as "
                                                          "`ranks` says",
                                                          files.ranks(), ranks));
}

const WorkloadRegistration kChakra(
    workload_registry(),
    {"chakra",
     "execution traces of MLCommons Chakra, one file a rank: computations, messages, collective "
     "operations",
     "sridharan2023chakra"},
    Keys<ChakraSettings>{
        key(&ChakraSettings::file, "file",
            "name of the traces up to .RANK.et (protobuf, gzipped or not) or .RANK.json, as in "
            "'traces/step' for traces/step.0.et")
            .required(),
        key(&ChakraSettings::groups, "groups",
            "JSON file with the ranks of each group that pg_name names, as in {\"1\": [0, 1]}; "
            "none: those that the traces name themselves"),
        choice(&ChakraSettings::has_rings, "all_reduce",
               "how ALL_REDUCE is done: ring, recursive-doubling",
               {{"ring", true}, {"recursive-doubling", false}}),
        key(&ChakraSettings::operations_per_ns, "operations_per_ns",
            "num_ops that a rank does in a ns, for computations without duration; 0: these are "
            "errors")
            .range(0, 1e12)},
    [](const Checked<ChakraSettings>& settings, const RankCount& count) {
      const std::vector<ChakraTrace> traces = read_traces(settings, count);
      ChakraChoices choices{settings->has_rings, settings->operations_per_ns, {}};
      if (settings->groups) {
        try {
          choices.groups = read_chakra_groups(settings->groups->name);
        } catch (const InputError&) {
          throw;
        } catch (const std::runtime_error& problem) {
          throw settings.error(&ChakraSettings::groups, problem.what());
        }
      }
      return schedule_of(traces, choices);
    });

}  // namespace
}  // namespace weir::workload
