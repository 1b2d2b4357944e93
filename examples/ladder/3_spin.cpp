// Step 3 of the ladder: one thread, sockets that do not block, and nobody to say which is ready. So
// it asks them all, again and again.
//
//     3_spin [--list] URL [CONNECTIONS]     crawls

#include <list>

#include "page.h"

// A page on its way. How far it has come was where the thread stood; now it must be written down.
class Fetch {
public:
    // connect() only begins: its error EINPROGRESS says that all is well so far.
    Fetch(const Site& site, std::string url)
        : url_(std::move(url)), socket_(site.open_socket(SOCK_NONBLOCK)) {
        checked(connect(socket_.fd, site.address(), site.address_size()), "connect");
        request_ = site.request(url_);
    }

    // Asks the socket once. False: EAGAIN, nothing can be done now.
    bool go_on() {
        if (!request_.empty()) {
            const ssize_t sent = send(socket_.fd, request_.data(), request_.size(), MSG_NOSIGNAL);
            if (checked(sent, "send") < 0) return false;
            request_.erase(0, static_cast<std::size_t>(sent));
            return true;
        }
        char piece[4096];
        const ssize_t size = recv(socket_.fd, piece, sizeof piece, 0);
        if (checked(size, "recv") < 0) return false;
        answer_.append(piece, static_cast<std::size_t>(size));
        is_over_ = size == 0;
        return true;
    }

    const std::string& url() const { return url_; }
    const std::string& answer() const { return answer_; }
    bool is_over() const { return is_over_; }

private:
    std::string url_;
    Socket socket_;
    std::string request_;  // What is still to be sent.
    std::string answer_;
    bool is_over_ = false;
};

class Spinner {
public:
    void run(const Site& site, int connections_max) {
        crawl_.add(site.root);
        while (!crawl_.urls_todo.empty() || !under_way_.empty()) {
            while (!crawl_.urls_todo.empty() && std::ssize(under_way_) < connections_max) {
                start(site, crawl_.take_next());
            }
            std::erase_if(under_way_, [&](Fetch& fetch) { return is_over(fetch); });
        }
    }

    void print(bool list) const {
        std::printf("asked %zu times, %zu in vain\n", asked_, in_vain_);
        crawl_.print(list);
    }

private:
    void start(const Site& site, const std::string& url) {
        try {
            under_way_.emplace_back(site, url);
        } catch (const std::exception& error) {
            crawl_.ends[url] = error.what();
        }
    }

    // Lets a fetch go on, if it can; true if that was its end, a good one or not.
    bool is_over(Fetch& fetch) {
        try {
            ++asked_;
            if (!fetch.go_on()) ++in_vain_;
            if (!fetch.is_over()) return false;
            crawl_.finish(fetch.url(), read_page(fetch.answer()));
        } catch (const std::exception& error) {
            crawl_.ends[fetch.url()] = error.what();
        }
        return true;
    }

    Crawl crawl_;  // No lock: there is one thread.
    std::list<Fetch> under_way_;
    std::size_t asked_ = 0;
    std::size_t in_vain_ = 0;
};

int main(int argc, char** argv) {
    return run_main("3_spin [--list] URL [CONNECTIONS]", [&] {
        Arguments arguments(argc, argv);
        const bool list = arguments.has("--list");
        if (!arguments.has_url()) return false;
        Spinner spinner;
        spinner.run(Site(arguments.url()), arguments.number_or(16));
        spinner.print(list);
        return true;
    });
}
