// SPDX-License-Identifier: Apache-2.0
// Query: a builder, the same query as code, the results, and what they cost.
import { aboutDatabase, consoleCall, runAggregation, runQuery } from '../lib/api.js';
import {
  announce, button, counted, empty, failure, h, iconButton, input, problemLine, replace, segments, select, tool,
} from '../lib/dom.js';
import { code, languages } from '../lib/code.js';
import { watch } from '../lib/live.js';
import { emptyModel, explanation, fromURL, modelOf, requestOf } from '../lib/query.js';
import { rowOf } from '../lib/rows.js';
import { databaseName, go, remember, remembered, route } from '../lib/store.js';
import { compareNames, documentName, relative, summary, toJSON, typeOf, vector } from '../lib/values.js';
import { documentCell, fieldColumns, idKey } from '../ui/columns.js';
import { conditions, fieldInput, lines } from '../ui/conditions.js';
import { Grid } from '../ui/grid.js';
import { typedInput, valueInput } from '../ui/inputs.js';
import { attempt, copy, dialog, toast } from '../ui/widgets.js';

export function open({ setPrimary, collections }) {
  let model = emptyModel();
  /** What reads the inputs into the model, each of which may throw a sentence. */
  let readers = [];
  let language = remembered('language', 'Swift');
  let grid = null;
  let ran = null;
  let rows = new Map();
  const seen = new Set();
  const later = () => setTimeout(read);
  const builder = h('.builder', { role: 'region', 'aria-label': 'Query', tabIndex: 0, oninput: later, onchange: later, onclick: later });
  const source = h('pre', { tabIndex: 0, 'aria-label': 'The query as code' });
  const problem = problemLine();
  const results = h('.results', empty('Run the query to see what it finds.', h('p.muted', 'Ctrl Enter runs it.')));
  const element = h('.query-page', h('h1.visually-hidden', 'Query'), h('.query', builder, h('.code',
    h('.row.wrap', segments('Language', languages.map((l) => [l]), language, (chosen) => {
      language = chosen;
      remember('language', chosen);
      read();
    }), h('span.grow'), iconButton('copy', 'Copy', () => copy(source.textContent, 'Query copied')), tool(null, 'Paste', paste)),
    problem, source)), results);

  const fields = () => [idKey, ...[...seen].sort(compareNames)];
  const line = (label, ...content) => h('.line', h('span', label), h('.value', content));
  const path = (item, key = 'field', label = 'Field') =>
    fieldInput(item[key], fields, label, (event) => { item[key] = event.target.value; });
  const whole = (label, item, key, properties) => input({
    inputMode: 'numeric', size: 6, 'aria-label': label, value: item[key] || '', ...properties,
    oninput: (event) => { item[key] = Math.max(0, parseInt(event.target.value, 10) || 0); },
  });
  const list = (items, row, add, label) => lines(items, row, { add, label });

  function draw() {
    readers = [];
    const { order, aggregates, start, end } = model;
    const from = input({
      'aria-label': 'Collection', placeholder: 'collection', list: 'collection-ids',
      value: [model.parent, model.collection].filter(Boolean).join('/'), oninput: () => {
        const segments = from.value.split('/').filter(Boolean);
        model.collection = segments.pop() ?? '';
        model.parent = segments.join('/');
      },
    });
    const where = conditions(model.where, { fields, database: databaseName(), isRoot: true });
    readers.push(() => { model.where = where.read(); });
    const selected = model.select.map((field) => ({ field }));
    readers.push(() => { model.select = selected.map((s) => s.field).filter(Boolean); });
    const ids = h('datalist', { id: 'collection-ids' }, collections.value.ids.map((id) => h('option', { value: id })));
    replace(builder,
      line('From', h('.row.wrap', from, ids,
        select('Scope', [['', 'this collection'], ['group', 'all collections of this id']], model.group ? 'group' : '',
          (v) => { model.group = Boolean(v); }))),
      line('Where', where.element),
      line('Order by', list(order, (o) => [path(o), select('Direction', [['ASCENDING', 'ascending'], ['DESCENDING', 'descending']],
        o.direction, (v) => { o.direction = v; })], () => ({ field: '', direction: 'ASCENDING' }), 'Add order')),
      line('Limit', whole('Limit', model, 'limit', { placeholder: 'none' })),
      h('details', { open: Boolean(selected.length || start || end || aggregates.length || model.nearest) },
        h('summary.muted', 'Select, cursors, aggregations, vectors'), h('.builder',
          line('Select', list(selected, (s) => path(s), () => ({ field: '' }), 'Add field')),
          cursor('start', 'Start', [['true', 'at'], ['false', 'after']]), cursor('end', 'End', [['false', 'at'], ['true', 'before']]),
          line('Aggregate', list(aggregates, (a) => {
            const field = path(a);
            field.hidden = a.op === 'count';
            return [select('Aggregation', ['count', 'sum', ['avg', 'average']], a.op, (v) => {
              a.op = v;
              field.hidden = v === 'count';
            }), field, path(a, 'alias', 'Alias')];
          }, () => ({ op: 'count', field: '', alias: '' }), 'Add aggregation')),
          line('Nearest', nearest()))));
  }

  function cursor(side, label, words) {
    const { values, before } = model[side] ?? { values: [], before: side === 'start' };
    const made = (value) => typedInput(value, databaseName(), { label: `${label} value` });
    const inputs = values.map(made);
    const place = select(`${label} at or not`, words, String(before), () => {});
    readers.push(() => {
      model[side] = inputs.length ? { values: inputs.map((i) => i.read()), before: place.value === 'true' } : null;
    });
    return line(label, h('.row.wrap', place, list(inputs, (i) => i.element, () => made(), 'Add value')));
  }

  function nearest() {
    const items = [model.nearest].filter(Boolean);
    const inputs = new Map();
    readers.push(() => {
      [model.nearest = null] = items;
      if (model.nearest) model.nearest.queryVector = inputs.get(model.nearest).read();
    });
    const add = () => ({ field: '', queryVector: vector([]), measure: 'COSINE', limit: 10, resultField: '' });
    return list(items, (n) => {
      inputs.set(n, valueInput(n.queryVector, databaseName(), { label: 'Query vector' }));
      return [path(n, 'field', 'Vector field'),
        select('Distance', [['COSINE', 'cosine'], ['EUCLIDEAN', 'euclidean'], ['DOT_PRODUCT', 'dot product']], n.measure,
          (v) => { n.measure = v; }),
        whole('Number of results', n, 'limit'), path(n, 'resultField', 'Field for the distance'), inputs.get(n).element];
    }, add, 'Find nearest');
  }

  /** Reads the inputs, and shows the code. False, with the sentence, if something is not finished. */
  function read() {
    try {
      for (const reader of readers) reader();
      source.textContent = code(model, language);
      problem.textContent = '';
      return true;
    } catch (error) {
      problem.textContent = error.message;
      return false;
    }
  }

  function take(changed) {
    model = changed;
    draw();
    read();
  }

  async function paste() {
    const area = h('textarea.mono', { rows: 10, 'aria-label': 'REST JSON', spellcheck: false });
    const pasted = await dialog({
      title: 'Paste REST JSON', isWide: true, body: area, action: 'Use', read: () => modelOf(JSON.parse(area.value), model.parent),
    });
    if (pasted) take(pasted);
  }

  const parent = () => documentName(databaseName(), model.parent ? model.parent.split('/') : []);

  async function run() {
    if (!read()) return;
    const { structuredQuery, structuredAggregationQuery } = requestOf(model);
    const explain = remembered('explain', true);
    ran = toJSON(requestOf(model));
    watch('query', null);
    await go({ path: model.parent ? model.parent.split('/') : [], params: { q: ran } }, { replace: !route.value.params.q });
    const began = performance.now();
    try {
      if (structuredAggregationQuery) {
        const { fields: answer, metrics } = await runAggregation(parent(), structuredAggregationQuery, { explain });
        replace(results, explained(metrics), h('dl.facts.content', Object.entries(answer).map(([name, value]) =>
          [h('dt.mono', name), h(`dd.mono.v-${typeOf(value)}`, summary(value))])));
        return;
      }
      const { documents, metrics } = await runQuery(parent(), structuredQuery, { explain });
      rows = new Map(documents.map((d) => [d.name, { ...rowOf(d), isGroup: model.group }]));
      showResults(structuredQuery, explained(metrics), performance.now() - began);
    } catch (error) {
      replace(results, failure(error, run));
    }
  }

  function showResults(structuredQuery, explanation, ms) {
    const all = [...rows.values()];
    for (const { key } of fieldColumns(all.slice(0, 200), Infinity)) seen.add(key);
    const watching = tool('play', 'Watch', () => {
      const isOn = watching.classList.toggle('on');
      watching.ariaPressed = String(isOn);
      if (isOn) follow(structuredQuery);
      else watch('query', null);
    }, { 'aria-pressed': 'false' });
    const bar = h('.bar', h('h2', counted(all.length, 'result')), h('span.faint.figures', `${ms.toFixed(0)} ms`), h('span.grow'),
      h('label.row.muted', h('input', {
        type: 'checkbox', checked: remembered('explain', true), onchange: (event) => remember('explain', event.target.checked),
      }), 'Explain'), watching);
    grid?.destroy();
    grid = new Grid({
      label: 'Results', key: (row) => row.name, cell: (row, column) => documentCell(row, column, databaseName()),
      columns: fieldColumns(all.slice(0, 100)).map((c) => (c.key === idKey
        ? { ...c, title: model.group ? 'path' : 'id', width: c.width * (model.group ? 1.6 : 1) } : { ...c, title: c.key })),
      rowClass: (row) => (row.isGone ? 'gone' : ''), open: (row) => go({ page: 'data', path: relative(row.name).split('/') }),
    });
    replace(results, explanation, bar, all.length ? h('.grid-place', grid.element) : empty('No document matches.'));
    grid.setRows(all);
  }

  function follow(structuredQuery) {
    const change = (name, row) => {
      rows.set(name, row);
      grid.setRows([...rows.values()]);
      announce('Results changed');
    };
    watch('query', { query: { parent: parent(), structuredQuery } }, {
      change: (d) => {
        if (rows.get(d.name)?.updateTime !== d.updateTime) change(d.name, { ...rowOf(d), isGroup: model.group, isFresh: true });
      },
      remove: (name) => { if (rows.has(name)) change(name, { ...rows.get(name), isGone: true }); },
      failed: (cause) => toast(cause?.message ?? 'The query cannot be watched.', { isError: true }),
    });
  }

  function explained(metrics) {
    if (!metrics) return null;
    const { sentence, ideal, facts, indexes } = explanation(metrics);
    return h('.explain', h('p', sentence, ' ', ideal && button('Create the index', () => attempt(async () => {
      await consoleCall('POST', aboutDatabase('indexes'), { index: ideal });
      toast('The index is being built.', { action: 'Show', onaction: () => go({ page: 'indexes', path: [] }) });
    }), { class: 'small' })), h('p.muted.small', facts), h('p.mono.small.muted', indexes));
  }

  const stop = collections.onChange(({ ids }) => {
    if (!model.collection && ids.length && !model.where.items.length) take({ ...model, collection: ids[0] });
  });
  return {
    element,
    update({ params, path: above }) {
      setPrimary(button('Run', run, { class: 'primary', title: 'Run (Ctrl Enter)' }));
      if (params.q && params.q === ran) return;
      const found = fromURL(params.q, above.join('/'));
      take(found ?? emptyModel(collections.value.ids[0], above.join('/')));
      if (found) run();
    },
    destroy() {
      stop();
      watch('query', null);
      grid?.destroy();
    },
    keys: { 'ctrl-enter': run },
  };
}
