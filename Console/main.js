// SPDX-License-Identifier: Apache-2.0
// The shell: what stands around each page, the keys, and what to do without a server or a token.
import { connection, consoleCall, keepToken, loadCollections, loadDatabases, loadServer, takeToken, viewAs } from './lib/api.js';
import {
  announce, button, counted, failure, h, headed, icon, iconButton, input, isTyping, loading, muted, number, pre, primary, replace,
} from './lib/dom.js';
import { addSamples, followPage, isPaused, liveState, rateAt, restart, sample, samples } from './lib/live.js';
import {
  collections, databaseName, databases, dataLink, density, followHistory, formatRoute, go, goPage, isReadOnly, onDatabase, pages,
  parseRoute, remember, remembered, route, server, theme,
} from './lib/store.js';
import { newCollection } from './ui/questions.js';
import { suggesting } from './ui/suggestions.js';
import { ask, attempt, beginning, menuButton } from './ui/widgets.js';

const byID = (id) => document.getElementById(id);
const main = byID('main');
const pageKeys = {
  d: 'data', q: 'query', r: 'requests', i: 'indexes', u: 'usage', t: 'transfer', s: 'rules', a: 'users', b: 'databases', e: 'events',
  o: 'insights',
};
let page = null;
let pageName = '';
let turn = 0;

// Databases, and who looks at them

const placeText = (name) => {
  const [, project, , database] = name.split('/');
  return database === '(default)' ? project : `${project} / ${database}`;
};

function openDatabase(name, path) {
  const [, project, , database] = name.split('/');
  return go({ project, database, path: [] }, path);
}

/** Without a place in the URL: the database of last time, of the server, or the first. */
async function findPlace() {
  const names = databases.value.map((d) => d.name);
  const wanted = [remembered('database'), `projects/${server.value?.project}/databases/(default)`, names[0]];
  const found = wanted.find((name) => names.includes(name));
  if (found) await openDatabase(found, { replace: true });
}

async function databaseMenu() {
  // If the server takes long, the list of before has to do.
  await Promise.race([loadDatabases().catch(() => {}), new Promise((resolve) => { setTimeout(resolve, 2000); })]);
  return ['Databases', ...databases.value.map(({ name }) =>
    [placeText(name), () => openDatabase(name), { checked: name === databaseName() }]), null, ['Another database…', otherDatabase]];
}

async function otherDatabase() {
  const chosen = await ask({
    title: 'Another database', action: 'Open', text: 'A database that does not exist is created by its first document.',
    fields: { Project: route.value.project, Database: '(default)' }, read: (project, database) => {
      if (![project, database].every((name) => /^[^/]+$/.test(name))) throw new Error('Both have a name without slashes.');
      return { project, database };
    },
  });
  if (chosen) go({ page: 'data', path: [], ...chosen });
}

function setViewAs(as) {
  viewAs.value = as;
  loadCollections();
  page?.refresh?.();
}

function viewMenu() {
  const { sub } = viewAs.value ?? {};
  const isUser = viewAs.value && viewAs.value !== 'anonymous';
  return [
    'View as',
    ['Administrator', () => setViewAs(null), { checked: viewAs.value === null }],
    ['Not signed in', () => setViewAs('anonymous'), { checked: viewAs.value === 'anonymous' }],
    [isUser ? `User ${sub}…` : 'A user…', viewUser, { checked: Boolean(isUser) }],
  ];
}

async function viewUser() {
  const { sub = '', ...claims } = typeof viewAs.value === 'object' ? { ...viewAs.value } : {};
  const text = h('textarea.mono', { rows: 5, spellcheck: false, value: sub ? JSON.stringify(claims, null, 2) : '' });
  const as = await ask({
    title: 'View as a user', action: 'View', text: 'Requests of this console are then judged by the rules, as if this user had sent them.',
    fields: { 'User id': sub, 'Claims, as JSON': text }, read: (id, typed) => {
      if (!id) throw new Error('A user has an id.');
      return { ...JSON.parse(typed || '{}'), sub: id };
    },
  });
  if (as) setViewAs(as);
}

// What stands around each page

/** What can be gone to or done, by its word. */
const commands = () => ({
  ...Object.fromEntries(Object.entries(pages).map(([name, title]) => [title, () => goPage(name)])),
  [isPaused.value ? 'Resume live updates' : 'Pause live updates']: togglePause,
  ...(!isReadOnly() && { 'New collection': newCollection }),
  Keys: showKeys,
  ...page?.commands?.(),
});

function pathBox() {
  const reset = () => { box.value = route.value.page === 'data' ? route.value.path.join('/') : ''; };
  const submit = () => {
    const typed = box.value.trim();
    // The beginning of a command is enough, unless there is a collection of this name.
    const isCommand = ([word]) => typed && word.toLowerCase().startsWith(typed.toLowerCase());
    const [, command] = (!collections.value.ids.includes(typed) && Object.entries(commands()).find(isCommand)) || [];
    box.blur();
    reset();
    if (command) command();
    else if (typed) go({ page: 'data', path: typed.split('/').filter(Boolean) });
  };
  const box = input({
    label: 'Path or command', placeholder: 'Go to a path or command   /', class: 'path', onfocus: () => box.select(),
    onkeydown: (event) => {
      if (event.key === 'Escape') {
        reset();
        main.focus();
      }
      if (event.key !== 'Enter') return;
      // Otherwise the key would submit the dialog that it opens.
      event.preventDefault();
      submit();
    },
  });
  route.watch(reset);
  return suggesting(box, () => [...collections.value.ids, ...Object.keys(commands())], (value) => {
    box.value = value;
    submit();
  });
}

function drawTop() {
  const database = h('span.ellipsis');
  const person = h('span.ellipsis.wide-only');
  const personButton = menuButton([icon('person'), person], viewMenu, 'View as');
  byID('top').append(
    iconButton('menu', 'Menu', () => document.body.classList.toggle('menu-open'), { class: 'narrow-only' }),
    h('a.brand', { href: '/console/data', label: 'Hearth' },
      h('img', { src: '/console/flame.svg', alt: '' }), h('span.wide-only', 'Hearth')),
    menuButton([icon('data'), database, icon('down')], databaseMenu, 'Database', { class: 'database' }), ...pathBox(), personButton,
    menuButton(icon('more'), settingsMenu, 'Settings'), h('.row', { id: 'primary' }));
  route.watch(() => { database.textContent = databaseName() ? placeText(databaseName()) : 'No database'; });
  viewAs.watch((as) => {
    person.textContent = as === null ? 'Administrator' : as === 'anonymous' ? 'Not signed in' : as.sub;
    personButton.classList.toggle('on', as !== null);
  });
}

function settingsMenu() {
  const choices = (setting, words) => Object.entries(words).map(([value, word]) =>
    [word, () => { setting.value = value; }, { checked: setting.value === value }]);
  return [
    'Theme', ...choices(theme, { system: 'As the system', light: 'Light', dark: 'Dark' }),
    'Rows', ...choices(density, { compact: 'Compact', normal: 'Normal', roomy: 'Roomy' }),
    null, ['Keys', showKeys, { hint: '?' }], ['About this server', showServer],
  ];
}

const about = (what) => attempt(async () => (await import('./ui/about.js'))[what]());
const showServer = () => about('showServer');
const showKeys = () => about('showKeys');

function togglePause() { isPaused.value = !isPaused.value; }

function drawLeft() {
  const r = route.value;
  const { ids, next, isLoaded, error } = collections.value;
  document.body.classList.remove('menu-open');
  const link = (path, isHere, ...content) => h('li', h('a.mono', {
    href: dataLink(path), title: path.join('/'), ariaCurrent: isHere ? 'true' : undefined, '--depth': path.length,
  }, h('span.ellipsis', content)));
  const below = r.path.map((id, i) => i % 2 === 0 && i > 0
    && link(r.path.slice(0, i + 1), i + 2 >= r.path.length, h('span.faint', `${r.path[i - 1]} / `), id));
  replace(byID('left'),
    h('ul', Object.entries(pages).map(([name, title]) => h('li', h('a', {
      href: formatRoute({ ...r, page: name, path: [], params: {} }), ariaCurrent: r.page === name ? 'page' : undefined,
    }, icon(name), title)))),
    databaseName() && isLoaded && [
      h('.row.head', h('h2.heading.grow', 'Collections'), !isReadOnly() && iconButton('plus', 'New collection', newCollection)),
      error && h('p.muted.pad.lines', error.message),
      h('ul.collections', ids.map((id) => {
        const isHere = r.page === 'data' && r.path[0] === id;
        return [link([id], isHere && r.path.length <= 2, id), isHere && below];
      })),
      next && button('More collections', () => loadCollections(true), { class: 'small' }),
    ]);
}

function drawStatus() {
  const words = { connecting: 'Connecting', live: 'Live', paused: 'Paused', off: 'Not live', gone: 'No connection' };
  const state = h('button.state', { onclick: () => (liveState.value === 'gone' ? restart() : togglePause()) });
  const figures = h('span.figures.wide-only');
  byID('status').append(state, h('span.mono.faint', location.host), figures, h('span.grow'),
    h('button.state', { onclick: showKeys }, '? for keys'));
  liveState.watch((s) => replace(state, h('span.dot', { class: s }), words[s]));
  sample.onChange(({ listeners = 0 }) => {
    const rate = rateAt(samples.length - 1, 'reads');
    if (rate !== undefined) figures.textContent = `${number(Math.round(rate))} reads/s   ·   ${counted(listeners, 'listener')}`;
  });
}

// Pages

const setPrimary = (...buttons) => replace(byID('primary'), buttons);

async function show(r) {
  turn += 1;
  const mine = turn;
  if (!Object.hasOwn(pages, r.page)) {
    leave();
    document.title = 'Not found · Hearth';
    replace(main, headed('Not found', muted('The console has no page at ', h('span.mono', location.pathname)),
      primary('Open the data', () => goPage('data'))));
    return;
  }
  if (!databaseName()) {
    await findPlace();
    if (databaseName()) return;
  }
  // The page of databases needs none.
  if (!databaseName() && r.page !== 'databases') {
    leave();
    replace(main, headed('Nothing here yet. Point an app at it:', beginning(), muted('Or begin here:'), h('.row',
      !isReadOnly() && primary('New collection', newCollection), button('Open a database', otherDatabase))));
    return;
  }
  if (databaseName()) remember('database', databaseName());
  if (pageName !== r.page) {
    leave();
    const { open } = await import(`./pages/${r.page}.js`);
    if (mine !== turn) return;
    page = open({ setPrimary });
    pageName = r.page;
    replace(main, page.element);
  }
  page.update?.(r);
  document.title = `${r.page === 'data' && r.path.length ? r.path.join('/') : pages[r.page]} · Hearth`;
}

function leave() {
  page?.destroy?.();
  page = null;
  pageName = '';
  setPrimary();
  replace(main);
  loading(main);
}

function showLocked() {
  turn += 1;
  leave();
  const address = input({ label: 'Token or address', placeholder: 'http://…/console/#t=…' });
  replace(main, headed('This page needs the address with the token.',
    muted('The server prints it when it starts, and so does this command:'), pre('hearth console'), muted('Open it, or paste it here:'),
    h('form.row', {
      onsubmit: (event) => {
        event.preventDefault();
        keepToken(decodeURIComponent(address.value.trim().replace(/^.*#t=/, '')));
        connection.value = 'ok';
      },
    }, address, primary('Open', undefined, { type: 'submit' }))));
  address.focus();
}

async function start() {
  try {
    const listed = loadDatabases();
    listed.catch(() => { /* Told by the connection. */ });
    // With a place in the URL its rows are asked for at once; a console that only reads is drawn again without what writes.
    const isPlaced = Boolean(databaseName());
    if (isPlaced) attempt(() => show(route.value));
    await loadServer();
    consoleCall('GET', 'metrics').then((metrics) => addSamples(metrics.samples), () => { /* Figures come with the stream, too. */ });
    await (isPlaced ? null : listed);
    if (server.value.readOnly) leave();
    if (!isPlaced || server.value.readOnly) await show(route.value);
    restart();
    loadCollections();
  } catch (error) {
    if (connection.value === 'ok') replace(main, failure(error, start));
  }
}

// The server

async function retry() {
  if (connection.value !== 'gone') return;
  setTimeout(retry, 1500);
  await loadServer().catch(() => { /* It is asked again. */ });
}

function reconnected() {
  if (server.value) announce('Connected again');
  restart();
  if (page) page.refresh?.(true);
  else start();
}

function followConnection() {
  const bar = h('.gone-bar', { role: 'alert', hidden: true },
    'The server does not answer. What you see may be out of date; this page tries again by itself.');
  main.before(bar);
  connection.onChange((state) => {
    bar.hidden = state !== 'gone';
    if (state === 'locked') showLocked();
    if (state === 'gone') setTimeout(retry, 1500);
    if (state === 'ok') reconnected();
  });
}

// Keys and links

let waitsForPage = 0;

function pressed(event) {
  const key = event.ctrlKey || event.metaKey ? `ctrl-${event.key.toLowerCase()}` : event.key;
  const isBusy = event.altKey || event.defaultPrevented || isTyping(event.target) || document.querySelector('dialog[open], .menu');
  if (isBusy && !['ctrl-k', 'ctrl-s', 'ctrl-enter'].includes(key)) return;
  const isSecond = Date.now() - waitsForPage < 1200;
  waitsForPage = key === 'g' ? Date.now() : 0;
  const goTo = () => byID('top').querySelector('.path').focus();
  const own = { 'ctrl-k': goTo, '/': goTo, '?': showKeys, '.': togglePause };
  const action = isSecond && pageKeys[key] ? () => goPage(pageKeys[key]) : own[key] ?? page?.keys?.[key];
  if (!action) return;
  event.preventDefault();
  action();
}

/** Links within the console do not load it again. */
function clicked(event) {
  const link = event.target.closest?.('a[href^="/console/"]');
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(parseRoute(link.pathname, link.search));
}

/** Closing or reloading the tab would lose what is typed. */
addEventListener('beforeunload', (event) => { if (page?.isDirty?.()) event.preventDefault(); });

theme.watch((value) => { document.documentElement.dataset.theme = value; });
followHistory();
followPage();
drawTop();
drawStatus();
followConnection();
document.addEventListener('keydown', pressed);
document.addEventListener('click', clicked);
collections.onChange(drawLeft);
route.watch(drawLeft);
onDatabase(() => {
  collections.value = { ids: [], isLoaded: false };
  loadCollections();
});
route.onChange((r) => attempt(() => show(r)));
await takeToken();
start();
