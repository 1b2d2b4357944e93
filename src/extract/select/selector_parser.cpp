#include <optional>

#include "base/bytes.h"
#include "extract/select/selector.h"

namespace weft::extract {
namespace {

using Test = SelectorTest;

bool is_name_start(char c) {
    return is_alpha(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_letter(char c) {
    return is_name_start(c) || is_digit(c) || c == '-';
}
bool is_css_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

// Reads from left to right and stops at the first error, which it keeps.
class SelectorParser {
public:
    explicit SelectorParser(std::string_view text) : text_(text) {}

    std::expected<Selector, SelectorError> parse() {
        if (text_.size() > Selector::kBytesMax) {
            fail("a selector has at most 4096 bytes", Selector::kBytesMax);
        } else {
            selector_.lists.emplace_back();
            read_list(0, 0, false);
            if (!has_failed_) read_part();
            if (!has_failed_ && !at_end()) fail("this is not expected here");
        }
        if (has_failed_) return std::unexpected(error_);
        return selector_;
    }

private:
    bool at_end() const { return at_ >= text_.size(); }
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    bool take(char c) {
        if (peek() != c || at_end()) return false;
        ++at_;
        return true;
    }
    bool skip_space() {
        const std::size_t before = at_;
        while (!at_end() && is_css_space(peek())) ++at_;
        return at_ != before;
    }
    void fail(std::string reason, std::optional<std::size_t> at = std::nullopt) {
        if (has_failed_) return;
        has_failed_ = true;
        error_ = {at.value_or(at_) + 1, std::move(reason)};
    }

    // A list is of the whole text or in parentheses. `depth` is the number of those.
    void read_list(std::uint32_t list, std::size_t depth, bool is_relative) {
        do {
            skip_space();
            ComplexSelector complex;
            read_complex(complex, depth, is_relative);
            selector_.lists[list].push_back(std::move(complex));
            skip_space();
        } while (!has_failed_ && take(','));
    }

    void read_complex(ComplexSelector& complex, std::size_t depth, bool is_relative) {
        Combinator combinator = Combinator::descendant;
        if (is_relative) read_combinator(combinator);
        for (;;) {
            CompoundSelector compound{.combinator = combinator};
            const std::size_t begin = at_;
            read_compound(compound, depth);
            if (has_failed_) return;
            if (at_ == begin)
                return fail(at_end() ? "a selector is missing at the end"
                                     : "a selector was expected here");
            complex.compounds.push_back(std::move(compound));
            const std::size_t before = at_;
            const bool has_space = skip_space();
            const bool has_sign = read_combinator(combinator);
            if (has_sign) continue;
            const bool ends = at_end() || peek() == ',' || peek() == ')' || !has_space ||
                              (peek() == ':' && peek(1) == ':');
            if (ends) {
                if (peek() == ':' && peek(1) == ':') at_ = before;
                return;
            }
            combinator = Combinator::descendant;
        }
    }

    bool read_combinator(Combinator& combinator) {
        if (take('>')) {
            combinator = Combinator::child;
        } else if (take('+')) {
            combinator = Combinator::next_sibling;
        } else if (take('~')) {
            combinator = Combinator::later_sibling;
        } else {
            return false;
        }
        skip_space();
        return true;
    }

    void read_compound(CompoundSelector& compound, std::size_t depth) {
        bool has_any = take('*');
        if (!has_any && (is_name_start(peek()) || peek() == '-' || peek() == '\\')) {
            Test test{.kind = Test::Kind::type, .name = to_lower(read_name())};
            test.element = web::element_of(test.name);
            compound.tests.push_back(std::move(test));
            has_any = true;
        }
        for (; !has_failed_; has_any = true) {
            if (take('#')) {
                compound.tests.push_back({.kind = Test::Kind::id, .value = read_name()});
            } else if (take('.')) {
                compound.tests.push_back({.kind = Test::Kind::class_name, .value = read_name()});
            } else if (take('[')) {
                read_attribute(compound);
            } else if (peek() == ':' && peek(1) != ':') {
                ++at_;
                read_pseudo(compound, depth);
            } else if (peek() == '|') {
                return fail("namespaces are not supported");
            } else {
                return;
            }
        }
    }

    // A name with the escapes of CSS: `\.` and `\2e `.
    std::string read_name() {
        std::string name;
        const std::size_t begin = at_;
        while (!at_end() && (is_name_letter(peek()) || peek() == '\\')) {
            if (peek() == '\\') {
                read_escape(name);
            } else {
                name += text_[at_++];
            }
        }
        if (name.empty() || is_digit(text_[begin])) fail("a name was expected here", begin);
        return name;
    }

    void read_escape(std::string& out) {
        ++at_;
        if (at_end()) return fail("a character is missing after the backslash");
        if (!is_hex_digit(peek())) {
            out += text_[at_++];
            return;
        }
        char32_t point = 0;
        for (int i = 0; i < 6 && !at_end() && is_hex_digit(peek()); ++i) {
            point = point * 16 + static_cast<char32_t>(hex_value(text_[at_++]));
        }
        if (!at_end() && is_css_space(peek())) ++at_;
        const bool is_valid = point != 0 && point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
        append_utf8(out, is_valid ? point : 0xFFFD);
    }

    std::string read_string() {
        const std::size_t begin = at_;
        const char quote = text_[at_++];
        std::string value;
        while (!at_end() && peek() != quote) {
            if (peek() == '\\') {
                read_escape(value);
            } else {
                value += text_[at_++];
            }
        }
        if (!take(quote)) fail("this quote is not closed", begin);
        return value;
    }

    void read_attribute(CompoundSelector& compound) {
        const std::size_t begin = at_ - 1;
        skip_space();
        Test test{.kind = Test::Kind::attribute};
        test.name = to_lower(read_name());
        skip_space();
        if (!take(']')) {
            const char sign = peek();
            if (sign != '=' && (std::string_view("~|^$*").contains(sign) && peek(1) == '=')) ++at_;
            if (has_failed_ || !take('=')) {
                return fail("expected ] or one of = ~= |= ^= $= *=");
            }
            test.operation = sign;
            skip_space();
            test.value = peek() == '"' || peek() == '\'' ? read_string() : read_name();
            if (skip_space() && (peek() | 32) == 'i') {
                test.ignores_case = true;
                ++at_;
                skip_space();
            }
            if (!has_failed_ && !take(']')) return fail("this bracket is not closed", begin);
        }
        compound.tests.push_back(std::move(test));
    }

    void add_nth(CompoundSelector& compound, bool is_of_type, bool is_from_end, std::int32_t step,
                 std::int32_t offset) {
        compound.tests.push_back({.kind = Test::Kind::nth,
                                  .is_of_type = is_of_type,
                                  .is_from_end = is_from_end,
                                  .step = step,
                                  .offset = offset});
    }

    void read_pseudo(CompoundSelector& compound, std::size_t depth) {
        const std::size_t begin = at_ - 1;
        const std::string name = to_lower(read_name());
        if (has_failed_) return;
        const bool is_of_type = name.ends_with("-of-type");
        if (name == "first-child" || name == "first-of-type") {
            add_nth(compound, is_of_type, false, 0, 1);
        } else if (name == "last-child" || name == "last-of-type") {
            add_nth(compound, is_of_type, true, 0, 1);
        } else if (name == "only-child" || name == "only-of-type") {
            add_nth(compound, is_of_type, false, 0, 1);
            add_nth(compound, is_of_type, true, 0, 1);
        } else if (name == "empty") {
            compound.tests.push_back({.kind = Test::Kind::empty});
        } else if (name == "root") {
            compound.tests.push_back({.kind = Test::Kind::root});
        } else {
            read_function(compound, name, begin, depth);
        }
    }

    void read_function(CompoundSelector& compound, const std::string& name, std::size_t begin,
                       std::size_t depth) {
        const bool is_list = name == "is" || name == "where" || name == "not" || name == "has";
        const bool is_nth = name == "nth-child" || name == "nth-last-child" ||
                            name == "nth-of-type" || name == "nth-last-of-type";
        if (!is_list && !is_nth && name != "contains") {
            return fail("':" + name + "' is not supported", begin);
        }
        if (!take('(')) return fail("expected ( after ':" + name + "'");
        skip_space();
        if (is_nth) {
            read_nth(compound, name.ends_with("-of-type"), name.starts_with("nth-last"));
        } else if (name == "contains") {
            const bool is_quoted = peek() == '"' || peek() == '\'';
            compound.tests.push_back(
                {.kind = Test::Kind::contains, .value = is_quoted ? read_string() : read_name()});
        } else {
            read_lists(compound, name, begin, depth);
        }
        skip_space();
        if (!has_failed_ && !take(')')) fail("expected ) here");
    }

    void read_lists(CompoundSelector& compound, const std::string& name, std::size_t begin,
                    std::size_t depth) {
        if (depth == Selector::kDepthMax) return fail("this is nested too deeply", begin);
        const auto list = static_cast<std::uint32_t>(selector_.lists.size());
        selector_.lists.emplace_back();
        const Test::Kind kind = name == "not"   ? Test::Kind::not_any
                                : name == "has" ? Test::Kind::has
                                                : Test::Kind::is;
        compound.tests.push_back({.kind = kind, .list = list});
        read_list(list, depth + 1, kind == Test::Kind::has);
    }

    // An+B: `odd`, `even`, `3`, `2n`, `-n+3`.
    void read_nth(CompoundSelector& compound, bool is_of_type, bool is_from_end) {
        const std::size_t begin = at_;
        std::string text;
        while (!at_end() && peek() != ')') {
            if (!is_css_space(peek())) text += to_lower(peek());
            ++at_;
        }
        std::int32_t step = 0;
        std::int32_t offset = 0;
        const std::size_t n = text.find('n');
        if (text == "odd" || text == "even") {
            step = 2;
            offset = text == "odd" ? 1 : 0;
        } else if (n == std::string::npos) {
            if (!read_number(text, offset)) return fail("expected a number, or 2n+1", begin);
        } else {
            std::string a = text.substr(0, n);
            if (a.empty() || a == "+" || a == "-") a += '1';
            const std::string b = text.substr(n + 1);
            const bool is_signed = b.empty() || b[0] == '+' || b[0] == '-';
            if (!read_number(a, step) || !is_signed || (!b.empty() && !read_number(b, offset))) {
                return fail("expected a number, or 2n+1", begin);
            }
        }
        add_nth(compound, is_of_type, is_from_end, step, offset);
    }

    static bool read_number(std::string_view text, std::int32_t& number) {
        const bool is_negative = text.starts_with('-');
        if (is_negative || text.starts_with('+')) text.remove_prefix(1);
        if (text.empty() || text.size() > 8) return false;
        number = 0;
        for (const char c : text) {
            if (!is_digit(c)) return false;
            number = number * 10 + (c - '0');
        }
        if (is_negative) number = -number;
        return true;
    }

    // The pseudo-element at the end.
    void read_part() {
        if (peek() != ':' || peek(1) != ':') return;
        const std::size_t begin = at_;
        at_ += 2;
        const std::string name = to_lower(read_name());
        if (has_failed_) return;
        if (name == "text") {
            selector_.part = SelectorPart::text;
        } else if (name == "html") {
            selector_.part = SelectorPart::html;
        } else if (name == "markdown") {
            selector_.part = SelectorPart::markdown;
        } else if (name == "attr") {
            if (!take('(')) return fail("expected ( and the name of an attribute");
            skip_space();
            selector_.part = SelectorPart::attribute;
            selector_.attribute = to_lower(read_name());
            skip_space();
            if (!has_failed_ && !take(')')) return fail("expected ) here");
        } else {
            return fail("'::" + name +
                            "' is not supported; there are ::text, ::attr(name), ::html "
                            "and ::markdown",
                        begin);
        }
        skip_space();
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Selector selector_;
    SelectorError error_;
    bool has_failed_ = false;
};

}  // namespace

std::expected<Selector, SelectorError> parse_selector(std::string_view text) {
    return SelectorParser(text).parse();
}

}  // namespace weft::extract
