// SPDX-License-Identifier: Apache-2.0
// Indexes: what there is, what it costs, and what queries lacked.
import { aboutDatabase, consoleCall } from '../lib/api.js';
import { button, empty, failure, h, iconButton, input, labelled, loading, replace, select } from '../lib/dom.js';
import { isReadOnly } from '../lib/store.js';
import { localTime, sizeText, toJSON } from '../lib/values.js';
import { fieldInput, lines } from '../ui/conditions.js';
import { muted, table } from '../ui/questions.js';
import { attempt, copy, dialog } from '../ui/widgets.js';

const words = { ASCENDING: '↑', DESCENDING: '↓', CONTAINS: 'contains' };
const fieldsText = ({ fields }) => fields.map(({ fieldPath, order, arrayConfig, vectorConfig }) =>
  `${fieldPath} ${words[order ?? arrayConfig] ?? `vector of ${vectorConfig?.dimension}`}`).join(',  ');
const policies = {
  automatic: 'Hearth makes the indexes that queries need, and drops them when they are no longer used.',
  manual: 'Only configured indexes are kept; other queries scan.', required: 'Queries without an index are refused.',
};

export function open({ setPrimary, collections }) {
  const place = h('.content.scroll', { tabIndex: 0, role: 'region', 'aria-label': 'Indexes' });
  let timer;

  async function load() {
    clearTimeout(timer);
    try {
      const answer = await consoleCall('GET', aboutDatabase('indexes'));
      draw(answer);
      if (answer.indexes.some((i) => i.state === 'BUILDING')) timer = setTimeout(load, 1000);
    } catch (error) {
      replace(place, failure(error, load));
    }
  }

  const change = (method, index) => attempt(async () => {
    await consoleCall(method, aboutDatabase('indexes'), { index });
    await load();
  });

  function draw({ policy, indexes, needed = [] }) {
    const rows = indexes.map(({ index, state, progress = 0, configured, entries, bytes, lastUsed }) => h('tr',
      h('td.mono', index.collectionGroup, index.queryScope === 'COLLECTION_GROUP' && h('span.faint', ' group')),
      h('td.mono', fieldsText(index)),
      h('td', state === 'BUILDING' ? h('span.warn-text', `building ${Math.round(progress * 100)} %`) : h('span.ok-text', 'ready'),
        h('span.faint', configured ? ' · configured' : ' · automatic')),
      h('td.number', entries?.toLocaleString('en') ?? '–'), h('td.number', bytes === undefined ? '–' : sizeText(bytes)),
      h('td.figures', lastUsed ? localTime(lastUsed).replace(/\.\d+/, '') : 'never'),
      h('td', configured && !isReadOnly()
        && iconButton('trash', `Delete the index on ${fieldsText(index)}`, () => change('DELETE', index)))));
    replace(place, muted(policies[policy] ?? ''),
      indexes.length ? h('.scroll', { tabIndex: 0, role: 'region', 'aria-label': 'List of indexes' },
        table(['Collection', 'Fields', 'State', ' Entries', ' Size', 'Last used', '\u200b'], rows))
        : empty('No indexes yet.', h('p', 'They appear as queries need them.')),
      needed.length > 0 && [h('h2', 'Queries lacked'), needed.map((index) => h('.row.wrap',
        h('span.mono', `${index.collectionGroup}: ${fieldsText(index)}`),
        !isReadOnly() && button('Create', () => change('POST', index), { class: 'small' })))],
      indexes.length > 0 && h('div', button('Copy as firestore.indexes.json', () =>
        copy(toJSON({ indexes: indexes.map((i) => i.index), fieldOverrides: [] }, 2)))));
  }

  async function add() {
    const collection = input({ 'aria-label': 'Collection id', list: 'index-collections', value: collections.value.ids[0] ?? '' });
    const scope = select('Scope', [['COLLECTION', 'each collection'], ['COLLECTION_GROUP', 'all collections of this id']], 'COLLECTION');
    const modes = [['ASCENDING', 'ascending'], ['DESCENDING', 'descending'], ['CONTAINS', 'array contains']];
    const unfinished = () => ({ field: fieldInput('', () => []), mode: select('Mode', modes, '') });
    const parts = [unfinished(), unfinished()];
    const list = lines(parts, ({ field, mode }) => [field, mode], { add: unfinished, label: 'Another field' });
    const index = await dialog({
      title: 'New index', action: 'Create', body: [labelled('Collection', collection),
        h('datalist', { id: 'index-collections' }, collections.value.ids.map((id) => h('option', { value: id }))),
        labelled('Scope', scope), h('.stack', 'Fields', list)],
      read: () => {
        const fields = parts.map(({ field, mode }) => ({
          fieldPath: field.firstChild.value, [mode.value === 'CONTAINS' ? 'arrayConfig' : 'order']: mode.value,
        })).filter((f) => f.fieldPath);
        if (!collection.value || !fields.length) throw new Error('An index is for a collection, and has at least one field.');
        return { collectionGroup: collection.value, queryScope: scope.value, fields };
      },
    });
    if (index) change('POST', index);
  }

  return {
    element: h('.page', h('.bar', h('h1', 'Indexes')), place), refresh: load, destroy: () => clearTimeout(timer),
    update() {
      setPrimary(!isReadOnly() && button('New index', add, { class: 'primary' }));
      loading(place);
      load();
    },
  };
}
