#pragma once

#include "aio/net/endpoint.h"
#include "aio/net/tls.h"
#include "bench/aio/certificates.h"
#include "bench/process.h"

namespace weft::bench {

// A TLS server of ours in another process, on the server's core. Greets each client with one byte
// and waits until it closes.
class TlsGreeter {
public:
    TlsGreeter(const CertificateChain& chain, aio::TlsVersion version_max);

    aio::Endpoint endpoint() const { return endpoint_; }

private:
    Child child_;
    aio::Endpoint endpoint_;
};

// A client that trusts the chain and verifies it.
std::shared_ptr<aio::TlsContext> client_of(const CertificateChain& chain);

// Connects, shakes hands and reads the greeting: with TLS 1.3 the tickets come before it.
aio::Co<std::unique_ptr<aio::TlsTransport>> greet(aio::Endpoint endpoint,
                                                  std::shared_ptr<aio::TlsContext> context,
                                                  std::string resumption_key);

}  // namespace weft::bench
