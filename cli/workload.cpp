#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>

#include "commands.hpp"
#include "output.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/workload/goal.hpp"
#include "weir/workload/workload.hpp"

namespace weir::cli {
namespace {

struct WorkloadOptions {
  std::string name;
  std::size_t ranks = 0;
  std::string output;
  std::vector<std::string> set;
};

/// What stands before .RANK.et or .RANK.json; nothing of other files.
std::optional<std::string> chakra_traces(const std::string& file) {
  const std::filesystem::path path = std::filesystem::absolute(file);
  if (path.extension() != ".et" && path.extension() != ".json") return std::nullopt;
  return path.parent_path() / path.stem().stem();
}

/// Keys of the model; a name that is a file is one of GOAL, or of the traces of a program.
ConfigTable keys_of(WorkloadOptions& options) {
  ConfigTable keys;
  for (const std::string& one : options.set) {
    experiment::lay_over(keys, experiment::parse_override(one));
  }
  std::error_code ignored;
  if (std::filesystem::is_regular_file(options.name, ignored)) {
    const auto traces = chakra_traces(options.name);
    const std::string file = traces ? *traces : std::filesystem::absolute(options.name).string();
    keys.set("file", ConfigValue(file, {}));
    const bool is_archive = std::filesystem::path(file).extension() == ".otf2";
    options.name = traces ? "chakra" : is_archive ? "otf2" : "goal";
  }
  return keys;
}

void print_numbers(const workload::Schedule& schedule) {
  std::uint64_t receives = 0;
  std::int64_t longest = 0;  // ns
  for (std::size_t r = 0; r < schedule.rank_count(); ++r) {
    std::int64_t computing = 0;
    for (const workload::Operation& one : schedule.operations(workload::RankId(r))) {
      if (one.kind == workload::OperationKind::receive) ++receives;
      if (one.kind == workload::OperationKind::calculation) computing += one.amount;
    }
    longest = std::max(longest, computing);
  }
  print_columns({{"ranks", with_commas(schedule.rank_count())},
                 {"operations", with_commas(schedule.size())},
                 {"messages", with_commas(schedule.message_count())},
                 {"bytes", to_string(Bytes(schedule.message_bytes()))},
                 {"longest computation", to_string(nanoseconds(longest))}});
}

workload::Schedule read_standard_input(const WorkloadOptions& options) {
  if (!options.set.empty()) throw InputError("--set: standard input is GOAL, which has no keys");
  workload::Schedule schedule = workload::read_goal(std::cin, experiment::kStandardInput);
  if (options.ranks > 0 && options.ranks != schedule.rank_count()) {
    throw InputError(fmt::format("--ranks: standard input has {} ranks, not {}",
                                 schedule.rank_count(), options.ranks));
  }
  return schedule;
}

workload::Schedule make_schedule(WorkloadOptions options) {
  if (experiment::is_standard_input(options.name)) return read_standard_input(options);
  const ConfigTable keys = keys_of(options);
  const auto& model = workload::workload_registry().find(options.name, {}, "workload");
  const Settings settings = Settings::check(keys, model.info.parameters, "workload");
  const bool has_ranks = options.ranks > 0;
  const bool is_recorded =
      options.name == "goal" || options.name == "chakra" || options.name == "otf2";
  if (!has_ranks && !is_recorded) {
    throw InputError("--ranks is missing: the processes of the program");
  }
  return model.make(settings, {options.ranks, has_ranks});
}

int show(const WorkloadOptions& options) {
  const workload::Schedule schedule = make_schedule(options);
  if (options.output.empty()) {
    print_numbers(schedule);
  } else {
    write_file(options.output, workload::to_goal(schedule));
  }
  return kDone;
}

}  // namespace

void add_workload(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "workload", "Numbers of a parallel program's schedule; write it as GOAL text");
  auto options = std::make_shared<WorkloadOptions>();
  command
      ->add_option(
          "NAME", options->name,
          "a workload (weir list workload), or a file in GOAL (-: standard input) or of Chakra "
          "traces (.RANK.et, .RANK.json) or an archive of OTF2 (.otf2), which is checked")
      ->required();
  command->add_option("--ranks", options->ranks, "processes of the program")
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--set", options->set, "key=value of the workload (weir describe NAME)")
      ->take_all()
      ->expected(1);
  command->add_option("-o,--output", options->output, "GOAL file to write (-: standard output)");
  command->callback([options, &action] { action = [options] { return show(*options); }; });
}

}  // namespace weir::cli
