#include "aio/process/pipe.h"

#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "aio/files/file_descriptor.h"
#include "aio/loop/run.h"
#include "bench/figure.h"
#include "bench/process.h"

// A line written to a pipe that has room, as to a log or a child, beside the bare system call: the
// difference is ours, that no SIGPIPE can come included. Before Linux 6.18 that takes two more
// system calls, so that the bar is what those need.
namespace weft::aio {
namespace {

constexpr int kRounds = 2'000;
constexpr int kWritesPerRound = 256;  // A quarter of what a pipe holds.
const std::string kPipeLine(64, 'x');

// Empties the pipe in one call: not what is measured.
void empty_pipe(int read_end) {
    static std::vector<char> room(kWritesPerRound * kPipeLine.size());
    if (::read(read_end, room.data(), room.size()) < 0) std::abort();
}

struct BarePipe {
    BarePipe() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
        read_end = FileDescriptor(ends[0]);
        write_end = FileDescriptor(ends[1]);
    }
    FileDescriptor read_end;
    FileDescriptor write_end;
};

double bare_seconds() {
    const BarePipe pipe;
    double seconds = 0;
    for (int round = 0; round < kRounds; ++round) {
        const double start = bench::cpu_seconds();
        for (int i = 0; i < kWritesPerRound; ++i) {
            if (::write(pipe.write_end.get(), kPipeLine.data(), kPipeLine.size()) < 0) std::abort();
        }
        seconds += bench::cpu_seconds() - start;
        empty_pipe(pipe.read_end.get());
    }
    return seconds;
}

Co<double> our_seconds() {
    BarePipe pipe;
    Stream stream = adopt_pipe(std::move(pipe.write_end), "pipe");
    double seconds = 0;
    for (int round = 0; round < kRounds; ++round) {
        const double start = bench::cpu_seconds();
        for (int i = 0; i < kWritesPerRound; ++i) co_await stream.write(kPipeLine);
        seconds += bench::cpu_seconds() - start;
        empty_pipe(pipe.read_end.get());
    }
    co_return seconds;
}

}  // namespace
}  // namespace weft::aio

int main() {
    using namespace weft;
    double bare = 1e300;
    double ours = 1e300;
    for (int i = 0; i < 5; ++i) {  // In turns, so that both meet the same disturbances.
        bare = std::min(bare, aio::bare_seconds());
        ours = std::min(ours, aio::run(aio::our_seconds()));
    }
    const double nanoseconds = 1e9 / (aio::kRounds * aio::kWritesPerRound);
    bench::figure("write(2) of 64 bytes to a pipe", bare * nanoseconds, "ns");
    bench::figure("stream write of 64 bytes to a pipe", ours * nanoseconds, "ns");
    bench::figure("stream write to a pipe against write(2)", ours / bare, "times", "<=3");
}
