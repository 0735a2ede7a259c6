// Reads port counters as perfquery and ibqueryerrors print them (man pages perfquery(8),
// ibqueryerrors(8); infiniband-diags 44 and its real output):
//
//   # Port counters: Lid 6 port 1 (CapMask: 0x5A00)
//   PortSelect:......................1
//   PortXmitData:....................648
//   PortXmitWait:....................0
//   # Port extended counters: Lid 6 port 1 (CapMask: 0x5A00 CapMask2: 0x0000002)
//
//   Errors for 0x2c90200000001 "leaf1"
//      GUID 0x2c90200000001 port 3: [PortXmitWait == 17] [PortXmitData == 1152 (4.500KB)]
//          Link info:   6   3[  ] ==( 4X  53.125 Gbps Active/  LinkUp)==>  ...
//
//   ## Summary: 99 nodes checked, 1 bad nodes found

#include <array>

#include <fmt/format.h>

#include "weir/topology/import_ibnetdiscover.hpp"
#include "weir/topology/port_counters.hpp"

namespace weir::topology {
namespace {

constexpr std::uint64_t kHighestCounterPort = 254;
/// Stands for all ports of a node together.
constexpr std::uint64_t kAllPorts = 255;
/// PerfMgt ClassPortInfo:CapabilityMask: the device keeps PortCounters:PortXmitWait.
constexpr std::uint64_t kKeepsXmitWait = 1U << 12U;

constexpr std::array<std::string_view, 3> kSentNames{"PortXmitData", "XmtData", "XmtBytes"};
constexpr std::array<std::string_view, 2> kWaitedNames{"PortXmitWait", "XmtWait"};

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& names, std::string_view name) {
  for (const std::string_view one : names) {
    if (one == name) return true;
  }
  return false;
}

class CounterReader {
 public:
  CounterReader(std::string_view text, const std::string& file) : reader_(text), place_(file) {}

  CounterSnapshot read() {
    while (reader_.next()) read_line();
    close();
    if (ports_.empty() && nodes_ == 0) {
      throw place_.error(
          "no port counters: this is neither output of perfquery nor of "
          "ibqueryerrors");
    }
    return {place_, std::move(ports_), nodes_};
  }

 private:
  void read_line();
  void read_header(bool is_extended);
  void read_field();
  void read_summary_line();
  void read_listed_port();
  /// Ends the block of perfquery that is being read.
  void close();

  [[nodiscard]] InputError error(std::string_view message) const {
    return place_.error(reader_.number(), cursor_.column(), message);
  }
  [[nodiscard]] InputError unknown_line() const {
    return error(
        fmt::format("'{}' is no line of perfquery or ibqueryerrors", excerpt(cursor_.rest())));
  }
  [[nodiscard]] std::string_view rest() const { return cursor_.rest(); }
  bool accept(std::string_view literal) {
    cursor_.skip_blanks();
    return cursor_.accept(literal);
  }
  std::uint64_t number(std::string_view what, std::uint64_t low, std::uint64_t high) {
    cursor_.skip_blanks();
    const LineCursor start = cursor_;
    const auto value = accept("0x") ? cursor_.number(16, high) : cursor_.number(10, high);
    if (value && *value >= low) return *value;
    cursor_ = start;
    throw error(fmt::format("expected {} from {} to {}, not '{}'", what, low, high,
                            excerpt(rest().substr(0, rest().find_first_of(" \t:])")))));
  }
  std::uint16_t port() {
    if (LineCursor(rest()).number(10, kAllPorts) == kAllPorts || rest().starts_with("ALL")) {
      throw error(
          "counters of all ports of the node together, which say nothing of a link: ask "
          "for each port by itself (perfquery -l -a LID)");
    }
    return static_cast<std::uint16_t>(number("a port", 0, kHighestCounterPort));
  }
  std::uint64_t counter() { return number("a counter", 0, UINT64_MAX); }

  LineReader reader_;
  TextPlace place_;
  LineCursor cursor_{std::string_view()};
  std::vector<PortReading> ports_;
  bool is_in_block_ = false;  ///< of perfquery
  bool is_extended_ = false;
  bool keeps_wait_ = true;
  bool is_in_list_ = false;  ///< of ibqueryerrors
  bool lists_all_ports_ = false;
  std::size_t nodes_ = 0;
};

void CounterReader::read_line() {
  cursor_ = LineCursor(reader_.line());
  cursor_.skip_blanks();
  if (cursor_.at_end()) return;
  // What the programs say beside their output, of ports that do not answer: those are missing.
  if (rest().starts_with("ibwarn:") || rest().find(": iberror:") != std::string_view::npos) return;
  if (cursor_.accept("# Port counters: ")) return read_header(false);
  if (cursor_.accept("# Port extended counters: ")) return read_header(true);
  if (rest().starts_with("##")) return read_summary_line();
  if (cursor_.peek() == '#') {
    if (rest().find(": Lid ") == std::string_view::npos) return;
    throw error(
        fmt::format("'{}' begins counters that are not compared: perfquery without option, "
                    "or with -x, prints those that are",
                    excerpt(rest())));
  }
  if (rest().starts_with("Errors for ") || rest().starts_with("Data Counters for ")) {
    close();
    is_in_list_ = true;
    lists_all_ports_ = rest().front() == 'D';
    return;
  }
  if (is_in_list_ && cursor_.accept("GUID ")) return read_listed_port();
  if (is_in_list_ && rest().starts_with("Link info:")) return;
  if (is_in_block_) return read_field();
  throw unknown_line();
}

void CounterReader::close() {
  if (!is_in_block_) return;
  const PortReading& last = ports_.back();
  const CounterReading& sent = last.sent;
  if (!(is_extended_ ? sent.extended : sent.plain)) {
    throw place_.error(last.line, "the counters are cut off: they have no PortXmitData");
  }
  is_in_block_ = false;
}

/// "Lid 6 port 1 (CapMask: 0x5A00)"; old versions say no mask.
void CounterReader::read_header(bool is_extended) {
  close();
  is_in_list_ = false;
  PortReading reading;
  reading.line = reader_.number();
  if (!cursor_.accept("Lid ")) {
    throw error("counters of a port without LID: ask perfquery by LID, not by direct route");
  }
  reading.lid = static_cast<std::uint16_t>(number("a unicast LID", 1, kHighestUnicastLid));
  const std::size_t at = rest().find("port ");
  if (at == std::string_view::npos) throw error("expected 'port' and a number");
  cursor_.advance(at + std::string_view("port ").size());
  reading.port = port();
  keeps_wait_ = true;
  if (accept("(CapMask: ")) keeps_wait_ = (number("a mask", 0, 0xFFFF) & kKeepsXmitWait) != 0;
  is_extended_ = is_extended;
  is_in_block_ = true;
  ports_.push_back(reading);
}

/// "PortXmitData:....................648"
void CounterReader::read_field() {
  const std::size_t colon = rest().find(":.");
  if (colon == std::string_view::npos) throw unknown_line();
  const std::string_view name = rest().substr(0, colon);
  const bool is_sent = is_one_of(kSentNames, name);
  const bool is_waited = is_one_of(kWaitedNames, name);
  if (!is_sent && !is_waited) return;
  cursor_.advance(colon + 1);
  while (cursor_.accept(".")) {
  }
  const std::uint64_t value = counter();
  if (!cursor_.at_end()) throw error(fmt::format("'{}' is left over", excerpt(rest())));
  // perfquery prints 0 for a device that does not keep it.
  if (is_waited && !keeps_wait_) return;
  CounterReading& reading = is_sent ? ports_.back().sent : ports_.back().waited;
  std::optional<std::uint64_t>& kept = is_extended_ ? reading.extended : reading.plain;
  if (kept) throw error(fmt::format("a second {} of one port", name));
  kept = value;
}

/// "## Summary: 99 nodes checked, ..", "## Thresholds: ..", "## Suppressed: ..": whether ports that
/// are not listed did not wait.
void CounterReader::read_summary_line() {
  close();
  is_in_list_ = false;
  if (accept("## Summary:")) {
    if (!lists_all_ports_) nodes_ = number("a number of nodes", 0, UINT32_MAX);
    lists_all_ports_ = false;
    return;
  }
  if (rest().find("XmitWait") != std::string_view::npos ||
      rest().find("query failures") != std::string_view::npos) {
    nodes_ = 0;
  }
}

/// "0x100066 port 1: [PortXmitData == 1152 (4.500KB)] [..]"
void CounterReader::read_listed_port() {
  PortReading reading;
  reading.line = reader_.number();
  reading.guid = number("a GUID", 1, UINT64_MAX);
  if (!accept("port ")) throw error("expected 'port' and a number");
  // The sum of a node's ports stands before the ports themselves.
  if (rest().starts_with("ALL:")) return;
  reading.port = port();
  if (!accept(":")) throw error("expected ':' and counters in brackets");
  for (cursor_.skip_blanks(); !cursor_.at_end(); cursor_.skip_blanks()) {
    if (!accept("[")) throw error("expected '[' and a counter");
    const std::string_view name = cursor_.word();
    if (!accept("==")) throw error("expected '==' and a counter");
    const std::uint64_t value = counter();
    cursor_.skip_blanks();
    const bool is_long = cursor_.peek() == '(';
    const std::size_t end = rest().find(']');
    if (end == std::string_view::npos) throw error("the line is cut off: expected ']'");
    cursor_.advance(end + 1);
    CounterReading* kept = is_one_of(kSentNames, name)     ? &reading.sent
                           : is_one_of(kWaitedNames, name) ? &reading.waited
                                                           : nullptr;
    if (kept != nullptr) (is_long ? kept->extended : kept->plain) = value;
  }
  ports_.push_back(reading);
}

}  // namespace

CounterSnapshot parse_port_counters(std::string_view text, const std::string& file) {
  return CounterReader(text, file).read();
}

}  // namespace weir::topology
