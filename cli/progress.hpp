#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "screen.hpp"
#include "weir/experiment/campaign/campaign.hpp"
#include "weir/experiment/campaign/campaign_work.hpp"

namespace weir::cli {

/// Where a campaign is, on standard error. On a terminal a bar for each run at work, and one for
/// all of them, with the time that is left first, where a narrow terminal shows it, too:
///
///          3 s left  [############............]   52 %  load = 0.5  0.61 ms    4.1 M hops/s
///    2 min 5 s left  [######..................]   26 %  12 of 50 runs          8.2 M hops/s
///
/// Elsewhere plain lines: when a run ends, and where things are, at most one in a few seconds.
/// Silent when asked to be. Members are called by one thread at a time.
class Progress {
 public:
  Progress(std::vector<std::string> names, bool is_quiet);

  void begin(const experiment::CampaignStart& start);
  void start(std::size_t run);
  void update(const experiment::RunProgress& progress);
  void end(std::size_t run, const experiment::RunRecord& record);
  /// Another program has done it.
  void skip(std::size_t run);

 private:
  using Clock = std::chrono::steady_clock;
  enum class Style : std::uint8_t { none, bars, lines };

  void draw();
  void print_where_it_is();
  [[nodiscard]] std::string bar_of_run(const experiment::RunProgress& progress) const;
  [[nodiscard]] std::string bar_of_all() const;

  std::vector<std::string> names_;
  Style style_;
  std::size_t name_width_ = 0;
  experiment::CampaignWork work_;
  Screen screen_{stderr};
  Clock::time_point drawn_at_;
};

}  // namespace weir::cli
