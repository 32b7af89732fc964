// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Logging
public import Foundation

/// Controls whether the database creates indexes automatically.
///
/// In the Apple SDK these are the indexes of a cache; here they are those of the embedded database. With a database on a server,
/// and once the instance is terminated, the methods fail: they log the reason as a warning and have no effect.
public final class PersistentCacheIndexManager: NSObject, Sendable {
    private let administration: @Sendable () throws(FirestoreError) -> any IndexAdministration
    /// The last change that takes time; the next one waits for it.
    private let changes = Mutex<Task<Void, Never>?>(nil)

    init(_ administration: @escaping @Sendable () throws(FirestoreError) -> any IndexAdministration) {
        self.administration = administration
        super.init()
    }

    /// Lets the database create an index for a query shape once its queries have read many more documents than they
    /// returned.
    ///
    /// This is the default: the same as `settings.indexPolicy = .automatic`.
    public func enableIndexAutoCreation() { set(.automatic, "enableIndexAutoCreation()") }

    /// Stops the automatic creation of indexes. Existing indexes are retained. Same as
    /// `settings.indexPolicy = .manual`.
    public func disableIndexAutoCreation() { set(.manual, "disableIndexAutoCreation()") }

    /// Deletes all indexes, configured ones included. Queries return the same results and become slower.
    ///
    /// Returns immediately; reads do not wait for the deletion. If indexes are created automatically, those that are
    /// needed are created again.
    public func deleteAllIndexes() {
        do throws(FirestoreError) {
            let administration = try administration()
            changes.withLock { last in
                let previous = last
                last = Task {
                    await previous?.value
                    do throws(FirestoreError) {
                        try await administration.dropIndexes(includingConfigured: true)
                    } catch {
                        Self.log(error, "deleteAllIndexes()")
                    }
                }
            }
        } catch {
            Self.log(error, "deleteAllIndexes()")
        }
    }

    private func set(_ policy: IndexPolicy, _ operation: String) {
        do throws(FirestoreError) {
            try administration().setIndexPolicy(policy)
        } catch {
            Self.log(error, operation)
        }
    }

    private static func log(_ error: FirestoreError, _ operation: String) {
        FirebaseConfiguration.shared.logger(label: "hearth.firestore").warning(
            "\(operation) of the index manager failed: \(error)")
    }

    /// Returns when the changes requested so far are done.
    func settled() async { await changes.withLock { $0 }?.value }
}
