// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension OpenPlace {
    /// The documents of a query, one page at a time; an error of `body` ends it. (With `limit(toLast:)` as one page:
    /// the service answers in the reverse order.)
    func forEachPage(of query: ClientQuery, _ body: @escaping @Sendable ([Document]) throws -> Void) async throws {
        if query.limitsToLast {
            return try body(try await service.run(query.serviceQuery, context: stream).documents.reversed())
        }
        let failure = Mutex<(any Error)?>(nil)
        try await service.run(query.serviceQuery, options: .latest, context: stream) { page throws(FirestoreError) in
            if Task.isCancelled { return .stop }
            do {
                try body(page.documents)
                return .next
            } catch {
                failure.withLock { $0 = error }
                return .stop
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
        try Task.checkCancellation()
    }
}
