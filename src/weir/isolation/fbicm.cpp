#include <algorithm>
#include <memory>
#include <vector>

#include "weir/isolation/checkpoint.hpp"
#include "weir/isolation/flow_map.hpp"
#include "weir/isolation/set_aside.hpp"

namespace weir::isolation {

namespace {

struct FbicmSettings : SetAsideSettings {
  std::uint32_t most_flows = 0;  ///< destinations a line can hold; 0: any number
};

/// Flow-based implicit congestion management (lippens2010, section 4.3), for networks whose
/// switches look outputs up by destination.
///
/// A line stands for a congested output and holds the destinations whose packets were seen to cross
/// it. Every packet joins a normal queue; when it is at the head and its destination is mapped to a
/// line, it moves to the queue of the line. So packets for one destination keep their order when
/// the destination is added to a line.
class Fbicm final : public SetAside {
 public:
  explicit Fbicm(const FbicmSettings& settings)
      : SetAside(settings), most_flows_(settings.most_flows) {}

  void attach(const fabric::FabricView& fabric) override {
    SetAside::attach(fabric);
    maps_.resize(side_count());
    flows_.resize(maps_.size() * settings_.lines);
    if (settings_.has_detection_queues && lanes_ == 1) return;
    first_output_.reserve(ports_.size());
    std::size_t outputs = 0;
    for (const fabric::PortInfo& info : ports_) {
      first_output_.push_back(outputs);
      outputs += info.degree;
    }
    bytes_for_.assign(outputs * classes_ * lanes_, 0);
  }

  void prefetch_lines(Side side, std::uint32_t destination) const override {
    SetAside::prefetch_lines(side, destination);
    if (valid(side) != 0) maps_[at(side)].prefetch(destination);
  }

  std::uint32_t choose_queue(Side side, std::uint32_t packet) override {
    return normal_queue(side, packets_[packet].out);
  }

  void on_stored(Side side, std::uint32_t number, std::uint32_t packet) override {
    const fabric::Packet& p = packets_[packet];
    if (!side.is_egress()) {
      count_output(side, p, p.size);
      if (!settings_.has_egress_queues) [[unlikely]] {
        count_joined(side, kNoLine, p);
        detect_for_output(side, output_of(p), p.destination);
      }
      detect_at_ingress(side, number, output_of(p));
    } else if (!is_host(side.port())) {
      stored_at_egress(side, input_of(p), p.destination);
    }
    migrate(side, number);
  }

  [[nodiscard]] std::uint32_t injection_queue(Side side, std::uint32_t, std::uint32_t destination,
                                              std::uint16_t) override {
    const std::uint32_t l = mapped(side, destination);
    return l == kNoLine ? 0 : line(side, l).queue;
  }
  /// Packets reach the queue of a line through the normal one.
  [[nodiscard]] bool admits(Side side, std::uint32_t number) const override {
    if (!has_injection_room(side)) return false;
    return number == 0 || queue(side, number).bytes < settings_.xoff.count;
  }
  [[nodiscard]] bool admits_nothing(std::uint32_t port) const override {
    Side side = Side::egress(port);
    for (side.buffer = 0; side.buffer < classes_; ++side.buffer) {
      if (has_injection_room(side)) return false;
    }
    return true;
  }

  void checkpoint(fabric::NodeState& state) override {
    SetAside::checkpoint(state);
    // Numbers of parts differ; none is used again in any.
    std::uint64_t number = last_number_;
    state(number);
    last_number_ = std::max(last_number_, number);
    for (std::size_t s = at(Side::ingress(state.first_port()));
         s < at(Side::ingress(state.end_port())); ++s)
      maps_[s].checkpoint(state, ports_.host_count());
    of_sides(state, flows_, settings_.lines);
    if (bytes_for_.empty()) return;
    const std::size_t each = std::size_t{classes_} * lanes_;
    const auto first = [&](std::uint32_t port) {
      return port < first_output_.size() ? first_output_[port] * each : bytes_for_.size();
    };
    state.slice(bytes_for_, first(state.first_port()),
                first(state.end_port()) - first(state.first_port()));
  }
  [[nodiscard]] std::size_t memory() const override {
    std::size_t bytes = SetAside::memory() + maps_.capacity() * sizeof(FlowMap) +
                        flows_.capacity() * sizeof(MappedFlows) +
                        bytes_for_.capacity() * sizeof(std::int64_t);
    for (const FlowMap& map : maps_) bytes += map.is_made() ? ports_.host_count() : 0;
    for (const MappedFlows& flows : flows_) bytes += flows.memory();
    return bytes;
  }

 private:
  // --- Destinations and lines

  [[nodiscard]] MappedFlows& flows(Side side, std::uint32_t l) {
    return flows_[at(side) * settings_.lines + l];
  }
  [[nodiscard]] const MappedFlows& flows(Side side, std::uint32_t l) const {
    return flows_[at(side) * settings_.lines + l];
  }
  [[nodiscard]] std::uint32_t mapped(Side side, std::uint32_t destination) const {
    if (valid(side) == 0) return kNoLine;
    const std::uint8_t l = maps_[at(side)].line_of(destination);
    return l == FlowMap::kNone ? kNoLine : l;
  }

  /// Adds a destination to a line, unless it must stay at another one, or the line is full.
  void map_flow(Side side, std::uint32_t l, std::uint32_t destination) {
    const std::uint32_t before = mapped(side, destination);
    if (before == l) return;
    Line& one = line(side, l);
    if (stays(side, destination, one.output, one.hops)) return;
    if (most_flows_ != 0 && flows(side, l).size() >= most_flows_) return;
    if (before != kNoLine) {
      flows(side, before).erase(destination);
      const Line& old = line(side, before);
      if (packets_in(side, old.queue) > 0) {
        add_barrier(side, one, old.queue);
      } else {
        add_barriers(side, one, old);
      }
      update(side, one);
    }
    flows(side, l).insert(destination);
    maps_[at(side)].set(destination, static_cast<std::uint8_t>(l), ports_.host_count());
    note_change(side, destination);
  }

  /// What a line is made for stands in the normal queue. Unless kept for that, it would be released
  /// with the next packet that leaves, and asked for again.
  std::uint32_t new_line(Side side, LocalPort output, const Notice& notice, std::uint16_t hops) {
    const std::uint32_t l = take_line(side, notice.root, hops);
    if (l == kNoLine) return kNoLine;
    Line& one = line(side, l);
    one.name.value = ++last_number_;
    one.parent = notice.line;
    one.output = output;
    keep_for(side, one, normal_queue(side, output.number));
    return l;
  }

  // --- Packets

  /// Moves heads of a normal queue to the lines of their destinations.
  void migrate(Side side, std::uint32_t number) {
    if (valid(side) == 0) return;
    for (;;) {
      const std::uint32_t head = queue(side, number).head;
      if (head == fabric::kNone) return;
      const fabric::Packet& p = packets_[head];
      const std::uint32_t l = line_for(side, p);
      if (l == kNoLine) return;
      Line& one = line(side, l);
      if (line_of(side, number) == kNoLine) count_change(0, p.size);
      queues_->move_head(side, number, one.queue);
      if (side.is_egress()) {
        limit_egress(side, one, is_past_lines(side, one, p));
        continue;
      }
      count_output(side, p, -std::int64_t{p.size});
      if (!settings_.has_egress_queues && !waits_for_output(side, l))
        count_waiting(side, p, -std::int64_t{p.size});
      if (bytes(side, one) > settings_.propagate.count) tell_up(side, l, p.destination);
      limit_ingress(side, one);
    }
  }

  /// The packet was not in a line at its input for this one at the output.
  [[nodiscard]] bool is_past_lines(Side side, const Line& one, const fabric::Packet& p) const {
    if (is_host(side.port())) return false;
    const Side in = Side::ingress(p.in_port, p.buffer);
    const std::uint32_t child = child_at(in, side, one);
    return child == kNoLine || mapped(in, p.destination) != child;
  }

  [[nodiscard]] std::uint32_t line_for(Side side, const fabric::Packet& p) {
    std::uint32_t l = mapped(side, p.destination);
    if (side.is_egress()) return l;
    if (l == kNoLine) {
      // Every packet for an output that is the root itself crosses it.
      const std::uint32_t root = find_child(side, output_of(p), {});
      if (root == kNoLine) return kNoLine;
      map_flow(side, root, p.destination);
      l = mapped(side, p.destination);
    }
    return l != kNoLine && line(side, l).output == output_of(p) ? l : kNoLine;
  }

  void on_left_normal(Side side, std::uint32_t number, std::uint32_t packet) override {
    if (!side.is_egress()) {
      const fabric::Packet& p = packets_[packet];
      count_output(side, p, -std::int64_t{p.size});
    }
    migrate(side, number);
  }

  /// Where a normal queue is for several outputs, or for several classes behind one: bytes for each
  /// of them.
  void count_output(Side side, const fabric::Packet& p, std::int64_t bytes) {
    if (!bytes_for_.empty()) bytes_for_[place_of(side, output_of(p))] += bytes;
  }
  [[nodiscard]] std::size_t place_of(Side side, LocalPort output) const {
    const std::size_t way = first_output_[side.port()] + output.number;
    return (way * classes_ + side.buffer) * lanes_ + lane_of(output.buffer);
  }

  // --- Detection and propagation

  void detect_at_ingress(Side side, std::uint32_t number, LocalPort output) {
    const std::int64_t bytes =
        bytes_for_.empty() ? queue(side, number).bytes : bytes_for_[place_of(side, output)];
    if (bytes <= settings_.detect_ingress.count) return;
    if (find_child(side, output, {}) != kNoLine) return;
    Notice notice;
    notice.root = PortId(port_at(side.port(), output.number));
    count_detection(side, notice.root);
    const std::uint32_t l = new_line(side, output, notice, 0);
    if (l != kNoLine) line(side, l).is_root = true;
  }

  void stored_at_egress(Side side, LocalPort input, std::uint32_t destination) {
    const std::uint32_t l = mapped(side, destination);
    Notice notice;
    notice.destination = destination;
    if (l == kNoLine) {
      if (queue(side, 0).bytes <= settings_.detect.count) return;
      if (has_asked_input(side, kNoLine, input) || !may_ask_input(side, kNoLine, input.number))
        return;
      notice.root = PortId(side.port());
      count_detection(side, notice.root);
      ask_input(side, kNoLine, input, notice);
      return;
    }
    if (bytes(side, line(side, l)) > settings_.propagate.count)
      tell_input(side, l, input, destination);
  }

  void tell_input(Side side, std::uint32_t l, LocalPort input, std::uint32_t destination) {
    if (!may_ask_input(side, l, input.number)) return;
    MappedFlow& flow = *flows(side, l).find(destination);
    if (flow.told_inputs.test(input.number, lane_of(input.buffer))) return;
    flow.told_inputs.set(input.number, lane_of(input.buffer));
    Notice notice;
    notice.destination = destination;
    notice.root = line(side, l).root;
    notice.hops = line(side, l).hops;
    ask_input(side, l, input, notice);
  }

  /// Switches that queue at ingress only: more waits for the output than may, at all inputs.
  void detect_for_output(Side side, LocalPort output, std::uint32_t destination) {
    if (!is_to_ask_for(side, output)) return;
    if (mapped(side, destination) != kNoLine || find_child(side, output, {}) != kNoLine) return;
    const Side out = output_of(side, output);
    Notice notice;
    notice.destination = destination;
    notice.root = PortId(out.port());
    count_detection(out, notice.root);
    ask_input(out, kNoLine, local(side), notice);
  }

  void on_passed(Side side, std::uint32_t packet) override {
    const fabric::Packet& p = packets_[packet];
    const Side out = output_of(side, output_of(p));
    const std::uint32_t l = mapped(out, p.destination);
    if (l == kNoLine) return;
    limit_egress(out, line(out, l), is_past_lines(out, line(out, l), p));
    tell_input(out, l, local(side), p.destination);
  }

  void tell_up(Side side, std::uint32_t l, std::uint32_t destination) {
    Line& one = line(side, l);
    MappedFlow& flow = *flows(side, l).find(destination);
    if (flow.told_up || !may_ask_up(side, one)) return;
    flow.told_up = true;
    Notice notice;
    notice.root = one.root;
    notice.hops = one.hops;
    notice.destination = destination;
    ask_up(side, one, notice);
  }

  // --- Requests

  /// The destination is not to move to a line of this output and distance: a farther point is known
  /// for it, or it is at a line of another output. Packets of other sources can take that one,
  /// where routes depend on the source; those that follow them would no longer join their queue,
  /// and overtake them.
  [[nodiscard]] bool stays(Side side, std::uint32_t destination, LocalPort output,
                           std::uint16_t hops) const {
    const std::uint32_t l = mapped(side, destination);
    return l != kNoLine && (line(side, l).hops >= hops || line(side, l).output != output);
  }

  void on_request_inside(Side side, LocalPort output, const Notice& notice) override {
    const bool is_root = notice.line == LineName{};
    std::uint32_t l = find_child(side, output, notice.line);
    if (l == kNoLine) {
      if (!notice.flag) return;  // an addition to a line that has been released meanwhile
      if (is_root || !stays(side, notice.destination, output, notice.hops))
        l = new_line(side, output, notice, notice.hops);
      if (l == kNoLine) {
        refuse_inside(side, output, notice);
        return;
      }
      join_parent(side, line(side, l));
      update(side, line(side, l));
    }
    if (notice.flag) line(side, l).is_owed = true;
    if (!is_root) map_flow(side, l, notice.destination);
    migrate(side, normal_queue(side, output.number));
  }

  void on_request(Side side, const Notice& notice) override {
    const auto hops = static_cast<std::uint16_t>(notice.hops + 1);
    std::uint32_t l = find_child(side, {}, notice.line);
    if (l == kNoLine) {
      if (!notice.flag) return;
      l = find_line(side, [&](const Line& one) {
        return one.parent == kCutOff && one.root == notice.root && one.hops == hops;
      });
      if (!rejoin(side, l, notice) && !stays(side, notice.destination, {}, hops))
        l = new_line(side, {}, notice, hops);
      if (l == kNoLine) {
        refuse(side, notice);
        return;
      }
      line(side, l).is_owed = true;
    }
    map_flow(side, l, notice.destination);
    migrate(side, 0);
  }

  void on_freed(Side side, std::uint32_t l) override {
    for (const MappedFlow& flow : flows(side, l)) {
      maps_[at(side)].clear(flow.destination);
      note_change(side, flow.destination);
    }
    flows(side, l).clear();
  }

  void on_token_back(Side side, std::uint32_t l, LocalPort input) override {
    for (MappedFlow& flow : flows(side, l)) {
      if (side.is_egress()) {
        flow.told_inputs.clear(input.number, lane_of(input.buffer));
      } else {
        flow.told_up = false;
      }
    }
  }

  /// Invariants of FBICM: each destination of a line is mapped to it, and as
  /// many are mapped as lines in use have.
  void check_line(Side side, std::uint32_t l) const override {
    for (const MappedFlow& flow : flows(side, l)) {
      if (maps_[at(side)].line_of(flow.destination) != l)
        throw RunError("a destination of a congested-flow queue is not mapped to it");
    }
    std::size_t held = 0;
    for (std::uint64_t left = valid(side); left != 0; left &= left - 1)
      held += flows(side, static_cast<std::uint32_t>(std::countr_zero(left))).size();
    if (held != maps_[at(side)].size())
      throw RunError("a destination is mapped to a congested-flow queue that does not have it");
  }

  std::size_t most_flows_;
  std::uint64_t last_number_ = 0;          ///< of a line, never used again
  std::vector<FlowMap> maps_;              ///< per side
  std::vector<MappedFlows> flows_;         ///< per line
  std::vector<std::size_t> first_output_;  ///< per ingress port; empty with `bytes_for_`
  std::vector<std::int64_t> bytes_for_;    ///< per ingress port, output and classes of both; empty
                                           ///< where each of these has a normal queue
};

Keys<FbicmSettings> fbicm_keys() {
  using F = FbicmSettings;
  return Keys<F>{}
      .with(set_aside_keys("cfqs", {}))
      .with({choice(&F::has_detection_queues, "ingress",
                    "normal queues at ingress: per-output, one for each output of the switch; or "
                    "single",
                    {{"per-output", true}, {"single", false}}),
             key(&F::most_flows, "max_flows",
                 "destinations that a look-up line can hold; 0: any number")
                 .range(0, 65'536)});
}

const Registration<fabric::IsolationFactory> kFbicm(
    fabric::isolation_registry(),
    {"fbicm",
     "congested-flow queues for the destinations seen at congested outputs; for table-based "
     "routing",
     "escudero2008fbicm; escudero2010cost; lippens2010, section 4.3"},
    fbicm_keys(), [](const Checked<FbicmSettings>& file, const fabric::IsolationContext& context) {
      FbicmSettings made = *file;
      static_cast<SetAsideSettings&>(made) = set_aside_settings(file, context);
      return std::make_unique<Fbicm>(made);
    });

}  // namespace

}  // namespace weir::isolation
