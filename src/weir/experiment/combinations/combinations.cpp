#include "weir/experiment/combinations/combinations.hpp"

#include <algorithm>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment {
namespace {

void lay_text(ConfigTable& experiment, const std::string& toml) {
  lay_over(experiment, expanded(parse_toml(toml, "combination")));
}

std::optional<std::string> refusal_of(const ConfigTable& experiment) {
  try {
    const Configuration configuration = resolve(experiment);
    const Simulation simulation(configuration, make_network(configuration));
    return std::nullopt;
  } catch (const InputError& error) {
    return error.key().empty() ? error.message() : error.key() + ": " + error.message();
  }
}

/// One of its needs for each part.
using Choice = std::vector<std::size_t>;

/// Counts on like a number whose digits are the needs of the parts. False: that was the last.
bool to_next(Choice& choice, const std::vector<const Part*>& parts) {
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (++choice[p] < parts[p]->needs.size()) return true;
    choice[p] = 0;
  }
  return false;
}

/// What parts are goes over what they need. Where needs contradict each other, those of the parts
/// behind hold.
ConfigTable put_together(const std::vector<const Part*>& parts, const Choice& choice,
                         bool is_backward) {
  ConfigTable experiment = parse_experiment(small_experiment(), "combination");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t p = is_backward ? parts.size() - 1 - i : i;
    lay_text(experiment, parts[p]->needs[choice[p]]);
  }
  for (const Part* part : parts) lay_text(experiment, part->own);
  return experiment;
}

/// Presets choose models of these themselves: what a file says of them takes the preset's place.
bool are_the_same_choice(const Dimension& a, const Dimension& b) {
  const auto is_pair = [&](const char* one, const char* other) {
    return (a.name == one && b.name == other) || (a.name == other && b.name == one);
  };
  return is_pair("preset", "marking") || is_pair("preset", "reaction");
}

}  // namespace

Combination check_combination(const std::vector<const Part*>& parts) {
  std::optional<Combination> first;
  for (const bool is_backward : {false, true}) {
    Choice choice(parts.size(), 0);
    do {
      Combination tried{put_together(parts, choice, is_backward), {}};
      tried.refusal = refusal_of(tried.experiment);
      if (!tried.refusal) return tried;
      if (!first) first = std::move(tried);
    } while (to_next(choice, parts));
    if (parts.size() < 2) break;
  }
  return std::move(*first);
}

int CombinationMatrix::size() const {
  return static_cast<int>(rows->parts.size() * columns->parts.size());
}

int CombinationMatrix::working() const {
  int count = 0;
  for (const std::vector<Combination>& row : cells) {
    count += static_cast<int>(std::count_if(
        row.begin(), row.end(), [](const Combination& one) { return !one.refusal.has_value(); }));
  }
  return count;
}

std::vector<std::pair<const Dimension*, const Dimension*>> pairs_of(
    const std::vector<Dimension>& all) {
  std::vector<std::pair<const Dimension*, const Dimension*>> pairs;
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = a + 1; b < all.size(); ++b) {
      if (are_the_same_choice(all[a], all[b])) continue;
      const bool is_a_longer = all[a].parts.size() >= all[b].parts.size();
      pairs.emplace_back(&all[is_a_longer ? a : b], &all[is_a_longer ? b : a]);
    }
  }
  return pairs;
}

CombinationMatrix check_pair(const Dimension& rows, const Dimension& columns) {
  CombinationMatrix matrix{&rows, &columns, {}};
  for (const Part& row : rows.parts) {
    std::vector<Combination>& cells = matrix.cells.emplace_back();
    for (const Part& column : columns.parts) cells.push_back(check_combination({&row, &column}));
  }
  return matrix;
}

}  // namespace weir::experiment
