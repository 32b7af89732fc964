// SPDX-License-Identifier: Apache-2.0
// The one stream of a tab: listeners and topics, as lines of JSON. Closed while the tab is hidden.
import { request, viewAs } from './api.js';
import { databaseName, onDatabase, signal } from './store.js';
import { toJSON } from './values.js';

/** connecting, live, paused (only topics), off (refused, as for a database that does not exist) or gone. */
export const liveState = signal('connecting');
export const isPaused = signal(false);
export const samples = [];
export const sample = signal(null);

/** @type {Map<string, {id: number, target: object, handler: object, token?: string}>} */
const targets = new Map();
let lastID = 0;
let hearRequests = null;
let lastRequest;
let stream = null;
let timer;
let failures = 0;
let isHidden = false;

/** Listens to a query or to documents: `handler` has change(document), remove(name, isDeleted), current(), reset(), count() and
 *  failed(status). A target that is listened to already keeps its handler, which has heard the first snapshot. null ends it. */
export function watch(key, target, handler) {
  const text = toJSON(target);
  if (target ? targets.get(key)?.text === text : !targets.delete(key)) return;
  if (target) targets.set(key, { id: lastID += 1, target, text, handler });
  restart(80);
}

export function watchRequests(handler) {
  hearRequests = handler;
  lastRequest = undefined;
  restart(20);
  return () => {
    hearRequests = null;
    restart(80);
  };
}

export function restart(delay = 0) {
  clearTimeout(timer);
  timer = setTimeout(open, delay);
}

async function open() {
  stream?.abort();
  if (isHidden) return;
  const mine = new AbortController();
  stream = mine;
  const listened = isPaused.value ? [] : [...targets.values()];
  const body = {
    ...(listened.length && { database: databaseName() }), ...(viewAs.value && { as: viewAs.value }),
    targets: listened.map((t) => ({ targetId: t.id, ...t.target, resumeToken: t.token })),
    topics: ['metrics', ...(hearRequests ? ['requests'] : [])], requestsAfter: lastRequest,
  };
  if (isPaused.value) liveState.value = 'paused';
  else if (liveState.value !== 'live') liveState.value = 'connecting';
  try {
    const response = await request('POST', '/console/api/live', { body, signal: mine.signal });
    failures = 0;
    if (!isPaused.value) liveState.value = 'live';
    await read(response.body.getReader(), new Map(listened.map((t) => [t.id, t])), mine);
    throw new Error('ended');
  } catch (error) {
    if (stream !== mine || error.code === 401) return;
    failures += 1;
    if (error.code >= 400 && error.code < 500) liveState.value = 'off';
    else if (failures > 1) liveState.value = 'gone';
    restart(Math.min(8000, 250 * 2 ** failures));
  }
}

async function read(reader, byID, mine) {
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    // A line comes every 15 s at least.
    const silence = setTimeout(() => reader.cancel().catch(() => {}), 40000);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done || stream !== mine) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line) take(JSON.parse(line), byID);
  }
}

function take({ listen, requests, dropped, metrics }, byID) {
  if (listen) takeListen(listen, byID);
  if (requests) lastRequest = Math.max(lastRequest ?? 0, ...requests.map((r) => r.id));
  if (requests || dropped) hearRequests?.(requests ?? [], dropped);
  if (metrics) addSamples([metrics]);
}

export function addSamples(list) {
  samples.push(...list.filter((s) => !samples.length || s.time > samples.at(-1).time));
  samples.splice(0, samples.length - 450);
  if (samples.length) sample.value = samples.at(-1);
}

/** How a counter grows per second at a sample; undefined if it is not known. */
export function rateAt(i, key) {
  const seconds = (Date.parse(samples[i]?.time) - Date.parse(samples[i - 1]?.time)) / 1000;
  return seconds > 0 && key in samples[i] ? Math.max(0, (samples[i][key] - samples[i - 1][key]) / seconds) : undefined;
}

function takeListen({ targetChange, documentChange, documentDelete, documentRemove, filter }, byID) {
  const call = (ids, action) => {
    for (const t of ids ? ids.map((id) => byID.get(id)) : byID.values()) if (t) action(t.handler, t);
  };
  const { document, targetIds = [], removedTargetIds = [] } = documentChange ?? documentDelete ?? documentRemove ?? {};
  call(targetIds, (handler) => handler.change?.(document));
  call(removedTargetIds, (handler) => handler.remove?.(document.name ?? document, documentDelete !== undefined));
  if (targetChange) {
    const { resumeToken, targetChangeType: type, cause } = targetChange;
    // Without targets it is about all.
    call(targetChange.targetIds?.length ? targetChange.targetIds : undefined, (handler, t) => {
      if (resumeToken) t.token = resumeToken;
      if (type === 'CURRENT') handler.current?.();
      if (type === 'RESET') handler.reset?.();
      if (type === 'REMOVE') handler.failed?.(cause);
    });
  }
  // A filter with another count says that something was missed: the target begins anew.
  if (filter) {
    call([filter.targetId], (handler, t) => {
      if (!handler.count || handler.count() === (filter.count ?? 0)) return;
      delete t.token;
      handler.reset?.();
      restart();
    });
  }
}

export function followPage() {
  let hiding;
  // A tab that was opened behind another one has no stream: browsers have six connections for all tabs of a server.
  isHidden = document.hidden;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding);
    if (document.hidden) {
      hiding = setTimeout(() => {
        isHidden = true;
        stream?.abort();
        stream = null;
      }, 5000);
    } else if (isHidden) {
      isHidden = false;
      restart();
    }
  });
  isPaused.onChange(() => restart());
  viewAs.onChange(() => {
    for (const t of targets.values()) delete t.token;
    restart();
  });
  onDatabase(() => {
    targets.clear();
    restart(80);
  });
}
