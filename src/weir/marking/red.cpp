#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "weir/base/keys.hpp"
#include "weir/base/metric_registry.hpp"
#include "weir/base/random.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/marking/switch_marker.hpp"

namespace weir::marking {

namespace {

struct RedSettings {
  double low = 0.25;  ///< shares of the buffer
  double high = 0.75;
  std::optional<Bytes> low_bytes;  ///< both in place of the shares
  std::optional<Bytes> high_bytes;
  double probability = 0.1;
  double weight = 0.002;
  bool is_independent = false;
};

/// Random early detection, which marks (bit B) instead of discarding. Each queue has a moving
/// average of what a packet finds in it when it comes; while the queue is empty the average falls
/// as if packets of the largest size came. Below `low` nothing is marked, from `high` on
/// everything. Between them the probability p grows with the average, and, with evenly spread
/// marks, with the packets since the last one, so that there are at most 1/p between two. The queue
/// is the egress buffer; in switches without one, all that waits for the output at ingress, against
/// the size of an ingress buffer.
class Red final : public SwitchMarker {
 public:
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override {
    SwitchMarker::checkpoint(state);
    state.of_ports(queues_);
  }
  void checkpoint_totals(fabric::TotalState& state) override {
    SwitchMarker::checkpoint_totals(state);
    state.sum(early_, forced_);
    state.most(largest_);
  }
  explicit Red(const RedSettings& settings)
      : SwitchMarker("red", Sides::any), settings_(settings) {}

  void on_ingress(PortId, fabric::Packet& packet) override {
    if (egress() != nullptr) return;
    const std::uint32_t output = ports_.output_of(packet);
    Average& queue = queues_[output];
    consider(output, packet, {queue.waiting, buffers_.capacity()});
    queue.waiting += packet.size;
  }

  void on_egress(PortId port, fabric::Packet& packet) override {
    const fabric::Fill fill = egress()->fill(port.value, packet.next_buffer);
    queues_[port.index()].waiting += packet.size;
    consider(port.value, packet, {fill.bytes - packet.size, fill.capacity});
  }

  void on_transmit(PortId port, fabric::Packet& packet) override {
    Average& queue = queues_[port.index()];
    queue.waiting -= packet.size;
    if (queue.waiting == 0) queue.empty_since = clock().now().count;
  }

  void read(fabric::Readings& readings, Time now) const override {
    SwitchMarker::read(readings, now);
    readings.count("red_marks_early", static_cast<double>(early_));
    readings.count("red_marks_all", static_cast<double>(forced_));
    readings.largest("red_average_max", largest_);
  }
  [[nodiscard]] std::size_t memory() const override {
    return SwitchMarker::memory() + queues_.capacity() * sizeof(Average);
  }

 private:
  struct Average {
    double share = 0;  ///< of the buffer
    std::int64_t waiting = 0;
    std::int64_t empty_since = 0;
    std::int64_t unmarked = -1;  ///< packets since the last mark; -1: the average was below `low`
    RandomStream random;
  };

  void prepare(const fabric::FabricView& fabric) override {
    ports_ = fabric.ports;
    links_ = fabric.links;
    buffers_ = fabric.buffers;
    check_thresholds(fabric.settings);
    queues_.resize(ports_.size());
    for (std::uint32_t p = 0; p < queues_.size(); ++p)
      queues_[p].random = RandomStream(fabric.settings.seed, p, StreamPurpose::marking);
  }

  /// The longest queue that there can be; nothing: egress buffers of oq have no bound.
  [[nodiscard]] std::optional<std::int64_t> longest_queue(fabric::Architecture architecture) const {
    const std::size_t switches = graph().switch_count();
    if (switches == 0) return std::nullopt;
    if (egress() == nullptr) {
      std::size_t ports = 0;
      for (std::size_t s = 0; s < switches; ++s)
        ports = std::max(ports, graph().degree(graph().node(SwitchId(s))));
      return static_cast<std::int64_t>(ports - 1) * buffers_.capacity();
    }
    if (architecture != fabric::Architecture::cioq) return std::nullopt;
    return egress()->fill(ports_.host_count(), 0).capacity;
  }
  void check_thresholds(const fabric::FabricSettings& fabric) const {
    const std::optional<std::int64_t> longest = longest_queue(fabric.architecture);
    if (!longest) return;
    const auto check = [&](const char* key, const std::optional<Bytes>& threshold) {
      if (!threshold || threshold->count <= *longest) return;
      throw InputError(key,
                       fmt::format("the queue would never be as long as {}: it has room for {}",
                                   to_string(*threshold), to_string(Bytes(*longest))));
    };
    check("marking.low_bytes", settings_.low_bytes);
    check("marking.high_bytes", settings_.high_bytes);
  }

  void update(Average& queue, std::uint32_t output, const fabric::Fill& fill) const {
    // The queue itself, also where it has been empty for no time.
    if (settings_.weight >= 1 || fill.bytes > 0) {
      const double share = static_cast<double>(fill.bytes) / static_cast<double>(fill.capacity);
      queue.share += settings_.weight * (share - queue.share);
      return;
    }
    const auto idle = static_cast<double>(clock().now().count - queue.empty_since);
    const auto packet = static_cast<double>(links_.duration(output, largest_packet()));
    queue.share *= std::pow(1 - settings_.weight, packet > 0 ? idle / packet : 1);
  }

  void consider(std::uint32_t output, fabric::Packet& packet, const fabric::Fill& found) {
    Average& queue = queues_[output];
    update(queue, output, found);
    largest_ = std::max(largest_, queue.share);
    if (packet.is_ack()) return;
    const auto capacity = static_cast<double>(found.capacity);
    const bool by_bytes = settings_.high_bytes.has_value();
    const double low =
        by_bytes ? static_cast<double>(settings_.low_bytes->count) / capacity : settings_.low;
    const double high =
        by_bytes ? static_cast<double>(settings_.high_bytes->count) / capacity : settings_.high;
    if (queue.share < low) {
      queue.unmarked = -1;
      return;
    }
    if (queue.share >= high) {
      ++forced_;
    } else if (is_early(queue, (queue.share - low) / (high - low))) {
      ++early_;
    } else {
      return;
    }
    queue.unmarked = 0;
    mark_b(PortId(output), packet);
  }

  /// `place`: of the average, from 0 at the low threshold to 1 at the high one.
  [[nodiscard]] bool is_early(Average& queue, double place) const {
    ++queue.unmarked;
    const double p = settings_.probability * place;
    if (settings_.is_independent) return queue.random.unit() < p;
    const double left = 1 - static_cast<double>(queue.unmarked) * p;
    return left <= p || queue.random.unit() < p / left;
  }

  RedSettings settings_;
  fabric::Ports ports_;
  fabric::OutputLinks links_;
  fabric::Buffers buffers_;
  std::vector<Average> queues_;  ///< per output
  std::uint64_t early_ = 0;
  std::uint64_t forced_ = 0;
  double largest_ = 0;
};

void check_red(const Checked<RedSettings>& red) {
  using R = RedSettings;
  if (red->weight <= 0) throw red.error(&R::weight, "with 0 the average stays 0");
  if (red->low_bytes.has_value() != red->high_bytes.has_value()) {
    throw red.error(red->low_bytes ? &R::low_bytes : &R::high_bytes,
                    "low_bytes and high_bytes come together");
  }
  if (red->low_bytes) {
    for (const auto share : {&R::low, &R::high}) {
      if (red.is_given(share)) throw red.error(share, "is given in bytes already");
    }
    if (*red->low_bytes >= *red->high_bytes)
      throw red.error(&R::low_bytes, "has to be below high_bytes");
    return;
  }
  for (const auto share : {&R::low, &R::high}) (void)share_of_buffer(red, share);
  if (red->low >= red->high) throw red.error(&R::low, "has to be below high");
}

constexpr const char* kRedSource = "floyd1993random";

const MetricTable kRedMetrics(
    {{"red_marks_early", "", metric_form::kScalar | metric_form::kSeries, kRedSource,
      "packets marked at random while the average queue was between the thresholds, whole run; "
      "series: in the bin"},
     {"red_marks_all", "", metric_form::kScalar | metric_form::kSeries, kRedSource,
      "packets marked because the average queue was at the high threshold or above, whole run; "
      "series: in the bin"},
     {"red_average_max", "1", metric_form::kScalar, kRedSource,
      "largest average queue that a packet has found, as a share of its buffer, whole run"}},
    "marking.model = \"red\"");

Keys<RedSettings> red_keys() {
  using R = RedSettings;
  return {
      key(&R::low, "low", "average share of the buffer below which nothing is marked").range(0, 1),
      key(&R::high, "high", "average share of the buffer from which on everything is marked")
          .range(0, 1),
      key(&R::low_bytes, "low_bytes",
          "in place of low and high, with high_bytes: average queue below which nothing is "
          "marked (K_min of DCQCN)"),
      key(&R::high_bytes, "high_bytes",
          "average queue from which on everything is marked (K_max of DCQCN)"),
      key(&R::probability, "probability",
          "probability of a mark just below `high`, were it independent of the last one")
          .range(0, 1),
      key(&R::weight, "weight", "of the newest packet in the average; 1: the queue itself")
          .range(0, 1),
      choice(&R::is_independent, "spread",
             "how marks between the thresholds follow each other: even, at most 1/p packets "
             "apart; independent, each with probability p",
             {{"even", false}, {"independent", true}})};
}

const Registration<fabric::MarkerFactory> kRed(
    fabric::marker_registry(),
    {"red", "random early detection: marks the more packets the longer the average queue is",
     kRedSource},
    red_keys(), [](const Checked<RedSettings>& settings, const topology::Graph&) {
      check_red(settings);
      return std::make_unique<Red>(*settings);
    });

}  // namespace

}  // namespace weir::marking
