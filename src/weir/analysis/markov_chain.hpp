#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::analysis {

/// How stationary probabilities are computed.
enum class ChainMethod : std::uint8_t {
  automatic,        ///< elimination up to 400 states, sparse above
  elimination,      ///< Grassmann, Taksar and Heyman: no subtraction, every digit of every state
  matrix_analytic,  ///< P = B (I - A + e B)^-1 of equation 4.6, A = I + Q / max rate, B a row of A
  sparse            ///< inverse iteration with sparse factors of the chain of jumps
};

/// A finite Markov chain in continuous time, whatever its states mean.
class MarkovChain {
 public:
  explicit MarkovChain(std::size_t states) : states_(states) {}

  /// Adds `rate` to that of the transition; loops are left out. Throws std::out_of_range for states
  /// that do not exist, std::invalid_argument for rates that are negative or not finite.
  void add(std::size_t from, std::size_t to, double rate);
  [[nodiscard]] std::size_t states() const { return states_; }

  /// Stationary probabilities of all states. They must all be reachable from each other: RunError
  /// otherwise. Memory of the first two methods grows with the square of the states: at most 5000
  /// of them, InputError beyond.
  [[nodiscard]] std::vector<double> stationary(ChainMethod method = ChainMethod::automatic) const;

 private:
  struct Transition {
    std::size_t from;
    std::size_t to;
    double rate;
  };
  [[nodiscard]] std::vector<double> eliminated() const;
  [[nodiscard]] std::vector<double> matrix_analytic() const;
  [[nodiscard]] std::vector<double> sparse() const;
  void check_connected() const;

  std::size_t states_;
  std::vector<Transition> transitions_;
};

}  // namespace weir::analysis
