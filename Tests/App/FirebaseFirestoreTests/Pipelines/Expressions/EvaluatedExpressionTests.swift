// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Functions as an app calls them, evaluated by a database: it knows every name that the methods send.
@Suite(.only(.pipelines)) struct EvaluatedExpressionTests {
    let db = Scratch.firestore()

    /// The value of an expression over one row.
    private func value(_ expression: any FirebaseFirestore.Expression) async throws -> (any Sendable)? {
        let row: [String: any Sendable] = [
            "n": 7, "d": 2.5, "s": "Ünï😀x", "a": [3, 1.5, 2], "l": ["x", "y", "x"], "m": ["p": 1, "q": "r"] as [String: any Sendable],
            "t": Timestamp(seconds: 1_709_251_199, nanoseconds: 987_654_000), "v": VectorValue([3, 4]), "r": db.document("rows/row1"),
        ]
        let results = try await db.pipeline().literals([row]).select([expression.as("x")]).execute().results
        return results[0].get("x")
    }

    @Test func `numbers`() async throws {
        #expect(try await value(Field("n").add(1).multiply(2).subtract(Field("d"))) as? Double == 13.5)
        #expect(try await value(Field("n").divide(2)) as? Int == 3)
        #expect(try await value(Field("n").mod(4)) as? Int == 3)
        #expect(try await value(Field("n").pow(2)) as? Double == 49)
        #expect(try await value(Field("d").round()) as? Double == 3)
        #expect(try await value(Field("d").floor().add(Field("d").ceil()).add(Field("d").trunc())) as? Double == 7)
        #expect(try await value(Constant(4.1239).truncToPrecision(2)) as? Double == 4.12)
        #expect(try await value(Constant(-9).abs().sqrt()) as? Double == 3)
        #expect(try await value(Constant(0).exp().ln()) as? Double == 0)
        #expect(try await value(Field("n").logicalMaximum([Field("d"), Constant(9)])) as? Int == 9)
        #expect(try await value(Field("n").logicalMinimum([3])) as? Int == 3)
        #expect(try await value(rand().lessThan(1)) as? Bool == true)
    }

    @Test func `texts`() async throws {
        #expect(try await value(Field("s").charLength()) as? Int == 5)
        #expect(try await value(Field("s").byteLength().add(Field("s").length())) as? Int == 15)
        #expect(try await value(Field("s").substring(position: 3, length: 1)) as? String == "😀")
        #expect(try await value(Field("s").toUpper().concat(["!"]).stringConcat(["?"])) as? String == "ÜNÏ😀X!?")
        #expect(try await value(Constant("Abc").toLower().reverse().stringReverse()) as? String == "abc")
        #expect(try await value(Constant("  x ").trim().stringRepeat(3)) as? String == "xxx")
        #expect(try await value(Constant("xay").ltrim("x").rtrim("y")) as? String == "a")
        #expect(try await value(Constant("a,b").split(delimiter: ",")) as? [String] == ["a", "b"])
        #expect(try await value(Field("l").join(delimiter: "-")) as? String == "x-y-x")
        #expect(try await value(Field("s").startsWith("Ü") && Field("s").endsWith("x") && Field("s").stringContains("n")) as? Bool == true)
        #expect(try await value(Field("s").like("_n%") && Field("s").regexContains("^.n") && !Field("s").regexMatch("n")) as? Bool == true)
        #expect(try await value(Constant("x12y3").regexFind("[0-9]+")) as? String == "12")
        #expect(try await value(Constant("x12y3").regexFindAll("[0-9]+")) as? [String] == ["12", "3"])
        #expect(try await value(Constant("aaaa").stringReplaceAll("aa", with: "b").stringReplaceOne("b", with: "c")) as? String == "cb")
        #expect(try await value(Field("s").stringIndexOf("x")) as? Int == 4)
    }

    @Test func `arrays and maps`() async throws {
        #expect(try await value(Field("l").arrayLength()) as? Int == 3)
        #expect(try await value(Field("l").arrayReverse().arrayConcat([["z"]]).arraySlice(offset: 2)) as? [String] == ["x", "z"])
        #expect(try await value(Field("l").arrayContains("y") && Field("l").arrayContainsAll(["x"]) && Field("l").arrayContainsAny(["z", "x"])) as? Bool == true)
        #expect(try await value(Field("l").arrayGet(-1).equal(Field("l").arrayFirst())) as? Bool == true)
        #expect(try await value(Field("l").arrayFirstN(2)) as? [String] == ["x", "y"])
        #expect(try await value(Field("l").arrayLastN(1).arrayLast()) as? String == "x")
        #expect(try await value(Field("l").arrayIndexOf("x").add(Field("l").arrayLastIndexOf("x"))) as? Int == 2)
        #expect(try await value(Field("l").arrayIndexOfAll("x")) as? [Int] == [0, 2])
        #expect(try await value(Field("a").arrayMaximum()) as? Int == 3)
        #expect(try await value(Field("a").arrayMinimumN(2).arrayMaximumN(1).arrayMinimum()) as? Int == 2)
        #expect(try await value(Field("a").arrayFilter(alias: "e", filter: Variable("e").greaterThan(1.7))) as? [Int] == [3, 2])
        #expect(try await value(Field("a").arrayTransform(elementAlias: "e", transform: Variable("e").multiply(2))) as? [Double] == [6, 3, 4])
        let indexed = Field("l").arrayTransformWithIndex(elementAlias: "e", indexAlias: "i", transform: Variable("i"))
        #expect(try await value(indexed) as? [Int] == [0, 1, 2])
        #expect(try await value(Field("m").mapGet("p").add(Field("m").getField("p"))) as? Int == 2)
        #expect(try await value(Field("m").mapSet("u", 1).mapRemove("p").mapMerge([["w": 2]]).mapKeys()) as? [String] == ["q", "u", "w"])
        #expect(try await value(Field("m").mapRemove("p").mapValues()) as? [String] == ["r"])
        let entries = try await value(Field("m").mapRemove("p").mapEntries()) as? [[String: String]]
        #expect(entries == [["k": "q", "v": "r"]])
    }

    @Test func `times, vectors and references`() async throws {
        #expect(try await value(Field("t").timestampAdd(366, .day)) as? Timestamp == Timestamp(seconds: 1_740_873_599, nanoseconds: 987_654_000))
        #expect(try await value(Field("t").timestampSubtract(1, .second).timestampDiff(Field("t"), .millisecond)) as? Int == -1000)
        #expect(try await value(Field("t").timestampTruncate(granularity: .month).timestampToUnixSeconds()) as? Int == 1_706_745_600)
        #expect(try await value(Field("t").timestampTruncate(granularity: .weekMonday).timestampExtract(part: .day)) as? Int == 26)
        #expect(try await value(Field("t").timestampExtract(part: .dayOfYear)) as? Int == 60)
        #expect(try await value(Constant(5).unixSecondsToTimestamp().timestampToUnixMillis()) as? Int == 5000)
        #expect(try await value(Constant(5).unixMillisToTimestamp().timestampToUnixMicros()) as? Int == 5000)
        #expect(try await value(Constant(5).unixMicrosToTimestamp()) as? Timestamp == Timestamp(seconds: 0, nanoseconds: 5000))
        #expect(try await value(CurrentTimestamp().greaterThan(Field("t"))) as? Bool == true)
        #expect(try await value(Field("v").vectorLength()) as? Int == 2)
        #expect(try await value(Field("v").dotProduct(VectorValue([1, 1]))) as? Double == 7)
        #expect(try await value(Field("v").euclideanDistance([0, 0])) as? Double == 5)
        #expect(try await value(Field("v").cosineDistance(Field("v"))) as? Double == 0)
        #expect(try await value(Field("r").documentId()) as? String == "row1")
        #expect(try await value(Field("r").collectionId()) as? String == "rows")
        #expect(try await value(Field("r").parent()) == nil)
        #expect(try await value(Field("g").geoDistance(GeoPoint(latitude: 0, longitude: 0))) == nil)
    }

    @Test func `conditions and replacements`() async throws {
        #expect(try await value(Field("none").ifAbsent("x")) as? String == "x")
        #expect(try await value(Field("none").ifNull(1).coalesce([Constant(2)])) as? Int == 1)
        #expect(try await value(Field("s").add(1).ifError(Constant("no number"))) as? String == "no number")
        #expect(try await value(ErrorExpression("stop").isError()) as? Bool == true)
        #expect(try await value(ConditionalExpression(Field("n").between(1, 7), then: Field("s").type(), else: Constant.nil)) as? String == "string")
        #expect(try await value(switchOn(Field("n").equal(1), Constant("one"), Field("n").isType("int64"), Constant("other"))) as? String == "other")
        #expect(try await value(nor(Field("n").isAbsent(), Field("n").notEqualAny([7]))) as? Bool == true)
        #expect(try await value(MapExpression(["a": [Field("n"), Constant(1)] as [any Sendable]])) as? [String: [Int]] == ["a": [7, 1]])
        let failed = await failure { try await value(ErrorExpression("no stock")) }
        #expect(isFailure(failed, .invalidArgument, naming: "no stock"))
    }
}
