// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Testing

/// Vectors, references, aggregates and search: every overload, as an app calls it, and what it sends.
@Suite struct OtherExpressionTests {
    @Test func `vectors`() {
        check(Field("v").vectorLength(), "vector_length(v)")
        check(Field("v").cosineDistance(Field("w")), "cosine_distance(v, w)")
        check(Field("v").cosineDistance(VectorValue([1, 2])), "cosine_distance(v, vector(1.0, 2.0))")
        check(Field("v").cosineDistance([1, 2]), "cosine_distance(v, array(1.0, 2.0))")
        check(Field("v").dotProduct(Field("w")), "dot_product(v, w)")
        check(Field("v").dotProduct(VectorValue([1])), "dot_product(v, vector(1.0))")
        check(Field("v").dotProduct([1.5]), "dot_product(v, array(1.5))")
        check(Field("v").euclideanDistance(Field("w")), "euclidean_distance(v, w)")
        check(Field("v").euclideanDistance(VectorValue([1])), "euclidean_distance(v, vector(1.0))")
        check(Field("v").euclideanDistance([1.5]), "euclidean_distance(v, array(1.5))")
    }

    @Test func `references`() {
        check(Field(FieldPath.documentID()).documentId(), "document_id(__name__)")
        check(Field("r").collectionId(), "collection_id(r)")
        check(Field("r").parent(), "parent(r)")
    }

    @Test func `aggregates`() {
        check(Field("a").count(), "count(a)")
        check(Field("a").countDistinct(), "count_distinct(a)")
        check(Field("a").sum(), "sum(a)")
        check(Field("a").average(), "average(a)")
        check(Field("a").minimum(), "minimum(a)")
        check(Field("a").maximum(), "maximum(a)")
        check(Field("a").first(), "first(a)")
        check(Field("a").last(), "last(a)")
        check(Field("a").arrayAgg(), "array_agg(a)")
        check(Field("a").arrayAggDistinct(), "array_agg_distinct(a)")
        check(Field("a").greaterThan(1).countIf(), "count_if(greater_than(a, 1))")
        check(CountAll(), "count()")
        check(AggregateFunction(functionName: "median", args: [Field("a")]), "median(a)")
    }

    @Test func `search`() {
        check(Score(), "score()")
        check(DocumentMatches("ridge -moor"), "document_matches(\"ridge -moor\")")
        check(Field("text").snippet("ridge"), "snippet(text, \"ridge\")")
        check(
            Field("text").snippet("ridge", maxSnippetWidth: 80, maxSnippets: 2, separator: " … "),
            "snippet(text, \"ridge\", max_snippet_width: 80, max_snippets: 2, separator: \" … \")")
        check(Field("at").geoDistance(GeoPoint(latitude: 1, longitude: 2)).lessThan(500), "less_than(geo_distance(at, geo_point(1.0, 2.0)), 500)")
    }

    @Test func `expressions without arguments`() {
        check(CurrentTimestamp(), "current_timestamp()")
        check(RandomExpression(), "rand()")
        check(rand().multiply(6).ceil(), "ceil(multiply(rand(), 6))")
        check(ErrorExpression("no stock"), "error(\"no stock\")")
        check(CurrentDocument(), "current_document()")
        check(Variable("x"), "$x")
    }

    @Test func `functions that the API does not have`() {
        check(FunctionExpression(functionName: "log10", args: [Field("n")]), "log10(n)")
        check(FunctionExpression(functionName: "near", args: [Field("n")], options: ["radius": 5, "unit": Field("u")]), "near(n, radius: 5, unit: u)")
    }

    @Test func `orders`() {
        let (up, down) = (Field("a").ascending(), Field("a").add(1).descending())
        #expect(up.direction.rawValue == "ascending" && down.direction.rawValue == "descending")
        #expect(up.direction != down.direction && Set([up.direction, up.direction]).count == 1)
        check(down.expression, "add(a, 1)")
    }
}
