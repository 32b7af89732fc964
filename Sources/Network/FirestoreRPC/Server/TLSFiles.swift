// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
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
