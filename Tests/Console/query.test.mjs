// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { code } from '../../Console/lib/code.js';
import * as q from '../../Console/lib/query.js';
import { formatRoute, parseRoute } from '../../Console/lib/store.js';

const n3 = { integerValue: '3' };
const named = (fieldPath) => ({ fieldPath });
const query = {
  ...q.queryOf('books'), limit: 20, orderBy: [{ field: named('n'), direction: 'DESCENDING' }, { field: named(' ') }],
  where: { compositeFilter: { op: 'AND', filters: [
    { fieldFilter: { field: named('n'), op: 'GREATER_THAN', value: n3 } }, { fieldFilter: { field: named(''), op: 'EQUAL', value: n3 } },
    { compositeFilter: { op: 'OR', filters: [{ unaryFilter: { field: named('a.b'), op: 'IS_NULL' } }, { fieldFilter: { field: named('`x y`'), op: 'IN', value: { arrayValue: { values: [n3] } } } }] } },
  ] } },
};
const sent = (...parts) => JSON.parse(JSON.stringify(q.requestOf(...parts)));

test('what is not finished is not sent', () => {
  const { structuredQuery } = sent(query);
  assert.deepEqual(structuredQuery.orderBy, [{ field: named('n'), direction: 'DESCENDING' }]);
  assert.equal(structuredQuery.where.compositeFilter.filters.length, 2);
  assert.deepEqual(sent({ from: [{}], where: { compositeFilter: { op: 'OR', filters: [] } }, startAt: { values: [] }, limit: 0, select: { fields: [] } }), { structuredQuery: { from: [{}] } });
  assert.deepEqual(sent({ from: [{}], where: { compositeFilter: { op: 'OR', filters: query.where.compositeFilter.filters.slice(0, 2) } } }).structuredQuery.where, query.where.compositeFilter.filters[0]);
  assert.throws(() => q.requestOf({ from: [{}], orderBy: [{ field: named('a..b') }] }));
});

test('a query is read from a request, and from what is in it', () => {
  const { structuredQuery } = sent(query);
  for (const body of [structuredQuery, { structuredQuery }]) assert.deepEqual(q.readQuery(JSON.stringify(body)), { query: structuredQuery, aggregations: [] });
  assert.deepEqual(q.readQuery('{"from": [{"collectionId": "a", "allDescendants": true}]}').query.from, [{ collectionId: 'a', allDescendants: true }]);
  for (const wrong of ['{}', '[]', '{"structuredQuery": 3}', '{"from": [{}, {}]}', '']) assert.throws(() => q.readQuery(wrong), wrong);
});

test('aggregations are part of the request', () => {
  const body = sent(query, [{ alias: '', count: {} }, { alias: 'x', avg: { field: named('n') } }]);
  assert.deepEqual(body.structuredAggregationQuery.aggregations, [{ alias: 'count_1', count: {} }, { alias: 'x', avg: { field: { fieldPath: 'n' } } }]);
  assert.equal(q.readQuery(JSON.stringify(body)).aggregations.length, 2);
});

test('a page before is the reversed query from the same row', () => {
  const { structuredQuery } = sent(query);
  const row = { name: 'N', fields: { n: n3 } };
  assert.deepEqual(q.fullOrder(structuredQuery), [{ field: named('n'), direction: 'DESCENDING' }, { field: named('__name__'), direction: 'DESCENDING' }]);
  const page = q.pageQuery(structuredQuery, { row, isBackward: true, limit: 100 });
  assert.deepEqual(page.orderBy.map((o) => o.direction), ['ASCENDING', 'ASCENDING']);
  assert.deepEqual(page.startAt, { values: [n3, { referenceValue: 'N' }], before: false });
});

test('code in each language', () => {
  const written = (language, more = {}, aggregations = []) => code('shops/s1', { ...query, ...more }, aggregations, language);
  assert.equal(written('Swift'), `let query = db.collection("shops/s1/books")
    .whereField("n", isGreaterThan: 3)
    .whereFilter(Filter.orFilter([Filter.whereField("a.b", isEqualTo: NSNull()), Filter.whereField("x y", in: [3])]))
    .order(by: "n", descending: true)
    .limit(to: 20)
let documents = try await query.getDocuments().documents`);
  assert.equal(written('JavaScript'), `const q = query(
  collection(db, "shops/s1/books"),
  where("n", ">", 3),
  or(where("a.b", "==", null), where("x y", "in", [3])),
  orderBy("n", "desc"),
  limit(20),
);
const snapshot = await getDocs(q);`);
  assert.equal(written('Python'), `query = (
    db.collection("shops/s1/books")
    .where(filter=FieldFilter("n", ">", 3))
    .where(filter=Or([FieldFilter("a.b", "==", None), FieldFilter("x y", "in", [3])]))
    .order_by("n", direction="DESCENDING")
    .limit(20)
)
documents = query.get()`);
  assert.deepEqual(JSON.parse(written('REST')), sent(query));
  const odd = { from: [{ collectionId: '$1', allDescendants: true }], where: undefined, orderBy: [{ field: named('`a.b`.`~`') }], limit: 0, startAt: { before: true, values: [
    { timestampValue: '1970-01-01T00:00:01.5Z' }, { doubleValue: 'NaN' }, { doubleValue: 1 }, { mapValue: {} }, { mapValue: { fields: { $2: { booleanValue: true } } } }] } };
  const sum = [{ alias: 'a', sum: { field: named('n') } }, { alias: '', count: {} }];
  assert.equal(written('Swift', odd, sum), `let query = db.collectionGroup("$1")
    .order(by: FieldPath(["a.b", "~"]))
    .start(at: [Timestamp(seconds: 1, nanoseconds: 500000000), Double.nan, 1.0, [:], ["$2": true]])
let result = try await query.aggregate([AggregateField.sum("n"), AggregateField.count()]).getAggregation(source: .server)`);
  assert.match(written('JavaScript', odd, sum), /collectionGroup\(db, "\$1"\),\n {2}orderBy\(new FieldPath\("a.b", "~"\)\),\n {2}startAt\(new Timestamp\(1, 500000000\), NaN, 1.0, {}, { "\$2": true }\)[^]*{ "a": sum\("n"\), "count_2": count\(\) }/);
  assert.match(written('Python', odd, sum), /collection_group\("\$1"\)\n {4}.order_by\("`a.b`.`~`"\)\n {4}.start_at\(\[DatetimeWithNanoseconds.from_rfc3339\("1970-01-01T00:00:01.5Z"\), float\("nan"\), 1.0, {}, {"\$2": True}\]\)[^]*AggregationQuery\(query\).sum\("n", alias="a"\).count\(alias="count_2"\).get\(\)/);
});

test('an explanation says what helps', () => {
  const { sentence, ideal } = q.explanation({ executionStats: { resultsReturned: '20', executionDuration: '0.01s', debugStats: {
    documents_scanned: '4012', index_entries_scanned: '0', ideal_index_properties: '(grp ASC, n DESC, __name__ DESC)', ideal_index_collection_id: 'books', ideal_index_query_scope: 'Collection' } } });
  assert.equal(sentence, 'Read 4,012 documents for 20 results: an index on grp ASC, n DESC would read 20.');
  assert.deepEqual(ideal.fields, [{ fieldPath: 'grp', order: 'ASCENDING' }, { fieldPath: 'n', order: 'DESCENDING' }]);
});

test('routes are URLs, for any id', () => {
  for (const id of ['bk-1', '<img onerror=x>', 'a/b', '../x', '%2F', 'é?#&', '\u202e', 'x.js']) {
    const route = { page: 'data', project: 'p', database: '(default)', path: ['books', id], params: { q: '{"a":"&=+ é"}' } };
    const url = new URL(formatRoute(route), 'http://localhost');
    assert.deepEqual(parseRoute(url.pathname, url.search), route);
  }
  assert.equal(formatRoute({ page: 'data', project: 'demo', database: '(default)', path: ['books', 'bk-1'] }), '/console/data/demo/(default)/books/bk-1');
  assert.equal(parseRoute('/console/').page, 'data');
  assert.equal(parseRoute('/console/nonsense').page, 'nonsense');
});
