// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// The path of a method over REST, and where the parts of its request are.
struct AdminRoute: Sendable {
    enum Body: Sendable {
        case none
        /// The whole request.
        case request
        /// A message in the request.
        case field(String)
    }

    let verb: String
    let body: Body
    /// The field of the request that the resource in the path is: `database.name`.
    let resource: String
    /// The segments of the resource; `*` is any id.
    private let pattern: [Substring]
    /// The segments behind the resource.
    private let rest: [Substring]
    /// The word behind a colon: `exportDocuments`.
    private let action: Substring?

    /// A template of Google's: `{parent=projects/*}/databases:clone`.
    init(_ verb: String, _ template: String, _ body: Body = .none) {
        self.verb = verb
        self.body = body
        let parts = template.split(whereSeparator: { "{=}".contains($0) })
        resource = String(parts[0])
        pattern = parts[1].split(separator: "/")
        let tail = parts.count > 2 ? parts[2] : ""
        let pieces = tail.split(separator: ":", omittingEmptySubsequences: false)
        rest = pieces.isEmpty ? [] : pieces[0].split(separator: "/")
        action = pieces.count > 1 ? pieces[1] : nil
    }

    private var isField: Bool { pattern.dropLast().last == "fields" }

    /// The resource that a path names, decoded; nil if the route is another one. Of the path the segments behind `/v1/`, encoded.
    func resource(of segments: [Substring]) throws(FirestoreError) -> String? {
        guard segments.count == pattern.count + rest.count else { return nil }
        var segments = segments
        if let action {
            guard let last = segments.last, last.utf8.count > action.utf8.count,
                last.utf8.reversed().starts(with: (":" + action).utf8.reversed())
            else { return nil }
            segments[segments.count - 1] = last.dropLast(action.count + 1)
        }
        // An action follows the last id; only a field's name can contain a colon itself.
        if action == nil, !isField, segments.last?.utf8.contains(UInt8(ascii: ":")) == true { return nil }
        for (wanted, segment) in zip(pattern + rest, segments) where wanted != "*" && wanted != segment { return nil }
        var names: [String] = []
        for (index, segment) in segments.prefix(pattern.count).enumerated() {
            guard let name = PercentEncoding.decode(segment), !name.isEmpty else {
                throw .invalidArgument("the percent-encoding in the URL is malformed, or what it says is not UTF-8")
            }
            // Only the name of a field can contain a slash.
            guard !name.utf8.contains(UInt8(ascii: "/")) || (index == pattern.count - 1 && isField) else {
                throw .invalidArgument("an id in the URL contains a slash; ids cannot", at: name)
            }
            names.append(name)
        }
        return names.joined(separator: "/")
    }
}

extension AdminMethod {
    private static let database = "projects/*/databases/*"

    /// As the service offers them.
    static let routes: [(method: AdminMethod, route: AdminRoute)] = allCases.map { ($0, $0.route) }

    private var route: AdminRoute {
        let (database, group) = (Self.database, Self.database + "/collectionGroups/*")
        switch self {
        case .createDatabase: return AdminRoute("POST", "{parent=projects/*}/databases", .field("database"))
        case .getDatabase: return AdminRoute("GET", "{name=\(database)}")
        case .listDatabases: return AdminRoute("GET", "{parent=projects/*}/databases")
        case .updateDatabase: return AdminRoute("PATCH", "{database.name=\(database)}", .field("database"))
        case .deleteDatabase: return AdminRoute("DELETE", "{name=\(database)}")
        case .undeleteDatabase: return AdminRoute("POST", "{name=\(database)}:undelete", .request)
        case .restoreDatabase: return AdminRoute("POST", "{parent=projects/*}/databases:restore", .request)
        case .cloneDatabase: return AdminRoute("POST", "{parent=projects/*}/databases:clone", .request)
        case .createIndex: return AdminRoute("POST", "{parent=\(group)}/indexes", .field("index"))
        case .listIndexes: return AdminRoute("GET", "{parent=\(group)}/indexes")
        case .getIndex: return AdminRoute("GET", "{name=\(group)/indexes/*}")
        case .deleteIndex: return AdminRoute("DELETE", "{name=\(group)/indexes/*}")
        case .getField: return AdminRoute("GET", "{name=\(group)/fields/*}")
        case .updateField: return AdminRoute("PATCH", "{field.name=\(group)/fields/*}", .field("field"))
        case .listFields: return AdminRoute("GET", "{parent=\(group)}/fields")
        case .exportDocuments: return AdminRoute("POST", "{name=\(database)}:exportDocuments", .request)
        case .importDocuments: return AdminRoute("POST", "{name=\(database)}:importDocuments", .request)
        case .bulkDeleteDocuments: return AdminRoute("POST", "{name=\(database)}:bulkDeleteDocuments", .request)
        case .getOperation: return AdminRoute("GET", "{name=\(database)/operations/*}")
        case .listOperations: return AdminRoute("GET", "{name=\(database)}/operations")
        case .cancelOperation: return AdminRoute("POST", "{name=\(database)/operations/*}:cancel", .request)
        case .deleteOperation: return AdminRoute("DELETE", "{name=\(database)/operations/*}")
        case .waitOperation: return AdminRoute("POST", "{name=\(database)/operations/*}:wait", .request)
        default: return otherRoute
        }
    }

    /// Of locations, backups, their schedules, and credentials.
    private var otherRoute: AdminRoute {
        let (database, place) = (Self.database, "projects/*/locations/*")
        switch self {
        case .listLocations: return AdminRoute("GET", "{name=projects/*}/locations")
        case .getLocation: return AdminRoute("GET", "{name=\(place)}")
        case .getBackup: return AdminRoute("GET", "{name=\(place)/backups/*}")
        case .listBackups: return AdminRoute("GET", "{parent=\(place)}/backups")
        case .deleteBackup: return AdminRoute("DELETE", "{name=\(place)/backups/*}")
        case .createBackupSchedule: return AdminRoute("POST", "{parent=\(database)}/backupSchedules", .field("backupSchedule"))
        case .getBackupSchedule: return AdminRoute("GET", "{name=\(database)/backupSchedules/*}")
        case .listBackupSchedules: return AdminRoute("GET", "{parent=\(database)}/backupSchedules")
        case .updateBackupSchedule:
            return AdminRoute("PATCH", "{backupSchedule.name=\(database)/backupSchedules/*}", .field("backupSchedule"))
        case .deleteBackupSchedule: return AdminRoute("DELETE", "{name=\(database)/backupSchedules/*}")
        case .createUserCreds: return AdminRoute("POST", "{parent=\(database)}/userCreds", .field("userCreds"))
        case .listUserCreds: return AdminRoute("GET", "{parent=\(database)}/userCreds")
        case .enableUserCreds: return AdminRoute("POST", "{name=\(database)/userCreds/*}:enable", .request)
        case .disableUserCreds: return AdminRoute("POST", "{name=\(database)/userCreds/*}:disable", .request)
        case .resetUserPassword: return AdminRoute("POST", "{name=\(database)/userCreds/*}:resetPassword", .request)
        case .deleteUserCreds: return AdminRoute("DELETE", "{name=\(database)/userCreds/*}")
        default: return AdminRoute("GET", "{name=\(database)/userCreds/*}")
        }
    }
}
