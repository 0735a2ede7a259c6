#pragma once

#include <pybind11/pybind11.h>

#include "weir/base/random.hpp"

namespace weir::python {

/// A stream of random numbers that belongs to somebody else, lent to Python code for a while.
class Random {
 public:
  explicit Random(RandomStream& stream) : stream_(&stream) {}

  [[nodiscard]] double unit() { return stream().unit(); }
  [[nodiscard]] std::uint64_t below(std::uint64_t bound);
  [[nodiscard]] double exponential(double mean) { return stream().exponential(mean); }
  /// From now on it gives no more numbers: its owner may be gone.
  void end() { stream_ = nullptr; }

 private:
  [[nodiscard]] RandomStream& stream();

  RandomStream* stream_;
};

void add_random(pybind11::module_& module);

}  // namespace weir::python
