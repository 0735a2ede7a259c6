#include "weir/base/problems.hpp"

#include <algorithm>
#include <string>
#include <tuple>

namespace weir {
namespace {

/// The order in which an editor goes through files. What has no line has no place in one.
auto order_of(const InputError& error) {
  const SourcePosition& at = error.position();
  return std::make_tuple(at.line == 0, at.file ? *at.file : std::string(), at.line, at.column);
}

}  // namespace

void Problems::add(const InputError& error) {
  for (const InputError& one : error.all()) {
    if (texts_.insert(one.what()).second) found_.push_back(one);
  }
}

void Problems::raise() const {
  if (found_.empty()) return;
  std::vector<InputError> sorted = found_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const InputError& a, const InputError& b) {
    return order_of(a) < order_of(b);
  });
  throw InputError(std::move(sorted));
}

}  // namespace weir
