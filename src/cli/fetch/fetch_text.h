#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/options/fetch_options.h"
#include "extract/extract.h"
#include "http/message/headers.h"

namespace weft::cli {

// `weft fetch` with --markdown, --text, --select, --rules or --structured: the text, the fields or
// the data of a page instead of its bytes.
class FetchText {
public:
    // Throws UsageError if the rules are wrong.
    explicit FetchText(const FetchArguments& arguments);

    // Of what is beyond limits::kHtmlBytesMax nothing is kept.
    void add(std::string_view piece);

    // Throws Error if the content is of a type that has no text, such as an image. There may be no
    // type: then it is HTML. If the page reserves its use, standard error says so.
    std::string finish(const http::Headers& headers, std::string_view url) const;

private:
    std::string line_of(const extract::Extract& page, std::string_view url) const;
    std::string fields_of(const extract::Extract& page, std::string_view url) const;
    std::string text_of(const extract::Extract& page) const;
    void tell_reserved(const extract::Reservation& reservation, std::string_view url) const;

    const FetchArguments& arguments_;
    std::shared_ptr<const extract::Rules> rules_;
    std::string content_;
};

// Whether text or fields are wanted of a file, or of standard input ("-"), instead of a URL.
bool names_local_page(const FetchArguments& arguments);

// Throws UsageError if options contradict each other.
void check_text_options(const FetchArguments& arguments);

}  // namespace weft::cli
