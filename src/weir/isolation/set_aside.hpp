#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weir/base/huge_pages.hpp"
#include "weir/base/keys.hpp"
#include "weir/base/prefetch.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/hooks/isolation.hpp"
#include "weir/fabric/hooks/views.hpp"
#include "weir/isolation/input_flags.hpp"
#include "weir/isolation/set_aside_counters.hpp"

namespace weir {
class StateArchive;
}

namespace weir::isolation {

using fabric::Side;

/// What neighbours call a line: a path (RECN) or a number (FBICM). The default is "the normal queue
/// of an output", the root of a tree.
struct LineName {
  std::uint64_t value = 0;
  std::uint8_t bits = 0;  ///< of a path

  bool operator==(const LineName&) const = default;
};

/// No line downstream is called so.
inline constexpr LineName kCutOff{0, 0x7f};

/// A port of a switch by its number there, and a class: at an input that which packets are in, at
/// an output that which is behind it.
struct LocalPort {
  std::uint16_t number = 0;
  std::uint16_t buffer = 0;

  bool operator==(const LocalPort&) const = default;
};

/// A queue must not be served before another one of its side has let so many packets go.
struct Barrier {
  std::uint32_t queue = 0;
  std::uint32_t until = 0;  ///< packets removed from it since the start, modulo 2^32
};

/// A look-up line with its set-aside queue (lippens2010, sections 4.1.2 and 4.3).
struct Line {
  LineName name;    ///< what the neighbour upstream calls it
  LineName parent;  ///< the line downstream that it was made for; default: a normal queue;
                    ///< kCutOff: the link to it has failed
  std::int64_t allocated_at = 0;
  /// Ingress: no request upstream before. Egress without queues: kept until then.
  std::int64_t retry_up_at = 0;
  std::int64_t timer_at = fabric::kNever;  ///< try_free() is due then
  PortId root;
  LocalPort output;         ///< ingress: where its packets go
  std::uint16_t queue = 0;  ///< number at its side
  std::uint16_t hops = 0;   ///< links to the switch of the root
  bool is_valid = false;
  bool is_leaf = true;              ///< nobody upstream holds a line for it
  bool is_owed = false;             ///< the line downstream waits for its token
  bool is_root = false;             ///< made by detection at its own side
  bool notified_up = false;         ///< ingress: the neighbour upstream was asked to hold a line
  bool xoff_sent = false;           ///< ingress
  bool xoff_received = false;       ///< egress
  bool stops_inside = false;        ///< egress: its lines at the inputs are stopped
  bool stopped_inside = false;      ///< ingress: by the line at the output
  bool owes_inside = false;         ///< egress: not stopped again before a packet of them has come
  std::uint32_t passed_inside = 0;  ///< egress: packets that came past the stopped lines
  InputFlags notified_in;           ///< egress: inputs that were asked to hold a line
  std::vector<Barrier> barriers;
  /// Not released before that queue has let so many go; without queues, so many have crossed.
  std::optional<Barrier> needed_for;

  void checkpoint(StateArchive& state);
};

/// Settings that RECN and FBICM have in common.
struct SetAsideSettings {
  std::uint32_t lines = 8;           ///< a side, for each class
  bool has_detection_queues = true;  ///< a normal queue for each output at ingress, else one
  bool has_egress_queues = true;     ///< else switches queue at ingress only
  Bytes detect{4'096};  ///< normal egress queue; without: what waits for the output at ingress
  Bytes detect_ingress{4'096};
  Bytes propagate{1'024};  ///< set-aside queue that asks upstream
  Bytes xoff{1'792};
  Bytes xon{896};
  Time retry = microseconds(2);
  Time min_lifetime{0};
  Bytes control_size{8};
  Bytes injection_buffer{2'048};  ///< normal queue of a host's injection buffer
  std::uint32_t drain_boost = 0;  ///< leaves with at most so many packets are served first
  std::string note;  ///< what was chosen because the usual does not fit the memory; empty: nothing
};

/// Keys of these settings, in the order in which they are shown. `lines`: name of the first.
Keys<SetAsideSettings> set_aside_keys(std::string_view lines, SetAsideSettings defaults);
/// Fills in what the file left open by the rules of lippens2010, section 4.1.1. Throws InputError,
/// which names the keys, when thresholds overlap or the memory cannot hold the queues.
SetAsideSettings set_aside_settings(const Checked<SetAsideSettings>& file,
                                    const fabric::IsolationContext& context);

/// What RECN and FBICM have in common: lines and their queues, order, tokens, Xon/Xoff, retries,
/// release from the leaves to the root, checks and numbers. What differs is how congested packets
/// are known, and what notifications say.
///
/// Classes: congestion is that of a link in one class, and a line is for packets of one class, in
/// the memory of that class. Messages over links are for the same class at the other end; inside a
/// switch, where a packet may change its lane, they say which classes they are from and for.
///
/// Tokens: who asks a neighbour for a line sets a flag. The neighbour gives the flag back when it
/// releases the line, or at once when it has none. A line that has no flags out is a leaf; an empty
/// leaf is released.
///
/// Links that fail: both ends forget what they owe each other over the link, as if all tokens had
/// come back, and messages that are on it are lost. Lines of the sender that were made for one at
/// the far end stay while packets need them, and may be joined again once the link is back.
///
/// Switches that queue at ingress only: lines at their egress sides have no queues. They pass on to
/// the inputs what the far end of the link asks, as packets for it cross, and its stop and go.
class SetAside : public fabric::Isolation {
 public:
  explicit SetAside(const SetAsideSettings& settings) : settings_(settings) {}

  [[nodiscard]] fabric::SideResources resources(bool is_egress,
                                                std::uint32_t degree) const override;
  void attach(const fabric::FabricView& fabric) override;
  void meet(std::span<fabric::Mechanism* const> instances) override;
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool bears_failures_in_parts() const override { return false; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  /// Of a mechanism with state of its own: calls these first.
  void checkpoint(fabric::NodeState& state) override;
  void checkpoint_totals(fabric::TotalState& state) override;
  void prefetch_side(Side side) const override { weir::prefetch(&sides_[at(side)]); }
  void prefetch_lines(Side side, std::uint32_t destination) const override {
    (void)destination;
    if (valid(side) == 0) return;
    const Line& first = line(side, static_cast<std::uint32_t>(std::countr_zero(valid(side))));
    weir::prefetch(&first);
    weir::prefetch(&first.barriers);
  }
  void on_removed(Side side, std::uint32_t queue, std::uint32_t packet) override;
  [[nodiscard]] fabric::InjectionChanges& injection_changes(std::uint32_t port) override {
    return changes_[port];
  }
  [[nodiscard]] bool admits_nothing(std::uint32_t port) const override;
  void on_control(PortId port, const fabric::ControlMessage& message) override;
  void prefetch_message(std::uint32_t port, const fabric::ControlMessage& message) const override;
  void on_link(PortId port, bool is_up) override;
  void check(bool is_idle) const override;
  void read(fabric::Readings& readings, Time now) const override;
  [[nodiscard]] std::uint64_t in_use() const override { return counters_.in_use; }
  /// At a side, of all classes.
  [[nodiscard]] std::uint32_t in_use(Side side) const {
    std::uint32_t lines = 0;
    for (side.buffer = 0; side.buffer < classes_; ++side.buffer)
      lines += static_cast<std::uint32_t>(std::popcount(valid(side)));
    return lines;
  }
  [[nodiscard]] const SetAsideCounters& counters() const { return counters_; }
  [[nodiscard]] std::int64_t root_queue_bytes(std::uint32_t port, std::uint16_t output,
                                              std::uint16_t behind) const override {
    std::int64_t most = 0;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      const Side side = Side::ingress(port, class_in(behind, lane));
      const std::uint32_t l = find_child(side, {output, behind}, {});
      if (l != kNoLine) most = std::max(most, bytes(side, line(side, l)));
    }
    return most;
  }
  void for_each_line(const std::function<void(const fabric::SetAsideLine&)>& visit) const override;
  [[nodiscard]] std::size_t memory() const override;
  [[nodiscard]] std::vector<std::string> notes() const override;

 protected:
  static constexpr std::uint32_t kNoLine = UINT32_MAX;
  enum Kind : std::uint8_t { kNotifyInside, kNotify, kTokenInside, kToken, kXoff, kXon, kTimer };
  /// Content of a message; see Notice. Of a timer: the line, and whether it is at egress.
  struct Told {
    Kind kind;
    std::uint8_t buffer;  ///< class that it is for
    std::uint8_t other;   ///< local port that sent it within the switch
    std::uint8_t other_buffer;
    std::uint32_t destination;
    std::uint64_t line_value;
    std::uint32_t root;
    std::uint16_t hops;
    std::uint8_t line_bits;
    bool flag;

    [[nodiscard]] LineName line() const { return {line_value, line_bits}; }
    [[nodiscard]] LocalPort from() const { return {other, other_buffer}; }
  };
  /// What it says; `line` is always the name that the line downstream has.
  struct Notice {
    LineName line;
    std::uint32_t destination = 0;
    PortId root;
    std::uint16_t hops = 0;
    bool flag =
        false;  ///< of a request: it hands over a token; of a token: the request was refused

    [[nodiscard]] Told as(Kind kind, std::uint16_t buffer, LocalPort from = {}) const {
      return {kind,
              static_cast<std::uint8_t>(buffer),
              static_cast<std::uint8_t>(from.number),
              static_cast<std::uint8_t>(from.buffer),
              destination,
              line.value,
              root.value,
              hops,
              line.bits,
              flag};
    }
  };
  static constexpr int kMostClasses = 64;

  // --- What a mechanism defines
  /// The egress side `output` of its switch asks an ingress side for a line.
  virtual void on_request_inside(Side side, LocalPort output, const Notice& notice) = 0;
  /// The far end of the link asks an egress side.
  virtual void on_request(Side side, const Notice& notice) = 0;
  virtual void on_freed(Side side, std::uint32_t line) { (void)side, (void)line; }
  /// A packet has left ingress `side`, and crosses its egress side, where there are no queues.
  virtual void on_passed(Side side, std::uint32_t packet) { (void)side, (void)packet; }
  /// A packet has been removed from a normal queue.
  virtual void on_left_normal(Side side, std::uint32_t queue, std::uint32_t packet) {
    (void)side, (void)queue, (void)packet;
  }
  /// The token of `input` (ingress lines: of upstream) has come back to a line.
  virtual void on_token_back(Side side, std::uint32_t line, LocalPort input) {
    (void)side, (void)line, (void)input;
  }
  /// More that must hold of a line.
  virtual void check_line(Side side, std::uint32_t line) const { (void)side, (void)line; }

  // --- Sides
  /// Of a side among those of all ports and classes, and back.
  [[nodiscard]] std::size_t at(Side side) const {
    return std::size_t{side.index} * classes_ + side.buffer;
  }
  [[nodiscard]] Side side_at(std::size_t n) const {
    return {static_cast<std::uint32_t>(n / classes_), static_cast<std::uint16_t>(n % classes_)};
  }
  [[nodiscard]] std::size_t side_count() const { return sides_.size(); }
  /// What `list` has for the sides of a node, `each` values a side.
  template <class List>
  void of_sides(fabric::NodeState& state, List& list, std::size_t each) const;
  [[nodiscard]] LocalPort local(Side side) const {
    return {ports_[side.port()].number, side.buffer};
  }
  /// An egress side of a switch that queues at ingress only: its lines have no queues.
  [[nodiscard]] bool is_relay(Side side) const {
    return !settings_.has_egress_queues && side.is_egress() && !is_host(side.port());
  }
  /// Another side of the same switch.
  [[nodiscard]] Side output_of(Side side, LocalPort output) const {
    return Side::egress(port_at(side.port(), output.number), output.buffer);
  }
  [[nodiscard]] Side input_of(Side side, LocalPort input) const {
    return Side::ingress(port_at(side.port(), input.number), input.buffer);
  }
  /// Where a packet came in, and where it goes, at the switch that it is in.
  [[nodiscard]] LocalPort input_of(const fabric::Packet& p) const {
    return {ports_[p.in_port].number, p.buffer};
  }
  [[nodiscard]] static LocalPort output_of(const fabric::Packet& p) {
    return {p.out, p.next_buffer};
  }
  [[nodiscard]] unsigned lane_of(std::uint16_t buffer) const {
    return lanes_ == 1 ? 0 : buffer / classes_per_lane_;
  }
  /// The class that differs from `buffer` by its lane.
  [[nodiscard]] std::uint16_t class_in(std::uint16_t buffer, unsigned lane) const {
    if (lanes_ == 1) return buffer;
    return static_cast<std::uint16_t>(lane * classes_per_lane_ + buffer % classes_per_lane_);
  }

  // --- Lines
  [[nodiscard]] Line& line(Side side, std::uint32_t l) {
    return lines_[at(side) * settings_.lines + l];
  }
  [[nodiscard]] const Line& line(Side side, std::uint32_t l) const {
    return lines_[at(side) * settings_.lines + l];
  }
  [[nodiscard]] std::uint64_t valid(Side side) const { return sides_[at(side)].valid; }
  /// First valid line for which `is(line)` holds.
  template <class Predicate>
  [[nodiscard]] std::uint32_t find_line(Side side, Predicate is) const {
    for (std::uint64_t left = valid(side); left != 0; left &= left - 1) {
      const auto l = static_cast<std::uint32_t>(std::countr_zero(left));
      if (is(line(side, l))) return l;
    }
    return kNoLine;
  }
  /// The line made for the one called `parent` at the output (ingress), or over the link (egress).
  [[nodiscard]] std::uint32_t find_child(Side side, LocalPort output,
                                         const LineName& parent) const {
    return find_line(side, [&](const Line& one) {
      return one.parent == parent && (side.is_egress() || one.output == output);
    });
  }
  [[nodiscard]] std::uint32_t find_name(Side side, const LineName& name) const {
    return find_line(side, [&](const Line& one) { return one.name == name; });
  }
  /// Takes a free line into use; kNoLine when there is none, which is counted as a refusal.
  std::uint32_t take_line(Side side, PortId root, std::uint16_t hops);
  /// Packets for this destination, or perhaps any, will go to another queue of this side.
  void note_change(Side side, std::uint32_t destination) {
    if (is_host(side.port())) changes_[side.port()].add(destination);
  }
  void note_change(Side side) {
    if (is_host(side.port())) changes_[side.port()].add_all();
  }
  void count_refusal(Side side, PortId root, std::uint16_t hops, fabric::SetAsideEvent::Kind kind);
  void count_detection(Side side, PortId root);
  /// So many queues more are in use, so many bytes more are in them.
  void count_change(std::int64_t queues, std::int64_t bytes);

  // --- Queues
  /// The line whose queue has this number at the side, kNoLine for a normal queue.
  [[nodiscard]] std::uint32_t line_of(Side side, std::uint32_t queue) const {
    const std::uint32_t normal = sides_[at(side)].normal_queues;
    return queue < normal ? kNoLine : queue - normal;
  }
  /// The normal queue for local output `output`.
  [[nodiscard]] std::uint32_t normal_queue(Side side, std::uint32_t output) const {
    return side.is_egress() || !settings_.has_detection_queues ? 0 : output;
  }
  /// What is in the normal queue of `output` becomes that of the line.
  void take_over(Side side, std::uint32_t l, std::uint32_t output);
  /// The normal queue of the injection buffer of a host has room for any packet.
  [[nodiscard]] bool has_injection_room(Side side) const;
  [[nodiscard]] const fabric::Queue& queue(Side side, std::uint32_t number) const {
    return queues_->queue(side, number);
  }
  [[nodiscard]] std::int64_t bytes(Side side, const Line& one) const {
    return queues_->queue(side, one.queue).bytes;
  }
  [[nodiscard]] std::uint32_t packets_in(Side side, std::uint32_t number) const {
    return queue(side, number).packets();
  }
  /// All that is in the queue now must leave before the line may send.
  void add_barrier(Side side, Line& one, std::uint32_t number) {
    const fabric::Queue& q = queue(side, number);
    if (q.packets() != 0) add_barrier(side, one, {number, q.stored});
  }
  /// The same for what another line waits for.
  void add_barriers(Side side, Line& one, const Line& other) {
    for (const Barrier& barrier : other.barriers) add_barrier(side, one, barrier);
  }
  [[nodiscard]] bool is_blocked(Side side, Line& one);
  /// Keeps a line until what is in queue `number` now has left it, by which way ever.
  void keep_for(Side side, Line& one, std::uint32_t number) {
    if (is_relay(side)) return;  // take_line() has done so
    one.needed_for = Barrier{number, queue(side, number).stored};
  }
  /// The queue of a barrier has let as many packets go.
  [[nodiscard]] bool is_past(Side side, const Barrier& barrier) const {
    return static_cast<std::int32_t>(queue(side, barrier.queue).removed - barrier.until) >= 0;
  }
  /// Holds or lets go of the line's queue, whichever is due.
  void update(Side side, Line& one);

  // --- What happens
  /// A packet is in the queue of an ingress line: Xoff.
  void limit_ingress(Side side, Line& one);
  /// A packet is in the queue of an egress line, or passes one that has none: stops its lines at
  /// the inputs. What comes past
  /// them (`is_past_lines`: its input has no line for it) cannot be stopped and may keep the queue
  /// full for ever; after two rounds of the inputs of it those that are stopped have a turn.
  void limit_egress(Side side, Line& one, bool is_past_lines);
  /// The line at ingress side `in` for an egress line of the same switch, kNoLine: there is none.
  [[nodiscard]] std::uint32_t child_at(Side in, Side side, const Line& one) const {
    return find_child(in, local(side), one.name);
  }
  static constexpr std::uint32_t kRoundsPast = 2;
  bool may_ask_up(Side side, const Line& one) const {
    return clock_.now().count >= one.retry_up_at && !links_.is_down(ports_[side.port()].upstream);
  }
  /// Asks upstream for a line, unless that was done. `flag` of the notice is set as it must be.
  void ask_up(Side side, Line& one, Notice notice);
  /// Asks input `input` for a line for egress line `l`, or for the normal queue (kNoLine).
  [[nodiscard]] bool may_ask_input(Side side, std::uint32_t l, unsigned input) const;
  [[nodiscard]] bool has_asked_input(Side side, std::uint32_t l, LocalPort input) const;
  void ask_input(Side side, std::uint32_t l, LocalPort input, Notice notice);
  void try_free(Side side, std::uint32_t l);
  void refuse_inside(Side side, LocalPort output, const Notice& notice);
  void refuse(Side side, const Notice& notice);
  /// An egress line that was cut off from one like that of the notice is for that one now. False:
  /// it is another's.
  bool rejoin(Side side, std::uint32_t l, const Notice& notice);
  /// Switches that queue at ingress only: what is in this queue waits for its output, and not for a
  /// point behind it. `l`: kNoLine for a normal queue.
  [[nodiscard]] bool waits_for_output(Side side, std::uint32_t l) const {
    return l == kNoLine || line(side, l).parent == LineName{};
  }
  /// So many bytes more do, for the output of a packet at ingress `side`.
  void count_waiting(Side side, const fabric::Packet& p, std::int64_t bytes) {
    outputs_[place_of_output(side, p)].waiting += bytes;
  }
  /// A packet has come to ingress `side`, to the queue of line `l` or a normal one.
  void count_joined(Side side, std::uint32_t l, const fabric::Packet& p);
  /// More than `detect` does, and `side` has not been asked for a line for the output.
  [[nodiscard]] bool is_to_ask_for(Side side, LocalPort output) const;
  /// Sets what a new ingress line owes to the line at its output.
  void join_parent(Side side, Line& one);

  [[nodiscard]] bool is_host(std::uint32_t port) const { return ports_.is_host(port); }
  [[nodiscard]] std::uint32_t port_at(std::uint32_t port, std::uint32_t local) const {
    return ports_[port].first_port + local;
  }

  SetAsideSettings settings_;
  fabric::Clock clock_;
  fabric::Ports ports_;
  fabric::OutputLinks links_;
  fabric::Packets packets_;
  const topology::Graph* graph_ = nullptr;
  fabric::SideQueues* queues_ = nullptr;
  std::uint32_t classes_ = 1;  ///< of a buffer, over all lanes
  std::uint32_t classes_per_lane_ = 1;
  std::uint32_t lanes_ = 1;

 private:
  struct alignas(32) SideState {
    std::uint64_t valid = 0;          ///< lines in use
    std::uint64_t watched = 0;        ///< lines to look at when a packet leaves the side
    std::uint32_t normal_queues = 0;  ///< the others are those of the lines
  };
  /// Switches that queue at ingress only.
  struct OutputState {
    std::int64_t waiting = 0;   ///< bytes, see count_waiting()
    std::uint32_t joined = 0;   ///< packets for the output since the start, modulo 2^32
    std::uint32_t crossed = 0;  ///< those of them that have left
  };
  [[nodiscard]] std::size_t place_of_output(Side side, const fabric::Packet& p) const {
    return egress_at(output_of(side, output_of(p)));
  }
  /// A packet leaves ingress `side`, from the queue of line `l` or a normal one.
  void cross(Side side, std::uint32_t l, std::uint32_t packet);
  /// What the line was made for may still stand where it is not set aside.
  [[nodiscard]] bool is_needed(Side side, const Line& one) const {
    if (!one.needed_for) return false;
    if (!is_relay(side)) return !is_past(side, *one.needed_for);
    const OutputState& output = outputs_[egress_at(side)];
    return static_cast<std::int32_t>(output.crossed - one.needed_for->until) < 0;
  }
  /// Looks at the line whenever a packet leaves the side: it waits for one, or is nearly free.
  void watch(Side side, std::uint32_t l) { sides_[at(side)].watched |= std::uint64_t{1} << l; }
  void look_at_watched(Side side);

  void add_barrier(Side side, Line& one, const Barrier& barrier);
  /// To the other end of the link of a side: from ingress against the data, from egress with it.
  void send(Kind kind, Side from, const Notice& notice);
  void send_inside(Kind kind, Side to, Side from, const Notice& notice);
  void on_token_inside(Side side, LocalPort input, const Notice& notice);
  void on_token(Side side, const Notice& notice);
  /// The line upstream of an ingress line is gone, or was never made.
  void take_token_back(Side side, std::uint32_t l);
  void on_stop(Side side, const LineName& parent, bool stop);
  /// The link behind an egress side is down.
  void cut_off(Side side);
  void on_timer(Side side, std::uint32_t l);
  /// Makes sure that the line is looked at again at `at`.
  void arm_timer(Side side, std::uint32_t l, std::int64_t at);
  /// No packet is in any queue of the side.
  [[nodiscard]] bool is_empty(Side side) const;
  /// An egress line has more than it may, or is told so by the far end of its link.
  [[nodiscard]] bool is_full(Side side, const Line& one) const {
    return is_relay(side) ? one.xoff_received : bytes(side, one) > settings_.xoff.count;
  }
  void set_stop_inside(Side side, Line& one, bool stop);
  void update_urgent(Side side, const Line& one);
  [[nodiscard]] std::int64_t& retry_in(Side side, std::uint32_t l, unsigned input) {
    return retry_in_[retry_index(side, l, input)];
  }
  [[nodiscard]] std::size_t retry_index(Side side, std::uint32_t l, unsigned input) const {
    const std::size_t row = l == kNoLine ? settings_.lines : l;
    return (egress_at(side) * (settings_.lines + 1) + row) * degree_ + input;
  }
  /// Of an egress side among those of all ports and classes.
  [[nodiscard]] std::size_t egress_at(Side side) const {
    return std::size_t{side.port()} * classes_ + side.buffer;
  }
  void report(Side side, const Line& one, fabric::SetAsideEvent::Kind kind) const;
  [[noreturn]] void fail(Side side, const Line& one, const std::string& what) const;
  struct InFlight;
  /// That knows the sides of a port; null: it is in another process.
  [[nodiscard]] const SetAside* instance_at(std::uint32_t port) const;
  void add_in_flight(InFlight& in_flight) const;
  /// Of all parts of the network.
  void check_flags() const;
  /// Of sides of this part.
  void check_flags(Side side, const InFlight& in_flight) const;
  void check_sides() const;
  void check_waiting() const;
  void check_released() const;

  fabric::Buffers buffers_;
  fabric::ControlMessages messages_;
  const fabric::FabricSettings* fabric_settings_ = nullptr;
  fabric::Observer* observer_ = nullptr;
  std::size_t degree_ = 0;                  ///< largest of a switch
  std::vector<std::int64_t> inside_delay_;  ///< of a message within a switch, per node
  HugeVector<Line> lines_;                  ///< per side
  HugeVector<SideState> sides_;
  HugeVector<InputFlags> root_notified_;  ///< per egress side: inputs asked for its normal queue
  HugeVector<std::int64_t> retry_in_;     ///< per egress line and input, whatever its lane
  std::vector<OutputState> outputs_;      ///< per egress side that has no queues
  std::vector<fabric::InjectionChanges> changes_;  ///< per host port
  SetAsideCounters counters_;
  std::vector<const SetAside*> instances_{this};
};

}  // namespace weir::isolation
