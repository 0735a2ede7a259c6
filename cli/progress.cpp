#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
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
constexpr std::size_t kBarWidth = 24;
constexpr std::size_t kMostNameWidth = 40;
constexpr std::size_t kMostBars = 16;

std::string bar(double share) {
  const auto filled = std::min(
      kBarWidth, static_cast<std::size_t>(std::max(0.0, share) * static_cast<double>(kBarWidth)));
  return "[" + std::string(filled, '#') + std::string(kBarWidth - filled, '.') + "]";
}

bool has_share(const RunProgress& progress) { return progress.end != Time::max(); }

double share_of(const RunProgress& progress) {
  return has_share(progress)
             ? static_cast<double>(progress.now.count) / static_cast<double>(progress.end.count)
             : 0.0;
}

/// Empty where nothing moves: networks that are only measured.
std::string speed_text(double hops_per_second) {
  if (!(hops_per_second > 0)) return "";
  return fmt::format("{:.1f} M hops/s", hops_per_second * 1e-6);
}

std::string time_text_of(Time time) {
  return report::format_quantity(static_cast<double>(time.count) * 1e-3, "ns");
}

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 100;
  return std::max<std::size_t>(size.ws_col, 20);
}

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

Progress::Progress(std::vector<std::string> names, bool is_quiet)
    : names_(std::move(names)),
      style_(is_quiet                     ? Style::none
             : isatty(STDERR_FILENO) != 0 ? Style::bars
                                          : Style::lines),
      began_(Clock::now()),
      drawn_at_(began_) {
  for (std::string& name : names_) {
    if (name.size() > kMostNameWidth) {
      std::size_t end = kMostNameWidth - 2;
      while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;
      name = name.substr(0, end) + "..";
    }
    name_width_ = std::max(name_width_, report::display_width(name));
  }
}

Progress::~Progress() { erase(); }

double Progress::weight(std::size_t run) const {
  // A little for each, so that runs of which nothing is known count, too.
  return run < weights_.size() ? weights_[run] + 1 : 1;
}

void Progress::begin(const experiment::CampaignStart& start) {
  weights_ = start.needs.packet_hops;
  finished_ = start.there;
  const auto rest = static_cast<double>(start.runs - start.there);
  for (const double hops : weights_) all_work_ += hops;
  all_work_ += rest;
  began_ = drawn_at_ = Clock::now();
}

void Progress::start(std::size_t run) {
  active_[run] = {run, Time(0), Time::max(), 0, 0};
  if (style_ == Style::bars) draw();
}

void Progress::update(const RunProgress& progress) {
  active_[progress.run] = progress;
  const auto since = Clock::now() - drawn_at_;
  if (style_ == Style::bars && since >= kRedrawPeriod) draw();
  if (style_ == Style::lines && since >= kLinePeriod) print_where_it_is();
}

void Progress::end(std::size_t run, const experiment::RunRecord& record) {
  active_.erase(run);
  ++finished_;
  work_done_ += weight(run);
  if (const double* hops = record.result.scalar("packet_hops")) hops_done_ += *hops;
  if (style_ == Style::bars) draw();
  if (style_ != Style::lines || names_.size() < 2) return;
  const double took = record.result.wall_seconds;
  if (took <= 0) return;  // it could not begin: the end says why
  const auto since = Clock::now() - drawn_at_;
  if (took < kLongRun && since < kEndLinePeriod && finished_ < names_.size()) return;
  std::string text = fmt::format("{} of {}: {} {} after {}", finished_, names_.size(), names_[run],
                                 record.status, duration_text(took));
  const std::string speed = speed_text(record.result.hops_per_second());
  if (record.status == "done" && !speed.empty()) text += ", " + speed;
  fmt::print(stderr, "weir: {}\n", text);
  drawn_at_ = Clock::now();
}

void Progress::skip(std::size_t run) {
  ++finished_;
  all_work_ -= weight(run);
  if (style_ == Style::bars) draw();
}

double Progress::share() const {
  double done = work_done_;
  for (const auto& [run, progress] : active_) done += weight(run) * share_of(progress);
  return all_work_ > 0 ? std::min(1.0, done / all_work_) : 1.0;
}

double Progress::seconds_left() const {
  const double done = share();
  const double used = seconds(Clock::now() - began_);
  return done > 0.002 && used > 0.5 ? used * (1 - done) / done : -1;
}

double Progress::speed() const {
  double hops = hops_done_;
  for (const auto& [run, progress] : active_) hops += static_cast<double>(progress.packet_hops);
  const double used = seconds(Clock::now() - began_);
  return used > 0 ? hops / used : 0;
}

std::string Progress::bar_of_run(const RunProgress& progress) const {
  const std::string& name = names_[progress.run];
  const std::string padding(name_width_ - report::display_width(name), ' ');
  const std::string text = "  " + name + padding + "  ";
  if (progress.wall_seconds <= 0) return text + "preparing";
  const double done = share_of(progress);
  const double speed = static_cast<double>(progress.packet_hops) / progress.wall_seconds;
  std::string where = has_share(progress) ? fmt::format("{} {:4.0f} %", bar(done), done * 100)
                                          : std::string(kBarWidth + 9, ' ');
  const std::string now = progress.packet_hops > 0 ? time_text_of(progress.now) : "";
  std::string line = fmt::format("{}{}  {:>9}  {:>13}", text, where, now, speed_text(speed));
  if (done > 0.01) {
    line += "  " + duration_text(progress.wall_seconds * (1 - done) / done) + " left";
  }
  return line;
}

std::string Progress::bar_of_all() const {
  const double done = share();
  const std::string count = fmt::format("{} of {} runs", finished_, names_.size());
  std::string line = fmt::format("  {:<{}}  {} {:4.0f} %  {:>9}  {:>13}", count, name_width_,
                                 bar(done), done * 100, "", speed_text(speed()));
  const double left = seconds_left();
  return left < 0 ? line : line + "  " + duration_text(left) + " left";
}

void Progress::print_where_it_is() {
  std::string text;
  if (names_.size() > 1) text = fmt::format("{} of {} runs done; ", finished_, names_.size());
  std::size_t told = 0;
  for (const auto& [run, progress] : active_) {
    if (++told > 3) break;
    text += (told > 1 ? ", " : "") + names_[run];
    if (progress.packet_hops > 0) text += " at " + time_text_of(progress.now);
    if (has_share(progress)) text += fmt::format(" ({:.0f} %)", share_of(progress) * 100);
  }
  if (active_.size() > 3) text += fmt::format(" and {} more", active_.size() - 3);
  if (const std::string fast = speed_text(speed()); !fast.empty()) text += "; " + fast;
  const double left = seconds_left();
  if (left >= 0) text += ", " + duration_text(left) + " left";
  fmt::print(stderr, "weir: {}\n", text);
  drawn_at_ = Clock::now();
}

void Progress::erase() {
  if (drawn_lines_ == 0) return;
  fmt::print(stderr, "\r\033[{}A\033[J", drawn_lines_);
  std::fflush(stderr);
  drawn_lines_ = 0;
}

/// A line that wraps would not be erased.
std::string Progress::clipped(std::string line) const {
  const std::size_t width = terminal_width() - 1;
  while (report::display_width(line) > width) {
    while ((static_cast<unsigned char>(line.back()) & 0xC0U) == 0x80U) line.pop_back();
    line.pop_back();
  }
  return line;
}

void Progress::draw() {
  std::string text;
  if (drawn_lines_ > 0) text = fmt::format("\r\033[{}A\033[J", drawn_lines_);
  drawn_lines_ = 0;
  for (const auto& [run, progress] : active_) {
    if (drawn_lines_ == kMostBars) break;
    text += clipped(bar_of_run(progress)) + "\n";
    ++drawn_lines_;
  }
  if (names_.size() > 1) {
    text += clipped(bar_of_all()) + "\n";
    ++drawn_lines_;
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
  drawn_at_ = Clock::now();
}

}  // namespace weir::cli
