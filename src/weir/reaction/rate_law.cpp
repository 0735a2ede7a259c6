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
    return rate + packet_times * slope();
  }
  [[nodiscard]] double climb(double rate) const override { return (1 - rate) / slope(); }
  [[nodiscard]] double area(double rate, double packet_times) const override {
    return packet_times * (rate + packet_times * slope() / 2);
  }

 private:
  [[nodiscard]] double slope() const { return (factor_ - 1) * least() * least(); }

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
  [[nodiscard]] double climb(double rate) const override { return -std::log(rate) / pace(); }
  [[nodiscard]] double area(double rate, double packet_times) const override {
    return rate * std::expm1(pace() * packet_times) / pace();
  }

 private:
  [[nodiscard]] double pace() const { return least() * std::log(factor_); }

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
  [[nodiscard]] double climb(double rate) const override {
    return std::log(log_of_most_ / std::log(rate / unit_)) / pace();
  }
  /// The integral of exp(x) dt with x growing as exp(pace t) is that of exp(x) / x dx over pace.
  [[nodiscard]] double area(double rate, double packet_times) const override {
    const double from = std::log(rate / unit_);
    const double to = from * std::exp(pace() * packet_times);
    return unit_ * (std::expint(to) - std::expint(from)) / pace();
  }

 private:
  [[nodiscard]] double pace() const { return least() * std::log(factor_); }

  double factor_;
  double unit_;
  double log_of_most_;
};

}  // namespace

double RateLaw::decreased(double rate) const { return std::max(lower(rate), least_); }

double RateLaw::after(double rate, double packet_times) const {
  return std::clamp(curve(rate, packet_times), least_, 1.0);
}

double RateLaw::over(double rate, double packet_times) const {
  const double full = time_to_full(rate);
  if (packet_times <= full) return area(rate, packet_times);
  return area(rate, full) + (packet_times - full);
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
