// No memory is taken from the heap in steady state. Sanitizers bring an operator new of their own:
// this is for builds without.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WEIR_HAS_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WEIR_HAS_SANITIZER
#endif

#ifndef WEIR_HAS_SANITIZER

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include "support/small_network.hpp"

namespace {

std::atomic<std::int64_t> allocations{0};

void* counted(std::size_t bytes, std::size_t alignment) {
  ++allocations;
  const std::size_t size =
      (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  if (void* memory = std::aligned_alloc(alignment, size)) return memory;
  throw std::bad_alloc();
}

// Not inlined: GCC would take a free() beside somebody's new for a mistake.
[[gnu::noinline]] void give_back(void* memory) { std::free(memory); }

}  // namespace

// The whole test program counts.
void* operator new(std::size_t bytes) { return counted(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new[](std::size_t bytes) { return counted(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }

namespace weir::fabric::testing {
namespace {

/// Uniform Poisson traffic for ever, 1000-byte messages at 60 % of 1 B/ns.
class Uniform : public MessageSource {
 public:
  Uniform(std::uint32_t host, std::uint32_t hosts)
      : random_(9, host, StreamPurpose::test), host_(host), hosts_(hosts) {}
  std::optional<MessageRequest> next(Time) override {
    at_ += random_.exponential(1e6 / 0.6);
    const auto step = 1 + static_cast<std::uint32_t>(random_.below(hosts_ - 1));
    return MessageRequest{Time(static_cast<std::int64_t>(at_)), HostId((host_ + step) % hosts_),
                          Bytes(1'000)};
  }

 private:
  RandomStream random_;
  std::uint32_t host_;
  std::uint32_t hosts_;
  double at_ = 0;
};

struct Found {
  std::int64_t least = 0;  ///< allocations in the best of five windows
  std::int64_t all = 0;    ///< in all of them
};

/// Allocations in five windows of 2 ms each after 10 ms with the same load.
Found allocations_in_steady_state(Architecture architecture, AckMode acks, Time check_period) {
  const auto graph =
      make_topology("k-ary-n-tree", "k = 4\nn = 2", {gigabits_per_second(8), nanoseconds(20)});
  FabricSettings settings;
  settings.architecture = architecture;
  settings.speedup = 1.5;
  settings.mtu = Bytes(1'000);
  settings.ingress_buffer = settings.egress_buffer = Bytes(16'000);
  settings.acks = acks;
  settings.check_period = check_period;
  Observer nobody;
  Models models{graph, make_routing("d-mod-k", *graph), make_selection("fixed"),
                make_queueing("voqsw", *graph)};
  Fabric fabric(models, {}, settings, nobody);
  for (std::uint32_t h = 0; h < 16; ++h)
    fabric.add_source(HostId(h), std::make_unique<Uniform>(h, 16));
  fabric.run_until(milliseconds(10));
  // What run_until() itself needs to end is not part of the steady state.
  const std::int64_t before_end = allocations;
  fabric.run_until(milliseconds(10) + Time(1));
  const std::int64_t per_call = allocations - before_end;
  Found found;
  for (int window = 0; window < 5; ++window) {
    const std::uint64_t delivered = fabric.counters().packets_delivered;
    const std::int64_t before = allocations;
    fabric.run_until(milliseconds(12 + 2 * window));
    const std::int64_t taken = allocations - before - per_call;
    EXPECT_GT(fabric.counters().packets_delivered, delivered + 15'000);
    found.least = window == 0 ? taken : std::min(found.least, taken);
    found.all += taken;
  }
  return found;
}

// Some pool may still meet its highest demand for the first time. Whatever took memory by the
// packet, the message or the period would do so in every window.
TEST(Allocation, NoneInSteadyState) {
  for (const Architecture architecture :
       {Architecture::input_queued, Architecture::input_queued_single, Architecture::cioq,
        Architecture::output_queued}) {
    for (const AckMode acks : {AckMode::none, AckMode::in_band}) {
      const Found found = allocations_in_steady_state(architecture, acks, milliseconds(1'000));
      EXPECT_EQ(found.least, 0) << static_cast<int>(architecture) << static_cast<int>(acks);
      EXPECT_LE(found.all, 24) << static_cast<int>(architecture) << static_cast<int>(acks);
    }
  }
}

// The checks of conservation take a few vectors, each period, whatever goes on.
TEST(Allocation, ChecksTakeAFewAPeriod) {
  const Found found =
      allocations_in_steady_state(Architecture::input_queued, AckMode::none, microseconds(500));
  EXPECT_LE(found.all, 5 * 4 * 8);
}

}  // namespace
}  // namespace weir::fabric::testing

#endif  // WEIR_HAS_SANITIZER
