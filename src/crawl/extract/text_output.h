#pragma once

#include <memory>
#include <string>
#include <vector>

#include "crawl/extract/extract_output.h"
#include "extract/rules/csv.h"
#include "extract/rules/rules.h"

namespace weft::crawl {

// An output that is one stream of bytes.
class StreamOutput : public ExtractOutput {
public:
    explicit StreamOutput(std::unique_ptr<ByteSink> sink) : sink_(std::move(sink)) {}

    void write(std::string_view, std::string_view made) override { sink_->write(made); }
    void finish() override { sink_->finish(); }

protected:
    ByteSink& sink() { return *sink_; }

private:
    std::unique_ptr<ByteSink> sink_;
};

// A line of JSON for each page, as in text.jsonl.
class TextLines final : public StreamOutput {
public:
    TextLines(std::unique_ptr<ByteSink> sink, extract::TextForm form)
        : StreamOutput(std::move(sink)), form_(form) {}

    void make(const ArchivedPage& page, const extract::Extract& extract, PageWorker& worker,
              std::string& out) const override;

private:
    extract::TextForm form_;
};

// A row of CSV for each page. The columns are the members of its line that are one text or number,
// then the selected fields, then the text.
class TextTable final : public StreamOutput {
public:
    // `rules` may be null.
    TextTable(std::unique_ptr<ByteSink> sink, extract::TextForm form, const extract::Rules* rules);

    void begin(Random& random) override;

    void make(const ArchivedPage& page, const extract::Extract& extract, PageWorker& worker,
              std::string& out) const override;

private:
    extract::CsvTable table_;
};

// A line of JSON for each row that the rules find.
class RowLines final : public StreamOutput {
public:
    using StreamOutput::StreamOutput;

    void make(const ArchivedPage& page, const extract::Extract& extract, PageWorker& worker,
              std::string& out) const override;
};

// A row of CSV for each row that the rules find.
class RowTable final : public StreamOutput {
public:
    RowTable(std::unique_ptr<ByteSink> sink, const extract::Rules& rules);

    void begin(Random& random) override;

    void make(const ArchivedPage& page, const extract::Extract& extract, PageWorker& worker,
              std::string& out) const override;

private:
    extract::CsvTable table_;
};

}  // namespace weft::crawl
