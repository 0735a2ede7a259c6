#pragma once

#include <array>
#include <string>

#include "weir/base/error.hpp"

namespace weir::experiment::parallel {

/// What a divided network does not do today: the key that is blamed, and words of the reason. It
/// gets shorter on purpose: who makes one of them work takes it out here, and nothing else may be
/// refused. See docs/architecture.md, "Parts of a network".
struct Refused {
  const char* key;
  const char* reason;
  bool is_shipped = true;  ///< in an experiment that weir ships
};
inline constexpr std::array kRefused{
    Refused{"isolation.model", "does not work in parts"},
    Refused{"selection.model", "does not work in parts"},
    Refused{"admission.model", "does not work in parts"},
    Refused{"vl_sharing.model", "does not work in parts"},
    Refused{"agent.model", "does not work in parts"},
    Refused{"injection.model", "does not work in parts"},
    Refused{"host.order", "does not work in parts"},
    Refused{"flow", "no [[flow]]s"},
    Refused{"traffic.rate", "no flows with rates"},
    Refused{"workload", "no workloads"},
    Refused{"traffic", "wait for a count of messages"},
    Refused{"failure", "no links that fail"},
    Refused{"metrics.waiting", "needs experiment.threads = 1"},
    // By nature: nothing lies between what a part does and what that does to another.
    Refused{"link.delay", "cables without delay", false},
    Refused{"host.ack_delay", "faster than its shortest cable", false},
};

/// The entry that an error belongs to; null: none.
inline const Refused* find_refused(const InputError& error) {
  for (const Refused& one : kRefused) {
    if (error.key() == one.key && error.message().find(one.reason) != std::string::npos)
      return &one;
  }
  return nullptr;
}

}  // namespace weir::experiment::parallel
