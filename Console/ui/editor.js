// SPDX-License-Identifier: Apache-2.0
// One document: a tree of fields, saved as one commit of just what changed.
import { collectionIDs, commit, getDocument } from '../lib/api.js';
import { button, failure, h, icon, iconButton, replace, skeleton } from '../lib/dom.js';
import { fieldsText, parseFields, valueText } from '../lib/json.js';
import { watch } from '../lib/live.js';
import { formatRoute, go, isReadOnly, route } from '../lib/store.js';
import {
  arrayOf, changedPaths, doubleText, elementsOf, fieldPath, fieldsOf, idProblem, isIn, localTime, mapOf, newID, relative, rootOf,
  same, sameFields, sortedNames, summary, text, toJSON, typeOf, types, valueAt, vectorOf, visible, withValue, writeOfChanges,
  writeOfDocument,
} from '../lib/values.js';
import { askCollection, askComputed, askID, askMerge, askName, askType } from './questions.js';
import { typedInput, valueInput } from './inputs.js';
import { removeRecursively } from './removal.js';
import { confirm, copy, menu, menuButton, showError, toast } from './widgets.js';

const isContainer = (value) => ['array', 'map'].includes(typeOf(value));
const keyOf = (path) => toJSON(path);

export class DocumentPanel {
  /** @param {{database: string, path: string[], isNew: boolean, close: function, saved: function, created: function,
    deleted: function}} options */
  constructor(options) {
    Object.assign(this, { ...options, base: {}, draft: {}, theirs: null, document: null, open: new Set(), editing: null, view: 'fields',
      active: 0, nodes: [] });
    if (this.isNew && !this.path.at(-1)) this.path[this.path.length - 1] = newID();
    this.body = h('div', { class: 'panel-body', tabIndex: -1 });
    this.footer = h('div', { class: 'panel-footer', hidden: true });
    this.head = h('header', { class: 'panel-head' });
    this.element = h('div', { class: 'panel' }, this.head, this.body, this.footer);
    this.below = { ids: [], next: undefined };
    this.load();
  }

  get name() { return [rootOf(this.database), ...this.path].join('/'); }
  get isDirty() { return this.isNew ? Object.keys(this.draft).length > 0 : this.jsonText !== undefined
    || !sameFields(this.base, this.draft); }
  /** Whether there is an input, of a value or of a new field, which is not drawn over. */
  get isTyping() { return this.editing || this.form?.isConnected; }

  destroy() {
    this.isClosed = true;
    watch('document', null);
  }

  async load() {
    if (this.isNew) {
      this.draw();
      // The panel gets into the page first: what is not there cannot have the focus.
      queueMicrotask(() => this.addField([]));
      return;
    }
    const late = setTimeout(() => replace(this.body, skeleton(6)), 150);
    try {
      const found = await getDocument(this.name);
      clearTimeout(late);
      if (this.isClosed) return;
      this.accept(found);
      this.draw();
      this.listen();
      this.below = await collectionIDs(this.name);
      if (!this.isClosed) this.drawBelow();
    } catch (error) {
      clearTimeout(late);
      replace(this.body, failure(error, () => this.load()));
    }
  }

  reload() { if (!this.isDirty) this.load(); }

  accept(document) {
    this.document = document ?? null;
    this.base = document?.fields ?? {};
    this.draft = { ...this.base };
    this.theirs = null;
    this.jsonText = undefined;
  }

  listen() {
    if (this.isClosed) return;
    watch('document', { documents: { documents: [this.name] } }, {
      change: (document) => {
        if (document.name === this.name && document.updateTime !== (this.theirs
          ?? this.document)?.updateTime) this.changedElsewhere(document);
      },
      remove: () => { if (this.document) this.changedElsewhere(null); },
    });
  }

  /** Somebody else saved: shown at once, or as marks while a person edits. */
  changedElsewhere(document) {
    if (this.isSaving) return;
    if (this.isDirty || this.isTyping) {
      this.theirs = document ?? { fields: {}, isDeleted: true };
      this.draw(true);
      return;
    }
    const changed = new Set(changedPaths(this.base, document?.fields ?? {}).map((p) => keyOf(p.slice(0, 1))));
    this.accept(document);
    this.draw();
    for (const row of this.body.querySelectorAll('.field')) if (changed.has(keyOf([row.node.path[0]]))) row.classList.add('flash');
  }

  // Drawing

  draw(keepsInput = false) {
    this.drawHead();
    this.drawFooter();
    if (keepsInput && this.isTyping) {
      this.marks();
      return;
    }
    if (this.view === 'json') {
      this.drawJSON();
      return;
    }
    const hadFocus = this.body.contains(document.activeElement);
    const scroll = this.body.scrollTop;
    const missing = !this.document && !this.isNew && h('div', { class: 'notice' }, h('p', {}, 'This document does not exist.'),
      !isReadOnly() && button('Create it', () => this.createMissing(), { class: 'button small' }));
    this.tree = h('div', { class: 'tree', role: 'treegrid', 'aria-label': 'Fields', 'aria-readonly': isReadOnly() ? 'true' : undefined,
      onkeydown: (e) => this.pressed(e) });
    this.drawTree();
    this.subcollections = h('div', { class: 'below-document' });
    this.times = h('dl', { class: 'times faint' });
    replace(this.body, missing, this.isNew && this.idRow(), this.tree,
      !isReadOnly() && (this.document || this.isNew) && h('button',
        { type: 'button', class: 'tool add-field', onclick: () => this.addField([]) }, icon('plus'), 'Add field'), this.subcollections,
        this.times);
    if (this.document) {
      replace(this.times, [['Created', this.document.createTime], ['Updated', this.document.updateTime]].map(([k, t]) => [h('dt', {}, k),
        h('dd', { class: 'figures', title: t }, localTime(t))]));
    }
    this.drawBelow();
    this.body.scrollTop = scroll;
    if (hadFocus) this.focusRow();
  }

  drawHead() {
    const id = this.path.at(-1);
    replace(this.head, h('h2', { class: 'mono ellipsis', title: id }, this.isNew ? 'New document' : id),
      h('div', { class: 'segments', role: 'group', 'aria-label': 'View' }, ['fields', 'json'].map((view) => h('button', {
        type: 'button', 'aria-pressed': String(this.view === view), onclick: () => this.show(view),
      }, view === 'json' ? 'JSON' : 'Fields'))),
      !this.isNew && menuButton(icon('more'), () => [
        { label: 'Copy path', action: () => copy(this.path.join('/'), 'Path copied') },
        { label: 'Copy as typed JSON', action: () => copy(fieldsText(this.draft, this.database)) },
        { label: 'Copy as REST JSON', action: () => copy(toJSON({ name: this.name, fields: this.draft }, 2)) },
        ...(isReadOnly() ? [] : [
          { label: 'Duplicate…', action: () => this.duplicate() }, null,
          { label: 'Delete document', hint: 'Del', danger: true, disabled: !this.document, action: () => this.remove() },
          { label: 'Delete with everything below…', danger: true, action: () => this.removeAll() },
        ]),
      ], { 'aria-label': 'Document', title: 'More' }),
      iconButton('close', 'Close', () => this.close()));
  }

  drawFooter() {
    const isShown = this.isDirty || this.isNew;
    this.footer.hidden = !isShown;
    if (!isShown) return;
    const paths = this.isNew ? [] : changedPaths(this.base, this.draft);
    const others = this.theirs && h('span', { class: 'warn-text' }, this.theirs.isDeleted ? 'Deleted elsewhere' : 'Changed elsewhere');
    replace(this.footer, h('span', { class: 'muted ellipsis grow', title: paths.map((p) => fieldPath(p)).join(', ') },
      others ?? (this.isNew ? '' : `${paths.length} ${paths.length === 1 ? 'change' : 'changes'}`)),
    button(this.isNew ? 'Cancel' : 'Discard', () => (this.isNew ? this.close() : this.discard())),
    button('Save', () => this.save(), { class: 'button primary', title: 'Save (Ctrl S)' }));
  }

  drawBelow() {
    if (!this.subcollections || this.isNew) return;
    const { ids, next } = this.below;
    const href = (id) => formatRoute({ ...route.value, page: 'data', path: [...this.path, id], params: {} });
    replace(this.subcollections, h('h3', { class: 'heading' }, 'Collections'), ids.length > 0
      && h('ul', {}, ids.map((id) => h('li', {}, h('a', { class: 'mono', href: href(id) }, icon('right'), id)))),
      next && h('p', { class: 'faint' }, 'There are more.'),
      !isReadOnly() && h('button', { type: 'button', class: 'tool', onclick: () => this.addCollection() }, icon('plus'), 'Add collection'));
  }

  async addCollection() {
    const id = await askCollection();
    if (id) go({ path: [...this.path, id], params: { new: '1' } });
  }

  idRow() {
    const problem = h('p', { class: 'problem', role: 'alert' });
    const input = h('input', {
      class: 'mono grow', value: this.path.at(-1), autocomplete: 'off', spellcheck: false,
      oninput: () => {
        this.path[this.path.length - 1] = input.value;
        problem.textContent = idProblem(input.value) ?? '';
      },
    });
    return h('label', { class: 'stack id-row' }, 'Document id', input, problem);
  }

  /** All rows, with those of open maps and arrays. Fields that were removed stay, struck through, until they are saved. */
  list() {
    const nodes = [];
    const add = (path, value, old, depth) => {
      const isOpen = this.open.has(keyOf(path));
      nodes.push({ path, value: value ?? old, old, depth, isOpen, isRemoved: !value, hasChildren: value && isContainer(value) });
      if (!value || !isOpen) return;
      if (typeOf(value) === 'array') elementsOf(value).forEach((v, i) => add([...path, i], v, valueAt(this.base, [...path, i]), depth + 1));
      if (typeOf(value) === 'map') members(path, fieldsOf(value), old && typeOf(old) === 'map' ? fieldsOf(old) : {}, depth + 1);
    };
    const members = (prefix, fields, olds, depth) => {
      const all = sortedNames(Object.assign(Object.create(null), olds, fields));
      for (const name of all) add([...prefix, name], Object.hasOwn(fields, name) ? fields[name] : undefined, Object.hasOwn(olds, name)
        ? olds[name] : undefined, depth);
    };
    members([], this.draft, this.base, 0);
    return nodes;
  }

  drawTree() {
    this.nodes = this.list();
    this.active = Math.max(0, Math.min(this.active, this.nodes.length - 1));
    replace(this.tree, this.nodes.length ? this.nodes.map((node, i) => this.row(node, i))
      : h('div', { role: 'row' }, h('div', { role: 'gridcell', class: 'muted pad' }, this.document ? 'No fields.' : '')));
  }

  row(node, index) {
    const { path, value, depth } = node;
    const type = typeOf(value);
    const step = path.at(-1);
    const isChanged = !this.isNew && (node.isRemoved || !node.old || !same(node.old, value));
    const toggle = h('span', { class: 'toggle' }, node.hasChildren && icon(node.isOpen ? 'down' : 'right'));
    const name = h('span', { class: typeof step === 'number' ? 'name faint mono' : 'name mono', title: fieldPath(path.map(String)) },
      typeof step === 'number' ? `${step}` : visible(step));
    const row = h('div', {
      role: 'row', class: ['field', isChanged && 'changed', node.isRemoved && 'removed'].filter(Boolean).join(' '),
        tabIndex: index === this.active ? 0 : -1,
      'aria-level': String(depth + 1), 'aria-expanded': node.hasChildren ? String(node.isOpen) : undefined,
        style: { '--depth': String(depth) },
      onfocus: () => { this.active = index; },
    },
    h('div', { role: 'rowheader', class: 'name-cell', onclick: () => node.hasChildren && this.toggle(node) }, toggle, name,
      isChanged && h('span', { class: 'mark-mine', title: 'Changed, not saved', role: 'img', 'aria-label': 'changed' }, '●')),
    h('div', {
      role: 'gridcell', class: 'value-cell', title: this.tip(value),
      onclick: () => {
        this.active = index;
        if (node.hasChildren) this.toggle(node);
        else this.edit(index);
      },
    }, this.shown(value)),
    h('div', { role: 'gridcell', class: 'tools-cell' }, h('span', { class: 'type-name' }, type === 'sentinel' ? 'computed' : type),
      !isReadOnly() && h('button', {
        type: 'button', class: 'tool field-menu', tabIndex: -1, 'aria-label': `Menu of ${step}`, 'aria-haspopup': 'menu',
        onclick: (event) => {
          this.active = index;
          menu(event.currentTarget, this.menuOf(node), { label: `${step}` });
        },
      }, icon('more'))));
    row.node = node;
    this.markTheirs(row);
    return row;
  }

  shown(value) {
    const type = typeOf(value);
    if (type === 'reference' && isIn(value.referenceValue, this.database)) {
      return h('a', { class: 'v-reference ellipsis', href: formatRoute({ ...route.value, page: 'data',
        path: relative(value.referenceValue).split('/'), params: {} }), tabIndex: -1, onclick: (e) => e.stopPropagation() },
        summary(value, this.database));
    }
    const all = [h('span', { class: `v-${type} ellipsis` }, summary(value, this.database))];
    if (type === 'string' && value.stringValue.length > 80) all.push(h('span', { class: 'faint small' },
      ` ${value.stringValue.length.toLocaleString('en')}`));
    if (type === 'string' && /^https?:\/\/\S+$/.test(value.stringValue)) {
      all.push(h('a', { class: 'tool inline', href: value.stringValue, target: '_blank', rel: 'noopener noreferrer',
        title: 'Open in a new tab', 'aria-label': 'Open in a new tab', tabIndex: -1, onclick: (e) => e.stopPropagation() }, icon('link')));
    }
    return all;
  }

  tip(value) {
    switch (typeOf(value)) {
      case 'timestamp': return `${value.timestampValue}\n${localTime(value.timestampValue)}`;
      case 'double': return doubleText(value.doubleValue);
      case 'vector': return vectorOf(value).slice(0, 64).join(', ');
      case 'string': return value.stringValue.slice(0, 1000);
      default: return undefined;
    }
  }

  /** A mark where the document was changed elsewhere while it is edited here. */
  markTheirs(row) {
    const { path } = row.node;
    row.querySelector('.mark-theirs')?.remove();
    if (!this.theirs) return;
    const theirs = valueAt(this.theirs.fields ?? {}, path);
    const old = valueAt(this.base, path);
    if (theirs === old || (theirs && old && same(theirs, old))) return;
    const what = theirs ? summary(theirs, this.database) : 'removed';
    row.querySelector('.name-cell').append(h('button', {
      type: 'button', class: 'mark-theirs', title: `Elsewhere: ${what}. Click to take it.`,
        'aria-label': `Changed elsewhere: ${what}. Take it.`, tabIndex: -1,
      onclick: (event) => {
        event.stopPropagation();
        this.change(path, theirs);
      },
    }, '◆'));
  }

  marks() { for (const row of this.body.querySelectorAll('.field')) this.markTheirs(row); }

  focusRow() { this.tree?.children[this.active]?.focus({ preventScroll: false }); }

  toggle(node) {
    const key = keyOf(node.path);
    if (!this.open.delete(key)) this.open.add(key);
    this.draw();
    this.focusRow();
  }

  pressed(event) {
    const row = event.target.closest('.field');
    if (!row || event.target !== row) return;
    const { node } = row;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.altKey && move) this.moveElement(node, move);
    else if (move) {
      this.active = Math.max(0, Math.min(this.active + move, this.nodes.length - 1));
      [...this.tree.children].forEach((r, i) => { r.tabIndex = i === this.active ? 0 : -1; });
      this.focusRow();
    } else if (event.key === 'ArrowRight' && node.hasChildren && !node.isOpen) this.toggle(node);
    else if (event.key === 'ArrowLeft' && node.isOpen) this.toggle(node);
    else if (event.key === 'ArrowLeft' && node.depth) {
      this.active = this.nodes.findIndex((n) => keyOf(n.path) === keyOf(node.path.slice(0, -1)));
      this.focusRow();
    } else if (event.key === 'Enter') {
      if (node.hasChildren) this.toggle(node);
      else this.edit(this.active);
    } else if (event.key === 'Delete' && !isReadOnly()) this.change(node.path, undefined);
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) menu(row, this.menuOf(node));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  menuOf(node) {
    const { path, value } = node;
    const type = typeOf(value);
    const isElement = typeof path.at(-1) === 'number';
    const inArray = path.some((s) => typeof s === 'number');
    if (node.isRemoved) return [{ label: 'Keep the field', action: () => this.change(path, node.old) }];
    return [
      !isContainer(value) && type !== 'sentinel' && { label: 'Edit', hint: 'Enter', action: () => this.edit(this.nodes.indexOf(node)) },
      isContainer(value) && { label: type === 'array' ? 'Add element' : 'Add field', action: () => this.addField(path) },
      !isElement && { label: 'Rename…', action: () => this.rename(node) },
      isElement && { label: 'Move up', hint: 'Alt ↑', disabled: path.at(-1) === 0, action: () => this.moveElement(node, -1) },
      isElement && { label: 'Move down', hint: 'Alt ↓', action: () => this.moveElement(node, 1) },
      { label: 'Change type…', action: () => this.ask(askType, node) },
      !inArray && { label: 'Compute when saved…', action: () => this.ask(askComputed, node) },
      null,
      { label: 'Copy field path', action: () => copy(fieldPath(path.map(String))) },
        { label: 'Copy value', action: () => copy(valueText(value, this.database, '', '  ')) },
      node.old && !same(node.old, value) && { label: 'Take back', action: () => this.change(path, node.old) },
      null, { label: isElement ? 'Remove' : 'Delete field', hint: 'Del', danger: true, action: () => this.change(path, undefined) },
    ];
  }

  // Editing

  change(path, value) {
    if (isReadOnly()) return;
    this.draft = withValue(this.draft, path, value);
    this.editing = null;
    this.draw();
    this.focusRow();
  }

  /** Puts an input in the place of a value. Without an index the first field is edited. */
  edit(index = this.active) {
    if (isReadOnly() || this.view === 'json') return;
    const node = this.nodes[index];
    if (!node || node.isRemoved) {
      if (!this.nodes.length && (this.document || this.isNew)) this.addField([]);
      return;
    }
    if (node.hasChildren || typeOf(node.value) === 'sentinel') {
      this.active = index;
      this.focusRow();
      return;
    }
    if (this.editing) this.editing.commit();
    const row = this.tree.children[index];
    const problem = h('p', { class: 'problem', role: 'alert' });
    const finish = (take) => {
      if (this.editing !== session) return;
      if (take) {
        try {
          const value = input.read();
          this.editing = null;
          this.change(node.path, value);
        } catch (error) {
          problem.textContent = error.message;
          input.input?.setAttribute('aria-invalid', 'true');
          return;
        }
      } else {
        this.editing = null;
        this.draw();
      }
      this.focusRow();
    };
    const session = { commit: () => finish(true) };
    if (typeOf(node.value) === 'boolean') {
      this.change(node.path, { booleanValue: !node.value.booleanValue });
      return;
    }
    const input = valueInput(node.value, this.database, { label: `Value of ${node.path.at(-1)}`, commit: () => finish(true), cancel: () =>
      finish(false) });
    this.editing = session;
    this.active = index;
    row.classList.add('editing');
    const cell = row.children[1];
    cell.onclick = null;
    replace(cell, h('div', {
      class: 'edit', onclick: (e) => e.stopPropagation(), onkeydown: (e) => this.tabbed(e, index, finish),
      onfocusout: (e) => {
        if (!cell.contains(e.relatedTarget) && document.hasFocus() && !e.relatedTarget?.closest('.menu')) finish(true);
      },
    }, input.element, problem));
    const first = cell.querySelector('input, textarea, select');
    first?.focus();
    first?.select?.();
  }

  /** Tab goes on to the next value, Shift Tab to the one before. */
  tabbed(event, index, finish) {
    if (event.key !== 'Tab') return;
    const inputs = [...event.currentTarget.querySelectorAll('input, textarea, select, button')];
    if (event.target !== inputs.at(event.shiftKey ? 0 : -1)) return;
    const next = index + (event.shiftKey ? -1 : 1);
    finish(true);
    if (this.editing || !this.nodes[next]) return;
    event.preventDefault();
    this.active = next;
    if (typeOf(this.nodes[next].value) === 'boolean') this.focusRow();
    else this.edit(next);
  }

  async addField(path) {
    const parent = path.length ? valueAt(this.draft, path) : mapOf(this.draft);
    const isArray = typeOf(parent) === 'array';
    if (path.length) this.open.add(keyOf(path));
    const name = h('input', { class: 'mono', placeholder: 'field', 'aria-label': 'Name of the field', autocomplete: 'off',
      spellcheck: false, size: 12 });
    const only = types.filter((t) => !(isArray && t === 'array'));
    const form = typedInput(text(''), this.database, { label: 'value', commit: () => add(), only });
    const problem = h('p', { class: 'problem', role: 'alert' });
    const add = (again = false) => {
      const last = this.form;
      try {
        if (!isArray && !name.value) throw new Error('A field has a name.');
        if (!isArray && Object.hasOwn(fieldsOf(parent), name.value)) throw new Error('There is a field of this name.');
        if (!isArray && /^__.*__$/s.test(name.value)) throw new Error('Names like __name__ are reserved.');
        const value = form.read();
        const target = [...path, isArray ? elementsOf(parent).length : name.value];
        this.form = null;
        this.active = 0;
        this.change(target, value);
        this.active = this.nodes.findIndex((n) => keyOf(n.path) === keyOf(target));
        this.focusRow();
        if (isContainer(value)) this.open.add(keyOf(target));
        if (again) this.addField(path);
      } catch (error) {
        this.form = last;
        problem.textContent = error.message;
      }
    };
    this.draw();
    this.form?.remove();
    this.form = h('div', {
      class: 'add-form', role: 'group', 'aria-label': isArray ? 'New element' : 'New field',
      onkeydown: (event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          this.form.remove();
          this.form = null;
          this.focusRow();
        } else if (event.key === 'Enter' && event.target.matches('select, input') && event.target === name) {
          event.preventDefault();
          form.focus();
        }
      },
    }, path.length > 0 && h('div', { class: 'faint mono small' }, fieldPath(path.map(String))),
      h('div', { class: 'row wrap' }, !isArray && name, form.element, button('Add', () => add(), { class: 'button small' })), problem);
    this.body.querySelector('.add-field')?.before(this.form);
    if (isArray) form.focus();
    else name.focus({ preventScroll: this.isNew });
  }

  async rename(node) {
    const name = await askName(node, this.draft);
    if (name === undefined) return;
    this.draft = withValue(this.draft, node.path, undefined);
    this.change([...node.path.slice(0, -1), name], node.value);
  }

  async ask(question, node) {
    const value = await question(node, this.database);
    if (value) this.change(node.path, value);
  }

  moveElement(node, by) {
    const index = node.path.at(-1);
    const parent = node.path.slice(0, -1);
    if (typeof index !== 'number') return;
    const items = [...elementsOf(valueAt(this.draft, parent))];
    if (index + by < 0 || index + by >= items.length) return;
    [items[index], items[index + by]] = [items[index + by], items[index]];
    this.active += by;
    this.change(parent, arrayOf(items));
    this.active = this.nodes.findIndex((n) => keyOf(n.path) === keyOf([...parent, index + by]));
    this.focusRow();
  }

  discard() {
    if (this.theirs) this.accept(this.theirs.isDeleted ? undefined : this.theirs);
    else this.accept(this.document ?? undefined);
    this.editing = null;
    this.draw();
  }

  // JSON

  show(view) {
    if (view === this.view || !this.takeJSON()) return;
    if (this.editing) this.editing.commit();
    this.view = view;
    this.draw();
  }

  drawJSON() {
    const problem = h('p', { class: 'problem', role: 'alert' });
    this.area = h('textarea', {
      class: 'mono json', spellcheck: false, readOnly: isReadOnly(), 'aria-label': 'Document as typed JSON', value: this.jsonText
        ?? fieldsText(this.draft, this.database),
      oninput: () => {
        this.jsonText = this.area.value;
        problem.textContent = '';
        this.drawFooter();
      },
    });
    this.problem = problem;
    replace(this.body, this.isNew && this.idRow(), this.area, problem,
      h('p', { class: 'faint small pad' },
        'Typed JSON, as the command line writes it. REST JSON and plain JSON can be pasted: fields keep the types that they have.'));
  }

  /** The text of the JSON view becomes the draft; false, with the place of the error, if it is not a document. */
  takeJSON() {
    if (this.jsonText === undefined) return true;
    try {
      this.draft = parseFields(this.jsonText, this.database, this.base);
      this.jsonText = undefined;
      return true;
    } catch (error) {
      this.problem.textContent = error.message;
      if (error.line) {
        const start = this.area.value.split('\n').slice(0, error.line - 1).join('\n').length + (error.line > 1 ? 1 : 0) + error.column - 1;
        this.area.focus();
        this.area.setSelectionRange(start, start + 1);
      }
      return false;
    }
  }

  // Saving

  async save() {
    if (isReadOnly() || this.isSaving) return;
    this.editing?.commit();
    if (this.editing || !this.takeJSON()) return;
    const problem = this.isNew && idProblem(this.path.at(-1));
    if (problem) {
      toast(problem, { isError: true });
      return;
    }
    const before = this.document;
    const write = this.isNew || !before ? writeOfDocument(this.name, this.draft, { exists: false })
      : writeOfChanges(this.name, this.base, this.draft, { updateTime: before.updateTime });
    if (!write) {
      this.draw();
      return;
    }
    this.isSaving = true;
    try {
      const answer = await commit(this.database, [write]);
      const saved = await getDocument(this.name);
      this.accept(saved);
      const time = answer.writeResults?.[0]?.updateTime ?? answer.commitTime;
      toast('Saved.', { action: 'Undo', onaction: () => this.undo(this.name, before, time) });
      if (saved) this.saved(saved);
      if (this.isNew) {
        this.isNew = false;
        this.created(this.path.at(-1));
      }
      this.draw();
      this.listen();
    } catch (error) {
      if (['FAILED_PRECONDITION', 'ABORTED', 'NOT_FOUND'].includes(error.status) && before) await this.conflict();
      else showError(error);
    } finally {
      this.isSaving = false;
    }
  }

  createMissing() {
    this.isSaving = true;
    commit(this.database, [writeOfDocument(this.name, {}, { exists: false })]).then(async () => {
      this.accept(await getDocument(this.name));
      this.isSaving = false;
      this.saved(this.document);
      this.draw();
    }, showError);
  }

  /** The document changed in between: theirs and mine, field by field. */
  async conflict() {
    const theirs = await getDocument(this.name);
    if (!theirs) {
      const again = await confirm({ title: 'The document was deleted',
        text: 'Another client deleted it. Saving creates it again, with all fields as they are here.', action: 'Create again' });
      this.document = null;
      this.base = {};
      this.theirs = null;
      this.isSaving = false;
      if (again) await this.save();
      return;
    }
    const draft = await askMerge(this.base, theirs.fields ?? {}, this.draft, this.database);
    if (!draft) {
      this.theirs = theirs;
      this.draw();
      return;
    }
    this.document = theirs;
    this.base = theirs.fields ?? {};
    this.draft = draft;
    this.theirs = null;
    this.isSaving = false;
    await this.save();
  }

  /** A commit of what was before, if nobody came between. */
  async undo(name, before, updateTime) {
    try {
      await commit(this.database, [before ? { update: { name, fields: before.fields ?? {} }, currentDocument: { updateTime } }
        : { delete: name, currentDocument: { updateTime } }]);
      if (this.isClosed || this.name !== name) return;
      this.accept(await getDocument(name));
      this.draw();
      if (this.document) this.saved(this.document);
    } catch (error) {
      showError(error.status === 'FAILED_PRECONDITION' ? new Error('It cannot be taken back: the document has changed since.') : error);
    }
  }

  async remove() {
    const before = this.document;
    if (isReadOnly() || !before) return;
    try {
      await commit(this.database, [{ delete: this.name, currentDocument: { updateTime: before.updateTime } }]);
      this.draft = this.base;
      const { database, name, saved } = this;
      toast(`${this.path.at(-1)} deleted.`, {
        action: 'Undo', onaction: async () => {
          try {
            await commit(database, [{ update: { name, fields: before.fields ?? {} }, currentDocument: { exists: false } }]);
            saved(await getDocument(name));
          } catch (error) {
            showError(error);
          }
        },
      });
      this.deleted(this.name);
    } catch (error) {
      showError(error.status === 'FAILED_PRECONDITION' ? new Error('The document has changed since; look at it again.') : error);
    }
  }

  async removeAll() {
    if (await removeRecursively(this.database, this.path)) this.deleted(this.name);
  }

  async duplicate() {
    const id = await askID('Duplicate', 'Duplicate', { value: newID() });
    if (!id) return;
    try {
      const path = [...this.path.slice(0, -1), id];
      await commit(this.database, [writeOfDocument([rootOf(this.database), ...path].join('/'), this.draft, { exists: false })]);
      this.saved(await getDocument([rootOf(this.database), ...path].join('/')));
      go({ path, params: route.value.params }, { force: true });
    } catch (error) {
      showError(error);
    }
  }

  closePanel() { this.close(); }
}

