#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "weir/experiment/campaign/campaign.hpp"

namespace weir::cli {

/// Where a campaign is, on standard error. On a terminal a bar for each run at work, and one for
/// all of them:
///
///   load = 0.5  [############............]   52 %  0.61 ms    4.1 M hops/s  3 s left
///   12 of 50    [######..................]   26 %             8.2 M hops/s  2 min 5 s left
///
/// Elsewhere plain lines: when a run ends, and where things are, at most one in a few seconds.
/// Silent when asked to be. Members are called by one thread at a time.
class Progress {
 public:
  Progress(std::vector<std::string> names, bool is_quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

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
  void erase();
  void print_where_it_is();
  [[nodiscard]] std::string bar_of_run(const experiment::RunProgress& progress) const;
  [[nodiscard]] std::string bar_of_all() const;
  [[nodiscard]] std::string clipped(std::string line) const;
  [[nodiscard]] double weight(std::size_t run) const;
  /// Share of the work of this campaign that is done.
  [[nodiscard]] double share() const;
  /// Seconds until the end, by what was done so far; negative: not known yet.
  [[nodiscard]] double seconds_left() const;
  /// Packet-hops in a second of this campaign.
  [[nodiscard]] double speed() const;

  std::vector<std::string> names_;
  Style style_;
  std::size_t name_width_ = 0;
  std::vector<double> weights_;  ///< expected packet-hops
  double all_work_ = 0;
  double work_done_ = 0;
  std::size_t finished_ = 0;
  double hops_done_ = 0;
  std::map<std::size_t, experiment::RunProgress> active_;
  std::size_t drawn_lines_ = 0;
  Clock::time_point began_;
  Clock::time_point drawn_at_;
};

}  // namespace weir::cli
