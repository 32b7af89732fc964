// SPDX-License-Identifier: Apache-2.0
// Questions about ids, fields and values, as dialogs. Each answers undefined if the person thinks better of it.
import { h, input, labelled, replace, select } from '../lib/dom.js';
import {
  arrayOf, changedPaths, converted, fieldPath, fieldsOf, idProblem, mapOf, same, sentinels, summary, toJSON, typeOf, types, valueAt,
  withValue,
} from '../lib/values.js';
import { typedInput } from './inputs.js';
import { dialog } from './widgets.js';

export const muted = (text) => h('p.muted', text);

function fail(problem) {
  if (problem) throw new Error(problem);
}

export function askID(title, action, text, label = 'Document id') {
  const field = input();
  return dialog({ title, action, body: [muted(text), labelled(label, field)], read: () => fail(idProblem(field.value)) ?? field.value });
}

export const askCollection = () =>
  askID('New collection', 'Go on', 'A collection exists as soon as it has a document.', 'Collection id');

/** The problem of a name for a field among others, as an error. */
export function checkName(name, fields) {
  fail(!name && 'A field has a name.');
  fail(Object.hasOwn(fields, name) && 'There is a field of this name.');
  fail(/^__.*__$/s.test(name) && 'Names like __name__ are reserved.');
}

export function askName({ path }, draft) {
  const field = input({ value: path.at(-1), 'aria-label': 'Name' });
  return dialog({
    title: 'Rename field', action: 'Rename', body: field,
    read: () => checkName(field.value, fieldsOf(valueAt(draft, path.slice(0, -1)) ?? mapOf(draft))) ?? field.value,
  });
}

export function askType({ path, value }, database) {
  const preview = h('p.mono.ellipsis');
  const become = (type) => converted(value, type, database);
  const show = (type) => replace(preview, h(`span.v-${type}`, summary(become(type), database)));
  const only = types.filter((type) => type !== 'array' || typeof path.at(-1) !== 'number');
  const choice = select('Type', only, typeOf(value), show);
  show(choice.value);
  return dialog({
    title: `Type of ${path.at(-1)}`, action: 'Change', read: () => become(choice.value),
    body: [labelled('Type', choice), h('.stack', 'Becomes', preview)],
  });
}

/** What the server computes in the commit: its time, an increment, array unions and removals. */
export function askComputed(_, database) {
  const only = types.filter((type) => type !== 'array' && type !== 'map');
  const operand = typedInput({ integerValue: '1' }, database, { label: 'operand', only });
  const row = h('.stack', { hidden: true }, 'Operand', operand.element);
  const kind = select('Value', Object.entries(sentinels), 'serverTime', (chosen) => { row.hidden = chosen === 'serverTime'; });
  return dialog({
    title: 'Compute when saved', action: 'Use',
    body: [muted('The server computes the value in the same commit.'), labelled('Value', kind), row],
    read: () => {
      if (kind.value === 'serverTime') return { sentinel: { kind: kind.value } };
      const value = operand.read();
      const isIncrement = kind.value === 'increment';
      fail(isIncrement && !['integer', 'double'].includes(typeOf(value)) && 'An increment is an integer or a double.');
      return { sentinel: { kind: kind.value, operand: isIncrement ? value : arrayOf([value]) } };
    },
  });
}

/** Theirs and mine, field by field, of the fields that were changed here: the fields to save. */
export function askMerge(base, theirs, mine, database) {
  const kept = new Map();
  const rows = changedPaths(base, mine).map((path) => {
    kept.set(path, true);
    const option = (which, value) => h('td', h('label.row', h('input', {
      type: 'radio', name: toJSON(path), checked: which === 'mine', 'aria-label': `${fieldPath(path)}: ${which}`,
      onchange: () => kept.set(path, which === 'mine'),
    }), value ? h(`span.mono.ellipsis.v-${typeOf(value)}`, summary(value, database)) : h('span.faint', 'no field')));
    const [a, b] = [valueAt(theirs, path), valueAt(mine, path)];
    return h('tr', h('th.mono', { scope: 'row' }, fieldPath(path)),
      same(a, b) ? h('td.faint', { colSpan: 2 }, 'both the same') : [option('theirs', a), option('mine', b)]);
  });
  return dialog({
    title: 'The document has changed', isWide: true, action: 'Save',
    body: [muted('Another client saved it in the meantime. Choose what to keep of the fields that you changed; all others stay as they are '
      + 'there.'), table(['Field', 'Theirs', 'Mine'], rows)],
    read: () => [...kept].reduce((fields, [path, isMine]) => (isMine ? withValue(fields, path, valueAt(mine, path)) : fields), theirs),
  });
}

/** A table of text; heads that begin with a space stand over numbers. */
export const table = (heads, rows) => h('table.list', h('thead', h('tr', heads.map((head) =>
  h('th', { scope: 'col', class: head.startsWith(' ') ? 'number' : '' }, head)))), h('tbody', rows));
