// What cannot be divided is refused with a key and a reason, and is all in one list.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "parallel/refused.hpp"
#include "parallel/same_numbers.hpp"
#include "weir/experiment/combinations/dimension.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/read_file.hpp"

namespace weir::experiment::parallel {
namespace {

Configuration example_of(const Refused& one) {
  const std::string example = one.example;
  const bool joins = example.starts_with("[[");
  ConfigTable experiment =
      parse_experiment(small_experiment() + (joins ? example : std::string()), "refused");
  if (!joins) lay_over(experiment, expanded(parse_toml(example, "refused")));
  return resolve(experiment);
}

TEST(RefusedInRanks, IsWhatTheListSays) {
  for (const Refused& one : kRefusedInRanks) {
    SCOPED_TRACE(one.example);
    const Configuration example = example_of(one);
    const std::optional<InputError> in_parts = refusal_in_parts(example);
    EXPECT_FALSE(in_parts) << "also in threads: " << in_parts->what();
    const std::optional<InputError> error = refusal_in_ranks(example);
    ASSERT_TRUE(error) << one.key << " is refused no more: take it out of refused.hpp";
    EXPECT_EQ(error->key(), one.key) << error->what();
    EXPECT_THAT(error->message(), ::testing::HasSubstr(one.reason));
  }
}

TEST(RefusedInParts, IsWhatTheListSays) {
  for (const Refused& one : kRefused) {
    SCOPED_TRACE(one.example);
    const std::optional<InputError> error = refusal_in_parts(example_of(one));
    ASSERT_TRUE(error) << one.key << " is refused no more: take it out of refused.hpp";
    EXPECT_EQ(error->key(), one.key) << error->what();
    EXPECT_THAT(error->message(), ::testing::HasSubstr(one.reason));
  }
}

}  // namespace
}  // namespace weir::experiment::parallel
