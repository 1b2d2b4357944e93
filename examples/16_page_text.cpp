// The text of a page without its menus, and the facts about it. There is no I/O: the bytes may come
// from a fetch, a file or an archive.

#include <fmt/format.h>

#include "extract/extractor.h"

using namespace weft;

int main() {
    constexpr std::string_view kPage =
        "<html lang=en><title>On weaving - The Gazette</title>"
        "<meta name=author content='Ann Author'>"
        "<nav><a href=/>Home</a> <a href=/news>News</a></nav>"
        "<article><h1>On weaving</h1><time datetime=2026-03-01>1 March</time>"
        "<p>The <em>weft</em> is the thread that goes across the loom, over and under those of the "
        "<a href=/warp>warp</a>. It is what makes a cloth of them, and it is as long as the weaver "
        "has patience: a shuttle carries it from one side to the other and back again.</p>"
        "</article><footer>All rights reserved, and some that are not</footer>";

    extract::Extractor extractor({.text = extract::TextForm::markdown});
    const extract::Extract& page =
        extractor.read({.html = kPage, .url = "https://example.com/weaving"});

    fmt::print("{} by {}, {}: {} words\n\n{}", page.fields.title, page.fields.byline,
               page.fields.published, page.word_count, page.text);
}
