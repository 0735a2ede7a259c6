#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weir/base/ids.hpp"
#include "weir/fabric/hooks/hooks.hpp"

namespace weir::traffic {

/// Recorded messages of a network, by source and time. 16 bytes a message.
///
/// The file: a first line that names the columns and the unit of time (ps, ns, us, ms or s), then
/// one message a line in any order; '#' begins a comment; commas may stand between the values.
///
///     time[ns] source destination bytes
///     0        3      17          4096
///     12.5     3      18          64
///
/// `time_ns,src,dst,bytes` is read as well.
///
/// Hosts are numbers from 0, times count from the start of the traffic. A source may send to any
/// other host, 1 byte to 4 GiB - 1 at a time.
class Trace {
 public:
  struct Record {
    std::int64_t time = 0;  ///< ps, after compression
    std::uint32_t destination = 0;
    std::uint32_t bytes = 0;
  };

  /// Record i is a message of host sources[i]; in any order.
  Trace(std::size_t hosts, const std::vector<std::uint32_t>& sources,
        const std::vector<Record>& records);

  [[nodiscard]] std::size_t message_count() const { return records_.size(); }
  /// Messages of one host: ascending times, and those of one time in the order they were given in.
  [[nodiscard]] std::span<const Record> messages(HostId source) const {
    const std::size_t begin = first_[source.index()];
    return std::span(records_).subspan(begin, first_[source.index() + 1] - begin);
  }
  /// Hosts that send anything, ascending.
  [[nodiscard]] std::vector<HostId> sources() const;

 private:
  std::vector<Record> records_;
  std::vector<std::size_t> first_;  ///< per host, plus an end mark
};

/// What a trace is read for.
struct TraceOptions {
  std::size_t hosts = 0;   ///< of the network, at least 1
  double compression = 1;  ///< times are divided by this: 20 makes a trace 20 times as dense
};

/// Reads a trace. `file` is its name in messages. Throws InputError with file, line and column.
Trace read_trace(std::istream& in, const std::string& file, const TraceOptions& options);

/// Sends the messages of one host of a trace, shifted to `start` (or to the first time asked for,
/// if that is later), up to `stop`, at most `limit` of them.
class TraceSource final : public fabric::MessageSource {
 public:
  TraceSource(std::shared_ptr<const Trace> trace, HostId host, Time start, Time stop,
              std::uint64_t limit);
  std::optional<fabric::MessageRequest> next(Time now) override;
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(StateArchive& state) override;

 private:
  std::shared_ptr<const Trace> trace_;
  std::span<const Trace::Record> messages_;
  Time origin_;
  Time stop_;
  bool is_started_ = false;
  std::size_t sent_ = 0;
};

}  // namespace weir::traffic
