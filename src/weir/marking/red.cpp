#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "weir/base/metric_registry.hpp"
#include "weir/base/random.hpp"
#include "weir/marking/switch_marker.hpp"

namespace weir::marking {

namespace {

struct RedSettings {
  double low = 0;  ///< shares of the buffer
  double high = 0;
  double low_bytes = 0;  ///< both in place of the shares; 0: no
  double high_bytes = 0;
  double probability = 0;
  double weight = 0;
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
  explicit Red(const RedSettings& settings)
      : SwitchMarker("red", Sides::any), settings_(settings) {}

  void on_ingress(const fabric::Core& core, PortId, fabric::Packet& packet) override {
    if (egress() != nullptr) return;
    const std::uint32_t output = core.ports[packet.in_port].first_port + packet.out;
    Average& queue = queues_[output];
    consider(output, packet, {queue.waiting, core.links.capacity()});
    queue.waiting += packet.size;
  }

  void on_egress(const fabric::Core&, PortId port, fabric::Packet& packet) override {
    const fabric::Fill fill = egress()->fill(port.value, packet.next_buffer);
    queues_[port.index()].waiting += packet.size;
    consider(port.value, packet, {fill.bytes - packet.size, fill.capacity});
  }

  void on_transmit(const fabric::Core& core, PortId port, fabric::Packet& packet) override {
    Average& queue = queues_[port.index()];
    queue.waiting -= packet.size;
    if (queue.waiting == 0) queue.empty_since = core.now;
  }

  void read(fabric::Readings& readings, Time now) const override {
    SwitchMarker::read(readings, now);
    readings.count("red_marks_early", static_cast<double>(early_));
    readings.count("red_marks_all", static_cast<double>(forced_));
    readings.value("red_average_max", largest_);
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

  void prepare() override {
    check_thresholds();
    queues_.resize(core().links.size());
    for (std::uint32_t p = 0; p < queues_.size(); ++p)
      queues_[p].random = RandomStream(core().settings.seed, p, StreamPurpose::marking);
  }

  /// The longest queue that there can be; nothing: egress buffers of oq have no bound.
  [[nodiscard]] std::optional<std::int64_t> longest_queue() const {
    const topology::Graph& graph = core().graph;
    if (graph.switch_count() == 0) return std::nullopt;
    if (egress() == nullptr) {
      std::size_t ports = 0;
      for (std::size_t s = 0; s < graph.switch_count(); ++s)
        ports = std::max(ports, graph.degree(graph.node(SwitchId(s))));
      return static_cast<std::int64_t>(ports - 1) * core().links.capacity();
    }
    if (core().settings.architecture != fabric::Architecture::cioq) return std::nullopt;
    return egress()->fill(core().host_count, 0).capacity;
  }
  void check_thresholds() const {
    const std::optional<std::int64_t> longest = longest_queue();
    if (!longest) return;
    const auto check = [&](const char* key, double bytes) {
      if (bytes <= static_cast<double>(*longest)) return;
      throw InputError(fmt::format(
          "marking.{}: the queue would never be as long as {}: it has room for {}", key,
          to_string(Bytes(static_cast<std::int64_t>(bytes))), to_string(Bytes(*longest))));
    };
    check("low_bytes", settings_.low_bytes);
    check("high_bytes", settings_.high_bytes);
  }

  void update(Average& queue, std::uint32_t output, const fabric::Fill& fill) const {
    // The queue itself, also where it has been empty for no time.
    if (settings_.weight >= 1 || fill.bytes > 0) {
      const double share = static_cast<double>(fill.bytes) / static_cast<double>(fill.capacity);
      queue.share += settings_.weight * (share - queue.share);
      return;
    }
    const auto idle = static_cast<double>(core().now - queue.empty_since);
    const auto packet = static_cast<double>(core().links[output].duration(largest_packet()));
    queue.share *= std::pow(1 - settings_.weight, packet > 0 ? idle / packet : 1);
  }

  void consider(std::uint32_t output, fabric::Packet& packet, const fabric::Fill& found) {
    Average& queue = queues_[output];
    update(queue, output, found);
    largest_ = std::max(largest_, queue.share);
    if (packet.is_ack()) return;
    const auto capacity = static_cast<double>(found.capacity);
    const bool by_bytes = settings_.high_bytes > 0;
    const double low = by_bytes ? settings_.low_bytes / capacity : settings_.low;
    const double high = by_bytes ? settings_.high_bytes / capacity : settings_.high;
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
  std::vector<Average> queues_;  ///< per output
  std::uint64_t early_ = 0;
  std::uint64_t forced_ = 0;
  double largest_ = 0;
};

RedSettings read_red(const Settings& settings) {
  RedSettings red;
  red.probability = settings.real("probability");
  red.weight = settings.real("weight");
  red.is_independent = settings.text("spread") == "independent";
  if (red.weight <= 0) throw settings.error("weight", "with 0 the average stays 0");
  if (settings.has("low_bytes") != settings.has("high_bytes")) {
    throw settings.error(settings.has("low_bytes") ? "low_bytes" : "high_bytes",
                         "low_bytes and high_bytes come together");
  }
  if (settings.has("low_bytes")) {
    for (const char* key : {"low", "high"}) {
      if (settings.given(key)) throw settings.error(key, "is given in bytes already");
    }
    red.low_bytes = static_cast<double>(settings.bytes("low_bytes").count);
    red.high_bytes = static_cast<double>(settings.bytes("high_bytes").count);
    if (red.low_bytes >= red.high_bytes)
      throw settings.error("low_bytes", "has to be below high_bytes");
    return red;
  }
  red.low = share_of_buffer(settings, "low");
  red.high = share_of_buffer(settings, "high");
  if (red.low >= red.high) throw settings.error("low", "has to be below high");
  return red;
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

const Registration<fabric::MarkerFactory> kRed(
    fabric::marker_registry(),
    {"red",
     "random early detection: marks the more packets the longer the average queue is",
     kRedSource,
     {share_parameter("low", "average share of the buffer below which nothing is marked", "0.25"),
      share_parameter("high", "average share of the buffer from which on everything is marked",
                      "0.75"),
      Parameter::of(ParameterType::bytes, "low_bytes",
                    "in place of low and high, with high_bytes: average queue below which nothing "
                    "is marked (K_min of DCQCN)"),
      Parameter::of(ParameterType::bytes, "high_bytes",
                    "average queue from which on everything is marked (K_max of DCQCN)"),
      Parameter::of(ParameterType::real, "probability",
                    "probability of a mark just below `high`, were it independent of the last one")
          .by_default("0.1")
          .range(0, 1),
      Parameter::of(ParameterType::real, "weight",
                    "of the newest packet in the average; 1: the queue itself")
          .by_default("0.002")
          .range(0, 1),
      Parameter::of(ParameterType::text, "spread",
                    "how marks between the thresholds follow each other: even, at most 1/p packets "
                    "apart; independent, each with probability p")
          .by_default("even")
          .one_of({"even", "independent"})}},
    [](const Settings& settings, const topology::Graph&) {
      return std::make_unique<Red>(read_red(settings));
    });

}  // namespace

}  // namespace weir::marking
