// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport

/// Whether a code has this number, its short name, and matches an error that carries it.
private func isCode(_ code: FirestoreErrorCode.Code, _ alias: FirestoreErrorCode.Code, _ number: Int) -> Bool {
    let error: any Error = FirestoreErrorCode(code)
    let bridged = error as NSError
    return code == alias && alias ~= error && bridged.code == number && bridged.domain == FirestoreErrorDomain
}

extension CompatibilityTable {
    /// api.md 11.
    static func errors() -> CompatibilitySection {
        var section = CompatibilitySection("11", "Errors")
        section.row(.full, "FirestoreErrorCode.Code.OK = 0") { _ in
            isCode(.OK, FirestoreErrorCode.OK, 0)
        }
        section.row(.core, "FirestoreErrorCode.Code.cancelled = 1") { _ in
            isCode(.cancelled, FirestoreErrorCode.cancelled, 1)
        }
        section.row(.core, "FirestoreErrorCode.Code.unknown = 2") { _ in
            isCode(.unknown, FirestoreErrorCode.unknown, 2)
        }
        section.row(.core, "FirestoreErrorCode.Code.invalidArgument = 3") { here in
            let error = await failure { try await here.letters.limit(to: 0).getDocuments() }
            return isCode(.invalidArgument, FirestoreErrorCode.invalidArgument, 3) && isFailure(error, .invalidArgument)
        }
        section.row(.full, "FirestoreErrorCode.Code.deadlineExceeded = 4") { _ in
            isCode(.deadlineExceeded, FirestoreErrorCode.deadlineExceeded, 4)
        }
        section.row(.core, "FirestoreErrorCode.Code.notFound = 5") { here in
            let error = await failure { try await here.fresh().updateData(["n": 1]) }
            return isCode(.notFound, FirestoreErrorCode.notFound, 5) && isFailure(error, .notFound)
        }
        section.row(.core, "FirestoreErrorCode.Code.alreadyExists = 6") { _ in
            isCode(.alreadyExists, FirestoreErrorCode.alreadyExists, 6)
        }
        section.row(.core, "FirestoreErrorCode.Code.permissionDenied = 7", differs: "embedded, it occurs only with `settings.rules`") { _ in
            isCode(.permissionDenied, FirestoreErrorCode.permissionDenied, 7)
        }
        section.row(.full, "FirestoreErrorCode.Code.resourceExhausted = 8") { _ in
            isCode(.resourceExhausted, FirestoreErrorCode.resourceExhausted, 8)
        }
        section.row(.core, "FirestoreErrorCode.Code.failedPrecondition = 9") { here in
            let error = await failure { try await here.db.clearPersistence() }
            return isCode(.failedPrecondition, FirestoreErrorCode.failedPrecondition, 9) && isFailure(error, .failedPrecondition)
        }
        section.row(.core, "FirestoreErrorCode.Code.aborted = 10") { _ in
            isCode(.aborted, FirestoreErrorCode.aborted, 10)
        }
        section.row(.full, "FirestoreErrorCode.Code.outOfRange = 11") { _ in
            isCode(.outOfRange, FirestoreErrorCode.outOfRange, 11)
        }
        section.row(.full, "FirestoreErrorCode.Code.unimplemented = 12") { _ in
            isCode(.unimplemented, FirestoreErrorCode.unimplemented, 12)
        }
        section.row(.full, "FirestoreErrorCode.Code.internal = 13") { _ in
            isCode(.internal, FirestoreErrorCode.internal, 13)
        }
        section.row(.core, "FirestoreErrorCode.Code.unavailable = 14") { _ in
            isCode(.unavailable, FirestoreErrorCode.unavailable, 14)
        }
        section.row(.full, "FirestoreErrorCode.Code.dataLoss = 15") { _ in
            isCode(.dataLoss, FirestoreErrorCode.dataLoss, 15)
        }
        section.row(.core, "FirestoreErrorCode.Code.unauthenticated = 16", differs: "embedded, it never occurs: there are no tokens to reject") { _ in
            isCode(.unauthenticated, FirestoreErrorCode.unauthenticated, 16)
        }
        section.row(.core, "enum FirestoreEncodingError : Error { case encodingIsNotSupported(String) }") { _ in
            let error = await failure { try JSONEncoder().encode(["n": FieldValue.delete()]) }
            guard let refused = error as? FirestoreEncodingError, case .encodingIsNotSupported(let text) = refused else { return false }
            return !text.isEmpty
        }
        section.row(.core, "enum FirestoreDecodingError : Error { case decodingIsNotSupported(String), fieldNameConflict(String) }") { _ in
            let error = await failure { try JSONDecoder().decode([DocumentReference].self, from: Data("[1]".utf8)) }
            guard let refused = error as? FirestoreDecodingError, case .decodingIsNotSupported(let text) = refused else { return false }
            let neverThrown: [FirestoreDecodingError] = [.fieldNameConflict("declared only")]
            return !text.isEmpty && neverThrown.count == 1
        }
        return section
    }
}
