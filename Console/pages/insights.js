// SPDX-License-Identifier: Apache-2.0
// Insights: what calls cost by what they ask for, and the documents that are written most.
import { consoleCall } from '../lib/api.js';
import {
  counted, empty, facts, failure, h, loading, muted, number, pre, primary, region, replace, segments, small, table,
} from '../lib/dom.js';
import { dataLink, databaseName, goPage, isReadOnly, onDatabase, server } from '../lib/store.js';
import { toJSON } from '../lib/values.js';
import { Grid } from '../ui/grid.js';
import { durationText, repeating, sidePanel, timeText } from '../ui/parts.js';
import { attempt, confirm, page, panelHead, toast } from '../ui/widgets.js';

const columns = [
  ['shape', 'Calls', 330], ['method', 'Method', 150, 'plain'], ['count', 'Number', 80, 'number'], ['slow', 'Slow', 70, 'number'],
  ['total', 'Time in all', 90, 'number'], ['p50', 'p50', 80, 'number'], ['p99', 'p99', 80, 'number'], ['read', 'Read', 80, 'number'],
  ['returned', 'Returned', 80, 'number'], ['help', 'Index', 110, 'plain'],
].map(([key, title, width, align]) => ({ key, title, width, align }));

const isDuration = (key) => ['total', 'p50', 'p99', 'longest'].includes(key);
const textOf = (row, key) => {
  if (key === 'help') return row.index ? 'would help' : '';
  if (row[key] === undefined) return '–';
  return isDuration(key) ? durationText(row[key]) : typeof row[key] === 'number' ? number(row[key]) : row[key];
};

function cell(row, { key, align = '' }) {
  const text = textOf(row, key);
  const mark = key === 'help' || (key === 'slow' && row.slow) ? 'warn-text' : '';
  return h('.grid-cell', { class: align, title: text }, h('span.ellipsis', { class: mark }, text));
}

const keyOf = ({ database, method, shape }) => `${database} ${method} ${shape}`;

export function open() {
  let answer = null;
  let drawn = '';
  let rows = [];
  let current = null;
  let sort = 'total';
  let isAll = false;
  /** The indexes that were created here, as texts. */
  const created = new Set();
  const place = h('.grid-place');
  const hot = region('.content.columns.hot', 'Documents');
  const detail = h('aside.panel-place', { label: 'Calls' });
  const note = h('span.faint.figures', { role: 'status' });
  const tools = h('.row');
  const grid = new Grid({
    label: 'Calls', columns, key: keyOf, isOpen: (row) => keyOf(row) === current, open: show, cell, header: ({ key }) => {
      sort = key;
      draw();
    },
  });
  const choice = segments('Which', [['this', 'This database'], ['all', 'All databases']], 'this', (which) => {
    isAll = which === 'all';
    draw();
  });
  const element = h('.split', page('Insights', [choice, h('span.grow'), note, tools], place, hot), detail);
  const side = sidePanel(element, detail, grid);
  const isShown = ({ database }) => isAll || database === databaseName();

  const asking = repeating(async () => {
    // The server is known a moment later than the page.
    if (!server.value) return 200;
    if (server.value.slow === undefined) return showUnmeasured();
    try {
      answer = await consoleCall('GET', 'queries');
      draw();
    } catch (error) {
      if (error.code !== 0 || !answer) replace(place, failure(error, () => asking.now()));
    }
    return 5000;
  });

  function showUnmeasured() {
    replace(place, empty('This server does not measure its calls.', muted('Start it with the duration from which on a call is slow:'),
      pre('hearth serve --slow 200ms')));
    replace(hot);
    choice.hidden = true;
    return 60000;
  }

  function draw() {
    if (!answer) return;
    const text = toJSON([answer, sort, isAll, databaseName()]);
    if (text === drawn) return;
    drawn = text;
    const value = (row) => (sort === 'help' ? Number(Boolean(row.index)) : row[sort] ?? 0);
    rows = answer.shapes.filter(isShown)
      .sort((a, b) => (typeof value(a) === 'string' ? value(a).localeCompare(value(b)) : value(b) - value(a)));
    note.textContent = `${counted(rows.length, 'kind')} of calls; slow from ${durationText(answer.threshold)}`;
    replace(tools, !isReadOnly() && small('Begin anew', forget));
    if (!rows.length) replace(place, empty('No calls yet.', muted('Calls of clients are counted here by what they ask for.')));
    else if (!grid.element.isConnected) replace(place, grid.element);
    grid.setColumns(grid.columns.map((column) => ({ ...column, sort: column.key === sort ? 'DESCENDING' : undefined })));
    grid.setRows(rows);
    replace(hot, hotTable('Written most', answer.written, 'Writes'), hotTable('Most conflicts', answer.contended, 'Conflicts'));
    hot.hidden = !hot.firstChild;
    const row = answer.shapes.find((one) => keyOf(one) === current);
    if (row && !detail.contains(document.activeElement)) show(row);
  }

  function hotTable(title, list, head) {
    const name = ({ database, path }) => (database === databaseName()
      ? h('a.mono', { href: dataLink(path.split('/')) }, path) : h('span.mono', `${database}: ${path}`));
    // What may have been written once only is not hot: its count can be that of those whose place it took.
    const isHot = (one) => isShown(one) && one.count - one.error > 1;
    const some = list.filter(isHot).map((one) => [name(one), `${one.error ? 'about ' : ''}${number(one.count)}`]);
    return some.length > 0 && h('section.section', h('h2', title), table(['Document', ` ${head}`], some));
  }

  async function forget() {
    const text = 'What was measured until now is forgotten, for all databases. Measuring continues.';
    if (await confirm({ title: 'Begin anew?', action: 'Begin anew', text })) attempt(async () => {
      await consoleCall('DELETE', 'queries');
      hide();
      await asking.now();
    });
  }

  const create = (row) => attempt(async () => {
    await consoleCall('POST', `indexes?database=${encodeURIComponent(row.database)}`, { index: row.index });
    created.add(toJSON(row.index));
    toast('The index is being built.', { action: 'Show', onaction: () => goPage('indexes') });
    show(row);
  });

  function help(row) {
    if (!row.index) return null;
    if (created.has(toJSON(row.index))) return muted('The index is being built. Later calls use it.');
    return !isReadOnly() && h('.row', primary('Create the index', () => create(row)));
  }

  function show(row) {
    current = keyOf(row);
    side.show(h('.panel', panelHead(row.method, null, hide), region('.panel-body.content', 'Details',
      h('p.mono', row.shape), row.plan && h('p', `${row.plan[0].toUpperCase()}${row.plan.slice(1)}.`), help(row),
      facts({
        Database: row.database, Calls: number(row.count), Slow: number(row.slow), 'Time in all': durationText(row.total),
        p50: row.p50 === undefined ? undefined : durationText(row.p50), p99: row.p99 === undefined ? undefined : durationText(row.p99),
        Longest: durationText(row.longest), 'Documents read': number(row.read), 'Documents returned': number(row.returned),
        'Last slow call': row.lastSlow && timeText(row.lastSlow),
      }),
      !row.plan && row.slow === 0 && muted('How a query is answered is noted when it is slow.'))));
  }

  function hide() {
    current = null;
    side.hide();
  }

  const stop = onDatabase(() => {
    hide();
    draw();
  });
  loading(place);
  return {
    element,
    refresh: () => asking.now(),
    destroy() {
      stop();
      asking.stop();
      grid.destroy();
    },
    keys: { Escape: hide },
  };
}
