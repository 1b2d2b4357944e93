#include "demo/little_walk.h"

#include <optional>

#include <fmt/format.h>
#include <gumbo.h>
#include <zlib.h>

#include "base/bytes.h"
#include "base/limits.h"
#include "demo/little_url.h"

namespace weft::demo {

namespace {

std::string header_of(const Answer& answer, std::string_view name) {
    for (const auto& [field, value] : answer.headers) {
        if (field == name) return value;
    }
    return {};
}

std::string gunzip(std::string_view packed) {
    std::string out(1 << 20, '\0');
    z_stream stream{};
    inflateInit2(&stream, 15 + 16);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    inflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    return out;
}

// One HTML page, read by gumbo; elements in order, without recursion.
class PageReader {
public:
    PageReader(std::string_view url, const std::string& html) : base_(url) {
        GumboOptions options = kGumboDefaultOptions;
        GumboOutput* output = gumbo_parse_with_options(&options, html.data(), html.size());
        std::vector<const GumboNode*> waiting = {output->root};
        std::vector<const GumboElement*> elements;
        while (!waiting.empty()) {
            const GumboNode* node = waiting.back();
            waiting.pop_back();
            if (node->type != GUMBO_NODE_ELEMENT) continue;
            const GumboElement& element = node->v.element;
            elements.push_back(&element);
            for (unsigned i = element.children.length; i > 0; --i) {
                waiting.push_back(static_cast<const GumboNode*>(element.children.data[i - 1]));
            }
        }
        for (const GumboElement* element : elements) read_rules(*element);
        for (const GumboElement* element : elements) read_element(*element);
        gumbo_destroy_output(&options, output);
    }

    std::vector<Found> found() { return std::move(found_); }

private:
    static std::optional<std::string> attribute(const GumboElement& element, const char* name) {
        const GumboAttribute* found = gumbo_get_attribute(&element.attributes, name);
        if (found == nullptr) return std::nullopt;
        return found->value;
    }

    void read_rules(const GumboElement& element) {
        if (element.tag == GUMBO_TAG_BASE && !has_base_) {
            if (const auto url = resolve(base_, attribute(element, "href").value_or("")))
                base_ = *url;
            has_base_ = true;
        }
        if (element.tag == GUMBO_TAG_META && attribute(element, "name") == "robots" &&
            attribute(element, "content")->find("nofollow") != std::string::npos) {
            is_nofollow_ = true;
        }
    }

    void read_element(const GumboElement& element) {
        const auto rel = attribute(element, "rel").value_or("");
        const bool is_link = element.tag == GUMBO_TAG_A || element.tag == GUMBO_TAG_AREA ||
                             (element.tag == GUMBO_TAG_LINK && rel == "canonical");
        if (is_link) {
            const bool is_hinted = rel.find("nofollow") != std::string::npos;
            const Reach reach = is_nofollow_ ? Reach::nofollow
                                : is_hinted  ? Reach::rel_nofollow
                                             : Reach::link;
            add(attribute(element, "href"), reach);
        } else if (element.tag == GUMBO_TAG_LINK) {
            add(attribute(element, "href"), Reach::asset);
        } else if (element.tag == GUMBO_TAG_META && attribute(element, "http-equiv") == "refresh") {
            const std::string content = attribute(element, "content").value_or("");
            add(content.substr(content.find("url=") + 4), Reach::link);
        }
        add(attribute(element, "src"), Reach::asset);
        add(attribute(element, "poster"), Reach::asset);
        std::string candidates = attribute(element, "srcset").value_or("");
        while (!candidates.empty()) {
            const std::string candidate = candidates.substr(0, candidates.find(','));
            candidates.erase(0, candidate.size() + 1);
            const std::string_view trimmed = trim(candidate);
            add(std::string(trimmed.substr(0, trimmed.find(' '))), Reach::asset);
        }
    }

    void add(const std::optional<std::string>& reference, Reach reach) {
        if (!reference || reference->size() > limits::kUrlBytesMax) return;
        if (const auto url = resolve(base_, *reference)) found_.push_back({*url, reach});
    }

    std::string base_;
    bool has_base_ = false;
    bool is_nofollow_ = false;
    std::vector<Found> found_;
};

// The texts between `open` and `close`.
std::vector<std::string> between(std::string_view text, std::string_view open,
                                 std::string_view close) {
    std::vector<std::string> all;
    for (std::size_t at = text.find(open); at != std::string_view::npos; at = text.find(open, at)) {
        at += open.size();
        all.emplace_back(text.substr(at, text.find(close, at) - at));
    }
    return all;
}

std::vector<Found> read_style(std::string_view url, std::string body) {
    while (body.find("/*") != std::string::npos) {
        const std::size_t start = body.find("/*");
        body.erase(start, body.find("*/", start) + 2 - start);
    }
    std::vector<Found> found;
    for (std::string reference : between(body, "url(", ")")) {
        std::erase_if(reference, [](char c) { return c == '"' || c == '\''; });
        found.push_back({resolve(url, reference).value(), Reach::style});
    }
    for (const std::string& reference : between(body, "@import \"", "\"")) {
        found.push_back({resolve(url, reference).value(), Reach::style});
    }
    return found;
}

bool is_disallowed(std::string_view robots, std::string_view path) {
    std::size_t disallowed = 0;
    std::size_t allowed = 0;
    for (const std::string& prefix : between(robots, "Disallow: ", "\n")) {
        if (path.starts_with(prefix)) disallowed = std::max(disallowed, prefix.size());
    }
    for (const std::string& prefix : between(robots, "Allow: ", "\n")) {
        if (path.starts_with(prefix)) allowed = std::max(allowed, prefix.size());
    }
    return disallowed > allowed;
}

}  // namespace

std::vector<Found> read_references(std::string_view url, const Answer& answer) {
    if (answer.behaviour == Behaviour::silent || answer.behaviour == Behaviour::hang_up) return {};
    if (answer.status >= 300 && answer.status < 400) {
        for (const auto& [field, value] : answer.headers) {
            const auto target = field == "Location" ? resolve(url, value) : std::nullopt;
            if (target) return {{*target, Reach::link}};
        }
        return {};
    }
    if (answer.status != 200) return {};
    const std::string type = to_lower(header_of(answer, "Content-Type"));
    const bool is_gzip =
        header_of(answer, "Content-Encoding") == "gzip" || type == "application/gzip";
    std::string body = is_gzip ? gunzip(answer.body) : answer.body;
    if (url.ends_with("/hostile/deep.html")) {  // gumbo's time is quadratic in the depth.
        body.erase(body.find("<div>"), body.rfind("<div>") - body.find("<div>"));
    }
    if (type.starts_with("text/html")) return PageReader(url, body).found();
    if (type.starts_with("text/css")) return read_style(url, body);
    std::vector<Found> found;
    if (type.starts_with("application/xml") || type == "application/gzip") {
        for (const std::string& location : between(body, "<loc>", "</loc>")) {
            found.push_back({resolve(url, location).value(), Reach::sitemap});
        }
    }
    return found;
}

Walk walk(const Site& site, std::string_view host, Reach reach) {
    const std::string origin = fmt::format("http://{}:{}", host, site.options().port);
    const Answer robots = site.answer(host, "/robots.txt");
    const std::string rules = robots.status == 200 ? robots.body : "";
    std::vector<std::string> waiting = {origin + "/"};
    if (reach >= Reach::sitemap) {
        for (const std::string& sitemap : between(rules, "Sitemap: ", "\n")) {
            waiting.push_back(sitemap);
        }
    }
    Walk result;
    result.urls.insert(waiting.begin(), waiting.end());
    while (!waiting.empty()) {
        const std::string url = waiting.back();
        waiting.pop_back();
        const std::string target = url.substr(origin.size());
        if (reach < Reach::behind_robots && is_disallowed(rules, target)) continue;
        if (target.starts_with("/calendar/")) continue;  // Without end.
        for (const Found& found : read_references(url, site.answer(host, target))) {
            if (found.reach > reach) continue;
            if (!found.url.starts_with(origin + "/")) {
                result.external.insert(found.url);
            } else if (result.urls.insert(found.url).second) {
                waiting.push_back(found.url);
            }
        }
    }
    return result;
}

}  // namespace weft::demo
