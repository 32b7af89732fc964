// SPDX-License-Identifier: Apache-2.0
// A query as source code to copy. Pure.
import { isUnary, requestOf, symbols } from './query.js';
import {
  bytesOf, doubleText, elementsOf, fieldsOf, parseFieldPath, relative, sortedNames, toJSON, typeOf, vectorOf,
} from './values.js';

export const languages = ['Swift', 'JavaScript', 'Python', 'REST'];

const json = JSON.stringify;

/** A string literal of Swift and of Python: JSON's escapes that they do not have are rewritten. */
const swiftText = (s) => json(s).replace(/\\u([0-9a-f]{4})/gi, '\\u{$1}').replace(/\\b/g, '\\u{8}').replace(/\\f/g, '\\u{c}');
const pythonText = (s) => json(s);

/** @type {Object<string, {path: function, value: function}>} */
const literals = {
  Swift: {
    text: swiftText,
    field: (p) => {
      const parts = parseFieldPath(p);
      if (parts.length === 1 && parts[0] === '__name__') return 'FieldPath.documentID()';
      return parts.every((s) => /^[^.`~*/[\]]+$/.test(s)) ? swiftText(parts.join('.')) : `FieldPath([${parts.map(swiftText).join(', ')}])`;
    },
    double: (d) => ({ NaN: 'Double.nan', Infinity: 'Double.infinity', '-Infinity': '-Double.infinity' }[doubleText(d)] ?? doubleText(d)),
    null: 'NSNull()', boolean: String,
    timestamp: (t) => {
      const [, whole, fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(t) ?? [];
      return `Timestamp(seconds: ${Math.floor(Date.parse(whole + 'Z') / 1000)}, nanoseconds: ${Number(fraction.padEnd(9, '0'))})`;
    },
    bytes: (v) => `Data(base64Encoded: ${json(v.bytesValue)})!`,
    reference: (path) => `db.document(${swiftText(path)})`,
    geopoint: (a, b) => `GeoPoint(latitude: ${a}, longitude: ${b})`,
    vector: (n) => `FieldValue.vector([${n.join(', ')}])`,
    array: (items) => `[${items.join(', ')}]`,
    map: (pairs) => (pairs.length ? `[${pairs.map(([k, v]) => `${swiftText(k)}: ${v}`).join(', ')}]` : '[:]'),
  },
  JavaScript: {
    text: json,
    field: (p) => {
      const parts = parseFieldPath(p);
      if (parts.length === 1 && parts[0] === '__name__') return 'documentId()';
      return parts.every((s) => /^[^.`~*/[\]]+$/.test(s)) ? json(parts.join('.')) : `new FieldPath(${parts.map(json).join(', ')})`;
    },
    double: (d) => doubleText(d),
    null: 'null', boolean: String,
    timestamp: (t) => {
      const [, whole, fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(t) ?? [];
      return `new Timestamp(${Math.floor(Date.parse(whole + 'Z') / 1000)}, ${Number(fraction.padEnd(9, '0'))})`;
    },
    bytes: (v) => `Bytes.fromBase64String(${json(v.bytesValue)})`,
    reference: (path) => `doc(db, ${json(path)})`,
    geopoint: (a, b) => `new GeoPoint(${a}, ${b})`,
    vector: (n) => `vector([${n.join(', ')}])`,
    array: (items) => `[${items.join(', ')}]`,
    map: (pairs) => `{ ${pairs.map(([k, v]) => `${json(k)}: ${v}`).join(', ')} }`,
  },
  Python: {
    text: pythonText,
    field: (p) => (p === '__name__' ? '"__name__"' : pythonText(p)),
    double: (d) => ({ NaN: 'float("nan")', Infinity: 'float("inf")', '-Infinity': 'float("-inf")' }[doubleText(d)] ?? doubleText(d)),
    null: 'None', boolean: (b) => (b ? 'True' : 'False'),
    timestamp: (t) => `DatetimeWithNanoseconds.from_rfc3339(${json(t)})`,
    bytes: (v) => `bytes.fromhex("${Array.from(bytesOf(v), (b) => b.toString(16).padStart(2, '0')).join('')}")`,
    reference: (path) => `db.document(${pythonText(path)})`,
    geopoint: (a, b) => `GeoPoint(${a}, ${b})`,
    vector: (n) => `Vector([${n.join(', ')}])`,
    array: (items) => `[${items.join(', ')}]`,
    map: (pairs) => `{${pairs.map(([k, v]) => `${pythonText(k)}: ${v}`).join(', ')}}`,
  },
};

function literal(value, l) {
  switch (typeOf(value)) {
    case 'string': return l.text(value.stringValue);
    case 'integer':
      return l === literals.JavaScript && !Number.isSafeInteger(Number(value.integerValue)) ? `BigInt("${value.integerValue}")`
        : value.integerValue;
    case 'double': return l.double(value.doubleValue);
    case 'boolean': return l.boolean(value.booleanValue);
    case 'timestamp': return l.timestamp(value.timestampValue);
    case 'bytes': return l.bytes(value);
    case 'reference': return l.reference(relative(value.referenceValue));
    case 'geopoint': return l.geopoint(value.geoPointValue.latitude ?? 0, value.geoPointValue.longitude ?? 0);
    case 'vector': return l.vector(vectorOf(value).map((n) => l.double(n)));
    case 'array': return l.array(elementsOf(value).map((v) => literal(v, l)));
    case 'map': return l.map(sortedNames(fieldsOf(value)).map((n) => [n, literal(fieldsOf(value)[n], l)]));
    default: return l.null;
  }
}

/** Lines without a field are not finished and left out. */
const finished = (group) => group.items.map((i) => (i.items ? { ...i, items: finished(i) } : i)).filter((i) => (i.items ? i.items.length
  : i.field.trim()));

const unaryAs = { IS_NULL: ['EQUAL', 'null'], IS_NOT_NULL: ['NOT_EQUAL', 'null'], IS_NAN: ['EQUAL', 'NaN'],
  IS_NOT_NAN: ['NOT_EQUAL', 'NaN'] };

function operand(line, l) {
  if (!isUnary(line.op)) return [symbols[line.op], literal(line.value, l)];
  const [op, what] = unaryAs[line.op];
  return [symbols[op], what === 'null' ? l.null : l.double('NaN')];
}

const swiftLabels = {
  '==': 'isEqualTo', '!=': 'isNotEqualTo', '<': 'isLessThan', '<=': 'isLessThanOrEqualTo', '>': 'isGreaterThan',
    '>=': 'isGreaterThanOrEqualTo',
  'array-contains': 'arrayContains', in: 'in', 'not-in': 'notIn', 'array-contains-any': 'arrayContainsAny',
};

function swift(model) {
  const l = literals.Swift;
  const path = (model.parent ? model.parent + '/' : '') + model.collection;
  const lines = [];
  const condition = (i) => {
    if (i.items) return `Filter.${i.op === 'OR' ? 'or' : 'and'}Filter([${i.items.map(condition).join(', ')}])`;
    const [symbol, value] = operand(i, l);
    return `Filter.whereField(${l.field(i.field)}, ${swiftLabels[symbol]}: ${value})`;
  };
  const where = finished(model.where);
  if (model.where.op === 'OR' && where.length > 1) lines.push(`.whereFilter(${condition({ op: 'OR', items: where })})`);
  else {
    for (const i of where) {
      if (i.items) lines.push(`.whereFilter(${condition(i)})`);
      else {
        const [symbol, value] = operand(i, l);
        lines.push(`.whereField(${l.field(i.field)}, ${swiftLabels[symbol]}: ${value})`);
      }
    }
  }
  for (const o of model.order.filter((o) => o.field)) {
    lines.push(`.order(by: ${l.field(o.field)}${o.direction === 'DESCENDING' ? ', descending: true' : ''})`);
  }
  const cursor = (c) => `[${c.values.map((v) => literal(v, l)).join(', ')}]`;
  if (model.start?.values.length) lines.push(`.start(${model.start.before ? 'at' : 'after'}: ${cursor(model.start)})`);
  if (model.end?.values.length) lines.push(`.end(${model.end.before ? 'before' : 'at'}: ${cursor(model.end)})`);
  if (model.limit && !model.nearest) lines.push(`.limit(to: ${model.limit})`);
  if (model.nearest?.field) {
    const n = model.nearest;
    lines.push(`.findNearest(vectorField: ${l.field(n.field)}, queryVector: ${literal(n.queryVector, l)}, limit: ${n.limit}, distanceMeasure: .${n.measure === 'DOT_PRODUCT' ? 'dotProduct' : n.measure.toLowerCase()})`);
  }
  const from = model.group ? `db.collectionGroup(${l.text(model.collection)})` : `db.collection(${l.text(path)})`;
  let source = [`let query = ${from}`, ...lines.map((x) => '    ' + x)].join('\n');
  if (!model.aggregates.length) return `${source}\nlet documents = try await query.getDocuments().documents`;
  const list = model.aggregates.map((a) => (a.op === 'count' ? '.count()' : `.${a.op === 'avg' ? 'average' : 'sum'}(${l.field(a.field)})`));
  source += `\nlet result = try await query.aggregate([${list.map((x) => 'AggregateField' + x).join(', ')}]).getAggregation(source: .server)`;
  return source;
}

function javaScript(model) {
  const l = literals.JavaScript;
  const path = (model.parent ? model.parent + '/' : '') + model.collection;
  const condition = (i) => {
    if (i.items) return `${i.op.toLowerCase()}(${i.items.map(condition).join(', ')})`;
    const [symbol, value] = operand(i, l);
    return `where(${l.field(i.field)}, "${symbol}", ${value})`;
  };
  const where = finished(model.where);
  const parts = model.where.op === 'OR' && where.length > 1 ? [condition({ op: 'OR', items: where })] : where.map(condition);
  for (const o of model.order.filter((o) =>
    o.field)) parts.push(`orderBy(${l.field(o.field)}${o.direction === 'DESCENDING' ? ', "desc"' : ''})`);
  const cursor = (c) => c.values.map((v) => literal(v, l)).join(', ');
  if (model.start?.values.length) parts.push(`${model.start.before ? 'startAt' : 'startAfter'}(${cursor(model.start)})`);
  if (model.end?.values.length) parts.push(`${model.end.before ? 'endBefore' : 'endAt'}(${cursor(model.end)})`);
  if (model.limit && !model.nearest) parts.push(`limit(${model.limit})`);
  const from = model.group ? `collectionGroup(db, ${json(model.collection)})` : `collection(db, ${json(path)})`;
  const source = `const q = query(\n${[from, ...parts].map((p) => `  ${p},`).join('\n')}\n);`;
  if (model.nearest?.field) return '// The web SDK has no vector search; with the Node.js library:\n' + nodeNearest(model, parts, l, path);
  if (!model.aggregates.length) return `${source}\nconst snapshot = await getDocs(q);`;
  const list = model.aggregates.map((a, i) =>
    `${json(a.alias || `${a.op}_${i + 1}`)}: ${a.op === 'count' ? 'count()' : `${a.op === 'avg' ? 'average' : 'sum'}(${l.field(a.field)})`}`);
  return `${source}\nconst snapshot = await getAggregateFromServer(q, { ${list.join(', ')} });`;
}

function nodeNearest(model, parts, l, path) {
  const n = model.nearest;
  const from = model.group ? `db.collectionGroup(${json(model.collection)})` : `db.collection(${json(path)})`;
  const calls = parts.map((p) => `  .${p}`);
  return [`const snapshot = await ${from}`, ...calls,
    `  .findNearest({ vectorField: ${l.field(n.field)}, queryVector: ${literal(n.queryVector, l).replace(/^vector\((.*)\)$/, '$1')}, limit: ${n.limit}, distanceMeasure: "${n.measure}" })`,
    '  .get();'].join('\n');
}

function python(model) {
  const l = literals.Python;
  const path = (model.parent ? model.parent + '/' : '') + model.collection;
  const condition = (i) => {
    if (i.items) return `${i.op === 'OR' ? 'Or' : 'And'}([${i.items.map(condition).join(', ')}])`;
    const [symbol, value] = operand(i, l);
    return `FieldFilter(${l.field(i.field)}, "${symbol.replace('-', '_').replace('-', '_')}", ${value})`;
  };
  const where = finished(model.where);
  const conditions = model.where.op === 'OR' && where.length > 1 ? [condition({ op: 'OR', items: where })] : where.map(condition);
  const lines = conditions.map((c) => `.where(filter=${c})`);
  for (const o of model.order.filter((o) => o.field)) {
    lines.push(`.order_by(${l.field(o.field)}${o.direction === 'DESCENDING' ? ', direction="DESCENDING"' : ''})`);
  }
  const cursor = (c) => `[${c.values.map((v) => literal(v, l)).join(', ')}]`;
  if (model.start?.values.length) lines.push(`.start_${model.start.before ? 'at' : 'after'}(${cursor(model.start)})`);
  if (model.end?.values.length) lines.push(`.end_${model.end.before ? 'before' : 'at'}(${cursor(model.end)})`);
  if (model.limit && !model.nearest) lines.push(`.limit(${model.limit})`);
  if (model.nearest?.field) {
    const n = model.nearest;
    lines.push(`.find_nearest(vector_field=${l.field(n.field)}, query_vector=${literal(n.queryVector, l)}, limit=${n.limit}, distance_measure=DistanceMeasure.${n.measure})`);
  }
  const from = model.group ? `db.collection_group(${pythonText(model.collection)})` : `db.collection(${pythonText(path)})`;
  const source = `query = (\n    ${[from, ...lines].join('\n    ')}\n)`;
  if (!model.aggregates.length) return `${source}\ndocuments = query.get()`;
  const list = model.aggregates.map((a, i) => {
    const alias = pythonText(a.alias || `${a.op}_${i + 1}`);
    return a.op === 'count' ? `.count(alias=${alias})` : `.${a.op}(${l.field(a.field)}, alias=${alias})`;
  });
  return `${source}\nresult = AggregationQuery(query)${list.join('')}.get()`;
}

/** The query in a language. Throws for field paths that are not ones. */
export function code(model, language) {
  switch (language) {
    case 'Swift': return swift(model);
    case 'JavaScript': return javaScript(model);
    case 'Python': return python(model);
    default: return toJSON(requestOf(model), 2);
  }
}

