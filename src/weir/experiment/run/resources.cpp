#include "weir/experiment/run/resources.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "weir/fabric/fabric.hpp"
#include "weir/fabric/headroom.hpp"

namespace weir::experiment {
namespace {

using fabric::Architecture;
using fabric::Memory;
using topology::Graph;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

std::shared_ptr<fabric::QueueingScheme> make_scheme(const Configuration& configuration,
                                                    const Graph& graph) {
  std::shared_ptr<fabric::QueueingScheme> scheme;
  at_place(configuration.source, "queueing.model", [&] {
    scheme = (*configuration.queueing.make)(configuration.queueing.settings, graph);
  });
  return scheme;
}

std::vector<fabric::Mechanism*> pointers(
    const std::vector<std::shared_ptr<fabric::Mechanism>>& mechanisms) {
  std::vector<fabric::Mechanism*> out;
  for (const auto& one : mechanisms) out.push_back(one.get());
  return out;
}

SideCost operator+(const SideCost& a, const SideCost& b) {
  return {a.queues + b.queues, a.cam_lines + b.cam_lines, a.memory + b.memory};
}

/// Counts for one configuration.
class Resources {
 public:
  Resources(const Configuration& configuration, const Network& network)
      : graph_(*network.graph),
        scheme_(make_scheme(configuration, graph_)),
        parts_(make_with_queues(configuration, network)),
        settings_(fabric::adapted(configuration.fabric, *scheme_, pointers(parts_))),
        lanes_(network.routing->lanes()),
        classes_((scheme_->classes() + added_classes()) * lanes_),
        has_egress_(settings_.architecture == Architecture::cioq ||
                    settings_.architecture == Architecture::output_queued) {}

  [[nodiscard]] ResourceReport report() const {
    ResourceReport out;
    for (const topology::Port& port : graph_.ports()) {
      if (graph_.is_host(port.node)) {
        add_host(port, out);
      } else {
        add_switch_port(port, out);
      }
    }
    if (classes_ > 1 && settings_.memory == Memory::split) {
      out.ingress_class = part(settings_.ingress_buffer, classes_);
      if (settings_.architecture == Architecture::cioq) {
        out.egress_class = part(settings_.egress_buffer, classes_);
      }
    } else if (classes_ > 1) {
      const Bytes reserved = settings_.memory == Memory::reserved ? settings_.reserved : Bytes(0);
      const bool has_headroom = settings_.flow_control != fabric::FlowControl::credits;
      const Bytes headroom = has_headroom ? fabric::largest_headroom(settings_, graph_) : Bytes(0);
      if (settings_.memory == Memory::reserved || has_headroom)
        out.ingress_class = static_cast<double>((reserved + headroom).count);
    }
    return out;
  }

 private:
  /// Buffer classes that packets can have behind the link into `receiver`.
  [[nodiscard]] std::int64_t classes_into(PortId receiver) const {
    const NodeId node = graph_.port(receiver).node;
    if (!scheme_->is_by_output()) return classes_;
    return graph_.is_host(node) ? lanes_ : static_cast<std::int64_t>(graph_.degree(node)) * lanes_;
  }
  /// Bytes of one of `classes` equal parts, which holds at least a packet.
  [[nodiscard]] double part(Bytes memory, std::int64_t classes) const {
    const std::int64_t packet = settings_.mtu.count + settings_.header.count;
    return static_cast<double>(std::max(memory.count / classes, packet));
  }
  /// Bytes of one side; it is only more than `memory` where that is too little.
  [[nodiscard]] double side(Bytes memory) const {
    const auto whole = static_cast<double>(memory.count);
    if (classes_ == 1 || settings_.memory != Memory::split) return whole;
    return std::max(whole, part(memory, classes_) * static_cast<double>(classes_));
  }

  [[nodiscard]] std::int64_t added_classes() const {
    std::int64_t sum = 0;
    for (const auto& part : parts_) sum += part->added_classes();
    return sum;
  }
  /// Queues of mechanisms in place of those of the scheme.
  void replace_queues(SideCost& side, bool is_egress, std::size_t degree) const {
    for (const auto& part : parts_) {
      const auto all = part->side_resources(is_egress, static_cast<std::uint32_t>(degree));
      if (!all) continue;
      side.queues = classes_ * (std::int64_t{all->normal_queues} + all->set_aside_queues);
      side.cam_lines = classes_ * all->cam_lines;
    }
  }

  [[nodiscard]] SideCost ingress(const topology::Port& port, PortId id) const {
    SideCost out;
    if (!port.from.valid()) return out;
    // In an output-queued switch nothing waits at the input.
    if (settings_.architecture != Architecture::output_queued) {
      out.queues = classes_into(id);
      if (settings_.voq) out.queues *= static_cast<std::int64_t>(graph_.degree(port.node));
    }
    replace_queues(out, false, graph_.degree(port.node));
    out.memory = side(settings_.ingress_buffer);
    return out;
  }
  [[nodiscard]] SideCost egress(const topology::Port& port) const {
    SideCost out;
    if (!port.to.valid() || !has_egress_) return out;
    out.queues = classes_into(port.to);
    replace_queues(out, true, graph_.degree(port.node));
    out.memory =
        settings_.architecture == Architecture::cioq ? side(settings_.egress_buffer) : kUnbounded;
    return out;
  }

  void add_switch_port(const topology::Port& port, ResourceReport& out) const {
    const PortCost here{ingress(port, graph_.port(port.node, port.number)), egress(port)};
    const auto queues = [](const PortCost& p) { return p.ingress.queues + p.egress.queues; };
    if (queues(here) > queues(out.port)) out.port = here;
    out.network = {out.network.ingress + here.ingress, out.network.egress + here.egress};
  }

  void add_host(const topology::Port& port, ResourceReport& out) const {
    if (!port.to.valid()) return;
    SideCost here;
    switch (settings_.source_queues) {
      case fabric::SourceQueueKind::fifo:
        here.queues = 1;
        break;
      case fabric::SourceQueueKind::per_class:
        here.queues = classes_into(port.to);
        break;
      case fabric::SourceQueueKind::per_destination:
        here.queues = static_cast<std::int64_t>(graph_.host_count());
        break;
      case fabric::SourceQueueKind::modulo:
        here.queues = settings_.source_queue_count;
        break;
      case fabric::SourceQueueKind::shared_memory:
        here.queues = 1;
        break;
    }
    here.memory = settings_.backlog == Bytes::max() ? kUnbounded
                                                    : static_cast<double>(settings_.backlog.count) *
                                                          static_cast<double>(here.queues);
    SideCost injection;
    replace_queues(injection, true, 1);
    here = here + injection;
    out.host_queues = std::max(out.host_queues, here.queues);
    out.hosts = out.hosts + here;
  }

  const Graph& graph_;
  std::shared_ptr<fabric::QueueingScheme> scheme_;
  std::vector<std::shared_ptr<fabric::Mechanism>> parts_;  ///< mechanisms that there are
  fabric::FabricSettings settings_;
  std::int64_t lanes_;
  std::int64_t classes_;  ///< of all lanes, with the one for adapted packets
  bool has_egress_;
};

void add_sides(metrics::RunResult& out, const char* metric, double ingress, double egress) {
  const auto add = [&](const char* label, double value) {
    if (std::isfinite(value)) out.add_scalar(metric, label, value);
  };
  add("", ingress + egress);
  add("ingress", ingress);
  add("egress", egress);
}

void add_port(metrics::RunResult& out, const std::string& suffix, const PortCost& port) {
  const auto count = [](std::int64_t number) { return static_cast<double>(number); };
  add_sides(out, ("queues" + suffix).c_str(), count(port.ingress.queues),
            count(port.egress.queues));
  add_sides(out, ("cam_lines" + suffix).c_str(), count(port.ingress.cam_lines),
            count(port.egress.cam_lines));
  add_sides(out, ("memory" + suffix).c_str(), port.ingress.memory, port.egress.memory);
}

}  // namespace

ResourceReport resource_report(const Configuration& configuration, const Network& network) {
  return Resources(configuration, network).report();
}

void add_resources(metrics::RunResult& out, const ResourceReport& report) {
  add_port(out, "_per_port", report.port);
  add_port(out, "_total", report.network);
  if (std::isfinite(report.ingress_class)) {
    out.add_scalar("memory_per_class", "ingress", report.ingress_class);
  }
  if (std::isfinite(report.egress_class)) {
    out.add_scalar("memory_per_class", "egress", report.egress_class);
  }
  out.add_scalar("cam_lines_total", "host", static_cast<double>(report.hosts.cam_lines));
  out.add_scalar("queues_per_host", "", static_cast<double>(report.host_queues));
  out.add_scalar("queues_total", "host", static_cast<double>(report.hosts.queues));
  if (std::isfinite(report.hosts.memory)) {
    out.add_scalar("memory_total", "host", report.hosts.memory);
  }
}

}  // namespace weir::experiment
