#include "weir/experiment/run/divided_director.hpp"

#include <algorithm>
#include <limits>

#include "weir/topology/graph.hpp"

namespace weir::experiment {

/// What happens in one part: told by its thread, read while all stand still.
class DividedDirector::Work final : public fabric::PartWork {
 public:
  Work(DividedDirector& whole, std::size_t part)
      : whole_(whole), players_(whole.director_.players()), flows_(whole.flows_), part_(part) {}

  void on_generated(const fabric::Message& message, Time /*now*/) override {
    if (!flows_.is_empty()) flows_.on_generated(message);
  }
  void on_injected(const fabric::Packet& packet, const fabric::Message& message) override {
    whole_.reservations_.on_injected(packet, message);
  }
  void on_refused(HostId, const fabric::MessageRequest&, std::uint8_t traffic_class) override {
    count(traffic_class);
  }
  void on_delivered(const fabric::Packet& packet, const fabric::Message& message, Time now,
                    bool) override {
    ++delivered;
    if (!flows_.is_empty()) flows_.on_delivered(packet, message, now);
    AwaitedBytes* awaited = nullptr;
    const std::size_t player = players_.owner(message);
    if (player != workload::Players::none() && !whole_.of_players_.empty()) {
      awaited = &whole_.of_players_[player];
    } else if (whole_.of_phase_ && flows_.awaited(message)) {
      awaited = whole_.of_phase_.get();
    }
    if (awaited == nullptr) return;
    const std::int64_t header = whole_.fabric_->settings().header.count;
    awaited->arrive(part_, HostId(packet.destination), packet.size - header);
  }
  void on_message_complete(const fabric::Message& message, Time now) override {
    if (!flows_.is_empty()) flows_.on_message_complete(message, now);
    if (whole_.of_phase_) {
      if (const auto flow = flows_.awaited(message)) ended.push_back({*flow, now});
    }
    count(message.traffic_class);
    is_due_ = players_.on_message_complete(message, part_) || is_due_;
  }
  void on_lost(const fabric::Packet&, const fabric::Message& message, PortId, Time) override {
    (void)players_.on_lost(message, part_);
    if (whole_.of_phase_ && flows_.awaited(message)) has_lost_awaited = true;
  }
  [[nodiscard]] Time next() const override { return players_.next(part_); }
  [[nodiscard]] bool is_due() const override { return is_due_; }
  void act(Time now) override {
    is_due_ = false;
    players_.step(*whole_.fabric_, part_, now);
  }

  std::uint64_t delivered = 0;    ///< data packets since take_counts()
  std::uint64_t of_last = 0;      ///< likewise, messages that until = { delivered = .. } waits for
  std::vector<Ended> ended;       ///< flows that another phase waits for, since take_ended()
  bool has_lost_awaited = false;  ///< one of these; ever

 private:
  void count(std::uint8_t traffic_class) {
    if (whole_.last_class_ == traffic_class) ++of_last;
  }

  DividedDirector& whole_;
  workload::Players& players_;
  FlowTraffic& flows_;
  std::size_t part_;
  bool is_due_ = false;
};

DividedDirector::DividedDirector(const Configuration& configuration, Director& director,
                                 FlowTraffic& flows, ReservationWatch& reservations,
                                 std::size_t parts)
    : director_(director),
      flows_(flows),
      reservations_(reservations),
      failures_(configuration.failures),
      until_workload_(configuration.until_workload) {
  const fabric::FabricSettings& settings = configuration.fabric;
  may_refuse_ = settings.when_full == fabric::WhenFull::discard ||
                settings.saturation == fabric::Saturation::full_rate;
  if (director.last()) last_class_ = director.last()->traffic_class();
  for (std::size_t p = 0; p < parts; ++p) works_.push_back(std::make_unique<Work>(*this, p));
  director.only_watch();
  flows.divide();
}

DividedDirector::~DividedDirector() = default;

fabric::PartWork& DividedDirector::next_work() { return *works_[attached_++]; }

void DividedDirector::attach(fabric::Fabric& fabric) {
  fabric_ = &fabric;
  const topology::Graph& graph = fabric.graph();
  reservations_.divide(graph.host_count());
  Rate slowest(std::numeric_limits<std::int64_t>::max());
  for (const topology::Port& port : graph.ports()) {
    if (port.to.valid()) slowest = std::min(slowest, port.link.rate);
  }
  const Bytes packet = fabric.settings().mtu + fabric.settings().header;
  for (const Failure& failure : failures_) {
    // What has begun to leave when the link comes back is lost a little later.
    const Time until = failure->until == Time::max()
                           ? Time::max()
                           : failure->until + serialization_time(packet, slowest);
    outages_.emplace_back(failure->at, until);
  }
  workload::Players& players = director_.players();
  players.divide(fabric);
  const Bytes smallest(fabric.settings().header.count + 1);
  for (std::size_t h = 0; h < graph.host_count(); ++h) {
    const PortId feeder = graph.port(graph.host_port(HostId(h))).from;
    if (!feeder.valid()) continue;
    const Time each = serialization_time(smallest, graph.port(feeder).link.rate);
    most_between_meetings_ += static_cast<std::uint64_t>(
        fabric.longest_window().count / std::max<std::int64_t>(1, each.count) + 1);
  }
  // What hosts hold back until its turn comes may be let go all at once.
  if (fabric.settings().order == fabric::HostOrder::reorder)
    most_between_meetings_ = std::numeric_limits<std::uint64_t>::max();
  if (flows_.has_next_phase()) await_phase();
  await_players();
}

void DividedDirector::await_players() {
  of_players_.clear();
  const workload::Players& players = director_.players();
  for (std::size_t p = 0; p < players.size() && until_workload_; ++p) {
    AwaitedBytes& awaited = of_players_.emplace_back(*fabric_);
    const workload::Schedule& schedule = players[p].schedule();
    const std::vector<HostId>& hosts = players[p].hosts();
    for (std::size_t r = 0; r < hosts.size(); ++r) {
      std::uint32_t number = schedule.first(workload::RankId(r));
      for (const workload::Operation& one : schedule.operations(workload::RankId(r))) {
        const bool is_unsent = players[p].is_unsent(number++);
        if (one.kind != workload::OperationKind::send || hosts[r] == hosts[one.peer]) continue;
        // How much of a message has arrived that is on its way, nobody knows here.
        if (is_unsent) awaited.add(hosts[one.peer], Bytes(std::max<std::int64_t>(1, one.amount)));
      }
    }
  }
}

void DividedDirector::await_phase() {
  of_phase_ = nullptr;
  if (!flows_.has_next_phase()) return;
  of_phase_ = std::make_unique<AwaitedBytes>(*fabric_);
  for (const std::uint32_t flow : flows_.phase()) {
    // How much is left of one that has begun to arrive, nobody knows here.
    if (!flows_.has_arrived(flow)) of_phase_->add(flows_.destination(flow), flows_.size(flow));
  }
}

void DividedDirector::exchange() { (void)director_.players().exchange(); }

bool DividedDirector::may_act(Time first, Time end) {
  director_.players().check();
  settle();
  return may_start_sources() || may_have_last() || may_end_workloads(first, end) || may_end_phase();
}

/// In one window: what is delivered then has been in the network before.
std::uint64_t DividedDirector::most_deliveries() const {
  return std::min(most_between_meetings_, in_flight_);
}

bool DividedDirector::may_start_sources() const {
  const traffic::Progress& progress = director_.progress();
  return progress.waiting() > 0 && progress.missing() <= most_deliveries();
}

bool DividedDirector::may_have_last() const {
  if (!last_class_ || director_.has_last()) return false;
  return may_refuse_ || director_.last()->left() <= most_deliveries();
}

bool DividedDirector::may_end_workloads(Time first, Time end) const {
  if (!until_workload_) return false;
  const bool may_lose = std::any_of(outages_.begin(), outages_.end(), [&](const auto& outage) {
    return outage.first < end && first <= outage.second;
  });
  const bool holds_back = fabric_->settings().order == fabric::HostOrder::reorder;
  const workload::Players& players = director_.players();
  for (std::size_t p = 0; p < players.size(); ++p) {
    if (players[p].earliest_end() >= end && !players[p].is_over()) return false;
    if (!may_lose && !holds_back && !players[p].has_lost() && of_players_[p].holds()) return false;
  }
  return true;
}

bool DividedDirector::may_end_phase() const {
  if (!of_phase_) return false;
  // What is lost never comes, and the phase never ends.
  if (has_lost_of_phase_) return false;
  return fabric_->settings().order == fabric::HostOrder::reorder || !of_phase_->holds();
}

DividedDirector::Counts& DividedDirector::Counts::operator+=(const Counts& other) {
  delivered += other.delivered;
  of_last += other.of_last;
  in_flight += other.in_flight;
  lost_of_phase += other.lost_of_phase;
  return *this;
}

DividedDirector::Counts DividedDirector::take_counts() {
  Counts counts;
  for (const auto& work : works_) {
    counts.delivered += std::exchange(work->delivered, 0);
    counts.of_last += std::exchange(work->of_last, 0);
    counts.lost_of_phase += work->has_lost_awaited ? 1 : 0;
  }
  counts.in_flight = fabric_->packets_in_flight_here();
  return counts;
}

std::vector<DividedDirector::Ended> DividedDirector::take_ended() {
  std::vector<Ended> ended;
  for (const auto& work : works_) {
    ended.insert(ended.end(), work->ended.begin(), work->ended.end());
    work->ended.clear();
  }
  return ended;
}

void DividedDirector::count(const Counts& all, const std::vector<Ended>& ended) {
  in_flight_ = all.in_flight;
  has_lost_of_phase_ = all.lost_of_phase > 0;
  if (all.delivered > 0) director_.progress().on_delivered(all.delivered);
  if (last_class_ && all.of_last > 0) director_.last()->count_all(all.of_last);
  if (ended.empty()) return;
  const std::vector<std::uint32_t>* before = &flows_.phase();
  for (const auto& [flow, at] : ended) flows_.end_awaited(flow, at);
  if (&flows_.phase() != before) await_phase();
}

std::vector<AwaitedBytes*> DividedDirector::awaited() {
  std::vector<AwaitedBytes*> all;
  for (AwaitedBytes& one : of_players_) all.push_back(&one);
  if (of_phase_) all.push_back(of_phase_.get());
  return all;
}

Time DividedDirector::tell(std::span<Ranks::Parcel> to) {
  const Counts mine = take_counts();
  std::vector<std::uint8_t> holds;
  for (const AwaitedBytes* one : awaited()) holds.push_back(one->holds_here() ? 1 : 0);
  const std::vector<Ended> ended = take_ended();
  for (Ranks::Parcel& parcel : to) {
    put_value(parcel, mine);
    put_list(parcel, ended);
    put_list(parcel, holds);
  }
  return director_.players().tell(to);
}

void DividedDirector::hear(std::span<const Ranks::Parcel> told) {
  std::vector<std::size_t> at(told.size(), 0);
  Counts all;
  std::vector<Ended> ended;
  std::vector<Ended> its_ended;
  const std::vector<AwaitedBytes*> awaited = this->awaited();
  std::vector<std::uint8_t> hold(awaited.size(), 0);
  std::vector<std::uint8_t> its;
  for (std::size_t r = 0; r < told.size(); ++r) {
    all += take_value<Counts>(told[r], at[r]);
    take_list(told[r], at[r], its_ended);
    ended.insert(ended.end(), its_ended.begin(), its_ended.end());
    take_list(told[r], at[r], its);
    for (std::size_t i = 0; i < hold.size(); ++i) hold[i] |= its.at(i);
  }
  for (std::size_t i = 0; i < hold.size(); ++i) awaited[i]->hear(hold[i] != 0);
  director_.players().hear(told, at);
  count(all, ended);
}

void DividedDirector::settle() {
  // All has been heard of with the last exchange.
  if (fabric_->ranks() != nullptr) return;
  const Counts counts = take_counts();
  count(counts, take_ended());
}

void DividedDirector::in_instant(Time) {
  if (of_phase_) settle();
}

bool DividedDirector::after_instant(Time) {
  settle();
  const traffic::Progress& progress = director_.progress();
  if (progress.waiting() > 0 && progress.missing() == 0) director_.start_sources();
  return is_over();
}

bool DividedDirector::is_over() const {
  return (until_workload_ && director_.players().are_over()) || director_.has_last();
}

}  // namespace weir::experiment
