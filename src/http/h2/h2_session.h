#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/limits.h"
#include "http/h2/h2_stream.h"
#include "http/message/headers.h"

struct nghttp2_session;

namespace weft::http {

// Why a whole connection had to be given up. No stream of it goes on.
enum class [[nodiscard]] H2Error {
    not_http2,
    protocol_error,
    flow_control_error,
    frame_size_error,
    compression_error,
    stream_closed,
    push_promise,
    too_many_continuations,
    too_many_settings,
    too_many_control_frames,
    too_many_unsent_answers,
    too_much_memory,
    internal_error,
};

std::string_view describe(H2Error error);

struct H2Limits {
    std::size_t stream_count_max = limits::kH2StreamCountMax;

    // Frames that bring no answer further (PING, SETTINGS, WINDOW_UPDATE, RST_STREAM, PRIORITY,
    // DATA without data, frames of streams that are over, unknown ones), between two that do.
    std::size_t control_frame_count_max = limits::kH2ControlFrameCountMax;
    Duration control_frame_window = limits::kH2ControlFrameWindow;

    // What a stream, and all of them, may send before we have taken it.
    std::size_t stream_window_bytes = limits::kH2StreamWindowBytes;
    std::size_t connection_window_bytes = limits::kH2ConnectionWindowBytes;
};

// The client's side of an HTTP/2 connection, without the connection: bytes in, bytes out, and in
// between the streams hear what is theirs. nghttp2 reads and writes the frames; the bounds are ours
// where it has none.
//
//     H2Session session;
//     session.submit(stream, request);          // An H2Stream; it hears of its answer.
//     session.take_output(bytes); ...           // What is to be sent, at any time.
//     session.receive(received, now);           // Streams are called in here.
//     if (session.failure()) give_up();
//
// Any cut of the bytes gives the same calls, but for the pieces that content comes in.
//
// Decisions:
// - Push is off and a PUSH_PROMISE is the end (H50). The first frame is SETTINGS, found out at the
//   first byte, else not_http2 (H54).
// - A stream that breaks a rule, or one of the bounds on its fields, ends alone; a rule of the
//   connection ends all. At most 8 CONTINUATIONs (H47), 4 KiB of header table, 16 KiB a frame.
// - Frames without progress are counted (H49): see H2Limits. Answers to them that the server does
//   not read are counted too.
// - White space around a field value is cut off; control bytes in it are kept but for NUL, CR and
//   LF (as in HTTP/1). Everything else that RFC 9113 calls malformed is: upper-case names,
//   Connection and its kin, a wrong Content-Length.
// - What nghttp2 holds is counted, and bounded, whatever comes.
class H2Session {
public:
    explicit H2Session(const H2Limits& limits = {});
    ~H2Session();
    H2Session(const H2Session&) = delete;
    H2Session& operator=(const H2Session&) = delete;

    // Whether the server takes another request on this connection at all,
    bool accepts_requests() const;
    // and whether it may be submitted now: the streams under way leave room, and the server reads.
    bool has_room() const;
    std::size_t open_count() const { return open_count_; }

    // Opens a stream. It hears of its answer until on_end() or detach(). The request's body lives
    // as long; the rest is copied. A head over nghttp2's 64 KiB ends it at once.
    // REQUIRES: accepts_requests() && has_room(); not from inside a stream's call.
    void submit(H2Stream& stream, const H2Request& request);

    // The next piece of a body that goes on; it lives until is_hungry(). REQUIRES: it is.
    void supply(H2Stream& stream, std::string_view piece, bool is_last);

    // The stream is of no more interest: it hears nothing further, and is reset if it still runs.
    void detach(H2Stream& stream);

    // Content that on_content() held back is done with: the server may send as much again.
    void release(H2Stream& stream, std::size_t bytes);

    // Bytes came. After a failure nothing happens any more.
    void receive(std::string_view bytes, TimePoint now);

    // What is to be sent, never more than kH2OutputBytesMax and a frame; put into `out`, whose
    // memory is used again.
    bool has_output() const;
    void take_output(std::string& out);

    // All bytes ever put out: a request with output_mark() up to this has been.
    std::uint64_t output_total() const { return output_total_; }

    std::optional<H2Error> failure() const { return failure_; }

    // The failure in words, with what nghttp2 had to say of it.
    std::string failure_reason() const;

    // The server's GOAWAY came.
    bool is_going_away() const { return going_away_; }

    // What nghttp2 holds for this session.
    std::size_t memory_bytes() const { return memory_bytes_; }

private:
    friend struct H2Callbacks;

    void pull();
    void fail(H2Error error, std::string_view detail = {});
    void note_own_goaway(std::uint32_t code, std::string_view reason);
    bool is_settings_so_far(std::string_view bytes);
    std::size_t take_frame_part(std::string_view bytes);
    void begin_frame();
    void feed(std::string_view bytes);
    void say_goodbye();
    H2Stream* find(std::int32_t id) const;
    void note_progress() { control_frame_count_ = 0; }
    void reset(H2Stream& stream, H2End fault);
    void take_block(H2Stream& stream);
    void end(H2Stream& stream, H2End how);
    void let_go(H2Stream& stream);

    H2Limits limits_;
    std::size_t memory_bytes_ = 0;
    nghttp2_session* session_ = nullptr;
    H2Stream* header_stream_ = nullptr;  // Whose fields are coming in.
    H2Stream* sent_stream_ = nullptr;    // Whose request ends in what is being put out.
    std::optional<H2End> submit_fault_;  // The request could not be put out.
    std::size_t open_count_ = 0;
    std::size_t preface_bytes_ = 0;  // Of the first frame's head, seen and found right.

    // The frame that is coming in: what of its head has come, what is to come behind it.
    std::array<char, 9> frame_head_{};
    std::size_t frame_head_bytes_ = 0;
    std::size_t frame_left_ = 0;

    std::size_t control_frame_count_ = 0;
    std::size_t unsent_answer_count_ = 0;
    TimePoint control_window_start_{};
    bool going_away_ = false;
    std::optional<H2Error> failure_;
    std::string failure_detail_;
    std::string output_;
    std::uint64_t output_total_ = 0;
    std::string names_;  // Of a request's fields, in lower case; its memory is kept.
};

}  // namespace weft::http
