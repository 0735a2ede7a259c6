#include "weir/traffic/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "weir/base/state_archive.hpp"
#include "weir/traffic/column_reader.hpp"

namespace weir::traffic {
namespace {

struct TimeUnit {
  std::string_view name;
  std::int64_t picoseconds;
};
constexpr std::array<TimeUnit, 5> kUnits{
    {{"ps", 1}, {"ns", 1'000}, {"us", 1'000'000}, {"ms", 1'000'000'000}, {"s", 1'000'000'000'000}}};

constexpr std::size_t kTime = 0;
constexpr std::size_t kSource = 1;
constexpr std::size_t kDestination = 2;
constexpr std::size_t kBytes = 3;
/// The header may spell the columns so, with the unit behind: time_ns,src,dst,bytes.
constexpr std::array<std::string_view, 4> kShortNames{"time", "src", "dst", "bytes"};

/// Collects the lines of a trace.
class TraceReader {
 public:
  TraceReader(std::istream& in, const std::string& file, const TraceOptions& options)
      : lines_(in, file), options_(options) {}

  Trace read() {
    read_header();
    while (lines_.next()) read_message();
    if (sources_.empty()) throw lines_.file_error("has a header but no message");
    return {options_.hosts, sources_, records_};
  }

 private:
  void read_header() {
    if (!lines_.next()) throw lines_.file_error(fmt::format("is empty; {}", kHeaderHelp));
    lines_.expect(columns_);
    for (std::size_t i = kSource; i <= kBytes; ++i) {
      const std::string_view name = lines_.field(i).text;
      if (name != columns_[i] && name != kShortNames[i]) throw header_error(i);
    }
    const std::string_view time = lines_.field(kTime).text;
    for (const TimeUnit& unit : kUnits) {
      const bool is_it = time == fmt::format("time[{}]", unit.name) ||
                         time == fmt::format("{}_{}", kShortNames[kTime], unit.name);
      if (is_it) unit_ = unit;
    }
    if (unit_.picoseconds == 0) throw header_error(kTime);
  }

  [[nodiscard]] InputError header_error(std::size_t i) const {
    return lines_.error(i, columns_[i],
                        fmt::format("{} is not what a trace begins with; {}",
                                    quoted(lines_.field(i).text), kHeaderHelp));
  }

  void read_message() {
    lines_.expect(columns_);
    const std::int64_t time = compressed(read_time());
    const HostId source = lines_.host(kSource, "source", options_.hosts);
    const HostId destination = lines_.host(kDestination, "destination", options_.hosts);
    if (source == destination) {
      throw lines_.error(kDestination, "destination",
                         fmt::format("host {} sends to itself", source.value));
    }
    const std::uint64_t bytes = lines_.whole_number(kBytes, "bytes");
    if (bytes == 0) throw lines_.error(kBytes, "bytes", "must be at least 1");
    if (bytes > std::numeric_limits<std::uint32_t>::max()) {
      throw lines_.error(kBytes, "bytes", "is too large: a message has less than 4 GiB");
    }
    sources_.push_back(source.value);
    records_.push_back({time, destination.value, static_cast<std::uint32_t>(bytes)});
  }

  /// ps, before compression.
  [[nodiscard]] std::int64_t read_time() const {
    const std::string_view text = lines_.field(kTime).text;
    if (text.front() == '-') throw lines_.error(kTime, "time", quoted(text) + " is negative");
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = failure == std::errc() && end == text.data() + text.size();
    if (is_whole && number <= Time::max().count / unit_.picoseconds) {
      return number * unit_.picoseconds;
    }
    // Anything but a plain integer goes the exact way that the units of experiment files go.
    if (text.find_first_not_of("0123456789.") != std::string_view::npos) {
      throw lines_.error(kTime, "time", "must be a number from 0, not " + quoted(text));
    }
    try {
      return parse_time(fmt::format("{} {}", text, unit_.name)).count;
    } catch (const std::invalid_argument& problem) {
      throw lines_.error(kTime, "time", problem.what());
    }
  }

  [[nodiscard]] std::int64_t compressed(std::int64_t time) const {
    if (options_.compression == 1.0) return time;
    const double result = static_cast<double>(time) / options_.compression;
    if (result >= static_cast<double>(Time::max().count)) {
      throw lines_.error(kTime, "time", "is too large after compression");
    }
    return std::llround(result);
  }

  static constexpr std::string_view kHeaderHelp =
      "the first line must be 'time[UNIT] source destination bytes' with UNIT one of ps, ns, us, "
      "ms, s (or 'time_UNIT src dst bytes')";

  const std::vector<std::string> columns_{"time", "source", "destination", "bytes"};
  ColumnReader lines_;
  TraceOptions options_;
  TimeUnit unit_{"", 0};
  std::vector<std::uint32_t> sources_;
  std::vector<Trace::Record> records_;
};

}  // namespace

Trace read_trace(std::istream& in, const std::string& file, const TraceOptions& options) {
  return TraceReader(in, file, options).read();
}

/// Counting sort by source, which keeps the order given, then by time where needed.
Trace::Trace(std::size_t hosts, const std::vector<std::uint32_t>& sources,
             const std::vector<Record>& records)
    : records_(records.size()), first_(hosts + 1, 0) {
  for (const std::uint32_t source : sources) ++first_[source + 1];
  for (std::size_t h = 0; h < hosts; ++h) first_[h + 1] += first_[h];
  std::vector<std::size_t> place(first_.begin(), first_.end() - 1);
  for (std::size_t i = 0; i < records.size(); ++i) records_[place[sources[i]]++] = records[i];
  const auto earlier = [](const Record& a, const Record& b) { return a.time < b.time; };
  for (std::size_t h = 0; h < hosts; ++h) {
    const auto begin = records_.begin() + static_cast<std::ptrdiff_t>(first_[h]);
    const auto end = records_.begin() + static_cast<std::ptrdiff_t>(first_[h + 1]);
    if (!std::is_sorted(begin, end, earlier)) std::stable_sort(begin, end, earlier);
  }
}

std::vector<HostId> Trace::sources() const {
  std::vector<HostId> hosts;
  for (std::size_t h = 0; h + 1 < first_.size(); ++h) {
    if (first_[h + 1] > first_[h]) hosts.emplace_back(h);
  }
  return hosts;
}

TraceSource::TraceSource(std::shared_ptr<const Trace> trace, HostId host, Time start, Time stop,
                         std::uint64_t limit)
    : trace_(std::move(trace)), messages_(trace_->messages(host)), origin_(start), stop_(stop) {
  if (limit < messages_.size()) messages_ = messages_.first(limit);
}

std::optional<fabric::MessageRequest> TraceSource::next(Time now) {
  if (!is_started_) {
    origin_ = std::max(origin_, now);
    is_started_ = true;
  }
  if (sent_ == messages_.size()) return std::nullopt;
  const Trace::Record& record = messages_[sent_];
  // The end of time is as good as never.
  if (record.time >= (stop_ - origin_).count) return std::nullopt;
  const Time at = origin_ + Time(record.time);
  return fabric::MessageRequest{std::max(at, now), HostId(record.destination), Bytes(record.bytes),
                                static_cast<std::uint32_t>(sent_++)};
}

void TraceSource::checkpoint(StateArchive& state) { state(origin_, is_started_, sent_); }

}  // namespace weir::traffic
