#include "cli/extract/use_options.h"

namespace weft::cli {
namespace {

constexpr OptionSpec<UseArguments> kUse[] = {
    {"--purpose", "USE",
     "what the text is for: search, ai-input or ai-train; text of sites that forbid it is withheld",
     [](auto& use) {
         return choice(use.purpose, {{"search", extract::Purpose::search},
                                     {"ai-input", extract::Purpose::ai_input},
                                     {"ai-train", extract::Purpose::ai_train}});
     }},
    {"--reserved", "WHAT",
     "of text that its site reserves (noai, TDM-Reservation): withhold it, or keep it, for one's "
     "own sites (default: withhold)",
     [](auto& use) { return choice(use.keeps_reserved, {{"withhold", false}, {"keep", true}}); }},
};

}  // namespace

std::span<const OptionSpec<UseArguments>> use_rows() {
    return kUse;
}

}  // namespace weft::cli
