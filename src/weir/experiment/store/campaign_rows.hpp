#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <vector>

#include "weir/experiment/store/campaign_state.hpp"

namespace weir::experiment {

/// Within a transaction. The first time the table is made, and rows of what is over are removed.
void write_campaign(SQLite::Database& db, const CampaignState& state, bool is_first);
/// By start.
std::vector<CampaignState> read_campaigns(SQLite::Database& db);

}  // namespace weir::experiment
