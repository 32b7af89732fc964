// SPDX-License-Identifier: Apache-2.0
// Requests: calls as they end, with what rules decided.
import { judge } from '../lib/api.js';
import { button, debounced, empty, facts, h, input, muted, number, region, replace, select, tool } from '../lib/dom.js';
import { watchRequests } from '../lib/live.js';
import { goPage, route, server, setParams } from '../lib/store.js';
import { sizeText, toJSON } from '../lib/values.js';
import { charactersWide, fitted } from '../ui/columns.js';
import { Grid } from '../ui/grid.js';
import { durationText, sidePanel, source, trace } from '../ui/parts.js';
import { attempt, copy, page, panelHead } from '../ui/widgets.js';

const most = 5000;
/** What goes first where there is no room beside the panel, which shows it. */
const leastWanted = ['sent', 'documents', 'transport', 'duration', 'caller', 'database'];
const leastPath = 160;
const columns = [
  ['time', 'Time', 'faint'], ['method', 'Method'], ['path', 'Path'], ['database', 'Database'], ['caller', 'Caller'], ['transport', 'Over'],
  ['code', 'Outcome'], ['duration', 'Duration', 'number'], ['documents', 'Documents', 'number'], ['sent', 'Sent', 'number'],
].map(([key, title, align]) => ({ key, title, align, width: charactersWide(title.length) }));

/** A client that goes, as a tab that is closed, ends its calls without a failure. */
const outcomeOf = ({ open: isOpen, code }) => (isOpen ? 'open' : code === 'CANCELLED' ? 'closed' : code);
const isFailed = (request) => !['open', 'closed', 'OK'].includes(outcomeOf(request));

/** `PROJECT/DATABASE` of the whole name; as it is, if it is not one. */
const placeOf = (name) => name?.replace(/^projects\/([^/]*)\/databases\/([^/]*)$/, '$1/$2') || undefined;

const texts = {
  time: ({ time }) => time.slice(11, 23), database: ({ database }) => placeOf(database),
  caller: ({ caller }) => caller?.replace(/^user:/, ''), code: outcomeOf,
  duration: ({ duration }) => duration && durationText(duration), sent: ({ sent }) => sizeText(sent),
};

const textOf = (request, key) => String(texts[key]?.(request) ?? request[key] ?? '–');

function cell(request, { key, align = '' }) {
  const text = textOf(request, key);
  const outcome = key !== 'code' ? '' : isFailed(request) ? 'danger-text' : request.code === 'OK' && !request.open ? 'ok-text' : 'faint';
  return h('.grid-cell', { class: align, title: text }, h('span.ellipsis', { class: outcome }, text));
}

export function open() {
  let all = [];
  let isPaused = false;
  let waiting = 0;
  let current = null;
  let widths = columns;
  const filters = { text: '', method: '', code: '', database: '', ...route.value.params };
  const place = h('.grid-place');
  const detail = h('aside.panel-place', { label: 'Request' });
  const note = h('span.faint.figures');
  const grid = new Grid({ label: 'Requests', columns, key: (r) => r.id, isOpen: (r) => r.id === current?.id, open: show, cell });
  const search = input({
    type: 'search', value: filters.text, placeholder: 'Filter', label: 'Filter',
    oninput: debounced(150, () => filter({ text: search.value })),
  });
  const method = select('Method', [], '', (value) => filter({ method: value }));
  const code = select('Outcome', [], '', (value) => filter({ code: value }));
  const database = select('Database', [], '', (value) => filter({ database: value }));
  const pause = tool(null, 'Pause', () => {
    isPaused = !isPaused;
    draw();
  });
  const clear = tool(null, 'Clear', () => {
    all = [];
    draw();
  });
  const element = h('.split', page('Requests', [search, method, database, code, h('span.grow'), note, pause, clear], place), detail);
  const side = sidePanel(element, detail, grid);

  function filter(change) {
    Object.assign(filters, change);
    setParams(filters);
    draw();
  }

  const matches = (r) => (!filters.method || r.method === filters.method)
    && (!filters.database || texts.database(r) === filters.database)
    && (!filters.code || (filters.code === 'failed' ? isFailed(r) : outcomeOf(r) === filters.code))
    && [r.method, r.path, r.caller, r.code, r.message].join(' ').toLowerCase().includes(filters.text.toLowerCase());

  function offer(choice, key, first) {
    const values = [...new Set([...all.map((r) => texts[key]?.(r) ?? r[key]), filters[key]])].filter((v) => v && v !== 'failed').sort();
    const options = [...first, ...values.map((v) => [v, v])];
    const isOffered = choice.options.length === options.length && options.every(([value], i) => choice.options[i].value === value);
    if (!isOffered) replace(choice, options.map(([value, word]) => h('option', { value }, word)));
    choice.value = filters[key];
  }

  function draw() {
    offer(method, 'method', [['', 'All methods']]);
    offer(database, 'database', [['', 'All databases']]);
    offer(code, 'code', [['', 'All outcomes'], ['failed', 'Failed']]);
    waiting = isPaused ? waiting : 0;
    pause.textContent = isPaused ? `Resume${waiting ? ` (${waiting})` : ''}` : 'Pause';
    const rows = all.filter(matches);
    widen(rows);
    note.textContent = all.length ? `${number(rows.length)} of ${number(all.length)}` : '';
    if (!rows.length) {
      replace(place, all.length ? empty('No request matches the filter.')
        : empty('No requests yet.', muted('Calls of apps appear here as they end.')));
    } else if (!grid.element.isConnected) replace(place, grid.element);
    grid.setRows(rows);
  }

  /** Columns are as wide as what they have shown; a person can make them otherwise. */
  function widen(rows) {
    const before = widths.map((column) => column.width);
    widths = widths.map((column) => ({ ...column, width: rows.slice(0, 200).reduce(
      (width, r) => Math.max(width, charactersWide(textOf(r, column.key).slice(0, 64).length)), column.width) }));
    if (widths.some((column, i) => column.width !== before[i])) arrange();
  }

  /** Beside the panel there are as many columns as have room, with paths that may be shortened. */
  function arrange() {
    let shown = fitted(widths, place.clientWidth);
    const path = shown.find((column) => column.key === 'path');
    const excess = () => shown.reduce((sum, column) => sum + column.width, 0) - place.clientWidth;
    if (element.classList.contains('has-panel')) {
      for (const key of leastWanted) if (path.width - excess() < leastPath) shown = shown.filter((column) => column.key !== key);
      path.width = Math.max(charactersWide(0), path.width - Math.max(0, excess()));
    }
    grid.setColumns(shown);
  }

  const stop = watchRequests((list, dropped) => {
    const known = new Map(list.map((r) => [r.id, r]));
    // What is open is told again when a stream ends, and when it is known why a call was denied.
    if (current && known.has(current.id)) {
      const top = detail.querySelector('.panel-body').scrollTop;
      show(known.get(current.id));
      detail.querySelector('.panel-body').scrollTop = top;
    }
    const older = all.map((r) => known.get(r.id) ?? r);
    for (const r of all) known.delete(r.id);
    const added = [...known.values()].reverse();
    all = [...added, ...older].slice(0, most);
    if (isPaused) waiting += added.length;
    const { scrollTop } = grid.element;
    draw();
    if (scrollTop > 0) grid.element.scrollTop = scrollTop + added.filter(matches).length * grid.rowHeight;
    if (dropped) note.textContent = `${dropped} left out`;
  });

  function show(r) {
    const isOpening = !current;
    current = r;
    const tried = h('div');
    const again = () => attempt(async () => replace(tried, muted('With the rules and the data of now:'), trace(await judge(r.id))));
    side.show(h('.panel', panelHead(r.method, null, hide), region('.panel-body.content', 'Details',
      facts({
        Outcome: outcomeOf(r), Message: r.message, Path: r.path, Database: r.database, Caller: r.caller, Over: r.transport,
        Time: r.time, Duration: r.duration && durationText(r.duration), Documents: r.documents, Snapshots: r.snapshots,
        Received: r.received && sizeText(r.received), Sent: r.sent && sizeText(r.sent),
      }),
      r.decision && [h('h3.heading', 'Rules'), trace(r.decision), h('.row', button('Try again', again),
        button('Edit the rules', () => goPage('rules', { request: String(r.id) }))), tried],
      r.request ? [h('h3.heading', 'Request'), source(r.request), h('.row', button('Copy', () => copy(toJSON(r.request, 2))),
        (r.request.structuredQuery || r.request.structuredPipeline) && button('Run in Query', () =>
          goPage('query', { [r.request.structuredQuery ? 'q' : 'p']: toJSON(r.request) })))]
        : !server.value?.requestValues && muted('The server keeps requests only with ', h('code', '--console-values'),
          ', because they can hold personal data.'))));
    if (isOpening) arrange();
  }

  function hide() {
    current = null;
    side.hide();
    arrange();
  }

  draw();
  return {
    element,
    destroy() {
      stop();
      grid.destroy();
    },
    keys: { Escape: hide },
  };
}
