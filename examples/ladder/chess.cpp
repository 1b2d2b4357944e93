// A chess master plays 24 tables. She moves in 5 seconds, each opponent in 55, and a game has 30
// pairs of moves. One game after the other takes twelve hours; going from table to table, one.
//
// In virtual time: the day is over in milliseconds.

#include <fmt/format.h>

#include "aio/aio.h"

using namespace weft;

constexpr int kTables = 24;
constexpr int kMoves = 30;
constexpr Duration kHerMove = 5s;
constexpr Duration kTheirMove = 55s;

// What happened at each table, a letter for each five seconds: # she moves, - the other thinks.
class Timeline {
public:
    aio::Co<> spend(int table, Duration time, char letter) {
        const Duration begin = aio::EventLoop::running().time().time_since_epoch();
        for (auto column = begin / 5s; column < (begin + time) / 5s; ++column) {
            std::string& row = rows_[static_cast<std::size_t>(table)];
            row.resize(std::max(row.size(), static_cast<std::size_t>(column) + 1), ' ');
            row.back() = letter;
        }
        co_await aio::sleep(time);
    }

    void print() const {
        for (const int table : {1, 2, 3, kTables}) {
            const std::string& row = rows_[static_cast<std::size_t>(table - 1)];
            fmt::print("  table {:2} |{:72.72}|\n", table, row);
        }
    }

private:
    std::vector<std::string> rows_ = std::vector<std::string>(kTables);
};

// She sits at the table while the other thinks.
aio::Co<> play_one_after_another(Timeline& timeline) {
    for (int table = 0; table < kTables; ++table) {
        for (int move = 0; move < kMoves; ++move) {
            co_await timeline.spend(table, kHerMove, '#');
            co_await timeline.spend(table, kTheirMove, '-');
        }
    }
}

// There is one of her; the others think at the same time.
aio::Co<> play(int table, aio::Lock& her, Timeline& timeline) {
    for (int move = 0; move < kMoves; ++move) {
        auto guard = co_await her.acquire();
        co_await timeline.spend(table, kHerMove, '#');
        guard.release();
        co_await timeline.spend(table, kTheirMove, '-');
    }
}

aio::Co<> play_all_at_once(Timeline& timeline) {
    aio::Lock her;
    std::vector<aio::Co<>> games;
    for (int table = 0; table < kTables; ++table) games.push_back(play(table, her, timeline));
    co_await aio::gather(std::move(games));
}

void show(std::string_view title, aio::Co<> (*play_all)(Timeline&)) {
    Timeline timeline;
    aio::SimulatedLoop loop;
    loop.run(play_all(timeline));
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(loop.now()).count();
    fmt::print("{}: {} h {} s; the first six minutes\n", title, seconds / 3600, seconds % 3600);
    timeline.print();
}

int main() {
    show("one after another", play_one_after_another);
    show("all at once", play_all_at_once);
}
