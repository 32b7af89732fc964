// SPDX-License-Identifier: Apache-2.0

/// The way a `@FirestoreQuery` handles a document that cannot be decoded. Its `error` is set in both cases.
public enum DecodingFailureStrategy: Sendable {
    /// The documents that can be decoded.
    case ignore
    /// An empty array, or a failure.
    case raise
}
