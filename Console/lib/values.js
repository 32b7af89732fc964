// SPDX-License-Identifier: Apache-2.0
// Values in the form of Firestore's REST API, and the texts people read and type. Pure: no page, no server.
//
// A value that is not edited goes back as it came. Integers are texts of digits (BigInt while they are checked), times are texts,
// doubles keep the sign of zero.

export const text = (string) => ({ stringValue: string });
export const mapOf = (fields) => ({ mapValue: { fields } });
export const arrayOf = (values) => ({ arrayValue: { values } });
export const vector = (numbers) => ({ mapValue: vectorMap(numbers) });

function fail(problem) {
  throw new Error(problem);
}

function vectorMap(numbers) {
  if (numbers.length > 2048) fail(`A vector has at most 2,048 dimensions, and this has ${numbers.length}.`);
  return { fields: { __type__: text('__vector__'), value: arrayOf(numbers.map((n) => ({ doubleValue: restNumber(n) }))) } };
}

const decode64 = (base64 = '') => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
export const encode64 = (array) => btoa(Array.from(array, (byte) => String.fromCharCode(byte)).join(''));

/** JSON has no NaN and no infinities, and JSON.stringify drops the sign of zero. */
const restNumber = (n) => (Object.is(n, -0) ? '-0.0' : Number.isFinite(n) ? n : String(n));

const words = (typed) => typed.replace(/^\[|\]$/g, '').split(/[\s,;]+/).filter(Boolean);

/** What each type is in REST, what it begins with, how it is shown, what a person edits, and how that is read. */
const kinds = {
  string: {
    member: 'stringValue', initial: '', parse: String, shown: (s) => `"${visible(s.length > 200 ? s.slice(0, 200) + '…' : s)}"`,
  },
  integer: { member: 'integerValue', initial: '0', shown: (digits) => digits.replace(/\B(?=(\d{3})+$)/g, '\u202f'), parse: parseInteger },
  double: { member: 'doubleValue', initial: 0, edited: doubleText, parse: (typed) => restNumber(parseDouble(typed)) },
  boolean: {
    member: 'booleanValue', initial: false,
    parse: (typed) => (/^(true|false)$/.test(typed) ? typed === 'true' : fail('A boolean is true or false.')),
  },
  timestamp: { member: 'timestampValue', initial: '1970-01-01T00:00:00Z', shown: (t) => t.replace('T', ' '), parse: parseTimestamp },
  reference: {
    member: 'referenceValue', initial: '', parse: parseReference,
    edited: (name, database) => (database && isIn(name, database) ? relative(name) : name),
  },
  geopoint: {
    member: 'geoPointValue', initial: { latitude: 0, longitude: 0 }, parse: parseGeoPoint,
    edited: ({ latitude = 0, longitude = 0 }) => [latitude, longitude].map((n) => doubleText(n).replace(/\.0$/, '')).join(', '),
  },
  array: { member: 'arrayValue', initial: {}, shown: ({ values = [] }) => `[${values.length}]` },
  map: {
    member: 'mapValue', initial: {},
    shown: ({ fields = {} }) => `{${some(sortedNames(fields).map((n) => visible(n.slice(0, 24))), 4)}}`,
  },
  vector: {
    member: 'mapValue', initial: vectorMap([]), parse: (typed) => vectorMap(words(typed).map(parseDouble)),
    edited: (map) => numbersOf(map).map((n) => (Object.is(n, -0) ? '-0' : n)).join(', '),
    shown: (map) => `${numbersOf(map).length} · ${some(numbersOf(map), 3)}`,
  },
  bytes: {
    member: 'bytesValue', initial: '', edited: (base64) => hex(decode64(base64)), parse: parseBytes,
    shown: (base64) => `${sizeText(decode64(base64).length)} · ${hex(decode64(base64.slice(0, 24)).subarray(0, 16))}`,
  },
  null: { member: 'nullValue', initial: null, parse: () => null },
  /** What the server is to compute: not a type of Firestore's, and never sent as it is (changes.js). */
  sentinel: { member: 'sentinel', shown: ({ kind, operand }) => `${sentinels[kind].toLowerCase()} ${operand ? summary(operand) : ''}` },
};

export const types = Object.keys(kinds).filter((type) => type !== 'sentinel');
export const sentinels = { serverTime: 'Server time', increment: 'Increment by', union: 'Array union', remove: 'Array removal' };

export function typeOf(value) {
  const type = Object.keys(kinds).find((kind) => kinds[kind].member in value) ?? 'null';
  return type === 'map' && fieldsOf(value).__type__?.stringValue === '__vector__' ? 'vector' : type;
}

const contentOf = (value) => value[kinds[typeOf(value)].member];
const valueOf = (type, content) => ({ [kinds[type].member]: content });

export const initial = (type) => (type === 'timestamp' ? { timestampValue: new Date().toISOString() } : valueOf(type, kinds[type].initial));

/** The text that a person edits, of types that are one text. */
export function editText(value, database) {
  const { edited = String, parse } = kinds[typeOf(value)];
  return parse ? edited(contentOf(value), database) : '';
}

/** One line that shows a value: what tables and trees contain. */
export function summary(value, database) {
  const { shown, edited = String } = kinds[typeOf(value)];
  return (shown ?? edited)(contentOf(value), database);
}

/** The value of a typed text. Throws an Error with a sentence for the person who typed it. */
export function parseValue(type, typed, database) {
  const { parse } = kinds[type];
  if (!parse) fail(`A value of type ${type} is not one line of text.`);
  return valueOf(type, parse(type === 'string' ? typed : typed.trim(), database));
}

/** A value of another type that keeps what can be kept. */
export function converted(value, type, database) {
  const from = typeOf(value);
  if (from === type) return value;
  try {
    const typed = type === 'integer' && from === 'double' ? String(BigInt(Math.round(value.doubleValue))) : editText(value, database);
    return parseValue(type, from === 'null' ? '' : typed, database);
  } catch {
    return initial(type);
  }
}

export const isContainer = (value) => ['array', 'map'].includes(typeOf(value));
export const fieldsOf = (value) => value?.mapValue?.fields ?? {};
export const elementsOf = (value) => value?.arrayValue?.values ?? [];
const numbersOf = ({ fields }) => elementsOf(fields.value).map((v) => Number(v.doubleValue ?? v.integerValue));
export const vectorOf = (value) => numbersOf(value.mapValue);
export const bytesOf = (value) => decode64(value.bytesValue);

export const toJSON = (any, indent) => JSON.stringify(any, (_, v) => (Object.is(v, -0) ? '-0.0' : v), indent);

/** By UTF-8 bytes, as the server orders names; the same as by code points. */
export function compareNames(a, b) {
  const [x, y] = [[...a], [...b]];
  const at = x.findIndex((c, i) => c !== y[i]);
  if (at < 0) return x.length - y.length;
  return at >= y.length ? 1 : x[at].codePointAt(0) - y[at].codePointAt(0);
}

export const sortedNames = (fields) => Object.keys(fields).sort(compareNames);

export const fieldPath = (names) =>
  names.map((s) => (/^[A-Za-z_]\w*$/.test(s) ? s : '`' + String(s).replace(/[\\`]/g, '\\$&') + '`')).join('.');

/** The names in a field path: dots separate, backticks quote. */
export function parseFieldPath(path) {
  const names = [];
  const name = /(?:`((?:[^\\`]|\\[^])*)`|([^.`][^.]*))(?:\.(?!$)|$)/y;
  do {
    const found = name.exec(path);
    if (!found) fail(`“${path}” is not a field path: names with dots between them, in backticks if they contain dots.`);
    names.push(found[1]?.replace(/\\([^])/g, '$1') ?? found[2]);
  } while (name.lastIndex < path.length);
  return names;
}

/** A member of its own: `constructor` is a name as any other. */
export const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);
export const define = (object, name, value) =>
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });

/** The value at a path of names and indexes; undefined if there is none. */
export const valueIn = (value, path) => path.reduce((v, step) => own(typeof step === 'number' ? elementsOf(v) : fieldsOf(v), step), value);
export const valueAt = (fields, path) => valueIn(mapOf(fields), path);

/** A copy of a map or array with another member at a path; undefined removes it. Maps on the way are made. */
function withMember(value, [step, ...rest], change) {
  const isIndex = typeof step === 'number';
  const inside = isIndex ? [...elementsOf(value)] : { ...fieldsOf(value) };
  const old = own(inside, step);
  const next = rest.length && (old || change) ? withMember(old, rest, change) : change;
  if (next) define(inside, step, next);
  else if (isIndex) inside.splice(step, 1);
  else delete inside[step];
  return isIndex ? arrayOf(inside) : mapOf(inside);
}

export const withValue = (fields, path, value) => fieldsOf(withMember(mapOf(fields), path, value));

export const rootOf = (database) => `${database}/documents`;
export const documentName = (database, path) => [rootOf(database), ...path].join('/');
export const relative = (name) => name.replace(/^projects\/[^/]+\/databases\/[^/]+\/documents\/?/, '');
export const isIn = (name, database) => name.startsWith(rootOf(database) + '/');
export const lastID = (name) => name.slice(name.lastIndexOf('/') + 1);

export function idProblem(id) {
  if (!id) return 'An id has at least one character.';
  if (id.includes('/')) return 'An id cannot contain a slash.';
  if (id === '.' || id === '..') return 'An id cannot be “.” or “..”.';
  if (/^__.*__$/s.test(id)) return 'Ids like __name__ are reserved.';
  return new TextEncoder().encode(id).length > 1500 ? 'An id has at most 1,500 bytes.' : '';
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const newID = () => Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => alphabet[byte % 62]).join('');

// Texts that people read

const some = (list, most) => list.slice(0, most).join(', ') + (list.length > most ? ', …' : '');

/** The shortest text that reads back as this double and is not an integer's. */
export function doubleText(value) {
  const number = Number(value);
  if (Object.is(number, -0)) return '-0.0';
  return /^-?\d+$/.test(number) ? `${number}.0` : String(number);
}

export function sizeText(bytes) {
  const power = Math.min(4, Math.max(0, Math.floor(Math.log10(bytes || 1) / 3 + 0.0001)));
  const shown = bytes / 1000 ** power;
  return `${power && shown < 10 ? shown.toFixed(1) : Math.round(shown)} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`;
}

/** Shows controls, marks of direction and joiners, which are not seen. */
export const visible = (string) => string.replace(
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g,
  (c) => ({ '\n': '↵', '\t': '⇥' }[c] ?? `‹${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}›`));

export const hex = (array) => Array.from(array, (b) => b.toString(16).padStart(2, '0')).join(' ');

/** The local time of a timestamp, with all its digits. Only the difference to UTC comes from the system. */
export function localTime(timestamp) {
  const [, seconds, fraction = ''] = /^(.{19})(\.\d+)?Z$/.exec(timestamp) ?? [];
  const moment = Date.parse(`${seconds}Z`);
  if (Number.isNaN(moment)) return timestamp;
  const offset = -new Date(moment).getTimezoneOffset() * 60000;
  const zone = offset ? `${offset < 0 ? '−' : '+'}${new Date(Math.abs(offset)).toISOString().slice(11, 16)}` : '';
  return `${new Date(moment + offset).toISOString().slice(0, 19).replace('T', ' ')}${fraction} UTC${zone}`;
}

// Texts that people type

const plainNumber = (typed) => typed.replace(/[\s_\u202f\u2009]/g, '').replace('\u2212', '-');

function parseInteger(typed) {
  const digits = plainNumber(typed);
  if (!/^[+-]?\d+$/.test(digits)) fail('An integer has digits only. For 1.5 choose the type double.');
  const number = BigInt(digits.replace('+', ''));
  if (BigInt.asIntN(64, number) !== number) fail(`Integers have 64 bits: ${-(2n ** 63n)} to ${2n ** 63n - 1n}.`);
  return String(number);
}

function parseDouble(typed) {
  const plain = plainNumber(typed);
  if (/^[+-]?(nan|inf(inity)?)$/i.test(plain)) return /n$/i.test(plain) ? NaN : plain[0] === '-' ? -Infinity : Infinity;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) fail('A double is a number such as 1.5, 6.02e23, NaN or -Infinity.');
  return Number.isFinite(Number(plain)) ? Number(plain) : fail('This is more than a double can hold; write Infinity if that is meant.');
}

function parseGeoPoint(typed) {
  const [latitude, longitude, ...more] = words(typed).map(parseDouble);
  if (longitude === undefined || more.length) fail('A geopoint is two numbers: latitude, longitude.');
  if (!(Math.abs(latitude) <= 90)) fail('The latitude is from −90 to 90.');
  if (!(Math.abs(longitude) <= 180)) fail('The longitude is from −180 to 180.');
  return { latitude: restNumber(latitude), longitude: restNumber(longitude) };
}

function parseReference(typed, database) {
  const path = typed.replace(/^\/+|\/+$/g, '');
  const ids = relative(path).split('/');
  const problem = ids.map(idProblem).find(Boolean);
  if (problem) fail(problem);
  if (ids.length % 2) fail('A reference names a document: collection/id, or collection/id/collection/id.');
  return relative(path) === path ? `${rootOf(database)}/${path}` : path;
}

/** Hexadecimal digits, or base64 behind “base64:”: a text like "ABCD" is both, so it has to be said. */
function parseBytes(typed) {
  const plain = typed.replace(/\s/g, '');
  if (/^([0-9a-f]{2})*$/i.test(plain)) return encode64((plain.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
  try {
    if (plain.startsWith('base64:')) return btoa(atob(plain.slice(7).replaceAll('-', '+').replaceAll('_', '/')));
  } catch { /* Said below. */ }
  return fail('Bytes are pairs of hexadecimal digits, or “base64:” and base64.');
}

/** The same moment as RFC 3339 in UTC, with the digits behind the point as typed. */
export function parseTimestamp(typed) {
  const found = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|([+-])(\d\d):?(\d\d))?$/i.exec(typed);
  if (!found) fail('A timestamp is like 2026-11-22T09:30:00.25Z, with up to 9 digits, or with an offset like +01:00.');
  const [, day, time = '00:00', seconds = '00', fraction = '', , sign = '+', hours = 0, minutes = 0] = found;
  const written = `${day}T${time}:${seconds}`;
  // A Date is exact for whole seconds; the digits behind the point never get into one.
  const moment = Date.parse(`${written}Z`);
  if (Number.isNaN(moment) || !new Date(moment).toISOString().startsWith(written)) fail(`There is no ${written}.`);
  const utc = new Date(moment - Number(`${sign}1`) * (hours * 60 + Number(minutes)) * 60000);
  if (utc.getUTCFullYear() < 1 || utc.getUTCFullYear() > 9999) fail('A timestamp is from year 1 to 9999.');
  const digits = fraction.replace(/0+$/, '');
  return `${utc.toISOString().slice(0, 19)}${digits && '.' + digits}Z`;
}
