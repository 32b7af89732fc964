// SPDX-License-Identifier: Apache-2.0
// Events: the triggers that deliver changes, and the events that no receiver has acknowledged.
import { consoleCall } from '../lib/api.js';
import { button, counted, empty, facts, failure, h, loading, muted, number, pre, region, replace, small, table } from '../lib/dom.js';
import { databaseName, dataLink, isReadOnly, onDatabase, server } from '../lib/store.js';
import { toJSON } from '../lib/values.js';
import { Grid } from '../ui/grid.js';
import { repeating, sidePanel, spanText, timeText } from '../ui/parts.js';
import { attempt, confirm, copy, page, panelHead, toast } from '../ui/widgets.js';

const columns = [
  ['died', 'Given up', 236, 'faint'], ['trigger', 'Trigger', 120], ['document', 'Document', 220], ['type', 'Change', 80, 'plain'],
  ['attempts', 'Attempts', 80, 'number'], ['answer', 'Last answer', 280],
].map(([key, title, width, align]) => ({ key, title, width, align }));

const answerText = ({ status, answer = '' }) => [status, answer].filter(Boolean).join(' ');
const texts = {
  died: ({ died, retryRequested }) => (retryRequested ? 'to be retried' : timeText(died)), answer: answerText,
  trigger: ({ trigger }) => trigger.replace(/^.*\//, ''), attempts: ({ attempts }) => number(attempts),
};

function cell(event, { key, align = '' }) {
  const text = texts[key]?.(event) ?? event[key];
  return h('.grid-cell', { class: align, title: text }, h('span.ellipsis', { class: key === 'answer' ? 'danger-text' : '' }, text));
}

const stateWords = { ON: ['ok-text', 'on'], FAILING: ['warn-text', 'failing'], OFF: ['danger-text', 'off'], WAITING: ['faint', 'waiting'] };

function stateCell({ state, ...trigger }) {
  const [mark, word] = stateWords[state] ?? ['faint', state];
  const why = {
    FAILING: `it is tried again: ${answerText(trigger)}`, WAITING: 'its database is not open',
    OFF: `the receiver wants no more events: ${answerText(trigger)}`,
  }[state];
  return [h('span', { class: mark }, word), why && h('p.faint', why),
    state === 'OFF' && h('p.faint', 'It is on again after its file is read again: change the file, or send SIGHUP.')];
}

const heads = ['Trigger', 'Documents', 'Receiver', 'State', ' Pending', ' Lag', ' Delivered'];
const triggerRow = (trigger) => [
  h('span.mono', trigger.name), [h('span.mono', trigger.document), h('p.faint', trigger.on.join(', '))], h('span.mono', trigger.url),
  stateCell(trigger), number(trigger.pending), trigger.lag === undefined ? '–' : spanText(trigger.lag), number(trigger.delivered),
];

/** One event that was given up. `read` asks for the event with its documents, `tools` do something with it. */
function eventPanel(event, { read, close, tools }) {
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

export function open() {
  let shown = '';
  let current = null;
  let events = [];
  const triggers = region('.content.triggers', 'Triggers');
  const place = h('.grid-place');
  const detail = h('aside.panel-place', { label: 'Event' });
  const note = h('span.faint.figures', { role: 'status' });
  const tools = h('.row');
  const grid = new Grid({ label: 'Events given up', columns, key: (e) => e.id, isOpen: (e) => e.id === current, open: show, cell });
  const element = h('.split', page('Events', [h('span.grow'), note, tools], triggers, place), detail);
  const side = sidePanel(element, detail, grid);
  const call = (method, id) => consoleCall(method, `events?${new URLSearchParams({ database: databaseName(), ...(id && { id }) })}`);

  const asking = repeating(async () => {
    try {
      draw(await call('GET'));
    } catch (error) {
      if (error.code !== 0) {
        shown = '';
        replace(triggers, failure(error, () => asking.now()));
        replace(place);
      }
    }
    return 3000;
  });

  function draw(answer) {
    const text = toJSON(answer);
    if (text === shown) return;
    shown = text;
    ({ events } = answer);
    note.textContent = answer.count ? `${counted(answer.count, 'event')} given up` : '';
    replace(tools, events.length > 0 && !isReadOnly() && [small('Retry all', () => retry()), small('Drop all', () => drop())]);
    drawTriggers(answer.triggers);
    if (!events.length) replace(place, answer.triggers.length > 0 && empty('No events were given up.',
      muted('An event is given up when its receiver has not acknowledged it for as long as its trigger says.')));
    else if (!grid.element.isConnected) replace(place, grid.element);
    grid.setRows(events);
    if (current && !events.some((e) => e.id === current)) hide();
  }

  function drawTriggers(list) {
    if (list.length) replace(triggers, table(heads, list.map(triggerRow)));
    else if (server.value?.triggers) replace(triggers, muted('No trigger is for changes of this database.'));
    else replace(triggers, empty('This server has no triggers.', muted('Start it with a file of them:'),
      pre('hearth serve --events events.json')));
  }

  const change = (method, id, word) => attempt(async () => {
    const { count } = await call(method, id);
    toast(`${counted(count, 'event')} ${word}.`);
    await asking.now();
  });

  const retry = (id) => change('POST', id, 'to be delivered again');

  async function drop(id) {
    const text = 'What is dropped is never delivered. It cannot be undone.';
    const what = id ? 'this event' : 'all events that were given up';
    if (await confirm({ title: `Drop ${what}?`, action: 'Drop', text })) change('DELETE', id, 'dropped');
  }

  function show(event) {
    current = event.id;
    side.show(eventPanel(event, {
      read: () => call('GET', event.id), close: hide,
      tools: !isReadOnly() && [button('Retry', () => retry(event.id)), button('Drop', () => drop(event.id), { class: 'danger-text' })],
    }));
  }

  function hide() {
    current = null;
    side.hide();
  }

  const stop = onDatabase(() => {
    shown = '';
    hide();
    asking.now();
  });
  loading(triggers);
  return {
    element,
    refresh: () => asking.now(),
    destroy() {
      stop();
      asking.stop();
      grid.destroy();
    },
    keys: { Escape: hide },
  };
}
