#pragma once

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace weft::suites {

// Counts the cases of a suite: one that adds a failure to the running test has not passed. At its
// end it adds a line `suite<TAB>passed<TAB>total` to the file that WEFT_TALLY names, if it does;
// tools/conformance makes a table of them.
class Tally {
public:
    explicit Tally(std::string suite) : suite_(std::move(suite)), failures_(failure_count()) {}
    Tally(const Tally&) = delete;
    Tally& operator=(const Tally&) = delete;
    ~Tally() {
        const char* file = std::getenv("WEFT_TALLY");
        if (!file || total_ == 0) return;
        std::ofstream(file, std::ios::app) << suite_ << '\t' << passed_ << '\t' << total_ << '\n';
    }

    // A case is over.
    void note() {
        const int failures = failure_count();
        ++total_;
        const bool is_listed = std::exchange(is_listed_miss(), false);
        if (failures == std::exchange(failures_, failures) && !is_listed) ++passed_;
    }

    // The case under way is a known miss: no failure, but not passed either.
    static void note_listed_miss() { is_listed_miss() = true; }

private:
    static bool& is_listed_miss() {
        static bool flag = false;
        return flag;
    }

    static int failure_count() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        return test->result()->total_part_count();
    }

    std::string suite_;
    int failures_;
    std::size_t passed_ = 0;
    std::size_t total_ = 0;
};

// The rows of a JSON array, counted as a range-for goes over them.
class TalliedRows {
public:
    TalliedRows(std::string suite, nlohmann::json rows)
        : rows_(std::move(rows)), tally_(std::move(suite)) {}

    class Iterator {
    public:
        Iterator(nlohmann::json::const_iterator at, Tally& tally) : at_(at), tally_(&tally) {}
        const nlohmann::json& operator*() const { return *at_; }
        Iterator& operator++() {
            tally_->note();
            ++at_;
            return *this;
        }
        bool operator==(const Iterator& other) const { return at_ == other.at_; }

    private:
        nlohmann::json::const_iterator at_;
        Tally* tally_;
    };

    Iterator begin() const { return {rows_.begin(), tally_}; }
    Iterator end() const { return {rows_.end(), tally_}; }

private:
    nlohmann::json rows_;
    mutable Tally tally_;
};

}  // namespace weft::suites
