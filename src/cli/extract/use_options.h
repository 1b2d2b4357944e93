#pragma once

#include <optional>
#include <span>

#include "cli/options/option_table.h"
#include "extract/fields/reservation.h"

// The options of `crawl` and `extract` that say what is done with texts whose use sites reserve.
namespace weft::cli {

// As typed.
struct UseArguments {
    extract::Purpose purpose = extract::Purpose::unsaid;
    std::optional<bool> keeps_reserved;  // Empty: they are withheld.
};

std::span<const OptionSpec<UseArguments>> use_rows();

}  // namespace weft::cli
