// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
public import Foundation

/// Options of a snapshot listener.
public final class SnapshotListenOptions: NSObject, Sendable {
    /// The source of the snapshots.
    public let source: ListenSource
    /// Whether the listener is also called when only metadata changes.
    public let includeMetadataChanges: Bool

    /// The default source, no metadata changes.
    public convenience override init() {
        self.init(source: .default, includeMetadataChanges: false)
    }

    private init(source: ListenSource, includeMetadataChanges: Bool) {
        self.source = source
        self.includeMetadataChanges = includeMetadataChanges
        super.init()
    }

    var internalForm: ListenOptions {
        ListenOptions(source: source == .cache ? .cache : .default, includeMetadataChanges: includeMetadataChanges)
    }

    /// A copy with the given choice about metadata changes.
    public func withIncludeMetadataChanges(_ includeMetadataChanges: Bool) -> SnapshotListenOptions {
        SnapshotListenOptions(source: source, includeMetadataChanges: includeMetadataChanges)
    }

    /// A copy with the given source.
    public func withSource(_ source: ListenSource) -> SnapshotListenOptions {
        SnapshotListenOptions(source: source, includeMetadataChanges: includeMetadataChanges)
    }
}
