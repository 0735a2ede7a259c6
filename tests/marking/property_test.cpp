// Every marker in every kind of switch that it works in, on random traffic with a hot spot: nothing
// is lost, its counters are those of a recount at every check, and the bits that arrive are those
// that switches set.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "marking_network.hpp"
#include "weir/base/random.hpp"

namespace weir::marking::testing {
namespace {

using fabric::Memory;
using fabric::packet_flag::kMarkA;
using fabric::packet_flag::kMarkB;

struct Scheme {
  const char* name;
  const char* toml;
  bool sets_a;
  bool sets_b;
  bool needs_ingress;
  bool needs_egress;
};

constexpr Scheme kSchemes[] = {
    {"ipm", "", true, false, true, false},
    {"rpm", "", true, false, true, false},
    {"opm", "threshold = 0.5", false, true, false, true},
    {"iopm", "", true, true, true, true},
    {"mvpm", "", true, true, true, true},
    {"ecn-counters", "", true, false, true, false},
    {"ecn-counters", "scope = \"all-outputs\"", true, false, true, false},
    {"ecn-counters", "scope = \"naive-full-buffer\"", true, false, true, false},
    {"ecn-counters", "scope = \"input-output\"\nthreshold = 0.7", true, false, true, false},
    {"fecn", "threshold = 10", false, true, false, false},
    {"fecn", "victim_mask = \"all\"\nmarking_rate = 3", false, true, false, false},
};

struct Queueing {
  const char* name;
  Memory memory;
};
constexpr Queueing kQueueing[] = {
    {"", Memory::split}, {"dbbm", Memory::split}, {"dbbm", Memory::shared}};

/// 30 messages of a few packets from each host, a third of them to host 5.
void add_traffic(const MarkingNetwork& net, std::uint64_t seed) {
  const auto hosts = static_cast<std::uint32_t>(net.graph->host_count());
  for (std::uint32_t h = 0; h < hosts; ++h) {
    RandomStream random(seed, h, StreamPurpose::test);
    std::vector<MessageRequest> messages;
    std::int64_t at = 0;
    for (int i = 0; i < 30; ++i) {
      at += static_cast<std::int64_t>(random.below(600'000));
      auto destination = static_cast<std::uint32_t>(random.below(hosts));
      if (random.below(3) == 0) destination = 5;
      if (destination == h) continue;
      messages.push_back(
          {Time(at), HostId(destination), Bytes(1 + static_cast<std::int64_t>(random.below(600)))});
    }
    net.send(h, messages);
  }
}

void expect_sound(const MarkingNetwork& net, const Scheme& scheme) {
  const fabric::Counters& counters = net.fabric->counters();
  EXPECT_EQ(counters.messages_completed, counters.messages_generated);
  EXPECT_EQ(counters.acks_delivered, counters.packets_delivered);
  EXPECT_EQ(net.fabric->core().packets.in_use(), 0U);
  EXPECT_EQ(net.journal.deliveries.size(), counters.packets_delivered);
  const fabric::MarkCounts& a = net.marker->marks_a();
  const fabric::MarkCounts& b = net.marker->marks_b();
  EXPECT_EQ(net.journal.with(kMarkA), a.set);
  EXPECT_EQ(net.journal.with(kMarkB), b.set);
  if (!scheme.sets_a) {
    EXPECT_EQ(a.set + a.repeated, 0U);
  }
  if (!scheme.sets_b) {
    EXPECT_EQ(b.set + b.repeated, 0U);
  }
  for (const fabric::MarkCounts* counts : {&a, &b}) {
    std::uint64_t sum = 0;
    for (std::uint32_t p = 0; p < counts->by_port.size(); ++p) {
      if (p < net.graph->host_count()) {
        EXPECT_EQ(counts->by_port[p], 0U);
      }
      sum += counts->by_port[p];
    }
    EXPECT_EQ(sum, counts->set);
    if (counts->set > 0) {
      EXPECT_LE(counts->first, counts->last);
    }
  }
  // Claim 17.
  if (std::string(scheme.name) != "mvpm") return;
  for (const Delivery& row : net.journal.deliveries) EXPECT_NE(row.marks, kMarkB);
}

class Schemes : public ::testing::TestWithParam<Scheme> {};

TEST_P(Schemes, LoseNothingAndCountRight) {
  const Scheme& scheme = GetParam();
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  for (const Architecture architecture :
       {Architecture::input_queued, Architecture::input_queued_single, Architecture::cioq,
        Architecture::output_queued}) {
    const bool has_ingress = architecture != Architecture::output_queued;
    const bool has_egress =
        architecture == Architecture::cioq || architecture == Architecture::output_queued;
    if ((scheme.needs_ingress && !has_ingress) || (scheme.needs_egress && !has_egress)) continue;
    for (const Queueing& queueing : kQueueing) {
      for (const bool voq : {false, true}) {
        SCOPED_TRACE(fmt::format("architecture {}, {}, memory {}, voq {}",
                                 static_cast<int>(architecture), queueing.name,
                                 static_cast<int>(queueing.memory), voq));
        MarkingNetwork net;
        net.graph = make_topology("k-ary-n-tree", "k = 2\nn = 3", kLink);
        net.routing = "d-mod-k";
        net.queueing = queueing.name;
        net.settings.architecture = architecture;
        net.settings.memory = queueing.memory;
        net.settings.voq = voq;
        net.settings.acks = fabric::AckMode::in_band;
        net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(3 * 600);
        net.settings.check_period = nanoseconds(200);
        net.build(scheme.name, scheme.toml);
        add_traffic(net, 7);
        net.drain();
        expect_sound(net, scheme);
        a += net.marker->marks_a().set;
        b += net.marker->marks_b().set;
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
  if (scheme.sets_a) {
    EXPECT_GT(a, 0U);
  }
  if (scheme.sets_b) {
    EXPECT_GT(b, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(AllMarkers, Schemes, ::testing::ValuesIn(kSchemes));

/// A marker that does not know of the packets that leave.
TEST(Checks, MiscountIsFound) {
  class Forgetful final : public fabric::Marker {
   public:
    explicit Forgetful(std::shared_ptr<Marker> inner) : inner_(std::move(inner)) {}
    void attach(const fabric::FabricView& fabric) override { inner_->attach(fabric); }
    void on_ingress(PortId port, Packet& packet) override { inner_->on_ingress(port, packet); }
    void check(bool is_idle) const override { inner_->check(is_idle); }

   private:
    std::shared_ptr<Marker> inner_;
  };
  for (const char* name : {"rpm", "ecn-counters"}) {
    MarkingNetwork net;
    net.marker = make_marker(name, *net.graph, "");
    fabric::Mechanisms mechanisms;
    mechanisms.marker = std::make_shared<Forgetful>(net.marker);
    Fabric fabric({net.graph, make_routing("shortest-path", *net.graph), make_selection("fixed"),
                   make_queueing(one_class(net.settings), *net.graph)},
                  mechanisms, net.settings, net.journal);
    fabric.add_source(HostId(0), std::make_unique<ListSource>(burst(2, 5, 256)));
    EXPECT_THROW(fabric.run_until(milliseconds(1)), RunError) << name;
  }
}

/// A switch that clears bit A of what it sends.
TEST(Checks, ValidationWithoutMarkIsFound) {
  class Eraser final : public fabric::Marker {
   public:
    explicit Eraser(std::shared_ptr<Marker> inner) : inner_(std::move(inner)) {}
    void attach(const fabric::FabricView& fabric) override { inner_->attach(fabric); }
    void on_ingress(PortId, Packet& packet) override { packet.flags |= kMarkA; }
    void on_egress(PortId port, Packet& packet) override {
      inner_->on_egress(port, packet);
      packet.flags &= static_cast<std::uint8_t>(~kMarkA);
    }
    void check(bool is_idle) const override { inner_->check(is_idle); }

   private:
    std::shared_ptr<Marker> inner_;
  };
  MarkingNetwork net;
  fabric::Mechanisms mechanisms;
  mechanisms.marker = std::make_shared<Eraser>(make_marker("mvpm", *net.graph, ""));
  Fabric fabric({net.graph, make_routing("shortest-path", *net.graph), make_selection("fixed"),
                 make_queueing(one_class(net.settings), *net.graph)},
                mechanisms, net.settings, net.journal);
  for (const std::uint32_t host : {0U, 1U})
    fabric.add_source(HostId(host), std::make_unique<ListSource>(burst(2, 50, 256)));
  EXPECT_THROW(fabric.run_until(milliseconds(1)), RunError);
}

}  // namespace
}  // namespace weir::marking::testing
