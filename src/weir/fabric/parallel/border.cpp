#include "weir/fabric/parallel/border.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weir/base/prefetch.hpp"
#include "weir/fabric/core.hpp"

namespace weir::fabric {

namespace {

template <class T>
void prefetch_lines(const T& object) {
  const auto* bytes = reinterpret_cast<const char*>(&object);
  for (std::size_t at = 0; at < sizeof(T); at += 64) weir::prefetch(bytes + at);
}

}  // namespace

void Crossings::clear() {
  packets.clear();
  records.clear();
  ideal_acks.clear();
  lost.clear();
  feedback.clear();
  controls.clear();
  transits.clear();
  expectations.clear();
  finished.clear();
  earliest = kNever;
}

bool Crossings::is_empty() const {
  return packets.empty() && ideal_acks.empty() && lost.empty() && feedback.empty() &&
         controls.empty() && transits.empty() && expectations.empty() && finished.empty();
}

Stirs Crossings::stirs() const {
  const bool moves = !packets.empty() || !ideal_acks.empty() || !lost.empty() ||
                     !controls.empty() || !transits.empty();
  return {moves, !expectations.empty()};
}

void Crossings::pack(Ranks::Parcel& parcel) const {
  put_value(parcel, earliest);
  put_list(parcel, packets);
  put_list(parcel, records);
  put_list(parcel, ideal_acks);
  put_list(parcel, lost);
  put_list(parcel, feedback);
  put_list(parcel, controls);
  put_list(parcel, transits);
  put_list(parcel, expectations);
  put_list(parcel, finished);
}

void Crossings::unpack(const Ranks::Parcel& parcel, std::size_t& at) {
  earliest = take_value<std::int64_t>(parcel, at);
  take_list(parcel, at, packets);
  take_list(parcel, at, records);
  take_list(parcel, at, ideal_acks);
  take_list(parcel, at, lost);
  take_list(parcel, at, feedback);
  take_list(parcel, at, controls);
  take_list(parcel, at, transits);
  take_list(parcel, at, expectations);
  take_list(parcel, at, finished);
}

std::size_t Crossings::memory() const {
  return (packets.capacity() + ideal_acks.capacity() + lost.capacity()) * sizeof(PacketCrossing) +
         records.capacity() + feedback.capacity() * sizeof(FeedbackCrossing) +
         controls.capacity() * sizeof(ControlCrossing) +
         transits.capacity() * sizeof(TransitCrossing) +
         expectations.capacity() * sizeof(Expectation) +
         finished.capacity() * sizeof(std::uint32_t);
}

Border::Border(std::shared_ptr<const Territories> territories, std::uint16_t part)
    : territories_(std::move(territories)), part_(part) {
  for (std::vector<Crossings>& set : sent_) set.resize(territories_->parts);
  received_.resize(territories_->parts);
}

void Border::send(Core& core, std::int64_t at, std::uint32_t port, std::uint32_t packet) {
  Crossings& out = to(territories_->of_port[port]);
  append(core, out, out.packets, at, port, packet);
}

void Border::send_ideal_ack(Core& core, std::int64_t at, std::uint32_t packet) {
  const std::uint32_t host = core.packets[packet].destination;
  Crossings& out = to(part_of_host(host));
  append(core, out, out.ideal_acks, at, host, packet);
}

void Border::send_lost(Core& core, std::int64_t at, std::uint32_t port, std::uint32_t packet) {
  Crossings& out = to(territories_->of_port[port]);
  append(core, out, out.lost, at, port, packet);
}

void Border::append(Core& core, Crossings& out, std::vector<Crossings::PacketCrossing>& list,
                    std::int64_t at, std::uint32_t port, std::uint32_t packet) {
  Crossings::PacketCrossing& one =
      list.emplace_back(at, port, core.packets[packet], carried_[packet]);
  if (core.records.any()) {
    const std::span<const std::byte> bytes = core.records.all_of(packet);
    one.records_at = static_cast<std::uint32_t>(out.records.size());
    out.records.insert(out.records.end(), bytes.begin(), bytes.end());
  }
  out.earliest = std::min(out.earliest, at);
  core.packets.give_back(packet);
}

void Border::tell(std::uint32_t port, const Feedback& feedback) {
  Crossings& out = to(territories_->of_port[port]);
  out.feedback.push_back({port, feedback});
  out.earliest = std::min(out.earliest, feedback.at);
}

void Border::post(const Core& core, std::int64_t at, std::uint32_t port, ControlSender sender,
                  const ControlMessage& message) {
  Crossings& out = to(territories_->of_port[port]);
  out.controls.push_back({at, port, sender, message, number_of(core, message.recipient())});
  out.earliest = std::min(out.earliest, at);
}

void Border::send(const Core& core, std::int64_t at, std::uint32_t port,
                  const MessagesToHosts::Transit& transit) {
  Crossings& out = to(territories_->of_port[port]);
  out.transits.push_back({at, port, transit, number_of(core, transit.message.recipient())});
  out.earliest = std::min(out.earliest, at);
}

std::uint32_t Border::number_of(const Core& core, const Mechanism* recipient) {
  const auto& all = core.every_mechanism;
  const auto known = std::find(all.begin(), all.end(), recipient);
  if (known == all.end())
    throw std::logic_error("a control message to another part has no recipient there");
  return static_cast<std::uint32_t>(known - all.begin());
}

void Border::expect(std::int64_t at, std::uint16_t buffer, std::uint32_t bytes) {
  for (std::uint16_t other = 0; other < territories_->parts; ++other) {
    if (other == part_) continue;
    Crossings& out = to(other);
    out.expectations.push_back({at, bytes, buffer});
    out.earliest = std::min(out.earliest, at);
  }
}

void Border::finish(std::uint32_t source, std::uint32_t at_source) {
  to(part_of_host(source)).finished.push_back(at_source);
}

std::uint32_t Border::admit(Core& core, const Crossings& all,
                            const Crossings::PacketCrossing& one) {
  const std::uint32_t handle = core.packets.take();
  one.copy_to(core.packets[handle]);
  carry(handle) = one.carried;
  if (core.records.any()) core.records.put(handle, &all.records[one.records_at]);
  return handle;
}

CrossingCounts& CrossingCounts::operator+=(const CrossingCounts& other) {
  packets += other.packets;
  feedback += other.feedback;
  others += other.others;
  return *this;
}

void Border::admit_all(Core& core, MessagesToHosts& to_hosts, const Crossings& all) {
  counts_.packets += all.packets.size();
  counts_.feedback += all.feedback.size();
  counts_.others += all.ideal_acks.size() + all.lost.size() + all.controls.size() +
                    all.transits.size() + all.expectations.size() + all.finished.size();
  // They are in the cache of the core that has written them.
  constexpr std::size_t kAhead = 4;
  for (std::size_t i = 0; i < all.packets.size(); ++i) {
    if (i + kAhead < all.packets.size()) prefetch_lines(all.packets[i + kAhead]);
    const Crossings::PacketCrossing& one = all.packets[i];
    core.schedule(one.at, kArrival, one.port, admit(core, all, one));
  }
  for (const auto& one : all.ideal_acks)
    core.schedule(one.at, kIdealAck, one.port, admit(core, all, one));
  for (const auto& one : all.lost) core.schedule(one.at, kLost, one.port, admit(core, all, one));
  for (const auto& one : all.feedback) core.tell(one.port, one.feedback, false);
  for (const auto& one : all.controls) {
    core.schedule(
        one.at, kControl, one.port,
        core.controls.add(one.sender, one.message.to(*core.every_mechanism[one.mechanism])));
  }
  for (const auto& one : all.transits) {
    MessagesToHosts::Transit transit = one.transit;
    transit.message = transit.message.to(*core.every_mechanism[one.mechanism]);
    to_hosts.admit(one.at, one.port, transit);
  }
  for (const auto& one : all.expectations) core.hear_expectation(one.at, one.buffer, one.bytes);
}

void Border::throw_too_late(std::int64_t at) const {
  throw std::logic_error(
      fmt::format("something reaches part {} of the network at {} ps that has already run to {} ps",
                  part_, at, has_run_to_));
}

std::int64_t Border::pack(std::uint16_t to, Ranks::Parcel& parcel, Stirs& stirs) {
  Crossings& all = sent_[open_][to];
  if (all.is_empty()) return kNever;
  const std::array<std::uint16_t, 2> parts{part_, to};
  put<std::uint16_t>(parcel, parts);
  all.pack(parcel);
  stirs |= all.stirs();
  const std::int64_t first = all.earliest;
  all.clear();
  return first;
}

void Border::turn_over() {
  open_ = 1 - open_;
  has_sent_ = false;
}

Stirs Border::stirs() const {
  Stirs all;
  for (const Crossings& one : sent_[1 - open_]) all |= one.stirs();
  return all;
}

std::size_t Border::memory() const {
  std::size_t bytes = carried_.capacity() * sizeof(CarriedMessage);
  for (const auto& set : sent_)
    for (const Crossings& one : set) bytes += one.memory();
  for (const Crossings& one : received_) bytes += one.memory();
  return bytes;
}

}  // namespace weir::fabric
