#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "weir/rates/control_plane.hpp"

namespace weir::rates {

/// One element's part in the propagation of information with feedback (Segall;
/// zdornov2009, section 4.3.3): what comes first from a neighbour is passed on to all others and
/// makes that neighbour the parent; when every other neighbour has sent something, the answers go
/// to the parent, put together. The parents are a spanning tree that nobody has set up. `Answer`
/// has `void add(const Answer&)`.
template <class Answer>
class PifNode {
 public:
  /// The element that begins. Nothing is outstanding when it has no cables.
  void lead(std::size_t cables, Answer own) { begin(kNone, cables, std::move(own)); }
  /// First message, over `from`.
  void join(LinkIndex from, std::size_t cables, Answer own) {
    begin(from, cables - 1, std::move(own));
  }
  /// An answer of a child.
  void hear(const Answer& answer) {
    answer_.add(answer);
    has_children_ = true;
    --outstanding_;
  }
  /// The message itself, from a neighbour that has another parent: an empty answer.
  void hear() { --outstanding_; }

  [[nodiscard]] bool is_complete() const { return outstanding_ == 0; }
  /// Someone has chosen it for a parent: there are answers to put together.
  [[nodiscard]] bool has_children() const { return has_children_; }
  [[nodiscard]] LinkIndex parent() const { return parent_; }  ///< link from it; kNone: leader
  [[nodiscard]] const Answer& answer() const { return answer_; }

 private:
  void begin(LinkIndex parent, std::size_t outstanding, Answer own) {
    parent_ = parent;
    has_children_ = false;
    outstanding_ = static_cast<std::uint32_t>(outstanding);
    answer_ = std::move(own);
  }

  LinkIndex parent_ = kNone;
  std::uint32_t outstanding_ = 0;
  bool has_children_ = false;
  Answer answer_{};
};

}  // namespace weir::rates
