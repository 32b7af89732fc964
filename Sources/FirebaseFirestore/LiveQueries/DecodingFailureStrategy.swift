/// What a `@FirestoreQuery` shows when a document does not decode; its `error` is set in both cases.
public enum DecodingFailureStrategy: Sendable {
    /// What decodes is shown, the rest is left out.
    case ignore
    /// Nothing is shown: an empty array, or a failure.
    case raise
}
