#pragma once

#include <array>
#include <string>

#include "weir/base/error.hpp"

namespace weir::experiment::parallel {

/// What a divided network does not do today. The list gets shorter on purpose: who makes one of
/// them work takes it out here, a test sees to that, and nothing else may be refused. See
/// docs/architecture.md, "Parts of a network".
struct Refused {
  const char* key;      ///< that is blamed
  const char* reason;   ///< words of it
  const char* example;  ///< TOML, laid over small_experiment(); tables of lists join those there
};
inline constexpr std::array kRefused{
    Refused{"isolation.model", "does not work in parts", "[isolation]\nmodel = \"fbicm\"\n"},
    Refused{"selection.model", "does not work in parts", "[selection]\nmodel = \"arn\"\n"},
    Refused{"admission.model", "does not work in parts",
            "[admission]\nmodel = \"link-by-link\"\n[traffic.cold]\nreserve = \"1 Gbps\"\n"},
    Refused{"vl_sharing.model", "does not work in parts",
            "[vl_sharing]\nmodel = \"one-lane\"\nswitch_rate = \"50 Gbps\"\n"},
    Refused{"agent.model", "does not work in parts",
            "[agent]\nmodel = \"lecn\"\n"
            "[queueing]\nmodel = \"voqsw\"\nflow_control = \"per-queue\"\n"},
    Refused{"injection.model", "does not work in parts",
            "[injection]\nmodel = \"leaky-bucket\"\nrate = \"50 Gbps\"\n"},
    Refused{"host.order", "does not work in parts", "[host]\norder = \"reorder\"\n"},
    Refused{"flow", "no [[flow]]s", "[[flow]]\nsource = 1\ndestination = 2\nsize = \"16 KiB\"\n"},
    Refused{"traffic.rate", "no flows with rates",
            "[traffic.hot]\nrate = \"calculated\"\n"
            "[injection]\nmodel = \"periodic-selection\"\n"
            "[host]\nsource_queues = \"per-destination\"\n"},
    Refused{"workload", "no workloads",
            "[[workload]]\nname = \"w\"\nmodel = \"ring-all-reduce\"\nbytes = \"4 KiB\"\n"},
    Refused{"traffic", "wait for a count of messages", "[traffic.hot]\nstart_after_packets = 10\n"},
    Refused{"failure", "no links that fail",
            "[[failure]]\nrandom = 1\nat = \"2 us\"\nuntil = \"6 us\"\n"},
    Refused{"metrics.waiting", "needs experiment.threads = 1", "[metrics]\nwaiting = true\n"},
    // By nature: nothing lies between what a part does and what that does to another.
    Refused{"link.delay", "cables without delay", "[link]\ndelay = \"0 ns\"\n"},
    Refused{"host.ack_delay", "faster than its shortest cable",
            "[host]\nacks = \"ideal\"\nack_delay = \"1 ns\"\n"},
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
