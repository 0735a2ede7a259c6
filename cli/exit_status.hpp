#pragma once

namespace weir::cli {

/// Exit statuses of the program.
inline constexpr int kDone = 0;
inline constexpr int kRunFailed = 1;
inline constexpr int kWrongInput = 2;

}  // namespace weir::cli
