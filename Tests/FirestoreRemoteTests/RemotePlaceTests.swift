import FirestoreCore
import FirestoreRemote
import Testing

struct RemotePlaceTests {
    @Test(arguments: [("127.0.0.1:8080", "127.0.0.1", 8080), ("localhost:1", "localhost", 1), ("[::1]:65535", "::1", 65_535)])
    func `an address is a host and a port`(address: String, host: String, port: Int) throws {
        let place = try RemotePlace(address: address)
        #expect(place == RemotePlace(host: host, port: port, usesTLS: false))
    }

    @Test(arguments: [("example.com", "example.com", 443), ("example.com:8443", "example.com", 8443), ("[::1]", "::1", 443)])
    func `with TLS the port may be left out`(address: String, host: String, port: Int) throws {
        let place = try RemotePlace.server(address, usesTLS: true)
        #expect(place == RemotePlace(host: host, port: port, usesTLS: true) && place.credentials == Credentials.none)
    }

    @Test func `whom a place is told when nobody said`() throws {
        #expect(try RemotePlace.server("example.com:80").credentials == .emulatorOwner)
        #expect(try RemotePlace.server("example.com", usesTLS: true).credentials == Credentials.none)
        #expect(try RemotePlace.server("firestore.us-east1.rep.googleapis.com", usesTLS: true).credentials == .applicationDefault)
        #expect(try RemotePlace.server("evil-googleapis.com", usesTLS: true).credentials == Credentials.none)
        let cloud = RemotePlace.cloud()
        #expect(cloud == RemotePlace(host: "firestore.googleapis.com", port: 443, usesTLS: true, credentials: .applicationDefault))
    }

    @Test(arguments: ["", "localhost", ":8080", "localhost:", "localhost:0", "localhost:65536", "localhost:http"])
    func `what is no address is refused by name`(address: String) {
        #expect(throws: FirestoreError.self) { try RemotePlace(address: address) }
    }
}
