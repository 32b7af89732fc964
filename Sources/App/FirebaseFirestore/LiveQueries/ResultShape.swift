// SPDX-License-Identifier: Apache-2.0

/// How the documents of a snapshot become the value of a `@FirestoreQuery`.
struct ResultShape<T> {
    /// The value before the first snapshot.
    let initial: T
    /// The value when the query fails.
    let failed: (any Error) -> T
    /// The value of a snapshot, and the error of the first document that cannot be decoded.
    let decoded: (QuerySnapshot, DecodingFailureStrategy) -> (value: T, error: (any Error)?)

    static func array<U: Decodable>() -> ResultShape where T == [U] {
        ResultShape(initial: [], failed: { _ in [] }) { snapshot, strategy in
            let documents = snapshot.documents(as: U.self)
            let error = documents.failures.first?.error
            return (error != nil && strategy == .raise ? [] : documents.values, error)
        }
    }

    static func result<U: Decodable>() -> ResultShape where T == Result<[U], any Error> {
        ResultShape(initial: .success([]), failed: { .failure($0) }) { snapshot, strategy in
            let documents = snapshot.documents(as: U.self)
            let error = documents.failures.first?.error
            if let error, strategy == .raise { return (.failure(error), error) }
            return (.success(documents.values), error)
        }
    }
}
