#pragma once

#include <boost/multiprecision/cpp_int.hpp>

namespace weir::rates {

/// Exact numbers of any size, which no rounding can hide a mistake in.
using Rational = boost::multiprecision::number<boost::multiprecision::cpp_rational_backend,
                                               boost::multiprecision::et_off>;

}  // namespace weir::rates
