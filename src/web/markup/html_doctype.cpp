#include "web/markup/html_doctype.h"

#include "base/bytes.h"
#include "web/markup/html_scan.h"

namespace weft::web {
namespace {

// A doctype ends at the first '>', even inside quotes. So its whole text is known, and the
// standard's sixteen doctype states are not needed.
class DoctypeReader {
public:
    DoctypeReader(std::string_view text, bool is_complete)
        : p_(text.data()), end_(p_ + text.size()) {
        doctype_.forces_quirks = !is_complete;
    }

    HtmlDoctype read() {
        skip_space();
        if (at_end()) return quirks();
        read_name();
        skip_space();
        if (at_end()) return doctype_;
        if (skip_keyword("public")) {
            skip_space();
            if (!read_quoted(doctype_.public_id)) return quirks();
            skip_space();
            if (at_end()) return doctype_;
        } else if (skip_keyword("system")) {
            skip_space();
        } else {
            return quirks();
        }
        if (!read_quoted(doctype_.system_id)) return quirks();
        // "After DOCTYPE system identifier state": other text there does not force quirks mode, not
        // even if the document ends in it.
        skip_space();
        if (!at_end()) doctype_.forces_quirks = false;
        return doctype_;
    }

private:
    bool at_end() const { return p_ == end_; }
    void skip_space() { p_ = skip_html_space(p_, end_); }

    HtmlDoctype quirks() {
        doctype_.forces_quirks = true;
        return doctype_;
    }

    void read_name() {
        std::string& name = doctype_.name.emplace();
        for (; !at_end() && !is_html_space(*p_); ++p_) append(name, to_lower(*p_));
    }

    bool skip_keyword(std::string_view word) {
        if (static_cast<std::size_t>(end_ - p_) < word.size()) return false;
        if (!equals_ignore_case({p_, word.size()}, word)) return false;
        p_ += word.size();
        return true;
    }

    // False if there is no quoted text here, or if its end quote is missing.
    bool read_quoted(std::optional<std::string>& id) {
        if (at_end() || (*p_ != '"' && *p_ != '\'')) return false;
        const char quote = *p_++;
        std::string& text = id.emplace();
        for (; !at_end() && *p_ != quote; ++p_) {
            if (*p_ == '\n' && p_[-1] == '\r') continue;
            append(text, *p_ == '\r' ? '\n' : *p_);
        }
        if (at_end()) return false;
        ++p_;
        return true;
    }

    static void append(std::string& text, char c) {
        if (c == '\0') {
            text += "\xEF\xBF\xBD";
        } else {
            text += c;
        }
    }

    const char* p_;
    const char* end_;
    HtmlDoctype doctype_;
};

}  // namespace

HtmlDoctype parse_doctype(std::string_view text, bool is_complete) {
    return DoctypeReader(text, is_complete).read();
}

}  // namespace weft::web
