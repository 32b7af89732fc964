// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Testing

/// Failing tests that say which fields do not fit (MP-32).
@Suite struct ExpectDecodesTests {
    private struct City: Codable {
        var name: String
        var population: Int
    }

    private func database() async throws -> TestFirestore {
        let db = try TestFirestore()
        let cities = db.firestore.collection("cities")
        try await cities.document("a").setData(["name": "A", "population": 1, "legacy": true])
        return db
    }

    @Test func `documents that decode are expected ones, whatever else they have`() async throws {
        let db = try await database()
        let report = try await expectDecodes(City.self, from: db.firestore.collection("cities"))
        #expect(report.isClean && report.documentCount == 1)
    }

    @Test func `a failure names each field and shows the table`() async throws {
        let db = try await database()
        try await db.firestore.document("cities/b").setData(["name": 1, "population": "x"])
        try await db.firestore.document("cities/c").setData(["name": 2, "population": 3])
        do {
            try await expectDecodes(City.self, from: db.firestore.collection("cities"))
            Issue.record("nothing was thrown")
        } catch {
            let text = "\(error)"
            #expect(text.contains("ExpectDecodesTests.swift:"))
            #expect(text.contains("City: field 'name' holds integer, but String was expected, in 2 documents: b, c"))
            #expect(text.contains("City: field 'population' holds string, but Int was expected, in 1 document: b"))
            #expect(text.hasSuffix("3 documents, 1 decode, 2 do not"))
        }
    }

    @Test func `each finding is a separate failure, if requested`() async throws {
        let db = try await database()
        try await db.firestore.document("cities/b").setData(["name": 1, "population": "x"])
        var failures: [String] = []
        try await expectDecodes(City.self, from: db.firestore.collection("cities"), onFinding: { failures.append("\($0)") })
        #expect(failures.count == 2 && failures.allSatisfy { $0.contains("2 documents, 1 decode") })
    }

    @Test func `other checks fail if they are asked for`() async throws {
        let db = try await database()
        var failures: [String] = []
        try await expectDecodes(
            City.self, from: db.firestore.collection("cities"), options: AuditOptions(), onFinding: { failures.append("\($0)") })
        #expect(failures.count == 2 && failures[0].contains("field 'legacy' is not a property"))
        #expect(failures.last?.contains("would be deleted by setData(from:)") == true)
    }

    #if Remote
        @Test func `over the network, pages and findings are the same`() async throws {
            let network = TestNetwork(callbackQueue: DispatchQueue(label: "hearth.tests.network"))
            let client = Firestore(over: network.connect(), databaseID: network.databaseID)
            let settings = client.settings
            settings.dispatchQueue = DispatchQueue(label: "hearth.tests.client")
            client.settings = settings
            for number in 0..<9 {
                let data: [String: Any] = ["name": "n", "population": number % 2 == 0 ? number : "x", "legacy": true]
                try await network.server.document("cities/c\(number)").setData(data)
            }
            var options = AuditOptions()
            options.pageSize = 2
            let remote = try await client.collection("cities").audit(as: City.self, options: options)
            let local = try await network.server.collection("cities").audit(as: City.self, options: options)
            #expect(remote.findings == local.findings && remote.documentCount == 9 && remote.failedCount == 4)
            try await client.terminate()
            try await network.close()
        }
    #endif
}
