// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// The daily sums of quotas, as they are kept over a restart: in `hearth.quotas` of the data directory, which only its owner can read.
struct QuotaSums: Equatable {
    struct Entry: Equatable {
        let subject: QuotaSubject
        let sums: [QuotaResource: Int64]
    }

    static let fileName = "hearth.quotas"
    /// A larger sum is damage: there is no such day.
    private static let greatest: Int64 = 1 << 60

    /// In days since 1970.
    let day: Int64
    let entries: [Entry]

    init(day: Int64, entries: [Entry]) {
        self.day = day
        self.entries = entries
    }

    // MARK: File

    /// nil if the bytes are damaged.
    init?(_ bytes: some Sequence<UInt8>) {
        guard let root = try? JSONNode(JSON(bytes)), let day = try? root.required("day").integer(),
            let elements = try? root.required("sums").elements()
        else { return nil }
        var entries: [Entry] = []
        for element in elements {
            guard let subject = Self.subject(element) else { return nil }
            var sums: [QuotaResource: Int64] = [:]
            for resource in QuotaResource.allCases {
                guard let node = (try? element.optional(resource.rawValue)) ?? nil else { continue }
                guard let sum = try? node.integer(), (0...Self.greatest).contains(sum) else { return nil }
                sums[resource] = sum
            }
            entries.append(Entry(subject: subject, sums: sums))
        }
        self.init(day: day, entries: entries)
    }

    private static func subject(_ node: JSONNode) -> QuotaSubject? {
        func text(_ name: String) -> String? { ((try? node.optional(name)) ?? nil).flatMap { try? $0.string() } }
        if let address = text("address") { return .address(address) }
        guard let project = text("project") else { return nil }
        if let user = text("user") { return .user(project: project, id: user) }
        return text("database").map { .database(DatabaseName(DatabaseID(projectID: project, databaseID: $0))) }
    }

    var bytes: [UInt8] {
        let elements = entries.map { entry in
            var members: [(name: String, value: JSON)] =
                switch entry.subject {
                case .user(let project, let id): [("project", .string(project)), ("user", .string(id))]
                case .address(let address): [("address", .string(address))]
                case .database(let name):
                    [("project", .string(name.database.projectID)), ("database", .string(name.database.databaseID))]
                }
            for resource in QuotaResource.allCases {
                if let sum = entry.sums[resource] { members.append((resource.rawValue, .number(sum))) }
            }
            return JSON.object(members)
        }
        return JSON.object([("day", .number(day)), ("sums", .array(elements))]).bytes()
    }

    /// Replaces the file.
    func write(in directory: String) throws(FirestoreError) {
        let path = directory + "/" + Self.fileName
        let temporary = path + ".new"
        let data = Data(bytes)
        try? FileManager.default.removeItem(atPath: temporary)
        guard FileManager.default.createFile(atPath: temporary, contents: data, attributes: [.posixPermissions: 0o600]),
            rename(temporary, path) == 0
        else {
            throw FirestoreError(.internal, "the file cannot be written; make its directory writable", at: path)
        }
    }

    /// Without sums there is no file.
    static func remove(in directory: String) { unlink(directory + "/" + fileName) }

    /// nil if there is no file, or if it is damaged.
    static func read(in directory: String) -> QuotaSums? {
        FileManager.default.contents(atPath: directory + "/" + fileName).flatMap { QuotaSums($0) }
    }
}
