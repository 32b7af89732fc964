// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRemote
import Testing

struct RemoteEndpointTests {
    @Test(arguments: [("127.0.0.1:8080", "127.0.0.1", 8080), ("localhost:1", "localhost", 1), ("[::1]:65535", "::1", 65_535)])
    func `an address is a host and a port`(address: String, host: String, port: Int) throws {
        let endpoint = try RemoteEndpoint(address: address)
        #expect(endpoint == RemoteEndpoint(host: host, port: port, usesTLS: false))
    }

    @Test(arguments: [("example.com", "example.com", 443), ("example.com:8443", "example.com", 8443), ("[::1]", "::1", 443)])
    func `with TLS the port may be left out`(address: String, host: String, port: Int) throws {
        let endpoint = try RemoteEndpoint.server(address, usesTLS: true)
        #expect(endpoint == RemoteEndpoint(host: host, port: port, usesTLS: true) && endpoint.credentials == Credentials.none)
    }

    @Test func `the credentials of an endpoint that is given none`() throws {
        #expect(try RemoteEndpoint.server("example.com:80").credentials == Credentials.none)
        #expect(try RemoteEndpoint.server("firestore.googleapis.com:80").credentials == Credentials.none)
        #expect(try RemoteEndpoint.server("example.com", usesTLS: true).credentials == Credentials.none)
        #expect(try RemoteEndpoint.server("firestore.us-east1.rep.googleapis.com", usesTLS: true).credentials == .applicationDefault)
        #expect(try RemoteEndpoint.server("evil-googleapis.com", usesTLS: true).credentials == Credentials.none)
        let cloud = RemoteEndpoint.cloud()
        #expect(cloud == RemoteEndpoint(host: "firestore.googleapis.com", port: 443, usesTLS: true, credentials: .applicationDefault))
    }

    @Test(arguments: ["", "localhost", ":8080", "localhost:", "localhost:0", "localhost:65536", "localhost:http"])
    func `an invalid address is rejected by name`(address: String) {
        #expect(throws: FirestoreError.self) { try RemoteEndpoint(address: address) }
    }
}
