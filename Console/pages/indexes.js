// SPDX-License-Identifier: Apache-2.0
// Indexes: what there is, what it costs, and what queries lacked.
import { databaseCall } from '../lib/api.js';
import {
  button, empty, failure, h, iconButton, input, labelled, loading, muted, number, primary, region, replace, select, small, table,
} from '../lib/dom.js';
import { collections, isReadOnly } from '../lib/store.js';
import { localTime, sizeText, toJSON } from '../lib/values.js';
import { fieldInput, lines } from '../ui/inputs.js';
import { suggesting } from '../ui/suggestions.js';
import { attempt, copy, dialog, page } from '../ui/widgets.js';

const words = { ASCENDING: '↑', DESCENDING: '↓', CONTAINS: 'contains' };
const fieldsText = ({ fields }) => fields.map(({ fieldPath, order, arrayConfig, vectorConfig }) =>
  `${fieldPath} ${words[order ?? arrayConfig] ?? `vector of ${vectorConfig?.dimension}`}`).join(',  ');
const policies = {
  automatic: 'Hearth makes the indexes that queries need, and drops them when they are no longer used.',
  manual: 'Only configured indexes are kept; other queries scan.', required: 'Queries without an index are refused.',
};
const heads = ['Collection', 'Fields', 'State', ' Entries', ' Size', 'Last used', '\u200b'];

export function open({ setPrimary }) {
  const place = region('.content', 'Indexes');
  let timer;

  async function load() {
    clearTimeout(timer);
    try {
      const answer = await databaseCall('GET', 'indexes');
      draw(answer);
      if (answer.indexes.some((i) => i.state === 'BUILDING')) timer = setTimeout(load, 1000);
    } catch (error) {
      replace(place, failure(error, load));
    }
  }

  const change = (method, index) => attempt(async () => {
    await databaseCall(method, 'indexes', { index });
    await load();
  });

  const row = ({ index, state, progress = 0, configured, entries, bytes, lastUsed }) => [
    h('span.mono', index.collectionGroup, index.queryScope === 'COLLECTION_GROUP' && h('span.faint', ' group')),
    h('span.mono', fieldsText(index)),
    [state === 'BUILDING' ? h('span.warn-text', `building ${Math.round(progress * 100)} %`) : h('span.ok-text', 'ready'),
      h('span.faint', configured ? ' · configured' : ' · automatic')],
    number(entries), bytes === undefined ? '–' : sizeText(bytes), lastUsed ? localTime(lastUsed).replace(/\.\d+/, '') : 'never',
    configured && !isReadOnly() ? iconButton('trash', `Delete the index on ${fieldsText(index)}`, () => change('DELETE', index)) : '',
  ];

  const draw = ({ policy, indexes, needed = [] }) => replace(place, muted(policies[policy]),
    indexes.length ? region('', 'List of indexes', table(heads, indexes.map(row)))
      : empty('No indexes yet.', h('p', 'They appear as queries need them.')),
    needed.length > 0 && [h('h2', 'Queries lacked'), needed.map((index) => h('.row.wrap',
      h('span.mono', `${index.collectionGroup}: ${fieldsText(index)}`), !isReadOnly() && small('Create', () => change('POST', index))))],
    indexes.length > 0 && h('div', button('Copy as firestore.indexes.json', () =>
      copy(toJSON({ indexes: indexes.map((i) => i.index), fieldOverrides: [] }, 2)))));

  async function add() {
    const collection = input({ label: 'Collection id', value: collections.value.ids[0] ?? '' });
    const scope = select('Scope', [['COLLECTION', 'each collection'], ['COLLECTION_GROUP', 'all collections of this id']], 'COLLECTION');
    const modes = [['ASCENDING', 'ascending'], ['DESCENDING', 'descending'], ['CONTAINS', 'array contains']];
    const unfinished = () => ({ field: fieldInput('', () => []), mode: select('Mode', modes) });
    const parts = [unfinished(), unfinished()];
    const index = await dialog({
      title: 'New index', action: 'Create', body: [labelled('Collection', suggesting(collection, () => collections.value.ids)),
        labelled('Scope', scope),
        h('.stack', 'Fields', lines(parts, ({ field, mode }) => [field.element, mode], { 'Another field': unfinished }))],
      read: () => {
        const fields = parts.map(({ field, mode }) => ({
          fieldPath: field.read(), [mode.value === 'CONTAINS' ? 'arrayConfig' : 'order']: mode.value,
        })).filter((f) => f.fieldPath);
        if (!collection.value || !fields.length) throw new Error('An index is for a collection, and has at least one field.');
        return { collectionGroup: collection.value, queryScope: scope.value, fields };
      },
    });
    if (index) change('POST', index);
  }

  return {
    element: page('Indexes', null, place), refresh: load, destroy: () => clearTimeout(timer),
    update() {
      setPrimary(!isReadOnly() && primary('New index', add));
      loading(place);
      load();
    },
  };
}
