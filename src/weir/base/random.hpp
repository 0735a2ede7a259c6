#pragma once

// Philox needs none of the special instructions whose headers take longer to compile than all else.
#ifndef R123_USE_X86INTRIN_H
#define R123_USE_X86INTRIN_H 0
#define R123_USE_IA32INTRIN_H 0
#define R123_USE_SSE 0
#define R123_USE_AES_NI 0
#endif
#include <Random123/philox.h>

#include <cmath>
#include <cstdint>

#include "weir/base/uint128.hpp"

namespace weir {

/// What a stream is for, so that streams of one entity for different uses are independent.
enum class StreamPurpose : std::uint32_t {
  arrivals = 1,
  destinations,
  sizes,
  routing,
  selection,
  arbitration,
  placement,
  test,
  notification,
  failures,
  marking,
  services,
  acknowledgements,
  cable_lengths,
  cable_perturbations,
};

/// Counter-based random numbers (Philox 4x32-10) of one entity and purpose. The n-th number depends
/// only on (seed, entity, purpose, n): not on other streams, threads or partitions.
/// Satisfies UniformRandomBitGenerator.
class RandomStream {
 public:
  using result_type = std::uint64_t;

  RandomStream() : RandomStream(0, 0, StreamPurpose::test) {}
  RandomStream(std::uint64_t seed, std::uint32_t entity, StreamPurpose purpose)
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
        counter_{{0, 0, entity, static_cast<std::uint32_t>(purpose)}} {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return UINT64_MAX; }

  /// 64 uniform bits.
  result_type operator()() {
    if (!has_spare_) {
      const auto block = r123::Philox4x32()(counter_, key_);
      if (++counter_[0] == 0) ++counter_[1];
      spare_ = (static_cast<std::uint64_t>(block[3]) << 32) | block[2];
      has_spare_ = true;
      return (static_cast<std::uint64_t>(block[1]) << 32) | block[0];
    }
    has_spare_ = false;
    return spare_;
  }

  /// Uniform in [0, 1).
  double unit() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

  /// Uniform in 0 .. bound-1, unbiased. bound must be positive.
  std::uint64_t below(std::uint64_t bound) {
    auto product = static_cast<Uint128>((*this)()) * bound;
    auto low = static_cast<std::uint64_t>(product);
    if (low < bound) {
      const std::uint64_t threshold = (0 - bound) % bound;
      while (low < threshold) {
        product = static_cast<Uint128>((*this)()) * bound;
        low = static_cast<std::uint64_t>(product);
      }
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

  /// Exponential with the given mean.
  double exponential(double mean) { return -mean * std::log1p(-unit()); }

 private:
  r123::Philox4x32::key_type key_;
  r123::Philox4x32::ctr_type counter_;
  std::uint64_t spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace weir
