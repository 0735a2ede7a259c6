// What RECN and FBICM have in common (lippens2010, sections 4.1.2 and 4.1): tokens and release,
// Xon/Xoff, retries, memory.
#include <gtest/gtest.h>

#include "forged_messages.hpp"
#include "isolation/counters_of.hpp"

namespace weir::isolation::testing::set_aside_test {
namespace {

constexpr Time kStart(0);

// R9, C11: leaves first, the root last, and nothing is left.
TEST(SetAside, GivesQueuesBackFromTheLeavesToTheRoot) {
  for (const char* model : {"recn", "recn-enhanced", "fbicm"}) {
    Chain net(model);
    const auto fabric = net.build();
    net.start(*fabric, microseconds(60));
    EXPECT_TRUE(fabric->run_until(milliseconds(1))) << model;
    EXPECT_TRUE(lines_of(*fabric).empty());
    const auto last_release = [&](Side side) {
      Time last;
      for (const SetAsideEvent& event : net.journal.events) {
        if (event.side.index == side.index && event.kind == SetAsideEvent::released)
          last = event.at;
      }
      return last;
    };
    Time before = Time::max();
    for (const auto& [side, hops] : net.branch()) {
      EXPECT_LT(last_release(side), before) << model << ", " << hops << " links to the root";
      before = last_release(side);
      EXPECT_GT(before, microseconds(0));
    }
  }
}

// R9: a line that asked three inputs is a leaf again when it has three tokens back.
TEST(SetAside, WaitsForTheTokensOfAllInputs) {
  for (const char* model : {"recn", "recn-enhanced", "fbicm"}) {
    Merge net(model);
    net.settings.check_period = microseconds(5);
    net.settings.sample_period = nanoseconds(10);
    const auto fabric = net.build();
    for (const std::uint32_t h : {4U, 5U}) send(*fabric, h, 3, kStart, microseconds(200));
    for (const std::uint32_t h : {0U, 1U, 2U})
      send(*fabric, h, 3, kStart, microseconds(60 + 40 * h), 0.3);
    const Side merge = Side::egress(net.towards(0, 1));
    fabric->run_until(microseconds(50));
    for (const std::uint32_t h : {0U, 1U, 2U}) {
      EXPECT_EQ(lines_at(*fabric, Side::ingress(net.at_host(h))).size(), 1U)
          << model << ", host " << h;
    }
    ASSERT_EQ(lines_at(*fabric, merge).size(), 1U) << model;
    EXPECT_FALSE(lines_at(*fabric, merge)[0].is_leaf);
    const std::size_t released = net.journal.count(SetAsideEvent::released, merge);
    std::size_t inputs = 3;
    net.journal.sample = [&](const Fabric& now_of, Time) {
      if (inputs == 0) return;
      inputs = 0;
      for (const std::uint32_t h : {0U, 1U, 2U})
        inputs += lines_at(now_of, Side::ingress(net.at_host(h))).size();
      if (inputs == 0) return;
      EXPECT_EQ(net.journal.count(SetAsideEvent::released, merge), released)
          << model << ": given back although " << inputs << " inputs hold queues for it";
    };
    EXPECT_TRUE(fabric->run_until(milliseconds(1)));
    EXPECT_GT(net.journal.count(SetAsideEvent::released, merge), released) << model;
  }
}

// R8: queues on both sides of a link stay near the threshold, and the root's link is kept busy.
TEST(SetAside, StopsAndStartsSendersAtTheThresholds) {
  for (const char* model : {"recn", "recn-enhanced", "fbicm"}) {
    Chain net(model);
    net.settings.sample_period = nanoseconds(8);
    std::int64_t ingress = 0;
    std::int64_t egress = 0;
    std::int64_t lowest = INT64_MAX;
    const auto fabric = net.build();
    net.journal.sample = [&](const Fabric& now_of, Time now) {
      if (now < microseconds(60)) return;
      for (const SetAsideLine& line : lines_of(now_of)) {
        if (line.side.port() < now_of.graph().host_count()) continue;
        // Where nothing is stopped: the root's own lines are fed by it alone.
        (line.side.is_egress() ? egress : ingress) =
            std::max(line.side.is_egress() ? egress : ingress, line.bytes);
        if (line.side.index == Side::ingress(net.towards(2, 1)).index)
          lowest = std::min(lowest, line.bytes);
      }
    };
    net.start(*fabric, microseconds(200));
    fabric->run_until(microseconds(200));
    // Crosses the threshold with a packet; one is being sent, one goes before the message does;
    // and the message takes its 8 bytes and two propagations of 20.
    EXPECT_GT(ingress, 1'792) << model;
    EXPECT_LE(ingress, 1'792 + 3 * 64 + 8 + 40) << model;
    EXPECT_GT(egress, 1'792) << model;
    EXPECT_LE(egress, 1'792 + 2 * 64) << model;
    EXPECT_LT(lowest, 896) << model << ": goes on below Xon only";
    EXPECT_GT(lowest, 896 - 64 - 8 - 40 - 128) << model << ": goes on below Xon";
  }
}

// 3.5.9-2: a stop for a line that is not there any more does nothing.
TEST(SetAside, IgnoresAStopForALineThatIsGone) {
  Network net;
  net.settings.check_period = Time(0);
  const auto fabric = one_switch(net, 3);
  const LineName path = turn_name(0, 2, 3);
  Forged::stop(*fabric, 0, path, true);
  send(*fabric, 0, 2, kStart, microseconds(5));
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  EXPECT_EQ(net.journal.bytes_to[2], 5'056);
  // A line for the same path that is made later starts from "go".
  Forged::request(*fabric, 0, path, net.at_host(2), 0);
  ASSERT_EQ(lines_at(*fabric, Side::egress(0)).size(), 1U);
  EXPECT_FALSE(lines_at(*fabric, Side::egress(0))[0].is_held);
}

// 3.5.9-3: a stopped queue that is empty is given back all the same.
TEST(SetAside, GivesBackAStoppedQueueThatIsEmpty) {
  Network net;
  net.settings.check_period = Time(0);
  const auto fabric = one_switch(net, 3);
  const LineName path = turn_name(0, 2, 3);
  Forged::request(*fabric, 0, path, net.at_host(2), 0);
  Forged::stop(*fabric, 0, path, true);
  ASSERT_EQ(lines_at(*fabric, Side::egress(0)).size(), 1U);
  EXPECT_TRUE(lines_at(*fabric, Side::egress(0))[0].is_held);
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  EXPECT_TRUE(lines_of(*fabric).empty());
  send(*fabric, 0, 2, fabric->now(), fabric->now() + microseconds(1));
  EXPECT_TRUE(fabric->run_until(milliseconds(2))) << "its packets must not wait for the dead line";
}

// A queue that is taken at an idle side waits for packets as long as a retry, then is given back.
TEST(SetAside, GivesBackAQueueThatWasNeverUsed) {
  for (const bool has_lifetime : {false, true}) {
    Network net;
    net.settings.check_period = Time(0);
    if (has_lifetime) net.isolation_toml = "min_lifetime = \"7 us\"";
    const auto fabric = one_switch(net, 3);
    Forged::request_inside(*fabric, net.at_host(0), 2, {}, net.at_host(2), 0);
    EXPECT_TRUE(fabric->run_until(milliseconds(1)));
    EXPECT_EQ(net.journal.first(SetAsideEvent::released, Side::ingress(net.at_host(0))),
              has_lifetime ? 7'000 : 2'000);
  }
}

// 3.5.8: a queue that runs empty again and again is kept as long as was asked for.
TEST(SetAside, KeepsQueuesForTheirLifetime) {
  Network net;
  net.isolation_toml = "min_lifetime = \"20 us\"";
  const auto fabric = one_switch(net, 4);
  send(*fabric, 0, 3, kStart, microseconds(60));
  send(*fabric, 1, 3, kStart, microseconds(60), 0.2);
  EXPECT_TRUE(fabric->run_until(milliseconds(1)));
  EXPECT_GT(net.journal.count(SetAsideEvent::released), 0U);
  for (const SetAsideEvent& event : net.journal.events) {
    if (event.kind != SetAsideEvent::released) continue;
    EXPECT_GE(event.lifetime, microseconds(20));
  }
}

// 3.5.9-5, Annex C-6: with a single queue the second tree is refused, asks again no sooner than
// allowed, and loses nothing.
TEST(SetAside, AsksAgainAfterARefusalNoSoonerThanAllowed) {
  for (const char* model : {"recn", "recn-enhanced", "fbicm"}) {
    Network net;
    net.isolation_toml = std::string(model) == "fbicm" ? "cfqs = 1" : "saqs = 1";
    const auto fabric = one_switch(net, 5, model);
    for (const std::uint32_t h : {0U, 1U, 2U}) {
      send(*fabric, h, 3, kStart, microseconds(50), 0.5);
      send(*fabric, h, 4, kStart, microseconds(50), 0.5);
    }
    EXPECT_TRUE(fabric->run_until(milliseconds(1)));
    EXPECT_EQ(net.journal.out_of_order(), 0U);
    EXPECT_EQ(net.journal.bytes_to[3] + net.journal.bytes_to[4], 3 * 2 * 391 * 64);
    std::size_t refusals = 0;
    for (const std::uint32_t h : {0U, 1U, 2U}) {
      for (const std::uint32_t root : {3U, 4U}) {
        std::optional<Time> before;
        for (const SetAsideEvent& event : net.journal.events) {
          if (event.kind != SetAsideEvent::refused_full || event.root.value != net.at_host(root) ||
              event.side.index != Side::ingress(net.at_host(h)).index)
            continue;
          // Detection at ingress itself asks nobody.
          if (before && std::string(model) == "recn") {
            EXPECT_GE(event.at, *before + microseconds(2)) << "host " << h;
          }
          before = event.at;
          ++refusals;
        }
      }
    }
    EXPECT_GT(refusals, 5U) << model;
    EXPECT_EQ(counters_of(*fabric->isolation()).refusals_full,
              net.journal.count(SetAsideEvent::refused_full));
    EXPECT_EQ(counters_of(*fabric->isolation()).side_max, 1U);
  }
}

// Annex C-10: the memory of a side is that of all its queues together, and no more.
TEST(SetAsideMemory, IsNeverExceeded) {
  struct Row {
    const char* model;
    double speedup;
    bool fills_ingress;  ///< basic RECN sees nothing at the root, and its memory fills
  };
  for (const Row& row : {Row{"recn", 1, true}, Row{"recn", 2, false},
                         Row{"recn-enhanced", 2, false}, Row{"fbicm", 2, false}}) {
    Chain net(row.model);
    net.settings.speedup = row.speedup;
    net.settings.ingress_buffer = Bytes(1'024);
    net.settings.egress_buffer = Bytes(6'144);
    net.settings.sample_period = nanoseconds(20);
    net.isolation_toml = std::string(row.model) == "fbicm" ? "cfqs = 1" : "saqs = 1";
    const auto fabric = net.build();
    std::int64_t ingress = 0;
    std::int64_t egress = 0;
    net.journal.sample = [&](const Fabric& now_of, Time) {
      const topology::Graph& graph = now_of.graph();
      std::vector<std::int64_t> waiting(graph.port_count());
      now_of.for_each_stored([&](PortId where, const fabric::Packet& packet) {
        waiting[where.index()] += packet.size;
      });
      for (auto p = static_cast<std::uint32_t>(graph.host_count()); p < graph.port_count(); ++p) {
        const std::int64_t before_crossbar = now_of.stored(PortId(p), 0).count;
        ingress = std::max(ingress, before_crossbar);
        egress = std::max(egress, waiting[p] - before_crossbar);
      }
    };
    net.start(*fabric, microseconds(100));
    fabric->run_until(microseconds(100));
    EXPECT_LE(ingress, 1'024) << row.model;
    EXPECT_LE(egress, 6'144) << row.model;
    EXPECT_GT(row.fills_ingress ? ingress : egress - 5'120, 900) << row.model;
    EXPECT_TRUE(fabric->run_until(milliseconds(2)));
  }
}

// 3.5.7: queues that may fill more than three quarters of a side are worth a word.
TEST(SetAsideMemory, IsSaidToBeShortWhereQueuesMayFillIt) {
  const auto notes = [](const std::string& toml) {
    Network net;
    net.isolation_toml = toml;
    return one_switch(net, 3, "recn-enhanced")->isolation()->notes();
  };
  EXPECT_EQ(notes("").size(), 0U);
  // 8 (2968 B + a packet of 64 B + a round trip of 40 B) are 75 % of 32 KiB.
  EXPECT_EQ(notes("xoff = \"2968 B\"").size(), 0U);
  ASSERT_EQ(notes("xoff = \"2969 B\"").size(), 1U);
  EXPECT_NE(notes("xoff = \"2969 B\"")[0].find("8 set-aside queues"), std::string::npos);
}

// What nobody chose is made to fit, and said; what was chosen and does not fit is refused.
TEST(SetAsideMemory, DefaultsFitLargePacketsAndSmallMemories) {
  const auto build = [](std::int64_t memory, const std::string& toml, const char* model) {
    Network net;
    net.settings.mtu = Bytes(4'096);
    net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(memory);
    net.isolation_toml = toml;
    const auto fabric = one_switch(net, 4, model);
    for (const std::uint32_t host : {0U, 1U, 2U})
      send(*fabric, host, 3, Time(0), microseconds(200), 1.0, 4'096);
    EXPECT_TRUE(fabric->run_until(milliseconds(10)));
    EXPECT_GT(counters_of(*fabric->isolation()).allocations, 0U);
    const auto notes = fabric->isolation()->notes();
    return notes.empty() ? std::string() : notes[0];
  };
  for (const char* model : {"recn", "recn-enhanced", "fbicm"}) {
    const std::string lines = std::string(model) == "fbicm" ? "cfqs" : "saqs";
    EXPECT_EQ(build(512 << 10, "", model), "");
    EXPECT_EQ(build(128 << 10, "", model).find("isolation." + lines + " = 6 with isolation.xoff ="),
              0U);
    EXPECT_EQ(build(128 << 10, lines + " = 8", model).find("isolation." + lines + " = 8"), 0U);
    EXPECT_EQ(build(48 << 10, "", model).find("isolation." + lines + " = 1"), 0U);
    const auto refusal = [&](std::int64_t memory, const std::string& toml) {
      try {
        (void)build(memory, toml, model);
      } catch (const InputError& error) {
        return std::string(error.what());
      }
      return std::string("accepted");
    };
    const std::string of_lines = refusal(128 << 10, lines + " = 16");
    EXPECT_NE(of_lines.find("at most 11 do"), std::string::npos) << of_lines;
    EXPECT_NE(of_lines.find(lines), std::string::npos) << of_lines;
    const std::string of_xoff = refusal(128 << 10, "xoff = \"20 KiB\"");
    EXPECT_NE(of_xoff.find("xoff"), std::string::npos) << of_xoff;
    EXPECT_NE(of_xoff.find("fill the 128 KiB"), std::string::npos) << of_xoff;
    const std::string of_memory = refusal(10 << 10, "");
    EXPECT_NE(of_memory.find("10 KiB of a side"), std::string::npos) << of_memory;
  }
}

// 3.1.4: a leaf with few packets goes before the normal queue, so that it runs empty soon.
TEST(SetAside, DrainsNearlyEmptyLeavesFirst) {
  const auto second_delivery = [](const std::string& toml) {
    Network net;
    net.settings.check_period = Time(0);
    net.isolation_toml = toml;
    const auto fabric = one_switch(net, 4);
    Forged::request(*fabric, 0, turn_name(0, 2, 4), net.at_host(2), 0);
    fabric->submit(HostId(0), {fabric->now(), HostId(3), Bytes(1'280)});
    fabric->submit(HostId(0), {fabric->now(), HostId(2), Bytes(128)});
    while (net.journal.bytes_to.size() < 3 || net.journal.bytes_to[2] < 128) {
      if (fabric->run_until(fabric->now() + nanoseconds(1))) break;
    }
    return to_nanoseconds(fabric->now());
  };
  EXPECT_DOUBLE_EQ(second_delivery("drain_boost = 0") - second_delivery("drain_boost = 2"), 2 * 64)
      << "it need not take turns";
}

// A long message on a link whose last packet has left: the memory behind it is empty, and a packet
// may cross to wait there.
TEST(SetAsideMemory, IsNotTakenByMessages) {
  Network net;
  net.settings.egress_buffer = Bytes(1'024);
  net.settings.mtu = Bytes(1'000);
  net.graph = make_topology("single-switch", "hosts = 3", kLink);
  fabric::Models models{net.graph, make_routing("shortest-path", *net.graph),
                        fabric::testing::make_selection("fixed"),
                        fabric::testing::make_queueing("fifo", *net.graph)};
  Fabric fabric(models, {}, net.settings, net.journal);
  fabric.submit(HostId(0), {Time(0), HostId(2), Bytes(1'000)});
  fabric.run_until(microseconds(2));
  const PortId out(net.at_host(2));
  fabric.view().messages.send_in_band(net.graph->port(out).to, out, 4'000, {});
  fabric.submit(HostId(0), {fabric.now(), HostId(2), Bytes(1'000)});
  fabric.run_until(microseconds(4));
  EXPECT_EQ(fabric.stored(PortId(net.at_host(0)), 0), Bytes(0)) << "has crossed";
  EXPECT_EQ(fabric.port(out).queued, 1'000) << "waits for the link";
  EXPECT_TRUE(fabric.run_until(milliseconds(1)));
}

}  // namespace
}  // namespace weir::isolation::testing::set_aside_test
