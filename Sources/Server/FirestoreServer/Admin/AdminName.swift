// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Resource names of the admin API.
enum AdminName {
    /// `projects/P`
    static func project(_ name: String) throws(FirestoreError) -> String { try ids(name, ["projects"])[0] }

    /// `projects/P/databases/D`
    static func database(_ name: String) throws(FirestoreError) -> DatabaseID {
        let ids = try ids(name, ["projects", "databases"])
        return DatabaseID(projectID: ids[0], databaseID: ids[1])
    }

    /// `…/collectionGroups/C`; `-` is every group.
    static func group(_ name: String) throws(FirestoreError) -> (database: DatabaseID, group: String) {
        let ids = try ids(name, ["projects", "databases", "collectionGroups"])
        return (DatabaseID(projectID: ids[0], databaseID: ids[1]), ids[2])
    }

    /// `…/collectionGroups/C/indexes/I`
    static func index(_ name: String) throws(FirestoreError) -> (database: DatabaseID, group: String, id: String) {
        let ids = try ids(name, ["projects", "databases", "collectionGroups", "indexes"])
        return (DatabaseID(projectID: ids[0], databaseID: ids[1]), ids[2], ids[3])
    }

    /// `…/collectionGroups/C/fields/F`
    static func field(_ name: String) throws(FirestoreError) -> (database: DatabaseID, field: FieldName) {
        let ids = try ids(name, ["projects", "databases", "collectionGroups", "fields"])
        return (DatabaseID(projectID: ids[0], databaseID: ids[1]), try FieldName(group: ids[2], path: ids[3]))
    }

    /// `…/operations/O`
    static func operation(_ name: String) throws(FirestoreError) -> (database: DatabaseID, id: String) {
        let ids = try ids(name, ["projects", "databases", "operations"])
        return (DatabaseID(projectID: ids[0], databaseID: ids[1]), ids[2])
    }

    /// `projects/P/locations/L`; `-` is every location.
    static func place(_ name: String) throws(FirestoreError) -> (project: String, place: String) {
        let ids = try ids(name, ["projects", "locations"])
        return (ids[0], ids[1])
    }

    /// `projects/P/locations/L/backups/B`
    static func backup(_ name: String) throws(FirestoreError) -> (project: String, place: String, id: String) {
        let ids = try ids(name, ["projects", "locations", "backups"])
        return (ids[0], ids[1], ids[2])
    }

    /// `…/backupSchedules/S`
    static func backupSchedule(_ name: String) throws(FirestoreError) -> (database: DatabaseID, id: String) {
        let ids = try ids(name, ["projects", "databases", "backupSchedules"])
        return (DatabaseID(projectID: ids[0], databaseID: ids[1]), ids[2])
    }

    /// The ids between the words of a name. The last one may contain slashes, as the names of fields can.
    private static func ids(_ name: String, _ words: [String]) throws(FirestoreError) -> [String] {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 2 * words.count - 1, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        let isNamed = parts.count == 2 * words.count && words.enumerated().allSatisfy { equalUTF8(parts[2 * $0], $1) }
        let ids = stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
        let hasSlash = words.last != "fields" && ids.last?.utf8.contains(UInt8(ascii: "/")) == true
        guard isNamed, !ids.contains(where: \.utf8.isEmpty), !hasSlash else {
            let expected = words.map { "\($0)/{\($0.dropLast())}" }.joined(separator: "/")
            throw .invalidArgument("the resource name is malformed: \(expected) is expected", at: String(name.prefix(200)))
        }
        return ids
    }
}

/// A field of a collection group, or all fields of it.
struct FieldName: Sendable {
    /// The group whose settings apply to every group without its own.
    static let defaultGroup = "__default__"

    let group: String
    /// nil for all fields, `*`.
    let path: FieldPathSegments?

    static let everyField = FieldName(group: defaultGroup, path: nil)

    private init(group: String, path: FieldPathSegments?) {
        self.group = group
        self.path = path
    }

    init(group: String, path: String) throws(FirestoreError) {
        self.group = group
        self.path = path == "*" ? nil : try PathCheck.fieldPath(wire: path)
        guard self.path?.isDocumentID != true else {
            throw .invalidArgument("__name__ is indexed always, and has no settings", at: path)
        }
        guard equalUTF8(group, Self.defaultGroup) else {
            try PathCheck.collectionID(group)
            return
        }
        guard self.path == nil else {
            throw .invalidArgument("settings of one field belong to a collection group; \(Self.defaultGroup) has those of * only", at: path)
        }
    }

    var isDefault: Bool { equalUTF8(group, Self.defaultGroup) }

    var pathText: String { path?.canonical ?? "*" }

    func name(in database: DatabaseID) -> String { "\(database.resourceName)/collectionGroups/\(group)/fields/\(pathText)" }
}

extension DatabaseID {
    /// `projects/P/databases/D`
    var resourceName: String { "projects/\(projectID)/databases/\(databaseID)" }
}
