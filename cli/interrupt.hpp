#pragma once

#include <atomic>

namespace weir::cli {

/// From now on the first Ctrl-C (SIGINT) or SIGTERM only sets a flag, so that runs end soon and
/// everything is written; a second one ends the program at once. Returns the flag.
const std::atomic<bool>& watch_interrupts();

}  // namespace weir::cli
