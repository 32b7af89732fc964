// SPDX-License-Identifier: Apache-2.0
import CZlib

/// Compresses a body piece by piece, for `content-encoding: gzip`.
package final class GzipDeflater {
    /// zlib stores a pointer to it, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var chunk = [UInt8](repeating: 0, count: 16 << 10)

    /// A window of 8 kB and tables of 32 kB: an answer being sent takes 64 kB, where zlib's default takes 256.
    private static let windowBits: Int32 = 13 + 16
    private static let memoryLevel: Int32 = 6

    /// Returns nil if zlib cannot allocate its buffers.
    package init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let code = deflateInit2_(
            stream, Z_BEST_SPEED, Z_DEFLATED, Self.windowBits, Self.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Returns the available part of the compressed form; often nothing, because zlib buffers.
    package func deflate(_ bytes: [UInt8]) -> [UInt8] { run(bytes, Z_NO_FLUSH) }

    /// Returns the rest. Nothing may be compressed afterwards.
    package func finish() -> [UInt8] { run([], Z_FINISH) }

    /// Compresses a whole body. Returns nil if zlib cannot allocate its buffers.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        guard let deflater = GzipDeflater() else { return nil }
        return deflater.deflate(bytes) + deflater.finish()
    }

    private func run(_ bytes: [UInt8], _ flush: Int32) -> [UInt8] {
        var output: [UInt8] = []
        bytes.withUnsafeBufferPointer { input in
            // zlib declares its input mutable and does not write to it.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(clamping: input.count)
            var isFull = true
            while isFull {
                let room = chunk.count
                let left = chunk.withUnsafeMutableBufferPointer { target -> Int in
                    stream.pointee.next_out = target.baseAddress
                    stream.pointee.avail_out = UInt32(room)
                    _ = CZlib.deflate(stream, flush)
                    return Int(stream.pointee.avail_out)
                }
                output.append(contentsOf: chunk[..<(room - left)])
                // A full chunk means that there may be more.
                isFull = left == 0
            }
        }
        return output
    }
}
