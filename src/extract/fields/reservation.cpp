#include "extract/fields/reservation.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/escape.h"
#include "web/robots/robots_pattern.h"
#include "web/robots/x_robots_tag.h"

namespace weft::extract {
namespace {

// The statements that are answered with yes or no.
enum class Signal : std::uint8_t {
    search,
    ai_input,
    ai_train,
    train_ai,
    train_genai,
    bots,
    tdm_reservation
};
constexpr std::array<std::string_view, 7> kSignalNames = {
    "search", "ai-input", "ai-train", "train-ai", "train-genai", "bots", "tdm-reservation"};

constexpr std::string_view kContentUsage = "content-usage";
constexpr std::string_view kContentSignal = "content-signal";
constexpr std::string_view kXRobotsTag = "x-robots-tag";
constexpr std::string_view kTdmReservation = "tdm-reservation";
constexpr std::string_view kTdmPolicy = "tdm-policy";

// Whether a use is forbidden by a value; nothing if it is no answer.
std::optional<bool> is_forbidden_by(std::string_view value, Signal signal) {
    if (signal == Signal::tdm_reservation) {
        if (value == "1" || value == "0") return value == "1";
    } else if (equals_ignore_case(value, "n") || equals_ignore_case(value, "no")) {
        return true;
    } else if (equals_ignore_case(value, "y") || equals_ignore_case(value, "yes")) {
        return false;
    }
    return std::nullopt;
}

std::string_view without_quotes(std::string_view value) {
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
        return value.substr(1, value.size() - 2);
    return value;
}

// Whether some directive restricts: "noindex", "googlebot: noai", but not "index, follow".
bool restricts(std::string_view directives) {
    bool is_at_word = true;
    for (std::size_t i = 0; i + 1 < directives.size(); ++i) {
        if (is_at_word && to_lower(directives[i]) == 'n' && to_lower(directives[i + 1]) == 'o')
            return true;
        is_at_word = !is_alnum(directives[i]) && directives[i] != '-' && directives[i] != '_';
    }
    return false;
}

bool is_signal_list(std::string_view name) {
    return equals_ignore_case(name, kContentUsage) || equals_ignore_case(name, kContentSignal) ||
           equals_ignore_case(name, "content-signals");
}

// All statements about one page, and the answer of each signal.
class Statements {
public:
    explicit Statements(const ReservationSources& from) : from_(from) {}

    void read() {
        read_robots();
        read_tdm();
        for (const NamedValue& field : from_.headers) read_named(ReservedPlace::header, field);
        for (const NamedValue& meta : from_.metas) read_named(ReservedPlace::meta, meta);
    }

    std::string reason(Purpose purpose) const {
        if (directives_.noai) return "noai";
        if (is_forbidden(Signal::tdm_reservation)) return "tdm-reservation=1";
        switch (purpose) {
            case Purpose::search:
                return directives_.noindex ? "noindex" : reason_among({Signal::search});
            case Purpose::ai_input: return reason_among({Signal::ai_input});
            case Purpose::ai_train:
                return reason_among({Signal::ai_train, Signal::train_ai, Signal::train_genai});
            case Purpose::unsaid: break;
        }
        return {};
    }

    std::vector<ReservedStatement> take() { return std::move(out_); }

private:
    // A file speaks of many pages, a header field of one, a meta tag is a part of the page.
    struct Closeness {
        int place = 0;
        std::uint32_t path_length = 0;  // Of a rule in robots.txt.
        friend auto operator<=>(const Closeness&, const Closeness&) = default;
    };
    static Closeness closeness_of(ReservedPlace place) {
        switch (place) {
            case ReservedPlace::meta: return {.place = 3};
            case ReservedPlace::header: return {.place = 2};
            default: return {.place = 1};
        }
    }
    struct Answer {
        Closeness closeness;  // 0 while nothing is said.
        bool is_forbidden = false;
        std::string text;  // "train-ai=n".
    };

    void read_robots() {
        if (from_.robots.empty()) return;
        const std::string whole = web::robots_path(from_.url);
        std::string buffer;
        const std::string_view path = web::normalize_path(whole, buffer);
        for (const web::UsagePreference& line : from_.robots) {
            std::string_view list = trim(line.value);
            Closeness closeness = closeness_of(ReservedPlace::robots_txt);
            if (list.starts_with('/') || list.starts_with('*')) {
                const std::string_view pattern = list.substr(0, list.find_first_of(" \t"));
                list.remove_prefix(pattern.size());
                const web::RobotsPattern normalized = web::normalize_pattern(pattern);
                if (!web::matches(normalized.text, path)) continue;
                closeness.path_length = normalized.length;
            }
            note(ReservedPlace::robots_txt, line.name, line.value);
            read_signals(list, closeness);
        }
    }

    void read_tdm() {
        const TdmRule* rule = from_.tdm ? from_.tdm->find(web::robots_path(from_.url)) : nullptr;
        if (!rule) return;
        note(ReservedPlace::tdmrep, kTdmReservation, rule->reservation);
        answer(Signal::tdm_reservation, rule->reservation, closeness_of(ReservedPlace::tdmrep));
        if (!rule->policy.empty()) note(ReservedPlace::tdmrep, kTdmPolicy, rule->policy);
    }

    void read_named(ReservedPlace place, const NamedValue& field) {
        const auto is = [&](std::string_view name) { return equals_ignore_case(field.name, name); };
        const std::string_view value = trim(field.value);
        if (is_signal_list(field.name)) {
            note(place, field.name, value);
            read_signals(value, closeness_of(place));
        } else if (is(kTdmReservation)) {
            note(place, field.name, value);
            answer(Signal::tdm_reservation, value, closeness_of(place));
        } else if (is(kTdmPolicy)) {
            note(place, field.name, value);
        } else if (is(kXRobotsTag) ||
                   (place == ReservedPlace::meta && is_robots_meta(field.name))) {
            if (restricts(value)) note(place, field.name, value);
            directives_.add(web::parse_x_robots_tag({{value}}, from_.agent));
        }
    }

    bool is_robots_meta(std::string_view name) const {
        return equals_ignore_case(name, "robots") || equals_ignore_case(name, from_.agent);
    }

    // "search=yes, ai-train=no": a dictionary of RFC 9651, of which parameters are ignored.
    void read_signals(std::string_view list, const Closeness& closeness) {
        while (!list.empty()) {
            const std::string_view piece = list.substr(0, list.find(','));
            list.remove_prefix(std::min(list.size(), piece.size() + 1));
            const std::string_view member = piece.substr(0, piece.find(';'));
            const std::size_t equal = member.find('=');
            if (equal == member.npos) continue;
            const std::string_view name = trim(member.substr(0, equal));
            for (std::size_t i = 0; i < static_cast<std::size_t>(Signal::tdm_reservation); ++i) {
                if (equals_ignore_case(name, kSignalNames[i]))
                    answer(static_cast<Signal>(i), trim(member.substr(equal + 1)), closeness);
            }
        }
    }

    void answer(Signal signal, std::string_view value, const Closeness& closeness) {
        value = without_quotes(value);
        const std::optional<bool> is_forbidden = is_forbidden_by(value, signal);
        if (!is_forbidden) return;
        const auto index = static_cast<std::size_t>(signal);
        Answer& answer = answers_[index];
        const bool is_closer = closeness > answer.closeness;
        if (!is_closer && !(closeness == answer.closeness && *is_forbidden)) return;
        answer = {.closeness = closeness,
                  .is_forbidden = *is_forbidden,
                  .text = std::string(kSignalNames[index]) + "=" + std::string(value)};
    }

    void note(ReservedPlace place, std::string_view name, std::string_view value) {
        if (out_.size() >= kReservedMax) return;
        out_.push_back({place, to_lower(trim(name)),
                        std::string(utf8_prefix(trim(value), kReservedValueBytesMax))});
    }

    const Answer& answer_to(Signal signal) const {
        return answers_[static_cast<std::size_t>(signal)];
    }
    bool is_forbidden(Signal signal) const { return answer_to(signal).is_forbidden; }
    bool is_said(Signal signal) const { return answer_to(signal).closeness.place > 0; }

    std::string reason_among(std::initializer_list<Signal> signals) const {
        for (const Signal signal : signals) {
            if (is_forbidden(signal)) return answer_to(signal).text;
        }
        const bool is_any_said =
            std::ranges::any_of(signals, [&](Signal signal) { return is_said(signal); });
        return !is_any_said && is_forbidden(Signal::bots) ? answer_to(Signal::bots).text
                                                          : std::string();
    }

    const ReservationSources& from_;
    std::array<Answer, kSignalNames.size()> answers_;
    web::PageDirectives directives_;
    std::vector<ReservedStatement> out_;
};

}  // namespace

std::string_view name_of(ReservedPlace place) {
    constexpr std::string_view kNames[] = {"robots.txt", "tdmrep.json", "header", "meta"};
    return kNames[static_cast<std::size_t>(place)];
}

bool is_reservation_name(std::string_view name) {
    return is_signal_list(name) || equals_ignore_case(name, kXRobotsTag) ||
           equals_ignore_case(name, kTdmReservation) || equals_ignore_case(name, kTdmPolicy) ||
           equals_ignore_case(name, "robots");
}

Reservation read_reservation(const ReservationSources& from, Purpose purpose) {
    Statements statements(from);
    statements.read();
    Reservation out;
    out.withheld = statements.reason(purpose);
    out.reserved = statements.take();
    return out;
}

}  // namespace weft::extract
