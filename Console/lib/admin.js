// SPDX-License-Identifier: Apache-2.0
// Calls of the admin API, which gcloud and the command use, too.
import { pathOf, request } from './api.js';

/** Calls a method for a resource: `verb` stands behind its name, as in `:cancel`; `query` has the parameters of the URL. */
export async function adminCall(method, name, { verb = '', query, body } = {}) {
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return (await request(method, `${pathOf(name)}${verb}${search}`, { body })).json();
}
