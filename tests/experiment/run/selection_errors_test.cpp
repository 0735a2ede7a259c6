// What a user is told whose adaptive routing cannot work (rocher2021, section 3.2, chapter 3).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/support.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment::selection_errors_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string told(const std::vector<std::string>& set) {
  return refusal([&] {
    const Configuration configuration = resolve(small_with(set));
    const Simulation simulation(configuration, make_network(configuration));
  });
}

TEST(SelectionErrors, NameTheKeyAndWhatWouldDo) {
  const std::string arn = "selection.model=arn";
  const std::string afi = "selection.isolation=afi";
  EXPECT_EQ(told({arn, afi}), "no error");
  EXPECT_THAT(told({arn, "switch.architecture=oq"}),
              AllOf(HasSubstr("selection.model"), HasSubstr("iq, iq-single, cioq")));
  EXPECT_THAT(told({arn, "switch.voq=false"}),
              AllOf(HasSubstr("selection.model"), HasSubstr("switch.voq = true")));
  EXPECT_THAT(told({arn, afi, "queueing.model=voqsw", "queueing.flow_control=per-queue"}),
              HasSubstr("selection"));
  EXPECT_THAT(told({arn, "selection.low=0.9"}), HasSubstr("selection.low: is above high"));
  EXPECT_THAT(told({arn, "selection.switch_lifetime=1 us"}),
              HasSubstr("selection.switch_lifetime"));
  EXPECT_THAT(told({arn, afi, "buffer.ingress=6 KiB"}),
              AllOf(HasSubstr("buffer.ingress"), HasSubstr("2 classes")));
  EXPECT_THAT(told({arn, "selection.isolation=af"}), HasSubstr("did you mean 'afi'"));
  EXPECT_THAT(told({"selection.model=ar"}), HasSubstr("did you mean 'arn'"));
  EXPECT_THAT(told({arn, "isolation.model=fbicm"}),
              AllOf(HasSubstr("selection.model"), HasSubstr("isolation.model takes")));
  EXPECT_EQ(told({"selection.model=ecmp", "isolation.model=recn-enhanced"}), "no error");
  EXPECT_THAT(told({"selection.model=random", "isolation.model=recn-enhanced"}),
              AllOf(HasSubstr("isolation.model"), HasSubstr("selection.model = \"fixed\"")));
  EXPECT_EQ(told({"selection.model=ecmp", "isolation.model=fbicm"}), "no error");
}

// On a ring of shortest paths any allowed output may close a cycle; default routes alone do not
// here.
TEST(SelectionErrors, ChoicesThatCouldDeadlockAreRefused) {
  const std::vector<std::string> torus{"topology={model=\"torus\", sizes=[4, 4]}",
                                       "routing.model=shortest-path"};
  std::vector<std::string> random = torus;
  random.emplace_back("selection.model=random");
  EXPECT_THAT(told(random), AllOf(HasSubstr("routing.model"), HasSubstr("can deadlock")));
}

}  // namespace
}  // namespace weir::experiment::selection_errors_test
