#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/rates/flow_set.hpp"

namespace weir::rates {

/// W_l^a of zdornov2009, section 4.3.2: the weight of an application's flows on a link.
struct ApplicationShare {
  ApplicationId application;
  Fraction weight;
};

/// The applications of each link that has any. Memory: 24 bytes per application and link.
class LinkAggregates {
 public:
  explicit LinkAggregates(const FlowSet& set);

  /// Links that flows cross, ascending.
  [[nodiscard]] const std::vector<LinkId>& links() const { return links_; }
  /// Of links()[i], in the order of their first flows.
  [[nodiscard]] std::span<const ApplicationShare> shares(std::size_t i) const {
    return std::span(shares_).subspan(first_[i], first_[i + 1] - first_[i]);
  }

 private:
  std::vector<LinkId> links_;
  std::vector<std::uint64_t> first_{0};
  std::vector<ApplicationShare> shares_;
};

}  // namespace weir::rates
