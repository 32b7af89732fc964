import FirestoreClient
public import Foundation

/// How the loading of a bundle goes.
public enum LoadBundleTaskState: Int, Sendable {
    /// It failed.
    case error = 0
    /// It goes on.
    case inProgress = 1
    /// All of it is there.
    case success = 2
}

/// How far the loading of a bundle has come.
public final class LoadBundleTaskProgress: NSObject, Sendable {
    /// Documents so far, those that were up to date already included.
    public let documentsLoaded: Int
    /// Documents of the bundle.
    public let totalDocuments: Int
    /// Bytes so far.
    public let bytesLoaded: Int
    /// Bytes of the bundle.
    public let totalBytes: Int
    /// How it goes.
    public let state: LoadBundleTaskState

    init(_ progress: BundleProgress) {
        documentsLoaded = progress.documentsLoaded
        totalDocuments = progress.totalDocuments
        bytesLoaded = progress.bytesLoaded
        totalBytes = progress.totalBytes
        state =
            switch progress.state {
            case .failed: .error
            case .inProgress: .inProgress
            case .succeeded: .success
            }
        super.init()
    }

    /// Equal when all numbers and the state are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? LoadBundleTaskProgress else { return false }
        return documentsLoaded == other.documentsLoaded && totalDocuments == other.totalDocuments
            && bytesLoaded == other.bytesLoaded && totalBytes == other.totalBytes && state == other.state
    }

    /// Combines state and documents.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(state)
        hasher.combine(documentsLoaded)
        return hasher.finalize()
    }

    /// State and numbers, readable.
    public override var description: String {
        "<LoadBundleTaskProgress: \(state) \(documentsLoaded)/\(totalDocuments) documents>"
    }
}
