// SPDX-License-Identifier: Apache-2.0
// Values in the form of Firestore's REST API, and the texts people read and type. Pure: no page, no server.
//
// A value that is not edited goes back as it came. Integers are texts of digits (BigInt while they are checked), times are texts and
// never a Date, doubles keep the sign of zero.

/** @typedef {Object<string, any>} Value a value as REST writes it: {"integerValue": "3"} */
/** @typedef {Object<string, Value>} Fields */

export const types = [
  'string', 'integer', 'double', 'boolean', 'timestamp', 'reference', 'geopoint', 'array', 'map', 'vector', 'bytes', 'null',
];

const members = {
  nullValue: 'null', booleanValue: 'boolean', integerValue: 'integer', doubleValue: 'double', timestampValue: 'timestamp',
  stringValue: 'string', bytesValue: 'bytes', referenceValue: 'reference', geoPointValue: 'geopoint', arrayValue: 'array',
  mapValue: 'map', sentinel: 'sentinel',
};

/** @param {Value} value */
export function typeOf(value) {
  for (const key in value) {
    const type = members[key];
    if (type === 'map' && isVector(value)) return 'vector';
    if (type) return type;
  }
  return 'null';
}

function isVector(value) {
  const fields = value.mapValue.fields;
  return fields?.__type__?.stringValue === '__vector__' && Array.isArray(fields.value?.arrayValue?.values ?? []);
}

export const fieldsOf = (value) => value.mapValue?.fields ?? {};
export const elementsOf = (value) => value.arrayValue?.values ?? [];
export const vectorOf = (value) => (value.mapValue.fields.value?.arrayValue?.values ?? []).map(numberOf);
const numberOf = (value) => Number('doubleValue' in value ? value.doubleValue : value.integerValue);
export const bytesOf = (value) => Uint8Array.from(atob(value.bytesValue ?? ''), (c) => c.charCodeAt(0));

export const text = (string) => ({ stringValue: string });
export const mapOf = (fields) => ({ mapValue: { fields } });
export const arrayOf = (values) => ({ arrayValue: { values } });
export const vector = (numbers) => mapOf({
  __type__: text('__vector__'), value: arrayOf(numbers.map((n) => ({ doubleValue: restNumber(n) }))),
});

/** JSON has no NaN and no infinities, and JSON.stringify drops the sign of zero. */
export function restNumber(number) {
  if (Object.is(number, -0)) return '-0.0';
  return Number.isFinite(number) ? number : String(number);
}

export const bytes = (array) => {
  let binary = '';
  for (let i = 0; i < array.length; i += 8192) binary += String.fromCharCode(...array.subarray(i, i + 8192));
  return { bytesValue: btoa(binary) };
};

/** JSON that keeps the sign of zero. */
export const toJSON = (any, indent) => JSON.stringify(any, (_, v) => (Object.is(v, -0) ? '-0.0' : v), indent);

// Names and paths

/** By UTF-8 bytes, as the server orders names; the same as by code points. */
export function compareNames(a, b) {
  const [x, y] = [a[Symbol.iterator](), b[Symbol.iterator]()];
  for (;;) {
    const [l, r] = [x.next(), y.next()];
    if (l.done || r.done) return l.done ? (r.done ? 0 : -1) : 1;
    const difference = l.value.codePointAt(0) - r.value.codePointAt(0);
    if (difference) return difference;
  }
}

export const sortedNames = (fields) => Object.keys(fields).sort(compareNames);

export function fieldPath(segments) {
  return segments.map((s) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(s) ? s : '`' + s.replace(/[\\`]/g, '\\$&') + '`')).join('.');
}

/** The names in a field path: dots separate, backticks quote. Throws an Error that says what is wrong. */
export function parseFieldPath(path) {
  const segments = [];
  let i = 0;
  for (;;) {
    let name = '';
    if (path[i] === '`') {
      for (i += 1; path[i] !== '`'; i += 1) {
        if (i >= path.length) throw new Error('A backtick is not closed.');
        if (path[i] === '\\') i += 1;
        name += path[i] ?? '';
      }
      i += 1;
    } else {
      while (i < path.length && path[i] !== '.') name += path[i++];
    }
    if (!name) throw new Error('A field path has no empty parts.');
    segments.push(name);
    if (i >= path.length) return segments;
    if (path[i] !== '.') throw new Error(`A dot is expected after \`${name}\`.`);
    i += 1;
  }
}

/** The value at a path of names and indexes; undefined if there is none. */
export function valueAt(fields, path) {
  let value = mapOf(fields);
  for (const step of path) {
    if (typeof step === 'number') value = typeOf(value) === 'array' ? elementsOf(value)[step] : undefined;
    else value = typeOf(value) === 'map' && Object.hasOwn(fieldsOf(value), step) ? fieldsOf(value)[step] : undefined;
    if (!value) return undefined;
  }
  return value;
}

/** A copy of a map or array in which the member at a path is other; undefined removes it. Maps on the way are made. */
function withMember(value, [step, ...rest], change) {
  if (typeof step === 'number') {
    const items = [...elementsOf(value)];
    const next = rest.length ? withMember(items[step], rest, change) : change;
    items.splice(step, 1, ...(next === undefined ? [] : [next]));
    return arrayOf(items);
  }
  const fields = value && typeOf(value) === 'map' ? { ...fieldsOf(value) } : {};
  const inner = Object.hasOwn(fields, step) ? fields[step] : undefined;
  const next = rest.length && (inner || change !== undefined) ? withMember(inner, rest, change) : change;
  if (next === undefined) delete fields[step];
  else define(fields, step, next);
  return mapOf(fields);
}

/** The fields with another value at a path. */
export const withValue = (fields, path, value) => fieldsOf(withMember(mapOf(fields), path, value));

export const rootOf = (database) => `${database}/documents`;
export const relative = (name) => name.replace(/^projects\/[^/]+\/databases\/[^/]+\/documents\/?/, '');
export const isIn = (name, database) => name.startsWith(rootOf(database) + '/');

/** The problem of an id, or undefined. */
export function idProblem(id) {
  if (!id) return 'An id has at least one character.';
  if (id.includes('/')) return 'An id cannot contain a slash.';
  if (id === '.' || id === '..') return 'An id cannot be “.” or “..”.';
  if (/^__.*__$/s.test(id)) return 'Ids like __name__ are reserved.';
  if (new TextEncoder().encode(id).length > 1500) return 'An id has at most 1,500 bytes.';
  return undefined;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export function newID() {
  let id = '';
  while (id.length < 20) for (const b of crypto.getRandomValues(new Uint8Array(40))) if (b < 248 && id.length < 20) id += alphabet[b % 62];
  return id;
}

// Texts

/** The shortest text that reads back as this double and is not an integer's. */
export function doubleText(value) {
  const number = Number(value);
  if (Object.is(number, -0)) return '-0.0';
  const shortest = String(number);
  return /^-?\d+$/.test(shortest) ? shortest + '.0' : shortest;
}

const grouped = (digits) => String(digits).replace(/\B(?=(\d{3})+$)/g, '\u202f');

export const sizeText = (bytes) => {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let at = -1;
  while (bytes >= 999.5 && at < 3) [bytes, at] = [bytes / 1000, at + 1];
  return `${bytes < 10 ? bytes.toFixed(1) : Math.round(bytes)} ${units[at]}`;
};

/** Characters that are not seen: controls, marks of direction, joiners. */
const invisible = /[\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g;
const pictures = { '\n': '↵', '\t': '⇥', '\r': '␍', '\u00a0': '⍽' };
export const visible = (string) =>
  string.replace(invisible, (c) => pictures[c] ?? `‹${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}›`);

export const hex = (array, separator = '') => Array.from(array, (b) => b.toString(16).padStart(2, '0')).join(separator);

/** One line that shows a value: what tables and trees contain. */
export function summary(value, database) {
  switch (typeOf(value)) {
    case 'string': {
      const all = value.stringValue;
      const cut = all.length > 200 ? all.slice(0, 200) + '…' : all;
      return `"${visible(cut)}"`;
    }
    case 'integer': return grouped(value.integerValue);
    case 'double': return doubleText(value.doubleValue);
    case 'boolean': return String(value.booleanValue);
    case 'timestamp': return value.timestampValue.replace('T', ' ');
    case 'reference': return referenceText(value, database);
    case 'geopoint': return `${coordinate(value, 'latitude')}, ${coordinate(value, 'longitude')}`;
    case 'array': return `[${elementsOf(value).length}]`;
    case 'map': {
      const names = sortedNames(fieldsOf(value));
      return `{${names.slice(0, 4).map((n) => visible(n.slice(0, 24))).join(', ')}${names.length > 4 ? ', …' : ''}}`;
    }
    case 'vector': {
      const numbers = vectorOf(value);
      return `${numbers.length} · ${numbers.slice(0, 3).map(Number).join(', ')}${numbers.length > 3 ? ', …' : ''}`;
    }
    case 'bytes': {
      const array = bytesOf(value);
      return `${sizeText(array.length)} · ${hex(array.subarray(0, 16), ' ')}${array.length > 16 ? ' …' : ''}`;
    }
    case 'sentinel': return sentinelText(value.sentinel);
    default: return 'null';
  }
}

const coordinate = (value, name) => String(doubleText(value.geoPointValue[name] ?? 0)).replace(/\.0$/, '');

export function referenceText(value, database) {
  const name = value.referenceValue;
  return database && isIn(name, database) ? relative(name) : name;
}

/** The text that is put into an input, of types that are edited as one. */
export function editText(value, database) {
  switch (typeOf(value)) {
    case 'string': return value.stringValue;
    case 'integer': return value.integerValue;
    case 'double': return doubleText(value.doubleValue);
    case 'boolean': return String(value.booleanValue);
    case 'timestamp': return value.timestampValue;
    case 'reference': return referenceText(value, database);
    case 'geopoint': return `${coordinate(value, 'latitude')}, ${coordinate(value, 'longitude')}`;
    case 'vector': return vectorOf(value).map((n) => (Object.is(n, -0) ? '-0' : String(n))).join(', ');
    case 'bytes': return hex(bytesOf(value), ' ');
    case 'null': return 'null';
    default: return '';
  }
}

/** The value of a typed text. Throws an Error with a sentence for the person who typed it. */
export function parseValue(type, typed, database) {
  const trimmed = typed.trim();
  switch (type) {
    case 'string': return text(typed);
    case 'integer': return { integerValue: parseInteger(trimmed) };
    case 'double': return { doubleValue: restNumber(parseDouble(trimmed)) };
    case 'boolean':
      if (trimmed !== 'true' && trimmed !== 'false') throw new Error('A boolean is true or false.');
      return { booleanValue: trimmed === 'true' };
    case 'timestamp': return { timestampValue: parseTimestamp(trimmed) };
    case 'reference': return { referenceValue: parseReference(trimmed, database) };
    case 'geopoint': return parseGeoPoint(trimmed);
    case 'vector': return vector(parseNumbers(trimmed));
    case 'bytes': return bytes(parseBytes(trimmed));
    case 'null': return { nullValue: null };
    default: throw new Error(`A value of type ${type} is not one line of text.`);
  }
}

function parseInteger(typed) {
  const digits = typed.replace(/[\s_\u202f\u2009,']/g, '').replace(/^\u2212/, '-');
  if (!/^[+-]?\d+$/.test(digits)) throw new Error('An integer has digits only. For 1.5 choose the type double.');
  const number = BigInt(digits.replace('+', ''));
  if (BigInt.asIntN(64, number) !== number) {
    throw new Error('Integers have 64 bits: −9,223,372,036,854,775,808 to 9,223,372,036,854,775,807.');
  }
  return number.toString();
}

function parseDouble(typed) {
  const plain = typed.replace(/[\s\u202f]/g, '').replace(/^\u2212/, '-');
  if (/^[+-]?(nan)$/i.test(plain)) return NaN;
  if (/^[+-]?(inf|infinity|∞)$/i.test(plain)) return plain[0] === '-' ? -Infinity : Infinity;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) throw new Error('A double is a number such as 1.5, 6.02e23, NaN or -Infinity.');
  const number = Number(plain);
  if (!Number.isFinite(number)) throw new Error('This is more than a double can hold; write Infinity if that is meant.');
  return number;
}

function parseNumbers(typed) {
  const inner = typed.replace(/^\[|\]$/g, '').trim();
  const numbers = inner ? inner.split(/[\s,;]+/).filter(Boolean).map(parseDouble) : [];
  if (numbers.length > 2048) throw new Error(`A vector has at most 2,048 dimensions, and this has ${numbers.length}.`);
  return numbers;
}

function parseGeoPoint(typed) {
  const parts = typed.split(/[\s,;]+/).filter(Boolean).map(parseDouble);
  if (parts.length !== 2) throw new Error('A geopoint is two numbers: latitude, longitude.');
  if (!(Math.abs(parts[0]) <= 90)) throw new Error('The latitude is from −90 to 90.');
  if (!(Math.abs(parts[1]) <= 180)) throw new Error('The longitude is from −180 to 180.');
  return { geoPointValue: { latitude: restNumber(parts[0]), longitude: restNumber(parts[1]) } };
}

function parseReference(typed, database) {
  const path = typed.replace(/^\/+|\/+$/g, '');
  const isFull = /^projects\/[^/]+\/databases\/[^/]+\/documents\/./.test(path);
  const segments = relative(path).split('/');
  const problem = segments.map(idProblem).find(Boolean);
  if (problem) throw new Error(problem);
  if (segments.length % 2) throw new Error('A reference names a document: collection/id, or collection/id/collection/id.');
  return isFull ? path : `${rootOf(database)}/${path}`;
}

/** Hexadecimal digits, or base64 behind “base64:”: a text like "ABCD" is both, so it has to be said. */
function parseBytes(typed) {
  const plain = typed.replace(/\s/g, '');
  if (/^(0x)?([0-9a-f]{2})*$/i.test(plain)) {
    return Uint8Array.from(plain.replace(/^0x/i, '').match(/../g) ?? [], (pair) => parseInt(pair, 16));
  }
  try {
    if (!plain.startsWith('base64:')) throw new Error();
    const base64 = plain.slice(7).replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '');
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  } catch {
    throw new Error('Bytes are pairs of hexadecimal digits, or “base64:” and base64.');
  }
}

// Times

const monthDays = (year, month) =>
  month === 2 ? (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

/** Days since 1970-01-01 of a date of the Gregorian calendar. */
function daysOf(year, month, day) {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const yearOfEra = y - era * 400;
  return era * 146097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719468;
}

function dateOf(days) {
  const z = days + 719468;
  const era = Math.floor(z / 146097);
  const e = z - era * 146097;
  const year = Math.floor((e - Math.floor(e / 1460) + Math.floor(e / 36524) - Math.floor(e / 146096)) / 365);
  const dayOfYear = e - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const m = Math.floor((5 * dayOfYear + 2) / 153);
  const month = m < 10 ? m + 3 : m - 9;
  return [year + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - Math.floor((153 * m + 2) / 5) + 1];
}

const two = (n, width = 2) => String(n).padStart(width, '0');
const dateTime = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/i;

/** The same moment as RFC 3339 in UTC, with the digits behind the point as typed. */
export function parseTimestamp(typed) {
  const found = dateTime.exec(typed.replace('\u2212', '-'));
  if (!found) throw new Error('A timestamp is like 2026-11-22T09:30:00.25Z, with up to 9 digits, or with an offset like +01:00.');
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((n) => Number(n ?? 0));
  const fraction = found[7] ?? '';
  if (month < 1 || month > 12 || day < 1 || day > monthDays(year, month)) throw new Error(`There is no day ${typed.slice(0, 10)}.`);
  if (hour > 23 || minute > 59 || second > 59) throw new Error('The time of day ends at 23:59:59.');
  if (fraction.length > 9) throw new Error('A timestamp has at most 9 digits behind the point.');
  const zone = /^([+-])(\d\d):?(\d\d)$/.exec(found[8] ?? '');
  const offset = zone ? (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3])) : 0;
  const minutes = daysOf(year, month, day) * 1440 + hour * 60 + minute - offset;
  const [y, m, d] = dateOf(Math.floor(minutes / 1440));
  if (y < 1 || y > 9999) throw new Error('A timestamp is from year 1 to 9999.');
  const rest = ((minutes % 1440) + 1440) % 1440;
  const digits = fraction.replace(/0+$/, '');
  return `${two(y, 4)}-${two(m)}-${two(d)}T${two(Math.floor(rest / 60))}:${two(rest % 60)}:${two(second)}${digits ? '.' + digits : ''}Z`;
}

/** The local time of a timestamp, with all its digits. Only the difference to UTC comes from the system. */
export function localTime(timestamp) {
  const found = /^(-?\d+-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z$/.exec(timestamp);
  const moment = found ? Date.parse(found[1] + 'Z') : NaN;
  if (Number.isNaN(moment)) return timestamp;
  const offset = -new Date(moment).getTimezoneOffset();
  const local = new Date(moment + offset * 60000).toISOString().slice(0, 19).replace('T', ' ');
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const zone = offset === 0 ? 'UTC' : `UTC${offset < 0 ? '−' : '+'}${two(hours)}:${two(minutes)}`;
  return `${local}${found[2] ?? ''} ${zone}`;
}

// Types changed by the type menu

/** A value of another type that keeps what can be kept. */
export function converted(value, type, database) {
  const from = typeOf(value);
  if (from === type) return value;
  switch (type) {
    case 'null': return { nullValue: null };
    case 'array': return from === 'vector' ? arrayOf(vectorOf(value).map((n) => ({ doubleValue: restNumber(n) }))) : arrayOf([]);
    case 'map': return from === 'vector' ? mapOf({}) : mapOf({});
    case 'boolean': return { booleanValue: from === 'integer' || from === 'double' ? numberOf(value) !== 0 : editText(value) === 'true' };
    case 'integer':
      if (from === 'double') {
        const whole = Math.round(numberOf(value));
        if (Number.isSafeInteger(whole)) return { integerValue: BigInt(whole).toString() };
      }
      break;
    case 'double':
      if (from === 'integer') return { doubleValue: numberOf(value) };
      break;
    case 'vector':
      if (from === 'array') {
        const items = elementsOf(value);
        if (items.every((i) => ['integer', 'double'].includes(typeOf(i)))) return vector(items.map(numberOf));
      }
      break;
    case 'bytes':
      return bytes(new TextEncoder().encode(from === 'string' ? value.stringValue : ''));
    case 'string': {
      if (from === 'bytes') return text(new TextDecoder().decode(bytesOf(value)));
      return text(from === 'null' ? '' : editText(value, database));
    }
  }
  try {
    return parseValue(type, editText(value, database), database);
  } catch {
    return initial(type, database);
  }
}

/** What a new field of a type begins with. */
export function initial(type, database) {
  switch (type) {
    case 'integer': return { integerValue: '0' };
    case 'double': return { doubleValue: 0 };
    case 'boolean': return { booleanValue: false };
    case 'timestamp': return { timestampValue: new Date().toISOString() };
    case 'reference': return { referenceValue: `${rootOf(database ?? 'projects/p/databases/d')}/collection/id` };
    case 'geopoint': return { geoPointValue: { latitude: 0, longitude: 0 } };
    case 'array': return arrayOf([]);
    case 'map': return mapOf({});
    case 'vector': return vector([]);
    case 'bytes': return { bytesValue: '' };
    case 'null': return { nullValue: null };
    default: return text('');
  }
}

// What the server computes

export const sentinels = {
  serverTime: 'Server time', increment: 'Increment by…', union: 'Array union…', remove: 'Array removal…',
};

function sentinelText(sentinel) {
  switch (sentinel.kind) {
    case 'serverTime': return 'server time when saved';
    case 'increment': return `increment by ${summary(sentinel.operand)}`;
    case 'union': return `add missing ${elementsOf(sentinel.operand).length} to the array`;
    default: return `remove ${elementsOf(sentinel.operand).length} from the array`;
  }
}

function transform(path, { kind, operand }) {
  const field = { fieldPath: fieldPath(path) };
  if (kind === 'serverTime') return { ...field, setToServerValue: 'REQUEST_TIME' };
  if (kind === 'increment') return { ...field, increment: operand };
  return { ...field, [kind === 'union' ? 'appendMissingElements' : 'removeAllFromArray']: operand.arrayValue };
}

/** Takes what the server computes out of fields, and lists it as transforms. */
function withoutSentinels(fields, path, transforms) {
  const kept = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value.sentinel) transforms.push(transform([...path, name], value.sentinel));
    else if (typeOf(value) === 'map') define(kept, name, mapOf(withoutSentinels(fieldsOf(value), [...path, name], transforms)));
    else define(kept, name, value);
  }
  return kept;
}

/** A member of any name, `__proto__` included. */
export function define(object, name, value) {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

// Comparing and saving

export function same(a, b) {
  if (a === b) return true;
  const type = typeOf(a);
  if (type !== typeOf(b)) return false;
  switch (type) {
    case 'double': return Object.is(Number(a.doubleValue), Number(b.doubleValue));
    case 'array': return sameList(elementsOf(a), elementsOf(b));
    case 'map': return sameFields(fieldsOf(a), fieldsOf(b));
    case 'vector': return sameList(vectorOf(a), vectorOf(b), Object.is);
    case 'geopoint':
      return ['latitude', 'longitude'].every((n) => Object.is(Number(a.geoPointValue[n] ?? 0), Number(b.geoPointValue[n] ?? 0)));
    case 'null': return true;
    case 'sentinel': return toJSON(a) === toJSON(b);
    default: {
      const key = Object.keys(a).find((k) => k in members);
      return a[key] === b[key];
    }
  }
}

const sameList = (a, b, equal = same) => a.length === b.length && a.every((v, i) => equal(v, b[i]));

export function sameFields(a, b) {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((n) => Object.hasOwn(b, n) && same(a[n], b[n]));
}

/** The paths that differ, each as long as possible: maps are compared field by field, everything else as a whole. */
export function changedPaths(before, after, prefix = []) {
  const paths = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before, after].map((f) => (Object.hasOwn(f, name) ? f[name] : undefined));
    const path = [...prefix, name];
    if (!old || !now) paths.push(path);
    else if (typeOf(old) === 'map' && typeOf(now) === 'map' && Object.keys(fieldsOf(old)).length && Object.keys(fieldsOf(now)).length) {
      paths.push(...changedPaths(fieldsOf(old), fieldsOf(now), path));
    } else if (!same(old, now)) paths.push(path);
  }
  return paths;
}

/** One write of just what differs, for a commit; undefined if nothing does. */
export function writeOfChanges(name, before, after, precondition) {
  const transforms = [];
  let fields = {};
  const mask = [];
  for (const path of changedPaths(before, after)) {
    const value = valueAt(after, path);
    if (value?.sentinel) {
      transforms.push(transform(path, value.sentinel));
      continue;
    }
    mask.push(fieldPath(path));
    if (!value) continue;
    fields = withValue(fields, path, typeOf(value) === 'map' ? mapOf(withoutSentinels(fieldsOf(value), path, transforms)) : value);
  }
  if (!mask.length && !transforms.length) return undefined;
  return {
    update: { name, fields }, updateMask: { fieldPaths: mask },
    ...(transforms.length && { updateTransforms: transforms }), ...(precondition && { currentDocument: precondition }),
  };
}

/** A write of a whole document. */
export function writeOfDocument(name, fields, precondition) {
  const transforms = [];
  const kept = withoutSentinels(fields, [], transforms);
  return {
    update: { name, fields: kept }, ...(transforms.length && { updateTransforms: transforms }),
    ...(precondition && { currentDocument: precondition }),
  };
}
