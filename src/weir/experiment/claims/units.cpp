#include "weir/experiment/claims/units.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "weir/base/metric_registry.hpp"

namespace weir::experiment::claims {
namespace {

struct Row {
  const char* name;
  const char* dimension;
  double factor;
};

constexpr const char* kTime = "time";
constexpr const char* kRate = "data rate";
constexpr const char* kData = "data";

constexpr Row kUnits[] = {{"1", "", 1},
                          {"", "", 1},
                          {"%", "", 0.01},
                          {"ps", kTime, 1e-3},
                          {"ns", kTime, 1},
                          {"us", kTime, 1e3},
                          {"ms", kTime, 1e6},
                          {"s", kTime, 1e9},
                          {"bps", kRate, 1e-9},
                          {"Kbps", kRate, 1e-6},
                          {"Mbps", kRate, 1e-3},
                          {"Gbps", kRate, 1},
                          {"Tbps", kRate, 1e3},
                          {"B/s", kRate, 8e-9},
                          {"KB/s", kRate, 8e-6},
                          {"MB/s", kRate, 8e-3},
                          {"GB/s", kRate, 8},
                          {"B/ns", kRate, 8},
                          {"B", kData, 1},
                          {"KB", kData, 1e3},
                          {"MB", kData, 1e6},
                          {"GB", kData, 1e9},
                          {"KiB", kData, 1024},
                          {"MiB", kData, 1024.0 * 1024},
                          {"GiB", kData, 1024.0 * 1024 * 1024}};

const Row* find(std::string_view name) {
  const auto* row = std::find_if(std::begin(kUnits), std::end(kUnits),
                                 [&](const Row& one) { return name == one.name; });
  return row == std::end(kUnits) ? nullptr : row;
}

}  // namespace

Unit find_unit(std::string_view name, const SourcePosition& position, std::string_view key) {
  if (const Row* row = find(name)) return {row->name, row->dimension, row->factor};
  std::vector<std::string> known;
  for (const Row& row : kUnits) {
    if (*row.name != '\0') known.emplace_back(row.name);
  }
  throw InputError(position, key,
                   "no unit is called '" + std::string(name) + "'" + suggestion(name, known));
}

Unit unit_of_metric(std::string_view metric) {
  const std::string& unit = metric_kind(metric).unit;
  if (const Row* row = find(unit)) return {row->name, row->dimension, row->factor};
  return {unit, unit, 1};
}

}  // namespace weir::experiment::claims
