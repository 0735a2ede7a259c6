#include <algorithm>
#include <optional>

#include "weir/base/prefetch.hpp"
#include "weir/fabric/part_loop.hpp"
#include "weir/fabric/switch/class_turns.hpp"
#include "weir/fabric/switch/egress.hpp"
#include "weir/fabric/switch/ingress.hpp"
#include "weir/fabric/switch/kept_turn.hpp"
#include "weir/fabric/switch/switch_model.hpp"

namespace weir::fabric {

namespace {

/// Switches whose crossbar carries one packet per input and per output at a time, matched by
/// iterative round robin (iSLIP: pointers move only for grants accepted in the first iteration).
/// Transfers are not in step, so that an input may be busy whenever an output is free: the output
/// then keeps a turn for it (KeptTurn). While it waits for that input it carries only what ends
/// before. Without egress buffers the crossbar is held for the transmission on the link
/// (input-queued, one packet at a time). With them it runs at `speedup` times the link rate
/// (combined input and output queued; lippens2010, section 5.1). A packet still arriving holds the
/// crossbar until its tail has passed. `Mask`: PortWord where no switch has more than 64 ports,
/// else PortMask. `kPlain`: the run is (Core::is_plain), and each pair of ports has a queue.
template <class Mask, bool kPlain>
class CrossbarSwitch final : public SwitchModel, private SideQueues {
 public:
  explicit CrossbarSwitch(Core& core)
      : core_(core),
        limits_entry_(core.mechanisms.isolation && core.mechanisms.isolation->limits_entry()),
        ingress_(core),
        turns_(core, true),
        ports_(core.graph.port_count()),
        switches_(core.graph.node_count()) {
    lists_requests_ = ingress_.lists_requests();
    if (core.settings.architecture == Architecture::cioq) {
      egress_.emplace(core, core.settings.egress_buffer.count);
      classes_share_room_ = core.buffers > 1 || core.mechanisms.isolation;
    }
  }

  static constexpr bool kIsPlain = kPlain;

  bool run_until(Part& part, Time end, WhenIdle when_idle) override {
    return part.run_until(*this, end, when_idle);
  }
  void run_before(Part& part, std::int64_t end) override { part.run_before(*this, end); }

  void arrive(std::uint32_t port, std::uint32_t packet) override {
    Packet& p = core_.packets[packet];
    ++p.hops;
    if constexpr (kPlain) {
      core_.store_plainly(port, packet, p.size);
      const PortInfo& in = core_.ports[port];
      const std::uint32_t output = in.first_port + p.out;
      Output& out = core_.links[output];
      p.ready = egress_ ? core_.now : core_.ready_time(p, in, out);
      const std::uint32_t queue = ingress_.pair_queue(output, in.number);
      if (ingress_.push_to_pair(out, in.number, queue, packet, p)) want(port, output);
      return;
    }
    core_.store(port, packet);
    core_.route(p);
    // The crossbar carries what arrives; only the link at the far side must not run dry.
    if (egress_) p.ready = core_.now;
    if (core_.mechanisms.marker) core_.mechanisms.marker->on_ingress(PortId(port), p);
    Isolation* isolation = core_.mechanisms.isolation.get();
    const Side side = Side::ingress(port, p.buffer);
    const std::uint32_t number = isolation == nullptr ? 0 : isolation->choose_queue(side, packet);
    const bool is_head = isolation == nullptr
                             ? ingress_.push(port, packet)
                             : ingress_.push(port, packet, core_.queue_place(p.buffer, number));
    if (is_head) want(port, core_.ports[port].first_port + p.out);
    ingress_.report_queued(port, packet, p, number);
    if (core_.mechanisms.agent) core_.mechanisms.agent->on_stored(PortId(port), p);
    if (isolation != nullptr) isolation->on_stored(side, number, packet);
  }

  void arbitrate(std::uint32_t port) override {
    const std::uint32_t node = core_.ports[port].node;
    // The link, or room behind it, has become free: both concern the crossbar.
    const bool started = egress_ && egress_->arbitrate(port);
    if (!requests_of(core_.links[port]).any()) return;
    if (started) core_.wake(port, core_.links[port].free_at);
    switches_[node].changed.set(port - core_.first_port[node]);
    mark_switch(node);
  }

  void crossbar_done(std::uint32_t port) override {
    PortState& out = ports_[port];
    out.is_end_scheduled = false;
    SwitchState& sw = switches_[core_.ports[port].node];
    if (requests_of(core_.links[port]).any()) sw.changed.set(core_.ports[port].number);
    sw.changed |= ports_[out.transfer_from].heads;
    if (sw.changed.any()) mark_switch(core_.ports[port].node);
  }

  void match() override {
    // NOLINTNEXTLINE(modernize-loop-convert): the list may grow while it is walked
    for (std::size_t i = 0; i < dirty_switches_.size(); ++i) {
      switches_[dirty_switches_[i]].dirty = false;
      match_switch(dirty_switches_[i]);
    }
    dirty_switches_.clear();
    needs_match_ = false;
  }

  void prefetch_arrival(std::uint32_t port, const Packet& packet) const override {
    const PortInfo& in = core_.ports[port];
    const std::uint32_t output = in.first_port + packet.out;
    if constexpr (kPlain) {
      core_.links.prefetch_plainly(output);
      weir::prefetch(&core_.stored[port]);
      ingress_.prefetch_pair(ingress_.pair_queue(output, in.number));
    } else {
      core_.links.prefetch(output);
      weir::prefetch(&core_.stored[core_.buffer_index(port, packet.buffer)]);
      ingress_.prefetch(port, packet);
    }
    core_.links.prefetch_feedback(in.upstream);
    weir::prefetch(&ports_[port]);
    weir::prefetch(&ports_[output]);
    if (egress_) egress_->prefetch(output);
    prefetch_switch(in.node);
  }
  void prefetch_request(std::uint32_t port) const override {
    ingress_.prefetch_request(port);
    weir::prefetch(&ports_[port]);
    if (egress_) egress_->prefetch(port);
    prefetch_switch(core_.ports[port].node);
  }
  void prefetch_head(std::uint32_t port) const override {
    ingress_.prefetch_head(port);
    if (egress_) egress_->prefetch_head(port);
    if (kPlain || core_.mechanisms.isolation == nullptr) return;
    ingress_.visit_first_request(port, [&](std::uint32_t in_port, std::uint32_t) {
      core_.mechanisms.isolation->prefetch_side(Side::ingress(in_port));
    });
  }
  void prefetch_tail(std::uint32_t port, const Packet& packet) const override {
    if constexpr (kPlain) {
      const PortInfo& in = core_.ports[port];
      ingress_.prefetch_tail_of(ingress_.pair_queue(in.first_port + packet.out, in.number));
    } else {
      ingress_.prefetch_tail(port, packet);
    }
  }
  void prefetch_leaving(std::uint32_t port) const override {
    ingress_.visit_first_request(port, [&](std::uint32_t in_port, std::uint32_t queue) {
      const std::uint32_t packet = ingress_.prefetch_packet(queue);
      if (packet == kNone || core_.mechanisms.isolation == nullptr) return;
      core_.mechanisms.isolation->prefetch_packet(packet);
      core_.mechanisms.isolation->prefetch_lines(
          Side::ingress(in_port, core_.packets[packet].buffer), 0);
    });
  }

  void for_each_packet(
      const std::function<void(std::uint32_t, std::uint32_t)>& visit) const override {
    ingress_.for_each_packet(visit);
    if (egress_) egress_->for_each_packet(visit);
  }
  void for_each_head(
      const std::function<void(std::uint32_t, std::uint32_t, bool)>& visit) const override {
    ingress_.for_each_head(
        [&](std::uint32_t port, std::uint32_t packet) { visit(port, packet, false); });
    if (!egress_) return;
    egress_->for_each_head(
        [&](std::uint32_t port, std::uint32_t packet) { visit(port, packet, true); });
  }
  void for_each_wait(std::uint32_t port, std::uint16_t buffer,
                     const std::function<void(std::uint32_t)>& visit) const override {
    ingress_.for_each_wait(port, buffer, visit);
  }
  [[nodiscard]] const IngressBuffers* ingress_buffers() const override { return &ingress_; }
  void checkpoint(NodeState& state) override {
    ingress_.checkpoint(state);
    turns_.checkpoint(state);
    if (egress_) egress_->checkpoint(state);
    state.of_ports(ports_);
    state.slice(switches_, state.node(), 1);
  }
  SideQueues* side_queues() override { return egress_ ? this : nullptr; }
  EgressBuffers* egress_buffers() override { return egress_ ? &*egress_ : nullptr; }
  [[nodiscard]] std::size_t memory() const override {
    return ingress_.memory() + turns_.memory() + (egress_ ? egress_->memory() : 0) +
           ports_.capacity() * sizeof(PortState) + switches_.capacity() * sizeof(SwitchState);
  }

 private:
  // --- Queues that are set aside
  [[nodiscard]] const Queue& queue(Side side, std::uint32_t number) const override {
    const std::uint32_t place = core_.queue_place(side.buffer, number);
    return side.is_egress() ? egress_->queue(side.port(), place)
                            : ingress_.queue(side.port(), place);
  }
  void hold(Side side, std::uint32_t number) override {
    const std::uint32_t port = side.port();
    const std::uint32_t place = core_.queue_place(side.buffer, number);
    if (side.is_egress()) {
      egress_->hold(port, place);
    } else {
      lose(port, ingress_.hold(port, place));
    }
  }
  void let_go(Side side, std::uint32_t number) override {
    const std::uint32_t port = side.port();
    const std::uint32_t place = core_.queue_place(side.buffer, number);
    if (side.is_egress()) {
      egress_->let_go(port, place);
    } else {
      want(port, ingress_.let_go(port, place));
    }
  }
  void set_urgent(Side side, std::uint32_t number, bool urgent) override {
    const std::uint32_t place = core_.queue_place(side.buffer, number);
    if (side.is_egress()) {
      egress_->set_urgent(side.port(), place, urgent);
    } else {
      ingress_.set_urgent(side.port(), place, urgent);
    }
  }
  void set_target(Side side, std::uint32_t number, Side out, std::uint32_t target) override {
    ingress_.set_target(side.port(), core_.queue_place(side.buffer, number),
                        target == 0 ? 0 : core_.queue_place(out.buffer, target));
  }
  void keep_turns(Side side, std::uint32_t number) override {
    const std::uint32_t place = core_.queue_place(side.buffer, number);
    turns_.lacks_room(side.port(), static_cast<std::uint16_t>(place));
  }
  void move_head(Side side, std::uint32_t from, std::uint32_t to) override {
    const std::uint32_t port = side.port();
    const std::uint32_t source = core_.queue_place(side.buffer, from);
    const std::uint32_t target = core_.queue_place(side.buffer, to);
    if (side.is_egress()) {
      egress_->move_head(port, source, target);
      return;
    }
    const IngressBuffers::Moved moved = ingress_.move_head(port, source, target);
    lose(port, moved.lost);
    want(port, moved.asked[0]);
    want(port, moved.asked[1]);
  }
  void rename(Side side, std::uint32_t from, std::uint32_t to) override {
    ingress_.rename(side.port(), core_.queue_place(side.buffer, from),
                    core_.queue_place(side.buffer, to));
  }
  /// Ingress `port` has a head for output port `output` (kNone: nothing has changed), or has none
  /// any longer.
  void want(std::uint32_t port, std::uint32_t output) {
    if (output == kNone) return;
    const PortInfo& info = core_.ports[port];
    ports_[port].heads.set(output - info.first_port);
    SwitchState& sw = switches_[info.node];
    if (sw.dirty && sw.changed.test(output - info.first_port)) ++core_.counters.ties;
    sw.changed.set(output - info.first_port);
    mark_switch(info.node);
  }
  void lose(std::uint32_t port, std::uint32_t output) {
    if (output != kNone) ports_[port].heads.clear(output - core_.ports[port].first_port);
  }

  /// A port as input and as output of the crossbar, in one cache line.
  struct alignas(64) PortState {
    Mask heads;                        ///< as input: outputs that its heads want
    std::int64_t input_free_at = 0;    ///< end of the transfer from this input
    std::int64_t output_free_at = 0;   ///< end of the transfer to this output
    std::uint32_t transfer_from = 0;   ///< as output: ingress port of the latest transfer
    std::uint16_t transfer_to = 0;     ///< as input: local output of the latest transfer
    std::uint16_t accept_pointer = 0;  ///< as input: round robin over outputs
    bool is_end_scheduled = false;     ///< as output: the end of the transfer is an event
    KeptTurn kept;                     ///< as output: for an input that was busy
  };
  static_assert(sizeof(PortState) == 64);
  struct alignas(64) SwitchState {
    Mask changed;      ///< outputs that may be matched since they were last looked at
    Mask busy_inputs;  ///< of the others it is known that they are free
    bool dirty = false;
  };
  [[nodiscard]] static Mask requests_of(const Output& out) {
    return out.requests.template as<Mask>();
  }
  /// The search of the output goes on where it was, or the inputs behind this one would gain by it.
  static constexpr std::uint16_t kOutOfTurn = 0xFFFF;
  struct Grant {
    std::uint16_t output = 0;
    bool is_owed = false;    ///< the output waits for this input
    std::uint16_t turn = 0;  ///< the input behind which the next search begins, or kOutOfTurn
    IngressBuffers::Request request;
  };

  void prefetch_switch(std::uint32_t node) const {
    weir::prefetch(&switches_[node]);
    weir::prefetch(&switches_[node].dirty);
  }
  void mark_switch(std::uint32_t node) {
    if (switches_[node].dirty) return;
    switches_[node].dirty = true;
    dirty_switches_.push_back(node);
    needs_match_ = true;
  }

  void match_switch(std::uint32_t node) {
    for (int iteration = 0; iteration < core_.settings.matching_iterations; ++iteration) {
      if (!iterate(node, iteration == 0)) return;
    }
  }

  /// One request-grant-accept round. Returns false when nothing was matched.
  bool iterate(std::uint32_t node, bool first) {
    SwitchState& sw = switches_[node];
    grants_.clear();
    const Mask changed = sw.changed;
    changed.find_cyclic(0, core_.ports[core_.first_port[node]].degree, [&](unsigned output) {
      // What grants but is not accepted is looked at again.
      if (!grant(node, output)) sw.changed.clear(output);
      return false;
    });
    if (grants_.empty()) return false;
    if (grants_.size() == 1) {
      start(node, grants_.front(), first);
      return true;
    }
    accepted_.clear();
    for (const Grant& g : grants_) accept(node, g);
    for (const std::size_t g : accepted_) start(node, grants_[g], first);
    return true;
  }

  /// Output `output` grants the next input in turn that is free and has a head that could go. False
  /// when it cannot grant before something happens, for which it has then asked.
  bool grant(std::uint32_t node, unsigned output) {
    const std::uint32_t port = core_.first_port[node] + output;
    Output& out = core_.links[port];
    if (!requests_of(out).any()) return false;
    if (ports_[port].output_free_at > core_.now) {
      schedule_end(port);
      return false;
    }
    if (!egress_) {
      if (out.free_at > core_.now) {
        core_.wake(port, out.free_at);
        return false;
      }
      core_.links.apply(port, core_.now);
    }
    const Mask candidates = free_requests(node, out);
    if (!candidates.any()) return false;
    if (has_no_room(port)) {
      turns_.lacks_room(port);
      core_.note_no_room_at_all(port, egress_.has_value());
      wait_for_room(port, out);
      return false;
    }
    // In a plain run whatever is at the head of a queue may go into an egress buffer with room.
    if (kPlain && egress_ && !ports_[port].kept.is_overdue(requests_of(out)) &&
        turns_.follows_output(port, 0)) {
      const unsigned input = candidates.first_cyclic(out.next_input, out.owner_degree);
      const auto turn = static_cast<std::uint16_t>(input);
      grants_.push_back({static_cast<std::uint16_t>(output),
                         false,
                         turn,
                         {ingress_.pair_queue(port, input), kNone, turn}});
      return true;
    }
    bool blocked = false;
    std::int64_t ready_at = kNever;
    std::int64_t latest_end = kNever;
    IngressBuffers::Request request;
    deferred_.clear();
    std::uint16_t turn_class = 0;  // of the head that was looked at last
    const auto may_go = [&](const Queue& queue) {
      turn_class = ingress_.turn_class(queue);
      if (std::find(deferred_.begin(), deferred_.end(), turn_class) != deferred_.end())
        return false;
      if (!has_room(port, queue)) {
        blocked = true;
        turns_.lacks_room(port, turn_class);
        core_.note_no_room(port, queue.head_buffer, egress_.has_value());
        return false;
      }
      if (limits_entry_ && !may_enter(port, queue)) {
        blocked = true;
        return false;
      }
      if (latest_end != kNever && !may_go_meanwhile(port, queue, latest_end)) return false;
      if (egress_) return true;  // the crossbar carries what is still arriving
      const std::int64_t ready = core_.packets[queue.head].ready;
      if (ready > core_.now) ready_at = std::min(ready_at, ready);
      return ready <= core_.now;
    };
    if (KeptTurn& kept = ports_[port].kept; kept.is_overdue(requests_of(out))) {
      const unsigned owed = kept.input();
      if (!out.requests.test(owed) || !ingress_.find(port, owed, request, may_go)) {
        if (blocked) turns_.give_turn(port, owed, turn_class);
        kept.drop();
      } else if (candidates.test(owed)) {
        grants_.push_back({static_cast<std::uint16_t>(output), true, kOutOfTurn, request});
        return true;
      } else {
        latest_end = ports_[core_.first_port[node] + owed].input_free_at;
      }
    }
    while (candidates.find_cyclic(out.next_input, out.owner_degree, [&](unsigned input) {
      return ingress_.find(port, input, request, may_go);
    })) {
      const std::uint16_t turn = request.input;
      const std::uint16_t found = turn_class;
      if (turns_.take_turns(port, found, ingress_, requests_of(out), candidates, out.owner_degree,
                            request, may_go)) {
        const bool is_owed = turns_.is_awaited(port, found);
        grants_.push_back({static_cast<std::uint16_t>(output), is_owed, turn, request});
        return true;
      }
      deferred_.push_back(found);
    }
    core_.wake(port, ready_at);
    if (blocked) wait_for_room(port, out);
    return false;
  }

  /// Inputs with a head for `out` that send nothing. The end of what the others send becomes an
  /// event: someone waits for it.
  [[nodiscard]] Mask free_requests(std::uint32_t node, const Output& out) {
    SwitchState& sw = switches_[node];
    const std::uint32_t base = core_.first_port[node];
    const Mask requests = requests_of(out);
    const Mask maybe_busy = requests & sw.busy_inputs;
    if (!maybe_busy.any()) return requests;
    maybe_busy.find_cyclic(0, out.owner_degree, [&](unsigned input) {
      const PortState& in = ports_[base + input];
      if (in.input_free_at > core_.now) {
        schedule_end(base + in.transfer_to);
      } else {
        sw.busy_inputs.clear(input);
      }
      return false;
    });
    return requests.without(sw.busy_inputs);
  }

  /// The end of the transfer to output `port` is an event only where someone waits for it.
  void schedule_end(std::uint32_t port) {
    PortState& out = ports_[port];
    if (out.is_end_scheduled) return;
    out.is_end_scheduled = true;
    core_.schedule(out.output_free_at, kCrossbarDone, port, 0);
  }

  [[nodiscard]] bool has_room(std::uint32_t port, const Queue& queue) const {
    return egress_ ? egress_->has_room(port, queue.head_buffer)
                   : core_.can_send(port, queue.head_buffer);
  }

  [[nodiscard]] bool may_enter(std::uint32_t port, const Queue& queue) const {
    return core_.mechanisms.isolation->may_enter(port, queue.head);
  }

  /// The output waits for an input that is busy until `end`: what goes before has to be over then,
  /// and leaves the room that the one it waits for needs.
  [[nodiscard]] bool may_go_meanwhile(std::uint32_t port, const Queue& queue,
                                      std::int64_t end) const {
    if (transfer_end(port, core_.packets[queue.head]) > end) return false;
    return !classes_share_room_ || egress_->has_room_for_two(port, queue.head_buffer);
  }

  /// Known without a look at the heads.
  [[nodiscard]] bool has_no_room(std::uint32_t port) const {
    return egress_ ? egress_->takes_nothing(port) : core_.links.takes_nothing(port);
  }

  void wait_for_room(std::uint32_t port, Output& out) {
    if (egress_) {
      // Room appears when a transmission ends; the egress side sees to its next start.
      if (out.free_at > core_.now) core_.wake(port, out.free_at);
      return;
    }
    core_.await_feedback(port);
  }

  /// Input side: keeps the grant of the output next in turn.
  void accept(std::uint32_t node, const Grant& g) {
    const std::uint32_t in_port = core_.first_port[node] + g.request.input;
    PortState& in = ports_[in_port];
    const auto index = static_cast<std::size_t>(&g - grants_.data());
    for (std::size_t& held : accepted_) {
      if (grants_[held].request.input != g.request.input) continue;
      const auto turn = [&](const Grant& grant) {
        return std::pair(!grant.is_owed,
                         static_cast<std::uint16_t>(grant.output - in.accept_pointer));
      };
      if (turn(g) < turn(grants_[held])) held = index;
      return;
    }
    accepted_.push_back(index);
  }

  static std::uint16_t behind(unsigned number, unsigned degree) {
    // Without a branch, as departing() of the egress buffers.
    return static_cast<std::uint16_t>((number + 1) * static_cast<unsigned>(number + 1 < degree));
  }

  void start(std::uint32_t node, const Grant& g, bool first) {
    SwitchState& sw = switches_[node];
    const std::uint32_t base = core_.first_port[node];
    const std::uint32_t port = base + g.output;
    const std::uint32_t in_port = base + g.request.input;
    Output& link = core_.links[port];
    const std::uint16_t degree = link.owner_degree;
    ports_[port].kept.serve(g.request.input, requests_of(link) & sw.busy_inputs, link.next_input,
                            degree);
    if (first) {
      if (g.turn != kOutOfTurn) link.next_input = behind(g.turn, degree);
      ports_[in_port].accept_pointer = behind(g.output, degree);
    }
    PortState& in = ports_[in_port];
    const std::uint16_t turn_class = kPlain ? std::uint16_t{0} : ingress_.turn_class(g.request);
    if (g.turn == kOutOfTurn) {
      turns_.serve_out_of_turn(port, turn_class);
    } else {
      turns_.serve(port, g.request.input, g.turn, turn_class, degree);
    }
    std::int64_t end = 0;
    if constexpr (kPlain) {
      const std::uint32_t packet = ingress_.head_of(g.request.queue);
      Packet& p = core_.packets[packet];
      ingress_.pop_from_pair(link, g.request.input, g.request.queue, p);
      if (!link.requests.test(g.request.input)) in.heads.clear(g.output);
      const std::uint32_t size = p.size;
      core_.unstore_plainly(in_port, size);
      end = egress_ ? transfer(port, packet, p) : core_.transmit(port, packet);
      const PortInfo& info = core_.ports[in_port];
      core_.tell(info.upstream, {end + info.upstream_delay, size, 0, Feedback::credit},
                 info.is_fed_across);
    } else {
      end = take_head(g.request, port, in_port);
    }
    sw.changed.clear(g.output);
    sw.busy_inputs.set(g.request.input);
    in.input_free_at = end;
    in.transfer_to = g.output;
    PortState& out = ports_[port];
    out.output_free_at = end;
    out.transfer_from = in_port;
    if (in.heads.any() || requests_of(core_.links[port]).any()) schedule_end(port);
  }

  /// Takes the packet of a request out of its queue, to the link or the egress buffer of `port`.
  /// Returns when the crossbar is free again.
  std::int64_t take_head(const IngressBuffers::Request& request, std::uint32_t port,
                         std::uint32_t in_port) {
    PortState& in = ports_[in_port];
    const std::uint32_t base = core_.ports[port].first_port;
    std::uint32_t next_output = kNone;
    const std::uint32_t packet = ingress_.pop(port, request, next_output);
    if (!core_.links[port].requests.test(request.input)) in.heads.clear(port - base);
    if (next_output != kNone) in.heads.set(next_output - base);
    Packet& p = core_.packets[packet];
    const std::uint16_t buffer = p.buffer;
    core_.unstore(in_port, p);
    ingress_.report_removed(in_port, packet, p, request.queue);
    if (core_.mechanisms.agent) core_.mechanisms.agent->on_removed(PortId(in_port), p);
    if (core_.mechanisms.isolation) {
      core_.mechanisms.isolation->on_removed(Side::ingress(in_port, buffer),
                                             ingress_.number_of(in_port, request.queue), packet);
    }
    const std::int64_t end = egress_ ? transfer(port, packet, p) : core_.transmit(port, packet);
    core_.release(in_port, buffer, p.size, end);
    return end;
  }

  /// When the crossbar is free again if output `port` takes the packet now.
  [[nodiscard]] std::int64_t transfer_end(std::uint32_t port, const Packet& p) const {
    const std::int64_t duration = core_.links[port].duration(p.size);
    if (!egress_) return core_.now + duration;
    if (duration != last_duration_) {
      last_duration_ = duration;
      last_crossing_ =
          static_cast<std::int64_t>(static_cast<double>(duration) / core_.settings.speedup);
    }
    return std::max(core_.now + last_crossing_, p.tail);
  }

  /// Moves a packet to the egress buffer. Returns when the crossbar is free again.
  std::int64_t transfer(std::uint32_t port, std::uint32_t packet, Packet& p) {
    Output& out = core_.links[port];
    const std::int64_t end = transfer_end(port, p);
    const std::int64_t delay = core_.settings.crossbar_delay.count;
    p.tail = end + delay;
    p.ready = std::max(core_.now + delay, p.tail - out.duration(p.size));
    if (kPlain) {
      egress_->push_plainly(port, out, packet, p);
    } else {
      egress_->push(port, packet);
    }
    return end;
  }

  Core& core_;
  bool limits_entry_;
  bool classes_share_room_ = false;  ///< of an egress buffer, whose turns are their own
  IngressBuffers ingress_;
  ClassTurns turns_;
  std::optional<EgressBuffers> egress_;
  HugeVector<PortState> ports_;
  HugeVector<SwitchState> switches_;  ///< per node; those of hosts stay unused
  std::vector<std::uint32_t> dirty_switches_;
  std::vector<Grant> grants_;
  std::vector<std::uint16_t> deferred_;  ///< classes that wait for a busy input, of one output
  std::vector<std::size_t> accepted_;
  /// Packets are mostly of one size: how long the last one took on its link and in the crossbar.
  mutable std::int64_t last_duration_ = -1;
  mutable std::int64_t last_crossing_ = 0;
};

}  // namespace

std::unique_ptr<SwitchModel> make_crossbar_switch(Core& core) {
  const bool has_large = std::any_of(core.ports.begin(), core.ports.end(),
                                     [](const PortInfo& port) { return port.degree > 64; });
  const bool is_plain = core.is_plain && core.settings.voq;
  if (has_large && is_plain) return std::make_unique<CrossbarSwitch<PortMask, true>>(core);
  if (has_large) return std::make_unique<CrossbarSwitch<PortMask, false>>(core);
  if (is_plain) return std::make_unique<CrossbarSwitch<PortWord, true>>(core);
  return std::make_unique<CrossbarSwitch<PortWord, false>>(core);
}

}  // namespace weir::fabric
