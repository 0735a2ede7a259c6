#pragma once

#include <memory>

namespace weir::reaction {

/// How a source lowers and raises its injection rate r, which is over that of its link, R_max = 1.
/// Times are in packet times, 1 / R_max. Sources: ferrer2012, section 3.5.1, yan2012, section 3.3.
///
/// One curve serves both: F_inc^r(t), the rate t after it was r without further marks. Recovery by
/// time follows the curve; recovery by ACKs takes it at t = 1 / r, when the next ACK is due
/// (yan2012, equation 3.5).
class RateLaw {
 public:
  /// `least`: R_min, in (0, 1].
  explicit RateLaw(double least) : least_(least) {}
  virtual ~RateLaw() = default;

  /// f_dec(r)
  [[nodiscard]] double decreased(double rate) const;
  /// F_inc^r(t), at most 1.
  [[nodiscard]] double after(double rate, double packet_times) const;
  /// f_inc(r)
  [[nodiscard]] double increased(double rate) const { return after(rate, 1 / rate); }
  [[nodiscard]] double least() const { return least_; }
  /// Integral of F_inc^r over the first t packet times.
  [[nodiscard]] double over(double rate, double packet_times) const;
  /// t with F_inc^r(t) = 1.
  [[nodiscard]] double time_to_full(double rate) const { return rate >= 1 ? 0 : climb(rate); }

 protected:
  [[nodiscard]] virtual double lower(double rate) const = 0;
  [[nodiscard]] virtual double curve(double rate, double packet_times) const = 0;
  /// t with curve(rate, t) = 1, and the integral of the curve up to `packet_times`, which is not
  /// beyond it.
  [[nodiscard]] virtual double climb(double rate) const = 0;
  [[nodiscard]] virtual double area(double rate, double packet_times) const = 0;

 private:
  double least_;
};

/// Additive increase, multiplicative decrease: r / m, and r + t (m - 1) R_min^2.
std::unique_ptr<RateLaw> make_aimd(double factor, double least);
/// Fast increase, multiplicative decrease: r / m, and r m^(R_min t).
std::unique_ptr<RateLaw> make_fimd(double factor, double least);
/// Power increase, power decrease: (r/u)^(1/m) u, and (r/u)^(m^(R_min t)) u. The unit u, over
/// R_max, changes the law; R_min / u must exceed 1.
std::unique_ptr<RateLaw> make_pipd(double factor, double least, double unit);

}  // namespace weir::reaction
