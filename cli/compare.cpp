#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "campaign.hpp"
#include "commands.hpp"
#include "experiments_folder.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "results.hpp"
#include "weir/base/error.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/store/results_store.hpp"
#include "weir/report/figure/figure.hpp"
#include "weir/report/gnuplot/gnuplot.hpp"
#include "weir/report/table/ranking.hpp"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;
using experiment::RunRecord;
using experiment::Variant;
using report::Ranking;
using report::RankingSpec;

constexpr const char* kChoice = "mechanism";
constexpr std::int64_t kSeeds = 5;

struct CompareOptions {
  std::string file;
  std::string mechanisms;
  std::vector<std::string> only;
  std::string baseline = "none";
  std::string measure;
  std::string cost;
  std::string plot;
  std::string folder;
  std::vector<std::string> set;
  std::string format = "table";
  bool is_without_report = false;
  CampaignChoices campaign;
};

/// Why mechanisms take no part, by name.
using LeftOut = std::vector<std::pair<std::string, std::string>>;

/// Null: it takes part.
const std::string* reason_for(const LeftOut& left_out, const std::string& name) {
  const auto it = std::find_if(left_out.begin(), left_out.end(),
                               [&](const auto& one) { return one.first == name; });
  return it == left_out.end() ? nullptr : &it->second;
}

ConfigArray mechanisms_of(const CompareOptions& options) {
  const std::string path =
      options.mechanisms.empty()
          ? (fs::path(experiments_folder()) / "compare" / "_mechanisms.toml").string()
          : options.mechanisms;
  const ConfigTable file = experiment::read_experiment(path);
  const ConfigValue* list = file.find("case");
  if (list == nullptr) {
    throw InputError(path + ": has no [[case]]s; each of them is a mechanism");
  }
  for (const ConfigEntry& entry : file.entries()) {
    if (entry.key == "case") continue;
    throw InputError(entry.value.position, entry.key,
                     "a list of mechanisms has nothing but [[case]]s: name and set");
  }
  ConfigArray all;
  std::vector<std::string> known;
  for (const ConfigValue& value : list->array()) {
    ConfigTable one = value.table();
    one.set("group", ConfigValue(std::string(kChoice), value.position));
    const ConfigValue* name = one.find("name");
    known.push_back(name != nullptr && name->is_text() ? name->text() : "");
    const bool is_wanted =
        options.only.empty() || known.back() == options.baseline ||
        std::find(options.only.begin(), options.only.end(), known.back()) != options.only.end();
    if (is_wanted) all.emplace_back(std::move(one), value.position);
  }
  std::vector<std::string> wanted = options.only;
  wanted.push_back(options.baseline);
  for (const std::string& name : wanted) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw InputError(
        fmt::format("no mechanism in {} is called '{}'{}", path, name, suggestion(name, known)));
  }
  return all;
}

/// What the file is about: messages beside hot ones, a workload, or all messages.
MetricName measure_of(const CompareOptions& options, const ConfigTable& file) {
  if (!options.measure.empty()) return parse_metric_name(options.measure, {}, "--by");
  const auto has_role = [&](const char* role) {
    const auto is_of_it = [&](const ConfigValue& one) {
      const ConfigValue* its = one.is_table() ? one.table().find("role") : nullptr;
      return its != nullptr && its->is_text() && its->text() == role;
    };
    for (const char* section : {"traffic", "flow"}) {
      const ConfigValue* list = file.find(section);
      if (list == nullptr || !list->is_array()) continue;
      if (std::any_of(list->array().begin(), list->array().end(), is_of_it)) return true;
    }
    return false;
  };
  if (has_role("cold")) return {"slowdown_p99", "cold"};
  if (file.find("workload") != nullptr) return {"execution_time", ""};
  return {"slowdown_p99", ""};
}

/// Other cases of the file need a group, for each of which mechanisms are ranked apart.
ConfigArray own_cases(const ConfigTable& file) {
  const ConfigValue* own = file.find("case");
  if (own == nullptr || !own->is_array()) return {};
  for (const ConfigValue& one : own->array()) {
    const ConfigValue* group = one.is_table() ? one.table().find("group") : nullptr;
    if (group == nullptr || !group->is_text() || group->text() == kChoice) {
      throw InputError(one.position, "case",
                       "`weir compare` makes the cases; those of the file need a `group` of "
                       "another name than \"mechanism\", for which mechanisms are ranked apart");
    }
  }
  return own->array();
}

/// What all mechanisms have alike unless the file says otherwise: of itself each brings the switch
/// and the source queues that it was made for.
std::vector<std::pair<std::string, ConfigValue>> common_ground(const SourcePosition& position) {
  const auto text = [&](const char* value) { return ConfigValue(std::string(value), position); };
  return {{"switch.architecture", text("cioq")},
          {"switch.speedup", ConfigValue(std::int64_t{2}, position)},
          {"host.source_queues", text("per-destination")},
          {"metrics.slowdown", ConfigValue(true, position)},
          {"replicate.seeds", ConfigValue(kSeeds, position)}};
}

/// A bar for each mechanism.
ConfigTable bars_of(const MetricName& measure, bool has_groups, const SourcePosition& position) {
  const auto text = [&](const std::string& value) { return ConfigValue(value, position); };
  ConfigTable plot;
  plot.set("figure", text("ranking"));
  plot.set("metric", text(to_string(measure)));
  plot.set("x", text(has_groups ? kChoice : "case"));
  plot.set("draw", text("bars"));
  plot.set("y_scale", text("log"));
  return plot;
}

/// A point for each mechanism: how much better than the baseline it is, over what it costs.
ConfigTable points_of(const RankingSpec& spec, const MetricName& cost, bool has_groups,
                      const SourcePosition& position) {
  const auto text = [&](const std::string& value) { return ConfigValue(value, position); };
  ConfigTable plot;
  plot.set("figure", text("help-against-cost"));
  plot.set("title", text("Help against cost"));
  plot.set("metric", text(to_string(spec.measure)));
  plot.set("x", text(to_string(cost)));
  plot.set("draw", text("points"));
  if (has_groups) plot.set("along", text(kChoice));
  plot.set("baseline", text(spec.baseline));
  plot.set("y_scale", text("log"));
  return plot;
}

/// The user's file with a case for each mechanism, and with what a comparison needs.
ConfigTable with_mechanisms(ConfigTable file, const ConfigArray& mechanisms,
                            const RankingSpec& spec, const MetricName& cost) {
  ConfigArray cases = own_cases(file);
  const bool has_groups = !cases.empty();
  cases.insert(cases.end(), mechanisms.begin(), mechanisms.end());
  file.set("case", ConfigValue(std::move(cases), file.position));
  const bool has_architecture = experiment::find_value(file, "switch.architecture") != nullptr;
  for (const auto& [key, value] : common_ground(file.position)) {
    if (experiment::find_value(file, key) != nullptr) continue;
    if (key == "switch.speedup" && has_architecture) continue;
    experiment::lay_over(file, experiment::nested(key, value));
  }
  if (file.find("plot") == nullptr) {
    const SourcePosition& at = file.position;
    file.set("plot",
             ConfigValue(ConfigArray{ConfigValue(points_of(spec, cost, has_groups, at), at),
                                     ConfigValue(bars_of(spec.measure, has_groups, at), at)},
                         at));
  }
  return file;
}

std::string mechanism_of(const Variant& variant) {
  for (const auto& [name, value] : variant.settings) {
    if (name == kChoice) return value;
  }
  return variant.case_name;
}

/// Leaves out mechanisms that do not go with the file. Throws the error of the baseline: then it is
/// the file that is wrong.
std::vector<Variant> possible(const std::vector<Variant>& all, const std::string& baseline,
                              LeftOut& left_out) {
  for (const Variant& variant : all) {
    const std::string name = mechanism_of(variant);
    if (reason_for(left_out, name) != nullptr) continue;
    try {
      (void)experiment::resolve(variant.table);
    } catch (const InputError& error) {
      if (name == baseline) throw;
      left_out.emplace_back(name, error.what());
    }
  }
  std::vector<Variant> some;
  for (const Variant& variant : all) {
    if (reason_for(left_out, mechanism_of(variant)) == nullptr) some.push_back(variant);
  }
  return some;
}

std::vector<MetricName> help_columns(const MetricName& measure) {
  const std::string& label = measure.label;
  return {{"slowdown_p50", label},     {"slowdown_p99", "victim"},
          {"behind_hot_mean", "cold"}, {"victims_by_waiting_share", "cold"},
          {"source_rate_mean", label}, {"message_completion_max", "hot"},
          {"execution_time", ""},      {"messages_unfinished", ""}};
}

const std::vector<MetricName>& cost_columns() {
  static const std::vector<MetricName> all{{"queues_per_port", ""}, {"cam_lines_per_port", ""},
                                           {"memory_per_port", ""}, {"queues_per_host", ""},
                                           {"source_memory", ""},   {"reorder_memory_host", ""},
                                           {"overhead_share", ""},  {"out_of_order_share", ""}};
  return all;
}

/// What the figure has across. Throws InputError for what is no cost.
MetricName cost_of(const CompareOptions& options) {
  if (options.cost.empty()) return {"queues_per_port", ""};
  const MetricName cost = parse_metric_name(options.cost, {}, "--cost");
  if (report::better_of(cost) == report::Better::lower) return cost;
  std::vector<std::string> rows;
  for (const MetricName& row : cost_columns()) rows.push_back(row.metric);
  throw InputError(fmt::format("--cost: '{}' is no cost, of which less is better; the bill has {}",
                               options.cost, fmt::join(rows, ", ")));
}

/// The file that --plot names: a name and a format.
struct PlotFile {
  fs::path folder;
  std::string name;
  std::string format;
};

std::optional<PlotFile> plot_file_of(const CompareOptions& options) {
  if (options.plot.empty()) return std::nullopt;
  const fs::path path(options.plot);
  const std::string ending = path.extension().string();
  const std::vector<std::string> known{"svg", "png", "pdf", "gp"};
  PlotFile file{path.parent_path(), path.stem().string(), ending.empty() ? "" : ending.substr(1)};
  if (std::find(known.begin(), known.end(), file.format) != known.end()) return file;
  throw InputError(fmt::format("--plot: '{}' ends in none of .{}{}", options.plot,
                               fmt::join(known, ", ."), suggestion(file.format, known)));
}

/// Names of what no other mechanism beats in both help and cost, ranking by ranking.
void print_fronts(const report::Figure& figure, const MetricName& cost) {
  for (const report::FigurePanel& panel : figure.panels) {
    std::vector<std::string> names;
    for (const std::size_t i : panel.front) names.push_back(panel.lines[i].label);
    if (names.empty()) continue;
    const std::string at = panel.title.empty() ? "" : panel.title + ": ";
    say("\n{}\n", wrapped(fmt::format("{}By help and {} nothing beats {} (the Pareto front).", at,
                                      to_string(cost), fmt::join(names, "; ")),
                          line_width(), 0));
  }
}

std::string heading_of(const Ranking& ranking, const RankingSpec& spec) {
  std::string at;
  for (const auto& [name, value] : ranking.at) {
    at += fmt::format("{}{} = {}", at.empty() ? "" : ", ", name, value);
  }
  const std::string by =
      fmt::format("{}By {}, {} is better; ", at.empty() ? "" : at + ". ", to_string(spec.measure),
                  report::is_lower_better(spec.measure) ? "lower" : "higher");
  if (ranking.draws < 2) {
    return by + "of a single draw, which tells nobody from anybody (--set replicate.seeds=5).\n";
  }
  return by + fmt::format(
                  "means of {} draws with 95 % intervals. Equal ranks: the draws do not tell "
                  "them from the first of the rank.\n",
                  ranking.draws);
}

std::string left_out_text(const LeftOut& left_out) {
  std::string text;
  for (const auto& [name, why] : left_out) {
    text += wrapped(fmt::format("  {}: {}", name, why), line_width(), 4) + "\n";
  }
  return text.empty() ? "" : "\nLeft out, since they do not go with this file:\n" + text;
}

nlohmann::json number(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

nlohmann::json to_json(const Ranking& ranking) {
  nlohmann::json choices = nlohmann::json::array();
  for (const report::RankedChoice& choice : ranking.choices) {
    nlohmann::json one{{"mechanism", choice.name}};
    if (choice.rank > 0) one["rank"] = choice.rank;
    if (choice.gain) {
      one["times_better"] = {number(choice.gain->mean), number(choice.gain->low),
                             number(choice.gain->high)};
    }
    for (const metrics::Scalar& scalar : choice.means.result.scalars) {
      one["metrics"][to_string(scalar.name)] = {number(scalar.value), number(scalar.half_width)};
    }
    choices.push_back(std::move(one));
  }
  nlohmann::json at = nlohmann::json::object();
  for (const auto& [name, value] : ranking.at) at[name] = value;
  return {{"at", std::move(at)}, {"draws", ranking.draws}, {"choices", std::move(choices)}};
}

std::string json_of(const std::vector<Ranking>& all, const RankingSpec& spec,
                    const LeftOut& left_out) {
  nlohmann::json rankings = nlohmann::json::array();
  for (const Ranking& one : all) rankings.push_back(to_json(one));
  nlohmann::json out_of_it = nlohmann::json::object();
  for (const auto& [name, why] : left_out) out_of_it[name] = why;
  const nlohmann::json out{{"measure", to_string(spec.measure)},
                           {"lower_is_better", report::is_lower_better(spec.measure)},
                           {"baseline", spec.baseline},
                           {"rankings", std::move(rankings)},
                           {"left_out", std::move(out_of_it)}};
  return out.dump(2) + "\n";
}

/// Mechanisms whose networks could not be made are left out, too.
std::vector<RunRecord> take_records(experiment::CampaignResult& result, LeftOut& left_out) {
  for (const experiment::CampaignRun& run : result.runs) {
    if (!run.record || !run.is_input_error) continue;
    const std::string name = report::choice_of(*run.record, kChoice);
    if (reason_for(left_out, name) == nullptr) left_out.emplace_back(name, run.record->error);
  }
  std::vector<RunRecord> records;
  for (RunRecord& record : result.take_records()) {
    const bool takes_part = reason_for(left_out, report::choice_of(record, kChoice)) == nullptr;
    if (takes_part) records.push_back(std::move(record));
  }
  return records;
}

void print_rankings(const std::vector<Ranking>& all, const RankingSpec& spec,
                    const std::vector<MetricName>& columns) {
  for (const Ranking& one : all) {
    say("{}\n", wrapped(heading_of(one, spec), line_width(), 0));
    say(std::string_view(report::ranking_table(one, spec, columns, has_color(), table_width())));
    say("\nWhat it costs:\n\n");
    say(std::string_view(
        report::bill_table(one, spec, cost_columns(), has_color(), table_width())));
  }
}

/// Nothing where the runs do not have both numbers. `is_asked`: then that is an error.
std::optional<report::Figure> points_figure(const report::PlotSpec& spec,
                                            const std::vector<RunRecord>& records, bool is_asked) {
  try {
    return report::make_figure(spec, records);
  } catch (const InputError&) {
    if (is_asked) throw;
    return std::nullopt;
  }
}

void draw_into(report::Figure figure, const PlotFile& file, bool is_told) {
  figure.name = file.name;
  for (const std::string& path : report::draw(figure, {file.format}, file.folder.string())) {
    if (is_told) say("Drawn:   {}\n", path);
  }
}

int compare(const CompareOptions& options) {
  std::vector<ConfigTable> overrides;
  for (const std::string& one : options.set) overrides.push_back(experiment::parse_override(one));
  ConfigTable written = experiment::read_experiment(options.file);
  const RankingSpec spec{kChoice, options.baseline, measure_of(options, written)};
  (void)report::is_lower_better(spec.measure);
  const MetricName cost = cost_of(options);
  const std::optional<PlotFile> plot_file = plot_file_of(options);
  const report::PlotSpec points = report::PlotSpec::read(
      points_of(spec, cost, !own_cases(written).empty(), written.position), "plot");
  const experiment::ExperimentFile file(
      with_mechanisms(std::move(written), mechanisms_of(options), spec, cost), overrides);
  LeftOut left_out;
  const std::vector<Variant> variants = possible(file.variants(), options.baseline, left_out);
  const experiment::Configuration first = experiment::resolve(variants.front().table);
  const std::string folder =
      options.folder.empty() ? "results/" + first.name + "-compared" : options.folder;
  const ResultsWriter writer(first, variants.front(), folder, ResultsWriter::Exports::only_given);
  experiment::ResultsStore store((fs::path(folder) / "results.sqlite").string(),
                                 experiment::ResultsStore::Mode::create);
  experiment::CampaignResult result = run_plan(variants, store, options.campaign);
  const std::string failures = failures_text(result, options.campaign);
  const bool is_whole = result.unfinished() == 0;
  const std::vector<RunRecord> records = take_records(result, left_out);
  if (const std::string* why = reason_for(left_out, options.baseline)) throw InputError(*why);
  if (records.empty() || !is_whole) {
    fmt::print(stderr, "{}", failures);
    return kRunFailed;
  }
  std::vector<MetricName> columns = read_columns(first);
  if (columns.empty()) columns = help_columns(spec.measure);
  const std::vector<Ranking> all = report::rankings(records, spec);
  const auto figure = points_figure(points, records, !options.cost.empty() || plot_file);
  if (options.format == "json") {
    say(std::string_view(json_of(all, spec, left_out)));
  } else {
    say("{}\n\n", first.title.empty() ? first.name : first.name + ": " + first.title);
    print_rankings(all, spec, columns);
    if (figure) print_fronts(*figure, cost);
    say(std::string_view(left_out_text(left_out)));
  }
  finish_output();
  const bool has_failed = std::any_of(records.begin(), records.end(),
                                      [](const auto& one) { return one.status != "done"; });
  if (has_failed) fmt::print(stderr, "{}", failures);
  write_files(writer, records, store, !options.is_without_report, folder, options.format != "json");
  if (plot_file) draw_into(*figure, *plot_file, options.format != "json");
  return has_failed ? kRunFailed : kDone;
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "compare", "Rank mechanisms on a fabric and its traffic: what helps most, what it costs");
  auto options = std::make_shared<CompareOptions>();
  command->add_option("FILE", options->file, "experiment file with fabric and traffic")->required();
  command->add_option("--only", options->only, "these mechanisms, and the baseline")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--mechanisms", options->mechanisms,
                      "list of mechanisms: a file of [[case]]s (default: the shipped "
                      "compare/_mechanisms.toml)");
  command->add_option("--baseline", options->baseline,
                      "mechanism that the others are compared with");
  command->add_option("--by", options->measure,
                      "metric that decides (default: slowdown_p99 of cold traffic, the execution "
                      "time of a workload, or slowdown_p99 of all)");
  command->add_option("--cost", options->cost,
                      "row of the bill that help is drawn against (default: queues_per_port)");
  command->add_option("--plot", options->plot,
                      "file to draw help against cost into: .svg, .png, .pdf, .gp");
  command->add_option("-o,--output", options->folder,
                      "folder for results (default: results/NAME-compared)");
  command->add_option("--set", options->set, "key=value, over the file: replicate.seeds=20")
      ->take_all()
      ->expected(1);
  add_campaign_options(*command, options->campaign);
  command->add_option("--format", options->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}));
  command->add_flag("--no-report", options->is_without_report, "no report.html beside the results");
  command->callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace weir::cli
