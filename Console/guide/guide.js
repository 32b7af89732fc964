// SPDX-License-Identifier: Apache-2.0
// The guide as a page: text, the code of the example, its documents, and what the Swift process makes of them.
import { commit, connection, keepToken, loadServer, takeToken } from '/console/lib/api.js';
import { announce } from '/console/lib/dom.js';
import * as live from '/console/lib/live.js';
import { isReadOnly, remember, route, theme } from '/console/lib/store.js';
import { writeOfDocument } from '/console/lib/changes.js';
import { newID, relative, rootOf } from '/console/lib/values.js';
import { DocumentCard, database, h, nameOf } from './document.js';
import { sections } from './sections.js';
import { samples } from './sources.js';
import { colored, excerpt } from './swift.js';

const byID = (id) => document.getElementById(id);
/** A process that has been silent for longer is taken as absent; it writes every 2 s. */
const silence = 7000;
const cards = new Map();
const reports = new Map();
const results = new Map();
let isRunning = false;
let lastBeat = 0;

const stored = (path) => cards.get(path)?.card;
/** The fields of a sample; references in it are paths. */
const sampleOf = (path) => JSON.parse(JSON.stringify(samples[path]), (key, value) => (key === 'referenceValue' ? nameOf(value) : value));

async function ask(action, path) {
  try {
    const fields = { action: { stringValue: action }, ...(path && { path: { stringValue: path } }) };
    await commit([writeOfDocument(nameOf(`guide-requests/${newID()}`), fields, { exists: false })]);
  } catch (error) {
    announce(error.message, true);
  }
}

// Text

/** Words between backticks are code. */
const prose = (paragraph) => h('p', {}, paragraph.split('`').map((part, i) => (i % 2 ? h('code', {}, part) : part)));

function codeOf([file, start]) {
  return h('figure.code', {}, h('figcaption', {}, `Sections/${file}`),
    h('pre', { tabindex: '0', role: 'group', 'aria-label': `Code of ${file}: ${start}` }, h('code', {}, colored(excerpt(file, start) ?? ''))));
}

/** What the Swift process says about a document or a list. */
function reportOf(subject) {
  const output = h('div.report', { role: 'group', 'aria-label': `Swift, ${subject}` });
  reports.set(subject, output);
  return output;
}

function drawReport(subject) {
  const output = reports.get(subject);
  if (!output) return;
  const { value, error, case: kind, codingPath } = results.get(subject) ?? {};
  output.classList.toggle('stale', !isRunning);
  output.classList.toggle('failed', Boolean(error));
  output.replaceChildren(...[
    h('p.report-head', {}, h('span.heading', {}, 'Swift'),
      !isRunning ? h('span', {}, 'does not run; start it with ', h('code', {}, 'make guide'))
        : error ? h('span', {}, kind ? h('code', {}, kind) : 'an error', codingPath && [' at ', h('code', {}, codingPath)])
          : value !== undefined && h('span', {}, 'decoded')),
    isRunning && value !== undefined && h('pre', { tabindex: '0', role: 'group', 'aria-label': `Value of ${subject}` },
      h('code', {}, colored(value))),
    isRunning && error && h('p.error', {}, error),
  ].filter(Boolean));
  for (const button of document.querySelectorAll('[data-needs-swift]')) button.disabled = !isRunning;
}

function documentOf(path, section) {
  const card = new DocumentCard(path, { isReadOnly });
  const reset = () => {
    const write = samples[path] ? writeOfDocument(nameOf(path), sampleOf(path)) : { delete: nameOf(path) };
    return card.commit(write);
  };
  // A list has one report.
  const report = section.list ? null : reportOf(path);
  const element = h('div.live', {},
    h('p.live-head', {}, h('a.mono', { href: `/console/data/demo-guide/(default)/${path}` }, path),
      section.writes && h('button.button.small', { type: 'button', 'data-needs-swift': true, disabled: true,
        title: 'The Swift process decodes the document and stores what it has decoded', onclick: () => ask('write', path) },
      'Write back'),
      h('button.button.small', { type: 'button', 'aria-label': `Reset ${path}`, onclick: reset }, 'Reset')),
    card.element, report);
  cards.set(path, { card, reset });
  return element;
}

const action = (label, name) => h('button.button.small', { type: 'button', 'data-needs-swift': true, disabled: true,
  onclick: () => ask(name) }, label);

/** A collection that a listener of the Swift side shows. */
function listOf(section) {
  const isDrafts = section.list === 'drafts';
  const subject = isDrafts ? 'offline' : section.list;
  const network = h('p.network', { role: 'status' });
  if (isDrafts) network.id = 'network';
  return h('div.live', {}, h('p.live-head', {}, h('a.mono', { href: `/console/data/demo-guide/(default)/${section.list}` }, section.list),
    isDrafts ? [action('Disconnect', 'disconnect'), action('Connect', 'connect'), action('Add a draft', 'add-draft')]
      : action('Add a colour in Swift', 'add-color')),
  isDrafts && network, h('p.server-has', { id: `server-${section.list}` }), reportOf(subject));
}

function tryOf({ label, path, field, value }) {
  return h('button.try', { type: 'button', onclick: async () => {
    const card = stored(path);
    if (card && card.fields !== undefined) await card.change(field, value);
  } }, label);
}

function drawSections() {
  byID('guide-text').append(
    h('div.intro', {}, h('h1', {}, 'Mapping documents with Swift’s Codable'),
      prose('How Swift types become Firestore documents and back: each section has the code, a document that it reads, and what came out. '
        + 'The documents are live. Change a value or its type, and the Swift process, a client of this server that runs exactly the code '
        + 'shown here, decodes it again.')),
    ...sections.map((section, i) => h('section.section-of-guide', { id: section.id, 'aria-labelledby': `${section.id}-title` },
      h('h2', { id: `${section.id}-title` }, h('span.number', { 'aria-hidden': 'true' }, i + 1), section.title),
      h('div.prose', {}, section.text.map(prose)),
      h('div.pair', {}, h('div.codes', {}, section.code.map(codeOf)),
        h('div.lives', {},
          section.tries.length > 0 && h('div.tries', { role: 'group', 'aria-label': 'Try' }, h('span.heading', {}, 'Try'),
            section.tries.map(tryOf)),
          section.list && listOf(section), section.documents.map((path) => documentOf(path, section)),
          section.after && prose(section.after))))));
  for (const subject of reports.keys()) drawReport(subject);
  byID('contents').append(h('ol', {}, sections.map((s) => h('li', {}, h('a', { href: `#${s.id}` }, s.title)))));
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const link = byID('contents').querySelector(`a[href="#${target.id}"]`);
      if (isIntersecting) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  }, { rootMargin: '-30% 0px -60% 0px' });
  for (const element of document.querySelectorAll('.section-of-guide')) seen.observe(element);
}

// Top

function drawTop() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (theme.value === 'system' ? dark.matches : theme.value === 'dark');
  byID('guide-top').append(
    h('a.brand', { href: '/console/' }, h('img', { src: '/console/flame.svg', alt: '', width: '18', height: '18' }), 'Hearth'),
    h('span.muted', {}, 'Guide'), h('span.grow'), h('span.state', { id: 'state', role: 'status' }),
    h('button.tool', { type: 'button', onclick: () => {
      theme.value = isDark() ? 'light' : 'dark';
      remember('theme', theme.value);
    } }, 'Theme'));
  theme.watch((value) => { document.documentElement.dataset.theme = value; });
}

function drawState() {
  const state = connection.value === 'locked' ? ['gone', 'No token'] : connection.value === 'gone' ? ['gone', 'No connection']
    : isRunning ? ['live', 'Swift process runs'] : ['paused', 'No Swift process'];
  byID('state').replaceChildren(h(`span.dot.${state[0]}`, { 'aria-hidden': 'true' }), state[1]);
  const missing = connection.value === 'ok' && !isRunning && Object.keys(samples).some((path) => !stored(path)?.fields);
  const bar = byID('bar') ?? h('div.guide-notice', { id: 'bar', role: 'region', 'aria-label': 'Notice' });
  const kind = `${connection.value} ${isRunning} ${missing}`;
  if (bar.kind === kind) return;
  bar.kind = kind;
  if (connection.value === 'locked') bar.replaceChildren(tokenForm());
  else if (connection.value === 'gone') {
    bar.replaceChildren(h('p', {}, 'The server does not answer. The page goes on by itself when it is back.'));
  } else if (!isRunning) {
    bar.replaceChildren(h('div', {}, h('p', {}, 'The Swift half of this guide does not run. The documents can be read and changed, but '
      + 'nothing decodes them. In the folder of Hearth, ', h('code', {}, 'make guide'), ' starts a server and the Swift process together; ',
    h('code', {}, `.build/debug/guide-live ${location.host}`), ' joins this server.')),
    missing && !isReadOnly() ? h('button.button.small', { type: 'button', onclick: seed }, 'Write the documents that are missing') : '');
  }
  if (connection.value === 'ok' && isRunning) bar.remove();
  else if (!bar.isConnected) byID('guide-text').prepend(bar);
}

function tokenForm() {
  const input = h('input.mono', { id: 'token', autocomplete: 'off', spellcheck: 'false' });
  return h('form', { onsubmit: async (event) => {
    event.preventDefault();
    keepToken(/#t=([^&\s]+)/.exec(input.value)?.[1] ?? input.value.trim());
    await start();
  } }, h('p', {}, 'The documents need the address with the token: ', h('code', {}, 'hearth guide --print'), ' or ',
    h('code', {}, 'hearth console --print'), ' prints it.'),
  h('label', {}, 'Token or address ', input), h('button.button.small', { type: 'submit' }, 'Open'));
}

async function seed() {
  const writes = Object.keys(samples).filter((path) => !stored(path)?.fields)
    .map((path) => writeOfDocument(nameOf(path), sampleOf(path), { exists: false }));
  try {
    await commit(writes);
    live.restart();
  } catch (error) {
    announce(error.message, true);
  }
}

// Live

/** The plain value of what reports consist of. */
const plain = (fields) => Object.fromEntries(Object.entries(fields ?? {}).map(([key, v]) =>
  [key, v.integerValue !== undefined ? Number(v.integerValue) : v.stringValue ?? v.booleanValue ?? v.timestampValue]));

function heard(name, fields) {
  const path = relative(name);
  const card = stored(path);
  if (card) {
    card.show(fields);
    drawState();
  }
  if (path.startsWith('guide-live/')) heardReport(path.slice('guide-live/'.length), plain(fields));
}

function heardReport(id, result) {
  if (id === 'process') {
    // What was written before the page came counts by its time; afterwards every change is a sign of life.
    const age = Date.now() - Date.parse(result.beat);
    if (result.beat === undefined) setRunning(false);
    else if (lastBeat || age < silence) {
      lastBeat = Date.now();
      setRunning(true);
    } else lastBeat = Date.now() - silence;
    return;
  }
  const subject = [...reports.keys()].find((s) => s.replace('/', '.') === id);
  if (!subject) return;
  const before = results.get(subject);
  results.set(subject, result);
  drawReport(subject);
  if (before && before.count !== result.count) {
    const output = reports.get(subject);
    output.classList.remove('flash');
    requestAnimationFrame(() => output.classList.add('flash'));
    announce(`${subject}: ${result.error ?? 'decoded'}`);
  }
  if (subject === 'offline') {
    byID('network').textContent = result.isOnline ? 'The second client is connected.'
      : `The second client is offline; ${result.waiting} ${result.waiting === 1 ? 'draft waits' : 'drafts wait'}.`;
  }
}

function setRunning(value) {
  if (isRunning === value) return;
  isRunning = value;
  for (const subject of reports.keys()) drawReport(subject);
  drawState();
}

/** A list as the server has it: the number of its documents. */
function watchList(collection) {
  const names = new Set();
  const draw = () => { byID(`server-${collection}`).textContent = `On the server: ${names.size} in ${collection}.`; };
  live.watch(`list-${collection}`, { query: { parent: rootOf(database), structuredQuery: { from: [{ collectionId: collection }] } } }, {
    change: ({ name }) => { names.add(name); draw(); }, remove: (name) => { names.delete(name); draw(); }, reset: () => names.clear(),
    count: () => names.size, current: draw,
  });
}

async function start() {
  try {
    await loadServer();
  } catch { /* The bar says why. */ }
  drawState();
  if (connection.value !== 'locked') live.restart();
}

async function main() {
  route.value = { page: 'data', project: 'demo-guide', database: '(default)', path: [], params: {} };
  drawTop();
  drawSections();
  await takeToken();
  connection.onChange(drawState);
  live.followPage();
  live.watch('documents', { documents: { documents: [...cards.keys()].map(nameOf) } }, {
    change: ({ name, fields }) => heard(name, fields ?? {}), remove: (name) => heard(name, null),
    // Of a document that has never existed nothing is said.
    current: () => { for (const { card } of cards.values()) if (card.fields === undefined) heard(card.name, null); },
  });
  live.watch('reports', { query: { parent: rootOf(database), structuredQuery: { from: [{ collectionId: 'guide-live' }] } } }, {
    change: ({ name, fields }) => heard(name, fields), remove: (name) => heard(name, undefined), reset: () => {}, current: drawState,
  });
  watchList('colors');
  watchList('drafts');
  setInterval(() => { if (Date.now() - lastBeat > silence) setRunning(false); }, 1000);
  await start();
  if (location.hash) byID(location.hash.slice(1))?.scrollIntoView();
}

main();
