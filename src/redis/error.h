#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "redis/node.h"

namespace weft::redis {

// A connection could not be made or ended before all replies came: refused, reset, silent for too
// long, or the server sent what is not Redis. What was sent may have been done. Another try,
// perhaps at another node, may help.
class ConnectionLost : public Error {
public:
    ConnectionLost(const Node& node, std::string_view reason)
        : Error("redis " + node.to_string() + ": " + std::string(reason)) {}
};

// The server refuses a command for a reason that another try does not change: a wrong password, a
// command that is not permitted or not known.
class ServerError : public Error {
public:
    ServerError(const Node& node, std::string_view text)
        : Error("redis " + node.to_string() + ": " + std::string(text)),
          code_(text.substr(0, text.find(' '))) {}

    // "WRONGPASS", "NOPERM", "NOAUTH", "ERR", ...
    const std::string& code() const { return code_; }

private:
    std::string code_;
};

// Calls were repeated for ClusterOptions::patience without success; the message has the last
// reason.
class Unreachable : public Error {
public:
    using Error::Error;
};

}  // namespace weft::redis
