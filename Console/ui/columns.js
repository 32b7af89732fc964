// SPDX-License-Identifier: Apache-2.0
// Documents in a table: which columns, and what a cell shows.
import { relative, compareNames, fieldPath, fieldsOf, parseFieldPath, summary, typeOf, valueAt } from '../lib/values.js';
import { h } from '../lib/dom.js';

/** The fields of the rows, the most frequent first; maps with few fields by path. At most 12 to begin with. */
export function fieldColumns(rows, most = 12) {
  const database = rows[0]?.name.split('/').slice(0, 4).join('/');
  const found = new Map();
  const visit = (fields, prefix, depth) => {
    for (const [name, value] of Object.entries(fields)) {
      const path = [...prefix, name];
      const key = fieldPath(path);
      const entry = found.get(key) ?? { key, count: 0, length: 0 };
      entry.count += 1;
      entry.length = Math.max(entry.length, Math.min(40, summary(value, database).length));
      entry.align = ['integer', 'double'].includes(typeOf(value)) && entry.align !== '' ? 'number' : '';
      found.set(key, entry);
      if (most === Infinity && typeOf(value) === 'map' && depth < 3) visit(fieldsOf(value), path, depth + 1);
    }
  };
  for (const row of rows) visit(row.fields, [], 0);
  const longest = Math.max(8, ...rows.slice(0, 100).map((r) => r.name.length - r.name.lastIndexOf('/') - 1));
  const columns = [...found.values()].sort((a, b) => b.count - a.count || compareNames(a.key, b.key)).slice(0,
    most).map(({ key, length }) => ({
    key, width: Math.round(Math.max(76, Math.min(260, Math.max(length, key.length + 2) * 7.7 + 22))),
  }));
  const note = rows.some((r) => r.isMissing) ? 120 : 0;
  return [{ key: '__id__', width: Math.round(Math.min(240, Math.max(110, longest * 7.7 + 24)) + note) }, ...columns];
}

/** Fills a cell. Numbers stand at the right. */
export function documentCell(cell, row, column, database) {
  if (column.key === '__id__') {
    const id = row.isGroup ? relative(row.name) : row.name.slice(row.name.lastIndexOf('/') + 1);
    cell.replaceChildren(h('span', { class: 'id ellipsis' }, id),
      ...(row.isMissing ? [h('span', { class: 'faint ellipsis' }, ' does not exist')] : []));
    cell.title = id;
    return;
  }
  const value = valueAt(row.fields, parseFieldPath(column.key));
  cell.removeAttribute('title');
  if (!value) {
    cell.replaceChildren();
    return;
  }
  const type = typeOf(value);
  cell.classList.toggle('number', type === 'integer' || type === 'double');
  const text = summary(value, database);
  cell.replaceChildren(h('span', { class: `v-${type} ellipsis` }, text));
  cell.title = `${type}: ${text}`;
}
