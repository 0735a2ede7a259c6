#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weir/base/keys.hpp"
#include "weir/fabric/hooks/hooks.hpp"

namespace weir::queueing {

namespace {

/// vFtree: the pairs of leaf switches are dealt out over Q queues in turn, so that packets between
/// the same two leaves share a queue all the way and consecutive leaves do not. Both directions of
/// a pair have the same queue; packets that stay below one leaf have queue 0.
///
/// The leaf of a host is what it sends into, whatever the topology. Leaves are numbered
/// in the order of their first hosts.
class VFtree : public fabric::QueueingScheme {
 public:
  VFtree(std::vector<std::uint32_t> leaf_of, std::uint64_t leaves, std::int64_t queues)
      : leaf_of_(std::move(leaf_of)),
        leaves_(leaves),
        queues_(static_cast<std::uint64_t>(queues)) {}
  [[nodiscard]] int classes() const override { return static_cast<int>(queues_); }
  [[nodiscard]] int classify(const fabric::Packet& packet, PortId) const override {
    const std::uint64_t from = leaf_of_[packet.source];
    const std::uint64_t to = leaf_of_[packet.destination];
    const std::uint64_t a = std::min(from, to);
    const std::uint64_t b = std::max(from, to);
    if (a == b) return 0;
    // Place of (a, b) among (0,1), (0,2), .. (0,n-1), (1,2), ..
    const std::uint64_t place = a * leaves_ - a * (a + 1) / 2 + (b - a - 1);
    return static_cast<int>(place % queues_);
  }

 private:
  std::vector<std::uint32_t> leaf_of_;  ///< per host
  std::uint64_t leaves_;
  std::uint64_t queues_;
};

struct VFtreeSettings {
  std::int64_t queues = 3;
};

std::unique_ptr<fabric::QueueingScheme> make_vftree(const Checked<VFtreeSettings>& settings,
                                                    const topology::Graph& graph) {
  constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<std::uint32_t> number(graph.node_count(), kNone);
  std::vector<std::uint32_t> leaf_of;
  std::uint32_t leaves = 0;
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    const NodeId leaf = graph.port(graph.port(graph.host_port(HostId(h))).to).node;
    if (number[leaf.index()] == kNone) number[leaf.index()] = leaves++;
    leaf_of.push_back(number[leaf.index()]);
  }
  const std::int64_t queues = settings->queues;
  const std::int64_t pairs = std::int64_t{leaves} * (std::int64_t{leaves} - 1) / 2;
  if (queues > std::max<std::int64_t>(pairs, 1)) {
    throw settings.error(
        &VFtreeSettings::queues,
        fmt::format("{} queues cannot be used: vftree spreads pairs of leaf switches; this network "
                    "has {} of them, {} pairs",
                    queues, leaves, pairs));
  }
  return std::make_unique<VFtree>(std::move(leaf_of), leaves, queues);
}

const Registration<fabric::QueueingFactory> kVftree(
    fabric::queueing_registry(),
    {"vftree",
     "queue by the leaf switches of source and destination, pairs dealt out over Q queues, each "
     "with its own credits",
     "guay2011vftree; rocher2021, section 2.3"},
    Keys<VFtreeSettings>{key(&VFtreeSettings::queues, "queues",
                             "number of queues Q, at most the pairs of leaf switches")
                             .range(1, 256)},
    make_vftree);

}  // namespace

}  // namespace weir::queueing
