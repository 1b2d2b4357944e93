#include "extract/fields/field_text.h"

#include "base/bytes.h"

namespace weft::extract {
namespace {

class Collapser {
public:
    explicit Collapser(std::size_t max) : max_(max) {}

    bool is_full() const { return is_full_; }
    void add_space() { has_space_ = true; }
    void add(std::string_view text) {
        for (std::size_t i = 0; i < text.size() && !is_full_; ++i) {
            const auto byte = static_cast<unsigned char>(text[i]);
            const bool is_no_break = text.substr(i).starts_with("\xC2\xA0");
            if (byte <= ' ' || is_no_break) {
                has_space_ = true;
                i += is_no_break;
                continue;
            }
            const bool needs_space = has_space_ && !out_.empty();
            if (out_.size() + needs_space >= max_) {
                cut();
                return;
            }
            if (needs_space) out_ += ' ';
            has_space_ = false;
            out_ += text[i];
        }
    }
    std::string take() { return std::move(out_); }

private:
    // Takes a character that is not whole back.
    void cut() {
        is_full_ = true;
        std::size_t last = out_.size();
        while (last > 0 && (static_cast<unsigned char>(out_[last - 1]) & 0xC0) == 0x80) --last;
        if (last > 0 && static_cast<unsigned char>(out_[last - 1]) >= 0xC0) {
            const auto lead = static_cast<unsigned char>(out_[last - 1]);
            const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
            if (out_.size() - (last - 1) < length) out_.resize(last - 1);
        }
    }

    std::size_t max_;
    std::string out_;
    bool has_space_ = false;
    bool is_full_ = false;
};

}  // namespace

std::string collapsed(std::string_view text, std::size_t max) {
    Collapser out(max);
    out.add(text);
    return out.take();
}

bool contains_word(std::string_view text, std::string_view word) {
    for (std::size_t i = 0; i + word.size() <= text.size(); ++i) {
        if (to_lower(text[i]) == word.front() &&
            equals_ignore_case(text.substr(i, word.size()), word))
            return true;
    }
    return false;
}

std::string field_text(const web::HtmlTree& tree, std::uint32_t i, std::size_t max) {
    using web::Element;
    Collapser out(max);
    for (std::uint32_t node = i; node < tree[i].end && !out.is_full();) {
        const Element element = tree[node].element;
        if (element == Element::script || element == Element::style || element == Element::svg) {
            node = tree[node].end;
            continue;
        }
        if (tree[node].is_text()) {
            out.add(tree.text(node));
        } else if (tree[node].is_element() && element != Element::unknown &&
                   element != Element::span && element != Element::a && element != Element::b &&
                   element != Element::i && element != Element::em && element != Element::strong) {
            out.add_space();
        }
        ++node;
    }
    return out.take();
}

}  // namespace weft::extract
