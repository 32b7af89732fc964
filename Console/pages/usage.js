// SPDX-License-Identifier: Apache-2.0
// Usage: figures of the server, as far back as it remembers.
import { loadDatabases } from '../lib/api.js';
import { drawing, h, number, region, replace, table } from '../lib/dom.js';
import { rateAt, sample, samples } from '../lib/live.js';
import { databases, formatRoute } from '../lib/store.js';
import { sizeText } from '../lib/values.js';
import { page } from '../ui/widgets.js';

const count = (n) => number(Math.round(n));
const perSecond = (n) => `${n && n < 10 ? Number(n.toFixed(1)) : count(n)}/s`;
const ms = (s) => `${(s * 1000).toFixed(s < 0.01 ? 2 : 0)} ms`;

/** Title, member of a sample, and its text: those per second are rates of a counter. */
const tiles = [
  ['Documents read', 'reads', perSecond], ['Documents written', 'writes', perSecond], ['Documents deleted', 'deletes', perSecond],
  ['Calls', 'calls', perSecond], ['Failed calls', 'errors', perSecond], ['Duration, p50', 'p50', ms],
  ['Duration, p99', 'p99', ms], ['Listeners', 'listeners', count], ['Connections', 'connections', count],
  ['Memory', 'memory', sizeText], ['Files', 'bytes', sizeText],
];

function ago(seconds) {
  return seconds < 90 ? `${Math.round(seconds)} s ago` : `${Math.round(seconds / 60)} min ago`;
}

/** A line from 0 to the largest value, which stands at its top, over the time that stands below. */
function sparkline(values, title, text) {
  const [width, height] = [240, 40];
  const known = values.filter(Number.isFinite);
  const most = Math.max(...known, 0);
  const points = values.map((v, i) => [(i / Math.max(1, values.length - 1)) * width, height - 1 - (v / (most || 1)) * (height - 2)])
    .filter((point) => point.every(Number.isFinite)).map((point) => point.map((n) => n.toFixed(1)));
  const area = points.length ? [[points[0][0], height], ...points, [points.at(-1)[0], height]] : [];
  const line = (tag, list) => drawing(tag, { points: list.join(' '), 'vector-effect': 'non-scaling-stroke' });
  const span = (Date.parse(samples.at(-1)?.time) - Date.parse(samples[0]?.time)) / 1000;
  const scale = known.length ? text(most) : '–';
  return h('.sparkline', h('.scale.figures', { title: 'The largest value' }, scale), drawing('svg', {
    viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${title} over time, at most ${scale}`, preserveAspectRatio: 'none',
  }, line('polygon', area), line('polyline', points)), h('.scale.figures', span > 0 && h('span', ago(span)), h('span.grow'), 'now'));
}

export function open() {
  const grid = h('.tiles');
  const list = h('.scroll', { tabIndex: 0 });
  const stops = [sample.watch(() => replace(grid, tiles.map(([title, key, text]) => {
    const values = samples.map((s, i) => (text === perSecond ? rateAt(i, key) : s[key]));
    const last = values.at(-1);
    return h('.tile', h('span.muted', title), h('strong', last === undefined ? '–' : text(last)), sparkline(values, title, text));
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
