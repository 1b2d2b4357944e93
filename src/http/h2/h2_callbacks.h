#pragma once

#include <nghttp2/nghttp2.h>

#include "http/h2/h2_session.h"

namespace weft::http {

// The functions that nghttp2 calls while it reads and writes the frames of an H2Session. All run
// inside calls of the session, on its thread; `user` is the session.
struct H2Callbacks {
    // One table for all sessions; never freed.
    static const nghttp2_session_callbacks* get();

    // An allocator that counts the session's memory and refuses more than its bound. The session
    // must outlive it.
    static nghttp2_mem memory(H2Session& session);

    // Provides the next part of a request's body.
    static ssize_t read_body(nghttp2_session* library, std::int32_t id, std::uint8_t* room,
                             std::size_t size, std::uint32_t* flags, nghttp2_data_source* source,
                             void* user);

private:
    static int on_begin_headers(nghttp2_session* library, const nghttp2_frame* frame, void* user);
    static int on_header(nghttp2_session* library, const nghttp2_frame* frame,
                         const std::uint8_t* name, std::size_t name_bytes,
                         const std::uint8_t* value, std::size_t value_bytes, std::uint8_t flags,
                         void* user);
    static int on_odd_header(nghttp2_session* library, const nghttp2_frame* frame,
                             const std::uint8_t* name, std::size_t name_bytes,
                             const std::uint8_t* value, std::size_t value_bytes, std::uint8_t flags,
                             void* user);
    static int on_data(nghttp2_session* library, std::uint8_t flags, std::int32_t id,
                       const std::uint8_t* data, std::size_t bytes, void* user);
    static int on_frame(nghttp2_session* library, const nghttp2_frame* frame, void* user);
    static int on_invalid_frame(nghttp2_session* library, const nghttp2_frame* frame, int error,
                                void* user);
    static int on_sent(nghttp2_session* library, const nghttp2_frame* frame, void* user);
    static int on_not_sent(nghttp2_session* library, const nghttp2_frame* frame, int error,
                           void* user);
    static int on_close(nghttp2_session* library, std::int32_t id, std::uint32_t code, void* user);

    static int take_field(H2Session& session, Field field);
    static H2End end_of(const H2Stream& stream, std::uint32_t code);
};

}  // namespace weft::http
