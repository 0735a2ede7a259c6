#pragma once

#include <cmath>
#include <cstdint>

#include "weir/reaction/flow_states.hpp"

namespace weir::reaction {

/// How many packets of a flow may be on their way without ACK: any number, always the same, or
/// between one and a most that marks and ACKs move. Source: ferrer2012, sections 6.2.2, 5.2
/// and 6.3.2.
class Window {
 public:
  static constexpr std::uint32_t kUnbounded = UINT32_MAX;
  static constexpr std::uint32_t kMostDynamic = 255;

  static Window none() { return {}; }
  static Window fixed(std::uint32_t size) {
    Window made;
    made.fixed_ = size;
    return made;
  }
  /// 1 to `size`. With a `size` that is not whole, a full window is the integer below or above it,
  /// so that the mean over ACKs is `size`.
  static Window dynamic(double size) {
    Window made;
    made.full_ = static_cast<std::uint8_t>(std::floor(size + 1e-9));
    made.share_ = static_cast<std::uint32_t>(std::lround((size - made.full_) * 256));
    if (made.share_ == 256) ++made.full_, made.share_ = 0;
    return made;
  }

  [[nodiscard]] bool is_bounded() const { return fixed_ != kUnbounded || full_ > 0; }
  [[nodiscard]] bool is_dynamic() const { return full_ > 0; }
  [[nodiscard]] std::uint8_t initial() const {
    return static_cast<std::uint8_t>(full_ + (share_ > 0 ? 1 : 0));
  }
  [[nodiscard]] std::uint32_t largest() const { return is_dynamic() ? initial() : fixed_; }
  [[nodiscard]] std::uint32_t limit(const FlowState& flow) const {
    return is_dynamic() ? flow.window : fixed_;
  }
  [[nodiscard]] bool is_reduced(const FlowState& flow) const { return flow.window < full_; }
  /// False: there is nothing to take away.
  [[nodiscard]] bool shrink(FlowState& flow) const {
    if (!is_dynamic() || flow.window <= 1) return false;
    --flow.window;
    return true;
  }
  /// An ACK without mark. False: it was full.
  [[nodiscard]] bool grow(FlowState& flow) const {
    if (is_reduced(flow)) {
      ++flow.window;
      return true;
    }
    if (share_ > 0) alternate(flow);
    return false;
  }

 private:
  void alternate(FlowState& flow) const {
    const std::uint32_t saved = flow.window_share + share_;
    flow.window_share = static_cast<std::uint8_t>(saved % 256);
    flow.window = static_cast<std::uint8_t>(full_ + saved / 256);
  }

  std::uint32_t fixed_ = kUnbounded;
  std::uint8_t full_ = 0;    ///< of a dynamic window
  std::uint32_t share_ = 0;  ///< what a full window has beyond that, in 1/256
};

}  // namespace weir::reaction
