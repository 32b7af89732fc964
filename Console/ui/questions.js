// SPDX-License-Identifier: Apache-2.0
// Questions about ids, fields and values, as dialogs. Each answers undefined if the person thinks better of it.
import { h, replace } from '../lib/dom.js';
import {
  arrayOf, changedPaths, converted, fieldPath, fieldsOf, idProblem, mapOf, same, sentinels, summary, toJSON, typeOf, types, valueAt,
  withValue,
} from '../lib/values.js';
import { typedInput, typeSelect } from './inputs.js';
import { dialog } from './widgets.js';

export async function askID(title, action, { text, label = 'Document id', value = '' } = {}) {
  const input = h('input', { class: 'mono', value, autocomplete: 'off' });
  const answer = await dialog({
    title, body: [text && h('p', { class: 'muted' }, text), h('label', { class: 'stack' }, label, input)],
    actions: [['Cancel', undefined], [action, true, 'primary']], validate: () => idProblem(input.value),
  });
  return answer && input.value;
}

export const askCollection = () =>
  askID('New collection', 'Go on', { text: 'A collection exists as soon as it has a document.', label: 'Collection id' });

/** Another name for a field, one that its siblings do not have. */
export async function askName({ path }, draft) {
  const name = path.at(-1);
  const siblings = fieldsOf(valueAt(draft, path.slice(0, -1)) ?? mapOf(draft));
  const input = h('input', { class: 'mono', value: name, 'aria-label': 'Name' });
  const answer = await dialog({
    title: 'Rename field', body: input, actions: [['Cancel', undefined], ['Rename', true, 'primary']],
    validate: () => {
      if (!input.value) return 'A field has a name.';
      return input.value !== name && Object.hasOwn(siblings, input.value) ? 'There is a field of this name.' : undefined;
    },
  });
  return answer && input.value !== name ? input.value : undefined;
}

/** The value as another type, shown before it is taken. */
export async function askType({ path, value }, database) {
  let type = typeOf(value);
  const isElement = typeof path.at(-1) === 'number';
  const preview = h('p', { class: 'mono ellipsis' });
  const show = () => replace(preview, h('span', { class: `v-${type}` }, summary(converted(value, type, database), database)));
  const select = typeSelect(type, (chosen) => {
    type = chosen;
    show();
  }, { only: types.filter((t) => !(isElement && t === 'array')) });
  show();
  const answer = await dialog({
    title: `Type of ${path.at(-1)}`, actions: [['Cancel', undefined], ['Change', true, 'primary']],
    body: [h('label', { class: 'stack' }, 'Type', select), h('div', { class: 'stack' }, 'Becomes', preview)],
  });
  return answer && converted(value, type, database);
}

/** What the server computes in the commit: its time, an increment, array unions and removals. */
export async function askComputed(_, database) {
  const operand = typedInput({ integerValue: '1' }, database, {
    label: 'operand', only: types.filter((t) => !['array', 'map'].includes(t)),
  });
  const row = h('div', { class: 'stack', hidden: true }, 'Operand', operand.element);
  const kind = h('select', { 'aria-label': 'Value', onchange: () => { row.hidden = kind.value === 'serverTime'; } },
    Object.entries(sentinels).map(([k, label]) => h('option', { value: k }, label)));
  let value;
  const answer = await dialog({
    title: 'Compute when saved', actions: [['Cancel', undefined], ['Use', true, 'primary']],
    body: [h('p', { class: 'muted' }, 'The server computes the value in the same commit.'), h('label', { class: 'stack' }, 'Value', kind),
      row],
    validate: () => {
      try {
        value = kind.value === 'serverTime' ? undefined : operand.read();
        const isNumber = value && ['integer', 'double'].includes(typeOf(value));
        return kind.value === 'increment' && !isNumber ? 'An increment is an integer or a double.' : undefined;
      } catch (error) {
        return error.message;
      }
    },
  });
  return answer && {
    sentinel: { kind: kind.value, ...(value && { operand: kind.value === 'increment' ? value : arrayOf([value]) }) },
  };
}

/** Theirs and mine, field by field, of the fields that were changed here: the fields to save. */
export async function askMerge(base, theirs, mine, database) {
  const choices = new Map();
  const option = (path, which, value) => h('td', {}, h('label', { class: 'row' },
    h('input', {
      type: 'radio', name: toJSON(path), checked: which === 'mine', 'aria-label': `${fieldPath(path)}: ${which}`,
      onchange: () => choices.set(path, which),
    }),
    value ? h('span', { class: `mono ellipsis v-${typeOf(value)}` }, summary(value, database))
      : h('span', { class: 'faint' }, 'no field')));
  const rows = changedPaths(base, mine).map((path) => {
    const [a, b] = [valueAt(theirs, path), valueAt(mine, path)];
    choices.set(path, 'mine');
    return h('tr', {}, h('th', { class: 'mono', scope: 'row' }, fieldPath(path)), a === b || (a && b && same(a, b))
      ? h('td', { colSpan: 2, class: 'faint' }, 'both the same') : [option(path, 'theirs', a), option(path, 'mine', b)]);
  });
  const answer = await dialog({
    title: 'The document has changed', isWide: true, actions: [['Cancel', undefined], ['Save', true, 'primary']],
    body: [
      h('p', { class: 'muted' },
        'Another client saved it in the meantime. Choose what to keep of the fields that you changed; all others stay as they are there.'),
      h('table', { class: 'choices' },
        h('thead', {}, h('tr', {}, ['Field', 'Theirs', 'Mine'].map((t) => h('th', { scope: 'col' }, t)))), h('tbody', {}, rows)),
    ],
  });
  if (!answer) return undefined;
  return [...choices].filter(([, which]) => which === 'mine').reduce((fields, [path]) => withValue(fields, path, valueAt(mine, path)),
    theirs);
}
