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
    Refused{"isolation.model", "only where no link fails",
            "[isolation]\nmodel = \"fbicm\"\n"
            "[[failure]]\nrandom = 1\nat = \"2 us\"\nuntil = \"6 us\"\n"},
    Refused{"selection.model", "only where no link fails",
            "[selection]\nmodel = \"arn\"\n"
            "[[failure]]\nrandom = 1\nat = \"2 us\"\nuntil = \"6 us\"\n"},
    Refused{"admission.model", "only where no link fails",
            "[admission]\nmodel = \"link-by-link\"\n[traffic.cold]\nreserve = \"1 Gbps\"\n"
            "[[failure]]\nrandom = 1\nat = \"2 us\"\nuntil = \"6 us\"\n"},
    Refused{"vl_sharing.model", "only where no link fails",
            "[vl_sharing]\nmodel = \"one-lane\"\nswitch_rate = \"50 Gbps\"\n"
            "[[failure]]\nrandom = 1\nat = \"2 us\"\nuntil = \"6 us\"\n"},
    Refused{"agent.model", "only where no link fails",
            "[agent]\nmodel = \"lecn\"\n"
            "[queueing]\nmodel = \"voqsw\"\nflow_control = \"per-queue\"\n"
            "[[failure]]\nrandom = 1\nat = \"2 us\"\nuntil = \"6 us\"\n"},
    Refused{"protocol.model", "needs experiment.threads = 1",
            "[host]\nsource_queues = \"per-destination\"\n"
            "[injection]\nmodel = \"periodic-selection\"\n"
            "[protocol]\nmodel = \"dffa\"\n"
            "[[flow]]\nsource = 1\ndestination = 2\n"},
    Refused{"flow_routing.set_up", "needs experiment.threads = 1",
            "[flow_routing]\nset_up = \"packets\"\npolicy = \"ascent\"\n"
            "[[flow]]\nsource = 1\ndestination = 2\nsize = \"16 KiB\"\n"},
    Refused{"metrics.waiting", "needs experiment.threads = 1", "[metrics]\nwaiting = true\n"},
    // By nature: nothing lies between what a part does and what that does to another.
    Refused{"link.delay", "cables without delay", "[link]\ndelay = \"0 ns\"\n"},
    Refused{"host.ack_delay", "faster than its shortest cable",
            "[host]\nacks = \"ideal\"\nack_delay = \"1 ns\"\n"},
};

/// What one that is divided among processes does not do besides.
inline constexpr std::array kRefusedInRanks{
    // By nature.
    Refused{"switch", "cannot be divided among", "[topology]\nn = 1\nk = 8\n"},
};

/// The entry that an error belongs to; null: none.
template <std::size_t kCount>
const Refused* find_refused(const InputError& error, const std::array<Refused, kCount>& list) {
  for (const Refused& one : list) {
    if (error.key() == one.key && error.message().find(one.reason) != std::string::npos)
      return &one;
  }
  return nullptr;
}
inline const Refused* find_refused(const InputError& error) {
  return find_refused(error, kRefused);
}

}  // namespace weir::experiment::parallel
