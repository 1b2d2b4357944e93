// A TLS client, and a server for it: verified by default, and an error that says what is wrong.

#include <fmt/core.h>

#include "aio/aio.h"

using namespace weft;
using namespace std::chrono_literals;

constexpr std::size_t kLineMax = 4096;

aio::Co<> greet(aio::Stream stream) {
    const std::string name = co_await stream.readline(kLineMax);
    co_await stream.write("hello, " + name);
    co_await stream.close_gracefully();  // TLS has an end of its own.
}

// One that nobody has signed but itself, for 127.0.0.1: key and certificate in one file.
aio::Co<> make_certificate(std::string file) {
    aio::Process openssl = co_await aio::create_subprocess_exec(
        {"openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt",
         "ec_paramgen_curve:P-256", "-subj", "/CN=example", "-addext",
         "subjectAltName=IP:127.0.0.1", "-keyout", file, "-out", file},
        {.standard_error = aio::Redirect::null});
    const int status = co_await openssl.wait();
    if (status != 0) throw Error("openssl could not make a certificate");
}

aio::Co<> ask(std::uint16_t port, aio::TlsContext::ClientOptions options) {
    auto deadline = co_await aio::timeout(5s);
    const auto tls = aio::TlsContext::client(options);
    aio::Stream stream = co_await aio::open_connection("127.0.0.1", port, {.tls = tls});
    co_await stream.write("weft\n");
    const std::string answer = co_await stream.readline(kLineMax);
    auto& session = dynamic_cast<aio::TlsTransport&>(stream.transport());
    fmt::print("{}, by {}\n", answer.substr(0, answer.size() - 1), session.protocol());
}

aio::Co<> secrets(std::string file) {
    co_await make_certificate(file);
    const auto tls = aio::TlsContext::server({.certificate_file = file});
    const aio::Server server =
        aio::start_server(greet, {aio::IpAddress::loopback(), 0}, {.tls = tls});
    co_await ask(server.local().port, {.ca_file = file});  // As an authority we trust.
    try {
        co_await ask(server.local().port, {});
    } catch (const aio::TlsError& error) {
        fmt::print("{}\n", error.what());
    }
}

int main(int argc, char** argv) {
    aio::run(secrets(argc > 1 ? argv[1] : "example-certificate.pem"));
}
