// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import Foundation
import TestSupport
import Testing

/// TLS with a certificate made for the test.
@Suite(.timeLimit(.minutes(2)))
struct TLSTests {
    /// A self-signed certificate for localhost, in a separate directory.
    private func makeCertificate(
        _ openssl: ExternalProgram, _ kind: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    ) async throws -> (folder: URL, files: RPCServerConfiguration.TLS) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rpc-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (certificate, key) = (folder.appendingPathComponent("cert.pem").path, folder.appendingPathComponent("key.pem").path)
        let made = try await openssl.run([
            "req", "-x509", "-newkey"] + kind + ["-nodes", "-days", "2", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
        ])
        try #require(made.code == 0, "\(made.output)")
        return (folder, RPCServerConfiguration.TLS(certificateFile: certificate, keyFile: key))
    }

    @Test func `gRPC and HTTP over TLS, by ALPN`() async throws {
        guard let openssl = ExternalProgram.find("openssl") else { return }
        let (folder, files) = try await makeCertificate(openssl)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = RPCServer(configuration: RPCServerConfiguration(tls: files), service: EchoService(), http: EchoHTTP())
        let address = try await server.start()
        let trust = RPCClientConfiguration.TLS(trustFile: files.certificateFile, serverName: "localhost")
        let channel = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port, tls: trust))
        #expect(try await channel.unary("/test.Echo/Unary", [1, 2], metadata: RPCMetadata(), deadline: nil).array == [1, 2])
        await channel.shutdown()

        let stranger = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port, tls: .init()))
        let failure = await #expect(throws: RPCStatus.self) {
            try await stranger.unary("/test.Echo/Unary", [], metadata: RPCMetadata(), deadline: nil)
        }
        #expect(failure?.code == .failedPrecondition && failure?.message.contains("not trusted") == true)
        await stranger.shutdown()

        let refused = await #expect(throws: HTTPFetchError.self) {
            try await HTTPFetch.run(HTTPQuestion(address, usesTLS: true), patience: .seconds(20))
        }
        #expect(refused?.description == "its certificate is not trusted")

        if let curl = ExternalProgram.find("curl") {
            for version in ["--http1.1", "--http2"] {
                let result = try await curl.run([
                    "-sS", version, "-m", "20", "--cacert", files.certificateFile, "--resolve", "localhost:\(address.port):127.0.0.1",
                    "https://localhost:\(address.port)/page",
                ])
                #expect(result.output == "GET /page [] 0")
            }
        }
        await server.shutdown(grace: .zero)
    }

    @Test(arguments: [
        ("ECDHE-RSA-AES128-GCM-SHA256", true), ("ECDHE-RSA-CHACHA20-POLY1305", true),
        // RSA key exchange, and CBC.
        ("AES128-GCM-SHA256", false), ("AES256-SHA", false), ("ECDHE-RSA-AES128-SHA", false), ("ECDHE-RSA-AES256-SHA384", false),
    ])
    func `only ciphers that HTTP/2 allows are offered for TLS 1.2`(cipher: String, isOffered: Bool) async throws {
        guard let openssl = ExternalProgram.find("openssl") else { return }
        let (folder, files) = try await makeCertificate(openssl, ["rsa:2048"])
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = RPCServer(configuration: RPCServerConfiguration(tls: files), service: EchoService())
        let address = try await server.start()
        let result = try await openssl.run([
            "s_client", "-connect", "127.0.0.1:\(address.port)", "-tls1_2", "-cipher", "\(cipher):@SECLEVEL=0", "-brief",
        ])
        #expect((result.code == 0) == isOffered, "\(result.output)")
        await server.shutdown(grace: .zero)
    }

    @Test func `files that are missing or hold something else are named, with what to do`() async throws {
        let folder = try ScratchFolder()
        let text = try folder.file("text.pem", "This is not PEM.")
        func failure(_ certificate: String, _ key: String) async -> String {
            let files = RPCServerConfiguration.TLS(certificateFile: certificate, keyFile: key)
            let server = RPCServer(configuration: RPCServerConfiguration(tls: files), service: EchoService())
            let failure = await #expect(throws: RPCStatus.self) { try await server.start() }
            #expect(failure?.code == .invalidArgument)
            return failure?.message ?? ""
        }
        #expect(await failure("/nowhere/cert.pem", text) == "the file of the certificate, /nowhere/cert.pem, cannot be read: No such file or directory; name a PEM file")
        #expect(await failure(text, "/nowhere/key.pem").hasPrefix("the file of the private key, /nowhere/key.pem, cannot be read"))
        #expect(await failure(folder.path, text).contains("is a directory"))
        #expect(await failure(text, text).hasPrefix("\(text) does not hold a certificate in PEM format"))
        guard let openssl = ExternalProgram.find("openssl") else { return }
        let (one, files) = try await makeCertificate(openssl)
        defer { try? FileManager.default.removeItem(at: one) }
        let (another, others) = try await makeCertificate(openssl)
        defer { try? FileManager.default.removeItem(at: another) }
        #expect(await failure(files.certificateFile, text).hasPrefix("\(text) does not hold a private key in PEM format"))
        #expect(await failure(files.certificateFile, others.keyFile).contains("does not belong to the first certificate"))
    }
}
