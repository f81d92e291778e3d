#include "config/enum_names.h"

#include <gtest/gtest.h>

#include "config/recipe.h"

namespace heed {
namespace {

TEST(EnumNames, EachValueHasItsRecipeName) {
  EXPECT_EQ(EnumToString(NormPosition::kAfter), "post");
  EXPECT_EQ(EnumToString(TestMetric::kChrfPlusPlus), "chrf++");
}

TEST(EnumNames, NamesLeadBackToValues) {
  EXPECT_EQ(EnumFromString<ScheduleKind>("cosine"), ScheduleKind::kCosine);
  EXPECT_EQ(EnumFromString<ScheduleKind>("Cosine"), std::nullopt);
  EXPECT_EQ(EnumFromString<ScheduleKind>(""), std::nullopt);
}

TEST(EnumNames, ChoicesKeepTheOrderOfTheTable) {
  EXPECT_EQ(EnumChoices<EmbeddingTying>(), "none | decoder | all");
  EXPECT_EQ(EnumChoices<NormPosition>(", "), "post, pre");
}

TEST(EnumNames, ValueOutsideTheTableIsOurBug) {
  EXPECT_THROW(EnumToString(static_cast<StopWhen>(7)), InternalError);
}

}  // namespace
}  // namespace heed
