// Every model that is registered, and every choice of a key of the fabric, runs with its defaults
// on a small network. What a model needs by nature (a size, a rate, a file, a network of its kind)
// stands in one table, which must not say more than that.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "experiment/one_run.hpp"
#include "support/otf2_archive.hpp"
#include "support/temporary_folder.hpp"
#include "weir/experiment/config/sections.hpp"

namespace weir::experiment::every_model_test {
namespace {

using Sections = std::vector<std::pair<std::string, std::string>>;

const std::string kFabric = WEIR_SOURCE_DIR "/experiments/fabrics/rlft-54/";
const std::string kPingPong = WEIR_SOURCE_DIR "/fuzz/corpus/goal_fuzzer/ping-pong.goal";
const std::string kAllReduce = WEIR_SOURCE_DIR "/tests/support/chakra/all-reduce";
const std::string kCables = WEIR_SOURCE_DIR "/fuzz/corpus/edge_list_fuzzer/full_duplex.txt";

const std::filesystem::path& own_folder() {
  static const support::TemporaryFolder folder;
  return folder.path();
}

std::string permutation_file() {
  const std::string name = own_folder() / "permutation.txt";
  std::ofstream file(name);
  for (int host = 0; host < 8; ++host) file << host << ' ' << 7 - host << '\n';
  return name;
}

#ifdef WEIR_HAS_OTF2
/// A message from rank 0 to rank 1.
std::string message_archive() {
  const std::string folder = own_folder() / "otf2";
  std::filesystem::remove_all(folder);
  otf2_support::Otf2Archive archive(folder, 2);
  archive.enter(0, 100, "MPI_Send");
  archive.send(0, 110, 1, 0, 4096);
  archive.leave(0, 120, "MPI_Send");
  archive.enter(1, 100, "MPI_Recv");
  archive.receive(1, 500, 0, 0, 4096);
  archive.leave(1, 510, "MPI_Recv");
  return archive.close();
}
#endif

std::string traffic(const std::string& more = "") {
  return "[[traffic]]\nname = \"all\"\ndestinations = \"uniform\"\n"
         "arrivals = { model = \"poisson\", load = 0.4 }\n"
         "sizes = { model = \"fixed\", size = \"4 KiB\" }\n" +
         more;
}

const std::string kTree = "model = \"k-ary-n-tree\"\nk = 2\nn = 3\n";
const std::string kDragonfly = "model = \"dragonfly\"\np = 1\na = 2\nh = 1\n";
const std::string kShuffle = "model = \"bmin-perfect-shuffle\"\nhosts = 8\nk = 2\nn = 3\n";
const std::string kFlows = "[[flow]]\ndestinations = { model = \"uniform\" }\nper_source = 2\n";

/// What a model needs besides its name: keys of its own, and other sections.
struct Needs {
  std::string own;
  Sections others;
};

using Table = std::map<std::pair<std::string, std::string>, Needs>;

/// Networks have a size, and a routing that fits them.
Table needs_of_networks() {
  const auto routed = [](const std::string& own, const std::string& routing) {
    return Needs{own, {{"routing", "model = \"" + routing + "\"\n"}}};
  };
  Table all;
  for (const char* published : {"congestion-spreading", "shared-link", "two-switches"})
    all[{"topology", published}] = routed("", "up-down");
  all[{"topology", "two-hosts"}] = routed("", "shortest-path");
  all[{"topology", "bmin-perfect-shuffle"}] = routed("hosts = 8\nk = 2\nn = 3\n", "turnaround");
  all[{"topology", "dragonfly"}] = routed("p = 1\na = 2\nh = 1\n", "dragonfly-minimal");
  all[{"topology", "edge-list"}] = routed("file = \"" + kCables + "\"\n", "up-down");
  all[{"topology", "ibnetdiscover"}] =
      routed("file = \"" + kFabric + "topology.txt\"\n", "up-down");
  all[{"topology", "k-ary-n-tree"}] = {"k = 2\nn = 2\n", {}};
  all[{"topology", "line"}] = routed("switches = 2\n", "shortest-path");
  all[{"topology", "mesh"}] = routed("sizes = [2, 3]\n", "dimension-order");
  all[{"topology", "modified-k-ary-n-tree"}] = routed("k = 2\nn = 2\n", "up-down");
  all[{"topology", "pgft"}] = {"children = [2, 2]\nparents = [1, 2]\nparallel = [1, 1]\n", {}};
  all[{"topology", "recn-min"}] = routed("hosts = 64\n", "up-down");
  all[{"topology", "rlft"}] = {"ports = 4\nstages = 2\n", {}};
  all[{"topology", "single-switch"}] = routed("hosts = 4\n", "shortest-path");
  all[{"topology", "torus"}] = routed("sizes = [3, 3]\n", "dimension-order");
  all[{"topology", "umin-butterfly"}] = routed("k = 2\nn = 2\n", "destination-tag");
  all[{"topology", "xgft"}] = {"children = [2, 2]\nparents = [1, 2]\n", {}};
  all[{"routing", "destination-tag"}] = {
      "", {{"topology", "model = \"umin-butterfly\"\nk = 2\nn = 2\n"}}};
  all[{"routing", "dimension-order"}] = {"", {{"topology", "model = \"torus\"\nsizes = [3, 3]\n"}}};
  all[{"routing", "dragonfly-minimal"}] = {"", {{"topology", kDragonfly}}};
  all[{"routing", "dragonfly-non-minimal"}] = {"", {{"topology", kDragonfly}}};
  all[{"routing", "turnaround"}] = {"", {{"topology", kShuffle}}};
  all[{"routing", "linear-forwarding-tables"}] = {
      "file = \"" + kFabric + "lfts.txt\"\n",
      {{"topology", "model = \"ibnetdiscover\"\nfile = \"" + kFabric + "topology.txt\"\n"}}};
  return all;
}

/// Cables have lengths.
Table needs_of_cables() {
  Table all;
  all[{"lengths", "list"}] = {"metres = [2.0, 5.0]", {}};
  all[{"lengths", "uniform"}] = {"shortest = 2.0, longest = 5.0", {}};
  all[{"lengths", "normal"}] = {"shortest = 2.0, longest = 5.0, mean = 3.0, deviation = 1.0", {}};
  return all;
}

/// Traffic has destinations, loads and sizes.
Table needs_of_traffic() {
  Table all;
  const Sections others = {{"traffic.sources", "sources = { exclude = [0] }\n"}};
  all[{"pattern", "fixed"}] = {"host = 0", others};
  all[{"pattern", "hot-spots"}] = {"hosts = [0]", others};
  all[{"pattern", "groups"}] = {"size = 2", {}};
  all[{"pattern", "permutation-file"}] = {"file = \"" + permutation_file() + "\"", {}};
  all[{"pattern", "shift"}] = {"distance = 1", {}};
  all[{"pattern", "transpose"}] = {
      "", {{"topology", "model = \"k-ary-n-tree\"\nk = 2\nn = 2\n"}}};  // a square of hosts
  for (const char* model : {"bernoulli", "constant", "poisson"})
    all[{"arrivals", model}] = {"load = 0.4", {}};
  all[{"arrivals", "generalized-exponential"}] = {"load = 0.4, scv = 4.0", {}};
  all[{"sizes", "bimodal"}] = {"small = \"64 B\", large = \"4 KiB\"", {}};
  all[{"sizes", "empirical"}] = {"sizes = [\"64 B\", \"4 KiB\"]", {}};
  all[{"sizes", "fixed"}] = {"size = \"4 KiB\"", {}};
  all[{"sizes", "geometric"}] = {"mean = \"4 KiB\"", {}};
  for (const char* model : {"all-to-all", "gather", "recursive-doubling-all-reduce",
                            "ring-all-gather", "ring-all-reduce"})
    all[{"workload", model}] = {"bytes = \"1 KiB\"\n", {}};
  all[{"workload", "chakra"}] = {"file = \"" + kAllReduce + "\"\n", {}};
  all[{"workload", "goal"}] = {"file = \"" + kPingPong + "\"\n", {}};
#ifdef WEIR_HAS_OTF2
  all[{"workload", "otf2"}] = {"file = \"" + message_archive() + "\"\n", {}};
#endif
  all[{"workload", "training"}] = {"compute = \"1 us\"\n", {}};
  all[{"workload", "transpose"}] = {"rows = 2\ncolumns = 4\nbytes = \"1 KiB\"\n", {}};
  return all;
}

/// Mechanisms: what only the user knows of rates, flows and hot spots.
Table needs_of_mechanisms() {
  Table all;
  all[{"admission", "link-by-link"}] = {"", {{"traffic", traffic("reserve = \"1 Gbps\"\n")}}};
  all[{"agent", "lecn"}] = {"",
                            {{"queueing", "model = \"voqsw\"\nflow_control = \"per-queue\"\n"}}};
  all[{"injection", "leaky-bucket"}] = {"rate = \"50 Gbps\"\n", {}};
  for (const char* model :
       {"inter-packet-delay", "leaky-buckets-fifo", "periodic-selection", "shaped-virtual-clock"}) {
    all[{"injection", model}] = {
        "", {{"flow", kFlows}, {"host", "source_queues = \"per-destination\"\n"}}};
  }
  all[{"marking", "ccfit"}] = {"", {{"isolation", "model = \"fbicm\"\n"}}};
  const std::pair<std::string, std::string> in_band = {"host", "acks = \"in-band\"\n"};
  all[{"marking", "qcn"}] = {"", {{"reaction", "model = \"qcn\"\n"}}};
  all[{"reaction", "hpcc"}] = {"", {in_band, {"marking", "model = \"telemetry\"\n"}}};
  all[{"reaction", "qcn"}] = {"", {{"marking", "model = \"qcn\"\n"}}};
  // K_max is 200 KB.
  all[{"preset", "dcqcn"}] = {"", {{"buffer", "egress = \"256 KiB\"\n"}}};
  all[{"preset", "pfister"}] = {"", {{"reaction", "hot_spot_degree = 7\n"}}};
  all[{"preset", "traffic-classes"}] = {"", {{"traffic", traffic("reserve = \"1 Gbps\"\n")}}};
  all[{"reaction", "by-service-level"}] = {"parts = [{ service_levels = [0], model = \"fimd\" }]\n",
                                           {}};
  const Sections lanes = {{"queueing", "model = \"service-level\"\nvls = 2\n"},
                          {"host", "source_queues = \"per-class\"\n"}};
  all[{"vl_sharing", "one-lane"}] = {"switch_rate = \"10 Gbps\"\n", {}};
  all[{"vl_sharing", "entry-threshold"}] = {
      "own_rate = \"10 Gbps\"\nborrowed_rate = \"20 Gbps\"\nlenders = [1]\nthreshold = 2\n", lanes};
  all[{"vl_sharing", "arrival-job-threshold"}] = {
      "rates = [\"10 Gbps\", \"20 Gbps\"]\nthresholds = [2]\nlenders = [1]\n", lanes};
  return all;
}

Table needs_of_queues() {
  Table all;
  all[{"queue", "ge"}] = {"arrival_rate = 0.5\nservice_rate = 1.0\ncapacity = 8\n", {}};
  all[{"queue", "poisson"}] = {"arrival_rate = 0.5\nservice_rate = 1.0\n", {}};
  all[{"queue", "arrival-job-threshold"}] = {
      "arrival_rate = 1.0\nrates = [1.0, 2.0]\ncapacity = 8\nthresholds = [4]\n", {}};
  all[{"queue", "entry-threshold"}] = {
      "arrival_rate = 0.5\nown_rate = 1.0\nborrowed_rate = 2.0\ncapacity = 8\nthreshold = 4\n", {}};
  all[{"queue", "lane-sharing"}] = {
      "arrival_rates = [0.5, 0.0]\nrates = [1.0, 2.0]\ncapacity = 8\nthresholds = [4]\n"
      "lenders = [1]\n",
      {}};
  all[{"queue", "credit-tandem"}] = {
      "arrival_rate = 0.5\nrate_1 = 1.0\nrate_2 = 1.0\ncapacity_1 = 4\ncapacity_2 = 4\n", {}};
  return all;
}

/// Choices of a key that mean something only beside another one.
Table needs_of_choices() {
  Table all;
  all[{"switch.arbiter", "vl-weighted"}] = {
      "", {{"vl_arbitration", "low = [{ vl = 0, weight = 4 }]\n"}}};
  all[{"buffer.scope", "switch"}] = {"memory = \"shared\"\n",
                                     {{"flow_control", "model = \"stop-and-go\"\n"}}};
  all[{"flow_control.threshold", "static"}] = {"model = \"stop-and-go\"\n",
                                               {{"buffer", "memory = \"shared\"\n"}}};
  all[{"host.source_queues", "modulo"}] = {"source_queue_count = 2\n", {}};
  all[{"host.source_queues", "shared-memory"}] = {"source_memory = \"16 KiB\"\n", {}};
  return all;
}

const Table& needs() {
  static const Table all = [] {
    Table sum;
    for (const Table& part : {needs_of_networks(), needs_of_cables(), needs_of_traffic(),
                              needs_of_mechanisms(), needs_of_queues(), needs_of_choices()})
      sum.insert(part.begin(), part.end());
    return sum;
  }();
  return all;
}

void put(Sections& sections, const std::string& name, const std::string& text) {
  for (auto& [known, old] : sections) {
    if (known != name) continue;
    old = text;
    return;
  }
  sections.emplace_back(name, text);
}

void remove(Sections& sections, const std::string& name) {
  std::erase_if(sections, [&](const auto& one) { return one.first == name; });
}

/// A tree of 8 hosts with some traffic.
Sections small_network() {
  return {{"experiment", "duration = \"20 us\"\n"},
          {"topology", kTree},
          {"routing", "model = \"d-mod-k\"\n"},
          {"traffic", traffic()}};
}

/// The right kind of network for models of a kind.
Sections network_for(const std::string& kind) {
  Sections all = small_network();
  static const std::set<std::string> stores_at_egress = {"isolation", "marking", "preset",
                                                         "reaction"};
  if (stores_at_egress.contains(kind)) {
    put(all, "switch", "architecture = \"cioq\"\n");
    put(all, "buffer", "ingress = \"128 KiB\"\negress = \"128 KiB\"\n");
  }
  if (kind == "reaction") {
    put(all, "host", "acks = \"ideal\"\n");
    put(all, "marking", "model = \"opm\"\n");
  }
  if (kind == "rates" || kind == "protocol" || kind == "queue") {
    all = {{"experiment", "kind = \"" + std::string(kind == "queue" ? "queue" : "rates") + "\"\n"}};
    if (kind == "queue") return all;
    all.emplace_back("topology", kTree);
    all.emplace_back("routing", "model = \"d-mod-k\"\n");
    all.emplace_back("flow", kFlows);
  }
  return all;
}

/// `{ model = "poisson", load = 0.4 }` in the place of what the traffic has.
std::string with_part(const std::string& key, const std::string& model, const std::string& own) {
  std::string text = traffic();
  const std::size_t begin = text.find(key + " = ");
  const std::size_t end = text.find('\n', begin);
  return text.replace(
      begin, end - begin,
      key + " = { model = \"" + model + "\"" + (own.empty() ? "" : ", " + own) + " }");
}

/// A key of a section that has no model, as "switch.arbiter".
bool is_choice(const std::string& kind) { return kind.find('.') != std::string::npos; }

/// Nothing: this test does not know how to run models of the kind.
std::optional<Sections> experiment_with(const std::string& kind, const std::string& model,
                                        const Needs& needs) {
  Sections all = network_for(kind);
  static const std::map<std::string, std::string> of_traffic = {
      {"pattern", "destinations"}, {"arrivals", "arrivals"}, {"sizes", "sizes"}};
  const std::string named = "model = \"" + model + "\"\n" + needs.own;
  if (is_choice(kind)) {
    const std::size_t dot = kind.find('.');
    put(all, kind.substr(0, dot), kind.substr(dot + 1) + " = \"" + model + "\"\n" + needs.own);
  } else if (of_traffic.contains(kind)) {
    put(all, "traffic", with_part(of_traffic.at(kind), model, needs.own));
  } else if (kind == "lengths") {
    put(all, "link",
        "lengths = { model = \"" + model + "\"" + (needs.own.empty() ? "" : ", " + needs.own) +
            " }\n");
  } else if (kind == "preset") {
    put(all, "management", "preset = \"" + model + "\"\n");
  } else if (kind == "workload") {
    remove(all, "traffic");
    put(all, "workload", "[[workload]]\nname = \"all\"\n" + named);
  } else if (kind == "rates") {
    put(all, "rates", "algorithm = \"" + model + "\"\n" + needs.own);
  } else if (kind == "experiment") {
    const std::string of_kind =
        model == "saturation" ? "find = \"saturation\"\n" : "kind = \"" + model + "\"\n";
    if (model == "rates") all = network_for("rates");
    if (model == "network") {
      remove(all, "traffic");
      put(all, "experiment", of_kind);
    } else if (model == "queue") {
      return std::nullopt;  // by the kind "queue"
    } else if (model != "rates") {
      put(all, "experiment", "duration = \"20 us\"\n" + of_kind);
    }
  } else if (is_model_section(kind)) {
    put(all, kind, named);
  } else {
    return std::nullopt;
  }
  for (const auto& [section, text] : needs.others) {
    if (section == "traffic.sources") {
      for (auto& [known, old] : all) old += known == "traffic" ? text : "";
    } else {
      put(all, section, text);
    }
  }
  return all;
}

std::string text_of(const Sections& sections) {
  std::string text;
  for (const auto& [name, keys] : sections) {
    if (!keys.starts_with("[[")) text += "[" + name + "]\n";
    text += keys;
  }
  return text;
}

/// Empty when the run is done.
std::string failure_of(const std::string& text) {
  try {
    const std::vector<Variant> variants = ExperimentFile(table_of(text), {}).variants();
    const std::vector<RunOutcome> outcomes = run_all(variants, {}, {});
    const auto& record = outcomes.at(0).record;
    return record->status == "done" ? "" : record->status + ": " + record->error;
  } catch (const InputError& error) {
    return error.what();
  }
}

/// Every model of every kind but metrics, and every choice of a key of switches, buffers, hosts
/// and flow control.
std::vector<std::pair<std::string, std::string>> everything() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    if (kind->kind() == "metric") continue;
    for (const ModelInfo* model : kind->models()) {
      // The kind of experiment that only solves queues is run by each of those.
      if (kind->kind() == "experiment" && model->name == "queue") continue;
#ifndef WEIR_HAS_OTF2
      if (kind->kind() == "workload" && model->name == "otf2") continue;  // it only says so
#endif
      all.emplace_back(kind->kind(), model->name);
    }
  }
  for (const char* name : {"switch", "buffer", "flow_control", "host"}) {
    for (const Parameter& key : section(name).parameters) {
      for (const std::string& choice : key.choices)
        all.emplace_back(std::string(name) + "." + key.name, choice);
    }
  }
  return all;
}

TEST(EveryModel, RunsWithItsDefaults) {
  for (const auto& [kind, model] : everything()) {
    const auto found = needs().find({kind, model});
    const auto sections =
        experiment_with(kind, model, found == needs().end() ? Needs{} : found->second);
    ASSERT_TRUE(sections) << "no way to run the kind '" << kind << "' is known here";
    EXPECT_EQ(failure_of(text_of(*sections)), "") << kind << " " << model;
  }
}

TEST(EveryModel, NeedsWhatTheTableSays) {
  const auto all = everything();
  for (const auto& [which, needs] : needs()) {
    const auto& [kind, model] = which;
    EXPECT_NE(std::find(all.begin(), all.end(), which), all.end())
        << "no " << kind << " is called " << model;
    const auto sections = experiment_with(kind, model, {});
    ASSERT_TRUE(sections);
    EXPECT_NE(failure_of(text_of(*sections)), "")
        << kind << " " << model << " runs without what the table says that it needs";
  }
}

// The real fabric that is shipped has 4 KiB packets and 128 KiB buffers.
TEST(EveryModel, IsolationRunsOnTheRealFabric) {
  const auto run = [](const std::vector<std::string>& set) {
    std::vector<ConfigTable> overrides{parse_override("experiment.duration=60 us"),
                                       parse_override("experiment.warmup=0 us"),
                                       parse_override("traffic.incast.start=5 us")};
    for (const std::string& one : set) overrides.push_back(parse_override(one));
    const std::vector<Variant> variants =
        ExperimentFile(read_experiment(WEIR_SOURCE_DIR "/experiments/real-fabric.toml"), overrides)
            .variants();
    return run_all({variants.front()}, {}, {}).at(0).record;
  };
  for (const std::vector<std::string>& set :
       {std::vector<std::string>{"isolation.model=fbicm"},
        std::vector<std::string>{"isolation.model=recn", "isolation.explicit_routes=true"},
        std::vector<std::string>{"isolation.model=recn-enhanced",
                                 "isolation.explicit_routes=true"}}) {
    const auto record = run(set);
    ASSERT_EQ(record->status, "done") << set[0] << ": " << record->error;
    EXPECT_GT(number(record->result, "set_aside_allocations"), 0) << set[0];
    const auto& notes = record->result.notes;
    EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
      return note.find("= 6 with isolation.xoff") != std::string::npos;
    })) << set[0];
  }
}

}  // namespace
}  // namespace weir::experiment::every_model_test
