#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "extract/extract.h"
#include "extract/fields/reservation.h"
#include "extract/fields/tdm_rules.h"
#include "web/robots/robots.h"

namespace weft::extract {

struct Rules;

enum class TextForm : std::uint8_t { none, plain, markdown };

// What is wanted of every page.
struct Wishes {
    TextForm text = TextForm::plain;
    bool whole_page = false;       // Keep menus, footers and the like, too.
    bool keeps_captions = false;   // Of pictures, in plain text; Markdown always has them.
    bool detects_language = true;  // From the text.
    bool lists_links = false;
    bool structured = false;  // JSON-LD and microdata, whole.
    bool takes_simhash = false;
    // What the text is for. Sites may forbid it: then it is withheld.
    Purpose purpose = Purpose::unsaid;
    bool keeps_reserved = false;                   // Nothing is withheld: for one's own sites.
    std::shared_ptr<const Rules> rules = nullptr;  // For `selected` and `rows`: rules/rules.h.
};

// One page.
struct Source {
    std::string_view html;
    // The Content-Type header, whose charset counts before that of the page; may be empty. For text
    // that is UTF-8 already, say "text/html; charset=utf-8".
    std::string_view content_type = {};
    std::string_view url = {};  // Where the page is from; links are resolved against it.
    // What may reserve the page's use, besides the page itself; see read_reservation(). Other
    // header fields are ignored, so all of a response may be given.
    std::string_view agent = "weft";  // How robots.txt and the like call this program.
    std::span<const NamedValue> headers = {};
    std::span<const web::UsagePreference> robots = {};  // Robots::usage_preferences(agent).
    const TdmRules* tdm = nullptr;                      // Of the site; null if it has none.
    // Later dates are taken for mistakes. The default lets all up to the year 2100 pass.
    std::chrono::sys_days last_day = std::chrono::sys_days{std::chrono::year{2100} / 1 / 1};
};

// A longer text is cut, at a character's edge.
inline constexpr std::size_t kTextBytesMax = std::size_t{2} << 20;
// An extractor with more memory gives it back before the next page.
inline constexpr std::size_t kExtractorBytesMax = std::size_t{64} << 20;
// A page with scripts and fewer visible characters needs a browser.
inline constexpr std::size_t kNeedsScriptCharsMax = 200;

// Gets the main text of HTML pages and the facts about them.
//
//     Extractor extractor({.text = TextForm::markdown});
//     const Extract& page = extractor.read({.html = bytes, .url = "https://example.com/a"});
//     std::cout << page.fields.title << '\n' << page.text;
//
// There are no errors: any bytes are a page. Pure: no I/O, no clock. An extractor belongs to one
// thread and reuses its buffers; make one a thread.
class Extractor {
public:
    explicit Extractor(Wishes wishes = {});
    ~Extractor();
    Extractor(Extractor&&) noexcept;
    Extractor& operator=(Extractor&&) noexcept;

    // The result is valid until the next call.
    const Extract& read(const Source& source);

    // Moves the result of the last read() out.
    Extract take();

    std::size_t memory_bytes() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace weft::extract
