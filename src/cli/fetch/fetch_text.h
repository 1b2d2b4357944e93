#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/options/fetch_options.h"
#include "extract/extract.h"

namespace weft::cli {

// `weft fetch` with --markdown, --text, --select or --rules: the text or the fields of a page
// instead of its bytes.
class FetchText {
public:
    // Throws UsageError if the rules are wrong.
    explicit FetchText(const FetchArguments& arguments);

    // Of what is beyond limits::kHtmlBytesMax nothing is kept.
    void add(std::string_view piece);

    // Throws Error if the content is of a type that has no text, such as an image. The type may be
    // empty: then it is HTML.
    std::string finish(std::string_view content_type, std::string_view url) const;

private:
    std::string fields_of(const extract::Extract& page, std::string_view url) const;
    std::string text_of(const extract::Extract& page) const;

    const FetchArguments& arguments_;
    std::shared_ptr<const extract::Rules> rules_;
    std::string content_;
};

// Whether text or fields are wanted of a file, or of standard input ("-"), instead of a URL.
bool names_local_page(const FetchArguments& arguments);

// Throws UsageError if options contradict each other.
void check_text_options(const FetchArguments& arguments);

}  // namespace weft::cli
