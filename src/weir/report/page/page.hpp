#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/experiment/store/results_record.hpp"
#include "weir/experiment/store/results_store.hpp"
#include "weir/topology/port_counters.hpp"

namespace weir::report {

/// Fills in parts of a run.
using RunReader = std::function<void(experiment::RunRecord&, const experiment::ResultParts&)>;

/// The runs that a page may show. They are read one after the other: all of a large sweep at once
/// would need much memory.
struct PageRuns {
  std::vector<experiment::RunRecord> list;  ///< with their scalars
  RunReader read;  ///< of one of them; may do nothing where `list` has everything
};

/// All runs of a database, which must outlive what is returned.
PageRuns page_runs(const experiment::ResultsStore& store);

struct PageOptions {
  std::string title;                    ///< empty: the experiment's
  std::string results;                  ///< where the runs come from, as the user named it
  std::vector<std::string> notes;       ///< shown above everything else
  std::vector<std::string> runs;        ///< only these, by case, label or id; empty: all
  bool is_full = false;                 ///< nothing is left out or thinned out, whatever the size
  std::size_t most_bytes = 10'000'000;  ///< of the page, unless is_full
  topology::CounterFiles counters;      ///< of the real fabric, beside what its links did in runs
};

/// The page that viewer/ builds, without data; empty: this program was built without it.
std::string_view page_template();

/// The report page: one HTML file that needs nothing else. To stay below `most_bytes`, long series
/// are thinned out (extremes stay), frames merged, and runs lose first their congestion view, then
/// their charts; the page says what was left out. Throws InputError for a run that does not exist,
/// when there are none, and when there is no template.
std::string make_page(const PageRuns& runs, const PageOptions& options,
                      std::string_view page = page_template());

/// What the page is given: `Report` of viewer/src/data.ts as JSON. `most_bytes`: of the JSON,
/// compressed and in base64.
std::string page_data(const PageRuns& runs, const PageOptions& options, std::size_t most_bytes);

/// The template with the data in it. Throws InputError when it has no place for them.
std::string fill_template(std::string_view page, std::string_view data);

}  // namespace weir::report
