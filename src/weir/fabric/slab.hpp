#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "weir/base/error.hpp"
#include "weir/base/huge_pages.hpp"

namespace weir::fabric {

inline constexpr std::uint32_t kNone = UINT32_MAX;

/// Objects behind 32-bit handles; freed ones are used again, last freed first. References are valid
/// until the next take(). T has a member `next` that the slab uses while an object is free.
template <class T>
class Slab {
 public:
  std::uint32_t take() {
    ++in_use_;
    if (free_ != kNone) {
      const std::uint32_t handle = free_;
      free_ = items_[handle].next;
      items_[handle] = T{};
      return handle;
    }
    if (items_.size() >= kNone) throw RunError("out of 32-bit handles");
    items_.emplace_back();
    return static_cast<std::uint32_t>(items_.size() - 1);
  }
  void give_back(std::uint32_t handle) {
    items_[handle].next = free_;
    free_ = handle;
    --in_use_;
  }

  T& operator[](std::uint32_t handle) { return items_[handle]; }
  const T& operator[](std::uint32_t handle) const { return items_[handle]; }
  /// Of an object in the slab. Throws std::logic_error for a copy.
  [[nodiscard]] std::uint32_t handle_of(const T& item) const {
    const auto offset =
        reinterpret_cast<std::uintptr_t>(&item) - reinterpret_cast<std::uintptr_t>(items_.data());
    if (offset >= items_.size() * sizeof(T)) throw std::logic_error("this is a copy of the object");
    return static_cast<std::uint32_t>(offset / sizeof(T));
  }
  [[nodiscard]] std::size_t in_use() const { return in_use_; }
  /// Handles of all objects in use, ascending.
  [[nodiscard]] std::vector<std::uint32_t> handles() const {
    std::vector<bool> is_free(items_.size());
    for (std::uint32_t handle = free_; handle != kNone; handle = items_[handle].next)
      is_free[handle] = true;
    std::vector<std::uint32_t> used;
    for (std::uint32_t handle = 0; handle < items_.size(); ++handle)
      if (!is_free[handle]) used.push_back(handle);
    return used;
  }
  [[nodiscard]] std::size_t memory() const { return items_.capacity() * sizeof(T); }

 private:
  HugeVector<T> items_;
  std::uint32_t free_ = kNone;
  std::size_t in_use_ = 0;
};

}  // namespace weir::fabric
