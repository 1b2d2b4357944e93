#include <gtest/gtest.h>

#include "suites/conformance.h"
#include "web/url/page_query_encoder.h"
#include "web/url/url.h"

namespace weft::suites {
namespace {

TEST(UrlQuerySuite, QueriesAreWrittenInTheDocumentsEncoding) {
    WEFT_NEEDS_CONFORMANCE("url/percent-encoding.json");
    for (const auto& row : suites::rows("url/percent-encoding.json")) {
        for (const auto& [label, output] : row["output"].items()) {
            const web::PageQueryEncoder encoder(web::encoding_for_label(label).value());
            const auto url =
                web::Url::parse("https://x/?" + text(row["input"]), {.query_encoder = &encoder});

            EXPECT_EQ(url->search(), "?" + text(output)) << row << " in " << label;
        }
    }
}

}  // namespace
}  // namespace weft::suites
