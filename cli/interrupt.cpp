#include "interrupt.hpp"

#include <csignal>

namespace weir::cli {
namespace {

std::atomic<bool> was_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int) {
  was_interrupted = true;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& watch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  return was_interrupted;
}

}  // namespace weir::cli
