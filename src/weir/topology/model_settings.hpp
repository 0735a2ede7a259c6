#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "weir/base/keys.hpp"
#include "weir/topology/import_text.hpp"
#include "weir/topology/topology.hpp"

namespace weir::topology {

/// Limits that every generator keeps to.
inline constexpr std::int64_t kMaxPorts = 256;
inline constexpr std::int64_t kMaxHosts = std::int64_t{1} << 24;
inline constexpr std::int64_t kMaxSwitches = std::int64_t{1} << 22;

/// Of families whose cables come in stages: rates and delays, a text for each stage.
struct StageSettings {
  std::optional<std::vector<std::string>> stage_rates;
  std::optional<std::vector<std::string>> stage_delays;
};
const Keys<StageSettings>& stage_keys();

/// One LinkSpec a stage: `link`, changed by `stage_rates` and `stage_delays` where given. Throws
/// InputError when a list has not `stages` entries or an entry is no rate or time.
std::vector<LinkSpec> stage_links(const Checked<StageSettings>& settings, const LinkSpec& link,
                                  std::size_t stages);
template <class S>
std::vector<LinkSpec> stage_links(const Checked<S>& settings, const LinkSpec& link, int stages) {
  return stage_links(stage_keys().read(settings.settings()), link,
                     static_cast<std::size_t>(stages));
}

/// Where cables differ from [link].
struct OwnLink {
  std::optional<Rate> rate;
  std::optional<Time> delay;
};
/// `host_rate` and `host_delay` of "the host cables".
Keys<OwnLink> own_link_keys(std::string_view prefix, std::string_view cables);

/// `link` with the rate and the delay that the member `own` has.
template <class S>
LinkSpec changed_link(const Checked<S>& settings, OwnLink S::*own, LinkSpec link) {
  const auto& [rate, delay] = (*settings).*own;
  link.rate = rate.value_or(link.rate);
  link.delay = delay.value_or(link.delay);
  link.has_own_delay = link.has_own_delay || delay.has_value();
  // The member is where its first member is, the rate.
  if (link.rate.count <= 0) throw settings.error(own, "a rate must be positive");
  return link;
}

/// A list of integers as ints, each checked to be `low` to `high`.
template <class S, class Owner>
std::vector<int> int_list(const Checked<S>& settings, std::vector<std::int64_t> Owner::*member,
                          std::int64_t low = 1, std::int64_t high = kMaxHosts) {
  std::vector<int> list;
  for (const std::int64_t value : (*settings).*member) {
    if (value < low || value > high) {
      throw settings.error(member,
                           fmt::format("entries must be {} to {}, not {}", low, high, value));
    }
    list.push_back(static_cast<int>(value));
  }
  return list;
}

/// Runs `make` and gives an InputError that it throws the place of a member's key.
template <class S, class Owner, class T, class Make>
auto at_key(const Checked<S>& settings, T Owner::*member, Make make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw settings.error(member, error.what());
  }
}

/// The text of the file that a key names.
template <class S>
std::string text_of(const Checked<S>& settings, FilePath S::*file) {
  return at_key(settings, file, [&] { return read_text_file(((*settings).*file).name); });
}

}  // namespace weir::topology
