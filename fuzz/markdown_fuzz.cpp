#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "extract/text/markdown.h"
#include "extract/text/plain_text.h"
#include "web/tree/html_tree_builder.h"

// Any page has a Markdown and a plain text, also with nodes dropped; each ends its last line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    if (size < 1) return 0;
    const std::string_view document(reinterpret_cast<const char*>(data) + 1, size - 1);
    web::HtmlTreeBuilder builder;
    const web::HtmlTree& tree = builder.parse(document);
    std::vector<std::uint8_t> dropped(tree.size());
    for (std::size_t i = 1; i < dropped.size(); ++i) dropped[i] = i % 16 == data[0] ? 1 : 0;
    const auto base = web::Url::parse("https://a.test/b/c");
    const extract::KeptNodes cases[] = {{}, {.root = 0, .dropped = dropped}};
    for (const extract::KeptNodes& kept : cases) {
        std::string markdown;
        extract::write_markdown(tree, kept, &*base, markdown);
        WEFT_ASSERT(markdown.empty() || markdown.back() == '\n');
        std::string plain;
        extract::write_plain_text(tree, kept, plain);
        WEFT_ASSERT(plain.empty() || plain.back() == '\n');
    }
    return 0;
}
