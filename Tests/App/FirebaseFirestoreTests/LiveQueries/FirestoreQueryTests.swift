// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Foundation
import ModeSupport
import Observation
import Testing

/// `@FirestoreQuery`.
@MainActor @Suite struct FirestoreQueryTests {
    struct City: Codable, Equatable {
        @DocumentID var id: String?
        var name: String
    }

    /// A view model as an app has one; `Result` beside the plain array.
    @MainActor final class Cities {
        @FirestoreQuery<[City]> var all: [City]
        @FirestoreQuery<Result<[City], any Error>> var outcome: Result<[City], any Error>

        init(_ db: Firestore, path: String = "cities", predicates: [QueryPredicate] = [.order(by: "name")], strategy: DecodingFailureStrategy = .raise) {
            _all = FirestoreQuery(collectionPath: path, predicates: predicates, decodingFailureStrategy: strategy, in: db)
            _outcome = FirestoreQuery(collectionPath: path, predicates: predicates, decodingFailureStrategy: strategy, in: db)
        }

        func names() -> [String] { all.map(\.name) }
    }

    /// The shapes of SwiftUI code, which need no database before they are read.
    @Observable final class ObservableModel {
        @ObservationIgnored @FirestoreQuery(collectionPath: "cities") var plain: [City]
        @ObservationIgnored
        @FirestoreQuery(collectionPath: "cities", predicates: [.where("n", isEqualTo: 1), .limit(to: 3)], decodingFailureStrategy: .ignore)
        var result: Result<[City], any Error>
    }

    let db = Scratch.firestore()

    @Test func `the value is empty at first and follows the collection`() async throws {
        try await db.document("cities/b").setData(["name": "Bonn"])
        let cities = Cities(db)
        #expect(cities.all.isEmpty)
        await until { cities.names() == ["Bonn"] }
        #expect(cities.all.first?.id == "b")
        try await db.document("cities/a").setData(["name": "Aachen"])
        await until { cities.names() == ["Aachen", "Bonn"] }
        await until { (try? cities.outcome.get().map(\.name)) == ["Aachen", "Bonn"] }
        #expect(cities.$all.error == nil && cities.$all.path == "cities" && cities.$all.predicates.count == 1)
    }

    @Test func `a changed configuration restarts the query`() async throws {
        try await db.document("cities/b").setData(["name": "Bonn"])
        try await db.document("towns/u").setData(["name": "Ulm"])
        let cities = Cities(db)
        await until { cities.names() == ["Bonn"] }
        cities.$all.path = "towns"
        await until { cities.names() == ["Ulm"] }
        // The collection asked before is not followed any more.
        try await db.document("cities/c").setData(["name": "Celle"])
        try await db.document("towns/v").setData(["name": "Verden"])
        await until { cities.names() == ["Ulm", "Verden"] }
        cities.$all.predicates = [.where("name", isEqualTo: "Verden")]
        await until { cities.names() == ["Verden"] }
    }

    @Test func `a document that does not decode empties the result or is left out`() async throws {
        try await db.document("cities/a").setData(["name": "Aachen"])
        try await db.document("cities/x").setData(["name": 7])
        let strict = Cities(db)
        await until { strict.$all.error is DecodingError }
        #expect(strict.all.isEmpty)
        await until { if case .failure(is DecodingError) = strict.outcome { true } else { false } }

        let lenient = Cities(db, strategy: .ignore)
        await until { lenient.names() == ["Aachen"] }
        #expect(lenient.$all.error is DecodingError)
        await until { (try? lenient.outcome.get().map(\.name)) == ["Aachen"] }
        #expect(lenient.$outcome.error is DecodingError)

        try await db.document("cities/x").setData(["name": "Xanten"])
        await until { strict.$all.error == nil && strict.names() == ["Aachen", "Xanten"] }
    }

    @Test func `a query that cannot be asked shows its error`() async {
        let cities = Cities(db, path: "cities/SF")
        await until { isFailure(cities.$all.error, .invalidArgument) }
        #expect(cities.all.isEmpty)
        await until { if case .failure(let error) = cities.outcome { isFailure(error, .invalidArgument) } else { false } }
        let limited = Cities(db, predicates: [.limit(toLast: 2)])
        await until { isFailure(limited.$all.error, .invalidArgument, naming: "order(by:)") }
    }

    @Test func `the listener ends with its owner`() async throws {
        let told = Collector<Bool>()
        do {
            let cities = Cities(db)
            await until { cities.$all.error == nil }
            withObservationTracking { _ = cities.all } onChange: { told.append(true) }
        }
        try await db.document("cities/a").setData(["name": "Aachen"])
        let other = Cities(db)
        await until { other.names() == ["Aachen"] }
        #expect(told.elements.isEmpty)
    }

    @Test func `code written for SwiftUI declares it without a database`() {
        _ = ObservableModel()
    }
}
