// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    import FirestoreStorage
    import PostgresLink

    /// Facts that a transaction has read: single ones, and whole ranges.
    struct FetchedFacts {
        private(set) var values: [[UInt8]: ByteSlice?] = [:]
        private(set) var ranges: [FactRange] = []

        mutating func add(_ range: FactRange, _ result: PostgresResult) {
            for row in 0..<result.count {
                if let key = result.array(row, 0) { values[key] = .some(result.slice(row, 1)) }
            }
            ranges.append(range)
        }

        mutating func add(_ key: [UInt8], _ value: ByteSlice?) { values[key] = .some(value) }

        /// nil if it was not read; an inner nil if there is none.
        func value(_ key: [UInt8]) -> ByteSlice?? {
            values[key] ?? (ranges.contains { $0.contains(key) } ? .some(nil) : nil)
        }

        static func call(_ range: FactRange, _ session: StoreSession) -> PostgresCall {
            session.call(
                "SELECT key, value FROM \(session.tables.facts) WHERE db = $1 AND key >= $2 AND key < $3 ORDER BY key",
                .bytes(range.lower), .bytes(range.upper))
        }
    }

    extension PostgresTransaction {
        package func fact(_ key: String) throws(FirestoreError) -> ByteSlice? {
            let key = [UInt8](key.utf8)
            if let own = buffer.facts[key] { return own }
            if buffer.removedFacts.contains(where: { $0.contains(key) }) { return nil }
            if let known = fetchedFacts.value(key) { return known }
            let result = try miss(session.call("SELECT value FROM \(session.tables.facts) WHERE db = $1 AND key = $2", .bytes(key)))
            let value = result.count > 0 ? result.slice(0, 0) : nil
            fetchedFacts.add(key, value)
            return value
        }

        package func setFact(_ key: String, _ value: ByteSlice?) throws(FirestoreError) { buffer.setFact([UInt8](key.utf8), value) }

        package func facts(
            in keys: Range<String>, _ body: (String, UnsafeRawBufferPointer) throws(FirestoreError) -> Void
        ) throws(FirestoreError) {
            let range = FactRange(keys)
            if !fetchedFacts.ranges.contains(where: { $0.contains(range) }) {
                fetchedFacts.add(range, try miss(FetchedFacts.call(range, session)))
            }
            var values: [[UInt8]: ByteSlice] = [:]
            for (key, value) in fetchedFacts.values where range.contains(key) {
                if buffer.removedFacts.contains(where: { $0.contains(key) }) { continue }
                values[key] = value
            }
            for (key, value) in buffer.facts where range.contains(key) { values[key] = value }
            for (key, value) in values.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                guard let text = String(validating: key, as: UTF8.self) else { throw session.damaged("a stored fact") }
                defer { withExtendedLifetime(value) {} }
                try body(text, value.buffer)
            }
        }

        package func removeFacts(in keys: Range<String>) throws(FirestoreError) { buffer.removeFacts(in: FactRange(keys)) }
    }
#endif
