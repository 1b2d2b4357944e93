// Step 2 of the ladder: the same blocking calls, many at once: a thread for each connection.
//
//     2_threads [--list] URL [THREADS]     crawls
//     2_threads --cost N                   starts N threads that wait, and weighs them

#include <condition_variable>
#include <mutex>
#include <thread>

#include "page.h"

// As in step 1. Each of these calls may block its thread, and only that.
Page fetch(const Site& site, const std::string& url) {
    const Socket socket(site.open_socket());
    checked(connect(socket.fd, site.address(), site.address_size()), "connect");
    std::string request = site.request(url);
    while (!request.empty()) {
        const ssize_t sent = send(socket.fd, request.data(), request.size(), MSG_NOSIGNAL);
        request.erase(0, static_cast<std::size_t>(checked(sent, "send")));
    }
    std::string answer;
    char piece[4096];
    while (const ssize_t size = checked(recv(socket.fd, piece, sizeof piece, 0), "recv")) {
        answer.append(piece, static_cast<std::size_t>(size));
    }
    return read_page(answer);
}

// A crawl that threads share. None may touch it without the lock: add() looks and then inserts, and
// between the two another thread could do the same.
class SharedCrawl {
public:
    explicit SharedCrawl(const Site& site) : site_(site) { crawl_.add(site.root); }

    // Each thread runs this until there is nothing left to do.
    void work() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [&] { return !crawl_.urls_todo.empty() || busy_ == 0; });
            if (crawl_.urls_todo.empty()) return;
            const std::string url = crawl_.take_next();
            ++busy_;
            lock.unlock();  // Not while we wait for the server: the others would wait too.
            const Page page = fetch_safely(url);
            lock.lock();
            --busy_;
            crawl_.finish(url, page);
            changed_.notify_all();
        }
    }

    void print(bool list) const { crawl_.print(list); }

private:
    // What a thread does not catch ends the program.
    Page fetch_safely(const std::string& url) const {
        try {
            return fetch(site_, url);
        } catch (const std::exception& error) {
            return {error.what(), {}};
        }
    }

    const Site& site_;
    std::mutex mutex_;
    std::condition_variable changed_;
    Crawl crawl_;
    int busy_ = 0;
};

double read_number(const char* file) {
    double number = 0;
    std::ifstream(file) >> number;
    return number;
}

// Threads that do what most threads of a crawl do at any moment: wait in recv().
void weigh(int count) {
    struct Cost {
        const char* file;
        const char* name;
        const char* what;
        double before = read_proc(file, name);
    };
    const Cost costs[] = {{"/proc/self/status", "VmRSS:", "memory"},
                          {"/proc/self/status", "VmPTE:", "page tables"},
                          {"/proc/meminfo", "KernelStack:", "stack in the kernel"},
                          {"/proc/self/status", "VmSize:", "address space"}};
    int ends[2];
    checked(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), "socketpair");
    const Socket near(ends[0]);
    std::vector<std::jthread> threads;
    const Socket far(ends[1]);  // Goes before the threads: all their recv() return.
    const auto start = Clock::now();
    try {
        while (std::ssize(threads) < count) {
            threads.emplace_back([fd = near.fd] {
                char byte = 0;
                recv(fd, &byte, 1, 0);
            });
        }
    } catch (const std::exception& error) {
        std::printf("no more than %zu threads: %s\n", threads.size(), error.what());
    }
    const std::chrono::duration<double, std::micro> elapsed = Clock::now() - start;
    const auto total = static_cast<double>(threads.size());
    std::printf("%.0f threads, %.0f us to start one; each takes\n", total, elapsed.count() / total);
    for (const Cost& cost : costs) {
        const double taken = read_proc(cost.file, cost.name) - cost.before;
        std::printf("%8.1f KiB of %s\n", taken / total, cost.what);
    }
    // What ends the number of threads where memory does not.
    std::printf("kernel.pid_max %.0f, vm.max_map_count %.0f\n",
                read_number("/proc/sys/kernel/pid_max"), read_number("/proc/sys/vm/max_map_count"));
}

int main(int argc, char** argv) {
    return run_main("2_threads [--list] URL [THREADS] | --cost N", [&] {
        Arguments arguments(argc, argv);
        const bool list = arguments.has("--list");
        if (!arguments.has_url()) return false;
        if (arguments.url() == "--cost") {
            weigh(arguments.number_or(1000));
            return true;
        }
        const Site site(arguments.url());
        SharedCrawl crawl(site);
        {
            std::vector<std::jthread> threads;  // Each is waited for at the end of this block.
            for (int i = arguments.number_or(16); i > 0; --i) {
                threads.emplace_back([&] { crawl.work(); });
            }
        }
        crawl.print(list);
        return true;
    });
}
