#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "output.hpp"
#include "weir/report/table/text_table.hpp"

namespace weir::cli {
namespace {

using experiment::RunProgress;

constexpr auto kRedrawPeriod = std::chrono::milliseconds(100);
constexpr auto kLinePeriod = std::chrono::seconds(10);
constexpr auto kEndLinePeriod = std::chrono::seconds(1);
/// A run that took so long has a line when it ends, however soon after the last one.
constexpr double kLongRun = 10;
constexpr std::size_t kMostNameWidth = 40;
constexpr std::size_t kMostBars = 16;

bool has_share(const RunProgress& progress) { return progress.end != Time::max(); }

/// Empty where nothing moves: networks that are only measured.
std::string speed_text(double hops_per_second) {
  if (!(hops_per_second > 0)) return "";
  return fmt::format("{:.1f} M hops/s", hops_per_second * 1e-6);
}

std::string time_text_of(Time time) {
  return report::format_quantity(static_cast<double>(time.count) * 1e-3, "ns");
}

}  // namespace

Progress::Progress(std::vector<std::string> names, bool is_quiet)
    : names_(std::move(names)),
      style_(is_quiet                     ? Style::none
             : isatty(STDERR_FILENO) != 0 ? Style::bars
                                          : Style::lines),
      drawn_at_(Clock::now()) {
  for (std::string& name : names_) {
    if (name.size() > kMostNameWidth) {
      std::size_t end = kMostNameWidth - 2;
      while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;
      name = name.substr(0, end) + "..";
    }
    name_width_ = std::max(name_width_, report::display_width(name));
  }
}

void Progress::begin(const experiment::CampaignStart& start) {
  work_.begin(start.runs, start.there, start.needs);
  drawn_at_ = Clock::now();
}

void Progress::start(std::size_t run) {
  work_.start(run);
  if (style_ == Style::bars) draw();
}

void Progress::update(const RunProgress& progress) {
  work_.update(progress);
  const auto since = Clock::now() - drawn_at_;
  if (style_ == Style::bars && since >= kRedrawPeriod) draw();
  if (style_ == Style::lines && since >= kLinePeriod) print_where_it_is();
}

void Progress::end(std::size_t run, const experiment::RunRecord& record) {
  work_.end(run, record);
  if (style_ == Style::bars) draw();
  if (style_ != Style::lines || names_.size() < 2) return;
  const double took = record.result.wall_seconds;
  if (took <= 0) return;  // it could not begin: the end says why
  const auto since = Clock::now() - drawn_at_;
  if (took < kLongRun && since < kEndLinePeriod && work_.finished() < names_.size()) return;
  std::string text = fmt::format("{} of {}: {} {} after {}", work_.finished(), names_.size(),
                                 names_[run], record.status, duration_text(took));
  const std::string speed = speed_text(record.result.hops_per_second());
  if (record.status == "done" && !speed.empty()) text += ", " + speed;
  fmt::print(stderr, "weir: {}\n", text);
  drawn_at_ = Clock::now();
}

void Progress::skip(std::size_t run) {
  work_.skip(run);
  if (style_ == Style::bars) draw();
}

std::string Progress::bar_of_run(const RunProgress& progress) const {
  const std::string& name = names_[progress.run];
  const std::string padded = name + std::string(name_width_ - report::display_width(name), ' ');
  const std::string left = left_text(seconds_left_of(progress));
  if (progress.wall_seconds <= 0) return fmt::format("{}  {:32}{}  preparing", left, "", padded);
  const double done = share_of(progress);
  const double speed = static_cast<double>(progress.packet_hops) / progress.wall_seconds;
  const std::string where =
      has_share(progress) ? fmt::format("{} {:4.0f} %", bar_text(done), done * 100) : "";
  const std::string now = progress.packet_hops > 0 ? time_text_of(progress.now) : "";
  return fmt::format("{}  {:33}  {}  {:>9}  {:>13}", left, where, padded, now, speed_text(speed));
}

std::string Progress::bar_of_all() const {
  const double done = work_.share();
  const std::string count = fmt::format("{} of {} runs", work_.finished(), names_.size());
  return fmt::format("{}  {} {:4.0f} %  {:<{}}  {:>9}  {:>13}", left_text(work_.seconds_left()),
                     bar_text(done), done * 100, count, name_width_, "", speed_text(work_.speed()));
}

void Progress::print_where_it_is() {
  std::string text;
  const double left = work_.seconds_left();
  if (left >= 0) text += duration_text(left) + " left; ";
  if (names_.size() > 1) {
    text += fmt::format("{} of {} runs done; ", work_.finished(), names_.size());
  }
  std::size_t told = 0;
  for (const auto& [run, progress] : work_.active()) {
    if (++told > 3) break;
    text += (told > 1 ? ", " : "") + names_[run];
    if (progress.packet_hops > 0) text += " at " + time_text_of(progress.now);
    if (has_share(progress)) text += fmt::format(" ({:.0f} %)", share_of(progress) * 100);
  }
  if (work_.active().size() > 3) text += fmt::format(" and {} more", work_.active().size() - 3);
  if (const std::string fast = speed_text(work_.speed()); !fast.empty()) text += "; " + fast;
  fmt::print(stderr, "weir: {}\n", text);
  drawn_at_ = Clock::now();
}

void Progress::draw() {
  std::vector<std::string> lines;
  for (const auto& [run, progress] : work_.active()) {
    if (lines.size() == kMostBars) break;
    lines.push_back(bar_of_run(progress));
  }
  if (names_.size() > 1) lines.push_back(bar_of_all());
  screen_.draw(lines);
  drawn_at_ = Clock::now();
}

}  // namespace weir::cli
