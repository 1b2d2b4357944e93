#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "http/message/headers.h"

namespace weft::http {

class H2Session;

// The request to send on a stream. All views; the body must live as long as the stream does.
struct H2Request {
    std::string_view method;
    std::string_view scheme;
    std::string_view authority;
    std::string_view target;  // "/path?query".

    // Names in any case. Host and fields that only HTTP/1 has (Connection and similar) are not
    // sent.
    const Headers& headers;
    std::string_view body = {};
    bool has_more = false;  // More of the body follows: H2Session::supply().
};

// How a stream ended.
enum class [[nodiscard]] H2End {
    complete,
    refused,         // The server has not processed it: it may be sent again elsewhere.
    http1_required,  // The server wants this request over HTTP/1.1.
    reset,
    malformed,
    too_short,  // Less content than Content-Length says.
    too_long,   // More content than Content-Length says.
    header_block_too_large,
    too_many_fields,
    trailers_too_large,
    too_many_interim_responses,
    unsent,  // Our own request is too large.
};

std::string_view describe(H2End end);

// One request of an H2Session and its response. Derive from it to receive the response. It must
// live until on_end() or H2Session::detach(). The virtual functions are called from inside
// functions of H2Session. They must not throw, and may call only detach() and release() of the
// session.
class H2Stream {
public:
    H2Stream() = default;
    H2Stream(const H2Stream&) = delete;
    H2Stream& operator=(const H2Stream&) = delete;

    std::int32_t id() const { return id_; }

    // Whether a head of the response has begun to arrive.
    bool has_received() const { return has_received_; }

    // The value of H2Session::output_total() after the last byte of the request. 0: not all of the
    // request was put out yet.
    std::uint64_t output_mark() const { return output_mark_; }

    // Whether the request has a body, and whether everything supplied of it was put out.
    bool has_body() const { return has_body_; }
    bool is_hungry() const { return body_.empty(); }

    // How many bytes of content have arrived, and the Content-Length if the server sent one.
    std::uint64_t content_bytes() const { return content_bytes_; }
    std::optional<std::uint64_t> content_length() const { return content_length_; }

protected:
    ~H2Stream() = default;

    // The fields of the final head. May be swapped with another object before the request is
    // submitted, to use its memory, and moved out after on_head().
    Headers& fields() { return headers_; }

    // A part of the request's body was put out.
    virtual void on_progress() {}

    // A 1xx response.
    virtual void on_interim(int /*status*/) {}

    // The final head; its fields are in fields().
    virtual void on_head(int status) = 0;

    // A piece of the content as sent, valid during the call. Return true if it is consumed. After
    // false the server may not send as much again before H2Session::release().
    virtual bool on_content(std::string_view piece) = 0;

    // The last call.
    virtual void on_end(H2End end) = 0;

private:
    friend class H2Session;
    friend struct H2Callbacks;

    std::int32_t id_ = 0;
    int status_ = 0;
    bool is_attached_ = false;
    bool has_received_ = false;
    bool has_head_ = false;
    bool was_reset_ = false;  // By the server.
    bool is_head_request_ = false;
    bool has_body_ = false;
    bool has_more_body_ = false;
    std::optional<H2End> fault_;
    std::size_t interim_count_ = 0;
    std::size_t field_count_ = 0;
    std::size_t field_bytes_ = 0;
    std::size_t trailer_bytes_ = 0;
    std::uint64_t content_bytes_ = 0;
    std::uint64_t frame_bytes_ = 0;  // Announced by the heads of DATA frames, padding included.
    std::optional<std::uint64_t> content_length_;
    std::uint64_t output_mark_ = 0;
    std::string_view body_;
    Headers headers_;
};

}  // namespace weft::http
