#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "commands.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "results.hpp"
#include "weir/experiment/campaign/runner.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/report/table/export.hpp"
#include "weir/report/table/replications.hpp"
#include "weir/report/table/text_table.hpp"

namespace weir::cli {
namespace {

using experiment::RunRecord;

struct QueueOptions {
  std::string name;  ///< model or file
  std::vector<std::string> set;
  std::string seed;
  std::string format = "table";
  std::int64_t simulate = -1;
  std::int64_t states = -1;
  unsigned jobs = 0;
  std::vector<std::string> rest;  ///< --key value of the model
  bool is_help = false;
};

SourcePosition position_of_option(const std::string& option) {
  return {std::make_shared<const std::string>(option), 0, 0};
}

/// "--arrival-rate" is arrival_rate.
std::string key_of(const std::string& option) {
  std::string key = option.substr(2);
  std::replace(key.begin(), key.end(), '-', '_');
  return key == "scv" ? "arrival_scv" : key;
}

bool is_list(const ModelInfo& model, const std::string& key) {
  return std::any_of(model.parameters.begin(), model.parameters.end(), [&](const Parameter& p) {
    return p.name == key && (p.type == ParameterType::reals || p.type == ParameterType::integers);
  });
}

/// Numbers as people type them, ".5" too; else as in TOML.
ConfigValue value_of(const std::string& key, const std::string& text) {
  const auto is_all = [&](const std::from_chars_result& parsed) {
    return parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size();
  };
  std::int64_t integer = 0;
  if (is_all(std::from_chars(text.data(), text.data() + text.size(), integer)))
    return {integer, {}};
  double number = 0;
  const bool is_number = is_all(std::from_chars(text.data(), text.data() + text.size(), number));
  if (is_number && std::isfinite(number)) return {number, {}};
  const ConfigTable one = experiment::parse_override(key + "=" + text);
  return *one.find(key);
}

/// Keys of the model from "--key value" or "--key=value"; lists as 8,16,12.
void read_options(const ModelInfo& model, const std::vector<std::string>& words,
                  ConfigTable& keys) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) throw InputError("'" + words[i] + "' belongs to no option");
    const std::size_t equals = words[i].find('=');
    const std::string option = words[i].substr(0, equals);
    std::string value;
    if (equals != std::string::npos) {
      value = words[i].substr(equals + 1);
    } else if (++i < words.size()) {
      value = words[i];
    } else {
      throw InputError(option + ": its value is missing");
    }
    const std::string key = key_of(option);
    if (is_list(model, key) && !value.starts_with('[')) value = "[" + value + "]";
    ConfigValue parsed = value_of(key, value);
    parsed.position = position_of_option(option);
    keys.set(key, std::move(parsed));
    keys.entries().back().key_position = position_of_option(option);
  }
}

/// An experiment of one run, from options.
ConfigTable table_of_options(const QueueOptions& options) {
  const auto& model = analysis::queue_registry().find(options.name, {}, "queue").info;
  ConfigTable keys;
  keys.position = position_of_option("weir queue " + options.name);
  keys.set("model", ConfigValue(options.name, keys.position));
  read_options(model, options.rest, keys);
  ConfigTable experiment;
  experiment.set("name", ConfigValue(options.name, keys.position));
  experiment.set("kind", ConfigValue(std::string("queue"), keys.position));
  ConfigTable table;
  table.position = keys.position;
  table.set("experiment", ConfigValue(std::move(experiment), table.position));
  table.set("queue", ConfigValue(std::move(keys), table.position));
  return table;
}

ConfigTable table_of(const QueueOptions& options) {
  std::error_code ignored;
  if (!experiment::is_standard_input(options.name) &&
      !std::filesystem::is_regular_file(options.name, ignored) &&
      !options.name.ends_with(".toml")) {
    return table_of_options(options);
  }
  if (!options.rest.empty()) {
    throw InputError("'" + options.rest.front() +
                     "' belongs to no option of a file (--set queue.KEY=VALUE changes its keys)");
  }
  return experiment::read_experiment(options.name);
}

std::vector<ConfigTable> overrides(const QueueOptions& options) {
  std::vector<ConfigTable> tables;
  const auto add = [&](const std::string& text) {
    tables.push_back(experiment::parse_override(text));
  };
  for (const std::string& one : options.set) add(one);
  if (!options.seed.empty()) add("experiment.seed=" + options.seed);
  if (options.simulate >= 0) add(fmt::format("queue.simulate={}", options.simulate));
  if (options.states >= 0) add(fmt::format("queue.states={}", options.states));
  return tables;
}

/// A line a measure: the model, the simulation with its interval, the document's error measure.
std::string table_of_measures(const RunRecord& run) {
  constexpr std::string_view kSimulated = "simulated_";
  report::TextTable table;
  const auto has_simulation =
      std::any_of(run.result.scalars.begin(), run.result.scalars.end(),
                  [&](const auto& s) { return s.name.metric.starts_with(kSimulated); });
  table.add_column("measure", report::Align::left);
  table.add_column("model", report::Align::right);
  if (has_simulation) {
    table.add_column("simulation", report::Align::right);
    table.add_column("error measure", report::Align::right);
  }
  const auto has_model = [&](const MetricName& name) {
    return run.result.scalar(name.metric.substr(kSimulated.size()), name.label) != nullptr;
  };
  for (const metrics::Scalar& scalar : run.result.scalars) {
    const MetricName& name = scalar.name;
    if (name.metric == "error_measure") continue;
    if (name.metric.starts_with(kSimulated)) {
      if (has_model(name)) continue;
      // Measured where the equations say nothing.
      table.add_row({report::title_of(name), "-",
                     report::format_interval(scalar.value, scalar.half_width, "1"), "-"});
      continue;
    }
    std::vector<std::string> cells{report::title_of(name), fmt::format("{:.6g}", scalar.value)};
    for (const metrics::Scalar& other : run.result.scalars) {
      if (other.name.metric != std::string(kSimulated) + name.metric ||
          other.name.label != name.label) {
        continue;
      }
      cells.push_back(report::format_interval(other.value, other.half_width, "1"));
      const std::string label = name.label.empty() ? name.metric : name.metric + " " + name.label;
      const double* error = run.result.scalar("error_measure", label);
      cells.push_back(error == nullptr ? "-" : fmt::format("{:.2f} %", *error * 100));
    }
    table.add_row(std::move(cells));
  }
  std::string text = table.render({has_color(), table_width(), 1});
  for (const std::string& note : run.result.notes) text += "note: " + note + "\n";
  return text;
}

/// With what the model says beside the simulation where the file names no columns.
std::string table_of_runs(const std::vector<RunRecord>& runs,
                          const experiment::Configuration& first) {
  std::vector<MetricName> columns = read_columns(first);
  if (columns.empty()) columns = report::default_columns(runs);
  return report::summary_table(runs, columns, has_color(), table_width());
}

/// The options of the command, and those of the model.
int help(const QueueOptions& options, const std::string& usage) {
  say(std::string_view(usage));
  if (options.name.empty() || experiment::is_standard_input(options.name) ||
      options.name.ends_with(".toml")) {
    say("\nweir queue MODEL --help lists the keys of a model, weir list queue the models.\n");
    return kDone;
  }
  (void)analysis::queue_registry().find(options.name, {}, "MODEL");
  say("\nKeys of the model, as options: --arrival-rate 4, --rates 8,16,12\n");
  print_model("queue", options.name);
  return kDone;
}

int run(const QueueOptions& options) {
  if (options.name.empty()) {
    throw InputError("MODEL is missing: weir list queue shows the models (weir queue --help)");
  }
  const experiment::ExperimentFile file(table_of(options), overrides(options));
  const std::vector<experiment::Variant> variants = file.variants();
  const experiment::Configuration first = experiment::resolve(variants.front().table);
  if (first.kind_name != "queue") {
    throw InputError(
        experiment::position_of(first.source, "experiment.kind"), "experiment.kind",
        fmt::format("is \"{}\", not \"queue\": weir run carries it out", first.kind_name));
  }
  experiment::RunOptions how;
  how.jobs = options.jobs;
  how.interrupt = &watch_interrupts();
  std::vector<RunRecord> runs;
  int status = kDone;
  for (auto& outcome : experiment::run_all(variants, how, {})) {
    if (!outcome.record || outcome.record->status != "done") status = kRunFailed;
    if (outcome.record) runs.push_back(std::move(*outcome.record));
  }
  if (options.format == "json") {
    say(std::string_view(report::to_json(runs, report::JsonParts{})));
  } else if (runs.size() == 1 && runs.front().status == "done" && read_columns(first).empty()) {
    say(std::string_view(table_of_measures(runs.front())));
  } else {
    say(std::string_view(table_of_runs(runs, first)));
  }
  return status;
}

}  // namespace

void add_queue(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "queue", "Solve a queueing model: measures by its equations, and simulated beside them");
  auto options = std::make_shared<QueueOptions>();
  command->add_option(
      "MODEL", options->name,
      "a model (see weir list queue) whose keys follow as options: weir queue ge "
      "--arrival-rate 4 --scv 5 --service-rate 8 --service-scv 7 --capacity 8; or an "
      "experiment file of the kind \"queue\" (-: standard input)");
  command->add_option("--simulate", options->simulate, "arrivals to simulate beside the model")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--states", options->states, "show P(n packets) for n below this")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--set", options->set, "key=value, over the file")->take_all()->expected(1);
  command->add_option("--seed", options->seed, "of the simulation");
  command->add_option("--jobs,-j", options->jobs, "runs at a time (default: one a core)")
      ->check(CLI::Range(1, 4096));
  command->add_option("--format", options->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}));
  command->allow_extras();
  command->set_help_flag();
  command->add_flag("-h,--help", options->is_help, "this, and with MODEL its keys");
  command->callback([options, command, &action] {
    options->rest = command->remaining();
    if (options->is_help) {
      action = [options, usage = fitted_help(command->help("weir"))] {
        return help(*options, usage);
      };
    } else {
      action = [options] { return run(*options); };
    }
  });
}

}  // namespace weir::cli
