// SPDX-License-Identifier: Apache-2.0
// State: the route, which is the URL, and what is remembered in the browser. Parsing and formatting are pure.

export const pages = ['data', 'query', 'requests', 'indexes', 'usage', 'transfer', 'rules'];
const base = '/console/';

/** @typedef {{page: string, project: string, database: string, path: string[], params: Object<string, string>}} Route */

/** Every id in a URL is percent-encoded once. The default database's parentheses stay readable. */
export const encode = (id) => encodeURIComponent(id);

function decode(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** @returns {Route} */
export function parseRoute(pathname, search = '') {
  const segments = pathname.startsWith(base) ? pathname.slice(base.length).split('/').filter(Boolean).map(decode) : [];
  const [page = 'data', project = '', database = '', ...path] = segments;
  const params = Object.fromEntries(new URLSearchParams(search));
  return { page: pages.includes(page) ? page : 'data', project, database, path, params };
}

/** @param {Partial<Route>} route */
export function formatRoute({ page, project, database, path = [], params = {} }) {
  const place = project && database ? [project, database, ...path].map(encode).join('/') : '';
  const search = new URLSearchParams(Object.entries(params).filter(([, v]) => v !== undefined && v !== null && v !== '')).toString();
  return `${base}${page}${place ? '/' + place : ''}${search ? '?' + search : ''}`;
}

/** A value that tells when it changes. */
export function signal(initial) {
  const observers = new Set();
  let current = initial;
  return {
    get value() { return current; },
    set value(next) {
      if (Object.is(next, current)) return;
      current = next;
      for (const observer of [...observers]) observer(next);
    },
    /** Calls at once and at every change, until the function that it returns is called. */
    watch(observer) {
      observers.add(observer);
      observer(current);
      return () => observers.delete(observer);
    },
    /** Calls at every change. */
    onChange(observer) {
      observers.add(observer);
      return () => observers.delete(observer);
    },
  };
}

const here = globalThis.location;
export const route = signal(here ? parseRoute(here.pathname, here.search) : parseRoute('/console/'));

/** Asked before the page is left; false keeps it. */
export const guard = { mayLeave: async () => true };

let position = 0;

/** Goes to another place. Members that are not given stay, except params. */
export async function go(change, { replace = false, force = false } = {}) {
  const { page, project, database, path } = route.value;
  const next = { page, project, database, path, params: {}, ...change };
  const url = formatRoute(next);
  if (url === location.pathname + location.search) return true;
  if (!force && !(await guard.mayLeave(next))) return false;
  if (!replace) position += 1;
  history[replace ? 'replaceState' : 'pushState']({ position }, '', url);
  route.value = parseRoute(location.pathname, location.search);
  return true;
}

/** Replaces parameters of the URL; undefined removes. */
export const setParams = (params, options = { replace: true, force: true }) =>
  go({ params: { ...route.value.params, ...params } }, options);

export function followHistory() {
  position = history.state?.position ?? 0;
  addEventListener('popstate', async (event) => {
    const next = parseRoute(location.pathname, location.search);
    const there = event.state?.position ?? 0;
    if (!(await guard.mayLeave(next))) {
      history.pushState({ position }, '', formatRoute(route.value));
      return;
    }
    position = there;
    route.value = next;
  });
}

export const databaseName = (r = route.value) => (r.project && r.database ? `projects/${r.project}/databases/${r.database}` : '');

// Remembered in the browser. Private windows may refuse.

export function remembered(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`hearth.${key}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(`hearth.${key}`);
    else localStorage.setItem(`hearth.${key}`, JSON.stringify(value));
  } catch { /* It is forgotten with the page. */ }
}

export const theme = signal(remembered('theme', 'system'));
export const density = signal(remembered('density', 'normal'));
export const server = signal(null);
export const databases = signal([]);
export const isReadOnly = () => server.value?.readOnly ?? false;
