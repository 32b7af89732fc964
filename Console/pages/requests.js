// SPDX-License-Identifier: Apache-2.0
// Requests: calls as they end, with what rules decided.
import { consoleCall } from '../lib/api.js';
import { button, debounced, empty, h, icon, iconButton, replace } from '../lib/dom.js';
import { subscribe } from '../lib/live.js';
import { databaseName, go, route, server, setParams } from '../lib/store.js';
import { sizeText, toJSON } from '../lib/values.js';
import { Grid } from '../ui/grid.js';
import { trace } from '../ui/trace.js';
import { copy, showError } from '../ui/widgets.js';

const most = 5000;
const columns = [
  ['time', 'Time', 110], ['method', 'Method', 140], ['path', 'Path', 300], ['caller', 'Caller', 130], ['transport', 'Over', 70],
    ['code', 'Outcome', 150],
  ['duration', 'Duration', 90, 'number'], ['documents', 'Documents', 90, 'number'], ['sent', 'Sent', 80, 'number'],
].map(([key, title, width, align]) => ({ key, title, width, align }));

function durationText(seconds) {
  if (seconds === undefined) return '–';
  if (seconds < 0.001) return `${(seconds * 1e6).toFixed(0)} µs`;
  return seconds < 1 ? `${(seconds * 1000).toFixed(1)} ms` : `${seconds.toFixed(2)} s`;
}

function cellText(request, key) {
  switch (key) {
    case 'time': return request.time.slice(11, 23);
    case 'caller': return request.caller.replace(/^user:/, '');
    case 'duration': return request.open ? 'open' : durationText(request.duration);
    case 'code': return request.open ? 'open' : request.code;
    case 'sent': return request.sent === undefined ? '–' : sizeText(request.sent);
    default: return String(request[key] ?? '–');
  }
}

function cellClass(request, key) {
  if (key === 'time') return 'faint';
  if (key !== 'code' || request.open) return 'ellipsis';
  return request.code === 'OK' ? 'ok-text ellipsis' : 'danger-text ellipsis';
}

export function open({ setPrimary }) {
  let all = [];
  let isPaused = false;
  let waiting = 0;
  let current = null;
  const filters = { text: route.value.params.text ?? '', method: route.value.params.method ?? '', code: route.value.params.code ?? '' };
  const place = h('div', { class: 'grid-place' });
  const detail = h('aside', { class: 'panel-place', 'aria-label': 'Request', hidden: true });
  const note = h('span', { class: 'faint figures' });
  const grid = new Grid({
    label: 'Requests', columns, key: (r) => r.id, resized: () => {}, isOpen: (r) => r.id === current?.id, open: show,
    cell: (cell, r, { key }) => {
      cell.classList.toggle('plain', ['transport', 'code', 'caller'].includes(key));
      const text = cellText(r, key);
      cell.title = text;
      cell.replaceChildren(h('span', { class: cellClass(r, key) }, text));
    },
  });
  const method = h('select', { class: 'type', 'aria-label': 'Method', onchange: () => filter({ method: method.value }) });
  const code = h('select', { class: 'type', 'aria-label': 'Outcome', onchange: () => filter({ code: code.value }) });
  const search = h('input', { type: 'search', value: filters.text, placeholder: 'Filter', 'aria-label': 'Filter',
    oninput: debounced(150, () => filter({ text: search.value })) });
  const pause = h('button', {
    type: 'button', class: 'tool', 'aria-pressed': 'false', onclick: () => {
      isPaused = !isPaused;
      draw();
    },
  });
  const element = h('div', { class: 'split' }, h('div', { class: 'page' },
    h('div', { class: 'bar' }, h('h1', { class: 'plain' }, 'Requests'), search, method, code, h('span', { class: 'grow' }), note, pause,
      h('button', { type: 'button', class: 'tool', onclick: () => { all = []; draw(); } }, icon('close'), 'Clear')), place),
  h('span', { class: 'plain-edge' }), detail);
  element.style.setProperty('--panel', '440px');

  function filter(change) {
    Object.assign(filters, change);
    setParams(Object.fromEntries(Object.entries(filters).map(([k, v]) => [k, v || undefined])));
    draw();
  }

  const matches = (r) => {
    if (filters.method && r.method !== filters.method) return false;
    if (filters.code && (filters.code === 'failed' ? !r.code || r.code === 'OK' : r.code !== filters.code)) return false;
    const words = [r.method, r.path, r.caller, r.code, r.message].join(' ').toLowerCase();
    return words.includes(filters.text.toLowerCase());
  };

  const options = (select, values, first, chosen) => {
    const key = values.join();
    if (select.dataset.key === key) return;
    select.dataset.key = key;
    replace(select, first.map(([v, t]) => h('option', { value: v }, t)), values.map((v) => h('option', { value: v }, v)));
    select.value = chosen;
  };

  function draw() {
    waiting = 0;
    replace(pause, icon(isPaused ? 'play' : 'pause'), isPaused ? 'Resume' : 'Pause');
    options(method, [...new Set(all.map((r) => r.method))].sort(), [['', 'All methods']], filters.method);
    options(code, [...new Set(all.map((r) => r.code).filter(Boolean))].sort(), [['', 'All outcomes'], ['failed', 'Failed']], filters.code);
    const rows = all.filter(matches);
    note.textContent = all.length ? `${rows.length.toLocaleString('en')} of ${all.length.toLocaleString('en')}` : '';
    if (!rows.length) {
      replace(place, all.length ? empty('No request matches the filter.')
        : empty('No requests yet.', h('p', { class: 'muted' }, 'Calls of apps appear here as they end.')));
    } else if (grid.element.parentNode !== place) replace(place, grid.element);
    grid.setRows(rows);
  }

  const stop = subscribe('requests', (list, dropped) => {
    const known = new Map(list.map((r) => [r.id, r]));
    // What is open is told again when a stream ends, and when it is known why a call was denied.
    if (known.has(current?.id)) {
      const top = detail.querySelector('.panel-body').scrollTop;
      show(known.get(current.id));
      detail.querySelector('.panel-body').scrollTop = top;
    }
    all = all.map((r) => {
      const newer = known.get(r.id);
      known.delete(r.id);
      return newer ?? r;
    });
    const shift = grid.element.scrollTop > 0 ? [...known.values()].filter(matches).length : 0;
    all = [...[...known.values()].reverse(), ...all].slice(0, most);
    if (dropped) note.textContent = `${dropped} left out`;
    if (isPaused) {
      waiting += known.size;
      replace(pause, icon('play'), `Resume (${waiting})`);
      return;
    }
    const top = grid.element.scrollTop;
    draw();
    if (shift) grid.element.scrollTop = top + shift * grid.rowHeight;
  });

  function show(r) {
    current = r;
    const tried = h('div', {});
    replace(detail, h('div', { class: 'panel' }, h('header', { class: 'panel-head' }, h('h2', { class: 'ellipsis' }, r.method),
      iconButton('close', 'Close', hide)),
      h('div', { class: 'panel-body content', tabIndex: 0, role: 'region', 'aria-label': 'Details' },
        h('dl', { class: 'facts' }, [['Outcome', r.open ? 'open' : r.code], ['Message', r.message], ['Path', r.path], ['Database', r.database],
          ['Caller', r.caller], ['Over', r.transport], ['Time', r.time], ['Duration', durationText(r.duration)], ['Documents', r.documents],
          ['Received', r.received !== undefined && sizeText(r.received)], ['Sent', r.sent !== undefined && sizeText(r.sent)]]
          .filter(([, v]) => v !== undefined && v !== '' && v !== false).map(([k, v]) => [h('dt', {}, k),
            h('dd', { class: 'mono' }, String(v))])),
        r.targets?.length > 0 && [h('h3', { class: 'heading' }, 'Targets'),
          h('ul', {}, r.targets.map((t) =>
          h('li', { class: 'mono' }, `${t.targetId}: ${t.path} · ${t.snapshots} snapshots, ${t.documents} documents`)))],
        r.decision && [h('h3', { class: 'heading' }, 'Rules'), trace(r.decision),
          h('div', { class: 'row' }, button('Try again', () => tryAgain(r, tried)),
          button('Edit the rules', () => go({ page: 'rules', path: [], params: { request: String(r.id) } }))), tried],
        r.request ? [h('h3', { class: 'heading' }, 'Request'), h('pre', { class: 'command', tabIndex: 0 },
          JSON.stringify(r.request, null, 2)), h('div', { class: 'row' }, button('Copy', () => copy(toJSON(r.request, 2))),
          r.request.structuredQuery && button('Run in Query', () => go({ page: 'query', path: [], params: { q: toJSON(r.request) } })))]
          : !server.value?.requestValues && h('p', { class: 'muted' }, 'The server keeps requests only with ',
            h('code', {}, '--console-values'), ', because they can hold personal data.'))));
    detail.hidden = false;
    element.classList.add('has-panel');
    grid.draw();
  }

  function hide() {
    current = null;
    detail.hidden = true;
    element.classList.remove('has-panel');
    grid.draw();
    grid.element.focus();
  }

  async function tryAgain(r, place) {
    try {
      const { decision } = await consoleCall('POST', 'decisions', { body: { database: databaseName(), request: r.id } });
      replace(place, h('p', { class: 'muted' }, 'With the rules and the data of now:'), trace(decision));
    } catch (error) {
      showError(error);
    }
  }

  draw();
  setPrimary();
  return {
    element, destroy() {
      stop();
      grid.destroy();
    }, keys: { Escape: hide },
  };
}
