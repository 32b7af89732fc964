// SPDX-License-Identifier: Apache-2.0
// Parts of pages with a grid, of those that ask the server again and again, and of those about rules.
import { h, replace } from '../lib/dom.js';
import { localTime, toJSON } from '../lib/values.js';
import { highlighted, json } from './code-area.js';

/** A part is drawn again only when what it shows has changed; the focus stays on the control of the same label. */
export function part(draw) {
  const element = h('section.section', { hidden: true });
  let shown;
  return {
    element,
    show(state) {
      const text = toJSON(state);
      if (text === shown) return;
      shown = text;
      const label = element.contains(document.activeElement) && (document.activeElement.ariaLabel ?? document.activeElement.textContent);
      const content = [draw(state)].flat();
      element.hidden = !content.some(Boolean);
      replace(element, content);
      if (label) [...element.querySelectorAll('button')].find((b) => (b.ariaLabel ?? b.textContent) === label)?.focus();
    },
  };
}

/** Asks until it is stopped, and not while the tab is hidden. `ask` answers in how many milliseconds to ask again. */
export function repeating(ask) {
  let timer;
  let isStopped = false;
  async function now() {
    clearTimeout(timer);
    const pause = document.hidden ? 1000 : await ask();
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(now, pause);
  }
  now();
  return {
    now,
    get isStopped() { return isStopped; },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** What a page shows beside its grid, of the row that is open. */
export const sidePanel = (element, place, grid) => ({
  show(content) {
    replace(place, content);
    element.classList.add('has-panel');
    grid.draw();
  },
  hide() {
    element.classList.remove('has-panel');
    replace(place);
    grid.draw();
    grid.element.focus();
  },
});

/** A line about one of several things: what it is, what can be done with it, and what is to know about it. */
export const entry = (what, tools, ...more) => h('li.entry', h('.row.wrap', h('span.grow', what), tools), more);

/** Up to the second. */
export const timeText = (timestamp) => localTime(timestamp).replace(/\.\d+/, '');

export function spanText(seconds) {
  if (seconds < 100) return `${Number(seconds.toFixed(seconds < 10 ? 1 : 0))} s`;
  const [unit, size] = seconds < 6000 ? ['min', 60] : seconds < 172800 ? ['h', 3600] : ['days', 86400];
  return `${Math.round(seconds / size)} ${unit}`;
}

export function durationText(seconds) {
  if (seconds < 0.001) return `${(seconds * 1e6).toFixed(0)} µs`;
  return seconds < 1 ? `${(seconds * 1000).toFixed(1)} ms` : `${seconds.toFixed(2)} s`;
}

export const source = (object) => h('pre.command', { tabIndex: 0 }, highlighted(toJSON(object, 2), json));

/** Why rules granted or denied a request. */
export const trace = ({ granted, operation, statements = [], request, resource }) => h('.trace',
  h('p', h('strong', { class: granted ? 'ok-text' : 'danger-text' }, granted ? 'Granted' : 'Denied'), ' ', h('span.mono', operation)),
  !statements.length && h('p.muted', 'No allow statement for this method covers the path.'),
  statements.map((s) => h('.statement', { class: s.granted ? 'granted' : '' },
    h('p', h('span.faint', `Line ${s.line} `), h('span.mono', s.match), ' ', h('strong', s.outcome)),
    s.values?.map((v) => h('p.mono.small', h('span.faint', `${v.line}:${v.column} `), v.expression, h('span.faint', ' = '), v.result)))),
  Object.entries({ request, resource }).map(([name, content]) => content && h('details', h('summary.mono', name), source(content))));
