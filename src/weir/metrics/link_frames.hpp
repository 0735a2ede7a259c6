#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weir/base/ids.hpp"
#include "weir/base/units.hpp"

namespace weir {
class StateArchive;
}

namespace weir::metrics {

struct PortState;

/// Utilization and waiting of every link over time, coarse and small: for drawing, not for
/// arithmetic. Frame k is over the time between the end of the frame before it and times[k].
struct LinkFrames {
  std::vector<Time> times;  ///< ends of the frames, ascending; empty: nothing was kept
  std::size_t links = 0;    ///< in the order of RunResult::links
  /// Compressed (see compress()): times.size() * links bytes, frame by frame; 255 is the whole
  /// time.
  std::string utilization;
  std::string wait;
  /// The same: set-aside queues in use at both ends of a link, most that a sample of the frame
  /// found. Empty: the run had no isolation.
  std::string set_aside;

  bool operator==(const LinkFrames&) const = default;
};

/// The bytes of LinkFrames as they are worked with.
struct FrameBytes {
  std::vector<Time> times;
  std::size_t links = 0;
  std::vector<std::uint8_t> utilization;
  std::vector<std::uint8_t> wait;
  std::vector<std::uint8_t> set_aside;  ///< empty, or as long as the others

  /// Makes one frame of two, all along; an odd last one stays. `round` chooses which halves are
  /// rounded up, so that repeated merging has no bias.
  void merge_pairs(unsigned round);
  void checkpoint(StateArchive& state);
};

LinkFrames pack(const FrameBytes& frames);
/// Throws std::invalid_argument when the frames are damaged.
FrameBytes unpack(const LinkFrames& frames);

/// Collects frames during a run of unknown length: when there are too many, neighbours are merged
/// and all later frames are twice as long. Memory: 2 bytes a link and frame, 8 bytes a link; with
/// set-aside queues 3 and 9.
class FrameRecorder {
 public:
  /// Most bytes that the frames of one run take before compression.
  static constexpr std::size_t kMostBytes = 4'000'000;

  /// `links`: the ports to watch. `most_frames` 0: nothing is kept.
  FrameRecorder(std::vector<PortId> links, std::size_t most_frames);

  /// `state`: of every port of the network, over the `period` that ends `at`. `has_isolation` is
  /// the same in all calls.
  void add(Time at, Time period, const std::vector<PortState>& state, bool has_isolation = false);
  /// The same in three steps, where several threads add some links each.
  void begin(Time at, Time period, bool has_isolation);
  void add_link(std::size_t link, const PortState& state);
  void end();
  /// Lets `share` fill in lists of all links, in which those that were added here are right.
  template <class Share>
  void complete(Share share) {
    share(std::span(utilization_));
    share(std::span(wait_));
    share(std::span(set_aside_));
    for (std::size_t row = 0; row < frames_.times.size(); ++row) {
      for (auto* bytes : {&frames_.utilization, &frames_.wait, &frames_.set_aside}) {
        if (!bytes->empty()) share(std::span(*bytes).subspan(row * frames_.links, frames_.links));
      }
    }
  }
  /// All frames; their links in the order that the constructor was given.
  [[nodiscard]] LinkFrames finish();
  void checkpoint(StateArchive& state);

 private:
  void limit(std::size_t planes);
  /// Writes link i of the open frame down, and empties it.
  void write(std::size_t i);
  void open_row();

  std::vector<PortId> links_;
  std::size_t most_frames_;
  std::size_t stride_ = 1;   ///< samples that make a frame
  std::size_t samples_ = 0;  ///< in the open frame
  unsigned merged_ = 0;
  Time at_;                ///< of the last sample
  float period_ = 0;       ///< that is being added, ps
  bool is_ended_ = false;  ///< the open frame ends with it
  double weight_ = 0;      ///< time in the open frame, ps
  float whole_ = 0;        ///< 1 / weight_
  std::vector<float> utilization_;
  std::vector<float> wait_;
  std::vector<std::uint8_t> set_aside_;  ///< empty without isolation
  FrameBytes frames_;
};

}  // namespace weir::metrics
