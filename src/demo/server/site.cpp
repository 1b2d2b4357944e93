#include "demo/server/site.h"

#include <fmt/format.h>

#include "base/assert.h"
#include "base/hash.h"
#include "demo/server/packed.h"
#include "demo/server/site_part.h"

namespace weft::demo {

namespace {

Answer plain_answer(int status, std::string_view type, std::string body) {
    Answer answer;
    answer.status = status;
    answer.headers.emplace_back("Content-Type", type);
    answer.body = std::move(body);
    return answer;
}

Answer truth_answer(const Options& options, std::string_view target) {
    constexpr std::string_view prefix = "?host=";
    const std::string_view query = target.substr(kTruthPath.size());
    const std::string_view host =
        query.starts_with(prefix) ? query.substr(prefix.size()) : std::string_view();
    if (!host.empty() && find_host(host) == nullptr) {
        return plain_answer(404, "text/plain", "No such host; they are 127.0.0.1 to 127.0.0.8.\n");
    }
    return plain_answer(200, "application/json", to_json(find_truth(options, host)));
}

}  // namespace

std::string_view name(Behaviour behaviour) {
    switch (behaviour) {
        case Behaviour::whole: return "whole";
        case Behaviour::chunked: return "chunked";
        case Behaviour::until_close: return "until_close";
        case Behaviour::cut_short: return "cut_short";
        case Behaviour::cut_chunks: return "cut_chunks";
        case Behaviour::drip: return "drip";
        case Behaviour::endless: return "endless";
        case Behaviour::silent: return "silent";
        case Behaviour::hang_up: return "hang_up";
    }
    std::unreachable();
}

Site::Site(Options options) : options_(options) {
    WEFT_ASSERT(options_.page_count >= 1);
}

Answer Site::answer(std::string_view host, std::string_view target) const {
    const SiteHost* known = find_host(host);
    if (known == nullptr) {
        return plain_answer(421, "text/plain", "This host is not served here.\n");
    }
    if (!target.starts_with('/')) {
        return plain_answer(400, "text/plain", "The target must begin with a slash.\n");
    }
    if (target.substr(0, target.find('?')) == kTruthPath) return truth_answer(options_, target);

    Document document = find_document(find_place(options_, *known, target));
    Answer answer = plain_answer(document.status, document.type, std::move(document.body));
    for (auto& header : document.headers) answer.headers.push_back(std::move(header));
    if (document.gzip) {
        answer.body = gzip(answer.body);
        answer.headers.emplace_back("Content-Encoding", "gzip");
    }
    // So that a recrawl can send conditional requests.
    if (document.status == 200) {
        answer.headers.emplace_back("ETag", fmt::format("\"{:016x}\"", hash64(answer.body)));
        answer.headers.emplace_back("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT");
    }
    answer.delay = options_.delay + document.delay;
    answer.behaviour = document.behaviour;
    return answer;
}

Truth Site::truth() const {
    return find_truth(options_);
}

}  // namespace weft::demo
