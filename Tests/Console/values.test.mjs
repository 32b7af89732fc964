// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from '../../Console/lib/values.js';
import * as c from '../../Console/lib/changes.js';
import { fieldsText, parseFields } from '../../Console/lib/json.js';

const database = 'projects/p/databases/(default)';

test('integers have 64 bits', () => {
  for (const digits of ['9223372036854775807', '-9223372036854775808', '9007199254740993', '0']) {
    assert.deepEqual(v.parseValue('integer', digits), { integerValue: digits });
  }
  assert.deepEqual(v.parseValue('integer', '1\u202f234 567'), { integerValue: '1234567' });
  for (const wrong of ['9223372036854775808', '1.5', '', 'x', '1e3', '0x10']) assert.throws(() => v.parseValue('integer', wrong));
});

test('doubles preserve the sign of zero, and have a text that is not an integer\'s', () => {
  assert.deepEqual(v.parseValue('double', '-0.0'), { doubleValue: '-0.0' });
  assert.equal(v.toJSON({ doubleValue: -0 }), '{"doubleValue":"-0.0"}');
  const cases = [[1, '1.0'], [-0, '-0.0'], ['-0.0', '-0.0'], ['NaN', 'NaN'], ['-Infinity', '-Infinity'], [1e21, '1e+21'], [0.1, '0.1'], [5e-324, '5e-324']];
  for (const [value, text] of cases) {
    assert.equal(v.doubleText(value), text);
    assert.ok(c.same(v.parseValue('double', text), { doubleValue: value }), text);
  }
  for (const wrong of ['1e999', '', 'one', '1,5']) assert.throws(() => v.parseValue('double', wrong));
});

test('timestamps preserve 9 digits and become UTC', () => {
  const cases = [
    ['2026-11-22T09:30:00.123456789Z', '2026-11-22T09:30:00.123456789Z'], ['2026-11-22T09:30:00.25+01:00', '2026-11-22T08:30:00.25Z'],
    ['2024-02-29 23:59:59 -00:01', '2024-03-01T00:00:59Z'], ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999999999Z'], ['2026-11-22', '2026-11-22T00:00:00Z'],
    ['1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59.5Z'], ['2026-01-01T00:30+0100', '2025-12-31T23:30:00Z'],
    ['1900-03-01T00:00:00+00:01', '1900-02-28T23:59:00Z'], ['2000-03-01T00:00:00+00:01', '2000-02-29T23:59:00Z'],
  ];
  for (const [typed, stored] of cases) assert.equal(v.parseTimestamp(typed), stored);
  for (const wrong of ['2026-02-29', '2026-13-01', '2026-11-22T24:00:00Z', '2026-11-22T00:00:00.1234567890Z', 'now', '0001-01-01T00:00:00+01:00']) {
    assert.throws(() => v.parseTimestamp(wrong), wrong);
  }
});

test('bytes, geopoints, references and vectors are read from text', () => {
  assert.deepEqual(v.parseValue('bytes', '00 01 ff'), { bytesValue: 'AAH/' });
  assert.deepEqual(v.parseValue('bytes', 'base64:AAH_'), { bytesValue: 'AAH/' });
  assert.throws(() => v.parseValue('bytes', '0g'));
  assert.deepEqual(v.parseValue('geopoint', '37.8, -0'), { geoPointValue: { latitude: 37.8, longitude: '-0.0' } });
  for (const wrong of ['91, 0', '0, 181', '1', 'NaN, 0']) assert.throws(() => v.parseValue('geopoint', wrong));
  assert.deepEqual(v.parseValue('reference', 'a/b', database), { referenceValue: `${database}/documents/a/b` });
  for (const wrong of ['a', 'a//b', 'a/..', 'a/__x__']) assert.throws(() => v.parseValue('reference', wrong, database), wrong);
  assert.deepEqual(v.vectorOf(v.parseValue('vector', '[1, -0, NaN]')), [1, -0, NaN]);
});

test('field paths quote what they must', () => {
  for (const names of [['a', 'b'], ['a.b'], ['a`b\\c'], ['1'], ['é'], ['a b', '_c'], ['', 'a', '']]) assert.deepEqual(v.parseFieldPath(v.fieldPath(names)), names);
  for (const wrong of ['', 'a.', '.a', '`a', '`a`b']) assert.throws(() => v.parseFieldPath(wrong), wrong);
});

test('names are ordered by UTF-8 bytes', () => {
  assert.deepEqual(['\u{1F600}', '\uFFFD', 'a', 'B', ''].sort(v.compareNames), ['', 'B', 'a', '\uFFFD', '\u{1F600}']);
});

test('a save names only what differs', () => {
  const before = { a: { integerValue: '1' }, m: v.mapOf({ x: v.text('1'), 'y.z': v.text('2') }), gone: v.text('') };
  const after = { a: { integerValue: '1' }, m: v.mapOf({ x: v.text('1'), 'y.z': v.text('3'), n: { sentinel: { kind: 'serverTime' } } }), new: v.mapOf({}) };
  assert.deepEqual(c.writeOfChanges('N', before, after, { updateTime: 'T' }), {
    update: { name: 'N', fields: { m: v.mapOf({ 'y.z': v.text('3') }), new: v.mapOf({}) } },
    updateMask: { fieldPaths: ['m.`y.z`', 'gone', 'new'] },
    updateTransforms: [{ fieldPath: 'm.n', setToServerValue: 'REQUEST_TIME' }], currentDocument: { updateTime: 'T' },
  });
  assert.equal(c.writeOfChanges('N', before, structuredClone(before)), undefined);
  assert.deepEqual(c.changedPaths({ d: { doubleValue: 0 } }, { d: { doubleValue: '-0.0' } }), [['d']]);
  assert.deepEqual(c.changedPaths({ d: { doubleValue: 'NaN' } }, { d: { doubleValue: 'NaN' } }), []);
  assert.deepEqual(c.changedPaths({ m: v.mapOf({}) }, { m: v.mapOf({ a: v.text('') }) }), [['m']]);
  assert.deepEqual(c.changedPaths({ g: { geoPointValue: { latitude: 1 } } }, { g: { geoPointValue: { latitude: 1, longitude: 0 } } }), []);
});

test('fields with names of Object.prototype are fields', () => {
  const fields = parseFields('{"__proto__": 1, "constructor": "x"}', database);
  assert.deepEqual(Object.keys(fields), ['__proto__', 'constructor']);
  assert.equal(fieldsText(fields, database, ''), '{"__proto__": 1, "constructor": "x"}');
  assert.equal(v.valueAt({}, ['constructor']), undefined);
  assert.deepEqual(c.changedPaths({}, fields).length, 2);
});

test('typed JSON is read back unchanged', () => {
  const fields = {
    n: { integerValue: '9223372036854775807' }, d: { doubleValue: '-0.0' }, nan: { doubleValue: 'NaN' }, t: { timestampValue: '2026-11-22T09:30:00.123456789Z' },
    b: { bytesValue: 'AAEC/w==' }, r: { referenceValue: `${database}/documents/a/b` }, g: { geoPointValue: { latitude: 1, longitude: 2 } }, nul: { nullValue: null },
    e: v.arrayOf([v.text('"\n'), v.mapOf({}), { booleanValue: true }]), v: v.vector([1.5, -0]), $m: v.mapOf({ $price: { integerValue: '3' } }),
    other: { referenceValue: 'projects/q/databases/d/documents/a/b' },
  };
  for (const indent of ['', '  ']) assert.ok(c.sameFields(parseFields(fieldsText(fields, database, indent), database), fields));
});

test('plain JSON preserves the types of the fields', () => {
  const before = { at: { timestampValue: '2020-01-01T00:00:00Z' }, r: { referenceValue: `${database}/documents/a/b` }, d: { doubleValue: 1 } };
  assert.deepEqual(parseFields('{"at": "2026-11-22T00:00:00Z", "r": "c/d", "d": 2, "i": 2}', database, before), {
    at: { timestampValue: '2026-11-22T00:00:00Z' }, r: { referenceValue: `${database}/documents/c/d` }, d: { doubleValue: 2 }, i: { integerValue: '2' },
  });
  assert.deepEqual(parseFields('{"fields": {"a": {"integerValue": 9007199254740993}}}', database), { a: { integerValue: '9007199254740993' } });
});

test('errors in JSON have a position', () => {
  const place = (text) => { try { parseFields(text, database); } catch (error) { return [error.line, error.column]; } return undefined; };
  assert.deepEqual(place('{\n  "a": nope\n}'), [2, 8]);
  assert.deepEqual(place('{"a": 1, "a": 2}'), [1, 10]);
  assert.deepEqual(place('{"a": {"$time": "noon"}}'), [1, 7]);
  assert.deepEqual(place('{"a": "x'), [1, 7]);
  assert.deepEqual(place('[]'), [1, 1]);
});

test('invisible characters are shown', () => {
  assert.equal(v.visible('a\u202eb\u200b\n'), 'a‹202E›b‹200B›↵');
});
