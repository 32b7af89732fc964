// SPDX-License-Identifier: Apache-2.0
// Why rules granted or denied a request.
import { h } from '../lib/dom.js';
import { toJSON } from '../lib/values.js';
import { highlighted, json } from './code-area.js';

export const source = (object) => h('pre.command', { tabIndex: 0 }, highlighted(toJSON(object, 2), json));

export const trace = ({ granted, operation, statements = [], request, resource }) => h('.trace',
  h('p', h('strong', { class: granted ? 'ok-text' : 'danger-text' }, granted ? 'Granted' : 'Denied'), ' ', h('span.mono', operation)),
  !statements.length && h('p.muted', 'No allow statement for this method covers the path.'),
  statements.map((s) => h('.statement', { class: s.granted ? 'granted' : '' },
    h('p', h('span.faint', `Line ${s.line} `), h('span.mono', s.match), ' ', h('strong', s.outcome)),
    s.values?.map((v) => h('p.mono.small', h('span.faint', `${v.line}:${v.column} `), v.expression, h('span.faint', ' = '), v.result)))),
  Object.entries({ request, resource }).map(([name, content]) => content && h('details', h('summary.mono', name), source(content))));
