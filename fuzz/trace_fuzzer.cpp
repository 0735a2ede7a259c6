// Traces: any bytes are read or refused with an InputError, and what was read is whole: every
// message between two hosts of the network, in the order of time.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "weir/traffic/trace.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const weir::traffic::Trace& trace, std::size_t hosts) {
  std::size_t messages = 0;
  for (std::size_t h = 0; h < hosts; ++h) {
    std::int64_t last = 0;
    for (const auto& message : trace.messages(weir::HostId(h))) {
      require(message.time >= last);
      require(message.destination < hosts && message.destination != h);
      require(message.bytes > 0);
      last = message.time;
      ++messages;
    }
  }
  require(messages > 0 && messages == trace.message_count());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kHosts = 16;
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const double compression : {1.0, 20.0, 1e-6}) {
    std::istringstream in(text);
    try {
      check(weir::traffic::read_trace(in, "fuzz.trace", {kHosts, compression}), kHosts);
    } catch (const weir::InputError&) {
      // Refused, as it should be.
    }
  }
  return 0;
}
