// SPDX-License-Identifier: Apache-2.0
// Documents in a table: which columns, and what a cell shows.
import { h } from '../lib/dom.js';
import { databaseName } from '../lib/store.js';
import { compareNames, fieldPath, fieldsOf, lastID, parseFieldPath, relative, summary, typeOf, valueAt } from '../lib/values.js';
import { Grid } from './grid.js';

export const idKey = '__name__';
const charactersWide = (n) => Math.round(Math.min(260, Math.max(76, n * 7.7 + 24)));

/** The fields of the rows, the most frequent first. At most 12 to begin with; Infinity means those in maps, too. */
export function fieldColumns(rows, most = 12) {
  const found = new Map();
  const visit = (fields, prefix) => {
    for (const [name, value] of Object.entries(fields)) {
      const path = [...prefix, name];
      const key = fieldPath(path);
      const { count = 0, length = key.length + 2 } = found.get(key) ?? {};
      found.set(key, { key, count: count + 1, length: Math.max(length, Math.min(32, summary(value).length)) });
      if (most === Infinity && path.length < 4 && typeOf(value) === 'map') visit(fieldsOf(value), path);
    }
  };
  for (const row of rows) visit(row.fields, []);
  const frequent = [...found.values()].sort((a, b) => b.count - a.count || compareNames(a.key, b.key)).slice(0, most);
  const longest = Math.max(12, ...rows.map((row) => lastID(row.name).length));
  return [{ key: idKey, width: charactersWide(longest) + (rows.some((row) => row.isMissing) ? 120 : 0) },
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

export const titled = (column) => ({ ...column, title: column.key === idKey ? 'id' : column.key });
