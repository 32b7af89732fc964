// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// When the first document of each database expires, of those that are closed or were when the server was stopped.
///
/// Stored in `hearth.timers` of the data directory. The file is a note: what it lacks is found when all databases are opened.
struct ExpiryTimers: Equatable {
    static let fileName = "hearth.timers"

    /// In microseconds since 1970.
    private var times: [DatabaseName: Int64] = [:]

    init() {}

    var isEmpty: Bool { times.isEmpty }

    /// nil removes the database.
    mutating func set(_ time: Int64?, for database: DatabaseID) { times[DatabaseName(database)] = time }

    /// The databases with the earliest times first.
    func sorted(without open: Set<DatabaseName>) -> [(database: DatabaseID, time: Int64)] {
        times.filter { !open.contains($0.key) }.sorted { $0.value < $1.value }.map { ($0.key.database, $0.value) }
    }

    // MARK: File

    /// nil if the bytes are damaged.
    init?(_ bytes: some Sequence<UInt8>) {
        guard let root = try? JSONNode(JSON(bytes)), let elements = try? root.required("expiry").elements() else { return nil }
        for element in elements {
            guard let project = try? element.required("project").string(), let database = try? element.required("database").string(),
                let time = try? element.required("at").integer()
            else { return nil }
            set(time, for: DatabaseID(projectID: project, databaseID: database))
        }
    }

    /// Equal timers have equal bytes.
    var bytes: [UInt8] {
        let elements = sorted(without: []).map { database, time in
            JSON.object([
                ("project", .string(database.projectID)), ("database", .string(database.databaseID)), ("at", .number(time)),
            ])
        }
        return JSON.object([("expiry", .array(elements))]).bytes(.indented)
    }

    /// Replaces the file. A failure is reported: then closed databases get their turn when they are opened.
    func write(in directory: String) throws(FirestoreError) {
        let path = directory + "/" + Self.fileName
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw FirestoreError(.internal, "the file cannot be written; make its directory writable", at: path, cause: error)
        }
    }

    /// nil if there is no file; `.failure` if it is damaged.
    static func read(in directory: String) -> Result<ExpiryTimers, FirestoreError>? {
        let path = directory + "/" + fileName
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let timers = FileManager.default.contents(atPath: path).flatMap { ExpiryTimers($0) }
        return timers.map { .success($0) } ?? .failure(FirestoreError(.dataLoss, "the file is damaged", at: path))
    }
}
