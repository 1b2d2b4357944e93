#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "web/tree/html_tree.h"

namespace weft::extract {

// What a page says about itself in JSON-LD (schema.org), as far as the fields of an Extract need
// it. Each is the first that a script names, those of an article before those of other things.
struct JsonLdFacts {
    std::string headline;
    std::string author;  // Several authors are joined by ", ".
    std::string published;
    std::string modified;
    std::string site;
    std::string description;
    std::string article_body;        // The longest; without markup.
    std::vector<std::string> types;  // Of the things at the top and in @graph, each once.
    bool is_forum = false;
    bool is_article = false;
};

// JSON-LD beyond these bounds is ignored: a script with more levels, and scripts after this many
// bytes in all.
inline constexpr std::size_t kJsonLdBytesMax = std::size_t{1} << 20;
inline constexpr int kJsonLdDepthMax = 64;

// Scripts that are not JSON are skipped. Line breaks inside of strings, comments, and CDATA around
// the text are common, and accepted. `whole`, which may be null, gets all things as a JSON list, or
// stays empty if there are none.
JsonLdFacts read_json_ld(const web::HtmlTree& tree, std::string* whole = nullptr);

}  // namespace weft::extract
