// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEvents
import FirestoreServer

/// Reads the triggers of a file. Errors name the place in the text.
struct TriggerReader {
    /// Where relative paths begin: with a slash at its end, or empty.
    let folder: String
    let project: String?
    let exists: (DatabaseID) -> Bool

    private static let members = [
        "name", "database", "document", "on", "url", "format", "secretFile", "ordered", "concurrency", "retry", "timeout", "from",
    ]

    func triggers(_ root: JSONNode) throws(FirestoreError) -> [WebhookTrigger] {
        try Self.check(root, members: ["triggers"])
        var (triggers, names) = ([WebhookTrigger](), [String: String]())
        for node in try root.required("triggers").elements() {
            let trigger = try trigger(node)
            let key = "\(trigger.database.documentsPrefix) \(trigger.trigger.name)"
            if names[key] != nil {
                throw try node.required("name").failure(
                    "two triggers of a database are named \"\(trigger.trigger.name)\"; the name is how a trigger finds its place again")
            }
            names[key] = ""
            triggers.append(trigger)
        }
        return triggers
    }

    private func trigger(_ node: JSONNode) throws(FirestoreError) -> WebhookTrigger {
        try Self.check(node, members: Self.members)
        let name = try node.required("name")
        try Self.locating(name) { () throws(FirestoreError) in try EventTrigger.check(name: name.string()) }
        let document = try node.required("document")
        let pattern = try Self.locating(document) { () throws(FirestoreError) in try DocumentPattern(document.string()) }
        let (kinds, isWritten) = try kinds(try node.required("on"))
        var trigger = EventTrigger(owner: .webhook, name: try name.string(), pattern: pattern, kinds: kinds)
        if let ordered = try node.optional("ordered") { trigger.isOrdered = try ordered.boolean() }
        if let concurrency = try node.optional("concurrency") { trigger.concurrency = try Self.integer(concurrency, in: 1...1_000) }
        if let retry = try node.optional("retry") { trigger.ageLimit = try Self.duration(retry, upTo: .seconds(30 * 86_400)) }
        if let from = try node.optional("from") { trigger.start = try Self.start(from) }
        let url = try node.required("url")
        var webhook = WebhookTrigger(
            trigger, of: try database(node), to: try Self.locating(url) { () throws(FirestoreError) in try WebhookURL(url.string()) },
            source: node.json.text())
        webhook.isWritten = isWritten
        if let format = try node.optional("format") { webhook.format = try Self.format(format) }
        if let timeout = try node.optional("timeout") {
            webhook.timeout = try Self.duration(timeout, upTo: .seconds(600))
            guard webhook.timeout >= .milliseconds(10) else { throw timeout.failure("a receiver needs some time to answer") }
        }
        if let secret = try node.optional("secretFile") {
            let path = try secret.string()
            webhook.secrets = try Self.locating(secret) { () throws(FirestoreError) in
                try WebhookSecret.read(path.hasPrefix("/") ? path : folder + path)
            }
        }
        return webhook
    }

    // MARK: Members

    private func database(_ node: JSONNode) throws(FirestoreError) -> DatabaseID {
        guard let member = try node.optional("database") else {
            guard let project else {
                throw node.failure("\"database\" is missing; name it, as in projects/my-project/databases/(default)")
            }
            return DatabaseID(projectID: project)
        }
        let parts = try member.string().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let database: DatabaseID
        switch parts.count {
        case 4 where parts[0] == "projects" && parts[2] == "databases": database = DatabaseID(projectID: parts[1], databaseID: parts[3])
        case 1:
            guard let project else { throw member.failure("name the project too, as in projects/my-project/databases/\(parts[0])") }
            database = DatabaseID(projectID: project, databaseID: parts[0])
        default: throw member.failure("a database is named as in projects/my-project/databases/(default)")
        }
        try Self.locating(member) { () throws(FirestoreError) in try DatabaseRules.check(database) }
        guard exists(database) else {
            throw member.failure("there is no database \(database.databaseID) of the project \(database.projectID) on this server")
        }
        return database
    }

    private func kinds(_ node: JSONNode) throws(FirestoreError) -> (Set<EventKind>, isWritten: Bool) {
        var (kinds, isWritten) = (Set<EventKind>(), false)
        let elements = try node.elements()
        for element in elements {
            let name = try element.string()
            if name == "written" {
                isWritten = true
            } else if let kind = EventKind(rawValue: name) {
                kinds.insert(kind)
            } else {
                throw element.failure("\"\(name)\" is not a type of event; there are created, updated, deleted and written")
            }
        }
        if elements.isEmpty { throw node.failure("name at least one of created, updated, deleted and written") }
        if isWritten, !kinds.isEmpty { throw node.failure("\"written\" includes the others; name it alone, or name the others") }
        return isWritten ? (Set(EventKind.allCases), true) : (kinds, false)
    }

    private static func format(_ node: JSONNode) throws(FirestoreError) -> WebhookTrigger.Format {
        guard let format = WebhookTrigger.Format(rawValue: try node.string()) else {
            throw node.failure("a format is cloudevents-protobuf or cloudevents-json")
        }
        return format
    }

    private static func start(_ node: JSONNode) throws(FirestoreError) -> EventTrigger.Start {
        let text = try node.string()
        if text == "now" { return .now }
        guard let time = TimestampValue(text: text) else {
            throw node.failure("\"from\" is \"now\" or a time, such as 2026-01-31T12:00:00Z")
        }
        return .time(DocumentVersion(microseconds: time.microsecondsSince1970))
    }

    private static func integer(_ node: JSONNode, in range: ClosedRange<Int64>) throws(FirestoreError) -> Int {
        let number = try node.integer()
        guard range.contains(number) else { throw node.failure("a number from \(range.lowerBound) to \(range.upperBound) is expected") }
        return Int(number)
    }

    private static func duration(_ node: JSONNode, upTo limit: Duration) throws(FirestoreError) -> Duration {
        let text = try node.string()
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let last = text.last, let unit = units[last], let number = Int64(text.dropLast()), number >= 0, number <= 1_000_000,
            Duration.seconds(number * unit) <= limit
        else {
            throw node.failure("a duration is expected: a whole number and s, m, h or d, such as 30s, and at most \(limit)")
        }
        return .seconds(number * unit)
    }

    // MARK: Places

    private static func check(_ node: JSONNode, members: [String]) throws(FirestoreError) {
        var seen: Set<String> = []
        for (name, member) in try node.entries() {
            guard members.contains(where: { equalUTF8($0, name) }) else {
                throw member.failure("unknown member \"\(name)\"; expected one of \(members.joined(separator: ", "))")
            }
            guard seen.insert(name).inserted else { throw member.failure("\"\(name)\" is given twice") }
        }
    }

    private static func locating<R>(_ node: JSONNode, _ body: () throws(FirestoreError) -> R) throws(FirestoreError) -> R {
        do throws(FirestoreError) { return try body() } catch { throw .invalidArgument(error.description, at: node.place) }
    }
}
