// SPDX-License-Identifier: Apache-2.0
// Calls: REST under /v1/, and the console's own under /console/api/.
import { databaseName, databases, server, signal } from './store.js';
import { documentName, rootOf, toJSON } from './values.js';

const apiError = (message, status, code, where) => Object.assign(new Error(message), { status, code, where });

/** ok, gone (the server does not answer) or locked (no token, or not this server's). */
export const connection = signal('ok');

/** Who the data is read as: null is the administrator, 'anonymous', or claims. */
export const viewAs = signal(null);

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

/** A call of the console's own API, about the open database unless the path says otherwise. */
export async function consoleCall(method, path, body) {
  const response = await request(method, `/console/api/${path}`, { body });
  return response.status === 204 ? {} : response.json();
}

export const aboutDatabase = (path) => `${path}?database=${encodeURIComponent(databaseName())}`;

async function rest(method, name, options, suffix = '') {
  const path = `/v1/${name.split('/').map(encodeURIComponent).join('/')}${suffix}`;
  const answer = await (await request(method, path, { ...options, isData: true })).json();
  const { error } = [answer].flat().find((part) => part.error) ?? {};
  if (error) throw apiError(error.message, error.status, error.code, `${method} ${path}`);
  return answer;
}

/** The document, or undefined if it does not exist. A batch of one: browsers log a missing document as an error. */
export async function getDocument(name) {
  const parts = await rest('POST', name.split('/').slice(0, 5).join('/'), { body: { documents: [name] } }, ':batchGet');
  return parts.find((part) => part.found)?.found;
}

/** A page of a collection by name, with documents that do not exist but have collections below. */
export async function listDocuments(parent, collection, { pageSize, pageToken, signal: abort }) {
  const query = new URLSearchParams({ pageSize, showMissing: 'true', ...(pageToken && { pageToken }) });
  const answer = await rest('GET', `${parent}/${collection}`, { signal: abort }, `?${query}`);
  return { documents: answer.documents ?? [], next: answer.nextPageToken };
}

const explaining = (explain) => (explain ? { explainOptions: { analyze: true } } : {});
const metricsOf = (parts) => parts.find((part) => part.explainMetrics)?.explainMetrics;

export async function runQuery(parent, structuredQuery, { explain, signal: abort } = {}) {
  const parts = await rest('POST', parent, { body: { structuredQuery, ...explaining(explain) }, signal: abort }, ':runQuery');
  return { documents: parts.flatMap((part) => part.document ?? []), metrics: metricsOf(parts) };
}

export async function runAggregation(parent, structuredAggregationQuery, { explain } = {}) {
  const parts = await rest('POST', parent, { body: { structuredAggregationQuery, ...explaining(explain) } }, ':runAggregationQuery');
  return { fields: parts.find((part) => part.result)?.result.aggregateFields ?? {}, metrics: metricsOf(parts) };
}

export async function count(parent, { orderBy, ...structuredQuery }, upTo) {
  const { fields } = await runAggregation(parent, { structuredQuery, aggregations: [{ alias: 'n', count: { upTo: String(upTo) } }] });
  return Number(fields.n.integerValue);
}

export async function collectionIDs(parent, pageToken) {
  const { collectionIds = [], nextPageToken } = await rest('POST', parent, { body: { pageSize: 300, pageToken } }, ':listCollectionIds');
  return { ids: collectionIds, next: nextPageToken };
}

export async function commit(database, writes) {
  let answer;
  for (let i = 0; i < writes.length; i += 500) {
    answer = await rest('POST', rootOf(database), { body: { writes: writes.slice(i, i + 500) } }, ':commit');
  }
  return answer;
}

const byName = { select: { fields: [{ fieldPath: '__name__' }] }, orderBy: [{ field: { fieldPath: '__name__' } }] };

export async function namesFrom(parent, collectionId, id) {
  const startAt = id ? { values: [{ referenceValue: `${parent}/${collectionId}/${id}` }], before: true } : undefined;
  return (await runQuery(parent, { from: [{ collectionId }], ...byName, limit: 10, startAt })).documents.map((d) => d.name);
}

/** Names of what is below a document or in a collection, and below that. */
export async function namesBelow(database, path, { limit = 500, signal: abort } = {}) {
  const isCollection = path.length % 2 === 1;
  const parent = documentName(database, isCollection ? path.slice(0, -1) : path);
  // A query of all descendants has no collection: names bound it.
  const prefix = isCollection ? `${parent}/${path.at(-1)}/` : '';
  const startAt = isCollection ? { values: [{ referenceValue: `${prefix}\u0001` }], before: true } : undefined;
  const { documents } = await runQuery(parent, { from: [{ allDescendants: true }], ...byName, limit, startAt }, { signal: abort });
  const end = documents.findIndex((d) => !d.name.startsWith(prefix));
  return documents.slice(0, end < 0 ? undefined : end).map((d) => d.name);
}

export const loadServer = async () => { server.value = await consoleCall('GET', 'server'); };
export const loadDatabases = async () => { ({ databases: databases.value } = await consoleCall('GET', 'databases')); };
