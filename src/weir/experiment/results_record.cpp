#include "weir/experiment/results_record.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <ctime>
#include <thread>

#include "weir/base/uint128.hpp"

namespace weir::experiment {

std::string configuration_hash(std::string_view configuration) {
  constexpr Uint128 kPrime = (static_cast<Uint128>(0x0000000001000000ULL) << 64U) | 0x13bULL;
  Uint128 hash = (static_cast<Uint128>(0x6c62272e07bb0142ULL) << 64U) | 0x62b821756295c58dULL;
  for (const char c : configuration) {
    hash ^= static_cast<unsigned char>(c);
    hash *= kPrime;
  }
  return fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(hash >> 64U),
                     static_cast<std::uint64_t>(hash));
}

std::string host_description() {
  utsname names{};
  if (uname(&names) != 0) return "unknown";
  return fmt::format("{} ({} {}, {} processors)", names.nodename, names.sysname, names.machine,
                     std::thread::hardware_concurrency());
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace weir::experiment
