// SPDX-License-Identifier: Apache-2.0
// Calls of the admin API, which gcloud and the command use, too.
import { request } from './api.js';

const pathOf = (name) => `/v1/${name.split('/').map(encodeURIComponent).join('/')}`;

/** Calls a method for a resource: `verb` stands behind its name, as in `:cancel`; `query` has the parameters of the URL. */
export async function adminCall(method, name, { verb = '', query, body } = {}) {
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return (await request(method, `${pathOf(name)}${verb}${search}`, { body })).json();
}
