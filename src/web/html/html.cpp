#include "web/html/html.h"

#include "base/scan.h"
#include "web/charset/utf8_text.h"
#include "web/html/html_page_builder.h"
#include "web/markup/html_tokenizer.h"
#include "web/markup/html_tree_state.h"
#include "web/markup/simple_tag.h"

namespace weft::web {

class HtmlReader::Impl final : public HtmlSink {
public:
    explicit Impl(HtmlOptions options) : tokenizer_(*this), builder_(options) { begin(); }

    void feed(std::string_view piece) {
        if (mark_matched_ < kByteOrderMark.size()) piece = skip_byte_order_mark(piece);
        tokenizer_.feed(piece);
    }

    const HtmlPage& page() const { return builder_.page(); }

    std::size_t memory_bytes() const { return tokenizer_.memory_bytes() + builder_.memory_bytes(); }

    HtmlPage finish() {
        // A document of only a part of a byte order mark: those bytes are its text.
        if (mark_matched_ < kByteOrderMark.size()) {
            tokenizer_.feed(kByteOrderMark.substr(0, mark_matched_));
        }
        tokenizer_.finish();
        HtmlPage page = builder_.finish();
        begin();
        return page;
    }

    // The tree comes first: it decides what the tag is, and the builder uses that.
    HtmlText start_tag(const HtmlTag& tag) override {
        const Placement placement = tree_.start_tag(tag);
        builder_.start_tag(tag, placement);
        choose_text();
        return placement.text;
    }

    void end_tag(const HtmlTag& tag) override {
        tree_.end_tag(tag);
        builder_.end_tag(tag.element);
        choose_text();
    }

    void text(std::string_view piece) override {
        tree_.text(piece);
        builder_.text(piece);
        choose_text();
    }

    // Reads simple tags for as long as the tree takes them in the simple way.
    const char* read_tags(const char* p, const char* end, std::uint64_t offset) override {
        const char* const begin = p;
        SimpleTag simple;
        for (;;) {
            p = find_near(p, end, '<');
            if (end - p < kSimpleTagRoom) return p;
            if (p[1] == '/') {
                const char* const after = tree_.end_simple(p + 2);
                if (!after) return p;
                p = after;
                if (!tree_.needs_reconstruction()) continue;
            } else if (p[1] == '!') {
                const char* const after = skip_simple_comment(p, end);
                if (!after) return p;
                p = after;
                continue;
            } else {
                const char* const after = read_simple_tag(p, end, simple);
                if (!after) return p;
                HtmlTag tag(simple.element, p, {}, simple.spans());
                if (!tree_.start_simple(tag)) return p;
                if (!builder_.reads(simple)) {
                    p = after;
                    continue;
                }
                tag.is_self_closing = simple.is_self_closing;
                tag.offset = offset + static_cast<std::size_t>(p - begin);
                tag.end = offset + static_cast<std::size_t>(after - begin);
                builder_.start_tag(tag, tree_.simple_placement(simple.element));
                p = after;
                if (!builder_.wants_text()) continue;
            }
            choose_text();
            return p;
        }
    }

    void doctype(const HtmlDoctype&) override { tree_.doctype(); }

    bool is_in_foreign_content() override { return tree_.is_in_foreign_content(); }

private:
    void begin() {
        tokenizer_.reset();
        tokenizer_.want_comments(false);
        tree_.reset();
        mark_matched_ = 0;
        choose_text();
    }

    // The tokenizer skips text that is not needed, which is faster than reading it.
    void choose_text() { tokenizer_.want_text(tree_.wants_text() || builder_.wants_text()); }

    // The byte order mark may be split over pieces. Bytes that only begin like one are text.
    std::string_view skip_byte_order_mark(std::string_view piece) {
        while (!piece.empty() && mark_matched_ < kByteOrderMark.size()) {
            if (piece[0] != kByteOrderMark[mark_matched_]) {
                tokenizer_.feed(kByteOrderMark.substr(0, mark_matched_));
                mark_matched_ = kByteOrderMark.size();
                return piece;
            }
            ++mark_matched_;
            piece.remove_prefix(1);
            if (mark_matched_ == kByteOrderMark.size()) tokenizer_.skip(mark_matched_);
        }
        return piece;
    }

    HtmlTokenizer tokenizer_;
    HtmlTreeState tree_;
    HtmlPageBuilder builder_;
    std::size_t mark_matched_ = 0;
};

HtmlReader::HtmlReader(HtmlOptions options) : impl_(std::make_unique<Impl>(options)) {}
HtmlReader::~HtmlReader() = default;
HtmlReader::HtmlReader(HtmlReader&&) noexcept = default;
HtmlReader& HtmlReader::operator=(HtmlReader&&) noexcept = default;

void HtmlReader::feed(std::string_view piece) {
    impl_->feed(piece);
}

const HtmlPage& HtmlReader::page() const {
    return impl_->page();
}

std::size_t HtmlReader::memory_bytes() const {
    return impl_->memory_bytes();
}

HtmlPage HtmlReader::finish() {
    return impl_->finish();
}

HtmlPage read_html(std::string_view document, HtmlOptions options) {
    HtmlReader reader(options);
    reader.feed(document);
    return reader.finish();
}

}  // namespace weft::web
