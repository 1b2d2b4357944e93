#pragma once

#include <string>

// A chain of three with P-256 keys, as most sites have: a root, an intermediate, a leaf for
// localhost.
namespace weft::bench {

class CertificateChain {
public:
    CertificateChain();
    ~CertificateChain();
    CertificateChain(const CertificateChain&) = delete;
    CertificateChain& operator=(const CertificateChain&) = delete;

    std::string root_file() const { return folder_ + "/root.pem"; }    // To be trusted.
    std::string chain_file() const { return folder_ + "/chain.pem"; }  // The leaf comes first.
    std::string key_file() const { return folder_ + "/leaf.key"; }

private:
    std::string folder_;
};

}  // namespace weft::bench
