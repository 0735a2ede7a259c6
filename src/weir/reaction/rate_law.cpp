#include "weir/reaction/rate_law.hpp"

#include <algorithm>
#include <cmath>

namespace weir::reaction {

namespace {

class Aimd final : public RateLaw {
 public:
  Aimd(double factor, double least) : RateLaw(least), factor_(factor) {}

 protected:
  [[nodiscard]] double lower(double rate) const override { return rate / factor_; }
  [[nodiscard]] double curve(double rate, double packet_times) const override {
    return rate + packet_times * (factor_ - 1) * least() * least();
  }

 private:
  double factor_;
};

class Fimd final : public RateLaw {
 public:
  Fimd(double factor, double least) : RateLaw(least), factor_(factor) {}

 protected:
  [[nodiscard]] double lower(double rate) const override { return rate / factor_; }
  [[nodiscard]] double curve(double rate, double packet_times) const override {
    return rate * std::pow(factor_, least() * packet_times);
  }

 private:
  double factor_;
};

class Pipd final : public RateLaw {
 public:
  Pipd(double factor, double least, double unit)
      : RateLaw(least), factor_(factor), unit_(unit), log_of_most_(-std::log(unit)) {}

 protected:
  [[nodiscard]] double lower(double rate) const override {
    return unit_ * std::pow(rate / unit_, 1 / factor_);
  }
  /// In logarithms: the power itself is far beyond any number.
  [[nodiscard]] double curve(double rate, double packet_times) const override {
    const double log = std::log(rate / unit_) * std::pow(factor_, least() * packet_times);
    return log >= log_of_most_ ? 1.0 : unit_ * std::exp(log);
  }

 private:
  double factor_;
  double unit_;
  double log_of_most_;
};

}  // namespace

double RateLaw::decreased(double rate) const { return std::max(lower(rate), least_); }

double RateLaw::after(double rate, double packet_times) const {
  return std::clamp(curve(rate, packet_times), least_, 1.0);
}

std::unique_ptr<RateLaw> make_aimd(double factor, double least) {
  return std::make_unique<Aimd>(factor, least);
}

std::unique_ptr<RateLaw> make_fimd(double factor, double least) {
  return std::make_unique<Fimd>(factor, least);
}

std::unique_ptr<RateLaw> make_pipd(double factor, double least, double unit) {
  return std::make_unique<Pipd>(factor, least, unit);
}

}  // namespace weir::reaction
