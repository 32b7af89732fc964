// SPDX-License-Identifier: Apache-2.0
// Why rules granted or denied a request.
import { h } from '../lib/dom.js';

export function trace(decision) {
  return h('div', { class: 'trace' },
    h('p', {}, h('strong', { class: decision.granted ? 'ok-text' : 'danger-text' }, decision.granted ? 'Granted' : 'Denied'), ' ',
      h('span', { class: 'mono' }, decision.operation)),
    !decision.statements?.length && h('p', { class: 'muted' }, 'No allow statement for this method covers the path.'),
    decision.statements?.map((s) => h('div', { class: s.granted ? 'statement granted' : 'statement' },
      h('p', {}, h('span', { class: 'faint figures' }, `Line ${s.line} `), h('span', { class: 'mono' }, s.match), ' ',
        h('strong', {}, s.outcome)),
      s.values?.map((v) => h('p', { class: 'mono small' }, h('span', { class: 'faint' }, `${v.line}:${v.column} `), v.expression,
        h('span', { class: 'faint' }, ' = '), v.result)))),
    ['request', 'resource'].filter((k) => decision[k]).map((k) =>
      h('details', {}, h('summary', { class: 'mono' }, k), h('pre', { class: 'command', tabIndex: 0 },
      JSON.stringify(decision[k], null, 2)))));
}
