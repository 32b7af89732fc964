// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOPosix
import NIOSSL

/// Explains why there is no connection, and the remedy.
///
/// Failures that only a person can correct (an untrusted certificate, a server of another protocol) are `failedPrecondition`,
/// because trying again gives the same result. All others may be transient and are `unavailable`.
struct ConnectionFailure {
    let address: RPCAddress
    let usesTLS: Bool
    let trustFile: String?

    /// No connection was established.
    func unreachable(_ error: any Error) -> RPCStatus {
        RPCStatus(.unavailable, "\(address) cannot be reached: \(reason(for: error))", progress: .notConnected)
    }

    private func reason(for error: any Error) -> String {
        guard let error = error as? NIOConnectionError else { return "\(error)" }
        if error.connectionErrors.isEmpty, error.dnsAError != nil || error.dnsAAAAError != nil {
            return "the name \(address.host) cannot be resolved"
        }
        let reasons = error.connectionErrors.map { failure -> String in
            switch failure.error {
            // ECONNREFUSED
            case let refused as IOError where refused.errnoCode == 111: "connection refused; is the server running, and on this port?"
            case ChannelError.connectTimeout(let patience): "no answer within \(patience.nanoseconds / 1_000_000_000) s"
            case let other: "\(other)"
            }
        }
        return reasons.first ?? "\(error)"
    }

    /// A connection was established and broke. `hasBegun`: calls may have been sent.
    func broken(_ error: any Error, hasBegun: Bool) -> RPCStatus {
        if let foreign = error as? ForeignGreeting { return mistaken(foreign.message(from: address)) }
        if !hasBegun, let status = untrusted(error) { return status }
        return RPCStatus(
            .unavailable, "the connection to \(address) broke: \(error)", progress: hasBegun ? .unknown : .notConnected)
    }

    /// The connection was closed. `hasHeard`: the peer has spoken HTTP/2.
    func closed(hasHeard: Bool, hasBegun: Bool) -> RPCStatus {
        guard !hasHeard else { return RPCStatus(.unavailable, "the connection to \(address) was lost", progress: .unknown) }
        let hint = usesTLS ? "is it a gRPC server?" : "does it expect TLS (settings.isSSLEnabled), or is it not a gRPC server?"
        return RPCStatus(
            .unavailable, "\(address) closed the connection before it said anything; \(hint)",
            progress: hasBegun ? .unknown : .notConnected)
    }

    private func mistaken(_ message: String) -> RPCStatus { RPCStatus(.failedPrecondition, message, progress: .notConnected) }

    /// The status for an error during the TLS handshake.
    private func untrusted(_ error: any Error) -> RPCStatus? {
        switch error {
        case let error as NIOSSLExtraError where error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch:
            return mistaken(
                "the certificate of \(address) is for another host: connect under a name that the certificate contains "
                    + "(settings.host), or add the name to the certificate (subjectAltName)")
        case NIOSSLError.unableToValidateCertificate, NIOSSLError.noCertificateToValidate:
            return mistaken(distrust)
        case NIOSSLError.handshakeFailed(let reason):
            let text = "\(reason)"
            if text.contains("CERTIFICATE_VERIFY_FAILED") { return mistaken(distrust) }
            if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") || text.contains("UNEXPECTED_MESSAGE") {
                return mistaken(
                    "\(address) does not speak TLS: set settings.isSSLEnabled = false for a plain-text server, or connect to its "
                        + "encrypted port")
            }
            if text.contains("EOF during") {
                return RPCStatus(
                    .unavailable, "\(address) closed the connection during the TLS handshake; does it speak TLS?",
                    progress: .notConnected)
            }
            return mistaken("the TLS handshake with \(address) failed: \(text)")
        default:
            return nil
        }
    }

    private var distrust: String {
        let trusted = trustFile.map { "none of the certificates in \($0) issued it" } ?? "no authority trusted by the system issued it"
        return "the certificate of \(address) is not trusted: \(trusted), or it has expired; for a server with a "
            + "private certificate authority, name the file with the certificate to trust (settings.trustedCertificates)"
    }
}
