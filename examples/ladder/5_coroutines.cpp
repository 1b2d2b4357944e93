// Step 5 of the ladder: the same selector, and functions that can pause, by a Future of our own.
//
//     5_coroutines [--toy] [--verbose] [--list] URL [CONNECTIONS]     crawls, https too
//
// --toy takes one condition out of Future, and the crawl is stuck. --verbose tells what a handshake
// waits for. The variable SSL_CERT_FILE names a file of those whom we trust.

#include <coroutine>
#include <csignal>
#include <exception>
#include <list>
#include <memory>
#include <optional>
#include <utility>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>

#include "page.h"

bool is_toy = false;
bool is_verbose = false;

// A value that will be there later. co_await asks it three questions: are you there already? If
// not, here is who to resume. And then: what are you?
template <class T>
class Future {
public:
    bool done() const { return value_.has_value() || error_ != nullptr; }

    bool await_ready() const { return done() && !is_toy; }
    void await_suspend(std::coroutine_handle<> waiter) { waiter_ = waiter; }
    T await_resume() {
        if (error_) std::rethrow_exception(error_);
        return std::move(*value_);
    }

    void set_value(T value) { value_ = std::move(value); }
    void set_error(std::exception_ptr error) { error_ = std::move(error); }

    // REQUIRES: it is done.
    std::coroutine_handle<> waiter() const { return waiter_; }

private:
    std::optional<T> value_;
    std::exception_ptr error_;
    std::coroutine_handle<> waiter_ = std::noop_coroutine();
};

// A coroutine, and the future of what it returns. It begins to run when it is called and goes on
// until it has to wait. When it ends, whoever awaits it is resumed, with its value or its
// exception.
template <class T>
class Task {
public:
    // What the compiler asks of a coroutine that returns a Task.
    struct promise_type {
        struct ResumeWaiter : std::suspend_always {
            std::coroutine_handle<> await_suspend(
                std::coroutine_handle<promise_type> ended) noexcept {
                return ended.promise().future.waiter();
            }
        };

        Task get_return_object() {
            return Task(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        std::suspend_never initial_suspend() { return {}; }
        ResumeWaiter final_suspend() noexcept { return {}; }
        void return_value(T value) { future.set_value(std::move(value)); }
        void unhandled_exception() { future.set_error(std::current_exception()); }

        Future<T> future;
    };

    Task(Task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
    ~Task() {
        if (coroutine_) coroutine_.destroy();  // With its local variables.
    }

    bool done() const { return coroutine_.promise().future.done(); }
    Future<T>& operator co_await() { return coroutine_.promise().future; }

private:
    explicit Task(std::coroutine_handle<promise_type> coroutine) : coroutine_(coroutine) {}

    std::coroutine_handle<promise_type> coroutine_;
};

// Step 4's selector; but in place of a callback there is a future.
class Selector {
public:
    ~Selector() { close(kernel_); }

    // Pauses whoever awaits it until one of the events has come.
    Task<unsigned> ready(int fd, unsigned events) {
        Future<unsigned> happened;
        epoll_event event{.events = events, .data = {.ptr = &happened}};
        epoll_ctl(kernel_, EPOLL_CTL_ADD, fd, &event);
        ++waiting_;
        const unsigned which = co_await happened;
        --waiting_;
        epoll_ctl(kernel_, EPOLL_CTL_DEL, fd, nullptr);
        co_return which;
    }

    // Sleeps until something happens, and resumes those who waited for it. False if nobody waits.
    bool wait() {
        if (waiting_ == 0) return false;
        epoll_event events[64];
        const int count = epoll_wait(kernel_, events, 64, -1);
        for (int i = 0; i < count; ++i) {
            auto* happened = static_cast<Future<unsigned>*>(events[i].data.ptr);
            happened->set_value(events[i].events);
            happened->waiter().resume();
        }
        return true;
    }

private:
    const int kernel_ = epoll_create1(0);
    int waiting_ = 0;
};

Selector selector;

// A connected socket, plain or with TLS on it. OpenSSL never waits: it says what it wants, to read
// or to write, and is called again when that can be done. To send it may have to read, too.
class Channel {
public:
    Channel(int fd, SSL_CTX* tls) : fd_(fd) {
        BIO* plain = BIO_new_socket(fd, BIO_NOCLOSE);
        bio_.reset(tls == nullptr ? plain : BIO_push(BIO_new_ssl(tls, 1), plain));
    }

    // Verifies that the certificate is good, and that it is this host's.
    Task<int> shake_hands(std::string host) {
        SSL* tls = nullptr;
        BIO_get_ssl(bio_.get(), &tls);
        SSL_set_tlsext_host_name(tls, host.c_str());
        SSL_set1_host(tls, host.c_str());
        const auto call = [this] { return static_cast<int>(BIO_do_handshake(bio_.get())); };
        const int result = co_await repeat(call);
        co_return result;
    }

    Task<int> send(std::string_view bytes) {
        const int size = static_cast<int>(bytes.size());
        return repeat([=, this] { return BIO_write(bio_.get(), bytes.data(), size); });
    }

    // 0: the end.
    Task<int> receive(char* piece, int size) {
        return repeat([=, this] { return BIO_read(bio_.get(), piece, size); });
    }

private:
    template <class Call>
    Task<int> repeat(Call call) {
        for (;;) {
            const int result = call();
            if (result > 0) co_return result;
            if (!BIO_should_retry(bio_.get())) co_return result == 0 ? 0 : fail();
            const bool wants_read = BIO_should_read(bio_.get());
            if (is_verbose) std::puts(wants_read ? "WANT_READ" : "WANT_WRITE");
            co_await selector.ready(fd_, wants_read ? EPOLLIN : EPOLLOUT);
        }
    }

    static int fail() {
        const char* reason = ERR_reason_error_string(ERR_get_error());
        ERR_clear_error();
        if (reason != nullptr) throw std::runtime_error(std::string("tls: ") + reason);
        return static_cast<int>(checked(-1, "connection"));
    }

    const int fd_;
    std::unique_ptr<BIO, decltype(&BIO_free_all)> bio_{nullptr, BIO_free_all};
};

// Step 1's fetch, with pauses. What callbacks kept in members are local variables again.
Task<Page> fetch(const Site& site, std::string url, SSL_CTX* tls) {
    const Socket socket(site.open_socket(SOCK_NONBLOCK));
    checked(connect(socket.fd, site.address(), site.address_size()), "connect");
    co_await selector.ready(socket.fd, EPOLLOUT);
    Channel channel(socket.fd, tls);
    if (tls != nullptr) co_await channel.shake_hands(site.host);
    std::string request = site.request(url);
    while (!request.empty()) {
        const int sent = co_await channel.send(request);
        request.erase(0, static_cast<std::size_t>(sent));
    }
    std::string answer;
    char piece[4096];
    while (const int size = co_await channel.receive(piece, sizeof piece)) {
        answer.append(piece, static_cast<std::size_t>(size));
    }
    co_return read_page(answer);
}

// Whatever fails below, however deep, comes up to here, where the URL is known.
Task<bool> visit(const Site& site, Crawl& crawl, std::string url, SSL_CTX* tls) {
    try {
        const Page page = co_await fetch(site, url, tls);
        crawl.finish(url, page);
        co_return true;
    } catch (const std::exception& error) {
        crawl.ends[url] = error.what();
    }
    co_return false;
}

// How many tasks are left that nothing will ever resume.
std::size_t run(const Site& site, Crawl& crawl, std::ptrdiff_t connections_max, SSL_CTX* tls) {
    std::list<Task<bool>> tasks;
    crawl.add(site.root);
    do {
        std::erase_if(tasks, [](const Task<bool>& task) { return task.done(); });
        while (!crawl.urls_todo.empty() && std::ssize(tasks) < connections_max) {
            tasks.push_back(visit(site, crawl, crawl.take_next(), tls));
        }
    } while (selector.wait() || std::ranges::any_of(tasks, &Task<bool>::done));
    return tasks.size();
}

int main(int argc, char** argv) {
    return run_main("5_coroutines [--toy] [--verbose] [--list] URL [CONNECTIONS]", [&] {
        Arguments arguments(argc, argv);
        is_toy = arguments.has("--toy");
        is_verbose = arguments.has("--verbose");
        const bool list = arguments.has("--list");
        if (!arguments.has_url()) return false;
        std::signal(SIGPIPE, SIG_IGN);
        SSL_CTX* tls = nullptr;
        if (arguments.url().starts_with("https:")) {
            tls = SSL_CTX_new(TLS_client_method());
            SSL_CTX_set_default_verify_paths(tls);
            SSL_CTX_set_verify(tls, SSL_VERIFY_PEER, nullptr);
        }
        Crawl crawl;
        const auto stuck = run(Site(arguments.url()), crawl, arguments.number_or(16), tls);
        if (stuck > 0) std::printf("%zu task waits for what is there already\n", stuck);
        crawl.print(list);
        SSL_CTX_free(tls);
        return true;
    });
}
