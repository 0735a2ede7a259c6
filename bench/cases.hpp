#pragma once

#include <string>
#include <vector>

#include "bench/network.hpp"

namespace weir::bench {

/// What of all there is to measure.
struct Choice {
  bool quick = false;
  bool bare = false;
  bool huge = false;
  std::string only;  ///< part of the line of a case
};

/// Cases whose cost is compared in one run: windows of all in turn, so that what else the machine
/// does falls on each of them.
struct Comparison {
  std::string against;  ///< what the first of them is
  double aim = 0;       ///< most that a hop of the others may cost, in hops of the first
  std::vector<Case> cases;
};

inline std::vector<Case> cases_of(const Choice& choice) {
  using fabric::Architecture;
  std::vector<Case> cases;
  for (const Architecture architecture : {Architecture::input_queued, Architecture::cioq}) {
    for (const Network& network : networks()) {
      const bool huge = network.label == "16-ary 4-tree";
      if (huge && (!choice.huge || architecture == Architecture::cioq)) continue;
      for (const int percent : {30, 60, 90, 0}) {
        const bool main_load = percent == 60 || percent == 0;
        if ((choice.quick || huge) && !main_load) continue;
        const Case c{network, {percent}, architecture, !choice.bare};
        if (label(c).find(choice.only) != std::string::npos) cases.push_back(c);
      }
    }
  }
  return cases;
}

/// A kind of comparison and the networks it is made on.
struct ComparisonKind {
  Part part = Part::none;
  std::string against;
  double aim = 0;
  std::string family;  ///< topology model
  std::string quick;   ///< the only network of quick runs
  fabric::Architecture architecture = fabric::Architecture::cioq;
  std::vector<std::string> models;  ///< the first is the reference
};

inline const std::vector<ComparisonKind>& comparison_kinds() {
  using fabric::Architecture;
  static const std::vector<ComparisonKind> all = {
      {Part::isolation,
       "that of a queue for each output",
       2.0,
       "k-ary-n-tree",
       "4-ary 3-tree",
       Architecture::cioq,
       {"voqsw", "recn", "recn-enhanced", "fbicm"}},
      {Part::selection,
       "that of default routes",
       1.15,
       "rlft",
       "rlft 12/3",
       Architecture::input_queued,
       {"fixed", "arn", "adaptive-threshold", "random"}},
      {Part::marking,
       "that without marks",
       1.25,
       "k-ary-n-tree",
       "8-ary 3-tree",
       Architecture::cioq,
       {"unmarked", "ipm", "mvpm", "rpm", "fecn"}},
      {Part::management,
       "that with ACKs alone",
       1.5,
       "k-ary-n-tree",
       "8-ary 3-tree",
       Architecture::cioq,
       {"acks", "mvcm", "timely", "swift"}},
      {Part::management,
       "that with ACKs alone",
       1.3,
       "k-ary-n-tree",
       "8-ary 3-tree",
       Architecture::cioq,
       {"acks", "dcqcn"}},
      {Part::management,
       "that with ACKs alone",
       1.6,
       "k-ary-n-tree",
       "8-ary 3-tree",
       Architecture::cioq,
       {"acks", "hpcc"}}};
  return all;
}

/// Comparisons of which a line holds the text that was asked for, each with its reference.
inline std::vector<Comparison> comparisons_of(const Choice& choice) {
  std::vector<Comparison> comparisons;
  for (const ComparisonKind& kind : comparison_kinds()) {
    for (const Network& network : networks()) {
      if (network.model != kind.family || network.label == "16-ary 4-tree") continue;
      if (choice.quick && network.label != kind.quick) continue;
      for (const int percent : {60, 0}) {
        Comparison comparison{kind.against, kind.aim, {}};
        bool is_wanted = false;
        for (const std::string& model : kind.models) {
          Case c{network, {percent}, kind.architecture, !choice.bare, kind.part, model};
          const bool matches = label(c).find(choice.only) != std::string::npos;
          is_wanted |= matches;
          if (matches || comparison.cases.empty()) comparison.cases.push_back(std::move(c));
        }
        if (is_wanted) comparisons.push_back(std::move(comparison));
      }
    }
  }
  return comparisons;
}

}  // namespace weir::bench
