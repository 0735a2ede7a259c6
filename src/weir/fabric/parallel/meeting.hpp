#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "weir/base/prefetch.hpp"

namespace weir::fabric {

/// Threads meet: each waits until all are there. The last one does something before they go on.
/// Who waits watches a while, since steps are short, and then sleeps.
class Meeting {
 public:
  explicit Meeting(std::uint32_t members)
      : members_(members),
        has_cores_(members <= std::thread::hardware_concurrency()),
        polite_from_(has_cores_ ? kPoliteFrom : 0),
        watch_(has_cores_ ? kWatch : kWatchInTurns) {}

  /// All others are there already.
  [[nodiscard]] bool is_last_missing() const {
    return arrived_.load(std::memory_order_relaxed) + 1 >= members_;
  }

  template <class AtTheEnd>
  void meet(AtTheEnd at_the_end) {
    const std::uint32_t round = round_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == members_) {
      arrived_.store(0, std::memory_order_relaxed);
      at_the_end();
      round_.store(round + 1, std::memory_order_release);
      // notify_all() looks whether anyone sleeps, with GCC 12 by a load that may come before the
      // store otherwise: who has just begun to sleep would never be woken.
      std::atomic_thread_fence(std::memory_order_seq_cst);
      round_.notify_all();
      return;
    }
    for (int i = 0; i < watch_; ++i) {
      if (round_.load(std::memory_order_acquire) != round) return;
      if (i < polite_from_) {
        relax();
      } else {
        std::this_thread::yield();
      }
    }
    while (round_.load(std::memory_order_acquire) == round) round_.wait(round);
  }

 private:
  /// Looks before it sleeps, which takes as long as many a window; the later ones leave the core to
  /// other threads and programs, all of them where there are fewer cores than members.
  static constexpr int kWatch = 10'000;
  /// Where there are fewer cores than members: who sleeps is let onto a core at once when it is
  /// woken, before programs that have been at work; who has watched for long is not.
  static constexpr int kWatchInTurns = 20;
  static constexpr int kPoliteFrom = 200;

  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
  }

  std::uint32_t members_;
  bool has_cores_;
  int polite_from_;
  int watch_;
  alignas(64) std::atomic<std::uint32_t> arrived_{0};
  alignas(64) std::atomic<std::uint32_t> round_{0};
};

}  // namespace weir::fabric
