// SPDX-License-Identifier: Apache-2.0

/// Bytes with one immutable owner: the content of a stored document.
///
/// A slice retains its owner, so sub-slices are free and a view into the bytes stays valid while any slice of the owner
/// exists. Equality is equality of the bytes.
///
/// `@unchecked Sendable`: `start` points into `owner`, whose bytes are written once, before the owner is
/// published, and never again; `owner` is reference counted. Nothing mutable is reachable.
public struct ByteSlice: @unchecked Sendable {
    public let owner: ByteStorage
    public let start: UnsafeRawPointer
    public let count: Int

    @inlinable
    public init(owner: ByteStorage, start: UnsafeRawPointer, count: Int) {
        self.owner = owner
        self.start = start
        self.count = count
    }

    /// Copies the bytes once.
    @inlinable
    public init(copying bytes: UnsafeRawBufferPointer) {
        let owner = ByteStorage.make(count: bytes.count) { target in
            if let source = bytes.baseAddress { target.copyMemory(from: source, byteCount: bytes.count) }
        }
        self.init(owner: owner, start: owner.start, count: bytes.count)
    }

    @inlinable
    public init(_ bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { ByteSlice(copying: $0) }
    }

    public static let empty = ByteSlice([])

    @inlinable public var isEmpty: Bool { count == 0 }
    @inlinable public var end: UnsafeRawPointer { start + count }

    /// The bytes, valid for as long as this slice (or another of the same owner) lives.
    @inlinable public var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    @inlinable
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        defer { withExtendedLifetime(owner) {} }
        return try body(buffer)
    }

    public var array: [UInt8] { withUnsafeBytes { [UInt8]($0) } }
}

extension ByteSlice: Hashable {
    @inlinable
    public static func == (left: ByteSlice, right: ByteSlice) -> Bool {
        left.count == right.count && (left.start == right.start || compareBytes(left.buffer, right.buffer) == 0)
    }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

/// The owner of a `ByteSlice`: one allocation, header and bytes together.
///
/// Written only inside `make`, before the object is published. (Not `Sendable` itself, because `ManagedBuffer` rules that
/// out; `ByteSlice` is, and says why.)
public final class ByteStorage: ManagedBuffer<Int, UInt8> {
    /// Allocates `count` bytes and lets `fill` write them.
    @inlinable
    public static func make(count: Int, fill: (UnsafeMutableRawPointer) throws -> Void) rethrows -> ByteStorage {
        let object = ByteStorage.create(minimumCapacity: count) { _ in count }
        let storage = unsafeDowncast(object, to: ByteStorage.self)
        try storage.withUnsafeMutablePointerToElements { try fill(UnsafeMutableRawPointer($0)) }
        return storage
    }

    /// Stable for the life of the object: `ManagedBuffer` tail-allocates.
    @inlinable public var start: UnsafeRawPointer { withUnsafeMutablePointerToElements { UnsafeRawPointer($0) } }
}
