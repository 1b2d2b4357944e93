#include "crawl/scope/domains.h"

#include <map>
#include <mutex>

#include "base/error.h"

namespace weft::crawl {

std::shared_ptr<const Domains> Domains::load(const std::filesystem::path& path) {
    static std::mutex mutex;
    // tidy: allow shared-state: used under the mutex; what it gives never changes.
    static std::map<std::filesystem::path, std::shared_ptr<const Domains>> loaded;
    const std::lock_guard lock(mutex);
    std::shared_ptr<const Domains>& place = loaded[path];
    if (!place) {
        auto domains = std::make_shared<Domains>();
        domains->list_ = web::PublicSuffixList::load(path);
        place = std::move(domains);
    }
    return place;
}

std::shared_ptr<const Domains> Domains::load_if_there(const std::filesystem::path& path) {
    try {
        return load(path);
    } catch (const Error&) {
        return std::make_shared<Domains>();
    }
}

std::string_view Domains::domain_of(std::string_view hostname) const {
    if (hostname.ends_with('.')) hostname.remove_suffix(1);
    if (!list_ || hostname.starts_with('[')) return hostname;  // '[': an IPv6 address.
    return list_->registrable_domain(hostname).value_or(hostname);
}

}  // namespace weft::crawl
