#pragma once

#include <string_view>

namespace weft::http {

// Lines that begin like a status line and are none (H18).
inline constexpr std::string_view kBadStatusLines[] = {
    "HTTP/1.1 2x0 OK",  "HTTP/1.1 200200 OK", "HTTP/1.1 0200 OK", "HTTP/1.1 1000 OK",
    "HTTP/1.1 20 OK",   "HTTP/1.1 2 OK",      "HTTP/1.1 -20 OK",  "HTTP/1.1 +200 OK",
    "HTTP/1.1 000 OK",  "HTTP/1.1 099 OK",    "HTTP/1.1 0 OK",    "HTTP/1.1",
    "HTTP/1.1 ",        "HTTP/1.1 OK",        "HTTP/1.1  200 OK", "HTTP/1.1\t200 OK",
    "HTTP/1.1 200\tOK", "HTTP/1.1 200OK",     "HTTP/1.1 0x1 OK",  "HTTP/1.1 2e2 OK",
    "HTTP/9.9 200 OK",  "HTTP/2 200 OK",      "HTTP/2.0 200 OK",  "HTTP/0.9 200 OK",
    "HTTP/11.1 200 OK", "HTTP/01.1 200 OK",   "HTTP/1.01 200 OK", "HTTP/1. 200 OK",
    "HTTP/1,1 200 OK",  "HTTP/a.b 200 OK",    "http/1.1 200 OK",  "Http/1.1 200 OK",
    "HTTP/ 1.1 200 OK", "HTTP/1.1200 OK",
};

}  // namespace weft::http
