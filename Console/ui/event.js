// SPDX-License-Identifier: Apache-2.0
// One event that was given up, with its documents.
import { button, facts, h, muted, pre, region, replace } from '../lib/dom.js';
import { dataLink } from '../lib/store.js';
import { toJSON } from '../lib/values.js';
import { timeText } from './parts.js';
import { attempt, copy, panelHead } from './widgets.js';

/** `read` asks for the event with its documents, `tools` do something with it. */
export function eventPanel(event, { read, close, tools }) {
  const documents = h('.section');
  attempt(async () => {
    const { before, after } = await read();
    replace(documents, Object.entries({ Before: before, After: after }).filter(([, document]) => document).map(([word, document]) =>
      [h('h3.heading', word), pre(toJSON(document, 2)), h('.row', button(`Copy ${word.toLowerCase()}`, () => copy(toJSON(document, 2))))]));
  });
  return h('.panel', panelHead(event.document, null, close), region('.panel-body.content', 'Details',
    facts({
      Trigger: event.trigger.replace(/^.*\//, ''), Change: event.type,
      Document: h('a.mono', { href: dataLink(event.document.split('/')) }, event.document), Committed: timeText(event.time),
      'Given up': timeText(event.died), Attempts: event.attempts, Status: event.status, Id: h('span.mono', event.id),
    }),
    event.retryRequested && muted('It is delivered again within seconds.'),
    tools && h('.row.wrap', tools), event.answer && [h('h3.heading', 'Last answer'), pre(event.answer)], documents));
}
