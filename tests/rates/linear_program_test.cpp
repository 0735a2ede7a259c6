#include <glpk.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "rates/support.hpp"

// Max-min fairness by an independent method: a sequence of linear programs, solved by GLPK.

namespace weir::rates {
namespace {

/// Normalized rates of applications as variables: sums of w * x over links bounded by capacities.
class MaxMinProgram {
 public:
  explicit MaxMinProgram(const Instance& instance)
      : program_(glp_create_prob()), applications_(instance.applications()) {
    glp_term_out(GLP_OFF);
    glp_set_obj_dir(program_, GLP_MAX);
    // Column a + 1: rate of application a; the last one: the level t that growing ones reach.
    glp_add_cols(program_, applications_ + 1);
    for (int c = 1; c <= applications_ + 1; ++c) glp_set_col_bnds(program_, c, GLP_LO, 0, 0);
    const int links = static_cast<int>(instance.capacities.size());
    glp_add_rows(program_, links + applications_);
    for (int l = 0; l < links; ++l) {
      std::vector<double> weight(static_cast<std::size_t>(applications_) + 1);
      for (const Instance::Flow& flow : instance.flows) {
        if (std::find(flow.path.begin(), flow.path.end(), l) == flow.path.end()) continue;
        weight[static_cast<std::size_t>(flow.application) + 1] += flow.weight;
      }
      std::vector<int> columns{0};
      std::vector<double> values{0};
      for (int c = 1; c <= applications_; ++c) {
        if (weight[static_cast<std::size_t>(c)] == 0) continue;
        columns.push_back(c);
        values.push_back(weight[static_cast<std::size_t>(c)]);
      }
      glp_set_mat_row(program_, l + 1, static_cast<int>(columns.size()) - 1, columns.data(),
                      values.data());
      glp_set_row_bnds(program_, l + 1, GLP_UP, 0,
                       instance.capacities[static_cast<std::size_t>(l)] / 12.0);
    }
    for (int a = 0; a < applications_; ++a) {  // rate - t >= 0 while the application grows
      const std::vector<int> columns{0, a + 1, applications_ + 1};
      const std::vector<double> values{0, 1, -1};
      glp_set_mat_row(program_, links + a + 1, 2, columns.data(), values.data());
      glp_set_row_bnds(program_, links + a + 1, GLP_LO, 0, 0);
    }
    first_growth_row_ = links + 1;
  }
  MaxMinProgram(const MaxMinProgram&) = delete;
  MaxMinProgram& operator=(const MaxMinProgram&) = delete;
  ~MaxMinProgram() { glp_delete_prob(program_); }

  std::vector<double> solve() {
    std::vector<double> rates(static_cast<std::size_t>(applications_), -1);
    while (std::find(rates.begin(), rates.end(), -1) != rates.end()) {
      glp_set_col_bnds(program_, applications_ + 1, GLP_LO, 0, 0);
      const double level = most(applications_ + 1);
      glp_set_col_bnds(program_, applications_ + 1, GLP_FX, level, level);
      std::vector<int> stuck;
      for (int a = 0; a < applications_; ++a) {
        if (rates[static_cast<std::size_t>(a)] < 0 && most(a + 1) < level + 1e-7)
          stuck.push_back(a);
      }
      if (stuck.empty()) return {};  // told as a difference
      for (const int a : stuck) {
        rates[static_cast<std::size_t>(a)] = level;
        glp_set_col_bnds(program_, a + 1, GLP_FX, level, level);
        glp_set_row_bnds(program_, first_growth_row_ + a, GLP_FR, 0, 0);
      }
    }
    return rates;
  }

 private:
  double most(int column) {
    for (int c = 1; c <= applications_ + 1; ++c) glp_set_obj_coef(program_, c, c == column ? 1 : 0);
    glp_std_basis(program_);
    glp_smcp how;
    glp_init_smcp(&how);
    how.msg_lev = GLP_MSG_OFF;
    if (glp_simplex(program_, &how) != 0 || glp_get_status(program_) != GLP_OPT) return -1;
    return glp_get_obj_val(program_);
  }

  glp_prob* program_;
  int applications_;
  int first_growth_row_ = 0;
};

void expect_program_agrees(const Instance& instance, const std::vector<Fraction>& rates) {
  const std::vector<double> expected = MaxMinProgram(instance).solve();
  RC_ASSERT(expected.size() == rates.size());
  for (std::size_t a = 0; a < expected.size(); ++a) {
    RC_ASSERT(std::abs(expected[a] - rates[a].value()) < 1e-6);
  }
}

RC_GTEST_PROP(LinearPrograms, AgreeWithFfa, ()) {
  const Instance instance = draw_instance(8, 12, false).with_single_flows();
  expect_program_agrees(instance, normalized(ffa(instance.flow_set())));
}

RC_GTEST_PROP(LinearPrograms, AgreeWithAfa, ()) {
  const Instance instance = draw_instance(8, 16, false);
  const FlowSet set = instance.flow_set();
  expect_program_agrees(instance, application_rates(set, afa(set)));
}

}  // namespace
}  // namespace weir::rates
