#include "weir/experiment/claims/assumption.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "weir/experiment/claims/means.hpp"
#include "weir/experiment/claims/plan.hpp"
#include "weir/experiment/config/keys.hpp"

namespace weir::experiment::claims {
namespace {

Choice<Origin> origin_choice(Origin origin) { return {to_string(origin), origin}; }

}  // namespace

const Keys<Assumption>& assumption_keys() {
  using K = Assumption;
  static const Keys<K> keys{
      key(&K::key, "key", "dotted, as in an experiment file").required(),
      key(&K::value, "value", "that experiments have").required(),
      choice(&K::origin, "origin", "where the value comes from",
             {origin_choice(Origin::published), origin_choice(Origin::calibrated),
              origin_choice(Origin::chosen)})
          .required(),
      key(&K::source, "source", "where it is printed, which unknown settles it, or why").required(),
      key(&K::experiments, "experiments", "that have it; none: at least one of all")};
  return keys;
}

std::string_view to_string(Origin origin) {
  switch (origin) {
    case Origin::published:
      return "published";
    case Origin::calibrated:
      return "calibrated";
    case Origin::chosen:
      return "chosen";
  }
  throw std::logic_error("no such origin");
}

bool Assumption::concerns(const std::string& experiment) const {
  return experiments.empty() ||
         std::find(experiments.begin(), experiments.end(), experiment) != experiments.end();
}

bool Assumption::is_met(const Plan& plan) const {
  return std::any_of(plan.points().begin(), plan.points().end(), [&](const Plan::Point& point) {
    const ConfigValue* own = find_value(point.resolved, key);
    return own != nullptr && means(value, *own);
  });
}

}  // namespace weir::experiment::claims
