// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Does something with each part of an archive: what is wrong with one does not keep the others from it.
struct EachOfArchive {
    /// Of `hearth`, for messages.
    let command: String
    private(set) var failures = 0

    init(command: String) { self.command = command }

    /// Says what is wrong. Throws if the archive cannot be reached at all.
    mutating func run(_ name: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as FirestoreError {
            if [.unavailable, .deadlineExceeded, .permissionDenied, .unauthenticated, .cancelled].contains(error.code) { throw error }
            failures += 1
            StandardError.say("hearth \(command): \(name): \(error)")
        }
    }

    /// Ends the command if something was wrong.
    func end(_ summary: String) throws {
        guard failures > 0 else { return }
        StandardError.say("hearth \(command): \(summary): \(failures) \(failures == 1 ? "part" : "parts") of the archive could not be used")
        throw Outcome.failure
    }
}
