#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/exact_sum.hpp"
#include "weir/base/ranks.hpp"
#include "weir/fabric/hooks/mechanism.hpp"

namespace weir::metrics {

/// Writes down what mechanisms tell, so that it can be told again: in other processes.
class ReadingsLog final : public fabric::Readings {
 public:
  /// `to`: who will be told.
  explicit ReadingsLog(const fabric::Readings& to)
      : traffic_classes_(to.traffic_classes()), wants_values_(to.wants_values()) {}

  [[nodiscard]] std::size_t traffic_classes() const override { return traffic_classes_; }
  void count(std::string_view metric, double total, std::string_view label) override;
  void count_of(std::size_t traffic_class, std::string_view metric, double total) override;
  void mean(std::string_view metric, ExactSum part, ExactSum whole) override;
  void mean_of(std::size_t traffic_class, std::string_view metric, ExactSum part,
               ExactSum whole) override;
  void mean_over_time(std::string_view metric, ExactSum integral) override;
  void average_at(std::string_view metric, std::string_view label, ExactSum integral,
                  std::uint32_t number) override;
  void mean_at(std::string_view metric, std::string_view label, ExactSum part, ExactSum whole,
               std::uint32_t number) override;
  void ratio_of(std::size_t traffic_class, std::string_view metric, ExactSum part,
                ExactSum whole) override;
  void level(std::string_view metric, double now, std::string_view largest) override;
  void level_of_most(std::string_view metric, double now, std::string_view largest) override;
  void level_at(std::string_view metric, std::string_view label, double now,
                std::uint32_t number) override;
  [[nodiscard]] bool wants_values() const override { return wants_values_; }
  void value(std::string_view metric, double value, std::string_view label) override;
  void value_of_sum(std::string_view metric, ExactSum sum, double unit) override;
  void value_of_mean(std::string_view metric, ExactSum sum, double unit, ExactSum count) override;
  void smallest(std::string_view metric, double value, std::string_view label) override;
  void largest(std::string_view metric, double value, std::string_view label) override;
  void most_at_once(std::string_view metric, std::span<const fabric::Change> changes) override;
  void ranked(std::string_view metric, double value, std::string_view label,
              std::uint32_t number) override;

  [[nodiscard]] Ranks::Parcel bytes() const;
  /// Tells `to` what bytes() of another log has.
  static void tell(const Ranks::Parcel& bytes, fabric::Readings& to);

 private:
  enum class Call : std::uint8_t;
  /// What was told, in the order in which it was.
  struct Entry {
    Call call;
    std::string metric;
    std::string label;  ///< or metric of the largest
    std::uint64_t traffic_class = 0;
    ExactSum part;
    ExactSum whole;
    double number = 0;
    std::uint32_t rank = 0;  ///< of several things: number of one
    std::vector<fabric::Change> changes{};

    template <class Archive>
    void serialize(Archive& archive) {
      archive(call, metric, label, traffic_class, part, whole, number, rank, changes);
    }
  };

  Entry& add(Call call, std::string_view metric, std::string_view label = {});

  std::size_t traffic_classes_;
  bool wants_values_;
  std::vector<Entry> entries_;
};

}  // namespace weir::metrics
