#include "weir/queueing/markov_chain.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <cmath>
#include <stdexcept>

#include "weir/base/error.hpp"

namespace weir::queueing {
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
        fmt::format("method: {} states are too many for \"{}\", which takes at most {} (\"sparse\" "
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

std::vector<double> MarkovChain::sparse() const {
  // Balance of the states 1 ... with P(0) = 1: sum over i of p(i) q(i, j) = - q(0, j).
  const auto count = static_cast<Eigen::Index>(states_) - 1;
  std::vector<double> leave(states_, 0.0);
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd right = Eigen::VectorXd::Zero(count);
  for (const Transition& t : transitions_) {
    leave[t.from] += t.rate;
    if (t.to == 0) continue;
    const auto row = static_cast<Eigen::Index>(t.to) - 1;
    if (t.from == 0) {
      right[row] -= t.rate;
    } else {
      entries.emplace_back(row, static_cast<Eigen::Index>(t.from) - 1, t.rate);
    }
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    entries.emplace_back(i, i, -leave[static_cast<std::size_t>(i) + 1]);
  }
  Eigen::SparseMatrix<double> matrix(count, count);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> solver;
  solver.compute(matrix);
  if (solver.info() != Eigen::Success) not_connected();
  const Eigen::VectorXd rest = solver.solve(right);
  std::vector<double> p(states_);
  p[0] = 1;
  for (Eigen::Index i = 0; i < count; ++i) p[static_cast<std::size_t>(i) + 1] = rest[i];
  return normalized(std::move(p));
}

}  // namespace weir::queueing
