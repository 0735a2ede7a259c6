#include "weir/experiment/claims/assumption.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "weir/base/catalog.hpp"
#include "weir/experiment/claims/means.hpp"
#include "weir/experiment/claims/plan.hpp"
#include "weir/experiment/config/keys.hpp"

namespace weir::experiment::claims {
namespace {

using Type = ParameterType;

const std::vector<Parameter>& assumption_parameters() {
  static const std::vector<Parameter> parameters{
      Parameter::of(Type::text, "key", "dotted, as in an experiment file").required(),
      Parameter::of(Type::any, "value", "that experiments have").required(),
      Parameter::of(Type::text, "origin", "where the value comes from")
          .required()
          .one_of({"published", "calibrated", "chosen"}),
      Parameter::of(Type::text, "source", "where it is printed, which unknown settles it, or why")
          .required(),
      Parameter::of(Type::texts, "experiments", "that have it; none: at least one of all")
          .by_default("[]")};
  return parameters;
}

Origin origin_called(const std::string& name) {
  for (const Origin origin : {Origin::published, Origin::calibrated, Origin::chosen}) {
    if (to_string(origin) == name) return origin;
  }
  throw std::logic_error("no such origin");
}

}  // namespace

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

Assumption read_assumption(const ConfigTable& table, std::size_t index) {
  const std::string where = fmt::format("assumption[{}]", index);
  const Settings settings = Settings::check(table, assumption_parameters(), where);
  Assumption out;
  out.key = settings.text("key");
  out.value = settings.raw("value");
  out.origin = origin_called(settings.text("origin"));
  out.source = settings.text("source");
  out.experiments = settings.texts("experiments");
  out.position = table.position;
  return out;
}

}  // namespace weir::experiment::claims
