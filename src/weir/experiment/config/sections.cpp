#include "weir/experiment/config/sections.hpp"

#include <algorithm>
#include <stdexcept>

#include "weir/experiment/config/fabric_keys.hpp"
#include "weir/experiment/config/failures.hpp"
#include "weir/experiment/config/flow_routing.hpp"
#include "weir/experiment/config/flows.hpp"
#include "weir/experiment/config/protocol_keys.hpp"
#include "weir/experiment/config/section_keys.hpp"
#include "weir/traffic/traffic.hpp"
#include "weir/workload/entry.hpp"

namespace weir::experiment {
namespace {

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

Section routing_section() {
  Section made = model("routing",
                       "which outputs a packet may take; where no model is named, by the routing "
                       "that the topology has of itself",
                       "", routing_keys().parameters());
  made.default_by = "that of the topology";
  return made;
}

Section workload_section() {
  Section made = model("workload",
                       "a parallel program: what its ranks compute and send, each step when the "
                       "ones before it are done",
                       "", workload::workload_parameters());
  made.is_list = true;
  return made;
}

std::vector<Section> make_sections() {
  std::vector<Section> all{
      plain("experiment", "what to run, and for how long", experiment_keys().parameters()),
      plain("experiment.until",
            "end when the messages of one traffic entry are delivered, or a mean is known well "
            "enough; at the latest after the duration",
            until_keys().parameters()),
      plain("experiment.find",
            "search for a load by several simulations of `duration`, all of them one run of the "
            "experiment",
            find_keys().parameters()),
      model("topology", "the network", ""),
      plain("link", "links that the topology does not set itself", link_keys().parameters()),
      plain("switch", "how switches forward packets", switch_keys().parameters()),
      plain("buffer", "packet memory of every switch port", buffer_keys().parameters()),
      plain("flow_control", "how a receiver holds its sender back",
            flow_control_keys().parameters()),
      plain("vl_arbitration", "InfiniBand VL arbitration (switch.arbiter = \"vl-weighted\")",
            vl_arbitration_keys().parameters()),
      model("queueing",
            "which queue of a buffer a packet joins; where none is named, fifo with switch.voq = "
            "false and beside [isolation]",
            "voqsw"),
      routing_section(),
      model("selection", "which of the allowed outputs a packet takes", "fixed"),
      plain("management", "congestion management as a whole", management_keys().parameters()),
      model("marking", "which packets carry a congestion mark", "none"),
      model("agent", "flow control and notifications between neighbours", "none"),
      model("isolation",
            "queues that set packets of congested flows aside while there is congestion", "none"),
      model("admission", "whether a connection may send at all", "none"),
      model("vl_sharing", "VLs of a port that lend each other their service", "none"),
      model("reaction", "what a source does on feedback", "none"),
      model("injection", "when the next packet of a host may leave", "none"),
      plain("host", "host adapters: packets, source queues, acknowledgements",
            host_keys().parameters()),
      list("traffic", "a class of traffic: who sends what to whom, and when",
           traffic::traffic_keys().parameters()),
      plain("traffic.sources", "hosts that send", traffic::source_keys().parameters()),
      list("traffic.phases", "a time with a load of its own", traffic::phase_keys().parameters()),
      plain("traffic.trace", "recorded messages", traffic::trace_keys().parameters()),
      plain("traffic.storage", "synthetic storage traffic, a substitute for disk traces",
            traffic::storage_keys().parameters()),
      plain("traffic.incast",
            "many-to-one traffic by fan-in, with hosts drawn anew for each incast",
            traffic::incast_keys().parameters()),
      workload_section(),
      list("failure", "cables that are out of service for a time", failure_keys().parameters()),
      plain("metrics", "what to measure", metrics_keys().parameters()),
      plain("network", "what to measure of a network (experiment.kind = \"network\")",
            network_keys().parameters()),
      model("queue", "a queueing model to solve (experiment.kind = \"queue\")", "none",
            queue_keys().parameters()),
      plain("flow_routing", "how flows find their paths", flow_routing_keys().parameters()),
      plain("rates", "how to calculate the rates of flows", rates_keys().parameters()),
      model("protocol", "how agents in switches and hosts find the rates of flows", "none",
            protocol_keys().parameters()),
      plain("protocol.changes", "flows or applications that start and end while it runs",
            protocol_changes_keys().parameters()),
      list("flow",
           "flows that get a rate, a single one or many: the short form of a [[traffic]] with "
           "`rate` "
           "that sends all the time or one message",
           flow_keys().parameters()),
      plain("flow.fragmented", "applications on scattered groups of hosts",
            fragmented_keys().parameters()),
      plain("results", "what to write", results_keys().parameters()),
      list("plot", "a figure to draw from the results", {}),
      plain("plot.reference", "lines or points to compare with: a list of tables", {}),
      list("case", "a variant of the experiment", case_keys().parameters()),
      plain("replicate", "repetitions with other random numbers, for intervals across seeds",
            replicate_keys().parameters()),
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
    std::vector<std::string> list{"include", "plugins"};
    for (const Section& s : sections()) {
      if (s.name.find('.') == std::string::npos) list.push_back(s.name);
    }
    return list;
  }();
  return names;
}

}  // namespace weir::experiment
