// SPDX-License-Identifier: Apache-2.0
// Usage: figures of the server, as far back as it remembers.
import { consoleCall } from '../lib/api.js';
import { h, replace, sparkline } from '../lib/dom.js';
import { sample, samples } from '../lib/live.js';
import { databases, formatRoute, route } from '../lib/store.js';
import { sizeText } from '../lib/values.js';

const count = (n) => Math.round(n).toLocaleString('en');
const ms = (s) => `${(s * 1000).toFixed(s < 0.01 ? 2 : 0)} ms`;

/** [title, member, text, whether it is a rate of a counter] */
const tiles = [
  ['Documents read', 'reads', (n) => `${count(n)}/s`, true], ['Documents written', 'writes', (n) => `${count(n)}/s`, true],
    ['Documents deleted', 'deletes', (n) => `${count(n)}/s`, true],
  ['Calls', 'calls', (n) => `${count(n)}/s`, true], ['Failed calls', 'errors', (n) => `${count(n)}/s`, true],
    ['Half of calls end within', 'p50', ms], ['99 of 100 calls end within', 'p99', ms],
  ['Listeners', 'listeners', count], ['Connections', 'connections', count], ['Memory', 'memory', sizeText], ['Files', 'bytes', sizeText],
];

export function open({ setPrimary }) {
  const grid = h('div', { class: 'tiles' });
  const list = h('tbody', {});
  const element = h('div', { class: 'page' }, h('div', { class: 'bar' }, h('h1', { class: 'plain' }, 'Usage'),
    h('span', { class: 'faint' }, 'the last 15 minutes')),
    h('div', { class: 'content scroll', tabIndex: 0, role: 'region', 'aria-label': 'Figures' }, grid, h('h2', {}, 'Databases'),
      h('div', { class: 'table-scroll' }, h('table', { class: 'list' },
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Database'), h('th', { scope: 'col', class: 'number' }, 'Documents'),
        h('th', { scope: 'col', class: 'number' }, 'Size'))), list))));

  const rates = (key) => samples.map((s, i) => {
    const before = samples[i - 1];
    const seconds = before && (Date.parse(s.time) - Date.parse(before.time)) / 1000;
    return seconds > 0 && s[key] !== undefined ? Math.max(0, (s[key] - before[key]) / seconds) : undefined;
  });

  const stops = [sample.watch(() => replace(grid, tiles.map(([title, key, text, isRate]) => {
    const values = isRate ? rates(key) : samples.map((s) => s[key]);
    const last = values.at(-1);
    return h('div', { class: 'tile' }, h('span', { class: 'muted' }, title), h('strong', {}, last === undefined ? '–' : text(last)),
      sparkline(values, `${title} over time`));
  }))), databases.watch((all) => replace(list, all.map((d) => {
    const [, project, , id] = d.name.split('/');
    return h('tr', {}, h('td', {}, h('a', { class: 'mono',
      href: formatRoute({ ...route.value, page: 'data', project, database: id, path: [], params: {} }) }, `${project} / ${id}`)),
      h('td', { class: 'number' }, d.documents?.toLocaleString('en') ?? '–'),
        h('td', { class: 'number' }, d.bytes === undefined ? '–' : sizeText(d.bytes)));
  })))];
  const timer = setInterval(async () => {
    try {
      databases.value = (await consoleCall('GET', 'databases')).databases;
    } catch { /* The bar says that the server is gone. */ }
  }, 30000);
  setPrimary();
  return {
    element, destroy() {
      clearInterval(timer);
      for (const stop of stops) stop();
    },
  };
}
