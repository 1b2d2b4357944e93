#include "cli/cluster/cluster_access.h"

#include <utility>

#include <fmt/format.h>

#include "aio/net/tls.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/shell_word.h"
#include "cluster/calls.h"

namespace weft::cli {

using aio::Co;

namespace {

constexpr Duration kConnectPatience = 5s;

}  // namespace

redis::Address cluster_address(const ClusterArguments& arguments) {
    if (arguments.url.empty()) {
        throw UsageError(
            "which crawl? Name it like redis://HOST:PORT/NAME, or set WEFT_CLUSTER to that");
    }
    auto address = redis::Address::parse(arguments.url);
    if (!address) {
        // Not the text itself: it may have a password.
        throw UsageError(fmt::format("--cluster: not an address of a crawl in Redis: {}",
                                     redis::describe(address.error())));
    }
    if (address->name.empty()) {
        throw UsageError(fmt::format("--cluster: the name of the crawl is missing; write {}/NAME",
                                     address->to_string()));
    }
    return *std::move(address);
}

redis::ConnectionOptions cluster_connection(const redis::Address& address,
                                            const ClusterArguments& arguments) {
    redis::ConnectionOptions options{.user = address.user, .password = address.password, .tls = {}};
    const bool has_files = !arguments.ca_file.empty() || !arguments.certificate.empty();
    if (has_files && !address.has_tls) {
        throw UsageError("--cluster-ca and --cluster-cert need an address with rediss://");
    }
    if (!address.has_tls) return options;
    options.tls = aio::TlsContext::client(
        {.ca_file = arguments.ca_file,
         .certificate_file = arguments.certificate,
         .key_file = arguments.key.empty() ? arguments.certificate : arguments.key});
    return options;
}

Co<std::unique_ptr<redis::Cluster>> connect_to(redis::Address address, ClusterArguments arguments) {
    auto cluster = std::make_unique<redis::Cluster>(
        address.nodes, redis::ClusterOptions{.connection = cluster_connection(address, arguments),
                                             .library = std::string(cluster::function_library()),
                                             .again = cluster::function_errors_to_repeat(),
                                             .patience = kConnectPatience});
    co_await cluster->connect();
    const bool has_replicas = cluster->slots()->replica_count_min() > 0;
    cluster->set_copies(has_replicas ? 1 : 0);
    co_return cluster;
}

Co<cluster::CrawlRecord> demand_crawl(redis::Cluster& cluster, redis::Address address) {
    std::optional<cluster::CrawlRecord> record =
        co_await cluster::find_crawl(cluster, address.name);
    if (!record) {
        throw UsageError(
            fmt::format("there is no crawl '{}' at {}; `weft crawl --cluster {} URL` "
                        "begins one",
                        address.name, address.to_string(), shell_word(address.to_string())));
    }
    if (record->format != cluster::kFormat) {
        throw UsageError(fmt::format(
            "the crawl '{}' has format {}, and this version of weft knows format {}: use the "
            "version that began it",
            address.name, record->format, cluster::kFormat));
    }
    co_return *std::move(record);
}

}  // namespace weft::cli
