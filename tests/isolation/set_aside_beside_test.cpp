// Set-aside queues beside other mechanisms of links and switches: what they are for still holds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "isolation/counters_of.hpp"
#include "set_aside_network.hpp"
#include "weir/fabric/headroom.hpp"

namespace weir::isolation::testing {
namespace {

constexpr Time kFrom = microseconds(40);
constexpr Time kUntil = microseconds(140);

/// One class and one queue, as set-aside queues have them, where `model` is empty.
void choose(Network& net, const std::string& model) {
  net.isolation = model;
  net.settings.voq = false;
}

/// Bytes/ns that `hosts` receive together between kFrom and kUntil; all has to arrive afterwards.
double received(Network& net, Fabric& fabric, const std::vector<std::uint32_t>& hosts) {
  const auto sum = [&] {
    std::int64_t bytes = 0;
    for (const std::uint32_t host : hosts) bytes += net.journal.bytes_to[host];
    return bytes;
  };
  fabric.run_until(kFrom);
  const std::int64_t before = sum();
  fabric.run_until(kUntil);
  const std::int64_t after = sum();
  EXPECT_TRUE(fabric.run_until(milliseconds(20)));
  EXPECT_EQ(fabric.counters().packets_delivered, fabric.counters().packets_injected);
  return static_cast<double>(after - before) / to_nanoseconds(kUntil - kFrom);
}

/// What the victim of a chain, who asks for 0.4 of a link, gets.
double victim_of_chain(const std::string& model, fabric::FlowControl flow_control,
                       fabric::Memory memory = fabric::Memory::split) {
  Chain net(model);
  choose(net, model);
  net.settings.flow_control = flow_control;
  net.settings.memory = memory;
  const auto fabric = net.build();
  net.start(*fabric, kUntil);
  const double rate = received(net, *fabric, {5});
  if (!model.empty()) {
    EXPECT_GT(counters_of(*fabric->isolation()).allocations, 0U);
  }
  return rate;
}

TEST(SetAsideBeside, LinksWithThresholdsLeaveVictimsAlone) {
  using fabric::FlowControl;
  for (const FlowControl one : {FlowControl::credits, FlowControl::stop_and_go, FlowControl::pfc}) {
    const int number = static_cast<int>(one);
    EXPECT_LT(victim_of_chain("", one), 0.37) << number;
    for (const char* model : {"recn-enhanced", "fbicm"})
      EXPECT_NEAR(victim_of_chain(model, one), 0.4, 0.004) << number << " " << model;
  }
  // With one class that is a threshold of half of the memory.
  for (const FlowControl one : {FlowControl::stop_and_go, FlowControl::pfc}) {
    for (const char* model : {"recn-enhanced", "fbicm"})
      EXPECT_NEAR(victim_of_chain(model, one, fabric::Memory::shared), 0.4, 0.004) << model;
  }
}

/// Four hosts of a tree send to host 0, and three others to three that are no part of that.
double victims_of_tree(const std::string& model, const std::string& selection) {
  Network net;
  net.graph = make_topology("k-ary-n-tree", "k = 2\nn = 3", kLink);
  net.routing = "d-mod-k";
  choose(net, model);
  net.selection = selection;
  const auto fabric = net.build();
  for (const std::uint32_t host : {1U, 3U, 5U, 7U}) send(*fabric, host, 0, Time(0), kUntil);
  send(*fabric, 2, 5, Time(0), kUntil, 0.4);
  send(*fabric, 4, 3, Time(0), kUntil, 0.4);
  send(*fabric, 6, 1, Time(0), kUntil, 0.4);
  return received(net, *fabric, {1, 3, 5});
}

TEST(SetAsideBeside, FbicmKnowsDestinationsWhateverWayPacketsTake) {
  for (const char* selection : {"ecmp", "spray", "random", "most-credits", "two-choices"}) {
    EXPECT_LT(victims_of_tree("", selection), 1.0) << selection;
    // More than they ask for, where they had to wait before the tree was known.
    EXPECT_GT(victims_of_tree("fbicm", selection), 0.99 * 1.2) << selection;
  }
}

// The thresholds of set-aside queues lie below those of the link, or the link stops first.
TEST(SetAsideBeside, QueuesFitBelowTheThresholdOfTheLink) {
  Chain net("fbicm");
  net.settings.flow_control = fabric::FlowControl::stop_and_go;
  net.settings.stop_threshold = 0.5;
  net.settings.go_threshold = 0.25;
  net.isolation_toml = "cfqs = 8\nxoff = \"2 KiB\"\nxon = \"1 KiB\"";
  try {
    (void)net.build();
    FAIL() << "set-aside queues fill the memory below the threshold";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("8 queues (isolation.cfqs) of 2 KiB fill the 16 KiB of "
                        "a side at which flow_control.stop stops the sender"),
              std::string::npos)
        << error.what();
  }
  net.isolation_toml = "cfqs = 7\nxoff = \"2 KiB\"\nxon = \"1 KiB\"";
  (void)net.build();
}

// In shared memory that is half of what is left beside the headroom, where alpha is 1.
TEST(SetAsideBeside, QueuesFitBelowTheThresholdInSharedMemory) {
  Chain net("fbicm");
  net.settings.flow_control = fabric::FlowControl::pfc;
  net.settings.memory = fabric::Memory::shared;
  const Bytes half =
      (net.settings.ingress_buffer - fabric::largest_headroom(net.settings, *net.graph)) / 2;
  const auto lines = (half.count - 1) / 2'048;
  const auto take = [&](std::int64_t queues) {
    net.isolation_toml = fmt::format("cfqs = {}\nxoff = \"2 KiB\"\nxon = \"1 KiB\"", queues);
    return net.refusal();
  };
  EXPECT_EQ(take(lines), "");
  EXPECT_NE(take(lines + 1).find("at which its sender is stopped when all are as full"),
            std::string::npos);
}

}  // namespace
}  // namespace weir::isolation::testing
