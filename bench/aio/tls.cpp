#include "bench/aio/tls.h"

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/loop/run.h"
#include "aio/net/network.h"
#include "aio/net/server.h"
#include "aio/task/errors.h"

namespace weft::bench {
namespace {

using aio::Co;
using aio::Endpoint;
using aio::IpAddress;
using aio::Stream;

Co<> greet_and_wait(Stream stream) {
    co_await stream.write(".");
    const bool more = co_await stream.fill();
    if (more) throw Error("a client spoke");
}

Co<> serve(std::shared_ptr<aio::TlsContext> context) {
    aio::Server server = aio::start_server(greet_and_wait, {IpAddress::loopback(), 0},
                                           {.tls = std::move(context), .tls_timeout = 60s});
    fmt::print("{}\n", server.local().port);
    std::fflush(stdout);
    co_await server.serve_forever();
}

}  // namespace

TlsGreeter::TlsGreeter(const CertificateChain& chain, aio::TlsVersion version_max)
    : child_([&chain, version_max] {
          raise_descriptor_limit();
          pin_to_core(kServerCore);
          aio::run(serve(aio::TlsContext::server({.certificate_file = chain.chain_file(),
                                                  .key_file = chain.key_file(),
                                                  .version_max = version_max})));
      }) {
    const double port = number_at(child_.read_line());
    endpoint_ = {IpAddress::loopback(), static_cast<std::uint16_t>(port)};
}

std::shared_ptr<aio::TlsContext> client_of(const CertificateChain& chain) {
    return aio::TlsContext::client({.ca_file = chain.root_file()});
}

Co<std::unique_ptr<aio::TlsTransport>> greet(Endpoint endpoint,
                                             std::shared_ptr<aio::TlsContext> context,
                                             std::string resumption_key) {
    std::unique_ptr<aio::Transport> transport =
        co_await aio::get_running_loop().network().connect(endpoint);
    std::unique_ptr<aio::TlsTransport> tls =
        co_await aio::tls_connect(std::move(transport), std::move(context),
                                  {.host = "localhost", .resumption_key = resumption_key});
    char byte = 0;
    aio::IoResult result = tls->read({&byte, 1});
    while (aio::would_block(result)) {
        co_await tls->until_readable();
        result = tls->read({&byte, 1});
    }
    if (!result || byte != '.') throw Error("no greeting");
    co_return tls;
}

}  // namespace weft::bench
