// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A source whose first bytes have been read ahead.
final class PeekedSource: ByteSource {
    /// The maximum number of bytes that are read ahead.
    private static let most = 1 << 16

    private let source: any ByteSource
    /// The first bytes of the source.
    let beginning: [UInt8]
    private var used = 0

    /// Reads ahead until `isEnough`, the end, or 64 KiB.
    init(_ source: any ByteSource, until isEnough: ([UInt8]) -> Bool) throws(FirestoreError) {
        self.source = source
        var bytes = [UInt8](repeating: 0, count: Self.most)
        var count = 0
        while count < bytes.count, !isEnough(Array(bytes[..<count])) {
            let read = try source.read(into: &bytes, from: count)
            if read == 0 { break }
            count += read
        }
        beginning = Array(bytes[..<count])
    }

    var name: String { source.name }
    var size: Int64? { source.size }
    func position(without unused: Int) -> Int64 { source.position(without: unused + beginning.count - used) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FirestoreError) -> Int {
        guard used < beginning.count else { return try source.read(into: buffer) }
        let piece = beginning[used...].prefix(buffer.count)
        buffer.copyBytes(from: piece)
        used += piece.count
        return piece.count
    }
}
