// SPDX-License-Identifier: Apache-2.0
// What differs between two versions of a document, and the writes of it. Pure.
import { valueText } from './json.js';
import { define, fieldPath, fieldsOf, mapOf, typeOf, valueAt, withValue } from './values.js';

/** Typed JSON says the same of what is the same: names are sorted, doubles and times have one text. */
export const same = (a, b) => a === b || Boolean(a && b) && valueText(a) === valueText(b);
export const sameFields = (a, b) => same(mapOf(a), mapOf(b));

/** The paths that differ, each as long as possible: maps are compared field by field, everything else as a whole. */
export function changedPaths(before, after, prefix = []) {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [old, now] = [before, after].map((fields) => valueAt(fields, [name]));
    const inner = [old, now].map((v) => (v && typeOf(v) === 'map' ? fieldsOf(v) : {}));
    if (inner.every((fields) => Object.keys(fields).length)) return changedPaths(...inner, [...prefix, name]);
    return same(old, now) ? [] : [[...prefix, name]];
  });
}

const transforms = {
  serverTime: () => ({ setToServerValue: 'REQUEST_TIME' }), increment: (operand) => ({ increment: operand }),
  union: ({ arrayValue }) => ({ appendMissingElements: arrayValue }), remove: ({ arrayValue }) => ({ removeAllFromArray: arrayValue }),
};

/** Takes what the server computes out of a value, and lists it as transforms. */
function withoutSentinels(value, path, found) {
  if (value.sentinel) found.push({ fieldPath: fieldPath(path), ...transforms[value.sentinel.kind](value.sentinel.operand) });
  if (value.sentinel || typeOf(value) !== 'map') return value;
  const kept = {};
  for (const [name, inner] of Object.entries(fieldsOf(value))) {
    const rest = withoutSentinels(inner, [...path, name], found);
    if (!rest.sentinel) define(kept, name, rest);
  }
  return mapOf(kept);
}

/** One write of just what differs, for a commit; undefined if nothing does. */
export function writeOfChanges(name, before, after, currentDocument) {
  const updateTransforms = [];
  const fieldPaths = [];
  let fields = {};
  for (const path of changedPaths(before, after)) {
    const value = valueAt(after, path);
    const kept = value && withoutSentinels(value, path, updateTransforms);
    if (!kept?.sentinel) fieldPaths.push(fieldPath(path));
    if (kept && !kept.sentinel) fields = withValue(fields, path, kept);
  }
  if (!fieldPaths.length && !updateTransforms.length) return undefined;
  return { update: { name, fields }, updateMask: { fieldPaths }, ...(updateTransforms.length && { updateTransforms }), currentDocument };
}

export function writeOfDocument(name, fields, currentDocument) {
  const updateTransforms = [];
  const kept = fieldsOf(withoutSentinels(mapOf(fields), [], updateTransforms));
  return { update: { name, fields: kept }, ...(updateTransforms.length && { updateTransforms }), currentDocument };
}
