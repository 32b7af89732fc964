// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import FirestoreWire

/// Compares everything after every step, whether or not the step mentions it (SY-240).
struct SpecChecker {
    /// As last stated.
    private var activeTargets: [TargetID: ExpectedTarget] = [:]
    private var activeLimboDocuments: Set<DocumentKey> = []
    private var enqueuedLimboDocuments: Set<DocumentKey> = []

    /// The differences, one line each; takes the observations of the client.
    mutating func check(_ step: SpecStep, _ client: SpecClient) -> [String] {
        activeTargets = step.state.activeTargets ?? activeTargets
        activeLimboDocuments = step.state.activeLimboDocuments ?? activeLimboDocuments
        enqueuedLimboDocuments = step.state.enqueuedLimboDocuments ?? enqueuedLimboDocuments
        let observed = client.observed
        client.observed = SpecObservations()
        var lines = differences(events: observed.events, step.events)
        compare("acknowledged documents", "\(step.state.acknowledged)", "\(observed.acknowledged)", &lines)
        compare("rejected documents", "\(step.state.rejected)", "\(observed.rejected)", &lines)
        compare("calls of listeners for snapshots in sync", step.snapshotsInSyncCount, observed.snapshotsInSyncCount, &lines)
        compare("calls of waiters for pending writes", step.pendingWritesCount, observed.pendingWritesCount, &lines)
        compareStated(step.state, client, &lines)
        compareLimbo(client, &lines)
        compareTargets(client, &lines)
        return lines + client.server.violations
    }

    /// What happened after the last step (SY-243).
    func leftovers(_ client: SpecClient) -> [String] {
        let observed = client.observed
        var lines = differences(events: observed.events, [])
        compare("acknowledged documents", "[]", "\(observed.acknowledged)", &lines)
        compare("rejected documents", "[]", "\(observed.rejected)", &lines)
        compare("calls of listeners for snapshots in sync", 0, observed.snapshotsInSyncCount, &lines)
        compare("calls of waiters for pending writes", 0, observed.pendingWritesCount, &lines)
        return lines + client.server.violations
    }

    private func compare<Thing: Equatable>(_ what: String, _ expected: Thing, _ actual: Thing, _ lines: inout [String]) {
        if expected != actual { lines.append("\(what): expected \(expected), actual \(actual)") }
    }

    // MARK: Events

    /// Queries in any order, the events of one query in theirs.
    private func differences(
        events actual: [(query: ClientTarget, result: Result<SyncSnapshot, FirestoreError>)], _ expected: [ExpectedEvent]
    ) -> [String] {
        var lines: [String] = []
        var queries: [ClientTarget] = []
        for query in expected.map(\.query) + actual.map(\.query) where !queries.contains(query) { queries.append(query) }
        for query in queries {
            let expected = expected.filter { $0.query == query }.map { SpecText.of($0) }
            let actual = actual.filter { $0.query == query }.map { SpecText.of($0.result) }
            guard expected != actual else { continue }
            lines.append("events of \(SpecText.of(query)):")
            lines.append("  expected: \(expected.isEmpty ? "none" : expected.joined(separator: " | "))")
            lines.append("  actual:   \(actual.isEmpty ? "none" : actual.joined(separator: " | "))")
        }
        return lines
    }

    // MARK: State

    /// What is compared only where it is stated.
    private func compareStated(_ state: ExpectedState, _ client: SpecClient, _ lines: inout [String]) {
        if let count = state.outstandingWriteCount {
            compare("outstanding writes", count, client.engine?.outstandingWriteCount ?? 0, &lines)
        }
        if let count = state.writeRequestCount {
            compare("requests on Write streams", count, client.server.writeRequestCount, &lines)
        }
        if let count = state.watchRequestCount {
            compare("requests on Listen streams", count, client.server.watchRequestCount, &lines)
        }
        let isRunning = client.engine != nil
        // The only client of its cache is the primary one for as long as it runs.
        if let isPrimary = state.isPrimary { compare("is primary", isPrimary, isRunning, &lines) }
        if let isShutdown = state.isShutdown { compare("is shut down", isShutdown, !isRunning, &lines) }
        if let count = state.activeClientCount { compare("active clients", count, isRunning ? 1 : 0, &lines) }
    }

    private func compareLimbo(_ client: SpecClient, _ lines: inout [String]) {
        guard let engine = client.engine else { return }
        let active = engine.activeLimboResolutions
        compare("active limbo documents", SpecText.of(activeLimboDocuments), SpecText.of(active.keys), &lines)
        compare(
            "enqueued limbo documents", SpecText.of(enqueuedLimboDocuments), SpecText.of(engine.enqueuedLimboResolutions), &lines)
        guard client.server.isWatchOpen else { return }
        for (key, id) in active.sorted(by: { $0.key < $1.key }) where activeTargets[id] == nil {
            lines.append("the lookup of \(key) has target \(id), which is not among the expected ones")
        }
    }

    private func compareTargets(_ client: SpecClient, _ lines: inout [String]) {
        let actual = client.server.activeTargets
        guard client.engine != nil, client.isNetworkEnabled, !client.timers.holdsListenBackoff else {
            if !actual.isEmpty { lines.append("the client has no network, but targets \(actual.keys.sorted()) are active") }
            return
        }
        compare("active targets", activeTargets.keys.sorted(), actual.keys.sorted(), &lines)
        for (id, expected) in activeTargets.sorted(by: { $0.key < $1.key }) {
            guard let actual = actual[id] else { continue }
            compare("target \(id)", SpecText.of(expected.target), SpecText.of(actual.target), &lines)
            if expected.target != actual.target, SpecText.of(expected.target) == SpecText.of(actual.target) {
                lines.append("target \(id) differs in what its text does not show")
            }
            compare("purpose of target \(id)", "\(expected.purpose)", Self.purpose(actual.label), &lines)
            let start: ListenTargetRequest.Start =
                if !expected.resumeToken.isEmpty { .resumeToken(expected.resumeToken) } else {
                    expected.readTime == .none ? .beginning : .readTime(expected.readTime.timestamp)
                }
            compare("start of target \(id)", SpecText.of(start), SpecText.of(actual.start), &lines)
            if let count = expected.expectedCount {
                compare("expected count of target \(id)", "\(count)", actual.expectedCount.map { "\($0)" } ?? "none", &lines)
            }
        }
    }

    /// The purpose that a label of a request names (SY-10).
    private static func purpose(_ label: String?) -> String {
        switch label {
        case nil: "\(TargetPurpose.listen)"
        case "existence-filter-mismatch": "\(TargetPurpose.existenceFilterMismatch)"
        case "existence-filter-mismatch-bloom": "\(TargetPurpose.existenceFilterMismatchBloom)"
        case "limbo-document": "\(TargetPurpose.limboResolution)"
        case let label?: "label \"\(label)\""
        }
    }
}
