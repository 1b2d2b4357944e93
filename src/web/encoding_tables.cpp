#include "web/detail/encoding_tables.h"

namespace weft::web::detail {

#include "web/encoding_tables.gen.inc"

}  // namespace weft::web::detail
