// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
public import Foundation

/// The state of loading a bundle.
public enum LoadBundleTaskState: Int, Sendable {
    /// Loading has failed.
    case error = 0
    /// Loading continues.
    case inProgress = 1
    /// All of the bundle is stored.
    case success = 2
}

/// The progress of loading a bundle.
public final class LoadBundleTaskProgress: NSObject, Sendable {
    /// The number of documents processed so far, including those that were up to date.
    public let documentsLoaded: Int
    /// The number of documents in the bundle.
    public let totalDocuments: Int
    /// The number of bytes processed so far.
    public let bytesLoaded: Int
    /// The number of bytes in the bundle.
    public let totalBytes: Int
    /// The state.
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
    public override var hash: Int { Hasher.hash(state, documentsLoaded) }

    /// State and numbers, readable.
    public override var description: String {
        "<LoadBundleTaskProgress: \(state) \(documentsLoaded)/\(totalDocuments) documents>"
    }
}
