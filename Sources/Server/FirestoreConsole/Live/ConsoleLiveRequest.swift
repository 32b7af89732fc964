// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import HearthBase

/// The topics and listeners that a page subscribes to: the body of `POST /console/api/live`.
struct ConsoleLiveRequest: Sendable {
    static let mostTargets = 10

    /// Topics that a stream has beside listeners.
    enum Topic: String, Sendable { case metrics, requests }

    /// Required with targets.
    let database: DatabaseID?
    /// The requests of the Listen stream, as gRPC has them.
    let messages: [ByteSlice]
    /// The header that names the caller to listen as; nil for the administrator.
    let viewAs: String?
    let topics: Set<Topic>
    /// The number of the last request that the page knows.
    let requestsAfter: Int64?

    init(_ body: ByteSlice) throws(FirestoreError) {
        let node = JSONNode(try JSON(body.array))
        let targets = try node.elements("targets")
        guard targets.count <= Self.mostTargets else {
            throw .invalidArgument("a stream of the console has at most \(Self.mostTargets) targets, not \(targets.count)")
        }
        let name = try node.optional("database")
        database = try name.map { (name) throws(FirestoreError) in try Self.database(name) }
        var messages: [ByteSlice] = []
        if !targets.isEmpty {
            let name = try node.required("database")
            for target in targets {
                let request = JSON.object([("database", name.json), ("addTarget", target.json)])
                messages.append(try FirestoreMethod.listen.requestBytes(ofJSON: request.bytes()).message)
            }
        }
        self.messages = messages
        // Topics of later versions are not known here.
        let names = try node.elements("topics").map { (topic) throws(FirestoreError) in try topic.string() }
        topics = Set(names.compactMap { Topic(rawValue: $0) })
        requestsAfter = try node.optional("requestsAfter")?.integer()
        viewAs = try Self.header(try node.optional("as"))
    }

    private static func database(_ name: JSONNode) throws(FirestoreError) -> DatabaseID {
        let text = try name.string()
        let segments = text.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count == 4, segments[0] == "projects", segments[2] == "databases", !segments[1].isEmpty, !segments[3].isEmpty
        else { throw name.failure("the name of a database is expected: projects/P/databases/D") }
        return DatabaseID(projectID: String(segments[1]), databaseID: String(segments[3]))
    }

    /// As in requests to `/v1/`, so that both are read in one place.
    private static func header(_ node: JSONNode?) throws(FirestoreError) -> String? {
        guard let node else { return nil }
        if case .string(let text) = node.json { return text }
        return Base64.encodeForURL(node.json.bytes())
    }
}
