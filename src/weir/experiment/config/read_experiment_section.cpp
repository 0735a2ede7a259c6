#include "weir/experiment/config/read_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/run_kind.hpp"

namespace weir::experiment {
namespace {

bool is_plain(char c) { return static_cast<unsigned char>(c) > 0x20 && c != '/' && c != 0x7F; }

std::string default_name(const ConfigTable& table) {
  const std::string file = table.position.file ? *table.position.file : "experiment";
  std::string stem = std::filesystem::path(file).stem().string();
  std::erase_if(stem, [](char c) { return c == '<' || c == '>'; });  // of "<stdin>"
  for (char& c : stem) c = is_plain(c) ? c : '-';
  return stem.empty() || stem[0] == '.' ? "experiment" : stem;
}

void check_name(const Checked<ExperimentKeys>& keys) {
  const std::string& name = keys->name;
  const bool all_plain = std::all_of(name.begin(), name.end(), is_plain);
  if (name.empty() || !all_plain || name == "." || name == "..") {
    throw keys.error(&ExperimentKeys::name,
                     "must be a word without blanks and '/': a folder is called so");
  }
}

/// "drained", "workload", or what precision ends the run. Puts the table with its defaults into
/// `resolved`.
void read_until(const Checked<ExperimentKeys>& keys, ConfigTable& resolved, Configuration& out) {
  if (!keys->until) return;
  const ConfigValue& value = *keys->until;
  if (value.is_text() && value.text() == "drained") {
    out.until_drained = true;
    return;
  }
  if (value.is_text() && value.text() == "workload") {
    out.until_workload = true;
    return;
  }
  if (!value.is_table()) {
    throw keys.error(&ExperimentKeys::until,
                     "must be \"drained\", \"workload\" or a table, as in { delivered = "
                     "\"hot\" } or { metric = \"latency_mean\", relative_half_width = 0.05 }");
  }
  const ConfigTable table = placed_table(value);
  if (table.find("delivered") != nullptr) {
    out.until_delivered = read_delivered(table);
    ConfigTable own;  // the other keys mean nothing beside it
    own.set("delivered", *table.find("delivered"));
    resolved.set("until", ConfigValue(std::move(own), value.position));
  } else {
    out.until_precise = read_precision(table);
    resolved.set("until",
                 ConfigValue(out.until_precise->keys.settings().resolved(), value.position));
  }
  if (out.duration) return;
  throw keys.error(&ExperimentKeys::duration, "is missing: `until` needs a longest time to try");
}

/// A search in place of a plain simulation. Puts the table with its defaults into `resolved`.
void read_find(const Checked<ExperimentKeys>& keys, ConfigTable& resolved, Configuration& out) {
  if (!keys->find) return;
  const ConfigValue& value = *keys->find;
  ConfigTable table;
  table.position = value.position;
  if (value.is_text()) {
    table.set("goal", value);
  } else if (value.is_table()) {
    table = placed_table(value);
  } else {
    throw keys.error(&ExperimentKeys::find,
                     "must be \"saturation\" or a table, as in { goal = "
                     "\"saturation\", high = 0.8 }");
  }
  out.find = find_keys().check(table, "experiment.find");
  resolved.set("find", ConfigValue(out.find->settings().resolved(), value.position));
  if (out.kind_name != "simulation") {
    throw keys.error(
        &ExperimentKeys::find,
        "searches by simulations, not in an experiment of kind \"" + out.kind_name + "\"");
  }
  out.kind = &run_kind_registry().find((*out.find)->goal, {}, "experiment.find.goal").make;
}

}  // namespace

std::string experiment_name(const ConfigTable& table) {
  const ConfigValue* name = find_value(table, "experiment.name");
  return name != nullptr && name->is_text() ? name->text() : default_name(table);
}

void read_experiment_section(const ConfigTable& table, Configuration& out) {
  const Checked<ExperimentKeys> keys =
      read_with_default(experiment_keys(), table, "experiment", "name", default_name(table));
  check_name(keys);
  out.name = keys->name;
  out.title = keys->title;
  out.threads =
      keys->threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : keys->threads;
  out.duration = keys->duration;
  ConfigTable resolved = keys.settings().resolved();
  read_until(keys, resolved, out);
  out.detect_warmup = keys->warmup.is_auto;
  out.warmup = keys->warmup.time;
  out.kind_name = keys->kind;
  out.kind = &run_kind_registry().find(out.kind_name, table.position, "experiment.kind").make;
  read_find(keys, resolved, out);
  if (out.kind->simulates && !out.duration && !out.until_drained && !out.until_workload) {
    throw keys.error(&ExperimentKeys::duration,
                     R"(is missing; say how long, as in "1 ms", or until = "drained")");
  }
  if (out.duration && out.warmup >= *out.duration) {
    throw keys.error(&ExperimentKeys::warmup,
                     fmt::format("{} leaves nothing of the duration, {}", to_string(out.warmup),
                                 to_string(*out.duration)));
  }
  out.resolved.set("experiment", ConfigValue(std::move(resolved), table.position));
  out.fabric.seed = keys->seed;
}

}  // namespace weir::experiment
