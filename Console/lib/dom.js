// SPDX-License-Identifier: Apache-2.0
// Elements. Text gets into the page as text only: ids and values are hostile.

/** Makes an element. `on…` are listeners; class, data-… and aria-… are attributes; other names of the element are properties. */
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  set(element, properties ?? {});
  element.append(...children.flat(9).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

export function set(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else if (name === 'style') for (const [property, v] of Object.entries(value)) element.style.setProperty(property, v);
    else if (name in element && !name.includes('-') && !['list', 'role', 'form'].includes(name)) element[name] = value;
    else if (value === null || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? (name.startsWith('aria-') ? 'true' : '') : value);
  }
  return element;
}

export function replace(element, ...children) {
  element.replaceChildren(...children.flat(9).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

const svg = 'http://www.w3.org/2000/svg';

/** Strokes of 1.5 px in 16 × 16. */
const strokes = {
  flame: 'M8.2 1.8c.4 2.6 3.9 4 3.9 7.8a4.1 4.1 0 0 1-8.2 0c0-1.7.8-2.9 1.8-3.8.1 1 .5 1.6 1.1 2 .1-2.2.3-4.3 1.4-6Z M8 13.7c-1.2 '
    + '0-1.9-.9-1.9-1.9 0-1.1.9-1.7 1.5-2.7.9.8 2.3 1.5 2.3 2.9 0 1-.8 1.7-1.9 1.7Z',
  data: 'M2.5 4c0-1 2.5-1.8 5.5-1.8s5.5.8 5.5 1.8-2.5 1.8-5.5 1.8S2.5 5 2.5 4Zm0 0v8c0 1 2.5 1.8 5.5 1.8s5.5-.8 5.5-1.8V4M2.5 8c0 1 2.5 '
    + '1.8 5.5 1.8s5.5-.8 5.5-1.8',
  query: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14',
  requests: 'M2 5h9M8.5 2.5 11 5 8.5 7.5M14 11H5m2.5-2.5L5 11l2.5 2.5',
  indexes: 'M2 3.5h12M2 8h8M2 12.5h5M12.5 8v5.5m-2-2 2 2 2-2',
  usage: 'M2 13.5h12M4 11V8m4 3V3.5M12 11V6',
  transfer: 'M5 13V3.5M2.5 6 5 3.5 7.5 6M11 3v9.5M8.5 10l2.5 2.5 2.5-2.5',
  rules: 'M8 1.8 13 4v3.7c0 3-2.1 5.3-5 6.5-2.9-1.2-5-3.5-5-6.5V4l5-2.2Zm-2.3 6 1.7 1.7 3-3.2',
  plus: 'M8 3v10M3 8h10', close: 'M4 4l8 8M12 4l-8 8', more: 'M3.5 8h.01M8 8h.01M12.5 8h.01', down: 'M4 6l4 4 4-4', right: 'M6 4l4 4-4 4',
  left: 'M10 4 6 8l4 4', up: 'M4 10l4-4 4 4', menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11', check: 'M3 8.5 6.5 12 13 4.5',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8Z', trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9',
    link: 'M9 3h4v4M13 3 7.5 8.5M11 9.5v4H2.5V5h4',
  filter: 'M2 4h12M4.5 8h7M7 12h2', columns: 'M2.5 3h11v10h-11ZM6.2 3v10M9.8 3v10', pause: 'M5.5 3.5v9M10.5 3.5v9',
    play: 'M5 3.5 12 8l-7 4.5Z',
  undo: 'M3 6h6.5a3.5 3.5 0 0 1 0 7H6M5.5 3.5 3 6l2.5 2.5',
    sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 '
    + '3.4l-.9.9M4.3 11.7l-.9.9',
  person: 'M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8Zm-5 5.5c.5-2.3 2.5-3.5 5-3.5s4.5 1.2 5 3.5',
    refresh: 'M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3',
};

export function icon(name) {
  const element = document.createElementNS(svg, 'svg');
  for (const [key, value] of Object.entries({ viewBox: '0 0 16 16', class: `icon icon-${name}`, 'aria-hidden': 'true',
    focusable: 'false' })) {
    element.setAttribute(key, value);
  }
  const path = document.createElementNS(svg, 'path');
  path.setAttribute('d', strokes[name]);
  element.append(path);
  return element;
}

/** A button with an icon; without a visible word its label is read aloud and shown as a tooltip. */
export function iconButton(name, label, onclick, properties = {}) {
  return h('button', { type: 'button', class: 'tool', title: label, 'aria-label': label, onclick, ...properties }, icon(name));
}

export function button(label, onclick, properties = {}) {
  return h('button', { type: 'button', class: 'button', onclick, ...properties }, label);
}

/** Lines of values over time. */
export function sparkline(values, label, { width = 240, height = 48 } = {}) {
  const known = values.filter((v) => v !== undefined && Number.isFinite(v));
  const element = document.createElementNS(svg, 'svg');
  const attributes = { viewBox: `0 0 ${width} ${height}`, class: 'sparkline', role: 'img', 'aria-label': label,
    preserveAspectRatio: 'none' };
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (known.length < 2) return element;
  const most = Math.max(...known, 1e-9);
  const x = (i) => (i / (values.length - 1)) * width;
  const y = (v) => height - 2 - (v / most) * (height - 6);
  const points = values.map((v, i) => (v === undefined || !Number.isFinite(v) ? null
    : `${x(i).toFixed(1)},${y(v).toFixed(1)}`)).filter(Boolean);
  for (const [name, list] of [['polygon', [`${points[0].split(',')[0]},${height}`, ...points, `${points.at(-1).split(',')[0]},${height}`]],
    ['polyline', points]]) {
    const line = document.createElementNS(svg, name);
    line.setAttribute('points', list.join(' '));
    line.setAttribute('vector-effect', 'non-scaling-stroke');
    element.append(line);
  }
  return element;
}

export const isTyping = (target) => target?.closest?.('input, textarea, select, [contenteditable]') != null;

/** Calls once per pause. */
export function debounced(ms, action) {
  let timer;
  const call = (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...args), ms);
  };
  call.cancel = () => clearTimeout(timer);
  return call;
}

const news = { polite: null, last: 0, waiting: null };

/** One live region, at most every 5 s; errors at once. */
export function announce(message, isError = false) {
  const region = document.getElementById(isError ? 'alerts' : 'news');
  if (!region) return;
  if (isError) {
    region.textContent = message;
    return;
  }
  clearTimeout(news.waiting);
  const wait = Math.max(0, news.last + 5000 - Date.now());
  news.waiting = setTimeout(() => {
    news.last = Date.now();
    region.textContent = message;
  }, wait);
}

/** Skeleton lines, after 150 ms. */
export function skeleton(lines = 8) {
  return h('div', { class: 'skeleton', role: 'status', 'aria-label': 'Loading' },
    Array.from({ length: lines }, () => h('div', { class: 'skeleton-line' })));
}

export function empty(title, ...content) {
  return h('div', { class: 'empty' }, h('p', { class: 'empty-title' }, title), content);
}

export function failure(error, retry) {
  const details = [error.message, error.status, error.where].filter(Boolean).join('\n');
  return h('div', { class: 'failure', role: 'alert' },
    h('p', { class: 'failure-title' }, error.message),
    h('p', { class: 'muted' }, [error.status, error.where].filter(Boolean).join(' · ')),
    h('div', { class: 'row' }, retry && button('Try again', retry), button('Copy details', () => navigator.clipboard?.writeText(details))));
}
