#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <netinet/in.h>
#include <sys/socket.h>

#include "bench/http/child.h"

namespace weft::bench {

// nginx on the server's core, at 127.0.0.1 to 127.0.0.4: pages of 1 KB and 25 KB at /1k and /25k,
// plain and with TLS, on kept connections and on ports that keep none. /resumed there says "r" if
// the TLS session was resumed.
class Nginx {
public:
    static constexpr int kAddressCount = 4;

    Nginx() {
        std::string name = (std::filesystem::temp_directory_path() / "weft-bench-XXXXXX").string();
        if (!::mkdtemp(name.data())) give_up("cannot make a folder for nginx");
        folder_ = name;
        write("www/1k", std::string(1'024, 'x'));
        write("www/25k", std::string(25 * 1'024, 'x'));
        std::filesystem::create_directories(folder_ + "/tmp");
        make_certificate();
        write("nginx.conf", configuration());
        const int output = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
        pid_ = start_child(
            {"nginx", "-p", folder_, "-e", folder_ + "/error.log", "-c", folder_ + "/nginx.conf"},
            Core::server, output);
        ::close(output);
        for (int i = 0; !answers(plain_port); ++i) {
            if (i == 1'000 || ::waitpid(pid_, nullptr, WNOHANG) == pid_) {
                give_up("nginx does not start; is nginx-light installed?");
            }
            ::usleep(5'000);
        }
    }
    ~Nginx() {
        ::kill(pid_, SIGTERM);
        ::waitpid(pid_, nullptr, 0);
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    Nginx(const Nginx&) = delete;
    Nginx& operator=(const Nginx&) = delete;

    std::string ca_file() const { return folder_ + "/tls.pem"; }

    const std::uint16_t plain_port = free_port();
    const std::uint16_t tls_port = free_port();
    const std::uint16_t plain_once_port = free_port();
    const std::uint16_t tls_once_port = free_port();

private:
    void write(const std::string& name, const std::string& bytes) {
        const std::filesystem::path path = std::filesystem::path(folder_) / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << bytes;
    }

    void make_certificate() {
        const Ended ended =
            run_child({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                       "ec_paramgen_curve:P-256", "-nodes", "-keyout", folder_ + "/key.pem", "-out",
                       folder_ + "/tls.pem", "-days", "2", "-subj", "/CN=localhost", "-addext",
                       "subjectAltName=IP:127.0.0.1,IP:127.0.0.2,IP:127.0.0.3,IP:127.0.0.4"});
        if (ended.status != 0) give_up("openssl made no certificate: " + ended.output);
    }

    std::string configuration() const {
        const std::string keep = "keepalive_timeout 600; keepalive_requests 100000000;";
        const std::string once = "keepalive_timeout 0;";
        return fmt::format(R"(daemon off; master_process off; pid {0}/pid; worker_processes 1;
worker_rlimit_nofile 20000;
events {{ worker_connections 10000; multi_accept on; }}
http {{
    access_log off; default_type text/plain; open_file_cache max=100; sendfile on; tcp_nopush on;
    client_body_temp_path {0}/tmp; proxy_temp_path {0}/tmp; fastcgi_temp_path {0}/tmp;
    uwsgi_temp_path {0}/tmp; scgi_temp_path {0}/tmp;
    ssl_certificate {0}/tls.pem; ssl_certificate_key {0}/key.pem; ssl_session_tickets on;
{1}{2}{3}{4}}}
)",
                           folder_, server(plain_port, "", keep), server(tls_port, "ssl", keep),
                           server(plain_once_port, "", once), server(tls_once_port, "ssl", once));
    }

    std::string server(std::uint16_t port, std::string_view how, std::string_view keep) const {
        std::string listen;
        for (int i = 1; i <= kAddressCount; ++i) {
            listen += fmt::format("listen 127.0.0.{}:{} {} backlog=4096;\n", i, port, how);
        }
        return fmt::format(
            "server {{ {} root {}/www; {} location = /resumed {{ return 200 \"$ssl_session_reused\""
            "; }} }}\n",
            listen, folder_, keep);
    }

    static sockaddr_in loopback(std::uint16_t port) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return address;
    }

    static bool answers(std::uint16_t port) {
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_in address = loopback(port);
        const int result =
            ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
        ::close(fd);
        return result == 0;
    }

    static std::uint16_t free_port() {
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address = loopback(0);
        socklen_t size = sizeof address;
        ::bind(fd, reinterpret_cast<sockaddr*>(&address), size);
        ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
        ::close(fd);
        return ntohs(address.sin_port);
    }

    std::string folder_;
    pid_t pid_ = -1;
};

}  // namespace weft::bench
