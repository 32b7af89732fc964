// SPDX-License-Identifier: Apache-2.0
// What the query page builds, and the StructuredQuery it means. Pure.
//
// The model has what the page shows: lines, also unfinished ones. The REST JSON is what is sent, copied, pasted and kept in the URL.
import { fieldPath, parseFieldPath, valueAt } from './values.js';

const operators = [
  ['EQUAL', '=='], ['NOT_EQUAL', '!='], ['LESS_THAN', '<'], ['LESS_THAN_OR_EQUAL', '<='], ['GREATER_THAN', '>'],
  ['GREATER_THAN_OR_EQUAL', '>='], ['ARRAY_CONTAINS', 'array-contains'], ['IN', 'in'], ['NOT_IN', 'not-in'],
  ['ARRAY_CONTAINS_ANY', 'array-contains-any'],
];
const unaryOperators = [['IS_NULL', 'is null'], ['IS_NOT_NULL', 'is not null'], ['IS_NAN', 'is NaN'], ['IS_NOT_NAN', 'is not NaN']];
export const symbols = Object.fromEntries([...operators, ...unaryOperators]);
export const isUnary = (op) => op.startsWith('IS_');
export const takesArray = (op) => ['IN', 'NOT_IN', 'ARRAY_CONTAINS_ANY'].includes(op);

/** @typedef {{field: string, op: string, value?: object}} Line */
/** @typedef {{op: 'AND'|'OR', items: (Line|Group)[]}} Group */

export const emptyModel = (collection = '', parent = '') => ({
  parent, collection, group: false, where: { op: 'AND', items: [] }, order: [], limit: 100, offset: 0, select: [], start: null,
  end: null, aggregates: [], nearest: null,
});

/** A field path as typed: names are quoted where that is needed. */
const canonicalPath = (typed) => fieldPath(parseFieldPath(typed.trim()));

function filter(item) {
  if (item.items) {
    const filters = item.items.map(filter).filter(Boolean);
    if (filters.length < 2) return filters[0];
    return { compositeFilter: { op: item.op, filters } };
  }
  if (!item.field.trim()) return undefined;
  const field = { fieldPath: canonicalPath(item.field) };
  if (isUnary(item.op)) return { unaryFilter: { field, op: item.op } };
  return { fieldFilter: { field, op: item.op, value: item.value } };
}

/** The request body of `:runQuery` or `:runAggregationQuery` for a model. Throws for field paths that are not ones. */
export function requestOf(model) {
  const query = {};
  if (model.select.length) query.select = { fields: model.select.map((p) => ({ fieldPath: canonicalPath(p) })) };
  query.from = [{ ...(model.collection && { collectionId: model.collection }), ...(model.group && { allDescendants: true }) }];
  const where = filter(model.where);
  if (where) query.where = where;
  const order = model.order.filter((o) => o.field.trim());
  if (order.length) query.orderBy = order.map((o) => ({ field: { fieldPath: canonicalPath(o.field) }, direction: o.direction }));
  if (model.start?.values.length) query.startAt = model.start;
  if (model.end?.values.length) query.endAt = model.end;
  if (model.offset) query.offset = model.offset;
  if (model.limit) query.limit = model.limit;
  if (model.nearest?.field) {
    const { field, queryVector, measure, limit, resultField, threshold } = model.nearest;
    query.findNearest = {
      vectorField: { fieldPath: canonicalPath(field) }, queryVector, distanceMeasure: measure, limit,
      ...(resultField && { distanceResultField: resultField }), ...(threshold != null && { distanceThreshold: threshold }),
    };
  }
  if (!model.aggregates.length) return { structuredQuery: query };
  const aggregations = model.aggregates.map((a, i) => ({
    alias: a.alias || `${a.op}_${i + 1}`,
    ...(a.op === 'count' ? { count: {} } : { [a.op]: { field: { fieldPath: canonicalPath(a.field) } } }),
  }));
  return { structuredAggregationQuery: { structuredQuery: query, aggregations } };
}

function items(f) {
  if (f.compositeFilter) return { op: f.compositeFilter.op ?? 'AND', items: (f.compositeFilter.filters ?? []).map(items) };
  if (f.unaryFilter) return { field: f.unaryFilter.field.fieldPath, op: f.unaryFilter.op };
  return { field: f.fieldFilter.field.fieldPath, op: f.fieldFilter.op, value: f.fieldFilter.value };
}

/** The model of a request body, or of the query in it: what is pasted, or stands in the URL. Throws if it is not a query. */
export function modelOf(json, parent = '') {
  const aggregation = json.structuredAggregationQuery;
  const query = aggregation?.structuredQuery ?? json.structuredQuery ?? json;
  if (!query || typeof query !== 'object' || Array.isArray(query)) throw new Error('This is not a query.');
  if (!['from', 'where', 'orderBy', 'limit', 'select', 'findNearest', 'startAt', 'endAt', 'offset'].some((k) => k in query)) {
    throw new Error('This is not a query: it has none of from, where, orderBy, limit.');
  }
  if ((query.from?.length ?? 0) > 1) throw new Error('A query has one collection in “from”.');
  const from = query.from?.[0] ?? {};
  const where = query.where ? items(query.where) : { op: 'AND', items: [] };
  const nearest = query.findNearest;
  return {
    ...emptyModel(from.collectionId ?? '', parent),
    group: from.allDescendants ?? false,
    where: where.items ? where : { op: 'AND', items: [where] },
    order: (query.orderBy ?? []).map((o) => ({ field: o.field.fieldPath, direction: o.direction ?? 'ASCENDING' })),
    limit: Number(query.limit?.value ?? query.limit ?? 0), offset: query.offset ?? 0,
    select: (query.select?.fields ?? []).map((f) => f.fieldPath),
    start: query.startAt ?? null, end: query.endAt ?? null,
    nearest: nearest ? {
      field: nearest.vectorField.fieldPath, queryVector: nearest.queryVector, measure: nearest.distanceMeasure,
      limit: Number(nearest.limit?.value ?? nearest.limit ?? 10), resultField: nearest.distanceResultField ?? '',
      threshold: nearest.distanceThreshold?.value ?? nearest.distanceThreshold,
    } : null,
    aggregates: (aggregation?.aggregations ?? []).map((a) => {
      const op = ['count', 'sum', 'avg'].find((o) => a[o]) ?? 'count';
      return { op, alias: a.alias ?? '', field: a[op]?.field?.fieldPath ?? '' };
    }),
  };
}

/** The model of what stands in the URL; undefined if it is not a query. */
export function fromURL(text, parent) {
  try {
    return modelOf(JSON.parse(text), parent);
  } catch {
    return undefined;
  }
}

// Cursors of pages

/** All that a query is ordered by: what is asked for, fields of inequalities, and the name. As the server completes it. */
export function fullOrder(query) {
  const order = (query.orderBy ?? []).map((o) => ({ field: o.field.fieldPath, direction: o.direction ?? 'ASCENDING' }));
  const last = order.at(-1)?.direction ?? 'ASCENDING';
  const unequal = new Set();
  const visit = (f) => {
    if (f?.compositeFilter) f.compositeFilter.filters.forEach(visit);
    const op = f?.fieldFilter?.op ?? f?.unaryFilter?.op;
    if (['LESS_THAN', 'LESS_THAN_OR_EQUAL', 'GREATER_THAN', 'GREATER_THAN_OR_EQUAL', 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NULL',
      'IS_NOT_NAN'].includes(op)) {
      unequal.add((f.fieldFilter ?? f.unaryFilter).field.fieldPath);
    }
  };
  visit(query.where);
  for (const field of [...unequal].sort()) if (!order.some((o) => o.field === field)) order.push({ field, direction: last });
  if (!order.some((o) => o.field === '__name__')) order.push({ field: '__name__', direction: last });
  return order;
}

const flipped = { ASCENDING: 'DESCENDING', DESCENDING: 'ASCENDING' };

/** The query for a page behind or before a row; without a row the first or the last page. Results of a page before come reversed. */
export function pageQuery(query, { row, isBackward = false, isInclusive = false, limit }) {
  const order = fullOrder(query);
  const page = {
    ...query, limit,
    orderBy: order.map((o) => ({ field: { fieldPath: o.field }, direction: isBackward ? flipped[o.direction] : o.direction })),
  };
  if (isBackward) {
    [page.startAt, page.endAt] = [query.endAt, query.startAt].map((c) => c && { values: c.values, before: !c.before });
    if (!page.startAt) delete page.startAt;
    if (!page.endAt) delete page.endAt;
  }
  if (row) {
    page.startAt = { values: cursorValues(order, row), before: isInclusive };
    delete page.offset;
  }
  return page;
}

function cursorValues(order, row) {
  return order.map((o) => (o.field === '__name__' ? { referenceValue: row.name } : valueAt(row.fields ?? {}, parseFieldPath(o.field))));
}

/** A sentence about what a query cost, and what would help. `metrics` is `explainMetrics` of an answer. */
export function explanation(metrics) {
  const stats = metrics.executionStats ?? {};
  const debug = stats.debugStats ?? {};
  const count = (n) => Number(n ?? 0).toLocaleString('en');
  const scanned = Number(debug.index_entries_scanned ?? 0) || Number(debug.documents_scanned ?? 0);
  const unit = Number(debug.index_entries_scanned ?? 0) ? 'index entries' : 'documents';
  const results = Number(stats.resultsReturned ?? 0);
  const ideal = debug.ideal_index_properties;
  let sentence = `Read ${count(scanned)} ${unit} for ${count(results)} ${results === 1 ? 'result' : 'results'}`;
  if (ideal) {
    const fields = ideal.replace(/^\(|\)$/g, '').replace(/, __name__ (ASC|DESC)$/, '');
    sentence += `: an index on ${fields} would read ${count(results)}.`;
  } else sentence += scanned <= Math.max(results * 2, 1) ? ', which is as few as possible.' : '.';
  return {
    sentence, ideal: ideal && parseIdeal(debug),
    indexes: (metrics.planSummary?.indexesUsed ?? []).map((i) => `${i.collection_id ?? ''} ${i.properties} · ${i.query_scope}`.trim()),
    duration: parseFloat(stats.executionDuration ?? '0'), reads: stats.readOperations, plan: debug.plan,
  };
}

function parseIdeal(debug) {
  const fields = debug.ideal_index_properties.replace(/^\(|\)$/g, '').split(/,\s*/).map((part) => {
    const [, path, mode] = /^(.*) (\S+)$/.exec(part) ?? [];
    if (mode === 'CONTAINS') return { fieldPath: path, arrayConfig: 'CONTAINS' };
    return { fieldPath: path, order: mode === 'DESC' ? 'DESCENDING' : 'ASCENDING' };
  });
  return {
    collectionGroup: debug.ideal_index_collection_id,
    queryScope: debug.ideal_index_query_scope === 'Collection group' ? 'COLLECTION_GROUP' : 'COLLECTION',
    fields: fields.filter((f) => f.fieldPath && f.fieldPath !== '__name__'),
  };
}
