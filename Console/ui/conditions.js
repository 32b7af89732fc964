// SPDX-License-Identifier: Apache-2.0
// Lines of `field operator value` with groups of AND and OR.
import { button, h, iconButton, input, replace, select } from '../lib/dom.js';
import { isUnary, symbols, takesArray } from '../lib/query.js';
import { arrayOf, elementsOf, text, types } from '../lib/values.js';
import { typedInput } from './inputs.js';
import { newElementID } from './widgets.js';

export function fieldInput(value, fields, label = 'Field', oninput = undefined) {
  const list = h('datalist', { id: newElementID('fields') });
  return h('span.field-input', input({
    value, 'aria-label': label, placeholder: 'field', list: list.id, size: 14, oninput,
    onfocus: () => replace(list, fields().map((f) => h('option', { value: f }))),
  }), list);
}

/** Lines of which each can be removed, and one added: `row` makes the element of an item. */
export function lines(items, row, { add, label, isKept = () => false }) {
  const place = h('.stack.grow');
  const draw = () => replace(place, items.map((item) => h('.row.wrap', row(item), !isKept() && iconButton('close', 'Remove', () => {
    items.splice(items.indexOf(item), 1);
    draw();
  }))), h('.row', [label].flat().map((word, i) => button(word, () => {
    items.push([add].flat()[i]());
    draw();
    place.querySelectorAll(':scope > .row:nth-last-child(2) input')[0]?.focus();
  }, { class: 'small' }))));
  draw();
  return place;
}

const unfinished = () => ({ field: '', op: 'EQUAL', value: text('') });

/** Edits a group: {element, read()}; read throws with a sentence. */
export function conditions(group, { isRoot = false, ...options }) {
  const made = (item) => (item.items ? conditions(item, options) : condition(item, options));
  const rows = group.items.map(made);
  const op = select('All or any', [['AND', 'all of'], ['OR', 'any of']], group.op, () => {});
  const list = lines(rows, (r) => r.element, {
    add: [() => made(unfinished()), () => made({ op: 'OR', items: [unfinished()] })], label: ['Add condition', 'Add group'],
  });
  return {
    element: h('.conditions', { class: isRoot ? 'root' : '' }, op, list),
    read: () => ({ op: op.value, items: rows.map((r) => r.read()) }),
  };
}

function condition(item, { fields, database }) {
  const field = fieldInput(item.field, fields);
  const place = h('span.row.grow.wrap');
  const only = types.filter((type) => !['array', 'map', 'vector'].includes(type));
  let read;
  const show = (op, value) => {
    const values = value?.arrayValue ? elementsOf(value) : [value ?? text('')];
    const made = (v) => typedInput(v, database, { only });
    const inputs = values.map(made);
    read = () => (takesArray(op) ? arrayOf(inputs.map((i) => i.read())) : inputs[0].read());
    const more = { add: () => made(inputs.at(-1).read()), label: 'Another value', isKept: () => inputs.length < 2 };
    replace(place, isUnary(op) ? [] : takesArray(op) ? lines(inputs, (i) => i.element, more) : inputs[0].element);
  };
  const operator = select('Operator', Object.entries(symbols), item.op, (op) => {
    let value;
    try {
      value = read();
    } catch { /* It is typed anew. */ }
    show(op, value);
  });
  show(item.op, item.value);
  return {
    element: h('.row.wrap.grow', field, operator, place),
    read: () => {
      const path = field.firstChild.value;
      const op = operator.value;
      try {
        return { field: path, op, ...(!isUnary(op) && { value: read() }) };
      } catch (error) {
        throw new Error(`${path || 'A condition'} ${symbols[op]}: ${error.message}`);
      }
    },
  };
}
