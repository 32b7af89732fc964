// SPDX-License-Identifier: Apache-2.0
// A document beside the text: every value is an input, and what is typed is saved when the input is left.
import { commit } from '/console/lib/api.js';
import { writeOfChanges } from '/console/lib/changes.js';
import {
  converted, editText, elementsOf, fieldsOf, initial, isContainer, parseValue, rootOf, sortedNames, toJSON, typeOf, types, withValue,
} from '/console/lib/values.js';

export const database = 'projects/demo-guide/databases/(default)';
export const nameOf = (path) => `${rootOf(database)}/${path}`;

/** An element; text gets into it as text only. */
export function h(tag, properties, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((c) => c || c === 0));
  return element;
}

const isColor = (value) => /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(value?.stringValue ?? '');

/** A reference names a document, also before one is typed. */
const valid = (value) => (/\/documents\/./.test(value.referenceValue ?? '/documents/x') ? value : { referenceValue: nameOf('books/solaris') });

export class DocumentCard {
  constructor(path, { isReadOnly, tell }) {
    Object.assign(this, { path, name: nameOf(path), isReadOnly, tell, fields: undefined, rows: [] });
    this.list = h('div.fields');
    this.problem = h('p.problem', { role: 'alert' });
    this.element = h('div.document', { role: 'group', 'aria-label': `Document ${path}` }, this.list, this.problem);
    this.draw();
  }

  /** Shows the stored fields: undefined while they are unknown, null for a document that does not exist. */
  show(fields) {
    const before = this.rows;
    this.fields = fields;
    const rows = this.found();
    const isSame = this.isDrawn && rows.length === before.length
      && rows.every((row, i) => row.key === before[i].key && typeOf(row.value) === typeOf(before[i].value));
    if (!isSame) {
      this.draw();
      return;
    }
    rows.forEach((row, i) => {
      if (toJSON(row.value) !== toJSON(before[i].value)) {
        before[i].value = row.value;
        this.refresh(before[i]);
      }
    });
  }

  found() {
    const rows = [];
    const add = (path, value) => {
      rows.push({ path, value, key: toJSON(path) });
      if (typeOf(value) === 'map') for (const name of sortedNames(fieldsOf(value))) add([...path, name], fieldsOf(value)[name]);
      if (typeOf(value) === 'array') elementsOf(value).forEach((v, i) => add([...path, i], v));
    };
    for (const name of sortedNames(this.fields ?? {})) add([name], this.fields[name]);
    return rows;
  }

  draw() {
    const focused = this.list.contains(document.activeElement) ? document.activeElement : null;
    const typed = focused?.isDirty ? focused.value : undefined;
    this.rows = this.found();
    this.isDrawn = Boolean(this.fields);
    this.list.replaceChildren(
      ...(this.fields ? this.rows.map((row) => this.row(row))
        : [h('p.faint', {}, this.fields === null ? 'The document does not exist.' : '…')]),
      ...(this.fields && !this.isReadOnly() ? [this.addition([])] : []));
    // What had the focus has it again, with what was typed.
    const again = focused && this.list.querySelector(`[data-key='${CSS.escape(focused.dataset.key)}']`);
    if (!again) return;
    if (typed !== undefined) again.value = typed;
    again.focus({ preventScroll: true });
  }

  row(row) {
    const { path, value } = row;
    const label = path.join('.');
    const type = typeOf(value);
    const key = (kind) => ({ 'data-key': kind + row.key });
    const isFixed = this.isReadOnly();
    const select = h('select.type', {
      'aria-label': `Type of ${label}`, disabled: isFixed, ...key('type'),
      onchange: () => this.change(path, valid(converted(row.value, select.value, database))),
    }, types.map((t) => h('option', { value: t, selected: t === type }, t)));
    const isEdited = !isContainer(value) && type !== 'null';
    row.input = isEdited ? h('input.value.mono', {
      'aria-label': `Value of ${label}`, spellcheck: 'false', autocomplete: 'off', readonly: isFixed, ...key('value'),
      oninput: () => { row.input.isDirty = true; },
      onchange: () => this.take(row),
      onkeydown: (event) => {
        if (event.key === 'Enter') this.take(row);
        if (event.key === 'Escape') this.refresh(row, true);
      },
    }) : type === 'null' ? h('span.value.v-null.mono', {}, 'null') : isFixed ? h('span') : this.addition(path, value);
    row.swatch = h('span.swatch', { 'aria-hidden': 'true' });
    row.element = h('div.field', {},
      h('span.name.mono', { title: label }, typeof path.at(-1) === 'number' ? `[${path.at(-1)}]` : path.at(-1)), select,
      h('span.cell', {}, row.swatch, row.input),
      !isFixed && h('button.remove', { type: 'button', 'aria-label': `Remove ${label}`, title: 'Remove', ...key('remove'),
        onclick: () => this.change(path, undefined) }, '×'));
    row.element.style.setProperty('--depth', path.length - 1);
    this.refresh(row, true);
    return row.element;
  }

  /** A field more; in arrays an element, like the last one. */
  addition(path, value) {
    const label = path.join('.');
    if (value && typeOf(value) === 'array') {
      const elements = elementsOf(value);
      return h('button.add', { type: 'button', 'aria-label': `Add to ${label}`, 'data-key': `add${toJSON(path)}`,
        onclick: () => this.change(path, { arrayValue: { values: [...elements, elements.at(-1) ?? initial('string')] } }) }, 'Add');
    }
    const input = h('input.mono', { 'aria-label': label ? `New field in ${label}` : 'New field', placeholder: 'new field', size: 9,
      autocomplete: 'off', spellcheck: 'false', 'data-key': `add${toJSON(path)}` });
    return h('form.addition', { onsubmit: (event) => {
      event.preventDefault();
      if (input.value) this.change([...path, input.value], initial('string'));
    } }, input, h('button.add', { type: 'submit', 'aria-label': label ? `Add to ${label}` : 'Add field' }, 'Add'));
  }

  /** Shows the stored value, unless a person is typing another one. */
  refresh(row, isForced = false) {
    if (row.input.matches('input') && (isForced || !row.input.isDirty)) {
      row.input.value = editText(row.value, database);
      row.input.isDirty = false;
      row.input.removeAttribute('aria-invalid');
      row.input.className = `value mono v-${typeOf(row.value)}`;
    }
    row.swatch.hidden = !isColor(row.value);
    if (isColor(row.value)) row.swatch.style.setProperty('--color', row.value.stringValue);
    if (isForced) return;
    row.element.classList.remove('flash');
    requestAnimationFrame(() => row.element.classList.add('flash'));
  }

  take(row) {
    if (!row.input.isDirty) return;
    try {
      const value = parseValue(typeOf(row.value), row.input.value, database);
      row.input.isDirty = false;
      row.input.removeAttribute('aria-invalid');
      this.change(row.path, value);
    } catch (error) {
      row.input.setAttribute('aria-invalid', 'true');
      this.problem.textContent = error.message;
    }
  }

  /** Saves a value at a path; undefined removes it. */
  async change(path, value) {
    this.problem.textContent = '';
    const before = this.fields ?? {};
    await this.commit(writeOfChanges(this.name, before, withValue(before, path, value)));
  }

  async commit(write) {
    if (!write) return;
    try {
      await commit([write]);
    } catch (error) {
      this.problem.textContent = error.message;
    }
  }
}
