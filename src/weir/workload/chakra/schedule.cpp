#include "weir/workload/chakra/schedule.hpp"

#include <chakra.pb.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "weir/workload/chakra/groups.hpp"
#include "weir/workload/collectives.hpp"
#include "weir/workload/goal_limits.hpp"

namespace weir::workload {
namespace {

std::string name_of(std::uint64_t type) {
  const auto number = static_cast<int>(type);
  return chakra::Collective_IsValid(number)
             ? chakra::Collective_Name(static_cast<chakra::Collective>(number))
             : std::to_string(type);
}

/// A collective operation, in which all members of its group must agree.
struct Meeting {
  std::uint64_t type = 0;
  std::uint64_t bytes = 0;
  const ChakraTrace* trace = nullptr;  ///< that named it first
  const ChakraNode* node = nullptr;
  std::size_t members = 0;  ///< that have come
};

/// Meetings of a group in the order in which its members have them.
struct Group {
  std::vector<std::uint32_t> members;
  std::vector<std::size_t> meetings;  ///< numbers
  std::vector<std::size_t> next;      ///< per member
};

/// Ids of nodes in an order that their dependencies allow, by ids where these leave it open.
class Order {
 public:
  explicit Order(const ChakraTrace& trace) : trace_(trace), waits_(trace.nodes.size()) {
    followers_.resize(trace.nodes.size());
    for (std::size_t i = 0; i < trace.nodes.size(); ++i) {
      for (const std::uint64_t id : trace.nodes[i].waits_for) {
        followers_[place_of(id, trace.nodes[i])].push_back(i);
        ++waits_[i];
      }
    }
  }

  [[nodiscard]] std::size_t place_of(std::uint64_t id, const ChakraNode& for_whom) const {
    const auto& nodes = trace_.nodes;
    const auto at =
        std::lower_bound(nodes.begin(), nodes.end(), id,
                         [](const ChakraNode& node, std::uint64_t its) { return node.id < its; });
    if (at != nodes.end() && at->id == id) return static_cast<std::size_t>(at - nodes.begin());
    throw trace_.error(for_whom, fmt::format("waits for node {}, which is not there", id));
  }

  std::vector<std::size_t> places() {
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      if (waits_[i] == 0) ready.push(i);
    }
    std::vector<std::size_t> out;
    while (!ready.empty()) {
      const std::size_t one = ready.top();
      ready.pop();
      out.push_back(one);
      for (const std::size_t follower : followers_[one]) {
        if (--waits_[follower] == 0) ready.push(follower);
      }
    }
    if (out.size() < waits_.size()) throw circle();
    return out;
  }

 private:
  /// From any node that still waits, back along what it waits for, until one comes again.
  [[nodiscard]] InputError circle() const {
    const auto waits = [&](std::size_t i) { return waits_[i] > 0; };
    std::size_t at = 0;
    while (!waits(at)) ++at;
    std::vector<std::size_t> way;
    while (std::find(way.begin(), way.end(), at) == way.end()) {
      way.push_back(at);
      for (const std::uint64_t id : trace_.nodes[at].waits_for) {
        const std::size_t before = place_of(id, trace_.nodes[at]);
        if (!waits(before)) continue;
        at = before;
        break;
      }
    }
    way.erase(way.begin(), std::find(way.begin(), way.end(), at));
    std::vector<std::string> ids;
    for (const std::size_t one : way) ids.push_back(std::to_string(trace_.nodes[one].id));
    ids.push_back(ids.front());
    return trace_.error(trace_.nodes[at], fmt::format("waits for itself: nodes {} wait in a circle",
                                                      fmt::join(ids, ", ")));
  }

  const ChakraTrace& trace_;
  std::vector<std::size_t> waits_;
  std::vector<std::vector<std::size_t>> followers_;
};

class ScheduleWriter {
 public:
  ScheduleWriter(const std::vector<ChakraTrace>& traces, const ChakraChoices& choices)
      : traces_(traces), choices_(choices), builder_(traces.size()) {
    ChakraGroups named = choices.groups;
    for (const ChakraTrace& trace : traces) add_groups(trace, traces.size(), named);
    for (auto& [name, members] : named) add_group(name, std::move(members));
    std::vector<std::uint32_t> all(traces.size());
    std::iota(all.begin(), all.end(), std::uint32_t{0});
    // As ASTRA-sim has it: no name and "0" are all ranks, unless "0" is said to be others.
    for (const char* name : {"", "0"}) {
      if (groups_.find(name) == groups_.end()) add_group(name, all);
    }
  }

  Schedule write() && {
    for (std::size_t r = 0; r < traces_.size(); ++r) meet(r);
    check_meetings();
    for (auto& [name, group] : groups_) group.next.assign(group.members.size(), 0);
    for (std::size_t r = 0; r < traces_.size(); ++r) write_rank(r);
    return std::move(builder_).build();
  }

 private:
  void add_group(const std::string& name, std::vector<std::uint32_t> members) {
    Group& group = groups_[name];
    group.members = std::move(members);
    group.next.assign(group.members.size(), 0);
    for (const std::uint32_t member : group.members) {
      if (member < traces_.size()) continue;
      throw InputError(SourcePosition{traces_.front().file, 0, 0}, "",
                       fmt::format("group '{}' has rank {}; there are traces of {} ranks", name,
                                   member, traces_.size()));
    }
    std::vector<std::uint32_t> sorted = group.members;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return;
    throw InputError(SourcePosition{traces_.front().file, 0, 0}, "",
                     fmt::format("group '{}' has a rank twice", name));
  }

  Group& group_of(std::size_t rank, const ChakraNode& node) {
    const auto at = groups_.find(node.group);
    if (at != groups_.end()) return at->second;
    std::vector<std::string> names;
    for (const auto& [name, group] : groups_) {
      if (!name.empty()) names.push_back(name);
    }
    throw traces_[rank].error(node, fmt::format("no group is called '{}'{}; `groups` names a file "
                                                "of them",
                                                node.group, suggestion(node.group, names)));
  }

  std::size_t place_in(const Group& group, std::size_t rank, const ChakraNode& node) const {
    const auto at = std::find(group.members.begin(), group.members.end(), rank);
    if (at != group.members.end()) return static_cast<std::size_t>(at - group.members.begin());
    throw traces_[rank].error(node, fmt::format("rank {} is not in group '{}', which has {}", rank,
                                                node.group, fmt::join(group.members, ", ")));
  }

  std::uint64_t number(std::size_t rank, const ChakraNode& node, const char* name,
                       std::uint64_t most) const {
    const auto at = node.numbers.find(name);
    if (at == node.numbers.end()) {
      throw traces_[rank].error(node, fmt::format("has no attribute {}", name));
    }
    if (at->second <= most) return at->second;
    throw traces_[rank].error(
        node, fmt::format("{} is {}, which is too large; the most is {}", name, at->second, most));
  }
  std::uint64_t number_or(std::size_t rank, const ChakraNode& node, const char* name,
                          std::uint64_t most, std::uint64_t otherwise) const {
    return node.numbers.contains(name) ? number(rank, node, name, most) : otherwise;
  }

  /// The k-th collective operation of a group, by ids, is the same one at all of its members.
  void meet(std::size_t rank) {
    const ChakraTrace& trace = traces_[rank];
    for (const ChakraNode& node : trace.nodes) {
      if (node.kind != ChakraKind::collective) continue;
      Group& group = group_of(rank, node);
      std::size_t& next = group.next[place_in(group, rank, node)];
      const std::uint64_t type = number(rank, node, "comm_type", UINT32_MAX);
      const std::uint64_t bytes =
          type == chakra::BARRIER ? 0 : number(rank, node, "comm_size", kMostBytes);
      check_type(rank, node, type);
      if (next == group.meetings.size()) {
        group.meetings.push_back(meetings_.size());
        meetings_.push_back({type, bytes, &trace, &node, 0});
      }
      const std::size_t meeting = group.meetings[next++];
      meetings_of_[&node] = meeting;
      Meeting& it = meetings_[meeting];
      ++it.members;
      if (it.type == type && it.bytes == bytes) continue;
      throw trace.error(node, fmt::format("{} of {} bytes is the collective operation {} of group "
                                          "'{}'; node {} of {} has {} of {} bytes in its place",
                                          name_of(type), bytes, next, node.group, it.node->id,
                                          *it.trace->file, name_of(it.type), it.bytes));
    }
  }

  void check_type(std::size_t rank, const ChakraNode& node, std::uint64_t type) const {
    for (const chakra::Collective known :
         {chakra::ALL_REDUCE, chakra::ALL_GATHER, chakra::ALL_TO_ALL, chakra::REDUCE_SCATTER,
          chakra::BARRIER}) {
      if (type == static_cast<std::uint64_t>(known)) return;
    }
    throw traces_[rank].error(node, fmt::format("comm_type {} has no place in a schedule; "
                                                "ALL_REDUCE, ALL_GATHER, ALL_TO_ALL, "
                                                "REDUCE_SCATTER and BARRIER are known",
                                                name_of(type)));
  }

  void check_meetings() const {
    for (const auto& [name, group] : groups_) {
      for (std::size_t k = 0; k < group.meetings.size(); ++k) {
        const Meeting& it = meetings_[group.meetings[k]];
        if (it.members == group.members.size()) continue;
        for (std::size_t m = 0; m < group.members.size(); ++m) {
          if (group.next[m] > k) continue;
          throw it.trace->error(
              *it.node,
              fmt::format("rank {} ({}) has {} collective operations of group '{}', too "
                          "few to take part in this one",
                          group.members[m], *traces_[group.members[m]].file, group.next[m], name));
        }
      }
    }
  }

  void write_rank(std::size_t rank) {
    const ChakraTrace& trace = traces_[rank];
    Order order(trace);
    std::vector<std::vector<std::uint32_t>> done(trace.nodes.size());
    for (const std::size_t i : order.places()) {
      const ChakraNode& node = trace.nodes[i];
      std::vector<std::uint32_t> before;
      for (const std::uint64_t id : node.waits_for) {
        const auto& its = done[order.place_of(id, node)];
        before.insert(before.end(), its.begin(), its.end());
      }
      std::sort(before.begin(), before.end());
      before.erase(std::unique(before.begin(), before.end()), before.end());
      done[i] = write_node(rank, node, std::move(before));
    }
  }

  /// Returns what has to be done for the node to be.
  std::vector<std::uint32_t> write_node(std::size_t rank, const ChakraNode& node,
                                        std::vector<std::uint32_t> before) {
    if (node.kind == ChakraKind::collective) return write_collective(rank, node, std::move(before));
    RankProgram program(builder_.rank(rank), rank, traces_.size());
    program.resume_after(std::move(before));
    const auto use = [&](ChakraCpu cpu) { program.use_cpu(static_cast<std::uint8_t>(cpu)); };
    if (node.kind == ChakraKind::computation) {
      use(node.is_on_host  ? ChakraCpu::host
          : node.is_memory ? ChakraCpu::memory
                           : ChakraCpu::device);
      program.calculate(duration_of(rank, node));
    } else if (node.kind != ChakraKind::nothing) {
      use(ChakraCpu::communication);
      write_message(rank, node, program);
    }
    return program.last();
  }

  std::int64_t duration_of(std::size_t rank, const ChakraNode& node) const {
    if (node.microseconds > kLongestCalculation / 1000) {
      throw traces_[rank].error(
          node, fmt::format("duration_micros is {}, which is too large; the most is {}",
                            node.microseconds, kLongestCalculation / 1000));
    }
    const std::uint64_t operations = number_or(rank, node, "num_ops", UINT64_MAX, 0);
    if (node.microseconds > 0 || (operations == 0 && !node.is_memory)) {
      return static_cast<std::int64_t>(node.microseconds * 1000);
    }
    if (node.is_memory) {
      throw traces_[rank].error(node, "has no duration_micros, and memory is not simulated");
    }
    if (choices_.operations_per_ns <= 0) {
      throw traces_[rank].error(node,
                                "has num_ops in place of duration_micros: `operations_per_ns` has "
                                "to say how fast a rank computes");
    }
    const double ns = static_cast<double>(operations) / choices_.operations_per_ns;
    if (ns <= static_cast<double>(kLongestCalculation)) return std::llround(ns);
    throw traces_[rank].error(node, fmt::format("{} operations would take {} ns", operations, ns));
  }

  void write_message(std::size_t rank, const ChakraNode& node, RankProgram& program) {
    const bool is_send = node.kind == ChakraKind::send;
    const char* own = is_send ? "comm_src" : "comm_dst";
    const char* other = is_send ? "comm_dst" : "comm_src";
    const std::uint64_t itself = number_or(rank, node, own, UINT32_MAX, rank);
    if (itself != rank) {
      throw traces_[rank].error(
          node, fmt::format("{} is {}, but this is the trace of rank {}", own, itself, rank));
    }
    const std::uint64_t peer = number(rank, node, other, UINT32_MAX);
    if (peer >= traces_.size()) {
      throw traces_[rank].error(
          node, fmt::format("{} is {}; there are {} ranks", other, peer, traces_.size()));
    }
    const auto bytes = static_cast<std::int64_t>(number(rank, node, "comm_size", kMostBytes));
    program.use_tag(
        static_cast<std::uint32_t>(number_or(rank, node, "comm_tag", kFirstCollectiveTag - 1, 0)));
    if (is_send) {
      program.send(bytes, peer);
    } else {
      program.receive(bytes, peer);
    }
  }

  std::vector<std::uint32_t> write_collective(std::size_t rank, const ChakraNode& node,
                                              std::vector<std::uint32_t> before) {
    const Group& group = group_of(rank, node);
    const std::size_t number = meetings_of_.at(&node);
    const Meeting& meeting = meetings_[number];
    RankProgram program(builder_.rank(rank), place_in(group, rank, node), group.members.size());
    program.use_members(group.members);
    program.use_cpu(static_cast<std::uint8_t>(ChakraCpu::communication));
    program.use_tag(kFirstCollectiveTag + static_cast<std::uint32_t>(number));
    program.resume_after(std::move(before));
    const auto bytes = static_cast<std::int64_t>(meeting.bytes);
    switch (meeting.type) {
      case chakra::ALL_REDUCE:
        if (choices_.has_rings) {
          ring_all_reduce(program, bytes);
        } else {
          recursive_doubling_all_reduce(program, bytes);
        }
        break;
      case chakra::ALL_GATHER:
        ring_all_gather(program, bytes);
        break;
      case chakra::ALL_TO_ALL:
        all_to_all_pieces(program, bytes);
        break;
      case chakra::REDUCE_SCATTER:
        ring_reduce_scatter(program, bytes);
        break;
      default:
        recursive_doubling_all_reduce(program, 0);
        break;
    }
    return program.last();
  }

  const std::vector<ChakraTrace>& traces_;
  const ChakraChoices& choices_;
  ScheduleBuilder builder_;
  std::map<std::string, Group> groups_;
  std::vector<Meeting> meetings_;
  std::map<const ChakraNode*, std::size_t> meetings_of_;
};

}  // namespace

Schedule schedule_of(const std::vector<ChakraTrace>& traces, const ChakraChoices& choices) {
  return ScheduleWriter(traces, choices).write();
}

}  // namespace weir::workload
