// SPDX-License-Identifier: Apache-2.0
// Databases: which there are, and what is set up for each.
import { adminCall } from '../lib/admin.js';
import { consoleCall } from '../lib/api.js';
import { counted, empty, failure, h, loading, muted, primary, replace } from '../lib/dom.js';
import { databaseName, databases, go, isReadOnly, route, server } from '../lib/store.js';
import { sizeText } from '../lib/values.js';
import { databasePanel, deletedPanel, protection } from '../ui/database.js';
import { Grid } from '../ui/grid.js';
import { repeating, sidePanel } from '../ui/parts.js';
import { ask, attempt, confirm, page, toast } from '../ui/widgets.js';

const columns = [['name', 'Database', 240], ['state', 'State', 80, 'plain'], ['size', 'Size', 90, 'number']]
  .map(([key, title, width, align]) => ({ key, title, width, align }));

const partsOf = (name) => name.split('/').filter((_, i) => i % 2 === 1);
const texts = {
  name: ({ name }) => partsOf(name).join(' / '), state: ({ deleteTime, open }) => (deleteTime ? 'deleted' : open ? 'open' : 'closed'),
  size: ({ bytes }) => (bytes === undefined ? '–' : sizeText(bytes)),
};

function cell(row, { key, align = '' }) {
  const text = texts[key](row);
  const mark = key !== 'state' ? '' : row.deleteTime ? 'warn-text' : row.open ? 'ok-text' : 'faint';
  return h('.grid-cell', { class: align, title: text }, h('span.ellipsis', { class: mark }, text));
}

export function open({ setPrimary }) {
  let rows = [];
  /** The key of the row whose panel is shown. */
  let current = null;
  let panel = null;
  const place = h('.grid-place');
  const detail = h('aside.panel-place', { label: 'Database' });
  const note = h('span.faint.figures', { role: 'status' });
  const grid = new Grid({ label: 'Databases', columns, key: (row) => row.key, isOpen: (row) => row.key === current, open: choose, cell });
  const element = h('.split', page('Databases', [h('span.grow'), note], place), detail);
  const side = sidePanel(element, detail, grid);

  const asking = repeating(async () => {
    try {
      const { databases: known, deleted = [] } = await consoleCall('GET', 'databases');
      databases.value = known;
      rows = [...known.map((row) => ({ ...row, key: row.name })), ...deleted.map((row) => ({ ...row, key: row.uid }))];
      draw();
    } catch (error) {
      if (!rows.length) replace(place, failure(error, () => asking.now()));
    }
    return 10000;
  });

  function draw() {
    note.textContent = rows.length ? counted(rows.length, 'database') : '';
    if (!rows.length) replace(place, empty('No databases yet.', muted('A database exists as soon as it is created or has a document.')));
    else if (!grid.element.isConnected) replace(place, grid.element);
    grid.setRows(rows);
    if (current === null && !panel && wantsPanel) show(rows.find((row) => row.key === databaseName()));
    else if (current !== null && !rows.some((row) => row.key === current)) hide();
  }

  /** A small window shows the list first. */
  let wantsPanel = matchMedia('(min-width: 1001px)').matches;

  function choose(row) {
    if (row.deleteTime || row.name === databaseName()) {
      show(row);
      return;
    }
    wantsPanel = true;
    const [project, database] = partsOf(row.name);
    go({ project, database, path: [] });
  }

  function show(row) {
    if (!row || row.key === current) return;
    panel?.destroy();
    current = row.key;
    panel = row.deleteTime ? deletedPanel(row, { close: hide, restore: () => restore(row) })
      : databasePanel(row, { close: hide, remove: () => remove(row), made });
    side.show(panel.element);
  }

  function hide() {
    panel?.destroy();
    [panel, current, wantsPanel] = [null, null, false];
    side.hide();
  }

  async function create() {
    const isProtected = h('input', { type: 'checkbox' });
    const made = await ask({
      title: 'New database', action: 'Create', fields: { Project: route.value.project || server.value?.project || 'demo', 'Database id': '',
        'Protect from deletion': isProtected },
      text: 'An id has 4 to 63 lower-case letters, digits and hyphens, or is (default).',
      read: (project, database) => {
        if (!project || !database) throw new Error('A project and an id are needed.');
        return { project, database };
      },
    });
    if (!made) return;
    attempt(async () => {
      await adminCall('POST', `projects/${made.project}/databases`, {
        query: { databaseId: made.database }, body: { deleteProtectionState: protection(isProtected.checked) },
      });
      toast('Created.');
      wantsPanel = true;
      await asking.now();
      await go({ ...made, path: [] });
    });
  }

  async function remove({ name }) {
    const [, database] = partsOf(name);
    const { data, nodes } = server.value ?? {};
    const isKept = data && !nodes;
    if (!await confirm({
      title: `Delete ${partsOf(name).join(' / ')}?`, action: 'Delete', name: database, count: Infinity,
      text: `Its documents, indexes and settings are deleted. ${isKept ? 'It can be brought back within a day.' : 'It cannot be undone.'}`,
    })) return;
    attempt(async () => {
      await adminCall('DELETE', name);
      toast('Deleted.');
      hide();
      await asking.now();
      const [project = '', other = ''] = partsOf(databases.value[0]?.name ?? '');
      if (databaseName() === name) await go({ project, database: other, path: [] }, { replace: true });
    });
  }

  function made(name) {
    const [project, database] = partsOf(name);
    asking.now();
    toast(`${database} is ready.`, { action: 'Open', onaction: () => {
      wantsPanel = true;
      go({ page: 'databases', project, database, path: [] });
    } });
  }

  const restore = ({ name, uid }) => attempt(async () => {
    const [project, database] = partsOf(name);
    await adminCall('POST', `projects/${project}/databases/${uid}`, { verb: ':undelete', body: {} });
    toast('The database is back.');
    hide();
    wantsPanel = true;
    await asking.now();
    await go({ project, database, path: [] });
  });

  loading(place);
  return {
    element,
    refresh: () => asking.now(),
    update() {
      setPrimary(!isReadOnly() && primary('New database', create));
      if (wantsPanel) show(rows.find((row) => row.key === databaseName()));
    },
    destroy() {
      asking.stop();
      panel?.destroy();
      grid.destroy();
    },
    keys: { Escape: hide, n: () => !isReadOnly() && create() },
  };
}
