#pragma once

#include <map>
#include <string>

namespace weir::report {

/// Pages of docs/reference/ by file name, in Markdown: keys.md (sections of an experiment file),
/// models.md (all models, by kind), metrics.md, bibliography.md. All that they say comes from the
/// registries and from docs/references.bib.
std::map<std::string, std::string> reference_pages();

/// A cell of a Markdown table.
std::string cell(std::string text);

}  // namespace weir::report
