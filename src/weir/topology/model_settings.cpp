#include "weir/topology/model_settings.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "weir/base/error.hpp"

namespace weir::topology {

std::vector<Parameter> with_stage_parameters(std::vector<Parameter> parameters) {
  parameters.push_back(
      Parameter::of(ParameterType::texts, "stage_rates",
                    "rate of the cables below each stage, host cables first (default: as [link])"));
  parameters.push_back(Parameter::of(
      ParameterType::texts, "stage_delays",
      "propagation delay of the cables below each stage, host cables first (default: as [link])"));
  return parameters;
}

namespace {

/// Calls `apply(stage, text)` for each entry of an optional list of one text a stage.
template <class Apply>
void for_each_stage(const Settings& settings, std::string_view name, std::size_t stages,
                    Apply apply) {
  if (!settings.has(name)) return;
  const std::vector<std::string> texts = settings.texts(name);
  if (texts.size() != stages) {
    throw settings.error(name, fmt::format("has {} entries; this network has {} stages of cables",
                                           texts.size(), stages));
  }
  for (std::size_t s = 0; s < stages; ++s) {
    try {
      apply(s, texts[s]);
    } catch (const std::invalid_argument& error) {
      throw settings.error(name, error.what());
    }
  }
}

}  // namespace

std::vector<LinkSpec> stage_links(const Settings& settings, const LinkSpec& link,
                                  std::size_t stages) {
  std::vector<LinkSpec> links(stages, link);
  for_each_stage(settings, "stage_rates", stages, [&](std::size_t s, const std::string& text) {
    links[s].rate = parse_rate(text);
    if (links[s].rate.count <= 0) throw settings.error("stage_rates", "a rate must be positive");
  });
  for_each_stage(settings, "stage_delays", stages, [&](std::size_t s, const std::string& text) {
    links[s].delay = parse_time(text);
    links[s].has_own_delay = true;
    if (links[s].delay.count < 0) throw settings.error("stage_delays", "a delay is negative");
  });
  return links;
}

LinkSpec changed_link(const Settings& settings, LinkSpec link, std::string_view rate_name,
                      std::string_view delay_name) {
  if (settings.has(rate_name)) link.rate = settings.rate(rate_name);
  if (settings.has(delay_name)) {
    link.delay = settings.time(delay_name);
    link.has_own_delay = true;
  }
  if (link.rate.count <= 0) throw settings.error(rate_name, "a rate must be positive");
  return link;
}

int small(const Settings& settings, std::string_view name) {
  const std::int64_t value = settings.integer(name);
  if (value < 0 || value > kMaxHosts) {
    throw settings.error(name, fmt::format("must be 0 to {}, not {}", kMaxHosts, value));
  }
  return static_cast<int>(value);
}

std::vector<int> positive_list(const Settings& settings, std::string_view name) {
  std::vector<int> list;
  for (const std::int64_t value : settings.integers(name)) {
    if (value < 1 || value > kMaxHosts) {
      throw settings.error(name, fmt::format("entries must be 1 to {}, not {}", kMaxHosts, value));
    }
    list.push_back(static_cast<int>(value));
  }
  return list;
}

}  // namespace weir::topology
