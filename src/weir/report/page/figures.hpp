#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/store/results_record.hpp"
#include "weir/report/page/page.hpp"

namespace weir::report {

/// `Report.look`: colours and symbols that the page shares with figures on paper.
nlohmann::json page_look();

/// What the experiment's `[[plot]]` tables give to the page.
struct PageFigures {
  nlohmann::json asked = nlohmann::json::array();  ///< `Report.figures`: what they ask for
  /// `Report.drawn`: figures that none of the page's charts can show, as drawn.
  nlohmann::json drawn = nlohmann::json::array();
};

/// `read` gives series and histograms, where a figure with references needs them. Figures that this
/// version cannot read are left out.
PageFigures page_figures(const experiment::Configuration& configuration,
                         const std::vector<experiment::RunRecord>& runs, const RunReader& read);

}  // namespace weir::report
