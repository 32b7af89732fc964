// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
@testable import FirestoreTransfer
import Testing

struct ImportLineTests {
    private func batch(_ count: Int) -> ImportBatch {
        var batch = ImportBatch()
        for number in 1...count {
            batch.append(TestDatabase.document("a/\(number)"), at: ImportPlace(file: "f", .line(number)))
        }
        return batch
    }

    private let limits = ImportLimits(commitsInFlight: 3, bytesInFlight: 1_000)
    private let failure = FirestoreError(.unavailable, "gone")

    @Test func `batches in flight are limited`() {
        var line = ImportLine(limits)
        let numbers = (0..<3).map { _ in
            guard case .proceed = line.next(toSend: 10) else { return 0 }
            return line.add(batch(1))
        }
        #expect(numbers == [1, 2, 3])
        guard case .wait = line.next(toSend: 10) else { return #expect(Bool(false)) }
        // One behind the first is not reported as written, for the first may fail; but there is capacity again once the first is over.
        line.finish(2, .success(()))
        #expect(line.documents == 0)
        guard case .wait = line.next(toSend: 10) else { return #expect(Bool(false)) }
        line.finish(1, .success(()))
        #expect(line.documents == 2)
        guard case .proceed = line.next(toSend: 10) else { return #expect(Bool(false)) }
        guard case .wait = line.next(toSend: nil) else { return #expect(Bool(false)) }
        line.finish(3, .success(()))
        guard case .proceed = line.next(toSend: nil) else { return #expect(Bool(false)) }
    }

    @Test func `bytes in flight are limited as well, except for a batch that is sent alone`() {
        var line = ImportLine(limits)
        guard case .proceed = line.next(toSend: 5_000) else { return #expect(Bool(false)) }
        _ = line.add(batch(5))
        guard case .proceed = line.next(toSend: 400) else { return #expect(Bool(false)) }
        guard case .wait = line.next(toSend: 600) else { return #expect(Bool(false)) }
    }

    @Test func `behind a failure everything is sent again, in order, once nothing is in flight`() {
        var line = ImportLine(limits)
        _ = line.add(batch(1))
        _ = line.add(batch(2))
        _ = line.add(batch(3))
        line.finish(2, .failure(failure))
        guard case .wait = line.next(toSend: 10) else { return #expect(Bool(false)) }
        line.finish(1, .success(()))
        guard case .wait = line.next(toSend: 10) else { return #expect(Bool(false)) }
        line.finish(3, .success(()))
        guard case .failed(let error, let again, let areIn) = line.next(toSend: 10) else { return #expect(Bool(false)) }
        #expect(error.code == .unavailable)
        #expect(error.location == "f, lines 1 to 2")
        #expect(again.map(\.count) == [2, 3])
        #expect(areIn == 3)
        #expect(line.documents == 1)
        guard case .proceed = line.next(toSend: nil) else { return #expect(Bool(false)) }
    }

    @Test func `an error that names a document of the batch is reported with its line`() {
        let named = batch(20).located(.invalidArgument("bad", at: "a/12, field n"))
        #expect(named.location == "f, line 12: a/12, field n")
        #expect(batch(20).located(.invalidArgument("bad", at: "a/1")).location == "f, line 1: a/1")
        #expect(batch(20).located(.invalidArgument("bad", at: "elsewhere")).location == "f, lines 1 to 20: elsewhere")
        #expect(batch(1).located(.invalidArgument("bad")).location == "f, line 1")
    }
}
