#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/variants.hpp"

namespace weir::experiment {

/// All experiment files that weir ships; a folder's parts that only others include begin with "_".
inline std::vector<std::string> shipped_experiments() {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(WEIR_SOURCE_DIR "/experiments")) {
    const fs::path& path = entry.path();
    if (path.extension() != ".toml" || path.filename().string().starts_with("_")) continue;
    const std::string name = path.filename().string();
    if (name == "claims.toml" || name.starts_with("findings.")) continue;
    files.push_back(path.string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// So many times shorter, with all times and many messages of traffic scaled alike. True: it may
/// be over before anything is sent.
inline bool shorten(ConfigTable& run, std::int64_t times) {
  bool may_compute_only = false;
  for (const char* key : {"experiment.duration", "experiment.warmup", "metrics.bin"}) {
    const ConfigValue* value = find_value(run, key);
    if (value == nullptr || value->text() == "auto") continue;
    const Time shorter = std::max(Time(1), parse_time(value->text()) / times);
    lay_over(run, nested(key, ConfigValue(to_string(shorter), {})));
  }
  // A search finds no load that so short runs deliver: its run at the load of the file.
  run.find("experiment")->table().erase("find");
  const ConfigValue* until = find_value(run, "experiment.until");
  if (until != nullptr && until->is_text() && until->text() == "workload") {
    may_compute_only = true;
    lay_over(run, nested("experiment.duration", ConfigValue(std::string("0.2 ms"), {})));
  }
  if (find_value(run, "queue.simulate") != nullptr)
    lay_over(run, nested("queue.simulate", ConfigValue(std::int64_t{10'000}, {})));
  if (!run.contains("traffic")) return may_compute_only;  // a network, flows, or a queue
  for (ConfigValue& entry : std::get<ConfigArray>(run.find("traffic")->data)) {
    for (const char* key : {"start", "stop"}) {
      ConfigValue* value = entry.table().find(key);
      if (value != nullptr) value->data = to_string(parse_time(value->text()) / times);
    }
    ConfigValue* messages = entry.table().find("messages");
    if (messages == nullptr) continue;
    std::int64_t& count = std::get<std::int64_t>(messages->data);
    if (count >= 100'000) count /= times;
  }
  return may_compute_only;
}

/// At most so many bins: samples of thousands would take most of the time of a short run.
inline void bound_bins(ConfigTable& run, std::int64_t most) {
  const ConfigValue* duration = find_value(run, "experiment.duration");
  const ConfigValue* bin = find_value(run, "metrics.bin");
  if (duration == nullptr || bin == nullptr) return;
  const Time least = parse_time(duration->text()) / most;
  if (parse_time(bin->text()) < least)
    lay_over(run, nested("metrics.bin", ConfigValue(to_string(least), {})));
}

}  // namespace weir::experiment
