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

// Why a whole connection failed. All its streams end.
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

// The bounds of one session.
struct H2Limits {
    std::size_t stream_count_max = limits::kH2StreamCountMax;

    // How many frames without progress (PING, SETTINGS, WINDOW_UPDATE, RST_STREAM, PRIORITY, DATA
    // without data, frames of closed streams, unknown ones) may come in a row within a window.
    std::size_t control_frame_count_max = limits::kH2ControlFrameCountMax;
    Duration control_frame_window = limits::kH2ControlFrameWindow;

    // How much one stream, and all streams together, may send before we have consumed it.
    std::size_t stream_window_bytes = limits::kH2StreamWindowBytes;
    std::size_t connection_window_bytes = limits::kH2ConnectionWindowBytes;
};

// The client's side of an HTTP/2 connection, without I/O: the caller passes in received bytes,
// takes bytes to send, and the streams get calls. nghttp2 reads and writes the frames; this class
// adds the bounds that nghttp2 lacks.
//
//     H2Session session;
//     session.submit(stream, request);          // An H2Stream; it gets calls for its response.
//     session.take_output(bytes); ...           // What has to be sent, at any time.
//     session.receive(received, now);           // Streams are called in here.
//     if (session.failure()) give_up();
//
// However the bytes are cut, the calls are the same, except for how content is split.
//
// Decisions:
// - Push is off, and a PUSH_PROMISE ends the connection (H50). The first frame must be SETTINGS;
//   this is checked from the first byte on, else not_http2 (H54).
// - A stream that breaks a rule of streams, or a bound on its fields, ends alone. Breaking a rule
// of
//   the connection ends all streams. At most 8 CONTINUATIONs (H47), 4 KiB of header table, 16 KiB a
//   frame.
// - Frames without progress are counted (H49): see H2Limits. Our answers to them that the server
//   does not read are counted too.
// - White space around a field value is removed. Control bytes in it are kept except for NUL, CR
// and
//   LF (as in HTTP/1). Everything else that RFC 9113 calls malformed is an error: upper-case names,
//   Connection and similar fields, a wrong Content-Length.
// - The memory that nghttp2 holds is counted and bounded.
//
// Owned by an H2Channel; on one thread.
class H2Session {
public:
    explicit H2Session(const H2Limits& limits = {});
    ~H2Session();
    H2Session(const H2Session&) = delete;
    H2Session& operator=(const H2Session&) = delete;

    // Whether the server takes further requests on this connection at all.
    bool accepts_requests() const;

    // Whether a request may be submitted now: the limit of streams is not reached, and the server
    // reads our output.
    bool has_room() const;
    std::size_t open_count() const { return open_count_; }

    // Opens a stream. It gets calls for its response until on_end() or detach(). The request's body
    // must live that long; the rest is copied. A head over nghttp2's 64 KiB ends it at once.
    // REQUIRES: accepts_requests() && has_room(); not from inside a stream's call.
    void submit(H2Stream& stream, const H2Request& request);

    // The next piece of a body submitted with has_more. It must live until is_hungry() again.
    // REQUIRES: stream.is_hungry()
    void supply(H2Stream& stream, std::string_view piece, bool is_last);

    // Ends our interest in the stream: it gets no further calls, and is reset if it is still open.
    void detach(H2Stream& stream);

    // Content for which on_content() returned false has been consumed, so the server may send as
    // much again.
    void release(H2Stream& stream, std::size_t bytes);

    // Passes in received bytes. After a failure it does nothing.
    void receive(std::string_view bytes, TimePoint now);

    // The bytes to send, at most kH2OutputBytesMax and one frame. take_output() replaces the text
    // of `out` and reuses its memory.
    bool has_output() const;
    void take_output(std::string& out);

    // The number of bytes that were ever put out. A request whose output_mark() is not above this
    // has been put out completely.
    std::uint64_t output_total() const { return output_total_; }

    std::optional<H2Error> failure() const { return failure_; }

    // The failure in words, with nghttp2's own message. REQUIRES: failure()
    std::string failure_reason() const;

    // A GOAWAY of the server has come.
    bool is_going_away() const { return going_away_; }

    // The memory that nghttp2 holds for this session.
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
    H2Stream* header_stream_ = nullptr;  // The stream whose fields are being received.
    H2Stream* sent_stream_ = nullptr;    // The stream whose request ends in the next output.
    std::optional<H2End> submit_fault_;  // Why the request being submitted cannot be sent.
    std::size_t open_count_ = 0;
    std::size_t preface_bytes_ = 0;  // Bytes of the first frame's head that were checked.

    // The frame being received: its head, how much of the head has come, and how many bytes of its
    // payload are still to come.
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
    std::string names_;  // The names of a request's fields in lower case; its memory is kept.
};

}  // namespace weft::http
