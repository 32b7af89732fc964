// SPDX-License-Identifier: Apache-2.0
// The shell: what stands around each page, the keys, and what to do without a server or a token.
import { collectionIDs, connection, consoleCall, keepToken, loadServer, takeToken, viewAs } from './lib/api.js';
import { announce, button, empty, h, icon, iconButton, isTyping, replace, skeleton } from './lib/dom.js';
import { addSamples, followVisibility, isPaused, liveState, restart, sample, samples } from './lib/live.js';
import {
  databaseName, databases, density, followHistory, formatRoute, go, parseRoute, remember, remembered, route, server, signal, theme,
} from './lib/store.js';
import { rootOf } from './lib/values.js';
import { combobox, dialog, guideLink, menuButton, showError } from './ui/widgets.js';

const titles = {
  data: 'Data', query: 'Query', requests: 'Requests', indexes: 'Indexes', usage: 'Usage', transfer: 'Import & export', rules: 'Rules',
};
const keys = { d: 'data', q: 'query', r: 'requests', i: 'indexes', u: 'usage', t: 'transfer', s: 'rules' };
const byID = (id) => document.getElementById(id);

export const collections = signal({ ids: [], next: undefined, isLoaded: false });
let page = null;
let pageName = '';
let turn = 0;

export async function loadCollections(more = false) {
  const database = databaseName();
  if (!database) return;
  try {
    const before = more ? collections.value : { ids: [] };
    const answer = await collectionIDs(rootOf(database), before.next);
    if (database === databaseName()) collections.value = { ids: [...before.ids, ...answer.ids], next: answer.next, isLoaded: true };
  } catch (error) {
    if (error.name !== 'AbortError') collections.value = { ids: [], isLoaded: true, error };
  }
}

const loadDatabases = async () => { databases.value = (await consoleCall('GET', 'databases')).databases; };

/** The place of the URL; without one the database of last time, of the server, or the first. */
async function findPlace() {
  const { project, database } = route.value;
  if (project && database) return;
  const names = databases.value.map((d) => d.name);
  const wanted = [remembered('database'), server.value?.project && `projects/${server.value.project}/databases/(default)`];
  const name = wanted.find((n) => names.includes(n)) ?? names[0];
  if (name) await go({ project: name.split('/')[1], database: name.split('/')[3], path: [] }, { replace: true });
}

// Top bar

function top() {
  const database = h('span', { class: 'ellipsis' });
  const person = h('span', { class: 'ellipsis wide-only' });
  const personButton = menuButton([icon('person'), person], viewMenu, { 'aria-label': 'View as', title: 'View as' });
  const databaseButton = menuButton([icon('data'), database, icon('down')], databaseMenu,
    { 'aria-label': 'Database', class: 'tool database' });
  const box = combobox({
    label: 'Path or command', placeholder: 'Go to a path or command   /', className: 'path', suggest, submit: openPath,
  });
  byID('top').append(
    iconButton('menu', 'Menu', () => document.body.classList.toggle('menu-open'), { class: 'tool narrow-only' }),
    h('a', { class: 'brand', href: '/console/data' }, icon('flame'), h('span', { class: 'wide-only' }, 'Hearth')),
    databaseButton, box.element, personButton,
    menuButton(icon('more'), settingsMenu, { 'aria-label': 'Settings', title: 'Settings' }),
    h('div', { id: 'primary', class: 'row' }));
  route.watch((r) => {
    database.textContent = r.project ? (r.database === '(default)' ? r.project : `${r.project} / ${r.database}`) : 'No database';
    box.input.value = r.page === 'data' ? r.path.join('/') : '';
  });
  viewAs.watch((as) => {
    person.textContent = as === null ? 'Administrator' : as === 'anonymous' ? 'Not signed in' : as.sub;
    personButton.classList.toggle('on', as !== null);
  });
  return box;
}

function databaseMenu() {
  loadDatabases().catch(() => {});
  return [
    { heading: 'Databases' },
    ...databases.value.map((d) => {
      const [, project, , id] = d.name.split('/');
      return {
        label: `${project} / ${id}`, checked: d.name === databaseName(),
        action: () => go({ project, database: id, path: [] }),
      };
    }),
    null,
    { label: 'Another database…', action: otherDatabase },
  ];
}

async function otherDatabase() {
  const project = h('input', { class: 'mono', required: true, autocomplete: 'off', value: route.value.project });
  const id = h('input', { class: 'mono', autocomplete: 'off', value: '(default)' });
  const answer = await dialog({
    title: 'Another database', actions: [['Cancel', undefined], ['Open', true, 'primary']],
    body: [h('p', { class: 'muted' }, 'A database that does not exist is created by its first document.'),
      h('label', { class: 'stack' }, 'Project', project), h('label', { class: 'stack' }, 'Database', id)],
    validate: () => (project.value && id.value && !/[/]/.test(project.value + id.value) ? undefined : 'Both have a name without slashes.'),
  });
  if (answer) go({ page: 'data', project: project.value, database: id.value, path: [] });
}

/** The id of a user; “anonymous” is none, and strings have a method sub. */
const userOf = (as) => (as && typeof as === 'object' ? as.sub : undefined);

function viewMenu() {
  const set = (as) => () => {
    viewAs.value = as;
    loadCollections();
    page?.refresh?.();
  };
  const as = viewAs.value;
  const user = userOf(as);
  return [
    { heading: 'View as' },
    { label: 'Administrator', checked: as === null, action: set(null) },
    { label: 'Not signed in', checked: as === 'anonymous', action: set('anonymous') },
    { label: user ? `User ${user}…` : 'A user…', checked: Boolean(user), action: viewUser },
  ];
}

async function viewUser() {
  const id = h('input', { class: 'mono', autocomplete: 'off', value: userOf(viewAs.value) ?? '' });
  const { sub, ...claims } = userOf(viewAs.value) ? viewAs.value : {};
  const text = h('textarea', { class: 'mono', rows: 5, spellcheck: false, value: Object.keys(claims).length
    ? JSON.stringify(claims, null, 2) : '' });
  let as;
  const answer = await dialog({
    title: 'View as a user', actions: [['Cancel', undefined], ['View', true, 'primary']],
    body: [h('p', { class: 'muted' }, 'Requests of this console are then judged by the rules, as if this user had sent them.'),
      h('label', { class: 'stack' }, 'User id', id), h('label', { class: 'stack' }, 'Claims, as JSON', text)],
    validate: () => {
      if (!id.value) return 'A user has an id.';
      try {
        as = { ...JSON.parse(text.value || '{}'), sub: id.value };
      } catch (error) {
        return `The claims are not JSON: ${error.message}`;
      }
      return undefined;
    },
  });
  if (!answer) return;
  viewAs.value = as;
  loadCollections();
  page?.refresh?.();
}

function settingsMenu() {
  const choice = (setting, name, value, label) => ({
    label, checked: setting.value === value, action: () => {
      setting.value = value;
      remember(name, value);
    },
  });
  return [
    { heading: 'Theme' }, choice(theme, 'theme', 'system', 'As the system'), choice(theme, 'theme', 'light', 'Light'),
      choice(theme, 'theme', 'dark', 'Dark'),
    { heading: 'Rows' }, choice(density, 'density', 'compact', 'Compact'), choice(density, 'density', 'normal', 'Normal'),
      choice(density, 'density', 'roomy', 'Roomy'),
    null, { label: 'Keys', hint: '?', action: showKeys }, { label: 'About this server', action: showServer },
  ];
}

function showServer() {
  const s = server.value ?? {};
  const rows = [
    ['Version', s.version], ['Address', s.address], ['Data', s.data ?? 'in memory'], ['Started', s.startTime],
    ['Mode', s.development ? 'development: tokens are not verified' : 'tokens are verified'], ...Object.entries(s.settings ?? {}),
  ];
  dialog({ title: 'This server', body: h('dl', { class: 'facts' },
    rows.map(([k, v]) => [h('dt', {}, k), h('dd', { class: 'mono' }, String(v ?? '–'))])) });
}

const keyList = [
  ['/ or Ctrl K', 'Path and commands'], ['g d, g q, g r', 'Data, query, requests'],
    ['g i, g u, g t, g s', 'Indexes, usage, transfer, rules'],
  ['↑ ↓ ← → Home End', 'Move in tables'], ['Enter', 'Open, or edit a field'], ['e', 'Edit the document'], ['n', 'New document'],
    ['Space', 'Select a row'],
  ['Delete', 'Delete'], ['[ and ]', 'Previous and next document'], ['Ctrl S', 'Save'], ['Ctrl Enter', 'Run the query'],
    ['Alt ↑ ↓', 'Move an element of an array'],
  ['.', 'Pause live updates'], ['Escape', 'Take back, close'], ['?', 'This list'],
];

function showKeys() {
  dialog({ title: 'Keys', body: h('dl', { class: 'facts keys' },
    keyList.map(([k, v]) => [h('dt', {}, h('kbd', {}, k)), h('dd', {}, v)])) });
}

function commands() {
  return [
    ...Object.entries(titles).map(([name, title]) => ({
      label: title, hint: `g ${Object.keys(keys).find((k) => keys[k] === name)}`, action: () => go({ page: name, path: [] }),
    })),
    { label: isPaused.value ? 'Resume live updates' : 'Pause live updates', hint: '.',
      action: () => { isPaused.value = !isPaused.value; } },
    { label: 'Keys', hint: '?', action: showKeys },
    ...(page?.commands?.() ?? []),
  ];
}

async function suggest(text) {
  const typed = text.trim().toLowerCase();
  const known = route.value.path.join('/').toLowerCase();
  const all = [
    ...collections.value.ids.map((id) => ({ label: id, hint: 'collection', action: () => go({ page: 'data', path: [id] }) })),
      ...commands(),
  ];
  return (typed && typed !== known ? all.filter((o) => o.label.toLowerCase().includes(typed)) : all).slice(0, 14);
}

function openPath(text) {
  const path = text.trim().split('/').filter(Boolean);
  if (path.length) go({ page: 'data', path });
}

// Left column

function left() {
  const list = h('ul', {});
  const found = h('div', { class: 'collections' });
  byID('left').append(list, found);
  route.watch((r) => {
    replace(list, Object.entries(titles).map(([name, title]) => h('li', {}, h('a', {
      href: formatRoute({ ...r, page: name, path: [], params: {} }), 'aria-current': r.page === name ? 'page' : undefined,
    }, icon(name), title))));
    document.body.classList.remove('menu-open');
  });
  const draw = () => {
    const { ids, next, isLoaded, error } = collections.value;
    const r = route.value;
    const isShown = Boolean(r.project) && isLoaded && (ids.length > 0 || error);
    replace(found, isShown && [
      h('h2', { class: 'heading' }, 'Collections'),
      error && h('p', { class: 'muted pad' }, error.message),
      h('ul', {}, ids.map((id) => {
        const isHere = r.page === 'data' && r.path[0] === id;
        return h('li', {}, h('a', {
          class: 'mono', title: id, href: formatRoute({ ...r, page: 'data', path: [id], params: {} }),
          'aria-current': isHere && r.path.length <= 2 ? 'true' : undefined,
        }, h('span', { class: 'ellipsis' }, id)), isHere && below(r));
      })),
      next && button('More collections', () => loadCollections(true), { class: 'button small pad' }),
    ]);
  };
  collections.onChange(draw);
  route.watch(draw);
}

/** The way from a collection to the one below that is open. */
function below(r) {
  const parts = [];
  for (let i = 2; i < r.path.length; i += 2) {
    const path = r.path.slice(0, i + 1);
    parts.push(h('li', {}, h('a', {
      class: 'mono', href: formatRoute({ ...r, page: 'data', path, params: {} }), title: path.join('/'),
        style: { '--depth': String(i / 2) },
      'aria-current': i + 2 >= r.path.length ? 'true' : undefined,
    }, h('span', { class: 'ellipsis' }, h('span', { class: 'faint' }, path[i - 1], ' / '), path[i]))));
  }
  return parts.length ? h('ul', { class: 'below' }, parts) : null;
}

// Status bar

function status() {
  const state = h('button', {
    type: 'button', class: 'state', onclick: () => {
      if (liveState.value === 'gone') restart();
      else isPaused.value = !isPaused.value;
    },
  });
  const figures = h('span', { class: 'figures wide-only' });
  byID('status').append(state, h('span', { class: 'address mono faint' }, location.host), figures,
    h('span', { class: 'grow' }), h('button', { type: 'button', class: 'state', onclick: showKeys }, '? for keys'));
  const words = { connecting: 'Connecting', live: 'Live', paused: 'Paused', off: 'Not live', gone: 'No connection' };
  liveState.watch((s) => replace(state, h('span', { class: `dot ${s}`, 'aria-hidden': 'true' }), words[s]));
  sample.watch((s) => {
    const before = samples.at(-2);
    const seconds = s && before ? (Date.parse(s.time) - Date.parse(before.time)) / 1000 : 0;
    const rate = (name) => Math.max(0, Math.round((s[name] - before[name]) / seconds)).toLocaleString('en');
    const what = s?.reads !== undefined ? 'reads' : 'calls';
    figures.textContent = seconds > 0 ? `${rate(what)} ${what}/s   ·   ${s.listeners ?? '–'} ${s.listeners === 1 ? 'listener' : 'listeners'}` : '';
  });
}

// Pages

async function show(r) {
  const mine = ++turn;
  if (!r.project || !r.database) {
    await findPlace();
    if (route.value.project) return;
    leave();
    replace(byID('main'), noDatabase());
    return;
  }
  remember('database', databaseName());
  if (pageName === r.page && page) {
    page.update?.(r);
  } else {
    leave();
    const late = setTimeout(() => replace(byID('main'), skeleton()), 150);
    try {
      const module = await import(`./pages/${r.page}.js`);
      if (mine !== turn) return;
      page = module.open({ setPrimary, collections, loadCollections });
      pageName = r.page;
      replace(byID('main'), page.element);
      page.update?.(r);
    } finally {
      clearTimeout(late);
    }
  }
  document.title = [r.page === 'data' && r.path.length ? r.path.join('/') : titles[r.page], 'Hearth'].join(' · ');
}

function leave() {
  page?.destroy?.();
  page = null;
  pageName = '';
  setPrimary();
}

/** The one filled button of a page. */
function setPrimary(...buttons) {
  replace(byID('primary'), buttons);
}

function noDatabase() {
  return empty('Nothing here yet. Point an app at it:',
    h('pre', { class: 'command', tabIndex: 0 }, `export FIRESTORE_EMULATOR_HOST=${location.host}`),
    h('p', { class: 'muted' }, 'Or begin here:'), button('Open a database', otherDatabase, { class: 'button primary' }), guideLink());
}

function locked() {
  turn += 1;
  leave();
  const input = h('input', { class: 'mono', autocomplete: 'off', 'aria-label': 'Token or address', placeholder: 'http://…/console/#t=…' });
  const form = h('form', {
    class: 'row', onsubmit: (event) => {
      event.preventDefault();
      keepToken(decodeURIComponent(input.value.trim().replace(/^.*#t=/, '')));
      connection.value = 'ok';
      start();
    },
  }, input, button('Open', undefined, { class: 'button primary', type: 'submit' }));
  replace(byID('main'), empty('This page needs the address with the token.',
    h('p', { class: 'muted' }, 'The server prints it when it starts, and so does this command:'),
    h('pre', { class: 'command', tabIndex: 0 }, 'hearth console'), h('p', { class: 'muted' }, 'Open it, or paste it here:'), form));
  input.focus();
}

async function start() {
  try {
    const later = loadDatabases();
    later.catch(() => {});
    const loaded = loadServer();
    // With a place in the URL its rows are asked for at once; a console that only reads is drawn again without what writes.
    const isPlaced = Boolean(route.value.database);
    if (isPlaced) show(route.value).catch(() => {});
    await loaded;
    connection.value = 'ok';
    consoleCall('GET', 'metrics').then((m) => addSamples(m.samples), () => {});
    if (!isPlaced) await later;
    if (server.value.readOnly) leave();
    if (!isPlaced || server.value.readOnly) await show(route.value);
    restart();
    loadCollections();
  } catch (error) {
    if (connection.value === 'gone') setTimeout(() => server.value || start(), 1500);
    else if (connection.value !== 'locked') showError(error);
  }
}

/** Asks a server that is gone until it answers. */
async function retry() {
  if (connection.value !== 'gone') return;
  try {
    await loadServer();
  } catch { /* It is asked again. */ }
  setTimeout(retry, 1500);
}

// Keys

let waitsForG = 0;

function pressed(event) {
  const control = event.ctrlKey || event.metaKey;
  if (control && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    path.input.focus();
    return;
  }
  if (control && ['s', 'enter'].includes(event.key.toLowerCase())) {
    if (page?.keys?.[`ctrl-${event.key.toLowerCase()}`]) {
      event.preventDefault();
      page.keys[`ctrl-${event.key.toLowerCase()}`]();
    }
    return;
  }
  if (control || event.altKey || event.defaultPrevented || isTyping(event.target)
    || document.querySelector('dialog[open], .menu:popover-open')) return;
  const isSecond = Date.now() - waitsForG < 1200;
  waitsForG = 0;
  if (isSecond && keys[event.key]) go({ page: keys[event.key], path: [] });
  else if (event.key === 'g') waitsForG = Date.now();
  else if (event.key === '/') path.input.focus();
  else if (event.key === '?') showKeys();
  else if (event.key === '.') isPaused.value = !isPaused.value;
  else if (page?.keys?.[event.key]) page.keys[event.key](event);
  else return;
  event.preventDefault();
}

let path;

async function main() {
  theme.watch((t) => { document.documentElement.dataset.theme = t; });
  followHistory();
  followVisibility();
  path = top();
  left();
  status();
  document.addEventListener('keydown', pressed);
  document.addEventListener('click', (event) => {
    const anchor = event.target.closest?.('a[href^="/console/"]');
    if (!anchor || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
      || anchor.download) return;
    event.preventDefault();
    const url = new URL(anchor.href);
    go(parseRoute(url.pathname, url.search));
  });
  const bar = h('div', { class: 'gone-bar', role: 'alert', hidden: true },
    'The server does not answer. What you see may be out of date; this page tries again by itself.');
  byID('main').before(bar);
  connection.onChange((state) => {
    bar.hidden = state !== 'gone';
    document.body.classList.toggle('is-gone', state === 'gone');
    if (state === 'locked') locked();
    if (state === 'gone') setTimeout(retry, 1500);
    if (state === 'ok' && server.value) {
      announce('Connected again');
      page?.refresh?.(true);
      restart();
    }
  });
  let database = databaseName();
  route.onChange((r) => {
    if (databaseName() !== database) {
      database = databaseName();
      collections.value = { ids: [], isLoaded: false };
      loadCollections();
    }
    show(r).catch(showError);
  });
  await takeToken();
  start();
}

main();
