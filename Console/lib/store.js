// SPDX-License-Identifier: Apache-2.0
// State: the route, which is the URL, and what is remembered in the browser.

export const pages = {
  data: 'Data', query: 'Query', requests: 'Requests', indexes: 'Indexes', usage: 'Usage', transfer: 'Import & export', rules: 'Rules',
  users: 'Users', databases: 'Databases', events: 'Events', insights: 'Insights',
};
const base = '/console/';

/** @typedef {{page: string, project: string, database: string, path: string[], params: Object<string, string>}} Route */

function decode(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function parseRoute(pathname, search = '') {
  const segments = pathname.slice(base.length).split('/').filter(Boolean).map(decode);
  const [page = 'data', project = '', database = '', ...path] = segments;
  const params = Object.fromEntries(new URLSearchParams(search));
  return { page, project, database, path, params };
}

export function formatRoute({ page, project, database, path = [], params = {} }) {
  const place = project && database ? [project, database, ...path].map((id) => '/' + encodeURIComponent(id)).join('') : '';
  const search = new URLSearchParams(Object.entries(params).filter(([, v]) => v)).toString();
  return `${base}${page}${place}${search && '?' + search}`;
}

export function signal(value) {
  const observers = new Set();
  return {
    get value() { return value; },
    set value(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const observer of [...observers]) observer(next);
    },
    /** Calls at every change, until the function that it returns is called. */
    onChange(observer) {
      observers.add(observer);
      return () => observers.delete(observer);
    },
    watch(observer) {
      observer(value);
      return this.onChange(observer);
    },
  };
}

const here = () => (globalThis.location ? parseRoute(location.pathname, location.search) : parseRoute(base));
export const route = signal(here());

/** Asked before the page is left; false keeps it. */
export const guard = { mayLeave: async () => true };

/** Goes to another place. Members that are not given stay, except params. */
export async function go(change, { replace = false, force = false } = {}) {
  const next = { ...route.value, params: {}, ...change };
  const url = formatRoute(next);
  if (url === location.pathname + location.search) return true;
  if (!force && !(await guard.mayLeave(next))) return false;
  history[replace ? 'replaceState' : 'pushState'](null, '', url);
  route.value = here();
  return true;
}

/** Shows another page of this database. */
export const goPage = (page, params) => go({ page, path: [], params });

/** Replaces parameters of the URL; undefined removes. */
export const setParams = (params) => go({ params: { ...route.value.params, ...params } }, { replace: true, force: true });

export function followHistory() {
  addEventListener('popstate', async () => {
    const next = here();
    if (await guard.mayLeave(next)) route.value = next;
    else history.pushState(null, '', formatRoute(route.value));
  });
}

export const databaseName = ({ project, database } = route.value) =>
  (project && database ? `projects/${project}/databases/${database}` : '');

/** Calls when another database is opened. */
export function onDatabase(action) {
  let shown = databaseName();
  return route.onChange(() => {
    if (databaseName() === shown) return;
    shown = databaseName();
    action();
  });
}

/** The address of a collection or document of the open database. */
export const dataLink = (path) => formatRoute({ ...route.value, page: 'data', path, params: {} });

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
    localStorage.setItem(`hearth.${key}`, JSON.stringify(value));
  } catch { /* It is forgotten with the page. */ }
}

function setting(key, otherwise) {
  const value = signal(remembered(key, otherwise));
  value.onChange((next) => remember(key, next));
  return value;
}

export const theme = setting('theme', 'system');
export const density = setting('density', 'normal');
export const server = signal(null);
export const databases = signal([]);
export const collections = signal({ ids: [], isLoaded: false });
export const isReadOnly = () => server.value?.readOnly ?? false;
