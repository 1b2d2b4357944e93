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
    void operator()(GENERAL_NAMES* names) const { GENERAL_NAMES_free(names); }
    void operator()(BIGNUM* number) const { BN_free(number); }
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
    const std::string& common_name = options.common_name.empty() ? name : options.common_name;
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x509), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(common_name.data()),
                               static_cast<int>(common_name.size()), -1, 0);
    return certificate;
}

void add_name(GENERAL_NAMES* names, int kind, ASN1_STRING* value) {
    GENERAL_NAME* name = GENERAL_NAME_new();
    GENERAL_NAME_set0_value(name, kind, value);
    sk_GENERAL_NAME_push(names, name);
}

void add_names(X509* certificate, const CertificateOptions& options) {
    const std::unique_ptr<GENERAL_NAMES, Deleter> names(GENERAL_NAMES_new());
    if (!options.dns_name.empty()) {
        std::string dns_name = options.dns_name;
        if (options.nul_at > 0) dns_name[options.nul_at] = '\0';
        ASN1_STRING* text = ASN1_IA5STRING_new();
        ASN1_STRING_set(text, dns_name.data(), static_cast<int>(dns_name.size()));
        add_name(names.get(), GEN_DNS, text);
    }
    if (!options.ip_address.empty()) {
        add_name(names.get(), GEN_IPADD, a2i_IPADDRESS(options.ip_address.c_str()));
    }
    if (sk_GENERAL_NAME_num(names.get()) > 0) {
        X509_add1_ext_i2d(certificate, NID_subject_alt_name, names.get(), 0, X509V3_ADD_DEFAULT);
    }
    if (options.padding_bytes > 0) {
        add_extension(certificate, NID_netscape_comment, std::string(options.padding_bytes, 'x'));
    }
}

void sign(X509* certificate, X509* issuer, EVP_PKEY* key) {
    X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
    WEFT_ASSERT(X509_sign(certificate, key, EVP_sha256()) > 0);
}

// An RSA key of which only the size is right: nobody can sign with it.
Key giant_key(int bits) {
    const std::unique_ptr<BIGNUM, Deleter> modulus(BN_new());
    const std::unique_ptr<BIGNUM, Deleter> exponent(BN_new());
    BN_set_bit(modulus.get(), bits - 1);
    BN_set_bit(modulus.get(), 0);
    BN_set_word(exponent.get(), 65537);
    OSSL_PARAM_BLD* builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM_BLD_push_BN(builder, "n", modulus.get());
    OSSL_PARAM_BLD_push_BN(builder, "e", exponent.get());
    OSSL_PARAM* parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX* context = EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr);
    EVP_PKEY* key = nullptr;
    EVP_PKEY_fromdata_init(context);
    WEFT_ASSERT(EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) > 0);
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    return Key(key);
}

void write_pem(const std::filesystem::path& path, X509* certificate, EVP_PKEY* key) {
    const std::unique_ptr<std::FILE, Deleter> file(std::fopen(path.c_str(), "w"));
    WEFT_ASSERT(file);
    PEM_write_X509(file.get(), certificate);
    if (key) PEM_write_PrivateKey(file.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
}

void append_pem(const std::filesystem::path& path, X509* certificate) {
    const std::unique_ptr<std::FILE, Deleter> file(std::fopen(path.c_str(), "a"));
    WEFT_ASSERT(file);
    PEM_write_X509(file.get(), certificate);
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
    const std::filesystem::path path = folder_ / (name + ".pem");
    if (options.giant_issuer_bits > 0) {
        const Key giant = giant_key(options.giant_issuer_bits);
        const Certificate issuer = make_certificate("giant", giant.get(), {});
        add_extension(issuer.get(), NID_basic_constraints, "critical,CA:TRUE");
        sign(issuer.get(), keys_->certificate.get(), keys_->key.get());
        sign(certificate.get(), issuer.get(), keys_->key.get());
        write_pem(path, certificate.get(), key.get());
        append_pem(path, issuer.get());
        return path;
    }
    sign(certificate.get(), keys_->certificate.get(), keys_->key.get());
    write_pem(path, certificate.get(), key.get());
    return path;
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
