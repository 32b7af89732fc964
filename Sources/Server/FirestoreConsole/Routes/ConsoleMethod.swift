// SPDX-License-Identifier: Apache-2.0

/// The methods that the console's pages can call below `/console/api/`.
enum ConsoleMethod: String, CaseIterable {
    case server, databases, database, archive, backups, events, metrics, live, decisions, rules, indexes, queries, pipeline, users, export
    case load = "import"

    private static let prefix = "/console/api/"

    /// nil if there is nothing at the path.
    init?(path: String) {
        guard path.utf8.starts(with: Self.prefix.utf8) else { return nil }
        self.init(rawValue: String(path.dropFirst(Self.prefix.count)))
    }

    var verbs: [String] {
        switch self {
        case .server, .databases, .database, .archive, .backups, .metrics: ["GET", "HEAD"]
        case .live, .decisions, .pipeline, .export, .load: ["POST"]
        case .rules: ["GET", "HEAD", "PUT"]
        case .indexes, .users, .events: ["GET", "HEAD", "POST", "DELETE"]
        case .queries: ["GET", "HEAD", "DELETE"]
        }
    }

    /// Whether a read-only console rejects the call. Rules can be checked without being put in effect, and imports rehearsed: these decide
    /// themselves.
    func writes(_ verb: String) -> Bool {
        switch self {
        case .server, .databases, .database, .archive, .backups, .metrics, .live, .decisions, .rules, .pipeline, .export, .load: false
        case .indexes, .users, .events: verb == "POST" || verb == "DELETE"
        case .queries: verb == "DELETE"
        }
    }
}
