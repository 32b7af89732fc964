// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
public import Foundation

extension FirestoreSettings {
    /// The condition that the awaited forms of `setData`, `updateData`, `delete`, `addDocument` and `commit` wait for.
    ///
    /// Beyond the Apple SDK.
    public enum AwaitedWrites: Hashable, Sendable {
        /// The server has accepted the write, as in the Apple SDK: while offline, these calls do not return.
        case acknowledged
        /// The write is stored in the queue. It may still be rejected; see ``Firestore/failedWrites``.
        case saved
        /// The server has accepted the write; or it is stored in the queue and the client is offline. The default.
        case acknowledgedOrOffline
    }

    /// The policy for a write that the server rejects after it was queued.
    ///
    /// Beyond the Apple SDK.
    public enum FailedWritePolicy: Hashable, Sendable {
        /// It is rolled back and forgotten, as in the Apple SDK.
        case drop
        /// It is rolled back and stored in ``Firestore/failedWrites`` until it is retried or dismissed. The default.
        case keep
        /// It is rolled back and stored in ``Firestore/failedWrites``, and the writes behind it wait until it is retried or dismissed.
        case hold

        package var internalForm: FirestoreCore.FailedWritePolicy {
            switch self {
            case .drop: .drop
            case .keep: .keep
            case .hold: .hold
            }
        }
    }

    /// The condition that awaited writes wait for. Completion handlers always wait for the server.
    ///
    /// It matters only for a database on a server that is used with a cache.
    ///
    /// Beyond the Apple SDK.
    public var awaitedWrites: AwaitedWrites {
        get { values.awaitedWrites }
        set { values.awaitedWrites = newValue }
    }

    /// The policy for a write that the server rejects after it was queued.
    ///
    /// Beyond the Apple SDK.
    public var failedWritePolicy: FailedWritePolicy {
        get { values.failedWritePolicy }
        set { values.failedWritePolicy = newValue }
    }

    /// How long the first response of a server may take before the client is considered offline and answers from its cache.
    ///
    /// Ten seconds by default, as in the Apple SDK. A rejected connection takes effect immediately.
    ///
    /// With zero the cache comes first: `getDocument` and `getDocuments` with the default source return cached documents without
    /// waiting for the server, and the cache is brought up to date in the background. Documents that are not cached wait for the server,
    /// up to ten seconds.
    ///
    /// Beyond the Apple SDK.
    public var offlineAfter: Duration {
        get { values.offlineAfter }
        set { values.offlineAfter = newValue }
    }

    /// The default behavior for pending server timestamps in snapshots.
    ///
    /// ``ServerTimestampBehavior/none`` by default, as in the Apple SDK: null. A read that names `estimate` or `previous` gets
    /// that; one that names `none`, or nothing, gets the value selected here.
    ///
    /// Beyond the Apple SDK.
    public var serverTimestamps: ServerTimestampBehavior {
        get { values.serverTimestamps }
        set { values.serverTimestamps = newValue }
    }

    /// Whether each user has a separate cache.
    ///
    /// False by default, as in the Apple SDK: users of the app share cached documents, so that after a change of the user
    /// reads from the cache still find what the user before was allowed to read. Queues of writes are always separate.
    ///
    /// Beyond the Apple SDK.
    public var cacheIsPerUser: Bool {
        get { values.cacheIsPerUser }
        set { values.cacheIsPerUser = newValue }
    }

    /// The directory for persistent caches. nil, the default, is `hearth/cache` in the user's application-support directory.
    ///
    /// Every app, server, project and database has a separate file in it. Directories are created so that only this user
    /// of the machine can read them.
    ///
    /// Beyond the Apple SDK.
    public var cacheDirectory: URL? {
        get { values.cacheDirectory }
        set { values.cacheDirectory = newValue }
    }
}
