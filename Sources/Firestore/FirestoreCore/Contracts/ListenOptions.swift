// SPDX-License-Identifier: Apache-2.0

/// The target of a listener of the public API.
package enum ClientTarget: Sendable, Hashable {
    case document(DocumentKey)
    case query(ClientQuery)
}

package struct ListenOptions: Sendable, Hashable {
    /// Where the listener looks; `.server` is not a source of listeners.
    package var source: ReadSource
    package var includeMetadataChanges: Bool
    /// Whether the consumer asks for the next snapshot when it is ready (an asynchronous sequence). Nothing waits for such a
    /// consumer; it is notified when the client terminates, because its wait would otherwise never end.
    package var isPulled: Bool

    package init(source: ReadSource = .default, includeMetadataChanges: Bool = false, isPulled: Bool = false) {
        self.source = source
        self.includeMetadataChanges = includeMetadataChanges
        self.isPulled = isPulled
    }
}

package protocol ListenHandle: AnyObject, Sendable {
    /// Idempotent; allowed inside an event. Nothing is delivered afterwards, except an event whose delivery has already begun
    /// on another thread.
    func remove()
}
