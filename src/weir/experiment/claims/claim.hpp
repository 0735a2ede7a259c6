#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/config.hpp"
#include "weir/base/metric_registry.hpp"
#include "weir/base/units.hpp"
#include "weir/experiment/claims/expectation.hpp"
#include "weir/experiment/claims/expression.hpp"
#include "weir/experiment/claims/units.hpp"
#include "weir/experiment/config/keys.hpp"

namespace weir::experiment::claims {

/// How much of an experiment is run: a short look, or as the publication did.
enum class Scale : std::uint8_t { quick, full };
inline constexpr std::array kScales{Scale::quick, Scale::full};
/// "quick", "full".
[[nodiscard]] std::string_view to_string(Scale scale);

/// Where an expected value is from. Only what the document itself states, and what could have come
/// out otherwise, decides a verdict.
enum class ClaimKind : std::uint8_t {
  published,
  circular,  ///< the document states it, and the model was made so that it agrees
  check,
  calibration,
  derivation,
  completion,
  choice,
};
[[nodiscard]] std::string_view to_string(ClaimKind kind);

/// A set of scales.
struct Scales {
  bool quick = true;
  bool full = true;

  [[nodiscard]] bool has(Scale scale) const { return scale == Scale::quick ? quick : full; }
};

/// One number that a measure is made of: a metric of the runs of one point.
struct ClaimValue {
  enum class Reduce : std::uint8_t { mean, min, max, last };

  std::string name;
  std::string key;  ///< of its table, for messages: "claim[R-01].values.a"
  MetricName metric;
  std::optional<std::string> case_name;
  std::vector<KeyedValue> where;
  bool is_series = false;    ///< reduced over bins of a series
  std::optional<Time> from;  ///< the bins begin there at the earliest
  std::optional<Time> to;    ///< and end there at the latest
  Reduce reduce = Reduce::mean;
  std::optional<double> otherwise;  ///< where there was nothing to measure, in `unit`
  Unit unit;                        ///< in which it enters the measure
  ConfigTable source;               ///< as written, for positions
};

/// Names and keys of what a sentence leaves open, each with one of its values.
using Combination = std::vector<std::pair<std::string, std::string>>;
/// "scheme voqsw, load low".
[[nodiscard]] std::string to_string(const Combination& combination);

/// One way to read the sentence of a claim: about one scheme, one load, one network.
struct ClaimReading {
  Combination names;  ///< ("scheme", "voqsw"), ("load", "low"); empty: the only one
  Expectation expected;
  std::vector<ClaimValue> values;  ///< of all readings the same names and units
};

/// One sentence of a document.
struct Claim {
  /// The mean, least or most of what the measure gives draw by draw; or what it gives with the
  /// means of the values over the draws, as where a document divides means.
  enum class OverSeeds : std::uint8_t { mean, min, max, of_means };

  std::string id;
  std::string experiment;
  std::string statement;
  std::string source;  ///< where the document says so
  ClaimKind kind = ClaimKind::published;
  std::string published;  ///< in words; empty: the expectation's number
  Unit unit;
  std::shared_ptr<const Expression> measure;  ///< over the values of a reading, in their order
  std::vector<ClaimReading> readings;         ///< one at least
  OverSeeds over_seeds = OverSeeds::mean;     ///< which run of a point counts
  std::vector<std::string> grid;              ///< keys that the document leaves open
  Combination adopted;  ///< axes with the values that decide, of the document's unknowns
  SourcePosition grid_position;
  Scales scales;
  std::string one_draw;         ///< why fewer than five draws are enough; empty: they are not
  std::string explanation;      ///< why it does not hold
  std::string contradicted_by;  ///< what of its own document says otherwise, so that no model can
  std::vector<std::string> shown_by;  ///< experiments, claims or files that show this
  bool is_cause_unknown = false;
  SourcePosition position;

  [[nodiscard]] bool counts() const { return kind == ClaimKind::published; }
  [[nodiscard]] const Expectation& expected() const { return readings.front().expected; }
};

}  // namespace weir::experiment::claims
