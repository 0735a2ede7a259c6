#include <gtest/gtest.h>

#include <algorithm>

#include "experiment/claims/support.hpp"
#include "weir/experiment/claims/plan.hpp"
#include "weir/experiment/config/keys.hpp"

namespace weir::experiment::claims {
namespace {

const std::string kRoot = WEIR_SOURCE_DIR "/experiments";

/// Of every shipped document: every metric, case and key exists and selects runs of one point,
/// expressions parse, units fit, and differences are explained. Nothing is simulated.
TEST(ShippedClaims, SelectTheirRuns) {
  for (const std::string& name : document_names(kRoot)) {
    const Document document = read_document(kRoot + "/" + name);
    for (const DocumentExperiment& experiment : document.experiments) {
      for (const Scale scale : kScales) {
        if (!experiment.scales.has(scale)) continue;
        const Plan plan(experiment, scale);
        for (const Claim* claim : document.claims_of(experiment.name)) {
          if (claim->scales.has(scale)) {
            EXPECT_FALSE(select(*claim, plan).combinations.empty());
          }
        }
      }
    }
  }
}

/// What is said to be a value of the experiments is one.
TEST(ShippedClaims, ExperimentsHaveTheValuesThatAreListed) {
  for (const std::string& name : document_names(kRoot)) {
    const Document document = read_document(kRoot + "/" + name);
    EXPECT_FALSE(document.assumptions.empty()) << name;
    std::vector<bool> is_met(document.assumptions.size(), false);
    for (const DocumentExperiment& experiment : document.experiments) {
      const Plan plan(experiment, experiment.scales.quick ? Scale::quick : Scale::full);
      for (std::size_t i = 0; i < is_met.size(); ++i) {
        const Assumption& one = document.assumptions[i];
        if (!one.concerns(experiment.name)) continue;
        const bool here = one.is_met(plan);
        is_met[i] = is_met[i] || here;
        EXPECT_TRUE(here || one.experiments.empty())
            << name << ": " << experiment.name << " has another " << one.key;
      }
    }
    for (std::size_t i = 0; i < is_met.size(); ++i) {
      EXPECT_TRUE(is_met[i]) << name << ": no experiment has " << document.assumptions[i].key;
    }
  }
}

/// What is calibrated is settled by an unknown, which is named first.
TEST(ShippedClaims, CalibratedValuesNameTheirUnknown) {
  for (const std::string& name : document_names(kRoot)) {
    const Document document = read_document(kRoot + "/" + name);
    for (const Assumption& one : document.assumptions) {
      if (one.origin != Origin::calibrated) continue;
      EXPECT_TRUE(std::any_of(document.unknowns.begin(), document.unknowns.end(),
                              [&](const Unknown& u) { return one.source.starts_with(u.name); }))
          << name << ": " << one.key << ": " << one.source;
    }
  }
}

/// Keys that the values of an unknown are about: axes that are keys, or what its changes look at
/// and set.
/// Readings alone choose among runs or among their numbers, and have none.
std::vector<std::string> keys_of(const Unknown& unknown) {
  std::vector<std::string> keys;
  for (const UnknownValue& value : unknown.values) {
    for (const Change& change : value.changes) {
      for (const KeyedValue& one : flattened(change.set)) keys.push_back(one.key);
      for (const KeyedValue& one : change.where) keys.push_back(one.key);
    }
    if (unknown.is_laid_over) continue;
    for (const auto& [axis, text] : value.at) {
      if (axis.find('.') != std::string::npos) keys.push_back(axis);
    }
  }
  return keys;
}

/// What an unknown settles is said to be calibrated, by a row of one of its keys.
TEST(ShippedClaims, UnknownsThatChangeRunsHaveACalibratedValue) {
  for (const std::string& name : document_names(kRoot)) {
    const Document document = read_document(kRoot + "/" + name);
    for (const Unknown& unknown : document.unknowns) {
      const std::vector<std::string> keys = keys_of(unknown);
      if (keys.empty()) continue;
      EXPECT_TRUE(std::any_of(document.assumptions.begin(), document.assumptions.end(),
                              [&](const Assumption& one) {
                                return one.origin == Origin::calibrated &&
                                       one.source.starts_with(unknown.name) &&
                                       std::find(keys.begin(), keys.end(), one.key) != keys.end();
                              }))
          << name << ": no calibrated row for " << unknown.name;
    }
  }
}

/// Every value of an unknown changes runs of every experiment that it names, and these still work.
TEST(ShippedClaims, ValuesOfUnknownsChangeTheExperimentsThatTheyName) {
  for (const std::string& name : document_names(kRoot)) {
    const Document document = read_document(kRoot + "/" + name);
    for (const Unknown& unknown : document.unknowns) {
      for (const UnknownValue& value : unknown.values) {
        if (value.changes.empty()) continue;
        for (const std::string& experiment : unknown.experiments) {
          EXPECT_NO_THROW(Plan(document.experiment(experiment), Scale::quick, value.changes))
              << name << ": " << unknown.name << " = " << value.name << " in " << experiment;
        }
      }
    }
  }
}

TEST(ShippedClaims, CanBeJudgedAtSomeScale) {
  for (const std::string& name : document_names(kRoot)) {
    const Document document = read_document(kRoot + "/" + name);
    for (const Claim& claim : document.claims) {
      const Scales& where = document.experiment(claim.experiment).scales;
      EXPECT_TRUE((claim.scales.quick && where.quick) || (claim.scales.full && where.full))
          << name << " " << claim.id;
    }
  }
}

/// With an experiment that shows the cause, or saying that it is not known. What more draws would
/// decide needs none.
TEST(ShippedClaims, EveryDifferenceIsExplained) {
  for (const std::string& name : document_names(kRoot)) {
    const Document document = read_document(kRoot + "/" + name);
    const Findings findings = read_findings(document);
    for (const Claim& claim : document.claims) {
      for (const Scale scale : kScales) {
        const Judgement* judgement = findings.find(claim, scale);
        if (judgement == nullptr) continue;
        const bool is_open =
            judgement->verdict == Verdict::differs || judgement->verdict == Verdict::depends;
        EXPECT_TRUE(!is_open || !claim.explanation.empty() || claim.is_cause_unknown)
            << name << " " << claim.id << " " << to_string(judgement->verdict);
      }
    }
  }
}

}  // namespace
}  // namespace weir::experiment::claims
