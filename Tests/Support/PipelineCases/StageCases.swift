// SPDX-License-Identifier: Apache-2.0

extension PipelineCase {
    /// Stages, over the documents of `shop`.
    package static let stages: [PipelineCase] = windows + shapes + groups + changes + pipelines + faults

    private static func shop(_ number: String, _ stages: String, _ rows: String...) -> PipelineCase {
        PipelineCase(number, "collection(/shop)" + (stages.isEmpty ? "" : "." + stages), .rows(rows))
    }

    private static let windows: [PipelineCase] = [
        shop(
            "PT-145", "", #"p1 {k: "tea", c: 3, g: {h: 1}}"#, #"p2 {k: "tea", c: 3.0}"#, #"p3 {k: "rye", c: null, l: [1, 2]}"#,
            #"p4 {k: "oat", l: []}"#, #"p5 {c: "x", l: 9}"#),
        shop("PT-146", "where(equal(c, 3))", "p1", "p2"),
        shop("PT-147", "where(not_equal(c, 3))", "p3", "p4", "p5"),
        shop("PT-149", "where(field(k))"),
        shop("PT-150", "sort(c ascending)", "p3", "p4", "p1", "p2", "p5"),
        shop("PT-151", "sort(c descending).limit(2)", "p5", "p1"),
        shop("PT-152", "sort(k ascending).sort(c descending)", "p5", "p1", "p2", "p3", "p4"),
        shop("PT-180", "offset(4).limit(3)", "p5"),
        shop("PT-181", "limit(0)"),
        shop("PT-182", "sample(0.0 percent)"),
        shop("PT-182", "sample(1.0 percent)", "p1", "p2", "p3", "p4", "p5"),
        shop("PT-182", "sample(9 documents).aggregate(count() as n)", "{n: 5}"),
        shop("PT-182", "sample(2 documents).aggregate(count() as n)", "{n: 2}"),
        PipelineCase("PT-183", "documents(/shop/p4, /shop/nope)", "p4"),
        .fails("PT-183", "documents(/shop/p1, /shop/p1)", with: "stage 1 (documents)"),
        PipelineCase("PL-51", "collection_group(log)", "e1 {at: 1}", "e2 {at: 2}"),
        PipelineCase("PL-51", "collection_group(/shop/p1, log)", "e1", "e2"),
        PipelineCase("PL-51", "collection_group(/shop/p2, log)"),
        PipelineCase("PL-52", "database().where(equal(at, 2))", "e2"),
        PipelineCase("PT-195", #"collection(/shop, force_index: "primary")"#, "p1", "p2", "p3", "p4", "p5"),
        .fails("PT-195", #"collection(/shop, force_index: "nope")"#, with: "Invalid index"),
    ]

    private static let shapes: [PipelineCase] = [
        shop("PT-153", "select(k)", #"{k: "tea"}"#, #"{k: "tea"}"#, #"{k: "rye"}"#, #"{k: "oat"}"#, "{}"),
        shop("PT-154", "limit(1).select(k, __name__)", #"p1 {k: "tea"}"#),
        shop("PT-155", "limit(2).select(g.h)", "{g: {h: 1}}", "{g: {}}"),
        shop("PT-155", "limit(1).select(u.v.w)", "{u: {v: {}}}"),
        shop("PT-156", "limit(1).select(g.h as `g.h`)", #"{"g.h": 1}"#),
        shop("PT-157", "limit(2).add_fields(1 as g.i)", #"p1 {k: "tea", c: 3, g: {h: 1, i: 1}}"#, #"p2 {k: "tea", c: 3.0, g: {i: 1}}"#),
        shop("PT-158", "limit(1).add_fields(c as x, k as c)", #"p1 {k: "tea", c: "tea", g: {h: 1}, x: 3}"#),
        shop("PT-159", "limit(1).remove_fields(g.h, nope)", #"p1 {k: "tea", c: 3, g: {}}"#),
        shop("PT-160", "select(k).where(exists(c))"),
        shop("PL-36", "limit(1).select(g.h, k as g.k)", #"{g: {h: 1, k: "tea"}}"#),
        shop("PL-36", "limit(2).add_fields(miss as g.x)", #"p1 {k: "tea", c: 3, g: {h: 1}}"#, #"p2 {k: "tea", c: 3.0}"#),
        shop("PL-39", "limit(1).add_fields(miss as c)", #"p1 {k: "tea", g: {h: 1}}"#),
        shop("PL-34", "limit(1).select(__name__ as key)", #"{key: /shop/p1}"#),
        shop("PL-34", "limit(1).remove_fields(__name__, g, c)", #"{k: "tea"}"#),
        .fails("PL-34", "collection(/shop).select(k as __odd__)", with: "stage 2 (select)"),
        .fails("PL-38", "collection(/shop).select(k as a, c as a.b)", with: "same place"),
    ]

    private static let groups: [PipelineCase] = [
        shop("PT-161", "aggregate(count() as n, count(c) as m, count_distinct(c) as e)", "{n: 5, m: 3, e: 2}"),
        shop("PT-162", "aggregate(count(c) as a, sum(c) as b, average(c) as d)", "{a: 3, b: 6.0, d: 3.0}"),
        shop("PT-163", "aggregate(minimum(c) as a, maximum(c) as b)", #"{a: 3, b: "x"}"#),
        shop("PT-164", "aggregate(sum(k) as s)", "{s: 0}"),
        shop("PT-165", "where(false).aggregate(count() as n, average(c) as v)", "{n: 0, v: null}"),
        shop("PT-166", "where(false).aggregate(count() as n, groups: [k])"),
        shop(
            "PT-167", "aggregate(count() as n, groups: [k])", "{k: null, n: 1}", #"{k: "oat", n: 1}"#, #"{k: "rye", n: 1}"#,
            #"{k: "tea", n: 2}"#),
        shop("PT-168", "aggregate(count() as n, groups: [c])", "{c: null, n: 2}", "{c: 3, n: 2}", #"{c: "x", n: 1}"#),
        .fails("PT-169", "collection(/shop).aggregate(groups: [k])", with: "requires at least one accumulator"),
        .fails("PT-170", "collection(/shop).aggregate(count() as n, groups: [g.h])", with: "nested field reference 'g.h'"),
        shop("PT-171", #"aggregate(count_if(equal(k, "tea")) as n)"#, "{n: 2}"),
        shop(
            "PT-172", "sort(k).aggregate(first(k) as f, last(k) as l, array_agg(k) as a)",
            #"{f: null, l: "tea", a: [null, "oat", "rye", "tea", "tea"]}"#),
        shop("PL-67", "sort(k).aggregate(array_agg_distinct(k) as a)", #"{a: [null, "oat", "rye", "tea"]}"#),
        shop("PT-173", "distinct(c)", "{c: null}", "{c: 3}", #"{c: "x"}"#),
        .fails("PL-67", "collection(/shop).aggregate(count_if(k) as n)", with: "count_if"),
        .fails("PL-19", "collection(/shop).select(count(k) as n)", with: "aggregate function"),
        .fails("PL-65", "collection(/shop).aggregate(count() as k, groups: [k])", with: "alias of a group"),
    ]

    private static let changes: [PipelineCase] = [
        shop(
            "PT-175", "unnest(l as e, index_field: i).where(exists(i)).select(__name__, e, i)", "p1 {i: null}", "p2 {i: null}", "p3 {e: 1, i: 0}",
            "p3 {e: 2, i: 1}", "p5 {i: null}"),
        shop("PT-176", #"where(equal(k, "rye")).unnest(l as l).select(l)"#, "{l: 1}", "{l: 2}"),
        shop("PT-177", "replace_with(g)", "{h: 1}", "{}", "{}", "{}", "{}"),
        .fails("PT-178", "collection(/shop).replace_with(k)", with: "stage 2 (replace_with)"),
        shop(
            "PL-62", #"limit(1).replace_with({k: "x", n: 1}, "merge_overwrite_existing")"#, #"p1 {k: "x", c: 3, g: {h: 1}, n: 1}"#),
        shop("PL-62", #"limit(1).replace_with({k: "x", n: 1}, "merge_keep_existing")"#, #"p1 {k: "tea", c: 3, g: {h: 1}, n: 1}"#),
        shop("PT-179", "union(collection(/shop)).aggregate(count() as n)", "{n: 10}"),
        // The variables of the rows before it are not those of the rows behind it.
        shop("PT-179", "limit(1).let(k as v).union(collection(/shop)).select($v as v).limit(3)", "{v: \"tea\"}", "{}", "{}"),
        shop("PT-179", "where(equal(c, 3)).union(collection(/shop).where(equal(c, \"x\")))", "p1", "p2", "p5"),
        PipelineCase(
            "PT-194", "collection(/places).find_nearest(v, vector(0.0, 0.0), euclidean, limit: 2, distance_field: dist).select(__name__, dist)",
            "near {dist: 1.0}", "mid {dist: 3.0}"),
    ]

    private static let pipelines: [PipelineCase] = [
        shop(
            "PT-185", "limit(1).let(k as kk).select(array(collection(/shop).where(equal(k, $kk)).select(c)) as cs)", "{cs: [3, 3.0]}"),
        shop(
            "PT-186", "limit(1).let(k as kk).select(array(collection(/shop).where(equal(k, $kk)).select(c, k)) as cs)",
            #"{cs: [{c: 3, k: "tea"}, {c: 3.0, k: "tea"}]}"#),
        shop("PT-187", #"limit(1).select(scalar(collection(/shop).where(equal(k, "none")).select(c)) as x)"#, "{x: null}"),
        .fails("PT-188", "collection(/shop).select(scalar(collection(/shop)) as x)", with: "Subpipeline returned multiple results."),
        shop("PT-189", "limit(1).select(scalar(collection(/shop).aggregate(count() as n, sum(c) as s)) as x)", "{x: {n: 5, s: 6.0}}"),
        .fails("PT-190", "collection(/shop).where(equal(k, $missing))", with: "unknown variable"),
        shop(
            "PT-191", "limit(1).let(2 as x).select(array(collection(/shop).limit(1).let(1 as x).select($x as y)) as inner, $x as outer)",
            "{inner: [1], outer: 2}"),
        shop(
            "PT-192", #"select(array(subcollection("log").select(at)) as log)"#, "{log: [1, 2]}", "{log: []}", "{log: []}", "{log: []}",
            "{log: []}"),
        .fails("PL-75", #"collection(/shop).union(subcollection("log"))"#, with: "the start of a nested pipeline"),
        .fails("PT-193", #"subcollection("log")"#, with: "stage 1 (subcollection)"),
        shop("PL-78", #"limit(1).let(current_document() as doc).select($doc as x)"#,
            #"{x: {k: "tea", c: 3, g: {h: 1}, __name__: /shop/p1}}"#),
        PipelineCase("PT-184", "literals({x: 1}, {x: if_null(null, 4)})", "{x: 1}", "{x: 4}"),
        shop(
            "PL-79", "where(equal(scalar(collection(/shop).where(equal(c, 3)).aggregate(count() as n)), 2)).sort(k).limit(1)", "p5"),
    ]

    private static let faults: [PipelineCase] = [
        .fails("PT-200", "collection(/shop).delete().limit(1)", with: "stage 2 (delete)"),
        .fails("PT-201", #"collection(/shop).raw_stage("select", k)"#, with: "Expected fields to be MAP_VALUE, but was FIELD_REFERENCE_VALUE."),
        .fails("PT-202", #"collection(/shop).raw_stage("nonsense")"#, with: "stage 2 (nonsense)"),
        .fails("PT-202", "collection(/shop).where(nonsense(k))", with: "nonsense"),
        .fails("PT-202", #"raw_stage("where", true)"#, with: "stage 1 (where)"),
        .fails("PL-19", "collection(/shop).collection(/shop)", with: "only be the first stage"),
        .fails("PL-19", #"collection(/shop).raw_stage("search", query: "x")"#, with: "search is not offered"),
        .fails("PL-59", "collection(/shop).limit(-1)", with: "must not be negative"),
        .fails("PL-101", "collection(/shop).where(equal(k))", with: "takes 2 arguments, not 1"),
        .fails("PL-21", #"raw_stage("collection", reference("projects/other/databases/(default)/documents/shop"))"#, with: "another database"),
        PipelineCase("PL-21", #"raw_stage("collection", reference("shop")).limit(1)"#, "p1"),
    ]
}
