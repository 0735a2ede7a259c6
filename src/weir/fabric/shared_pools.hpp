#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace weir {
class StateArchive;
}

namespace weir::fabric {

/// Ingress memory that classes share, and which of them have to stop their senders. Beside the
/// shared memory of its pool a class has a reservation, which it fills first, and headroom for what
/// still comes after its sender has been stopped.
///
/// A packet that comes to a class whose sender may go takes reservation and shared memory, if the
/// class stays within its threshold and the pool holds it. Otherwise the sender is stopped and the
/// packet takes headroom, as does all that comes until the sender may go on. The threshold of what
/// a class has of the shared memory is a share of all of it (static) or alpha times what is free
/// (dynamic: Choudhury and Hahne 1998); a dynamic one falls when others take memory, and stops
/// senders of classes that stand still. What leaves a class empties its headroom first, then the
/// shared memory, then the reservation. A sender goes on when the headroom of its class is empty
/// and the class has nothing of the shared memory, or little enough below the threshold.
///
/// So what is not headroom never exceeds the reservations and the pool, and a class that is empty
/// lets its sender go whatever the others hold.
class SharedPools {
 public:
  struct Rules {
    std::int64_t reserved = 0;  ///< bytes of each class
    bool is_dynamic = true;
    /// The sender is stopped when its class would have more than this share of the memory that is
    /// free (dynamic) or of all shared memory (static) ...
    double stop = 1;
    /// ... and goes on at this share less `hysteresis` bytes.
    double go = 1;
    std::int64_t hysteresis = 0;
  };

  SharedPools(const Rules& rules, std::size_t classes) : rules_(rules), classes_(classes) {}

  /// Classes `first` to `last` - 1 share `bytes`. Each class is in at most one pool; those in none
  /// are not used.
  void add(std::size_t first, std::size_t last, std::int64_t bytes);

  /// A packet of `bytes` has come to `index`. Returns the classes whose senders have to be stopped
  /// now, until the next call.
  std::span<const std::uint32_t> come(std::size_t index, std::int64_t bytes);
  /// `bytes` of `index` have become free. Returns the classes whose senders may go on now, until
  /// the next call.
  std::span<const std::uint32_t> leave(std::size_t index, std::int64_t bytes);

  [[nodiscard]] bool is_stopped(std::size_t index) const { return classes_[index].is_stopped; }
  /// Bytes of a class, in all, and of its headroom.
  [[nodiscard]] std::int64_t fill(std::size_t index) const { return classes_[index].fill; }
  [[nodiscard]] std::int64_t headroom_used(std::size_t index) const {
    return classes_[index].fill - classes_[index].base;
  }
  /// Shared memory that is free in the pool of a class.
  [[nodiscard]] std::int64_t free_for(std::size_t index) const {
    return pools_[classes_[index].pool].free;
  }
  /// Of the classes from `first` to before `last`, which are of pools of their own.
  void checkpoint(StateArchive& state, std::size_t first, std::size_t last);
  [[nodiscard]] std::size_t memory() const {
    return classes_.capacity() * sizeof(Class) + pools_.capacity() * sizeof(Pool) +
           changed_.capacity() * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

  struct Class {
    std::int64_t fill = 0;
    std::int64_t base = 0;  ///< of it in reservation and shared memory; the rest is in the headroom
    std::uint32_t pool = 0;
    bool is_stopped = false;
  };
  struct Pool {
    std::size_t first = 0;
    std::size_t last = 0;
    std::int64_t size = 0;
    std::int64_t free = 0;
    // Bounds that spare a walk over the classes; exact after each walk.
    std::int64_t highest = 0;     ///< no class that may go has more shared memory
    std::int64_t lowest = kNone;  ///< no stopped one with empty headroom has less
  };

  /// What a class has of the shared memory with `bytes` in both.
  [[nodiscard]] std::int64_t shared(std::int64_t bytes) const {
    return bytes > rules_.reserved ? bytes - rules_.reserved : 0;
  }
  [[nodiscard]] std::int64_t part(double share, const Pool& pool, std::int64_t free) const {
    return static_cast<std::int64_t>(share *
                                     static_cast<double>(rules_.is_dynamic ? free : pool.size));
  }
  [[nodiscard]] bool may_go(const Pool& pool, std::int64_t has) const;
  void stop_above(Pool& pool, std::int64_t threshold);
  void let_go(Pool& pool);

  Rules rules_;
  std::vector<Class> classes_;
  std::vector<Pool> pools_;
  std::vector<std::uint32_t> changed_;
};

}  // namespace weir::fabric
