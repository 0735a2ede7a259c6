#include "weir/experiment/claims/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "weir/experiment/claims/claim_keys.hpp"

namespace weir::experiment::claims {
namespace {

using Form = Expectation::Form;
constexpr double kRounding = 1e-9;

const ConfigTable& table_at(const Checked<ClaimKeys>& claim, ConfigValue ClaimKeys::*member) {
  const ConfigValue& value = (*claim).*member;
  if (!value.is_table()) {
    throw claim.error(member, fmt::format("must be a table, not {}", value.kind_name()));
  }
  return value.table();
}

/// One of them.
struct Stated {
  std::optional<double> is;
  std::optional<double> at_least;
  std::optional<double> at_most;
  std::optional<double> above;
  std::optional<double> below;
  std::optional<std::vector<double>> between;
};

constexpr std::array kFormsWithANumber{
    std::pair(&Stated::is, Form::is), std::pair(&Stated::at_least, Form::at_least),
    std::pair(&Stated::at_most, Form::at_most), std::pair(&Stated::above, Form::above),
    std::pair(&Stated::below, Form::below)};

const Keys<Stated>& stated_keys() {
  static const Keys<Stated> keys{key(&Stated::is, "is", "the number itself"),
                                 key(&Stated::at_least, "at_least", "the least number"),
                                 key(&Stated::at_most, "at_most", "the largest number"),
                                 key(&Stated::above, "above", "what all numbers are above"),
                                 key(&Stated::below, "below", "what all numbers are below"),
                                 key(&Stated::between, "between", "both limits")};
  return keys;
}

void read_form(const Checked<ClaimKeys>& claim, Expectation& out) {
  const auto at = &ClaimKeys::expect;
  const ConfigTable& table = table_at(claim, at);
  const auto given = stated_keys().check(table, claim.path_to(at));
  if (table.entries().size() != 1) {
    throw claim.error(at, "must have exactly one of is, at_least, at_most, above, below, between");
  }
  for (const auto& [member, form] : kFormsWithANumber) {
    const std::optional<double>& number = (*given).*member;
    if (!number) continue;
    out.form = form;
    out.value = *number;
  }
  if (!given->between) return;
  const std::vector<double>& limits = *given->between;
  if (limits.size() != 2 || limits[0] > limits[1]) {
    throw given.error(&Stated::between, "must be two numbers, the smaller first, as in [0.9, 1.1]");
  }
  out.form = Form::between;
  out.value = limits[0];
  out.upper = limits[1];
}

void read_tolerance(const Checked<ClaimKeys>& claim, Expectation& out) {
  static const Keys<Tolerance> keys{
      key(&Tolerance::relative, "relative", "of the stated number").at_least(0),
      key(&Tolerance::absolute, "absolute", "in the claim's unit").at_least(0),
      key(&Tolerance::factor, "factor", "so many times less or more").at_least(1),
      key(&Tolerance::because, "because", "why it is needed")};
  const auto at = &ClaimKeys::tolerance;
  const auto given = keys.check(table_at(claim, at), claim.path_to(at));
  static_cast<Tolerance&>(out) = *given;
  if (int(out.relative.has_value()) + int(out.absolute.has_value()) + int(out.factor.has_value()) >
      1) {
    throw claim.error(at, "must be one of relative, absolute and factor");
  }
  if (out.factor && out.form == Form::is && out.value <= 0) {
    throw given.error(&Tolerance::factor, "needs an expected number above 0");
  }
}

}  // namespace

bool Range::contains(double number) const {
  const bool is_above = without_lowest ? number > lowest : number >= lowest;
  const bool is_below = without_highest ? number < highest : number <= highest;
  return is_above && is_below;  // never NaN
}

bool Range::is_apart_from(double from, double to) const {
  const bool is_below = without_lowest ? to <= lowest : to < lowest;
  const bool is_above = without_highest ? from >= highest : from > highest;
  return is_below || is_above;
}

double Range::distance(double number) const {
  return std::min(std::fabs(number - lowest), std::fabs(number - highest));
}

Range Expectation::accepted() const {
  const auto down = [&](double stated) {
    if (factor) return stated / *factor - kRounding * std::fabs(stated);
    return stated - absolute.value_or(0) - (relative.value_or(0) + kRounding) * std::fabs(stated);
  };
  const auto up = [&](double stated) {
    if (factor) return stated * *factor + kRounding * std::fabs(stated);
    return stated + absolute.value_or(0) + (relative.value_or(0) + kRounding) * std::fabs(stated);
  };
  // Without a tolerance the limit of `above` and `below` itself does not do.
  Range out;
  switch (form) {
    case Form::is:
      out.lowest = down(value);
      out.highest = up(value);
      return out;
    case Form::at_least:
      out.lowest = down(value);
      return out;
    case Form::at_most:
      out.highest = up(value);
      return out;
    case Form::above:
      out.lowest = has_tolerance() ? down(value) : value;
      out.without_lowest = true;
      return out;
    case Form::below:
      out.highest = has_tolerance() ? up(value) : value;
      out.without_highest = true;
      return out;
    case Form::between:
      out.lowest = down(value);
      out.highest = up(upper);
      return out;
  }
  throw std::logic_error("no such expectation");
}

Expectation read_expectation(const Checked<ClaimKeys>& claim) {
  Expectation out;
  read_form(claim, out);
  read_tolerance(claim, out);
  if (!claim->counts() || !out.has_tolerance()) return out;
  if (out.form != Form::is) {
    throw claim.error(&ClaimKeys::tolerance,
                      "widens a limit that the document states: only 'is' can have one");
  }
  if (out.because.empty()) {
    throw claim.error(&ClaimKeys::tolerance, R"(needs its reason: because = "read from a figure")");
  }
  return out;
}

}  // namespace weir::experiment::claims
