#include "weir/selection/arn.hpp"
#include "weir/selection/parameters.hpp"

namespace weir::selection {
namespace {

using Type = ParameterType;

std::vector<Parameter> parameters() {
  return {
      isolation_parameter(),
      Parameter::of(Type::real, "high",
                    "HCDTh: filled share of its buffer class above which a virtual output queue "
                    "makes its output suspect")
          .by_default("0.81")
          .range(0, 1),
      Parameter::of(Type::real, "low",
                    "LCDTh: filled share of its buffer class below which the queue of a suspect "
                    "output does not count any longer")
          .by_default("0.63")
          .range(0, 1),
      Parameter::of(Type::real, "free",
                    "FCTh: free share of the buffer class behind a suspect output above which the "
                    "output is a root, not a branch")
          .by_default("0.78")
          .range(0, 1),
      Parameter::of(
          Type::time, "persistence",
          "CRT: time for which both conditions have to last before the output is declared a root")
          .by_default("5 ms")
          .at_least(1),
      Parameter::of(Type::text, "persistence_test",
                    "when both conditions are tested: endpoints, when that time begins and when it "
                    "ends; continuous, there is room behind the output all the time")
          .by_default("endpoints")
          .one_of({"endpoints", "continuous"}),
      Parameter::of(Type::text, "persistence_queue",
                    "length of the queue when that time ends: above `high` again, or not yet below "
                    "`low` since it was")
          .by_default("high")
          .one_of({"high", "low"}),
      Parameter::of(
          Type::text, "threshold_scope",
          "whole of which the shares of queues are taken: the buffer class, or the port's buffer")
          .by_default("class")
          .one_of({"class", "port"}),
      Parameter::of(Type::time, "refresh", "interval at which a root renews the entries about it")
          .by_default("100 us")
          .at_least(1),
      Parameter::of(Type::time, "switch_lifetime",
                    "lifetime of entries in switches that are not renewed")
          .by_default("3 ms")
          .at_least(1),
      Parameter::of(Type::time, "host_lifetime",
                    "lifetime of entries in hosts that are not renewed")
          .by_default("10 ms")
          .at_least(1),
      Parameter::of(Type::time, "failure_lifetime",
                    "lifetime of entries about links that are down, which are tried again after it")
          .by_default("1 s")
          .at_least(1),
      Parameter::of(Type::time, "least_gap",
                    "shortest time between two notifications of the same entry through the same "
                    "port; 0: one for every packet")
          .by_default("10 us"),
      Parameter::of(Type::bytes, "notification_size", "size of a notification on the wire")
          .by_default("64 B")
          .range(1, 4096),
      Parameter::of(
          Type::text, "adapted_roots",
          "treatment of a root whose responsible packet is adapted: keep an entry that no switch "
          "acts on, so that hosts hear of it; or skip it, as the published pseudo-code does")
          .by_default("keep")
          .one_of({"keep", "skip"}),
      Parameter::of(
          Type::text, "hosts",
          "what hosts do when a notification reaches them: mark, packets of that flow are "
          "adapted from the start (with isolation); mark-adapted, also where the root is further "
          "up "
          "and its responsible packet was adapted; ignore")
          .by_default("mark")
          .one_of({"mark", "mark-adapted", "ignore"}),
      Parameter::of(Type::integer, "table_entries",
                    "entries of a switch's table, of which the one renewed longest ago makes way; "
                    "0: no limit")
          .by_default("0")
          .range(0, 1 << 20)};
}

std::unique_ptr<fabric::SelectionFunction> make(const Settings& settings) {
  ArnSettings arn;
  arn.isolates = settings.text("isolation") == "afi";
  DetectorSettings& detector = arn.detector;
  detector.high = settings.real("high");
  detector.low = settings.real("low");
  detector.free = settings.real("free");
  if (detector.low > detector.high) throw settings.error("low", "is above high");
  detector.persistence = settings.time("persistence");
  detector.refresh = settings.time("refresh");
  detector.continuous = settings.text("persistence_test") == "continuous";
  detector.ends_high = settings.text("persistence_queue") == "high";
  detector.of_port = settings.text("threshold_scope") == "port";
  arn.switch_lifetime = settings.time("switch_lifetime");
  if (arn.switch_lifetime <= detector.refresh) {
    throw settings.error("switch_lifetime",
                         "is not above refresh: entries would go before they are renewed");
  }
  arn.host_lifetime = settings.time("host_lifetime");
  arn.failure_lifetime = settings.time("failure_lifetime");
  arn.least_gap = settings.time("least_gap");
  arn.bytes = static_cast<std::uint32_t>(settings.bytes("notification_size").count);
  arn.keeps_adapted_roots = settings.text("adapted_roots") == "keep";
  arn.marks_at_hosts = arn.isolates && settings.text("hosts") != "ignore";
  arn.marks_for_adapted_roots = settings.text("hosts") == "mark-adapted";
  arn.most_entries = static_cast<std::size_t>(settings.integer("table_entries"));
  return std::make_unique<Arn>(arn);
}

const fabric::SelectionRegistration kArn(
    fabric::selection_registry(),
    {"arn",
     "Adaptive routing notifications: switches find roots of congestion and tell those upstream, "
     "which divert the flows responsible",
     "haramaty2014arn; rocher2021, sections 3.1 to 3.6", parameters()},
    make);

}  // namespace
}  // namespace weir::selection
