#include "web/charset/encoding_tables.h"

namespace weft::web::detail {

#include "web/charset/encoding_tables.gen.inc"

}  // namespace weft::web::detail
