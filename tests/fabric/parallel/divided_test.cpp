// A network in parts that run side by side does what it does in one part, bit for bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "support/small_network.hpp"
#include "weir/base/random.hpp"

namespace weir::fabric::testing {
namespace {

/// Poisson messages of one to five packets, half of them to host 0; of whole packets up to a time.
class Mixed : public MessageSource {
 public:
  Mixed(std::uint64_t seed, std::uint32_t host, std::uint32_t hosts, double hot, double whole_until)
      : random_(seed, host, StreamPurpose::test),
        host_(host),
        hosts_(hosts),
        hot_(hot),
        whole_until_(whole_until) {}
  std::optional<MessageRequest> next(Time) override {
    at_ += random_.exponential(4e6);
    if (at_ > 1e8) return std::nullopt;
    const auto step = 1 + static_cast<std::uint32_t>(random_.below(hosts_ - 1));
    const bool is_hot = host_ != 0 && random_.unit() < hot_;
    const bool is_whole = at_ < whole_until_;
    const auto size = static_cast<std::int64_t>(is_whole ? 1'000 * (1 + random_.below(5))
                                                         : 1 + random_.below(5'000));
    return MessageRequest{Time(static_cast<std::int64_t>(at_)),
                          HostId(is_hot ? 0 : (host_ + step) % hosts_), Bytes(size)};
  }

 private:
  RandomStream random_;
  std::uint32_t host_;
  std::uint32_t hosts_;
  double hot_;
  double whole_until_;
  double at_ = 0;
};

/// What must not depend on the parts.
struct Outcome {
  std::uint64_t fingerprint = 0;
  std::uint64_t events = 0;
  std::uint64_t ties = 0;
  std::uint64_t hops = 0;
  std::uint64_t lost = 0;
  std::uint64_t messages_lost = 0;
  Time end;
  std::vector<std::tuple<std::int64_t, std::uint32_t, std::uint32_t, std::uint32_t, std::int64_t>>
      deliveries;
  std::vector<std::int64_t> samples;
  /// Source, destination and counts of each flow.
  std::vector<std::array<std::uint32_t, 7>> flows;
  bool operator==(const Outcome&) const = default;
};

class Divided : public ::testing::Test {
 protected:
  void SetUp() override {
    net_.graph = tree("");
    net_.settings.mtu = Bytes(1'000);
    net_.settings.ingress_buffer = net_.settings.egress_buffer = Bytes(4'000);
    net_.settings.routing_delay = nanoseconds(20);
    net_.settings.sample_period = nanoseconds(10'500);
    net_.settings.check_period = microseconds(20);
  }

  static std::shared_ptr<const topology::Graph> tree(const std::string& keys) {
    return make_topology("k-ary-n-tree", "k = 2\nn = 4\n" + keys,
                         {gigabits_per_second(8), nanoseconds(230)});
  }

  Outcome run(const std::optional<Territories>& territories) {
    net_.journal = {};
    std::vector<std::int64_t> samples;
    net_.journal.sample = [&](const Fabric& fabric, Time) {
      samples.push_back(fabric.now().count);
      samples.push_back(static_cast<std::int64_t>(fabric.counters().packets_delivered));
      samples.push_back(static_cast<std::int64_t>(fabric.waited().ingress));
      for (std::uint32_t p = 0; p < net_.graph->port_count(); ++p) {
        const PortStatistics port = fabric.port(PortId(p));
        samples.insert(samples.end(), {port.bytes, port.queued, port.waiting.count, port.busy.count,
                                       fabric.stored(PortId(p), 0).count});
      }
    };
    const auto fabric =
        territories ? net_.build(net_.journal, *territories) : net_.build(net_.journal);
    for (std::uint32_t h = 0; h < net_.graph->host_count(); ++h) {
      const auto hosts = static_cast<std::uint32_t>(net_.graph->host_count());
      auto source = std::make_unique<Mixed>(seed_, h, hosts, hot_, whole_until_);
      source->service_level = static_cast<std::uint8_t>(h % levels_);
      fabric->add_source(HostId(h), std::move(source));
    }
    for (const std::uint32_t port : failing_) {
      fabric->change_cable(PortId(port), microseconds(20), false);
      fabric->change_cable(PortId(port), microseconds(45), true);
    }
    fabric->run_until(microseconds(60));
    fabric->run_until(microseconds(61));
    EXPECT_TRUE(fabric->run_until(milliseconds(10)));
    Outcome out;
    out.fingerprint = fabric->fingerprint();
    out.events = fabric->counters().events;
    out.ties = fabric->counters().ties;
    out.hops = fabric->counters().packet_hops;
    out.lost = fabric->counters().packets_lost;
    out.messages_lost = fabric->counters().messages_lost;
    out.end = fabric->now();
    out.samples = samples;
    for (const Delivery& d : net_.journal.deliveries) {
      out.deliveries.emplace_back(d.delivered.count, d.source.value, d.destination.value,
                                  d.sequence, d.injected.count);
    }
    for (const Flow& f : fabric->flows()) {
      out.flows.push_back(
          {f.source, f.destination, f.injected, f.delivered, f.highest, f.out_of_order, f.lost});
    }
    std::sort(out.flows.begin(), out.flows.end());
    // Of one instant they may come in any order.
    std::sort(out.deliveries.begin(), out.deliveries.end());
    EXPECT_GT(out.deliveries.size(), 800U);
    return out;
  }

  /// Nodes anywhere.
  Territories scattered(std::size_t parts, std::uint64_t seed) {
    RandomStream random(seed, 0, StreamPurpose::test);
    std::vector<std::uint16_t> of_node(net_.graph->node_count());
    for (std::uint16_t& part : of_node) part = static_cast<std::uint16_t>(random.below(parts));
    return territories_of(*net_.graph, of_node, parts);
  }

  void expect_the_same(const Outcome& whole, const Territories& territories) {
    const Outcome parts = run(territories);
    EXPECT_EQ(parts.fingerprint, whole.fingerprint);
    EXPECT_EQ(parts.hops, whole.hops);
    EXPECT_EQ(parts.lost, whole.lost);
    EXPECT_EQ(parts.messages_lost, whole.messages_lost);
    EXPECT_EQ(parts.events, whole.events);
    EXPECT_EQ(parts.ties, whole.ties);
    EXPECT_EQ(parts.end, whole.end);
    EXPECT_TRUE(parts.deliveries == whole.deliveries);
    EXPECT_TRUE(parts.samples == whole.samples);
    EXPECT_TRUE(parts.flows == whole.flows);
  }

  void expect_no_difference() {
    const Outcome whole = run(std::nullopt);
    expect_the_same(whole, divide(*net_.graph, 2));
    expect_the_same(whole, divide(*net_.graph, 3));
    expect_the_same(whole, scattered(4, seed_));
    // Parts that may go on for a while beside others that may not.
    SCOPED_TRACE("cables of each stage with a length of their own");
    const auto before = std::exchange(
        net_.graph, tree("stage_delays = [\"60 ns\", \"110 ns\", \"900 ns\", \"1700 ns\"]"));
    const Outcome mixed = run(std::nullopt);
    expect_the_same(mixed, divide(*net_.graph, 4));
    expect_the_same(mixed, scattered(5, seed_));
    net_.graph = before;
  }

  SmallNetwork net_;
  std::uint64_t seed_ = 1;
  double hot_ = 0.3;
  double whole_until_ = 0;              ///< ps: no packets smaller than others before
  std::uint32_t levels_ = 1;            ///< of service: hosts take turns
  std::vector<std::uint32_t> failing_;  ///< cables that are down for a while
};

TEST_F(Divided, InputQueued) { expect_no_difference(); }

// How far parts go depends on the smallest packet so far.
TEST_F(Divided, SmallPacketsThatComeLate) {
  whole_until_ = 5e7;
  for (const Architecture switches : {Architecture::input_queued, Architecture::cioq}) {
    net_.settings.architecture = switches;
    net_.settings.speedup = switches == Architecture::cioq ? 2 : 1;
    for (const std::int64_t route : {150, 900}) {
      net_.settings.routing_delay = nanoseconds(route);
      for (seed_ = 1; seed_ <= 3; ++seed_) {
        SCOPED_TRACE("seed " + std::to_string(seed_) + ", route " + std::to_string(route));
        expect_no_difference();
      }
    }
  }
}

TEST_F(Divided, InAnyNumberOfParts) {
  const Outcome whole = run(std::nullopt);
  for (const std::size_t parts : std::vector<std::size_t>{1, 2, 5, 8}) {
    SCOPED_TRACE(parts);
    expect_the_same(whole, divide(*net_.graph, parts));
    expect_the_same(whole, scattered(parts, parts));
  }
}

TEST_F(Divided, LinksThatFail) {
  for (std::uint32_t s = 0; s < net_.graph->switch_count(); s += 3)
    failing_.push_back(net_.graph->port(net_.graph->node(SwitchId(s)), 1).value);
  EXPECT_GT(run(std::nullopt).lost, 20U);
  expect_no_difference();
}

TEST_F(Divided, Crossbars) {
  net_.settings.architecture = Architecture::cioq;
  net_.settings.speedup = 1.5;
  expect_no_difference();
}

TEST_F(Divided, OneQueueAPort) {
  net_.settings.architecture = Architecture::input_queued_single;
  expect_no_difference();
}

TEST_F(Divided, OutputQueued) {
  net_.settings.architecture = Architecture::output_queued;
  expect_no_difference();
}

TEST_F(Divided, RandomOutputs) {
  net_.selection = "random";
  expect_no_difference();
}

TEST_F(Divided, AcksInBand) {
  net_.settings.acks = AckMode::in_band;
  expect_no_difference();
}

TEST_F(Divided, IdealAcks) {
  net_.settings.acks = AckMode::ideal;
  net_.settings.ack_jitter = nanoseconds(50);
  expect_no_difference();
}

TEST_F(Divided, StoreAndForward) {
  net_.settings.switching = Switching::store_and_forward;
  expect_no_difference();
}

TEST_F(Divided, ManyClasses) {
  net_.queueing = "voqnet";
  net_.settings.ingress_buffer = Bytes(64'000);
  net_.settings.acks = AckMode::in_band;
  expect_no_difference();
}

TEST_F(Divided, SharedMemory) {
  net_.queueing = "dbbm";
  net_.queueing_toml = "queues = 4";
  net_.settings.memory = Memory::shared;
  net_.settings.ingress_buffer = Bytes(8'000);
  expect_no_difference();
}

TEST_F(Divided, PausesInSharedMemory) {
  net_.queueing = "dbbm";
  net_.queueing_toml = "queues = 3";
  net_.settings.memory = Memory::reserved;
  net_.settings.reserved = Bytes(500);
  net_.settings.ingress_buffer = Bytes(14'000);
  for (const FlowControl model : {FlowControl::pfc, FlowControl::stop_and_go}) {
    for (const MemoryScope scope : {MemoryScope::port, MemoryScope::whole_switch}) {
      net_.settings.flow_control = model;
      net_.settings.scope = scope;
      expect_the_same(run(std::nullopt), scattered(3, seed_));
    }
  }
}

TEST_F(Divided, OutputsByLoad) {
  for (const char* selection : {"most-credits", "two-choices", "spray", "adaptive-threshold",
                                "ecmp", "flowlet", "bxi", "omni-path", "slingshot"}) {
    SCOPED_TRACE(selection);
    net_.selection = selection;
    expect_the_same(run(std::nullopt), scattered(3, seed_));
  }
}

TEST_F(Divided, XonXoff) {
  net_.make_mechanisms = [this] {
    const auto& model = agent_registry().find("xon-xoff", {}, "agent");
    Mechanisms made;
    made.agent = model.make(settings_of(model.info, ""), *net_.graph);
    return made;
  };
  expect_no_difference();
}

TEST_F(Divided, HostsThatRestoreTheOrder) {
  net_.settings.order = HostOrder::reorder;
  net_.selection = "random";
  net_.settings.acks = AckMode::in_band;
  expect_no_difference();
  net_.selection = "adaptive-threshold";
  net_.settings.acks = AckMode::ideal;
  expect_the_same(run(std::nullopt), scattered(3, seed_));
}

TEST_F(Divided, LanesOfVls) {
  net_.queueing = "service-level";
  net_.queueing_toml = "vls = 2";
  net_.settings.source_queues = SourceQueueKind::per_class;
  net_.settings.acks = AckMode::ideal;
  levels_ = 2;
  const std::string rules =
      "own_rate = '9 Gbps'\nborrowed_rate = '16 Gbps'\nthreshold = 2\nlenders = [0, 1]\n"
      "service_scv = 2.0\nports = ";
  for (const char* ports : {"'hosts'", "'switches'"}) {
    net_.make_mechanisms = [&] {
      const auto& model = vl_sharing_registry().find("entry-threshold", {}, "vl_sharing");
      Mechanisms made;
      made.vl_sharing = model.make(settings_of(model.info, rules + ports), *net_.graph);
      return made;
    };
    expect_no_difference();
  }
}

TEST_F(Divided, SetAsideQueues) {
  net_.settings.architecture = Architecture::cioq;
  net_.settings.ingress_buffer = net_.settings.egress_buffer = Bytes(64'000);
  net_.settings.source_queues = SourceQueueKind::per_destination;
  for (const char* model : {"recn", "recn-enhanced", "fbicm"}) {
    SCOPED_TRACE(model);
    net_.isolation = model;
    expect_no_difference();
    EXPECT_FALSE(net_.journal.events.empty());
  }
}

TEST_F(Divided, WhatDoesNotWorkInPartsIsRefused) {
  const auto refusal = [&] {
    try {
      (void)net_.build(net_.journal, divide(*net_.graph, 2));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  net_.settings.acks = AckMode::ideal;
  net_.settings.ack_delay = nanoseconds(1);
  EXPECT_THAT(refusal(), ::testing::HasSubstr("host.ack_delay"));
  net_.settings.ack_delay.reset();
  net_.graph = make_topology("k-ary-n-tree", "k = 2\nn = 4", {gigabits_per_second(8), Time(0)});
  EXPECT_THAT(refusal(), ::testing::HasSubstr("cables without delay"));
}

}  // namespace
}  // namespace weir::fabric::testing
