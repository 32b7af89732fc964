// SPDX-License-Identifier: Apache-2.0
// Indexes: what there is, what it costs, and what queries lacked.
import { consoleCall } from '../lib/api.js';
import { button, empty, failure, h, iconButton, replace, skeleton } from '../lib/dom.js';
import { databaseName, isReadOnly } from '../lib/store.js';
import { localTime, sizeText, toJSON } from '../lib/values.js';
import { fieldInput } from '../ui/conditions.js';
import { copy, dialog, showError } from '../ui/widgets.js';

const modes = [['ASCENDING', 'ascending'], ['DESCENDING', 'descending'], ['CONTAINS', 'array contains']];
const modeOf = (f) => f.order ?? f.arrayConfig ?? (f.vectorConfig && `vector of ${f.vectorConfig.dimension}`);
const words = { ASCENDING: '↑', DESCENDING: '↓', CONTAINS: 'contains' };
const fieldsText = (index) => index.fields.map((f) => `${f.fieldPath} ${words[modeOf(f)] ?? modeOf(f)}`).join(',  ');

export function open({ setPrimary, collections }) {
  const place = h('div', { class: 'content scroll', tabIndex: 0, role: 'region', 'aria-label': 'Indexes' });
  const element = h('div', { class: 'page' }, h('div', { class: 'bar' }, h('h1', { class: 'plain' }, 'Indexes')), place);
  let timer;
  const path = () => `indexes?database=${encodeURIComponent(databaseName())}`;

  async function load() {
    clearTimeout(timer);
    try {
      const answer = await consoleCall('GET', path());
      draw(answer);
      if (answer.indexes.some((i) => i.state === 'BUILDING')) timer = setTimeout(load, 1000);
    } catch (error) {
      if (error.name !== 'AbortError') replace(place, failure(error, load));
    }
  }

  function draw({ policy, indexes, needed = [] }) {
    const head = ['Collection', 'Fields', 'State', 'Entries', 'Size', 'Last used', ''].map((t, i) =>
      h('th', { scope: 'col', class: i === 3 || i === 4 ? 'number' : '' }, t || h('span', { class: 'visually-hidden' }, 'Actions')));
    const rows = indexes.map((i) => h('tr', {}, h('td', { class: 'mono' }, i.index.collectionGroup,
      i.index.queryScope === 'COLLECTION_GROUP' && h('span', { class: 'faint' }, ' group')),
      h('td', { class: 'mono' }, fieldsText(i.index)),
      h('td', {}, i.state === 'BUILDING' ? h('span', { class: 'warn-text' }, `building ${Math.round((i.progress ?? 0) * 100)} %`)
        : h('span', { class: 'ok-text' }, 'ready'), h('span', { class: 'faint' }, i.configured ? ' · configured' : ' · automatic')),
      h('td', { class: 'number' }, i.entries?.toLocaleString('en') ?? '–'),
        h('td', { class: 'number' }, i.bytes === undefined ? '–' : sizeText(i.bytes)),
        h('td', { class: 'figures' }, i.lastUsed ? localTime(i.lastUsed).replace(/\.\d+/, '') : 'never'),
      h('td', {}, i.configured && !isReadOnly() && iconButton('trash', `Delete the index on ${fieldsText(i.index)}`, () =>
        change('DELETE', i.index)))));
    replace(place, h('p', { class: 'muted' }, {
      automatic: 'Hearth makes the indexes that queries need, and drops them when they are no longer used.',
        manual: 'Only configured indexes are kept; other queries scan.', required: 'Queries without an index are refused.',
    }[policy] ?? ''),
    indexes.length ? h('div', { class: 'table-scroll', tabIndex: 0, role: 'region', 'aria-label': 'List of indexes' },
      h('table', { class: 'list' }, h('thead', {}, h('tr', {}, head)), h('tbody', {}, rows)))
      : empty('No indexes yet.', h('p', {}, 'They appear as queries need them.')),
    needed.length > 0 && [h('h2', {}, 'Queries lacked'), h('ul', { class: 'stack' },
      needed.map((n) => h('li', { class: 'row wrap' }, h('span', { class: 'mono' }, `${n.collectionGroup}: ${fieldsText(n)}`), !isReadOnly()
      && button('Create', () => change('POST', n), { class: 'button small' }))))],
    indexes.length > 0 && h('div', {}, button('Copy as firestore.indexes.json', () =>
      copy(toJSON({ indexes: indexes.map((i) => i.index), fieldOverrides: [] }, 2)))));
  }

  async function change(method, index) {
    try {
      await consoleCall(method, path(), { body: { index } });
      load();
    } catch (error) {
      showError(error);
    }
  }

  async function add() {
    const collection = h('input', { class: 'mono', 'aria-label': 'Collection id', list: 'index-collections', value: collections.value.ids[0]
      ?? '' });
    const scope = h('select', { 'aria-label': 'Scope' }, h('option', { value: 'COLLECTION' }, 'each collection'),
      h('option', { value: 'COLLECTION_GROUP' }, 'all collections of this id'));
    const list = h('div', { class: 'stack' });
    const rows = [];
    const more = () => {
      const field = fieldInput('', () => []);
      const mode = h('select', { class: 'type', 'aria-label': 'Mode' }, modes.map(([v, t]) => h('option', { value: v }, t)));
      rows.push({ field: field.element.querySelector('input'), mode });
      list.append(h('div', { class: 'row' }, field.element, mode));
    };
    more();
    more();
    const index = () => ({
      collectionGroup: collection.value, queryScope: scope.value,
      fields: rows.filter((r) => r.field.value).map((r) => ({ fieldPath: r.field.value,
        ...(r.mode.value === 'CONTAINS' ? { arrayConfig: 'CONTAINS' } : { order: r.mode.value }) })),
    });
    const answer = await dialog({
      title: 'New index', actions: [['Cancel', undefined], ['Create', true, 'primary']],
        validate: () => (!collection.value ? 'An index is for a collection.' : index().fields.length ? undefined
        : 'An index has at least one field.'),
      body: [h('label', { class: 'stack' }, 'Collection', collection),
        h('datalist', { id: 'index-collections' }, collections.value.ids.map((id) => h('option', { value: id }))),
        h('label', { class: 'stack' }, 'Scope', scope), h('div', { class: 'stack' }, 'Fields', list),
          button('Another field', more, { class: 'button small' })],
    });
    if (answer) change('POST', index());
  }

  return {
    element, refresh: load, destroy: () => clearTimeout(timer),
    update() {
      setPrimary(!isReadOnly() && button('New index', add, { class: 'button primary' }));
      replace(place, h('div', { class: 'late' }, skeleton()));
      load();
    },
  };
}
