// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import HearthBase

/// Recognizes the console by its token (CO-50, CO-51), and leaves all other calls to another authentication.
///
/// The token is accepted in plain HTTP requests and there in the header alone: browsers send cookies and passwords by themselves.
struct ConsoleAuthentication: CallAuthentication {
    /// Names the caller whom a request of the console is made for.
    static let viewAsHeader = "hearth-console-as"

    private let settings: ConsoleSettings
    private let others: any CallAuthentication

    init(_ settings: ConsoleSettings, others: any CallAuthentication) {
        self.settings = settings
        self.others = others
    }

    func identifyNow(_ call: RPCCallInfo) throws(FirestoreError) -> CallIdentity? {
        if let console = try console(call) { return console }
        return try others.identifyNow(call)
    }

    func identify(_ call: RPCCallInfo) async throws(FirestoreError) -> CallIdentity {
        if let console = try console(call) { return console }
        return try await others.identify(call)
    }

    func observe(_ body: @escaping @Sendable () -> Void) { others.observe(body) }

    /// Whether a call is the console's, and what for; nil for other calls. Checks nothing else.
    func kind(of call: RPCCallInfo) -> ConsoleCall? {
        guard call.isPlain, hasToken(call.metadata), settings.isProtected(call) else { return nil }
        // The console's own paths are always the administrator's.
        let isData = call.path.utf8.starts(with: "/google.firestore".utf8)
        return isData && call.metadata[Self.viewAsHeader] != nil ? .viewingAs : .own
    }

    /// The identity of the console's calls; nil for other calls. Does not block.
    func console(_ call: RPCCallInfo) throws(FirestoreError) -> CallIdentity? {
        guard let kind = kind(of: call) else { return nil }
        if settings.isReadOnly, Self.writingPaths.contains(call.path) {
            throw settings.readOnly
        }
        var identity = CallIdentity(.administrator)
        if case .viewingAs = kind { identity = CallIdentity(try ConsoleViewAs(header: call.metadata[Self.viewAsHeader] ?? "").caller) }
        if case .own = kind { identity.isConsolesOwn = true }
        if settings.isReadOnly { identity.pipelineWriteRefusal = settings.readOnly }
        return identity
    }

    private func hasToken(_ metadata: RPCMetadata) -> Bool {
        var header: String?
        // The length excludes nearly every header.
        for (name, value) in metadata.entries where name.utf8.count == 13 && equalUTF8(name, "authorization") {
            // Two of them are rejected by what follows.
            guard header == nil else { return false }
            header = value
        }
        guard let header else { return false }
        let words = header.split(separator: " ", omittingEmptySubsequences: true)
        return words.count == 2 && words[0].lowercased() == "bearer" && settings.token.accept(words[1])
    }

    /// The admin API is not for looking on.
    private static let writingPaths: Set<String> =
        Set(FirestoreMethod.allCases.filter(\.writes).map(\.path) + AdminMethod.allCases.map(\.path))
}

extension FirestoreMethod {
    fileprivate var writes: Bool {
        switch self {
        case .createDocument, .updateDocument, .deleteDocument, .commit, .batchWrite, .write: true
        // Transactions make writers wait. The console uses none.
        case .beginTransaction: true
        // Whether a pipeline writes is known when it is read.
        case .executePipeline: false
        case .rollback, .getDocument, .listDocuments, .batchGetDocuments, .runQuery, .runAggregationQuery, .partitionQuery, .listen,
            .listCollectionIDs:
            false
        }
    }
}

/// The purpose of a call of the console.
enum ConsoleCall: Sendable {
    /// For itself, as the administrator: such calls are not shown and not counted.
    case own
    /// In the name of another caller, whom rules judge ("view as").
    case viewingAs
}

/// The caller in whose name the console asks: anonymous, or a user with claims.
struct ConsoleViewAs {
    let caller: RequestContext.Caller

    /// `anonymous`, or the claims as an object in base64url.
    init(header: String) throws(FirestoreError) {
        if header == "anonymous" {
            self.init(.anonymous)
            return
        }
        guard let bytes = Base64.decode(header), let json = try? JSON(bytes) else { throw Self.malformed }
        try self.init(json)
    }

    /// `"anonymous"`, or the claims.
    init(_ json: JSON) throws(FirestoreError) {
        if case .string("anonymous") = json {
            self.init(.anonymous)
            return
        }
        guard case .object(let claims) = json, case .string(let id)? = json["sub"], !id.isEmpty else { throw Self.malformed }
        self.init(.user(id: id, claims: FieldMap(claims.map { ($0.name, Value(claim: $0.value)) })))
    }

    private init(_ caller: RequestContext.Caller) { self.caller = caller }

    private static let malformed = FirestoreError.invalidArgument(
        "the caller to be is \"anonymous\", or a JSON object of claims with \"sub\"; in the header it is written as base64url")
}
