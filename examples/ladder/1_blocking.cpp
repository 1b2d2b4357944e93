// Step 1 of the ladder: one socket that blocks, one page after the other.
//
//     1_blocking [--list] URL     crawls the host of the URL; --list names the pages
//     1_blocking --one URL        fetches one page and says where the time went

#include "page.h"

// Blocks until the server has picked up, or until it is clear that it will not.
void connect_to(const Socket& socket, const Site& site) {
    checked(connect(socket.fd, site.address(), site.address_size()), "connect");
}

// Blocks while the kernel has no room. It may take less than all, hence the loop.
void send_all(const Socket& socket, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = send(socket.fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        bytes.remove_prefix(static_cast<std::size_t>(checked(sent, "send")));
    }
}

// recv() blocks until there is something, not until there is all: hence the loop. Nothing means
// that the server has closed the connection, and so that its answer is over.
std::string receive_all(const Socket& socket) {
    std::string answer;
    char piece[4096];
    while (const ssize_t size = checked(recv(socket.fd, piece, sizeof piece, 0), "recv")) {
        answer.append(piece, static_cast<std::size_t>(size));
    }
    return answer;
}

Page fetch(const Site& site, const std::string& url) {
    const Socket socket(site.open_socket());
    connect_to(socket, site);
    send_all(socket, site.request(url));
    const std::string answer = receive_all(socket);
    return read_page(answer);
}

void run(const Site& site, Crawl& crawl) {
    crawl.add(site.root);
    while (!crawl.urls_todo.empty()) {
        const std::string url = crawl.take_next();
        try {
            crawl.finish(url, fetch(site, url));
        } catch (const std::exception& error) {
            crawl.ends[url] = error.what();
        }
    }
}

// The same calls as in fetch(), with a look at the clock after each.
void fetch_one(const Site& site) {
    const Socket socket(site.open_socket());
    const auto start = Clock::now();
    connect_to(socket, site);
    const auto connected = Clock::now();
    send_all(socket, site.request(site.root));
    const auto sent = Clock::now();
    const std::string answer = receive_all(socket);
    const auto received = Clock::now();
    const Page page = read_page(answer);
    const auto read = Clock::now();

    const auto print = [](Clock::duration time, const char* what) {
        std::printf("%9.3f ms %s\n", std::chrono::duration<double, std::milli>(time).count(), what);
    };
    std::printf("%s, %zu bytes, %zu links\n", page.status.c_str(), answer.size(),
                page.links.size());
    print(connected - start, "in connect()");
    print(sent - connected, "in send()");
    print(received - sent, "in recv()");
    print(read - received, "in our own code");
}

int main(int argc, char** argv) {
    return run_main("1_blocking [--one | --list] URL", [&] {
        Arguments arguments(argc, argv);
        const bool one = arguments.has("--one");
        const bool list = arguments.has("--list");
        if (!arguments.has_url()) return false;
        const Site site(arguments.url());
        if (one) {
            fetch_one(site);
            return true;
        }
        Crawl crawl;
        run(site, crawl);
        crawl.print(list);
        return true;
    });
}
