#include <array>
#include <asio.hpp>
#include <string>
#include <string_view>

#include "bench/process.h"

// bench/aio/get.cpp's client on Asio's coroutines: asio_get PORT PATH CONNECTIONS REQUESTS.
namespace {

using asio::use_awaitable;
using asio::ip::tcp;

constexpr std::size_t kBlockBytes = 16 * 1024;

std::size_t content_length(std::string_view head) {
    constexpr std::string_view kLength = "Content-Length: ";
    return static_cast<std::size_t>(
        weft::bench::number_at(head.substr(head.find(kLength) + kLength.size())));
}

asio::awaitable<void> get(tcp::socket& socket, const std::string& request) {
    std::array<char, kBlockBytes> block;
    co_await asio::async_write(socket, asio::buffer(request), use_awaitable);
    std::size_t size = 0;
    std::size_t head = std::string_view::npos;
    while (head == std::string_view::npos) {
        size += co_await socket.async_read_some(asio::buffer(block) + size, use_awaitable);
        head = std::string_view(block.data(), size).find("\r\n\r\n");
    }
    const std::size_t total = head + 4 + content_length({block.data(), head});
    while (size < total) {
        size += co_await socket.async_read_some(asio::buffer(block), use_awaitable);
    }
}

asio::awaitable<void> get_many(tcp::endpoint endpoint, std::string request, int count) {
    tcp::socket socket(co_await asio::this_coro::executor);
    co_await socket.async_connect(endpoint, use_awaitable);
    socket.set_option(tcp::no_delay(true));
    for (; count > 0; --count) co_await get(socket, request);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) return 2;
    const tcp::endpoint endpoint(asio::ip::address_v4::loopback(),
                                 static_cast<unsigned short>(weft::bench::number_at(argv[1])));
    const std::string request =
        std::string("GET ") + argv[2] + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const int connections = static_cast<int>(weft::bench::number_at(argv[3]));
    const int requests = static_cast<int>(weft::bench::number_at(argv[4]));
    asio::io_context context(1);
    for (int i = 0; i < connections; ++i) {
        asio::co_spawn(context, get_many(endpoint, request, requests / connections),
                       [](const std::exception_ptr& failure) {
                           if (failure) std::rethrow_exception(failure);
                       });
    }
    context.run();
}
