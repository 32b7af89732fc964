// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import FirestoreStorage

    /// Lookups that wait for the same moment: those that arrive while others are in flight are one statement together (DN-6.2).
    final class LookupLine: Sendable {
        private struct Request {
            let keys: [DocumentKey]
            let answer: @Sendable (Result<DocumentLookup, FirestoreError>) -> Void
        }

        private struct State {
            var waiting: [Request] = []
            var running = 0
        }

        /// A second one, so that a slow statement does not delay every other lookup.
        private static let statements = 2
        private static let keysPerStatement = 100

        private let state = Mutex(State())

        /// Looks up keys. Every state is of a moment after this call.
        func lookup(
            _ keys: [DocumentKey], of store: PostgresStore, answer: @escaping @Sendable (Result<DocumentLookup, FirestoreError>) -> Void
        ) {
            let starts = state.withLock { state in
                state.waiting.append(Request(keys: keys, answer: answer))
                guard state.running < Self.statements else { return false }
                state.running += 1
                return true
            }
            if starts { run(for: store) }
        }

        private func run(for store: PostgresStore) {
            let batch = Mutex<[Request]?>(nil)
            store.start { (connection) throws(FirestoreError) -> [DocumentLookup] in
                let requests = self.take()
                batch.withLock { $0 = requests }
                // The other statement may have taken everything.
                guard !requests.isEmpty else { return [] }
                let found = try store.lookup(requests.flatMap(\.keys), on: connection)
                var first = 0
                return requests.map { request in
                    defer { first += request.keys.count }
                    return DocumentLookup(
                        readTime: found.readTime, documents: Array(found.documents[first..<first + request.keys.count]))
                }
            } completion: { result in
                // Nothing was taken if there was no connection.
                let requests = batch.withLock { $0 } ?? self.take()
                switch result {
                case .success(let found): for (request, lookup) in zip(requests, found) { request.answer(.success(lookup)) }
                case .failure(let error): self.fail(requests, error, of: store)
                }
                self.next(for: store)
            }
        }

        /// A document that cannot be read fails its own lookup only.
        private func fail(_ requests: [Request], _ error: FirestoreError, of store: PostgresStore) {
            guard requests.count > 1, error.code != .unavailable else {
                for request in requests { request.answer(.failure(error)) }
                return
            }
            for request in requests {
                store.start(
                    { (connection) throws(FirestoreError) in try store.lookup(request.keys, on: connection) }, completion: request.answer)
            }
        }

        private func take() -> [Request] {
            state.withLock { state in
                var keys = 0
                let count = state.waiting.prefix { request in
                    defer { keys += request.keys.count }
                    return keys == 0 || keys + request.keys.count <= Self.keysPerStatement
                }.count
                defer { state.waiting.removeFirst(count) }
                return Array(state.waiting.prefix(count))
            }
        }

        private func next(for store: PostgresStore) {
            let continues = state.withLock { state in
                if state.waiting.isEmpty { state.running -= 1 }
                return !state.waiting.isEmpty
            }
            if continues { run(for: store) }
        }
    }
#endif
