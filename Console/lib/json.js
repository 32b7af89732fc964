// SPDX-License-Identifier: Apache-2.0
// Documents as text: typed JSON (docs/cli.md), in which 1 is an integer and 1.0 a double. Pure.
import * as values from './values.js';

/** What is wrong in a text, and where. */
class TextError extends Error {
  constructor(message, line, column) {
    super(`Line ${line}, column ${column}: ${message}`);
    Object.assign(this, { line, column, reason: message });
  }
}

/** A number as it was written, so that 1 and 1.0, and digits beyond 2⁵³, stay apart. */
class NumberText {
  constructor(text) { this.text = text; }
}

/** JSON whose numbers are NumberTexts and whose objects are arrays of entries in a Map. */
class Reader {
  constructor(text) { Object.assign(this, { text, at: 0 }); }

  fail(message, at = this.at) {
    const before = this.text.slice(0, at).split('\n');
    throw new TextError(message, before.length, before.at(-1).length + 1);
  }

  space() { while (/\s/.test(this.text[this.at] ?? '')) this.at += 1; }

  take(character) {
    this.space();
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  expect(character) { if (!this.take(character)) this.fail(`“${character}” is expected.`); }

  whole() {
    const value = this.value();
    this.space();
    if (this.at < this.text.length) this.fail('This is text behind the end.');
    return value;
  }

  value(depth = 0) {
    this.space();
    if (depth > 100) this.fail('Values are nested too deep.');
    const start = this.at;
    const c = this.text[start];
    if (c === '{') {
      const object = new Map();
      object.at = start;
      this.at += 1;
      if (this.take('}')) return object;
      do {
        this.space();
        const nameAt = this.at;
        if (this.text[nameAt] !== '"') this.fail('A name in double quotes is expected.');
        const name = this.string();
        if (object.has(name)) this.fail(`“${name}” occurs twice.`, nameAt);
        this.expect(':');
        object.set(name, this.value(depth + 1));
      } while (this.take(','));
      this.expect('}');
      return object;
    }
    if (c === '[') {
      const array = [];
      this.at += 1;
      if (this.take(']')) return array;
      do array.push(this.value(depth + 1)); while (this.take(','));
      this.expect(']');
      return array;
    }
    if (c === '"') return this.string();
    const rest = this.text.slice(start, start + 400);
    const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/.exec(rest);
    if (number) {
      this.at += number[0].length;
      return new NumberText(number[0]);
    }
    for (const [word, value] of [['true', true], ['false', false], ['null', null]]) {
      if (rest.startsWith(word)) {
        this.at += word.length;
        return value;
      }
    }
    return this.fail('A value is expected: text in double quotes, a number, true, false, null, { or [.');
  }

  string() {
    const start = this.at;
    for (let i = start + 1; ; i += 1) {
      if (i >= this.text.length || this.text[i] === '\n') this.fail('This text has no closing double quote.', start);
      if (this.text[i] === '\\') i += 1;
      else if (this.text[i] === '"') {
        this.at = i + 1;
        try {
          return JSON.parse(this.text.slice(start, i + 1));
        } catch {
          return this.fail('This text contains an escape sequence or a character that JSON does not allow.', start);
        }
      }
    }
  }
}

/** The fields of a document from typed JSON, plain JSON, the REST form, or an object of `hearth get`.
 *  Where plain JSON is ambiguous, a field keeps the type that it has in `before`. */
export function parseFields(text, database, before = {}) {
  const reader = new Reader(text);
  const object = reader.whole();
  if (!(object instanceof Map)) throw new TextError('A document is an object: { … }.', 1, 1);
  const inner = object.get('fields');
  const isWrapped = inner instanceof Map && [...object.keys()].every((k) => ['fields', 'name', 'path', 'createTime',
    'updateTime'].includes(k));
  if (isWrapped && (object.has('name') || (object.size === 1 && isREST(inner)))) return restFields(inner);
  return typedFields(isWrapped && object.has('path') ? inner : object, reader, database, before);
}

const restNames = /^(null|boolean|integer|double|timestamp|string|bytes|reference|geoPoint|array|map)Value$/;
const isREST = (fields) => fields.size > 0 && [...fields.values()].every((v) => v instanceof Map && v.size === 1
  && restNames.test([...v.keys()][0]));

/** The REST form needs no interpretation, but numbers beyond 2⁵³ may be written without quotes. */
function restFields(fields) {
  const plain = (v, key) => {
    if (v instanceof NumberText) return key === 'integerValue' ? v.text : values.restNumber(Number(v.text));
    if (Array.isArray(v)) return v.map((e) => plain(e));
    if (v instanceof Map) return fromEntries([...v].map(([k, e]) => [k, plain(e, k)]));
    return v;
  };
  return plain(fields);
}

function fromEntries(entries) {
  const object = {};
  for (const [name, value] of entries) values.define(object, name, value);
  return object;
}

function typedFields(map, reader, database, before) {
  return fromEntries([...map].map(([name, v]) => {
    if (!name) reader.fail('A field has a name.', map.at);
    return [name, typed(v, reader, database, Object.hasOwn(before, name) ? before[name] : undefined, false, map.at)];
  }));
}

function typed(v, reader, database, old, isElement, at) {
  if (v === null) return { nullValue: null };
  if (typeof v === 'boolean') return { booleanValue: v };
  if (v instanceof NumberText) {
    const isDouble = /[.eE]/.test(v.text) || (old && values.typeOf(old) === 'double');
    return parsed(isDouble ? 'double' : 'integer', v.text, reader, database, at);
  }
  if (typeof v === 'string') {
    const kind = old && values.typeOf(old);
    if (['timestamp', 'reference', 'bytes'].includes(kind)) {
      try {
        return values.parseValue(kind, kind === 'bytes' ? `base64:${v}` : v, database);
      } catch { /* A text that is not of the old type is a string. */ }
    }
    return values.text(v);
  }
  if (Array.isArray(v)) {
    if (isElement) reader.fail('An array cannot contain an array directly.', at);
    const olds = old && values.typeOf(old) === 'array' ? values.elementsOf(old) : [];
    return values.arrayOf(v.map((e, i) => typed(e, reader, database, olds[i], true, e?.at ?? at)));
  }
  const [name] = v.keys();
  if (v.size === 1 && name.startsWith('$')) return special(name, v.get(name), reader, database, v.at);
  return values.mapOf(typedFields(v, reader, database, old && values.typeOf(old) === 'map' ? values.fieldsOf(old) : {}));
}

function special(name, v, reader, database, at) {
  const number = (n) => (n instanceof NumberText ? n.text : String(n));
  switch (name) {
    case '$timestamp': case '$reference': return parsed(name.slice(1), String(v), reader, database, at);
    case '$bytes': {
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(v) || v.length % 4) reader.fail('$bytes is base64.', at);
      return { bytesValue: v };
    }
    case '$double': case '$integer': return parsed(name.slice(1), number(v), reader, database, at);
    case '$geopoint':
      if (!(v instanceof Map)) reader.fail('$geopoint has latitude and longitude.', at);
      return parsed('geopoint', `${number(v.get('latitude'))}, ${number(v.get('longitude'))}`, reader, database, at);
    case '$vector':
      if (!Array.isArray(v)) reader.fail('$vector is an array of numbers.', at);
      return parsed('vector', v.map((n) => (n instanceof Map ? number(n.get('$double')) : number(n))).join(', '), reader, database, at);
    case '$map':
      if (!(v instanceof Map)) reader.fail('$map is an object.', at);
      return values.mapOf(typedFields(v, reader, database, {}));
    default:
      return reader.fail(
        `${name} is not a type. The types are $timestamp, $bytes, $geopoint, $reference, $vector, $double, $integer; `
        + 'write a map with such a field as {"$map": …}.', at);
  }
}

function parsed(type, text, reader, database, at) {
  try {
    return values.parseValue(type, text, database);
  } catch (error) {
    return reader.fail(error.message, at ?? reader.at);
  }
}

/** Typed JSON of fields, names sorted. */
export function fieldsText(fields, database, indent = '  ') {
  return objectText(fields, database, '', indent);
}

function objectText(fields, database, before, indent) {
  const names = values.sortedNames(fields);
  if (!names.length) return '{}';
  const inner = before + indent;
  const [open, next, close] = indent ? [`{\n${inner}`, `,\n${inner}`, `\n${before}}`] : ['{', ', ', '}'];
  return open + names.map((n) => `${JSON.stringify(n)}: ${valueText(fields[n], database, inner, indent)}`).join(next) + close;
}

export function valueText(value, database, before = '', indent = '') {
  const mark = (name, json) => `{"$${name}": ${json}}`;
  switch (values.typeOf(value)) {
    case 'string': return JSON.stringify(value.stringValue);
    case 'integer': return value.integerValue;
    case 'double': {
      const number = Number(value.doubleValue);
      return Number.isFinite(number) ? values.doubleText(number) : mark('double', `"${number}"`);
    }
    case 'boolean': return String(value.booleanValue);
    case 'timestamp': return mark('timestamp', JSON.stringify(value.timestampValue));
    case 'bytes': return mark('bytes', JSON.stringify(value.bytesValue ?? ''));
    case 'reference': return mark('reference', JSON.stringify(values.referenceText(value, database)));
    case 'geopoint': {
      const { latitude = 0, longitude = 0 } = value.geoPointValue;
      return mark('geopoint', `{"latitude": ${values.doubleText(latitude)}, "longitude": ${values.doubleText(longitude)}}`);
    }
    case 'vector': {
      const numbers = values.vectorOf(value);
      return mark('vector', `[${numbers.map((n) => (Number.isFinite(n) ? values.doubleText(n) : mark('double', `"${n}"`))).join(', ')}]`);
    }
    case 'array': {
      const items = values.elementsOf(value);
      if (!items.length) return '[]';
      const inner = before + indent;
      const [open, next, close] = indent ? [`[\n${inner}`, `,\n${inner}`, `\n${before}]`] : ['[', ', ', ']'];
      return open + items.map((v) => valueText(v, database, inner, indent)).join(next) + close;
    }
    case 'map': {
      const fields = values.fieldsOf(value);
      const names = Object.keys(fields);
      const json = objectText(fields, database, before, indent);
      return names.length === 1 && names[0].startsWith('$') ? mark('map', json) : json;
    }
    default: return 'null';
  }
}
