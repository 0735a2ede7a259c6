#include "weir/experiment/store/results_record.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <ctime>
#include <thread>

namespace weir::experiment {

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
