#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "weir/base/error.hpp"
#include "weir/workload/goal.hpp"

namespace weir::workload {

inline Schedule goal(const std::string& text) { return parse_goal(text, "x.goal"); }

/// What the call throws; fails when it throws nothing.
template <class Error = InputError, class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

inline std::string refused(const std::string& text) {
  return error_of([&] { (void)goal(text); });
}

}  // namespace weir::workload
