// SPDX-License-Identifier: Apache-2.0
// Calls: REST under /v1/, and the console's own under /console/api/.
import { collections, databaseName, databases, server, signal } from './store.js';
import { rootOf, toJSON } from './values.js';

const apiError = (message, status, code, where) => Object.assign(new Error(message), { status, code, where });

/** ok, gone (the server does not answer) or locked (no token, or not this server's). */
export const connection = signal('ok');

/** What this tab keeps when it is loaded again. */
function inTab(key, value) {
  try {
    if (value === undefined) return JSON.parse(sessionStorage.getItem(`hearth.${key}`));
    sessionStorage.setItem(`hearth.${key}`, JSON.stringify(value));
  } catch { /* Without storage it lives as long as the page. */ }
  return null;
}

/** Who the data is read as: null is the administrator, 'anonymous', or claims. */
export const viewAs = signal(inTab('as'));
viewAs.onChange((as) => inTab('as', as));

let token = null;

/** Other tabs of this server: a new one asks them for the token. Only pages of the same origin hear it. */
const tabs = new BroadcastChannel('hearth');
tabs.addEventListener('message', ({ data }) => {
  if (data === 'token?' && token !== null) tabs.postMessage({ token });
  if (data.token && token === null) keepToken(data.token);
});

export function keepToken(text) {
  token = text;
  try {
    sessionStorage.setItem('hearth.token', text);
  } catch { /* Without storage the token lives as long as the page. */ }
}

/** Takes the token out of the address, which must not keep it; otherwise that of this tab, or of another one. */
export async function takeToken() {
  const found = /^#t=([^&]+)/.exec(location.hash);
  if (found) {
    keepToken(decodeURIComponent(found[1]));
    history.replaceState(history.state, '', location.pathname + location.search);
    return;
  }
  try {
    token = sessionStorage.getItem('hearth.token');
  } catch { /* As above. */ }
  if (token === null) tabs.postMessage('token?');
  for (let i = 0; i < 20 && token === null; i += 1) await new Promise((resolve) => setTimeout(resolve, 10));
}

export function headers(isData = false) {
  const all = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  if (!isData || !viewAs.value) return all;
  const claims = btoa(String.fromCharCode(...new TextEncoder().encode(toJSON(viewAs.value))));
  const as = viewAs.value === 'anonymous' ? 'anonymous' : claims.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return { ...all, 'Hearth-Console-As': as };
}

/** fetch that knows errors, a server that is gone, and a token that is not accepted. */
export async function request(method, path, { body, signal: abort, isData } = {}) {
  const where = `${method} ${path.split('?')[0]}`;
  const options = { method, signal: abort, headers: headers(isData), body: body && toJSON(body), cache: 'no-store', credentials: 'omit' };
  const response = await fetch(path, options).catch((error) => {
    if (error.name === 'AbortError') throw error;
    connection.value = 'gone';
    throw apiError('The server does not answer.', 'UNAVAILABLE', 0, where);
  });
  connection.value = response.status === 401 && !(isData && viewAs.value) ? 'locked' : 'ok';
  if (response.ok) return response;
  // What is not JSON is the page of a proxy.
  const answer = await response.json().catch(() => ({}));
  const { message = `The server answered with status ${response.status}.`, status } = [answer].flat()[0].error ?? {};
  throw apiError(message, status ?? String(response.status), response.status, where);
}

export async function consoleCall(method, path, body) {
  const response = await request(method, `/console/api/${path}`, { body });
  return response.status === 204 ? {} : response.json();
}

/** A call of the console's own API about the open database. */
export const databaseCall = (method, path, body) => consoleCall(method, `${path}?database=${encodeURIComponent(databaseName())}`, body);

/** What rules decide about a request that was made, now; `rules` are others than those in force. */
export const judge = async (id, rules) =>
  (await consoleCall('POST', 'decisions', { database: databaseName(), request: Number(id), rules })).decision;

export const loadServer = async () => { server.value = await consoleCall('GET', 'server'); };
export const loadDatabases = async () => { ({ databases: databases.value } = await consoleCall('GET', 'databases')); };

export const pathOf = (name) => `/v1/${name.split('/').map(encodeURIComponent).join('/')}`;

export async function rest(method, name, suffix, body, abort) {
  const path = pathOf(name) + suffix;
  const answer = await (await request(method, path, { body, signal: abort, isData: true })).json();
  const { error } = [answer].flat().find((part) => part.error) ?? {};
  if (error) throw apiError(error.message, error.status, error.code, `${method} ${path}`);
  return answer;
}

const databaseRoot = (name) => name.split('/').slice(0, 5).join('/');

/** The document, or undefined if it does not exist. A batch of one: browsers log a missing document as an error. */
export async function getDocument(name) {
  const parts = await rest('POST', databaseRoot(name), ':batchGet', { documents: [name] });
  return parts.find((part) => part.found)?.found;
}

/** A page of a collection by name, with documents that do not exist but have collections below. */
export async function listDocuments(collection, { pageSize, pageToken, signal }) {
  const query = new URLSearchParams({ pageSize, showMissing: 'true', ...(pageToken && { pageToken }) });
  const { documents = [], nextPageToken } = await rest('GET', collection, `?${query}`, undefined, signal);
  return { documents, next: nextPageToken };
}

/** Runs what requestOf has made: documents, or the fields of an aggregation. Only administrators may have it explained. */
export async function run(parent, body, { explain, signal } = {}) {
  const method = body.structuredQuery ? ':runQuery' : ':runAggregationQuery';
  const explained = explain && !viewAs.value && { explainOptions: { analyze: true } };
  const parts = await rest('POST', parent, method, { ...body, ...explained }, signal);
  return {
    documents: parts.flatMap((part) => part.document ?? []), fields: parts.find((part) => part.result)?.result.aggregateFields ?? {},
    metrics: parts.find((part) => part.explainMetrics)?.explainMetrics,
  };
}

export async function count(parent, { orderBy, ...structuredQuery }, upTo) {
  const aggregations = [{ alias: 'n', count: { upTo: String(upTo) } }];
  return Number((await run(parent, { structuredAggregationQuery: { structuredQuery, aggregations } })).fields.n.integerValue);
}

export async function collectionIDs(parent, pageToken) {
  const { collectionIds = [], nextPageToken } = await rest('POST', parent, ':listCollectionIds', { pageSize: 300, pageToken });
  return { ids: collectionIds, next: nextPageToken };
}

/** The collections of the open database, or the next of them. */
export async function loadCollections(isMore = false) {
  const database = databaseName();
  if (!database) return;
  const before = isMore ? collections.value : { ids: [] };
  const loaded = await collectionIDs(rootOf(database), before.next).catch((error) => ({ ids: [], error }));
  if (database === databaseName()) collections.value = { ...loaded, ids: [...before.ids, ...loaded.ids], isLoaded: true };
}

/** Writes to one database, in steps of what a commit may have. */
export async function commit(writes) {
  for (let i = 0; i < writes.length; i += 500) {
    const { update, delete: name } = writes[i];
    await rest('POST', databaseRoot(name ?? update.name), ':commit', { writes: writes.slice(i, i + 500) });
  }
}

/** Names of documents from one on: of a collection, or of all collections below. */
export async function namesFrom(parent, from, first, limit, signal) {
  const field = { fieldPath: '__name__' };
  const startAt = first ? { values: [{ referenceValue: first }], before: true } : undefined;
  const structuredQuery = { from: [from], select: { fields: [field] }, orderBy: [{ field }], limit, startAt };
  return (await run(parent, { structuredQuery }, { signal })).documents.map((d) => d.name);
}

/** Names of what is below a document or in a collection, and below that. */
export async function namesBelow(name, { limit = 500, signal } = {}) {
  // A query of all descendants has no collection: names bound it.
  const [parent, prefix] = name.split('/').length % 2 ? [name, ''] : [name.slice(0, name.lastIndexOf('/')), `${name}/`];
  const names = await namesFrom(parent, { allDescendants: true }, prefix && `${prefix}\u0001`, limit, signal);
  const end = names.findIndex((n) => !n.startsWith(prefix));
  return end < 0 ? names : names.slice(0, end);
}
