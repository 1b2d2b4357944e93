#include "aio/net/tls.h"

#include <algorithm>

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "aio/net/tls_context.h"
#include "aio/task/errors.h"
#include "aio/task/task.h"
#include "base/assert.h"
#include "base/limits.h"

namespace weft::aio {
namespace {

using detail::OpenSslContext;
using detail::SslDeleter;
using detail::take_ssl_errors;

class OpenSslTransport;
BIO* make_bio(OpenSslTransport& owner);

class OpenSslTransport final : public TlsTransport {
public:
    OpenSslTransport(std::unique_ptr<Transport> inner, std::shared_ptr<TlsContext> context)
        : inner_(std::move(inner)),
          context_(std::static_pointer_cast<OpenSslContext>(std::move(context))),
          ssl_(SSL_new(context_->get())) {
        WEFT_ASSERT(ssl_);
        BIO* bio = make_bio(*this);
        SSL_set_bio(ssl_, bio, bio);
    }

    // Members are destroyed after this: the task of ending_ must not reach them.
    ~OpenSslTransport() override {
        stop_ending();
        // Without this OpenSSL considers the session broken and never resumes it.
        SSL_set_shutdown(ssl_, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
        SSL_free(ssl_);
    }

    void prepare_client(TlsClientSession session) {
        key_ = std::move(session.resumption_key);
        host_ = std::move(session.host);
        // Certificates name hosts without the final dot.
        if (host_.ends_with('.')) host_.pop_back();
        SSL_set_app_data(ssl_, &key_);
        SSL_set_ex_data(ssl_, owner_index(), this);
        SSL_set_verify(ssl_, SSL_get_verify_mode(ssl_), note_refused);
        SSL_set_connect_state(ssl_);
        // SNI carries only names, never addresses (RFC 6066, section 3).
        if (const auto address = IpAddress::parse(host_)) {
            X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_), host_.c_str());
        } else {
            SSL_set_tlsext_host_name(ssl_, host_.c_str());
            // Only the subject alternative names count, not the subject (RFC 9525).
            SSL_set_hostflags(
                ssl_, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
            SSL_set1_host(ssl_, host_.c_str());
        }
        const std::string alpn = detail::alpn_wire(session.alpn);
        SSL_set_alpn_protos(ssl_, reinterpret_cast<const unsigned char*>(alpn.data()),
                            static_cast<unsigned>(alpn.size()));
        if (key_.empty()) return;
        // A session taken here may be refused by the server; then a full handshake follows.
        if (const auto resumable = context_->sessions().take(key_)) {
            SSL_set_session(ssl_, resumable.get());
        }
    }

    void prepare_server() { SSL_set_accept_state(ssl_); }

    Co<> handshake() {
        while (would_block(try_handshake())) co_await until_readable();
    }

    IoResult try_handshake() override {
        ERR_clear_error();
        const int result = SSL_do_handshake(ssl_);
        if (result != 1) {
            const int error = SSL_get_error(ssl_, result);
            read_wants_write_ = error == SSL_ERROR_WANT_WRITE;
            if (!read_wants_write_ && error != SSL_ERROR_WANT_READ) throw_handshake_failure();
            return std::unexpected(std::make_error_code(std::errc::operation_would_block));
        }
        read_wants_write_ = false;
        // This is checked even if the session verifies nothing.
        if (SSL_get_verify_result(ssl_) == detail::kHugeKeyVerdict) throw_handshake_failure();
        // From here on handshake messages are late ones; see on_message().
        SSL_set_msg_callback(ssl_, on_message);
        SSL_set_msg_callback_arg(ssl_, this);
        return 0;
    }

    IoResult read(std::span<char> room) override {
        // The end could not be sent before; a read gives it another chance.
        if (end_waits_) [[unlikely]]
            shutdown_write();
        read_wants_write_ = false;
        ERR_clear_error();
        std::size_t count = 0;
        const int result = SSL_read_ex(ssl_, room.data(), room.size(), &count);
        if (result == 1) {
            received_ += count;
            return count;
        }
        return no_bytes(result, read_wants_write_, SSL_ERROR_WANT_WRITE);
    }

    IoResult write(std::string_view bytes) override {
        write_wants_read_ = false;
        ERR_clear_error();
        std::size_t count = 0;
        const int result = SSL_write_ex(ssl_, bytes.data(), bytes.size(), &count);
        if (result == 1) return count;
        return no_bytes(result, write_wants_read_, SSL_ERROR_WANT_READ);
    }

    IoWait until_readable() override {
        return read_wants_write_ ? wait_inner_writable() : inner_->until_readable();
    }
    IoWait until_writable() override {
        return write_wants_read_ ? inner_->until_readable() : wait_inner_writable();
    }

    // If the connection takes nothing now, a task sends the end later. Otherwise both sides could
    // wait for each other.
    void shutdown_write() override {
        if (is_ending()) return;
        end_waits_ = would_block(send_end());
        if (!end_waits_) return;
        auto self = std::make_shared<OpenSslTransport*>(this);
        ending_ = create_task(send_end_later(self), "end of a TLS session");
        ending_self_ = std::move(self);
    }
    IoResult try_shutdown_write() override {
        stop_ending();
        end_waits_ = false;
        return send_end();
    }

    IoResult send_end() {
        ERR_clear_error();
        write_wants_read_ = false;
        const int result = SSL_shutdown(ssl_);
        // SSL_shutdown() returns 0 when our end is sent but the peer's has not come: that is enough
        // here.
        if (result < 0 && SSL_get_error(ssl_, result) == SSL_ERROR_WANT_WRITE) {
            return std::unexpected(std::make_error_code(std::errc::operation_would_block));
        }
        ERR_clear_error();
        return inner_->try_shutdown_write();
    }

    Endpoint local() const override { return inner_->local(); }
    Endpoint peer() const override { return inner_->peer(); }
    std::string peer_name() const override { return inner_->peer_name(); }
    std::string_view protocol() const override { return SSL_get_version(ssl_); }
    std::string_view cipher() const override {  // By its IANA name, which WARC records use.
        return SSL_CIPHER_standard_name(SSL_get_current_cipher(ssl_));
    }
    bool is_resumed() const override { return SSL_session_reused(ssl_) == 1; }
    bool ended_cleanly() const override { return SSL_get_shutdown(ssl_) & SSL_RECEIVED_SHUTDOWN; }
    std::string_view alpn() const override {
        const unsigned char* chosen = nullptr;
        unsigned length = 0;
        SSL_get0_alpn_selected(ssl_, &chosen, &length);
        return {reinterpret_cast<const char*>(chosen), length};
    }

    // The two directions of the BIO: OpenSSL's bytes go through the inner transport.
    int bio_read(BIO* bio, std::span<char> room) {
        if (is_flooded_) {  // OpenSSL would go on reading as long as such messages come.
            return bio_result(bio, std::unexpected(std::make_error_code(std::errc::protocol_error)),
                              BIO_FLAGS_READ);
        }
        const IoResult result = inner_->read(room);
        if (result && *result == 0) inner_ended_ = true;
        return bio_result(bio, result, BIO_FLAGS_READ);
    }
    int bio_write(BIO* bio, std::string_view bytes) {
        const IoResult result = inner_->write(bytes);
        return bio_result(bio, result, BIO_FLAGS_WRITE);
    }

private:
    // Only one task may wait for a side. The caller takes over from the ending task, and its next
    // read sends the end.
    IoWait wait_inner_writable() {
        stop_ending();
        return inner_->until_writable();
    }

    static Co<> send_end_later(std::shared_ptr<OpenSslTransport*> self) {
        try {
            do {
                co_await (*self)->inner_->until_writable();
            } while (*self && would_block((*self)->send_end()));
        } catch (const IoError&) {
            // It was closed in the meantime: no end has to be sent.
        }
        if (*self) (*self)->end_waits_ = false;
    }

    bool is_ending() const { return ending_self_ && !ending_.done(); }
    void stop_ending() noexcept {
        if (!ending_self_) return;
        *std::exchange(ending_self_, nullptr) = nullptr;
        if (!ending_.done()) ending_.cancel();
    }

    // Counts handshake messages after the handshake (H58): tickets, key updates and hello requests.
    // A normal peer sends few; a flood of them only keeps us busy.
    static void on_message(int is_ours, int, int type, const void*, std::size_t, SSL*, void* self) {
        if (is_ours || type != SSL3_RT_HANDSHAKE) return;
        auto& transport = *static_cast<OpenSslTransport*>(self);
        const std::size_t allowed =
            limits::kTlsLateMessagesMax + transport.received_ / limits::kBytesPerTlsLateMessage;
        if (++transport.late_messages_ > allowed) transport.is_flooded_ = true;
    }

    int bio_result(BIO* bio, const IoResult& result, int direction) {
        BIO_clear_retry_flags(bio);
        if (result) return static_cast<int>(*result);
        if (would_block(result)) {
            BIO_set_flags(bio, direction | BIO_FLAGS_SHOULD_RETRY);
        } else {
            inner_error_ = result.error();
        }
        return -1;
    }

    // `crossed` records that the call waits for the other direction: TLS may have to write before
    // it can read on, and the other way round.
    IoResult no_bytes(int result, bool& crossed, int crossing) {
        const int error = SSL_get_error(ssl_, result);
        if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
            crossed = error == crossing;
            return std::unexpected(std::make_error_code(std::errc::operation_would_block));
        }
        if (error == SSL_ERROR_ZERO_RETURN) return 0;
        if (inner_error_) return std::unexpected(inner_error_);
        // The peer ended without close_notify. That is not a failure of the session, which may be
        // resumed; ended_cleanly() tells the difference.
        if (inner_ended_) return 0;
        return std::unexpected(std::make_error_code(std::errc::protocol_error));
    }

    [[noreturn]] void throw_handshake_failure() {
        const std::string name = host_.empty() ? peer_name() : host_;
        if (inner_error_) {
            throw IoError(fmt::format("TLS handshake with {}", name), inner_error_);
        }
        const unsigned long code = ERR_peek_error();
        const int reason = ERR_GET_REASON(code);
        const long verdict = SSL_get_verify_result(ssl_);
        TlsFailure failure = TlsFailure::protocol;
        std::string detail;
        if (verdict != X509_V_OK) {
            failure = failure_of(verdict);
            detail = certificate_detail(failure, verdict);
        } else if (reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_HTTP_REQUEST ||
                   reason == SSL_R_PACKET_LENGTH_TOO_LONG ||
                   reason == SSL_R_BAD_PROTOCOL_VERSION_NUMBER) {
            // These are the errors when the peer answers in plain HTTP or another protocol.
            failure = TlsFailure::not_tls;
        } else if (code == 0 || reason == SSL_R_UNEXPECTED_EOF_WHILE_READING) {
            failure = TlsFailure::closed;
        } else {
            detail = ": " + take_ssl_errors();
        }
        ERR_clear_error();
        throw TlsError(failure, name, fmt::format("{}{}", describe(failure), detail));
    }

    static TlsFailure failure_of(long verdict) {
        switch (verdict) {
            case X509_V_ERR_CERT_HAS_EXPIRED: return TlsFailure::expired;
            case X509_V_ERR_CERT_NOT_YET_VALID: return TlsFailure::not_yet_valid;
            case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return TlsFailure::self_signed;
            case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
            case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
            case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
            case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE: return TlsFailure::unknown_issuer;
            case X509_V_ERR_HOSTNAME_MISMATCH:
            case X509_V_ERR_IP_ADDRESS_MISMATCH: return TlsFailure::wrong_name;
            default: return TlsFailure::bad_certificate;
        }
    }

    // The session does not keep a refused certificate, so its date is recorded during verification.
    static int note_refused(int is_good, X509_STORE_CTX* verification) {
        const int index = SSL_get_ex_data_X509_STORE_CTX_idx();
        auto* ssl = static_cast<SSL*>(X509_STORE_CTX_get_ex_data(verification, index));
        const X509* refused = X509_STORE_CTX_get_current_cert(verification);
        if (is_good || !ssl || !refused) return is_good;
        const bool is_early =
            X509_STORE_CTX_get_error(verification) == X509_V_ERR_CERT_NOT_YET_VALID;
        auto* self = static_cast<OpenSslTransport*>(SSL_get_ex_data(ssl, owner_index()));
        ASN1_TIME_to_tm(is_early ? X509_get0_notBefore(refused) : X509_get0_notAfter(refused),
                        &self->refused_date_);
        return is_good;
    }

    static int owner_index() {
        static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
        return index;
    }

    // Adds the date or OpenSSL's reason to the description of the failure.
    std::string certificate_detail(TlsFailure failure, long verdict) const {
        if (verdict == detail::kHugeKeyVerdict) {
            return fmt::format(": a key of more than {} bits", limits::kCertificateKeyBitsMax);
        }
        if (failure == TlsFailure::expired || failure == TlsFailure::not_yet_valid) {
            return fmt::format(
                "{} {:04}-{:02}-{:02}", failure == TlsFailure::expired ? " on" : " before",
                refused_date_.tm_year + 1900, refused_date_.tm_mon + 1, refused_date_.tm_mday);
        }
        if (failure != TlsFailure::bad_certificate) return "";
        return fmt::format(": {}", X509_verify_cert_error_string(verdict));
    }

    std::unique_ptr<Transport> inner_;
    std::shared_ptr<OpenSslContext> context_;
    SSL* ssl_;
    std::string key_;
    std::string host_;
    std::error_code inner_error_;
    std::size_t received_ = 0;
    std::size_t late_messages_ = 0;
    bool is_flooded_ = false;
    tm refused_date_{};
    // Shared with the task of ending_. The pointer in it is null when the task must not use this
    // object any more.
    std::shared_ptr<OpenSslTransport*> ending_self_;
    Task<> ending_;
    bool end_waits_ = false;
    bool inner_ended_ = false;
    bool read_wants_write_ = false;
    bool write_wants_read_ = false;
};

BIO_METHOD* bio_method() {
    static BIO_METHOD* const method = [] {
        BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "transport");
        BIO_meth_set_read(made, [](BIO* bio, char* room, int size) {
            auto* owner = static_cast<OpenSslTransport*>(BIO_get_data(bio));
            return owner->bio_read(bio, {room, static_cast<std::size_t>(size)});
        });
        BIO_meth_set_write(made, [](BIO* bio, const char* bytes, int size) {
            auto* owner = static_cast<OpenSslTransport*>(BIO_get_data(bio));
            return owner->bio_write(bio, {bytes, static_cast<std::size_t>(size)});
        });
        // OpenSSL flushes after each message; the transport has nothing to flush.
        BIO_meth_set_ctrl(made, [](BIO*, int command, long, void*) -> long {
            return command == BIO_CTRL_FLUSH ? 1 : 0;
        });
        return made;
    }();
    return method;
}

BIO* make_bio(OpenSslTransport& owner) {
    BIO* bio = BIO_new(bio_method());
    BIO_set_data(bio, &owner);
    BIO_set_init(bio, 1);
    return bio;
}

}  // namespace

Co<std::unique_ptr<TlsTransport>> tls_connect(std::unique_ptr<Transport> transport,
                                              std::shared_ptr<TlsContext> context,
                                              TlsClientSession session) {
    auto tls = std::make_unique<OpenSslTransport>(std::move(transport), std::move(context));
    tls->prepare_client(std::move(session));
    co_await tls->handshake();
    co_return std::move(tls);
}

std::unique_ptr<TlsTransport> make_tls_client(std::unique_ptr<Transport> transport,
                                              std::shared_ptr<TlsContext> context,
                                              TlsClientSession session) {
    auto tls = std::make_unique<OpenSslTransport>(std::move(transport), std::move(context));
    tls->prepare_client(std::move(session));
    return tls;
}

Co<std::unique_ptr<TlsTransport>> tls_accept(std::unique_ptr<Transport> transport,
                                             std::shared_ptr<TlsContext> context) {
    auto tls = std::make_unique<OpenSslTransport>(std::move(transport), std::move(context));
    tls->prepare_server();
    co_await tls->handshake();
    co_return std::move(tls);
}

}  // namespace weft::aio
