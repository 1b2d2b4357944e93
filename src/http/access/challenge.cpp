#include "http/access/challenge.h"

#include <algorithm>

#include "base/bytes.h"
#include "http/message/field_line.h"

namespace weft::http {

namespace {

// Reads the tokens and quoted strings of a field value from left to right.
class Reader {
public:
    explicit Reader(std::string_view text) : rest_(text) {}

    bool at_end() const { return rest_.empty(); }
    bool at(char c) const { return !rest_.empty() && rest_.front() == c; }

    void skip(std::string_view set) {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(set), rest_.size()));
    }
    void skip_byte() { rest_.remove_prefix(std::min<std::size_t>(1, rest_.size())); }

    std::string_view token() {
        const auto end = std::ranges::find_if_not(rest_, is_token_byte);
        const auto size = static_cast<std::size_t>(end - rest_.begin());
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }

    // A token, or a quoted string with its escapes undone. A quote that is never closed runs to the
    // end.
    std::string value() {
        if (!at('"')) return std::string(token());
        skip_byte();
        std::string text;
        while (!rest_.empty() && rest_.front() != '"') {
            if (rest_.front() == '\\' && rest_.size() > 1) skip_byte();
            text += rest_.front();
            skip_byte();
        }
        skip_byte();
        return text;
    }

private:
    std::string_view rest_;
};

}  // namespace

std::optional<std::string_view> Challenge::get(std::string_view name) const {
    for (const auto& [key, value] : parameters) {
        if (key == name) return value;
    }
    return std::nullopt;
}

std::vector<Challenge> parse_challenges(std::string_view value) {
    std::vector<Challenge> challenges;
    Reader reader(value);
    for (;;) {
        reader.skip(" \t,");
        if (reader.at_end()) return challenges;
        const std::string_view word = reader.token();
        if (word.empty()) {  // Neither a scheme nor a parameter: part of a token68, or noise.
            reader.skip_byte();
            continue;
        }
        reader.skip(" \t");
        // The grammar separates both challenges and their parameters by commas (RFC 9110, 11.6.1).
        // Only the `=` tells them apart: a word without it is the scheme of the next challenge.
        if (!reader.at('=')) {
            if (challenges.size() == kChallengesMax) return challenges;
            challenges.push_back({.scheme = to_lower(word), .parameters = {}});
            continue;
        }
        reader.skip_byte();
        reader.skip(" \t");
        std::string text = reader.value();
        // A parameter before any scheme belongs to nothing.
        if (challenges.empty()) continue;
        auto& parameters = challenges.back().parameters;
        if (parameters.size() < kChallengeParametersMax) {
            parameters.emplace_back(to_lower(word), std::move(text));
        }
    }
}

}  // namespace weft::http
