// SPDX-License-Identifier: Apache-2.0

/// What a `@FirestoreQuery` shows when a document cannot be decoded. Its `error` is set in both cases.
public enum DecodingFailureStrategy: Sendable {
    /// The documents that can be decoded.
    case ignore
    /// An empty array, or a failure.
    case raise
}
