#include "weir/rates/fabric_control.hpp"

#include <algorithm>

#include "weir/base/state_archive.hpp"

namespace weir::rates {
namespace {

/// What is scheduled: what becomes of a party or flow, else a ControlEvent plus kEvent.
struct Scheduled {
  std::uint16_t kind;
  std::uint32_t about;  ///< party, flow, or payload
};
constexpr std::uint16_t kStart = 0;
constexpr std::uint16_t kEnd = 1;
constexpr std::uint16_t kWish = 2;
constexpr std::uint16_t kRide = 3;
constexpr std::uint16_t kTurn = 4;
constexpr std::uint16_t kAlight = 5;
constexpr std::uint16_t kEvent = 6;

}  // namespace

void FabricControl::attach(const fabric::FabricView& fabric) {
  clock_ = fabric.clock;
  background_ = fabric.background;
  is_in_.assign(protocol_->party_count(), false);
  for (const PartyChange& change : planned_) schedule(change);
  for (const Wish& wish : wishes_) schedule_change(wish.at, kWish, wish.flow);
}

void FabricControl::schedule(const PartyChange& change) {
  schedule_change(change.at, change.is_start ? kStart : kEnd, change.party);
}

void FabricControl::plan_wish_at(Time at, FlowIndex flow) { schedule_change(at, kWish, flow); }

void FabricControl::plan_ride(FlowIndex flow) {
  ++riding_;
  schedule_change(now(), kRide, flow);
}
void FabricControl::plan_turn(FlowIndex flow) { schedule_change(now(), kTurn, flow); }
void FabricControl::plan_alight(FlowIndex flow) { schedule_change(now(), kAlight, flow); }

void FabricControl::schedule_change(Time at, std::uint16_t kind, std::uint32_t who) {
  ++pending_;
  ++changes_left_;
  background_.schedule(at, 0, {*this, Scheduled{kind, who}});
}

void FabricControl::start(std::uint32_t party, bool rides) {
  is_in_[party] = true;
  changed_at_ = now();
  if (rides) {
    protocol_->start_riding(party);
  } else {
    protocol_->start(party);
  }
}

void FabricControl::change(std::uint16_t kind, std::uint32_t who) {
  switch (kind) {
    case kWish:
      return on_wish_(who);
    case kTurn:
      return protocol_->turn(who);
    case kAlight:
      --riding_;
      return protocol_->alight(who);
    case kEnd:
      is_in_[who] = false;
      changed_at_ = now();
      return protocol_->end(who);
    default:
      return start(who, kind == kRide);
  }
}

void FabricControl::on_control(PortId, const fabric::ControlMessage& message) {
  background_.end();
  --pending_;
  const auto [kind, about] = message.as<Scheduled>();
  if (kind < kEvent) {
    --changes_left_;
    change(kind, about);
  } else {
    protocol_->handle(static_cast<ControlEvent>(kind - kEvent), about);
  }
  const bool is_nothing_left = pending_ == changes_left_ && riding_ == 0;
  const bool is_settled = is_nothing_left || protocol_->is_settled();
  if (is_settled && changed_at_ != Time::max()) note_settled();
  if (!is_quiet()) {
    quiet_since_ = Time::max();
  } else if (quiet_since_ == Time::max()) {
    quiet_since_ = now();
  }
}

void FabricControl::note_settled() {
  const Time took = std::max(Time(), rate_at_ - changed_at_);
  changed_at_ = Time::max();
  ++calculations_.count;
  calculations_.sum += took;
  calculations_.longest = std::max(calculations_.longest, took);
}

void FabricControl::checkpoint_all(StateArchive& state) {
  state(is_in_, changes_left_, pending_, riding_, quiet_since_, changed_at_, rate_at_,
        calculations_);
  protocol_->checkpoint(state);
}

bool FabricControl::is_quiet() const {
  return changes_left_ == 0 && riding_ == 0 && (pending_ == 0 || protocol_->is_settled());
}

Time FabricControl::now() const { return clock_.now(); }

void FabricControl::schedule(Time time, ControlEvent event, LinkIndex link, std::uint32_t payload) {
  const auto kind = static_cast<std::uint16_t>(kEvent + static_cast<std::uint16_t>(event));
  ++pending_;
  background_.schedule(time, link, {*this, Scheduled{kind, payload}});
}

Time FabricControl::transmit(LinkIndex link, Bytes size) {
  return background_.occupy(link, static_cast<std::uint32_t>(size.count), preempts_);
}

}  // namespace weir::rates
