#include "weir/experiment/sections.hpp"

#include <algorithm>
#include <stdexcept>

#include "weir/experiment/failures.hpp"
#include "weir/experiment/flow_routing.hpp"
#include "weir/experiment/flows.hpp"
#include "weir/experiment/presets.hpp"
#include "weir/experiment/protocol_keys.hpp"
#include "weir/experiment/run_kind.hpp"
#include "weir/traffic/traffic.hpp"
#include "weir/workload/entry.hpp"

namespace weir::experiment {
namespace {

using Type = ParameterType;

Section plain(std::string name, std::string purpose, std::vector<Parameter> parameters) {
  return {std::move(name), std::move(purpose), {}, {}, std::move(parameters)};
}

Section list(std::string name, std::string purpose, std::vector<Parameter> parameters) {
  Section made = plain(std::move(name), std::move(purpose), std::move(parameters));
  made.is_list = true;
  return made;
}

Section model(const std::string& kind, std::string purpose, std::string default_model,
              std::vector<Parameter> parameters = {}) {
  return {kind, std::move(purpose), kind, std::move(default_model), std::move(parameters)};
}

/// Kinds of experiments, or those that are searches.
std::vector<std::string> kind_names(bool searches) {
  std::vector<std::string> names;
  for (const ModelInfo* model : run_kind_registry().models()) {
    const RunKind& kind = run_kind_registry().find(model->name, {}, "experiment.kind").make;
    if (kind.is_search == searches) names.push_back(model->name);
  }
  return names;
}

Section experiment_section() {
  return plain(
      "experiment", "what is run, for how long",
      {Parameter::of(Type::text, "name",
                     "short name, also of the results' folder (default: the "
                     "file's name)"),
       Parameter::of(
           Type::text, "kind",
           "simulation: packets are simulated; network: topology and routing are "
           "measured; rates: rates of the [[flow]]s are calculated. What only packets need "
           "(traffic, duration, queueing, ...) means nothing to these two; queue: a queueing model "
           "is solved, and networks mean nothing")
           .by_default("simulation")
           .one_of(kind_names(false)),
       Parameter::of(Type::text, "title", "one line for tables and plots").by_default(""),
       Parameter::of(Type::text, "description", "what the experiment is about").by_default(""),
       Parameter::of(Type::integer, "seed", "of all random streams").by_default("1").at_least(0),
       Parameter::of(Type::time, "duration", "simulated time; with `until` the longest")
           .at_least(1),
       Parameter::of(Type::any, "find",
                     "saturation, or a table (see experiment.find): search the load from which on "
                     "latency diverges"),
       Parameter::of(Type::any, "until",
                     "\"drained\": end when all sources have ended and every packet is delivered; "
                     "\"workload\": when all workloads are done; a table (see experiment.until): "
                     "end when a mean is known well enough"),
       Parameter::of(Type::time, "warmup",
                     "measuring starts then; auto: where MSER-5 finds the end of the start-up, "
                     "with confidence intervals")
           .by_default("0 ps")
           .one_of({"auto"})});
}

Section find_section() {
  return plain(
      "experiment.find", "search by many runs of `duration`, all of them one run of the experiment",
      {Parameter::of(Type::text, "goal", "saturation: the load from which on latency diverges")
           .by_default("saturation")
           .one_of(kind_names(true)),
       Parameter::of(Type::text, "load",
                     "dotted key of the load that is varied, as traffic.NAME.arrivals.load "
                     "(default: the only one there is)"),
       Parameter::of(Type::real, "low", "no load at or below it is tried")
           .by_default("0.0")
           .range(0, 1e6),
       Parameter::of(Type::real, "high", "highest load, tried first")
           .by_default("1.0")
           .range(0, 1e6),
       Parameter::of(Type::real, "resolution",
                     "loads that are tried are so far apart; at most 12 runs are made")
           .by_default("0.01")
           .range(1e-6, 1e6)});
}

Section until_section() {
  return plain(
      "experiment.until", "end when a mean is known well enough, at the latest after the duration",
      {Parameter::of(Type::text, "metric", "a steady-state mean of traffic, as latency_mean[cold]")
           .required(),
       Parameter::of(Type::real, "relative_half_width",
                     "half of the confidence interval, over the mean")
           .by_default("0.05")
           .range(1e-4, 1),
       Parameter::of(Type::real, "confidence", "of that interval")
           .by_default("0.95")
           .range(0.5, 0.999)});
}

Section management_section() {
  std::vector<std::string> names;
  for (const ModelInfo* preset : preset_registry().models()) names.push_back(preset->name);
  return plain("management", "congestion management as a whole",
               {Parameter::of(Type::text, "preset",
                              "marking, reaction and ACKs as a document combines them; it fills in "
                              "what the experiment does not set (see weir describe NAME)")
                    .by_default("none")
                    .one_of(names)});
}

Section link_section() {
  return plain("link", "all links that the topology does not set itself",
               {Parameter::of(Type::rate, "rate", "data rate of each direction")
                    .by_default("100 Gbps")
                    .at_least(1),
                Parameter::of(Type::time, "delay", "propagation delay").by_default("30 ns"),
                Parameter::of(Type::any, "lengths",
                              "cable lengths, drawn for each cable by the seed, in place of "
                              "`delay`: { model = \"uniform\", shortest = 1.0, longest = 20.0 } "
                              "in metres (see weir list lengths)"),
                Parameter::of(Type::time, "delay_per_metre",
                              "of drawn lengths (default: 5 ns, light in glass or copper)")
                    .range(1, 1e6),
                Parameter::of(Type::time, "perturbation",
                              "every cable, also of the topology's own, is longer or shorter by at "
                              "most this, drawn by the seed (cables of 0 ns: longer); ties fall "
                              "otherwise in every replication. At most the shortest cable's delay")
                    .by_default("0 ps")
                    .range(0, 1e9)});
}

Section switch_section() {
  return plain(
      "switch", "how switches forward packets",
      {Parameter::of(Type::text, "architecture",
                     "iq: input-queued, any number of packets leave a buffer at once; iq-single: "
                     "one at a time, matched by iSLIP; cioq: one at a time at `speedup` times the "
                     "link rate into an egress buffer; oq: ideal output queues (default: cioq with "
                     "an [isolation] model, and with presets that say so)")
           .by_default("iq")
           .one_of({"iq", "iq-single", "cioq", "oq"}),
       Parameter::of(Type::real, "speedup", "crossbar rate over link rate (cioq)")
           .by_default("1.0")
           .range(1, 1000),
       Parameter::of(Type::text, "switching",
                     "cut-through: a packet may leave while it arrives; store-and-forward")
           .by_default("cut-through")
           .one_of({"cut-through", "store-and-forward"}),
       Parameter::of(Type::text, "arbiter", "who wins an output")
           .by_default("round-robin")
           .one_of({"round-robin", "first-come", "random", "vl-weighted"}),
       Parameter::of(Type::integer, "iterations", "of the iSLIP matching (iq-single)")
           .by_default("3")
           .range(1, 64),
       Parameter::of(Type::time, "routing_delay", "header arrival to ready at the ingress queue")
           .by_default("0 ps"),
       Parameter::of(Type::time, "crossbar_delay", "ingress to output").by_default("0 ps"),
       Parameter::of(Type::boolean, "voq",
                     "virtual output queues inside every buffer class; false: one FIFO with "
                     "head-of-line blocking (some queueing schemes decide themselves)")
           .by_default("true")});
}

Section buffer_section() {
  return plain(
      "buffer", "packet memory of every switch port",
      {Parameter::of(Type::bytes, "ingress", "of an ingress port, over all its classes")
           .by_default("336 KiB"),
       Parameter::of(Type::bytes, "egress", "of an egress port (cioq)").by_default("336 KiB"),
       Parameter::of(Type::text, "memory",
                     "split: evenly among the classes; shared: all share it; reserved: `reserved` "
                     "for each class, the rest shared (some queueing schemes decide themselves)")
           .by_default("split")
           .one_of({"split", "shared", "reserved"}),
       Parameter::of(Type::bytes, "reserved", "for each class").by_default("0 B")});
}

Section flow_control_section() {
  return plain("flow_control", "how a receiver holds its sender back",
               {Parameter::of(Type::text, "model",
                              "credits: bytes of free buffer per class; stop-and-go: by thresholds")
                    .by_default("credits")
                    .one_of({"credits", "stop-and-go"}),
                Parameter::of(Type::real, "stop", "filled share of a class that stops the sender")
                    .by_default("0.75")
                    .range(0, 1),
                Parameter::of(Type::real, "go", "filled share at which it may go again")
                    .by_default("0.5")
                    .range(0, 1)});
}

Section vl_arbitration_section() {
  return plain(
      "vl_arbitration", "InfiniBand VL arbitration (switch.arbiter = \"vl-weighted\")",
      {Parameter::of(Type::any, "high",
                     "high-priority table, at most 64 of { vl = 0, weight = 4 }; weight in 64 "
                     "bytes, 0 to 255; or connections, { vl = 0, share = 0.1 } of the link, which "
                     "share entries of weight 255")
           .by_default("[]"),
       Parameter::of(Type::any, "low", "low-priority table, likewise").by_default("[]"),
       Parameter::of(
           Type::integer, "high_limit",
           "high-priority packets before a low-priority one gets its chance; 0 is one, 255 no "
           "limit")
           .by_default("255")
           .range(0, 255)});
}

Section host_section() {
  return plain(
      "host", "host adapters: packets, source queues, acknowledgements",
      {Parameter::of(Type::bytes, "mtu", "largest payload of a packet")
           .by_default("4 KiB")
           .range(1, 1 << 20),
       Parameter::of(Type::bytes, "header", "added to every packet on the wire")
           .by_default("0 B")
           .range(0, 4096),
       Parameter::of(Type::text, "source_queues",
                     "how a host stores what it may not send yet: one queue; one for each buffer "
                     "class (always so with VL arbitration, unless it is per-destination); one for "
                     "each destination; `source_queue_count` of them, by destination modulo their "
                     "number; or a memory that all packets share, from which the oldest that may "
                     "go is sent")
           .by_default("fifo")
           .one_of({"fifo", "per-class", "per-destination", "modulo", "shared-memory"}),
       Parameter::of(Type::integer, "source_queue_count", "queues of a host (modulo)")
           .range(1, 1 << 20),
       Parameter::of(Type::integer, "source_queue_packets",
                     "places of each queue (per-destination): a packet keeps its own until its ACK, "
                     "so that no flow has more on their way; messages wait before it (default: no "
                     "bound; Ferrer 2012, 6.4.1: as many as the largest dynamic window)")
           .range(1, 1 << 20),
       Parameter::of(Type::bytes, "source_memory",
                     "of a host, for packets with their headers (shared-memory); messages wait "
                     "before it in their order")
           .at_least(1),
       Parameter::of(Type::bytes, "backlog",
                     "payload that a source queue holds (default: no bound)"),
       Parameter::of(Type::integer, "staged_packets",
                     "packets that a saturated source keeps ready in its queue")
           .by_default("8")
           .range(1, 1 << 20),
       Parameter::of(Type::text, "saturation",
                     "what a saturated source does whose next message finds its source queue full: "
                     "per-queue: draws messages for other queues, so that a blocked class or "
                     "destination holds back nobody else; head-of-line: waits for room, and all "
                     "that comes after it; full-rate: generates at the rate of its link, and what "
                     "finds its queue full is refused and counted (adaptive-routing-notifications "
                     "4.2: 100 % generation rate; 7, G-12)")
           .by_default("per-queue")
           .one_of({"per-queue", "head-of-line", "full-rate"}),
       Parameter::of(Type::text, "when_full", "of a bounded source queue")
           .by_default("wait")
           .one_of({"wait", "discard"}),
       Parameter::of(Type::text, "acks",
                     "what a destination sends back: in-band: a packet for each packet; ideal: the "
                     "same, outside the network, with the latency of an empty one; becn: a packet "
                     "for each marked packet")
           .by_default("none")
           .one_of({"none", "ideal", "in-band", "becn"}),
       Parameter::of(Type::bytes, "ack_size", "of an ACK on the wire")
           .by_default("22 B")
           .range(1, 4096),
       Parameter::of(Type::time, "ack_delay",
                     "of an ideal ACK, from the arrival of the packet's tail (default: the latency "
                     "of an empty one on the way back)"),
       Parameter::of(Type::time, "ack_jitter",
                     "uniformly random time from 0 to this, added to the delay of an ideal ACK")
           .by_default("0 ns")});
}

Section workload_section() {
  Section made = model("workload",
                       "a parallel program: what its ranks compute and send, each step when the "
                       "ones before it are done",
                       "", workload::workload_parameters());
  made.is_list = true;
  return made;
}

Section network_section() {
  return plain(
      "network", "what is measured of a network (experiment.kind = \"network\")",
      {Parameter::of(Type::integers, "pair",
                     "source and destination, whose route and latencies are told besides: [0, 5]"),
       Parameter::of(
           Type::integer, "path_pairs",
           "pairs of hosts whose allowed paths are counted, spread evenly over all pairs; "
           "of fewer pairs all")
           .by_default("10000")
           .range(1, 100'000'000),
       Parameter::of(Type::boolean, "routes",
                     "follow the route of every pair of hosts; without: no paths, balance, "
                     "latencies, which take hours beyond 30,000 hosts")
           .by_default("true")});
}

Section metrics_section() {
  return plain(
      "metrics", "what is measured",
      {Parameter::of(Type::time, "bin",
                     "width of a bin of all series, and sampling period of what is sampled "
                     "(default: about a hundredth of the duration)")
           .at_least(1),
       Parameter::of(Type::boolean, "links",
                     "series of links, sampled buffers and congestion trees; without them means "
                     "over the measuring window")
           .by_default("true"),
       Parameter::of(Type::boolean, "per_flow", "rates per flow too: 8 bytes a flow")
           .by_default("false"),
       Parameter::of(Type::boolean, "intervals",
                     "95 % confidence intervals of steady-state means, and \"not stationary\" "
                     "where there is no steady state (always, with `until` or a detected warm-up)")
           .by_default("false"),
       Parameter::of(Type::time, "disturbed_from",
                     "when something begins to disturb the network, as an incast: the recovery of "
                     "the efficiency is measured from then on (default: not measured)"),
       Parameter::of(Type::time, "disturbed_until",
                     "when it ends; what is later does not count (default: the end of the run)"),
       Parameter::of(Type::time, "recovery_before",
                     "so long before it is what the efficiency is compared with")
           .by_default("2 ms")
           .at_least(1),
       Parameter::of(Type::real, "recovery_level", "recovered: at least this share of it")
           .by_default("0.95")
           .range(0, 1),
       Parameter::of(Type::time, "recovery_hold", "for so long").by_default("3 ms").at_least(1),
       Parameter::of(Type::bytes, "root_queued", "the root of a congestion tree has more waiting")
           .by_default("8 KiB"),
       Parameter::of(Type::real, "root_utilization", "and sends at least this share of the time")
           .by_default("0.9")
           .range(0, 1),
       Parameter::of(Type::real, "branch_wait", "a branch waits for credit at least this share")
           .by_default("0.1")
           .range(0, 1),
       Parameter::of(Type::integer, "tree_records", "congestion trees kept in full")
           .by_default("20000")
           .range(0, 1'000'000),
       Parameter::of(Type::integer, "set_aside_events",
                     "with an [isolation] model: what happens to set-aside queues, kept one by one "
                     "up to this many")
           .by_default("2000")
           .range(0, 1'000'000),
       Parameter::of(Type::time, "set_aside_events_from", "when keeping them begins")
           .by_default("0 ns"),
       Parameter::of(Type::integer, "frames",
                     "states of all links over time that the report page replays; more samples "
                     "than this are averaged; 0: none")
           .by_default("200")
           .range(0, 10'000)});
}

Section queue_section() {
  return model("queue", "a queueing model, with experiment.kind = \"queue\"", "none",
               {Parameter::of(Type::integer, "simulate",
                              "arrivals that are simulated beside the model, a tenth of them as "
                              "warm-up; 0: none")
                    .by_default("0")
                    .range(0, 1e12),
                Parameter::of(Type::integer, "states",
                              "P(n packets) is written for n below this; 0: not at all")
                    .by_default("0")
                    .range(0, 1'000'001)});
}

Section results_section() {
  return plain(
      "results", "what is written",
      {Parameter::of(Type::texts, "export", "files beside the database")
           .by_default("[\"csv\", \"json\"]")
           .one_of({"csv", "json"}),
       Parameter::of(Type::boolean, "report", "report.html beside them").by_default("true"),
       Parameter::of(Type::texts, "columns",
                     "metrics of the summary table, as latency_p99[cold] (default: a "
                     "choice of those that the runs have)")});
}

std::vector<Parameter> case_parameters() {
  return {
      Parameter::of(Type::text, "name", "of this variant, in tables and plots").required(),
      Parameter::of(Type::text, "group",
                    "every case of a group is combined with every one of others")
          .by_default("\"\""),
      Parameter::of(Type::any, "set",
                    "what it changes: { \"queueing.model\" = \"dbbm\", \"queueing.queues\" = 3 }")
          .by_default("{}")};
}

Section replicate_section() {
  return plain("replicate", "the same again with other random numbers, for intervals across seeds",
               {Parameter::of(Type::integer, "seeds",
                              "runs of every case and point, with the seeds experiment.seed, the "
                              "next one, and so on")
                    .by_default("1")
                    .range(1, 1'000'000)});
}

std::vector<Section> make_sections() {
  std::vector<Section> all{
      experiment_section(),
      until_section(),
      find_section(),
      model("topology", "the network", ""),
      link_section(),
      switch_section(),
      buffer_section(),
      flow_control_section(),
      vl_arbitration_section(),
      model("queueing", "which queue of a buffer a packet joins", "1q"),
      model("routing", "which outputs a packet may take", "",
            {Parameter::of(Type::boolean, "allow_cycles",
                           "run although the channel dependencies have a cycle (it may deadlock)")
                 .by_default("false")}),
      model("selection", "which of the allowed outputs it takes", "fixed"),
      management_section(),
      model("marking", "which packets carry a congestion mark", "none"),
      model("agent", "flow control and notifications between neighbours", "none"),
      model("isolation",
            "queues that set packets of congested flows aside while there is congestion", "none"),
      model("admission", "whether a connection may send at all", "none"),
      model("vl_sharing", "VLs of a port as servers that lend each other lanes", "none"),
      model("reaction", "what a source does on feedback", "none"),
      model("injection", "when the next packet of a host may leave", "none"),
      host_section(),
      list("traffic", "a class of traffic: who sends what to whom, when",
           traffic::traffic_parameters()),
      plain("traffic.sources", "hosts that send", traffic::source_parameters()),
      list("traffic.phases", "a time with a load of its own", traffic::phase_parameters()),
      plain("traffic.trace", "recorded messages", traffic::trace_parameters()),
      plain("traffic.storage", "synthetic storage traffic, a substitute for disk traces",
            traffic::storage_parameters()),
      workload_section(),
      list("failure", "cables that are out of service for a time", failure_parameters()),
      metrics_section(),
      network_section(),
      queue_section(),
      plain("flow_routing", "how flows find their paths", flow_routing_parameters()),
      plain("rates", "how rates of flows are calculated", rates_parameters()),
      model("protocol", "how agents in switches and hosts find the rates of flows", "none",
            protocol_parameters()),
      plain("protocol.changes", "flows or applications that start and end while it runs",
            protocol_changes_parameters()),
      list("flow", "flows that get a rate: a single one, or many by a pattern", flow_parameters()),
      plain("flow.fragmented", "applications on scattered groups of hosts",
            fragmented_parameters()),
      results_section(),
      list("plot", "a figure drawn from the results", {}),
      plain("plot.reference", "lines or points to compare with: a list of tables", {}),
      list("case", "a variant of the experiment", case_parameters()),
      replicate_section(),
      plain("sweep",
            "runs for all combinations of values: \"traffic.0.arrivals.load\" = [0.1, 0.5]", {})};
  all.back().is_open = true;
  return all;
}

}  // namespace

const std::vector<Section>& sections() {
  static const std::vector<Section> all = make_sections();
  return all;
}

const Section& section(std::string_view name) {
  const auto& all = sections();
  const auto it =
      std::find_if(all.begin(), all.end(), [&](const Section& s) { return s.name == name; });
  if (it == all.end()) throw std::logic_error("no section is called " + std::string(name));
  return *it;
}

bool is_model_section(std::string_view name) {
  const auto& all = sections();
  return std::any_of(all.begin(), all.end(), [&](const Section& s) {
    return s.name == name && !s.kind.empty() && !s.is_list;
  });
}

const std::vector<std::string>& top_level_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list{"include"};
    for (const Section& s : sections()) {
      if (s.name.find('.') == std::string::npos) list.push_back(s.name);
    }
    return list;
  }();
  return names;
}

}  // namespace weir::experiment
