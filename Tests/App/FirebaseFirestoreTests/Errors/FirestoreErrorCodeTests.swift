// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import Testing

/// `FirestoreErrorCode` and its domain.
@Suite struct FirestoreErrorCodeTests {
    let error: any Error = FirestoreErrorCode(.notFound, userInfo: [NSLocalizedDescriptionKey: "no such city"])

    @Test func `an error bridges to NSError with domain, code and words`() {
        let bridged = error as NSError
        #expect(bridged.domain == FirestoreErrorDomain)
        #expect(bridged.domain == "FIRFirestoreErrorDomain")
        #expect(bridged.code == FirestoreErrorCode.notFound.rawValue)
        #expect(FirestoreErrorCode.Code(rawValue: bridged.code) == .notFound)
        #expect(bridged.localizedDescription == "no such city")
        #expect(error.localizedDescription == "no such city")
    }

    @Test func `a switch and a catch match an error against a code`() {
        var matched = ""
        switch error {
        case FirestoreErrorCode.unavailable: matched = "unavailable"
        case FirestoreErrorCode.notFound: matched = "notFound"
        default: matched = "none"
        }
        #expect(matched == "notFound")
        do {
            throw error
        } catch FirestoreErrorCode.aborted {
            matched = "aborted"
        } catch FirestoreErrorCode.notFound {
            matched = "caught"
        } catch {
            matched = "none"
        }
        #expect(matched == "caught")
        let plain: any Error = NSError(domain: FirestoreErrorDomain, code: 7)
        if case FirestoreErrorCode.permissionDenied = plain { matched = "plain" }
        #expect(matched == "plain")
    }

    @Test func `codes have the canonical numbers`() {
        let names: [FirestoreErrorCode.Code] = [
            .OK, .cancelled, .unknown, .invalidArgument, .deadlineExceeded, .notFound, .alreadyExists, .permissionDenied,
            .resourceExhausted, .failedPrecondition, .aborted, .outOfRange, .unimplemented, .internal, .unavailable,
            .dataLoss, .unauthenticated,
        ]
        #expect(names.map(\.rawValue) == Array(0...16))
    }

    @Test func `an optional error casts to an optional NSError, as the guide does it`() {
        let optional: (any Error)? = error
        if let error = optional as NSError? {
            #expect(error.code == 5)
        } else {
            Issue.record("the cast failed")
        }
        #expect(error as? FirestoreErrorCode != nil)
    }
}
