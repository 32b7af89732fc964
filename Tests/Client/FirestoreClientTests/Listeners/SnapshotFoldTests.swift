// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import TestSupport
import Testing

@testable import FirestoreClient

/// LS-47 … LS-50, for snapshots that an engine pushes.
@Suite struct SnapshotFoldTests {
    private static let byN = DocumentOrdering([SortOrder(path: FieldPathSegments("n")), SortOrder(path: .documentID)])

    private static func document(_ id: String, _ n: Int64) -> Document {
        Document(
            key: DocumentKey(trusted: "c/\(id)"), createTime: DocumentVersion(microseconds: 1),
            updateTime: DocumentVersion(microseconds: 1), fields: FieldBytes(FieldMap([("n", .integer(n))])))
    }

    private static func snapshot(
        _ documents: [Document], pending: Set<String> = [], isFromCache: Bool = false, changes: [ViewChange]? = [], at time: Int64 = 1
    ) -> ViewSnapshot {
        ViewSnapshot(
            documents: DocumentList(documents.sorted { byN.compare($0, $1) < 0 }), changes: changes,
            readTime: DocumentVersion(microseconds: time), pendingKeys: KeySet(pending.map { DocumentKey(trusted: "c/\($0)") }),
            isFromCache: isFromCache)
    }

    private static func describe(_ snapshot: ViewSnapshot?) -> [String]? {
        snapshot?.changes.map {
            "\($0.kind) \($0.document.key.id) \($0.oldIndex.map(String.init) ?? "-")→\($0.newIndex.map(String.init) ?? "-")"
        }
    }

    /// What a consumer gets that has seen the first snapshot, and then misses all but the last.
    private static func folded(_ first: ViewSnapshot, _ missed: ViewSnapshot..., includesMetadataChanges: Bool = true) -> ViewSnapshot? {
        var fold = SnapshotFold(includesMetadataChanges: includesMetadataChanges)
        fold.add(first)
        #expect(fold.next() != nil)
        for snapshot in missed { fold.add(snapshot) }
        return fold.next()
    }

    @Test func `a consumer that keeps up gets every snapshot as it was pushed`() {
        var fold = SnapshotFold()
        #expect(!fold.hasNews && fold.next() == nil)
        fold.add(Self.snapshot([Self.document("a", 1)], changes: nil))
        #expect(fold.hasNews)
        #expect(Self.describe(fold.next()) == ["added a -→0"])
        #expect(!fold.hasNews && fold.next() == nil)
        // Even one that says nothing, and changes that are not true: they are not checked.
        fold.add(Self.snapshot([Self.document("a", 1)]))
        #expect(Self.describe(fold.next()) == [])
        let change = ViewChange(kind: .metadata, document: Self.document("a", 1), oldIndex: 5, newIndex: 6)
        fold.add(Self.snapshot([Self.document("a", 1)], changes: [change]))
        #expect(Self.describe(fold.next()) == ["metadata a 5→6"])
    }

    @Test func `every document of a first snapshot is an added one`() {  // LS-50
        var fold = SnapshotFold(includesMetadataChanges: false)
        fold.add(Self.snapshot([Self.document("a", 1)], changes: nil))
        fold.add(Self.snapshot([Self.document("b", 2), Self.document("c", 1)], changes: [], at: 2))
        let snapshot = fold.next()
        #expect(Self.describe(snapshot) == ["added c -→0", "added b -→1"])
        #expect(snapshot?.readTime.microseconds == 2)
    }

    @Test func `a first snapshot is delivered even if nothing is left of it`() {
        var fold = SnapshotFold(includesMetadataChanges: false)
        fold.add(Self.snapshot([Self.document("a", 1)], changes: nil))
        fold.add(Self.snapshot([]))
        #expect(fold.next()?.documents.count == 0)
    }

    @Test func `what was missed becomes one list of changes`() {  // LS-47 … LS-49
        let snapshot = Self.folded(
            Self.snapshot([Self.document("gone", 1), Self.document("kept", 2), Self.document("moved", 3), Self.document("shown", 4)]),
            Self.snapshot([Self.document("flash", 0), Self.document("kept", 2)]),
            Self.snapshot(
                [Self.document("moved", 0), Self.document("kept", 2), Self.document("new", 3), Self.document("shown", 4)], pending: ["shown"], at: 7))
        #expect(Self.describe(snapshot) == ["removed gone 0→-", "added new -→1", "modified moved 2→0", "metadata shown 3→3"])
        #expect(snapshot?.readTime.microseconds == 7)
        #expect(snapshot?.documents.map(\.key.id) == ["moved", "kept", "new", "shown"])
    }

    @Test func `nothing is reported if the changes cancel out`() {
        let (a, b) = (Self.document("a", 1), Self.document("a", 2))
        #expect(Self.folded(Self.snapshot([a]), Self.snapshot([b]), Self.snapshot([a])) == nil)
        #expect(Self.folded(Self.snapshot([a]), Self.snapshot([]), Self.snapshot([a], at: 3)) == nil)
    }

    @Test func `a change of metadata is reported to listeners that ask for it`() {
        let a = Self.document("a", 1)
        let seen = Self.snapshot([a], isFromCache: true)
        let between = Self.snapshot([Self.document("a", 2)], isFromCache: true)
        #expect(Self.describe(Self.folded(seen, between, Self.snapshot([a]))) == [])
        #expect(Self.describe(Self.folded(seen, between, Self.snapshot([a], pending: ["a"], isFromCache: true))) == ["metadata a 0→0"])
        #expect(Self.folded(seen, between, Self.snapshot([a]), includesMetadataChanges: false) == nil)
        #expect(Self.folded(seen, between, Self.snapshot([a], pending: ["a"]), includesMetadataChanges: false) == nil)
        // It is in the next snapshot that has something to report.
        let told = Self.folded(seen, between, Self.snapshot([a, Self.document("b", 2)], pending: ["a"]), includesMetadataChanges: false)
        #expect(Self.describe(told) == ["added b -→1"] && told?.isFromCache == false && told?.hasPendingWrites == true)
    }

    @Test func `a document that keeps its place among the others does not move`() {
        let first = (0..<6).map { Self.document("d\($0)", Int64($0 * 10)) }
        var second = first
        second[2] = Self.document("d2", 21)
        second[3] = Self.document("d3", 31)
        second[5] = Self.document("d5", 5)
        #expect(
            Self.describe(Self.folded(Self.snapshot(first), Self.snapshot([]), Self.snapshot(second)))
                == ["modified d5 5→1", "modified d2 3→3", "modified d3 4→4"])
    }

    /// Applied one after the other, the changes turn what the consumer has into the newest state; their kinds are those of a
    /// comparison by key.
    @Test(arguments: [UInt64(1), 2, 3, 4])
    func `folded changes are the difference of two states`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let includesMetadataChanges = seed % 2 == 0
        var fold = SnapshotFold(includesMetadataChanges: includesMetadataChanges)
        var truth: [String: Document] = [:]
        var pending: Set<String> = []
        var isFromCache = true
        var shown: ViewSnapshot?
        var deliveries = 0
        fold.add(Self.snapshot([], isFromCache: true, changes: nil))
        for _ in 0..<3_000 {
            for _ in 0..<Int.random(in: 0..<6, using: &generator) {
                let id = "d\(Int.random(in: 0..<30, using: &generator))"
                switch Int.random(in: 0..<8, using: &generator) {
                case 0...1: truth[id] = nil
                case 2: pending.formSymmetricDifference([id])
                case 3: isFromCache.toggle()
                default: truth[id] = Self.document(id, Int64.random(in: 0..<25, using: &generator))
                }
                pending.formIntersection(truth.keys)
                // Two at least, so that it is folded.
                fold.add(Self.snapshot([]))
                fold.add(Self.snapshot(Array(truth.values), pending: pending, isFromCache: isFromCache))
            }
            guard fold.hasNews else { continue }
            let next = fold.next()
            guard let earlier = shown else {
                shown = next
                continue
            }
            let newest = Self.snapshot(Array(truth.values), pending: pending, isFromCache: isFromCache)
            let expected = Self.naiveKinds(earlier, newest, includesMetadataChanges)
            let metadataDiffers = earlier.isFromCache != isFromCache || earlier.hasPendingWrites == pending.isEmpty
            guard let next else {
                #expect(expected.isEmpty && !(includesMetadataChanges && metadataDiffers))
                shown = newest
                continue
            }
            deliveries += 1
            #expect(Array(next.documents) == Array(newest.documents))
            #expect(Set(next.changes.map { "\($0.kind) \($0.document.key.id)" }) == expected && next.changes.count == expected.count)
            #expect(next.changes.map { Self.rank($0.kind) } == next.changes.map { Self.rank($0.kind) }.sorted())
            var replayed = earlier.documents.map(\.key)
            for change in next.changes {
                if let old = change.oldIndex { #expect(replayed.remove(at: old) == change.document.key) }
                if let new = change.newIndex { replayed.insert(change.document.key, at: new) }
            }
            #expect(replayed == newest.documents.map(\.key))
            shown = newest
        }
        #expect(deliveries > 1_000)
    }

    private static func rank(_ kind: ViewChange.Kind) -> Int {
        switch kind {
        case .removed: 0
        case .added: 1
        case .modified, .metadata: 2
        }
    }

    private static func naiveKinds(_ old: ViewSnapshot, _ new: ViewSnapshot, _ includesMetadataChanges: Bool) -> Set<String> {
        var result: Set<String> = []
        for document in old.documents where !new.documents.contains(where: { $0.key == document.key }) {
            result.insert("removed \(document.key.id)")
        }
        for document in new.documents {
            guard let earlier = old.documents.first(where: { $0.key == document.key }) else {
                result.insert("added \(document.key.id)")
                continue
            }
            if earlier.fields != document.fields {
                result.insert("modified \(document.key.id)")
            } else if includesMetadataChanges, old.pendingKeys.contains(document.key) != new.pendingKeys.contains(document.key) {
                result.insert("metadata \(document.key.id)")
            }
        }
        return result
    }
}
