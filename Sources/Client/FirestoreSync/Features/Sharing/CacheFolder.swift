// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// The folder beside a shared cache, in which its processes find each other: `<file>.d`.
///
/// Each process has a named pipe in it, its wake-up pipe. A process that has changed the cache writes a byte into those of the others. A
/// pipe whose reader has ended cannot be opened for writing, so it also shows which processes are alive: without clocks, leases or process
/// numbers, which are used again. Sockets would do the same, but their paths are limited to about a hundred bytes.
struct CacheFolder: Sendable {
    /// The cache.
    let file: String
    private let path: String

    init(of file: String) throws(FirestoreError) {
        self.file = file
        path = file + ".d"
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw Self.failure("the folder of the cache's processes cannot be created", path) }
        chmod(path, 0o700)
    }

    // MARK: Opening

    /// Makes a wake-up pipe, and waits until no other process is opening the cache.
    static func enter(_ file: String) throws(FirestoreError) -> (membership: CacheMembership, lock: Lock) {
        var attempts = 0
        while true {
            do throws(FirestoreError) {
                let folder = try CacheFolder(of: file)
                let lock = try folder.lock()
                return (CacheMembership(folder, try folder.makePipe()), lock)
            } catch {
                // Clearing the data removes the folder under the hands of a process that comes.
                attempts += 1
                var status = stat()
                guard attempts < 100, stat(file + ".d", &status) != 0, errno == ENOENT else { throw error }
            }
        }
    }

    /// Excludes other processes that open the cache at the same moment.
    final class Lock {
        private let descriptor: Int32

        fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit {
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
    }

    /// Waits until no other process is opening the cache.
    func lock() throws(FirestoreError) -> Lock {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("the folder of the cache's processes cannot be opened", path) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                defer { close(descriptor) }
                throw Self.failure("the folder of the cache's processes cannot be locked", path)
            }
        }
        return Lock(descriptor)
    }

    // MARK: Wake-up pipes

    func makePipe() throws(FirestoreError) -> WakeUpPipe {
        let id = Int64.random(in: 1...Int64.max)
        return WakeUpPipe(id: id, pipe: try CachePipe(creating: name(id)))
    }

    /// Wakes a process. Returns false if it has ended.
    func wake(_ id: Int64) -> Bool {
        let writer = open(name(id), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard writer >= 0 else { return errno != ENXIO && errno != ENOENT }
        defer { close(writer) }
        // As long as this process reads too, a write cannot raise a signal.
        let reader = open(name(id), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard reader >= 0 else { return true }
        defer { close(reader) }
        var byte: UInt8 = 1
        // A full pipe will wake it as well.
        _ = write(writer, &byte, 1)
        return true
    }

    func isAlive(_ id: Int64) -> Bool {
        let writer = open(name(id), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard writer >= 0 else { return errno != ENXIO && errno != ENOENT }
        close(writer)
        return true
    }

    /// Whether other processes can wake this one.
    func contains(_ wakeUp: WakeUpPipe) -> Bool {
        var (found, made) = (stat(), stat())
        return stat(name(wakeUp.id), &found) == 0 && fstat(wakeUp.pipe.reader, &made) == 0 && found.st_ino == made.st_ino
            && found.st_dev == made.st_dev
    }

    func removePipe(_ id: Int64) { unlink(name(id)) }

    private func name(_ id: Int64) -> String { "\(path)/\(String(id, radix: 16))" }

    // MARK: The leader

    /// The streams belong to this process until the lock is released; nil if another one has it.
    func lead() -> LockedFile? { try? LockedFile(exclusive: file + ".leader", isPrivate: true) }

    /// A pipe that has a writer as long as there is a leader.
    var leaderPipe: String { path + "/leader" }

    static func failure(_ text: String, _ path: String) -> FirestoreError {
        FirestoreError(
            .failedPrecondition, "\(text) (\(String(cString: strerror(errno)))); check the permissions of the cache's directory",
            at: path)
    }
}

/// Both ends of a named pipe, so that it neither ends nor raises signals.
final class CachePipe: Sendable {
    let reader: Int32
    private let writer: Int32

    /// Makes the pipe if it does not exist.
    init(creating path: String) throws(FirestoreError) {
        if mkfifo(path, 0o600) != 0, errno != EEXIST { throw CacheFolder.failure("a pipe beside the cache cannot be created", path) }
        reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard reader >= 0 else { throw CacheFolder.failure("a pipe beside the cache cannot be opened", path) }
        writer = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard writer >= 0 else {
            close(reader)
            throw CacheFolder.failure("a pipe beside the cache cannot be opened", path)
        }
    }

    deinit {
        close(writer)
        close(reader)
    }

    func write() {
        var byte: UInt8 = 1
        _ = Foundation.write(writer, &byte, 1)
    }

    /// Takes what has been written.
    func drain() {
        var bytes: [UInt8] = Array(repeating: 0, count: 512)
        while read(reader, &bytes, bytes.count) > 0 {}
    }
}

/// The pipe through which other processes wake this one.
struct WakeUpPipe: Sendable {
    /// The number of this process in the cache.
    let id: Int64
    let pipe: CachePipe
}
