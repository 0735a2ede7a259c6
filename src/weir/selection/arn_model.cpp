#include "weir/selection/arn.hpp"
#include "weir/selection/parameters.hpp"

namespace weir::selection {
namespace {

Keys<DetectorSettings> detector_keys() {
  using K = DetectorSettings;
  return {
      key(&K::high, "high",
          "HCDTh: filled share of its buffer class above which a virtual output queue makes its "
          "output suspect")
          .range(0, 1),
      key(&K::low, "low",
          "LCDTh: filled share of its buffer class below which the queue of a suspect output does "
          "not count any longer")
          .range(0, 1),
      key(&K::free, "free",
          "FCTh: free share of the buffer class behind a suspect output above which the output is "
          "a root, not a branch")
          .range(0, 1),
      key(&K::persistence, "persistence",
          "CRT: time for which both conditions have to last before the output is declared a root")
          .at_least(1),
      choice(&K::continuous, "persistence_test",
             "when both conditions are tested: endpoints, when that time begins and when it ends; "
             "continuous, there is room behind the output all the time",
             {{"endpoints", false}, {"continuous", true}}),
      choice(&K::ends_high, "persistence_queue",
             "length of the queue when that time ends: above `high` again, or not yet below `low` "
             "since it was",
             {{"high", true}, {"low", false}}),
      choice(&K::of_port, "threshold_scope",
             "whole of which the shares of queues are taken: the buffer class, or the port's "
             "buffer",
             {{"class", false}, {"port", true}}),
      key(&K::refresh, "refresh", "interval at which a root renews the entries about it")
          .at_least(1)};
}

Keys<ArnSettings> arn_keys() {
  using K = ArnSettings;
  return Keys<K>{isolation_key(&K::isolates)}
      .with(detector_keys())
      .with(
          {key(&K::switch_lifetime, "switch_lifetime",
               "lifetime of entries in switches that are not renewed")
               .at_least(1),
           key(&K::host_lifetime, "host_lifetime",
               "lifetime of entries in hosts that are not renewed")
               .at_least(1),
           key(&K::failure_lifetime, "failure_lifetime",
               "lifetime of entries about links that are down, which are tried again after it")
               .at_least(1),
           key(&K::least_gap, "least_gap",
               "shortest time between two notifications of the same entry through the same port; "
               "0: one for every packet"),
           key(&K::bytes, "notification_size", "size of a notification on the wire").range(1, 4096),
           choice(&K::keeps_adapted_roots, "adapted_roots",
                  "treatment of a root whose responsible packet is adapted: keep an entry that "
                  "no switch acts on, so that hosts hear of it; or skip it, as the published "
                  "pseudo-code does",
                  {{"keep", true}, {"skip", false}}),
           choice(&K::host_marks, "hosts",
                  "what hosts do when a notification reaches them: mark, packets of that flow "
                  "are adapted from the start (with isolation); mark-adapted, also where the "
                  "root is further up and its responsible packet was adapted; ignore",
                  {{"mark", HostMarks::own_link},
                   {"mark-adapted", HostMarks::adapted_roots_too},
                   {"ignore", HostMarks::none}}),
           key(&K::most_entries, "table_entries",
               "entries of a switch's table, of which the one renewed longest ago makes way; 0: "
               "no limit")
               .range(0, 1 << 20)});
}

const fabric::SelectionRegistration kArn(
    fabric::selection_registry(),
    {"arn",
     "Adaptive routing notifications: switches find roots of congestion and tell those upstream, "
     "which divert the flows responsible",
     "haramaty2014arn; rocher2021, sections 3.1 to 3.6"},
    arn_keys(), [](const Checked<ArnSettings>& settings) {
      if (settings->low > settings->high) throw settings.error(&ArnSettings::low, "is above high");
      if (settings->switch_lifetime <= settings->refresh) {
        throw settings.error(&ArnSettings::switch_lifetime,
                             "is not above refresh: entries would go before they are renewed");
      }
      return std::make_unique<Arn>(*settings);
    });

}  // namespace
}  // namespace weir::selection
