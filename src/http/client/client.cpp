#include "http/client/client.h"

#include <array>
#include <vector>

#include "base/scratch.h"
#include "http/client/fetch.h"

namespace weft::http {

using aio::Co;

Client::Client(ClientOptions options) : parts_(std::make_unique<ClientParts>(std::move(options))) {}

Client::Client(Client&&) noexcept = default;

Client::~Client() = default;

const ClientOptions& Client::options() const {
    return parts_->options;
}

std::string Client::tls_sessions() const {
    return parts_->dialer.tls_sessions();
}

AddressPolicy& Client::addresses() {
    return parts_->options.addresses;
}

Co<Response> Client::fetch(Request request, ResponseSink& sink) {
    Response response;
    co_await fetch(request, sink, response);
    co_return response;
}

namespace {

// Passes on all content that is available without waiting. Nothing here suspends, so no other fetch
// can run in between and all fetches of a thread share one buffer (H135).
void hand_on(Fetch& fetch, ResponseSink& sink) {
    const Scratch<std::array<char, limits::kDecodeStepBytes>, struct DecodeRoom> room;
    for (std::string_view part = fetch.take(*room); !part.empty(); part = fetch.take(*room)) {
        sink.on_content(part);
    }
}

}  // namespace

Co<> Client::fetch(const Request& request, ResponseSink& sink, Response& response) {
    Fetch fetch(*parts_, request, sink, response);
    co_await fetch.start();
    for (bool has_more = true; has_more; has_more = co_await fetch.advance()) hand_on(fetch, sink);
}

namespace {

// Everything that a Download needs. It has a buffer of its own, because the reader may suspend
// between two parts. The order of the members matters: `fetch` refers to those before it.
struct Streaming {
    Streaming(ClientParts& client, Request the_request)
        : request(std::move(the_request)), fetch(client, request, sink, response) {}

    Request request;
    Response response;
    ResponseSink sink;
    Fetch fetch;
    std::vector<char> room = std::vector<char>(limits::kDecodeStepBytes);
};

aio::AsyncGenerator<std::string_view> parts_of(std::shared_ptr<Streaming> streaming) {
    for (bool has_more = true; has_more; has_more = co_await streaming->fetch.advance()) {
        for (;;) {
            const std::string_view part = streaming->fetch.take(streaming->room);
            if (part.empty()) break;
            co_yield part;
        }
    }
}

}  // namespace

Co<Download> Client::stream(Request request) {
    auto streaming = std::make_shared<Streaming>(*parts_, std::move(request));
    co_await streaming->fetch.start();
    // Shares the ownership: a caller may keep the response longer than the body.
    std::shared_ptr<const Response> response(streaming, &streaming->response);
    co_return Download{std::move(response), parts_of(std::move(streaming))};
}

}  // namespace weft::http
