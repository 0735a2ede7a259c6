#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weir/experiment/claims/assumption.hpp"
#include "weir/experiment/claims/claim.hpp"
#include "weir/experiment/claims/unknown.hpp"

namespace weir::experiment::claims {

/// An experiment of a document.
struct DocumentExperiment {
  std::string name;
  std::string file;  ///< path of the experiment file
  std::string purpose;
  ConfigTable quick;  ///< laid over the file at that scale
  ConfigTable full;
  Scales scales;
  std::vector<std::string> figures;  ///< plots of the file that stand on the page
  std::string one_draw;              ///< why fewer than five draws are enough; empty: they are not
  SourcePosition position;           ///< of `file`

  [[nodiscard]] const ConfigTable& overrides(Scale scale) const {
    return scale == Scale::quick ? quick : full;
  }
};

/// A statement, figure or table that no claim is about.
struct Unchecked {
  std::string statement;
  std::string source;
  std::string because;
};

/// A claims.toml.
struct Document {
  std::string name;
  std::string title;
  std::string folder;
  std::vector<std::string> reading;  ///< what the verdicts add up to, sentence by sentence
  std::string shortfall;             ///< why not more of its statements hold
  std::vector<DocumentExperiment> experiments;
  std::vector<Claim> claims;
  std::vector<Unknown> unknowns;
  std::vector<Assumption> assumptions;
  std::vector<Unchecked> unchecked;

  /// The experiment of that name; throws InputError with the nearest name.
  [[nodiscard]] const DocumentExperiment& experiment(std::string_view wanted) const;
  /// The claim of that id, or nullptr.
  [[nodiscard]] const Claim* find_claim(std::string_view id) const;
  /// Claims of an experiment, in order.
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
