#include "weir/experiment/config/sections.hpp"

#include <algorithm>
#include <stdexcept>

#include "weir/experiment/config/failures.hpp"
#include "weir/experiment/config/flow_routing.hpp"
#include "weir/experiment/config/flows.hpp"
#include "weir/experiment/config/management/presets.hpp"
#include "weir/experiment/config/protocol_keys.hpp"
#include "weir/experiment/config/run_kind.hpp"
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
      "experiment", "what to run, and for how long",
      {Parameter::of(Type::text, "name",
                     "short name of the experiment and of the folder of its results (default: the "
                     "file's name)"),
       Parameter::of(
           Type::text, "kind",
           "what is done: simulation (packets are simulated), network (topology and routing are "
           "measured), rates (rates of the [[flow]]s are calculated), queue (a queueing model is "
           "solved), saturation (the load at which latency diverges is searched). Keys that only "
           "packets need, such as duration and queueing, are not used by the others")
           .by_default("simulation")
           .one_of(kind_names(false)),
       Parameter::of(Type::text, "title", "title of tables and plots, one line").by_default(""),
       Parameter::of(Type::text, "description", "what the experiment is about, for the report")
           .by_default(""),
       Parameter::of(Type::integer, "seed", "seed of all random streams")
           .by_default("1")
           .at_least(0),
       Parameter::of(Type::time, "duration",
                     "simulated time; with `until`, the longest simulated time")
           .at_least(1),
       Parameter::of(Type::any, "find",
                     "search for a load: \"saturation\", the load beyond which latency diverges, "
                     "or a table (see experiment.find)"),
       Parameter::of(Type::any, "until",
                     "when a run ends before `duration`: \"drained\", when all sources have ended "
                     "and every packet is delivered; \"workload\", when all workloads are done; or "
                     "a table (see experiment.until), when all messages of one traffic entry are "
                     "delivered, or a mean is known well enough"),
       Parameter::of(Type::time, "warmup",
                     "time at which measuring starts; \"auto\": where MSER-5 finds the end of the "
                     "start-up, with confidence intervals")
           .by_default("0 ps")
           .one_of({"auto"})});
}

Section find_section() {
  return plain(
      "experiment.find",
      "search for a load by several simulations of `duration`, all of them one run of the "
      "experiment",
      {Parameter::of(Type::text, "goal",
                     "goal of the search: saturation is the load beyond which latency diverges")
           .by_default("saturation")
           .one_of(kind_names(true)),
       Parameter::of(Type::text, "load",
                     "dotted key of the load to vary, as in traffic.NAME.arrivals.load (default: "
                     "the only one)"),
       Parameter::of(Type::real, "low",
                     "load that is taken to be sustained; none at or below it is tried")
           .by_default("0.0")
           .range(0, 1e6),
       Parameter::of(Type::real, "high", "highest load, which is tried first")
           .by_default("1.0")
           .range(0, 1e6),
       Parameter::of(Type::real, "resolution",
                     "distance between the loads that are tried; at most 12 simulations are made")
           .by_default("0.01")
           .range(1e-6, 1e6)});
}

Section until_section() {
  return plain(
      "experiment.until",
      "end when the messages of one traffic entry are delivered, or a mean is known well enough; "
      "at the latest after the duration",
      {Parameter::of(Type::text, "delivered",
                     "name of the traffic entry whose last message ends the run: all of its "
                     "sources have sent their `messages`, and these have arrived. Other traffic "
                     "goes on until then"),
       Parameter::of(Type::text, "metric",
                     "metric whose steady-state mean ends the run, as in latency_mean[cold]"),
       Parameter::of(Type::real, "relative_half_width",
                     "half width of the confidence interval at which the run ends, over the mean")
           .by_default("0.05")
           .range(1e-4, 1),
       Parameter::of(Type::real, "confidence", "confidence level of that interval")
           .by_default("0.95")
           .range(0.5, 0.999)});
}

Section management_section() {
  std::vector<std::string> names;
  for (const ModelInfo* preset : preset_registry().models()) names.push_back(preset->name);
  return plain(
      "management", "congestion management as a whole",
      {Parameter::of(
           Type::text, "preset",
           "marking, reaction and ACKs, or classes of service, as a publication combines "
           "them, for whatever the experiment does not set itself (see weir describe NAME)")
           .by_default("none")
           .one_of(names)});
}

Section link_section() {
  return plain(
      "link", "links that the topology does not set itself",
      {Parameter::of(Type::rate, "rate", "data rate of each direction")
           .by_default("100 Gbps")
           .at_least(1),
       Parameter::of(Type::time, "delay", "propagation delay of each direction")
           .by_default("30 ns"),
       Parameter::of(
           Type::any, "lengths",
           "distribution of cable lengths in metres, in place of `delay`: { model = \"uniform\", "
           "shortest = 1.0, longest = 20.0 }; the seed draws each cable (see weir list lengths)"),
       Parameter::of(
           Type::time, "delay_per_metre",
           "propagation delay of a metre of drawn cable (default: 5 ns, light in glass or copper)")
           .range(1, 1e6),
       Parameter::of(Type::time, "perturbation",
                     "largest change of a cable's delay, drawn for every cable by the seed, so "
                     "that ties fall otherwise in every replication. At most the delay of the "
                     "shortest cable; cables of 0 ns become longer")
           .by_default("0 ps")
           .range(0, 1e9)});
}

Section switch_section() {
  return plain(
      "switch", "how switches forward packets",
      {Parameter::of(
           Type::text, "architecture",
           "switch architecture: iq, input-queued, where any number of packets leave a buffer at "
           "once; iq-single, one packet at a time, matched by iSLIP; cioq, one packet at a time at "
           "`speedup` times the link rate into an egress buffer; oq, ideal output queues (default: "
           "cioq with an [isolation] model and with presets that need it, else iq)")
           .by_default("iq")
           .one_of({"iq", "iq-single", "cioq", "oq"}),
       Parameter::of(Type::real, "speedup", "crossbar rate over link rate, with cioq")
           .by_default("1.0")
           .range(1, 1000),
       Parameter::of(Type::text, "switching",
                     "switching technique: with cut-through a packet may leave while it arrives; "
                     "with store-and-forward it has to be complete")
           .by_default("cut-through")
           .one_of({"cut-through", "store-and-forward"}),
       Parameter::of(Type::text, "arbiter", "rule by which an output chooses among the inputs")
           .by_default("round-robin")
           .one_of({"round-robin", "first-come", "random", "vl-weighted"}),
       Parameter::of(Type::integer, "iterations",
                     "iterations of the iSLIP matching, with iq-single")
           .by_default("3")
           .range(1, 64),
       Parameter::of(
           Type::time, "routing_delay",
           "time from the arrival of a header until the packet is ready at the ingress queue")
           .by_default("0 ps"),
       Parameter::of(Type::time, "crossbar_delay",
                     "time for a packet to cross the switch from ingress to output")
           .by_default("0 ps"),
       Parameter::of(Type::boolean, "voq",
                     "whether each buffer class has virtual output queues; without them it is one "
                     "FIFO with head-of-line blocking. Some queueing schemes decide it "
                     "themselves")
           .by_default("true")});
}

Section buffer_section() {
  return plain("buffer", "packet memory of every switch port",
               {Parameter::of(Type::bytes, "ingress",
                              "memory of an ingress port, for all its classes together")
                    .by_default("336 KiB"),
                Parameter::of(Type::bytes, "egress", "memory of an egress port, with cioq")
                    .by_default("336 KiB"),
                Parameter::of(Type::text, "memory",
                              "how classes share the memory of a port: split evenly; shared by "
                              "all; or reserved, `reserved` for each class and the rest shared. "
                              "Some queueing schemes decide it themselves")
                    .by_default("split")
                    .one_of({"split", "shared", "reserved"}),
                Parameter::of(Type::bytes, "reserved",
                              "memory that each class has for itself, with memory = \"reserved\"")
                    .by_default("0 B")});
}

Section flow_control_section() {
  return plain(
      "flow_control", "how a receiver holds its sender back",
      {Parameter::of(Type::text, "model",
                     "flow control of a link: credits, bytes of free buffer for each class; or "
                     "stop-and-go, by thresholds")
           .by_default("credits")
           .one_of({"credits", "stop-and-go"}),
       Parameter::of(Type::real, "stop",
                     "filled share of a class at which the sender is stopped, with stop-and-go")
           .by_default("0.75")
           .range(0, 1),
       Parameter::of(Type::real, "go",
                     "filled share of a class at which the sender may go on, with stop-and-go")
           .by_default("0.5")
           .range(0, 1)});
}

Section vl_arbitration_section() {
  return plain(
      "vl_arbitration", "InfiniBand VL arbitration (switch.arbiter = \"vl-weighted\")",
      {Parameter::of(Type::any, "high",
                     "high-priority table of at most 64 entries { vl = 0, weight = 4 }, weights "
                     "from 0 to 255 in units of 64 bytes; or connections { vl = 0, share = 0.1 } "
                     "of the link, which share entries of weight 255")
           .by_default("[]"),
       Parameter::of(Type::any, "low", "low-priority table, written like the high-priority one")
           .by_default("[]"),
       Parameter::of(Type::integer, "high_limit",
                     "packets of high priority, or units of `limit_unit`, after which one of low "
                     "priority gets its chance; 0: one packet, 255: no limit")
           .by_default("255")
           .range(0, 255),
       Parameter::of(Type::text, "limit_unit",
                     "what high_limit counts: packet; or 4096 B, the bytes of packets that have "
                     "gone, as the InfiniBand architecture has it")
           .by_default("packet")
           .one_of({"packet", "4096 B"})});
}

Section host_section() {
  return plain(
      "host", "host adapters: packets, source queues, acknowledgements",
      {Parameter::of(Type::bytes, "mtu", "largest payload of a packet")
           .by_default("4 KiB")
           .range(1, 1 << 20),
       Parameter::of(Type::bytes, "header", "bytes added to every packet on the wire")
           .by_default("0 B")
           .range(0, 4096),
       Parameter::of(Type::text, "source_queues",
                     "queues for packets that may not be sent yet: fifo, a single one; per-class, "
                     "one for each buffer class (always so with VL arbitration, unless "
                     "per-destination); per-destination; modulo, `source_queue_count` of them by "
                     "the destination's number; or shared-memory, a memory that all packets share "
                     "and from which the oldest one that may go is sent")
           .by_default("fifo")
           .one_of({"fifo", "per-class", "per-destination", "modulo", "shared-memory"}),
       Parameter::of(Type::integer, "source_queue_count",
                     "source queues of a host, with source_queues = \"modulo\"")
           .range(1, 1 << 20),
       Parameter::of(
           Type::integer, "source_queue_packets",
           "places of each source queue, with source_queues = \"per-destination\". A packet keeps "
           "its place until its ACK, so that no flow has more on their way; messages wait before "
           "the queue (default: no bound; published: the largest dynamic window)")
           .range(1, 1 << 20),
       Parameter::of(Type::bytes, "source_memory",
                     "memory of a host for packets with their headers, with source_queues = "
                     "\"shared-memory\"; messages wait before it in their order")
           .at_least(1),
       Parameter::of(Type::bytes, "backlog",
                     "payload that a source queue can hold (default: no bound)"),
       Parameter::of(Type::integer, "staged_packets",
                     "packets that a saturated source keeps ready in its queue")
           .by_default("8")
           .range(1, 1 << 20),
       Parameter::of(
           Type::text, "saturation",
           "what a saturated source does when the queue of its next message is full: per-queue, it "
           "generates messages for other queues, so that a blocked class or destination holds back "
           "nobody else; head-of-line, it waits, with all that comes after; full-rate, it "
           "generates at the rate of its link and counts what it cannot store as refused")
           .by_default("per-queue")
           .one_of({"per-queue", "head-of-line", "full-rate"}),
       Parameter::of(Type::text, "when_full",
                     "what happens to a message that finds its bounded source queue full")
           .by_default("wait")
           .one_of({"wait", "discard"}),
       Parameter::of(
           Type::text, "acks",
           "acknowledgements: in-band, a packet for each data packet; ideal, outside the network "
           "with the latency of an empty one; becn, a notification for each marked packet")
           .by_default("none")
           .one_of({"none", "ideal", "in-band", "becn"}),
       Parameter::of(Type::bytes, "ack_size", "size of an ACK on the wire")
           .by_default("22 B")
           .range(1, 4096),
       Parameter::of(Type::time, "ack_delay",
                     "delay of an ideal ACK from the arrival of the packet's tail (default: the "
                     "latency of the way back through an empty network)"),
       Parameter::of(Type::time, "ack_jitter",
                     "largest random addition to the delay of an ideal ACK, uniform from 0")
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
      "network", "what to measure of a network (experiment.kind = \"network\")",
      {Parameter::of(
           Type::integers, "pair",
           "source and destination whose route and latencies are told besides, as in [0, 5]"),
       Parameter::of(
           Type::integer, "path_pairs",
           "number of pairs of hosts whose allowed paths are counted, spread evenly over all pairs")
           .by_default("10000")
           .range(1, 100'000'000),
       Parameter::of(Type::boolean, "routes",
                     "whether to follow the route of every pair of hosts; without it there are no "
                     "paths, balance and latencies, which take hours beyond 30,000 hosts")
           .by_default("true")});
}

Section metrics_section() {
  return plain(
      "metrics", "what to measure",
      {Parameter::of(Type::time, "bin",
                     "width of a bin of all series, and sampling period of whatever is sampled "
                     "(default: about a hundredth of the duration)")
           .at_least(1),
       Parameter::of(Type::boolean, "links",
                     "whether to keep series of links, sampled buffers and congestion trees; "
                     "without them there are means over the measuring window")
           .by_default("true"),
       Parameter::of(Type::boolean, "per_flow",
                     "whether to keep rates for each flow too, for 8 bytes a flow")
           .by_default("false"),
       Parameter::of(Type::boolean, "slowdown",
                     "whether to measure completion times of messages and their slowdowns, for "
                     "some 4 bytes a flow and time for every message")
           .by_default("false"),
       Parameter::of(Type::texts, "sizes",
                     "largest payloads of size classes for which slowdowns and completion times "
                     "are told besides, ascending, as in [\"10 KB\", \"100 KB\"]; larger messages "
                     "are a class of their own (default: sizes are not told apart)"),
       Parameter::of(Type::boolean, "intervals",
                     "whether to give 95 % confidence intervals of steady-state means, and \"not "
                     "stationary\" where there is no steady state (always given with `until` or a "
                     "detected warm-up)")
           .by_default("false"),
       Parameter::of(
           Type::time, "disturbed_from",
           "time at which something, such as an incast, begins to disturb the network, from which "
           "on the recovery of the efficiency is measured (default: not measured)"),
       Parameter::of(Type::time, "disturbed_until",
                     "time at which the disturbance ends; nothing later counts (default: the end "
                     "of the run)"),
       Parameter::of(
           Type::time, "recovery_before",
           "length of the time before the disturbance with which the efficiency is compared")
           .by_default("2 ms")
           .at_least(1),
       Parameter::of(
           Type::real, "recovery_level",
           "share of the efficiency before the disturbance at which it counts as recovered")
           .by_default("0.95")
           .range(0, 1),
       Parameter::of(Type::time, "recovery_hold",
                     "time for which the efficiency has to stay recovered")
           .by_default("3 ms")
           .at_least(1),
       Parameter::of(
           Type::bytes, "root_queued",
           "bytes waiting for an output above which it may be the root of a congestion tree")
           .by_default("8 KiB"),
       Parameter::of(Type::real, "root_utilization",
                     "least share of time for which the link of a root sends")
           .by_default("0.9")
           .range(0, 1),
       Parameter::of(Type::real, "branch_wait",
                     "least share of time for which a branch of a congestion tree waits for credit")
           .by_default("0.1")
           .range(0, 1),
       Parameter::of(Type::integer, "tree_records",
                     "number of congestion trees that are kept in full")
           .by_default("20000")
           .range(0, 1'000'000),
       Parameter::of(Type::integer, "set_aside_events",
                     "number of events of set-aside queues that are kept one by one, with an "
                     "[isolation] model")
           .by_default("2000")
           .range(0, 1'000'000),
       Parameter::of(Type::time, "set_aside_events_from",
                     "time from which on events of set-aside queues are kept")
           .by_default("0 ns"),
       Parameter::of(Type::integer, "frames",
                     "number of states of all links over time that the report page can replay; "
                     "where there are more samples they are averaged; 0: none")
           .by_default("200")
           .range(0, 10'000)});
}

Section queue_section() {
  return model("queue", "a queueing model to solve (experiment.kind = \"queue\")", "none",
               {Parameter::of(Type::integer, "simulate",
                              "number of arrivals that are simulated beside the model, a tenth of "
                              "them as warm-up; 0: none")
                    .by_default("0")
                    .range(0, 1e12),
                Parameter::of(Type::integer, "states",
                              "number of states n from 0 on for which the probability of n packets "
                              "is written; 0: none")
                    .by_default("0")
                    .range(0, 1'000'001)});
}

Section results_section() {
  return plain(
      "results", "what to write",
      {Parameter::of(Type::texts, "export", "formats of files to write beside the database")
           .by_default("[\"csv\", \"json\"]")
           .one_of({"csv", "json"}),
       Parameter::of(Type::boolean, "report", "whether to write report.html beside the results")
           .by_default("true"),
       Parameter::of(Type::texts, "columns",
                     "metrics of the summary table, as in latency_p99[cold] (default: a choice of "
                     "those that the runs have)")});
}

std::vector<Parameter> case_parameters() {
  return {
      Parameter::of(Type::text, "name", "name of this variant in tables and plots").required(),
      Parameter::of(Type::text, "group",
                    "group of the case; every case of a group is combined with every case of the "
                    "other groups")
          .by_default("\"\""),
      Parameter::of(
          Type::any, "set",
          "keys that the case changes: { \"queueing.model\" = \"dbbm\", \"queueing.queues\" = 3 }")
          .by_default("{}")};
}

Section replicate_section() {
  return plain("replicate", "repetitions with other random numbers, for intervals across seeds",
               {Parameter::of(Type::integer, "seeds",
                              "number of runs of every case and point, with the seeds "
                              "experiment.seed, the next one, and so on")
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
      model("queueing",
            "which queue of a buffer a packet joins; where none is named, fifo with switch.voq = "
            "false and beside [isolation]",
            "voqsw"),
      model("routing", "which outputs a packet may take", "",
            {Parameter::of(Type::boolean, "allow_cycles",
                           "whether to run although the channel dependencies have a cycle, so that "
                           "the network may deadlock")
                 .by_default("false")}),
      model("selection", "which of the allowed outputs a packet takes", "fixed"),
      management_section(),
      model("marking", "which packets carry a congestion mark", "none"),
      model("agent", "flow control and notifications between neighbours", "none"),
      model("isolation",
            "queues that set packets of congested flows aside while there is congestion", "none"),
      model("admission", "whether a connection may send at all", "none"),
      model("vl_sharing", "VLs of a port that lend each other their service", "none"),
      model("reaction", "what a source does on feedback", "none"),
      model("injection", "when the next packet of a host may leave", "none"),
      host_section(),
      list("traffic", "a class of traffic: who sends what to whom, and when",
           traffic::traffic_parameters()),
      plain("traffic.sources", "hosts that send", traffic::source_parameters()),
      list("traffic.phases", "a time with a load of its own", traffic::phase_parameters()),
      plain("traffic.trace", "recorded messages", traffic::trace_parameters()),
      plain("traffic.storage", "synthetic storage traffic, a substitute for disk traces",
            traffic::storage_parameters()),
      plain("traffic.incast",
            "many-to-one traffic by fan-in, with hosts drawn anew for each incast",
            traffic::incast_parameters()),
      workload_section(),
      list("failure", "cables that are out of service for a time", failure_parameters()),
      metrics_section(),
      network_section(),
      queue_section(),
      plain("flow_routing", "how flows find their paths", flow_routing_parameters()),
      plain("rates", "how to calculate the rates of flows", rates_parameters()),
      model("protocol", "how agents in switches and hosts find the rates of flows", "none",
            protocol_parameters()),
      plain("protocol.changes", "flows or applications that start and end while it runs",
            protocol_changes_parameters()),
      list("flow", "flows that get a rate: a single one, or many by a pattern", flow_parameters()),
      plain("flow.fragmented", "applications on scattered groups of hosts",
            fragmented_parameters()),
      results_section(),
      list("plot", "a figure to draw from the results", {}),
      plain("plot.reference", "lines or points to compare with: a list of tables", {}),
      list("case", "a variant of the experiment", case_parameters()),
      replicate_section(),
      plain("sweep",
            "values of a key, for runs with all their combinations: \"traffic.0.arrivals.load\" = "
            "[0.1, 0.5]",
            {})};
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
