// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import Foundation

/// A bundle in memory.
final class DataSource: BundleSource {
    private static let chunk = 64 * 1_024
    private let data: Data
    private let position = Mutex(0)

    init(_ data: Data) { self.data = data }

    func next() async -> [UInt8]? {
        let (start, end) = position.withLock { position in
            let start = position
            position = min(start + Self.chunk, data.count)
            return (start, position)
        }
        return start == end ? nil : [UInt8](data[(data.startIndex + start)..<(data.startIndex + end)])
    }
}

/// A bundle read from a stream, on a thread that may block.
///
/// `@unchecked Sendable`: the app hands the stream over, and it is accessed on `thread` only, which is a serial queue.
final class StreamSource: BundleSource, @unchecked Sendable {
    private static let chunk = 64 * 1_024
    private let stream: InputStream
    private let thread = DispatchQueue(label: "hearth.bundle")

    init(_ stream: InputStream) { self.stream = stream }

    func next() async throws(FirestoreError) -> [UInt8]? {
        let result: Result<[UInt8]?, FirestoreError> = await withCheckedContinuation { continuation in
            thread.async { continuation.resume(returning: Result { () throws(FirestoreError) in try self.read() }) }
        }
        return try result.get()
    }

    private func read() throws(FirestoreError) -> [UInt8]? {
        if stream.streamStatus == .notOpen { stream.open() }
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        let count = stream.read(&buffer, maxLength: buffer.count)
        guard count >= 0 else {
            throw FirestoreError(.unavailable, "the stream cannot be read", cause: stream.streamError)
        }
        if count > 0 { return Array(buffer[..<count]) }
        stream.close()
        return nil
    }
}
