/// Says which objects `FirebaseDataEncoder` stores untouched and `FirebaseDataDecoder` returns untouched.
public protocol StructureCodingPassthroughTypeResolver {
    /// Whether a value is kept as the object it is.
    static func isPassthroughType<T>(_ t: T) -> Bool
}

/// The default: nothing passes through.
struct NoPassthroughTypes: StructureCodingPassthroughTypeResolver {
    static func isPassthroughType<T>(_ t: T) -> Bool { false }
}
