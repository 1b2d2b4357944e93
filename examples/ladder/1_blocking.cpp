// Step 1 of the ladder: one socket that blocks, one page after the other.
//
//     1_blocking [--list] URL     crawls the host of the URL; --list names the pages
//     1_blocking --one URL        fetches one page and says where the time went
//     1_blocking --pieces         sends and reads a text in small pieces and in large ones

#include <sys/wait.h>

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

// One process sends the text in pieces of one size, another reads it in pieces of another.
void send_and_read(const std::string& text, std::size_t sent_size, std::size_t read_size) {
    int ends[2];
    checked(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), "socketpair");
    const Socket near(ends[0]);
    const auto start = Clock::now();
    const pid_t sender = fork();
    if (sender == 0) {
        const Socket far(ends[1]);
        for (std::size_t i = 0; i < text.size(); i += sent_size) {
            send_all(far, std::string_view(text).substr(i, sent_size));
        }
        _exit(0);  // Closes the last end: now the reader gets its 0.
    }
    close(ends[1]);
    std::string answer;
    std::string piece(read_size, ' ');
    int calls = 1;
    for (; const ssize_t size = checked(recv(near.fd, piece.data(), read_size, 0), "recv");
         ++calls) {
        answer.append(piece, 0, static_cast<std::size_t>(size));
    }
    const std::chrono::duration<double, std::milli> time = Clock::now() - start;
    waitpid(sender, nullptr, 0);
    std::printf("%7zu %7zu %9d %9.1f ms   %s\n", sent_size, read_size, calls, time.count(),
                answer == text ? "the same text" : "ANOTHER TEXT");
}

void show_pieces() {
    std::string text;
    for (int i = 0; text.size() < 65'536; ++i) text += std::to_string(i);
    text.resize(65'536);
    std::printf("sent by read by     recv()       time   what came\n");
    constexpr std::size_t sizes[] = {1, 4'096, 65'536};
    for (const std::size_t sent_size : sizes) {
        for (const std::size_t read_size : sizes) send_and_read(text, sent_size, read_size);
    }
}

int main(int argc, char** argv) {
    return run_main("1_blocking [--one | --list] URL | --pieces", [&] {
        Arguments arguments(argc, argv);
        const bool one = arguments.has("--one");
        const bool list = arguments.has("--list");
        const bool pieces = arguments.has("--pieces");
        if (pieces) show_pieces();
        if (!arguments.has_url()) return pieces;
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
