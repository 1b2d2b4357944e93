#include "redis/connection.h"

#include <utility>

#include <fmt/format.h>

#include "aio/net/connect.h"
#include "aio/sync/timeout.h"
#include "aio/task/errors.h"
#include "redis/channel.h"
#include "redis/error.h"

namespace weft::redis {

using aio::Co;

namespace {

// Whether another try cannot help: the operator has to mend a certificate or an option.
bool is_final(aio::TlsFailure failure) {
    return failure != aio::TlsFailure::closed && failure != aio::TlsFailure::protocol;
}

Co<> log_in(Connection& connection, const ConnectionOptions& options) {
    if (options.password.empty()) co_return;
    Command command("AUTH");
    if (!options.user.empty()) command.add(options.user);
    command.add(options.password);
    const Reply reply = co_await connection.call(std::move(command));
    if (reply.is_error()) throw ServerError(connection.node(), reply.text);
}

Co<std::unique_ptr<Connection>> open_within(const Node& node, const ConnectionOptions& options) {
    auto deadline = co_await aio::timeout(options.open_timeout);
    aio::Stream stream =
        co_await aio::open_connection(node.host, node.port, {.tls = options.tls, .connect = {}});
    auto channel = std::make_shared<Channel>(node, std::move(stream), options);
    Channel::start(channel);
    auto connection = std::make_unique<Connection>(node, std::move(channel));
    co_await log_in(*connection, options);
    co_return connection;
}

}  // namespace

Co<std::unique_ptr<Connection>> Connection::open(Node node, ConnectionOptions options) {
    try {
        co_return co_await open_within(node, options);
    } catch (const aio::TimeoutError&) {
        throw ConnectionLost(
            node, fmt::format("cannot connect within {:.3g} s", in_seconds(options.open_timeout)));
    } catch (const aio::IoError& error) {
        throw ConnectionLost(node, error.what());
    } catch (const aio::ResolveError& error) {
        throw ConnectionLost(node, error.what());
    } catch (const aio::TlsError& error) {
        if (is_final(error.failure())) throw;
        throw ConnectionLost(node, error.what());
    }
}

Connection::Connection(Node node, std::shared_ptr<Channel> channel)
    : node_(std::move(node)), channel_(std::move(channel)) {}

Connection::~Connection() {
    channel_->close("closed by us");
}

Co<std::vector<Reply>> Connection::call(std::vector<Command> commands) {
    auto future = Channel::send(channel_, commands);
    co_return co_await std::move(future);
}

Co<Reply> Connection::call(Command command) {
    std::vector<Command> commands;
    commands.push_back(std::move(command));
    std::vector<Reply> replies = co_await call(std::move(commands));
    co_return std::move(replies.front());
}

bool Connection::is_open() const {
    return channel_->is_open();
}

}  // namespace weft::redis
