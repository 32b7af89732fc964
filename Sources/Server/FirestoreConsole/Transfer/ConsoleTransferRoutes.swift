// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreGateway
package import FirestoreRPC
package import FirestoreServer

/// Export and import as streams (`/console/api/export`, `/console/api/import`). Either ends with its connection.
package final class ConsoleTransferRoutes: Sendable {
    package static let exportPath = "/console/api/export"
    /// Its body is read while it arrives.
    package static let importPath = "/console/api/import"
    package static let verbs = ["POST"]

    /// Each import occupies a thread while it waits for the page.
    private static let mostImports = 4

    private let databases: DatabaseRegistry
    private let files: any ConsoleFiles
    private let imports = Mutex(0)

    package init(databases: DatabaseRegistry, files: any ConsoleFiles) {
        self.databases = databases
        self.files = files
    }

    // MARK: Export

    package func answerExport(_ exchange: any HTTPExchange) async throws(HTTPRefusal) {
        guard Self.verbs.contains(exchange.request.method) else { throw .notAllowed(exchange.request, verbs: Self.verbs) }
        let hasBegun = BeginFlag()
        let result = await Self.run(until: exchange) { [self] () async throws(FirestoreError) -> Void in
            let wanted = try await export(exchange)
            try await files.export(wanted) { (piece: [UInt8]) async throws(FirestoreError) -> Void in
                if hasBegun.set() { exchange.begin(status: 200, headers: Self.headers("application/octet-stream")) }
                exchange.write(piece)
                do throws(RPCStatus) { try await exchange.whenWritable() } catch { throw FirestoreError(error) }
            }
        }
        switch result {
        case .success:
            // Nothing was written for an empty database.
            if hasBegun.set() { exchange.begin(status: 200, headers: Self.headers("application/octet-stream")) }
            exchange.end()
        case .failure(let error):
            guard !hasBegun.set() else { throw HTTPRefusal(error) }
            exchange.cut()
        }
    }

    private func export(_ exchange: any HTTPExchange) async throws(FirestoreError) -> ConsoleExport {
        let body = try ConsoleQuestion.body(exchange)
        let database = try ConsoleQuestion.database(try body.required("database").string())
        var collection: CollectionPath?
        if let node = try body.optional("collection") { collection = try PathCheck.collectionPath(try node.string()) }
        return ConsoleExport(service: try await databases.openExisting(database), database: database, collection: collection)
    }

    private static func headers(_ type: String) -> RPCMetadata {
        RPCMetadata([("content-type", type), ("cache-control", "no-store"), ("x-content-type-options", "nosniff")])
    }

    // MARK: Import

    package func answerImport(_ exchange: any HTTPExchange, isReadOnly: Bool) async throws(HTTPRefusal) {
        guard Self.verbs.contains(exchange.request.method) else { throw .notAllowed(exchange.request, verbs: Self.verbs) }
        let isRehearsal = Self.flag("dryRun", exchange)
        guard isRehearsal || !isReadOnly else {
            throw HTTPRefusal(FirestoreError(.permissionDenied, "the console is read-only: it imports nothing but dry runs"))
        }
        let wanted = try await ConsoleQuestion.answering { () async throws(FirestoreError) -> ConsoleImport in
            try await plan(exchange, isRehearsal)
        }
        try enter()
        defer { imports.withLock { $0 -= 1 } }
        exchange.begin(status: 200, headers: Self.headers("application/x-ndjson"))
        let lines = ImportLines(exchange)
        let result = await Self.run(until: exchange) { [files] () async throws(FirestoreError) -> Void in
            try await files.importDocuments(wanted) { lines.tell($0) }
        }
        if case .failure(let error) = result { lines.tell(error) }
        exchange.end()
    }

    /// Runs `body` in a task that ends with the connection.
    private static func run(
        until exchange: any HTTPExchange, _ body: @escaping @Sendable () async throws(FirestoreError) -> Void
    ) async -> Result<Void, FirestoreError> {
        let task = Task { () async -> Result<Void, FirestoreError> in
            do throws(FirestoreError) {
                try await body()
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        exchange.onCancel { task.cancel() }
        return await task.value
    }

    private func plan(_ exchange: any HTTPExchange, _ isRehearsal: Bool) async throws(FirestoreError) -> ConsoleImport {
        guard let body = exchange.requestBody else {
            throw FirestoreError(.internal, "the body of an import has to be read while it arrives")
        }
        let database = try ConsoleQuestion.database(exchange)
        var parameters: [String: String] = [:]
        for name in ["format", "collection", "idField", "types"] { parameters[name] = ConsoleQuestion.parameter(name, exchange) }
        let bad = ConsoleQuestion.parameter("skipBad", exchange) ?? "0"
        guard let badAllowed = Int(bad), badAllowed >= 0 else { throw .invalidArgument("skipBad is a number of documents") }
        let plan = ConsoleImport(
            service: try await databases.openExisting(database), database: database, body: body, parameters: parameters,
            badAllowed: badAllowed, isRehearsal: isRehearsal)
        try files.check(plan)
        return plan
    }

    private static func flag(_ name: String, _ exchange: any HTTPExchange) -> Bool {
        ["true", "1"].contains(ConsoleQuestion.parameter(name, exchange) ?? "")
    }

    private func enter() throws(HTTPRefusal) {
        let isAdmitted = imports.withLock { imports in
            guard imports < Self.mostImports else { return false }
            imports += 1
            return true
        }
        guard isAdmitted else {
            throw HTTPRefusal(FirestoreError(.resourceExhausted, "\(Self.mostImports) imports are running; wait until one is done"))
        }
    }
}

/// Whether an answer has begun.
private final class BeginFlag: Sendable {
    private let isSet = Mutex(false)

    /// Returns true for the first call.
    func set() -> Bool {
        isSet.withLock { isSet in
            defer { isSet = true }
            return !isSet
        }
    }
}

/// The progress of an import that the page receives, in lines.
private final class ImportLines: Sendable {
    private struct State {
        var lastProgress: UInt64 = 0
        var bad = 0
    }

    /// 250 ms.
    private static let pause: UInt64 = 250_000_000
    private static let mostBad = 1_000

    private let exchange: any HTTPExchange
    private let state = Mutex(State())

    init(_ exchange: any HTTPExchange) { self.exchange = exchange }

    func tell(_ event: ConsoleImport.Event) {
        switch event {
        case .progress(let documents, let bytes):
            let now = DispatchTime.now().uptimeNanoseconds
            let isDue = state.withLock { state in
                guard now >= state.lastProgress + Self.pause else { return false }
                state.lastProgress = now
                return true
            }
            if isDue { write("progress", .object([("documents", .number(documents)), ("bytes", .number(bytes))])) }
        case .types(let text): write("types", .string(text))
        case .bad(let error):
            let count = state.withLock { state in
                state.bad += 1
                return state.bad
            }
            if count <= Self.mostBad { write("bad", Self.bad(error)) }
        case .done(let documents, let bad): write("done", .object([("documents", .number(documents)), ("bad", .number(bad))]))
        case .rehearsed(let documents, let bad, let existing, let examples):
            write(
                "done",
                .object([
                    ("documents", .number(documents)), ("bad", .number(bad)), ("existing", .number(existing)),
                    ("examples", .array(examples.map { .string($0) })),
                ]))
        }
    }

    func tell(_ error: FirestoreError) {
        let refusal = HTTPRefusal(error)
        write(
            "error",
            .object([("code", .number(refusal.status)), ("message", .string(refusal.message)), ("status", .string(refusal.name))]))
    }

    /// The location of a malformed document begins with its line.
    private static func bad(_ error: FirestoreError) -> JSON {
        var members: [(name: String, value: JSON)] = []
        if let digits = error.location?.utf8.drop(while: { !(48...57).contains($0) }).prefix(while: { (48...57).contains($0) }),
            let line = Int(String(Substring(digits)))
        {
            members.append(("line", .number(line)))
        }
        return .object(members + [("message", .string(error.description))])
    }

    private func write(_ name: String, _ value: JSON) { exchange.write(JSON.object([(name, value)]).bytes() + [UInt8(ascii: "\n")]) }
}
