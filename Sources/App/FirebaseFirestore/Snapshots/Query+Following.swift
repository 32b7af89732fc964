// SPDX-License-Identifier: Apache-2.0
package import Dispatch
import FirebaseCore
import FirestoreCore

extension Query {
    /// Starts a listener on a queue other than that of the settings.
    package func follow(
        on queue: DispatchQueue, _ receive: @escaping @Sendable (Result<QuerySnapshot, any Error>) -> Void
    ) -> any ListenerRegistration {
        listen(on: queue, options: ListenOptions(), callback: UserCallback(receive))
    }
}
