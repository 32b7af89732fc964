// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreEngine
import Foundation

/// An open database that a command works on.
struct OpenPlace: Sendable {
    let service: any DocumentService
    let database: DatabaseID
    /// The name for messages: the file, the address, the project.
    let name: String
    /// The time limit in seconds; nil for the default.
    let timeout: Double?
    /// Whether it is Google's service, which charges for reads and writes.
    var isCloud = false

    /// For a call with one answer: its limit is one minute unless `--timeout` is given.
    var call: RequestContext { context(timeout ?? 60) }

    /// For calls without a default limit: results in pages, watches.
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
    /// The location that the words of a command line name.
    static func place(_ words: [String], environment: [String: String]) throws -> Place {
        try Place(try parse(words), environment: environment)
    }

    /// Opens the database that the options and the environment name, and closes it after `body`, also when that fails.
    ///
    /// If the command fails, a file that was created for it is removed unless it contains data by then. SIGINT and
    /// SIGTERM cancel the task of `body`, and the command ends with 130 or 143 (`Interruption`).
    func run(
        _ purpose: Place.Purpose, durability: Durability = .full, environment: [String: String],
        _ body: @escaping @Sendable (OpenPlace) async throws -> Void
    ) async throws {
        let place = try Place(self, environment: environment)
        let timeout = timeout
        try await Interruption.watch {
            let newFile = place.missingFile
            do {
                let place = try await place.withProject(writes: purpose != .read)
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
