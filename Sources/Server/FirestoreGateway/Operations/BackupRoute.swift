// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreEnforcement
import FirestoreEngine
import FirestoreRPC
import FirestoreRules
import FirestoreServer
import Foundation
import HearthBase
import Logging

/// `GET /hearth/v1/projects/P/databases/D/backup`: a copy of a database, made while it is used, as a stream. For administrators; for
/// others it is not there.
struct BackupRoute: Sendable {
    let service: FirestoreService
    let log: Logger?

    static let verbs = ["GET"]
    private static let pieceBytes = 1 << 18

    /// The database that a path names; nil if the path is another one.
    static func database(_ path: String) -> DatabaseID? {
        guard path.utf8.starts(with: "/hearth/v1/projects/".utf8) else { return nil }
        // Percent-decoded (DM-8); empty segments are omitted.
        let segments = path.utf8.split(separator: UInt8(ascii: "/")).map { PercentEncoding.decodeLeniently(Substring($0)) }
        guard segments.count == 7, segments[4] == "databases", segments[6] == "backup" else { return nil }
        return DatabaseID(projectID: segments[3], databaseID: segments[5])
    }

    func answer(_ database: DatabaseID, _ exchange: any HTTPExchange) {
        let task = Task {
            do throws(HTTPRefusal) {
                try await checkCaller(exchange.request)
                guard Self.verbs.contains(exchange.request.method) else {
                    throw HTTPRefusal.notAllowed(exchange.request, verbs: Self.verbs)
                }
                do throws(FirestoreError) { try await send(database, to: exchange) } catch { throw HTTPRefusal(error) }
            } catch {
                exchange.respond(error)
            }
        }
        exchange.onCancel { task.cancel() }
    }

    /// Also in development: a copy has everything.
    private func checkCaller(_ request: HTTPRequest) async throws(HTTPRefusal) {
        let info = RPCCallInfo(path: request.path, metadata: request.headers, peer: request.peer)
        let known: IdentifiedCall
        do throws(FirestoreError) { known = try await service.identification.identify(info) } catch { throw HTTPRefusal(error) }
        guard known.isAdministrator else { throw .nothing(at: request.path) }
    }

    /// Throws only before the answer has begun.
    private func send(_ database: DatabaseID, to exchange: any HTTPExchange) async throws(FirestoreError) {
        let begun = ContinuousClock.now
        // The reference prevents the database from being closed.
        let ruled = try await service.databases.openExisting(database)
        guard let store = ruled.storeAdministration else { throw FirestoreError(.internal, "the database has no file") }
        let file = try CopyFile(path: try service.databases.pathForCopy())
        try await store.writeCopy(to: file.path)
        withExtendedLifetime(ruled) {}
        let copy = try await file.open()
        exchange.begin(status: 200, headers: Self.headers(of: copy, database))
        do throws(FirestoreError) {
            while let piece = try await file.next(Self.pieceBytes) {
                exchange.write(piece)
                do throws(RPCStatus) { try await exchange.whenWritable() } catch { throw FirestoreError(error) }
            }
            exchange.end()
        } catch {
            log?.error("backup not sent", metadata: database.metadata.merging(["error": "\(error)"]) { $1 })
            return exchange.cut()
        }
        let figures: Logger.Metadata = ["bytes": "\(copy.bytes)", "milliseconds": "\((ContinuousClock.now - begun) / .milliseconds(1))"]
        log?.info("backup sent", metadata: database.metadata.merging(figures) { $1 })
    }

    private static func headers(of copy: DatabaseCopy, _ database: DatabaseID) -> RPCMetadata {
        RPCMetadata([
            ("content-type", "application/vnd.sqlite3"), ("content-length", "\(copy.bytes)"), ("cache-control", "no-store"),
            ("x-content-type-options", "nosniff"), ("content-disposition", "attachment; filename=\"backup.sqlite\""),
            (DatabaseCopy.timeHeader, "\(copy.time.microseconds)"), (DatabaseCopy.documentsHeader, "\(copy.documents)"),
        ])
    }
}

extension DatabaseCopy {
    /// The commit whose state the copy shows, in microseconds since 1970.
    package static var timeHeader: String { "hearth-commit-time" }
    package static var documentsHeader: String { "hearth-documents" }
}

/// The file of a copy until it is sent. Nothing of it remains, except after a crash while it is being made.
private final class CopyFile: Sendable {
    let path: String
    private let handle = Mutex<FileHandle?>(nil)

    init(path: String) throws(FirestoreError) { self.path = path }

    deinit { unlink(path) }

    /// Takes the name away.
    func open() async throws(FirestoreError) -> DatabaseCopy {
        try await onThread { () throws(FirestoreError) in
            let copy = try DatabaseInspection.summary(ofCopy: self.path)
            guard let opened = FileHandle(forReadingAtPath: self.path) else {
                throw FirestoreError(.unavailable, "the copy cannot be read", at: self.path)
            }
            self.handle.withLock { $0 = opened }
            unlink(self.path)
            return copy
        }
    }

    func next(_ count: Int) async throws(FirestoreError) -> [UInt8]? {
        try await onThread { () throws(FirestoreError) in
            do {
                return try self.handle.withLock { try $0?.read(upToCount: count) }.map { [UInt8]($0) }
            } catch {
                throw FirestoreError(.unavailable, "the copy cannot be read", at: self.path, cause: error)
            }
        }
    }

    private func onThread<R: Sendable>(
        _ body: @escaping @Sendable () throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        let result: Result<R, FirestoreError> = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }
}
