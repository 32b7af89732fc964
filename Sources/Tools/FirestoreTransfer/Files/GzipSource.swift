// SPDX-License-Identifier: Apache-2.0
import CZlib
import FirestoreCore

/// The content of a gzip file, decompressed piece by piece: whatever the size of the content, memory holds only the
/// reader's buffer, 64 KiB of the file and zlib's window. Several consecutive members are one content, as for `gzip
/// -d`.
final class GzipSource: ByteSource {
    /// The window of deflate, plus the flag of zlib that selects gzip's header.
    private static let windowBits: Int32 = 15 + 16
    private static let inputSize = 1 << 16

    private let source: any ByteSource
    /// At a stable address, which zlib compares with the one it was initialized with.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: GzipSource.inputSize, alignment: 16)
    private var isBetweenMembers = false
    private var inputHasEnded = false
    private var hasEnded = false

    static func isGzip(_ beginning: [UInt8]) -> Bool { beginning.starts(with: [0x1F, 0x8B]) }

    init(_ source: any ByteSource) throws(FirestoreError) {
        self.source = source
        stream.initialize(to: z_stream())
        guard inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw FirestoreError(.internal, "zlib could not be initialized", at: source.name)
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
    }

    var name: String { source.name }
    /// Of the compressed file.
    var size: Int64? { source.size }
    /// The position in the compressed file: it is not known which part of it the unused bytes come from.
    func position(without unused: Int) -> Int64 { source.position(without: Int(stream.pointee.avail_in)) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FirestoreError) -> Int {
        guard let start = buffer.baseAddress, !buffer.isEmpty, !hasEnded else { return 0 }
        let capacity = UInt32(clamping: buffer.count)
        stream.pointee.next_out = start.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = capacity
        while true {
            try fillInput()
            if isBetweenMembers {
                skipPadding()
                if stream.pointee.avail_in == 0 {
                    guard inputHasEnded else { continue }
                    hasEnded = true
                    return 0
                }
                inflateReset(stream)
                isBetweenMembers = false
            }
            let code = inflate(stream, Z_NO_FLUSH)
            let produced = Int(capacity - stream.pointee.avail_out)
            switch code {
            case Z_STREAM_END: isBetweenMembers = true
            case Z_OK: break
            case Z_BUF_ERROR where produced == 0 && inputHasEnded:
                throw failure("the compressed file is cut off; download or compress it again")
            case Z_BUF_ERROR: break
            default: throw failure("the compressed file is damaged; download or compress it again")
            }
            if produced > 0 { return produced }
        }
    }

    private func fillInput() throws(FirestoreError) {
        guard stream.pointee.avail_in == 0, !inputHasEnded else { return }
        let count = try source.read(into: input)
        if count == 0 { inputHasEnded = true }
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(count)
    }

    /// Some programs fill the last block of a file with zeros.
    private func skipPadding() {
        while stream.pointee.avail_in > 0, stream.pointee.next_in.pointee == 0 {
            stream.pointee.next_in += 1
            stream.pointee.avail_in -= 1
        }
    }

    private func failure(_ what: String) -> FirestoreError {
        FirestoreError(.dataLoss, what, at: "\(name), byte \(position(without: 0))")
    }
}
