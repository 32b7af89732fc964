// SPDX-License-Identifier: Apache-2.0
// A query as source code to copy. Pure.
import { isUnary, requestOf, symbols } from './query.js';
import { doubleText, elementsOf, fieldsOf, parseFieldPath, relative, sortedNames, toJSON, typeOf, vectorOf } from './values.js';

const quoted = JSON.stringify;
const swiftText = (s) => quoted(s).replace(/\\u([0-9a-f]{4})/gi, '\\u{$1}').replace(/\\b/g, '\\u{8}').replace(/\\f/g, '\\u{c}');
const swiftLabels = {
  '==': 'isEqualTo', '!=': 'isNotEqualTo', '<': 'isLessThan', '<=': 'isLessThanOrEqualTo', '>': 'isGreaterThan',
  '>=': 'isGreaterThanOrEqualTo', 'array-contains': 'arrayContains', in: 'in', 'not-in': 'notIn', 'array-contains-any': 'arrayContainsAny',
};

const writers = {
  Swift: {
    text: swiftText,
    field: (names) => `FieldPath([${names.map(swiftText).join(', ')}])`,
    id: 'FieldPath.documentID()',
    nothing: 'NSNull()',
    double: (n) => ({ NaN: 'Double.nan', Infinity: 'Double.infinity', '-Infinity': '-Double.infinity' }[n] ?? n),
    boolean: String,
    timestamp: (seconds, nanos) => `Timestamp(seconds: ${seconds}, nanoseconds: ${nanos})`,
    bytes: (base64) => `Data(base64Encoded: ${quoted(base64)})!`,
    reference: (path) => `db.document(${swiftText(path)})`,
    geopoint: (latitude, longitude) => `GeoPoint(latitude: ${latitude}, longitude: ${longitude})`,
    vector: (numbers) => `FieldValue.vector([${numbers}])`,
    map: (pairs) => `[${pairs || ':'}]`,
    condition: (field, symbol, value) => `Filter.whereField(${field}, ${swiftLabels[symbol]}: ${value})`,
    group: (op, conditions) => `Filter.${op.toLowerCase()}Filter([${conditions.join(', ')}])`,
    where: (filter) => (filter.startsWith('Filter.whereField') ? filter.slice(7) : `whereFilter(${filter})`),
    order: (field, isDescending) => `order(by: ${field}${isDescending ? ', descending: true' : ''})`,
    start: (before, values) => `start(${before ? 'at' : 'after'}: [${values}])`,
    end: (before, values) => `end(${before ? 'before' : 'at'}: [${values}])`,
    limit: (n) => `limit(to: ${n})`,
    nearest: (field, vector, { limit, measure }) => `findNearest(vectorField: ${field}, queryVector: ${vector}, limit: ${limit}, `
      + `distanceMeasure: .${measure === 'DOT_PRODUCT' ? 'dotProduct' : measure.toLowerCase()})`,
    aggregate: (op, field) => `AggregateField.${op === 'avg' ? 'average' : op}(${field})`,
    query: (path, isGroup, calls) =>
      [`let query = db.${isGroup ? 'collectionGroup' : 'collection'}(${path})`, ...calls.map((call) => `    .${call}`)].join('\n'),
    get: 'let documents = try await query.getDocuments().documents',
    aggregated: (list) => `let result = try await query.aggregate([${list.join(', ')}]).getAggregation(source: .server)`,
  },
  JavaScript: {
    text: quoted,
    field: (names) => `new FieldPath(${names.map(quoted).join(', ')})`,
    id: 'documentId()',
    nothing: 'null',
    double: String,
    boolean: String,
    timestamp: (seconds, nanos) => `new Timestamp(${seconds}, ${nanos})`,
    bytes: (base64) => `Bytes.fromBase64String(${quoted(base64)})`,
    reference: (path) => `doc(db, ${quoted(path)})`,
    geopoint: (latitude, longitude) => `new GeoPoint(${latitude}, ${longitude})`,
    vector: (numbers) => `vector([${numbers}])`,
    map: (pairs) => `{ ${pairs} }`,
    condition: (field, symbol, value) => `where(${field}, "${symbol}", ${value})`,
    group: (op, conditions) => `${op.toLowerCase()}(${conditions.join(', ')})`,
    where: String,
    order: (field, isDescending) => `orderBy(${field}${isDescending ? ', "desc"' : ''})`,
    start: (before, values) => `${before ? 'startAt' : 'startAfter'}(${values})`,
    end: (before, values) => `${before ? 'endBefore' : 'endAt'}(${values})`,
    limit: (n) => `limit(${n})`,
    nearest: (field) => `/* The web SDK has no vector search: findNearest on ${field} is in the Node.js library. */`,
    aggregate: (op, field, alias) => `${quoted(alias)}: ${op === 'avg' ? 'average' : op}(${field})`,
    query: (path, isGroup, calls) =>
      `const q = query(\n${[`${isGroup ? 'collectionGroup' : 'collection'}(db, ${path})`, ...calls].map((c) => `  ${c},`).join('\n')}\n);`,
    get: 'const snapshot = await getDocs(q);',
    aggregated: (list) => `const snapshot = await getAggregateFromServer(q, { ${list.join(', ')} });`,
  },
};

export const languages = [...Object.keys(writers), 'REST'];

/** The query in a language. Throws for field paths that are not ones. */
export function code(model, language) {
  const to = writers[language];
  if (!to) return toJSON(requestOf(model), 2);

  function literal(value) {
    switch (typeOf(value)) {
      case 'string': return to.text(value.stringValue);
      case 'integer': return value.integerValue;
      case 'double': return to.double(doubleText(value.doubleValue));
      case 'boolean': return to.boolean(value.booleanValue);
      case 'timestamp': {
        const [, seconds, fraction = ''] = /^(.{19})\.?(\d*)/.exec(value.timestampValue);
        return to.timestamp(Date.parse(`${seconds}Z`) / 1000, Number(fraction.padEnd(9, '0')));
      }
      case 'bytes': return to.bytes(value.bytesValue);
      case 'reference': return to.reference(relative(value.referenceValue));
      case 'geopoint': return to.geopoint(value.geoPointValue.latitude ?? 0, value.geoPointValue.longitude ?? 0);
      case 'vector': return to.vector(vectorOf(value).map((n) => to.double(doubleText(n))).join(', '));
      case 'array': return `[${elementsOf(value).map(literal).join(', ')}]`;
      case 'map': return to.map(sortedNames(fieldsOf(value)).map((n) => `${to.text(n)}: ${literal(fieldsOf(value)[n])}`).join(', '));
      default: return to.nothing;
    }
  }

  function field(typed) {
    const names = parseFieldPath(typed);
    if (typed === '__name__') return to.id;
    return names.every((name) => /^[^.`~*/[\]]+$/.test(name)) ? to.text(names.join('.')) : to.field(names);
  }

  /** Lines without a field are not finished and left out. */
  function conditions({ items }) {
    return items.filter((i) => i.items || i.field.trim()).flatMap((i) => {
      if (i.items) return conditions(i).length > 1 ? to.group(i.op, conditions(i)) : conditions(i);
      if (!isUnary(i.op)) return to.condition(field(i.field), symbols[i.op], literal(i.value));
      return to.condition(field(i.field), /NOT/.test(i.op) ? '!=' : '==', /NAN/.test(i.op) ? to.double('NaN') : to.nothing);
    });
  }

  const { where, order, start, end, limit, nearest, aggregates, parent, collection, group } = model;
  const values = (cursor) => cursor.values.map(literal).join(', ');
  const calls = [
    ...(where.op === 'OR' ? conditions({ items: [where] }) : conditions(where)).map((c) => to.where(c)),
    ...order.filter((o) => o.field.trim()).map((o) => to.order(field(o.field), o.direction === 'DESCENDING')),
    start?.values.length && to.start(start.before, values(start)), end?.values.length && to.end(end.before, values(end)),
    nearest?.field ? to.nearest(field(nearest.field), literal(nearest.queryVector), nearest) : limit && to.limit(limit),
  ].filter(Boolean);
  const path = to.text(group ? collection : [parent, collection].filter(Boolean).join('/'));
  const list = aggregates.map((a, i) => to.aggregate(a.op, a.op === 'count' ? '' : field(a.field), a.alias || `${a.op}_${i + 1}`));
  return `${to.query(path, group, calls)}\n${list.length ? to.aggregated(list) : to.get}`;
}
