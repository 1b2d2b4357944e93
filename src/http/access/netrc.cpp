#include "http/access/netrc.h"

#include <algorithm>

#include "base/bytes.h"

namespace weft::http {

namespace {

constexpr std::string_view kSpace = " \t\r\n";

// Splits the text into words and drops comments.
class Words {
public:
    explicit Words(std::string_view text) : rest_(text) {}

    std::optional<std::string> next() {
        for (;;) {
            rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpace), rest_.size()));
            if (rest_.empty()) return std::nullopt;
            if (rest_.front() != '#') break;
            rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
        }
        return rest_.front() == '"' ? quoted() : plain();
    }

    // Skips the rest of a `macdef`, which ends at the first empty line.
    void skip_macro() {
        while (!rest_.empty()) {
            const std::size_t end = std::min(rest_.find('\n'), rest_.size());
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            const std::string_view line = rest_.substr(0, rest_.find('\n'));
            if (trim(line).empty()) return;
        }
    }

private:
    std::string plain() {
        const std::size_t size = std::min(rest_.find_first_of(kSpace), rest_.size());
        std::string word(rest_.substr(0, size));
        rest_.remove_prefix(size);
        return word;
    }

    std::string quoted() {
        std::string word;
        rest_.remove_prefix(1);
        // A quote that is not closed ends with its line, so that one mistake does not swallow the
        // rest.
        while (!rest_.empty() && rest_.front() != '"' && rest_.front() != '\n') {
            if (rest_.front() == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
            word += rest_.front();
            rest_.remove_prefix(1);
        }
        if (!rest_.empty()) rest_.remove_prefix(1);
        return word;
    }

    std::string_view rest_;
};

}  // namespace

std::vector<NetrcEntry> parse_netrc(std::string_view text) {
    std::vector<NetrcEntry> entries;
    Words words(text);
    while (const auto word = words.next()) {
        if (*word == "machine" || *word == "default") {
            if (entries.size() == kNetrcEntriesMax) return entries;
            entries.emplace_back();
            if (*word == "machine") entries.back().machine = to_lower(words.next().value_or(""));
        } else if (*word == "macdef") {
            words.skip_macro();
        } else if (!entries.empty() && *word == "login") {
            entries.back().login = words.next().value_or("");
        } else if (!entries.empty() && *word == "password") {
            entries.back().password = words.next().value_or("");
        } else if (*word == "account") {
            // Its argument could look like a keyword.
            words.next();
        }
    }
    return entries;
}

const NetrcEntry* find_machine(const std::vector<NetrcEntry>& entries, std::string_view host) {
    const auto found = std::ranges::find_if(entries, [&](const NetrcEntry& entry) {
        return !entry.machine || equals_ignore_case(*entry.machine, host);
    });
    return found == entries.end() ? nullptr : &*found;
}

}  // namespace weft::http
