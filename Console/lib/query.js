// SPDX-License-Identifier: Apache-2.0
// What the query page builds, and the StructuredQuery it means. Pure.
//
// The model has what the page shows: lines, also unfinished ones. The REST JSON is what is sent, copied, pasted and kept in the URL.
import { fieldPath, parseFieldPath, valueAt } from './values.js';

export const symbols = {
  EQUAL: '==', NOT_EQUAL: '!=', LESS_THAN: '<', LESS_THAN_OR_EQUAL: '<=', GREATER_THAN: '>', GREATER_THAN_OR_EQUAL: '>=',
  ARRAY_CONTAINS: 'array-contains', IN: 'in', NOT_IN: 'not-in', ARRAY_CONTAINS_ANY: 'array-contains-any',
  IS_NULL: 'is null', IS_NOT_NULL: 'is not null', IS_NAN: 'is NaN', IS_NOT_NAN: 'is not NaN',
};
export const isUnary = (op) => op.startsWith('IS_');
export const takesArray = (op) => ['IN', 'NOT_IN', 'ARRAY_CONTAINS_ANY'].includes(op);

/** @typedef {{field: string, op: string, value?: object}} Line */
/** @typedef {{op: 'AND'|'OR', items: (Line|Group)[]}} Group */

export const emptyModel = (collection = '', parent = '') => ({
  parent, collection, group: false, where: { op: 'AND', items: [] }, order: [], limit: 100, offset: 0, select: [], start: null,
  end: null, aggregates: [], nearest: null,
});

const fieldOf = (typed) => ({ fieldPath: fieldPath(parseFieldPath(typed.trim())) });

function filterOf({ op, items, field, value }) {
  if (items) {
    const filters = items.map(filterOf).filter(Boolean);
    return filters.length > 1 ? { compositeFilter: { op, filters } } : filters[0];
  }
  if (!field.trim()) return undefined;
  return isUnary(op) ? { unaryFilter: { field: fieldOf(field), op } } : { fieldFilter: { field: fieldOf(field), op, value } };
}

/** The request body of `:runQuery` or `:runAggregationQuery` for a model. Throws for field paths that are not ones. */
export function requestOf(model) {
  const { select, where, order, start, end, offset, limit, nearest, aggregates } = model;
  const filter = filterOf(where);
  const orderBy = order.filter((o) => o.field.trim()).map(({ field, direction }) => ({ field: fieldOf(field), direction }));
  const structuredQuery = {
    ...(select.length && { select: { fields: select.map(fieldOf) } }),
    from: [{ ...(model.collection && { collectionId: model.collection }), ...(model.group && { allDescendants: true }) }],
    ...(filter && { where: filter }), ...(orderBy.length && { orderBy }),
    ...(start?.values.length && { startAt: start }), ...(end?.values.length && { endAt: end }),
    ...(offset && { offset }), ...(limit && { limit }),
    ...(nearest?.field && { findNearest: {
      vectorField: fieldOf(nearest.field), queryVector: nearest.queryVector, distanceMeasure: nearest.measure, limit: nearest.limit,
      ...(nearest.resultField && { distanceResultField: nearest.resultField }),
    } }),
  };
  if (!aggregates.length) return { structuredQuery };
  const aggregations = aggregates.map(({ op, alias, field }, i) =>
    ({ alias: alias || `${op}_${i + 1}`, [op]: op === 'count' ? {} : { field: fieldOf(field) } }));
  return { structuredAggregationQuery: { structuredQuery, aggregations } };
}

function itemOf({ compositeFilter, unaryFilter, fieldFilter }) {
  if (compositeFilter) return { op: compositeFilter.op, items: (compositeFilter.filters ?? []).map(itemOf) };
  const { field, ...rest } = unaryFilter ?? fieldFilter;
  return { field: field.fieldPath, ...rest };
}

const orderOf = (query) => (query.orderBy ?? []).map((o) => ({ field: o.field.fieldPath, direction: o.direction ?? 'ASCENDING' }));

/** The model of a request body, or of the query in it: what is pasted, or stands in the URL. Throws if it is not a query. */
export function modelOf(json, parent = '') {
  const { structuredQuery, aggregations = [] } = json.structuredAggregationQuery ?? json;
  const query = structuredQuery ?? json;
  if (!['from', 'where', 'orderBy', 'limit', 'select', 'findNearest', 'startAt', 'endAt', 'offset'].some((k) => query[k])) {
    throw new Error('This is not a query: it has none of from, where, orderBy, limit.');
  }
  const [from = {}, ...more] = query.from ?? [];
  if (more.length) throw new Error('A query has one collection in “from”.');
  const where = query.where ? itemOf(query.where) : { op: 'AND', items: [] };
  const { vectorField, queryVector, distanceMeasure, limit, distanceResultField } = query.findNearest ?? {};
  return {
    parent, collection: from.collectionId ?? '', group: from.allDescendants ?? false,
    where: where.items ? where : { op: 'AND', items: [where] }, order: orderOf(query),
    limit: Number(query.limit?.value ?? query.limit ?? 0), offset: query.offset ?? 0,
    select: (query.select?.fields ?? []).map((f) => f.fieldPath), start: query.startAt ?? null, end: query.endAt ?? null,
    nearest: vectorField ? {
      field: vectorField.fieldPath, queryVector, measure: distanceMeasure, limit: Number(limit?.value ?? limit ?? 10),
      resultField: distanceResultField ?? '',
    } : null,
    aggregates: aggregations.map(({ alias = '', ...a }) => {
      const [op = 'count'] = Object.keys(a);
      return { op, alias, field: a[op]?.field?.fieldPath ?? '' };
    }),
  };
}

export function fromURL(text, parent) {
  try {
    return modelOf(JSON.parse(text), parent);
  } catch {
    return undefined;
  }
}

/** All that a query is ordered by: what is asked for, fields of inequalities, and the name. As the server completes it. */
export function fullOrder(query) {
  const order = orderOf(query);
  const direction = order.at(-1)?.direction ?? 'ASCENDING';
  const inequalities = (f) => {
    if (f?.compositeFilter) return f.compositeFilter.filters.flatMap(inequalities);
    const { op = '', field } = f?.fieldFilter ?? f?.unaryFilter ?? {};
    return /THAN|NOT/.test(op) ? [field.fieldPath] : [];
  };
  for (const field of [...inequalities(query.where).sort(), '__name__']) {
    if (!order.some((o) => o.field === field)) order.push({ field, direction });
  }
  return order;
}

const flipped = { ASCENDING: 'DESCENDING', DESCENDING: 'ASCENDING' };

/** The query for a page behind or before a row; without a row the first or the last page. Results of a page before come reversed. */
export function pageQuery(query, { row, isBackward = false, isInclusive = false, limit }) {
  const { startAt, endAt, offset, ...page } = query;
  const order = fullOrder(query);
  const turned = (cursor) => cursor && { values: cursor.values, before: !cursor.before };
  const [start, end] = isBackward ? [turned(endAt), turned(startAt)] : [startAt, endAt];
  const valueOf = ({ field }) => (field === '__name__' ? { referenceValue: row.name } : valueAt(row.fields, parseFieldPath(field)));
  const from = row ? { values: order.map(valueOf), before: isInclusive } : start;
  return {
    ...page, limit, ...(from && { startAt: from }), ...(end && { endAt: end }), ...(offset && !row && { offset }),
    orderBy: order.map(({ field, direction }) => ({ field: { fieldPath: field }, direction: isBackward ? flipped[direction] : direction })),
  };
}

/** A sentence about what a query cost, and what would help. `metrics` is `explainMetrics` of an answer. */
export function explanation({ executionStats = {}, planSummary }) {
  const { resultsReturned = 0, debugStats = {}, executionDuration = '0', readOperations } = executionStats;
  const entries = Number(debugStats.index_entries_scanned ?? 0);
  const scanned = entries || Number(debugStats.documents_scanned ?? 0);
  const count = (n) => Number(n).toLocaleString('en');
  const ideal = debugStats.ideal_index_properties?.replace(/^\(|(, __name__ \w+)?\)$/g, '');
  const end = ideal ? `: an index on ${ideal} would read ${count(resultsReturned)}.`
    : scanned <= Math.max(resultsReturned * 2, 1) ? ', which is as few as possible.' : '.';
  return {
    sentence: `Read ${count(scanned)} ${entries ? 'index entries' : 'documents'} for ${count(resultsReturned)} results${end}`,
    ideal: ideal && {
      collectionGroup: debugStats.ideal_index_collection_id,
      queryScope: debugStats.ideal_index_query_scope === 'Collection group' ? 'COLLECTION_GROUP' : 'COLLECTION',
      fields: ideal.split(/,\s*/).map((part) => {
        const [, path, mode] = /^(.*) (\S+)$/.exec(part);
        if (mode === 'CONTAINS') return { fieldPath: path, arrayConfig: mode };
        return { fieldPath: path, order: mode === 'DESC' ? 'DESCENDING' : 'ASCENDING' };
      }),
    },
    indexes: (planSummary?.indexesUsed ?? []).map((i) => `${i.collection_id ?? ''} ${i.properties} · ${i.query_scope}`.trim()).join('; '),
    facts: [`${(parseFloat(executionDuration) * 1000).toFixed(1)} ms`, readOperations && `${readOperations} reads billed`,
      debugStats.plan].filter(Boolean).join(' · '),
  };
}
