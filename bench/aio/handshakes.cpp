#include "aio/loop/run.h"
#include "aio/task/gather.h"
#include "bench/aio/tls.h"
#include "bench/figure.h"

// TLS handshakes per second of the client's CPU, connecting and one byte of answer included.
namespace weft::bench {
namespace {

using aio::Co;

constexpr int kAtOnce = 4;
constexpr int kEach = 100;
constexpr int kRounds = 4;

struct Client {
    aio::Endpoint endpoint;
    std::shared_ptr<aio::TlsContext> context;
    bool resumes = false;
    int resumed = 0;
};

Co<> shake_hands(Client& client, int number) {
    const std::string key = client.resumes ? fmt::format("client {}", number) : "";
    for (int i = 0; i < kEach; ++i) {
        const auto tls = co_await greet(client.endpoint, client.context, key);
        client.resumed += tls->is_resumed();
    }
}

Co<> shake_all(Client& client) {
    std::vector<Co<>> tasks;
    for (int i = 0; i < kAtOnce; ++i) tasks.push_back(shake_hands(client, i));
    co_await aio::gather(std::move(tasks));
}

void measure(const CertificateChain& chain, aio::TlsVersion version, std::string_view name,
             std::string_view bar) {
    const TlsGreeter greeter(chain, version);
    Client client{.endpoint = greeter.endpoint(), .context = client_of(chain)};
    aio::Runner runner;
    const auto per_second = [&] {
        const double seconds = best_cpu_seconds(kRounds, [&] { runner.run(shake_all(client)); });
        return kAtOnce * kEach / seconds;
    };
    figure(fmt::format("full handshakes with {}, a second of CPU", name), per_second(), "/s",
           ">=1000");
    client.resumes = true;
    figure(fmt::format("resumed handshakes with {}, a second of CPU", name), per_second(), "/s",
           bar);
    figure(fmt::format("of them resumed with {}", name),
           100.0 * client.resumed / (kAtOnce * kEach * kRounds), "%", ">=95");
}

}  // namespace
}  // namespace weft::bench

int main() {
    using namespace weft;
    bench::pin_to_core(bench::kClientCore);
    const bench::CertificateChain chain;
    bench::measure(chain, aio::TlsVersion::v1_2, "TLS 1.2", ">=4000");
    bench::measure(chain, aio::TlsVersion::v1_3, "TLS 1.3", ">=2500");
}
