// SPDX-License-Identifier: Apache-2.0
// The documents of a collection as a live table.
import { commit, count } from '../lib/api.js';
import {
  announce, button, counted, debounced, empty, failure, h, icon, iconButton, input, loading, number, replace, tool,
} from '../lib/dom.js';
import { fieldsText } from '../lib/json.js';
import { watch } from '../lib/live.js';
import { emptyModel, fromURL, isUnary, pageQuery, requestOf, symbols } from '../lib/query.js';
import { Rows } from '../lib/rows.js';
import { databaseName, dataLink, go, isReadOnly, remember, remembered, route, setParams } from '../lib/store.js';
import { documentName, lastID, relative, summary, toJSON } from '../lib/values.js';
import { documentCell, fieldColumns, idKey } from './columns.js';
import { conditions } from './conditions.js';
import { Grid } from './grid.js';
import { askID } from './questions.js';
import { offerUndo, removeRecursively } from './removal.js';
import { attempt, confirm, copy, dialog, download, menu, menuButton, showError } from './widgets.js';

const countedUpTo = 100000;

/** `q` is the query without its collection, `cols` the columns, both as they stand in the URL. */
export function collectionTable(path, { q, cols }, { removed }) {
  const database = databaseName();
  const collection = path.at(-1);
  const parent = documentName(database, path.slice(0, -1));
  const memory = `table.${database}.${path.filter((_, i) => i % 2 === 0).join('/')}`;
  const model = { ...(fromURL(q) ?? emptyModel()), collection, limit: 0 };
  const { structuredQuery } = requestOf(model);
  const { where, orderBy, startAt, endAt } = structuredQuery;
  const query = where || orderBy || startAt || endAt ? structuredQuery : null;
  let columns = cols?.split(',').map((key) => ({ key, width: 150 })) ?? remembered(memory, null);
  let opened = '';
  let figure = '';
  let changes = 0;
  /** Names of documents that have arrived and are not shown yet. */
  const fresh = new Set();

  const rows = new Rows({ parent, collection, query, changed: loaded, failed });
  const place = h('.grid-place');
  const note = h('span.faint.figures');
  const selection = h('.row', { hidden: true });
  const arrived = h('button.arrived', { type: 'button', hidden: true, onclick: () => reload() });
  const openRow = (name) => go({ path: [...path, lastID(name)], params: { q: route.value.params.q, cols: route.value.params.cols } });
  const grid = new Grid({
    label: `Documents of ${path.join('/')}`, columns: [], key: (row) => row.name, open: (row) => openRow(row.name),
    header: headerMenu, jump, resized: () => setColumns(grid.columns), cell: (row, column) => documentCell(row, column, database),
    rowClass: (row) => (row.isMissing ? 'missing' : row.isGone ? 'gone' : ''), isOpen: (row) => row.name === opened,
    total: () => (rows.isAtStart && rows.isAtEnd ? rows.rows.length : -1), selected: showSelection,
    edge: (side) => (side === 'end' ? rows.next() : rows.previous()), scrolled: debounced(250, settled),
  });
  const element = h('.page', bar(), place, arrived);
  loading(place);
  rows.first();

  function failed(error) {
    if (grid.rows.length) showError(error);
    else replace(place, failure(error, reload));
  }

  function loaded(shift) {
    if (rows.rows.length) {
      columns ??= fieldColumns(rows.rows.slice(0, 100));
      if (!grid.columns.length) showColumns();
      if (!grid.element.isConnected) replace(place, grid.element);
    } else if (query) {
      replace(place, empty('No document matches.', h('p.muted', 'Sorting and filters leave out documents without the field.'),
        button('Show all', () => setParams({ q: undefined }))));
    } else {
      replace(place, empty('This collection has no documents.',
        !isReadOnly() && button('New document', () => go({ path, params: { new: '1' } }))));
    }
    grid.setRows(rows.rows, shift);
    say();
    settled();
  }

  function say() {
    const n = grid.rows.length;
    note.textContent = figure || (n ? `${number(n)} shown${rows.isAtStart && rows.isAtEnd ? '' : ' · more'}` : '');
  }

  async function reload() {
    arrived.hidden = true;
    fresh.clear();
    figure = '';
    watch('rows', null);
    // What another caller may not see is not left standing if this fails.
    grid.rows = [];
    await rows.first();
    grid.element.scrollTop = 0;
  }

  function bar() {
    const { items, op } = model.where;
    const filterText = (item) => (item.items ? `${item.op} of ${item.items.length}`
      : `${item.field} ${symbols[item.op]} ${isUnary(item.op) ? '' : summary(item.value, database)}`);
    return h('.bar',
      h('h1.mono.row.title', path.map((id, i) => (i === path.length - 1 ? h('span.ellipsis', id)
        : [h('a.ellipsis.faint', { href: dataLink(path.slice(0, i + 1)) }, id), h('span.faint', ' / ')]))),
      items.map((item) => h('span.chip.mono', h('span.ellipsis', filterText(item)), iconButton('close', 'Remove the filter', () =>
        setQuery({ where: { op, items: items.filter((other) => other !== item) } })))),
      tool('filter', 'Filter', filter), tool('columns', h('span.wide-only', 'Columns'), chooseColumns, { 'aria-label': 'Columns' }),
      selection, h('span.grow'), note, tool(null, 'Count', countAll, { class: 'wide-only' }),
      menuButton(icon('more'), () => [
        ['First documents', () => jump('first'), { hint: 'Home' }],
        ['Last documents', () => jump('last'), { hint: 'End' }],
        !query && ['Go to id…', goToID],
        ['Count', countAll],
        ['Reload', reload],
        null,
        ['Open in Query', () => go({ page: 'query', path: path.slice(0, -1), params: { q: toJSON(requestOf({ ...model, limit: 100 })) } })],
        ['Copy path', () => copy(path.join('/'), 'Path copied')],
        ['Export…', () => go({ page: 'transfer', path })],
        ...(isReadOnly() ? [] : [null, ['Delete collection…', () => attempt(async () => {
          if (await removeRecursively(database, path)) removed();
        }), { danger: true }]]),
      ], 'More'));
  }

  function setQuery(change) {
    const { from, ...rest } = requestOf({ ...model, ...change }).structuredQuery;
    go({ path, params: { cols: route.value.params.cols, q: Object.keys(rest).length ? toJSON(rest) : undefined } });
  }

  async function filter() {
    const fields = () => columns?.map((c) => c.key) ?? [];
    const where = model.where.items.length ? model.where : { op: 'AND', items: [{ field: '', op: 'EQUAL' }] };
    const editor = conditions(where, { fields, database, isRoot: true });
    const change = await dialog({ title: 'Filter', isWide: true, body: editor.element, action: 'Show', read: () => {
      const read = { where: editor.read() };
      requestOf({ ...model, ...read });
      return read;
    } });
    if (change) setQuery(change);
  }

  async function countAll() {
    await attempt(async () => {
      const n = await count(parent, structuredQuery, countedUpTo);
      figure = n >= countedUpTo ? '100k+ documents' : counted(n, 'document');
      say();
      announce(figure);
    });
  }

  function showColumns() {
    grid.setColumns(columns.map((c) =>
      ({ ...c, title: c.key === idKey ? 'id' : c.key, sort: model.order.find((o) => o.field === c.key)?.direction })));
  }

  function setColumns(changed) {
    columns = changed.map(({ key, width }) => ({ key, width }));
    remember(memory, columns);
    if (cols) setParams({ cols: undefined });
    showColumns();
  }

  function headerMenu({ key, sort, title }, cell) {
    const sortBy = (direction) => setQuery({ order: direction ? [{ field: key, direction }] : [] });
    const at = columns.findIndex((c) => c.key === key);
    const others = columns.filter((c) => c.key !== key);
    const move = (by) => setColumns(others.toSpliced(at + by, 0, columns[at]));
    menu(cell, [
      ['Sort ascending', () => sortBy('ASCENDING'), { checked: sort === 'ASCENDING' }],
      ['Sort descending', () => sortBy('DESCENDING'), { checked: sort === 'DESCENDING' }],
      ['Do not sort', () => sortBy(), { checked: !sort }],
      'Sorting leaves out documents without the field.',
      null,
      ['Move left', () => move(-1), { disabled: at < 2 }],
      ['Move right', () => move(1), { disabled: at < 1 || at === columns.length - 1 }],
      ['Hide', () => setColumns(others), { disabled: at < 1 }],
      ['Copy field path', () => copy(key)],
    ], title);
  }

  async function chooseColumns() {
    const initial = fieldColumns(grid.rows.slice(0, 100));
    let chosen = new Set(columns?.map((c) => c.key));
    const list = h('ul.checks');
    const search = input({
      type: 'search', class: 'grow', placeholder: 'Field or path, like author.name', 'aria-label': 'Search fields', oninput: () => draw(),
    });
    const draw = () => {
      const known = new Set([...chosen, ...fieldColumns(grid.rows.slice(0, 300), Infinity).map((c) => c.key)]);
      const found = [...known].filter((key) => key !== idKey && key.toLowerCase().includes(search.value.toLowerCase()));
      replace(list, found.slice(0, 200).map((key) => h('li', h('label.row', h('input', {
        type: 'checkbox', checked: chosen.has(key), onchange: (event) => (event.target.checked ? chosen.add(key) : chosen.delete(key)),
      }), h('span.mono.ellipsis', key)))));
    };
    const add = () => {
      if (search.value.trim()) chosen.add(search.value.trim());
      search.value = '';
      draw();
    };
    const reset = () => {
      chosen = new Set(initial.map((c) => c.key));
      draw();
    };
    draw();
    const body = [h('.row', search, button('Add', add), button('Reset', reset)), list];
    if (!await dialog({ title: 'Columns', action: 'Show', body })) return;
    const known = [...columns, ...initial];
    setColumns([...chosen].map((key) => known.find((c) => c.key === key) ?? { key, width: 150 }));
  }

  async function jump(where) {
    if (where === 'last') await rows.last();
    else if (!rows.isAtStart) await rows.first();
    grid.activate(where === 'last' ? grid.rows.length - 1 : 0);
  }

  async function goToID() {
    const id = await askID('Go to id', 'Go', 'Shows documents from this id on.');
    if (!id) return;
    await rows.from(`${parent}/${collection}/${id}`);
    grid.activate(0);
    grid.element.focus();
  }

  function step(by) {
    const at = (opened ? grid.indexOf(opened) : grid.at - by) + by;
    if (!grid.rows[at]) return;
    openRow(grid.rows[at].name);
    grid.at = at;
    grid.reveal();
  }

  /** After a load or a scroll: struck rows go, and the listener is put on what is visible. */
  function settled() {
    if (rows.sweep()) grid.setRows(rows.rows);
    const [first, last] = grid.range;
    const visible = grid.rows.slice(first, last).filter((row) => !row.isMissing);
    if (!visible.length) return;
    const row = first > 0 || !rows.isAtStart ? visible[0] : undefined;
    const names = new Set(visible.map((r) => r.name));
    // The last rows may be pushed out of the limit by others: they are not gone.
    const tail = new Set(visible.slice(-3).map((r) => r.name));
    const known = new Set();
    watch('rows', { query: { parent, structuredQuery: pageQuery(structuredQuery, { row, isInclusive: true, limit: visible.length }) } }, {
      change: (document) => {
        known.add(document.name);
        if (!rows.update(document)) arrive(document.name);
        redraw();
      },
      remove: (name, isDeleted) => {
        known.delete(name);
        fresh.delete(name);
        if (isDeleted || (query?.where && names.has(name) && !tail.has(name))) rows.strike(name);
        redraw();
      },
      current: () => {
        for (const name of names) if (!known.has(name) && !tail.has(name) && !fresh.size) rows.strike(name);
        redraw();
      },
      reset: () => known.clear(),
      count: () => known.size,
      failed: (cause) => announce(cause?.message ?? 'Live updates have stopped', true),
    });
  }

  function redraw() {
    changes += 1;
    if (changes > 1) return;
    requestAnimationFrame(() => {
      grid.setRows(rows.rows);
      announce(`${counted(changes, 'document')} changed`);
      changes = 0;
    });
  }

  function arrive(name) {
    fresh.add(name);
    arrived.hidden = false;
    arrived.textContent = `${fresh.size} new ↑`;
  }

  function saved(document) {
    if (rows.update(document)) grid.setRows(rows.rows);
    else if (rows.isAtEnd) reload();
    else arrive(document.name);
  }

  function deleted(names) {
    names.forEach((name) => rows.strike(name));
    grid.setRows(rows.rows);
  }

  const selected = () => grid.rows.filter((row) => grid.selection.has(row.name) && !row.isMissing);
  const selectedText = () => selected().map((row) =>
    `{"path": ${JSON.stringify(relative(row.name))}, "fields": ${fieldsText(row.fields, database, '')}}\n`).join('');

  function showSelection() {
    const n = grid.selection.size;
    selection.hidden = n === 0;
    replace(selection, h('span.chip.on', `${n} selected`), tool('copy', 'Copy', () => copy(selectedText(), `${n} copied`)),
      tool('transfer', 'Export', () => download(`${collection}.jsonl`, [selectedText()])),
      !isReadOnly() && tool('trash', 'Delete', removeSelected, { class: 'danger-text' }),
      iconButton('close', 'Select none', () => grid.clearSelection()));
  }

  async function removeSelected() {
    const names = [...grid.selection];
    const what = counted(names.length, 'document');
    const question = { title: `Delete ${what}?`, text: 'Collections below them are kept.', action: `Delete ${what}`, name: collection };
    if (isReadOnly() || !await confirm({ ...question, count: names.length })) return;
    const before = selected().map(({ name, fields }) => ({ update: { name, fields }, currentDocument: { exists: false } }));
    await attempt(async () => {
      await commit(database, names.map((name) => ({ delete: name })));
      grid.clearSelection();
      deleted(names);
      offerUndo(`${what} deleted.`, database, before, reload);
    });
  }

  return {
    element, path, grid, reload, step, saved, deleted, removeSelected,
    opened(name) {
      opened = name;
      grid.draw();
    },
    destroy() {
      watch('rows', null);
      rows.close();
      grid.destroy();
    },
  };
}
