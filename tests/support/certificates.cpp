#include "support/certificates.h"

#include <cstdio>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdlib.h>

#include "base/assert.h"

namespace weft::tests {
namespace {

struct Deleter {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
    void operator()(X509* certificate) const { X509_free(certificate); }
    void operator()(X509_EXTENSION* extension) const { X509_EXTENSION_free(extension); }
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using Key = std::unique_ptr<EVP_PKEY, Deleter>;
using Certificate = std::unique_ptr<X509, Deleter>;

// Of two halves that are no primes.
Key make_sham_rsa(int bits) {
    struct Free {
        void operator()(BIGNUM* number) const { BN_free(number); }
        void operator()(BN_CTX* context) const { BN_CTX_free(context); }
        void operator()(OSSL_PARAM_BLD* builder) const { OSSL_PARAM_BLD_free(builder); }
        void operator()(OSSL_PARAM* params) const { OSSL_PARAM_free(params); }
        void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
    };
    using Number = std::unique_ptr<BIGNUM, Free>;
    const std::unique_ptr<BN_CTX, Free> context(BN_CTX_new());
    const Number p(BN_new()), q(BN_new()), n(BN_new()), e(BN_new()), three(BN_new());
    Number inverse;
    BN_set_word(e.get(), 65'537);
    BN_set_word(three.get(), 3);
    while (!inverse) {
        BN_rand(p.get(), bits - bits / 2, BN_RAND_TOP_TWO, BN_RAND_BOTTOM_ODD);
        BN_rand(q.get(), bits / 2, BN_RAND_TOP_TWO, BN_RAND_BOTTOM_ODD);
        inverse.reset(BN_mod_inverse(nullptr, q.get(), p.get(), context.get()));
    }
    BN_mul(n.get(), p.get(), q.get(), context.get());
    const std::unique_ptr<OSSL_PARAM_BLD, Free> builder(OSSL_PARAM_BLD_new());
    const auto set = [&](const char* name, const Number& number) {
        OSSL_PARAM_BLD_push_BN(builder.get(), name, number.get());
    };
    set(OSSL_PKEY_PARAM_RSA_N, n);
    set(OSSL_PKEY_PARAM_RSA_E, e);
    set(OSSL_PKEY_PARAM_RSA_D, three);
    set(OSSL_PKEY_PARAM_RSA_FACTOR1, p);
    set(OSSL_PKEY_PARAM_RSA_FACTOR2, q);
    set(OSSL_PKEY_PARAM_RSA_EXPONENT1, three);
    set(OSSL_PKEY_PARAM_RSA_EXPONENT2, three);
    set(OSSL_PKEY_PARAM_RSA_COEFFICIENT1, inverse);
    const std::unique_ptr<OSSL_PARAM, Free> params(OSSL_PARAM_BLD_to_param(builder.get()));
    const std::unique_ptr<EVP_PKEY_CTX, Free> making(
        EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr));
    EVP_PKEY* key = nullptr;
    EVP_PKEY_fromdata_init(making.get());
    EVP_PKEY_fromdata(making.get(), &key, EVP_PKEY_KEYPAIR, params.get());
    WEFT_ASSERT(key);
    return Key(key);
}

Key make_key(const CertificateOptions& options) {
    if (options.rsa_bits == 0) return Key(EVP_EC_gen("P-256"));
    if (options.rsa_bits > 4'096) return make_sham_rsa(options.rsa_bits);
    return Key(EVP_RSA_gen(static_cast<unsigned>(options.rsa_bits)));
}

void add_extension(X509* certificate, int kind, const std::string& value) {
    const std::unique_ptr<X509_EXTENSION, Deleter> extension(
        X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()));
    WEFT_ASSERT(extension);
    X509_add_ext(certificate, extension.get(), -1);
}

Certificate make_certificate(const std::string& name, EVP_PKEY* key,
                             const CertificateOptions& options) {
    static long serial = 0;
    Certificate certificate(X509_new());
    X509* x509 = certificate.get();
    X509_set_version(x509, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x509), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(x509), options.valid_from_seconds);
    X509_gmtime_adj(X509_getm_notAfter(x509), options.valid_until_seconds);
    X509_set_pubkey(x509, key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x509), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    return certificate;
}

std::string alternative_names(const CertificateOptions& options) {
    std::string names;
    if (!options.dns_name.empty()) names += "DNS:" + options.dns_name;
    if (!names.empty() && !options.ip_address.empty()) names += ",";
    if (!options.ip_address.empty()) names += "IP:" + options.ip_address;
    return names;
}

void add_name_with_nul(X509* certificate, const CertificateOptions& options) {
    std::string name = options.dns_name;
    name[options.nul_at] = '\0';
    GENERAL_NAMES* names = GENERAL_NAMES_new();
    GENERAL_NAME* entry = GENERAL_NAME_new();
    ASN1_IA5STRING* text = ASN1_IA5STRING_new();
    ASN1_STRING_set(text, name.data(), static_cast<int>(name.size()));
    GENERAL_NAME_set0_value(entry, GEN_DNS, text);
    sk_GENERAL_NAME_push(names, entry);
    X509_add1_ext_i2d(certificate, NID_subject_alt_name, names, 0, X509V3_ADD_REPLACE);
    GENERAL_NAMES_free(names);
}

void add_names(X509* certificate, const CertificateOptions& options) {
    const std::string names = alternative_names(options);
    if (names.empty()) return;
    if (options.nul_at == 0) {
        add_extension(certificate, NID_subject_alt_name, names);
    } else {
        add_name_with_nul(certificate, options);
    }
}

void sign(X509* certificate, X509* issuer, EVP_PKEY* key) {
    X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
    WEFT_ASSERT(X509_sign(certificate, key, EVP_sha256()) > 0);
}

void write_pem(const std::filesystem::path& path, X509* certificate, EVP_PKEY* key) {
    const std::unique_ptr<std::FILE, Deleter> file(std::fopen(path.c_str(), "w"));
    WEFT_ASSERT(file);
    PEM_write_X509(file.get(), certificate);
    if (key) PEM_write_PrivateKey(file.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
}

}  // namespace

struct TestAuthority::Keys {
    Key key{EVP_EC_gen("P-256")};
    Certificate certificate;
};

TestAuthority::TestAuthority() : keys_(std::make_unique<Keys>()) {
    std::string pattern = (std::filesystem::temp_directory_path() / "weft-ca-XXXXXX").string();
    WEFT_ASSERT(::mkdtemp(pattern.data()));
    folder_ = pattern;
    keys_->certificate = make_certificate("authority of " + pattern, keys_->key.get(), {});
    add_extension(keys_->certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
    sign(keys_->certificate.get(), keys_->certificate.get(), keys_->key.get());
    write_pem(ca_file(), keys_->certificate.get(), nullptr);
}

TestAuthority::~TestAuthority() {
    std::filesystem::remove_all(folder_);
}

std::filesystem::path TestAuthority::issue(const std::string& name,
                                           const CertificateOptions& options) {
    const Key key = make_key(options);
    const Certificate certificate = make_certificate(name, key.get(), options);
    add_names(certificate.get(), options);
    sign(certificate.get(), keys_->certificate.get(), keys_->key.get());
    write_pem(folder_ / (name + ".pem"), certificate.get(), key.get());
    return folder_ / (name + ".pem");
}

std::filesystem::path TestAuthority::self_signed(const std::string& name,
                                                 const CertificateOptions& options) {
    const Key key = make_key(options);
    const Certificate certificate = make_certificate(name, key.get(), options);
    add_names(certificate.get(), options);
    sign(certificate.get(), certificate.get(), key.get());
    write_pem(folder_ / (name + ".pem"), certificate.get(), key.get());
    return folder_ / (name + ".pem");
}

}  // namespace weft::tests
