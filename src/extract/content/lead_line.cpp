#include "extract/content/lead_line.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace weft::extract {
namespace {

constexpr std::size_t kLeadNodesMax = 64;
constexpr std::size_t kLeadBytesMax = 64;

constexpr std::string_view kLeads[] = {
    "related",       "read more",    "read also",      "also read",
    "see also",      "more:",        "more on",        "watch:",
    "click here",    "sign up",      "subscribe",      "follow us",
    "advertisement", "anzeige",      "mehr zum thema", "lesen sie auch",
    "weiterlesen",   "lea también",  "lea tambien",    "vea también",
    "leia mais",     "leia também",  "à lire aussi",   "lire aussi",
    "leggi anche",   "czytaj także", "zobacz także",   "czytaj też",
    "share this",    "tags:",        "filed under",    "image credit",
    "photo:",        "foto:",        "credit:",        "©",
    "copyright"};

// The first bytes in lower case, with single spaces.
std::string beginning_of(const web::HtmlTree& tree, std::uint32_t i) {
    std::string out;
    const std::uint32_t end =
        std::min<std::uint32_t>(tree[i].end, i + static_cast<std::uint32_t>(kLeadNodesMax));
    for (std::uint32_t node = i; node < end && out.size() < kLeadBytesMax; ++node) {
        if (!tree[node].is_text()) continue;
        for (const char c : tree.text(node)) {
            if (out.size() >= kLeadBytesMax) break;
            const bool is_space = static_cast<unsigned char>(c) <= ' ';
            if (is_space && (out.empty() || out.back() == ' ')) continue;
            out += is_space ? ' ' : to_lower(c);
        }
    }
    // "À" to "Þ" have the second byte 0x80 to 0x9E; the lower-case letters come 0x20 later.
    for (std::size_t k = 1; k < out.size(); ++k) {
        const auto byte = static_cast<unsigned char>(out[k]);
        if (out[k - 1] == '\xC3' && byte >= 0x80 && byte <= 0x9E)
            out[k] = static_cast<char>(byte + 0x20);
    }
    return out;
}

// Without quotes, arrows and the like at the front; "©" is a lead itself.
std::string_view without_signs(std::string_view text) {
    while (!text.empty()) {
        const char c = text.front();
        if (c == '\xC2' && !text.starts_with("©")) {
            text.remove_prefix(std::min<std::size_t>(2, text.size()));
        } else if (c == '\xE2') {  // General punctuation, arrows, shapes.
            text.remove_prefix(std::min<std::size_t>(3, text.size()));
        } else if (static_cast<unsigned char>(c) < 0x80 && !is_alnum(c) && c != '_') {
            text.remove_prefix(1);
        } else {
            break;
        }
    }
    return text;
}

}  // namespace

bool is_lead_line(const web::HtmlTree& tree, std::uint32_t i) {
    const std::string text = beginning_of(tree, i);
    const std::string_view line = without_signs(text);
    return std::ranges::any_of(kLeads, [&](auto lead) { return line.starts_with(lead); });
}

}  // namespace weft::extract
