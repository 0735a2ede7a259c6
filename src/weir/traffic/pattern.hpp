#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/base/ids.hpp"
#include "weir/base/random.hpp"
#include "weir/topology/graph.hpp"

namespace weir::traffic {

/// Whose message gets a destination.
struct Draw {
  HostId source;
  std::uint32_t rank = 0;     ///< of the source among the sources of its entry, from 0
  std::uint64_t message = 0;  ///< number of this message at its source, from 0
};

/// Where the messages of an entry go. One object serves all its sources and keeps no state.
class Pattern {
 public:
  virtual ~Pattern() = default;
  /// A host other than draw.source. `random` is the source's own stream.
  [[nodiscard]] virtual HostId destination(const Draw& draw, RandomStream& random) const = 0;
  /// False for a source without a destination, as the fixed points of a permutation: it is silent.
  [[nodiscard]] virtual bool sends(HostId source) const {
    (void)source;
    return true;
  }
  /// Where number `rank` of the sources sends, if that is known before it does; empty: to hosts
  /// that are drawn from many, message by message.
  [[nodiscard]] virtual std::vector<HostId> destinations(HostId source, std::uint32_t rank) const {
    (void)source, (void)rank;
    return {};
  }
  /// The few hosts that the pattern is aimed at; empty where it has no preference.
  [[nodiscard]] virtual std::vector<HostId> targets() const { return {}; }
};

/// What a pattern is made for.
struct PatternContext {
  const topology::Graph& graph;
  const std::vector<HostId>& sources;  ///< of the entry, ascending
  std::uint64_t seed = 1;
  std::uint32_t entry = 0;  ///< index of the [[traffic]] table
};

using PatternFactory =
    std::function<std::shared_ptr<const Pattern>(const Settings&, const PatternContext&)>;

/// Kind "pattern". A factory throws InputError where the pattern does not fit hosts or sources.
Registry<PatternFactory>& pattern_registry();

using PatternRegistration = Registration<PatternFactory>;

}  // namespace weir::traffic
