// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// The location of an embedded database.
enum DatabaseLocation: Equatable, CustomStringConvertible {
    case memory
    case file(path: String)

    var description: String {
        switch self {
        case .memory: "in memory"
        case .file(let path): path
        }
    }

    /// Explicit settings, then `HEARTH_DATABASE`, then a file in the application-support directory.
    static func find(
        settings: SettingsValues, databaseID: DatabaseID,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(FirestoreError) -> DatabaseLocation {
        switch settings.effectiveStorage {
        case .memory: return .memory
        case .file(let url):
            guard url.isFileURL else { throw .invalidArgument("settings.storage must be a file URL", at: "\(url)") }
            return .file(path: url.path)
        case .automatic: break
        }
        if let path = DatabaseVariables(environment).databaseFile {
            return path == ":memory:" ? .memory : .file(path: path)
        }
        guard
            let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        else {
            throw FirestoreError(
                .failedPrecondition,
                "this user has no application-support directory: set settings.storage or HEARTH_DATABASE")
        }
        let folder = support.appendingPathComponent("hearth").appendingPathComponent(fileName(databaseID.projectID))
        return .file(path: folder.appendingPathComponent(fileName(databaseID.databaseID) + ".sqlite").path)
    }

    /// Creates the folder for a database file.
    func prepare() throws(FirestoreError) {
        guard case .file(let path) = self else { return }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw FirestoreError(
                .failedPrecondition, "the folder of the database cannot be created", at: folder.path, cause: error)
        }
    }

    /// Removes the files of a database that is not open.
    func delete() throws(FirestoreError) {
        guard case .file(let path) = self else { return }
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            do {
                try FileManager.default.removeItem(atPath: path + suffix)
            } catch {
                throw FirestoreError(
                    .failedPrecondition, "the database file cannot be removed", at: path + suffix, cause: error)
            }
        }
    }

    /// An id as a file name: characters that could leave the folder are escaped.
    private static func fileName(_ id: String) -> String {
        let name = id.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-_()"))) ?? ""
        return name.isEmpty ? "%" : name
    }
}
