#include <gtest/gtest.h>

#include "claims_support.hpp"
#include "weir/experiment/claims/plan.hpp"

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
