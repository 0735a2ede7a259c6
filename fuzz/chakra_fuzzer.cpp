// Chakra traces, protobuf or JSON: any bytes are read or refused with an InputError, and the
// schedule of a trace of one rank is whole.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "weir/workload/chakra/schedule.hpp"

namespace {

void check(const weir::workload::Schedule& schedule) {
  if (schedule.rank_count() != 1) std::abort();
  std::uint64_t waits = 0;
  std::uint64_t followers = 0;
  for (std::uint32_t i = 0; i < schedule.size(); ++i) {
    if (schedule[i].amount < 0) std::abort();
    waits += schedule.wait_count(i);
    followers += schedule.after_end(i).size() + schedule.after_start(i).size();
  }
  if (waits != followers) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const bool is_json = !bytes.empty() && (bytes[0] == '{' || bytes[0] == ' ');
  try {
    const auto trace = weir::workload::parse_chakra(bytes, is_json ? "fuzz.0.json" : "fuzz.0.et");
    check(weir::workload::schedule_of({trace}, {}));
  } catch (const weir::InputError&) {
    // Refused, as it should be.
  }
  return 0;
}
