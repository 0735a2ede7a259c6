#include "tests/traffic/helpers.hpp"

namespace weir::traffic {
namespace {

using testing::HasSubstr;

TEST(Entry, UnknownKeysAndModelsAreRefusedWithTheNearestName) {
  EXPECT_THAT(traffic_error(entry("sourcs = \"all\"")),
              HasSubstr("traffic[0].sourcs: unknown key (did you mean 'sources'?)"));
  EXPECT_THAT(traffic_error(entry("destinations = { model = \"unifrom\" }")),
              HasSubstr("traffic[0].destinations.model: no pattern is called 'unifrom' (did you "
                        "mean 'uniform'?)"));
  EXPECT_THAT(traffic_error(entry("arrivals = { model = \"poison\" }")),
              HasSubstr("did you mean 'poisson'"));
  EXPECT_THAT(traffic_error(entry("sizes = { model = \"fixed\", siz = \"1 B\" }")),
              HasSubstr("traffic[0].sizes.siz: unknown key (did you mean 'size'?)"));
  EXPECT_THAT(traffic_error(entry("role = \"warm\"")), HasSubstr("traffic[0].role"));
}

TEST(Entry, MissingPartsAreNamed) {
  EXPECT_THAT(traffic_error("[[traffic]]\nname = \"a\"\n"),
              HasSubstr("traffic[0].destinations: is missing; it must be a table"));
  EXPECT_THAT(traffic_error("[[traffic]]\n"), HasSubstr("traffic[0].name: is missing"));
  EXPECT_THAT(traffic_error(entry("destinations = { host = 3 }")),
              HasSubstr("traffic[0].destinations.model: is missing"));
  EXPECT_THAT(traffic_error(entry("destinations = 3")),
              HasSubstr("must be a table with 'model' or the name of a model, not an integer"));
  EXPECT_THAT(traffic_error("traffic = []\n"), HasSubstr("traffic: is an empty list"));
  EXPECT_THAT(traffic_error("traffic = [3]\n"), HasSubstr("must be a table, not an integer"));
}

TEST(Entry, NamesAreUnique) {
  EXPECT_THAT(traffic_error(entry("") + entry("")),
              HasSubstr("traffic[1].name: 'a' is the name of traffic[0] already"));
}

TEST(Entry, ResolvedReadsBackToItself) {
  const TemporaryFile trace("time[ns] source destination bytes\n0 1 2 3\n");
  const auto entries =
      entries_of(entry("role = \"hot\"\nsources = { same_as = \"b\", exclude = [4], count = 2 }\n"
                       "destinations = { model = \"hot-spots\", hosts = [4, 5] }\n"
                       "phases = [{ start = \"1000 ns\", load = 0.25 }]\nmessages = 16",
                       "a") +
                 entry("arrivals = \"saturated\"\nstop = \"2 ms\"", "b") +
                 "[[traffic]]\nname = \"t\"\ntrace = { file = \"" + trace.path() + "\" }\n");
  for (const TrafficEntry& e : entries) {
    const std::string text = to_toml(e.resolved);
    const TrafficEntry again = TrafficEntry::check(parse_toml(text, "resolved"), e.where);
    EXPECT_EQ(to_toml(again.resolved), text);
  }
  EXPECT_THAT(to_toml(entries[0].resolved), HasSubstr("load_of = \"payload\""));
  EXPECT_THAT(to_toml(entries[0].resolved), HasSubstr("start = \"1 us\""));
}

TEST(Entry, ResolvedMakesTheSameTraffic) {
  const topology::Graph graph = star(16);
  auto entries = entries_of(entry("sources = { range = [2, 9], modulo = [2, 1] }", "a") +
                            entry("sources = \"rest\"", "b"));
  const Traffic one = make_sources(entries, {graph, 1});
  for (TrafficEntry& e : entries) e = TrafficEntry::check(e.resolved, e.where);
  const Traffic other = make_sources(entries, {graph, 1});
  EXPECT_EQ(one.classes[0].sources, other.classes[0].sources);
  EXPECT_EQ(one.classes[1].sources, other.classes[1].sources);
}

TEST(Catalog, EveryModelSaysWhatItIs) {
  std::size_t models = 0;
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    if (kind->kind() != "pattern" && kind->kind() != "arrivals" && kind->kind() != "sizes")
      continue;
    for (const ModelInfo* info : kind->models()) {
      ++models;
      EXPECT_FALSE(info->purpose.empty()) << info->name;
      EXPECT_FALSE(info->citation.empty()) << info->name;
      for (const Parameter& p : info->parameters) EXPECT_FALSE(p.help.empty()) << p.name;
    }
  }
  EXPECT_EQ(models, 12U + 6U + 10U);
}

}  // namespace
}  // namespace weir::traffic
