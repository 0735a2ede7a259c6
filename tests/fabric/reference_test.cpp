// The fabric against a naive model of the same rules, packet by packet, on random small networks.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "random_network.hpp"
#include "reference/network.hpp"
#include "support/small_network.hpp"
#include "weir/routing/trace.hpp"

namespace weir::fabric::testing::reference_test {
namespace {

using random_network::number;
using random_network::one_of;

std::vector<reference::Link> links_of(const topology::Graph& graph) {
  std::vector<reference::Link> links;
  for (const topology::Port& port : graph.ports()) {
    reference::Link link;
    link.rate = port.link.rate.count;
    link.delay = port.link.delay.count;
    link.from = static_cast<int>(port.node.value);
    link.from_host = graph.is_host(port.node);
    link.output_number = port.number;
    link.sender_ports = static_cast<int>(graph.degree(port.node));
    link.is_cabled = port.to.valid();
    if (link.is_cabled) {
      const topology::Port& to = graph.port(port.to);
      link.to = static_cast<int>(to.node.value);
      link.to_host = graph.is_host(to.node);
      link.input_number = to.number;
    }
    links.push_back(link);
  }
  return links;
}

/// Classes of buffers: by destination, or by the output at the switch they are in.
struct Classes {
  int count = 1;
  bool by_output = false;
};

Classes by_output(const topology::Graph& graph) {
  Classes classes{1, true};
  for (std::size_t s = 0; s < graph.switch_count(); ++s) {
    classes.count =
        std::max(classes.count, static_cast<int>(graph.degree(graph.node(SwitchId(s)))));
  }
  return classes;
}

std::vector<reference::Hop> route_of(const topology::Graph& graph,
                                     const routing::RoutingFunction& routing, HostId from,
                                     HostId to, const Classes& classes) {
  std::vector<reference::Hop> hops;
  const auto channels = routing::trace(graph, routing, from, to).channels;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    int queue = static_cast<int>(to.value) % classes.count;
    if (classes.by_output) {
      queue = i + 1 < channels.size() ? graph.port(channels[i + 1].port).number : 0;
    }
    hops.push_back(
        {static_cast<int>(channels[i].port.value), channels[i].lane * classes.count + queue});
  }
  return hops;
}

std::vector<reference::Message> random_messages(const topology::Graph& graph,
                                                const routing::RoutingFunction& routing,
                                                const Classes& classes, std::int64_t mtu) {
  const auto hosts = static_cast<int>(graph.host_count());
  const int hot = number(0, hosts - 1);
  std::vector<reference::Message> messages;
  for (int count = number(1, 80); count > 0; --count) {
    reference::Message m;
    m.at = std::int64_t{1'000} * number(0, 20) * one_of({1, 50});
    m.source = number(0, hosts - 1);
    m.destination = number(0, 2) == 0 ? hot : number(0, hosts - 1);
    if (m.source == m.destination) continue;
    m.bytes = one_of<std::int64_t>({1, mtu / 3, mtu, mtu + 1, 3 * mtu});
    m.route = route_of(graph, routing, HostId(static_cast<std::uint32_t>(m.source)),
                       HostId(static_cast<std::uint32_t>(m.destination)), classes);
    messages.push_back(m);
  }
  std::stable_sort(messages.begin(), messages.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  return messages;
}

class TimesRecorder : public Observer {
 public:
  void on_delivered(const Packet& p, const Message&, Time now, bool in_order) override {
    RC_ASSERT(in_order);
    times.push_back({p.source, p.destination, p.sequence, p.injected, now.count});
  }
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::int64_t, std::int64_t>>
      times;
};

void compare(bool voq, bool is_by_output = false) {
  const random_network::Sample sample = random_network::any_network();
  const topology::Graph& graph = *sample.graph;
  const int most = std::min(3, static_cast<int>(graph.host_count()));
  const Classes queues = is_by_output ? by_output(graph) : Classes{number(1, most)};
  SmallNetwork net;
  net.graph = sample.graph;
  FabricSettings& s = net.settings;
  s.mtu = Bytes(one_of({100, 256}));
  s.header = Bytes(one_of({0, 20}));
  s.routing_delay = nanoseconds(one_of({0, 5}));
  s.crossbar_delay = nanoseconds(one_of({0, 40}));
  s.switching = number(0, 3) == 0 ? Switching::store_and_forward : Switching::cut_through;
  s.voq = voq;
  const auto routing = make_routing(sample.routing, graph);
  const int classes = queues.count * routing->lanes();
  reference::Rules rules;
  rules.mtu = s.mtu.count;
  rules.header = s.header.count;
  rules.pipeline = (s.routing_delay + s.crossbar_delay).count;
  rules.capacity = (rules.mtu + rules.header) * number(1, 4) + number(0, 1) * 50;
  rules.classes = classes;
  rules.classes_a_lane = queues.count;
  rules.keeps_class = !queues.by_output;
  rules.voq = voq;
  rules.store_and_forward = s.switching == Switching::store_and_forward;
  s.ingress_buffer = Bytes(rules.capacity * classes);

  const auto messages = random_messages(graph, *routing, queues, rules.mtu);
  const auto expected = reference::Network(links_of(graph), rules).run(messages);

  TimesRecorder recorder;
  Models models{sample.graph, routing, make_selection("fixed"),
                is_by_output
                    ? make_queueing("voqsw", graph, "flow_control = \"per-queue\"")
                    : make_queueing("dbbm", graph, fmt::format("queues = {}", queues.count))};
  Fabric fabric(models, {}, s, recorder);
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    std::vector<MessageRequest> list;
    for (const reference::Message& m : messages) {
      if (m.source == static_cast<int>(h))
        list.push_back(
            {Time(m.at), HostId(static_cast<std::uint32_t>(m.destination)), Bytes(m.bytes)});
    }
    fabric.add_source(HostId(h), std::make_unique<ListSource>(list));
  }
  RC_ASSERT(fabric.run_until(milliseconds(1'000)));
  std::sort(recorder.times.begin(), recorder.times.end());
  RC_ASSERT(recorder.times.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const reference::Packet& e = expected[i];
    const auto& [source, destination, sequence, injected, delivered] = recorder.times[i];
    RC_ASSERT(static_cast<int>(source) == e.source);
    RC_ASSERT(static_cast<int>(destination) == e.destination);
    RC_ASSERT(static_cast<int>(sequence) == e.sequence);
    RC_ASSERT(injected == e.injected);
    RC_ASSERT(delivered == e.delivered);
  }
}

RC_GTEST_PROP(ReferenceModel, VirtualOutputQueues, ()) { compare(true); }
RC_GTEST_PROP(ReferenceModel, OneFifoPerClass, ()) { compare(false); }
RC_GTEST_PROP(ReferenceModel, CreditsPerOutputOfTheNextSwitch, ()) { compare(false, true); }

}  // namespace
}  // namespace weir::fabric::testing::reference_test
