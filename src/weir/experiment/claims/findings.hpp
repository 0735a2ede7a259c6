#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weir/experiment/claims/document.hpp"
#include "weir/experiment/claims/judge.hpp"

namespace weir::experiment::claims {

/// Something for each scale.
template <class T>
class ByScale {
 public:
  [[nodiscard]] const std::optional<T>& at(Scale scale) const {
    return scale == Scale::quick ? quick_ : full_;
  }
  [[nodiscard]] std::optional<T>& at(Scale scale) { return scale == Scale::quick ? quick_ : full_; }

 private:
  std::optional<T> quick_;
  std::optional<T> full_;
};

/// Where the findings of an experiment come from.
struct Provenance {
  std::string version;  ///< of weir
  std::string commit;   ///< that it was built from; empty: not known
  std::string date;     ///< on which the first of its runs ended, UTC
  std::size_t draws = 1;
  double cpu_seconds = 0;   ///< of all runs
  std::string fingerprint;  ///< see fingerprint()
  bool is_stale = false;    ///< a fingerprint that was taken later differs
  std::string length;       ///< that was simulated; not in the file, see add_run_lengths()
};

/// What is recorded about a document: its findings.toml.
struct Findings {
  std::map<std::string, ByScale<Judgement>> claims;  ///< by id
  std::map<std::string, ByScale<Provenance>> runs;   ///< by experiment
  Combination values;  ///< of unknowns that change runs, where they are not the adopted ones
  std::vector<Findings> alternatives;  ///< with other values of such unknowns

  /// The judgement of a claim; nothing when there is none.
  [[nodiscard]] const Judgement* find(const Claim& claim, Scale scale) const;
  /// The one that stands for a claim: the full one where there is one, unless it is stale and the
  /// quick one is not; or nothing.
  [[nodiscard]] const Judgement* standing(const Claim& claim) const;
  [[nodiscard]] const Provenance* find_run(const std::string& experiment, Scale scale) const;
  /// The runs behind a judgement are older than a change that affects them.
  [[nodiscard]] bool is_stale(const Claim& claim, Scale scale) const;
};

/// Reads the text of a findings.toml. Throws InputError, also for a claim or an experiment that the
/// document has not.
Findings parse_findings(std::string_view text, const std::string& file, const Document& document);
Findings read_findings_file(const std::string& path, const Document& document);

/// Reads findings.toml of the document's folder, and what was recorded with other values of its
/// unknowns (findings.*.toml); nothing where there is none.
Findings read_findings(const Document& document);
/// Reads what was recorded with these values of unknowns only; nothing where there is none.
Findings read_findings(const Document& document, const Combination& values);

/// As text that reads back to the same, one line an entry, in the order of the document: numbers
/// with six digits.
std::string to_toml(const Findings& findings, const Document& document);

/// Puts a new judgement in the place of an old one; one that was not run changes nothing.
void record(Findings& findings, const Claim& claim, Scale scale, const Judgement& judgement);

/// Was recorded as holding and does not any longer. A claim that was not run is none.
[[nodiscard]] bool is_lost(const Findings& recorded, const Claim& claim, Scale scale,
                           const Judgement& now);

}  // namespace weir::experiment::claims
