#include "cli/report/report_graph.h"

#include <memory>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "archive/index/page_reader.h"
#include "base/escape.h"
#include "base/hash.h"

namespace weft::cli {
namespace {

// Writes the graph as DOT or GraphML.
class GraphWriter {
public:
    GraphWriter(GraphForm form, const TextSink& sink) : form_(form), sink_(sink) {}

    void begin() const {
        sink_(form_ == GraphForm::dot
                  ? "digraph weft {\n  node [shape=box];\n"
                  : "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
                    "  <key id=\"url\" for=\"node\" attr.name=\"url\" attr.type=\"string\"/>\n"
                    "  <key id=\"status\" for=\"node\" attr.name=\"status\" attr.type=\"int\"/>\n"
                    "  <key id=\"mime\" for=\"node\" attr.name=\"mime\" attr.type=\"string\"/>\n"
                    "  <key id=\"depth\" for=\"node\" attr.name=\"depth\" attr.type=\"int\"/>\n"
                    "  <key id=\"kind\" for=\"edge\" attr.name=\"kind\" attr.type=\"string\"/>\n"
                    "  <graph id=\"weft\" edgedefault=\"directed\">\n");
    }

    void node(std::uint32_t number, const archive::Outcome& entry) const {
        if (form_ == GraphForm::dot) {
            sink_(fmt::format("  n{} [label={}, status={}, mime={}, depth={}];\n", number,
                              quoted(entry.url), entry.status, quoted(entry.content_type),
                              entry.depth));
            return;
        }
        sink_(
            fmt::format("    <node id=\"n{}\"><data key=\"url\">{}</data>"
                        "<data key=\"status\">{}</data><data key=\"mime\">{}</data>"
                        "<data key=\"depth\">{}</data></node>\n",
                        number, escape_for_html(escape_for_terminal(entry.url)), entry.status,
                        escape_for_html(escape_for_terminal(entry.content_type)), entry.depth));
    }

    void edge(std::uint32_t from, std::uint32_t to, std::string_view kind) const {
        if (form_ == GraphForm::dot) {
            sink_(fmt::format("  n{} -> n{} [kind={}];\n", from, to, kind));
        } else {
            sink_(
                fmt::format("    <edge source=\"n{}\" target=\"n{}\">"
                            "<data key=\"kind\">{}</data></edge>\n",
                            from, to, kind));
        }
    }

    void end() const { sink_(form_ == GraphForm::dot ? "}\n" : "  </graph>\n</graphml>\n"); }

private:
    // In DOT, a backslash in quotes starts an escape sequence.
    static std::string quoted(std::string_view text) {
        std::string out = "\"";
        for (const char c : escape_for_terminal(text)) {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
        return out + '"';
    }

    GraphForm form_;
    const TextSink& sink_;
};

}  // namespace

void write_graph(aio::FileSystem& files, const std::filesystem::path& folder, GraphForm form,
                 const TextSink& sink) {
    const GraphWriter writer(form, sink);
    const std::unique_ptr<aio::File> pages =
        files.open(folder / "pages" / "pages.jsonl", aio::OpenMode::read);
    std::unordered_map<std::uint64_t, std::uint32_t> numbers;  // By the hash of the URL.
    bool has_links = false;
    writer.begin();
    archive::read_pages(*pages, [&](const archive::Outcome& entry) {
        if (entry.via == archive::Via::guess) return;
        const auto number = static_cast<std::uint32_t>(numbers.size());
        // A URL may have several lines, after a retry of failed URLs.
        if (!numbers.emplace(hash64(entry.url, 0), number).second) return;
        has_links |= !entry.links.empty();
        writer.node(number, entry);
    });
    const auto number_of = [&](std::string_view url) -> std::optional<std::uint32_t> {
        const auto found = numbers.find(hash64(url, 0));
        return found == numbers.end() ? std::nullopt : std::optional(found->second);
    };
    const auto edge = [&](std::string_view from, std::string_view to, std::string_view kind) {
        const auto begin = number_of(from);
        const auto end = number_of(to);
        if (begin && end) writer.edge(*begin, *end, kind);
    };
    archive::read_pages(*pages, [&](const archive::Outcome& entry) {
        if (entry.ending == archive::Ending::redirect) {
            edge(entry.url, entry.redirect_target, "redirect");
            return;
        }
        for (const std::string& link : entry.links) edge(entry.url, link, "link");
        if (!has_links && entry.via != archive::Via::redirect)
            edge(entry.referrer, entry.url, "found");
    });
    writer.end();
}

}  // namespace weft::cli
