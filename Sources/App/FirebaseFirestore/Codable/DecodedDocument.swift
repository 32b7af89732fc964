// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#endif

/// The document that this thread is decoding, for `@DocumentID` properties that `CodingKeys` leave out.
///
/// Decoding is synchronous, so a thread-local value set around it is seen by exactly the initializers it runs. One
/// drawback: a static sample value that is first accessed inside an `init(from:)` gets the document's id, too
/// (`docs/decisions/0005`).
@usableFromInline
enum DecodedDocument {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    @usableFromInline
    static var reference: DocumentReference? {
        pthread_getspecific(key).map { Unmanaged<DocumentReference>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Not nil once a `@DocumentID` was made with a value, a default one perhaps, while a document is being decoded.
    private static let defaultKey: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    @usableFromInline
    static func noteDefault() {
        guard let reference = pthread_getspecific(key) else { return }
        pthread_setspecific(defaultKey, reference)
    }

    static func with<Result>(_ reference: DocumentReference?, _ body: () throws -> Result) rethrows -> Result {
        let previous = (pthread_getspecific(key), pthread_getspecific(defaultKey))
        pthread_setspecific(key, reference.map { Unmanaged.passUnretained($0).toOpaque() })
        pthread_setspecific(defaultKey, nil)
        defer {
            pthread_setspecific(key, previous.0)
            pthread_setspecific(defaultKey, previous.1)
            withExtendedLifetime(reference) {}
        }
        let result = try body()
        if let reference, pthread_getspecific(defaultKey) != nil { HiddenDocumentID.note(result, of: reference) }
        return result
    }
}
