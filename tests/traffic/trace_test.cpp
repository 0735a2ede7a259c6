#include "weir/traffic/trace.hpp"

#include <sstream>

#include "tests/traffic/helpers.hpp"

namespace weir::traffic {
namespace {

using testing::HasSubstr;
using testing::StrEq;

const std::string kHeader = "time[ns] source destination bytes\n";

Trace read(const std::string& text, double compression = 1) {
  std::istringstream in(text);
  return read_trace(in, "app.trace", {8, compression});
}

std::string refused(const std::string& text) {
  return error_of([&] { (void)read(text); });
}

TEST(Trace, IsReadByHostInTheOrderOfTime) {
  const Trace trace = read("# a comment\n" + kHeader +
                           "\n"
                           "10 3 1 64\n"
                           "2.5,3 , 2,4096  # out of order\n"
                           "0\t0\t7\t1\r\n"
                           "10 3 5 65\n");
  EXPECT_EQ(trace.message_count(), 4U);
  EXPECT_THAT(trace.sources(), testing::ElementsAre(HostId(0), HostId(3)));
  const auto messages = trace.messages(HostId(3));
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_EQ(messages[0].time, 2500);
  EXPECT_EQ(messages[0].destination, 2U);
  EXPECT_EQ(messages[0].bytes, 4096U);
  EXPECT_EQ(messages[1].bytes, 64U);  // same time: order of the file
  EXPECT_EQ(messages[2].bytes, 65U);
  EXPECT_TRUE(trace.messages(HostId(1)).empty());
}

TEST(Trace, KnowsItsUnits) {
  const auto time = [](const std::string& unit, const std::string& text) {
    return read("time[" + unit + "] source destination bytes\n" + text + " 0 1 1\n")
        .messages(HostId(0))[0]
        .time;
  };
  EXPECT_EQ(time("ps", "7"), 7);
  EXPECT_EQ(time("ns", "7"), 7'000);
  EXPECT_EQ(time("us", "7.000001"), 7'000'001);
  EXPECT_EQ(time("ms", "7"), 7'000'000'000);
  EXPECT_EQ(time("s", "0.5"), 500'000'000'000);
  EXPECT_EQ(read("\xEF\xBB\xBF" + kHeader + "1 0 1 1\n").message_count(), 1U);
  EXPECT_EQ(read("time[ns],source,destination,bytes\n1,0,1,1\n").message_count(), 1U);
  EXPECT_EQ(read("time_us,src,dst,bytes\n1,0,2,9\n", 20).messages(HostId(0))[0].time, 50'000);
}

TEST(Trace, CompressionDividesTimes) {
  const Trace trace = read(kHeader + "1000 0 1 1\n30 0 1 1\n", 20);
  EXPECT_EQ(trace.messages(HostId(0))[0].time, 1'500);
  EXPECT_EQ(trace.messages(HostId(0))[1].time, 50'000);
}

TEST(Trace, EveryDefectIsNamedWithItsPlace) {
  EXPECT_THAT(refused(""), HasSubstr("app.trace: is empty; the first line must be 'time[UNIT]"));
  EXPECT_THAT(refused("# nothing\n"), HasSubstr("app.trace: is empty"));
  EXPECT_THAT(refused(kHeader), StrEq("app.trace: has a header but no message"));
  EXPECT_THAT(refused("0 1 2 3\n"), HasSubstr("app.trace:1:3: source: '1' is not what a trace"));
  EXPECT_THAT(refused("time source destination bytes\n"), HasSubstr(":1:1: time: 'time' is not"));
  EXPECT_THAT(refused("time[h] source destination bytes\n"), HasSubstr("UNIT one of ps, ns, us"));
  EXPECT_THAT(refused("time[ns] source destination\n"), HasSubstr(":1:28: bytes: is missing"));

  EXPECT_THAT(refused(kHeader + "1 2\n"),
              StrEq("app.trace:2:4: destination: is missing: a line has 4 values (time source "
                    "destination bytes), this one has 2"));
  EXPECT_THAT(refused(kHeader + "1 2 3 4 5\n"),
              HasSubstr("app.trace:2:9: '5' is one value too many"));
  EXPECT_THAT(refused(kHeader + "1,,3,4\n"), StrEq("app.trace:2:3: a value is missing here"));
  EXPECT_THAT(refused(kHeader + "1,2,3,\n"), StrEq("app.trace:2:7: a value is missing here"));
  EXPECT_THAT(refused(kHeader + ",2,3,4\n"), StrEq("app.trace:2:1: a value is missing here"));

  EXPECT_THAT(refused(kHeader + "soon 2 3 4\n"),
              StrEq("app.trace:2:1: time: must be a number from 0, not 'soon'"));
  EXPECT_THAT(refused(kHeader + "-1 2 3 4\n"), StrEq("app.trace:2:1: time: '-1' is negative"));
  EXPECT_THAT(refused(kHeader + "1e3 2 3 4\n"), HasSubstr(":2:1: time: must be a number"));
  EXPECT_THAT(refused(kHeader + "1.2.3 2 3 4\n"), HasSubstr(":2:1: time: "));
  EXPECT_THAT(refused(kHeader + "0.0001 2 3 4\n"), HasSubstr(":2:1: time: "));
  EXPECT_THAT(refused(kHeader + "9999999999999999 2 3 4\n"), HasSubstr(":2:1: time: "));

  EXPECT_THAT(refused(kHeader + "1 8 3 4\n"),
              StrEq("app.trace:2:3: source: there is no host 8: hosts are 0 to 7"));
  EXPECT_THAT(refused(kHeader + "1 2 99999999999999999999 4\n"),
              HasSubstr("destination: '99999999999999999999' is too large"));
  EXPECT_THAT(refused(kHeader + "1 -2 3 4\n"),
              StrEq("app.trace:2:3: source: must be a whole number from 0, not '-2'"));
  EXPECT_THAT(refused(kHeader + "1 3 3 4\n"),
              StrEq("app.trace:2:5: destination: host 3 sends to itself"));
  EXPECT_THAT(refused(kHeader + "1 2 3 0\n"), StrEq("app.trace:2:7: bytes: must be at least 1"));
  EXPECT_THAT(refused(kHeader + "1 2 3 4294967296\n"), HasSubstr("less than 4 GiB"));
  EXPECT_THAT(refused(kHeader + "1 2 3 4.5\n"), HasSubstr("bytes: must be a whole number"));

  EXPECT_THAT(refused(kHeader + "1 2 3 4\n2 3 4 10"),
              StrEq("app.trace:3: the file ends inside this line (no newline): is it truncated?"));
  EXPECT_THAT(refused(kHeader + std::string(5000, '1') + "\n"),
              StrEq("app.trace:2: is longer than 4095 characters"));
  EXPECT_THAT(refused(kHeader + std::string("1 2 3 \0\x01", 8) + "\n"), HasSubstr("not '?"
                                                                                  "?'"));
  std::istringstream in(kHeader + "9000000000000000 0 1 1\n");
  EXPECT_THAT(error_of([&] {
                (void)read_trace(in, "t", {8, 1e-6});
              }),
              HasSubstr("t:2:1: time: is too large after compression"));
}

std::string trace_entry(const std::string& path, const std::string& more = "") {
  return "[[traffic]]\nname = \"t\"\ntrace = { file = \"" + path + "\", compression = 2 }\n" + more;
}

TEST(TraceTraffic, SendsWhatTheFileSays) {
  const TemporaryFile file(kHeader + "10 1 2 100\n30 1 3 200\n20 4 5 300\n");
  const topology::Graph graph = star(8);
  Traffic traffic = traffic_of(trace_entry(file.path(), "start = \"1 us\"\nservice_level = 2\n") +
                                   entry("sources = \"rest\"", "others"),
                               graph);
  ASSERT_EQ(traffic.sources.size(), 8U);
  EXPECT_EQ(traffic.classes[1].sources.size(), 6U);
  EXPECT_EQ(traffic.sources[0].source->service_level, 2);
  const auto messages = take_all(*traffic.sources[0].source);
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0].at, nanoseconds(1005));
  EXPECT_EQ(messages[1].at, nanoseconds(1015));
  EXPECT_EQ(messages[1].destination, HostId(3));
  EXPECT_EQ(messages[1].size, Bytes(200));
  EXPECT_EQ(messages[1].tag, 1U);
}

TEST(TraceTraffic, StopsAndCountsAndStartsWhenItIsReleased) {
  const TemporaryFile file(kHeader + "0 0 1 1\n20 0 1 2\n40 0 1 3\n60 0 1 4\n");
  const topology::Graph graph = star(4);
  Traffic stopped = traffic_of(trace_entry(file.path(), "stop = \"20 ns\"\n"), graph);
  EXPECT_EQ(take_all(*stopped.sources[0].source).size(), 2U);
  Traffic counted = traffic_of(trace_entry(file.path(), "messages = 3\n"), graph);
  EXPECT_EQ(take_all(*counted.sources[0].source).size(), 3U);
  Traffic late = traffic_of(trace_entry(file.path(), "start_after_packets = 9\n"), graph);
  EXPECT_EQ(late.sources[0].start_after_packets, 9U);
  const auto messages = take(*late.sources[0].source, 9, microseconds(5));
  ASSERT_EQ(messages.size(), 4U);
  EXPECT_EQ(messages[3].at, nanoseconds(5030));
}

TEST(TraceTraffic, RefusesWhatCannotBe) {
  EXPECT_THAT(traffic_error(trace_entry("/nowhere/app.trace")),
              HasSubstr("traffic[0].trace.file: cannot read '/nowhere/app.trace': No such file"));
  EXPECT_THAT(traffic_error(trace_entry("/")), HasSubstr("cannot read '/': it is a folder"));
  EXPECT_THAT(traffic_error(trace_entry("x", "sources = \"all\"\n")),
              HasSubstr("traffic[0].sources: cannot stand beside 'trace'"));
  EXPECT_THAT(
      traffic_error("[[traffic]]\nname = \"t\"\ntrace = { file = \"x\", compression = 0 }\n"),
      HasSubstr("traffic[0].trace.compression: must be between"));
}

}  // namespace
}  // namespace weir::traffic
