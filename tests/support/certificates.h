#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace weft::tests {

struct CertificateOptions {
    std::string dns_name = "localhost";    // Empty: no name. Any bytes, NUL too.
    std::string ip_address = "127.0.0.1";  // Empty: no address.
    long valid_from_seconds = -3600;       // From now.
    long valid_until_seconds = 3600;

    // 0: a P-256 key. Above 4,096 the key is one in looks only, as a real one takes minutes: what
    // it signs no one can verify.
    int rsa_bits = 0;

    std::size_t nul_at = 0;         // Where dns_name has a NUL instead of what it says; 0: nowhere.
    std::string common_name = {};   // Empty: the name of the file.
    std::size_t padding_bytes = 0;  // Of a comment that nobody needs.
    int giant_issuer_bits = 0;      // Sends along an issuer whose RSA key has so many bits.
};

// A private authority in a folder of its own: ca.pem to trust, and certificates with their keys.
class TestAuthority {
public:
    TestAuthority();
    ~TestAuthority();

    std::filesystem::path ca_file() const { return folder_ / "ca.pem"; }

    // The path of a PEM file with a key and the certificate signed by this authority.
    std::filesystem::path issue(const std::string& name, const CertificateOptions& options = {});

    // The same, signed by its own key.
    std::filesystem::path self_signed(const std::string& name,
                                      const CertificateOptions& options = {});

private:
    struct Keys;

    std::filesystem::path folder_;
    std::unique_ptr<Keys> keys_;
};

}  // namespace weft::tests
