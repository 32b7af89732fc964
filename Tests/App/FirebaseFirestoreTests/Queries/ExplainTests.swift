// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import ModeSupport
import Testing

@Suite(.only(.explaining)) struct ExplainTests {
    let db = Scratch.firestore()
    var cities: CollectionReference { db.collection("cities") }

    private func storeCities() async throws {
        let batch = db.batch()
        for number in 0..<20 {
            batch.setData(["country": number.isMultiple(of: 4) ? "JP" : "IN", "population": number], forDocument: cities.document("\(number)"))
        }
        try await batch.commit()
    }

    @Test func `a query explains its plan and its reads (QR-71)`() async throws {
        try await storeCities()
        let results = try await cities.whereField("country", isEqualTo: "JP").explain()
        let statistics = try #require(results.statistics)
        #expect(statistics.results == 5)
        #expect(statistics.documentsRead >= 5)
        #expect(results.scansCollection ? results.suggestedIndex == "cities(country)" : results.indexes == ["cities(country)"])
        #expect(!results.plan.isEmpty)
        #expect("\(results)".contains("5 results of \(statistics.documentsRead) documents"))
    }

    @Test func `without running it there is a plan and no statistics`() async throws {
        try await storeCities()
        let results = try await cities.order(by: "population", descending: true).limit(to: 3).explain(analyze: false)
        #expect(results.statistics == nil)
        #expect(!results.plan.isEmpty)
    }

    @Test func `an invalid query cannot be explained`() async throws {
        let error = await failure { try await cities.limit(to: 0).explain() }
        #expect(isFailure(error, .invalidArgument))
    }
}
