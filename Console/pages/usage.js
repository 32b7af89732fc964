// SPDX-License-Identifier: Apache-2.0
// Usage: figures of the server, as far back as it remembers.
import { loadDatabases } from '../lib/api.js';
import { drawing, h, number, region, replace, table } from '../lib/dom.js';
import { rateAt, sample, samples } from '../lib/live.js';
import { databases, formatRoute } from '../lib/store.js';
import { sizeText } from '../lib/values.js';
import { page } from '../ui/widgets.js';

const count = (n) => number(Math.round(n));
const perSecond = (n) => `${count(n)}/s`;
const ms = (s) => `${(s * 1000).toFixed(s < 0.01 ? 2 : 0)} ms`;

/** Title, member of a sample, and its text: those per second are rates of a counter. */
const tiles = [
  ['Documents read', 'reads', perSecond], ['Documents written', 'writes', perSecond], ['Documents deleted', 'deletes', perSecond],
  ['Calls', 'calls', perSecond], ['Failed calls', 'errors', perSecond], ['Half of calls end within', 'p50', ms],
  ['99 of 100 calls end within', 'p99', ms], ['Listeners', 'listeners', count], ['Connections', 'connections', count],
  ['Memory', 'memory', sizeText], ['Files', 'bytes', sizeText],
];

function sparkline(values, label) {
  const [width, height] = [240, 40];
  const most = Math.max(1e-9, ...values.filter(Number.isFinite));
  const points = values.map((v, i) => [(i / (values.length - 1)) * width, height - 2 - (v / most) * (height - 6)])
    .filter((point) => point.every(Number.isFinite)).map((point) => point.map((n) => n.toFixed(1)));
  const area = points.length ? [[points[0][0], height], ...points, [points.at(-1)[0], height]] : [];
  const line = (tag, list) => drawing(tag, { points: list.join(' '), 'vector-effect': 'non-scaling-stroke' });
  return drawing('svg', {
    viewBox: `0 0 ${width} ${height}`, class: 'sparkline', role: 'img', 'aria-label': label, preserveAspectRatio: 'none',
  }, line('polygon', area), line('polyline', points));
}

export function open() {
  const grid = h('.tiles');
  const list = h('.scroll', { tabIndex: 0 });
  const stops = [sample.watch(() => replace(grid, tiles.map(([title, key, text]) => {
    const values = samples.map((s, i) => (text === perSecond ? rateAt(i, key) : s[key]));
    const last = values.at(-1);
    return h('.tile', h('span.muted', title), h('strong', last === undefined ? '–' : text(last)), sparkline(values, `${title} over time`));
  }))), databases.watch((all) => replace(list, table(['Database', ' Documents', ' Size'], all.map(({ name, documents, bytes }) => {
    const [, project, , database] = name.split('/');
    return [h('a.mono', { href: formatRoute({ page: 'data', project, database }) }, `${project} / ${database}`), number(documents),
      bytes === undefined ? '–' : sizeText(bytes)];
  }))))];
  const timer = setInterval(() => loadDatabases().catch(() => { /* The bar says that the server is gone. */ }), 30000);
  return {
    element: page('Usage', h('span.faint', 'the last 15 minutes'), region('.content', 'Figures', grid, h('h2', 'Databases'), list)),
    destroy() {
      clearInterval(timer);
      for (const stop of stops) stop();
    },
  };
}
