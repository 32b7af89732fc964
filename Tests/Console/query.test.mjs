// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { code } from '../../Console/lib/code.js';
import * as q from '../../Console/lib/query.js';
import { formatRoute, parseRoute } from '../../Console/lib/store.js';

const n3 = { integerValue: '3' };
const model = {
  ...q.emptyModel('books', 'shops/s1'), limit: 20, order: [{ field: 'n', direction: 'DESCENDING' }],
  where: { op: 'AND', items: [{ field: 'n', op: 'GREATER_THAN', value: n3 }, { op: 'OR', items: [{ field: 'a.b', op: 'IS_NULL' }, { field: '`x y`', op: 'IN', value: { arrayValue: { values: [n3] } } }] }] },
};

test('a model and its request say the same', () => {
  const again = q.modelOf(JSON.parse(JSON.stringify(q.requestOf(model))), 'shops/s1');
  assert.deepEqual(again, model);
  assert.deepEqual(q.modelOf({ from: [{ collectionId: 'a', allDescendants: true }] }).group, true);
  for (const wrong of [{}, [], { structuredQuery: 3 }]) assert.throws(() => q.modelOf(wrong));
});

test('aggregations are part of the request', () => {
  const body = q.requestOf({ ...model, aggregates: [{ op: 'count', alias: '', field: '' }, { op: 'avg', alias: 'x', field: 'n' }] });
  assert.deepEqual(body.structuredAggregationQuery.aggregations, [{ alias: 'count_1', count: {} }, { alias: 'x', avg: { field: { fieldPath: 'n' } } }]);
  assert.equal(q.modelOf(body).aggregates.length, 2);
});

test('a page before is the reversed query from the same row', () => {
  const query = q.requestOf(model).structuredQuery;
  const row = { name: 'N', fields: { n: n3 } };
  assert.deepEqual(q.fullOrder(query), [{ field: 'n', direction: 'DESCENDING' }, { field: '__name__', direction: 'DESCENDING' }]);
  const page = q.pageQuery(query, { row, isBackward: true, limit: 100 });
  assert.deepEqual(page.orderBy.map((o) => o.direction), ['ASCENDING', 'ASCENDING']);
  assert.deepEqual(page.startAt, { values: [n3, { referenceValue: 'N' }], before: false });
});

test('code in each language', () => {
  assert.equal(code(model, 'Swift'), `let query = db.collection("shops/s1/books")
    .whereField("n", isGreaterThan: 3)
    .whereFilter(Filter.orFilter([Filter.whereField("a.b", isEqualTo: NSNull()), Filter.whereField("x y", in: [3])]))
    .order(by: "n", descending: true)
    .limit(to: 20)
let documents = try await query.getDocuments().documents`);
  assert.match(code(model, 'JavaScript'), /or\(where\("a.b", "==", null\), where\("x y", "in", \[3\]\)\)/);
  assert.throws(() => q.modelOf({}));
  assert.deepEqual(JSON.parse(code(model, 'REST')), q.requestOf(model));
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
  assert.equal(parseRoute('/console/nonsense').page, 'data');
});
