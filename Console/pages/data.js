// SPDX-License-Identifier: Apache-2.0
// Data: a collection as a table, and one of its documents beside it.
import { commit, count } from '../lib/api.js';
import { announce, button, debounced, empty, failure, h, icon, iconButton, replace, skeleton } from '../lib/dom.js';
import { fieldsText } from '../lib/json.js';
import { watch } from '../lib/live.js';
import { fullOrder, modelOf, pageQuery, requestOf, symbols, isUnary } from '../lib/query.js';
import { Rows } from '../lib/rows.js';
import { databaseName, formatRoute, go, guard, isReadOnly, remember, remembered, route, setParams } from '../lib/store.js';
import { relative, rootOf, summary, toJSON } from '../lib/values.js';
import { conditions } from '../ui/conditions.js';
import { DocumentPanel } from '../ui/editor.js';
import { Grid } from '../ui/grid.js';
import { askCollection, askID } from '../ui/questions.js';
import { removeRecursively } from '../ui/removal.js';
import { confirm, copy, dialog, download, guideLink, menu, menuButton, resizer, showError, toast } from '../ui/widgets.js';
import { documentCell, fieldColumns } from '../ui/columns.js';

const nameOf = (path) => [rootOf(databaseName()), ...path].join('/');

export function open({ setPrimary, collections, loadCollections }) {
  const element = h('div', { class: 'split' });
  let table = null;
  let tableKey = '';
  let panel = null;
  let panelKey = '';

  const places = {
    table: h('section', { class: 'table-place', 'aria-label': 'Collection' }),
    panel: h('aside', { class: 'panel-place', 'aria-label': 'Document', hidden: true }),
  };
  const setWidth = (width) => element.style.setProperty('--panel', `${width}px`);
  setWidth(remembered('panel', 420));
  const edge = resizer('Width of the document', {
    get: () => places.panel.offsetWidth || 420, min: 300, max: () => innerWidth - 420, isReversed: true,
    set: (width) => {
      setWidth(width);
      remember('panel', width);
    },
  });
  edge.hidden = true;
  element.append(places.table, edge, places.panel);

  function update(r) {
    const { path, params } = r;
    const isDocument = path.length > 0 && path.length % 2 === 0;
    const collection = isDocument ? path.slice(0, -1) : path;
    if (!collection.length) {
      closeTable();
      closePanel();
      start();
      return;
    }
    const key = toJSON([databaseName(), collection, params.q]);
    if (key !== tableKey) {
      closeTable();
      tableKey = key;
      table = new CollectionTable(collection, params, { loadCollections });
      replace(places.table, table.element);
    }
    const wanted = isDocument ? nameOf(path) : params.new !== undefined ? `new:${collection.join('/')}` : '';
    if (wanted !== panelKey) {
      closePanel();
      panelKey = wanted;
      if (wanted) openPanel(isDocument ? path : [...collection, ''], isDocument);
    }
    table.opened(isDocument ? nameOf(path) : '');
    primary(collection);
  }

  function primary(collection) {
    setPrimary(!isReadOnly() && button([icon('plus'), h('span', { class: 'wide-only' }, 'New document')],
      () => setPanel({ path: collection, params: { ...route.value.params, new: '1' } }),
        { class: 'button primary', title: 'New document (n)', 'aria-label': 'New document' }));
  }

  const setPanel = (change) => go(change);

  function openPanel(path, exists) {
    panel = new DocumentPanel({
      database: databaseName(), path, isNew: !exists,
      close: () => go({ path: path.slice(0, -1), params: withoutNew() }).then((done) => done
        && table?.grid.element.focus({ preventScroll: true })),
      saved: (document) => {
        table?.saved(document);
        if (!collections.value.ids.includes(path[0])) loadCollections();
      },
      created: (id) => go({ path: [...path.slice(0, -1), id], params: withoutNew() }, { replace: true, force: true }),
      deleted: (name) => {
        table?.deleted(name);
        go({ path: path.slice(0, -1), params: route.value.params }, { force: true });
      },
    });
    guard.mayLeave = async (next) => {
      if (!panel?.isDirty) return true;
      const stays = next?.page === 'data' && toJSON(next.path) === toJSON(route.value.path);
      return stays || confirm({ title: 'Discard the changes?', text: 'The document has changes that are not saved.', action: 'Discard' });
    };
    replace(places.panel, panel.element);
    places.panel.hidden = edge.hidden = false;
    element.classList.add('has-panel');
  }

  function withoutNew() {
    const { new: _, ...params } = route.value.params;
    return params;
  }

  function closePanel() {
    panel?.destroy();
    panel = null;
    panelKey = '';
    guard.mayLeave = async () => true;
    places.panel.hidden = edge.hidden = true;
    element.classList.remove('has-panel');
    replace(places.panel);
  }

  function closeTable() {
    table?.destroy();
    table = null;
    tableKey = '';
    replace(places.table);
  }

  /** Without a collection in the path: the first one, or what to do in an empty database. */
  function start() {
    const { ids, isLoaded, error } = collections.value;
    if (error) replace(places.table, failure(error, () => loadCollections()));
    else if (!isLoaded) replace(places.table, h('div', { class: 'late' }, skeleton()));
    else if (ids.length) go({ path: [ids[0]] }, { replace: true });
    else {
      replace(places.table, empty('Nothing here yet. Point an app at it:',
        h('pre', { class: 'command', tabIndex: 0 }, `export FIRESTORE_EMULATOR_HOST=${location.host}`),
        !isReadOnly() && [h('p', { class: 'muted' }, 'Or begin with a document:'),
          button('New collection', newCollection, { class: 'button primary' })], guideLink()));
      setPrimary();
    }
  }

  async function newCollection() {
    const id = await askCollection();
    if (id) go({ path: [id], params: { new: '1' } });
  }

  const stop = collections.onChange(() => { if (!route.value.path.length && route.value.page === 'data') start(); });
  const step = (by) => table?.step(by);
  return {
    element, update,
    destroy() {
      stop();
      closeTable();
      closePanel();
    },
    /** After a lost connection the listeners tell what has changed; only what was never loaded is loaded. */
    refresh: (isReconnected) => {
      if (!isReconnected || !table?.grid.rows.length) table?.reload();
      if (!isReconnected || !panel?.document) panel?.reload();
      if (!table) start();
    },
    commands: () => (isReadOnly() ? [] : [{ label: 'New collection', action: newCollection }]),
    keys: {
      n: () => !isReadOnly() && route.value.path.length && setPanel({ path: table.path, params: { ...route.value.params, new: '1' } }),
      e: () => panel?.edit(), '[': () => step(-1), ']': () => step(1), 'ctrl-s': () => panel?.save(),
      Delete: () => (table?.grid.selection.size ? table.removeSelected() : panel?.remove()),
      Escape: () => panel?.closePanel(),
    },
  };
}

class CollectionTable {
  constructor(path, params, shell) {
    Object.assign(this, { path, shell, database: databaseName(), fresh: new Set(), live: null });
    this.parent = [rootOf(this.database), ...path.slice(0, -1)].join('/');
    this.collection = path.at(-1);
    this.memory = `table.${this.database}.${path.filter((_, i) => i % 2 === 0).join('/')}`;
    this.model = { ...modelOf({ from: [{ collectionId: this.collection }], ...(params.q && safeParse(params.q)) }, ''), limit: 0 };
    const { limit, ...query } = requestOf(this.model).structuredQuery;
    this.query = query.where || query.orderBy || query.startAt || query.endAt ? query : null;
    this.columns = remembered(this.memory, null);
    if (params.cols !== undefined) this.columns = [{ key: '__id__', width: 180 },
      ...params.cols.split(',').filter(Boolean).map((key) => ({ key, width: 150 }))];
    this.place = h('div', { class: 'grid-place' });
    this.note = h('span', { class: 'faint figures' });
    this.arrived = h('button', { type: 'button', class: 'arrived', hidden: true, onclick: () => this.reload() });
    this.selectionBar = h('div', { class: 'row', hidden: true });
    this.element = h('div', { class: 'page' }, this.bar(), this.place, this.arrived);
    this.grid = new Grid({
      label: `Documents of ${path.join('/')}`, columns: [], selection: true, key: (row) => row.name, resized: () => this.keepColumns(),
      cell: (cell, row, column) => documentCell(cell, row, column, this.database),
      rowClass: (row) => [row.isMissing && 'missing', row.isGone && 'gone'].filter(Boolean).join(' '),
      isOpen: (row) => row.name === this.openName, total: () => (this.rows?.isAtStart && this.rows.isAtEnd ? this.rows.rows.length : -1),
      open: (row) => go({ path: [...this.path, row.name.split('/').at(-1)], params: this.keptParams() }),
      header: (column, cell) => this.headerMenu(column, cell), selected: () => this.selectionChanged(),
      edge: (side) => (side === 'end' ? this.rows.next() : this.rows.previous()), scrolled: debounced(250, () => this.settled()),
      jump: (where) => this.jump(where),
    });
    this.start();
  }

  keptParams() {
    const { q, cols } = route.value.params;
    return { q, cols };
  }

  async start() {
    this.rows = new Rows({
      parent: this.parent, collection: this.collection, query: this.query, changed: (shift) => this.loaded(shift), failed: (error) =>
        this.failed(error),
    });
    const late = setTimeout(() => replace(this.place, skeleton(12)), 150);
    await this.rows.first();
    clearTimeout(late);
  }

  failed(error) {
    if (this.grid.rows.length) showError(error);
    else replace(this.place, failure(error, () => this.reload()));
  }

  loaded(shift) {
    const rows = this.rows.rows;
    if (!rows.length && this.rows.isAtStart) {
      replace(this.place, this.query
        ? empty('No document matches.', h('p', { class: 'muted' }, 'Sorting and filters leave out documents without the field.'),
          button('Show all', () => setParams({ q: undefined })))
        : empty('This collection has no documents.', !isReadOnly() && button('New document', () =>
          go({ path: this.path, params: { new: '1' } }))));
    } else {
      if (!this.columns) this.columns = fieldColumns(rows.slice(0, 100));
      if (!this.grid.columns.length) this.showColumns();
      if (this.grid.element.parentNode !== this.place) replace(this.place, this.grid.element);
      this.grid.setRows(rows, shift);
    }
    this.say();
    this.settled();
  }

  say() {
    const { isAtStart, isAtEnd } = this.rows;
    const n = this.grid.rows.length;
    this.note.textContent = this.counted ?? (n ? `${n.toLocaleString('en')} shown${isAtStart && isAtEnd ? '' : ' · more'}` : '');
  }

  showColumns() {
    const order = this.query ? fullOrder(this.query) : [];
    this.grid.setColumns(this.columns.map((c) => {
      const path = c.key === '__id__' ? '__name__' : c.key;
      const sort = this.model.order.length ? order.find((o) => o.field === path
        && this.model.order.some((m) => m.field === path))?.direction : undefined;
      return { ...c, title: c.key === '__id__' ? 'id' : c.key, sort };
    }));
  }

  keepColumns() {
    this.columns = this.grid.columns.map(({ key, width }) => ({ key, width }));
    remember(this.memory, this.columns);
  }

  setColumns(columns) {
    this.columns = columns;
    remember(this.memory, columns);
    if (route.value.params.cols !== undefined) setParams({ cols: undefined });
    this.showColumns();
  }

  // The bar above the table

  bar() {
    const crumbs = this.path.map((id, i) => (i === this.path.length - 1 ? h('span', { class: 'ellipsis' }, id) : [
      h('a', { class: 'ellipsis faint', href: formatRoute({ ...route.value, path: this.path.slice(0, i + 1), params: {} }) }, id),
        h('span', { class: 'faint' }, ' / '),
    ]));
    const chips = this.model.where.items.map((item, i) => h('span', { class: 'chip mono' },
      h('span', { class: 'ellipsis' }, item.items ? `${item.op} of ${item.items.length}`
        : `${item.field} ${symbols[item.op]} ${isUnary(item.op) ? '' : summary(item.value, this.database)}`),
      iconButton('close', 'Remove the filter', () => this.setQuery({ ...this.model,
        where: { ...this.model.where, items: this.model.where.items.toSpliced(i, 1) } }))));
    return h('div', { class: 'bar' },
      h('h1', { class: 'mono row title' }, crumbs), chips,
      h('button', { type: 'button', class: 'tool', onclick: () => this.filter() }, icon('filter'), 'Filter'),
      h('button', { type: 'button', class: 'tool', onclick: () => this.chooseColumns() }, icon('columns'),
        h('span', { class: 'wide-only' }, 'Columns')),
      this.selectionBar, h('span', { class: 'grow' }), this.note,
      h('button', { type: 'button', class: 'tool wide-only', onclick: () => this.count() }, 'Count'),
      menuButton(icon('more'), () => [
        { label: 'First documents', hint: 'Home', action: () => this.jump('first') },
          { label: 'Last documents', hint: 'End', action: () => this.jump('last') },
        !this.query && { label: 'Go to id…', action: () => this.goToID() },
        { label: 'Count', action: () => this.count() }, { label: 'Reload', action: () => this.reload() },
        null,
        { label: 'Open in Query', action: () => go({ page: 'query', path: this.path.slice(0, -1),
          params: { q: toJSON(requestOf({ ...this.model, limit: 100 })) } }) },
        { label: 'Copy path', action: () => copy(this.path.join('/'), 'Path copied') },
        { label: 'Export…', action: () => go({ page: 'transfer', path: this.path }) },
        ...(isReadOnly() ? [] : [null, { label: 'Delete collection…', danger: true, action: () => this.removeCollection() }]),
      ], { 'aria-label': 'More', title: 'More' }));
  }

  setQuery(model) {
    const { from, limit, ...query } = requestOf({ ...model, limit: 0 }).structuredQuery;
    return go({ path: this.path, params: { ...this.keptParams(), q: Object.keys(query).length ? toJSON(query) : undefined } });
  }

  async filter() {
    const fields = this.columns?.map((c) => (c.key === '__id__' ? '__name__' : c.key)) ?? [];
    const editor = conditions(structuredClone(this.model.where), { fields: () => fields, database: this.database, isRoot: true });
    let where;
    const answer = await dialog({
      title: 'Filter', isWide: true, body: editor.element, actions: [['Cancel', undefined], ['Show', true, 'primary']],
      validate: () => {
        try {
          where = editor.read();
          requestOf({ ...this.model, where });
          return undefined;
        } catch (error) {
          return error.message;
        }
      },
    });
    if (answer) this.setQuery({ ...this.model, where });
  }

  headerMenu(column, cell) {
    const isID = column.key === '__id__';
    const path = isID ? '__name__' : column.key;
    const sort = (direction) => this.setQuery({ ...this.model, order: direction ? [{ field: path, direction }] : [] });
    const at = this.columns.findIndex((c) => c.key === column.key);
    const move = (by) => {
      const columns = this.columns.toSpliced(at, 1);
      columns.splice(at + by, 0, this.columns[at]);
      this.setColumns(columns);
    };
    menu(cell, [
      { label: 'Sort ascending', checked: column.sort === 'ASCENDING', action: () => sort('ASCENDING') },
      { label: 'Sort descending', checked: column.sort === 'DESCENDING', action: () => sort('DESCENDING') },
      { label: 'Do not sort', checked: !column.sort, action: () => sort(null) },
      !isID && { heading: 'Sorting leaves out documents without the field.' },
      null,
      { label: 'Move left', disabled: at < 2, action: () => move(-1) },
      { label: 'Move right', disabled: isID || at >= this.columns.length - 1, action: () => move(1) },
      { label: 'Hide', disabled: isID, action: () => this.setColumns(this.columns.toSpliced(at, 1)) },
      { label: 'Copy field path', action: () => copy(path) },
    ], { label: column.title });
  }

  async chooseColumns() {
    const seen = fieldColumns(this.grid.rows.slice(0, 300), Infinity).map((c) => c.key).slice(1);
    const chosen = new Set(this.columns?.map((c) => c.key));
    const list = h('ul', { class: 'checks' });
    const draw = (text) => replace(list, [...new Set([...(this.columns ?? []).map((c) => c.key).slice(1), ...seen])]
      .filter((key) => key.toLowerCase().includes(text.toLowerCase())).slice(0, 200).map((key) => h('li', {}, h('label', {}, h('input', {
        type: 'checkbox', checked: chosen.has(key), onchange: (event) => (event.target.checked ? chosen.add(key) : chosen.delete(key)),
      }), h('span', { class: 'mono ellipsis' }, key)))));
    draw('');
    const search = h('input', { type: 'search', class: 'mono', placeholder: 'Field or path, like author.name',
      'aria-label': 'Search fields', oninput: () => draw(search.value) });
    const add = button('Add', () => {
      if (search.value.trim()) chosen.add(search.value.trim());
      seen.push(search.value.trim());
      search.value = '';
      draw('');
    });
    const answer = await dialog({
      title: 'Columns', body: [h('div', { class: 'row' }, search, add), list],
      actions: [['Reset', 'reset'], ['Cancel', undefined], ['Show', true, 'primary']],
    });
    if (answer === 'reset') this.setColumns(fieldColumns(this.grid.rows.slice(0, 100)));
    else if (answer) {
      const kept = this.columns.filter((c) => chosen.has(c.key));
      const added = [...chosen].filter((key) => key && !kept.some((c) => c.key === key)).map((key) => ({ key, width: 150 }));
      this.setColumns([...kept, ...added]);
    }
  }

  async count() {
    try {
      const most = 100000;
      const n = await count(this.parent, this.query ?? { from: [{ collectionId: this.collection }] }, most);
      this.counted = n >= most ? '100k+ documents' : `${n.toLocaleString('en')} ${n === 1 ? 'document' : 'documents'}`;
      this.say();
      announce(this.counted);
    } catch (error) {
      showError(error);
    }
  }

  // Moving

  async jump(where) {
    if (where === 'last') await this.rows.last();
    else if (!this.rows.isAtStart) await this.rows.first();
    this.grid.activate(where === 'last' ? this.grid.rows.length - 1 : 0);
  }

  async goToID() {
    const id = await askID('Go to id', 'Go', { text: 'Shows documents from this id on.' });
    if (!id) return;
    await this.rows.from(`${this.parent}/${this.collection}/${id}`);
    this.grid.activate(0);
    this.grid.element.focus();
  }

  step(by) {
    const at = this.openName ? this.grid.indexOf(this.openName) : this.grid.at - by;
    const row = this.grid.rows[at + by];
    if (!row) return;
    go({ path: [...this.path, row.name.split('/').at(-1)], params: this.keptParams() });
    this.grid.at = at + by;
    this.grid.reveal();
  }

  opened(name) {
    this.openName = name;
    this.grid.draw();
  }

  /** The same place again: from the first row of the window. */
  async reload() {
    this.arrived.hidden = true;
    this.fresh.clear();
    this.counted = undefined;
    this.rows.close();
    watch('rows', null);
    this.grid.rows = [];
    await this.start();
    this.grid.element.scrollTop = 0;
  }

  // Live

  /** After a load or a scroll: struck rows go, and the listener is put on what is visible. */
  settled() {
    if (this.rows.sweep()) this.grid.setRows(this.rows.rows);
    const [first, last] = this.grid.range;
    const visible = this.grid.rows.slice(first, last).filter((r) => !r.isMissing);
    if (!visible.length) return;
    const plain = this.query ?? { from: [{ collectionId: this.collection }] };
    const isTop = first === 0 && this.rows.isAtStart;
    const structuredQuery = isTop ? { ...pageQuery(plain, { limit: visible.length }) }
      : pageQuery(plain, { row: visible[0], isInclusive: true, limit: visible.length });
    const names = new Set(visible.map((r) => r.name));
    const tail = new Set(visible.slice(-3).map((r) => r.name));
    let known = new Set();
    watch('rows', { query: { parent: this.parent, structuredQuery } }, {
      change: (document) => {
        known.add(document.name);
        const had = this.rows.update(document);
        if (!had) this.arrive(document.name);
        this.refreshSoon();
      },
      remove: (name, isDeleted) => {
        known.delete(name);
        this.fresh.delete(name);
        if (isDeleted || (this.query?.where && names.has(name) && !tail.has(name))) this.rows.strike(name);
        this.refreshSoon();
      },
      current: () => {
        for (const row of visible) if (!known.has(row.name) && !tail.has(row.name) && !this.fresh.size) this.rows.strike(row.name);
        this.refreshSoon();
      },
      reset: () => { known = new Set(); }, count: () => known.size, failed: (cause) =>
        announce(cause?.message ?? 'Live updates have stopped', true),
    });
  }

  refreshSoon() {
    this.changes = (this.changes ?? 0) + 1;
    if (this.refreshing) return;
    this.refreshing = requestAnimationFrame(() => {
      this.refreshing = 0;
      this.grid.setRows(this.rows.rows);
      announce(`${this.changes} ${this.changes === 1 ? 'document' : 'documents'} changed`);
      this.changes = 0;
    });
  }

  arrive(name) {
    if (this.own === name) return;
    this.fresh.add(name);
    this.arrived.hidden = false;
    this.arrived.textContent = `${this.fresh.size} new ↑`;
  }

  saved(document) {
    if (this.rows.update(document)) this.grid.setRows(this.rows.rows);
    else {
      this.own = document.name;
      if (this.rows.isAtEnd || !this.grid.rows.length) this.reload();
      else this.arrive(document.name);
    }
  }

  deleted(name) {
    this.rows.strike(name);
    this.grid.setRows(this.rows.rows);
  }

  // Several rows

  selectionChanged() {
    const n = this.grid.selection.size;
    this.selectionBar.hidden = n === 0;
    replace(this.selectionBar, n > 0 && [
      h('span', { class: 'chip on' }, `${n} selected`), h('button', { type: 'button', class: 'tool', onclick: () => this.copySelected() },
        icon('copy'), 'Copy'),
      h('button', { type: 'button', class: 'tool', onclick: () => download(`${this.collection}.jsonl`, [this.selectedText()]) },
        icon('transfer'), 'Export'),
      !isReadOnly() && h('button', { type: 'button', class: 'tool danger-text', onclick: () => this.removeSelected() }, icon('trash'),
        'Delete'),
      iconButton('close', 'Select none', () => this.grid.clearSelection()),
    ]);
  }

  selectedText() {
    return this.grid.rows.filter((r) => this.grid.selection.has(r.name) && !r.isMissing)
      .map((r) => `{"path": ${JSON.stringify(relative(r.name))}, "fields": ${fieldsText(r.fields, this.database, '')}}\n`).join('');
  }

  copySelected() { copy(this.selectedText(), `${this.grid.selection.size} copied`); }

  async removeSelected() {
    const names = [...this.grid.selection];
    const what = `${names.length} ${names.length === 1 ? 'document' : 'documents'}`;
    if (!(await confirm({ title: `Delete ${what}?`, text: 'Collections below them are kept.', action: `Delete ${what}`,
      name: this.collection, count: names.length }))) return;
    const before = this.grid.rows.filter((r) => this.grid.selection.has(r.name) && !r.isMissing);
    try {
      for (let i = 0; i < names.length; i += 500) await commit(this.database, names.slice(i, i + 500).map((name) => ({ delete: name })));
      this.grid.clearSelection();
      for (const name of names) this.rows.strike(name);
      this.grid.setRows(this.rows.rows);
      toast(`${what} deleted.`, { action: 'Undo', onaction: () => this.restore(before) });
    } catch (error) {
      showError(error);
    }
  }

  async restore(rows) {
    try {
      for (let i = 0; i < rows.length; i += 500) {
        await commit(this.database, rows.slice(i, i + 500).map((r) => ({ update: { name: r.name, fields: r.fields },
          currentDocument: { exists: false } })));
      }
      this.reload();
    } catch (error) {
      showError(error);
    }
  }

  async removeCollection() {
    if (await removeRecursively(this.database, this.path)) {
      await this.shell.loadCollections();
      go({ path: this.path.slice(0, -2) });
    }
  }

  destroy() {
    watch('rows', null);
    this.rows?.close();
    this.grid.destroy();
  }
}

function safeParse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

