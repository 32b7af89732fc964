// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreStorage
import Foundation

/// A copy under a temporary name beside its final one, which it gets when it is complete and checked. Without `finish` it is removed.
package final class UnfinishedCopy: Sendable {
    package let path: String
    /// The file to write. It does not exist yet.
    package let temporary: String
    private let replaces: Bool

    /// Throws if the file exists, unless it is to be replaced.
    package init(of path: String, replacing: Bool = false) throws(FirestoreError) {
        self.path = path
        replaces = replacing
        temporary = "\(path).\(AutoID.make()).partial"
        try checkName()
    }

    deinit { unlink(temporary) }

    private func checkName() throws(FirestoreError) {
        var isDirectory = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !replaces || isDirectory.boolValue else { return }
        throw FirestoreError(
            .alreadyExists, "a file or folder of this name exists already; choose another name", at: path,
            cause: isDirectory.boolValue ? nil : CopyReason.nameTaken)
    }

    /// Checks the copy, stores it on the disk and gives it its name. Reads all of it: not for the cooperative pool.
    ///
    /// - Parameter expected: What the copy must be, if that is known.
    package func finish(expecting expected: DatabaseCopy? = nil) throws(FirestoreError) -> DatabaseCopy {
        let inspection = try DatabaseInspection.check(copy: temporary)
        if let finding = inspection.report.findings.first {
            throw FirestoreError(
                .dataLoss, "the copy is not sound, so it was removed; check the database with `hearth check`: \(finding)", at: path)
        }
        let copy = DatabaseCopy(time: inspection.time, documents: inspection.report.documents, bytes: try sync(temporary, O_RDWR))
        if let expected, expected != copy {
            throw FirestoreError(.dataLoss, "the copy has arrived as another one than was sent, so it was removed; try again", at: path)
        }
        try checkName()
        guard rename(temporary, path) == 0 else { throw failure() }
        let folder = (path as NSString).deletingLastPathComponent
        _ = try sync(folder.isEmpty ? "." : folder, O_RDONLY)
        return copy
    }

    /// Returns the size of the file.
    private func sync(_ file: String, _ flags: Int32) throws(FirestoreError) -> Int64 {
        let descriptor = open(file, flags | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var status = stat()
        guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0 else { throw failure() }
        return Int64(status.st_size)
    }

    private func failure() -> FirestoreError {
        FirestoreError(
            errno == ENOSPC || errno == EDQUOT ? .resourceExhausted : .unavailable,
            "the copy cannot be stored (\(String(cString: strerror(errno))))", at: path)
    }
}
