// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOSSL

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The certificate and the key of a server. Errors say which file is wrong and why.
enum TLSFiles {
    /// Those of TLS 1.2 that HTTP/2 allows (RFC 9113, appendix A): keys are agreed upon for each connection, and content is encrypted and
    /// authenticated in one. TLS 1.3 has no others.
    static let ciphers: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
        .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    static func context(_ files: RPCServerConfiguration.TLS) throws(RPCStatus) -> NIOSSLContext {
        try checkReadable(files.certificateFile, "certificate")
        try checkReadable(files.keyFile, "private key")
        let chain = try certificates(files.certificateFile)
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(file: files.keyFile, format: .pem)
        } catch {
            throw RPCStatus(
                .invalidArgument,
                "\(files.keyFile) does not hold a private key in PEM format; give a file that begins with -----BEGIN PRIVATE KEY-----, "
                    + "without a password")
        }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        tls.applicationProtocols = ["h2", "http/1.1"]
        tls.minimumTLSVersion = .tlsv12
        tls.cipherSuiteValues = Self.ciphers
        // What is left of the time after SIGTERM must suffice for clients that do not answer.
        tls.shutdownTimeout = .seconds(1)
        do {
            return try NIOSSLContext(configuration: tls)
        } catch {
            throw RPCStatus(
                .invalidArgument,
                "the key in \(files.keyFile) does not belong to the first certificate in \(files.certificateFile); give the server's own "
                    + "certificate first, and its key")
        }
    }

    private static func certificates(_ path: String) throws(RPCStatus) -> [NIOSSLCertificate] {
        if let chain = try? NIOSSLCertificate.fromPEMFile(path), !chain.isEmpty { return chain }
        throw RPCStatus(
            .invalidArgument,
            "\(path) does not hold a certificate in PEM format; give a file that begins with -----BEGIN CERTIFICATE-----")
    }

    private static func checkReadable(_ path: String, _ what: String) throws(RPCStatus) {
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
            throw RPCStatus(
                .invalidArgument, "the file of the \(what), \(path), cannot be read: \(String(cString: strerror(errno))); name a PEM file")
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw RPCStatus(.invalidArgument, "the file of the \(what), \(path), is a directory; name a PEM file")
        }
    }
}
