#include "weir/marking/qcn.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "weir/base/keys.hpp"
#include "weir/base/metric_registry.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"

namespace weir::marking {

namespace {

/// Feedback has six bits.
constexpr double kMostSevere = 63;

InputError nobody_takes() {
  return InputError("marking.model",
                    "qcn sends messages to sources, which reaction.model = \"qcn\" takes");
}

}  // namespace

void CongestionPoint::prepare(const fabric::FabricView& fabric) {
  ports_ = fabric.ports;
  links_ = fabric.links;
  buffers_ = fabric.buffers;
  packets_ = fabric.packets;
  is_split_ = fabric.settings.memory == fabric::Memory::split;
  to_hosts_ = &fabric.to_hosts;
  if (fabric.mechanisms.reaction == nullptr) throw nobody_takes();
  // What waits at the inputs for one output has no bound of its own.
  const std::int64_t parts = is_split_ ? buffers_.classes() : 1;
  const std::int64_t capacity = fabric.settings.egress_buffer.count / parts;
  if (egress() != nullptr && settings_.set_point.count >= capacity) {
    throw InputError("marking.set_point",
                     fmt::format("the queue would never be longer than {}: a buffer holds {}",
                                 to_string(settings_.set_point), to_string(Bytes(capacity))));
  }
  queues_.resize(buffers_.size());
  for (std::uint32_t q = 0; q < queues_.size(); ++q) {
    queues_[q].left = static_cast<double>(settings_.sample_base.count);
    queues_[q].random = RandomStream(fabric.settings.seed, q, StreamPurpose::marking);
  }
}

void CongestionPoint::tell(fabric::Mechanism& source) {
  if (source_ != nullptr) throw InputError("reaction.parts", "only one of them can be qcn");
  source_ = &source;
}

void CongestionPoint::on_ingress(PortId, fabric::Packet& packet) {
  if (egress() != nullptr) return;
  const std::uint32_t output = ports_.output_of(packet);
  consider(output, 0, packet, links_.queued_bytes(output) + packet.size);
}

void CongestionPoint::on_egress(PortId port, fabric::Packet& packet) {
  const std::uint16_t queue = is_split_ ? packet.next_buffer : std::uint16_t{0};
  consider(port.value, queue, packet, egress()->fill(port.value, packet.next_buffer).bytes);
}

std::uint32_t CongestionPoint::severity(std::int64_t queue, std::int64_t before) const {
  const auto set_point = static_cast<double>(settings_.set_point.count);
  const double excess = static_cast<double>(queue) - set_point;
  const double growth = static_cast<double>(queue - before);
  const double feedback = excess + settings_.weight * growth;
  if (feedback <= 0) return 0;
  const double largest = set_point * (1 + 2 * settings_.weight);
  return static_cast<std::uint32_t>(std::min(kMostSevere, feedback / largest * kMostSevere));
}

double CongestionPoint::interval(std::uint32_t severity) const {
  return static_cast<double>(settings_.sample_base.count) / (severity / 8 + 1);
}

void CongestionPoint::consider(std::uint32_t output, std::uint16_t buffer,
                               const fabric::Packet& packet, std::int64_t bytes) {
  if (packet.is_ack()) return;
  Queue& queue = queues_[buffers_.index(output, buffer)];
  queue.left -= packet.size;
  if (queue.left > 0) return;
  ++samples_;
  const std::uint32_t severe = severity(bytes, queue.before);
  queue.before = bytes;
  queue.left = interval(severe) * (1 + settings_.jitter * (2 * queue.random.unit() - 1));
  if (severe == 0) return;
  if (source_ == nullptr) throw nobody_takes();
  const std::uint32_t flow = packets_.flow_of(packet);
  to_hosts_->send_to_source(PortId(output), packet, settings_.message,
                            {*source_, QcnFeedback{flow, severe}});
}

// It sets no bits of which there would be something to tell.
void CongestionPoint::read(fabric::Readings& readings, Time) const {
  readings.count("qcn_samples", static_cast<double>(samples_));
}

void CongestionPoint::checkpoint(fabric::NodeState& state) {
  SwitchMarker::checkpoint(state);
  state.of_ports(queues_, static_cast<std::size_t>(buffers_.classes()));
}

void CongestionPoint::checkpoint_totals(fabric::TotalState& state) {
  SwitchMarker::checkpoint_totals(state);
  state.sum(samples_);
}

std::size_t CongestionPoint::memory() const {
  return SwitchMarker::memory() + queues_.capacity() * sizeof(Queue);
}

std::vector<std::string> CongestionPoint::notes() const { return notes_of(counts_for_notes()); }

std::vector<std::uint64_t> CongestionPoint::counts_for_notes() const {
  return {to_hosts_ == nullptr ? 0 : to_hosts_->lost()};
}

std::vector<std::string> CongestionPoint::notes_of(std::span<const std::uint64_t> counts) const {
  const std::uint64_t lost = counts.front();
  if (lost == 0) return {};
  return {
      fmt::format("{} congestion notification messages were lost at links that were down", lost)};
}

namespace {

constexpr const char* kQcnPointSource = "ieee2010qau, clause 30.2.1";

const MetricTable kQcnMetrics({{"qcn_samples", "", metric_form::kScalar | metric_form::kSeries,
                                kQcnPointSource,
                                "samples that switches took of their queues, whole run; series: in "
                                "the bin"}},
                              "marking.model = \"qcn\"");

Keys<QcnPointSettings> qcn_point_keys() {
  using Q = QcnPointSettings;
  return {key(&Q::set_point, "set_point", "what a queue should hold (Q_eq)").at_least(1),
          key(&Q::weight, "weight", "of the growth of the queue since the last sample (w)")
              .range(0, 100),
          key(&Q::sample_base, "sample_base",
              "bytes that join a queue between two samples while it is not congested; down to an "
              "eighth of it where it is")
              .at_least(1),
          key(&Q::jitter, "jitter", "share by which these bytes vary").range(0, 0.9),
          key(&Q::message, "message_size", "of a message to a source, on the wire").at_least(1)};
}

const Registration<fabric::MarkerFactory> kQcn(
    fabric::marker_registry(),
    {"qcn",
     "sets no bits: switches send messages to the sources of a queue that is too long or grows "
     "(quantized congestion notification), for reaction.model = \"qcn\"",
     kQcnPointSource},
    qcn_point_keys(), [](const Checked<QcnPointSettings>& settings, const topology::Graph&) {
      return std::make_unique<CongestionPoint>(*settings);
    });

}  // namespace

}  // namespace weir::marking
