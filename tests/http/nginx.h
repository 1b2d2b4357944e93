#pragma once

#include <array>
#include <optional>
#include <string>

#include "http/peers.h"

namespace weft::http {

// nginx with the pages of peers.h: plain, TLS 1.2 and TLS 1.3 on a port each. The paths below /say/
// tell what nginx itself knows of the request.
class Nginx {
public:
    static bool is_installed() { return tests::find_program("nginx").has_value(); }

    Nginx() : certificate_(authority.issue("nginx").string()) {
        write_pages(scratch_);
        std::filesystem::create_directories(scratch_ / "tmp");
        scratch_.write("nginx.conf", configuration());
        const std::string folder = scratch_.path().string();
        server_.emplace(
            std::vector<std::string>{tests::find_program("nginx")->string(), "-p", folder, "-e",
                                     folder + "/error.log", "-c", folder + "/nginx.conf"},
            std::vector{plain_port, tls12_port, tls13_port}, scratch_ / "output.txt");
    }

    tests::TestAuthority authority;
    const std::uint16_t plain_port = tests::free_port();
    const std::uint16_t tls12_port = tests::free_port();
    const std::uint16_t tls13_port = tests::free_port();

private:
    std::string configuration() const {
        std::string text = fmt::format(R"(daemon off; master_process off; pid {0}/nginx.pid;
error_log {0}/error.log; worker_processes 1;
events {{ worker_connections 256; }}
http {{
    access_log off; default_type text/plain; keepalive_requests 4;
    client_body_temp_path {0}/tmp; proxy_temp_path {0}/tmp; fastcgi_temp_path {0}/tmp;
    uwsgi_temp_path {0}/tmp; scgi_temp_path {0}/tmp;
    ssl_certificate {1}; ssl_certificate_key {1}; ssl_session_cache none; ssl_session_tickets on;
    gzip on; gzip_types *; gzip_min_length 1000; gzip_proxied any;
)",
                                       scratch_.path().string(), certificate_);
        text += server(fmt::format("127.0.0.1:{}", plain_port));
        text += server(fmt::format("127.0.0.1:{} ssl http2; ssl_protocols TLSv1.2", tls12_port));
        text += server(fmt::format("127.0.0.1:{} ssl http2; ssl_protocols TLSv1.3", tls13_port));
        return text + "}\n";
    }

    std::string server(std::string_view listen) const {
        return fmt::format(R"(    server {{
        listen {}; root {}/www;
        location /folder/ {{ autoindex on; }}
        location /once/ {{ keepalive_timeout 0; return 200 "$ssl_protocol $ssl_session_reused"; }}
        location = /say/connection {{ return 200 "$connection $connection_requests"; }}
        location = /say/protocol {{ return 200 "$server_protocol $ssl_protocol"; }}
        location = /say/via {{ return 200 "$http_via $http_host $request_uri"; }}
        location = /say/nothing {{ return 204; }}
        location = /say/moved {{ return 301 /brief.txt; }}
        location = /say/cut {{ return 444; }}
    }}
)",
                           listen, scratch_.path().string());
    }

    tests::Scratch scratch_;
    std::string certificate_;
    std::optional<tests::RealServer> server_;
};

}  // namespace weft::http
