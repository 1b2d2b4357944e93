#pragma once

#include <filesystem>
#include <memory>

#include "aio/files/file_descriptor.h"
#include "aio/net/network.h"
#include "aio/net/stream.h"
#include "aio/task/co.h"

// Connections between processes of one machine, named by a path. They have no Endpoint: peer() and
// local() of their streams return 0.0.0.0:0.
namespace weft::aio {

// Throws IoError, naming the path. If it is cancelled, the socket is closed.
Co<Stream> open_unix_connection(std::filesystem::path path);

// Listens on `path`, which must not exist. The listener's destructor removes it. Throws IoError.
std::unique_ptr<Listener> listen_unix(const std::filesystem::path& path,
                                      ListenOptions options = {});

// Two connected streams: what is written to one can be read from the other.
struct StreamPair {
    Stream first;
    Stream second;
};
StreamPair make_stream_pair();

namespace detail {
// A connected stream over a socket that is already open.
Stream adopt_socket(FileDescriptor fd, std::string name);
}  // namespace detail

}  // namespace weft::aio
