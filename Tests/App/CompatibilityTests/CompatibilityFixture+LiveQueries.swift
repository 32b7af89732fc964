// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import ModeSupport

/// A model as an app has one.
@MainActor private final class LiveLetters {
    @FirestoreQuery<[NamedLetter]> var all: [NamedLetter]
    @FirestoreQuery<Result<[NamedLetter], any Error>> var outcome: Result<[NamedLetter], any Error>

    init(_ db: Firestore, path: String = "letters", _ predicates: [QueryPredicate], _ strategy: DecodingFailureStrategy = .raise) {
        _all = FirestoreQuery(collectionPath: path, predicates: predicates, decodingFailureStrategy: strategy, in: db)
        _outcome = FirestoreQuery(collectionPath: path, predicates: predicates, decodingFailureStrategy: strategy, in: db)
    }

    var ids: String { all.compactMap(\.id).joined() }

    func ids(after isReady: @escaping @MainActor (LiveLetters) -> Bool) async -> String {
        await until { isReady(self) }
        return ids
    }
}

extension CompatibilityFixture {
    /// The letters a live query shows first.
    @MainActor func live(_ predicates: [QueryPredicate]) async -> String {
        await LiveLetters(db, predicates).ids { !$0.all.isEmpty || $0.$all.error != nil }
    }

    /// The values of both shapes of results, which must be equal.
    @MainActor func liveShapes() async -> (array: String, result: String) {
        // Without `in:` the default database is queried, once the value is read.
        _ = FirestoreQuery<[Letter]>(collectionPath: "letters", predicates: [.limit(to: 1)], decodingFailureStrategy: .ignore)
        _ = FirestoreQuery<Result<[Letter], any Error>>(collectionPath: "letters")
        let letters = LiveLetters(db, [])
        let array = await letters.ids { !$0.all.isEmpty }
        await until { (try? letters.outcome.get())?.isEmpty == false }
        return (array, (try? letters.outcome.get().compactMap(\.id).joined()) ?? "")
    }

    /// Whether a changed configuration asks anew.
    @MainActor func liveAfterChange() async -> Bool {
        let letters = LiveLetters(db, [])
        let before = await letters.ids { !$0.all.isEmpty }
        letters.$all.predicates = [.where("n", isGreaterThan: 1)]
        let after = await letters.ids { $0.all.count != 3 }
        return before == "abc" && after == "bc"
    }

    /// Whether the projected value holds what was asked, and can all be changed.
    @MainActor func liveConfigurationHolds() async -> Bool {
        let letters = LiveLetters(db, [.limit(to: 1)])
        _ = await letters.ids { !$0.all.isEmpty }
        var configuration: FirestoreQuery<[NamedLetter]>.Configuration = letters.$all
        guard configuration.path == "letters", configuration.predicates.count == 1, configuration.error == nil else { return false }
        guard case .raise = configuration.decodingFailureStrategy else { return false }
        configuration.path = "letters/a"
        configuration.decodingFailureStrategy = .ignore
        letters.$all = configuration
        await until { letters.$all.error != nil }
        return isFailure(letters.$all.error, .invalidArgument)
    }

    /// Whether a document that does not decode is left out, or empties the result.
    @MainActor func liveStrategiesHold() async -> Bool {
        let collection = freshCollection()
        collection.document("a").setData(["n": 1], completion: nil)
        collection.document("x").setData(["n": "one"], completion: nil)
        let lenient = LiveLetters(db, path: collection.path, [], .ignore)
        let kept = await lenient.ids { $0.$all.error != nil }
        let strict = LiveLetters(db, path: collection.path, [], .raise)
        let raised = await strict.ids { $0.$all.error != nil }
        return kept == "a" && raised.isEmpty && lenient.$all.error is DecodingError && strict.$all.error is DecodingError
    }
}
