// What every step of the ladder needs and none is about: the site's address, the words of a
// request, the links of an answer, what is to be done, and what it cost. Plain HTTP/1.0, where the
// end of the connection is the end of the answer, and links of the form href="/path".
#pragma once

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <deque>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

using Clock = std::chrono::steady_clock;

// The result of a system call, unless it failed. That one would have to wait is no failure.
inline ssize_t checked(ssize_t result, const char* call) {
    if (result >= 0 || errno == EAGAIN || errno == EINPROGRESS) return result;
    throw std::system_error(errno, std::generic_category(), call);
}

// The host of a URL like "http://127.0.0.2:8080/". Its name is looked up by a call that blocks, but
// only this once.
class Site {
public:
    explicit Site(std::string_view url) {
        const std::size_t scheme = url.find("://");
        if (scheme == url.npos) throw std::runtime_error("write the URL as http://host/");
        const std::size_t start = scheme + 3;
        const std::size_t slash = std::min(url.find('/', start), url.size());
        const std::size_t colon = std::min(url.find(':', start), slash);
        std::string port = url.starts_with("https:") ? "443" : "80";
        if (colon < slash) port = url.substr(colon + 1, slash - colon - 1);
        host = url.substr(start, colon - start);
        authority = url.substr(start, slash - start);
        if (slash < url.size()) root = url.substr(slash);
        if (getaddrinfo(host.c_str(), port.c_str(), nullptr, &found_) != 0) {
            throw std::runtime_error("no address for '" + host + "'");
        }
    }
    Site(const Site&) = delete;
    ~Site() { freeaddrinfo(found_); }

    int open_socket(int flags = 0) const {
        return static_cast<int>(
            checked(socket(found_->ai_family, SOCK_STREAM | flags, 0), "socket"));
    }
    const sockaddr* address() const { return found_->ai_addr; }
    socklen_t address_size() const { return found_->ai_addrlen; }

    std::string request(const std::string& url) const {
        return "GET " + url + " HTTP/1.0\r\nHost: " + authority + "\r\n\r\n";
    }

    std::string host;       // "127.0.0.2"
    std::string authority;  // "127.0.0.2:8080": the host, and the port if the URL names one.
    std::string root = "/";

private:
    addrinfo* found_ = nullptr;
};

// Closes what it holds.
struct Socket {
    explicit Socket(int opened) : fd(opened) {}
    Socket(const Socket&) = delete;
    ~Socket() { close(fd); }

    const int fd;
};

struct Page {
    std::string status;  // "200"
    std::vector<std::string> links;
};

// Throws if it is not a whole answer.
[[gnu::noinline]] inline Page read_page(std::string_view answer) {
    constexpr std::string_view length_mark = "\r\nContent-Length: ";
    constexpr std::string_view link_mark = "href=\"";
    const std::size_t end = answer.find("\r\n\r\n");
    if (!answer.starts_with("HTTP/1.") || end == answer.npos) {
        throw std::runtime_error("not an HTTP answer");
    }
    const std::string_view body = answer.substr(end + 4);
    const std::size_t at = answer.find(length_mark);
    std::size_t length = 0;
    if (at < end) std::from_chars(&answer[at + length_mark.size()], &answer[end], length);
    if (body.size() < length) throw std::runtime_error("the answer was cut short");

    Page page{std::string(answer.substr(9, 3)), {}};
    for (std::size_t i = body.find(link_mark); i != body.npos; i = body.find(link_mark, i)) {
        i += link_mark.size();
        const std::string_view link = body.substr(i, body.find_first_of("\"#", i) - i);
        if (link.starts_with('/') && !link.starts_with("//")) page.links.emplace_back(link);
    }
    return page;
}

// What is to be done, what was seen, and what became of it.
struct Crawl {
    std::deque<std::string> urls_todo;
    std::set<std::string> seen_urls;
    std::map<std::string, std::string> ends;  // By URL: the status, or what went wrong.
    Clock::time_point began = Clock::now();

    void add(const std::string& url) {
        if (seen_urls.insert(url).second) urls_todo.push_back(url);
    }

    // REQUIRES: there is one.
    std::string take_next() {
        std::string url = urls_todo.front();
        urls_todo.pop_front();
        return url;
    }

    void finish(const std::string& url, const Page& page) {
        ends[url] = page.status;
        for (const std::string& link : page.links) add(link);
    }

    void print(bool list) const;
};

// The number after `name` in a file of the kernel's.
inline double read_proc(const char* file, std::string_view name) {
    std::ifstream stream(file);
    std::string word;
    double number = 0;
    while (stream >> word && word != name) {
    }
    stream >> number;
    return number;
}

inline void Crawl::print(bool list) const {
    const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
    int pages = 0;
    int failures = 0;
    for (const auto& [url, end] : ends) {
        const bool is_page = end.size() == 3;
        ++(is_page ? pages : failures);
        if (list || !is_page) std::printf("%s %s\n", end.c_str(), url.c_str());
    }
    std::printf("%d pages in %.3f s, %.0f a second", pages, seconds, pages / seconds);
    if (failures > 0) std::printf("; %d failed", failures);
    std::printf("\ncpu %.3f s, memory %.1f MiB\n",
                static_cast<double>(std::clock()) / CLOCKS_PER_SEC,
                read_proc("/proc/self/status", "VmHWM:") / 1024);
}

// The command line: [--flag...] URL [NUMBER].
class Arguments {
public:
    Arguments(int argc, char** argv) : words_(argv + 1, argv + argc) {}

    // Whether a flag is there; it is taken out.
    bool has(std::string_view flag) { return std::erase(words_, flag) > 0; }

    bool has_url() const { return !words_.empty(); }
    const std::string& url() const { return words_.at(0); }

    int number_or(int number) const {
        if (words_.size() < 2) return number;
        std::from_chars(words_[1].data(), words_[1].data() + words_[1].size(), number);
        return std::max(number, 1);
    }

private:
    std::vector<std::string> words_;
};

// What main() does with what a step throws.
template <class Body>
int run_main(const char* usage, Body body) {
    try {
        if (body()) return 0;
        std::fprintf(stderr, "usage: %s\n", usage);
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
}
