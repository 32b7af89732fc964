// SPDX-License-Identifier: Apache-2.0
// The one stream of a tab: listeners and topics, as lines of JSON. Closed while the tab is hidden.
import { connection, headers, viewAs } from './api.js';
import { databaseName, route, signal } from './store.js';
import { toJSON } from './values.js';

/** connecting, live, paused (only topics), off (refused, as for a database that does not exist) or gone. */
export const liveState = signal('connecting');
export const isPaused = signal(false);

/** @type {Map<string, {id: number, target: object, handler: object, token?: string}>} */
const targets = new Map();
const topics = new Map();
/** Samples of the last 15 minutes, and the latest. */
export const samples = [];
export const sample = signal(null);
let nextID = 1;
let stream = null;
let timer = null;
let failures = 0;
let lastRequest;
let hiddenTimer = null;
let isHidden = false;

/** Listens to a query or to documents: `handler` has change(document), remove(name, isDeleted), current(), reset() and
 *  failed(status). null ends it. */
export function watch(key, target, handler) {
  const known = targets.get(key);
  if (!target) {
    if (!targets.delete(key)) return;
  } else if (known && known.text === toJSON(target)) {
    return; // The handler that has heard the first snapshot goes on.
  } else {
    targets.set(key, { id: nextID++, target, text: toJSON(target), handler });
  }
  restart(80);
}

/** Hears a topic until the function that it returns is called. */
export function subscribe(topic, handler) {
  topics.set(topic, handler);
  if (topic === 'requests') lastRequest = undefined;
  restart(20);
  return () => {
    if (topics.get(topic) !== handler) return;
    topics.delete(topic);
    restart(80);
  };
}

export function restart(delay = 0) {
  clearTimeout(timer);
  timer = setTimeout(open, delay);
}

function close() {
  stream?.abort();
  stream = null;
}

async function open() {
  close();
  if (isHidden) return;
  if (isPaused.value) {
    liveState.value = 'paused';
  }
  const listened = isPaused.value ? [] : [...targets.values()];
  const abort = new AbortController();
  stream = abort;
  const body = {
    ...(listened.length && { database: databaseName() }), ...(viewAs.value && { as: viewAs.value }),
    targets: listened.map((t) => ({ targetId: t.id, ...t.target, ...(t.token && { resumeToken: t.token }) })),
    topics: ['metrics', ...topics.keys()], ...(lastRequest !== undefined && { requestsAfter: lastRequest }),
  };
  if (liveState.value !== 'live' && !isPaused.value) liveState.value = 'connecting';
  try {
    const response = await fetch('/console/api/live', {
      method: 'POST', headers: headers(), body: toJSON(body), signal: abort.signal, cache: 'no-store', credentials: 'omit',
    });
    if (response.status === 401) {
      connection.value = 'locked';
      return;
    }
    if (!response.ok) throw Object.assign(new Error(), { isRefused: response.status < 500 });
    connection.value = 'ok';
    failures = 0;
    if (!isPaused.value) liveState.value = 'live';
    await read(response.body.getReader(), new Map(listened.map((t) => [t.id, t])), abort);
    throw new Error('ended');
  } catch (error) {
    if (stream !== abort) return;
    stream = null;
    failures += 1;
    if (error.isRefused) liveState.value = 'off';
    else if (failures > 1) {
      liveState.value = 'gone';
      connection.value = 'gone';
    }
    restart(Math.min(8000, 250 * 2 ** failures));
  }
}

async function read(reader, byID, abort) {
  const decoder = new TextDecoder();
  let rest = '';
  const silence = () => setTimeout(() => reader.cancel().catch(() => {}), 40000);
  let watchdog = silence();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || stream !== abort) return;
      clearTimeout(watchdog);
      watchdog = silence();
      rest += decoder.decode(value, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop();
      for (const line of lines) if (line.trim()) take(JSON.parse(line), byID);
    }
  } finally {
    clearTimeout(watchdog);
  }
}

function take(message, byID) {
  if (message.listen) listen(message.listen, byID);
  else if (message.requests) {
    lastRequest = Math.max(lastRequest ?? 0, ...message.requests.map((r) => r.id));
    topics.get('requests')?.(message.requests);
  } else if (message.metrics) addSamples([message.metrics]);
  else if (message.dropped) topics.get('requests')?.([], message.dropped);
}

export function addSamples(list) {
  samples.push(...list.filter((s) => !samples.length || s.time > samples.at(-1).time));
  samples.splice(0, samples.length - 450);
  if (samples.length) sample.value = samples.at(-1);
}

function listen(response, byID) {
  const of = (ids) => (ids?.length ? ids.map((id) => byID.get(id)) : [...byID.values()]).filter((t) => t && targets.size);
  const { targetChange, documentChange, documentDelete, documentRemove, filter } = response;
  if (documentChange) {
    for (const t of of(documentChange.targetIds)) if (documentChange.targetIds?.length) t.handler.change?.(documentChange.document);
    if (documentChange.removedTargetIds?.length) {
      for (const t of of(documentChange.removedTargetIds)) t.handler.remove?.(documentChange.document.name, false);
    }
  } else if (documentDelete || documentRemove) {
    const removed = documentDelete ?? documentRemove;
    for (const t of of(removed.removedTargetIds)) t.handler.remove?.(removed.document, documentDelete !== undefined);
  } else if (targetChange) {
    const list = of(targetChange.targetIds);
    for (const t of list) {
      if (targetChange.resumeToken) t.token = targetChange.resumeToken;
      if (targetChange.targetChangeType === 'CURRENT') t.handler.current?.();
      if (targetChange.targetChangeType === 'RESET') t.handler.reset?.();
      if (targetChange.targetChangeType === 'REMOVE') t.handler.failed?.(targetChange.cause);
    }
  } else if (filter) {
    // The filter says that something was missed: begin anew.
    const t = byID.get(filter.targetId);
    if (t?.handler.count && t.handler.count() !== (filter.count ?? 0)) {
      delete t.token;
      t.handler.reset?.();
      restart();
    }
  }
}

export function followVisibility() {
  // A tab that was opened behind another one has no stream: browsers have six connections for all tabs of a server.
  isHidden = document.hidden;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiddenTimer);
    if (document.hidden) {
      hiddenTimer = setTimeout(() => {
        isHidden = true;
        close();
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
  let database = databaseName();
  route.onChange(() => {
    if (databaseName() === database) return;
    database = databaseName();
    targets.clear();
    restart(80);
  });
}
