// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

/// VAL-24: values, documents and queries in proto3's JSON form.
@Suite struct ProtoJSONTests {
    private let database = DatabaseID(projectID: "p")

    private func node(_ text: String) throws -> JSONNode { JSONNode(try JSON(text.utf8)) }

    static let values = [
        #"{"nullValue":null}"#, #"{"booleanValue":true}"#, #"{"integerValue":"-9223372036854775808"}"#, #"{"doubleValue":1.5}"#, #"{"doubleValue":3}"#,
        #"{"doubleValue":-0.0}"#, #"{"doubleValue":"NaN"}"#, #"{"doubleValue":"-Infinity"}"#, #"{"doubleValue":5e-324}"#,
        #"{"timestampValue":"2024-01-02T03:04:05.678901Z"}"#, #"{"stringValue":"ä\n"}"#, #"{"bytesValue":"+/8="}"#,
        #"{"referenceValue":"projects/p/databases/(default)/documents/c/d"}"#, #"{"geoPointValue":{"latitude":1.5,"longitude":-2}}"#,
        #"{"arrayValue":{}}"#, #"{"arrayValue":{"values":[{"integerValue":"1"},{"mapValue":{}}]}}"#,
        #"{"mapValue":{"fields":{"a":{"mapValue":{"fields":{"":{"stringValue":""}}}},"b":{"nullValue":null}}}}"#,
    ]

    @Test(arguments: values)
    func `a value round-trips`(text: String) throws {
        #expect(try Value(node(text)).json.text() == text)
    }

    static let lenient: [(text: String, strict: String)] = [
        (#"{"nullValue":"NULL_VALUE"}"#, #"{"nullValue":null}"#), (#"{"integerValue":12}"#, #"{"integerValue":"12"}"#),
        (#"{"timestampValue":{"seconds":"1","nanos":9999}}"#, #"{"timestampValue":"1970-01-01T00:00:01.000009Z"}"#),
        (#"{"timestampValue":{}}"#, #"{"timestampValue":"1970-01-01T00:00:00Z"}"#),
        (#"{"timestampValue":"1970-01-01T00:00:00.123456789Z"}"#, #"{"timestampValue":"1970-01-01T00:00:00.123456Z"}"#),
        (#"{"bytesValue":"-_8"}"#, #"{"bytesValue":"+/8="}"#), (#"{"doubleValue":"1"}"#, #"{"doubleValue":1}"#),
        (#"{"arrayValue":{"values":[]}}"#, #"{"arrayValue":{}}"#), (#"{"geoPointValue":{}}"#, #"{"geoPointValue":{"latitude":0,"longitude":0}}"#),
        (#"{"mapValue":{"fields":{"a":{"nullValue":null},"a":{"booleanValue":false}}}}"#, #"{"mapValue":{"fields":{"a":{"booleanValue":false}}}}"#),
    ]

    @Test(arguments: lenient)
    func `other spellings are understood`(text: String, strict: String) throws {
        #expect(try Value(node(text)).json.text() == strict)
    }

    static let refused: [(text: String, place: String?)] = [
        ("{}", nil), ("[]", nil), ("12", nil), (#"{"integerValue":"1","stringValue":"a"}"#, nil), (#"{"numberValue":1}"#, nil),
        (#"{"nullValue":0}"#, "nullValue"), (#"{"integerValue":"1.5"}"#, "integerValue"), (#"{"bytesValue":"?"}"#, "bytesValue"),
        (#"{"timestampValue":"today"}"#, "timestampValue"), (#"{"timestampValue":{"seconds":"253402300800"}}"#, "timestampValue"),
        (#"{"timestampValue":{"nanos":1000000000}}"#, "timestampValue"), (#"{"timestampValue":{"nanos":99999999999}}"#, "timestampValue"),
        (#"{"geoPointValue":{"lat":1}}"#, "geoPointValue"), (#"{"arrayValue":{"values":[{"integerValue":"1"},{"x":1}]}}"#, "arrayValue.values[1]"),
        (#"{"mapValue":{"fields":{"a":{"booleanValue":1}}}}"#, "mapValue.fields.a.booleanValue"), (#"{"mapValue":[]}"#, "mapValue"),
    ]

    @Test(arguments: refused)
    func `an invalid value is rejected at its position`(text: String, place: String?) throws {
        let node = try node(text)
        let error = #expect(throws: FirestoreError.self) { try Value(node) }
        #expect(error?.code == .invalidArgument && error?.location == place, "\(error?.description ?? "")")
    }

    @Test func `a document round-trips`() throws {
        let text =
            #"{"name":"projects/p/databases/(default)/documents/c/d","fields":{"a":{"integerValue":"1"}},"#
            + #""createTime":"2024-01-02T03:04:05.678901Z","updateTime":"2024-01-02T03:04:06Z"}"#
        let document = try Document(node(text), in: database)
        #expect(document.key == DocumentKey(trusted: "c/d") && document.createTime < document.updateTime)
        #expect(try document.json(in: database).text() == text)
        let empty = try Document(node(#"{"name":"projects/p/databases/(default)/documents/c/d"}"#), in: database)
        #expect(empty.fields == .empty && empty.updateTime == .none)
        #expect(try empty.json(in: database)["fields"] == nil)
    }

    @Test(arguments: ["projects/p/databases/(default)/documents/c", "projects/q/databases/(default)/documents/c/d", "projects/p/databases/x/documents/c/d", "c/d", ""])
    func `a document of another database, or no document, is rejected`(name: String) throws {
        let node = try node(#"{"name":"\#(name)"}"#)
        let error = #expect(throws: FirestoreError.self) { try Document(node, in: database) }
        #expect(error?.location == "name")
    }

    @Test func `a query of every part`() throws {
        let text = #"""
            {"from":[{"collectionId":"cities"}],
             "where":{"compositeFilter":{"op":"AND","filters":[
               {"fieldFilter":{"field":{"fieldPath":"a.`b c`"},"op":"GREATER_THAN_OR_EQUAL","value":{"integerValue":"3"}}},
               {"compositeFilter":{"op":"OR","filters":[{"unaryFilter":{"field":{"fieldPath":"n"},"op":"IS_NULL"}},{"unaryFilter":{"field":{"fieldPath":"n"},"op":"IS_NOT_NAN"}}]}}]}},
             "select":{"fields":[{"fieldPath":"a"}]},
             "orderBy":[{"field":{"fieldPath":"a"},"direction":"DESCENDING"},{"field":{"fieldPath":"__name__"}}],
             "startAt":{"values":[{"integerValue":"5"}],"before":true},"endAt":{"values":[{"integerValue":"1"}]},
             "offset":2,"limit":{"value":7}}
            """#
        let query = try StructuredQuery(node(text), under: nil)
        let path = FieldPathSegments(["a", "b c"])
        #expect(query.scope == .collection(CollectionPath(trusted: "cities")))
        #expect(
            query.filter
                == .and([
                    .field(path, .greaterThanOrEqual, ValueBytes(.integer(3))),
                    .or([.field(FieldPathSegments("n"), .equal, ValueBytes(.null)), .field(FieldPathSegments("n"), .notEqual, ValueBytes(.double(.nan)))]),
                ]))
        #expect(query.projection == [FieldPathSegments("a")])
        #expect(query.orders == [SortOrder(path: FieldPathSegments("a"), direction: .descending), SortOrder(path: .documentID)])
        #expect(query.start == QueryBound(values: [ValueBytes(.integer(5))], before: true))
        #expect(query.end == QueryBound(values: [ValueBytes(.integer(1))], before: false))
        #expect(query.offset == 2 && query.limit == 7 && query.nearest == nil)
    }

    @Test func `a search for vectors, scopes and operators`() throws {
        let text = #"""
            {"from":[{"collectionId":"c","allDescendants":true}],
             "findNearest":{"vectorField":{"fieldPath":"v"},"queryVector":{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},
               "value":{"arrayValue":{"values":[{"doubleValue":1},{"doubleValue":2.5}]}}}}},"distanceMeasure":"COSINE","limit":10,
               "distanceResultField":"d","distanceThreshold":0.5}}
            """#
        let parent = DocumentKey(trusted: "a/b")
        let query = try StructuredQuery(node(text), under: parent)
        #expect(query.scope == .collectionGroup(id: "c", under: parent))
        #expect(
            query.nearest
                == VectorSearch(
                    field: FieldPathSegments("v"), vector: [1, 2.5], measure: .cosine, limit: 10, resultField: FieldPathSegments("d"), threshold: 0.5))
        #expect(try StructuredQuery(node("{}"), under: parent).scope == .kindless(under: parent, allDescendants: false))
        #expect(try StructuredQuery(node(#"{"from":[{"allDescendants":true}]}"#), under: nil).scope == .kindless(under: nil, allDescendants: true))
        #expect(try StructuredQuery(node(#"{"select":{}}"#), under: nil).projection == [.documentID])
        let names = ["LESS_THAN", "LESS_THAN_OR_EQUAL", "EQUAL", "NOT_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL", "ARRAY_CONTAINS", "ARRAY_CONTAINS_ANY", "IN", "NOT_IN"]
        for name in names {
            let text = #"{"where":{"fieldFilter":{"field":{"fieldPath":"a"},"op":"\#(name)","value":{"arrayValue":{}}}}}"#
            #expect(try StructuredQuery(node(text), under: nil).filter != nil)
        }
    }

    static let badQueries: [(text: String, place: String?)] = [
        (#"{"form":[]}"#, nil), (#"{"from":[{},{}]}"#, nil), (#"{"from":{}}"#, "from"), (#"{"where":{}}"#, "where"), (#"{"where":{"fieldFilter":{}}}"#, "where.fieldFilter"),
        (#"{"where":{"fieldFilter":{"field":{"fieldPath":"a"},"op":"LIKE","value":{"nullValue":null}}}}"#, "where.fieldFilter.op"),
        (#"{"where":{"fieldFilter":{"field":{"fieldPath":"a b"},"op":"EQUAL","value":{"nullValue":null}}}}"#, "where.fieldFilter.field.fieldPath"),
        (#"{"where":{"compositeFilter":{"op":"XOR","filters":[]}}}"#, "where.compositeFilter.op"),
        (#"{"where":{"unaryFilter":{"op":"IS_NULL","field":{"fieldPath":""}}}}"#, "where.unaryFilter.field.fieldPath"),
        (#"{"orderBy":[{"field":{"fieldPath":"a"},"direction":"UP"}]}"#, "orderBy[0].direction"), (#"{"limit":"x"}"#, "limit"), (#"{"startAt":{"values":[{}]}}"#, "startAt.values[0]"),
        (#"{"findNearest":{"vectorField":{"fieldPath":"v"},"queryVector":{"integerValue":"1"},"distanceMeasure":"COSINE","limit":1}}"#, "findNearest.queryVector"),
    ]

    @Test(arguments: badQueries)
    func `an invalid query is rejected at its position`(text: String, place: String?) throws {
        let node = try node(text)
        let error = #expect(throws: FirestoreError.self) { try StructuredQuery(node, under: nil) }
        #expect(error?.code == .invalidArgument && error?.location == place, "\(error?.description ?? "")")
    }
}
