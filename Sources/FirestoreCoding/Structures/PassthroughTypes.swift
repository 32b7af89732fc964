/// Says which objects `FirebaseDataEncoder` stores untouched and `FirebaseDataDecoder` returns untouched.
public protocol StructureCodingPassthroughTypeResolver {
    static func isPassthroughType<T>(_ t: T) -> Bool
}

/// Marks a property wrapper that is skipped on encoding and decoded without looking up its key, as `@DocumentID` is.
public protocol StructureCodingUncodedUnkeyed {}

/// The default: nothing passes through.
struct NoPassthroughTypes: StructureCodingPassthroughTypeResolver {
    static func isPassthroughType<T>(_ t: T) -> Bool { false }
}
