// Markers that compare the fill of a buffer with a threshold: ferrer2012, section 4.2.
#include <gtest/gtest.h>

#include <map>

#include "marking_network.hpp"
#include "weir/marking/switch_marker.hpp"

namespace weir::marking::testing {
namespace {

using fabric::packet_flag::kMarkA;
using fabric::packet_flag::kMarkB;
using fabric::packet_flag::kMarks;

// Hosts 0 and 1 send to host 2. Packets take 278 ns; the output takes them in turn.
TEST(IngressFill, CountsArrivingAndLeavingPackets) {
  MarkingNetwork net;
  net.settings.architecture = Architecture::input_queued;
  net.build("ipm");
  net.send(0, burst(2, 10, 256));
  net.send(1, burst(2, 10, 256));
  net.drain();
  struct Expected {
    double at;
    std::uint32_t source;
    std::int64_t packets;
  };
  // Host 0 goes first, so host 1's buffer is the fuller one; with a full one the sender waits.
  const std::vector<Expected> expected = {{2, 0, 1},    {2, 1, 1},    {280, 0, 1},  {280, 1, 2},
                                          {558, 0, 2},  {558, 1, 2},  {836, 0, 2},  {836, 1, 3},
                                          {1114, 0, 3}, {1114, 1, 3}, {1392, 0, 3}, {1392, 1, 4}};
  ASSERT_GE(net.witness->at_ingress.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Witness::Row& row = net.witness->at_ingress[i];
    EXPECT_DOUBLE_EQ(row.at, expected[i].at) << i;
    EXPECT_EQ(row.source, expected[i].source) << i;
    EXPECT_EQ(row.bytes, 278 * expected[i].packets) << i;
    // 66 % of 1112 bytes is less than three packets.
    EXPECT_EQ(row.bits, expected[i].packets >= 3 ? kMarkA : 0) << i;
  }
}

// A packet is in memory until its tail has left, also while it is sent.
TEST(IngressFill, ALeavingPacketIsStored) {
  MarkingNetwork net;
  net.settings.architecture = Architecture::input_queued;
  net.settings.switching = fabric::Switching::store_and_forward;
  net.build("ipm");
  std::vector<MessageRequest> messages = burst(2, 1, 256);
  messages.push_back({Time(0), HostId(2), Bytes(10)});
  messages.push_back({nanoseconds(1'000), HostId(2), Bytes(10)});
  net.send(0, messages);
  net.drain();
  ASSERT_EQ(net.witness->at_ingress.size(), 3U);
  EXPECT_DOUBLE_EQ(net.witness->at_ingress[1].at, 312);
  EXPECT_EQ(net.witness->at_ingress[1].bytes, 278 + 32);
  EXPECT_EQ(net.witness->at_ingress[2].bytes, 32);
}

// The crossbar at twice the rate lets packets of two inputs meet in the egress buffer.
TEST(EgressFill, CountsArrivingAndLeavingPackets) {
  MarkingNetwork net;
  net.build("opm", "threshold = 0.33");
  net.send(0, burst(2, 10, 256));
  net.send(1, burst(2, 10, 256));
  net.drain();
  struct Expected {
    double at;
    std::uint32_t source;
    std::int64_t packets;
  };
  // At 419 the second packet is still on the link (280 to 558).
  const std::vector<Expected> expected = {{2, 0, 1}, {280, 1, 1}, {419, 0, 2}};
  ASSERT_GE(net.witness->at_egress.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Witness::Row& row = net.witness->at_egress[i];
    EXPECT_DOUBLE_EQ(row.at, expected[i].at) << i;
    EXPECT_EQ(row.source, expected[i].source) << i;
    EXPECT_EQ(row.bytes, 278 * expected[i].packets) << i;
    EXPECT_EQ(row.bits, expected[i].packets >= 2 ? kMarkB : 0) << i;
  }
}

/// Lowest number of packets in the buffer at which a packet was marked and highest at which one was
/// not.
std::pair<std::int64_t, std::int64_t> limits(const std::vector<Witness::Row>& rows) {
  std::int64_t marked = INT64_MAX;
  std::int64_t spared = 0;
  for (const Witness::Row& row : rows) {
    EXPECT_EQ(row.bytes % 278, 0);
    if (row.bits != 0) {
      marked = std::min(marked, row.bytes / 278);
    } else {
      spared = std::max(spared, row.bytes / 278);
    }
  }
  return {marked, spared};
}

std::pair<std::int64_t, std::int64_t> limits_of(const std::string& name, const std::string& toml,
                                                Bytes buffer = Bytes(1'112)) {
  MarkingNetwork net(5);
  net.settings.ingress_buffer = net.settings.egress_buffer = buffer;
  net.build(name, toml);
  for (const std::uint32_t host : {0U, 1U, 2U, 3U}) net.send(host, burst(4, 30, 256));
  net.drain();
  return limits(name == "ipm" ? net.witness->at_ingress : net.witness->at_egress);
}

// 7.3: packets of 278 bytes, buffers for four of them.
TEST(Thresholds, AreOfBytesAndIncludeTheArrivingPacket) {
  using Limits = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(limits_of("ipm", ""), Limits(3, 2));
  EXPECT_EQ(limits_of("opm", "threshold = 0.33"), Limits(2, 1));
  EXPECT_EQ(limits_of("opm", ""), Limits(4, 3));
  // Exactly at the threshold is not over it.
  EXPECT_EQ(limits_of("ipm", "threshold = 0.75"), Limits(4, 3));
  EXPECT_EQ(limits_of("ipm", "threshold = 0.7499"), Limits(3, 2));
  // Three packets do not exceed 90 % of 1024 bytes, and a fourth has no room: never marked.
  EXPECT_EQ(limits_of("opm", "", Bytes(1'024)), Limits(INT64_MAX, 3));
}

TEST(Thresholds, OutsideTheirRangeAreRefused) {
  const MarkingNetwork net;
  for (const auto& [name, key] :
       {std::pair("ipm", "threshold"), std::pair("opm", "threshold"),
        std::pair("iopm", "input_threshold"), std::pair("iopm", "output_threshold"),
        std::pair("mvpm", "input_threshold"), std::pair("mvpm", "output_threshold"),
        std::pair("ecn-counters", "threshold")}) {
    for (const char* value : {"0.0", "-0.1", "1.01"}) {
      EXPECT_THROW((void)make_marker(name, *net.graph, std::string(key) + " = " + value),
                   InputError)
          << name << " " << key << " = " << value;
    }
    EXPECT_NO_THROW((void)make_marker(name, *net.graph, std::string(key) + " = 1.0"));
  }
}

/// Claim 34: when the first ingress and the first egress buffer has no room for another packet.
std::pair<double, double> first_full(double speedup) {
  MarkingNetwork net(3);
  net.settings.speedup = speedup;
  net.build("iopm");
  for (const std::uint32_t host : {0U, 1U}) net.send(host, burst(2, 40, 256));
  net.drain();
  const auto first = [](const std::vector<Witness::Row>& rows) {
    for (const Witness::Row& row : rows) {
      if (row.bytes == 1'112) return row.at;
    }
    return 1e9;
  };
  return {first(net.witness->at_ingress), first(net.witness->at_egress)};
}

TEST(CongestionFormation, SpeedupDecidesWhichBufferFillsFirst) {
  const auto [input_at_2, output_at_2] = first_full(2);
  EXPECT_LT(output_at_2, input_at_2);
  EXPECT_LT(input_at_2, 1e9);
  const auto [input_at_1, output_at_1] = first_full(1);
  EXPECT_LT(input_at_1, output_at_1);
  EXPECT_EQ(output_at_1, 1e9);  // never
}

// Without speedup the egress buffer never fills: OPM is blind, IOPM sees the inputs.
TEST(CongestionFormation, WithoutSpeedupOutputMarkingIsBlind) {
  for (const char* name : {"opm", "iopm"}) {
    MarkingNetwork net(3);
    net.settings.speedup = 1;
    net.build(name);
    for (const std::uint32_t host : {0U, 1U}) net.send(host, burst(2, 40, 256));
    net.drain();
    EXPECT_EQ(net.journal.deliveries.size(), 80U);
    EXPECT_EQ(net.journal.with(kMarkB), 0U);
    if (std::string(name) == "iopm") {
      EXPECT_GT(net.journal.with(kMarkA), 60U);
    }
  }
}

/// 3.1.5: y keeps output 4 and its own input congested, x goes to output 4 from an input that is
/// not, z leaves y's input by a free output, w has nothing to do with it.
std::map<std::string, std::set<int>> four_flows(const std::string& name) {
  MarkingNetwork net(7);
  net.build(name);
  std::vector<MessageRequest> mixed;
  for (int i = 0; i < 60; ++i) mixed.push_back({Time(0), HostId(i % 5 == 4 ? 5U : 4U), Bytes(256)});
  net.send(0, mixed);
  std::vector<MessageRequest> thin;
  for (int i = 0; i < 60; ++i) thin.push_back({nanoseconds(900 * i), HostId(4), Bytes(256)});
  net.send(1, thin);
  for (MessageRequest& one : thin) one.destination = HostId(6);
  net.send(2, thin);
  // Something more to output 4, so that y cannot have all of it.
  std::vector<MessageRequest> more = thin;
  for (MessageRequest& one : more) one.destination = HostId(4);
  net.send(3, more);
  net.drain();
  std::map<std::string, std::set<int>> marks;
  for (const Delivery& row : net.journal.deliveries) {
    // After the buffers have filled, and before the end of y.
    const bool is_in_the_middle =
        row.source == HostId(0)
            ? row.sequence >= (row.destination == HostId(4) ? 8U : 2U)
            : to_nanoseconds(row.generated) > 8'000 && to_nanoseconds(row.generated) < 25'000;
    if (!is_in_the_middle) continue;
    const std::string flow = row.source == HostId(0)   ? (row.destination == HostId(4) ? "y" : "z")
                             : row.source == HostId(2) ? "w"
                                                       : "x";
    marks[flow].insert(((row.marks & kMarkA) != 0 ? 10 : 0) + ((row.marks & kMarkB) != 0 ? 1 : 0));
  }
  return marks;
}

TEST(FourFlows, InputAndOutputMarking) {
  const std::map<std::string, std::set<int>> expected = {
      {"w", {0}}, {"x", {1}}, {"y", {11}}, {"z", {10}}};
  EXPECT_EQ(four_flows("iopm"), expected);
}

TEST(FourFlows, MarkingAndValidation) {
  const std::map<std::string, std::set<int>> expected = {
      {"w", {0}}, {"x", {0}}, {"y", {11}}, {"z", {10}}};
  EXPECT_EQ(four_flows("mvpm"), expected);
}

TEST(Markers, NeverMarkAcks) {
  for (const char* name : {"ipm", "opm", "iopm", "mvpm", "rpm", "ecn-counters", "fecn"}) {
    MarkingNetwork net(4);
    net.settings.acks = fabric::AckMode::in_band;
    net.settings.ack_size = Bytes(22);
    net.build(name);
    for (const std::uint32_t host : {0U, 1U, 2U}) net.send(host, burst((host + 1) % 3, 60, 256));
    net.send(3, burst(0, 60, 256));
    net.drain();
    EXPECT_EQ(net.journal.deliveries.size(), 240U);
    EXPECT_GT(net.journal.with(kMarkA) + net.journal.with(kMarkB), 0U) << name;
    // All bits that switches set are in data packets: an ACK's would be missing there.
    EXPECT_EQ(net.journal.with(kMarkA), net.marker->marks_a().set) << name;
    EXPECT_EQ(net.journal.with(kMarkB), net.marker->marks_b().set) << name;
  }
}

TEST(Markers, SayWhatTheirBitsMean) {
  using fabric::FlowHeat;
  const MarkingNetwork net;
  for (const char* name : {"ipm", "opm", "iopm", "mvpm", "rpm", "ecn-counters", "fecn"}) {
    const auto marker = make_marker(name, *net.graph, "");
    const bool has_two = std::string(name) == "iopm" || std::string(name) == "mvpm";
    const FlowHeat one = has_two ? FlowHeat::warm : FlowHeat::hot;
    EXPECT_EQ(marker->classify(0), FlowHeat::cold) << name;
    EXPECT_EQ(marker->classify(kMarkA), one) << name;
    EXPECT_EQ(marker->classify(kMarkB), one) << name;
    EXPECT_EQ(marker->classify(kMarks), FlowHeat::hot) << name;
    EXPECT_EQ(marker->classify(fabric::packet_flag::kAck), FlowHeat::cold) << name;
  }
}

TEST(Markers, SayWhatKeepsThemFromMarking) {
  const MarkingNetwork net;
  const auto silence = [&](const char* name, const char* toml,
                           Architecture architecture = Architecture::cioq) {
    const auto marker = make_marker(name, *net.graph, toml);
    return dynamic_cast<const SwitchMarker&>(*marker).silence(architecture).value_or("");
  };
  for (const char* name : {"ipm", "opm", "iopm", "mvpm", "rpm", "ecn-counters", "fecn"}) {
    EXPECT_EQ(silence(name, ""), "") << name;
  }
  EXPECT_EQ(silence("fecn", "threshold = 0"), "threshold = 0, which means never");
  EXPECT_EQ(silence("ipm", "threshold = 1.0"),
            "threshold = 1, and no ingress buffer holds more than all of it");
  EXPECT_NE(silence("opm", "threshold = 1.0"), "");
  EXPECT_EQ(silence("opm", "threshold = 1.0", Architecture::output_queued), "");
  EXPECT_NE(silence("mvpm", "input_threshold = 1.0"), "");
  EXPECT_EQ(silence("mvpm", "output_threshold = 1.0"), "");  // warm flows are left
  EXPECT_EQ(silence("iopm", "input_threshold = 1.0"), "");
  EXPECT_NE(silence("iopm", "input_threshold = 1.0\noutput_threshold = 1.0"), "");
}

TEST(Markers, SayWhichSwitchesTheyNeed) {
  const auto told = [](const char* name, Architecture architecture) -> std::string {
    MarkingNetwork net;
    net.settings.architecture = architecture;
    try {
      net.build(name);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  for (const char* name : {"opm", "iopm", "mvpm"}) {
    for (const Architecture one : {Architecture::input_queued, Architecture::input_queued_single}) {
      const std::string message = told(name, one);
      for (const char* part : {"marking.model", "switch.architecture", "\"cioq\"", "ipm", "fecn"})
        EXPECT_NE(message.find(part), std::string::npos) << name << ": " << message;
    }
  }
  for (const char* name : {"ipm", "rpm", "iopm", "mvpm", "ecn-counters"})
    EXPECT_NE(told(name, Architecture::output_queued), "") << name;
  for (const char* name : {"opm", "fecn"})
    EXPECT_EQ(told(name, Architecture::output_queued), "") << name;
  for (const char* name : {"ipm", "rpm", "ecn-counters", "fecn"}) {
    EXPECT_EQ(told(name, Architecture::input_queued), "") << name;
    EXPECT_EQ(told(name, Architecture::input_queued_single), "") << name;
  }
}

}  // namespace
}  // namespace weir::marking::testing
