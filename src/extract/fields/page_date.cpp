#include "extract/fields/page_date.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/bytes.h"
#include "web/fields/date.h"

namespace weft::extract {
namespace {

// A number, a word or a separator of a text that may have a date.
struct DateToken {
    enum class Kind : std::uint8_t { number, word, sign } kind;
    std::string_view text;
    int value = 0;  // Of a number with at most 8 digits.
};

bool is_word_byte(char c) {
    return is_alpha(c) || static_cast<unsigned char>(c) >= 0x80;
}

std::vector<DateToken> split(std::string_view text) {
    using enum DateToken::Kind;
    std::vector<DateToken> out;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        if (is_digit(text[i])) {
            while (end < text.size() && is_digit(text[end])) ++end;
            int value = 0;
            for (const char c : text.substr(i, std::min<std::size_t>(end - i, 8)))
                value = value * 10 + (c - '0');
            out.push_back({number, text.substr(i, end - i), value});
        } else if (is_word_byte(text[i])) {
            while (end < text.size() && is_word_byte(text[end])) ++end;
            out.push_back({word, text.substr(i, end - i)});
        } else if (static_cast<unsigned char>(text[i]) > ' ') {
            out.push_back({sign, text.substr(i, 1)});
        }
        i = end;
    }
    return out;
}

// Months of six more languages, by the letters that tell them from all others.
int month_of(std::string_view word) {
    struct Month {
        std::string_view start;
        int month;
    };
    constexpr Month kMonths[] = {
        {"jän", 1},  {"ene", 1},  {"gen", 1},  {"sty", 1},  {"fév", 2},  {"lut", 2},
        {"mär", 3},  {"maa", 3},  {"mrz", 3},  {"avr", 4},  {"abr", 4},  {"kwi", 4},
        {"mai", 5},  {"mei", 5},  {"mag", 5},  {"maj", 5},  {"juin", 6}, {"giu", 6},
        {"cze", 6},  {"juil", 7}, {"lug", 7},  {"lip", 7},  {"août", 8}, {"ago", 8},
        {"sie", 8},  {"set", 9},  {"wrz", 9},  {"okt", 10}, {"ott", 10}, {"out", 10},
        {"paź", 10}, {"lis", 11}, {"dez", 12}, {"déc", 12}, {"dic", 12}, {"gru", 12}};
    const std::string lower = to_lower(word);
    for (const Month& month : kMonths) {
        if (lower.starts_with(month.start)) return month.month;
    }
    return word.size() < 3 ? 0 : web::month_from_name(word).value_or(0);
}

std::optional<std::string> day_text(int year, int month, int day, const DayRange& days) {
    const std::chrono::year_month_day date{std::chrono::year{year},
                                           std::chrono::month{static_cast<unsigned>(month)},
                                           std::chrono::day{static_cast<unsigned>(day)}};
    if (!date.ok() || std::chrono::sys_days{date} < days.first ||
        std::chrono::sys_days{date} > days.last) {
        return std::nullopt;
    }
    return fmt::format("{:04}-{:02}-{:02}", year, month, day);
}

class DateSearch {
public:
    DateSearch(std::string_view text, const DayRange& days) : tokens_(split(text)), days_(days) {}

    std::optional<std::string> run() const {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (auto found = numbers_at(i)) return found;
            if (auto found = words_at(i)) return found;
        }
        return std::nullopt;
    }

private:
    bool is_number(std::size_t i, std::size_t digits_max) const {
        return i < tokens_.size() && tokens_[i].kind == DateToken::Kind::number &&
               tokens_[i].text.size() <= digits_max;
    }
    bool is_year(std::size_t i) const { return is_number(i, 4) && tokens_[i].text.size() == 4; }
    bool is_sign(std::size_t i, std::string_view signs) const {
        return i < tokens_.size() && tokens_[i].kind == DateToken::Kind::sign &&
               signs.contains(tokens_[i].text);
    }
    int month(std::size_t i) const {
        return i < tokens_.size() && tokens_[i].kind == DateToken::Kind::word
                   ? month_of(tokens_[i].text)
                   : 0;
    }
    int value(std::size_t i) const { return tokens_[i].value; }

    // 2026-03-01, 20260301, 01.03.2026, 03/01/2026.
    std::optional<std::string> numbers_at(std::size_t i) const {
        if (is_number(i, 8) && tokens_[i].text.size() == 8)
            return day_text(value(i) / 10000, value(i) / 100 % 100, value(i) % 100, days_);
        if (!is_number(i, 4) || !is_sign(i + 1, "-/.") || !is_number(i + 2, 2) ||
            !is_sign(i + 3, tokens_[i + 1].text) || !is_number(i + 4, 4)) {
            return std::nullopt;
        }
        if (is_year(i)) return day_text(value(i), value(i + 2), value(i + 4), days_);
        // 23.09.22
        if (tokens_[i + 1].text == "." && is_number(i + 4, 2) && tokens_[i + 4].text.size() == 2)
            return day_text(2000 + value(i + 4), value(i + 2), value(i), days_);
        if (!is_year(i + 4)) return std::nullopt;
        const bool is_month_first = tokens_[i + 1].text == "/" && value(i) <= 12;
        return is_month_first ? day_text(value(i + 4), value(i), value(i + 2), days_)
                              : day_text(value(i + 4), value(i + 2), value(i), days_);
    }

    // March 1st, 2026; 1. März 2026; 1 de marzo de 2026.
    std::optional<std::string> words_at(std::size_t i) const {
        if (const int named = month(i); named != 0 && is_number(i + 1, 2)) {
            const std::size_t year = next_year(i + 2);
            if (year != 0) return day_text(value(year), named, value(i + 1), days_);
        }
        if (!is_number(i, 2)) return std::nullopt;
        for (std::size_t k = i + 1; k <= i + 2; ++k) {
            if (const int named = month(k); named != 0) {
                const std::size_t year = next_year(k + 1);
                return year == 0 ? std::nullopt : day_text(value(year), named, value(i), days_);
            }
        }
        return std::nullopt;
    }

    // A year within the next three tokens, or 0.
    std::size_t next_year(std::size_t i) const {
        for (std::size_t k = i; k < i + 3; ++k) {
            if (is_year(k)) return k;
        }
        return 0;
    }

    std::vector<DateToken> tokens_;
    const DayRange& days_;
};

}  // namespace

std::optional<std::string> find_date(std::string_view text, const DayRange& days) {
    text = trim(text.substr(0, kDateTextBytesMax));
    auto found = DateSearch(text, days).run();
    const bool has_time =
        text.size() > 10 && text.size() <= 35 && (text[10] == 'T' || text[10] == ' ');
    if (!found || !has_time || !text.starts_with(*found) || !web::parse_w3c_date(text))
        return found;
    std::string whole(text);
    whole[10] = 'T';
    return whole;
}

std::optional<std::string> date_in_url(std::string_view url, const DayRange& days) {
    const std::size_t path = url.find('/', std::min(url.size(), url.find("://") + 3));
    if (path == url.npos) return std::nullopt;
    return DateSearch(url.substr(path).substr(0, kDateTextBytesMax), days).run();
}

}  // namespace weft::extract
