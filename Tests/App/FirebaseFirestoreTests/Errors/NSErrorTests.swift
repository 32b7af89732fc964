// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import TestSupport
import Testing

/// Every error the public API lets out is an `NSError` in every spelling (docs/decisions/0023).
@Suite struct NSErrorTests {
    @Test(arguments: ErrorWay.all)
    func `every error that leaves the SDK matches every spelling of NSError`(_ way: ErrorWay) async throws {
        let error = try #require(try await way.error(Scratch.firestore()))
        let missing = ErrorSpellings.missing(error, domain: way.domain, code: way.code)
        #expect(missing.isEmpty, "\(error)")
        // The way back: an NSError in the hands of an app is its Swift type, too.
        let object: any Error = error as NSError
        for form in [error, object] {
            switch way.domain {
            case FirestoreErrorDomain: #expect(SwiftSpellings.missing(form, way.code).isEmpty, "\(form)")
            case NSCocoaErrorDomain: #expect(form is DecodingError || form is EncodingError, "\(form)")
            default: break
            }
        }
    }

    @Test func `codes have no gaps: all of Firestore's match`() {
        for code in FirestoreErrorCode.Code.allCases {
            let error = FirestoreErrorCode(code, userInfo: [NSLocalizedDescriptionKey: "words", "own": 1])
            #expect(ErrorSpellings.missing(error, domain: FirestoreErrorDomain, code: code.rawValue).isEmpty)
            #expect((error as NSError).userInfo["own"] as? Int == 1)
            #expect(SwiftSpellings.missing(error as NSError, code.rawValue).isEmpty)
        }
    }

    @Test func `an NSError of another domain does not match`() {
        for error in [NSError(domain: NSCocoaErrorDomain, code: 4864), NSError(domain: "shop", code: 5)] as [any Error] {
            #expect(!(error is FirestoreErrorCode) && !(error is DecodingError) && !(error is EncodingError))
            #expect(!(error is FirestoreEncodingError) && !(error is FirestoreDecodingError))
            if case FirestoreErrorCode.notFound = error { Issue.record("\(error)") }
        }
    }

    @Test func `decoding errors have the message, the coding path and the underlying error`() throws {
        let inner = FirestoreDecodingError.decodingIsNotSupported("inner words")
        let context = DecodingError.Context(codingPath: [Key.name], debugDescription: "outer words", underlyingError: inner)
        let cases: [(DecodingError, Int)] = [
            (.typeMismatch(Int.self, context), 4864), (.dataCorrupted(context), 4864), (.valueNotFound(Int.self, context), 4865),
            (.keyNotFound(Key.name, context), 4865),
        ]
        for (error, code) in cases {
            #expect(ErrorSpellings.missing(error, domain: NSCocoaErrorDomain, code: code).isEmpty)
            let object = error as NSError
            #expect(object.userInfo["NSDebugDescription"] as? String == "outer words")
            let words = code == 4865 ? "The data couldn’t be read because it is missing." : "The data couldn’t be read because it isn’t in the correct format."
            #expect(object.localizedDescription == words && error.localizedDescription == words)
            #expect((object.userInfo["NSCodingPath"] as? [any CodingKey])?.map(\.stringValue) == ["name"])
            let underlying = try #require(object.userInfo[NSUnderlyingErrorKey] as? NSError)
            #expect(underlying.localizedDescription == "inner words" && underlying as Any is FirestoreDecodingError)
        }
        #expect(ErrorSpellings.missing(inner, domain: "FirebaseFirestore.FirestoreDecodingError", code: 0).isEmpty)
        #expect(inner.localizedDescription == "inner words")
    }

    @Test func `an NSError that was a DecodingError is caught by its case`() {
        let context = DecodingError.Context(codingPath: [], debugDescription: "words")
        let object: any Error = DecodingError.typeMismatch(Int.self, context) as NSError
        var caught = ""
        do {
            throw object
        } catch DecodingError.valueNotFound {
            caught = "another case"
        } catch DecodingError.typeMismatch(_, let context) {
            caught = context.debugDescription
        } catch {
            caught = "nothing"
        }
        #expect(caught == "words")
    }

    @Test func `the cause of a bundle error is a separate NSError`() async throws {
        let error = try #require(await failure { try await Scratch.firestore().loadBundle(Data("?".utf8)) }) as NSError
        let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(underlying.domain == FirestoreErrorDomain && !underlying.localizedDescription.isEmpty)
    }

    private enum Key: CodingKey {
        case name
    }
}

/// The forms in which developers write that they expect an error of Firestore.
private enum SwiftSpellings {
    static func missing(_ error: any Error, _ number: Int) -> [String] {
        guard let code = FirestoreErrorCode.Code(rawValue: number) else { return ["a code"] }
        var found: Set<String> = []
        do { throw error } catch code { found.insert("catch code") } catch {}
        do { throw error } catch let error as FirestoreErrorCode where error.code == code { found.insert("catch let as") } catch {}
        switch error {
        case code: found.insert("switch")
        default: break
        }
        if (error as? FirestoreErrorCode)?.code == code { found.insert("as?") }
        if let error = (error as Any) as? FirestoreErrorCode, error.code == code { found.insert("Any as?") }
        if FirestoreErrorCode.Code(rawValue: (error as NSError).code) == code { found.insert("Code(rawValue:)") }
        return ["catch code", "catch let as", "switch", "as?", "Any as?", "Code(rawValue:)"].filter { !found.contains($0) }
    }
}
