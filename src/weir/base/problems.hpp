#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/error.hpp"

namespace weir {

/// Gathers what is wrong with an input, so that its author hears of everything at once.
///
///     Problems problems;
///     problems.attempt([&] { out.topology = read_topology(table); });
///     problems.attempt([&] { out.link = read_link(table); });
///     problems.raise();  // an InputError, where there were any
class Problems {
 public:
  /// Keeps an error, or all that it is made of.
  void add(const InputError& error);

  /// Runs `work` and keeps an InputError that it throws. True where it threw none.
  template <class Work>
  bool attempt(Work&& work) {
    try {
      std::forward<Work>(work)();
      return true;
    } catch (const InputError& error) {
      add(error);
      return false;
    }
  }

  [[nodiscard]] bool empty() const { return found_.empty(); }

  /// Throws an InputError of all that was found: by file, line and column, each once, those
  /// without a place last.
  void raise() const;

 private:
  std::vector<InputError> found_;
  std::set<std::string> texts_;  ///< of all that was found
};

}  // namespace weir
