#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "aio/task/task_group.h"
#include "http/client/client.h"

// What the figures of the client share.
namespace weft::bench {

inline http::ClientOptions client_options(const std::string& ca_file = {}) {
    http::ClientOptions options;
    options.addresses.allow(*http::AddressRange::parse("127.0.0.0/8"));
    options.ca_file = ca_file;
    return options;
}

// As many connections as are asked for, where the client has limits of its own.
template <class Options>
void allow_connections(Options& options, std::size_t count) {
    if constexpr (requires { options.pool.per_host_max; }) {
        options.pool.connections_max = count;
        options.pool.per_host_max = count;
        options.pool.per_address_max = count;
        options.pool.idle_max = count;
    } else {
        options.idle_connections_max = count;
    }
}

class CountingSink final : public http::ResponseSink {
public:
    void on_content(std::string_view piece) override { bytes += piece.size(); }

    std::uint64_t bytes = 0;
};

// Into a Response that is used again, where the client can do that.
template <class Client>
aio::Co<> fetch_into(Client& client, const http::Request& request, CountingSink& sink,
                     http::Response& response) {
    if constexpr (requires { client.fetch(request, sink, response); }) {
        co_await client.fetch(request, sink, response);
    } else {
        response = co_await client.fetch(request, sink);
    }
}

inline web::Url url_of(std::string_view scheme, int address, std::uint16_t port,
                       std::string_view path) {
    return web::Url::parse(fmt::format("{}://127.0.0.{}:{}{}", scheme, address, port, path))
        .value();
}

// Fetches the same again and again; `left` is shared with the others who do.
inline aio::Co<> fetch_repeatedly(http::Client& client, web::Url url, std::size_t& left,
                                  CountingSink& sink) {
    const http::Request request{.url = std::move(url)};
    http::Response response;
    while (left > 0) {
        --left;
        co_await fetch_into(client, request, sink, response);
        if (response.status != 200) throw Error(fmt::format("status {}", response.status));
    }
}

}  // namespace weft::bench
