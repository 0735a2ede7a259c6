#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "weir/experiment/claims/document.hpp"
#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/variants.hpp"

namespace weir::experiment::claims {

/// The runs of an experiment at one scale. A point is a case at one combination of swept values,
/// with all its seeds.
class Plan {
 public:
  struct Point {
    std::string case_name;
    std::vector<std::pair<std::string, std::string>> settings;  ///< swept keys with their values
    ConfigTable resolved;                                       ///< of its first run
    std::vector<std::size_t> runs;                              ///< indices into variants()
  };

  /// Reads the experiment file, makes the changes that are about its runs, and checks all runs.
  /// Throws InputError, also when there are changes and none is about any run.
  Plan(const DocumentExperiment& experiment, Scale scale, const std::vector<Change>& changes = {});

  [[nodiscard]] const std::vector<Variant>& variants() const { return variants_; }
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  /// Configuration of the first run.
  [[nodiscard]] const Configuration& first() const { return first_; }
  [[nodiscard]] const ConfigTable& overrides() const { return overrides_; }
  /// What a run measures depends on its seed.
  [[nodiscard]] bool is_drawn() const { return is_drawn_; }
  [[nodiscard]] std::size_t draws() const;  ///< of a point, the most

 private:
  void add_points(const std::vector<Change>& changes);

  std::vector<Variant> variants_;
  std::vector<Point> points_;
  Configuration first_;
  ConfigTable overrides_;
  bool is_drawn_ = false;
  bool is_changed_ = false;
};

/// Which points a claim needs, for each combination of its readings and its grid.
struct Selection {
  struct Selected {
    const ClaimReading* reading = nullptr;  ///< of the claim
    Combination at;                         ///< the reading, and grid keys with their values
    std::vector<std::size_t> points;        ///< of each value of the claim, into Plan::points()
  };
  std::vector<Selected> combinations;

  /// Runs of all these points, indices into Plan::variants(), in order, each once.
  [[nodiscard]] std::vector<std::size_t> runs(const Plan& plan) const;
};

/// Finds them. Throws InputError at the case, key or value of claims.toml that selects no point or
/// several.
Selection select(const Claim& claim, const Plan& plan);

}  // namespace weir::experiment::claims
