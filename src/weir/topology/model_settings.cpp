#include "weir/topology/model_settings.hpp"

#include <stdexcept>

namespace weir::topology {

const Keys<StageSettings>& stage_keys() {
  static const Keys<StageSettings> keys{
      key(&StageSettings::stage_rates, "stage_rates",
          "rate of the cables below each stage, host cables first (default: as [link])"),
      key(&StageSettings::stage_delays, "stage_delays",
          "propagation delay of the cables below each stage, host cables first (default: as "
          "[link])")};
  return keys;
}

namespace {

using StageTexts = std::optional<std::vector<std::string>> StageSettings::*;

/// Calls `apply(stage, text)` for each entry of an optional list of one text a stage.
template <class Apply>
void for_each_stage(const Checked<StageSettings>& settings, StageTexts member, std::size_t stages,
                    Apply apply) {
  const auto& texts = (*settings).*member;
  if (!texts) return;
  if (texts->size() != stages) {
    throw settings.error(member, fmt::format("has {} entries; this network has {} stages of cables",
                                             texts->size(), stages));
  }
  for (std::size_t s = 0; s < stages; ++s) {
    try {
      apply(s, (*texts)[s]);
    } catch (const std::invalid_argument& error) {
      throw settings.error(member, error.what());
    }
  }
}

}  // namespace

std::vector<LinkSpec> stage_links(const Checked<StageSettings>& settings, const LinkSpec& link,
                                  std::size_t stages) {
  using K = StageSettings;
  std::vector<LinkSpec> links(stages, link);
  for_each_stage(settings, &K::stage_rates, stages, [&](std::size_t s, const std::string& text) {
    links[s].rate = parse_rate(text);
    if (links[s].rate.count <= 0) throw settings.error(&K::stage_rates, "a rate must be positive");
  });
  for_each_stage(settings, &K::stage_delays, stages, [&](std::size_t s, const std::string& text) {
    links[s].delay = parse_time(text);
    links[s].has_own_delay = true;
    if (links[s].delay.count < 0) throw settings.error(&K::stage_delays, "a delay is negative");
  });
  return links;
}

Keys<OwnLink> own_link_keys(std::string_view prefix, std::string_view cables) {
  return {key(&OwnLink::rate, fmt::format("{}_rate", prefix),
              fmt::format("rate of {} (default: as [link])", cables)),
          key(&OwnLink::delay, fmt::format("{}_delay", prefix),
              fmt::format("delay of {} (default: as [link])", cables))
              .at_least(0)};
}

}  // namespace weir::topology
