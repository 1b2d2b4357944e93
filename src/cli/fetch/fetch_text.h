#pragma once

#include <string>
#include <string_view>

#include "cli/options/fetch_options.h"

namespace weft::cli {

// `weft fetch --markdown` and `--text`: the content of a page as text instead of its bytes.
class FetchText {
public:
    explicit FetchText(const FetchArguments& arguments) : arguments_(arguments) {}

    // Of what is beyond limits::kHtmlBytesMax nothing is kept.
    void add(std::string_view piece);

    // Throws Error if the content is of a type that has no text, such as an image. The type may be
    // empty: then it is HTML.
    std::string finish(std::string_view content_type, std::string_view url) const;

private:
    const FetchArguments& arguments_;
    std::string content_;
};

// Whether text is wanted of a file, or of standard input ("-"), instead of a URL.
bool names_local_page(const FetchArguments& arguments);

// Throws UsageError if options contradict each other.
void check_text_options(const FetchArguments& arguments);

}  // namespace weft::cli
