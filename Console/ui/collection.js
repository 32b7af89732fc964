// SPDX-License-Identifier: Apache-2.0
// The documents of a collection as a live table.
import { commit, count } from '../lib/api.js';
import {
  announce, button, counted, debounced, empty, failure, h, icon, iconButton, loading, muted, number, replace, tool,
} from '../lib/dom.js';
import { fieldsText } from '../lib/json.js';
import { watch } from '../lib/live.js';
import { fromURL, groupOf, isUnary, pageQuery, requestOf, symbols } from '../lib/query.js';
import { Rows } from '../lib/rows.js';
import { databaseName, dataLink, go, isReadOnly, remember, remembered, route, setParams } from '../lib/store.js';
import { documentName, lastID, relative, summary, toJSON } from '../lib/values.js';
import { askColumns, documentGrid, fieldColumns, fitted, newColumns, titled } from './columns.js';
import { FilterBar } from './filter-bar.js';
import { askID, offerUndo, removeRecursively } from './questions.js';
import { attempt, confirm, copy, download, menu, menuButton, showError } from './widgets.js';

const countedUpTo = 100000;

/** `q` is the query without its collection, `cols` the columns, both as they stand in the URL; `kept` outlives the table. */
export function collectionTable(path, { q, cols }, { removed, kept }) {
  const database = databaseName();
  const collection = path.at(-1);
  const parent = documentName(database, path.slice(0, -1));
  const memory = `table.${database}.${path.filter((_, i) => i % 2 === 0).join('/')}`;
  const { limit, ...asked } = fromURL(q)?.query ?? {};
  const { structuredQuery: query } = requestOf({ ...asked, from: [{ collectionId: collection }] });
  const isQuery = Boolean(query.where || query.orderBy || query.startAt || query.endAt);
  let columns = cols?.split(',').map((key) => ({ key, width: 150 })) ?? remembered(memory, null);
  let isChosen = Boolean(columns);
  /** The names of the fields that rows have had; undefined until there are rows. */
  let fieldNames;
  /** The columns of fields that are new. */
  let added = [];
  let opened = '';
  let figure = '';
  let changes = 0;
  /** Names of documents that have arrived and are not shown yet. */
  const fresh = new Set();

  const rows = new Rows({ parent, query, isQuery, changed: loaded, failed });
  const place = h('.grid-place');
  const note = h('span.faint.figures');
  const selection = h('.row', { hidden: true });
  const arrived = h('button.arrived', { hidden: true, onclick: () => reload() });
  const openRow = (name) => go({ path: [...path, lastID(name)], params: { q: route.value.params.q, cols: route.value.params.cols } });
  const grid = documentGrid({
    label: `Documents of ${path.join('/')}`, columns: [], open: (row) => openRow(row.name), header: headerMenu, jump,
    resized: () => setColumns(grid.columns), isOpen: (row) => row.name === opened, total: () => (rows.isWhole ? rows.rows.length : -1),
    selected: showSelection, edge: (side) => (side === 'end' ? rows.next() : rows.previous()), scrolled: debounced(250, settled),
  });
  const filters = new FilterBar({
    where: query.where, fields: () => columns?.map((c) => c.key) ?? [], database, set: (where) => setQuery({ where }), closed: () => {
      kept.isFiltering = false;
      chips.hidden = false;
      grid.element.focus();
    },
  });
  const chips = h('.row.wrap');
  // The panel of a document takes room, and gives it back.
  const sized = new ResizeObserver(() => { if (rows.rows.length) fit(); });
  sized.observe(place);
  const element = h('.page', bar(), filters.element, place, arrived);
  if (kept.isFiltering) filter();
  loading(place);
  rows.first();

  function failed(error) {
    say();
    if (grid.rows.length) showError(error);
    else replace(place, failure(error, reload));
  }

  function loaded(shift) {
    if (rows.rows.length) {
      fit();
      showNew(rows.rows);
      if (!grid.columns.length) showColumns();
      if (!grid.element.isConnected) replace(place, grid.element);
    } else if (isQuery) {
      replace(place, empty('No document matches.', muted('Sorting and filters leave out documents without the field.'),
        button('Show all', () => setParams({ q: undefined }))));
    } else {
      replace(place, empty('This collection has no documents.',
        !isReadOnly() && button('New document', () => go({ path, params: { new: '1' } }))));
    }
    grid.setRows(rows.rows, shift);
    say();
    settled();
  }

  /** Until a person has chosen otherwise, columns are those of the rows, and as wide. */
  function fit() {
    if (isChosen) return;
    const before = toJSON(columns);
    const own = fitted(fieldColumns(rows.rows.slice(0, 100)), place.clientWidth);
    columns = [...own, ...added.filter(({ key }) => !own.some((column) => column.key === key))];
    if (toJSON(columns) !== before) showColumns();
  }

  /** A field that no row had before gets its column, also beside columns that were chosen; those of the URL are what they are. */
  function showNew(changed) {
    if (!fieldNames) {
      fieldNames = new Set(rows.rows.flatMap((row) => Object.keys(row.fields)));
      return;
    }
    const found = cols || !columns ? [] : newColumns(columns, changed, fieldNames);
    if (!found.length) return;
    added = [...added, ...found];
    columns = [...columns, ...found];
    if (isChosen) remember(memory, columns);
    showColumns();
  }

  function say() {
    const n = grid.rows.length;
    note.textContent = figure || (n ? `${number(n)} shown${rows.isWhole ? '' : ' · more'}` : '');
  }

  async function reload() {
    arrived.hidden = true;
    fresh.clear();
    figure = '';
    watch('rows', null);
    // What another caller may not see is not left standing if this fails.
    grid.setRows([]);
    say();
    await rows.first();
    grid.element.scrollTop = 0;
  }

  function bar() {
    const { op, filters: all } = groupOf(query.where);
    const filterText = ({ compositeFilter, unaryFilter, fieldFilter }) => {
      if (compositeFilter) return `${compositeFilter.op} of ${compositeFilter.filters.length}`;
      const { field, op: symbol, value } = unaryFilter ?? fieldFilter;
      return `${field.fieldPath} ${symbols[symbol]} ${isUnary(symbol) ? '' : summary(value, database)}`;
    };
    replace(chips, all.map((f) => h('span.chip.mono', h('span.ellipsis', filterText(f)), iconButton('close', 'Remove the filter', () =>
      setQuery({ where: { compositeFilter: { op, filters: all.filter((other) => other !== f) } } })))));
    return h('.bar',
      h('h1.mono.row.title', path.map((id, i) => (i === path.length - 1 ? h('span.ellipsis', id)
        : [h('a.ellipsis.faint', { href: dataLink(path.slice(0, i + 1)) }, id), h('span.faint', ' / ')]))),
      chips, tool('filter', 'Filter', () => (filters.isOpen ? filters.close() : filter())),
      tool('columns', h('span.wide-only', 'Columns'), chooseColumns, { label: 'Columns' }),
      selection, h('span.grow'), note, tool(null, 'Count', countAll, { class: 'wide-only' }),
      menuButton(icon('more'), () => [
        ['First documents', () => jump('first'), { hint: 'Home' }],
        ['Last documents', () => jump('last'), { hint: 'End' }],
        !isQuery && ['Go to id…', goToID],
        ['Count', countAll],
        ['Reload', reload],
        null,
        ['Open in Query', () => go({ page: 'query', path: path.slice(0, -1), params: { q: toJSON({ ...query, limit: 100 }) } })],
        ['Copy path', () => copy(path.join('/'), 'Path copied')],
        ['Export…', () => go({ page: 'transfer', path })],
        ...(isReadOnly() ? [] : [null, ['Delete collection…', () => attempt(async () => {
          if (await removeRecursively(`${parent}/${collection}`)) removed();
        }), { danger: true }]]),
      ], 'More'));
  }

  function setQuery(change) {
    const { from, ...rest } = requestOf({ ...query, ...change }).structuredQuery;
    const changed = toJSON(rest);
    go({ path, params: { cols: route.value.params.cols, q: changed === '{}' ? undefined : changed } });
  }

  function filter() {
    kept.isFiltering = true;
    chips.hidden = true;
    filters.open();
  }

  function countAll() {
    attempt(async () => {
      const n = await count(parent, query, countedUpTo);
      figure = n >= countedUpTo ? '100k+ documents' : counted(n, 'document');
      say();
      announce(figure);
    });
  }

  function showColumns() {
    const sortOf = (key) => query.orderBy?.find((o) => o.field.fieldPath === key);
    grid.setColumns(columns.map((c) => ({ ...titled(c, 0, columns), sort: sortOf(c.key) && (sortOf(c.key).direction ?? 'ASCENDING') })));
  }

  function setColumns(changed) {
    columns = changed.map(({ key, width }) => ({ key, width }));
    isChosen = true;
    remember(memory, columns);
    if (cols) setParams({ cols: undefined });
    showColumns();
  }

  function headerMenu({ key, sort, title }, cell) {
    const sorting = (word, direction) => [word, () => setQuery({ orderBy: direction && [{ field: { fieldPath: key }, direction }] }),
      { checked: sort === direction }];
    const at = columns.findIndex((c) => c.key === key);
    const others = columns.filter((c) => c.key !== key);
    const move = (by) => setColumns(others.toSpliced(at + by, 0, columns[at]));
    menu(cell, [
      sorting('Sort ascending', 'ASCENDING'), sorting('Sort descending', 'DESCENDING'), sorting('Do not sort'),
      'Sorting leaves out documents without the field.',
      null,
      ['Move left', () => move(-1), { disabled: at < 2 }],
      ['Move right', () => move(1), { disabled: at < 1 || at === columns.length - 1 }],
      ['Hide', () => setColumns(others), { disabled: at < 1 }],
      ['Copy field path', () => copy(key)],
    ], title);
  }

  async function chooseColumns() {
    const chosen = await askColumns(columns ?? [], grid.rows);
    if (chosen) setColumns(chosen);
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
    watch('rows', { query: { parent, structuredQuery: pageQuery(query, { row, isInclusive: true, limit: visible.length }) } }, {
      change: (document) => {
        known.add(document.name);
        if (rows.update(document)) showNew([{ fields: {}, ...document }]);
        else arrive(document.name);
        redraw();
      },
      remove: (name, isDeleted) => {
        known.delete(name);
        fresh.delete(name);
        if (isDeleted || (query.where && names.has(name) && !tail.has(name))) rows.strike(name);
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
    if (rows.update(document)) {
      showNew([{ fields: {}, ...document }]);
      grid.setRows(rows.rows);
    } else if (rows.isAtEnd) reload();
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
    replace(selection, h('span.chip.on', `${n} selected`), tool(null, 'Copy', () => copy(selectedText(), `${n} copied`)),
      tool(null, 'Export', () => download(`${collection}.jsonl`, selectedText())),
      !isReadOnly() && tool(null, 'Delete', removeSelected, { class: 'danger-text' }),
      iconButton('close', 'Select none', () => grid.clearSelection()));
  }

  async function removeSelected() {
    const names = [...grid.selection];
    const what = counted(names.length, 'document');
    const question = { title: `Delete ${what}?`, text: 'Collections below them are kept.', action: `Delete ${what}`, name: collection };
    if (isReadOnly() || !await confirm({ ...question, count: names.length })) return;
    const before = selected().map(({ name, fields }) => ({ update: { name, fields }, currentDocument: { exists: false } }));
    await attempt(async () => {
      await commit(names.map((name) => ({ delete: name })));
      grid.clearSelection();
      deleted(names);
      offerUndo(`${what} deleted.`, before, reload);
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
      sized.disconnect();
      rows.close();
      grid.destroy();
    },
  };
}
