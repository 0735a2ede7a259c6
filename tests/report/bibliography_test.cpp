#include "weir/report/page/bibliography.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "weir/base/catalog.hpp"

namespace weir::report {
namespace {

using ::testing::HasSubstr;

TEST(Bibliography, IsReadWhole) {
  const std::vector<Work>& works = bibliography();
  ASSERT_GT(works.size(), 100U);
  EXPECT_TRUE(std::is_sorted(works.begin(), works.end(),
                             [](const Work& a, const Work& b) { return a.key < b.key; }));
  for (const Work& work : works) {
    SCOPED_TRACE(work.key);
    EXPECT_FALSE(work.authors.empty());
    EXPECT_FALSE(work.title.empty());
    EXPECT_EQ(work.year.size(), 4U);
    for (const std::string* text : {&work.authors, &work.title, &work.venue})
      EXPECT_EQ(text->find_first_of("{}\\$~"), std::string::npos) << *text;
    EXPECT_THAT(work.bibtex, HasSubstr("{" + work.key + ","));
  }
}

TEST(Bibliography, HasTheFiveDocuments) {
  for (const char* key : {"ferrer2012", "lippens2010", "rocher2021", "yan2012", "zdornov2009"})
    EXPECT_NE(find_work(key), nullptr) << key;
  EXPECT_EQ(find_work("nobody1900"), nullptr);
}

TEST(Bibliography, WritesReferences) {
  const std::vector<CitedPlace> cited = cited_places("brown1988calendar, section 2; yan2012");
  ASSERT_EQ(cited.size(), 2U);
  EXPECT_EQ(cited[0].place, "section 2");
  EXPECT_EQ(cited[1].place, "");
  EXPECT_THAT(reference_text(cited[0]),
              HasSubstr("Brown (1988). Calendar Queues: A Fast O(1) Priority Queue "
                        "Implementation for the Simulation Event Set Problem. "));
  EXPECT_THAT(reference_text(cited[0]), HasSubstr(" [section 2]"));
  EXPECT_EQ(citation_text("brown1988calendar, section 2; yan2012"),
            "Brown (1988), section 2; Yan (2012)");
  // What the bibliography lacks, as of the model of a plug-in, is shown as it is written.
  EXPECT_EQ(cited_places("me 2026, page 3").at(0).work, nullptr);
  EXPECT_EQ(citation_text("me 2026, page 3; yan2012"), "me 2026, page 3; Yan (2012)");
  EXPECT_EQ(reference_text(cited_places("me 2026, page 3").at(0)), "me 2026, page 3");
}

// What a model does can be looked up; metrics that only count need no source.
TEST(Citations, EachModelHasOneThatIsInTheBibliography) {
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    for (const ModelInfo* model : kind->models()) {
      SCOPED_TRACE(kind->kind() + " " + model->name);
      for (const CitedPlace& cited : cited_places(model->citation))
        EXPECT_NE(cited.work, nullptr) << cited.place;
      EXPECT_TRUE(kind->kind() == "metric" || !model->citation.empty());
    }
  }
}

}  // namespace
}  // namespace weir::report
