// SPDX-License-Identifier: Apache-2.0
// Documents as text: typed JSON (docs/cli.md), in which 1 is an integer and 1.0 a double. Pure.
import {
  arrayOf, define, doubleText, editText, elementsOf, fieldsOf, mapOf, parseValue, restNumber, sortedNames, text, typeOf, vectorOf,
} from './values.js';

/** A number as it was written: JSON.parse would not keep 1 and 1.0, or digits beyond 2⁵³, apart. */
class NumberText {
  constructor(digits) { this.digits = digits; }
  toString() { return this.digits; }
}

/** Reads JSON with NumberTexts for numbers and Maps for objects, which know where they begin. */
class Reader {
  constructor(source) { Object.assign(this, { source, at: 0, tokenAt: 0 }); }

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
    let token = this.next();
    if (token === close) return;
    for (;;) {
      member(token);
      token = this.next();
      if (token === close) return;
      if (token !== ',') this.fail(`“,” or “${close}” is expected.`);
      token = this.next();
    }
  }

  string(token) {
    try {
      if (token[0] === '"') return JSON.parse(token);
    } catch { /* A control character, or an escape that JSON does not have. */ }
    return this.fail('A text in double quotes is expected.');
  }

  value(token = this.next()) {
    if (token === '{') {
      const object = Object.assign(new Map(), { at: this.tokenAt });
      this.list('}', (name) => {
        const key = this.string(name);
        if (object.has(key)) this.fail(`“${key}” occurs twice.`);
        if (this.next() !== ':') this.fail('“:” is expected.');
        object.set(key, this.value());
      });
      return object;
    }
    if (token === '[') {
      const array = Object.assign([], { at: this.tokenAt });
      this.list(']', (element) => array.push(this.value(element)));
      return array;
    }
    if (token[0] === '"') return this.string(token);
    if (/^[-\d]/.test(token)) return new NumberText(token);
    if (!/^[tfn]/.test(token)) this.fail('A value is expected.');
    return JSON.parse(token);
  }
}

/** The fields of a document from typed JSON, plain JSON, the REST form, or an object of `hearth get`.
 *  Where plain JSON is ambiguous, a field keeps the type that it has in `before`. */
export function parseFields(source, database, before = {}) {
  const reader = new Reader(source);
  const object = reader.value();
  if (reader.next() !== '') reader.fail('This is text behind the end.');
  if (!(object instanceof Map)) reader.fail('A document is an object: { … }.', 0);
  const inner = object.get('fields');
  const isWrapped = inner instanceof Map && [...object.keys()].every((k) => /^(fields|name|path|createTime|updateTime)$/.test(k));
  if (isWrapped && (object.has('name') || (object.size === 1 && isREST(inner)))) return plain(inner);
  return new Typed(reader, database).fields(isWrapped && object.has('path') ? inner : object, before);
}

const isREST = (fields) => fields.size > 0
  && [...fields.values()].every((v) => v instanceof Map && v.size === 1 && /^[a-z][a-zP]+Value$/.test([...v.keys()][0]));

/** The REST form needs no interpretation, but integers may be written without quotes. */
function plain(v, key) {
  if (v instanceof NumberText) return key === 'integerValue' ? v.digits : restNumber(Number(v));
  if (Array.isArray(v)) return v.map((element) => plain(element));
  return v instanceof Map ? objectOf(v, plain) : v;
}

function objectOf(map, change) {
  const object = {};
  for (const [name, v] of map) define(object, name, change(v, name));
  return object;
}

class Typed {
  constructor(reader, database) { Object.assign(this, { reader, database }); }

  fields(map, before) {
    return objectOf(map, (v, name) => this.value(v, Object.hasOwn(before, name) ? before[name] : undefined, map.at));
  }

  /** `at` is where the map or array around the value begins. */
  value(v, old = {}, at = 0) {
    const kind = typeOf(old);
    if (v === null) return { nullValue: null };
    if (v === true || v === false) return { booleanValue: v };
    if (v instanceof NumberText) return this.parsed(/[.eE]/.test(v) || kind === 'double' ? 'double' : 'integer', v, at);
    if (Array.isArray(v)) {
      if (v.some(Array.isArray)) this.reader.fail('An array cannot contain an array directly.', v.at);
      return arrayOf(v.map((element, i) => this.value(element, elementsOf(old)[i], v.at)));
    }
    if (v instanceof Map) {
      const [name, content] = [...v][0] ?? [''];
      return v.size === 1 && name.startsWith('$') ? this.special(name, content, v.at) : mapOf(this.fields(v, fieldsOf(old)));
    }
    if (!['timestamp', 'reference', 'bytes'].includes(kind)) return text(v);
    try {
      return parseValue(kind, kind === 'bytes' ? `base64:${v}` : v, this.database);
    } catch {
      return text(v);
    }
  }

  special(name, content, at) {
    const numbers = (list) => list.map((n) => (n instanceof Map ? n.get('$double') : n)).join(', ');
    switch (name) {
      case '$timestamp': case '$reference': case '$double': case '$integer': return this.parsed(name.slice(1), content, at);
      case '$bytes': return this.parsed('bytes', `base64:${content}`, at);
      case '$geopoint': return this.parsed('geopoint', numbers([content?.get?.('latitude'), content?.get?.('longitude')]), at);
      case '$vector': return this.parsed('vector', numbers([content].flat()), at);
      case '$map': if (content instanceof Map) return mapOf(this.fields(content, {}));
      // falls through
      default: return this.reader.fail(
        `${name} is none of $timestamp, $bytes, $geopoint, $reference, $vector, $double, $integer, $map.`, at);
    }
  }

  parsed(type, content, at) {
    try {
      return parseValue(type, String(content), this.database);
    } catch (error) {
      return this.reader.fail(error.message, at);
    }
  }
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
      const fields = fieldsOf(value);
      const json = fieldsText(fields, database, indent, outer);
      return Object.keys(fields).length === 1 && Object.keys(fields)[0].startsWith('$') ? mark(json) : json;
    }
    default: return editText(value);
  }
}
