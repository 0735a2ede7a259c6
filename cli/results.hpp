#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weir/experiment/store/results_record.hpp"
#include "weir/experiment/store/results_store.hpp"
#include "weir/report/results/check.hpp"
#include "weir/report/results/results_writer.hpp"

namespace weir::cli {

using report::read_columns;
using report::read_figures;
using report::resolved_experiment;
using report::results_file;
using report::ResultsWriter;

/// Writes everything that belongs to finished runs: files, figures, the report page (`has_report`
/// and where the experiment wants it). `is_told`: says on standard output what and where.
void write_files(const ResultsWriter& writer, const std::vector<experiment::RunRecord>& records,
                 const experiment::ResultsStore& store, bool has_report, const std::string& folder,
                 bool is_told);

/// Text may have color: standard output is a terminal, and NO_COLOR is not set.
bool has_color();
/// Columns that a table may take: those of the terminal, or 0, no limit, elsewhere.
std::size_t table_width();
/// All that a table of runs has to know of it.
report::TableSpace table_space();

}  // namespace weir::cli
