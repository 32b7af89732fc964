import ArgumentParser
import FirestoreCore
import FirestoreEngine
import Foundation

/// A database that a command works on.
struct OpenPlace: Sendable {
    let service: any DocumentService
    let database: DatabaseID
    /// For messages: the file, the address, the project.
    let name: String
    /// Seconds; nil: the usual ones.
    let timeout: Double?

    /// For a call with one answer: it is over after a minute, unless `--timeout` says otherwise.
    var call: RequestContext { context(timeout ?? 60) }

    /// For what may go on as long as it likes: results in pages, watches.
    var stream: RequestContext { context(timeout) }

    private func context(_ seconds: Double?) -> RequestContext {
        RequestContext(caller: .administrator, deadline: seconds.map { .now + .seconds($0) })
    }
}

extension Place {
    /// The database file, if it does not exist yet.
    fileprivate var missingFile: String? {
        if case .file(let path) = kind, !FileManager.default.fileExists(atPath: path) { path } else { nil }
    }
}

extension PlaceOptions {
    /// The place that words of a command line name.
    static func place(_ words: [String], environment: [String: String]) throws -> Place {
        try Place(try parse(words), environment: environment)
    }

    /// Opens the database the options and the environment name, and closes it behind `body`, whatever comes of it.
    ///
    /// A file that is made for a command which fails goes away again, unless something is in it by then. SIGINT and SIGTERM
    /// cancel the task of `body`, and the command ends with 130 or 143 (`Interruption`).
    func run(
        _ purpose: Place.Purpose, durability: Durability = .full, environment: [String: String],
        _ body: @escaping @Sendable (OpenPlace) async throws -> Void
    ) async throws {
        let place = try Place(self, environment: environment)
        let timeout = timeout
        try await Interruption.watch {
            let newFile = place.missingFile
            do {
                let open = try place.open(purpose, durability: durability, timeout: timeout)
                do {
                    try await body(open)
                } catch {
                    await open.service.shutdown()
                    throw error
                }
                await open.service.shutdown()
            } catch {
                if let newFile { DatabaseInspection.removeIfEmpty(newFile) }
                throw error
            }
        }
    }
}
