#pragma once

#include <map>
#include <optional>
#include <string>

#include "weir/experiment/claims/judge.hpp"

namespace weir::experiment::claims {

/// What is known about a claim of a document: a folder's findings.toml.
struct Finding {
  std::string explanation;         ///< of a difference: someone looked
  std::optional<Judgement> quick;  ///< as recorded; without interval where there was none
  std::optional<Judgement> full;

  [[nodiscard]] const std::optional<Judgement>& at(Scale scale) const {
    return scale == Scale::quick ? quick : full;
  }
  [[nodiscard]] std::optional<Judgement>& at(Scale scale) {
    return scale == Scale::quick ? quick : full;
  }
};

/// By claim id.
using Findings = std::map<std::string, Finding>;

/// Reads the text of a findings.toml. Throws InputError, also for an id that the document has not.
Findings parse_findings(std::string_view text, const std::string& file, const Document& document);
/// Reads findings.toml of the document's folder; nothing where there is none.
Findings read_findings(const Document& document);

/// As text that reads back to the same, in the order of the document: numbers with six digits.
std::string to_toml(const Findings& findings, const Document& document);

/// Puts a new judgement in the place of an old one; one that was not run changes nothing.
void record(Findings& findings, const Claim& claim, Scale scale, const Judgement& judgement);

/// Was recorded as holding and does not any longer. A claim that was not run is none.
[[nodiscard]] bool is_lost(const Finding& recorded, Scale scale, const Judgement& now);

}  // namespace weir::experiment::claims
