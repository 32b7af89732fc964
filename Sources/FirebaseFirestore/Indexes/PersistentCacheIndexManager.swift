import FirebaseCore
import FirestoreCore
import Logging
public import Foundation

/// Decides whether the database makes indexes by itself.
///
/// In the original these are indexes of a cache; here they are those of the embedded database. Where there are none to
/// manage, once the instance is terminated or with a database on a server, the methods log a warning and change nothing.
public final class PersistentCacheIndexManager: NSObject, Sendable {
    private let administration: @Sendable () throws(FirestoreError) -> any IndexAdministration
    /// The last change that takes time; the next one waits for it.
    private let changes = Mutex<Task<Void, Never>?>(nil)

    init(_ administration: @escaping @Sendable () throws(FirestoreError) -> any IndexAdministration) {
        self.administration = administration
        super.init()
    }

    /// Lets the database make the index a query would like, once queries have read many more documents than they
    /// returned. It does so unless told otherwise: the same as `settings.indexPolicy = .automatic`.
    public func enableIndexAutoCreation() { set(.automatic, "enableIndexAutoCreation()") }

    /// Stops that; indexes made before stay. The same as `settings.indexPolicy = .manual`.
    public func disableIndexAutoCreation() { set(.manual, "disableIndexAutoCreation()") }

    /// Drops all indexes, configured ones included. Queries stay right and get slower.
    ///
    /// Returns at once; reads do not wait for it. Where indexes are made automatically, those that are needed come back.
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

    /// Returns when the changes asked for so far are done.
    func settled() async { await changes.withLock { $0 }?.value }
}
