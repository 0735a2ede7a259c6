#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "output.hpp"
#include "weir/report/text_table.hpp"

namespace weir::cli {
namespace {

constexpr auto kRedrawPeriod = std::chrono::milliseconds(100);
constexpr std::size_t kBarWidth = 24;
constexpr std::size_t kMostNameWidth = 32;

std::string bar(double share) {
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(kBarWidth));
  return std::string(filled, '#') + std::string(kBarWidth - std::min(filled, kBarWidth), '.');
}

}  // namespace

ProgressBars::ProgressBars(std::vector<std::string> names, bool is_quiet)
    : names_(std::move(names)), is_shown_(!is_quiet && isatty(STDERR_FILENO) != 0) {
  for (std::string& name : names_) {
    if (name.size() > kMostNameWidth) name = name.substr(0, kMostNameWidth - 2) + "..";
    name_width_ = std::max(name_width_, name.size());
  }
}

ProgressBars::~ProgressBars() { erase(); }

void ProgressBars::start(std::size_t run) {
  active_[run] = {run, Time(0), Time::max(), 0, 0};
  draw();
}

void ProgressBars::update(const experiment::RunProgress& progress) {
  active_[progress.run] = progress;
  if (Clock::now() - drawn_at_ >= kRedrawPeriod) draw();
}

void ProgressBars::end(std::size_t run) {
  active_.erase(run);
  ++finished_;
  draw();
}

std::string ProgressBars::line(const experiment::RunProgress& progress) const {
  std::string text = fmt::format("  {:<{}}  ", names_[progress.run], name_width_);
  if (progress.wall_seconds <= 0) return text + "preparing";
  const bool has_end = progress.end != Time::max();
  const double share =
      has_end ? static_cast<double>(progress.now.count) / static_cast<double>(progress.end.count)
              : 0.0;
  if (has_end) text += fmt::format("[{}] {:3.0f} %  ", bar(share), share * 100);
  const double speed = static_cast<double>(progress.packet_hops) / progress.wall_seconds;
  text += fmt::format("{:>9}  {:.1f} M hops/s",
                      report::format_quantity(static_cast<double>(progress.now.count) * 1e-3, "ns"),
                      speed * 1e-6);
  if (share > 0.01) {
    text += "  " + duration_text(progress.wall_seconds * (1 - share) / share) + " left";
  }
  return text;
}

void ProgressBars::erase() {
  if (drawn_lines_ == 0) return;
  fmt::print(stderr, "\r\033[{}A\033[J", drawn_lines_);
  std::fflush(stderr);
  drawn_lines_ = 0;
}

void ProgressBars::draw() {
  if (!is_shown_) return;
  std::string text;
  if (drawn_lines_ > 0) text = fmt::format("\r\033[{}A\033[J", drawn_lines_);
  drawn_lines_ = 0;
  for (const auto& [run, progress] : active_) {
    text += line(progress) + "\n";
    ++drawn_lines_;
  }
  if (names_.size() > 1) {
    text += fmt::format("  {} of {} runs done\n", finished_, names_.size());
    ++drawn_lines_;
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
  drawn_at_ = Clock::now();
}

}  // namespace weir::cli
