// SPDX-License-Identifier: Apache-2.0
import CZlib
package import FirestoreCore

/// Inflates a message that was sent with `grpc-encoding: gzip`, or a body with `content-encoding: gzip`.
package enum GzipInflater {
    /// The maximum window of deflate, plus zlib's flag for gzip's header.
    private static let windowBits: Int32 = 15 + 16

    /// Returns at most `limit` bytes, so that a small message cannot expand to gigabytes.
    package static func inflate(
        _ message: ByteSlice, limit: Int, oversizedCode: FirestoreError.Code
    ) throws(RPCStatus) -> ByteSlice {
        var stream = z_stream()
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw RPCStatus(.internal, "zlib could not be started")
        }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(64 << 10, max(1 << 10, message.count * 4)))
        var code = Z_OK
        message.withUnsafeBytes { input in
            // zlib declares its input mutable and does not write to it.
            stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
            stream.avail_in = UInt32(clamping: input.count)
            while code == Z_OK, output.count <= limit {
                let produced = chunk.withUnsafeMutableBufferPointer { target -> Int in
                    stream.next_out = target.baseAddress
                    stream.avail_out = UInt32(target.count)
                    code = CZlib.inflate(&stream, Z_NO_FLUSH)
                    return target.count - Int(stream.avail_out)
                }
                output.append(contentsOf: chunk[..<produced])
                if code == Z_OK, produced == 0, stream.avail_in == 0 { code = Z_BUF_ERROR }
            }
        }
        guard output.count <= limit else {
            throw RPCStatus(oversizedCode, "an inflated message is larger than the limit of \(limit) bytes")
        }
        guard code == Z_STREAM_END, stream.avail_in == 0 else {
            throw RPCStatus(.internal, "a message is not valid gzip")
        }
        return ByteSlice(output)
    }
}
