// SPDX-License-Identifier: Apache-2.0

/// What a listener of the public API follows.
package enum ClientTarget: Sendable, Hashable {
    case document(DocumentKey)
    case query(ClientQuery)
}

package struct ListenOptions: Sendable, Hashable {
    /// Where the listener looks; `.server` is not a source of listeners.
    package var source: ReadSource
    package var includeMetadataChanges: Bool
    /// The consumer asks for the next snapshot when it is ready (an asynchronous sequence), so nothing waits for it; it is
    /// told when the client terminates, or its wait would never end.
    package var isPulled: Bool

    package init(source: ReadSource = .default, includeMetadataChanges: Bool = false, isPulled: Bool = false) {
        self.source = source
        self.includeMetadataChanges = includeMetadataChanges
        self.isPulled = isPulled
    }
}

package protocol ListenHandle: AnyObject, Sendable {
    /// Idempotent, allowed inside an event. Nothing is delivered afterwards, but for an event that another thread
    /// has begun to deliver at this moment.
    func remove()
}
