// SPDX-License-Identifier: Apache-2.0
// The fields of a document as a tree, with the inputs that open in it.
import { h, icon, iconButton, number, problemLine, replace } from '../lib/dom.js';
import { same } from '../lib/changes.js';
import { valueText } from '../lib/json.js';
import { dataLink, isReadOnly } from '../lib/store.js';
import {
  arrayOf, elementsOf, fieldPath, fieldsOf, isContainer, isIn, localTime, mapOf, relative, sortedNames, summary, toJSON, typeOf, valueAt,
  valueIn, visible, withValue,
} from '../lib/values.js';
import { firstInput, valueInput } from './inputs.js';
import { askComputed, askName, askType } from './questions.js';
import { copy, menu } from './widgets.js';

const isIndex = (step) => typeof step === 'number';
export const unlessReadOnly = (...items) => (isReadOnly() ? [] : items);

export class FieldTree {
  /** The paths of maps and arrays that are open, as JSON. */
  opened = new Set();
  active = 0;
  nodes = [];
  /** What ends the input that is open, if there is one. */
  editing = null;
  element = h('.tree', { role: 'treegrid', label: 'Fields', onkeydown: (event) => this.pressed(event) });

  /** @param {object} panel The document: its `draft`, `base` and `theirs`, `change(path, value)`, `addField(path)` and `draw()`. */
  constructor(panel) { this.panel = panel; }

  draw() {
    this.element.ariaReadOnly = isReadOnly();
    this.nodes = this.list();
    this.active = Math.max(0, Math.min(this.active, this.nodes.length - 1));
    replace(this.element, this.nodes.map((node, i) => this.row(node, i)), !this.nodes.length
      && h('div', { role: 'row' }, h('.muted.pad', { role: 'gridcell' }, this.panel.document ? 'No fields.' : '')));
  }

  open(path) { this.opened.add(toJSON(path)); }

  /** Marks what is changed elsewhere, without drawing over the input that is open. */
  mark() { for (const row of this.element.children) this.markTheirs(row); }

  /** All rows, with those of open maps and arrays. Fields that were removed stay, struck through, until they are saved. */
  list(value = mapOf(this.panel.draft), old = mapOf(this.panel.base), path = []) {
    const steps = typeOf(value) === 'array' ? elementsOf(value).map((_, i) => i) : sortedNames({ ...fieldsOf(old), ...fieldsOf(value) });
    return steps.flatMap((step) => {
      const [now, before] = [value, old].map((v) => v && valueIn(v, [step]));
      const inner = [...path, step];
      const hasChildren = Boolean(now) && isContainer(now);
      const isOpen = hasChildren && this.opened.has(toJSON(inner));
      const node = { path: inner, value: now ?? before, old: before, isRemoved: !now, hasChildren, isOpen };
      return [node, ...(isOpen ? this.list(now, before, inner) : [])];
    });
  }

  row(node, index) {
    const { path, value, hasChildren, isOpen } = node;
    const step = path.at(-1);
    const isChanged = !this.panel.isNew && (node.isRemoved || !same(node.old, value));
    const act = () => (hasChildren ? this.toggle(node) : this.edit(index));
    const row = h('.field', {
      role: 'row', class: `${isChanged ? 'changed' : ''} ${node.isRemoved ? 'removed' : ''}`, tabIndex: index === this.active ? 0 : -1,
      ariaLevel: path.length, ariaExpanded: hasChildren ? isOpen : undefined, '--depth': path.length - 1,
      onfocus: () => { this.active = index; },
    },
    h('.name-cell', { role: 'rowheader', onclick: () => hasChildren && act() },
      h('span.toggle', hasChildren && icon(isOpen ? 'down' : 'right')),
      h('span.name.mono.ellipsis', { title: fieldPath(path), class: isIndex(step) ? 'faint' : '' }, visible(`${step}`)),
      isChanged && h('span.accent.small', { title: 'Changed, not saved', role: 'img', label: 'changed' }, '●')),
    h('.value-cell', { role: 'gridcell', title: this.tip(value), onclick: act }, this.shown(value)),
    h('.tools-cell', { role: 'gridcell' }, h('span.type-name', value.sentinel ? 'computed' : typeOf(value)),
      unlessReadOnly(iconButton('more', `Menu of ${step}`, (event) => menu(event.currentTarget, this.menuOf(node), `${step}`),
        { class: 'field-menu', tabIndex: -1, ariaHasPopup: 'menu' }))));
    row.node = node;
    this.markTheirs(row);
    return row;
  }

  shown(value) {
    const shown = summary(value, this.panel.database);
    const { stringValue = '', referenceValue } = value;
    if (referenceValue && isIn(referenceValue, this.panel.database)) {
      const href = dataLink(relative(referenceValue).split('/'));
      return h('a.v-reference.ellipsis', { href, tabIndex: -1, onclick: (event) => event.stopPropagation() }, shown);
    }
    return [h(`span.ellipsis.v-${typeOf(value)}`, shown), stringValue.length > 80 && h('span.faint.small', number(stringValue.length))];
  }

  tip({ timestampValue, stringValue }) {
    return timestampValue ? `${timestampValue}\n${localTime(timestampValue)}` : stringValue?.slice(0, 1000);
  }

  /** A mark where the document was changed elsewhere while it is edited here. */
  markTheirs(row) {
    const { path } = row.node ?? { path: [] };
    row.querySelector('.mark-theirs')?.remove();
    if (this.panel.theirs === undefined) return;
    const theirs = valueAt(this.panel.theirs?.fields ?? {}, path);
    if (same(theirs, valueAt(this.panel.base, path))) return;
    const label = `Changed elsewhere: ${theirs ? summary(theirs, this.panel.database) : 'removed'}. Take it.`;
    row.firstChild.append(h('button.mark-theirs', { title: label, label, tabIndex: -1, onclick: (event) => {
      event.stopPropagation();
      this.panel.change(path, theirs);
    } }, '◆'));
  }

  focusRow() { this.element.children[this.active]?.focus(); }

  activate(path) {
    this.active = Math.max(0, this.nodes.findIndex((node) => toJSON(node.path) === toJSON(path)));
    this.focusRow();
  }

  toggle({ path }) {
    const key = toJSON(path);
    if (!this.opened.delete(key)) this.opened.add(key);
    this.panel.draw();
    this.activate(path);
  }

  pressed(event) {
    const { node } = event.target;
    if (!node) return;
    const { key } = event;
    const move = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (event.altKey && move) this.moveElement(node, move);
    else if (move) {
      event.target.tabIndex = -1;
      this.active = Math.max(0, Math.min(this.active + move, this.nodes.length - 1));
      this.element.children[this.active].tabIndex = 0;
      this.focusRow();
    } else if (key === (node.isOpen ? 'ArrowLeft' : 'ArrowRight') && node.hasChildren) this.toggle(node);
    else if (key === 'ArrowLeft' && node.path.length > 1) this.activate(node.path.slice(0, -1));
    else if (key === 'Enter') (node.hasChildren ? this.toggle(node) : this.edit());
    else if (key === 'Delete') this.panel.change(node.path, undefined);
    else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) menu(event.target, this.menuOf(node), `${node.path.at(-1)}`);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  menuOf(node) {
    const { path, value, old } = node;
    const isElement = isIndex(path.at(-1));
    const ask = async (question) => {
      const answer = await question(node, this.panel.database);
      if (answer) this.panel.change(path, answer);
    };
    if (node.isRemoved) return [['Keep the field', () => this.panel.change(path, old)]];
    return [
      isContainer(value) ? [typeOf(value) === 'array' ? 'Add element' : 'Add field', () => this.panel.addField(path)]
        : !value.sentinel && ['Edit', () => this.edit(this.nodes.indexOf(node)), { hint: 'Enter' }],
      ...(isElement ? [['Move up', () => this.moveElement(node, -1), { hint: 'Alt ↑' }],
        ['Move down', () => this.moveElement(node, 1), { hint: 'Alt ↓' }]] : [['Rename…', () => this.rename(node)]]),
      ['Change type…', () => ask(askType)],
      !path.some(isIndex) && ['Compute when saved…', () => ask(askComputed)],
      null,
      ['Copy field path', () => copy(fieldPath(path))],
      /^https?:\/\/\S+$/.test(value.stringValue) && ['Open the link', () => open(value.stringValue, '_blank', 'noreferrer')],
      ['Copy value', () => copy(valueText(value, this.panel.database, '  '))],
      old && !same(old, value) && ['Take back', () => this.panel.change(path, old)],
      null,
      [isElement ? 'Remove' : 'Delete field', () => this.panel.change(path, undefined), { hint: 'Del', danger: true }],
    ];
  }

  async rename(node) {
    const name = await askName(node, this.panel.draft);
    if (name === undefined) return;
    this.panel.draft = withValue(this.panel.draft, node.path, undefined);
    this.panel.change([...node.path.slice(0, -1), name], node.value);
  }

  moveElement({ path }, by) {
    const [index, parent] = [path.at(-1), path.slice(0, -1)];
    const items = [...elementsOf(valueIn(mapOf(this.panel.draft), parent))];
    if (!isIndex(index) || !items[index + by]) return;
    [items[index], items[index + by]] = [items[index + by], items[index]];
    this.panel.change(parent, arrayOf(items));
    this.activate([...parent, index + by]);
  }

  edit(index = this.active) {
    const node = this.nodes[index];
    if (isReadOnly() || this.panel.view === 'json' || node?.isRemoved) return;
    if (!node) {
      this.panel.addField([]);
      return;
    }
    this.editing?.(true);
    this.active = index;
    const { path, value } = node;
    if (typeOf(value) === 'boolean') {
      this.panel.change(path, { booleanValue: !value.booleanValue });
      return;
    }
    if (node.hasChildren || value.sentinel) {
      this.focusRow();
      return;
    }
    const problem = problemLine();
    const finish = (takes) => {
      if (this.editing !== finish) return;
      try {
        this.panel.change(path, takes ? field.read() : value);
      } catch (error) {
        problem.textContent = error.message;
        if (field.field) field.field.ariaInvalid = true;
      }
    };
    const field = valueInput(value, this.panel.database, {
      label: `Value of ${path.at(-1)}`, commit: () => finish(true), cancel: () => finish(false),
    });
    this.editing = finish;
    const row = this.element.children[index];
    row.classList.add('editing');
    const cell = h('.value-cell', { role: 'gridcell' }, h('.edit', {
      onkeydown: (event) => this.tabbed(event, index), onfocusout: ({ relatedTarget }) => {
        if (!cell.contains(relatedTarget) && document.hasFocus()) finish(true);
      },
    }, field.element, problem));
    row.children[1].replaceWith(cell);
    const first = firstInput(cell);
    first?.focus();
    first?.select?.();
  }

  /** Tab goes on to the next value, Shift Tab to the one before. */
  tabbed(event, index) {
    const inputs = [...event.currentTarget.querySelectorAll('input, textarea, select, button')];
    const next = index + (event.shiftKey ? -1 : 1);
    if (event.key !== 'Tab' || event.target !== inputs.at(event.shiftKey ? 0 : -1)) return;
    this.editing(true);
    if (this.editing || !this.nodes[next]) return;
    event.preventDefault();
    this.active = next;
    if (typeOf(this.nodes[next].value) === 'boolean') this.focusRow();
    else this.edit(next);
  }
}
