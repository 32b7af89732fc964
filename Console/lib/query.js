// SPDX-License-Identifier: Apache-2.0
// What the query page builds: a request body as REST has it, in which lines may be unfinished. Pure.
import { fieldPath, parseFieldPath, valueAt } from './values.js';

export const symbols = {
  EQUAL: '==', NOT_EQUAL: '!=', LESS_THAN: '<', LESS_THAN_OR_EQUAL: '<=', GREATER_THAN: '>', GREATER_THAN_OR_EQUAL: '>=',
  ARRAY_CONTAINS: 'array-contains', IN: 'in', NOT_IN: 'not-in', ARRAY_CONTAINS_ANY: 'array-contains-any',
  IS_NULL: 'is null', IS_NOT_NULL: 'is not null', IS_NAN: 'is NaN', IS_NOT_NAN: 'is not NaN',
};
export const isUnary = (op) => op.startsWith('IS_');
export const takesArray = (op) => ['IN', 'NOT_IN', 'ARRAY_CONTAINS_ANY'].includes(op);

export const queryOf = (collectionId) => ({ from: [{ collectionId }], limit: 100 });
/** Any filter as a group. */
export const groupOf = (filter) => filter?.compositeFilter ?? { op: 'AND', filters: filter ? [filter] : [] };

const isNamed = (field) => Boolean(field?.fieldPath.trim());
const named = ({ fieldPath: typed }) => ({ fieldPath: fieldPath(parseFieldPath(typed.trim())) });
const namedIn = (object) => ({ ...object, field: named(object.field) });
const unlessEmpty = (list) => (list?.length ? list : undefined);

/** A filter without lines that have no field, and without groups of less than two. */
function filterOf({ compositeFilter, unaryFilter, fieldFilter } = {}) {
  if (compositeFilter) {
    const filters = compositeFilter.filters.map(filterOf).filter(Boolean);
    return filters.length > 1 ? { compositeFilter: { ...compositeFilter, filters } } : filters[0];
  }
  if (!isNamed((unaryFilter ?? fieldFilter)?.field)) return undefined;
  return unaryFilter ? { unaryFilter: namedIn(unaryFilter) } : { fieldFilter: namedIn(fieldFilter) };
}

/** What is sent of a query and its aggregations: unfinished lines are left out. Throws for field paths that are not ones. */
export function requestOf({ select, where, orderBy = [], startAt, endAt, offset, limit, findNearest, ...query }, aggregations = []) {
  const structuredQuery = {
    ...query, select: unlessEmpty(select?.fields) && { fields: select.fields.filter(isNamed).map(named) }, where: filterOf(where),
    orderBy: unlessEmpty(orderBy.filter((o) => isNamed(o.field)).map(namedIn)), startAt: unlessEmpty(startAt?.values) && startAt,
    endAt: unlessEmpty(endAt?.values) && endAt, offset: offset || undefined, limit: limit || undefined,
    findNearest: isNamed(findNearest?.vectorField) ? {
      ...findNearest, vectorField: named(findNearest.vectorField), distanceResultField: findNearest.distanceResultField || undefined,
    } : undefined,
  };
  if (!aggregations.length) return { structuredQuery };
  const summed = ({ alias, ...aggregation }, i) => {
    const [[op, { field }]] = Object.entries(aggregation);
    return { alias: alias || `${op}_${i + 1}`, [op]: field ? { field: named(field) } : {} };
  };
  return { structuredAggregationQuery: { structuredQuery, aggregations: aggregations.map(summed) } };
}

/** The query and the aggregations of a request body, or of the query in it, as pasted or in the URL. Throws if it is none. */
export function readQuery(text) {
  const json = JSON.parse(text);
  const { structuredQuery: query = json, aggregations = [] } = json.structuredAggregationQuery ?? json;
  if (!['from', 'where', 'orderBy', 'limit', 'select', 'findNearest', 'startAt', 'endAt', 'offset'].some((k) => query[k])) {
    throw new Error('This is not a query: it has none of from, where, orderBy, limit.');
  }
  if (query.from?.length > 1) throw new Error('A query has one collection in “from”.');
  return { query: { from: [{}], ...query, limit: Number(query.limit?.value ?? query.limit ?? 0) }, aggregations };
}

export function fromURL(text) {
  try {
    return readQuery(text);
  } catch {
    return undefined;
  }
}

/** All that a query is ordered by: what is asked for, fields of inequalities, and the name. As the server completes it. */
export function fullOrder({ where, orderBy = [] }) {
  const order = orderBy.map(({ field, direction = 'ASCENDING' }) => ({ field, direction }));
  const direction = order.at(-1)?.direction ?? 'ASCENDING';
  const inequalities = (f) => {
    if (f?.compositeFilter) return f.compositeFilter.filters.flatMap(inequalities);
    const { op = '', field } = f?.fieldFilter ?? f?.unaryFilter ?? {};
    return /THAN|NOT/.test(op) ? [field.fieldPath] : [];
  };
  for (const path of [...inequalities(where).sort(), '__name__']) {
    if (!order.some((o) => o.field.fieldPath === path)) order.push({ field: { fieldPath: path }, direction });
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
  const valueOf = ({ field: { fieldPath: path } }) =>
    (path === '__name__' ? { referenceValue: row.name } : valueAt(row.fields, parseFieldPath(path)));
  return {
    ...page, limit, startAt: row ? { values: order.map(valueOf), before: isInclusive } : start, endAt: end,
    offset: row ? undefined : offset, orderBy: isBackward ? order.map((o) => ({ ...o, direction: flipped[o.direction] })) : order,
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
        return { fieldPath: path, ...(mode === 'CONTAINS' ? { arrayConfig: mode } : { order: `${mode}ENDING` }) };
      }),
    },
    indexes: (planSummary?.indexesUsed ?? []).map((i) => `${i.collection_id ?? ''} ${i.properties} · ${i.query_scope}`.trim()).join('; '),
    facts: [`${(parseFloat(executionDuration) * 1000).toFixed(1)} ms`, readOperations && `${readOperations} reads on Cloud Firestore`,
      debugStats.plan].filter(Boolean).join(' · '),
  };
}
