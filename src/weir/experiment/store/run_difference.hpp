#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <string>

namespace weir::experiment {

/// What the numbers of two runs, in the same database or in two, differ in first; empty: in
/// nothing. Where, when and how fast they ran does not count.
std::string run_difference(SQLite::Database& one, std::int64_t run, SQLite::Database& other,
                           std::int64_t other_run);

}  // namespace weir::experiment
