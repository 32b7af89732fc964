// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDB

/// The file of an earlier format that is kept when a database is upgraded: `X.sqlite.format2` beside `X.sqlite`.
enum MigrationCopy {
    static func name(of file: String, format: Int64) -> String { "\(file).format\(format)" }

    /// Keeps a file under the name of its format as well, or a copy of it where a file has one name only. It replaces one that an earlier
    /// upgrade has left. Not while the file is open.
    static func keep(_ file: String, format: Int64) throws(FirestoreError) {
        let kept = name(of: file, format: format)
        let part = kept + ".part"
        do {
            unlink(part)
            if link(file, part) != 0 {
                try DurableFile.create(part, like: file)
                try Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped).write(to: URL(fileURLWithPath: part))
                try DurableFile.sync(part)
            }
            try DurableFile.rename(part, to: kept)
        } catch {
            unlink(part)
            throw failure(of: format, at: kept, error)
        }
    }

    static func failure(of format: Int64, at path: String, _ error: any Error) -> FirestoreError {
        let isFull = (error as? DatabaseError)?.resultCode == .SQLITE_FULL || (error as? FirestoreError)?.code == .resourceExhausted
        return FirestoreError(
            isFull ? .resourceExhausted : .failedPrecondition,
            "the database has format \(format), and the copy of it that is upgraded, or the earlier file that is kept, could not be made; "
                + "make room on the disk and check that the directory can be written, or turn the copy off", at: path, cause: error)
    }
}

/// Files that are complete under their names, also after a loss of power.
enum DurableFile {
    static func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(path) }
    }

    /// Creates an empty file with the mode of another one, and with its owner if the process may choose one. It must not exist.
    static func create(_ path: String, like model: String) throws {
        var status = stat()
        guard stat(model, &status) == 0 else { throw failure(model) }
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        if geteuid() == 0 { _ = fchown(descriptor, status.st_uid, status.st_gid) }
        guard fchmod(descriptor, status.st_mode & 0o777) == 0 else { throw failure(path) }
    }

    /// Makes the folders last that a file is in, as far as the process may open them: they may be new.
    static func syncFolders(of path: String) {
        var folder = (path as NSString).deletingLastPathComponent
        while folder.utf8.count > 1 {
            try? sync(folder)
            folder = (folder as NSString).deletingLastPathComponent
        }
    }

    /// Replaces the destination.
    static func rename(_ path: String, to destination: String) throws {
        guard Foundation.rename(path, destination) == 0 else { throw failure(destination) }
        try sync((destination as NSString).deletingLastPathComponent)
    }

    static func failure(_ path: String) -> FirestoreError {
        FirestoreError(
            errno == ENOSPC || errno == EDQUOT ? .resourceExhausted : .failedPrecondition, String(cString: strerror(errno)), at: path)
    }
}
