#include "weir/experiment/claims/alternatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "weir/base/catalog.hpp"

namespace weir::experiment::claims {
namespace {

/// The unknown of that name, among those that change runs.
const Unknown& laid_over(const Document& document, const std::string& wanted) {
  std::vector<std::string> names;
  for (const Unknown& unknown : document.unknowns) {
    if (!unknown.is_laid_over) continue;
    if (unknown.name == wanted) return unknown;
    names.push_back(unknown.name);
  }
  if (names.empty()) {
    throw InputError(fmt::format("{} has no unknown whose values change runs", document.name));
  }
  throw InputError(fmt::format("{} has no unknown '{}' whose values change runs{}", document.name,
                               wanted, suggestion(wanted, names)));
}

/// Words with hyphens between them.
std::string hyphenated(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

/// The points with the values at which they were measured, of the unknowns about their claim.
void append(Judgement& all, const Judgement& more, const Document& document, const Claim& claim,
            const Combination& choice) {
  Combination at;
  for (const Unknown& unknown : document.unknowns) {
    if (!unknown.is_laid_over || !unknown.concerns(claim.experiment)) continue;
    const auto chosen = std::find_if(choice.begin(), choice.end(),
                                     [&](const auto& one) { return one.first == unknown.name; });
    at.emplace_back(unknown.name,
                    chosen == choice.end() ? unknown.values[unknown.adopted].name : chosen->second);
  }
  for (PointJudgement point : more.points) {
    point.decides = point.decides && choice.empty();
    point.at.insert(point.at.begin(), at.begin(), at.end());
    all.points.push_back(std::move(point));
  }
}

}  // namespace

Combination read_choice(const Document& document, const std::vector<std::string>& texts) {
  Combination choice;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      throw InputError(fmt::format("'{}' must be UNKNOWN=VALUE", text));
    }
    choice.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  check_choice(document, choice);
  return choice;
}

void check_choice(const Document& document, const Combination& choice) {
  for (std::size_t i = 0; i < choice.size(); ++i) {
    const auto& [name, value] = choice[i];
    const Unknown& unknown = laid_over(document, name);
    if (unknown.value_called(value) == unknown.adopted) {
      throw InputError(
          fmt::format("'{}' is the adopted value of '{}': its findings stand in "
                      "findings.toml",
                      value, name));
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (choice[k].first != name) continue;
      throw InputError(fmt::format("'{}' has two values", name));
    }
  }
}

bool concerns(const Document& document, const Combination& choice, const std::string& experiment) {
  return std::all_of(choice.begin(), choice.end(), [&](const auto& one) {
    return laid_over(document, one.first).concerns(experiment);
  });
}

std::vector<Change> changes_of(const Document& document, const Combination& choice) {
  std::vector<Change> all;
  for (const auto& [name, value] : choice) {
    const Unknown& unknown = laid_over(document, name);
    const auto& own = unknown.values[unknown.value_called(value)].changes;
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

std::string findings_file(const Combination& choice) {
  std::string name = "findings";
  for (const auto& [unknown, value] : choice) {
    name += fmt::format(".{}-{}", hyphenated(unknown), hyphenated(value));
  }
  return name + ".toml";
}

Judgement with_alternatives(const Document& document, const Findings& findings,
                            const Claim& claim) {
  const Judgement* standing = findings.standing(claim);
  Judgement all;
  if (standing != nullptr) {
    all = *standing;
    all.points.clear();
    append(all, *standing, document, claim, {});
  }
  for (const Findings& other : findings.alternatives) {
    // What was recorded before an unknown was limited to other experiments says nothing any more.
    if (!concerns(document, other.values, claim.experiment)) continue;
    const Judgement* there = other.standing(claim);
    if (there != nullptr) append(all, *there, document, claim, other.values);
  }
  return all;
}

}  // namespace weir::experiment::claims
