// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// An object that was not there when it was read.
struct MissingObject: Error {
    let name: String

    private static let mostListings = 16

    /// Does what lists an archive and reads objects of it.
    ///
    /// The server of a database removes objects that are superfluous, and gathers others, also while a restore, a check or a standby reads
    /// the archive. When an object of the listing is gone, the archive is listed again; an object that is missing a second time is lost.
    static func listingAgain<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(FirestoreError) -> Result
    ) async throws(FirestoreError) -> Result {
        var missing: Set<String> = []
        while true {
            do throws(FirestoreError) {
                return try await body()
            } catch {
                guard let name = error.missingObject, missing.insert(name).inserted, missing.count < mostListings else { throw error }
            }
        }
    }
}

extension FirestoreError {
    static func missingObject(_ name: String) -> FirestoreError {
        FirestoreError(.dataLoss, "the object is missing in the archive", at: name, cause: MissingObject(name: name))
    }

    /// The name of the object, if one was missing.
    var missingObject: String? { (cause as? MissingObject)?.name }
}
