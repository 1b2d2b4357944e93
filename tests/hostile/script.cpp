#include "hostile/script.h"

#include <algorithm>

#include "aio/task/errors.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "base/error.h"

namespace weft::hostile {

using aio::Co;

namespace {

// Adds what comes to `heard` until `done` says so. A client that goes away ends it.
template <class Done>
Co<> hear(Stage& stage, Done done) {
    while (!done()) {
        const bool more = co_await stage.stream.fill();
        if (!more) throw Error("the client went away");
        stage.heard += stage.stream.buffered();
        stage.stream.consume(stage.stream.buffered().size());
    }
}

}  // namespace

Step make_step(Action action) {
    return std::make_shared<const Action>(std::move(action));
}

Step await_request() {
    return make_step(
        [](Stage& stage) -> Co<> { co_await stage.stream.transport().until_readable(); });
}

Step read_request(std::size_t body_bytes) {
    return make_step([body_bytes](Stage& stage) -> Co<> {
        const std::size_t from = stage.heard.size();
        std::size_t end = std::string::npos;
        co_await hear(stage, [&] {
            end = stage.heard.find("\r\n\r\n", from);
            return end != std::string::npos;
        });
        co_await hear(stage, [&] { return stage.heard.size() >= end + 4 + body_bytes; });
    });
}

Step send(std::string bytes) {
    return make_step(
        [bytes = std::move(bytes)](Stage& stage) -> Co<> { co_await stage.stream.write(bytes); });
}

Step drip(std::string bytes, Duration pause) {
    return make_step([bytes = std::move(bytes), pause](Stage& stage) -> Co<> {
        for (const char byte : bytes) {
            co_await stage.stream.write(std::string_view(&byte, 1));
            co_await aio::sleep(pause);
        }
    });
}

Step loop(std::string bytes) {
    return make_step([bytes = std::move(bytes)](Stage& stage) -> Co<> {
        for (;;) co_await stage.stream.write(bytes);
    });
}

Step sleep(Duration time) {
    return make_step([time](Stage&) -> Co<> { co_await aio::sleep(time); });
}

Step fin() {
    return make_step([](Stage& stage) -> Co<> {
        stage.stream.write_eof();
        co_return;
    });
}

Step start_tls(std::shared_ptr<aio::TlsContext> context) {
    return make_step([context = std::move(context)](Stage& stage) -> Co<> {
        auto transport = co_await aio::tls_accept(stage.stream.detach(), context);
        stage.stream = aio::Stream(std::move(transport));
    });
}

Co<> ScriptedServer::serve() {
    co_await aio::task_group([this](aio::TaskGroup& group) -> Co<> {
        for (;;) {
            std::unique_ptr<aio::Transport> transport = co_await listener_->accept();
            const Script& script = scripts_[std::min(heard_.size(), scripts_.size() - 1)];
            group.create_task(play(std::move(transport), script, heard_.emplace_back()));
        }
    });
}

Co<> ScriptedServer::play(std::unique_ptr<aio::Transport> transport, Script script,
                          std::string& heard) {
    Stage stage{.stream = aio::Stream(std::move(transport)), .heard = heard};
    try {
        for (const Step& step : script) co_await (*step)(stage);
    } catch (const Error&) {
        // The client has had enough of us.
    }
}

}  // namespace weft::hostile
