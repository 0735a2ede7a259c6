#pragma once

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <vector>

#include "rates/rational.hpp"
#include "weir/rates/algorithm.hpp"
#include "weir/rates/certificate.hpp"
#include "weir/rates/flow_set.hpp"

namespace weir::rates {

inline void PrintTo(const Fraction& fraction, std::ostream* out) { *out << fraction.to_string(); }

/// r̄ of all flows.
inline std::vector<Fraction> normalized(const Assignment& assignment) {
  std::vector<Fraction> rates;
  for (std::size_t f = 0; f < assignment.level.size(); ++f) {
    rates.push_back(assignment.normalized_rate(FlowId(f)));
  }
  return rates;
}

/// r of all flows.
inline std::vector<Fraction> rates_of(const FlowSet& set, const Assignment& assignment) {
  std::vector<Fraction> rates;
  for (std::size_t f = 0; f < set.flow_count(); ++f) {
    rates.push_back(assignment.rate(set, FlowId(f)));
  }
  return rates;
}

/// A small network as plain numbers, from which flow sets and references are made.
struct Instance {
  struct Flow {
    std::vector<int> path;
    int weight = 1;
    int application = 0;
  };
  std::vector<int> capacities;  ///< in twelfths
  std::vector<Flow> flows;

  [[nodiscard]] FlowSet flow_set() const {
    std::vector<Fraction> fractions;
    for (const int capacity : capacities) fractions.emplace_back(capacity, 12);
    FlowSetBuilder builder(std::move(fractions));
    for (const Flow& flow : flows) {
      std::vector<LinkId> path;
      for (const int link : flow.path) path.emplace_back(link);
      builder.add(path, Fraction(flow.weight), ApplicationId(flow.application));
    }
    return builder.build();
  }
  [[nodiscard]] int applications() const {
    int most = 0;
    for (const Flow& flow : flows) most = std::max(most, flow.application + 1);
    return most;
  }
  /// The same flows, every one an application of its own.
  [[nodiscard]] Instance with_single_flows() const {
    Instance single = *this;
    for (std::size_t f = 0; f < single.flows.size(); ++f) {
      single.flows[f].application = static_cast<int>(f);
    }
    return single;
  }
};

/// Draws an instance; `unit_capacities` for statements that hold for those alone.
inline Instance draw_instance(int most_links, int most_flows, bool unit_capacities) {
  Instance out;
  const int links = *rc::gen::inRange(1, most_links + 1);
  for (int l = 0; l < links; ++l) {
    out.capacities.push_back(unit_capacities ? 12 : *rc::gen::inRange(1, 25));
  }
  const int flows = *rc::gen::inRange(1, most_flows + 1);
  const int applications = *rc::gen::inRange(1, flows + 1);
  const bool is_weighted = *rc::gen::arbitrary<bool>();
  for (int f = 0; f < flows; ++f) {
    Instance::Flow flow;
    const auto drawn = *rc::gen::container<std::vector<int>>(
        static_cast<std::size_t>(*rc::gen::inRange(1, 5)), rc::gen::inRange(0, links));
    for (const int link : drawn) {
      if (std::find(flow.path.begin(), flow.path.end(), link) == flow.path.end()) {
        flow.path.push_back(link);
      }
    }
    if (is_weighted) flow.weight = *rc::gen::inRange(1, 6);
    // The first flows see to it that no application is empty.
    flow.application = f < applications ? f : *rc::gen::inRange(0, applications);
    out.flows.push_back(std::move(flow));
  }
  return out;
}

/// Normalized rates of applications by Alg. 4.5 as it is written, in rational numbers of any size.
inline std::vector<Rational> fill_by_sweeps(const Instance& instance) {
  std::vector<Rational> rest;
  for (const int capacity : instance.capacities) rest.emplace_back(capacity, 12);
  std::vector<Rational> rate(static_cast<std::size_t>(instance.applications()));
  std::vector<bool> grows(rate.size(), true);
  while (std::find(grows.begin(), grows.end(), true) != grows.end()) {
    std::vector<Rational> weight(rest.size());
    for (const Instance::Flow& flow : instance.flows) {
      if (!grows[static_cast<std::size_t>(flow.application)]) continue;
      for (const int l : flow.path) weight[static_cast<std::size_t>(l)] += flow.weight;
    }
    Rational step = -1;
    for (std::size_t l = 0; l < rest.size(); ++l) {
      if (weight[l] == 0) continue;
      const Rational here = rest[l] / weight[l];
      if (step < 0 || here < step) step = here;
    }
    for (std::size_t l = 0; l < rest.size(); ++l) rest[l] -= step * weight[l];
    for (std::size_t a = 0; a < rate.size(); ++a) {
      if (grows[a]) rate[a] += step;
    }
    for (const Instance::Flow& flow : instance.flows) {
      for (const int l : flow.path) {
        if (rest[static_cast<std::size_t>(l)] == 0) {
          grows[static_cast<std::size_t>(flow.application)] = false;
        }
      }
    }
  }
  return rate;
}

/// A rational number of any size as a fraction.
inline Fraction to_fraction(const Rational& number) {
  const auto part = [](const boost::multiprecision::cpp_int& whole) {
    Fraction sum;
    for (const char digit : whole.str()) sum = sum * Fraction(10) + Fraction(digit - '0');
    return sum;
  };
  return part(boost::multiprecision::numerator(number)) /
         part(boost::multiprecision::denominator(number));
}

}  // namespace weir::rates
