// SPDX-License-Identifier: Apache-2.0
import Testing

/// All that not every mode can do, with the reason. `docs/modes.md` is made of it; what is not listed holds in every mode.
enum ModeTable {
    /// Something that only some modes can do.
    struct Entry: Sendable {
        /// As the property is called, and in the page.
        let id: String
        let modes: [Mode]
        /// Why the others cannot, and what happens there instead.
        let reason: String
    }

    static let all: [Entry] = [
        .files, .indexes, .bundles, .instances, .explaining, .pastWindow, .optimisticTransactions, .manyAggregations, .nestedVectors, .errorTexts,
    ]
}

extension ModeTable.Entry {
    private static let engine: [Mode] = [.embedded]
    private static let hearth: [Mode] = [.embedded, .loopback, .server]
    private static let registry: [Mode] = [.embedded, .server, .emulator]

    // MARK: A database of one's own

    static let files = ModeTable.Entry(
        id: "files", modes: engine,
        reason: "only an embedded database lies in a file that settings name; a server decides itself where its data is")
    static let indexes = ModeTable.Entry(
        id: "indexes", modes: engine,
        reason: "indexes are managed beside the Firestore protocol, which knows none of these calls; they fail with `unimplemented`")
    static let bundles = ModeTable.Entry(
        id: "bundles", modes: engine,
        reason: "a bundle is loaded into a database or a cache of one's own; a client of a server has none yet, and says `unknown`")

    // MARK: How the client is put together

    static let instances = ModeTable.Entry(
        id: "instances", modes: registry,
        reason: "in the loopback mode the database is made over a service, not by `Firestore.firestore(app:)`, and belongs to no app")

    // MARK: What the emulator does otherwise (see emulator-differences.md)

    static let explaining = ModeTable.Entry(
        id: "explaining", modes: hearth, reason: "the emulator ignores the request to explain a query, and the client says `unimplemented`")
    static let pastWindow = ModeTable.Entry(
        id: "pastWindow", modes: hearth, reason: "the emulator answers for moments of any age with what there is")
    static let optimisticTransactions = ModeTable.Entry(
        id: "optimisticTransactions", modes: hearth,
        reason: "the emulator makes who writes wait for transactions that have read, up to half a minute; Hearth refuses their commit")
    static let manyAggregations = ModeTable.Entry(
        id: "manyAggregations", modes: hearth, reason: "the emulator fails inside when it is asked for more than five aggregations")
    static let nestedVectors = ModeTable.Entry(
        id: "nestedVectors", modes: hearth, reason: "the emulator finds no vector that lies in a map")
    static let errorTexts = ModeTable.Entry(
        id: "errorTexts", modes: hearth, reason: "the emulator words errors in its own way: their codes are compared, not their texts")
}

extension Trait where Self == ConditionTrait {
    /// Only in the modes of a table entry; skipped with its reason in the others.
    static func only(_ entry: ModeTable.Entry) -> Self {
        .enabled(if: Mode.can(entry), "\(Mode.current.rawValue): \(entry.reason)")
    }
}
