#include "http/h2/h2_connection.h"

namespace weft::http {

H2Connection::H2Connection(aio::Stream stream, const H2Limits& limits)
    : channel_(std::make_shared<H2Channel>(std::move(stream), limits)),
      reader_(aio::create_task(H2Channel::read(channel_), "http2 reader")),
      writer_(aio::create_task(H2Channel::write(channel_), "http2 writer")) {}

H2Connection::~H2Connection() {
    // The tasks own the channel too, so it lives until both have ended.
    channel_->shut();
    reader_.cancel();
    writer_.cancel();
}

}  // namespace weft::http
