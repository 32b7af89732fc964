// SPDX-License-Identifier: Apache-2.0
// Parts of pages with a grid, and of those that ask the server again and again.
import { h, replace } from '../lib/dom.js';
import { localTime, toJSON } from '../lib/values.js';

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
