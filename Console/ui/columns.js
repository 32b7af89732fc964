// SPDX-License-Identifier: Apache-2.0
// Documents in a table: which columns, and what a cell shows.
import { button, checkbox, h, input, replace } from '../lib/dom.js';
import { databaseName } from '../lib/store.js';
import { compareNames, fieldPath, fieldsOf, lastID, parseFieldPath, relative, summary, typeOf, valueAt } from '../lib/values.js';
import { Grid } from './grid.js';
import { dialog } from './widgets.js';

export const idKey = '__name__';
const most = 260;
const least = 140;
const longest = 64;
export const charactersWide = (n) => Math.round(Math.max(64, n * 7.6 + 24));

/** The width that the widest columns get if all are to be there; none below `least`. */
function cap(columns, room) {
  const widths = columns.map((c) => Math.min(most, c.width)).sort((a, b) => a - b);
  let rest = room;
  for (const [i, width] of widths.entries()) {
    const share = Math.floor(rest / (widths.length - i));
    if (share < width) return share >= least ? share : most;
    rest -= width;
  }
  return most;
}

/** Columns no wider than some, unless there is room for all that is in them; narrower, if then all of them have room. */
export function fitted(columns, room) {
  const widest = cap(columns, room);
  if (widest < most) return columns.map((c) => ({ ...c, width: Math.min(c.width, widest) }));
  const rest = room - columns.reduce((sum, c) => sum + Math.min(most, c.width), 0);
  const wanted = columns.reduce((sum, c) => sum + Math.max(0, c.width - most), 0);
  const share = Math.max(0, Math.min(1, rest / (wanted || 1)));
  return columns.map((c) => ({ ...c, width: Math.floor(Math.min(c.width, most + (c.width - most) * share)) }));
}

/** The fields of the rows, the most frequent first. At most 12 to begin with; Infinity means those in maps, too. */
export function fieldColumns(rows, count = 12, isGroup = false) {
  const found = new Map();
  const visit = (fields, prefix) => {
    for (const [name, value] of Object.entries(fields)) {
      const path = [...prefix, name];
      const key = fieldPath(path);
      const { count: seen = 0, length = key.length } = found.get(key) ?? {};
      found.set(key, { key, count: seen + 1, length: Math.max(length, Math.min(longest, summary(value).length)) });
      if (count === Infinity && path.length < 4 && typeOf(value) === 'map') visit(fieldsOf(value), path);
    }
  };
  for (const row of rows) visit(row.fields, []);
  const frequent = [...found.values()].sort((a, b) => b.count - a.count || compareNames(a.key, b.key)).slice(0, count);
  const ids = Math.max(4, ...rows.map(({ name }) => Math.min(longest, (isGroup ? relative(name) : lastID(name)).length)));
  return [{ key: idKey, width: charactersWide(ids) + (rows.some((row) => row.isMissing) ? 120 : 0) },
    ...frequent.map(({ key, length }) => ({ key, width: charactersWide(length) }))];
}

function documentCell(row, { key }, isGroup) {
  if (key === idKey) {
    const id = isGroup ? relative(row.name) : lastID(row.name);
    return h('.grid-cell', { title: id }, h('span.id.ellipsis', id), row.isMissing && h('span.faint.ellipsis', ' does not exist'));
  }
  const value = valueAt(row.fields, parseFieldPath(key));
  if (!value) return h('.grid-cell');
  const type = typeOf(value);
  const text = summary(value, databaseName());
  const align = /integer|double/.test(type) ? 'number' : '';
  return h('.grid-cell', { title: `${type}: ${text}`, class: align }, h(`span.ellipsis.v-${type}`, text));
}

/** A table of documents; those of several collections are shown with their paths. */
export const documentGrid = ({ isGroup, columns, ...options }) => new Grid({
  key: (row) => row.name, cell: (row, column) => documentCell(row, column, isGroup), columns: columns.map(titled),
  rowClass: (row) => (row.isMissing ? 'missing' : row.isGone ? 'gone' : ''), ...options,
});

/** The title of a document's id is another one where a field is called so. */
export const titled = (column, _, all) => ({ ...column,
  title: column.key !== idKey ? column.key : all.some(({ key }) => key === 'id') ? 'document id' : 'id' });

/** The columns of fields of `rows` that are neither in `known`, which then has them, nor in `columns`. */
export function newColumns(columns, rows, known) {
  const nameOf = ({ key }) => parseFieldPath(key)[0];
  const found = fieldColumns(rows, rows.length && 200).filter((column) => column.key !== idKey && !known.has(nameOf(column)));
  for (const column of found) known.add(nameOf(column));
  return fitted(found.filter(({ key }) => !columns.some((column) => column.key === key)), 0);
}

/** Asks which columns to show: those of `columns`, and what else `rows` have. */
export async function askColumns(columns, rows) {
  const initial = fieldColumns(rows.slice(0, 100));
  const all = fieldColumns(rows.slice(0, 300), Infinity);
  let chosen = new Set(columns.map((c) => c.key));
  const list = h('ul.checks');
  const search = input({
    type: 'search', class: 'grow', placeholder: 'Field or path, like author.name', label: 'Search fields', oninput: () => draw(),
  });
  const draw = (change) => {
    change?.();
    const known = new Set([...chosen, ...all.map((c) => c.key)]);
    const found = [...known].filter((key) => key !== idKey && key.toLowerCase().includes(search.value.toLowerCase()));
    replace(list, found.slice(0, 200).map((key) => h('li', checkbox(h('span.mono.ellipsis', key), chosen.has(key),
      (event) => (event.target.checked ? chosen.add(key) : chosen.delete(key))))));
  };
  const add = () => {
    if (search.value.trim()) chosen.add(search.value.trim());
    search.value = '';
  };
  const reset = () => { chosen = new Set(initial.map((c) => c.key)); };
  draw();
  const body = [h('.row', search, button('Add', () => draw(add)), button('Reset', () => draw(reset))), list];
  if (!await dialog({ title: 'Columns', action: 'Apply', body })) return undefined;
  const known = [...columns, ...fitted(all, 0)];
  return [...chosen].map((key) => known.find((c) => c.key === key) ?? { key, width: charactersWide(key.length) });
}
