// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Reads documents for conditions, and counts them (SR-120, SR-121).
///
/// One per request, shared by its operations: each may read ten documents, a request of several operations twenty.
struct DocumentAccesses {
    private struct Entry {
        let access: DocumentAccess
        let key: DocumentKey
        let document: Document?
        /// The last operation that counted it.
        var operation: Int
    }

    private let state: any RulesState
    /// The documents that the commit writes, deletes or verifies that is judged; none for a read.
    private let written: Set<DocumentKey>
    private var entries: [Entry] = []
    /// The operation that is judged, from 1.
    private var operation = 0
    private var countInOperation = 0
    private var isOneOfMany: Bool

    init(_ state: any RulesState, operations: Int, writes: [Write]) {
        self.state = state
        written = Set(writes.lazy.map(\.key))
        isOneOfMany = operations > 1
    }

    mutating func beginOperation() {
        operation += 1
        countInOperation = 0
    }

    /// The documents that conditions have read.
    var keys: [DocumentKey] { entries.map(\.key) }

    /// Whether the commit that is judged writes a document, deletes it or verifies it.
    func isWritten(_ key: DocumentKey) -> Bool { written.contains(key) }

    mutating func read(_ access: DocumentAccess, _ key: DocumentKey) throws(Interruption) -> Document? {
        if let known = entries.firstIndex(where: { $0.access == access && $0.key == key }) {
            if entries[known].operation != operation {
                entries[known].operation = operation
                try count()
            }
            return entries[known].document
        }
        try count()
        guard entries.count < (isOneOfMany ? RulesLimits.accessesPerRequest : RulesLimits.accessesPerOperation) else {
            throw Self.tooMany
        }
        let document: Document?
        do throws(FirestoreError) {
            document = try access.isAfter ? state.after(key) : state.before(key)
        } catch {
            // A commit that cannot be applied leaves nothing to read. Whether the caller may know why depends on the rules (SR-23).
            if access.isAfter, error.isOfWrite { throw .failure(.documentAccess("The commit cannot be applied.")) }
            throw .state(error)
        }
        entries.append(Entry(access: access, key: key, document: document, operation: operation))
        return document
    }

    private mutating func count() throws(Interruption) {
        guard countInOperation < RulesLimits.accessesPerOperation else { throw Self.tooMany }
        countInOperation += 1
    }

    private static var tooMany: Interruption {
        .failure(
            .documentAccess(
                "Conditions read at most \(RulesLimits.accessesPerOperation) documents per operation "
                    + "and \(RulesLimits.accessesPerRequest) per request."))
    }
}
