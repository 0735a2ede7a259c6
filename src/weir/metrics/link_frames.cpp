#include "weir/metrics/link_frames.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "weir/base/encoding.hpp"
#include "weir/metrics/congestion_tree.hpp"

namespace weir::metrics {
namespace {

constexpr float kWhole = 255.0F;

std::string_view text_of(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

std::uint8_t quantized(float share) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0F, 1.0F) * kWhole));
}

/// The larger one of each pair.
void merge_largest(std::vector<std::uint8_t>& bytes, std::size_t rows, std::size_t width) {
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < width; ++i) {
      std::uint8_t& into = bytes[row / 2 * width + i];
      const std::uint8_t from = bytes[row * width + i];
      into = row % 2 == 0 ? from : std::max(into, from);
    }
  }
  bytes.resize((rows + 1) / 2 * width);
}

void merge_rows(std::vector<std::uint8_t>& bytes, std::size_t rows, std::size_t width,
                unsigned round) {
  for (std::size_t pair = 0; pair + 1 < rows; pair += 2) {
    for (std::size_t i = 0; i < width; ++i) {
      const unsigned sum = static_cast<unsigned>(bytes[pair * width + i]) +
                           bytes[(pair + 1) * width + i] + ((i + round) & 1U);
      bytes[pair / 2 * width + i] = static_cast<std::uint8_t>(sum / 2);
    }
  }
  if (rows % 2 == 1) {
    std::copy_n(bytes.end() - static_cast<std::ptrdiff_t>(width), width,
                bytes.begin() + static_cast<std::ptrdiff_t>(rows / 2 * width));
  }
  bytes.resize((rows + 1) / 2 * width);
}

}  // namespace

void FrameBytes::merge_pairs(unsigned round) {
  const std::size_t rows = times.size();
  merge_rows(utilization, rows, links, round);
  merge_rows(wait, rows, links, round);
  if (!set_aside.empty()) merge_largest(set_aside, rows, links);
  for (std::size_t k = 0; 2 * k < rows; ++k) times[k] = times[std::min(2 * k + 1, rows - 1)];
  times.resize((rows + 1) / 2);
}

LinkFrames pack(const FrameBytes& frames) {
  if (frames.times.empty()) return {};
  return {frames.times, frames.links, compress(text_of(frames.utilization)),
          compress(text_of(frames.wait)),
          frames.set_aside.empty() ? "" : compress(text_of(frames.set_aside))};
}

FrameBytes unpack(const LinkFrames& frames) {
  const std::size_t size = frames.times.size() * frames.links;
  if (size == 0) return {};
  return {frames.times, frames.links, bytes_of(decompress(frames.utilization, size)),
          bytes_of(decompress(frames.wait, size)),
          frames.set_aside.empty() ? std::vector<std::uint8_t>()
                                   : bytes_of(decompress(frames.set_aside, size))};
}

FrameRecorder::FrameRecorder(std::vector<PortId> links, std::size_t most_frames)
    : links_(std::move(links)), most_frames_(most_frames) {
  limit(2);
  if (most_frames_ == 0) return;
  frames_.links = links_.size();
  utilization_.resize(links_.size());
  wait_.resize(links_.size());
}

void FrameRecorder::limit(std::size_t planes) {
  if (most_frames_ == 0) return;
  // Even, so that merging leaves no odd frame; at least two, so that there is something to merge.
  const std::size_t affordable = kMostBytes / (planes * std::max<std::size_t>(1, links_.size()));
  most_frames_ = std::max<std::size_t>(2, std::min(most_frames_, affordable));
  most_frames_ -= most_frames_ % 2;
}

void FrameRecorder::begin(Time at, Time period, bool has_isolation) {
  if (most_frames_ == 0) return;
  if (has_isolation && set_aside_.empty()) {
    limit(3);
    set_aside_.resize(links_.size());
  }
  period_ = static_cast<float>(period.count);
  weight_ += static_cast<double>(period.count);
  whole_ = static_cast<float>(1.0 / weight_);
  at_ = at;
  is_ended_ = ++samples_ >= stride_;
  if (is_ended_) open_row();
}

void FrameRecorder::add(Time at, Time period, const std::vector<PortState>& state,
                        bool has_isolation) {
  begin(at, period, has_isolation);
  for (std::size_t i = 0; i < links_.size(); ++i) add_link(i, state[links_[i].index()]);
  end();
}

void FrameRecorder::add_link(std::size_t link, const PortState& state) {
  if (most_frames_ == 0) return;
  utilization_[link] += period_ * static_cast<float>(state.utilization);
  wait_[link] += period_ * static_cast<float>(state.wait);
  if (!set_aside_.empty()) {
    const auto queues = static_cast<std::uint8_t>(std::min<std::uint32_t>(state.set_aside, 255));
    set_aside_[link] = std::max(set_aside_[link], queues);
  }
  if (is_ended_) write(link);
}

void FrameRecorder::end() {
  if (most_frames_ == 0 || !is_ended_) return;
  weight_ = 0;
  samples_ = 0;
  if (frames_.times.size() < most_frames_) return;
  frames_.merge_pairs(merged_++);
  stride_ *= 2;
}

void FrameRecorder::open_row() {
  const std::size_t size = frames_.utilization.size() + links_.size();
  frames_.utilization.resize(size);
  frames_.wait.resize(size);
  if (!set_aside_.empty()) frames_.set_aside.resize(size);
  frames_.times.push_back(at_);
}

void FrameRecorder::write(std::size_t i) {
  const std::size_t place = frames_.utilization.size() - links_.size() + i;
  frames_.utilization[place] = quantized(utilization_[i] * whole_);
  frames_.wait[place] = quantized(wait_[i] * whole_);
  utilization_[i] = 0;
  wait_[i] = 0;
  if (set_aside_.empty()) return;
  frames_.set_aside[place] = set_aside_[i];
  set_aside_[i] = 0;
}

LinkFrames FrameRecorder::finish() {
  if (samples_ > 0) {
    whole_ = static_cast<float>(1.0 / weight_);
    open_row();
    for (std::size_t i = 0; i < links_.size(); ++i) write(i);
  }
  return pack(frames_);
}

}  // namespace weir::metrics
