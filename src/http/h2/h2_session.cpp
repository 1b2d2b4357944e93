#include "http/h2/h2_session.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nghttp2/nghttp2.h>

#include "base/assert.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "base/scratch.h"
#include "http/access/open_field.h"
#include "http/h2/h2_callbacks.h"

namespace weft::http {

namespace {

struct OptionDeleter {
    void operator()(nghttp2_option* option) const { nghttp2_option_del(option); }
};

std::unique_ptr<nghttp2_option, OptionDeleter> make_options() {
    nghttp2_option* made = nullptr;
    WEFT_ASSERT(nghttp2_option_new(&made) == 0);
    // Windows are ours: a stream's window reopens only when its reader has consumed the content.
    nghttp2_option_set_no_auto_window_update(made, 1);
    nghttp2_option_set_peer_max_concurrent_streams(made, limits::kH2StreamCountMax);
    nghttp2_option_set_max_reserved_remote_streams(made, 0);
    nghttp2_option_set_no_closed_streams(made, 1);
    nghttp2_option_set_max_continuations(made, limits::kH2ContinuationCountMax);
    // Far above our own count of unsent answers (begin_frame()), which is to fail first.
    nghttp2_option_set_max_outbound_ack(made, 10 * limits::kH2ControlFrameCountMax);
    nghttp2_option_set_max_deflate_dynamic_table_size(made, limits::kH2HeaderTableBytes);
    nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(made, 1);
    return std::unique_ptr<nghttp2_option, OptionDeleter>(made);
}

void send_settings(nghttp2_session* library, const H2Limits& limits) {
    const std::array<nghttp2_settings_entry, 4> settings{{
        {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
        // This one limits streams that the server opens, that is pushes.
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 0},
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE,
         static_cast<std::uint32_t>(limits.stream_window_bytes)},
        {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, limits::kHeaderBlockBytesMax},
    }};
    nghttp2_submit_settings(library, NGHTTP2_FLAG_NONE, settings.data(), settings.size());
    nghttp2_session_set_local_window_size(
        library, NGHTTP2_FLAG_NONE, 0, static_cast<std::int32_t>(limits.connection_window_bytes));
}

// Fields about the connection, not about the message: HTTP/2 forbids them (RFC 9113, 8.2.2). Host
// becomes :authority. The name is in lower case.
bool is_left_out(std::string_view name) {
    switch (name.size()) {
        case 2: return name == "te";
        case 4: return name == "host";
        case 7: return name == "upgrade";
        case 10: return name == "connection" || name == "keep-alive";
        case 14: return name == "http2-settings";
        case 16: return name == "proxy-connection";
        case 17: return name == "transfer-encoding";
        default: return false;
    }
}

nghttp2_nv pair(std::string_view name, std::string_view value,
                nghttp2_nv_flag flag = NGHTTP2_NV_FLAG_NONE) {
    // nghttp2 copies both and writes to neither, although its type is not const.
    return {reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data())),
            reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data())), name.size(),
            value.size(), static_cast<std::uint8_t>(flag)};
}

std::string_view output_view(const std::uint8_t* bytes, std::size_t count) {
    return {reinterpret_cast<const char*>(bytes), count};
}

H2Error error_of_code(std::uint32_t code) {
    switch (code) {
        case NGHTTP2_FLOW_CONTROL_ERROR: return H2Error::flow_control_error;
        case NGHTTP2_FRAME_SIZE_ERROR: return H2Error::frame_size_error;
        case NGHTTP2_COMPRESSION_ERROR: return H2Error::compression_error;
        case NGHTTP2_STREAM_CLOSED: return H2Error::stream_closed;
        case NGHTTP2_INTERNAL_ERROR: return H2Error::internal_error;
        default: return H2Error::protocol_error;
    }
}

H2Error error_of_library(ssize_t code) {
    switch (code) {
        case NGHTTP2_ERR_FLOODED: return H2Error::too_many_unsent_answers;
        case NGHTTP2_ERR_TOO_MANY_CONTINUATIONS: return H2Error::too_many_continuations;
        case NGHTTP2_ERR_NOMEM: return H2Error::too_much_memory;
        default: return H2Error::internal_error;
    }
}

std::uint32_t code_of(H2Error error) {
    switch (error) {
        case H2Error::too_many_continuations:
        case H2Error::too_many_settings:
        case H2Error::too_many_control_frames:
        case H2Error::too_many_unsent_answers:
        case H2Error::too_much_memory: return NGHTTP2_ENHANCE_YOUR_CALM;
        case H2Error::frame_size_error: return NGHTTP2_FRAME_SIZE_ERROR;
        case H2Error::internal_error: return NGHTTP2_INTERNAL_ERROR;
        default: return NGHTTP2_PROTOCOL_ERROR;
    }
}

}  // namespace

H2Session::H2Session(const H2Limits& limits) : limits_(limits) {
    nghttp2_mem memory = H2Callbacks::memory(*this);
    const auto options = make_options();
    const int made =
        nghttp2_session_client_new3(&session_, H2Callbacks::get(), this, options.get(), &memory);
    WEFT_ASSERT(made == 0);
    send_settings(session_, limits_);
}

H2Session::~H2Session() {
    nghttp2_session_del(session_);
}

bool H2Session::accepts_requests() const {
    return !failure_ && nghttp2_session_check_request_allowed(session_) != 0;
}

bool H2Session::has_room() const {
    const std::size_t allowed =
        nghttp2_session_get_remote_settings(session_, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
    return open_count_ < std::min(limits_.stream_count_max, allowed) &&
           output_.size() < limits::kH2OutputBytesMax;
}

H2Stream* H2Session::find(std::int32_t id) const {
    return static_cast<H2Stream*>(nghttp2_session_get_stream_user_data(session_, id));
}

void H2Session::submit(H2Stream& stream, const H2Request& request) {
    WEFT_ASSERT(accepts_requests() && has_room() && !stream.is_attached_);
    std::size_t name_bytes = 0;
    for (const Field field : request.headers) name_bytes += field.name.size();
    if (names_.size() < name_bytes) names_.resize(name_bytes);  // The views below stay valid.
    name_bytes = 0;

    const Scratch<std::vector<nghttp2_nv>, struct FieldList> fields;
    fields->push_back(pair(":method", request.method));
    fields->push_back(pair(":scheme", request.scheme));
    fields->push_back(pair(":authority", request.authority));
    fields->push_back(pair(":path", request.target));
    for (const Field field : request.headers) {
        char* const begin = names_.data() + name_bytes;
        for (std::size_t i = 0; i < field.name.size(); ++i) begin[i] = to_lower(field.name[i]);
        const std::string_view name(begin, field.name.size());
        if (is_left_out(name)) continue;
        name_bytes += name.size();
        // A secret must not enter the HPACK table, where its length could be guessed (RFC
        // 7541, 7.1).
        const bool is_secret = !is_open_field(name);
        fields->push_back(
            pair(name, field.value, is_secret ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE));
    }
    stream.body_ = request.body;
    stream.has_body_ = !request.body.empty() || request.has_more;
    stream.has_more_body_ = request.has_more;
    stream.is_head_request_ = request.method == "HEAD";
    nghttp2_data_provider body{.source = {.ptr = nullptr}, .read_callback = H2Callbacks::read_body};
    const std::int32_t id =
        nghttp2_submit_request(session_, nullptr, fields->data(), fields->size(),
                               stream.has_body_ ? &body : nullptr, &stream);
    if (id < 0) {
        fail(error_of_library(id), nghttp2_strerror(id));
        return;
    }
    stream.id_ = id;
    stream.is_attached_ = true;
    ++open_count_;
    submit_fault_.reset();
    // nghttp2 sends heads before everything else, so the head is put out now. If that fails,
    // on_not_sent() sets submit_fault_.
    pull();
    if (submit_fault_) end(stream, *submit_fault_);
}

void H2Session::supply(H2Stream& stream, std::string_view piece, bool is_last) {
    if (!stream.is_attached_) return;
    WEFT_ASSERT(stream.is_hungry() && stream.has_more_body_);
    stream.body_ = piece;
    stream.has_more_body_ = !is_last;
    nghttp2_session_resume_data(session_, stream.id_);
}

void H2Session::detach(H2Stream& stream) {
    if (!stream.is_attached_) return;
    let_go(stream);
    nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, stream.id_, NGHTTP2_CANCEL);
}

void H2Session::let_go(H2Stream& stream) {
    stream.is_attached_ = false;
    if (header_stream_ == &stream) header_stream_ = nullptr;
    if (sent_stream_ == &stream) sent_stream_ = nullptr;
    nghttp2_session_set_stream_user_data(session_, stream.id_, nullptr);
}

void H2Session::release(H2Stream& stream, std::size_t bytes) {
    if (!stream.is_attached_) return;
    nghttp2_session_consume_stream(session_, stream.id_, bytes);
}

void H2Session::receive(std::string_view bytes, TimePoint now) {
    if (failure_) return;
    if (!is_settings_so_far(bytes)) {
        const bool looks_like_http1 = preface_bytes_ == 0 && bytes.starts_with('H');
        fail(H2Error::not_http2, looks_like_http1 ? "it seems to answer in HTTP/1" : "");
        return;
    }
    if (now - control_window_start_ >= limits_.control_frame_window) {
        control_window_start_ = now;
        control_frame_count_ = 0;
    }
    while (!bytes.empty() && !failure_) {
        bytes.remove_prefix(take_frame_part(bytes));
        // nghttp2 ends a stream that it resets only when the RST_STREAM is put out. Doing that
        // between frames, never within one, makes the calls independent of how bytes are cut.
        const bool is_between_frames = frame_left_ == 0 && frame_head_bytes_ == 0;
        if (is_between_frames && nghttp2_session_want_write(session_)) pull();
    }
}

void H2Session::feed(std::string_view bytes) {
    const ssize_t taken = nghttp2_session_mem_recv(
        session_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    if (taken < 0) fail(error_of_library(taken), nghttp2_strerror(static_cast<int>(taken)));
}

// Passes nghttp2 one frame at a time, and the head of a frame in one piece. So each frame is
// counted before nghttp2 reads it, and the count does not depend on how the bytes are cut.
// nghttp2's own counts do not suffice: it counts a CONTINUATION for every piece of its head, and it
// does not report the frames that it ignores, which are those that floods consist of.
std::size_t H2Session::take_frame_part(std::string_view bytes) {
    if (frame_left_ > 0) {
        const std::size_t part = std::min(bytes.size(), frame_left_);
        frame_left_ -= part;
        feed(bytes.substr(0, part));
        return part;
    }
    const std::size_t missing = frame_head_.size() - frame_head_bytes_;
    const std::size_t part = std::min(bytes.size(), missing);
    std::copy_n(bytes.begin(), part, frame_head_.begin() + frame_head_bytes_);
    frame_head_bytes_ += part;
    if (part < missing) return part;
    frame_head_bytes_ = 0;
    begin_frame();
    if (failure_) return part;
    if (part < frame_head_.size()) {
        feed({frame_head_.data(), frame_head_.size()});
        return part;
    }
    const std::size_t payload = std::min(bytes.size() - part, frame_left_);
    frame_left_ -= payload;
    feed(bytes.substr(0, part + payload));
    return part + payload;
}

// Checks and counts a frame whose head has just become complete (RFC 9113, 4.1: length, type,
// flags, stream).
void H2Session::begin_frame() {
    const auto number = [&](std::size_t at) {
        return std::uint32_t{static_cast<unsigned char>(frame_head_[at])};
    };
    frame_left_ = number(0) << 16 | number(1) << 8 | number(2);
    const std::uint32_t type = number(3);
    const bool is_ack = (number(4) & NGHTTP2_FLAG_ACK) != 0;
    constexpr std::size_t kSettingBytes = 6;
    if (frame_left_ > limits::kH2FrameBytesMax) return fail(H2Error::frame_size_error);
    if (type == NGHTTP2_PUSH_PROMISE) return fail(H2Error::push_promise);
    if (type == NGHTTP2_SETTINGS && frame_left_ > kSettingBytes * limits::kH2SettingCountMax) {
        return fail(H2Error::too_many_settings);
    }
    // Every frame counts here; those that make progress reset the count (note_progress()).
    if (++control_frame_count_ > limits_.control_frame_count_max) {
        return fail(H2Error::too_many_control_frames);
    }
    const bool is_answered = (type == NGHTTP2_PING || type == NGHTTP2_SETTINGS) && !is_ack;
    if (is_answered && ++unsent_answer_count_ > limits::kH2ControlFrameCountMax) {
        return fail(H2Error::too_many_unsent_answers);
    }
    if (type == NGHTTP2_DATA) {
        const std::uint32_t id = number(5) << 24 | number(6) << 16 | number(7) << 8 | number(8);
        H2Stream* stream = find(static_cast<std::int32_t>(id & INT32_MAX));
        if (stream) stream->frame_bytes_ += frame_left_;
    }
}

// The server's first frame must be SETTINGS (RFC 9113, 3.4). The first bytes already tell it from
// other protocols: a length below 64 KiB, the type, and no ACK.
bool H2Session::is_settings_so_far(std::string_view bytes) {
    constexpr std::size_t kHeadBytes = 9;
    for (std::size_t i = 0; preface_bytes_ < kHeadBytes && i < bytes.size();
         ++preface_bytes_, ++i) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        switch (preface_bytes_) {
            case 0:
                if (byte != 0) return false;
                break;
            case 3:
                if (byte != NGHTTP2_SETTINGS) return false;
                break;
            case 4:
                if (byte & NGHTTP2_FLAG_ACK) return false;
                break;
            default: break;
        }
    }
    return true;
}

bool H2Session::has_output() const {
    return !output_.empty() || (!failure_ && nghttp2_session_want_write(session_) != 0);
}

void H2Session::take_output(std::string& out) {
    pull();
    // The writer takes output only when its last write is done, so the connection has taken our
    // earlier answers.
    unsent_answer_count_ = 0;
    out.clear();
    std::swap(out, output_);
}

void H2Session::pull() {
    while (!failure_ && output_.size() < limits::kH2OutputBytesMax) {
        const std::uint8_t* bytes = nullptr;
        const ssize_t count = nghttp2_session_mem_send(session_, &bytes);
        if (count < 0) fail(error_of_library(count), nghttp2_strerror(static_cast<int>(count)));
        if (count <= 0) return;
        output_.append(output_view(bytes, static_cast<std::size_t>(count)));
        output_total_ += static_cast<std::size_t>(count);
        // on_sent() set it during nghttp2_session_mem_send(): the request ends with these bytes.
        if (H2Stream* stream = std::exchange(sent_stream_, nullptr)) {
            stream->output_mark_ = output_total_;
        }
    }
}

void H2Session::fail(H2Error error, std::string_view detail) {
    if (failure_) return;
    failure_ = error;
    failure_detail_ = detail;
    say_goodbye();
}

// nghttp2 has found an error of the connection and has sent the GOAWAY itself.
void H2Session::note_own_goaway(std::uint32_t code, std::string_view reason) {
    if (failure_) return;
    failure_ = error_of_code(code);
    failure_detail_ = reason;
}

// Tells the server why, in a last GOAWAY frame. Written by hand, because after some failures
// nghttp2 no longer puts anything out.
void H2Session::say_goodbye() {
    constexpr char kGoAway = NGHTTP2_GOAWAY;
    std::string frame{0, 0, 8, kGoAway, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    frame.append({0, 0, 0, static_cast<char>(code_of(*failure_))});
    output_ += frame;
    output_total_ += frame.size();
}

std::string H2Session::failure_reason() const {
    WEFT_ASSERT(failure_);
    const std::string_view what = describe(*failure_);
    if (failure_detail_.empty()) return std::string(what);
    return fmt::format("{} ({})", what, escape_for_terminal(failure_detail_));
}

void H2Session::reset(H2Stream& stream, H2End fault) {
    stream.fault_ = fault;
    nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, stream.id_, NGHTTP2_PROTOCOL_ERROR);
}

// All fields of a head, or of the trailers, have arrived.
void H2Session::take_block(H2Stream& stream) {
    header_stream_ = nullptr;
    if (stream.has_head_ || stream.fault_) return;
    if (stream.status_ < 100) return reset(stream, H2End::malformed);
    const int status = std::exchange(stream.status_, 0);
    if (status < 200) {
        stream.headers_.clear();
        if (++stream.interim_count_ > limits::kInterimResponseCountMax) {
            return reset(stream, H2End::too_many_interim_responses);
        }
        return stream.on_interim(status);
    }
    stream.has_head_ = true;
    note_progress();
    // nghttp2 checks Content-Length; here it is only needed for messages.
    const bool has_body = !stream.is_head_request_ && status != 204 && status != 304;
    if (const auto text = stream.headers_.get("content-length"); text && has_body) {
        std::uint64_t length = 0;
        const auto read = std::from_chars(text->data(), text->data() + text->size(), length);
        if (read.ec == std::errc()) stream.content_length_ = length;
    }
    stream.on_head(status);
}

void H2Session::end(H2Stream& stream, H2End how) {
    if (!stream.is_attached_ || failure_) return;
    // The response is complete before the request's body is sent: the server does not want the rest
    // (RFC 9113, 8.1), so the stream is reset.
    const bool is_half_open = how == H2End::complete && stream.output_mark_ == 0;
    let_go(stream);
    if (is_half_open) {
        nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, stream.id_, NGHTTP2_CANCEL);
    }
    stream.on_end(how);
}

std::string_view describe(H2Error error) {
    switch (error) {
        case H2Error::not_http2: return "does not speak HTTP/2";
        case H2Error::protocol_error: return "breaks the rules of HTTP/2";
        case H2Error::flow_control_error: return "sends more than the HTTP/2 windows allow";
        case H2Error::frame_size_error: return "HTTP/2 frame of a wrong size";
        case H2Error::compression_error: return "HTTP/2 header block that cannot be unpacked";
        case H2Error::stream_closed: return "HTTP/2 frame for a stream that is over";
        case H2Error::push_promise: return "HTTP/2 push, which was forbidden";
        case H2Error::too_many_continuations: return "more than 8 CONTINUATION frames";
        case H2Error::too_many_settings: return "more than 32 settings in a frame";
        case H2Error::too_many_control_frames: return "flood of HTTP/2 frames without progress";
        case H2Error::too_many_unsent_answers: return "flood of frames to be answered";
        case H2Error::too_much_memory: return "HTTP/2 session over 4 MiB";
        case H2Error::internal_error: return "HTTP/2 session failed";
    }
    std::unreachable();
}

std::string_view describe(H2End end) {
    switch (end) {
        case H2End::complete: return "complete";
        case H2End::refused: return "stream refused";
        case H2End::http1_required: return "wants this request over HTTP/1.1";
        case H2End::reset: return "stream reset";
        case H2End::malformed: return "malformed HTTP/2 response";
        case H2End::too_short: return "less content than Content-Length says";
        case H2End::too_long: return "more content than Content-Length says";
        case H2End::header_block_too_large: return "header block over 256 KiB";
        case H2End::too_many_fields: return "more than 1,000 fields";
        case H2End::trailers_too_large: return "trailers over 16 KiB";
        case H2End::too_many_interim_responses: return "more than 8 interim responses";
        case H2End::unsent: return "request head too large for HTTP/2";
    }
    std::unreachable();
}

}  // namespace weft::http
