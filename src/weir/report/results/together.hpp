#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/experiment/store/results_record.hpp"
#include "weir/experiment/store/results_store.hpp"
#include "weir/report/page/page.hpp"

namespace weir::report {

/// The runs of one results folder, or of several that are to be seen beside each other. Of several
/// each run says where it is from as if "results" had been swept, ids are numbered anew, and all
/// belong to the experiment of the run that was written last.
class ResultsTogether {
 public:
  /// Folders, or their databases. Throws InputError, also for one that is named twice.
  explicit ResultsTogether(const std::vector<std::string>& paths);

  /// Of one folder, as they are; of several the latest of each.
  [[nodiscard]] std::vector<experiment::RunRecord> read_all(
      const experiment::ResultParts& parts) const;
  /// This must outlive what is returned.
  [[nodiscard]] PageRuns page_runs() const;

  /// What tells the folders apart: the shortest ends of their paths.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Where to write what is made of them: the folder, of several the present one.
  [[nodiscard]] std::string folder() const;
  /// How the settings of the others differ from those of the first, a sentence each; cases that
  /// both have are compared, names and plots are not.
  [[nodiscard]] std::vector<std::string> differences() const;

 private:
  std::vector<std::unique_ptr<const experiment::ResultsStore>> stores_;
  std::vector<std::string> names_;
};

}  // namespace weir::report
