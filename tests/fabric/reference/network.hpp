#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace weir::fabric::reference {

/// A slow network simulator for comparison. It knows the rules of an input-queued switch with
/// unlimited crossbar access and none of the fabric's machinery: at every instant at which anything
/// can change it looks at every link and starts what the rules allow.
///
/// Rules. A packet starts on a link when the link is free, the class it needs at the far end has
/// credit for the largest packet of that class that any message so far is cut into (a host knows of
/// its own messages at once, of others when the shortest link has been crossed), and its header
/// may go. Inputs take turns at an output, beginning behind the last one found. Where the class of
/// the head that is found has lacked room since it went last, inputs take turns within the class,
/// beginning behind the last one served. The queues of one input take turns in the order in which
/// they asked. Credit is back at the sender a link delay after the tail has left. Within an instant
/// all arrivals, credits and new messages come before any start.
struct Link {
  std::int64_t rate = 0;   ///< bit/s
  std::int64_t delay = 0;  ///< ps
  bool is_cabled = false;  ///< else nothing hangs on it
  int from = 0;            ///< node
  int to = 0;              ///< node
  bool from_host = false;
  bool to_host = false;
  int output_number = 0;  ///< local port at the sender
  int input_number = 0;   ///< local port at the receiver
  int sender_ports = 0;   ///< ports of the sender
};

struct Hop {
  int link = 0;
  int buffer = 0;  ///< class it occupies at the far end
};

struct Message {
  std::int64_t at = 0;
  int source = 0;
  int destination = 0;
  std::int64_t bytes = 0;
  std::vector<Hop> route;
};

struct Rules {
  std::int64_t mtu = 0;
  std::int64_t header = 0;
  std::int64_t pipeline = 0;  ///< ps from the arrival of a header to the earliest start
  std::int64_t capacity = 0;  ///< bytes of a class of an ingress buffer
  int classes = 1;            ///< of all lanes
  int classes_a_lane = 1;
  bool keeps_class = true;  ///< a packet has the same class, whatever its lane, in every buffer
  bool voq = true;
  bool store_and_forward = false;
};

struct Packet {
  int source = 0;
  int destination = 0;
  int sequence = 0;
  std::int64_t bytes = 0;
  std::int64_t injected = 0;
  std::int64_t delivered = -1;
  std::int64_t tail = 0;   ///< its last byte can be sent on from
  std::int64_t ready = 0;  ///< its header may go from
  std::vector<Hop> route;
  std::size_t hop = 0;  ///< the link it waits for

  [[nodiscard]] auto name() const { return std::tuple(source, destination, sequence); }
};

class Network {
 public:
  Network(std::vector<Link> links, const Rules& rules)
      : links_(std::move(links)),
        rules_(rules),
        state_(links_.size()),
        largest_(static_cast<std::size_t>(rules.classes), 0) {
    for (LinkState& s : state_) {
      s.credit.assign(static_cast<std::size_t>(rules.classes), rules.capacity);
      s.class_turn.assign(static_cast<std::size_t>(rules.classes), 0);
    }
  }

  /// Sends all messages and returns all packets in order of (source, destination, sequence).
  std::vector<Packet> run(std::vector<Message> messages) {
    std::stable_sort(messages.begin(), messages.end(),
                     [](const Message& a, const Message& b) { return a.at < b.at; });
    for (const Message& m : messages) agenda_.insert(m.at);
    for (const Link& l : links_)
      if (l.is_cabled) horizon_ = std::min(horizon_, l.delay);
    auto next_message = messages.begin();
    while (!agenda_.empty()) {
      now_ = *agenda_.begin();
      agenda_.erase(agenda_.begin());
      return_credits();
      hear();
      const std::vector<int> first = arrive();
      for (; next_message != messages.end() && next_message->at == now_; ++next_message) {
        waiting_[next_message->source].push_back(*next_message);
        announce(*next_message);
      }
      hear();  // of links without delay
      start_all(first);
    }
    std::sort(packets_.begin(), packets_.end(),
              [](const Packet& a, const Packet& b) { return a.name() < b.name(); });
    return packets_;
  }

 private:
  struct LinkState {
    std::int64_t free_at = 0;
    std::vector<std::int64_t> credit;
    int turn = 0;                 ///< local input that is looked at first
    std::vector<int> class_turn;  ///< per class: the one that goes first after a lack of room
    std::set<int> lacked_room;    ///< classes, since they went last
  };
  /// A queue of packets at an ingress buffer: by link it came over, class and, with VOQs, output.
  using QueueName = std::tuple<int, int, int>;

  [[nodiscard]] Link& link(int l) { return links_[static_cast<std::size_t>(l)]; }
  [[nodiscard]] LinkState& state(int l) { return state_[static_cast<std::size_t>(l)]; }
  [[nodiscard]] Packet& packet(int p) { return packets_[static_cast<std::size_t>(p)]; }

  /// Bits over rate in picoseconds, to the nearest.
  [[nodiscard]] static std::int64_t duration(std::int64_t bytes, std::int64_t rate) {
    const long double exact =
        static_cast<long double>(bytes) * 8e12L / static_cast<long double>(rate);
    return static_cast<std::int64_t>(exact + 0.5L);
  }

  void return_credits() {
    for (auto it = credits_.begin(); it != credits_.end() && it->first <= now_;
         it = credits_.erase(it)) {
      const auto [l, buffer, bytes] = it->second;
      state(l).credit[static_cast<std::size_t>(buffer)] += bytes;
      touched_.insert(l);
    }
  }

  /// Takes in everything that arrives now. Returns the outputs that got a new head, in order of the
  /// links they came over.
  std::vector<int> arrive() {
    std::vector<int> outputs;
    std::map<int, int> by_link;
    for (auto it = arrivals_.begin(); it != arrivals_.end() && it->first == now_;
         it = arrivals_.erase(it)) {
      by_link[packet(it->second).route[packet(it->second).hop].link] = it->second;
    }
    std::map<std::pair<int, int>, std::pair<int, int>> in_port_order;
    for (const auto& [l, p] : by_link) in_port_order[{link(l).to, link(l).input_number}] = {l, p};
    for (const auto& [where, what] : in_port_order) {
      const auto [l, p] = what;
      if (link(l).to_host) {
        packet(p).delivered = now_;
        continue;
      }
      ++packet(p).hop;
      const int out = packet(p).route[packet(p).hop].link;
      packet(p).ready = std::max(now_, packet(p).tail - duration(packet(p).bytes, link(out).rate));
      agenda_.insert(packet(p).ready);
      const QueueName q{l, packet(p).route[packet(p).hop - 1].buffer, rules_.voq ? out : -1};
      queues_[q].push_back(p);
      if (queues_[q].size() > 1) continue;
      requests_[{out, link(l).input_number}].push_back(q);
      outputs.push_back(out);
    }
    return outputs;
  }

  /// Starts all that can start. With one FIFO for several outputs a start shows a new head that may
  /// want another output in the same instant; who was woken first goes first.
  void start_all(const std::vector<int>& first) {
    std::deque<int> order(first.begin(), first.end());
    for (int l = 0; l < static_cast<int>(links_.size()); ++l) {
      if (link(l).from_host || has_reason(l)) order.push_back(l);
    }
    touched_.clear();
    while (!order.empty()) {
      const int l = order.front();
      order.pop_front();
      if (state(l).free_at > now_) continue;
      if (link(l).from_host) {
        start_from_host(l);
      } else {
        start_from_switch(l, order);
      }
    }
  }

  [[nodiscard]] bool has_reason(int l) {
    for (int input = 0; input < link(l).sender_ports; ++input) {
      for (const QueueName& q : requests_[{l, input}]) {
        const std::int64_t ready = packet(queues_[q].front()).ready;
        if (ready == now_ || state(l).free_at == now_ || touched_.count(l) != 0) return true;
      }
    }
    return false;
  }

  void announce(const Message& m) {
    const std::int64_t packet = std::min(m.bytes, rules_.mtu) + rules_.header;
    for (int b = 0; b < rules_.classes; ++b) {
      const bool is_same = (b - m.route.front().buffer) % rules_.classes_a_lane == 0;
      if (is_same || !rules_.keeps_class)
        announced_.insert({now_ + horizon_, {m.source, b, packet}});
    }
  }
  void hear() {
    for (auto it = announced_.begin(); it != announced_.end() && it->first <= now_;
         it = announced_.erase(it)) {
      std::int64_t& largest = largest_[static_cast<std::size_t>(it->second.buffer)];
      largest = std::max(largest, it->second.bytes);
    }
  }
  [[nodiscard]] std::int64_t largest_known(const Hop& hop) {
    std::int64_t largest = largest_[static_cast<std::size_t>(hop.buffer)];
    if (!link(hop.link).from_host) return largest;
    for (const auto& [at, one] : announced_) {
      if (one.host == link(hop.link).from && one.buffer == hop.buffer)
        largest = std::max(largest, one.bytes);
    }
    return largest;
  }

  [[nodiscard]] bool has_credit(const Hop& hop) {
    const auto buffer = static_cast<std::size_t>(hop.buffer);
    return link(hop.link).to_host || state(hop.link).credit[buffer] >= largest_known(hop);
  }

  void start_from_host(int l) {
    auto& queue = waiting_[link(l).from];
    if (queue.empty()) return;
    Message& m = queue.front();
    const std::int64_t payload = std::min(m.bytes, rules_.mtu);
    if (!has_credit(m.route.front())) return;
    Packet p;
    p.source = m.source;
    p.destination = m.destination;
    p.sequence = sequence_[{m.source, m.destination}]++;
    p.bytes = payload + rules_.header;
    p.injected = now_;
    p.route = m.route;
    packets_.push_back(p);
    m.bytes -= payload;
    if (m.bytes == 0) queue.pop_front();
    transmit(static_cast<int>(packets_.size()) - 1);
  }

  /// The first queue of `input` whose head may go through `l`, of class `buffer` (-1: of any).
  /// Those without room before it are remembered.
  std::optional<QueueName> head_that_may_go(int l, int input, int buffer) {
    for (const QueueName& q : requests_[{l, input}]) {
      const Packet& head = packet(queues_[q].front());
      const Hop& hop = head.route[head.hop];
      if (buffer >= 0 && hop.buffer != buffer) continue;
      if (!has_credit(hop)) state(l).lacked_room.insert(hop.buffer);
      if (head.ready <= now_ && has_credit(hop)) return q;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool has_nothing_room(int l) {
    if (link(l).to_host || rules_.classes > 8) return false;
    for (int b = 0; b < rules_.classes; ++b) {
      const auto buffer = static_cast<std::size_t>(b);
      if (largest_[buffer] > 0 && state(l).credit[buffer] >= largest_[buffer]) return false;
    }
    return true;
  }

  void start_from_switch(int l, std::deque<int>& order) {
    const int ports = link(l).sender_ports;
    if (has_nothing_room(l)) {
      for (int b = 0; b < rules_.classes; ++b) state(l).lacked_room.insert(b);
      return;
    }
    for (int step = 0; step < ports; ++step) {
      const int found = (state(l).turn + step) % ports;
      const auto any = head_that_may_go(l, found, -1);
      if (!any) continue;
      const Packet& first = packet(queues_[*any].front());
      const int buffer = first.route[first.hop].buffer;
      int& class_turn = state(l).class_turn[static_cast<std::size_t>(buffer)];
      int input = found;
      if (state(l).lacked_room.erase(buffer) > 0) {
        input = class_turn;
        while (!head_that_may_go(l, input, buffer)) input = (input + 1) % ports;
      }
      state(l).turn = (found + 1) % ports;
      class_turn = (input + 1) % ports;
      serve(l, input, *head_that_may_go(l, input, buffer), order);
      return;
    }
  }

  void serve(int l, int input, const QueueName& q, std::deque<int>& order) {
    auto& asking = requests_[{l, input}];
    asking.erase(std::find(asking.begin(), asking.end(), q));
    const int p = queues_[q].front();
    queues_[q].pop_front();
    if (!queues_[q].empty()) {
      const Packet& head = packet(queues_[q].front());
      const int wants = head.route[head.hop].link;
      requests_[{wants, input}].push_back(q);
      if (wants != l) order.push_back(wants);
    }
    transmit(p);
    give_back(packet(p).route[packet(p).hop - 1], packet(p).bytes, state(l).free_at);
  }

  void give_back(const Hop& hop, std::int64_t bytes, std::int64_t when) {
    const std::int64_t seen = when + link(hop.link).delay;
    credits_.insert({seen, {hop.link, hop.buffer, bytes}});
    agenda_.insert(seen);
  }

  void transmit(int p) {
    Packet& sent = packet(p);
    const Hop hop = sent.route[sent.hop];
    const Link& over = link(hop.link);
    if (!over.to_host) state(hop.link).credit[static_cast<std::size_t>(hop.buffer)] -= sent.bytes;
    const std::int64_t takes = duration(sent.bytes, over.rate);
    state(hop.link).free_at = now_ + takes;
    agenda_.insert(now_ + takes);
    std::int64_t arrival = now_ + over.delay;
    if (over.to_host) {
      arrival += takes;
    } else {
      arrival += rules_.pipeline;
      sent.tail = arrival + takes;
      if (rules_.store_and_forward) arrival = sent.tail;
    }
    arrivals_.insert({arrival, p});
    agenda_.insert(arrival);
  }

  std::vector<Link> links_;
  Rules rules_;
  std::vector<LinkState> state_;
  std::vector<std::int64_t> largest_;  ///< packet of each class that all know of
  struct Announced {
    int host = 0;
    int buffer = 0;
    std::int64_t bytes = 0;
  };
  std::multimap<std::int64_t, Announced> announced_;  ///< by when all know of it
  std::int64_t horizon_ = INT64_MAX;                  ///< delay of the shortest link
  std::vector<Packet> packets_;
  std::map<int, std::deque<Message>> waiting_;   ///< per host
  std::map<std::pair<int, int>, int> sequence_;  ///< per source, destination
  std::map<QueueName, std::deque<int>> queues_;
  std::map<std::pair<int, int>, std::deque<QueueName>> requests_;  ///< per link, local input
  std::multimap<std::int64_t, int> arrivals_;                      ///< time to packet
  std::multimap<std::int64_t, std::tuple<int, int, std::int64_t>> credits_;
  std::set<int> touched_;          ///< links that got credit in this instant
  std::set<std::int64_t> agenda_;  ///< instants at which something may change
  std::int64_t now_ = 0;
};

}  // namespace weir::fabric::reference
