// SPDX-License-Identifier: Apache-2.0
package import Testing

/// All that not every mode can do, with the reason. `docs/reference/modes.md` is made of it; what is not listed holds in every mode.
package enum ModeTable {
    /// Something that only some modes can do.
    package struct Entry: Sendable {
        /// As the property is called, and in the page.
        package let id: String
        package let modes: [Mode]
        /// Why the others cannot, and what happens there instead.
        package let reason: String
        /// What a cache in front of the server (`ModeCache`) changes.
        package var cache = CacheEffect.any
    }

    package enum CacheEffect: Sendable {
        case any
        /// With a cache, the modes with a server can do it, too.
        case extends
        /// With a cache, no mode can.
        case excludes
    }

    package static let all: [Entry] = [
        .files, .indexes, .eventHandlers, .bundles, .oneAuthority, .instances, .explaining, .pastWindow, .optimisticTransactions, .manyAggregations, .nestedVectors, .pipelines, .errorTexts,
    ]
}

extension ModeTable.Entry {
    private static let engine: [Mode] = [.embedded]
    private static let hearth: [Mode] = [.embedded, .loopback, .server]
    private static let registry: [Mode] = [.embedded, .server, .emulator]

    // MARK: A database of one's own

    package static let files = ModeTable.Entry(
        id: "files", modes: engine,
        reason: "only an embedded database is in a file named by the settings; a server decides where its data is stored")
    package static let indexes = ModeTable.Entry(
        id: "indexes", modes: engine,
        reason: "the Firestore protocol has no calls to manage indexes; they fail with `unimplemented`")
    package static let eventHandlers = ModeTable.Entry(
        id: "eventHandlers", modes: engine,
        reason: "handlers of events are called in the process that stores the database; elsewhere they fail with `unimplemented`")
    package static let bundles = ModeTable.Entry(
        id: "bundles", modes: engine,
        reason: "a bundle is loaded into a local database or a cache; a client of a server without a cache fails with `unknown`",
        cache: .extends)

    package static let oneAuthority = ModeTable.Entry(
        id: "oneAuthority", modes: Mode.allCases,
        reason: "with a cache there are two places: `source: .cache` answers from the cache alone and fails for a document that it does not hold, "
            + "`saved` of a receipt comes before the server's decision, and `disableNetwork` has an effect",
        cache: .excludes)

    // MARK: How the client is put together

    package static let instances = ModeTable.Entry(
        id: "instances", modes: registry,
        reason: "in loopback mode the database is created from a service, not by `Firestore.firestore(app:)`, and does not belong to an app")

    // MARK: What the emulator does otherwise (see emulator-differences.md)

    package static let explaining = ModeTable.Entry(
        id: "explaining", modes: hearth, reason: "the emulator ignores the request to explain a query, and the client fails with `unimplemented`")
    package static let pastWindow = ModeTable.Entry(
        id: "pastWindow", modes: hearth, reason: "the emulator answers reads at any past time with the data it has")
    package static let optimisticTransactions = ModeTable.Entry(
        id: "optimisticTransactions", modes: hearth,
        reason: "the emulator makes writers wait for transactions that have read, up to half a minute; Hearth rejects the transactions' commits")
    package static let manyAggregations = ModeTable.Entry(
        id: "manyAggregations", modes: hearth, reason: "the emulator fails with an internal error on more than five aggregations")
    package static let nestedVectors = ModeTable.Entry(
        id: "nestedVectors", modes: hearth, reason: "the emulator does not find vectors inside maps")
    package static let pipelines = ModeTable.Entry(
        id: "pipelines", modes: hearth,
        reason: "the emulator of the Google Cloud CLI 528.0.0 does not have pipelines and fails with `unimplemented`; newer ones run them for the Enterprise edition")
    package static let errorTexts = ModeTable.Entry(
        id: "errorTexts", modes: hearth, reason: "the emulator's error texts are different: the codes are compared, not the texts")
}

extension Trait where Self == ConditionTrait {
    /// Only in the modes of a table entry; skipped with its reason in the others.
    package static func only(_ entry: ModeTable.Entry) -> Self {
        .enabled(if: Mode.can(entry), "\(Mode.current.rawValue): \(entry.reason)")
    }
}
