#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "extract/fields/reservation.h"

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
    std::string canonical;  // Resolved if the page's URL is known; else as written.
};

// A link of the page: the href of an a or area element.
struct PageLink {
    std::string url;
    std::string text;      // Or the alternative text of its picture.
    std::string rel;       // As written.
    bool is_main = false;  // It is in the main content.
};

struct NamedText {
    std::string name;
    std::string text;
};

// What a selector of the user found.
struct SelectedField {
    std::string name;
    std::vector<std::string> values;
    bool is_list = false;  // All matches were wanted, not just the first.
};

// What is missing, because of the limits.
struct Cuts {
    bool page = false;  // The page has more bytes or nodes.
    bool text = false;
    bool links = false;
    bool fields = false;  // Those that selectors of the user ask for.
    bool structured = false;

    bool any() const { return page || text || links || fields || structured; }
};

// What Extractor makes of a page.
struct Extract {
    Metadata fields;
    PageKind kind = PageKind::article;
    std::string text;  // Markdown or plain text, in UTF-8; empty if none was wanted.
    std::size_t word_count = 0;
    std::string lang_detected;              // ISO 639-1 or -3; empty if unsure.
    std::vector<std::string> jsonld_types;  // "NewsArticle", each once.
    std::vector<NamedText> og;              // Open Graph, without "og:"; each name once.
    std::vector<PageLink> links;            // In document order; empty if none were wanted.
    std::vector<SelectedField> selected;
    std::vector<std::vector<SelectedField>> rows;  // What the rules of the user found.
    // Fingerprint of the content's words, the same for Markdown and plain text; 0: not computed.
    std::uint64_t simhash = 0;
    std::size_t simhash_word_count = 0;
    Cuts cut;
    // JSON: {"jsonld":[...],"microdata":[...]}, without the member that the page does not have.
    // Empty if none was wanted, or there is none.
    std::string structured;
    // What the site says about the use of the page. If `withheld` has a reason, `text`,
    // `structured`, `selected` and `rows` are empty.
    Reservation reservation;
    // The page has scripts and nearly no text: a browser would show more.
    bool needs_script = false;
};

}  // namespace weft::extract
