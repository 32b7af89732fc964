// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

@Suite struct WriteApplicationTests {
    static let key = DocumentKey(trusted: "c/1")
    static let times = CommitTimes(commitTime: DocumentVersion(microseconds: 5_000_123))

    static func apply(_ operation: Write.Operation, _ precondition: Precondition? = nil, to document: Document?)
        throws(FirestoreError) -> AppliedWrite
    {
        try WriteApplication.apply(
            Write(key: key, operation: operation, precondition: precondition), to: document, at: times, in: database)
    }

    static let stored = document("c/1", ("a", .integer(1)), ("m", map(("x", .integer(1)), ("y", .integer(2)))), version: 7)

    static func fields(_ entries: (String, Value)...) -> FieldBytes { FieldBytes(FieldMap(entries)) }

    @Test func `a set creates, and replaces as a whole`() throws {  // WR-4, WR-16, WR-17
        let new = Self.fields(("b", .null))
        let created = try Self.apply(.set(new), to: nil)
        #expect(created.document?.createTime == Self.times.commitTime)
        let replaced = try Self.apply(.set(new), to: Self.stored)
        #expect(replaced.document?.fields == new)
        #expect(replaced.document?.createTime == Self.stored.createTime)
        #expect(replaced.document?.updateTime == Self.times.commitTime)
        #expect(replaced.result.updateTime == Self.times.commitTime)
    }

    @Test func `a plain set stores the very bytes it was given`() throws {
        let new = Self.fields(("b", .null))
        #expect(try Self.apply(.set(new), to: Self.stored).document?.fields.bytes.start == new.bytes.start)
    }

    @Test func `a write without effect preserves the update time`() throws {  // WR-22
        let set = try Self.apply(.set(Self.stored.fields), to: Self.stored)
        #expect(set.document == Self.stored && set.result.updateTime == Self.stored.updateTime)
        let patch = try Self.apply(.patch(Self.fields(("a", .integer(1))), mask: [path("a"), path("zz")]), to: Self.stored)
        #expect(patch.document == Self.stored && patch.result.updateTime == Self.stored.updateTime)
        // Identity equality: 1 to 1.0 and 0.0 to −0.0 are changes (VAL-18).
        let double = try Self.apply(.patch(Self.fields(("a", .double(1))), mask: [path("a")]), to: Self.stored)
        #expect(double.document?.updateTime == Self.times.commitTime)
        let zero = document("c/1", ("z", .double(0)))
        #expect(try Self.apply(.set(Self.fields(("z", .double(-0.0)))), to: zero).document?.updateTime == Self.times.commitTime)
    }

    @Test func `a delete leaves nothing and reports no time, also of a missing document`() throws {  // WR-15, WR-20
        for stored in [Self.stored, nil] {
            let applied = try Self.apply(.delete, to: stored)
            #expect(applied.document == nil && applied.result.updateTime == nil)
        }
    }

    @Test func `a verify changes nothing and reports the stored time`() throws {  // WR-12
        let applied = try Self.apply(.verify, .exists(true), to: Self.stored)
        #expect(applied.document == Self.stored && applied.result.updateTime == Self.stored.updateTime)
    }

    enum Stored: CaseIterable { case missing, sameVersion, otherVersion }

    /// Semantics 3.3: precondition, stored state, expected code; nil when it holds.
    static let preconditions: [(Precondition, Stored, FirestoreError.Code?)] = [
        (.exists(false), .missing, nil), (.exists(false), .sameVersion, .alreadyExists),
        (.exists(true), .missing, .notFound), (.exists(true), .sameVersion, nil),
        (.updateTime(DocumentVersion(microseconds: 7)), .sameVersion, nil),
        (.updateTime(DocumentVersion(microseconds: 7)), .otherVersion, .failedPrecondition),
        (.updateTime(DocumentVersion(microseconds: 7)), .missing, .failedPrecondition),
        (.updateTime(DocumentVersion(microseconds: 5_000_124)), .sameVersion, .invalidArgument),
        (.updateTime(DocumentVersion(microseconds: 5_000_124)), .missing, .invalidArgument),
    ]

    @Test(arguments: preconditions.indices)
    func `preconditions answer with their codes, whatever the operation`(index: Int) throws {  // WR-3, WR-11
        let (precondition, state, expected) = Self.preconditions[index]
        let stored: Document? =
            switch state {
            case .missing: nil
            case .sameVersion: document("c/1", ("a", .null), version: 7)
            case .otherVersion: document("c/1", ("a", .null), version: 8)
            }
        for operation in [Write.Operation.set(.empty), .patch(.empty, mask: []), .delete, .verify] {
            if let expected {
                let error = expect(expected) { () throws(FirestoreError) in
                    _ = try Self.apply(operation, precondition, to: stored)
                }
                #expect(error?.description.contains("c/1") == true)
            } else {
                _ = try Self.apply(operation, precondition, to: stored)
            }
        }
    }

    /// The service's words: applications and test suites look at them.
    @Test func `a missing and an existing document are named in full`() {
        let name = "projects/p/databases/(default)/documents/c/1"
        let missing = expect(.notFound) { () throws(FirestoreError) in
            _ = try Self.apply(.patch(.empty, mask: []), .exists(true), to: nil)
        }
        #expect(missing?.description.hasPrefix("No document to update: \(name);") == true)
        let existing = expect(.alreadyExists) { () throws(FirestoreError) in
            _ = try Self.apply(.set(.empty), .exists(false), to: Self.stored)
        }
        #expect(existing?.description.hasPrefix("Document already exists: \(name);") == true)
    }

    @Test func `a result that grew too large or too deep is rejected`() throws {  // DM-25, DM-27
        let big = document("c/1", ("a", .bytes(Array(repeating: 0, count: 1_000_000))))
        let more = Self.fields(("b", .bytes(Array(repeating: 0, count: 100_000))))
        let error = expect(.invalidArgument) { () throws(FirestoreError) in
            _ = try Self.apply(.patch(more, mask: [path("b")]), to: big)
        }
        #expect(error?.location == "c/1")
        let deep = FieldPathSegments(Array(repeating: "x", count: 22))
        expect(.invalidArgument) { () throws(FirestoreError) in
            _ = try WriteApplication.apply(
                Write(
                    key: Self.key, operation: .patch(.empty, mask: []),
                    transforms: [FieldTransform(path: deep, kind: .serverTimestamp)]), to: nil, at: Self.times, in: database)
        }
    }
}
