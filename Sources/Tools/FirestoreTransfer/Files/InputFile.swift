// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#endif

/// A file, or standard input, read once from beginning to end by one thread.
///
/// It uses plain `read`, without `Data` or `FileHandle`, so that a gigabyte is read through the one buffer of the
/// reader.
package final class InputFile {
    /// The name for messages.
    package let name: String
    /// The size of a regular file; nil if it is not known beforehand, for example for a pipe.
    package let size: Int64?
    private let descriptor: Int32
    private let closesWhenDone: Bool
    /// Bytes handed out so far.
    package private(set) var position: Int64 = 0

    /// The name of standard input and output.
    package static let standard = "-"

    /// Opens a file; `-` is standard input.
    package init(_ path: String) throws(FirestoreError) {
        if path.utf8.elementsEqual(Self.standard.utf8) {
            name = "standard input"
            descriptor = STDIN_FILENO
            closesWhenDone = false
            size = Self.size(of: STDIN_FILENO)
            return
        }
        let opened = open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw FirestoreError(.notFound, "the file cannot be opened: \(SystemError.current)", at: path) }
        name = path
        descriptor = opened
        closesWhenDone = true
        guard !Self.isDirectory(opened) else {
            throw .invalidArgument("this is a directory; name a file in it", at: path)
        }
        size = Self.size(of: opened)
    }

    deinit { if closesWhenDone { close(descriptor) } }

    /// Reads the available bytes, up to the size of `buffer`; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(FirestoreError) -> Int {
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return 0 }
        while true {
            #if canImport(Glibc)
                let count = Glibc.read(descriptor, start, buffer.count)
            #elseif canImport(Darwin)
                let count = Darwin.read(descriptor, start, buffer.count)
            #elseif canImport(Musl)
                let count = Musl.read(descriptor, start, buffer.count)
            #endif
            if count >= 0 {
                position += Int64(count)
                return count
            }
            guard errno == EINTR else {
                throw FirestoreError(.dataLoss, "the file cannot be read: \(SystemError.current)", at: "\(name), byte \(position)")
            }
        }
    }

    /// Reads until `buffer` is full or the file ends.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(FirestoreError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    private static func status(of descriptor: Int32) -> stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }

    private static func isDirectory(_ descriptor: Int32) -> Bool {
        status(of: descriptor).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }

    private static func size(of descriptor: Int32) -> Int64? {
        guard let status = status(of: descriptor), status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }
}
