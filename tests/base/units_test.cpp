#include "weir/base/units.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <stdexcept>
#include <string>

namespace weir {
namespace {

template <class Parse>
std::string message_of(Parse parse, const std::string& text) {
  try {
    const auto value = parse(text);
    return "parsed as " + to_string(value);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(ParseTime, IsExactInDecimal) {
  EXPECT_EQ(parse_time("327.68 ns"), picoseconds(327'680));
  EXPECT_EQ(parse_time("0.001 ns"), picoseconds(1));
  EXPECT_EQ(parse_time("0.1 s"), milliseconds(100));
  EXPECT_EQ(parse_time("1.000000000001 s"), picoseconds(1'000'000'000'001));
  EXPECT_EQ(parse_time("7 ps"), picoseconds(7));
  EXPECT_EQ(parse_time("1.5 ms"), microseconds(1500));
}

TEST(ParseTime, TakesBlanksSignsAndZerosAsTheyCome) {
  EXPECT_EQ(parse_time("30ns"), nanoseconds(30));
  EXPECT_EQ(parse_time("  30   ns "), nanoseconds(30));
  EXPECT_EQ(parse_time("+30 ns"), nanoseconds(30));
  EXPECT_EQ(parse_time("-30 ns"), nanoseconds(-30));
  EXPECT_EQ(parse_time("000030.00000000000000000000000000000000000000000 ns"), nanoseconds(30));
}

TEST(ParseTime, KnowsBothSpellingsOfMicro) {
  EXPECT_EQ(parse_time("3 us"), microseconds(3));
  EXPECT_EQ(parse_time("3 \xC2\xB5s"), microseconds(3));
  EXPECT_EQ(parse_time("3 \xCE\xBCs"), microseconds(3));
}

TEST(ParseTime, ReachesTheLimitsAndStopsThere) {
  EXPECT_EQ(parse_time("9223372.036854775807 s"), Time::max());
  EXPECT_EQ(parse_time("-9223372036854775808 ps").count, INT64_MIN);
  for (const char* text : {"9223372.036854775808 s", "9223372036854775808 ps",
                           "-9223372036854775809 ps", "99999999999999999999999999999999999 s"}) {
    EXPECT_EQ(message_of(parse_time, text),
              "'" + std::string(text) + "' is out of range (at most about 106 days)");
  }
}

TEST(ParseTime, RefusesWhatItWouldHaveToRound) {
  EXPECT_EQ(message_of(parse_time, "0.5 ps"), "'0.5 ps' is finer than 1 ps");
  EXPECT_EQ(message_of(parse_time, "1.0001 ns"), "'1.0001 ns' is finer than 1 ps");
  EXPECT_EQ(message_of(parse_bytes, "1.5 B"), "'1.5 B' is finer than 1 B");
  EXPECT_EQ(message_of(parse_bytes, "0.1 KiB"), "'0.1 KiB' is finer than 1 B");
}

TEST(ParseTime, SaysWhichUnitsFit) {
  EXPECT_EQ(message_of(parse_time, "30"), "'30' needs a unit, as in '30 ns'");
  EXPECT_EQ(message_of(parse_time, "30 nsec"),
            "unknown unit 'nsec' in '30 nsec' (units that fit: ps, ns, us, ms, s)");
  EXPECT_EQ(message_of(parse_time, "4 KiB"),
            "'4 KiB' is an amount of data, not a time (units that fit: ps, ns, us, ms, s)");
  EXPECT_EQ(message_of(parse_bytes, "30 ns"),
            "'30 ns' is a time, not an amount of data (units that fit: B, KB, KiB, MB, MiB, GB, "
            "GiB)");
  EXPECT_EQ(message_of(parse_rate, "4 KB"),
            "'4 KB' is an amount of data, not a data rate (units that fit: bps, Kbps, Mbps, Gbps, "
            "Tbps, B/s, KB/s, MB/s, GB/s, B/ns)");
}

TEST(ParseTime, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "ns", "fast", ".5 ns", "5. ns", "- 5 ns", "--5 ns", "inf ns"}) {
    EXPECT_EQ(
        message_of(parse_time, text),
        "'" + std::string(text) + "' is not a time: it needs a number and a unit, as in '30 ns'");
  }
  EXPECT_EQ(message_of(parse_time, "1e3 ns"),
            "unknown unit 'e3 ns' in '1e3 ns' (units that fit: ps, ns, us, ms, s)");
}

TEST(ParseBytes, KnowsDecimalAndBinaryUnits) {
  EXPECT_EQ(parse_bytes("4096 B"), Bytes(4096));
  EXPECT_EQ(parse_bytes("4 KB"), Bytes(4000));
  EXPECT_EQ(parse_bytes("4 KiB"), Bytes(4096));
  EXPECT_EQ(parse_bytes("1.5 MiB"), Bytes(1'572'864));
  EXPECT_EQ(parse_bytes("2 MB"), Bytes(2'000'000));
  EXPECT_EQ(parse_bytes("3 GB"), Bytes(3'000'000'000));
  EXPECT_EQ(parse_bytes("1 GiB"), Bytes(1'073'741'824));
  // 1 B in GiB has thirty decimals.
  EXPECT_EQ(parse_bytes("0.000000000931322574615478515625 GiB"), Bytes(1));
}

TEST(ParseRate, KnowsBitsAndBytesPerSecond) {
  EXPECT_EQ(parse_rate("100 Gbps"), gigabits_per_second(100));
  EXPECT_EQ(parse_rate("2.5 Tbps"), gigabits_per_second(2500));
  EXPECT_EQ(parse_rate("12.5 GB/s"), gigabits_per_second(100));
  EXPECT_EQ(parse_rate("1 B/ns"), gigabits_per_second(8));
  EXPECT_EQ(parse_rate("0.125 B/s"), Rate(1));
  EXPECT_EQ(parse_rate("3 Kbps"), Rate(3000));
  EXPECT_EQ(parse_rate("5 MB/s"), Rate(40'000'000));
}

TEST(ToString, TakesTheUnitWithTheShortestNumber) {
  EXPECT_EQ(to_string(nanoseconds(30)), "30 ns");
  EXPECT_EQ(to_string(picoseconds(327'680)), "327.68 ns");
  EXPECT_EQ(to_string(nanoseconds(500)), "500 ns");
  EXPECT_EQ(to_string(microseconds(1500)), "1.5 ms");
  EXPECT_EQ(to_string(nanoseconds(-30)), "-30 ns");
  EXPECT_EQ(to_string(Time(0)), "0 ps");
  EXPECT_EQ(to_string(Bytes(4096)), "4 KiB");
  EXPECT_EQ(to_string(Bytes(4000)), "4 KB");
  EXPECT_EQ(to_string(Bytes(352'256)), "344 KiB");
  EXPECT_EQ(to_string(Bytes(256)), "256 B");
  EXPECT_EQ(to_string(gigabits_per_second(100)), "100 Gbps");
  EXPECT_EQ(to_string(Rate(2'500'000'000)), "2.5 Gbps");
}

RC_GTEST_PROP(ToString, ParsesBackToTheSameTime, (std::int64_t count)) {
  RC_ASSERT(parse_time(to_string(Time(count))) == Time(count));
}

RC_GTEST_PROP(ToString, ParsesBackToTheSameBytes, (std::int64_t count)) {
  RC_ASSERT(parse_bytes(to_string(Bytes(count))) == Bytes(count));
}

RC_GTEST_PROP(ToString, ParsesBackToTheSameRate, (std::int64_t count)) {
  RC_ASSERT(parse_rate(to_string(Rate(count))) == Rate(count));
}

RC_GTEST_PROP(ToString, ParsesBackAtTheEndsOfTheRange, ()) {
  const auto offset = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
  for (const std::int64_t count : {INT64_MAX - offset, INT64_MIN + offset}) {
    RC_ASSERT(parse_time(to_string(Time(count))) == Time(count));
    RC_ASSERT(parse_bytes(to_string(Bytes(count))) == Bytes(count));
  }
}

RC_GTEST_PROP(ParseTime, NeverCrashesOnAnyText, (const std::string& text)) {
  try {
    const Time parsed = parse_time(text);
    RC_ASSERT(parse_time(to_string(parsed)) == parsed);
  } catch (const std::invalid_argument&) {
    RC_SUCCEED("refused");
  }
}

TEST(SerializationTime, RoundsToTheNearestPicosecond) {
  EXPECT_EQ(serialization_time(Bytes(4096), gigabits_per_second(100)), picoseconds(327'680));
  EXPECT_EQ(serialization_time(Bytes(1), Rate(3'000'000'000'000)), picoseconds(3));   // 2.67 ps
  EXPECT_EQ(serialization_time(Bytes(1), Rate(16'000'000'000'000)), picoseconds(1));  // 0.5 ps
  EXPECT_EQ(serialization_time(parse_bytes("1 GiB"), Rate(8'000)), parse_time("1073741.824 s"));
}

}  // namespace
}  // namespace weir
