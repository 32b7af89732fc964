// SPDX-License-Identifier: Apache-2.0

extension PipelineCase {
    /// References, types, vectors, and functions in stages.
    package static let references: [PipelineCase] = names + vectors + stagesWithFunctions

    private static let names: [PipelineCase] = [
        .value("PT-141", "document_id(__name__)", #""row1""#),
        .value("PT-141", "collection_id(__name__)", #""rows""#),
        .value("PT-141", "document_id(miss)", "null"),
        .value("§5.8", "collection_id(t)", "null"),
        .value("§5.8", "document_id(s)", "fail document_id takes no string as argument 1"),
        .value("PT-142", "document_id(parent(/a/b/c/d))", #""b""#),
        .value("PT-142", "parent(/a/b)", "null"),
        .value("§5.8", "parent(/a/b/c/d)", "/a/b"),
        .value("§5.8", "parent(miss)", "null"),
        .value("§5.8", "type(__name__)", #""reference""#),
        .value("§5.8", "type(vector(1.0))", #""vector""#),
        .value("§5.8", "type(geo_point(1.0, 2.0))", #""geo_point""#),
        .value("§5.8", "type(b)", #""bytes""#),
        .value("§5.8", #"is_type(t, "null")"#, "true"),
        .value("§5.8", #"is_type(n, "decimal128")"#, "false"),
        .value("§5.8", #"is_type(n, "odd")"#, "fail"),
        .value("§5.8", "storage_size(n)", "8"),
        .value("§5.8", "storage_size(s)", "11"),
        .value("§5.8", "storage_size(a)", "19"),
        .value("§5.8", "storage_size(m)", "22"),
        .value("§5.8", "storage_size(t)", "1"),
        .value("§5.8", "storage_size(__name__)", "26"),
        .value("§5.8", "storage_size(vector(1.0, 2.0))", "16"),
        .value("§5.8", "storage_size([[1], w])", "9"),
        .value("§5.8", "storage_size(miss)", "null"),
    ]

    private static let vectors: [PipelineCase] = [
        .value("PT-143", "dot_product(vector(1.0, 2.0), vector(3.0, -1.0))", "1.0"),
        .value("PT-143", "euclidean_distance(vector(0.0, 3.0), vector(4.0, 0.0))", "5.0"),
        .value("PT-143", "cosine_distance(vector(1.0, 0.0), vector(0.0, 2.0))", "1.0"),
        .value("PT-144", "dot_product(vector(1.0), vector(1.0, 2.0))", "fail takes vectors of one dimension, not of 1 and 2"),
        .value("PT-144", "vector_length(vector(1.0, 2.0))", "2"),
        .value("§5.8", "cosine_distance(vector(0.0, 0.0), vector(1.0, 0.0))", "NaN"),
        .value("§5.8", "manhattan_distance(vector(1.0, -2.0), vector(-1.0, 1.0))", "5.0"),
        .value("PL-201", "dot_product([1, 2.0], vector(3.0, -1.0))", "1.0"),
        .value("PL-201", "euclidean_distance(vector(0.0, 3.0), [4, 0])", "5.0"),
        .value("PL-201", #"manhattan_distance([1, "x"], [1, 2])"#, "fail manhattan_distance takes vectors and arrays of numbers"),
        .value("§5.8", "dot_product(n, vector(1.0))", "fail"),
        .value("§5.8", "dot_product(miss, vector(1.0))", "null"),
        .value("§5.8", "vector_length(t)", "null"),
        .value("§5.8", "vector_length(m)", "fail"),
        .value("§5.8", "round(geo_distance(geo_point(0.0, 0.0), geo_point(0.0, 1.0)), 0)", "111195.0"),
        .value("§5.8", "geo_distance(geo_point(0.0, 0.0), miss)", "null"),
        .value("§5.8", "geo_distance(geo_point(0.0, 0.0), n)", "fail"),
    ]

    private static let stagesWithFunctions: [PipelineCase] = [
        PipelineCase("PT-148", "collection(/shop).where(greater_than(add(c, 1), 0))", "p1", "p2"),
        PipelineCase("PT-158", "collection(/shop).limit(1).add_fields(c as x, add(c, 1) as c)", #"p1 {k: "tea", c: 4, g: {h: 1}, x: 3}"#),
        PipelineCase("PT-174", "collection(/shop).distinct(to_upper(k) as u).sort(u)", "{u: null}", #"{u: "OAT"}"#, #"{u: "RYE"}"#, #"{u: "TEA"}"#),
        .fails("PT-203", "collection(/shop).select(multiply(c, 2) as x)", with: "multiply takes no string as argument 1"),
        PipelineCase("PT-184", #"literals({x: 1}, {x: length("abcd")})"#, "{x: 1}", "{x: 4}"),
        PipelineCase(
            "PT-192", #"collection(/shop).add_fields(length(array(subcollection("log"))) as n).select(n)"#, "{n: 2}", "{n: 0}", "{n: 0}",
            "{n: 0}", "{n: 0}"),
        PipelineCase(
            "PT-209", "collection(/shop).distinct(current_timestamp() as now).aggregate(count() as n)", "{n: 1}"),
        PipelineCase("PT-210", "collection(/shop).distinct(rand() as r).aggregate(count() as n)", "{n: 5}"),
    ]
}
