#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "aio/task/co.h"

namespace weft::frontier {

// The other files of a crawl, the archive and the page log, which a frontier on disk keeps in step
// with its own log. The crawl's folder implements it.
//
// One commit, in this order:
//
//   1. hold_writes(), PageToWrite::write() for each page, then flush_writes(), on a thread of the
//      executor: its archive records and what it appends to side files
//   2. one write to the log  from here on the commit survives the death of the process
//   3. sync(), log sync      only with SyncMode::commit; otherwise at intervals, beside the commits
//   4. note_side()           for each side file, on the loop: it is committed up to there
//      add_outcome()         for each outcome, on the loop: the page log
//   5. complete() returns
//   6. sync(), save()        only if a checkpoint is due: a new log begins with what save()
//   returned
//
// After a crash open() calls holds() and add_outcome() for the commits since the last checkpoint.
// What the log says then is all that happened. Archive records behind the last place that it names
// belong to visits that will be made again, and lines of the page log that are missing come once
// more. So no page is lost and none is there twice.
class CrawlFiles {
public:
    virtual ~CrawlFiles() = default;

    // Until flush_writes() PageToWrite::write() may keep its records in memory: one large write
    // costs less than one for each page. Both are called on the thread that writes the pages.
    virtual void hold_writes() {}

    // Writes what was kept. Called before the log is written, so that the log names no bytes that
    // are only in memory. An exception from it ends the frontier.
    virtual void flush_writes() {}

    // A commit with this outcome is in the log. Called in the order of the commits: once when it is
    // committed, and again by open() for each one since the last checkpoint (maybe on another
    // thread, while open() is awaited).
    virtual void add_outcome(std::string_view outcome) = 0;

    // A commit that wrote to this side file (Completion::sides) is in the log. Called in the order
    // of the commits; not by open(), which gives Recovered::sides.
    virtual void note_side(std::string_view /*file*/, std::uint64_t /*size*/) {}

    // Everything written so far survives a loss of power. Awaited before the log is synced, so that
    // the log on disk never names a page that is not on disk.
    virtual aio::Co<> sync() = 0;

    // The state of these files at a checkpoint, as text. After open() they must hold what
    // Recovered::saved says, plus the outcomes that add_outcome() got since.
    virtual std::string save() = 0;

    // Whether a file of the archive (ArchivePlace::file) has at least `size` bytes. If bytes may be
    // lost and the store was not closed, open() asks this for each completion since the last
    // checkpoint. Commits at the end of the log that name missing bytes are undone, and their URLs
    // wait again. If the bytes of a later commit are there, the files were damaged in another way,
    // and open() throws StoreError.
    virtual bool holds(std::string_view file, std::uint64_t size) = 0;

    // The same for a side file. A file that the crawl does not know counts as held: it is of
    // another version.
    virtual bool holds_side(std::string_view /*file*/, std::uint64_t /*size*/) { return true; }
};

}  // namespace weft::frontier
