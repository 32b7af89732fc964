// SPDX-License-Identifier: Apache-2.0
// One document: a tree of fields, saved as one commit of just what changed.
import { collectionIDs, commit, getDocument } from '../lib/api.js';
import { changedPaths, same, sameFields, writeOfChanges, writeOfDocument } from '../lib/changes.js';
import {
  button, counted, facts, failure, h, icon, iconButton, input, labelled, loading, number, primary, problemLine, replace, segments, small,
  tool,
} from '../lib/dom.js';
import { fieldsText, parseFields, valueText } from '../lib/json.js';
import { watch } from '../lib/live.js';
import { dataLink, go, isReadOnly } from '../lib/store.js';
import {
  arrayOf, documentName, elementsOf, fieldPath, fieldsOf, idProblem, isContainer, isIn, localTime, mapOf, newID, relative, sortedNames,
  summary, toJSON, typeOf, valueAt, valueIn, visible, withValue,
} from '../lib/values.js';
import { CodeArea, json } from './code-area.js';
import { FieldForm } from './field-form.js';
import { firstInput, valueInput } from './inputs.js';
import { askCollection, askComputed, askMerge, askName, askType, offerUndo, removeRecursively } from './questions.js';
import { attempt, confirm, copy, menu, menuButton, panelHead, showPlace } from './widgets.js';

const isIndex = (step) => typeof step === 'number';
const unlessReadOnly = (...items) => (isReadOnly() ? [] : items);

export class DocumentPanel {
  base = {};
  draft = {};
  document = null;
  /** What another client has saved while this one is edited; undefined if nobody has. */
  theirs = undefined;
  opened = new Set();
  active = 0;
  /** What ends the input that is open, and the text of the JSON view, if there are such. */
  editing = null;
  jsonText = null;
  view = 'fields';
  body = h('.panel-body', { tabIndex: -1 });
  note = h('span.muted.ellipsis.grow');
  leave = button('', () => this.discard());
  footer = h('.panel-footer', this.note, this.leave, primary('Save', () => this.save(), { title: 'Save (Ctrl S)' }));
  below = h('.below-document');
  adding = h('div', { oninput: () => this.drawFooter(), onchange: () => this.drawFooter() });
  /** The form of a new field, if it is open. */
  form = null;
  top = h('div');
  element = h('.panel', this.top, this.body, this.footer);

  /** @param {{database: string, path: string[], isNew: boolean, close: function, saved: function, created: function,
   *   deleted: function, siblings: function}} options `siblings` answers the fields of other documents of the collection. */
  constructor(options) {
    Object.assign(this, options);
    if (this.isNew && !this.path.at(-1)) this.path = [...this.path.slice(0, -1), newID()];
    this.load();
  }

  get name() { return documentName(this.database, this.path); }
  get isDirty() { return this.isNamed || this.form?.isTouched || this.jsonText !== null || !sameFields(this.base, this.draft); }
  /** Whether there is an input, of a value or of a new field, which is not drawn over. */
  get isTyping() { return this.editing || this.form; }

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
    loading(this.body);
    try {
      this.accept(await getDocument(this.name));
      this.listen();
      await this.listBelow();
    } catch (error) {
      replace(this.body, failure(error, () => this.load()));
    }
  }

  reload() { if (!this.isDirty) this.load(); }

  accept(document) {
    Object.assign(this, { document, base: document?.fields ?? {}, theirs: undefined, jsonText: null, editing: null });
    this.draft = { ...this.base };
    this.closeForm();
    this.draw();
  }

  listen() {
    if (this.isClosed) return;
    watch('document', { documents: { documents: [this.name] } }, {
      change: (document) => {
        if (document.updateTime !== (this.theirs ?? this.document)?.updateTime) this.changedElsewhere(document);
      },
      remove: () => { if (this.document) this.changedElsewhere(null); },
    });
  }

  /** Shown at once, or as marks while a person edits. */
  changedElsewhere(document) {
    if (this.isSaving) return;
    if (this.isDirty || this.isTyping) {
      this.theirs = document;
      this.draw(this.isTyping);
      return;
    }
    const changed = new Set(changedPaths(this.base, document?.fields ?? {}).map(([name]) => name));
    this.accept(document);
    for (const row of this.body.querySelectorAll('.field')) row.classList.toggle('flash', changed.has(row.node.path[0]));
  }

  // What is seen

  draw(keepsInput = false) {
    this.drawFooter();
    if (this.editing || keepsInput) {
      for (const row of this.tree.children) this.markTheirs(row);
      return;
    }
    replace(this.top, this.head());
    const hadFocus = this.body.contains(document.activeElement);
    const { scrollTop } = this.body;
    replace(this.body, this.isNew && this.idRow(), this.view === 'json' ? this.json() : this.fields());
    this.body.scrollTop = scrollTop;
    if (hadFocus) this.focusRow();
  }

  head() {
    const id = this.path.at(-1);
    return panelHead(this.isNew ? 'New document' : id, [
      segments('View', [['fields', 'Fields'], ['json', 'JSON']], this.view, (view) => this.show(view)),
      !this.isNew && menuButton(icon('more'), () => [
        ['Copy path', () => copy(this.path.join('/'), 'Path copied')],
        ['Copy as typed JSON', () => copy(fieldsText(this.draft, this.database))],
        ['Copy as REST JSON', () => copy(toJSON({ name: this.name, fields: this.draft }, 2))],
        ...unlessReadOnly(null, ['Delete document', () => this.remove(), { hint: 'Del', danger: true, disabled: !this.document }],
          ['Delete with everything below…', () => this.removeAll(), { danger: true }]),
      ], 'Document')], () => this.close());
  }

  /** The buttons stay: one that is replaced while it is pressed is not clicked. */
  drawFooter() {
    this.footer.hidden = !this.isDirty && !this.isNew;
    const paths = this.isNew ? [] : changedPaths(this.base, this.draft);
    this.note.title = paths.map(fieldPath).join(', ');
    this.leave.textContent = this.isNew ? 'Cancel' : 'Discard';
    const isChanged = this.theirs !== undefined;
    replace(this.note, isChanged ? h('span.warn-text', this.theirs ? 'Changed elsewhere' : 'Deleted elsewhere')
      : !this.isNew && counted(paths.length + (this.form?.isTouched ? 1 : 0), 'change'));
  }

  discard() {
    if (this.isNew) this.close();
    else this.accept(this.theirs === undefined ? this.document : this.theirs);
  }

  idRow() {
    const problem = problemLine();
    const field = input({ value: this.path.at(-1), oninput: () => {
      this.isNamed = true;
      this.path[this.path.length - 1] = field.value;
      problem.textContent = idProblem(field.value);
    } });
    return h('.id-row.pad', labelled('Document id', field), problem);
  }

  fields() {
    const { createTime, updateTime } = this.document ?? {};
    const canWrite = !isReadOnly();
    const time = (timestamp) => h('span.figures', { title: timestamp }, localTime(timestamp));
    this.tree = h('.tree', { role: 'treegrid', label: 'Fields', ariaReadOnly: !canWrite, onkeydown: (event) => this.pressed(event) });
    this.nodes = this.list();
    this.active = Math.max(0, Math.min(this.active, this.nodes.length - 1));
    replace(this.tree, this.nodes.map((node, i) => this.row(node, i)), !this.nodes.length
      && h('div', { role: 'row' }, h('.muted.pad', { role: 'gridcell' }, this.document ? 'No fields.' : '')));
    return [
      !this.document && !this.isNew && h('.notice', h('p', 'This document does not exist.'),
        canWrite && small('Create it', () => this.save())),
      this.tree, this.adding,
      canWrite && (this.document || this.isNew) && tool('plus', 'Add field', () => this.addField([]), { class: 'add-field' }),
      !this.isNew && this.below, this.document && facts({ Created: time(createTime), Updated: time(updateTime) }),
    ];
  }

  async listBelow() {
    const { ids, next } = await collectionIDs(this.name);
    replace(this.below, h('h3.heading', 'Collections'),
      ids.map((id) => h('a.mono', { href: dataLink([...this.path, id]) }, icon('right'), id)), next && h('p.faint', 'There are more.'),
      unlessReadOnly(tool('plus', 'Add collection', async () => {
        const id = await askCollection();
        if (id) go({ path: [...this.path, id], params: { new: '1' } });
      })));
  }

  /** All rows, with those of open maps and arrays. Fields that were removed stay, struck through, until they are saved. */
  list(value = mapOf(this.draft), old = mapOf(this.base), path = []) {
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
    const isChanged = !this.isNew && (node.isRemoved || !same(node.old, value));
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
    const shown = summary(value, this.database);
    const { stringValue = '', referenceValue } = value;
    if (referenceValue && isIn(referenceValue, this.database)) {
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
    if (this.theirs === undefined) return;
    const theirs = valueAt(this.theirs?.fields ?? {}, path);
    if (same(theirs, valueAt(this.base, path))) return;
    const label = `Changed elsewhere: ${theirs ? summary(theirs, this.database) : 'removed'}. Take it.`;
    row.firstChild.append(h('button.mark-theirs', { title: label, label, tabIndex: -1, onclick: (event) => {
      event.stopPropagation();
      this.change(path, theirs);
    } }, '◆'));
  }

  // The tree

  focusRow() { this.tree.children[this.active]?.focus(); }

  activate(path) {
    this.active = Math.max(0, this.nodes.findIndex((node) => toJSON(node.path) === toJSON(path)));
    this.focusRow();
  }

  toggle({ path }) {
    const key = toJSON(path);
    if (!this.opened.delete(key)) this.opened.add(key);
    this.draw();
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
      this.tree.children[this.active].tabIndex = 0;
      this.focusRow();
    } else if (key === (node.isOpen ? 'ArrowLeft' : 'ArrowRight') && node.hasChildren) this.toggle(node);
    else if (key === 'ArrowLeft' && node.path.length > 1) this.activate(node.path.slice(0, -1));
    else if (key === 'Enter') (node.hasChildren ? this.toggle(node) : this.edit());
    else if (key === 'Delete') this.change(node.path, undefined);
    else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) menu(event.target, this.menuOf(node), `${node.path.at(-1)}`);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  menuOf(node) {
    const { path, value, old } = node;
    const isElement = isIndex(path.at(-1));
    const ask = async (question) => {
      const answer = await question(node, this.database);
      if (answer) this.change(path, answer);
    };
    if (node.isRemoved) return [['Keep the field', () => this.change(path, old)]];
    return [
      isContainer(value) ? [typeOf(value) === 'array' ? 'Add element' : 'Add field', () => this.addField(path)]
        : !value.sentinel && ['Edit', () => this.edit(this.nodes.indexOf(node)), { hint: 'Enter' }],
      ...(isElement ? [['Move up', () => this.moveElement(node, -1), { hint: 'Alt ↑' }],
        ['Move down', () => this.moveElement(node, 1), { hint: 'Alt ↓' }]] : [['Rename…', () => this.rename(node)]]),
      ['Change type…', () => ask(askType)],
      !path.some(isIndex) && ['Compute when saved…', () => ask(askComputed)],
      null,
      ['Copy field path', () => copy(fieldPath(path))],
      /^https?:\/\/\S+$/.test(value.stringValue) && ['Open the link', () => open(value.stringValue, '_blank', 'noreferrer')],
      ['Copy value', () => copy(valueText(value, this.database, '  '))],
      old && !same(old, value) && ['Take back', () => this.change(path, old)],
      null,
      [isElement ? 'Remove' : 'Delete field', () => this.change(path, undefined), { hint: 'Del', danger: true }],
    ];
  }

  change(path, value) {
    if (isReadOnly()) return;
    this.draft = withValue(this.draft, path, value);
    this.editing = null;
    this.draw();
    this.focusRow();
  }

  async rename(node) {
    const name = await askName(node, this.draft);
    if (name === undefined) return;
    this.draft = withValue(this.draft, node.path, undefined);
    this.change([...node.path.slice(0, -1), name], node.value);
  }

  moveElement({ path }, by) {
    const [index, parent] = [path.at(-1), path.slice(0, -1)];
    const items = [...elementsOf(valueIn(mapOf(this.draft), parent))];
    if (!isIndex(index) || !items[index + by]) return;
    [items[index], items[index + by]] = [items[index + by], items[index]];
    this.change(parent, arrayOf(items));
    this.activate([...parent, index + by]);
  }

  // Inputs

  edit(index = this.active) {
    const node = this.nodes[index];
    if (isReadOnly() || this.view === 'json' || node?.isRemoved) return;
    if (!node) {
      this.addField([]);
      return;
    }
    this.editing?.(true);
    this.active = index;
    const { path, value } = node;
    if (typeOf(value) === 'boolean') {
      this.change(path, { booleanValue: !value.booleanValue });
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
        this.change(path, takes ? field.read() : value);
      } catch (error) {
        problem.textContent = error.message;
        if (field.field) field.field.ariaInvalid = true;
      }
    };
    const field = valueInput(value, this.database, {
      label: `Value of ${path.at(-1)}`, commit: () => finish(true), cancel: () => finish(false),
    });
    this.editing = finish;
    const row = this.tree.children[index];
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

  addField(path) {
    if (!this.takeForm()) return;
    if (path.length) this.opened.add(toJSON(path));
    this.draw();
    this.form = new FieldForm({
      path, database: this.database, parent: () => valueIn(mapOf(this.draft), path),
      siblings: () => this.siblings().map((fields) => fieldsOf(valueAt(fields, path))),
      add: (step, value) => {
        this.closeForm();
        const target = [...path, step];
        if (isContainer(value)) this.opened.add(toJSON(target));
        this.change(target, value);
        this.activate(target);
      },
      close: () => {
        this.closeForm();
        this.drawFooter();
        this.focusRow();
      },
    });
    replace(this.adding, this.form.element);
    this.form.focus({ preventScroll: this.isNew });
  }

  closeForm() {
    this.form = null;
    replace(this.adding);
  }

  /** A field that is typed and not added yet is added. False, with the reason beside it, if that is not possible. */
  takeForm() {
    if (this.form?.isTouched) return this.form.take();
    this.closeForm();
    return true;
  }

  // JSON

  show(view) {
    this.editing?.(true);
    if (this.takeForm() && this.takeJSON()) this.view = view;
    this.draw();
  }

  json() {
    this.problem = problemLine();
    this.code = new CodeArea('Document as typed JSON', json, {
      readOnly: isReadOnly(), value: this.jsonText ?? fieldsText(this.draft, this.database), changed: () => {
        this.jsonText = this.code.value;
        this.drawFooter();
      },
    });
    return [h('.source.json', this.code.element), this.problem, h('p.faint.small.pad',
      'Typed JSON, as the command line writes it. REST JSON and plain JSON can be pasted: fields keep the types that they have.')];
  }

  /** The text of the JSON view becomes the draft; false, with the place of the error, if it is not a document. */
  takeJSON() {
    try {
      if (this.jsonText !== null) this.draft = parseFields(this.jsonText, this.database, this.base);
      this.jsonText = null;
      return true;
    } catch (error) {
      this.problem.textContent = error.message;
      showPlace(this.code.area, error, 1);
      return false;
    }
  }

  // Commits

  /** Carries out what changes the document; what listeners tell in the meantime is known. */
  async saving(action) {
    if (isReadOnly() || this.isSaving) return;
    this.isSaving = true;
    await attempt(action);
    this.isSaving = false;
  }

  save() {
    this.editing?.(true);
    if (this.editing || !this.takeForm() || !this.takeJSON()) return;
    this.saving(async () => {
      const { name, document: before, isNew } = this;
      const problem = isNew && idProblem(this.path.at(-1));
      if (problem) throw new Error(problem);
      const write = before ? writeOfChanges(name, this.base, this.draft, { updateTime: before.updateTime })
        : writeOfDocument(name, this.draft, { exists: false });
      if (!write) {
        this.draw();
        return;
      }
      try {
        await commit([write]);
      } catch (error) {
        if (!before || !['FAILED_PRECONDITION', 'ABORTED', 'NOT_FOUND'].includes(error.status)) throw error;
        await this.conflict();
        return;
      }
      const saved = await getDocument(name);
      this.isNew = false;
      this.isNamed = false;
      this.accept(saved);
      this.saved(saved);
      if (isNew) this.created(this.path.at(-1));
      this.listen();
      const currentDocument = { updateTime: saved.updateTime };
      const undo = before ? { update: { name, fields: before.fields ?? {} }, currentDocument } : { delete: name, currentDocument };
      offerUndo('Saved.', [undo], async () => {
        const now = await getDocument(name);
        if (this.name === name && this.isDirty) this.changedElsewhere(now ?? null);
        else if (this.name === name) this.accept(now);
        if (now) this.saved(now);
      });
    });
  }

  /** The document changed in between: theirs and mine, field by field. */
  async conflict() {
    const theirs = await getDocument(this.name);
    const draft = theirs ? await askMerge(this.base, theirs.fields ?? {}, this.draft, this.database)
      : await confirm({ title: 'The document was deleted', action: 'Create again',
        text: 'Another client deleted it. Saving creates it again, with all fields as they are here.' }) && this.draft;
    this.isSaving = false;
    if (draft) {
      Object.assign(this, { document: theirs, base: theirs?.fields ?? {}, draft, theirs: undefined });
      this.save();
    } else {
      this.theirs = theirs ?? null;
      this.draw();
    }
  }

  remove() {
    const { document: before, name, saved } = this;
    if (!before) return;
    this.saving(async () => {
      await commit([{ delete: name, currentDocument: { updateTime: before.updateTime } }]);
      this.draft = this.base;
      const undo = { update: { name, fields: before.fields ?? {} }, currentDocument: { exists: false } };
      offerUndo(`${this.path.at(-1)} deleted.`, [undo], async () => saved(await getDocument(name)));
      this.deleted(name);
    });
  }

  removeAll() {
    attempt(async () => { if (await removeRecursively(this.name)) this.deleted(this.name); });
  }
}
