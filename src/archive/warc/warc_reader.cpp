#include "archive/warc/warc_reader.h"

#include <algorithm>
#include <utility>

#include "archive/index/lines.h"
#include "archive/warc/member_reader.h"
#include "base/bytes.h"
#include "base/limits.h"

namespace weft::archive {

namespace {

bool is_blank(std::string_view text) {
    return trim(text).empty();
}

}  // namespace

class WarcReader::Impl {
public:
    void feed(std::string_view bytes) { source_.feed(bytes); }
    void finish() { source_.finish(); }

    std::expected<WarcEvent, WarcError> next() {
        if (error_) return std::unexpected(*error_);
        for (;;) {
            Step step = take_step();
            if (!step) {
                error_ = step.error();
                return std::unexpected(step.error());
            }
            if (std::optional<WarcEvent> event = *std::move(step)) return *std::move(event);
        }
    }

private:
    // An event, or nothing: take another step. Every step that has too few bytes ends in starve().
    using Step = std::expected<std::optional<WarcEvent>, WarcError>;

    // `after_block` is the line after the block, which should be empty; `tail` is the rest of the
    // member.
    enum class State { between, header, block, after_block, tail };

    Step take_step() {
        switch (state_) {
            case State::between: return seek_record();
            case State::header: return read_header();
            case State::block: return read_block();
            case State::after_block: return read_line_after_block();
            case State::tail: return read_tail();
        }
        std::unreachable();
    }

    // Gets more bytes for the current step. `at_end` is called at the end of the file or member: it
    // says what that means for the step.
    template <class AtEnd>
    Step starve(AtEnd at_end) {
        switch (source_.fill()) {
            case MemberReader::Fill::more: return std::nullopt;
            case MemberReader::Fill::need_bytes: return NeedBytes{};
            case MemberReader::Fill::unit_end: return at_end();
            case MemberReader::Fill::damaged: return fail(WarcError::bad_packing);
        }
        std::unreachable();
    }

    // The end of the first line, if it is within the bound. A line feed behind the bound does not
    // count, even if it is here already: how much is here depends on how the file is cut.
    static std::size_t find_newline(std::string_view text) {
        return text.substr(0, limits::kWarcHeaderBytesMax + 1).find('\n');
    }

    // Inside a record an error first ends the record, as an event; next() then returns the error.
    Step fail(WarcError error) {
        const bool is_inside =
            state_ == State::block || state_ == State::after_block || state_ == State::tail;
        if (!is_inside) return std::unexpected(error);
        end_.is_complete = end_.is_complete && state_ != State::block;
        if (state_ == State::block) end_.length = length_so_far();
        error_ = error;
        state_ = State::between;
        return end_;
    }

    Step seek_record() {
        const std::string_view text = source_.available();
        const std::size_t newline = find_newline(text);
        if (newline == std::string_view::npos) {
            // Without a bound a file of other bytes would be read into memory up to its first line
            // feed.
            const bool is_too_long = text.size() > limits::kWarcHeaderBytesMax;
            if (is_too_long) return std::unexpected(WarcError::not_a_record);
            return starve([this]() -> Step {
                const bool is_over = is_blank(source_.available());
                if (!is_over) return std::unexpected(WarcError::not_a_record);
                source_.consume(source_.available().size());
                if (!source_.start_next_unit()) return FileEnd{};
                return std::nullopt;
            });
        }
        // Empty lines before a record are tolerated, in any number.
        if (is_blank(text.substr(0, newline))) {
            source_.consume(newline + 1);
            return std::nullopt;
        }
        if (!text.starts_with("WARC/")) return std::unexpected(WarcError::not_a_record);
        end_ = {};
        end_.offset = source_.is_packed() ? source_.unit_offset() : source_.position();
        searched_ = 0;
        state_ = State::header;
        return std::nullopt;
    }

    Step read_header() {
        const std::string_view text = source_.available();
        const std::size_t size = find_after_empty_line(text, searched_);
        if (std::min(size, text.size()) > limits::kWarcHeaderBytesMax) {
            return std::unexpected(WarcError::header_too_long);
        }
        if (size == std::string_view::npos) {
            // The empty line may be complete only with the next bytes, so its last two are searched
            // again.
            searched_ = text.size() - std::min<std::size_t>(text.size(), 2);
            return starve([]() -> Step { return std::unexpected(WarcError::truncated_header); });
        }
        std::expected<WarcHeader, WarcError> header = WarcHeader::parse(text.substr(0, size));
        if (!header) return std::unexpected(header.error());
        source_.consume(size);
        remaining_ = header->content_length();
        state_ = State::block;
        return RecordStart{*std::move(header), end_.offset};
    }

    Step read_block() {
        // Only now: the view in the last RecordBytes was valid until this call.
        source_.consume(std::exchange(lent_, 0));
        if (remaining_ == 0) {
            end_.length = length_so_far();
            state_ = State::after_block;
            return std::nullopt;
        }
        const std::string_view text = source_.available();
        if (text.empty()) {
            return starve([this]() -> Step {
                end_.is_complete = false;
                end_.length = length_so_far();
                state_ = State::tail;
                return std::nullopt;
            });
        }
        lent_ = static_cast<std::size_t>(std::min<std::uint64_t>(remaining_, text.size()));
        remaining_ -= lent_;
        return RecordBytes{text.substr(0, lent_)};
    }

    // The line after the block should be empty. A line with text is skipped: the usual cause is a
    // Content-Length that is a little too small.
    Step read_line_after_block() {
        const std::string_view text = source_.available();
        const std::size_t newline = find_newline(text);
        if (newline == std::string_view::npos && text.size() <= limits::kWarcHeaderBytesMax) {
            return starve([this]() -> Step {
                end_.has_stray_line = !is_blank(source_.available());
                source_.consume(source_.available().size());
                state_ = State::tail;
                return std::nullopt;
            });
        }
        if (text.starts_with("WARC/")) return fail(WarcError::missing_newline);
        if (newline == std::string_view::npos) return fail(WarcError::not_a_record);
        end_.has_stray_line = !is_blank(text.substr(0, newline));
        source_.consume(newline + 1);
        state_ = State::tail;
        return std::nullopt;
    }

    // In a member only empty lines may follow the record. The length of the record is that of the
    // member.
    Step read_tail() {
        if (!source_.is_packed()) {
            state_ = State::between;
            return end_;
        }
        const std::string_view text = source_.available();
        const std::size_t newline = text.find('\n');
        if (newline == std::string_view::npos && is_blank(text)) {
            source_.consume(text.size());
            return starve([this]() -> Step {
                end_.length = source_.unit_file_end() - end_.offset;
                end_.is_member_cut = source_.is_unit_cut();
                state_ = State::between;
                return end_;
            });
        }
        if (!is_blank(text.substr(0, newline))) {
            end_.length = 0;
            return fail(WarcError::shared_member);
        }
        source_.consume(newline + 1);
        return std::nullopt;
    }

    std::uint64_t length_so_far() const {
        return source_.is_packed() ? 0 : source_.position() - end_.offset;
    }

    MemberReader source_;
    State state_ = State::between;
    std::optional<WarcError> error_;
    RecordEnd end_;                // Of the current record, as far as it is known.
    std::size_t searched_ = 0;     // So much of the header contains no empty line.
    std::uint64_t remaining_ = 0;  // Bytes of the block after the last RecordBytes.
    std::size_t lent_ = 0;         // Bytes of the last RecordBytes, not consumed yet.
};

WarcReader::WarcReader() : impl_(std::make_unique<Impl>()) {}
WarcReader::~WarcReader() = default;
WarcReader::WarcReader(WarcReader&&) noexcept = default;
WarcReader& WarcReader::operator=(WarcReader&&) noexcept = default;

void WarcReader::feed(std::string_view bytes) {
    impl_->feed(bytes);
}

void WarcReader::finish() {
    impl_->finish();
}

std::expected<WarcEvent, WarcError> WarcReader::next() {
    return impl_->next();
}

}  // namespace weft::archive
