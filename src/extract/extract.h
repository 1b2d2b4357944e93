#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weft::extract {

enum class PageKind : std::uint8_t { article, list };

// Facts about a page. What is unknown is empty.
struct Metadata {
    std::string title;
    std::string byline;     // The authors, without "By".
    std::string published;  // "2026-03-01", or with a time as the page has it.
    std::string modified;
    std::string lang;  // As the page declares it.
    std::string site;
    std::string description;
    std::string canonical;  // As written; not resolved.
};

// What Extractor makes of a page.
struct Extract {
    Metadata fields;
    PageKind kind = PageKind::article;
    std::string text;  // Markdown or plain text, in UTF-8; empty if none was wanted.
    std::size_t word_count = 0;
    std::string lang_detected;              // ISO 639-1 or -3; empty if unsure.
    std::vector<std::string> jsonld_types;  // "NewsArticle", each once.
    // Something is missing: the page has more bytes or nodes, or its text is longer, than the
    // limits.
    bool is_cut = false;
    // The page has scripts and nearly no text: a browser would show more.
    bool needs_script = false;
};

}  // namespace weft::extract
