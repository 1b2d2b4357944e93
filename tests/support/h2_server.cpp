#include "support/h2_server.h"

#include <algorithm>
#include <cstring>

#include <nghttp2/nghttp2.h>

#include "aio/task/errors.h"

namespace weft::tests {

// One connection.
struct H2Server::Talk {
    struct Request {
        Seen seen;
        std::string rest;  // Of the answer's body.
        bool stalls = false;
    };

    H2Server& server;
    std::map<std::int32_t, Request> requests;
};

struct H2ServerCallbacks {
    using Talk = H2Server::Talk;

    static Talk& talk(void* user) { return *static_cast<Talk*>(user); }
    static std::string text(const std::uint8_t* bytes, std::size_t count) {
        return {reinterpret_cast<const char*>(bytes), count};
    }

    static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                         std::size_t name_bytes, const std::uint8_t* value, std::size_t value_bytes,
                         std::uint8_t, void* user) {
        talk(user).requests[frame->hd.stream_id].seen.fields[text(name, name_bytes)] =
            text(value, value_bytes);
        return 0;
    }

    static int on_data(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* data,
                       std::size_t bytes, void* user) {
        talk(user).requests[id].seen.body += text(data, bytes);
        return 0;
    }

    static int on_frame(nghttp2_session* session, const nghttp2_frame* frame, void* user) {
        H2Server& server = talk(user).server;
        const std::int32_t id = frame->hd.stream_id;
        if (frame->hd.type == NGHTTP2_RST_STREAM) server.resets.push_back(id);
        if (frame->hd.type == NGHTTP2_HEADERS) {
            server.open_count_max = std::max(server.open_count_max, ++server.open_count);
        }
        const bool can_end = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
        if (can_end && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM)) answer(session, id, user);
        return 0;
    }

    static int on_close(nghttp2_session*, std::int32_t id, std::uint32_t, void* user) {
        --talk(user).server.open_count;
        talk(user).requests.erase(id);
        return 0;
    }

    static void answer(nghttp2_session* session, std::int32_t id, void* user) {
        Talk::Request& request = talk(user).requests[id];
        H2Server& server = talk(user).server;
        server.seen.push_back(request.seen);
        const auto found = server.replies.find(request.seen.fields[":path"]);
        const H2Server::Reply reply =
            found == server.replies.end() ? H2Server::Reply{.status = 404} : found->second;
        if (reply.is_mute) return;
        if (reply.code != 0) {
            nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, id, reply.code);
            return;
        }
        request.rest = reply.echoes ? request.seen.body : reply.body;
        request.stalls = reply.stalls;
        const std::string status = std::to_string(reply.status);
        std::vector<nghttp2_nv> fields;
        const auto add = [&](const std::string& name, const std::string& value) {
            const auto bytes = [](const std::string& from) {
                return reinterpret_cast<std::uint8_t*>(const_cast<char*>(from.data()));
            };
            fields.push_back({bytes(name), bytes(value), name.size(), value.size(), 0});
        };
        const std::string status_name = ":status";
        add(status_name, status);
        for (const auto& [name, value] : reply.headers) add(name, value);
        nghttp2_data_provider body{.source = {.ptr = &request}, .read_callback = read_body};
        const bool has_body = !request.rest.empty() || request.stalls;
        nghttp2_submit_response(session, id, fields.data(), fields.size(),
                                has_body ? &body : nullptr);
    }

    static ssize_t read_body(nghttp2_session*, std::int32_t, std::uint8_t* room, std::size_t size,
                             std::uint32_t* flags, nghttp2_data_source* source, void*) {
        auto& request = *static_cast<Talk::Request*>(source->ptr);
        const std::size_t count = std::min(size, request.rest.size());
        std::memcpy(room, request.rest.data(), count);
        request.rest.erase(0, count);
        if (count == 0 && request.stalls) return NGHTTP2_ERR_DEFERRED;
        if (request.rest.empty() && !request.stalls) *flags |= NGHTTP2_DATA_FLAG_EOF;
        return static_cast<ssize_t>(count);
    }
};

aio::Co<> H2Server::talk(aio::Stream stream) {
    using Callbacks = H2ServerCallbacks;
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, Callbacks::on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, Callbacks::on_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, Callbacks::on_frame);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, Callbacks::on_close);
    Talk talk{*this, {}};
    nghttp2_session* made = nullptr;
    nghttp2_session_server_new(&made, callbacks, &talk);
    nghttp2_session_callbacks_del(callbacks);
    const std::unique_ptr<nghttp2_session, decltype(&nghttp2_session_del)> session(
        made, nghttp2_session_del);
    const nghttp2_settings_entry settings{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS,
                                          stream_count_max};
    nghttp2_submit_settings(made, NGHTTP2_FLAG_NONE, &settings, 1);
    try {
        for (bool more = true; more;) {
            for (;;) {
                const std::uint8_t* bytes = nullptr;
                const ssize_t count = nghttp2_session_mem_send(made, &bytes);
                if (count <= 0) break;
                co_await stream.write(Callbacks::text(bytes, static_cast<std::size_t>(count)));
            }
            more = co_await stream.fill();
            const std::string_view came = stream.buffered();
            nghttp2_session_mem_recv(made, reinterpret_cast<const std::uint8_t*>(came.data()),
                                     came.size());
            stream.consume(came.size());
        }
    } catch (const aio::IoError&) {
        // The client did not wait.
    }
}

}  // namespace weft::tests
