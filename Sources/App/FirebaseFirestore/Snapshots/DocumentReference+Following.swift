// SPDX-License-Identifier: Apache-2.0
package import Dispatch
import FirebaseCore
import FirestoreCore

extension DocumentReference {
    /// Starts a listener on a queue other than that of the settings.
    package func follow(
        on queue: DispatchQueue, _ receive: @escaping @Sendable (Result<DocumentSnapshot, any Error>) -> Void
    ) -> any ListenerRegistration {
        firestore.listen(
            to: location.map { .document($0) }, options: ListenOptions(), on: queue, callback: UserCallback(receive),
            snapshot: { self.snapshot(of: $0) })
    }
}
