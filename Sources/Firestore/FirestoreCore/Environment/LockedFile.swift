// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An `flock` on a file that also records which process holds it.
///
/// The kernel releases the lock when the process ends or crashes; the file stays.
package final class LockedFile: Sendable {
    package enum Failure: Error {
        /// The file cannot be opened or created: the system's error number.
        case cannotOpen(Int32)
        /// The file system does not grant the lock: the system's error number.
        case cannotLock(Int32)
        /// Another process holds it: its process id, or "unknown".
        case held(by: String)
    }

    private let descriptor: Int32
    /// The text after the process id that the last holder has left; nil if the file is new.
    package let note: String?

    /// Creates the file if it is missing, and takes the lock exclusively. `isPrivate`: only this user may use a new file. `firstNote`: the
    /// note of a new file.
    package init(exclusive path: String, isPrivate: Bool = false, firstNote: String = "") throws(Failure) {
        descriptor = try Self.lock(path, O_RDWR | O_CREAT | O_CLOEXEC, LOCK_EX, isPrivate ? 0o600 : 0o644)
        note = Self.note(descriptor)
        write(note: note ?? firstNote)
    }

    /// Creates the file if it is missing, and takes the lock together with other processes that do the same.
    package init(joining path: String) throws(Failure) {
        descriptor = try Self.lock(path, O_RDWR | O_CREAT | O_CLOEXEC, LOCK_SH, 0o600)
        note = nil
        write(note: "")
    }

    /// Takes a shared lock on an existing file, together with other readers.
    package init(shared path: String) throws(Failure) {
        descriptor = try Self.lock(path, O_RDONLY | O_CLOEXEC, LOCK_SH)
        note = Self.note(descriptor)
    }

    /// Takes a joined lock for this process alone; false if others have joined it, and then it is lost. `isExclusive` false: lets others
    /// join again.
    package func change(isExclusive: Bool) -> Bool { flock(descriptor, (isExclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 }

    /// Replaces the note. It follows the process id, which is a hint for the error message of the next process; the lock holds without
    /// them, also on a full disk. Not synchronized with the disk.
    package func write(note: String) {
        let content = [UInt8]("\(getpid())\n\(note)".utf8)
        guard pwrite(descriptor, content, content.count, 0) == content.count else { return }
        _ = ftruncate(descriptor, off_t(content.count))
    }

    private static func note(_ descriptor: Int32) -> String? {
        var buffer = [UInt8](repeating: 0, count: 200)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        let content = buffer.prefix(count)
        // Without a process id, the whole content is something else.
        guard let end = content.firstIndex(of: UInt8(ascii: "\n")), content[..<end].allSatisfy({ (48...57).contains($0) }) else {
            return String(decoding: content, as: UTF8.self)
        }
        return String(decoding: content[(end + 1)...], as: UTF8.self)
    }

    deinit {
        // A child process that is being started has the descriptor too, until it executes another program; closing this
        // process's descriptor alone would leave the lock with the child until then.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func lock(
        _ path: String, _ flags: Int32, _ operation: Int32, _ mode: mode_t = 0o644
    ) throws(Failure) -> Int32 {
        let descriptor = open(path, flags, mode)
        guard descriptor >= 0 else { throw .cannotOpen(errno) }
        guard flock(descriptor, operation | LOCK_NB) == 0 else {
            let reason = errno
            let holder = holder(descriptor)
            close(descriptor)
            throw reason == EWOULDBLOCK ? .held(by: holder) : .cannotLock(reason)
        }
        return descriptor
    }

    private static func holder(_ descriptor: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 20)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        let digits = buffer.prefix(max(0, count)).prefix { (48...57).contains($0) }
        return digits.isEmpty ? "unknown" : String(decoding: digits, as: UTF8.self)
    }
}
