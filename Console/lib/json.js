// SPDX-License-Identifier: Apache-2.0
// Documents as text: typed JSON (docs/reference/cli.md), in which 1 is an integer and 1.0 a double. Pure.
import {
  arrayOf, define, doubleText, editText, elementsOf, fieldsOf, mapOf, own, parseValue, sortedNames, text, toJSON, typeOf, vectorOf,
} from './values.js';

/** Reads values as they are typed: JSON.parse would keep neither 1 and 1.0 apart nor digits beyond 2⁵³, and does not say where it fails. */
class Reader {
  constructor(source, database) { Object.assign(this, { source, database, at: 0, tokenAt: 0 }); }

  fail(message, at = this.tokenAt) {
    const lines = this.source.slice(0, at).split('\n');
    const place = { line: lines.length, column: lines.at(-1).length + 1 };
    throw Object.assign(new Error(`Line ${place.line}, column ${place.column}: ${message}`), place);
  }

  next() {
    const token = /\s*([{}[\],:]|"(?:[^"\\\n]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|$)/y;
    token.lastIndex = this.at;
    const found = token.exec(this.source);
    this.tokenAt = this.at + /^\s*/.exec(this.source.slice(this.at))[0].length;
    if (!found) this.fail('This is not JSON: text in double quotes, a number, true, false, null, { or [ is expected.');
    this.at = token.lastIndex;
    return found[1];
  }

  list(close, member) {
    for (let token = this.next(); token !== close; token = this.next()) {
      member(token);
      token = this.next();
      if (token === close) return;
      if (token !== ',') this.fail(`“,” or “${close}” is expected.`);
    }
  }

  string(token) {
    try {
      if (token[0] === '"') return JSON.parse(token);
    } catch { /* A control character, or an escape that JSON does not have. */ }
    return this.fail('A text in double quotes is expected.');
  }

  parsed(type, typed, at = this.tokenAt) {
    try {
      return parseValue(type, typed, this.database);
    } catch (error) {
      return this.fail(error.message, at);
    }
  }

  /** Where plain JSON is ambiguous, a value keeps the type of the one before it. */
  value(before, token = this.next(), isFields = false) {
    const kind = before && typeOf(before);
    const at = this.tokenAt;
    if (token === '{') {
      const fields = {};
      this.list('}', (member) => {
        const name = this.string(member);
        if (Object.hasOwn(fields, name)) this.fail(`“${name}” occurs twice.`);
        if (this.next() !== ':') this.fail('“:” is expected.');
        define(fields, name, this.value(own(fieldsOf(before), name), this.next(), name === '$map'));
      });
      const [name, ...others] = Object.keys(fields);
      return !isFields && name?.startsWith('$') && !others.length ? this.special(name, fields[name], at) : mapOf(fields);
    }
    if (token === '[') {
      const values = [];
      this.list(']', (element) => values.push(this.value(elementsOf(before)[values.length], element)));
      if (values.some((v) => v.arrayValue)) this.fail('An array cannot contain an array directly.', at);
      return arrayOf(values);
    }
    if (token === 'null') return { nullValue: null };
    if (/^[tf]/.test(token)) return { booleanValue: token === 'true' };
    if (/^[-\d]/.test(token)) return this.parsed(/[.eE]/.test(token) || kind === 'double' ? 'double' : 'integer', token);
    if (token[0] !== '"') this.fail('A value is expected.');
    const string = this.string(token);
    const typed = { timestamp: string, reference: string, bytes: `base64:${string}` }[kind];
    try {
      if (typed !== undefined) return parseValue(kind, typed, this.database);
    } catch { /* Then it is a text. */ }
    return text(string);
  }

  special(name, content, at) {
    if (name === '$map' && content.mapValue) return content;
    const { latitude, longitude } = fieldsOf(content);
    const listed = (values) => values.map((v) => (v ? editText(v) : '')).join(', ');
    const typed = {
      $bytes: `base64:${editText(content)}`, $geopoint: listed([latitude, longitude]), $vector: listed(elementsOf(content)),
      $timestamp: editText(content), $reference: editText(content), $double: editText(content), $integer: editText(content),
    }[name] ?? this.fail(`${name} is none of $timestamp, $bytes, $geopoint, $reference, $vector, $double, $integer, $map.`, at);
    return this.parsed(name.slice(1), typed, at);
  }
}

/** The fields of a document in REST form, which needs no interpretation; undefined if it is another form. */
function restFields(source) {
  try {
    // Integers may be written without quotes; JSON.parse would round them.
    const { fields, name } = JSON.parse(source.replace(/("integerValue"\s*:\s*)(-?\d+)/g, '$1"$2"'));
    const isREST = (v) => v && Object.keys(v).length === 1 && /^[a-z][a-zP]+Value$/.test(Object.keys(v)[0]);
    return fields && (name || (Object.keys(fields).length && Object.values(fields).every(isREST))) ? fields : undefined;
  } catch {
    return undefined;
  }
}

/** The fields of a document from typed JSON, plain JSON, the REST form, or an object of `hearth get`. */
export function parseFields(source, database, before = {}) {
  const rest = restFields(source);
  if (rest) return rest;
  const reader = new Reader(source, database);
  const document = reader.value(mapOf(before), reader.next(), true);
  if (reader.next() !== '') reader.fail('This is text behind the end.');
  if (!document.mapValue) reader.fail('A document is an object: { … }.', 0);
  const { path, fields, ...others } = fieldsOf(document);
  const isGot = path && fields?.mapValue && Object.keys(others).every((k) => /^(create|update)Time$/.test(k));
  return fieldsOf(isGot ? fields : document);
}

function listText(brackets, items, outer, indent) {
  if (!items.length) return brackets;
  const [before, between, after] = indent ? [`\n${outer}${indent}`, `,\n${outer}${indent}`, `\n${outer}`] : ['', ', ', ''];
  return brackets[0] + before + items.join(between) + after + brackets[1];
}

export const fieldsText = (fields, database, indent = '  ', outer = '') => listText('{}',
  sortedNames(fields).map((n) => `${JSON.stringify(n)}: ${valueText(fields[n], database, indent, outer + indent)}`), outer, indent);

const numberText = (n) => (Number.isFinite(Number(n)) ? doubleText(n) : `{"$double": "${n}"}`);

export function valueText(value, database, indent = '', outer = '') {
  const type = typeOf(value);
  const mark = (json) => `{"$${type}": ${json}}`;
  switch (type) {
    case 'string': return JSON.stringify(value.stringValue);
    case 'double': return numberText(value.doubleValue);
    case 'timestamp': case 'reference': return mark(JSON.stringify(editText(value, database)));
    case 'bytes': return mark(JSON.stringify(value.bytesValue ?? ''));
    case 'geopoint': {
      const { latitude = 0, longitude = 0 } = value.geoPointValue;
      return mark(`{"latitude": ${doubleText(latitude)}, "longitude": ${doubleText(longitude)}}`);
    }
    case 'vector': return mark(`[${vectorOf(value).map(numberText).join(', ')}]`);
    case 'array': return listText('[]', elementsOf(value).map((v) => valueText(v, database, indent, outer + indent)), outer, indent);
    case 'map': {
      const names = Object.keys(fieldsOf(value));
      const json = fieldsText(fieldsOf(value), database, indent, outer);
      return names.length === 1 && names[0].startsWith('$') ? mark(json) : json;
    }
    case 'sentinel': return toJSON(value);
    default: return editText(value);
  }
}
