// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

/// Our answers compared with Google's official emulator (docs/decisions/0007). Skipped unless `dev/oracle queries` runs it.
@Suite(.enabled(if: EmulatorClient.address != nil, "no emulator: run dev/oracle queries"), .serialized)
struct EmulatorOracleTests {
    @Test(arguments: 0..<8)
    func `queries have the emulator's results`(seed: Int) async throws {
        guard let emulator = EmulatorClient() else { return }
        var random = RandomData(seed: UInt64(seed) + 9_000)
        let documents = random.documents(40)
        try await emulator.clear()
        try await emulator.write(documents)
        let source = ArrayDocumentSource(documents)
        var compared = 0
        for _ in 0..<250 {
            let query = random.query()
            guard (try? QueryCheck.check(query, database: database)) != nil, try !isBeyondTheEmulator(query) else { continue }
            let text = "seed \(seed): \(try EmulatorJSON.query(query))"
            let ours = try QueryExecutor.run(query, over: source, database: database).map(\.key.path)
            let theirs: [String]
            do { theirs = try await emulator.run(query) } catch let refusal as EmulatorClient.Refusal {
                Issue.record("refused with \(refusal.body): \(text)")
                continue
            }
            compared += 1
            #expect(ours == theirs, "\(text)")
        }
        #expect(compared > 50)
    }

    /// What the emulator cannot do although it is legal, or does by accident.
    private func isBeyondTheEmulator(_ query: StructuredQuery) throws -> Bool {
        // "collection group queries are only allowed at the root parent"
        if case .collectionGroup(_, _?) = query.scope { return true }
        // "Firestore does not support descending key scans"
        let orders = query.effectiveOrders
        if let filter = query.filter, try hasEmptyRangeInOr(filter, inOr: false) { return true }
        return orders[0].path.isDocumentID && orders[0].direction == .descending
    }

    /// A range with null or NaN as its end matches nothing; inside an OR the emulator forgets it altogether, with the
    /// order it implies, and so lets documents without the field in (QR-30).
    private func hasEmptyRangeInOr(_ filter: QueryFilter, inOr: Bool) throws -> Bool {
        switch filter {
        case .field(_, let op, let operand):
            let value = try operand.value
            return inOr && op.isInequality && (NaiveValues.isNull(value) || NaiveValues.isNaN(value))
        case .and(let filters): return try filters.contains { try hasEmptyRangeInOr($0, inOr: inOr) }
        case .or(let filters): return try filters.contains { try hasEmptyRangeInOr($0, inOr: true) }
        }
    }
}
