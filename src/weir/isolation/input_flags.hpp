#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "weir/fabric/port_mask.hpp"

namespace weir {
class StateArchive;
}

namespace weir::isolation {

/// A flag for each input of a switch, and for each lane in which packets come in by it.
class InputFlags {
 public:
  void set(unsigned input, unsigned lane) { at(lane).set(input); }
  void clear(unsigned input, unsigned lane) {
    if (knows(lane)) at(lane).clear(input);
  }
  void clear() {
    first_ = {};
    others_.reset();
  }
  [[nodiscard]] bool test(unsigned input, unsigned lane) const {
    if (lane == 0) return first_.test(input);
    return knows(lane) && (*others_)[lane - 1].test(input);
  }
  [[nodiscard]] bool any() const {
    if (first_.any()) return true;
    if (others_ == nullptr) return false;
    for (const fabric::PortMask& other : *others_) {
      if (other.any()) return true;
    }
    return false;
  }
  void checkpoint(StateArchive& state);
  /// visit(input, lane) for every flag that is set.
  template <class Visit>
  void for_each(unsigned inputs, Visit visit) const {
    const unsigned lanes = others_ == nullptr ? 1 : 1 + static_cast<unsigned>(others_->size());
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const fabric::PortMask& mask = lane == 0 ? first_ : (*others_)[lane - 1];
      mask.find_cyclic(0, inputs, [&](unsigned input) {
        visit(input, lane);
        return false;
      });
    }
  }

 private:
  [[nodiscard]] bool knows(unsigned lane) const {
    return lane == 0 || (others_ != nullptr && lane <= others_->size());
  }
  [[nodiscard]] fabric::PortMask& at(unsigned lane) {
    if (lane == 0) return first_;
    if (others_ == nullptr) others_ = std::make_unique<std::vector<fabric::PortMask>>();
    if (others_->size() < lane) others_->resize(lane);
    return (*others_)[lane - 1];
  }

  fabric::PortMask first_;                                 ///< of lane 0
  std::unique_ptr<std::vector<fabric::PortMask>> others_;  ///< of those from lane 1 on
};

}  // namespace weir::isolation
