#include "http/conditional.h"

#include "web/validator.h"

namespace weft::http {

Validators Validators::of(const Headers& response_headers) {
    Validators validators;
    if (const auto etag = response_headers.get("ETag")) {
        validators.etag = web::usable_etag(*etag).value_or("");
    }
    if (const auto date = response_headers.get("Last-Modified")) {
        validators.last_modified = web::usable_last_modified(*date).value_or("");
    }
    return validators;
}

void Validators::add_to(Headers& request_headers) const {
    if (!etag.empty()) request_headers.set("If-None-Match", etag);
    if (!last_modified.empty()) request_headers.set("If-Modified-Since", last_modified);
}

}  // namespace weft::http
