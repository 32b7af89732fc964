// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreTransfer

/// The data that an export has written and not sent.
final class ExportPieces: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    func append(_ more: [UInt8]) { bytes.withLock { $0 += more } }

    /// nil if there is nothing.
    func take() -> [UInt8]? {
        bytes.withLock { bytes in
            defer { bytes = [] }
            return bytes.isEmpty ? nil : bytes
        }
    }
}

/// Buffers the data that an export writes until the page that it belongs to is complete.
final class ExportTarget: ByteTarget {
    private let pieces: ExportPieces
    private(set) var position: Int64 = 0

    init(_ pieces: ExportPieces) { self.pieces = pieces }

    func append(_ bytes: [UInt8]) throws(FirestoreError) {
        position += Int64(bytes.count)
        pieces.append(bytes)
    }

    func finish() throws(FirestoreError) {}
}

/// The body of a request as a file that is read on the thread of an import.
final class BodySource: ByteSource {
    private let body: HTTPRequestBody
    private var rest = ByteSlice.empty
    private var used = 0
    private var handedOut: Int64 = 0

    init(_ body: HTTPRequestBody) { self.body = body }

    var name: String { "the file" }
    var size: Int64? { nil }
    func position(without unused: Int) -> Int64 { handedOut - Int64(unused) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FirestoreError) -> Int {
        guard !buffer.isEmpty else { return 0 }
        while used == rest.count {
            do throws(RPCStatus) {
                guard let next = try body.next() else { return 0 }
                (rest, used) = (next, 0)
            } catch {
                throw FirestoreError(error.code, error.message, at: "byte \(handedOut) of the file")
            }
        }
        let count = min(buffer.count, rest.count - used)
        rest.withUnsafeBytes { buffer.copyBytes(from: $0[used..<used + count]) }
        used += count
        handedOut += Int64(count)
        return count
    }
}
