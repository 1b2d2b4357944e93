#pragma once

#include <memory>
#include <string>
#include <vector>

#include "aio/net/tls.h"
#include "aio/task/co.h"
#include "redis/command.h"
#include "redis/limits.h"
#include "redis/node.h"
#include "redis/reply.h"

namespace weft::redis {

class Channel;

struct ConnectionOptions {
    std::string user;                      // Empty: the user `default`.
    std::string password;                  // Empty: no login.
    std::shared_ptr<aio::TlsContext> tls;  // Null: no TLS.

    Duration open_timeout = kOpenTimeout;
    Duration silence_max = kSilenceMax;
    std::size_t reply_bytes_max = kReplyBytesMax;
};

// A connection to one server. Any number of tasks may call at the same time: commands go out in the
// order of the calls, without waiting for earlier replies, and the calls of one round of the loop
// share a write.
//
// A cancelled call is not taken back: the server does what was sent, and its replies are read and
// dropped when their turn comes, so the replies of the others stay in step.
//
// If the server is silent for `silence_max` while it owes a reply, or sends what is not Redis, or
// ends the connection, all calls in progress throw ConnectionLost, and so does every later one. On
// one loop's thread. The destructor closes the connection; the object must outlive its calls.
class Connection {
public:
    // Connects, does the TLS handshake and logs in. Throws ConnectionLost; ServerError if the login
    // is refused; aio::TlsError if the certificate is not trusted. If it is cancelled, no
    // connection is left behind.
    static aio::Co<std::unique_ptr<Connection>> open(Node node, ConnectionOptions options);

    Connection(Node node, std::shared_ptr<Channel> channel);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // The replies to the commands, in order; errors of the server are replies too. The commands are
    // sent together: no other call's command comes between them.
    aio::Co<std::vector<Reply>> call(std::vector<Command> commands);
    aio::Co<Reply> call(Command command);

    bool is_open() const;
    const Node& node() const { return node_; }

private:
    Node node_;
    std::shared_ptr<Channel> channel_;
};

}  // namespace weft::redis
