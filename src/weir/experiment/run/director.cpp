#include "weir/experiment/run/director.hpp"

#include <utility>

#include "weir/base/state_archive.hpp"

namespace weir::experiment {

Director::Director(metrics::Recorder& recorder, FlowTraffic& flows, ReservationWatch& reservations,
                   std::vector<traffic::HostSource>& sources,
                   std::vector<workload::Workload> workloads,
                   const std::optional<LastMessage>& last)
    : recorder_(recorder),
      flows_(flows),
      reservations_(reservations),
      progress_(sources),
      last_(last) {
  for (workload::Workload& one : workloads) {
    players_.add(one.name, one.settings.traffic_class,
                 workload::Player(std::move(one.schedule), std::move(one.hosts), one.settings));
  }
}

void Director::on_generated(const fabric::Message& message, Time now) {
  recorder_.on_generated(message, now);
  if (!only_watches_) flows_.on_generated(message);
}

void Director::on_refused(HostId source, const fabric::MessageRequest& request,
                          std::uint8_t traffic_class) {
  recorder_.on_refused(source, request, traffic_class);
  count(traffic_class);
}

void Director::on_injected(const fabric::Packet& packet, const fabric::Message& message) {
  recorder_.on_injected(packet, message);
  if (!only_watches_) reservations_.on_injected(packet, message);
}

void Director::on_delivered(const fabric::Packet& packet, const fabric::Message& message, Time now,
                            bool in_order) {
  recorder_.on_delivered(packet, message, now, in_order);
  if (only_watches_) return;
  flows_.on_delivered(packet, message, now);
  if (!progress_.on_delivered()) return;
  is_due_ = true;
  fabric_->stop();
}

void Director::on_message_complete(const fabric::Message& message, Time now) {
  recorder_.on_message_complete(message, now);
  if (only_watches_) return;
  flows_.on_message_complete(message, now);
  count(message.traffic_class);
  if (players_.on_message_complete(message)) fabric_->stop();
}

void Director::on_lost(const fabric::Packet& packet, const fabric::Message& message, PortId port,
                       Time now) {
  recorder_.on_lost(packet, message, port, now);
  if (!only_watches_ && players_.on_lost(message)) fabric_->stop();
}

bool Director::step() {
  const bool some_start = std::exchange(is_due_, false);
  if (some_start) start_sources();
  return players_.step(*fabric_) || some_start;
}

void Director::start_sources() {
  phases_at_starts_.push_back(flows_.phase_number());
  for (traffic::HostSource& one : progress_.take_due()) {
    fabric_->add_source(one.host, std::move(one.source));
  }
}

void Director::checkpoint(StateArchive& state) {
  progress_.checkpoint(state);
  if (last_) last_->checkpoint(state);
  players_.checkpoint(state);
  state(phases_at_starts_);
  flows_.checkpoint(state);
  if (!state.is_reading()) return;
  // In the order in which they were added, by which hosts know them.
  for (std::size_t time = 0; time < progress_.times_begun(); ++time) {
    flows_.begin_again(phases_at_starts_.at(time));
    for (traffic::HostSource& one : progress_.take_begun(time))
      fabric_->add_source_later(one.host, std::move(one.source));
  }
  flows_.go_on();
}

}  // namespace weir::experiment
