#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::report {

/// A work of docs/references.bib, which is built in. Texts are plain UTF-8.
struct Work {
  std::string key;  ///< "duato2005recn"
  /// As a reader wants them: "Duato, Johnson and Flich", "Alfaro and others".
  std::string authors;
  std::string year;
  std::string title;
  std::string venue;    ///< journal, proceedings, school, institution with number, or publisher
  std::string address;  ///< "https://doi.org/...", the URL, or empty
  std::string bibtex;   ///< the entry as it stands in the file
};

/// All works, sorted by key.
const std::vector<Work>& bibliography();

/// The work with that key; null: there is none.
const Work* find_work(std::string_view key);

/// One part of a citation: "yan2012, section 4.1" is the work yan2012, place "section 4.1".
struct CitedPlace {
  /// Null where the bibliography lacks it, as of the model of a plug-in: then `place` is all of the
  /// part as it is written.
  const Work* work = nullptr;
  std::string place;  ///< empty: the whole work
};

/// Parts of a citation in code, "key, place; key, place".
std::vector<CitedPlace> cited_places(std::string_view citation);

/// As in running text: "Ferrer i Pérez (2012), section 8.2; Duato and others (2005), section 3".
std::string citation_text(std::string_view citation);

/// One line: authors, year, title, venue, address and, where it is given, the place within.
std::string reference_text(const CitedPlace& cited);

}  // namespace weir::report
