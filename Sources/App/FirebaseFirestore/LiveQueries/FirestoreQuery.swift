// SPDX-License-Identifier: Apache-2.0

/// A property that holds the result of a query and keeps it up to date.
///
/// ```swift
/// @MainActor final class CityList {
///     @FirestoreQuery(collectionPath: "cities", predicates: [.order(by: "name")]) var cities: [City]
/// }
/// ```
/// Empty until the first result arrives. The listener starts when the value or the projected value is first read, on
/// the default database unless another one is given, and ends with the property's owner. Code that reads the value
/// inside `withObservationTracking` is notified when it changes; in a class that is itself `@Observable` mark the
/// property `@ObservationIgnored`.
///
/// The Apple SDK's wrapper depends on SwiftUI. This one depends on Observation, which SwiftUI also tracks; its
/// initializers have no `animation`.
@propertyWrapper
public struct FirestoreQuery<T> {
    /// The query, and the error of its last result.
    public struct Configuration {
        /// The path of the collection.
        public var path: String
        /// Conditions, orders and limits, applied one after the other.
        public var predicates: [QueryPredicate]
        /// The handling of documents that cannot be decoded.
        public var decodingFailureStrategy: DecodingFailureStrategy
        /// The error of the query, or of the first document that could not be decoded; nil otherwise.
        public var error: (any Error)?
    }

    private let results: LiveResults<T>

    private init(_ configuration: Configuration, _ firestore: Firestore?, _ shape: ResultShape<T>) {
        results = LiveResults(configuration, firestore: firestore, shape: shape)
    }

    /// Creates a property whose result is an array; it is empty when the query fails.
    ///
    /// - Parameters:
    ///   - collectionPath: The path of the collection.
    ///   - predicates: Conditions, orders and limits, applied one after the other.
    ///   - decodingFailureStrategy: What to show when a document cannot be decoded.
    ///   - firestore: The database; nil for the default one. The parameter is beyond the Apple SDK.
    public init<U: Decodable>(
        collectionPath: String, predicates: [QueryPredicate] = [],
        decodingFailureStrategy: DecodingFailureStrategy = .raise, in firestore: Firestore? = nil
    ) where T == [U] {
        self.init(
            Configuration(
                path: collectionPath, predicates: predicates, decodingFailureStrategy: decodingFailureStrategy),
            firestore, .array())
    }

    /// Creates a property whose result is an array or the error of the query.
    ///
    /// - Parameters:
    ///   - collectionPath: The path of the collection.
    ///   - predicates: Conditions, orders and limits, applied one after the other.
    ///   - decodingFailureStrategy: What to show when a document cannot be decoded.
    ///   - firestore: The database; nil for the default one. The parameter is beyond the Apple SDK.
    public init<U: Decodable>(
        collectionPath: String, predicates: [QueryPredicate] = [],
        decodingFailureStrategy: DecodingFailureStrategy = .raise, in firestore: Firestore? = nil
    ) where T == Result<[U], any Error> {
        self.init(
            Configuration(
                path: collectionPath, predicates: predicates, decodingFailureStrategy: decodingFailureStrategy),
            firestore, .result())
    }

    /// The newest result.
    @MainActor @preconcurrency
    public var wrappedValue: T { results.current }

    /// The query. A change restarts it, and the old result remains until the new one arrives.
    @MainActor @preconcurrency
    public var projectedValue: Configuration {
        get { results.currentConfiguration }
        nonmutating set { results.ask(newValue) }
    }
}
