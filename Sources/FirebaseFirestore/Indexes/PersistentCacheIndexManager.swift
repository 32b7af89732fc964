import FirebaseCore
import FirestoreCore
import Logging
public import Foundation

/// Decides whether the database makes indexes by itself.
///
/// In the original these are indexes of a cache; here they are those of the embedded database. Once the instance is
/// terminated the methods do nothing but log.
public final class PersistentCacheIndexManager: NSObject, Sendable {
    let administration: any IndexAdministration
    /// The last change that takes time; the next one waits for it.
    private let changes = Mutex<Task<Void, Never>?>(nil)

    init(_ administration: any IndexAdministration) {
        self.administration = administration
        super.init()
    }

    /// Lets the database make the index a query would like, once queries have read many more documents than they
    /// returned. It does so unless told otherwise: the same as `settings.indexPolicy = .automatic`.
    public func enableIndexAutoCreation() { set(.automatic) }

    /// Stops that; indexes made before stay. The same as `settings.indexPolicy = .manual`.
    public func disableIndexAutoCreation() { set(.manual) }

    /// Drops all indexes, configured ones included. Queries stay right and get slower.
    ///
    /// Returns at once; reads do not wait for it. Where indexes are made automatically, those that are needed come back.
    public func deleteAllIndexes() {
        let administration = administration
        changes.withLock { last in
            let previous = last
            last = Task {
                await previous?.value
                do throws(FirestoreError) {
                    try await administration.dropIndexes(includingConfigured: true)
                } catch {
                    Self.log(error)
                }
            }
        }
    }

    private func set(_ policy: IndexPolicy) {
        do throws(FirestoreError) {
            try administration.setIndexPolicy(policy)
        } catch {
            Self.log(error)
        }
    }

    private static func log(_ error: FirestoreError) {
        FirebaseConfiguration.shared.logger(label: "hearth.firestore").warning("the indexes could not be changed: \(error)")
    }

    /// Returns when the changes asked for so far are done.
    func settled() async { await changes.withLock { $0 }?.value }
}
