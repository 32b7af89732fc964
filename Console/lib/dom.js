// SPDX-License-Identifier: Apache-2.0
// Elements. Text gets into the page as text only: ids and values are hostile.

const shown = (content) => content.flat(9).filter((c) => c !== null && c !== undefined && c !== false);

/** Makes an element: h('p.muted', { title }, 'text'). `on…` are listeners, `label` is read aloud; other names are properties if the element
 *  has such a one, else attributes. */
export function h(selector, ...content) {
  const [tag, ...classes] = selector.split('.');
  const element = document.createElement(tag || 'div');
  element.classList.add(...classes);
  if (tag === 'button') element.type = 'button';
  const isPlain = content[0] && Object.getPrototypeOf(content[0]) === Object.prototype;
  for (const [name, value] of Object.entries(isPlain ? content.shift() : {})) {
    if (value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.classList.add(...value.split(' ').filter(Boolean));
    else if (name === 'label') element.ariaLabel = value;
    else if (name.startsWith('--')) element.style.setProperty(name, value);
    else if (name in element && name !== 'list') element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...shown(content));
  return element;
}

export const replace = (element, ...content) => element.replaceChildren(...shown(content));

/** Strokes of 1.5 px in 16 × 16. */
const strokes = {
  data: 'M2.5 4c0-1 2.5-1.8 5.5-1.8s5.5.8 5.5 1.8-2.5 1.8-5.5 1.8S2.5 5 2.5 4Zm0 0v8c0 1 2.5 1.8 5.5 1.8s5.5-.8 5.5-1.8V4',
  query: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14',
  requests: 'M2 5h9M8.5 2.5 11 5 8.5 7.5M14 11H5m2.5-2.5L5 11l2.5 2.5',
  indexes: 'M2 3.5h12M2 8h8M2 12.5h5M12.5 8v5.5m-2-2 2 2 2-2',
  usage: 'M2 13.5h12M4 11V8m4 3V3.5M12 11V6',
  transfer: 'M5 13V3.5M2.5 6 5 3.5 7.5 6M11 3v9.5M8.5 10l2.5 2.5 2.5-2.5',
  rules: 'M8 1.8 13 4v3.7c0 3-2.1 5.3-5 6.5-2.9-1.2-5-3.5-5-6.5V4l5-2.2Zm-2.3 6 1.7 1.7 3-3.2',
  users: 'M6 7.5a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Zm-4 5.5c.3-2 1.9-3.2 4-3.2s3.7 1.2 4 3.2'
    + 'M10.5 3.2a2.2 2.2 0 0 1 0 4.2m1.3 2.5c1.3.4 2 1.5 2.2 3',
  databases: 'M3 2.5h10v4.5h-10ZM3 9h10v4.5h-10ZM5.5 4.8h.01M5.5 11.2h.01',
  events: 'M9 1.8 3.5 9H8l-1 5.2L12.5 7H8l1-5.2Z',
  insights: 'M2 8a6 6 0 0 1 12 0M8 8l3-3M2 11.5h12',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  check: 'M3 8.5 6.5 12 13 4.5',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9',
  filter: 'M2 4h12M4.5 8h7M7 12h2',
  columns: 'M2.5 3h11v10h-11ZM6.2 3v10M9.8 3v10',
  copy: 'M5.5 5.5h8v8h-8ZM10.5 5.5v-3h-8v8h3',
  person: 'M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8Zm-5 5.5c.5-2.3 2.5-3.5 5-3.5s4.5 1.2 5 3.5',
};

export function drawing(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export const icon = (name) =>
  drawing('svg', { viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true' }, drawing('path', { d: strokes[name] }));

export const button = (word, onclick, properties) => h('button.button', { onclick, ...properties }, word);
export const small = (word, onclick) => button(word, onclick, { class: 'small' });
export const primary = (word, onclick, properties) => button(word, onclick, { class: 'primary', ...properties });
export const tool = (name, word, onclick, properties) => h('button.tool', { onclick, ...properties }, name && icon(name), word);

/** A tool without a word: its label is read aloud and shown as a tooltip. */
export const iconButton = (name, label, onclick, properties) => tool(name, null, onclick, { title: label, label, ...properties });

export const input = (properties) => h('input.mono', { autocomplete: 'off', spellcheck: false, ...properties });
export const checkbox = (word, checked, onchange) => h('label.row', h('input', { type: 'checkbox', checked, onchange }), word);

/** Options are values, or pairs of a value and its word. */
export const select = (label, options, value, onchange) => h('select.type',
  { label, onchange: (event) => onchange?.(event.target.value) },
  options.map((option) => [option].flat()).map(([v, word = v]) => h('option', { value: v, selected: v === value }, word)));

/** A button that asks for a file. */
export function fileButton(word, label, take, accept = '') {
  const chooser = h('input', { type: 'file', hidden: true, label, accept, onchange: () => {
    if (chooser.files[0]) take(chooser.files[0]);
    chooser.value = '';
  } });
  return [small(word, () => chooser.click()), chooser];
}

export const labelled = (label, ...control) => h('label.stack', label, control);
export const muted = (...words) => h('p.muted', words);
export const pre = (text) => h('pre.command', { tabIndex: 0 }, text);

/** What scrolls can have the focus, so that it scrolls without a mouse, too. */
export const region = (selector, label, ...content) => h(`${selector}.scroll`, { tabIndex: 0, role: 'region', label }, content);

export const facts = (all) => h('dl.facts',
  Object.entries(all).filter(([, fact]) => fact !== undefined && fact !== '').map(([word, fact]) => [h('dt', word), h('dd', fact)]));

/** Rows of cells, which are elements or texts. A head that begins with a space stands over numbers. */
export const table = (heads, rows) => h('table.list',
  h('thead', h('tr', heads.map((head) => h('th', { scope: 'col', class: head.startsWith(' ') ? 'number' : '' }, head)))),
  h('tbody', rows.map((cells) => h('tr', cells.map((cell, i) => h('td', { class: heads[i].startsWith(' ') ? 'number' : '' }, cell))))));

export const problemLine = (problem) => h('p.problem', { role: 'alert' }, problem);

export function segments(label, options, current, choose) {
  const buttons = options.map(([value, word = value]) => h('button', {
    ariaPressed: value === current, onclick: () => {
      for (const b of buttons) b.ariaPressed = b.textContent === word;
      choose(value);
    },
  }, word));
  return h('.segments', { role: 'group', label }, buttons);
}

export const isTyping = (target) => Boolean(target?.closest?.('input, textarea, select'));

/** Not by `toLocaleString`, whose first call takes longer than drawing the first rows. */
export const number = (n) => n?.toString().replace(/\B(?=(\d{3})+$)/g, ',') ?? '–';
export const counted = (n, noun) => `${number(n)} ${noun}${n === 1 ? '' : 's'}`;

let lastNews = 0;
let waitingNews;

/** Read aloud: news at most every 5 s, errors at once. */
export function announce(message, isError = false) {
  clearTimeout(waitingNews);
  waitingNews = setTimeout(() => {
    if (!isError) lastNews = Date.now();
    document.getElementById(isError ? 'alerts' : 'news').textContent = message;
  }, isError ? 0 : Math.max(0, lastNews + 5000 - Date.now()));
}

export function debounced(ms, action) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, ms);
  };
}

/** Lines where content will be; style sheets show them after 150 ms. What is there already stays. */
export function loading(place) {
  if (!place.firstChild) replace(place, h('.skeleton', { role: 'status', label: 'Loading' }, Array.from({ length: 8 }, () => h('div'))));
}

/** `title` is a text, or the heading of a page that has no other. */
export const empty = (title, ...content) => h('.empty', title instanceof Element ? title : h('p.title', title), content);
export const headed = (title, ...content) => empty(h('h1.title', title), ...content);

/** The first line of a message says what is wrong; further ones, such as the trace of rules, why. */
export function failure(error, retry) {
  const cause = [error.status, error.where].filter(Boolean).join(' · ');
  const [title, ...more] = error.message.split('\n');
  return h('.empty.failure', { role: 'alert' }, h('p.title', title), more.length > 0 && pre(more.join('\n')), muted(cause), h('.row',
    button('Try again', retry),
    button('Copy details', () => navigator.clipboard?.writeText(`${error.message}\n${cause}`))));
}
