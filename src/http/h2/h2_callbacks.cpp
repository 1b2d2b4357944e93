#include "http/h2/h2_callbacks.h"

#include <algorithm>
#include <cstring>

#include "aio/task/frame_pool.h"
#include "base/assert.h"
#include "base/bytes.h"

namespace weft::http {

namespace {

H2Session& session_of(void* user) {
    return *static_cast<H2Session*>(user);
}

std::string_view view(const std::uint8_t* bytes, std::size_t count) {
    return {reinterpret_cast<const char*>(bytes), count};
}

// nghttp2's own check for outer white space is off (make_options()): the space is cut here instead.
std::string_view without_outer_space(std::string_view value) {
    const bool has_some = !value.empty() && (value.front() <= ' ' || value.back() <= ' ');
    return has_some ? trim(value) : value;
}

// What a field counts in addition to its bytes (RFC 9113, 6.5.2). It also bounds empty fields.
constexpr std::size_t kFieldOverhead = 32;

}  // namespace

const nghttp2_session_callbacks* H2Callbacks::get() {
    static nghttp2_session_callbacks* const callbacks = [] {
        nghttp2_session_callbacks* made = nullptr;
        WEFT_ASSERT(nghttp2_session_callbacks_new(&made) == 0);
        nghttp2_session_callbacks_set_on_begin_headers_callback(made, on_begin_headers);
        nghttp2_session_callbacks_set_on_header_callback(made, on_header);
        nghttp2_session_callbacks_set_on_invalid_header_callback(made, on_odd_header);
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made, on_data);
        nghttp2_session_callbacks_set_on_frame_recv_callback(made, on_frame);
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(made, on_invalid_frame);
        nghttp2_session_callbacks_set_on_frame_send_callback(made, on_sent);
        nghttp2_session_callbacks_set_on_frame_not_send_callback(made, on_not_sent);
        nghttp2_session_callbacks_set_on_stream_close_callback(made, on_close);
        return made;
    }();
    return callbacks;
}

namespace {

// The size of each block is stored before it, because nghttp2 does not pass it to free(). Blocks
// come from the pool for coroutine frames: a stream needs a dozen of them and lives about as long
// as a frame.
constexpr std::size_t kBlockHead = 16;

std::size_t& size_of(void* block) {
    return *reinterpret_cast<std::size_t*>(static_cast<char*>(block) - kBlockHead);
}

void* allocate(std::size_t& held, std::size_t size) {
    // Null makes nghttp2 fail with NGHTTP2_ERR_NOMEM, which ends the session (too_much_memory).
    if (size > limits::kH2SessionBytesMax || held > limits::kH2SessionBytesMax - size) {
        return nullptr;
    }
    held += size;
    auto* memory = static_cast<char*>(aio::frame_pool::allocate(size + kBlockHead));
    void* block = memory + kBlockHead;
    size_of(block) = size;
    return block;
}

void release(std::size_t& held, void* block) {
    if (!block) return;
    const std::size_t size = size_of(block);
    held -= size;
    aio::frame_pool::deallocate(static_cast<char*>(block) - kBlockHead, size + kBlockHead);
}

void* reallocate(std::size_t& held, void* block, std::size_t size) {
    void* moved = allocate(held, size);
    if (!moved || !block) return moved;
    std::memcpy(moved, block, std::min(size, size_of(block)));
    release(held, block);
    return moved;
}

std::size_t& held_by(void* user) {
    return *static_cast<std::size_t*>(user);
}

}  // namespace

nghttp2_mem H2Callbacks::memory(H2Session& session) {
    return {.mem_user_data = &session.memory_bytes_,
            .malloc = [](std::size_t size, void* user) { return allocate(held_by(user), size); },
            .free = [](void* block, void* user) { release(held_by(user), block); },
            .calloc =
                [](std::size_t count, std::size_t size, void* user) {
                    void* block = allocate(held_by(user), count * size);
                    if (block) std::memset(block, 0, count * size);
                    return block;
                },
            .realloc = [](void* block, std::size_t size,
                          void* user) { return reallocate(held_by(user), block, size); }};
}

int H2Callbacks::on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    H2Session& session = session_of(user);
    session.header_stream_ = session.find(frame->hd.stream_id);
    if (session.header_stream_) session.header_stream_->has_received_ = true;
    return 0;
}

int H2Callbacks::on_header(nghttp2_session*, const nghttp2_frame*, const std::uint8_t* name,
                           std::size_t name_bytes, const std::uint8_t* value,
                           std::size_t value_bytes, std::uint8_t, void* user) {
    return take_field(session_of(user), {view(name, name_bytes), view(value, value_bytes)});
}

// Called for a field that nghttp2 finds invalid and would drop. It is kept, as in HTTP/1, unless
// its bytes could change the head that the archive stores (H27).
int H2Callbacks::on_odd_header(nghttp2_session*, const nghttp2_frame*, const std::uint8_t* name,
                               std::size_t name_bytes, const std::uint8_t* value,
                               std::size_t value_bytes, std::uint8_t, void* user) {
    H2Session& session = session_of(user);
    const Field field{view(name, name_bytes), view(value, value_bytes)};
    const auto is_harmful = [](char c) { return c == '\0' || c == '\r' || c == '\n'; };
    const auto is_no_name_byte = [](char c) {
        return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F || c == ':';
    };
    if (std::ranges::any_of(field.value, is_harmful) ||
        std::ranges::any_of(field.name, is_no_name_byte)) {
        // This return value makes nghttp2 reset the stream; the connection goes on.
        if (session.header_stream_) session.header_stream_->fault_ = H2End::malformed;
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
    return take_field(session, field);
}

int H2Callbacks::take_field(H2Session& session, Field field) {
    H2Stream* stream = session.header_stream_;
    if (!stream) return 0;  // The stream was detached. HPACK still needs its fields to be decoded.
    const std::size_t bytes = field.name.size() + field.value.size() + kFieldOverhead;
    stream->field_bytes_ += bytes;
    if (stream->has_head_) stream->trailer_bytes_ += bytes;
    if (stream->field_bytes_ > limits::kHeaderBlockBytesMax) {
        stream->fault_ = H2End::header_block_too_large;
    } else if (++stream->field_count_ > limits::kHeaderCountMax) {
        stream->fault_ = H2End::too_many_fields;
    } else if (stream->trailer_bytes_ > limits::kTrailerBytesMax) {
        stream->fault_ = H2End::trailers_too_large;
    }
    if (stream->fault_) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    if (field.name == ":status") {
        for (const char c : field.value) stream->status_ = stream->status_ * 10 + (c - '0');
    } else if (!stream->has_head_) {
        stream->headers_.add(field.name, without_outer_space(field.value));
    }
    return 0;
}

int H2Callbacks::on_data(nghttp2_session* library, std::uint8_t, std::int32_t id,
                         const std::uint8_t* data, std::size_t bytes, void* user) {
    H2Session& session = session_of(user);
    H2Stream* stream = session.find(id);
    // Data of a stream without a reader must still be consumed, or the connection's window would
    // run out for all other streams.
    if (!stream || stream->fault_) {
        nghttp2_session_consume(library, id, bytes);
        return 0;
    }
    session.note_progress();
    stream->content_bytes_ += bytes;
    if (stream->on_content(view(data, bytes))) {
        nghttp2_session_consume(library, id, bytes);
    } else {
        // Only the stream's own window stays reduced until release(): a slow reader holds up its
        // own stream, not the connection.
        nghttp2_session_consume_connection(library, bytes);
    }
    return 0;
}

int H2Callbacks::on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    H2Session& session = session_of(user);
    if (frame->hd.type == NGHTTP2_GOAWAY) session.going_away_ = true;
    H2Stream* stream = frame->hd.stream_id ? session.find(frame->hd.stream_id) : nullptr;
    if (!stream) return 0;
    if (frame->hd.type == NGHTTP2_RST_STREAM) stream->was_reset_ = true;
    if (frame->hd.type == NGHTTP2_HEADERS) session.take_block(*stream);
    const bool carries_end = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
    if (carries_end && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) && !stream->fault_) {
        session.end(*stream, H2End::complete);
    }
    return 0;
}

int H2Callbacks::on_invalid_frame(nghttp2_session*, const nghttp2_frame* frame, int error,
                                  void* user) {
    H2Session& session = session_of(user);
    H2Stream* stream = frame->hd.stream_id ? session.find(frame->hd.stream_id) : nullptr;
    if (!stream || stream->fault_) return 0;
    // nghttp2 reports a head with END_STREAM and a Content-Length above 0 as one messaging error;
    // it is really a body that is missing.
    const bool lacks_content =
        error == NGHTTP2_ERR_HTTP_MESSAGING && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) &&
        stream->status_ >= 200 && stream->headers_.contains("content-length");
    stream->fault_ = lacks_content ? H2End::too_short : H2End::malformed;
    return 0;
}

ssize_t H2Callbacks::read_body(nghttp2_session*, std::int32_t id, std::uint8_t* room,
                               std::size_t size, std::uint32_t* flags, nghttp2_data_source*,
                               void* user) {
    H2Stream* stream = session_of(user).find(id);
    if (!stream) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    const std::size_t count = std::min(size, stream->body_.size());
    if (count > 0) std::memcpy(room, stream->body_.data(), count);
    stream->body_.remove_prefix(count);
    if (stream->has_more_body_) {
        // Deferred until supply() calls nghttp2_session_resume_data().
        return count > 0 ? static_cast<ssize_t>(count) : NGHTTP2_ERR_DEFERRED;
    }
    if (stream->body_.empty()) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(count);
}

int H2Callbacks::on_sent(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    H2Session& session = session_of(user);
    // nghttp2 sends a GOAWAY by itself when the server breaks a rule of the connection.
    if (frame->hd.type == NGHTTP2_GOAWAY && frame->goaway.error_code != NGHTTP2_NO_ERROR) {
        session.note_own_goaway(frame->goaway.error_code,
                                view(frame->goaway.opaque_data, frame->goaway.opaque_data_len));
        return 0;
    }
    if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
    H2Stream* stream = session.find(frame->hd.stream_id);
    if (!stream) return 0;
    if (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) session.sent_stream_ = stream;
    if (frame->hd.type == NGHTTP2_DATA) {
        session.note_progress();
        stream->on_progress();
    }
    return 0;
}

int H2Callbacks::on_not_sent(nghttp2_session*, const nghttp2_frame* frame, int error, void* user) {
    if (frame->hd.type != NGHTTP2_HEADERS) return 0;
    // The head was not sent, so the request may go to another connection.
    const bool is_refusal =
        error == NGHTTP2_ERR_START_STREAM_NOT_ALLOWED || error == NGHTTP2_ERR_SESSION_CLOSING;
    session_of(user).submit_fault_ = is_refusal ? H2End::refused : H2End::unsent;
    return 0;
}

int H2Callbacks::on_close(nghttp2_session*, std::int32_t id, std::uint32_t code, void* user) {
    H2Session& session = session_of(user);
    --session.open_count_;
    if (H2Stream* stream = session.find(id)) session.end(*stream, end_of(*stream, code));
    return 0;
}

H2End H2Callbacks::end_of(const H2Stream& stream, std::uint32_t code) {
    if (stream.fault_) return *stream.fault_;
    if (code == NGHTTP2_REFUSED_STREAM) return H2End::refused;
    if (stream.was_reset_) {
        return code == NGHTTP2_HTTP_1_1_REQUIRED ? H2End::http1_required : H2End::reset;
    }
    // nghttp2 itself reset the stream because Content-Length did not fit, without telling us which
    // way. The counts tell: frame_bytes_ includes data that on_data() never got.
    if (stream.content_length_ && stream.content_bytes_ < *stream.content_length_) {
        return stream.frame_bytes_ > *stream.content_length_ ? H2End::too_long : H2End::too_short;
    }
    return stream.content_length_ ? H2End::too_long : H2End::malformed;
}

}  // namespace weft::http
