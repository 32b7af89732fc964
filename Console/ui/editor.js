// SPDX-License-Identifier: Apache-2.0
// One document: its draft as a tree of fields or as JSON, saved as one commit of just what changed.
import { collectionIDs, commit, getDocument } from '../lib/api.js';
import { changedPaths, sameFields, writeOfChanges, writeOfDocument } from '../lib/changes.js';
import {
  button, counted, facts, failure, h, icon, input, labelled, loading, primary, problemLine, replace, segments, small, tool,
} from '../lib/dom.js';
import { fieldsText, parseFields } from '../lib/json.js';
import { watch } from '../lib/live.js';
import { dataLink, go, isReadOnly } from '../lib/store.js';
import {
  documentName, fieldPath, fieldsOf, idProblem, isContainer, localTime, mapOf, newID, toJSON, valueAt, valueIn, withValue,
} from '../lib/values.js';
import { CodeArea, json } from './code-area.js';
import { FieldForm } from './field-form.js';
import { FieldTree, unlessReadOnly } from './field-tree.js';
import { askCollection, askMerge, offerUndo, removeRecursively } from './questions.js';
import { attempt, confirm, copy, menuButton, panelHead, showPlace } from './widgets.js';

export class DocumentPanel {
  base = {};
  draft = {};
  document = null;
  /** What another client has saved while this one is edited; undefined if nobody has. */
  theirs = undefined;
  /** The text of the JSON view, if it was edited. */
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
  tree = new FieldTree(this);
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
  get isTyping() { return this.tree.editing || this.form; }

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
    Object.assign(this, { document, base: document?.fields ?? {}, theirs: undefined, jsonText: null });
    this.tree.editing = null;
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
    if (this.tree.editing || keepsInput) {
      this.tree.mark();
      return;
    }
    replace(this.top, this.head());
    const hadFocus = this.body.contains(document.activeElement);
    const { scrollTop } = this.body;
    replace(this.body, this.isNew && this.idRow(), this.view === 'json' ? this.json() : this.fields());
    this.body.scrollTop = scrollTop;
    if (hadFocus) this.tree.focusRow();
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
    this.tree.draw();
    return [
      !this.document && !this.isNew && h('.notice', h('p', 'This document does not exist.'),
        canWrite && small('Create it', () => this.save())),
      this.tree.element, this.adding,
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

  change(path, value) {
    if (isReadOnly()) return;
    this.draft = withValue(this.draft, path, value);
    this.tree.editing = null;
    this.draw();
    this.tree.focusRow();
  }

  addField(path) {
    if (!this.takeForm()) return;
    if (path.length) this.tree.open(path);
    this.draw();
    this.form = new FieldForm({
      path, database: this.database, parent: () => valueIn(mapOf(this.draft), path),
      siblings: () => this.siblings().map((fields) => fieldsOf(valueAt(fields, path))),
      add: (step, value) => {
        this.closeForm();
        const target = [...path, step];
        if (isContainer(value)) this.tree.open(target);
        this.change(target, value);
        this.tree.activate(target);
      },
      close: () => {
        this.closeForm();
        this.drawFooter();
        this.tree.focusRow();
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
    this.tree.editing?.(true);
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
    // What was said of the save before is not the result of this one, and cannot be taken back after it.
    this.unsay?.();
    this.tree.editing?.(true);
    if (this.tree.editing || !this.takeForm() || !this.takeJSON()) return;
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
      this.unsay = offerUndo('Saved.', [undo], async () => {
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
