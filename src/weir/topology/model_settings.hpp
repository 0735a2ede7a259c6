#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/topology/topology.hpp"

namespace weir::topology {

/// Limits that every generator keeps to.
inline constexpr std::int64_t kMaxPorts = 256;
inline constexpr std::int64_t kMaxHosts = std::int64_t{1} << 24;
inline constexpr std::int64_t kMaxSwitches = std::int64_t{1} << 22;

/// `stage_rates` and `stage_delays`, for families whose cables come in stages.
std::vector<Parameter> with_stage_parameters(std::vector<Parameter> parameters);

/// One LinkSpec a stage: `link`, changed by `stage_rates` and `stage_delays` where given. Throws
/// InputError when a list has not `stages` entries or an entry is no rate or time.
std::vector<LinkSpec> stage_links(const Settings& settings, const LinkSpec& link,
                                  std::size_t stages);

/// `link`, changed by an optional rate and an optional delay parameter.
LinkSpec changed_link(const Settings& settings, LinkSpec link, std::string_view rate_name,
                      std::string_view delay_name);

/// An integer parameter as int; the parameter's range must keep it in bounds.
int small(const Settings& settings, std::string_view name);
/// A list of integers as ints, each checked to be 1 to 2^24.
std::vector<int> positive_list(const Settings& settings, std::string_view name);

/// Runs `make` and gives an InputError that it throws the place of parameter `name`.
template <class Make>
auto at_parameter(const Settings& settings, std::string_view name, Make make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw settings.error(name, error.what());
  }
}

}  // namespace weir::topology
