#if Remote
import FirestoreCore
import FirestoreRemote
import Testing

struct RemotePlaceTests {
    @Test(arguments: [("127.0.0.1:8080", "127.0.0.1", 8080), ("localhost:1", "localhost", 1), ("[::1]:65535", "::1", 65_535)])
    func `an address is a host and a port`(address: String, host: String, port: Int) throws {
        let place = try RemotePlace(address: address)
        #expect(place == RemotePlace(host: host, port: port, usesTLS: false))
    }

    @Test(arguments: ["", "localhost", ":8080", "localhost:", "localhost:0", "localhost:65536", "localhost:http"])
    func `what is no address is refused by name`(address: String) {
        #expect(throws: FirestoreError.self) { try RemotePlace(address: address) }
    }
}
#endif
