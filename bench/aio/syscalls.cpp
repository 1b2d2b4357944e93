#include <sstream>
#include <string>

#include "aio/loop/run.h"
#include "bench/aio/http.h"
#include "bench/figure.h"

// System calls of a client per keep-alive GET, all kinds, as strace counts them. strace slows the
// client down more than the server, so it finds many answers at each look; what one look costs is
// in the figure of the CPU.
namespace weft::bench {
namespace {

// The "total" line of `strace -c`: % time, seconds, usecs/call, calls.
double calls_in(const std::string& report) {
    const std::size_t total = report.rfind(" total\n");
    if (total == std::string::npos) return 0;
    std::istringstream line(report.substr(report.rfind('\n', total) + 1));
    double percent = 0, seconds = 0, each = 0, calls = 0;
    line >> percent >> seconds >> each >> calls;
    return calls;
}

double calls_for(const std::string& own, aio::Endpoint endpoint, std::size_t requests) {
    Child traced({find_program("strace"), "-f", "-c", "-o", "/dev/stdout", own,
                  std::to_string(endpoint.port), std::to_string(requests)});
    return calls_in(traced.wait().output);
}

}  // namespace
}  // namespace weft::bench

// With arguments it is the client that is traced.
int main(int argc, char** argv) {
    using namespace weft;
    using namespace weft::bench;
    constexpr std::size_t kFew = 640;
    constexpr std::size_t kMany = 6'400;
    if (argc == 3) {
        const auto port = static_cast<std::uint16_t>(number_at(argv[1]));
        aio::run(run_load({.endpoint = {aio::IpAddress::loopback(), port},
                           .requests = static_cast<std::size_t>(number_at(argv[2]))}));
        return 0;
    }
    if (find_program("strace").empty()) {
        note_missing("strace", "the system calls per keep-alive GET");
        return 0;
    }
    const Responder responder(1024);
    // The difference: what starting and connecting takes falls out.
    const double few = calls_for(argv[0], responder.endpoint(), kFew);
    const double many = calls_for(argv[0], responder.endpoint(), kMany);
    if (few == 0) {
        note_missing("the right to trace", "the system calls per keep-alive GET");
        return 0;
    }
    figure("system calls per keep-alive GET", (many - few) / (kMany - kFew), "calls", "<=2.1");
}
