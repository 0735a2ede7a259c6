#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "weir/fabric/hooks/mechanism.hpp"

namespace weir::fabric::testing {

/// What a mechanism tells of its own metrics at `now`, of all traffic together.
class Told final : public Readings {
 public:
  explicit Told(const Mechanism& mechanism, Time now = Time()) { mechanism.read(*this, now); }

  [[nodiscard]] std::size_t traffic_classes() const override { return 1; }
  void count(std::string_view metric, double total, std::string_view) override {
    parts_[std::string(metric)] += total;
  }
  void count_of(std::size_t, std::string_view metric, double total) override {
    parts_[std::string(metric)] += total;
  }
  void mean_of(std::size_t, std::string_view metric, ExactSum part, ExactSum whole) override {
    parts_[std::string(metric)] += part.value();
    wholes_[std::string(metric)] += whole.value();
  }
  void mean(std::string_view metric, ExactSum part, ExactSum whole) override {
    mean_of(0, metric, part, whole);
  }
  void mean_over_time(std::string_view metric, ExactSum integral) override {
    parts_[std::string(metric)] += integral.value();
  }
  /// Under "metric label".
  void average_at(std::string_view metric, std::string_view label, ExactSum integral,
                  std::uint32_t number) override {
    (void)number;
    parts_[std::string(metric) + " " + std::string(label)] += integral.value();
  }
  void mean_at(std::string_view metric, std::string_view label, ExactSum part, ExactSum whole,
               std::uint32_t number) override {
    (void)number;
    mean_of(0, std::string(metric) + " " + std::string(label), part, whole);
  }
  void level_at(std::string_view metric, std::string_view label, double now,
                std::uint32_t) override {
    parts_[std::string(metric) + " " + std::string(label)] = now;
  }
  void ratio_of(std::size_t, std::string_view metric, ExactSum part, ExactSum whole) override {
    mean_of(0, metric, part, whole);
  }
  void level(std::string_view metric, double now, std::string_view) override {
    parts_[std::string(metric)] = now;
  }
  void level_of_most(std::string_view metric, double now, std::string_view) override {
    parts_[std::string(metric)] = now;
  }
  [[nodiscard]] bool wants_values() const override { return true; }
  void value(std::string_view metric, double value, std::string_view) override {
    parts_[std::string(metric)] = value;
  }
  void value_of_sum(std::string_view metric, ExactSum sum, double unit) override {
    parts_[std::string(metric)] = sum.value() * unit;
  }
  void value_of_mean(std::string_view metric, ExactSum sum, double unit, ExactSum count) override {
    if (count.value() > 0) parts_[std::string(metric)] = sum.value() * unit / count.value();
  }
  void smallest(std::string_view metric, double value, std::string_view) override {
    if (!std::isnan(value)) parts_[std::string(metric)] = value;
  }
  void largest(std::string_view metric, double value, std::string_view) override {
    if (!std::isnan(value)) parts_[std::string(metric)] = value;
  }
  void most_at_once(std::string_view metric, std::span<const Change> changes) override {
    std::int64_t now = 0;
    std::int64_t most = 0;
    for (const Change& change : changes) most = std::max(most, now += change.by);
    parts_[std::string(metric)] = static_cast<double>(most);
  }
  void ranked(std::string_view metric, double value, std::string_view label,
              std::uint32_t) override {
    parts_[std::string(metric) + " " + std::string(label)] = value;
  }

  /// A count or value, or the part of a mean; 0 where it is not told.
  double operator[](const std::string& metric) const { return of(parts_, metric); }
  [[nodiscard]] double whole(const std::string& metric) const { return of(wholes_, metric); }
  [[nodiscard]] bool has(const std::string& metric) const { return parts_.count(metric) != 0; }

 private:
  using Values = std::map<std::string, double>;
  static double of(const Values& values, const std::string& metric) {
    const auto found = values.find(metric);
    return found == values.end() ? 0 : found->second;
  }

  Values parts_;
  Values wholes_;
};

}  // namespace weir::fabric::testing
