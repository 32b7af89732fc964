// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#endif

/// Writes documents into a folder in the format of the official emulator.
///
/// The folder is created under a temporary name beside its final one and renamed by `finish`; without `finish` it is
/// removed.
package final class ExportFolderOutput: DocumentOutput {
    private let path: String
    private let temporary: String
    private let replaces: Bool
    private let entities: EntityWriter
    private let bytesPerFile: Int64
    private var output: RecordLogWriter
    private var outputs: [String]
    private var documents = 0
    /// The bytes of the files that have been written completely.
    private var bytesBefore: Int64 = 0
    private var isFinished = false

    /// `bytesPerFile`: the size after which the next output file begins.
    package init(_ path: String, replacing: Bool, database: DatabaseID, bytesPerFile: Int64 = 1 << 30) throws(FirestoreError) {
        var path = path
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        self.path = path
        replaces = replacing
        entities = EntityWriter(database: database)
        self.bytesPerFile = bytesPerFile
        if access(path, F_OK) == 0 {
            guard replacing else { throw .outputExists(path) }
            guard ExportFolder.mayBeReplaced(path) else {
                throw FirestoreError(.failedPrecondition, "the folder is not an export and is not replaced; choose another name", at: path)
            }
        }
        temporary = "\(path).\(AutoID.make()).partial"
        do {
            try FileManager.default.createDirectory(atPath: temporary + "/" + ExportFolder.partFolder, withIntermediateDirectories: true)
        } catch {
            throw FirestoreError(.failedPrecondition, "the folder cannot be created", at: path, cause: error)
        }
        outputs = [ExportFolder.outputName(0)]
        do throws(FirestoreError) {
            output = try Self.open(outputs[0], in: temporary)
        } catch {
            try? FileManager.default.removeItem(atPath: temporary)
            throw error
        }
    }

    deinit {
        if !isFinished { try? FileManager.default.removeItem(atPath: temporary) }
    }

    private static func open(_ name: String, in folder: String) throws(FirestoreError) -> RecordLogWriter {
        RecordLogWriter(try OutputFile("\(folder)/\(ExportFolder.partFolder)/\(name)", replacing: false))
    }

    package var bytesWritten: Int64 { bytesBefore + output.bytesWritten }

    package func write(_ document: TransferredDocument) throws(FirestoreError) {
        if output.bytesWritten >= bytesPerFile {
            try output.finish()
            bytesBefore += output.bytesWritten
            outputs.append(ExportFolder.outputName(outputs.count))
            output = try Self.open(outputs[outputs.count - 1], in: temporary)
        }
        try output.append(try entities.bytes(document))
        documents += 1
    }

    package func finish() throws(FirestoreError) {
        let bytes = bytesWritten
        try output.finish()
        let part = try OutputFile(temporary + "/" + ExportFolder.partMetadata, replacing: false)
        try part.append(PartExportMetadata(outputs: outputs).bytes)
        try part.finish()
        let overall = RecordLogWriter(
            try OutputFile(temporary + "/" + ExportFolder.name + ExportFolder.metadataSuffix, replacing: false))
        try overall.append([UInt8](OverallExportMetadata.version.utf8))
        try overall.append(
            OverallExportMetadata(parts: [.init(path: ExportFolder.partMetadata, documents: documents, bytes: bytes)]).bytes)
        try overall.finish()
        try putInPlace()
        isFinished = true
    }

    /// Removes the replaced folder only after the new one has its name.
    private func putInPlace() throws(FirestoreError) {
        let former = temporary + ".former"
        let isThere = access(path, F_OK) == 0
        if isThere {
            guard replaces else { throw .outputExists(path) }
            guard rename(path, former) == 0 else { throw failure() }
        }
        guard rename(temporary, path) == 0 else {
            let error = failure()
            if isThere { _ = rename(former, path) }
            throw error
        }
        if isThere { try? FileManager.default.removeItem(atPath: former) }
    }

    private func failure() -> FirestoreError {
        FirestoreError(.failedPrecondition, "the folder cannot be put in place: \(SystemError.current)", at: path)
    }
}
