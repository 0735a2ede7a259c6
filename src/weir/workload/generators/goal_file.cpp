#include <fmt/format.h>

#include "weir/base/keys.hpp"
#include "weir/traffic/column_reader.hpp"
#include "weir/workload/goal.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload {
namespace {

struct GoalSettings {
  FilePath file;
};

Schedule read_file(const Checked<GoalSettings>& settings) {
  const std::string& path = settings->file.name;
  try {
    std::ifstream in = traffic::open_input(path);
    return read_goal(in, path);
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& problem) {
    throw settings.error(&GoalSettings::file, problem.what());
  }
}

const WorkloadRegistration kGoal(
    workload_registry(),
    {"goal",
     "a schedule in GOAL, the text of LogGOPSim and its schedule generators, or what its txt2bin "
     "makes "
     "of it",
     "hoefler2009goal; hoefler2010loggopsim"},
    Keys<GoalSettings>{key(&GoalSettings::file, "file", "file in GOAL, text or binary").required()},
    [](const Checked<GoalSettings>& settings, const RankCount& count) {
      Schedule schedule = read_file(settings);
      if (count.is_given && count.ranks != schedule.rank_count()) {
        throw settings.error(&GoalSettings::file,
                             fmt::format("has {} ranks, not {} as `ranks` says",
                                         schedule.rank_count(), count.ranks));
      }
      return schedule;
    });

}  // namespace
}  // namespace weir::workload
