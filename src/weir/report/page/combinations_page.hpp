#pragma once

#include <string>

namespace weir::report {

/// combinations.md of docs/reference/: which parts of a network work together, and why others do
/// not, in the words of the checks. Makes all of these checks, which takes some seconds.
std::string combinations_page();

}  // namespace weir::report
