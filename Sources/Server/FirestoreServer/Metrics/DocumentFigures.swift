// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The documents that calls have read and written since the start, for the console.
package final class DocumentFigures: Sendable {
    package struct Values: Sendable, Equatable {
        package var reads = 0
        package var writes = 0
        package var deletes = 0
    }

    private let state = Mutex(Values())

    package init() {}

    package var values: Values { state.withLock { $0 } }

    /// Documents were sent.
    package func read(_ count: Int = 1) {
        guard count > 0 else { return }
        state.withLock { $0.reads += count }
    }

    /// A pipeline has changed documents. Which of them it has deleted is not known.
    package func modified(_ count: Int) { state.withLock { $0.writes += count } }

    /// Writes were committed.
    package func wrote(_ writes: [Write]) {
        var (written, deleted) = (0, 0)
        for write in writes {
            switch write.operation {
            case .set, .patch: written += 1
            case .delete: deleted += 1
            case .verify: break
            }
        }
        state.withLock { state in
            state.writes += written
            state.deletes += deleted
        }
    }
}
