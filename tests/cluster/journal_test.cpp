#include "cluster/journal.h"

#include <gtest/gtest.h>

#include "aio/files/memory_files.h"
#include "base/units.h"
#include "frontier/store/store_error.h"

namespace weft::cluster {

namespace {

struct Found {
    std::string saved = "none";
    std::vector<std::string> outcomes;
};

std::unique_ptr<Journal> open_journal(aio::FileSystem& files, Found* found = nullptr,
                                      std::uint64_t store_id = 7) {
    return Journal::open(files, {.folder = "state", .store_id = store_id},
                         {.on_saved =
                              [found](std::string_view saved) {
                                  if (found) found->saved = saved;
                              },
                          .on_outcome =
                              [found](std::string_view outcome) {
                                  if (found) found->outcomes.emplace_back(outcome);
                              }});
}

Offer offer_of(std::uint16_t shard, std::uint64_t number, std::uint64_t term = 1) {
    return {.shard = shard,
            .term = term,
            .number = number,
            .outcome = fmt::format("{}/{}/{}", shard, term, number),
            .archived = ArchivePlace{"a.warc.gz", number * 100, 100}};
}

using Outcomes = std::vector<std::string>;

TEST(Journal, GivesBackWhatWasTakenAndWhatIsOpen) {
    aio::MemoryFiles files;
    {
        const auto journal = open_journal(files);
        for (std::uint64_t i = 1; i <= 3; ++i) journal->offer(offer_of(5, i));
        journal->offer(offer_of(6, 1));
        journal->write();
        EXPECT_EQ(journal->take(6, 1, 1).size(), 1U);
        EXPECT_EQ(journal->take(5, 1, 2).size(), 2U);
        EXPECT_TRUE(journal->take(5, 1, 2).empty());
        journal->write();
    }

    Found found;
    const auto journal = open_journal(files, &found);

    EXPECT_EQ(found.saved, "");
    EXPECT_EQ(found.outcomes, (Outcomes{"6/1/1", "5/1/1", "5/1/2"}));
    ASSERT_EQ(journal->open_offers().size(), 1U);
    const Offer& open = journal->open_offers().at({5, 1}).front();
    EXPECT_EQ(open, offer_of(5, 3));
    EXPECT_EQ(open.archived->offset, 300U);
}

TEST(Journal, WhatWasWithdrawnHasNoOutcome) {
    aio::MemoryFiles files;
    {
        const auto journal = open_journal(files);
        for (std::uint64_t i = 1; i <= 3; ++i) journal->offer(offer_of(5, i));
        journal->offer(offer_of(5, 1, 2));
        journal->take(5, 1, 1);
        EXPECT_EQ(journal->withdraw(5, 1).size(), 2U);
        journal->write();
    }

    Found found;
    const auto journal = open_journal(files, &found);

    EXPECT_EQ(found.outcomes, Outcomes{"5/1/1"});
    EXPECT_EQ(journal->open_offers().size(), 1U);
    EXPECT_TRUE(journal->open_offers().contains({5, 2}));
}

TEST(Journal, AUrlThatIsTriedAgainHasNoOutcome) {
    aio::MemoryFiles files;
    {
        const auto journal = open_journal(files);
        Offer offer = offer_of(5, 1);
        offer.outcome.clear();
        offer.archived.reset();
        journal->offer(offer);
        journal->take(5, 1, 1);
        journal->write();
    }

    Found found;
    open_journal(files, &found);

    EXPECT_TRUE(found.outcomes.empty());
}

TEST(Journal, ACheckpointKeepsWhatIsOpenAndForgetsTheRest) {
    aio::MemoryFiles files;
    {
        const auto journal = open_journal(files);
        for (std::uint64_t i = 1; i <= 100; ++i) journal->offer(offer_of(5, i));
        journal->take(5, 1, 99);
        journal->write();
        const std::uint64_t before = journal->size();
        journal->checkpoint("the page log has 99 lines");
        EXPECT_LT(journal->size(), before / 10);
        journal->take(5, 1, 100);
        journal->write();
    }

    Found found;
    const auto journal = open_journal(files, &found);

    EXPECT_EQ(found.saved, "the page log has 99 lines");
    EXPECT_EQ(found.outcomes, Outcomes{"5/1/100"});
    EXPECT_EQ(files.list("state"), std::vector<std::string>{"journal-2"});
}

// The process may die at any byte: what is left is what some earlier write() left.
TEST(Journal, IsWholeWhereverItIsCut) {
    aio::MemoryFiles files;
    {
        const auto journal = open_journal(files);
        for (std::uint64_t i = 1; i <= 4; ++i) {
            journal->offer(offer_of(5, i));
            journal->write();
            journal->take(5, 1, i);
            journal->write();
        }
    }
    const std::string whole = files.read_all("state/journal-1", 1_MiB);
    std::size_t most = 0;
    for (std::size_t size = 64; size <= whole.size(); ++size) {
        files.remove("state/journal-1");
        files.open("state/journal-1", aio::OpenMode::create)->append(whole.substr(0, size));
        Found found;
        try {
            const auto journal = open_journal(files, &found);
            EXPECT_LE(journal->open_offers().size(), 1U);
        } catch (const frontier::StoreError&) {
            EXPECT_TRUE(found.outcomes.empty());  // Not even the beginning is there.
        }
        EXPECT_GE(found.outcomes.size(), most);
        most = std::max(most, found.outcomes.size());
    }
    EXPECT_EQ(most, 4U);
}

TEST(Journal, ACheckpointThatDidNotFinishDoesNotCount) {
    aio::MemoryFiles files;
    {
        const auto journal = open_journal(files);
        journal->offer(offer_of(5, 1));
        journal->write();
    }
    files.open("state/journal-2", aio::OpenMode::create)->append("");

    const auto journal = open_journal(files);

    EXPECT_TRUE(journal->open_offers().contains({5, 1}));
    EXPECT_EQ(files.list("state"), std::vector<std::string>{"journal-1"});
}

TEST(Journal, OfAnotherFolderIsRefused) {
    aio::MemoryFiles files;
    open_journal(files, nullptr, 7);

    EXPECT_THROW(open_journal(files, nullptr, 8), Error);
}

}  // namespace

}  // namespace weft::cluster
