// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Booleans, numbers and strings (R11 … R19).
@Suite struct ScalarRuleTests {
    @Test func `booleans are booleans and nothing else`() throws {
        // R11
        #expect(try fieldText(encoding: true) == "true")
        #expect(try fieldText(encoding: false) == "false")
        #expect(try decoded(property: Bool.self, from: true))
        #expect(try decoded(property: Bool.self, from: NSNumber(value: false)) == false)
        for other: Any in [1, 0, 1.0, "true", Data([1]), [true], ["v": true]] {
            #expect(failure(property: Bool.self, from: other) == "typeMismatch at v")
        }
        #expect(failure(property: Int.self, from: true) == "typeMismatch at v")
        #expect(failure(property: Double.self, from: true) == "typeMismatch at v")
        #expect(failure(property: Float.self, from: false) == "typeMismatch at v")
        #expect(failure(property: UInt8.self, from: true) == "typeMismatch at v")
        #expect(failure(property: String.self, from: true) == "typeMismatch at v")
    }

    static let integers: [Attempt] = [
        // R12
        Attempt("-7") { try fieldText(encoding: Int(-7)) }, Attempt("-7") { try fieldText(encoding: Int8(-7)) },
        Attempt("-7") { try fieldText(encoding: Int16(-7)) }, Attempt("-7") { try fieldText(encoding: Int32(-7)) },
        Attempt("-7") { try fieldText(encoding: Int64(-7)) },
        Attempt("9223372036854775807") { try fieldText(encoding: Int64.max) },
        Attempt("-9223372036854775808") { try fieldText(encoding: Int64.min) },
        // R13
        Attempt("7") { try fieldText(encoding: UInt(7)) }, Attempt("255") { try fieldText(encoding: UInt8.max) },
        Attempt("65535") { try fieldText(encoding: UInt16.max) }, Attempt("4294967295") { try fieldText(encoding: UInt32.max) },
        Attempt("9223372036854775807") { try fieldText(encoding: UInt64(Int64.max)) },
        // R12, R108: no boolean.
        Attempt("1") { try fieldText(encoding: Int8(1)) }, Attempt("0") { try fieldText(encoding: UInt8(0)) },
    ]

    @Test(arguments: integers)
    func `integers of every width are integers`(attempt: Attempt) throws {
        #expect(try attempt.run() as? String == attempt.name)
    }

    @Test func `an unsigned integer beyond the signed range is rejected with its path`() throws {
        // R13
        #expect(failureSummary { try encoded(Box(v: UInt64(Int64.max) + 1)) } == "invalidValue at v")
        #expect(failureSummary { try encoded(Box(v: ["a": [UInt.max]])) } == "invalidValue at v.a.Index 0")
    }

    static let fitting: [Attempt] = [
        // R14
        Attempt("5") { try decoded(property: Int.self, from: 5.0) }, Attempt("5") { try decoded(property: UInt8.self, from: 5.0) },
        Attempt("-128") { try decoded(property: Int8.self, from: -128) }, Attempt("255") { try decoded(property: UInt8.self, from: 255) },
        Attempt("-9223372036854775808") { try decoded(property: Int.self, from: Int64.min) },
        Attempt("-9223372036854775808") { try decoded(property: Int64.self, from: -9.223372036854775808e18) },
        Attempt("9007199254740992") { try decoded(property: Int.self, from: 9007199254740992.0) },
        Attempt("9223372036854775807") { try decoded(property: UInt64.self, from: Int64.max) },
        Attempt("0") { try decoded(property: Int.self, from: -0.0) },
        Attempt("65535") { try decoded(property: UInt16.self, from: 65535) },
        Attempt("-32768") { try decoded(property: Int16.self, from: -32768.0) },
    ]

    @Test(arguments: fitting)
    func `an integer is read from any number it equals`(attempt: Attempt) throws {
        #expect("\(try attempt.run())" == attempt.name)
    }

    static let misfits: [Attempt] = [
        // R14
        Attempt("fraction") { try decoded(property: Int.self, from: 5.5) },
        Attempt("UInt8 300") { try decoded(property: UInt8.self, from: 300) },
        Attempt("Int8 128") { try decoded(property: Int8.self, from: 128) },
        Attempt("Int16 40000") { try decoded(property: Int16.self, from: 40_000.0) },
        Attempt("Int32 2^31") { try decoded(property: Int32.self, from: 2_147_483_648) },
        Attempt("UInt -1") { try decoded(property: UInt.self, from: -1) },
        Attempt("UInt8 -1") { try decoded(property: UInt8.self, from: -1) },
        Attempt("UInt16 -1") { try decoded(property: UInt16.self, from: -1.0) },
        Attempt("UInt32 -1") { try decoded(property: UInt32.self, from: -1) },
        Attempt("UInt64 -1") { try decoded(property: UInt64.self, from: -1) },
        Attempt("Int 1e19") { try decoded(property: Int.self, from: 1e19) },
        Attempt("Int64 2^63") { try decoded(property: Int64.self, from: 9.223372036854775808e18) },
        Attempt("Int NaN") { try decoded(property: Int.self, from: Double.nan) },
        Attempt("Int infinity") { try decoded(property: Int.self, from: -Double.infinity) },
        // R17
        Attempt("Float 1e39") { try decoded(property: Float.self, from: 1e39) },
        Attempt("Float -1e39") { try decoded(property: Float.self, from: -1e39) },
        Attempt("Float infinity") { try decoded(property: Float.self, from: Double.infinity) },
        Attempt("Float NaN") { try decoded(property: Float.self, from: Double.nan) },
    ]

    @Test(arguments: misfits)
    func `a number that does not fit is corrupted data`(attempt: Attempt) {
        #expect(attempt.summary == "dataCorrupted at v")
    }

    @Test func `floating point numbers are doubles, floats widened`() throws {
        // R15
        #expect(try fieldText(encoding: 1.5) == "1.5")
        #expect(try fieldText(encoding: 3.0) == "3.0")
        #expect(try fieldText(encoding: Float(0.1)) == "0.10000000149011612")
        #expect(try fieldText(encoding: CGFloat(0.25)) == "0.25")
        #expect(try fieldText(encoding: -0.0) == "-0.0")
        #expect(try fieldText(encoding: Double.greatestFiniteMagnitude) == "\(Double.greatestFiniteMagnitude)")
    }

    @Test func `a double is read from every number, NaN and the infinities included`() throws {
        // R16
        #expect(try decoded(property: Double.self, from: Int64.max) == 9.223372036854775807e18)
        #expect(try decoded(property: Double.self, from: 9_007_199_254_740_993) == 9_007_199_254_740_992)
        #expect(try decoded(property: Double.self, from: Double.nan).isNaN)
        #expect(try decoded(property: Double.self, from: Double.infinity) == .infinity)
        #expect(try decoded(property: CGFloat.self, from: 2) == 2)
        #expect(failure(property: Double.self, from: "1.5") == "typeMismatch at v")
    }

    @Test func `a float is rounded to the nearest`() throws {
        // R17
        #expect(try decoded(property: Float.self, from: 0.1) == Float(0.1))
        #expect(try decoded(property: Float.self, from: 16_777_217) == 16_777_216)
        #expect(try decoded(property: Float.self, from: Double(Float.greatestFiniteMagnitude)) == .greatestFiniteMagnitude)
        #expect(try decoded(property: Float.self, from: 1e-60) == 0)
    }

    @Test func `NaN and the infinities are rejected, with the whole path`() throws {
        // R18
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(failureSummary { try encoded(Box(v: value)) } == "invalidValue at v")
            #expect(failureSummary { try encoded(Box(v: Float(value))) } == "invalidValue at v")
            #expect(failureSummary { try encoded(["a": ["b": [0, value]]]) } == "invalidValue at a.b.Index 1")
            #expect(failureSummary { try encoded(["a": [Float(value)]]) } == "invalidValue at a.Index 0")
            #expect(failureSummary { try encoded(Box(v: Double?(value))) } == "invalidValue at v")
        }
    }

    @Test func `NaN and the infinities can go through strings of one's choice`() throws {
        // R18
        let toStrings: (Firestore.Encoder) -> Void = {
            $0.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        }
        let fromStrings: (Firestore.Decoder) -> Void = {
            $0.nonConformingFloatDecodingStrategy = .convertFromString(positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        }
        #expect(try fieldText(encoding: [Double.nan, .infinity, -.infinity, 1], toStrings) == "[\"?\", \"+\", \"-\", 1.0]")
        #expect(try fieldText(encoding: Float.nan, toStrings) == "\"?\"")
        #expect(try decoded(property: Double.self, from: "+", fromStrings) == .infinity)
        #expect(try decoded(property: Double.self, from: "-", fromStrings) == -.infinity)
        #expect(try decoded(property: Double.self, from: "?", fromStrings).isNaN)
        #expect(try decoded(property: Float.self, from: "-", fromStrings) == -.infinity)
        #expect(try decoded(property: Float.self, from: "?", fromStrings).isNaN)
        #expect(try decoded(property: [Double].self, from: ["+", 2], fromStrings) == [.infinity, 2])
        #expect(failure(property: Double.self, from: "++", fromStrings) == "typeMismatch at v")
        #expect(failure(property: Double.self, from: "+") == "typeMismatch at v")
    }

    static let strings = ["", "plain", "Zoë", "e\u{301}", "🌉👨‍👩‍👧", "a\u{0}b", "مرحبا", "line\nline\t\"quoted\""]

    @Test(arguments: strings)
    func `strings are stored scalar by scalar`(text: String) throws {
        // R19
        let stored = try #require(try encoded(Box(v: text))["v"] as? String)
        #expect(Array(stored.unicodeScalars) == Array(text.unicodeScalars))
        #expect(Array(try decoded(property: String.self, from: text).unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test func `a string is read only from a string`() {
        // R19
        for other: Any in [5, 5.5, true, Data([65]), ["a"], ["a": "b"], Timestamp(seconds: 0, nanoseconds: 0)] {
            #expect(failure(property: String.self, from: other) == "typeMismatch at v")
        }
    }
}
