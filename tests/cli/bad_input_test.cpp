#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "program.hpp"

namespace weir::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kHead = R"([experiment]
duration = "20 us"
[topology]
model = "rlft"
ports = 4
stages = 2
[routing]
model = "d-mod-k"
)";
const std::string kTraffic = R"([[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "1 KiB" }
)";

/// Recorded from a subnet manager.
const std::string kFabric = std::string(WEIR_SOURCE_DIR) + "/experiments/fabrics/rlft-54/";

/// The next key is in line 13.
const std::string kIsolation = kHead + R"([switch]
architecture = "cioq"
[isolation]
model = "recn"
)";

/// The same on a recorded fabric with forwarding tables.
const std::string kTables = R"([experiment]
duration = "20 us"
[topology]
model = "ibnetdiscover"
file = ")" + kFabric + R"(topology.txt"
[routing]
model = "linear-forwarding-tables"
file = ")" + kFabric + R"(lfts.txt"
)" + kIsolation.substr(kHead.size());

/// Every message begins with the program and a place, is one line unless it shows a cycle, and
/// means exit status 2.
void expect_refused(const Outcome& outcome, const std::string& start,
                    const std::vector<std::string>& parts = {}) {
  EXPECT_EQ(outcome.status, 2) << outcome.errors;
  EXPECT_EQ(outcome.output, "");
  EXPECT_THAT(outcome.errors, StartsWith("weir: " + start));
  for (const std::string& part : parts) EXPECT_THAT(outcome.errors, HasSubstr(part));
}

struct BadFile {
  const char* name;
  std::string text;
  std::string start;
  std::vector<std::string> parts;
};

void PrintTo(const BadFile& bad, std::ostream* out) { *out << bad.name; }

class WrongFile : public ::testing::TestWithParam<BadFile> {};

TEST_P(WrongFile, IsRefusedAtItsPlace) {
  const Workplace place;
  place.write("x.toml", GetParam().text);
  for (const char* command : {"run", "check"}) {
    expect_refused(place.weir(std::string(command) + " x.toml"), GetParam().start,
                   GetParam().parts);
  }
  EXPECT_FALSE(std::filesystem::exists(place.folder() / "results/x/scalars.csv"));
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  text.replace(text.find(what), what.size(), with);
  return text;
}

const BadFile kBadFiles[] = {
    {"NoToml", "[experiment\n", "x.toml:1:", {}},
    {"UnknownKey",
     replaced(kHead, "ports", "prots") + kTraffic,
     "x.toml:5:1: topology.prots: unknown key (did you mean 'ports'?)",
     {}},
    {"UnknownSection",
     kHead + "[swich]\n" + kTraffic,
     "x.toml:9:2: swich: unknown section (did you mean 'switch'?)",
     {}},
    {"UnknownModel",
     replaced(kHead, "d-mod-k", "d-mod-n") + kTraffic,
     "x.toml:8:9: routing.model: no routing is called 'd-mod-n' (did you mean 'd-mod-k'?)",
     {}},
    {"WrongUnit",
     replaced(kHead, "20 us", "20 KiB") + kTraffic,
     "x.toml:2:12: experiment.duration: ",
     {"KiB"}},
    {"NoUnit",
     replaced(kHead, "\"20 us\"", "20") + kTraffic,
     "x.toml:2:12: experiment.duration: needs a unit",
     {}},
    {"ZeroPorts",
     replaced(kHead, "ports = 4", "ports = 0") + kTraffic,
     "x.toml:5:9: topology.ports: ",
     {"not 0"}},
    {"OddPorts",
     replaced(kHead, "ports = 4", "ports = 5") + kTraffic,
     "x.toml:5:9: topology.ports: ",
     {}},
    {"BufferSmallerThanAPacket",
     kHead + "[buffer]\ningress = \"2 KiB\"\n" + kTraffic,
     "x.toml:10:11: buffer.ingress: 2 KiB",
     {"4 KiB"}},
    {"CreditsForOutputsThatAreNotKnown",
     kHead +
         "[queueing]\nmodel = \"voqsw\"\nflow_control = \"per-queue\"\n"
         "[selection]\nmodel = \"random\"\n" +
         kTraffic,
     "x.toml:11:16: queueing.flow_control: per-queue credits",
     {"selection.model"}},
    {"LoadAboveOne",
     kHead + replaced(kTraffic, "load = 0.5", "load = 1.5"),
     "x.toml:12:40: traffic[0].arrivals.load: ",
     {}},
    {"HostOutOfRange",
     kHead + replaced(kTraffic, "\"uniform\"", "\"fixed\", host = 99"),
     "x.toml:11:42: traffic[0].destinations.host: ",
     {"99"}},
    {"RoutingDoesNotFit",
     replaced(kHead, "d-mod-k", "dimension-order") + kTraffic,
     "x.toml:8:9: routing.model: dimension-order needs ",
     {"rlft", "d-mod-k"}},
    {"FabricFileMissing",
     replaced(replaced(kHead, "\"rlft\"", "\"ibnetdiscover\"\nfile = \"gone.txt\""),
              "ports = 4\nstages = 2\n", "") +
         kTraffic,
     "x.toml:5:8: topology.file: ",
     {"gone.txt"}},
    {"TraceMissing",
     kHead + "[[traffic]]\nname = \"t\"\ntrace = { file = \"gone.trace\" }\n",
     "x.toml:11:18: traffic[0].trace.file: ",
     {"gone.trace"}},
    {"StorageKeyUnknown",
     kHead + "[[traffic]]\nname = \"t\"\nstorage = { laod = 0.5 }\n",
     "x.toml:11:13: traffic[0].storage.laod: ",
     {"did you mean 'load'?"}},
    {"PlotOfNoMetric",
     kHead + kTraffic + "[[plot]]\nfigure = \"f\"\nmetric = \"eficiency\"\n",
     "x.toml:16:10: plot[0].metric: ",
     {"did you mean 'efficiency'?"}},
    {"PlotOverNothing",
     kHead + kTraffic + "[[plot]]\nfigure = \"f\"\nmetric = \"efficiency\"\nx = \"host.mtu\"\n",
     "x.toml:17:5: plot[0].x: 'host.mtu' is not swept",
     {}},
    {"ColumnOfNoMetric",
     kHead + kTraffic + "[results]\ncolumns = [\"latencyp99\"]\n",
     "x.toml:15:12: results.columns: ",
     {"did you mean 'latency_p99'?"}},
    {"ColumnOfAHistogram",
     kHead + kTraffic + "[results]\ncolumns = [\"latency\"]\n",
     "x.toml:15:12: results.columns: 'latency' is no single number of a run",
     {}},
    {"EmptySweep",
     kHead + kTraffic + "[sweep]\n\"host.mtu\" = []\n",
     "x.toml:15:14: sweep.host.mtu: has no values",
     {}},
    {"MixedSweep",
     kHead + kTraffic + "[sweep]\n\"host.mtu\" = [\"1 KiB\", 2048]\n",
     "x.toml:15:24: sweep.host.mtu: the list mixes a string and an integer",
     {}},
    {"SweepOfNoKey",
     kHead + kTraffic + "[sweep]\n\"host.mut\" = [\"1 KiB\"]\n",
     "x.toml:15:15: host.mut: unknown key (did you mean 'mtu'?)",
     {}},
    {"NoReplications",
     kHead + kTraffic + "[replicate]\nseeds = 0\n",
     "x.toml:15:9: replicate.seeds: ",
     {"not 0"}},
    {"UntilOfNoMetric",
     replaced(kHead, "[topology]", "until = { metric = \"latency_maen\" }\n[topology]") + kTraffic,
     "x.toml:3:20: experiment.until.metric: no metric is called 'latency_maen'",
     {"did you mean 'latency_mean'?"}},
    {"UntilOfAPercentile",
     replaced(kHead, "[topology]", "until = { metric = \"latency_p99\" }\n[topology]") + kTraffic,
     "x.toml:3:20: experiment.until.metric: 'latency_p99' has no confidence interval",
     {"latency_mean"}},
    {"UntilOfNoClass",
     replaced(kHead, "[topology]", "until = { metric = \"throughput[a]\" }\n[topology]") + kTraffic,
     "x.toml:3:20: experiment.until.metric: no traffic has the label 'a'",
     {}},
    {"UntilTooCoarse",
     replaced(kHead, "[topology]",
              "until = { metric = \"throughput\", relative_half_width = 3 }\n[topology]") +
         kTraffic,
     "x.toml:3:56: experiment.until.relative_half_width: must be between 0.0001 and 1, not 3",
     {}},
    {"UntilSomethingElse",
     replaced(kHead, "[topology]", "until = \"dry\"\n[topology]") + kTraffic,
     "x.toml:3:9: experiment.until: must be \"drained\", \"workload\" or a table",
     {}},
    {"WarmupOfNoWord",
     replaced(kHead, "[topology]", "warmup = \"automatic\"\n[topology]") + kTraffic,
     "x.toml:3:10: experiment.warmup: no choice is called 'automatic'",
     {"auto"}},
    {"SizesBelowTheirUnit",
     kHead + replaced(kTraffic, "\"fixed\", size = \"1 KiB\"",
                      "\"geometric\", mean = \"8 B\", unit = \"9 B\""),
     "x.toml:13:39: traffic[0].sizes.mean: is smaller than 'unit'",
     {}},
    {"IsolationMisspelt",
     replaced(kIsolation, "\"recn\"", "\"recn-enhansed\"") + kTraffic,
     "x.toml:12:9: isolation.model: no isolation is called 'recn-enhansed'",
     {"did you mean 'recn-enhanced'?"}},
    {"IsolationInOutputQueuedSwitches",
     replaced(kIsolation, "\"cioq\"", "\"oq\"") + kTraffic,
     "x.toml:12:9: isolation.model: ",
     {"take \"cioq\" or \"iq\""}},
    {"IsolationWithClassesThatChange",
     kIsolation + "[queueing]\nmodel = \"voqsw\"\nflow_control = \"per-queue\"\n" + kTraffic,
     "x.toml:12:9: isolation.model: ",
     {"another class in every buffer", "\"service-level\""}},
    {"IsolationWithQueuesOfAnotherScheme",
     kIsolation + "[queueing]\nmodel = \"voqsw\"\n" + kTraffic,
     "x.toml:12:9: isolation.model: ",
     {"queueing.model = \"fifo\""}},
    {"IsolationWithAdaptiveRouting",
     kIsolation + "[selection]\nmodel = \"random\"\n" + kTraffic,
     "x.toml:12:9: isolation.model: ",
     {"selection.model = \"fixed\""}},
    {"MemoryTooSmallForTheQueuesOfTwoLanes",
     replaced(replaced(kIsolation, "\"d-mod-k\"", "\"dimension-order\""),
              "\"rlft\"\nports = 4\nstages = 2", "\"torus\"\nsizes = [\n4, 4]") +
         "saqs = 8\n[buffer]\ningress = \"64 KiB\"\n" + kTraffic,
     "x.toml:13:8: isolation.saqs: 8 queues",
     {"at most 2", "32 KiB of each of 2 classes of a side", "or more"}},
    {"IsolationBehindTheStopOfLinks",
     kIsolation + "xoff = \"32 KiB\"\n[flow_control]\nmodel = \"stop-and-go\"\n" + kTraffic,
     "x.toml:13:8: isolation.xoff: 8 queues (isolation.saqs) of 32 KiB fill the 252 KiB of a side "
     "at which flow_control.stop stops the sender",
     {"buffer.ingress"}},
    {"NoSetAsideQueues",
     kIsolation + "saqs = 0\n" + kTraffic,
     "x.toml:13:8: isolation.saqs: must be between 1 and 64, not 0",
     {}},
    {"QueuesOfTheOtherModel",
     kIsolation + "cfqs = 4\n" + kTraffic,
     "x.toml:13:1: isolation.cfqs: unknown key",
     {"saqs"}},
    {"XonAboveXoff",
     kIsolation + "xoff = \"12 KiB\"\nxon = \"13 KiB\"\n" + kTraffic,
     "x.toml:14:7: isolation.xon: 13 KiB must be below isolation.xoff = 12 KiB",
     {}},
    {"XonNever",
     kIsolation + "xon = \"0 B\"\n" + kTraffic,
     "x.toml:13:7: isolation.xon: must be above 0 B",
     {}},
    {"PropagationAboveXoff",
     kIsolation + "propagate = \"30 KiB\"\n" + kTraffic,
     "x.toml:13:13: isolation.propagate: 30 KiB must be below isolation.xoff = 16 KiB",
     {}},
    {"PropagationWithinTwoPackets",
     kIsolation + "propagate = \"5 KiB\"\n" + kTraffic,
     "x.toml:13:13: isolation.propagate: 5 KiB must hold two packets of 4 KiB",
     {}},
    {"DetectionAboveHalfTheMemory",
     kIsolation + "detect = \"300 KiB\"\n" + kTraffic,
     "x.toml:13:10: isolation.detect: 300 KiB is more than half of the 336 KiB",
     {"buffer.egress"}},
    {"DetectionWithinAPacket",
     kIsolation + "detect_ingress = \"1 KiB\"\n" + kTraffic,
     "x.toml:13:18: isolation.detect_ingress: 1 KiB must hold a packet of 4 KiB",
     {}},
    {"MessagesAboveAPacket",
     kIsolation + "control_size = \"5 GiB\"\n" + kTraffic,
     "x.toml:13:16: isolation.control_size: 5 GiB is more than the 4 KiB",
     {}},
    {"NoRoutesInHeaders",
     kIsolation + "explicit_routes = false\n" + kTraffic,
     "x.toml:13:19: isolation.explicit_routes: ",
     {"fbicm"}},
    {"MemoryTooSmallForTheQueues",
     kIsolation + "saqs = 8\n[buffer]\ningress = \"32 KiB\"\n" + kTraffic,
     "x.toml:13:8: isolation.saqs: 8 queues",
     {"at most 2", "buffer.ingress", "32 KiB"}},
    {"InjectionBufferBelowAPacket",
     kIsolation + "injection_buffer = \"3 KiB\"\n" + kTraffic,
     "x.toml:13:20: isolation.injection_buffer: 3 KiB holds no packet of 4 KiB",
     {}},
    {"SourceRoutesFromTables",
     kTables + kTraffic,
     "x.toml:12:9: isolation.model: ",
     {"isolation.explicit_routes = true", "fbicm"}},
    {"NoTraffic", kHead, "x.toml:1:1: traffic: is missing", {}},
};

INSTANTIATE_TEST_SUITE_P(Files, WrongFile, ::testing::ValuesIn(kBadFiles),
                         [](const auto& tested) { return std::string(tested.param.name); });

// What the message proposes, works.
TEST(BadInput, TablesServeIsolationThatAsksForThem) {
  const Workplace place;
  place.write("x.toml", kTables + "explicit_routes = true\n" + kTraffic);
  place.write("y.toml", replaced(kTables, "recn", "fbicm") + kTraffic);
  EXPECT_EQ(place.weir("run x.toml").errors, "");
  EXPECT_EQ(place.weir("run y.toml").errors, "");
}

TEST(BadInput, DeadlockIsPrintedLinkByLink) {
  const Workplace place;
  place.write("x.toml",
              "[experiment]\nduration = \"20 us\"\n[topology]\nmodel = \"torus\"\nsizes = [5]\n"
              "[routing]\nmodel = \"shortest-path\"\n" +
                  kTraffic);
  expect_refused(place.weir("run x.toml"), "x.toml:7:9: routing.model: shortest-path can deadlock",
                 {"allow_cycles", "->"});
}

TEST(BadInput, MissingExperimentFile) {
  const Workplace place;
  expect_refused(place.weir("run gone.toml"), "gone.toml: ", {});
  expect_refused(place.weir("check gone.toml"), "gone.toml: ", {});
}

TEST(BadInput, TruncatedTrace) {
  const Workplace place;
  place.write("app.trace", "time[ns] source destination bytes\n0 0 1 4096\n10 1 2");
  place.write("x.toml", kHead + "[[traffic]]\nname = \"t\"\ntrace = { file = \"app.trace\" }\n");
  const Outcome outcome = place.weir("run x.toml");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.errors, AllOf(HasSubstr("app.trace:3"), StartsWith("weir: ")));
}

TEST(BadInput, WrongOverride) {
  const Workplace place;
  place.write("x.toml", kHead + kTraffic);
  expect_refused(place.weir("run x.toml --set host.mut=4KiB"),
                 "--set: host.mut: unknown key (did you mean 'mtu'?)");
  expect_refused(place.weir("run x.toml --set traffic.1.name=a"),
                 "--set: traffic.1: 'traffic' has 1 tables, counted from 0");
  expect_refused(place.weir("run x.toml --seed x"), "--set: experiment.seed: must be an integer");
  expect_refused(place.weir("run x.toml --set seed"), "--set: seed: must be of the form key=value");
}

TEST(BadInput, WrongCommandLine) {
  const Workplace place;
  for (const char* arguments : {"rnu x.toml", "run", "run x.toml --jobs 0",
                                "run x.toml --format xml", "export", "import ibnetdiscover"}) {
    const Outcome outcome = place.weir(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.errors, StartsWith("weir: ")) << arguments;
  }
}

TEST(BadInput, UnwritableResultsFolder) {
  const Workplace place;
  place.write("x.toml", kHead + kTraffic);
  place.write("file", "");
  expect_refused(place.weir("run x.toml -o file/results"), "cannot make the results folder");
  expect_refused(place.weir("run x.toml -o /proc/none"),
                 "cannot make the results folder '/proc/none'");
  if (getuid() != 0) expect_refused(place.weir("run x.toml -o /usr"), "cannot write into");
}

TEST(BadInput, FullDisk) {
  const Workplace place;
  place.write("x.toml", kHead + kTraffic);
  const Outcome list = place.weir("list >/dev/full");
  EXPECT_EQ(list.status, 2);
  EXPECT_EQ(list.errors, "weir: cannot write to standard output: No space left on device\n");
  const Outcome dump = place.weir("run x.toml --dump >/dev/full");
  EXPECT_EQ(dump.status, 2);
  expect_refused(place.weir("topology x.toml --export dot -o /dev/full"),
                 "cannot write '/dev/full': No space left on device");
}

TEST(BadInput, ADatabaseThatIsNone) {
  const Workplace place;
  place.write("results.sqlite", "no database");
  EXPECT_EQ(place.weir("export results.sqlite").status, 2);
  EXPECT_EQ(place.weir("plot gone").status, 2);
  EXPECT_FALSE(std::filesystem::exists(place.folder() / "gone"));
}

TEST(FailedRuns, AMistakeOfAllIsToldOnce) {
  const Workplace place;
  place.write("x.toml", kHead + kTraffic + "[sweep]\nexperiment.seed = [1, 2, 3]\n");
  expect_refused(place.weir("run x.toml --set buffer.ingress='1 KiB'"),
                 "--set: buffer.ingress: 1 KiB for 1");
}

TEST(FailedRuns, TheOthersGoOn) {
  const Workplace place;
  place.write("x.toml", kHead + kTraffic + "[sweep]\nbuffer.ingress = [\"2 KiB\", \"64 KiB\"]\n");
  const Outcome outcome = place.weir("run x.toml");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.errors,
              AllOf(HasSubstr("ingress = 2 KiB failed: x.toml:15:19: buffer.ingress"),
                    HasSubstr("1 of 2 runs failed")));
  EXPECT_THAT(outcome.output, HasSubstr("64 KiB"));
}

}  // namespace
}  // namespace weir::cli
