#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/escape.h"
#include "base/random.h"
#include "http/exchange.h"
#include "suites/conformance.h"

namespace weft::http {

// The readings of all responses in the bytes of one connection.
inline std::vector<Reading> read_connection(std::string_view bytes, std::string_view method,
                                            const std::function<std::size_t()>& piece_bytes) {
    std::vector<Reading> readings;
    ResponseParser parser;
    do {
        parser.start(method);
        readings.push_back(read_pieces(parser, bytes, piece_bytes));
        bytes.remove_prefix(bytes.size() - readings.back().left);
    } while (!bytes.empty() && parser.is_complete() &&
             wants_keep_alive(parser.headers(), parser.minor_version()));
    return readings;
}

// Reads a connection whole, byte by byte, in random pieces and, unless it is long, cut in two at
// each byte, and expects one result.
inline std::vector<Reading> read_connection_all_ways(std::string_view bytes,
                                                     std::string_view method = "GET") {
    constexpr std::size_t kCutBytesMax = 1'000;
    const auto whole = read_connection(bytes, method, [] { return std::string_view::npos; });
    EXPECT_EQ(whole, read_connection(bytes, method, [] { return std::size_t{1}; }));
    for (std::size_t cut = 1; cut < std::min(bytes.size(), kCutBytesMax); ++cut) {
        bool is_first = true;
        EXPECT_EQ(whole, read_connection(bytes, method,
                                         [&] {
                                             return std::exchange(is_first, false)
                                                        ? cut
                                                        : std::string_view::npos;
                                         }))
            << "cut at " << cut;
    }
    Random random(bytes.size());
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(whole, read_connection(bytes, method, [&] { return 1 + random.below(60); }));
    }
    return whole;
}

// The files hold bytes as if they were Latin-1 text.
inline std::string latin1(const std::string& utf8) {
    std::string bytes;
    for (std::string_view rest = utf8; !rest.empty();) {
        const Utf8Step step = utf8_step(rest);
        bytes += static_cast<char>(step.code_point);
        rest.remove_prefix(step.length);
    }
    return bytes;
}

inline std::vector<std::pair<std::string, std::string>> fields_of(const nlohmann::json& list) {
    std::vector<std::pair<std::string, std::string>> fields;
    for (const nlohmann::json& field : list) {
        fields.emplace_back(field[0], trim(latin1(suites::text(field[1]))));
    }
    return fields;
}

// Judges the cases of one file against the list of known misses.
class Verdicts {
public:
    explicit Verdicts(std::string file)
        : file_(std::move(file)), misses_(suites::read_misses("http1.misses")) {}

    void add(const std::string& name, std::string_view bytes, bool is_right) {
        const std::string id =
            fmt::format("{}: {}: {}", file_, name, escape_for_terminal(bytes.substr(0, 60)));
        const bool is_listed = misses_.contains(id);
        if (is_listed) suites::Tally::note_listed_miss();
        EXPECT_TRUE(is_right || is_listed) << id;
        EXPECT_FALSE(is_right && is_listed) << "passes now, take it off the list: " << id;
        ++count_;
        miss_count_ += is_listed ? 1 : 0;
    }

    ~Verdicts() { fmt::print("{}: {} of {} pass\n", file_, count_ - miss_count_, count_); }
    Verdicts(const Verdicts&) = delete;
    Verdicts& operator=(const Verdicts&) = delete;

private:
    std::string file_;
    std::set<std::string> misses_;
    int count_ = 0;
    int miss_count_ = 0;
};

}  // namespace weft::http
