#include <algorithm>

#include <fmt/format.h>

#include "weir/base/prefetch.hpp"
#include "weir/fabric/hooks/known_paths.hpp"
#include "weir/isolation/checkpoint.hpp"
#include "weir/isolation/set_aside.hpp"
#include "weir/isolation/source_routes.hpp"

namespace weir::isolation {

namespace {

using fabric::SetAsideEvent;

/// With what basic and enhanced RECN differ in, and a rule for comparison.
struct RecnSettings : SetAsideSettings {
  bool detects_at_ingress = false;  ///< also in normal queues there, one an output
  bool accepts_specific = false;    ///< lines for points behind the point of another line
  std::uint32_t turn_pool = 31;     ///< bits
  std::optional<bool> explicit_routes;
  bool stops_all = false;  ///< a full queue at an output stops all packets for it
};

/// Regional explicit congestion notification (lippens2010, section 4.1), and with the rules of its
/// two enhancements (section 4.2) enhanced RECN.
///
/// A line holds the path from its side to a congested output. Packets whose remaining route begins
/// with that path go to its queue; of several lines the one with the longest path counts.
class Recn final : public SetAside, public fabric::NeedsKnownPaths {
 public:
  explicit Recn(const RecnSettings& settings) : SetAside(settings), rules_(settings) {}

  void attach(const fabric::FabricView& fabric) override {
    SetAside::attach(fabric);
    routes_.attach(fabric);
    paths_.resize(side_count() * settings_.lines);
  }

  [[nodiscard]] std::string why_known_paths() const override {
    return "congested points are known by the routes that hosts write into the headers of packets, "
           "from which no switch may turn off: take a selection that keeps a connection on one "
           "path, selection.model = \"fixed\" or \"ecmp\", or isolation.model = \"fbicm\", which "
           "knows them by destinations";
  }

  void on_made(std::uint32_t packet) override { routes_.write(packet); }

  void prefetch_packet(std::uint32_t packet) const override { routes_.prefetch(packet); }
  void prefetch_lines(Side side, std::uint32_t destination) const override {
    SetAside::prefetch_lines(side, destination);
    if (valid(side) != 0) weir::prefetch(&path(side, 0));
  }
  void prefetch_route(std::uint32_t source, std::uint32_t destination) const override {
    routes_.prefetch(source, destination);
  }

  std::uint32_t choose_queue(Side side, std::uint32_t packet) override {
    const fabric::Packet& p = packets_[packet];
    if (side.is_egress() && !is_host(side.port())) routes_.advance(packet, side.port());
    const std::uint32_t l = classify(side, routes_.remaining(packet));
    return l == kNoLine ? normal_queue(side, p.out) : line(side, l).queue;
  }

  void on_stored(Side side, std::uint32_t number, std::uint32_t packet) override {
    const std::uint32_t l = line_of(side, number);
    if (l != kNoLine) count_change(0, packets_[packet].size);
    if (!side.is_egress()) {
      if (!settings_.has_egress_queues) [[unlikely]]
        count_joined(side, l, packets_[packet]);
      stored_at_ingress(side, l, number, output_of(packets_[packet]));
    } else if (is_host(side.port())) {
      if (l != kNoLine) limit_egress(side, line(side, l), false);
    } else {
      stored_at_egress(side, l, input_of(packets_[packet]));
    }
  }

  [[nodiscard]] std::uint32_t injection_queue(Side side, std::uint32_t source,
                                              std::uint32_t destination,
                                              std::uint16_t connection) override {
    const std::uint32_t l =
        valid(side) == 0
            ? kNoLine
            : classify(side, routes_.route({HostId(source), HostId(destination), connection}));
    return l == kNoLine ? 0 : line(side, l).queue;
  }
  [[nodiscard]] bool admits(Side side, std::uint32_t number) const override {
    return number == 0 ? has_injection_room(side)
                       : queue(side, number).bytes < settings_.xoff.count;
  }

  [[nodiscard]] bool limits_entry() const override { return rules_.stops_all; }
  [[nodiscard]] bool may_enter(std::uint32_t port, std::uint32_t packet) const override {
    const Side side = Side::egress(port, packets_[packet].next_buffer);
    const std::uint64_t route = TurnPool::advance(routes_.remaining(packet), routes_.width(port));
    const std::uint32_t l = classify(side, route);
    return l == kNoLine || !line(side, l).stops_inside;
  }

  void checkpoint(fabric::NodeState& state) override {
    SetAside::checkpoint(state);
    of_sides(state, paths_, settings_.lines);
  }
  [[nodiscard]] std::size_t memory() const override {
    return SetAside::memory() + routes_.memory() + paths_.capacity() * sizeof(LineName);
  }

  [[nodiscard]] std::vector<std::string> notes() const override {
    return notes_of(counts_for_notes());
  }
  /// Instances by the bits of their longest route.
  [[nodiscard]] std::vector<std::uint64_t> counts_for_notes() const override {
    std::vector<std::uint64_t> counts(TurnPool::kMostBits + 1, 0);
    counts.at(routes_.longest()) = 1;
    return counts;
  }
  [[nodiscard]] std::vector<std::string> notes_of(
      std::span<const std::uint64_t> counts) const override {
    std::vector<std::string> all = SetAside::notes();
    std::size_t longest = counts.size() - 1;
    while (longest > 0 && counts[longest] == 0) --longest;
    if (longest > rules_.turn_pool) {
      all.push_back(fmt::format(
          "routes of {} bits do not fit into the turn pool of {} bits (isolation.turn_pool): it "
          "was widened",
          longest, rules_.turn_pool));
    }
    return all;
  }

 private:
  [[nodiscard]] std::uint32_t classify(Side side, std::uint64_t route) const {
    std::uint32_t found = kNoLine;
    unsigned longest = 0;
    for (std::uint64_t left = valid(side); left != 0; left &= left - 1) {
      const auto l = static_cast<std::uint32_t>(std::countr_zero(left));
      const LineName& one = path(side, l);
      if (one.bits <= longest || !leads_through(route, one)) continue;
      found = l;
      longest = one.bits;
    }
    return found;
  }

  [[nodiscard]] const LineName& path(Side side, std::uint32_t l) const {
    return paths_[at(side) * settings_.lines + l];
  }
  void set_path(Side side, std::uint32_t l, const LineName& name) {
    line(side, l).name = paths_[at(side) * settings_.lines + l] = name;
    note_change(side);
  }
  void on_freed(Side side, std::uint32_t) override { note_change(side); }

  /// Invariants of what RECN addresses.
  void check_line(Side side, std::uint32_t l) const override {
    const Line& one = line(side, l);
    if (one.name != path(side, l)) throw RunError("a set-aside queue is looked up by another path");
    std::uint32_t packet = queue(side, one.queue).head;
    for (; packet != fabric::kNone; packet = packets_[packet].next) {
      if (leads_through(routes_.remaining(packet), one.name)) continue;
      throw RunError(
          fmt::format("a packet set aside for {} does not go there", graph_->name(one.root)));
    }
  }

  // --- Detection and propagation

  void stored_at_ingress(Side side, std::uint32_t l, std::uint32_t number, LocalPort output) {
    if (l != kNoLine) {
      Line& one = line(side, l);
      if (bytes(side, one) > settings_.propagate.count && !one.notified_up && may_ask_up(side, one))
        ask_up(side, one, about(one));
      limit_ingress(side, one);
      return;
    }
    if (!settings_.has_egress_queues) [[unlikely]]
      detect_for_output(side, output);
    if (!rules_.detects_at_ingress || queue(side, number).bytes <= settings_.detect_ingress.count) {
      return;
    }
    if (find_child(side, output, {}) != kNoLine) return;
    const std::int64_t waiting = bytes_for(side, number, output.buffer);
    if (waiting <= settings_.detect_ingress.count) return;
    detect_at_ingress(side, number, output, waiting == queue(side, number).bytes);
  }

  /// Bytes in a detection queue that go to class `behind` of its output.
  [[nodiscard]] std::int64_t bytes_for(Side side, std::uint32_t number,
                                       std::uint16_t behind) const {
    const fabric::Queue& all = queue(side, number);
    if (lanes_ == 1) return all.bytes;
    std::int64_t bytes = 0;
    for (std::uint32_t p = all.head; p != fabric::kNone; p = packets_[p].next)
      bytes += packets_[p].next_buffer == behind ? packets_[p].size : 0;
    return bytes;
  }

  /// `takes_all`: all that is in the detection queue `number` is for the congested point.
  void detect_at_ingress(Side side, std::uint32_t number, LocalPort output, bool takes_all) {
    const PortId root(port_at(side.port(), output.number));
    count_detection(side, root);
    const std::uint32_t l = take_line(side, root, 0);
    if (l == kNoLine) return;
    Line& one = line(side, l);
    set_path(side, l, extended({}, side.port(), output));
    one.output = output;
    one.is_root = true;
    if (takes_all) {
      take_over(side, l, number);
    } else {
      add_barrier(side, one, number);
      update(side, one);
    }
    if (may_ask_up(side, one)) ask_up(side, one, about(one));
  }

  /// Switches that queue at ingress only: more waits for the output than may, at all inputs.
  void detect_for_output(Side side, LocalPort output) {
    if (!is_to_ask_for(side, output)) return;
    const Side out = output_of(side, output);
    Notice notice;
    notice.root = PortId(out.port());
    count_detection(out, notice.root);
    ask_input(out, kNoLine, local(side), notice);
  }

  void on_passed(Side side, std::uint32_t packet) override {
    const Side out = output_of(side, output_of(packets_[packet]));
    routes_.advance(packet, out.port());
    const std::uint32_t l = classify(out, routes_.remaining(packet));
    if (l == kNoLine) return;
    const LocalPort input = local(side);
    limit_egress(out, line(out, l), child_at(side, out, line(out, l)) == kNoLine);
    if (has_asked_input(out, l, input) || !may_ask_input(out, l, input.number)) return;
    ask_input(out, l, input, about(line(out, l)));
  }

  void stored_at_egress(Side side, std::uint32_t l, LocalPort input) {
    if (l == kNoLine) {
      if (queue(side, 0).bytes <= settings_.detect.count) return;
    } else {
      Line& one = line(side, l);
      limit_egress(side, one, child_at(input_of(side, input), side, one) == kNoLine);
      if (bytes(side, line(side, l)) <= settings_.propagate.count) return;
    }
    if (has_asked_input(side, l, input) || !may_ask_input(side, l, input.number)) return;
    if (l != kNoLine) {
      ask_input(side, l, input, about(line(side, l)));
      return;
    }
    Notice notice;
    notice.root = PortId(side.port());
    count_detection(side, notice.root);
    ask_input(side, l, input, notice);
  }

  [[nodiscard]] static Notice about(const Line& one) {
    Notice notice;
    notice.root = one.root;
    notice.hops = one.hops;
    return notice;
  }

  // --- Requests

  /// The path with the turn from ingress `port` to `output` in front.
  [[nodiscard]] LineName extended(const LineName& rest, std::uint32_t port,
                                  LocalPort output) const {
    TurnPool pool{rest.value, rest.bits};
    const unsigned turn = routes_.turn(port, output.number, lane_of(output.buffer));
    const bool fits = pool.prepend(turn, routes_.width(port));
    if (!fits) throw RunError("isolation.model: a path to a congested point outgrew the turn pool");
    return {pool.value, static_cast<std::uint8_t>(pool.bits)};
  }

  /// Takes a line for the path `route`, unless the rules refuse it.
  std::uint32_t install(Side side, const LineName& route, std::uint32_t normal,
                        const Notice& notice) {
    std::uint32_t prefix = kNoLine;
    unsigned longest = 0;
    for (std::uint64_t left = valid(side); left != 0; left &= left - 1) {
      const auto l = static_cast<std::uint32_t>(std::countr_zero(left));
      const LineName& other = path(side, l);
      if (other.bits >= route.bits || other.bits <= longest) continue;
      if (!leads_through(route.value, other)) continue;
      prefix = l;
      longest = other.bits;
    }
    if (!rules_.accepts_specific && prefix != kNoLine) {
      count_refusal(side, notice.root, notice.hops, SetAsideEvent::refused_specific);
      return kNoLine;
    }
    const std::uint32_t l = take_line(side, notice.root, notice.hops);
    if (l == kNoLine) return kNoLine;
    Line& one = line(side, l);
    set_path(side, l, route);
    one.parent = notice.line;
    one.is_owed = true;
    if (prefix == kNoLine) {
      add_barrier(side, one, normal);
      return l;
    }
    // Packets for the new point have so far gone where those for the nearer one go. When none is
    // there, they may still have to wait for what that queue waits for.
    const Line& nearer = line(side, prefix);
    if (packets_in(side, nearer.queue) > 0) {
      add_barrier(side, one, nearer.queue);
    } else {
      add_barriers(side, one, nearer);
    }
    return l;
  }

  void on_request_inside(Side side, LocalPort output, const Notice& notice) override {
    const std::uint32_t known = find_child(side, output, notice.line);
    if (known != kNoLine) {
      Line& one = line(side, known);
      if (one.is_owed) {
        refuse_inside(side, output, notice);
      } else {
        one.is_owed = true;  // detection at ingress was quicker than that at egress
      }
      return;
    }
    const std::uint32_t l = install(side, extended(notice.line, side.port(), output),
                                    normal_queue(side, output.number), notice);
    if (l == kNoLine) {
      refuse_inside(side, output, notice);
      return;
    }
    Line& one = line(side, l);
    one.output = output;
    join_parent(side, one);
    update(side, one);
  }

  void on_request(Side side, const Notice& notice) override {
    Notice farther = notice;
    ++farther.hops;
    const std::uint32_t known = find_name(side, notice.line);
    if (rejoin(side, known, notice)) return;
    const std::uint32_t l = known != kNoLine ? kNoLine : install(side, notice.line, 0, farther);
    if (l == kNoLine) {
      refuse(side, notice);
    } else {
      update(side, line(side, l));
    }
  }

  RecnSettings rules_;
  SourceRoutes routes_;
  HugeVector<LineName> paths_;  ///< names of the lines once more, close together: all are looked at
};

using RecnFile = Checked<RecnSettings>;
using R = RecnSettings;

/// Without `explicit_routes` written: unless switches look outputs up in tables.
void check_routes(const RecnFile& file, const fabric::IsolationContext& context) {
  if (file->explicit_routes.value_or(!context.routing->is_table_based())) return;
  if (file->explicit_routes) {
    throw file.error(&R::explicit_routes,
                     "congested points are known by the routes in the headers of packets: "
                     "it must be true, or isolation.model = \"fbicm\", which knows them by "
                     "destinations");
  }
  throw InputError(
      "isolation.model",
      "needs routes in the headers of packets, but routing.model looks the "
      "output up in a table at every switch: set isolation.explicit_routes = true, so that "
      "hosts write the routes of these tables into the headers, or take isolation.model = "
      "\"fbicm\"");
}

std::unique_ptr<fabric::Isolation> make_recn(const RecnFile& file,
                                             const fabric::IsolationContext& context) {
  check_routes(file, context);
  if (file->stops_all && context.fabric.architecture == fabric::Architecture::input_queued) {
    throw file.error(&R::stops_all,
                     "\"all\" stops packets before a full queue at an output, which only "
                     "switch.architecture = \"cioq\" has");
  }
  RecnSettings made = *file;
  static_cast<SetAsideSettings&>(made) = set_aside_settings(file, context);
  if (made.detects_at_ingress && !made.has_detection_queues) {
    throw file.error(&R::detects_at_ingress,
                     "\"both\" needs a normal queue for each output at ingress: set "
                     "isolation.ingress = \"per-output\"");
  }
  if (!made.detects_at_ingress && file.is_given(&R::detect_ingress)) {
    throw file.error(&R::detect_ingress,
                     "means nothing with isolation.detection = \"egress\"; \"both\" needs it");
  }
  return std::make_unique<Recn>(made);
}

Keys<RecnSettings> recn_keys(bool is_enhanced) {
  RecnSettings defaults;
  defaults.detects_at_ingress = defaults.has_detection_queues = defaults.accepts_specific =
      is_enhanced;
  return Keys<RecnSettings>(defaults, {})
      .with(set_aside_keys("saqs", defaults))
      .with({choice(&R::detects_at_ingress, "detection",
                    "sides of a switch at which a normal queue can be found congested",
                    {{"egress", false}, {"both", true}}),
             choice(&R::has_detection_queues, "ingress",
                    "normal queues at ingress: per-output, one for each output of the switch; or "
                    "single",
                    {{"per-output", true}, {"single", false}}),
             choice(&R::accepts_specific, "accept",
                    "requests that find a line for a point nearer on the same path: all are "
                    "accepted, or less-specific ones only, which refuses them",
                    {{"less-specific", false}, {"all", true}}),
             key(&R::turn_pool, "turn_pool",
                 "bits of the header for the route; widened where routes are longer")
                 .range(31, TurnPool::kMostBits),
             key(&R::explicit_routes, "explicit_routes",
                 "whether hosts write routes into the headers (default: unless switches look "
                 "outputs up in tables)"),
             choice(&R::stops_all, "internal_stop",
                    "packets that a full set-aside queue at an output stops: those of its pair at "
                    "each input, or all packets for it (a rule that fails, for comparison)",
                    {{"pair", false}, {"all", true}})});
}

const Registration<fabric::IsolationFactory> basic(
    fabric::isolation_registry(),
    {"recn",
     "set-aside queues for paths to congested outputs; detection at egress, notified hop by hop",
     "duato2005recn; garcia2005recn; mora2007recniq; lippens2010, section 4.1"},
    recn_keys(false), make_recn);

const Registration<fabric::IsolationFactory> enhanced(
    fabric::isolation_registry(),
    {"recn-enhanced", "RECN with detection at ingress, and lines for points behind other points",
     "garcia2006recn; mora2007recniq; lippens2010, section 4.2"},
    recn_keys(true), make_recn);

}  // namespace

}  // namespace weir::isolation
