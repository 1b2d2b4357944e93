#include "bench/aio/certificates.h"

#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/error.h"
#include "bench/process.h"

namespace weft::bench {
namespace {

struct Certificate {
    std::string name;
    std::string issuer;  // Empty: itself.
    std::vector<std::string> extensions;
};

void make(const std::string& folder, const Certificate& certificate) {
    const auto file = [&](std::string_view name, std::string_view ending) {
        return fmt::format("{}/{}.{}", folder, name, ending);
    };
    std::vector<std::string> command{"sh", "-c", "exec openssl req -x509 \"$@\" 2>/dev/null", "sh"};
    const auto add = [&](std::initializer_list<std::string> words) {
        command.insert(command.end(), words);
    };
    add({"-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30"});
    add({"-subj", "/CN=" + certificate.name, "-keyout", file(certificate.name, "key")});
    add({"-out", file(certificate.name, "pem")});
    for (const std::string& extension : certificate.extensions) add({"-addext", extension});
    if (!certificate.issuer.empty()) {
        add({"-CA", file(certificate.issuer, "pem"), "-CAkey", file(certificate.issuer, "key")});
    }
    if (!Child(command).wait().ok) throw Error("openssl could not make a certificate");
}

}  // namespace

CertificateChain::CertificateChain() {
    folder_ = (std::filesystem::temp_directory_path() / "weft-chain-XXXXXX").string();
    WEFT_ASSERT(::mkdtemp(folder_.data()));
    make(folder_, {"root", "", {"keyUsage=keyCertSign"}});
    make(folder_, {"intermediate", "root", {"keyUsage=keyCertSign"}});
    make(folder_, {"leaf",
                   "intermediate",
                   {"basicConstraints=critical,CA:FALSE", "subjectAltName=DNS:localhost"}});
    std::ofstream chain(chain_file());
    for (const std::string_view name : {"leaf", "intermediate"}) {
        chain << std::ifstream(fmt::format("{}/{}.pem", folder_, name)).rdbuf();
    }
}

CertificateChain::~CertificateChain() {
    std::filesystem::remove_all(folder_);
}

}  // namespace weft::bench
