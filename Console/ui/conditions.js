// SPDX-License-Identifier: Apache-2.0
// Lines of `field operator value` with groups of AND and OR.
import { button, h, iconButton, replace } from '../lib/dom.js';
import { isUnary, symbols, takesArray } from '../lib/query.js';
import { arrayOf, elementsOf, text, typeOf } from '../lib/values.js';
import { typedInput } from './inputs.js';
import { newElementID } from './widgets.js';

export function fieldInput(value, fields, label = 'Field') {
  const id = newElementID('fields');
  const list = h('datalist', { id });
  return {
    element: h('span', { class: 'field-input' }, h('input', {
      class: 'mono', value, 'aria-label': label, placeholder: 'field', autocomplete: 'off', spellcheck: false, list: id, size: 14,
      onfocus: () => replace(list, fields().map((f) => h('option', { value: f }))),
    }), list),
  };
}

/** Edits a group: {element, read()}; read throws with a sentence. */
export function conditions(group, options) {
  const element = h('div', { class: options.isRoot ? 'conditions root' : 'conditions' });
  let rows = [];
  let op = group.op;
  const draw = () => replace(element,
    (rows.length > 1 || !options.isRoot) && h('div', { class: 'row' },
      h('select', { 'aria-label': 'All or any', class: 'type', onchange: (e) => { op = e.target.value; } },
      h('option', { value: 'AND', selected: op === 'AND' }, 'all of'), h('option', { value: 'OR', selected: op === 'OR' }, 'any of'))),
    rows.map((r) => h('div', { class: 'condition' }, r.element, iconButton('close', 'Remove', () => {
      rows = rows.filter((o) => o !== r);
      draw();
    }))),
    h('div', { class: 'row' }, button('Add condition', () => {
      rows.push(line({ field: '', op: 'EQUAL', value: text('') }, options));
      draw();
      rows.at(-1).element.querySelector('input').focus();
    }, { class: 'button small' }), button('Add group', () => {
      rows.push(conditions({ op: 'OR', items: [{ field: '', op: 'EQUAL', value: text('') }] }, { ...options, isRoot: false }));
      draw();
    }, { class: 'button small' })));
  rows = group.items.map((item) => (item.items ? conditions(item, { ...options, isRoot: false }) : line(item, options)));
  if (options.isRoot && !rows.length && options.begins !== false) rows.push(line({ field: '', op: 'EQUAL', value: text('') }, options));
  draw();
  return { element, read: () => ({ op, items: rows.map((r) => r.read()) }) };
}

function line(item, { fields, database }) {
  const field = fieldInput(item.field, fields);
  const place = h('span', { class: 'row grow wrap' });
  let read = () => undefined;
  const show = (op, value) => {
    if (isUnary(op)) {
      replace(place);
      read = () => undefined;
    } else if (takesArray(op)) {
      let inputs = (value && typeOf(value) === 'array' ? elementsOf(value) : [value ?? text('')]).map((v) =>
        typedInput(v, database, { label: 'value' }));
      const draw = () => replace(place, inputs.map((i) => h('span', { class: 'row' }, i.element, inputs.length > 1
        && iconButton('close', 'Remove the value', () => {
        inputs = inputs.filter((o) => o !== i);
        draw();
      }))), iconButton('plus', 'Another value', () => {
        inputs.push(typedInput(inputs.at(-1)?.read() ?? text(''), database, { label: 'value' }));
        draw();
      }));
      draw();
      read = () => arrayOf(inputs.map((i) => i.read()));
    } else {
      const input = typedInput(value && typeOf(value) === 'array' ? elementsOf(value)[0] : value, database,
        { label: 'value', only: ['string', 'integer', 'double', 'boolean', 'timestamp', 'reference', 'geopoint', 'bytes', 'null'] });
      replace(place, input.element);
      read = () => input.read();
    }
  };
  const select = h('select', {
    class: 'mono type', 'aria-label': 'Operator', onchange: () => {
      let value;
      try {
        value = read();
      } catch { /* It is typed anew. */ }
      show(select.value, value);
    },
  }, Object.entries(symbols).map(([op, symbol]) => h('option', { value: op, selected: op === item.op }, symbol)));
  show(item.op, item.value);
  const element = h('div', { class: 'row wrap grow' }, field.element, select, place);
  return {
    element, read: () => {
      const path = field.element.querySelector('input').value;
      try {
        return { field: path, op: select.value, ...(!isUnary(select.value) && { value: read() }) };
      } catch (error) {
        throw new Error(`${path || 'A condition'} ${symbols[select.value]}: ${error.message}`);
      }
    },
  };
}
