// SPDX-License-Identifier: Apache-2.0
// A query as source code to copy. Pure.
import { groupOf, isUnary, requestOf, symbols } from './query.js';
import { doubleText, elementsOf, fieldPath, fieldsOf, parseFieldPath, relative, sortedNames, toJSON, typeOf, vectorOf } from './values.js';

const quoted = JSON.stringify;

/** How each language writes it: $1, $2 … are the parts. What is not listed is a call or a word of the same name. */
const languages = {
  Swift: {
    text: (s) => quoted(s).replace(/\\u([0-9a-f]{4})/gi, '\\u{$1}').replace(/\\b/g, '\\u{8}').replace(/\\f/g, '\\u{c}'),
    path: (names, text) => `FieldPath([${names.map(text).join(', ')}])`, id: 'FieldPath.documentID()',
    null: 'NSNull()', NaN: 'Double.nan', Infinity: 'Double.infinity', '-Infinity': '-Double.infinity',
    timestamp: 'Timestamp(seconds: $1, nanoseconds: $2)', bytes: 'Data(base64Encoded: $1)!', reference: 'db.document($1)',
    geopoint: 'GeoPoint(latitude: $1, longitude: $2)', vector: 'FieldValue.vector([$1])', map: '[$1]', emptyMap: '[:]',
    ops: {
      '==': 'isEqualTo', '!=': 'isNotEqualTo', '<': 'isLessThan', '<=': 'isLessThanOrEqualTo', '>': 'isGreaterThan',
      '>=': 'isGreaterThanOrEqualTo', 'array-contains': 'arrayContains', 'not-in': 'notIn', 'array-contains-any': 'arrayContainsAny',
    },
    condition: 'Filter.whereField($1, $2: $3)', AND: 'Filter.andFilter([$1])', OR: 'Filter.orFilter([$1])',
    where: 'whereField($1, $2: $3)', filter: 'whereFilter($1)', ASCENDING: 'order(by: $1)', DESCENDING: 'order(by: $1, descending: true)',
    startAt: 'start(at: [$1])', startAfter: 'start(after: [$1])', endBefore: 'end(before: [$1])', endAt: 'end(at: [$1])',
    limit: 'limit(to: $1)', DOT_PRODUCT: 'dotProduct', COSINE: 'cosine', EUCLIDEAN: 'euclidean',
    nearest: 'findNearest(vectorField: $1, queryVector: $2, limit: $3, distanceMeasure: .$4)',
    count: 'AggregateField.count()', sum: 'AggregateField.sum($1)', avg: 'AggregateField.average($1)',
    group: 'collectionGroup', call: '\n    .$1', query: 'let query = db.$1($2)$3\n',
    get: 'let documents = try await query.getDocuments().documents',
    aggregated: 'let result = try await query.aggregate([$1]).getAggregation(source: .server)',
  },
  JavaScript: {
    text: quoted, path: (names) => `new FieldPath(${names.map(quoted).join(', ')})`, id: 'documentId()',
    timestamp: 'new Timestamp($1, $2)', bytes: 'Bytes.fromBase64String($1)', reference: 'doc(db, $1)', geopoint: 'new GeoPoint($1, $2)',
    vector: 'vector([$1])', map: '{ $1 }', emptyMap: '{}', ops: {},
    condition: 'where($1, "$2", $3)', AND: 'and($1)', OR: 'or($1)', filter: '$1',
    ASCENDING: 'orderBy($1)', DESCENDING: 'orderBy($1, "desc")',
    nearest: '/* The web SDK has no vector search: findNearest on $1 is in the Node.js library. */',
    count: '$2: count()', sum: '$2: sum($1)', avg: '$2: average($1)',
    group: 'collectionGroup', call: '\n  $1,', query: 'const q = query(\n  $1(db, $2),$3\n);\n',
    get: 'const snapshot = await getDocs(q);', aggregated: 'const snapshot = await getAggregateFromServer(q, { $1 });',
  },
  Python: {
    text: quoted, path: (names) => quoted(fieldPath(names)), id: '"__name__"',
    null: 'None', true: 'True', false: 'False', NaN: 'float("nan")', Infinity: 'float("inf")', '-Infinity': 'float("-inf")',
    timestamp: 'DatetimeWithNanoseconds.from_rfc3339($3)', bytes: 'b64decode($1)', reference: 'db.document($1)',
    geopoint: 'GeoPoint($1, $2)', vector: 'Vector([$1])', map: '{$1}', emptyMap: '{}',
    ops: { 'array-contains': 'array_contains', 'array-contains-any': 'array_contains_any' },
    condition: 'FieldFilter($1, "$2", $3)', AND: 'And([$1])', OR: 'Or([$1])', filter: 'where(filter=$1)',
    ASCENDING: 'order_by($1)', DESCENDING: 'order_by($1, direction="DESCENDING")',
    startAt: 'start_at([$1])', startAfter: 'start_after([$1])', endBefore: 'end_before([$1])', endAt: 'end_at([$1])',
    nearest: 'find_nearest($1, $2, limit=$3, distance_measure=DistanceMeasure.$4)',
    count: '.count(alias=$2)', sum: '.sum($1, alias=$2)', avg: '.avg($1, alias=$2)',
    group: 'collection_group', call: '\n    .$1', query: 'query = (\n    db.$1($2)$3\n)\n',
    get: 'documents = query.get()', aggregated: 'result = AggregationQuery(query)$1.get()', between: '',
  },
};

export const languageNames = [...Object.keys(languages), 'REST'];

/** The query in a language. Throws for field paths that are not ones. */
export function code(parent, query, aggregations, language) {
  const request = requestOf(query, aggregations);
  const to = languages[language];
  if (!to) return toJSON(request, 2);
  const { structuredQuery: sent, aggregations: asked = [] } = request.structuredAggregationQuery ?? request;
  const write = (form, ...parts) => (to[form] ?? `${form}($1)`).replace(/\$(\d)/g, (_, i) => parts[i - 1]);
  const word = (name) => to[name] ?? name;
  const text = (s) => to.text(s);
  const number = (n) => word(doubleText(n));
  const list = (values) => values.map(literal).join(', ');

  function literal(value) {
    switch (typeOf(value)) {
      case 'string': return text(value.stringValue);
      case 'integer': return value.integerValue;
      case 'double': return number(value.doubleValue);
      case 'boolean': return word(String(value.booleanValue));
      case 'timestamp': {
        const [all, seconds, fraction = ''] = /^(.{19})\.?(\d*)Z/.exec(value.timestampValue);
        return write('timestamp', Date.parse(`${seconds}Z`) / 1000, Number(fraction.padEnd(9, '0')), text(all));
      }
      case 'bytes': return write('bytes', quoted(value.bytesValue));
      case 'reference': return write('reference', text(relative(value.referenceValue)));
      case 'geopoint': return write('geopoint', value.geoPointValue.latitude ?? 0, value.geoPointValue.longitude ?? 0);
      case 'vector': return write('vector', vectorOf(value).map(number).join(', '));
      case 'array': return `[${list(elementsOf(value))}]`;
      case 'map': {
        const fields = fieldsOf(value);
        const pairs = sortedNames(fields).map((name) => `${text(name)}: ${literal(fields[name])}`);
        return pairs.length ? write('map', pairs.join(', ')) : to.emptyMap;
      }
      default: return word('null');
    }
  }

  function field({ fieldPath: path }) {
    const names = parseFieldPath(path);
    if (path === '__name__') return to.id;
    return names.every((name) => /^[^.`~*/[\]]+$/.test(name)) ? text(names.join('.')) : to.path(names, text);
  }

  function filter(f, form = 'condition') {
    if (f.compositeFilter) return write(f.compositeFilter.op, f.compositeFilter.filters.map((inner) => filter(inner)).join(', '));
    const { op, field: path, value } = f.unaryFilter ?? f.fieldFilter;
    const symbol = isUnary(op) ? (/NOT/.test(op) ? '!=' : '==') : symbols[op];
    return write(form, field(path), to.ops[symbol] ?? symbol, isUnary(op) ? word(/NAN/.test(op) ? 'NaN' : 'null') : literal(value));
  }
  const where = (f) => (to.where && !f.compositeFilter ? filter(f, 'where') : write('filter', filter(f)));

  const { op, filters } = groupOf(sent.where);
  const { startAt, endAt, limit, orderBy = [], findNearest: nearest, from: [{ collectionId = '', allDescendants }] } = sent;
  const calls = [
    ...(op === 'OR' ? [sent.where] : filters).map(where),
    ...orderBy.map((o) => write(o.direction ?? 'ASCENDING', field(o.field))),
    startAt && write(startAt.before ? 'startAt' : 'startAfter', list(startAt.values)),
    endAt && write(endAt.before ? 'endBefore' : 'endAt', list(endAt.values)),
    nearest ? write('nearest', field(nearest.vectorField), literal(nearest.queryVector), nearest.limit, word(nearest.distanceMeasure))
      : limit && write('limit', limit),
  ].filter(Boolean);
  const path = text(allDescendants ? collectionId : [parent, collectionId].filter(Boolean).join('/'));
  const aggregates = asked.map(({ alias, ...aggregation }) => {
    const [[how, { field: path }]] = Object.entries(aggregation);
    return write(how, path && field(path), text(alias));
  });
  return write('query', allDescendants ? to.group : 'collection', path, calls.map((call) => write('call', call)).join(''))
    + (aggregates.length ? write('aggregated', aggregates.join(to.between ?? ', ')) : to.get);
}
