#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::experiment {

/// A run that a program is carrying out.
struct RunAtWork {
  std::string name;
  double share = 0;          ///< of its simulated time; 0: its end is not known
  double seconds = 0;        ///< since it began
  double seconds_left = -1;  ///< negative: not known yet
};

/// What a program that brings runs into a store says of itself, for others that look on. It says so
/// when it begins, every few seconds, and when it ends: one that says nothing more has died.
struct CampaignState {
  enum class Stage : std::uint8_t { running, ended, interrupted };

  std::string host;          ///< name of the machine
  std::int64_t process = 0;  ///< there
  std::string started;       ///< UTC, ISO 8601
  double told = 0;           ///< when it said so, in seconds since 1970
  Stage stage = Stage::running;
  std::size_t runs = 0;    ///< of its plan
  std::size_t done = 0;    ///< of these, by whomever; those that failed among them
  std::size_t failed = 0;  ///< now
  double share = 0;        ///< of its work that is done
  double seconds_left = -1;
  std::vector<RunAtWork> at_work{};

  /// It has not ended, nor said anything for so long that it must have died; on this machine it is
  /// enough that the process has gone.
  [[nodiscard]] bool is_alive() const;
};

/// This machine and process, from now on.
CampaignState new_campaign_state();

/// Seconds since 1970.
double seconds_now();

}  // namespace weir::experiment
