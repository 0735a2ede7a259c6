#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/base/ids.hpp"
#include "weir/base/prefetch.hpp"
#include "weir/rates/fraction.hpp"

namespace weir::rates {

/// A flow, numbered from 0 in the order in which flows were added.
using FlowId = Id<struct FlowTag>;
/// A directed link. In a set made from a network its number is that of the port that transmits
/// (PortId); links and ports that no flow uses have numbers, too.
using LinkId = Id<struct LinkTag>;
/// A phase-based application, numbered from 0 without gaps.
using ApplicationId = Id<struct ApplicationTag>;

/// Flows with fixed paths over directed links: what every calculation of rates starts from
/// (zdornov2009, section 1.2). Immutable. Capacities and rates are fractions of the line rate;
/// weights have no unit.
///
/// Memory: 4 bytes per link of a path and 4 per flow, 16 more per flow when weights differ from 1,
/// 4 more with several applications.
class FlowSet {
 public:
  [[nodiscard]] std::size_t flow_count() const { return first_.size() - 1; }
  [[nodiscard]] std::size_t link_count() const { return capacities_.size(); }
  [[nodiscard]] std::size_t application_count() const { return applications_; }

  /// All directed links from the source's injection link to the destination's ejection link, each
  /// once, in the order of travel. Not empty.
  [[nodiscard]] std::span<const LinkId> path(FlowId f) const {
    return std::span(links_).subspan(first_[f.index()], first_[f.index() + 1] - first_[f.index()]);
  }
  /// Brings the place of the flow's path near, ahead of path().
  void prefetch(FlowId f) const { weir::prefetch(&first_[f.index()]); }
  /// w_f > 0.
  [[nodiscard]] Fraction weight(FlowId f) const {
    return weights_.empty() ? Fraction(1) : weights_[f.index()];
  }
  [[nodiscard]] ApplicationId application(FlowId f) const {
    return application_of_.empty() ? ApplicationId(0) : application_of_[f.index()];
  }
  /// What controlled flows may use of the link: > 0 wherever a flow crosses it.
  [[nodiscard]] Fraction capacity(LinkId l) const { return capacities_[l.index()]; }

  /// Some weight is not 1.
  [[nodiscard]] bool is_weighted() const { return !weights_.empty(); }
  /// Sum of the lengths of all paths, less than 2^32.
  [[nodiscard]] std::size_t total_length() const { return links_.size(); }

 private:
  friend class FlowSetBuilder;

  std::vector<std::uint32_t> first_{0};  ///< per flow, plus an end mark
  std::vector<LinkId> links_;
  std::vector<Fraction> weights_;              ///< empty: all 1
  std::vector<ApplicationId> application_of_;  ///< empty: all of application 0
  std::vector<Fraction> capacities_;
  std::size_t applications_ = 0;
};

/// Builds a flow set flow by flow.
class FlowSetBuilder {
 public:
  /// One capacity per link. Throws InputError when one is negative.
  explicit FlowSetBuilder(std::vector<Fraction> capacities);
  /// `links` links of capacity 1.
  explicit FlowSetBuilder(std::size_t links);

  void reserve(std::size_t flows, std::size_t total_length);
  /// Throws InputError for an empty path, a link that is not there, comes twice, or has no
  /// capacity, and for a weight that is not positive.
  FlowId add(std::span<const LinkId> path, const Fraction& weight = Fraction(1),
             ApplicationId application = ApplicationId(0));
  FlowId add(std::initializer_list<int> path, const Fraction& weight = Fraction(1),
             ApplicationId application = ApplicationId(0));
  /// Throws InputError when there is no flow, or an application between others has none. The
  /// builder is empty afterwards.
  [[nodiscard]] FlowSet build();

 private:
  FlowSet set_;
  std::vector<std::uint32_t> last_user_;  ///< per link: the last flow that crosses it
};

/// The flows that cross each link: the transposed paths.
class FlowsByLink {
 public:
  explicit FlowsByLink(const FlowSet& set);
  /// Ascending.
  [[nodiscard]] std::span<const FlowId> operator[](LinkId l) const {
    return std::span(flows_).subspan(first_[l.index()], first_[l.index() + 1] - first_[l.index()]);
  }

 private:
  std::vector<std::uint64_t> first_;
  std::vector<FlowId> flows_;
};

/// W_l of (4.1), (4.3): the weight of a link's flows over its capacity, per link; 0 without flows.
[[nodiscard]] std::vector<Fraction> link_weights(const FlowSet& set);
/// Number of flows on each link.
[[nodiscard]] std::vector<std::uint32_t> contention(const FlowSet& set);

}  // namespace weir::rates
