#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/config.hpp"
#include "weir/base/units.hpp"
#include "weir/experiment/claims/expression.hpp"
#include "weir/experiment/claims/units.hpp"
#include "weir/experiment/keys.hpp"
#include "weir/metrics/metric_registry.hpp"

namespace weir::experiment::claims {

/// How much of an experiment is run: a short look, or as the publication did.
enum class Scale : std::uint8_t { quick, full };
inline constexpr std::array kScales{Scale::quick, Scale::full};
/// "quick", "full".
[[nodiscard]] std::string_view to_string(Scale scale);

/// Where an expected value is from. Only what the document itself states decides a verdict.
enum class ClaimKind : std::uint8_t {
  published,
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

/// An experiment of a document.
struct DocumentExperiment {
  std::string name;
  std::string file;  ///< path of the experiment file
  std::string purpose;
  ConfigTable quick;  ///< laid over the file at that scale
  ConfigTable full;
  Scales scales;
  SourcePosition position;  ///< of `file`

  [[nodiscard]] const ConfigTable& overrides(Scale scale) const {
    return scale == Scale::quick ? quick : full;
  }
};

/// What a measured number should be.
struct Expectation {
  enum class Form : std::uint8_t { is, at_least, at_most, above, below, between };

  Form form = Form::is;
  double value = 0;
  double upper = 0;                ///< of `between`
  std::optional<double> relative;  ///< tolerance, share of the expected value
  std::optional<double> absolute;  ///< tolerance in the claim's unit

  /// The number meets it within the tolerance; a billionth is never held against it.
  [[nodiscard]] bool is_met_by(double measured) const;
};

/// One number that a measure is made of: a metric of the runs of one point.
struct ClaimValue {
  enum class Reduce : std::uint8_t { mean, min, max, last };

  std::string name;
  std::string key;  ///< of its table, for messages: "claim[R-01].values.a"
  metrics::MetricName metric;
  std::optional<std::string> case_name;
  std::vector<KeyedValue> where;
  bool is_series = false;    ///< reduced over bins of a series
  std::optional<Time> from;  ///< the bins begin there at the earliest
  std::optional<Time> to;    ///< and end there at the latest
  Reduce reduce = Reduce::mean;
  Unit unit;           ///< in which it enters the measure
  ConfigTable source;  ///< as written, for positions
};

/// One claim of a document.
struct Claim {
  enum class OverSeeds : std::uint8_t { mean, min, max };

  std::string id;
  std::string experiment;
  std::string statement;
  std::string source;  ///< where the document says so
  ClaimKind kind = ClaimKind::published;
  Expectation expected;
  Unit unit;
  std::shared_ptr<const Expression> measure;  ///< over `values`, in their order
  std::vector<ClaimValue> values;
  OverSeeds over_seeds = OverSeeds::mean;  ///< which run of a point counts
  std::vector<std::string> grid;           ///< keys that the document leaves open
  SourcePosition grid_position;
  Scales scales;
  SourcePosition position;
};

/// A claims.toml.
struct Document {
  std::string name;
  std::string title;
  std::string spec;
  std::string folder;
  std::vector<DocumentExperiment> experiments;
  std::vector<Claim> claims;

  /// The experiment of that name; throws InputError with the nearest name.
  [[nodiscard]] const DocumentExperiment& experiment(std::string_view wanted) const;
  /// Its claims, in order.
  [[nodiscard]] std::vector<const Claim*> claims_of(std::string_view wanted) const;
};

/// Reads the text of a claims.toml that stands in `file`. Checks everything that can be checked
/// without the experiment files. Throws InputError.
Document parse_document(std::string_view text, const std::string& file);

/// Reads `folder`/claims.toml. The document must be called like its folder.
Document read_document(const std::string& folder);

/// Names of the folders in `root` that hold a claims.toml, sorted. Throws InputError when there is
/// no such folder.
std::vector<std::string> document_names(const std::string& root);

}  // namespace weir::experiment::claims
