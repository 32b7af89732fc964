// SPDX-License-Identifier: Apache-2.0
#if Remote
import FirebaseFirestore
import FirestoreTesting
import Testing

/// The code about working offline that runs without a network: of the article "Test your app".
@Suite struct NetworkSnippets {
    // snippet: testing-offline
    @Test func `a guest who signs in without a network is shown immediately`() async throws {
        let network = TestNetwork()
        let phone = network.firestore()
        let guests = phone.collection("huts/stone/guests")

        network.goOffline()
        try await guests.document("ada").setData(["name": "Ada"])
        let shown = try await guests.getDocuments()
        #expect(shown.count == 1 && shown.metadata.hasPendingWrites)
        #expect(try await network.server.collection("huts/stone/guests").getDocuments().isEmpty)

        network.goOnline()
        try await phone.waitForPendingWrites()
        #expect(try await network.server.document("huts/stone/guests/ada").getDocument().exists)
    }
    // end snippet

    // snippet: testing-rejected
    @Test func `a guest that the server rejects is reported`() async throws {
        let network = TestNetwork()
        let phone = network.firestore()

        network.failNextWrites(with: .permissionDenied)
        let ada = phone.document("huts/stone/guests/ada")
        await #expect(throws: FirestoreErrorCode.self) { try await ada.setData(["name": "Ada"]) }
        #expect(try await phone.failedWrites.current().flatMap(\.documents) == [ada])
    }
    // end snippet
}
#endif
