// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreGateway
import FirestoreRPC
import FirestoreRemote
import FirestoreServer
import Foundation
import HearthBase

/// A backup of a database of a running server: the server makes a copy and sends it.
struct RemoteBackup: Sendable {
    let place: Place
    /// In seconds; nil for a day.
    let timeout: Double?

    func run(to path: String, replacing: Bool) async throws(FirestoreError) -> DatabaseCopy {
        guard let (server, token) = try place.endpoint() else { throw FirestoreError(.internal, "a backup of no server") }
        if !server.keepsSecrets, place.tokenFile != nil {
            throw .invalidArgument("a token would be sent unencrypted; use --tls", at: server.host)
        }
        let database = DatabaseID(projectID: place.projectID ?? DatabaseID.fallbackProject, databaseID: place.databaseName)
        let file = try UnfinishedCopy(of: path, replacing: replacing)
        let received = try ReceivedFile(file.temporary)
        var question = HTTPQuestion(
            usesTLS: server.usesTLS, host: server.host, port: server.port, target: Self.target(of: database),
            header: ("Authorization", "Bearer \(token ?? "")"))
        question.trustFile = server.trustFile
        question.sink = { received.append($0) }
        let answer: HTTPAnswer
        do {
            answer = try await HTTPFetch.run(question, patience: .seconds(timeout ?? 86_400))
        } catch {
            if let failure = received.failure { throw failure }
            throw FirestoreError(
                error.isCancellation ? .cancelled : .unavailable, "the backup has failed: \(error)", at: "\(server.host):\(server.port)")
        }
        try received.close()
        let expected = try Self.expected(answer, server, database)
        return try file.finish(expecting: expected)
    }

    private static func target(of database: DatabaseID) -> String {
        "/hearth/v1/projects/\(PercentEncoding.encode(database.projectID))/databases/\(PercentEncoding.encode(database.databaseID))/backup"
    }

    private static func expected(
        _ answer: HTTPAnswer, _ server: RemoteEndpoint, _ database: DatabaseID
    ) throws(FirestoreError) -> DatabaseCopy {
        let location = "\(server.host):\(server.port)"
        guard answer.status == 200 else { throw refusal(answer, database, at: location) }
        guard let time = answer.header(DatabaseCopy.timeHeader).flatMap({ Int64($0) }),
            let documents = answer.header(DatabaseCopy.documentsHeader).flatMap({ Int($0) }),
            let bytes = answer.header("content-length").flatMap({ Int64($0) })
        else {
            throw FirestoreError(
                .unavailable, "the answer is not a backup; check that this is the port of `hearth serve`", at: location)
        }
        return DatabaseCopy(time: DocumentVersion(microseconds: time), documents: documents, bytes: bytes)
    }

    private static func refusal(_ answer: HTTPAnswer, _ database: DatabaseID, at location: String) -> FirestoreError {
        let text = String(decoding: answer.body, as: UTF8.self)
        let error = (try? JSON(Data(answer.body)))?["error"]
        guard case .string(let message)? = error?["message"] else {
            return FirestoreError(.unavailable, "the server answers with the status \(answer.status): \(text.prefix(200))", at: location)
        }
        // A server hides the path from callers that are not administrators.
        guard answer.status == 404, answer.header(RefusalReason.header) == RefusalReason.noSuchPath else {
            return FirestoreError(answer.status == 404 ? .notFound : .failedPrecondition, message, at: location)
        }
        return FirestoreError(
            .permissionDenied,
            "the server makes backups for administrators only; name a file with an administrator key with --token-file", at: location)
    }
}

/// The file of a backup while it arrives.
private final class ReceivedFile: Sendable {
    private let state: Mutex<(output: FileHandle, failure: FirestoreError?)>
    private let path: String

    init(_ path: String) throws(FirestoreError) {
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw FirestoreError(.failedPrecondition, "the file cannot be created (\(String(cString: strerror(errno))))", at: path)
        }
        state = Mutex((FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), nil))
    }

    /// Returns false if the file cannot be written.
    func append(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            do {
                try state.output.write(contentsOf: bytes)
                return true
            } catch {
                state.failure = FirestoreError(.resourceExhausted, "the file cannot be written; check the disk", at: path, cause: error)
                return false
            }
        }
    }

    var failure: FirestoreError? { state.withLock { $0.failure } }

    func close() throws(FirestoreError) {
        do { try state.withLock { try $0.output.close() } } catch {
            throw FirestoreError(.resourceExhausted, "the file cannot be written; check the disk", at: path, cause: error)
        }
    }
}

extension HTTPFetchError {
    fileprivate var isCancellation: Bool { if case .cancelled = self { true } else { false } }
}
