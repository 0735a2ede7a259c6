#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "parallel/knobs.hpp"
#include "weir/base/config.hpp"

namespace weir::experiment::parallel {

/// A run put together at random: a small network with parts of the matrix of combinations
/// (experiment/combinations), and keys with values of their own.
class RandomConfiguration {
 public:
  /// The same one for the same numbers. `with`: TOML that it has before anything is drawn.
  RandomConfiguration(std::uint64_t seed, std::uint32_t number, const std::string& with = "");

  /// As a file would say it.
  [[nodiscard]] ConfigTable experiment() const { return put_together(choices_); }
  /// What was drawn and is in it.
  [[nodiscard]] std::vector<std::string> names() const;
  /// What only a divided network refused, without a reason that refused.hpp has; empty: nothing.
  [[nodiscard]] const std::string& refused_unexpectedly() const { return unexpected_; }
  /// Takes out whatever can be left out while `fails` holds.
  void shrink(const std::function<bool(const ConfigTable&)>& fails);

 private:
  struct Choice {
    std::string name;
    std::string needs;  ///< TOML that gives way to what others say
    std::string own;    ///< TOML, laid over that of those before; tables of lists join those there
  };

  [[nodiscard]] static ConfigTable put_together(const std::vector<Choice>& choices);
  /// Puts it in if a run takes it, divided, too.
  bool add(const Choice& choice);
  void add_parts(Draw& draw);
  void add_knobs(Draw& draw);

  std::vector<Choice> choices_;
  std::string unexpected_;
};

}  // namespace weir::experiment::parallel
