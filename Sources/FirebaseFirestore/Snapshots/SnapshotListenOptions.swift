import FirestoreCore
public import Foundation

/// How a listener is to listen.
public final class SnapshotListenOptions: NSObject, Sendable {
    /// Where it looks.
    public let source: ListenSource
    /// Whether it is also told when only metadata changed.
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

    /// A copy with another choice about metadata changes.
    public func withIncludeMetadataChanges(_ includeMetadataChanges: Bool) -> SnapshotListenOptions {
        SnapshotListenOptions(source: source, includeMetadataChanges: includeMetadataChanges)
    }

    /// A copy with another source.
    public func withSource(_ source: ListenSource) -> SnapshotListenOptions {
        SnapshotListenOptions(source: source, includeMetadataChanges: includeMetadataChanges)
    }
}
