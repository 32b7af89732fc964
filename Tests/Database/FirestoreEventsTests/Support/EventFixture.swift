// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreEngine
import FirestoreStorage
import TestSupport

@testable import FirestoreEvents

let eventDatabase = DatabaseID(projectID: "test")

extension EventTrigger {
    static func test(
        _ pattern: String = "c/{id}", kinds: Set<EventKind> = Set(EventKind.allCases), name: String = "t"
    ) throws(FirestoreError) -> EventTrigger {
        EventTrigger(owner: .webhook, name: name, pattern: try DocumentPattern(pattern), kinds: kinds)
    }
}

extension Document {
    static func test(_ path: String, _ number: Int64, at time: Int64) -> Document {
        let time = DocumentVersion(microseconds: time)
        return Document(
            key: DocumentKey(trusted: path), createTime: time, updateTime: time, fields: FieldBytes(FieldMap([("n", .integer(number))])))
    }
}

extension CommittedChanges {
    /// A commit that creates documents.
    static func creating(_ paths: String..., at time: Int64) -> CommittedChanges {
        CommittedChanges(
            time: DocumentVersion(microseconds: time),
            changes: paths.map { CommittedChange(key: DocumentKey(trusted: $0), old: nil, new: .test($0, time, at: time)) })
    }
}

extension LogStretch {
    init(_ commits: CommittedChanges..., isLast: Bool = true) {
        self.init(commits: commits, end: commits.last?.time ?? .none, isLast: isLast)
    }
}

extension RunnerSettings {
    /// Without pauses between attempts that a test would have to wait for.
    static let prompt = RunnerSettings(backoff: Backoff(first: .milliseconds(1), factor: 1, longest: .milliseconds(1), jitter: 0))
}

extension Engine {
    static func events(_ path: String? = nil) throws(FirestoreError) -> Engine {
        let place: EngineConfiguration.Location
        if let path { place = .file(path: path) } else { place = try EngineStores.place() }
        return try open(EngineConfiguration(location: place, durability: .relaxed, databaseID: eventDatabase))
    }
}

/// Remembers what it receives, and answers as it is asked to.
final class RecordingReceiver: EventReceiver {
    private let state = Mutex<[Delivery]>([])
    private let answer: @Sendable (Delivery) async -> DeliveryOutcome

    init(_ answer: @escaping @Sendable (Delivery) async -> DeliveryOutcome = { _ in .acknowledged }) { self.answer = answer }

    func deliver(_ delivery: Delivery) async -> DeliveryOutcome {
        state.withLock { $0.append(delivery) }
        return await answer(delivery)
    }

    var deliveries: [Delivery] { state.withLock { $0 } }
    var paths: [String] { deliveries.map(\.event.key.path) }
    /// The values of `n` after the changes; nil for deletions.
    var numbers: [Int64?] { deliveries.map { $0.event.after?.number } }
}

extension Document {
    var number: Int64? { if case .integer(let number)? = try? fields.map["n"] { number } else { nil } }
}

/// What a runner reports.
final class ReportLog: Sendable {
    private let reports = Mutex<[EventReport]>([])

    func note(_ report: EventReport) { reports.withLock { $0.append(report) } }

    func count(_ matches: (EventReport) -> Bool) -> Int { reports.withLock { $0.filter(matches).count } }
}
