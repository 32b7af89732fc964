// SPDX-License-Identifier: Apache-2.0
// Calls: REST under /v1/, and the console's own under /console/api/.
import { server, signal } from './store.js';
import { rootOf, toJSON } from './values.js';

class APIError extends Error {
  constructor(message, status, code, where) {
    super(message);
    Object.assign(this, { status, code, where });
  }
}

/** ok, gone (the server does not answer) or locked (no token, or not this server's). */
export const connection = signal('ok');

/** Who the data is read as: null is the administrator. */
export const viewAs = signal(null);

let token = null;

/** Other tabs of this server: a new one asks them for the token. Only pages of the same origin hear it. */
const tabs = new BroadcastChannel('hearth');
tabs.addEventListener('message', ({ data }) => { if (data === 'token?' && token !== null) tabs.postMessage({ token }); });

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
  } catch { /* Without storage the token lives as long as the page. */ }
  if (token !== null) return;
  await new Promise((resolve) => {
    const hear = ({ data }) => {
      if (data?.token === undefined) return;
      keepToken(data.token);
      resolve();
    };
    tabs.addEventListener('message', hear);
    setTimeout(resolve, 200);
    tabs.postMessage('token?');
  });
}

export function keepToken(text) {
  token = text;
  try {
    sessionStorage.setItem('hearth.token', text);
  } catch { /* As above. */ }
}

const base64url = (text) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');

export function headers(isData = false) {
  const all = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  if (isData && viewAs.value) all['Hearth-Console-As'] = viewAs.value === 'anonymous' ? 'anonymous' : base64url(toJSON(viewAs.value));
  return all;
}

async function errorOf(response, where) {
  let body;
  try {
    body = await response.json();
  } catch { /* A proxy's page. */ }
  const error = (Array.isArray(body) ? body[0] : body)?.error ?? {};
  return new APIError(error.message ?? `The server answered with status ${response.status}.`, error.status ?? String(response.status),
    response.status, where);
}

/** fetch that knows errors, a server that is gone, and a token that is not accepted. */
export async function request(method, path, { body, signal: abort, raw, isData } = {}) {
  let response;
  const where = `${method} ${path.split('?')[0]}`;
  try {
    response = await fetch(path, {
      method, signal: abort, headers: headers(isData), body: body === undefined ? undefined : raw ? body : toJSON(body), cache: 'no-store',
        credentials: 'omit',
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    connection.value = 'gone';
    throw new APIError('The server does not answer.', 'UNAVAILABLE', 0, where);
  }
  if (response.status === 401 && !(isData && viewAs.value)) connection.value = 'locked';
  else if (connection.value !== 'ok') connection.value = 'ok';
  if (!response.ok) throw await errorOf(response, where);
  return response;
}

export const consoleCall = async (method, path, options) => {
  const response = await request(method, `/console/api/${path}`, options);
  return response.status === 204 ? {} : response.json();
};

const encodedName = (name) => name.split('/').map(encodeURIComponent).join('/');

async function rest(method, path, options = {}) {
  const response = await request(method, `/v1/${path}`, { ...options, isData: true });
  const body = await response.json();
  if (Array.isArray(body)) {
    const failed = body.find((part) => part.error);
    if (failed) throw new APIError(failed.error.message, failed.error.status, failed.error.code, `${method} ${path}`);
  }
  return body;
}

/** The document, or undefined if it does not exist. A batch of one: browsers log a missing document as an error. */
export async function getDocument(name, abort) {
  const root = name.split('/').slice(0, 5).join('/');
  const parts = await rest('POST', `${encodedName(root)}:batchGet`, { body: { documents: [name] }, signal: abort });
  return parts.find((p) => p.found)?.found;
}

/** A page of a collection by name, with documents that do not exist but have collections below. */
export async function listDocuments(parent, collection, { pageSize, pageToken, signal: abort }) {
  const query = new URLSearchParams({ pageSize, showMissing: 'true', ...(pageToken && { pageToken }) });
  const answer = await rest('GET', `${encodedName(parent)}/${encodeURIComponent(collection)}?${query}`, { signal: abort });
  return { documents: answer.documents ?? [], next: answer.nextPageToken };
}

/** Documents of a query, and what it cost if `explain`. */
export async function runQuery(parent, structuredQuery, { explain, signal: abort } = {}) {
  const body = { structuredQuery, ...(explain && { explainOptions: { analyze: explain === 'analyze' } }) };
  const parts = await rest('POST', `${encodedName(parent)}:runQuery`, { body, signal: abort });
  return {
    documents: parts.filter((p) => p.document).map((p) => p.document),
    metrics: parts.find((p) => p.explainMetrics)?.explainMetrics, readTime: parts.find((p) => p.readTime)?.readTime,
  };
}

export async function runAggregation(parent, structuredAggregationQuery, { explain, signal: abort } = {}) {
  const body = { structuredAggregationQuery, ...(explain && { explainOptions: { analyze: explain === 'analyze' } }) };
  const parts = await rest('POST', `${encodedName(parent)}:runAggregationQuery`, { body, signal: abort });
  return {
    fields: parts.find((p) => p.result)?.result.aggregateFields ?? {},
    metrics: parts.find((p) => p.explainMetrics)?.explainMetrics,
  };
}

export async function count(parent, structuredQuery, upTo) {
  const { orderBy, ...query } = structuredQuery;
  const { fields } = await runAggregation(parent, { structuredQuery: query,
    aggregations: [{ alias: 'n', count: { upTo: String(upTo) } }] });
  return Number(fields.n?.integerValue ?? 0);
}

export async function collectionIDs(parent, pageToken) {
  const answer = await rest('POST', `${encodedName(parent)}:listCollectionIds`,
    { body: { pageSize: 300, ...(pageToken && { pageToken }) } });
  return { ids: answer.collectionIds ?? [], next: answer.nextPageToken };
}

export const commit = (database, writes) => rest('POST', `${encodedName(rootOf(database))}:commit`, { body: { writes } });

/** Names of what is below a document or in a collection, and below that. */
export async function namesBelow(database, path, { after, limit = 500, signal: abort } = {}) {
  const isCollection = path.length % 2 === 1;
  const parent = [rootOf(database), ...path.slice(0, isCollection ? -1 : undefined)].join('/');
  if (!isCollection) {
    const query = {
      from: [{ allDescendants: true }], select: { fields: [{ fieldPath: '__name__' }] }, orderBy: [{ field: { fieldPath: '__name__' } }],
        limit,
      ...(after && { startAt: { values: [{ referenceValue: after }], before: false } }),
    };
    return (await runQuery(parent, query, { signal: abort })).documents.map((d) => d.name);
  }
  // A query of all descendants has no collection: names bound it.
  const collection = `${parent}/${path.at(-1)}`;
  const query = {
    from: [{ allDescendants: true }], select: { fields: [{ fieldPath: '__name__' }] }, orderBy: [{ field: { fieldPath: '__name__' } }],
      limit,
    startAt: { values: [{ referenceValue: after ?? `${collection}/\u0001` }], before: !after },
  };
  const names = (await runQuery(parent, query, { signal: abort })).documents.map((d) => d.name);
  const end = names.findIndex((n) => !n.startsWith(collection + '/'));
  return end < 0 ? names : names.slice(0, end);
}

export async function loadServer() {
  server.value = await consoleCall('GET', 'server');
  return server.value;
}
