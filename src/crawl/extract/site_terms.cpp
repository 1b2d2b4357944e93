#include "crawl/extract/site_terms.h"

#include <utility>

#include "web/url/url.h"

namespace weft::crawl {
namespace {

constexpr std::string_view kRobotsPath = "/robots.txt";
constexpr std::string_view kTdmPath = "/.well-known/tdmrep.json";

// "https://example.com:8080"; empty if the URL is none.
std::string origin_of(const std::string& url) {
    const auto parsed = web::Url::parse(url);
    if (!parsed || !parsed->is_http()) return {};
    return std::string(parsed->protocol()) + "//" + std::string(parsed->host());
}

}  // namespace

std::size_t SiteTerms::memory_bytes() const {
    std::size_t bytes = sizeof(SiteTerms) + tdm.memory_bytes();
    for (const web::UsagePreference& line : robots)
        bytes += sizeof(line) + line.name.capacity() + line.value.capacity();
    return bytes;
}

bool SiteTermsBook::is_terms_url(std::string_view url) {
    const std::size_t begin = url.find("://");
    if (begin == std::string_view::npos) return false;
    const std::size_t path = std::min(url.find('/', begin + 3), url.size());
    return url.substr(path) == kRobotsPath || url.substr(path) == kTdmPath;
}

void SiteTermsBook::note(const std::string& url, std::string_view content) {
    const std::string origin = origin_of(url);
    if (origin.empty()) return;
    const auto known = sites_.find(origin);
    SiteTerms terms = known == sites_.end() ? SiteTerms() : *known->second;
    content = content.substr(0, kFileBytesMax);
    if (url.ends_with(kRobotsPath)) {
        terms.robots = web::Robots::parse(content).usage_preferences(agent_);
    } else {
        terms.tdm = extract::TdmRules::parse(content);
    }
    if (known == sites_.end() && terms.says_nothing()) return;
    if (known == sites_.end()) {
        if (order_.size() == kSiteCountMax) {
            sites_.erase(order_.front());
            order_.pop_front();
        }
        order_.push_back(origin);
    }
    sites_[origin] = std::make_shared<const SiteTerms>(std::move(terms));
}

std::shared_ptr<const SiteTerms> SiteTermsBook::find(const std::string& url) const {
    if (sites_.empty()) return nullptr;
    const auto found = sites_.find(origin_of(url));
    return found == sites_.end() ? nullptr : found->second;
}

}  // namespace weft::crawl
