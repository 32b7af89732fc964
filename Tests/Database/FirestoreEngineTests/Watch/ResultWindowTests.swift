// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// LS-46, and that a window costs what changes in it.
@Suite struct ResultWindowTests {
    private func document(_ n: Int, id: String? = nil) -> Document {
        Document(
            key: DocumentKey(trusted: "c/\(id ?? "d\(n)")"), createTime: DocumentVersion(microseconds: 1),
            updateTime: DocumentVersion(microseconds: 1), fields: FieldBytes(FieldMap([("n", .integer(Int64(n)))])))
    }

    /// A window on documents 0, 10, 20, … of which `count` exist.
    private func window(offset: Int = 0, limit: Int, of count: Int) -> ResultWindow {
        var window = ResultWindow(
            StructuredQuery.collection("c").ordered(by: "n").window(offset: offset, limit: limit), database: testDatabase)
        let all = (0..<count).map { document($0 * 10) }
        var changes = VisibleChanges()
        window.reset(to: Array(all.prefix(window.firstQuery.limit ?? count)), &changes)
        return window
    }

    private func n(_ document: Document) -> Int { Int(document.fields.view[utf8: "n"]?.integer ?? -1) }

    private func reported(_ body: (inout VisibleChanges) -> Void) -> [String] {
        var changes = VisibleChanges()
        body(&changes)
        return changes.take().changes.map { change in
            switch change {
            case .update(let document): "+\(document.key.id)"
            case .remove(let key): "-\(key.id)"
            }
        }
    }

    @Test func `departures bring in documents that are known already, and only then the query runs on`() throws {
        var window = window(limit: 4, of: 100)
        #expect(window.firstQuery.limit == 4 + 8)
        for number in 0..<8 {
            #expect(reported { window.remove(document(number * 10), &$0) } == ["-d\(number * 10)", "+d\((number + 4) * 10)"])
            #expect(!window.isShort)
        }
        #expect(reported { window.remove(document(80), &$0) } == ["-d80"])
        #expect(window.isShort)

        let next = try window.nextQuery()
        #expect(next.limit == 9)
        #expect(next.start == QueryBound(values: [ValueBytes(.integer(110)), ValueBytes(.reference(testDatabase.name(of: DocumentKey(trusted: "c/d110"))))], before: false))
        #expect(reported { window.extend(by: (12..<21).map { document($0 * 10) }, &$0) } == ["+d120"])
        #expect(!window.isShort)
        #expect(window.visible.map(n) == [90, 100, 110, 120])
    }

    @Test func `a document that enters behind the known ones is left to the next query`() throws {
        var window = window(limit: 2, of: 100)
        #expect(reported { window.insert(document(95), &$0) } == [])
        for number in 0..<9 { _ = reported { window.remove(document(number * 10), &$0) } }
        // The last known one is 90 now: 95 has to come from the query.
        #expect(window.isShort)
        #expect(try window.nextQuery().start?.values.first == ValueBytes(.integer(90)))
    }

    @Test func `a window that knows everything never asks`() {
        var window = window(limit: 3, of: 5)
        for number in 0..<5 { _ = reported { window.remove(document(number * 10), &$0) } }
        #expect(!window.isShort && window.visible.map(n).isEmpty)
        #expect(reported { window.insert(document(7), &$0) } == ["+d7"])
    }

    @Test func `an offset lets documents in and out at the front`() {
        var window = window(offset: 2, limit: 2, of: 100)
        #expect(window.visible.map(n) == [20, 30])
        #expect(reported { window.insert(document(5), &$0) } == ["-d30", "+d10"])
        #expect(reported { window.remove(document(0), &$0) } == ["-d10", "+d30"])
        #expect(reported { window.insert(document(25), &$0) } == ["-d30", "+d25"])
        #expect(window.visible.map(n) == [20, 25])
    }

    @Test func `a window retains at most twice its reserve beyond its limit, however many documents enter`() {
        var window = window(limit: 4, of: 100)
        for number in 0..<50 { _ = reported { window.insert(document(-number), &$0) } }
        let visible = window.visible.map(n)
        #expect(visible == [-49, -48, -47, -46])
        var left = 0
        while !window.isShort, let first = window.visible.first(where: { _ in true }) {
            _ = reported { window.remove(first, &$0) }
            left += 1
        }
        #expect(left <= 4 + 2 * 8)
    }

    @Test func `leaving and coming back the same is nothing, and different is one update`() {
        var window = window(limit: 2, of: 3)
        #expect(reported { changes in
            window.remove(document(0), &changes)
            window.insert(document(0), &changes)
        } == [])
        #expect(reported { changes in
            window.remove(document(0), &changes)
            window.insert(document(1, id: "d0"), &changes)
        } == ["+d0"])
    }
}
