/// A property that holds the result of a query and keeps it up to date.
///
/// ```swift
/// @MainActor final class CityList {
///     @FirestoreQuery(collectionPath: "cities", predicates: [.order(by: "name")]) var cities: [City]
/// }
/// ```
/// Empty until the first result is there. The listener starts when the value or the projected value is first read, on
/// the default database unless another one is given, and ends with the property's owner. Whoever reads the value inside
/// `withObservationTracking` is told when it changes; in a class that is `@Observable` itself mark the property
/// `@ObservationIgnored`.
///
/// The original is bound to SwiftUI. This one needs Observation only, which SwiftUI follows too; what is missing is the
/// `animation` of its initializers.
@propertyWrapper
public struct FirestoreQuery<T> {
    /// What is asked, and how the last answer went.
    public struct Configuration {
        /// The path of the collection.
        public var path: String
        /// Conditions, orders and limits, applied one after the other.
        public var predicates: [QueryPredicate]
        /// What to show when a document does not decode.
        public var decodingFailureStrategy: DecodingFailureStrategy
        /// Why the query failed, or why the first document that does not decode does not; nil if all is well.
        public var error: (any Error)?
    }

    private let results: LiveResults<T>

    private init(_ configuration: Configuration, _ firestore: Firestore?, _ shape: ResultShape<T>) {
        results = LiveResults(configuration, firestore: firestore, shape: shape)
    }

    /// A result that is an array; empty when the query fails.
    ///
    /// - Parameter firestore: the database; nil for the default one.
    public init<U: Decodable>(
        collectionPath: String, predicates: [QueryPredicate] = [],
        decodingFailureStrategy: DecodingFailureStrategy = .raise, in firestore: Firestore? = nil
    ) where T == [U] {
        self.init(
            Configuration(
                path: collectionPath, predicates: predicates, decodingFailureStrategy: decodingFailureStrategy),
            firestore, .array())
    }

    /// A result that is an array or the error of the query.
    ///
    /// - Parameter firestore: the database; nil for the default one.
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

    /// What is asked; a change asks anew, and the old result stays until the new one is there.
    @MainActor @preconcurrency
    public var projectedValue: Configuration {
        get { results.currentConfiguration }
        nonmutating set { results.ask(newValue) }
    }
}
