#include <boost/url.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/figure.h"
#include "bench/web/corpus.h"
#include "web/url/url.h"

// Boost.URL follows RFC 3986, not the browsers' standard: it refuses what pages really hold and
// neither lowers hosts nor removes dot segments in parsing. It stands here as a fast neighbour, not
// as one that does the same work.
namespace weft::bench {
namespace {

std::size_t parse_ours(const std::vector<std::string>& texts) {
    std::size_t sum = 0;
    for (const std::string& text : texts) {
        if (const auto url = web::Url::parse(text)) sum += url->href().size();
    }
    return sum;
}

// Parsed, made normal and kept as a value of its own, as a crawler has to.
std::size_t parse_theirs(const std::vector<std::string>& texts) {
    std::size_t sum = 0;
    for (const std::string& text : texts) {
        if (const auto view = boost::urls::parse_uri_reference(text)) {
            boost::urls::url url(*view);
            url.normalize();
            sum += url.size();
        }
    }
    return sum;
}

std::size_t view_theirs(const std::vector<std::string>& texts) {
    std::size_t sum = 0;
    for (const std::string& text : texts) {
        if (const auto view = boost::urls::parse_uri_reference(text)) sum += view->size();
    }
    return sum;
}

void measure() {
    const std::vector<std::string> texts = urls();
    const auto count = static_cast<double>(texts.size());
    std::size_t sum = 0;
    const double ours = best_cpu_seconds(5, [&] { sum += parse_ours(texts); });
    const double normal = best_cpu_seconds(3, [&] { sum += parse_theirs(texts); });
    const double view = best_cpu_seconds(3, [&] { sum += view_theirs(texts); });
    if (sum == 0) std::abort();
    figure("URL parse, Boost.URL's with normalize", count / normal / 1e6, "M/s");
    figure("URL parse, times Boost.URL's with normalize", normal / ours, "x");
    figure("URL parse, times Boost.URL's bare view", view / ours, "x");
}

}  // namespace
}  // namespace weft::bench

int main() {
    weft::bench::measure();
}
