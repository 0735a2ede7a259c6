#include "weir/analysis/markov_chain.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <cmath>
#include <stdexcept>

#include "weir/base/error.hpp"

namespace weir::analysis {
namespace {

constexpr std::size_t kSmall = 400;
constexpr std::size_t kMostDense = 5000;

[[noreturn]] void not_connected() {
  throw RunError("a Markov chain has states that do not reach each other");
}

/// Scales to a sum of 1; numbers that are no probabilities are a broken solution.
std::vector<double> normalized(std::vector<double> p) {
  double sum = 0;
  for (const double one : p) sum += one;
  for (double& one : p) {
    one /= sum;
    if (!std::isfinite(one) || one < -1e-9) not_connected();
    if (one < 0) one = 0;
  }
  return p;
}

}  // namespace

void MarkovChain::add(std::size_t from, std::size_t to, double rate) {
  if (from >= states_ || to >= states_) throw std::out_of_range("state of a Markov chain");
  if (!std::isfinite(rate) || rate < 0) throw std::invalid_argument("rate of a Markov chain");
  if (from != to && rate > 0) transitions_.push_back({from, to, rate});
}

std::vector<double> MarkovChain::stationary(ChainMethod method) const {
  if (states_ == 0) throw std::logic_error("a Markov chain without states");
  if (states_ == 1) return {1.0};
  if (method == ChainMethod::automatic) {
    method = states_ <= kSmall ? ChainMethod::elimination : ChainMethod::sparse;
  }
  if (method == ChainMethod::sparse) return sparse();
  if (states_ > kMostDense) {
    throw InputError(
        "method",
        fmt::format("{} states are too many for \"{}\", which takes at most {} (\"sparse\" "
                    "and \"automatic\" take more)",
                    states_, method == ChainMethod::elimination ? "elimination" : "matrix-analytic",
                    kMostDense));
  }
  return method == ChainMethod::elimination ? eliminated() : matrix_analytic();
}

std::vector<double> MarkovChain::eliminated() const {
  const auto count = static_cast<Eigen::Index>(states_);
  Eigen::MatrixXd q = Eigen::MatrixXd::Zero(count, count);
  for (const Transition& t : transitions_) {
    q(static_cast<Eigen::Index>(t.from), static_cast<Eigen::Index>(t.to)) += t.rate;
  }
  for (Eigen::Index k = count - 1; k >= 1; --k) {
    const double out = q.row(k).head(k).sum();
    if (!(out > 0)) not_connected();
    q.col(k).head(k) /= out;
    for (Eigen::Index j = 0; j < k; ++j) {
      const double rate = q(k, j);
      if (rate > 0) q.col(j).head(k) += rate * q.col(k).head(k);
    }
  }
  std::vector<double> p(states_, 0.0);
  p[0] = 1;
  for (Eigen::Index k = 1; k < count; ++k) {
    for (Eigen::Index i = 0; i < k; ++i) {
      p[static_cast<std::size_t>(k)] += p[static_cast<std::size_t>(i)] * q(i, k);
    }
    // Ratios of more than 1e308 are nothing rare: a state that is hardly ever seen counts as never.
    const double last = p[static_cast<std::size_t>(k)];
    if (last > 1e100) {
      for (Eigen::Index i = 0; i <= k; ++i) p[static_cast<std::size_t>(i)] /= last;
    }
  }
  return normalized(std::move(p));
}

std::vector<double> MarkovChain::matrix_analytic() const {
  const auto count = static_cast<Eigen::Index>(states_);
  Eigen::MatrixXd q = Eigen::MatrixXd::Zero(count, count);
  for (const Transition& t : transitions_) {
    const auto from = static_cast<Eigen::Index>(t.from);
    q(from, static_cast<Eigen::Index>(t.to)) += t.rate;
    q(from, from) -= t.rate;
  }
  const double fastest = -q.diagonal().minCoeff();
  const Eigen::MatrixXd a = Eigen::MatrixXd::Identity(count, count) + q / fastest;
  const Eigen::RowVectorXd b = a.row(0);
  // P (I - A + e B) = B, a system of the transposed matrix.
  Eigen::MatrixXd system = Eigen::MatrixXd::Identity(count, count) - a;
  system.rowwise() += b;
  const Eigen::VectorXd p = system.transpose().partialPivLu().solve(b.transpose());
  return normalized({p.data(), p.data() + count});
}

// Inverse iteration on the chain of jumps, whose entries are probabilities however far apart the
// rates are. No state stands for all others: one that is never seen would make the system singular.
std::vector<double> MarkovChain::sparse() const {
  check_connected();
  constexpr double kShift = 1e-10;  // makes the matrix regular; the error shrinks by shift / gap
  constexpr int kMostSteps = 100;
  const auto count = static_cast<Eigen::Index>(states_);
  Eigen::VectorXd leave = Eigen::VectorXd::Zero(count);
  for (const Transition& t : transitions_) leave[static_cast<Eigen::Index>(t.from)] += t.rate;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(transitions_.size() + states_);
  for (const Transition& t : transitions_) {
    const auto from = static_cast<Eigen::Index>(t.from);
    entries.emplace_back(static_cast<Eigen::Index>(t.to), from, -t.rate / leave[from]);
  }
  for (Eigen::Index i = 0; i < count; ++i) entries.emplace_back(i, i, 1 + kShift);
  Eigen::SparseMatrix<double> matrix(count, count);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> solver;
  solver.compute(matrix);
  if (solver.info() != Eigen::Success) throw RunError("a Markov chain could not be factorized");
  Eigen::VectorXd jumps = Eigen::VectorXd::Constant(count, 1.0 / static_cast<double>(states_));
  double change = 1;
  for (int step = 0; change > 1e-15 && step < kMostSteps; ++step) {
    Eigen::VectorXd next = solver.solve(jumps);
    next /= next.sum();
    const double now = (next - jumps).lpNorm<1>();
    jumps = std::move(next);
    if (now < 1e-12 && now >= change) break;  // rounding
    change = now;
  }
  if (change > 1e-9) throw RunError("a Markov chain has states that hardly reach each other");
  const Eigen::VectorXd p = jumps.cwiseQuotient(leave);
  return normalized({p.data(), p.data() + count});
}

void MarkovChain::check_connected() const {
  for (const bool forward : {true, false}) {
    std::vector<std::vector<std::size_t>> next(states_);
    for (const Transition& t : transitions_) {
      next[forward ? t.from : t.to].push_back(forward ? t.to : t.from);
    }
    std::vector<bool> seen(states_);
    std::vector<std::size_t> open{0};
    seen[0] = true;
    std::size_t reached = 0;
    for (; !open.empty(); ++reached) {
      const std::size_t state = open.back();
      open.pop_back();
      for (const std::size_t neighbour : next[state]) {
        if (seen[neighbour]) continue;
        seen[neighbour] = true;
        open.push_back(neighbour);
      }
    }
    if (reached < states_) not_connected();
  }
}

}  // namespace weir::analysis
