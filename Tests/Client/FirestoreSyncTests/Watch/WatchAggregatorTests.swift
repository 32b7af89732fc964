// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// What frames of the authority amount to, for targets in every state (SY-93, SY-95, SY-105, SY-106).
@Suite struct WatchAggregatorTests {
    /// Target 2 is a query of which b is known, 4 is the document c/d, 6 is a query without listeners.
    private final class Knowledge: TargetKnowledge {
        var wanted: [TargetID: TargetData] = [
            2: TargetData(target: .query(.collection("c")), targetID: 2),
            4: TargetData(target: .documents([DocumentKey(trusted: "c/d")]), targetID: 4),
        ]
        var known: [TargetID: Set<DocumentKey>] = [2: [DocumentKey(trusted: "c/b")]]

        func wantedTarget(_ id: TargetID) -> TargetData? { wanted[id] }
        func knownKeys(of id: TargetID) -> Set<DocumentKey> { known[id] ?? [] }
        func isKnown(_ key: DocumentKey, in id: TargetID) -> Bool { known[id]?.contains(key) == true }
        func knownCount(of id: TargetID) -> Int { known[id]?.count ?? 0 }
    }

    /// The state of a target before the frame.
    enum State: String, CaseIterable {
        /// Its request was not answered.
        case requested
        /// A request was answered, another one was not.
        case requestedAgain
        case active, current
        /// The server has given it up.
        case removed
        /// It has no listeners.
        case unwanted
        /// Nothing was ever said of it.
        case unknown
    }

    enum Frame: String, CaseIterable {
        case newDocument, knownDocument, noMatch, noMatchOfNew, deletion, removal, rightCount, wrongCount
        case noChange, add, remove, current, reset
    }

    private let knowledge = Knowledge()

    private func aggregator() -> WatchAggregator { WatchAggregator(database: EngineFixture.database, knowledge: knowledge) }

    private func bring(_ aggregator: inout WatchAggregator, to state: State) {
        guard state != .unknown, state != .unwanted else {
            if state == .unwanted { knowledge.wanted[2] = nil }
            return
        }
        aggregator.requested(2)
        if state == .requested { return }
        aggregator.changed(TargetChange(.add, targets: [2]))
        switch state {
        case .requestedAgain: aggregator.requested(2)
        case .current: aggregator.changed(TargetChange(.current, targets: [2]))
        case .removed:
            aggregator.removeTarget(2)
            knowledge.wanted[2] = nil
        default: break
        }
        // What these have brought is not the frame's doing.
        _ = aggregator.takeEvent(at: DocumentVersion(microseconds: 5))
    }

    private func send(_ frame: Frame, _ aggregator: inout WatchAggregator) {
        let (a, b) = (RemoteDocument.found("c/a", 7).document, RemoteDocument.found("c/b", 7).document)
        guard let a, let b else { return }
        let token = ByteSlice([9])
        switch frame {
        case .newDocument: aggregator.changed(a, matching: [2], notMatching: [])
        case .knownDocument: aggregator.changed(b, matching: [2], notMatching: [])
        case .noMatch: aggregator.changed(b, matching: [], notMatching: [2])
        case .noMatchOfNew: aggregator.changed(a, matching: [], notMatching: [2])
        case .deletion: aggregator.deleted(b.key, at: DocumentVersion(microseconds: 7), notMatching: [2])
        case .removal: aggregator.removed(b.key, notMatching: [2])
        case .rightCount: aggregator.filtered(ExistenceFilter(target: 2, count: 1, names: nil))
        case .wrongCount: aggregator.filtered(ExistenceFilter(target: 2, count: 3, names: nil))
        case .noChange: aggregator.changed(TargetChange(.noChange, targets: [2], resumeToken: token))
        case .add: aggregator.changed(TargetChange(.add, targets: [2], resumeToken: token))
        case .remove: aggregator.changed(TargetChange(.remove, targets: [2], resumeToken: token))
        case .current: aggregator.changed(TargetChange(.current, targets: [2], resumeToken: token))
        case .reset: aggregator.changed(TargetChange(.reset, targets: [2], resumeToken: token))
        }
    }

    /// `+a ~b -b current token; documents a b; mismatch` for target 2, and how many things made no sense.
    private func summary(_ event: RemoteEvent, anomalies: Int = 0) -> String {
        var words: [String] = []
        if let delta = event.targetChanges[2] {
            words += delta.added.map { "+" + $0.id }.sorted() + delta.modified.map { "~" + $0.id }.sorted()
            words += delta.removed.map { "-" + $0.id }.sorted()
            if delta.isCurrent { words.append("current") }
            if !delta.resumeToken.isEmpty { words.append("token") }
            if words.isEmpty { words.append("told") }
        }
        if !event.documents.isEmpty { words.append("documents " + event.documents.map(\.key.id).joined(separator: " ")) }
        if let purpose = event.mismatchedTargets[2] { words.append("\(purpose)") }
        if anomalies > 0 { words.append("anomaly") }
        return words.joined(separator: " ")
    }

    /// What each frame amounts to where it counts; `current` is added for a target that is.
    private static let counting: [Frame: String] = [
        .newDocument: "+a documents a", .knownDocument: "~b documents b", .noMatch: "-b documents b", .noMatchOfNew: "told documents a",
        .deletion: "-b documents b", .removal: "-b", .rightCount: "", .wrongCount: "-b existenceFilterMismatch", .noChange: "token",
        .add: "anomaly", .remove: "anomaly", .current: "current token", .reset: "-b token",
    ]

    private static func expected(_ frame: Frame, _ state: State) -> String {
        let counting = counting[frame] ?? ""
        switch state {
        case .active:
            return counting
        case .current:
            switch frame {
            // A target that begins anew is not current.
            case .rightCount, .add, .remove, .wrongCount, .current, .reset: return counting
            case .noMatchOfNew: return "current documents a"
            case .noChange: return "current token"
            case .newDocument: return "+a current documents a"
            case .knownDocument: return "~b current documents b"
            case .noMatch, .deletion: return "-b current documents b"
            case .removal: return "-b current"
            }
        case .requested:
            // Its answer is the only thing that counts.
            return frame == .add ? "token" : ""
        case .requestedAgain:
            return frame == .add ? "token" : ""
        case .removed, .unwanted:
            return frame == .add || frame == .remove ? "anomaly" : ""
        case .unknown:
            return counting
        }
    }

    @Test(arguments: State.allCases, Frame.allCases) func `a frame counts for targets that are wanted and answered`(_ state: State, _ frame: Frame) {
        var aggregator = aggregator()
        bring(&aggregator, to: state)
        _ = aggregator.takeAnomalies()
        send(frame, &aggregator)
        let anomalies = aggregator.takeAnomalies().count
        let event = aggregator.takeEvent(at: DocumentVersion(microseconds: 8))
        #expect(summary(event, anomalies: anomalies) == Self.expected(frame, state))
        // Once.
        #expect(summary(aggregator.takeEvent(at: DocumentVersion(microseconds: 9))) == "")
        #expect(aggregator.takeAnomalies() == [])
    }

    // MARK: Sequences

    @Test func `what came before the answer to a request belonged to an earlier use of the id`() {
        var aggregator = aggregator()
        aggregator.requested(2)
        aggregator.requested(2)
        send(.newDocument, &aggregator)
        send(.add, &aggregator)
        send(.newDocument, &aggregator)
        #expect(summary(aggregator.takeEvent(at: .none)) == "")
        send(.add, &aggregator)
        send(.knownDocument, &aggregator)
        #expect(summary(aggregator.takeEvent(at: .none)) == "~b token documents b")
    }

    @Test func `a removal cancels an addition that was not raised yet`() {
        var aggregator = aggregator()
        send(.newDocument, &aggregator)
        send(.noMatchOfNew, &aggregator)
        #expect(summary(aggregator.takeEvent(at: .none)) == "told documents a")
    }

    @Test func `the last of several states of a document counts, in the order of arrival`() {
        var aggregator = aggregator()
        send(.newDocument, &aggregator)
        send(.knownDocument, &aggregator)
        if let newer = RemoteDocument.found("c/a", 8, ("n", .integer(2))).document {
            aggregator.changed(newer, matching: [2], notMatching: [])
        }
        let event = aggregator.takeEvent(at: .none)
        #expect(event.documents.map(\.key.id) == ["a", "b"])
        #expect(event.documents.map(\.version.microseconds) == [8, 7])
    }

    @Test func `a change without targets is about all that are active`() {
        knowledge.wanted[6] = TargetData(target: .query(.collection("e")), targetID: 6)
        var aggregator = aggregator()
        for id: TargetID in [2, 4, 6] { aggregator.requested(id) }
        for id: TargetID in [2, 4] { aggregator.changed(TargetChange(.add, targets: [id])) }
        _ = aggregator.takeEvent(at: .none)
        aggregator.changed(TargetChange(.noChange, resumeToken: ByteSlice([1])))
        #expect(Set(aggregator.takeEvent(at: .none).targetChanges.keys) == [2, 4])
        #expect(aggregator.takeAnomalies() == [])
    }

    @Test func `a document target that is complete without its document says that there is none`() {
        var aggregator = aggregator()
        aggregator.changed(TargetChange(.current, targets: [4]))
        let event = aggregator.takeEvent(at: DocumentVersion(microseconds: 8))
        #expect(event.documents == [.missing("c/d", 8)])
        // Once; and not if the document is known.
        #expect(aggregator.takeEvent(at: DocumentVersion(microseconds: 9)).documents == [])
        knowledge.known[4] = [DocumentKey(trusted: "c/d")]
        aggregator.changed(TargetChange(.current, targets: [4]))
        #expect(aggregator.takeEvent(at: DocumentVersion(microseconds: 9)).documents == [])
    }

    @Test func `the count of a single document is its existence`() {
        var aggregator = aggregator()
        for (count, documents, anomalies) in [(1, [], 0), (0, [RemoteDocument.missing("c/d", 8)], 0), (7, [], 1), (-1, [], 0)] {
            aggregator.filtered(ExistenceFilter(target: 4, count: count, names: nil))
            let event = aggregator.takeEvent(at: DocumentVersion(microseconds: 8))
            #expect(event.documents == documents, "\(count)")
            #expect(event.mismatchedTargets == [:])
            #expect(aggregator.takeAnomalies().count == anomalies)
        }
    }

    // MARK: Bloom filters

    private func names(_ ids: String...) -> BloomFilter {
        BloomFilter(ids.map { DocumentKey(trusted: "c/\($0)") }, in: EngineFixture.database)
    }

    @Test func `a filter of names shows which documents have left, if the count agrees`() {
        knowledge.known[2] = Set(["a", "b", "c"].map { DocumentKey(trusted: "c/\($0)") })
        var aggregator = aggregator()
        aggregator.filtered(ExistenceFilter(target: 2, count: 2, names: names("a", "b")))
        #expect(summary(aggregator.takeEvent(at: .none)) == "-c")
        // The count does not agree: the target begins anew.
        aggregator.filtered(ExistenceFilter(target: 2, count: 1, names: names("a", "b")))
        #expect(summary(aggregator.takeEvent(at: .none)) == "-a -b -c existenceFilterMismatchBloom")
        for unusable in [BloomFilter(bits: [], padding: 0, hashCount: 0), BloomFilter(bits: [1], padding: 8, hashCount: 1),
            BloomFilter(bits: [1], padding: 0, hashCount: 0), BloomFilter(bits: [], padding: 1, hashCount: 1),
            BloomFilter(bits: [1], padding: -1, hashCount: 1), BloomFilter(bits: [1], padding: 0, hashCount: -1)]
        {
            aggregator.filtered(ExistenceFilter(target: 2, count: 2, names: unusable))
            #expect(summary(aggregator.takeEvent(at: .none)) == "-a -b -c existenceFilterMismatch", "\(unusable)")
        }
    }

    // MARK: Broken servers (SY-29D)

    @Test func `surplus answers are noted and ignored`() {
        var aggregator = aggregator()
        aggregator.requested(2)
        send(.add, &aggregator)
        for _ in 0..<3 { send(.add, &aggregator) }
        send(.remove, &aggregator)
        #expect(aggregator.takeAnomalies().count == 4)
        // A target that is given up without a reason is asked for again.
        #expect(aggregator.takeDropped() == [2] && aggregator.takeDropped().isEmpty)
        aggregator.requested(2)
        send(.add, &aggregator)
        send(.newDocument, &aggregator)
        #expect(summary(aggregator.takeEvent(at: .none)) == "+a token documents a")
    }

    @Test func `frames for ids that were never given are ignored`() {
        var aggregator = aggregator()
        for id: TargetID in [0, -1, 1, 3, 8, .max, .min] {
            if let document = RemoteDocument.found("c/a", 7).document {
                aggregator.changed(document, matching: [id], notMatching: [id])
            }
            aggregator.deleted(DocumentKey(trusted: "c/a"), at: .none, notMatching: [id, id])
            aggregator.removed(DocumentKey(trusted: "c/a"), notMatching: [id])
            aggregator.filtered(ExistenceFilter(target: id, count: 3, names: nil))
            for kind: TargetChange.Kind in [.noChange, .add, .remove, .current, .reset] {
                aggregator.changed(TargetChange(kind, targets: [id, id], resumeToken: ByteSlice([1])))
            }
        }
        #expect(aggregator.takeAnomalies().count == 28)
        let event = aggregator.takeEvent(at: DocumentVersion(microseconds: 8))
        #expect(event.targetChanges.isEmpty && event.documents.isEmpty && event.mismatchedTargets.isEmpty)
    }
}
