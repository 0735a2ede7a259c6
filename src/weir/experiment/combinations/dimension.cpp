#include "weir/experiment/combinations/dimension.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "weir/base/catalog.hpp"
#include "weir/experiment/config/sections.hpp"

namespace weir::experiment {
namespace {

/// What a model needs by nature, which only a user knows: a network of its kind, a rate, what it
/// listens to. One without an entry needs nothing.
struct Nature {
  std::string own{};  ///< keys of its own section
  std::vector<std::string> needs{{}};
};

using Natures = std::map<std::pair<std::string, std::string>, Nature>;

const char* const kDragonfly = "[topology]\nmodel = \"dragonfly\"\np = 1\na = 2\nh = 1\n";
const char* const kFlows =
    "[[flow]]\nsource = 1\ndestination = 2\nsize = \"16 KiB\"\n"
    "[host]\nsource_queues = \"per-destination\"\n";

void add_networks(Natures& all) {
  all[{"routing", "destination-tag"}].needs = {
      "[topology]\nmodel = \"umin-butterfly\"\nk = 2\nn = 3\n"};
  all[{"routing", "dimension-order"}].needs = {"[topology]\nmodel = \"torus\"\nsizes = [4, 2]\n"};
  all[{"routing", "dragonfly-minimal"}].needs = {kDragonfly};
  all[{"routing", "dragonfly-non-minimal"}].needs = {kDragonfly};
  all[{"routing", "turnaround"}].needs = {
      "[topology]\nmodel = \"bmin-perfect-shuffle\"\nhosts = 8\nk = 2\nn = 3\n"};
  all[{"routing", "up-down"}].needs = {"[topology]\nmodel = \"mesh\"\nsizes = [3, 3]\n"};
}

void add_queues(Natures& all) {
  all[{"queueing", "service-level"}] = {"vls = 2\n", {"[traffic.cold]\nservice_level = 1\n"}};
  for (const char* recn : {"recn", "recn-enhanced"})
    all[{"isolation", recn}].needs = {"", "[isolation]\nexplicit_routes = true\n"};
  all[{"agent", "lecn"}].needs = {"[queueing]\nmodel = \"voqsw\"\nflow_control = \"per-queue\"\n"};
  const char* const lanes =
      "[queueing]\nmodel = \"service-level\"\nvls = 2\n[host]\nsource_queues = \"per-class\"\n"
      "[traffic.cold]\nservice_level = 1\n";
  all[{"vl_sharing", "one-lane"}] = {"switch_rate = \"50 Gbps\"\n", {{}}};
  all[{"vl_sharing", "entry-threshold"}] = {
      "own_rate = \"10 Gbps\"\nborrowed_rate = \"20 Gbps\"\nlenders = [1]\nthreshold = 2\n",
      {lanes}};
  all[{"vl_sharing", "arrival-job-threshold"}] = {
      "rates = [\"10 Gbps\", \"20 Gbps\"]\nthresholds = [2]\nlenders = [1]\n", {lanes}};
}

void add_feedback(Natures& all) {
  const std::string cioq = "[switch]\narchitecture = \"cioq\"\n";
  // Thresholds that the small buffers of the experiment hold.
  const std::string red_keys = "low_bytes = \"512 B\"\nhigh_bytes = \"1536 B\"\n";
  const std::string qcn_keys = "set_point = \"1 KiB\"\n";
  const std::string red = "[marking]\nmodel = \"red\"\n" + red_keys + cioq;
  all[{"marking", "ccfit"}].needs = {"[isolation]\nmodel = \"fbicm\"\n"};
  all[{"marking", "red"}] = {red_keys, {cioq}};
  for (const char* model : {"iopm", "mvpm", "opm", "telemetry"})
    all[{"marking", model}].needs = {"", cioq};
  all[{"marking", "qcn"}] = {qcn_keys, {"[reaction]\nmodel = \"qcn\"\n" + cioq}};
  const std::string marks = "[marking]\nmodel = \"fecn\"\n";
  const std::string in_band = "[host]\nacks = \"in-band\"\n";
  const std::string ideal = "[host]\nacks = \"ideal\"\n";
  for (const char* model :
       {"aimd", "fimd", "pipd", "lipd", "dynamic-window", "swift", "timely", "static-window"})
    all[{"reaction", model}].needs = {marks + in_band, marks + ideal};
  all[{"reaction", "by-service-level"}] = {"parts = [{ service_levels = [0], model = \"fimd\" }]\n",
                                           {marks + in_band, marks + ideal}};
  const char* const becn = "[host]\nacks = \"becn\"\n";
  all[{"reaction", "congestion-control-table"}].needs = {
      marks + becn, marks + becn + "[reaction]\ntimer = \"1 us\"\n"};
  all[{"reaction", "dcqcn"}].needs = {red + becn, red + in_band, red + ideal};
  const std::string telemetry = "[marking]\nmodel = \"telemetry\"\n" + cioq;
  all[{"reaction", "hpcc"}].needs = {telemetry + in_band, telemetry + ideal};
  all[{"reaction", "qcn"}].needs = {"[marking]\nmodel = \"qcn\"\n" + qcn_keys + cioq};
  all[{"preset", "dcqcn"}].needs = {"[marking]\n" + red_keys};
  all[{"preset", "qcn"}].needs = {"[marking]\n" + qcn_keys};
}

/// Weights of as many VLs as there may be, of which one number is right.
std::vector<std::string> tables_of_vls() {
  std::vector<std::string> tables;
  std::string entries;
  for (int vl = 0; vl < 15; ++vl) {
    entries += fmt::format("{}{{ vl = {}, weight = 4 }}", vl == 0 ? "" : ", ", vl);
    tables.push_back("[vl_arbitration]\nlow = [" + entries + "]\n" +
                     (vl == 0 ? "" : "[host]\nsource_queues = \"per-destination\"\n"));
  }
  return tables;
}

void add_others(Natures& all) {
  all[{"admission", "link-by-link"}].needs = {"[traffic.cold]\nreserve = \"1 Gbps\"\n"};
  all[{"injection", "leaky-bucket"}].own = "rate = \"50 Gbps\"\n";
  for (const char* model :
       {"inter-packet-delay", "leaky-buckets-fifo", "periodic-selection", "shaped-virtual-clock"})
    all[{"injection", model}].needs = {kFlows};
  all[{"preset", "pfister"}].needs = {"[reaction]\nhot_spot_degree = 3\n"};
  all[{"preset", "traffic-classes"}].needs = {
      "[traffic.cold]\nreserve = \"1 Gbps\"\nservice_level = 1\n"
      "[traffic.hot]\nreserve = \"1 Gbps\"\n"};
  all[{"switch.arbiter", "vl-weighted"}].needs = tables_of_vls();
  all[{"buffer.memory", "reserved"}].own = "reserved = \"1 KiB\"\n";
}

const Natures& natures() {
  static const Natures all = [] {
    Natures some;
    add_networks(some);
    add_queues(some);
    add_feedback(some);
    add_others(some);
    return some;
  }();
  return all;
}

Nature nature_of(const std::string& kind, const std::string& name) {
  const auto found = natures().find({kind, name});
  return found == natures().end() ? Nature{} : found->second;
}

bool needs_file(const ModelInfo& model) {
  return std::any_of(model.parameters.begin(), model.parameters.end(), [](const Parameter& one) {
    return one.is_required && one.type == ParameterType::path;
  });
}

/// What a network of a routing is called: the shape is what people look for.
std::string network_name(const std::string& routing, const Nature& nature) {
  const std::string& topology = nature.needs.front();
  constexpr std::string_view kModel = "model = \"";
  const std::size_t begin = topology.find(kModel);
  if (begin == std::string::npos) return routing;
  const std::size_t first = begin + kModel.size();
  return routing + " on " + topology.substr(first, topology.find('"', first) - first);
}

std::vector<Part> models_of(const std::string& kind) {
  std::vector<Part> parts;
  for (const CatalogKind* one : Catalog::instance().kinds()) {
    if (one->kind() != kind) continue;
    for (const ModelInfo* model : one->models()) {
      // Nothing is what an experiment has without any.
      if (needs_file(*model) || (kind == "preset" && model->name == "none")) continue;
      const Nature nature = nature_of(kind, model->name);
      const std::string chosen = kind == "preset"
                                     ? fmt::format("[management]\npreset = \"{}\"\n", model->name)
                                     : fmt::format("[{}]\nmodel = \"{}\"\n", kind, model->name);
      Part part{model->name, chosen + nature.own, nature.needs};
      if (kind == "routing") part.name = network_name(model->name, nature);
      // ACKs of another kind than the preset's are for what carries data alone.
      if (kind == "preset") {
        for (const std::string& need : nature.needs)
          part.needs.push_back(need + "[host]\nacks = \"ideal\"\n");
      }
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

std::vector<Part> choices_of(const std::string& name, const std::string& key) {
  std::vector<Part> parts;
  for (const Parameter& one : section(name).parameters) {
    if (one.name != key) continue;
    for (const std::string& choice : one.choices) {
      const Nature nature = nature_of(name + "." + key, choice);
      parts.push_back({choice, fmt::format("[{}]\n{} = \"{}\"\n", name, key, choice) + nature.own,
                       nature.needs});
    }
  }
  return parts;
}

Dimension models(const std::string& kind, std::string title) {
  return {kind, std::move(title), models_of(kind)};
}

Dimension choices(const std::string& name, const std::string& key, std::string title) {
  return {name + "." + key, std::move(title), choices_of(name, key)};
}

/// A part beside that of the same model which has another nature by one of its keys.
void add_variant(std::vector<Dimension>& all, const std::string& dimension, Part part) {
  for (Dimension& one : all) {
    if (one.name == dimension) one.parts.push_back(std::move(part));
  }
}

/// Choices that no single key has.
Dimension run_features() {
  return {"run",
          "What a run has besides",
          {{"threads", "[experiment]\nthreads = 2\n"},
           {"a link that fails", "[[failure]]\nrandom = 1\nat = \"2 us\"\nuntil = \"6 us\"\n"},
           {"paths set up by packets",
            "[flow_routing]\nset_up = \"packets\"\n[experiment]\nduration = \"200 us\"\n"},
           {"order restored by hosts", "[host]\norder = \"reorder\"\n"},
           {"in-band ACKs", "[host]\nacks = \"in-band\"\n"},
           {"victims by waiting", "[metrics]\nwaiting = true\n"}}};
}

}  // namespace

const char* small_experiment() {
  return R"([experiment]
duration = "1 ms"
until = "drained"

[topology]
model = "k-ary-n-tree"
k = 2
n = 3

[link]
delay = "10 ns"

[buffer]
ingress = "32 KiB"
egress = "32 KiB"

[host]
mtu = "256 B"

[[traffic]]
name = "hot"
role = "hot"
sources = { count = 3, choose = "last" }
destinations = { model = "fixed", host = 0 }
arrivals = { model = "constant", load = 1.0 }
sizes = { model = "fixed", size = "2 KiB" }
stop = "5 us"

[[traffic]]
name = "cold"
role = "cold"
sources = "rest"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "512 B" }
stop = "5 us"
)";
}

std::vector<Dimension> dimensions() {
  std::vector<Dimension> all = {models("routing", "Networks"),
                                choices("switch", "architecture", "Switches"),
                                choices("switch", "arbiter", "Arbiters"),
                                choices("buffer", "memory", "Memory of a port"),
                                choices("flow_control", "model", "Flow control"),
                                models("queueing", "Queueing schemes"),
                                models("isolation", "Set-aside queues"),
                                models("agent", "Agents of ports"),
                                models("vl_sharing", "Lanes that are lent"),
                                models("selection", "Selections"),
                                models("marking", "Markers"),
                                models("reaction", "Reactions"),
                                models("preset", "Presets"),
                                models("admission", "Admission"),
                                models("injection", "Injection"),
                                run_features()};
  add_variant(
      all, "queueing",
      {"voqsw, per-queue", "[queueing]\nmodel = \"voqsw\"\nflow_control = \"per-queue\"\n"});
  add_variant(all, "selection",
              {"arn, afi", "[selection]\nmodel = \"arn\"\nisolation = \"afi\"\n"});
  return all;
}

}  // namespace weir::experiment
