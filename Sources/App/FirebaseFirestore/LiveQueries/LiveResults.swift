// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseCore
import FirestoreCore
import Observation

/// The listener behind a `@FirestoreQuery`, and its last result.
///
/// Used on the main actor only: by the property wrapper, and by its listener, which is called on the main queue,
/// whatever the queue of the settings.
@Observable
final class LiveResults<T> {
    private var value: T
    private var configuration: FirestoreQuery<T>.Configuration
    @ObservationIgnored private let firestore: Firestore?
    @ObservationIgnored private let shape: ResultShape<T>
    @ObservationIgnored private var registration: (any ListenerRegistration)?
    /// Distinguishes the events of the current query from those of earlier ones that are still in flight.
    @ObservationIgnored private var question = 0

    init(_ configuration: FirestoreQuery<T>.Configuration, firestore: Firestore?, shape: ResultShape<T>) {
        self.configuration = configuration
        self.firestore = firestore
        self.shape = shape
        value = shape.initial
    }

    deinit { registration?.remove() }

    /// The newest result; starts listening at the first call.
    var current: T {
        startIfNeeded()
        return value
    }

    /// The query; starts listening at the first call.
    var currentConfiguration: FirestoreQuery<T>.Configuration {
        startIfNeeded()
        return configuration
    }

    func ask(_ configuration: FirestoreQuery<T>.Configuration) {
        self.configuration = configuration
        start()
    }

    private func startIfNeeded() {
        if registration == nil { start() }
    }

    private func start() {
        registration?.remove()
        question += 1
        let question = question
        let collection: Query = (firestore ?? .firestore()).collection(configuration.path)
        let query = configuration.predicates.reduce(collection) { $0.adding($1) }
        registration = query.listen(
            on: .main, options: ListenOptions(),
            callback: UserCallback { [weak self] event in
                guard let self, self.question == question else { return }
                receive(event)
            })
    }

    private func receive(_ event: Result<QuerySnapshot, any Error>) {
        switch event {
        case .success(let snapshot):
            let (value, error) = shape.decoded(snapshot, configuration.decodingFailureStrategy)
            show(value, error: error)
        case .failure(let error): show(shape.failed(error), error: error)
        }
    }

    private func show(_ value: T, error: (any Error)?) {
        self.value = value
        // Observers of the error are not notified when it stays nil.
        if configuration.error != nil || error != nil { configuration.error = error }
    }
}
