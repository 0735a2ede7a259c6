#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "weir/rates/protocol.hpp"

namespace weir::rates {

/// Messages of DFFA* and DFFA (zdornov2009, section 4.2.3).
///
/// | kind      | round | flag                | amount         | share            |
/// |-----------|-------|---------------------|----------------|------------------|
/// | collect   |       |                     |                | least share      |
/// | update    | yes   | no link is saturated | rate change   | least share      |
/// | leave     | yes   |                     | w              | normalized rate  |
/// | announce  | yes   | start, not end      | w              |                  |
/// | probe     | yes   | all in this round   |                |                  |
/// | broadcast | yes   |                     |                |                  |
template <class Number>
struct DffaMessage {
  enum class Kind : std::uint8_t { collect, update, leave, announce, probe, broadcast };
  Kind kind = Kind::update;
  bool flag = true;
  std::uint32_t round = 0;
  Number amount{0};
  Number share{0};
  /// An element on its way is in a newer round and left it alone: what it brings back is not all
  /// that its links have to say. Beside the document, whose sources take it for all.
  bool is_outrun = false;
};

/// State of a link. Beside the document's it counts flows: a sum of weights in floating point does
/// not tell whether there is anyone left.
template <class Number>
struct DffaLink {
  using Message = DffaMessage<Number>;

  Number capacity{1};
  Number announced{0};  ///< true weight: of all flows there are
  Number active{0};     ///< W_l: of flows that have not left the calculation
  Number free{1};       ///< c_l
  Number share{0};      ///< s_l: normalized rate that every active flow may claim
  std::uint32_t announced_flows = 0;
  std::uint32_t active_flows = 0;

  void announce(const Number& weight, bool is_start) {
    if (is_start) {
      announced += weight;
      ++announced_flows;
    } else {
      announced -= weight;
      if (--announced_flows == 0) announced = Number(0);
    }
  }
  /// Begins a calculation.
  void reset() {
    active = announced;
    active_flows = announced_flows;
    free = capacity;
    share = active_flows > 0 ? Number(capacity / active) : NumberTraits<Number>::unbounded();
  }
  void visit(Message& m) {
    switch (m.kind) {
      case Message::Kind::collect:
        m.share = std::min(m.share, share);
        break;
      case Message::Kind::update:
        free -= m.amount;
        if (NumberTraits<Number>::is_spent(free, capacity)) m.flag = false;
        m.share = std::min(m.share, share);
        break;
      case Message::Kind::leave:
        active -= m.amount;
        if (--active_flows > 0) share += (share - m.share) * m.amount / active;
        break;
      default:
        break;
    }
  }
};

/// The loop of one flow at its source: what to send next. Basic: collect the share, then take it.
/// Optimized: taking collects the next share.
template <class Number>
class DffaLoop {
 public:
  using Message = DffaMessage<Number>;
  using Kind = typename Message::Kind;

  /// First message.
  Message begin(const Number& weight, bool is_optimized) {
    weight_ = weight;
    rate_ = Number(0);
    is_optimized_ = is_optimized;
    is_final_ = false;
    return is_optimized ? update(Number(0)) : collect();
  }
  /// What follows the answer; nothing when the flow has left the calculation.
  std::optional<Message> next(const Message& answer) {
    if (answer.kind == Kind::leave) return std::nullopt;
    if (answer.kind == Kind::update && !answer.flag) {
      is_final_ = true;
      return Message{Kind::leave, true, 0, weight_, rate_};
    }
    if (answer.kind == Kind::update && !is_optimized_) return collect();
    const Number change = answer.share - rate_;
    rate_ = answer.share;
    return update(Number(change * weight_));
  }

  /// Normalized rate so far.
  [[nodiscard]] const Number& rate() const { return rate_; }
  [[nodiscard]] bool is_final() const { return is_final_; }

 private:
  static Message collect() {
    return {Kind::collect, true, 0, Number(0), NumberTraits<Number>::unbounded()};
  }
  static Message update(const Number& amount) {
    return {Kind::update, true, 0, amount, NumberTraits<Number>::unbounded()};
  }

  Number weight_{1};
  Number rate_{0};
  bool is_optimized_ = true;
  bool is_final_ = false;
};

}  // namespace weir::rates
