#include "weir/experiment/claims/fingerprint.hpp"

#include <gtest/gtest.h>

#include "experiment/claims/support.hpp"

namespace weir::experiment::claims {
namespace {

class ClaimFingerprint : public ::testing::Test {
 protected:
  std::string of(const std::string& file, const std::string& quick = "") {
    folder_.write("e.toml", file);
    const Document document = parse_document(document_text("", quick), folder_.file("claims.toml"));
    return fingerprint(Plan(document.experiments[0], Scale::quick));
  }

  DocumentFolder folder_;
};

std::string with(std::string text, const std::string& old, const std::string& now) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), now);
}

TEST_F(ClaimFingerprint, IsThatOfTheRuns) {
  const std::string first = of(kSwept);
  EXPECT_EQ(first.size(), 16U);
  EXPECT_EQ(of(kSwept), first);
  // Titles and plots change no number.
  EXPECT_EQ(of(kSwept + "\n[[plot]]\nfigure = \"f\"\nmetric = \"efficiency\"\nx = \"case\"\n"),
            first);
  EXPECT_NE(of(with(kSwept, "128 KiB", "256 KiB")), first);
  EXPECT_NE(of(kSwept, "quick = { \"replicate.seeds\" = 2 }\n"), first);
}

TEST_F(ClaimFingerprint, OfWhatIsNotSimulatedToo) {
  const std::string network =
      "[experiment]\nkind = \"network\"\n[topology]\nmodel = \"rlft\"\nports = 4\nstages = 2\n"
      "[routing]\nmodel = \"d-mod-k\"\n";
  EXPECT_EQ(of(network), of(network));
  EXPECT_NE(of(network), of(with(network, "ports = 4", "ports = 6")));
}

}  // namespace
}  // namespace weir::experiment::claims
