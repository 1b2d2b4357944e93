// Step 4 of the ladder: the kernel says which sockets are ready, and a callback goes on from there.
//
//     4_callbacks [--select | --poll] [--edge] [--rip] [--list] URL [CONNECTIONS]
//
// --edge has epoll call for news only, and first shows what that does to a reader that reads once.
// --rip catches nothing, to show the stack of an error.

#include <cstdlib>
#include <exception>
#include <functional>

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "page.h"

// Who is to be called when a socket is ready.
class Selector {
public:
    using Callback = std::function<void()>;
    enum class Kind { select, poll, epoll };

    explicit Selector(Kind kind, bool edge) : kind_(kind), edge_(edge) {}
    ~Selector() { close(kernel_); }

    bool is_edge_triggered() const { return edge_; }

    void watch(int fd, short events, Callback callback) {
        const bool is_new = !watches_.contains(fd);
        watches_[fd] = {events, std::move(callback)};
        epoll_event event{.events = static_cast<unsigned>(events), .data = {.fd = fd}};
        if (edge_) event.events |= EPOLLET;
        epoll_ctl(kernel_, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &event);
    }

    void forget(int fd) {
        watches_.erase(fd);
        epoll_ctl(kernel_, EPOLL_CTL_DEL, fd, nullptr);
    }

    // Sleeps until something happens, then calls those to whom it did.
    void wait() {
        for (const int fd : kind_ == Kind::epoll ? wait_epoll() : wait_all()) {
            const auto found = watches_.find(fd);
            if (found == watches_.end()) continue;             // An earlier callback forgot it.
            const Callback callback = found->second.callback;  // It may forget itself.
            callback();
        }
    }

private:
    struct Watch {
        short events;
        Callback callback;
    };

    // The kernel remembers what to look at, and names only those that are ready.
    std::vector<int> wait_epoll() const {
        epoll_event events[64];
        const int count = epoll_wait(kernel_, events, 64, -1);
        std::vector<int> ready;
        for (int i = 0; i < count; ++i) ready.push_back(events[i].data.fd);
        return ready;
    }

    // The kernel is told everything each time, looks at everything, and so do we.
    std::vector<int> wait_all() const {
        std::vector<pollfd> all;
        for (const auto& [fd, watch] : watches_) all.push_back({fd, watch.events, 0});
        kind_ == Kind::poll ? void(::poll(all.data(), all.size(), -1)) : wait_select(all);
        std::vector<int> ready;
        for (const pollfd& each : all) {
            if (each.revents != 0) ready.push_back(each.fd);
        }
        return ready;
    }

    // Sets of 1,024 bits: FD_SET of a socket with a higher number writes behind the end of its set.
    static void wait_select(std::vector<pollfd>& all) {
        const int last = all.back().fd;
        if (last >= FD_SETSIZE) throw std::runtime_error("too many for select(): try --poll");
        fd_set reads{};
        fd_set writes{};
        for (const auto& [fd, asked, ready] : all) FD_SET(fd, asked == POLLIN ? &reads : &writes);
        ::select(last + 1, &reads, &writes, nullptr, nullptr);
        for (auto& [fd, asked, ready] : all) ready = FD_ISSET(fd, &reads) || FD_ISSET(fd, &writes);
    }

    const Kind kind_;
    const bool edge_;
    const int kernel_ = epoll_create1(0);
    std::map<int, Watch> watches_;
};

// What all callbacks share.
struct Work {
    const Site& site;
    Selector& selector;
    Crawl& crawl;
    bool rip = false;
    int under_way = 0;
    bool stopped = false;
};

// A page on its way. A method can only begin something and say who goes on; what the next one needs
// must be a member, for local variables are gone when it is called.
class Fetcher {
public:
    Fetcher(Work& work, std::string url) : work_(work), url_(std::move(url)) {}

    void fetch() {
        ++work_.under_way;
        go_on([this] { begin(); });
    }

private:
    void begin() {
        fd_ = work_.site.open_socket(SOCK_NONBLOCK);
        checked(connect(fd_, work_.site.address(), work_.site.address_size()), "connect");
        request_ = work_.site.request(url_);
        work_.selector.watch(fd_, POLLOUT, [this] { go_on([this] { connected(); }); });
    }

    void connected() {
        const ssize_t sent = send(fd_, request_.data(), request_.size(), MSG_NOSIGNAL);
        if (checked(sent, "send") > 0) request_.erase(0, static_cast<std::size_t>(sent));
        if (!request_.empty()) return;
        work_.selector.watch(fd_, POLLIN, [this] { go_on([this] { read_response(); }); });
    }

    [[gnu::noinline]] void read_response() {
        char piece[4096];
        do {
            const ssize_t size = recv(fd_, piece, sizeof piece, 0);
            if (checked(size, "recv") < 0) return;
            if (size == 0) {
                work_.crawl.finish(url_, read_page(answer_));
                return end();
            }
            answer_.append(piece, static_cast<std::size_t>(size));
        } while (work_.selector.is_edge_triggered());  // No second call comes for what is there.
    }

    // What a callback throws comes out in the loop, which knows of no URL. So each must be wrapped.
    template <class Method>
    void go_on(Method method) {
        if (work_.rip) return method();
        try {
            method();
        } catch (const std::exception& error) {
            work_.crawl.ends[url_] = error.what();
            end();
        }
    }

    void end() {
        work_.selector.forget(fd_);
        close(fd_);
        work_.stopped = --work_.under_way == 0 && work_.crawl.urls_todo.empty();
        delete this;  // Nobody else knows when.
    }

    Work& work_;
    const std::string url_;
    int fd_ = -1;
    std::string request_;
    std::string answer_;
};

void run(Work& work, int connections_max) {
    work.crawl.add(work.site.root);
    while (!work.stopped) {
        while (!work.crawl.urls_todo.empty() && work.under_way < connections_max) {
            (new Fetcher(work, work.crawl.take_next()))->fetch();  // Deletes itself.
        }
        if (!work.stopped) work.selector.wait();
    }
}

// 10,000 bytes are there. A reader takes 4,096 at a time: how often is it called?
void show_reader(const char* name, unsigned edge, bool until_dry) {
    int ends[2];
    checked(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), "socketpair");
    const Socket near(ends[0]);
    const Socket far(ends[1]);
    const Socket epoll(epoll_create1(0));
    epoll_event event{.events = EPOLLIN | edge, .data = {}};
    epoll_ctl(epoll.fd, EPOLL_CTL_ADD, near.fd, &event);
    char piece[10'000] = {};
    ssize_t left = send(far.fd, piece, sizeof piece, 0);
    int calls = 0;
    for (; epoll_wait(epoll.fd, &event, 1, 0) == 1; ++calls) {
        while (const auto size = std::max<ssize_t>(recv(near.fd, piece, 4096, 0), 0)) {
            left -= size;
            if (!until_dry) break;
        }
    }
    std::printf("%-25s calls: %d, bytes left behind: %zd\n", name, calls, left);
}

// Nobody catches, so the stack of the throw is still there: its functions, but for the library's.
void print_stack() {
    void* frames[32];
    const int count = backtrace(frames, 32);
    for (int i = 1; i < count; ++i) {
        Dl_info info{};
        if (dladdr(frames[i], &info) == 0 || info.dli_sname == nullptr) continue;
        char* name = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, nullptr);
        std::string_view text = name == nullptr ? info.dli_sname : name;
        if (text.find('{') == text.npos) text = text.substr(0, text.find('('));
        const bool is_ours = text.find_first_of("<{") == text.npos && !text.starts_with("_");
        if (is_ours) std::printf("in %.*s\n", static_cast<int>(text.size()), text.data());
        std::free(name);
    }
    std::exit(1);
}

bool start(Arguments arguments, bool rip) {
    const bool list = arguments.has("--list");
    const bool edge = arguments.has("--edge");
    if (edge) {
        show_reader("level, reads once:", 0, false);
        show_reader("edge, reads once:", EPOLLET, false);
        show_reader("edge, reads until EAGAIN:", EPOLLET, true);
    }
    Selector::Kind kind = Selector::Kind::epoll;
    if (arguments.has("--select")) kind = Selector::Kind::select;
    if (arguments.has("--poll")) kind = Selector::Kind::poll;
    if (!arguments.has_url()) return edge;
    const Site site(arguments.url());
    Selector selector(kind, edge && kind == Selector::Kind::epoll);
    Crawl crawl;
    Work work{site, selector, crawl, rip};
    run(work, arguments.number_or(16));
    crawl.print(list);
    return true;
}

int main(int argc, char** argv) {
    std::set_terminate(print_stack);
    Arguments arguments(argc, argv);
    if (arguments.has("--rip")) return start(arguments, true) ? 0 : 2;
    return run_main("4_callbacks [--select | --poll] [--edge] [--rip] [--list] URL [CONNECTIONS]",
                    [&] { return start(arguments, false); });
}
