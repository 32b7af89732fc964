// SPDX-License-Identifier: Apache-2.0
// Inputs for typed values and for filters, used by the document and by queries: {element, read()}, where read throws with a sentence.
import { collectionIDs, namesFrom } from '../lib/api.js';
import { fileButton, h, iconButton, input, replace, select, small } from '../lib/dom.js';
import { groupOf, isUnary, symbols, takesArray } from '../lib/query.js';
import {
  arrayOf, bytesOf, documentName, editText, elementsOf, hex, initial, lastID, parseValue, text, typeOf, types,
} from '../lib/values.js';
import { suggesting } from './suggestions.js';
import { download } from './widgets.js';

export const firstInput = (element) => element.querySelector('input, textarea, select');

export function valueInput(value, database, { commit, cancel, label = 'Value' } = {}) {
  const type = typeOf(value);
  const edited = editText(value, database);
  const common = {
    class: `v-${type}`, label, onkeydown: (event) => {
      if (event.key === 'Escape' && cancel) {
        event.stopPropagation();
        cancel();
      } else if (event.key === 'Enter' && !event.ctrlKey && !(event.shiftKey && event.target.matches('textarea'))) {
        event.preventDefault();
        commit?.();
      }
    },
  };
  if (type === 'null') return { element: h('span.v-null', 'null'), read: () => value, text: () => '' };
  if (type === 'boolean') {
    const choice = select(label, ['true', 'false'], edited);
    choice.addEventListener('keydown', common.onkeydown);
    return { element: choice, read: () => parseValue(type, choice.value), text: () => choice.value };
  }
  if (type === 'geopoint') {
    const parts = edited.split(', ').map((part, i) =>
      input({ ...common, label: i ? 'Longitude' : 'Latitude', value: part, inputMode: 'decimal', size: 10 }));
    const typed = () => parts.map((part) => part.value).join(', ');
    return { element: h('span.row', parts), read: () => parseValue(type, typed()), text: typed };
  }
  const rows = Math.min(10, edited.split('\n').length + Math.floor(edited.length / 60));
  const field = ['string', 'vector', 'bytes'].includes(type)
    ? h('textarea.mono', { spellcheck: false, ...common, rows, value: edited }) : input({ ...common, value: edited });
  const untouched = field.value;
  // What was not touched goes back as it was: an input changes the ends of lines.
  const read = () => (field.value === untouched ? value : parseValue(type, field.value, database));
  const beside = { timestamp: dateTools, bytes: fileTools, reference: completion }[type]?.(field, value, database);
  return { element: beside ? h('span.row.wrap.grow', field, beside) : field, field, read, text: () => field.value };
}

/** A picker of minutes, in UTC: seconds and digits behind the point stay. */
const dateTools = (field) => [h('input.picker', {
  type: 'datetime-local', label: 'Date and time in UTC', value: field.value.slice(0, 16),
  onchange: (event) => { field.value = event.target.value.slice(0, 16) + (field.value.slice(16) || ':00Z'); },
}), small('Now', () => { field.value = new Date().toISOString(); })];

const fileTools = (field, value) => [fileButton('From a file…', 'File with the bytes', async (file) => {
  field.value = hex(new Uint8Array(await file.arrayBuffer()));
}), iconButton('transfer', 'Download', () => download('bytes.bin', bytesOf(value)))];

/** Completes a path: collections, then the ids that begin as typed. */
function completion(field, _, database) {
  const [, list] = suggesting(field, async (typed) => {
    const above = typed.split('/');
    const begun = above.pop();
    const isID = above.length % 2 === 1;
    const place = documentName(database, above);
    const idsIn = (parent, collectionId) => namesFrom(parent, { collectionId }, begun && `${place}/${begun}`, 10);
    try {
      const ids = isID ? (await idsIn(documentName(database, above.slice(0, -1)), above.at(-1))).map(lastID)
        : (await collectionIDs(place)).ids.map((id) => `${id}/`);
      return ids.filter((id) => id.startsWith(begun)).map((id) => [...above, id].join('/'));
    } catch {
      // A path that is not finished has no completions.
      return [];
    }
  });
  return list;
}

/** A value of a type to choose. */
export function typedInput(value, database, { label = 'value', commit, only = types } = {}) {
  const place = h('span.row.grow');
  let current = value ?? text('');
  let isChosen = false;
  let shown;
  let untouched;
  const show = () => {
    shown = valueInput(current, database, { label, commit });
    replace(place, shown.element);
    untouched = shown.text();
  };
  const type = select(`Type of ${label}`, only, typeOf(current), (chosen) => {
    isChosen = true;
    try {
      current = parseValue(chosen, shown.field?.value ?? editText(current, database), database);
    } catch {
      current = initial(chosen);
    }
    show();
  });
  show();
  return {
    element: h('span.row.grow', type, place), read: () => shown.read(), focus: () => {
      firstInput(place)?.focus();
      firstInput(place)?.select?.();
    },
    isTouched: () => isChosen || shown.text() !== untouched,
    /** Another type, unless a person has chosen one or has typed a value. */
    suggest(other) {
      if (isChosen || shown.text() !== untouched || !only.includes(other) || type.value === other) return;
      current = initial(other);
      type.value = other;
      show();
    },
  };
}

// Queries

export function fieldInput(value, fields, label = 'Field', oninput = undefined) {
  const field = input({ value, label, placeholder: 'field', size: 14, oninput });
  return { element: h('span.field-input', suggesting(field, fields)), read: () => field.value };
}

/** Lines of which each can be removed, and one added: `row` makes the element of an item, `adds` are words with what each adds. */
export function lines(items, row, adds, isKept = () => false) {
  const place = h('.stack.grow');
  const draw = () => replace(place, items.map((item) => h('.row.wrap', row(item), !isKept() && iconButton('close', 'Remove', () => {
    items.splice(items.indexOf(item), 1);
    draw();
  }))), h('.row', Object.entries(adds).map(([word, add]) => small(word, () => {
    items.push(add());
    draw();
    firstInput(place.children[items.length - 1])?.focus();
  }))));
  draw();
  return place;
}

const unfinished = () => ({ fieldFilter: { field: { fieldPath: '' }, op: 'EQUAL', value: text('') } });

/** Edits a filter as a group of lines `field operator value`. */
export function filterInput(filter, options, isRoot = true) {
  const { op, filters } = groupOf(filter);
  const made = (inner) => (inner.compositeFilter ? filterInput(inner, options, false) : conditionInput(inner, options));
  const rows = filters.map(made);
  const choice = select('All or any', [['AND', 'all of'], ['OR', 'any of']], op);
  return {
    element: h('.conditions', { class: isRoot ? 'root' : '' }, choice, lines(rows, (r) => r.element, {
      'Add condition': () => made(unfinished()), 'Add group': () => made({ compositeFilter: { op: 'OR', filters: [unfinished()] } }),
    })),
    read: () => ({ compositeFilter: { op: choice.value, filters: rows.map((r) => r.read()) } }),
  };
}

function conditionInput({ unaryFilter, fieldFilter }, { fields, database, commit }) {
  const { field: { fieldPath: path }, op: before, value: valueBefore } = unaryFilter ?? fieldFilter;
  const field = fieldInput(path, fields);
  const place = h('span.row.grow.wrap');
  const only = types.filter((type) => !['array', 'map', 'vector'].includes(type));
  let read;
  const show = (op, value) => {
    const made = (v) => typedInput(v, database, { only, commit });
    const inputs = (value?.arrayValue ? elementsOf(value) : [value]).map(made);
    read = () => (takesArray(op) ? arrayOf(inputs.map((i) => i.read())) : inputs[0].read());
    const more = { 'Another value': () => made(inputs.at(-1).read()) };
    replace(place, isUnary(op) ? [] : takesArray(op) ? lines(inputs, (i) => i.element, more, () => inputs.length < 2) : inputs[0].element);
  };
  const operator = select('Operator', Object.entries(symbols), before, (op) => {
    let value;
    try {
      value = read();
    } catch { /* It is typed anew. */ }
    show(op, value);
  });
  show(before, valueBefore);
  return {
    element: h('.row.wrap.grow', field.element, operator, place),
    read: () => {
      const filter = { field: { fieldPath: field.read() }, op: operator.value };
      try {
        return isUnary(filter.op) ? { unaryFilter: filter } : { fieldFilter: { ...filter, value: read() } };
      } catch (error) {
        throw new Error(`${field.read() || 'A condition'} ${symbols[filter.op]}: ${error.message}`);
      }
    },
  };
}
