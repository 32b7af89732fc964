// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import TestSupport
import Testing

/// A decimal is the double nearest to it, on every way in, and the shortest decimal on the way back.
@Suite struct DecimalTests {
    private struct Price: Codable, Equatable { var price: Decimal }

    let db = Scratch.firestore()

    /// 0.01 to 5.00, and what their doubles are as Swift reads them.
    static let prices: [(decimal: Decimal, double: Double)] = (1...500).map { cents in
        let text = "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
        return (Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) ?? .nan, Double(text) ?? .nan)
    }

    private func differing(_ stored: (Decimal) throws -> Any?) rethrows -> [Double] {
        try Self.prices.filter { price in try stored(price.decimal) as? Double != price.double }.map(\.double)
    }

    @Test func `500 prices are the nearest doubles, as dictionaries, values of types, elements and number objects`() async throws {
        let all = Self.prices
        let document = db.document("prices/all")
        let ways: [(String, (Decimal) throws -> Any)] = [
            ("dictionary", { $0 }), ("number object", { NSDecimalNumber(decimal: $0) }),
            ("encoder", { try Firestore.Encoder().encode(Price(price: $0))["price"] ?? NSNull() }),
        ]
        for (name, way) in ways {
            try await document.setData(["list": all.map { try way($0.decimal) }])
            let stored = try #require(try await document.getDocument()["list"] as? [Any])
            #expect(zip(stored, all).filter { $0 as? Double != $1.double }.count == 0, "\(name)")
        }
        try await document.setData(from: ["list": all.map(\.decimal)]).acknowledged
        #expect(try await document.getDocument()["list"] as? [Double] == all.map(\.double))
        try await document.setData(["list": FieldValue.arrayUnion(all.map(\.decimal))])
        #expect(try await document.getDocument()["list"] as? [Double] == all.map(\.double))
        try await document.updateData(["one": all[6].decimal])
        #expect(try await document.getDocument()["one"] as? Double == 0.07)
    }

    @Test(arguments: [Double.infinity, -.infinity]) func `an infinite number is an error where a decimal is read`(number: Double) async throws {
        let document = db.document("prices/endless")
        try await document.setData(["price": number])
        let snapshot = try await document.getDocument()
        #expect(throws: DecodingError.self) { try snapshot.data(as: Price.self) }
    }

    @Test(arguments: [Double.nan, 1e300, .leastNonzeroMagnitude, -0.0, 1e-130]) func `a number that no decimal is near to ends nothing`(number: Double) async throws {
        let document = db.document("prices/strange")
        try await document.setData(["price": number])
        let price = try await document.getDocument(as: Price.self).price
        #expect(price.isNaN || NSDecimalNumber(decimal: price).doubleValue == number || number.magnitude > 1e128 || number.magnitude < 1e-128)
    }

    @Test func `filters, cursors and constants of pipelines find the numbers that are stored`() async throws {
        let prices = db.collection("shop")
        for price in Self.prices.prefix(60) { try await prices.addDocument(data: ["price": price.double]) }
        for price in Self.prices.prefix(60) {
            let found = try await prices.whereField("price", isEqualTo: price.decimal).getDocuments()
            #expect(found.documents.map { $0["price"] as? Double } == [price.double])
        }
        let seven = Self.prices[6].decimal
        let from = try await prices.order(by: "price").start(at: [seven]).limit(to: 1).getDocuments()
        #expect(from.documents.first?["price"] as? Double == 0.07)
        let any = try await prices.whereField("price", in: [seven, Self.prices[13].decimal]).getDocuments()
        #expect(any.count == 2)
        if try await isRunningPipelines() {
            let rows = try await db.pipeline().collection("shop").where(Field("price").equal(seven)).execute()
            #expect(rows.count == 1)
        }
    }

    private func isRunningPipelines() async throws -> Bool {
        do {
            _ = try await db.pipeline().collection("none").execute()
            return true
        } catch FirestoreErrorCode.unimplemented {
            return false
        }
    }

    @Test func `numbers of up to 15 digits survive the way there and back`() async throws {
        var random = SeededGenerator(seed: 18)
        var all: [Decimal] = Self.prices.map(\.decimal)
        for _ in 0..<TestScale.pick(quick: 2_000, full: 100_000) {
            let digits = Int64.random(in: 0..<1_000_000_000_000_000, using: &random)
            let number = Decimal(sign: Bool.random(using: &random) ? .plus : .minus, exponent: -Int.random(in: 0...15, using: &random), significand: Decimal(digits))
            all.append(number)
        }
        let document = db.document("prices/many")
        for start in stride(from: 0, to: all.count, by: 10_000) {
            let part = Array(all[start..<min(start + 10_000, all.count)])
            try await document.setData(from: ["list": part]).acknowledged
            let back = try await document.getDocument().data(as: [String: [Decimal]].self)["list"] ?? []
            #expect(zip(part, back).filter { $0 != $1 }.count == 0)
        }
    }

    @Test func `decimals that no double is near to are stored as what is nearest`() async throws {
        let document = db.document("prices/odd")
        let texts = ["0.1234567890123456789", "123456789012345678901234567890", "-0", "1e-100", "9.99999999999999999999999999999999999e100"]
        let decimals = texts.compactMap { Decimal(string: $0, locale: Locale(identifier: "en_US_POSIX")) }
        try await document.setData(["list": decimals])
        let stored = try await document.getDocument()["list"] as? [Double]
        #expect(stored == texts.compactMap(Double.init))
        // Doubles outside of the range of decimals are read without a crash.
        try await document.setData(["list": [1e300, -1e300, Double.leastNonzeroMagnitude, 0.1 + 0.2]])
        #expect(try await document.getDocument().data(as: [String: [Decimal]].self)["list"]?.count == 4)
    }
}
