// Whatever the traffic: nothing lost, nothing overtakes, every set-aside queue is given back, and
// no invariant of lippens2010, section 4.1 breaks on the way. All of it is the same in a network in
// parts that run side by side.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "isolation/counters_of.hpp"
#include "set_aside_network.hpp"
#include "support/sanitized.hpp"

namespace weir::isolation::testing {
namespace {

using fabric::Architecture;

struct Model {
  std::string name;
  const char* model;
  const char* lines;
  const char* toml;
  const char* routing;  ///< in trees
  const char* selection = "fixed";
  Architecture architecture = Architecture::cioq;
};
void PrintTo(const Model& model, std::ostream* out) { *out << model.name; }

class SetAsideProperty : public ::testing::TestWithParam<Model> {};

struct Draw {
  RandomStream random;
  template <class T>
  T of(std::initializer_list<T> values) {
    return *(values.begin() + random.below(values.size()));
  }
  std::int64_t range(std::int64_t low, std::int64_t high) {
    return low +
           static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(high - low + 1)));
  }
};

/// All packets of a pair of hosts take one way.
bool keeps_order(const std::string& selection) {
  return selection == "fixed" || selection == "ecmp";
}

/// Sizes, delays and buffers.
void choose_settings(Draw& draw, Network& net) {
  net.settings.speedup = draw.of({1.0, 1.5, 2.0});
  net.settings.mtu = Bytes(draw.of({64, 200, 512}));
  net.settings.header = Bytes(draw.of({0, 16}));
  net.settings.ingress_buffer = Bytes(draw.of({24'000, 32'768}));
  net.settings.egress_buffer = Bytes(draw.of({24'000, 40'000}));
  net.settings.acks = draw.of({fabric::AckMode::none, fabric::AckMode::in_band});
  net.settings.routing_delay = nanoseconds(draw.of({0, 30}));
  net.settings.crossbar_delay = nanoseconds(draw.of({0, 25}));
  net.settings.check_period = nanoseconds(draw.range(200, 900));
}

void choose_network(Draw& draw, const Model& model, Network& net) {
  switch (draw.random.below(4)) {
    case 0:
      net.line({static_cast<int>(draw.range(1, 4)), static_cast<int>(draw.range(2, 4))});
      break;
    case 1:
      net.line({3, 1, 1, 3});
      break;
    case 2:
      net.graph = make_topology("k-ary-n-tree", "k = 2\nn = 3", kLink);
      net.routing = model.routing;
      break;
    default:
      net.graph = make_topology("k-ary-n-tree", "k = 3\nn = 2", kLink);
      net.routing = model.routing;
  }
  if (net.routing == "d-mod-k")
    net.routing_toml = "up = \"" + draw.of<std::string>({"destination", "source", "hash"}) + "\"";
  choose_settings(draw, net);
}

/// Streams that come and go: some to hot spots, some to anyone, some with small messages.
void add_traffic(Draw& draw, Network& net, Fabric& fabric) {
  const auto hosts = static_cast<std::int64_t>(net.graph->host_count());
  const std::uint32_t hot[] = {static_cast<std::uint32_t>(draw.range(0, hosts - 1)),
                               static_cast<std::uint32_t>(draw.range(0, hosts - 1))};
  for (std::uint32_t h = 0; h < static_cast<std::uint32_t>(hosts); ++h) {
    for (std::int64_t n = draw.range(1, 4); n > 0; --n) {
      std::uint32_t to = draw.random.below(2) == 0
                             ? hot[draw.random.below(2)]
                             : static_cast<std::uint32_t>(draw.range(0, hosts - 1));
      if (to == h) to = (to + 1) % static_cast<std::uint32_t>(hosts);
      const Time begin = nanoseconds(draw.range(0, 20'000));
      const std::int64_t size = draw.of<std::int64_t>({20, 64, 300, 1'500});
      // One for each pair: what has several may overtake itself.
      const auto level = static_cast<std::uint8_t>((h + to) % 16);
      // Where connections have ways of their own, a pair of hosts has several.
      const auto connection = static_cast<std::uint16_t>(net.selection == "ecmp" ? n : 0);
      send(fabric, h, to, begin, begin + nanoseconds(draw.range(1'000, 25'000)),
           draw.of({0.2, 0.5, 1.0}), size, level, connection);
    }
  }
}

/// What happened in a run, in an order that does not depend on the parts of its network.
struct Happened {
  std::vector<std::uint64_t> numbers;
  std::vector<std::tuple<std::int64_t, std::uint32_t, std::uint32_t, std::uint32_t, std::int64_t>>
      deliveries;
  std::vector<std::tuple<std::int64_t, std::uint32_t, std::uint32_t, std::uint16_t, std::uint32_t,
                         std::uint32_t, int, std::int64_t>>
      events;
};

Happened what_happened(const Fabric& fabric, const fabric::testing::Journal& journal) {
  Happened out;
  const fabric::Counters& c = fabric.counters();
  out.numbers = {fabric.fingerprint(), c.events, c.ties, c.packet_hops,
                 static_cast<std::uint64_t>(fabric.now().count)};
  SetAsideCounters all;
  for (std::size_t p = 0; p < fabric.parts(); ++p) {
    const SetAsideCounters& one = counters_of(*fabric.part(p).core().mechanisms.isolation);
    all.allocations += one.allocations;
    all.releases += one.releases;
    all.refusals_full += one.refusals_full;
    all.refusals_specific += one.refusals_specific;
    all.detections += one.detections;
    all.notifications += one.notifications;
    all.control_messages += one.control_messages;
    all.queue_time += queue_time(one, fabric.now());
    all.byte_time += byte_time(one, fabric.now());
    all.side_max = std::max(all.side_max, one.side_max);
  }
  const SetAsideCounters& first = counters_of(*fabric.isolation());
  out.numbers.insert(out.numbers.end(),
                     {all.allocations, all.releases, all.refusals_full, all.refusals_specific,
                      all.detections, all.notifications, all.control_messages,
                      std::bit_cast<std::uint64_t>(all.queue_time.value()),
                      std::bit_cast<std::uint64_t>(all.byte_time.value()), all.side_max,
                      static_cast<std::uint64_t>(first.queue_peak.most()),
                      static_cast<std::uint64_t>(first.byte_peak.most())});
  for (const fabric::testing::Delivery& d : journal.deliveries) {
    out.deliveries.emplace_back(d.delivered.count, d.source.value, d.destination.value, d.sequence,
                                d.injected.count);
  }
  std::sort(out.deliveries.begin(), out.deliveries.end());
  for (const SetAsideEvent& e : journal.events) {
    out.events.emplace_back(e.at.count, fabric.graph().port(PortId(e.side.port())).node.value,
                            e.side.index, e.side.buffer, e.root.value, e.hops, e.kind,
                            e.lifetime.count);
  }
  // Those of a node stay in their order.
  std::stable_sort(out.events.begin(), out.events.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
  });
  return out;
}

/// Nodes anywhere.
fabric::Territories scattered(const topology::Graph& graph, std::uint64_t seed) {
  RandomStream random(seed, 1, StreamPurpose::test);
  const std::size_t parts = 2 + random.below(3);
  std::vector<std::uint16_t> of_node(graph.node_count());
  for (std::uint16_t& part : of_node) part = static_cast<std::uint16_t>(random.below(parts));
  return fabric::territories_of(graph, of_node, parts);
}

/// `traffic` as it was before it drew that of `whole`.
void expect_the_same_in_parts(const Happened& whole, Draw traffic, Network& net,
                              std::uint64_t seed) {
  fabric::testing::Journal journal;
  const auto parts = net.build(journal, scattered(*net.graph, seed));
  add_traffic(traffic, net, *parts);
  EXPECT_TRUE(parts->run_until(milliseconds(20)));
  const Happened out = what_happened(*parts, journal);
  EXPECT_EQ(out.numbers, whole.numbers);
  EXPECT_TRUE(out.deliveries == whole.deliveries);
  EXPECT_TRUE(out.events == whole.events);
}

/// What a test changes of a drawn network.
using Change = std::function<void(Draw&, Network&)>;

void try_once(const Model& model, std::uint64_t seed, const Change& change) {
  Draw draw{RandomStream(seed, 0, StreamPurpose::test)};
  Network net;
  choose_network(draw, model, net);
  net.isolation = model.model;
  net.selection = model.selection;
  net.settings.architecture = model.architecture;
  // The arbiter of outputs; crossbars into egress buffers have their own.
  if (model.architecture == Architecture::input_queued) {
    using fabric::ArbiterKind;
    net.settings.arbiter =
        draw.of({ArbiterKind::round_robin, ArbiterKind::first_come, ArbiterKind::random});
  }
  net.isolation_toml = fmt::format("{} = {}\n{}", model.lines, draw.of({1, 2, 8}), model.toml);
  const bool is_small = net.settings.mtu.count + net.settings.header.count <= 80;
  const bool detects_at_egress_only =
      net.isolation == "recn" && std::string(model.toml).find("both") == std::string::npos;
  if (is_small && draw.random.below(3) == 0) {
    net.isolation_toml += "\ndetect = \"1 KiB\"\npropagate = \"200 B\"\nxoff = \"500 B\"";
    if (!detects_at_egress_only) net.isolation_toml += "\ndetect_ingress = \"800 B\"";
  }
  if (draw.random.below(3) == 0) net.isolation_toml += "\nmin_lifetime = \"3 us\"";
  if (draw.random.below(3) == 0) net.isolation_toml += "\ndrain_boost = 3";
  if (draw.random.below(3) == 0) net.isolation_toml += "\ncontrol_size = \"0 B\"";
  if (draw.random.below(4) == 0) net.isolation_toml += "\nretry = \"500 ns\"";
  if (change) change(draw, net);
  const auto fabric = net.build();
  const Draw traffic = draw;
  add_traffic(draw, net, *fabric);
  const bool is_drained = fabric->run_until(milliseconds(20));
  const fabric::Counters& c = fabric->counters();
  EXPECT_TRUE(is_drained);
  EXPECT_EQ(c.messages_completed, c.messages_generated);
  EXPECT_EQ(c.packets_delivered, c.packets_injected);
  if (keeps_order(net.selection)) {
    EXPECT_EQ(net.journal.out_of_order(), 0U);
  }
  EXPECT_TRUE(lines_of(*fabric).empty());
  const SetAsideCounters& i = counters_of(*fabric->isolation());
  EXPECT_EQ(i.in_use, 0U);
  EXPECT_EQ(i.allocations, i.releases);
  // A share of them: threads that meet at every cable of a few ns take long.
  if (seed % 32 == 0)
    expect_the_same_in_parts(what_happened(*fabric, net.journal), traffic, net, seed);
}

/// Of this many networks one is tried.
constexpr std::uint64_t kEach = kIsSanitized ? 9 : 1;

void try_all(const Model& model, std::uint64_t first, std::uint64_t end,
             const Change& change = nullptr) {
  for (std::uint64_t seed = first; seed < end; seed += kEach) {
    SCOPED_TRACE(fmt::format("{}, seed {}", model.name, seed));
    try {
      try_once(model, seed, change);
    } catch (const RunError& error) {
      FAIL() << error.what();
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TEST_P(SetAsideProperty, NothingIsLostOvertakenOrLeftOver) { try_all(GetParam(), 0, 40); }

// What holds back the sender of a link is counted for all queues of a side together.
TEST_P(SetAsideProperty, HoldsBesideThresholdsOfLinks) {
  try_all(GetParam(), 2'000, 2'020, [](Draw& draw, Network& net) {
    net.settings.flow_control =
        draw.of({fabric::FlowControl::stop_and_go, fabric::FlowControl::pfc});
    net.settings.stop_threshold = draw.of({0.6, 0.8});
    net.settings.go_threshold = draw.of({0.3, 0.5});
  });
}

// The same where all classes share one memory, and the threshold moves.
TEST_P(SetAsideProperty, HoldsBesideThresholdsInSharedMemory) {
  try_all(GetParam(), 2'100, 2'115, [](Draw& draw, Network& net) {
    net.settings.flow_control =
        draw.of({fabric::FlowControl::stop_and_go, fabric::FlowControl::pfc});
    net.settings.memory = draw.of({fabric::Memory::shared, fabric::Memory::reserved});
    net.settings.reserved = Bytes(4'000);
    net.settings.alpha = draw.of({2.0, 8.0});
    net.settings.scope = draw.of({fabric::MemoryScope::port, fabric::MemoryScope::whole_switch});
  });
}

/// A network whose routing needs lanes, or one with service levels, or both; each class has as much
/// memory as the only one of other networks.
void choose_classes(Draw& draw, Network& net, std::uint64_t shape) {
  int lanes = 2;
  net.routing_toml.clear();
  switch (shape) {
    case 0:
      net.graph = make_topology("torus", "sizes = [5]\nhosts_per_switch = 2", kLink);
      net.routing = "dimension-order";
      break;
    case 1:
      net.graph = make_topology("torus", "sizes = [3, 4]", kLink);
      net.routing = "dimension-order";
      break;
    case 2:
      net.graph = make_topology("dragonfly", "p = 2\na = 2\nh = 1", kLink);
      net.routing = "dragonfly-minimal";
      break;
    case 3:
      net.graph = make_topology("dragonfly", "p = 1\na = 3\nh = 1", kLink);
      net.routing = "dragonfly-non-minimal";
      lanes = 3;
      break;
    default:
      lanes = 1;
  }
  std::int64_t levels = 1;
  if (lanes == 1 || draw.random.below(2) == 0) {
    levels = draw.range(2, 3);
    net.queueing = "service-level";
    net.queueing_toml = fmt::format("vls = {}", levels);
  }
  if (draw.random.below(3) == 0) {
    net.settings.arbiter = fabric::ArbiterKind::vl_weighted;
    for (std::int64_t vl = 0; vl < lanes * levels; ++vl)
      net.settings.vl_arbitration.low.push_back({static_cast<std::uint8_t>(vl), 4});
  }
  net.settings.ingress_buffer = Bytes(net.settings.ingress_buffer.count * lanes * levels);
  net.settings.egress_buffer = Bytes(net.settings.egress_buffer.count * lanes * levels);
}

TEST_P(SetAsideProperty, HoldsInLanesAndServiceLevels) {
  try_all(GetParam(), 4'000, 4'040,
          [](Draw& draw, Network& net) { choose_classes(draw, net, draw.random.below(5)); });
}

// All classes share one memory, in which each may have a part of its own.
TEST_P(SetAsideProperty, HoldsWhereServiceLevelsShareMemory) {
  try_all(GetParam(), 5'000, 5'010, [](Draw& draw, Network& net) {
    choose_classes(draw, net, 4);
    net.settings.memory = draw.of({fabric::Memory::shared, fabric::Memory::reserved});
    net.settings.reserved = Bytes(4'000);
  });
}

class SetAsidePropertySlow : public SetAsideProperty {
 protected:
  /// Networks of a model: WEIR_DRAWN may ask for more.
  static std::uint64_t networks() {
    const char* asked = std::getenv("WEIR_DRAWN");
    return asked == nullptr ? 30 : std::strtoull(asked, nullptr, 10);
  }
};

TEST_P(SetAsidePropertySlow, HoldsInLanesAndServiceLevels) {
  try_all(GetParam(), 100'000, 100'000 + networks(),
          [](Draw& draw, Network& net) { choose_classes(draw, net, draw.random.below(5)); });
}

TEST_P(SetAsidePropertySlow, NothingIsLostOvertakenOrLeftOver) {
  try_all(GetParam(), 200'000, 200'000 + networks());
}

/// Destinations are known whichever way packets take. What takes several ways at once may overtake
/// itself there, as without set-aside queues.
class FbicmBesideSelections : public ::testing::TestWithParam<const char*> {};

TEST_P(FbicmBesideSelections, NothingIsLostOrLeftOver) {
  const Model models[] = {
      {"Fbicm", "fbicm", "cfqs", "", "up-down"},
      {"FbicmSpread", "fbicm", "cfqs", "", "d-mod-k"},
      {"FbicmSingle", "fbicm", "cfqs", "ingress = \"single\"", "d-mod-k"},
      {"FbicmInputQueued", "fbicm", "cfqs", "", "d-mod-k", "fixed", Architecture::input_queued}};
  for (const Model& model : models) {
    try_all(model, 3'000, 3'010, [](Draw&, Network& net) { net.selection = GetParam(); });
  }
}

TEST_P(FbicmBesideSelections, NothingIsLostInLanesOfADragonfly) {
  const Model model{"Fbicm", "fbicm", "cfqs", "", "d-mod-k"};
  try_all(model, 7'000, 7'010, [](Draw& draw, Network& net) {
    choose_classes(draw, net, 3);
    net.selection = GetParam();
  });
}

INSTANTIATE_TEST_SUITE_P(Selections, FbicmBesideSelections,
                         ::testing::Values("ecmp", "flowlet", "spray", "random", "most-credits",
                                           "adaptive-threshold", "two-choices", "slingshot",
                                           "omni-path", "bxi"));

/// Bursts to few hosts, which overlap: trees come and go, and meet.
void add_bursts(Draw& draw, Network& net, Fabric& fabric) {
  const auto hosts = static_cast<std::int64_t>(net.graph->host_count());
  std::vector<std::uint32_t> hot(static_cast<std::size_t>(draw.range(3, 12)));
  for (std::uint32_t& host : hot) host = static_cast<std::uint32_t>(draw.range(0, hosts - 1));
  for (std::uint32_t h = 0; h < static_cast<std::uint32_t>(hosts); ++h) {
    for (std::int64_t n = draw.range(4, 12); n > 0; --n) {
      std::uint32_t to = hot[draw.random.below(hot.size())];
      if (to == h) to = (to + 1) % static_cast<std::uint32_t>(hosts);
      const Time begin = nanoseconds(draw.range(0, 60'000));
      send(fabric, h, to, begin, begin + nanoseconds(draw.range(500, 8'000)), draw.of({0.5, 1.0}),
           draw.of<std::int64_t>({64, 512}));
    }
  }
}

/// Packets of one input and destination take several outputs at once in larger trees only.
TEST(FbicmPropertySlow, OrderHoldsWhereRoutesDependOnTheSource) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Draw draw{RandomStream(seed, 0, StreamPurpose::test)};
    Network net;
    net.graph = make_topology("k-ary-n-tree", "k = 4\nn = 3", kLink);
    net.routing = "d-mod-k";
    net.routing_toml = "up = \"" + draw.of<std::string>({"source", "hash"}) + "\"";
    choose_settings(draw, net);
    net.isolation = "fbicm";
    if (seed % 2 == 1) net.settings.architecture = Architecture::input_queued;
    net.isolation_toml = fmt::format("cfqs = {}", draw.of({2, 4, 8}));
    const auto fabric = net.build();
    add_bursts(draw, net, *fabric);
    EXPECT_TRUE(fabric->run_until(milliseconds(50)));
    EXPECT_EQ(net.journal.out_of_order(), 0U);
    EXPECT_EQ(counters_of(*fabric->isolation()).in_use, 0U);
    if (HasFailure()) return;
  }
}

/// Each in switches of both architectures.
std::vector<Model> models() {
  std::vector<Model> all = {
      {"Recn", "recn", "saqs", "", "d-mod-k"},
      {"RecnAcceptingAll", "recn", "saqs", "accept = \"all\"", "d-mod-k"},
      {"RecnPerOutput", "recn", "saqs", "ingress = \"per-output\"", "d-mod-k"},
      {"RecnDetectingAtIngress", "recn", "saqs", "ingress = \"per-output\"\ndetection = \"both\"",
       "d-mod-k"},
      {"Enhanced", "recn-enhanced", "saqs", "", "d-mod-k"},
      {"EnhancedUpDown", "recn-enhanced", "saqs", "", "up-down"},
      {"RecnEcmp", "recn", "saqs", "", "d-mod-k", "ecmp"},
      {"EnhancedEcmp", "recn-enhanced", "saqs", "", "d-mod-k", "ecmp"},
      {"EnhancedEcmpUpDown", "recn-enhanced", "saqs", "", "up-down", "ecmp"},
      {"Fbicm", "fbicm", "cfqs", "", "up-down"},
      {"FbicmSpread", "fbicm", "cfqs", "", "d-mod-k"},
      {"FbicmSingle", "fbicm", "cfqs", "ingress = \"single\"", "d-mod-k"},
      {"FbicmFewFlows", "fbicm", "cfqs", "max_flows = 2", "d-mod-k"}};
  const std::size_t count = all.size();
  for (std::size_t m = 0; m < count; ++m) {
    all.push_back(all[m]);
    all.back().name += "InputQueued";
    all.back().architecture = Architecture::input_queued;
  }
  return all;
}
const auto kName = [](const auto& row) { return row.param.name; };

INSTANTIATE_TEST_SUITE_P(Models, SetAsideProperty, ::testing::ValuesIn(models()), kName);
INSTANTIATE_TEST_SUITE_P(Models, SetAsidePropertySlow, ::testing::ValuesIn(models()), kName);

}  // namespace
}  // namespace weir::isolation::testing
