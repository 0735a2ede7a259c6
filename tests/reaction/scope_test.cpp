// Windows and waits of a host, which all of its flows share.
#include <gtest/gtest.h>

#include "reaction/reaction_fixture.hpp"

namespace weir::reaction::testing {
namespace {

TEST(ReactionScope, FlowsOfAHostShareAWindow) {
  for (const auto& [model, toml] :
       {std::pair("static-window", "window = 2\n"), std::pair("dynamic-window", "window = 2\n"),
        std::pair("lipd", "window = 2\n")}) {
    SCOPED_TRACE(model);
    Source source(model, std::string(toml) + "scope = \"host\"");
    for (const std::uint32_t flow : {0U, 1U, 2U}) source.generate(flow);
    source.now += milliseconds(1);  // past what a rate asks for at the start
    source.inject(0);
    source.now += milliseconds(1);
    EXPECT_TRUE(source.may_inject(1));
    source.inject(1);
    EXPECT_EQ(source.earliest(2), Time::max());
    source.ack(kCold, 0);
    source.now += milliseconds(1);
    EXPECT_TRUE(source.may_inject(2));
    EXPECT_TRUE(source.reaction->shares_states());
  }
}

TEST(ReactionScope, AFlowAloneHasItsOwnWindow) {
  Source source("static-window", "window = 1");
  for (const std::uint32_t flow : {0U, 1U}) source.generate(flow);
  source.inject(0);
  EXPECT_EQ(source.earliest(0), Time::max());
  EXPECT_TRUE(source.may_inject(1));
  EXPECT_FALSE(source.reaction->shares_states());
}

TEST(ReactionScope, AHotFlowMakesTheOthersOfItsHostWait) {
  Source source("dynamic-window", "scope = \"host\"");
  for (const std::uint32_t flow : {0U, 0U, 0U, 1U}) source.generate(flow);
  source.inject(0);
  source.ack(kHot, 0);  // window 2 to 1
  source.inject(0);
  source.ack(kHot, 0);  // a slot
  EXPECT_EQ(source.earliest(1), source.now + nanoseconds(354));
  Source apart("dynamic-window");
  for (const std::uint32_t flow : {0U, 0U, 0U, 1U}) apart.generate(flow);
  apart.inject(0);
  apart.ack(kHot, 0);
  apart.inject(0);
  apart.ack(kHot, 0);
  EXPECT_TRUE(apart.may_inject(1));
}

}  // namespace
}  // namespace weir::reaction::testing

namespace weir::fabric::testing {
namespace {

/// A host sends 40 packets, to a different host each, with a window of one packet for all.
TEST(ReactionScope, AQueueThatWaitsForTheWindowGoesOnWithTheAckOfAnother) {
  for (const SourceQueueKind queues :
       {SourceQueueKind::per_destination, SourceQueueKind::fifo, SourceQueueKind::shared_memory}) {
    SmallNetwork net;
    net.graph = make_topology("bmin-perfect-shuffle", "hosts = 64\nk = 4\nn = 3",
                              {Rate(8'000'000'000), nanoseconds(1)});
    net.routing = "turnaround";
    net.settings.mtu = Bytes(256);
    net.settings.header = net.settings.ack_size = Bytes(22);
    net.settings.acks = AckMode::in_band;
    net.settings.source_queues = queues;
    if (queues == SourceQueueKind::shared_memory) net.settings.source_memory = Bytes(64'000);
    const auto& model = reaction_registry().find("static-window", {}, "model");
    net.mechanisms.reaction =
        model.make(settings_of(model.info, "window = 1\nscope = \"host\""),
                   {net.graph, make_routing(net.routing, *net.graph), nullptr, net.settings});
    auto fabric = net.build();
    std::vector<MessageRequest> messages;
    for (std::uint32_t i = 0; i < 40; ++i) messages.push_back({Time(0), HostId(i + 1), Bytes(256)});
    fabric->add_source(HostId(0), std::make_unique<ListSource>(messages));
    EXPECT_TRUE(fabric->run_until(milliseconds(1)));
    EXPECT_EQ(fabric->counters().packets_delivered, 40U);
    fabric->check();
    // One at a time: each delivery is followed by its ACK before the next injection.
    std::vector<Time> arrivals;
    for (const auto& one : net.journal.deliveries) arrivals.push_back(one.delivered);
    for (std::size_t i = 1; i < arrivals.size(); ++i) {
      EXPECT_GT((arrivals[i] - arrivals[i - 1]).count, nanoseconds(278).count);
    }
  }
}

}  // namespace
}  // namespace weir::fabric::testing
