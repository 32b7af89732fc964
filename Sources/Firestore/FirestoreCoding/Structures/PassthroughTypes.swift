// SPDX-License-Identifier: Apache-2.0

/// Determines which objects `FirebaseDataEncoder` stores unchanged and `FirebaseDataDecoder` returns unchanged.
public protocol StructureCodingPassthroughTypeResolver {
    /// Whether values of a type are passed through unchanged.
    static func isPassthroughType<T>(_ t: T) -> Bool
}

/// The default: no types pass through.
struct NoPassthroughTypes: StructureCodingPassthroughTypeResolver {
    static func isPassthroughType<T>(_ t: T) -> Bool { false }
}
