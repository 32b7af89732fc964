import FirestoreClient
import FirestoreCore
import Testing

/// The algorithm of transactions without a server transaction (semantics 5.2).
@Suite struct TransactionStateTests {
    let a = DocumentKey(trusted: "x/a")
    let b = DocumentKey(trusted: "x/b")

    private func document(_ key: DocumentKey, version: Int64) -> Document {
        Document(
            key: key, createTime: DocumentVersion(microseconds: 1), updateTime: DocumentVersion(microseconds: version),
            fields: .empty)
    }

    private func set(_ key: DocumentKey) -> Write { Write(key: key, operation: .set(.empty)) }
    private func update(_ key: DocumentKey) -> Write {
        Write(key: key, operation: .patch(.empty, mask: []), precondition: .exists(true))
    }

    private func code(_ body: () throws(FirestoreError) -> Void) -> FirestoreError.Code? {
        do throws(FirestoreError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `writes carry what was read`() throws {
        // TX-13
        let version = Precondition.updateTime(DocumentVersion(microseconds: 7))
        let cases: [(read: Document??, write: Write, expected: Precondition?)] = [
            (.some(document(a, version: 7)), set(a), version),
            (.some(document(a, version: 7)), update(a), version),
            (.some(document(a, version: 7)), Write(key: a, operation: .delete), version),
            (.some(nil), set(a), .exists(false)),
            (.some(nil), Write(key: a, operation: .delete), .exists(false)),
            (nil, set(a), nil),
            (nil, update(a), .exists(true)),
        ]
        for (read, write, expected) in cases {
            var state = TransactionState()
            if let read { try state.read(a, read) }
            state.write(write)
            #expect(try state.commit().map(\.precondition) == [expected])
        }
    }

    @Test func `only the first write of a document carries the version`() throws {
        var state = TransactionState()
        try state.read(a, document(a, version: 7))
        for write in [set(a), set(a), update(a)] { state.write(write) }
        let version = Precondition.updateTime(DocumentVersion(microseconds: 7))
        #expect(try state.commit().map(\.precondition) == [version, nil, .exists(true)])  // TX-14
    }

    @Test func `what was only read is verified`() throws {
        var state = TransactionState()
        try state.read(a, document(a, version: 7))
        try state.read(b, nil)
        let checks = try state.commit()
        #expect(checks.map(\.key) == [a, b])  // TX-15
        #expect(checks.map(\.precondition) == [.updateTime(DocumentVersion(microseconds: 7)), .exists(false)])
        for check in checks {
            guard case .verify = check.operation else {
                Issue.record("not a verify")
                return
            }
        }
    }

    @Test func `a read after a write is refused for good`() {
        var state = TransactionState()
        state.write(set(a))
        #expect(code { () throws(FirestoreError) in try state.checkMayRead(b) } == .invalidArgument)  // TX-12
        #expect(code { () throws(FirestoreError) in _ = try state.commit() } == .invalidArgument)
    }

    @Test func `updating what was read as missing is refused for good`() throws {
        var state = TransactionState()
        try state.read(a, nil)
        state.write(update(a))
        #expect(code { () throws(FirestoreError) in _ = try state.commit() } == .invalidArgument)
    }

    @Test func `two versions of one document are a conflict`() throws {
        var state = TransactionState()
        try state.read(a, document(a, version: 7))
        try state.read(a, document(a, version: 7))
        #expect(code { () throws(FirestoreError) in try state.read(a, document(a, version: 8)) } == .aborted)  // TX-16
        #expect(code { () throws(FirestoreError) in try state.read(a, nil) } == .aborted)
    }

    @Test func `an empty transaction commits nothing`() throws {
        #expect(try TransactionState().commit().isEmpty)  // TX-19
    }
}

@Suite struct TransactionRetryTests {
    @Test func `five attempts, further and further apart`() {
        var retry = TransactionRetry()
        var generator = SystemRandomNumberGenerator()
        let conflict = FirestoreError(.aborted, "conflict")
        var delays: [Duration] = []
        while let delay = retry.delay(after: conflict, using: &generator) { delays.append(delay) }
        #expect(delays.count == 4)  // TX-17
        // TX-18: each half to one and a half times its nominal length, which grows by half.
        var nominal = Duration.milliseconds(5)
        for delay in delays {
            #expect(delay >= nominal * 0.5 && delay <= nominal * 1.5)
            nominal = nominal * 1.5
        }
    }

    @Test func `what cannot pass by itself is not tried again`() {
        var generator = SystemRandomNumberGenerator()
        let permanent: [FirestoreError.Code] = [
            .invalidArgument, .notFound, .permissionDenied, .outOfRange, .unimplemented, .dataLoss,
        ]
        for code in FirestoreError.Code.allCases where code != .ok {
            var retry = TransactionRetry()
            let again = retry.delay(after: FirestoreError(code, ""), using: &generator) != nil
            #expect(again == !permanent.contains(code), "\(code)")
        }
        var once = TransactionRetry(attempts: 0)
        #expect(once.delay(after: FirestoreError(.aborted, ""), using: &generator) == nil)
    }
}
