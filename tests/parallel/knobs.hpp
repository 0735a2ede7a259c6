#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include <fmt/args.h>
#include <fmt/format.h>

#include "weir/base/random.hpp"

namespace weir::experiment::parallel {

/// An integer, both ends included.
struct Between {
  std::int64_t least;
  std::int64_t most;
};
struct Real {
  double least;
  double most;
};

/// Random choices.
class Draw {
 public:
  Draw(std::uint64_t seed, std::uint32_t number) : random_(seed, number, StreamPurpose::test) {}

  [[nodiscard]] bool happens(double probability) { return random_.unit() < probability; }
  [[nodiscard]] std::size_t below(std::size_t bound) { return random_.below(bound); }
  [[nodiscard]] const char* of(std::initializer_list<const char*> some) {
    return some.begin()[below(some.size())];
  }
  [[nodiscard]] std::int64_t value(const Between& range) {
    const auto count = static_cast<std::uint64_t>(range.most - range.least + 1);
    return range.least + static_cast<std::int64_t>(random_.below(count));
  }
  [[nodiscard]] double value(const Real& range) {
    return range.least + (range.most - range.least) * random_.unit();
  }
  [[nodiscard]] static const char* value(const char* text) { return text; }
  /// Values are drawn in their order, which that of arguments of a function is not.
  template <class... Values>
  [[nodiscard]] std::string text(const char* format, const Values&... values) {
    fmt::dynamic_format_arg_store<fmt::format_context> drawn;
    (drawn.push_back(value(values)), ...);
    return fmt::vformat(format, drawn);
  }

 private:
  RandomStream random_;
};

/// Something about an experiment that is drawn by itself.
struct Knob {
  const char* name;
  double probability;
  std::function<std::string(Draw&)> toml;
};

/// Networks of some twenty nodes.
std::string draw_network(Draw& draw);

const std::vector<Knob>& knobs();

}  // namespace weir::experiment::parallel
