// SPDX-License-Identifier: Apache-2.0
// Query: a builder, the same query as code, or a pipeline; the results, and what they cost.
import { databaseCall, run as send } from '../lib/api.js';
import { code, languageNames } from '../lib/code.js';
import {
  announce, checkbox, counted, empty, facts, failure, h, input, muted, number, primary, problemLine, region, replace, segments, select,
  small, tool,
} from '../lib/dom.js';
import { watch } from '../lib/live.js';
import { explanation, fromURL, queryOf, readQuery, requestOf } from '../lib/query.js';
import { rowOf } from '../lib/rows.js';
import { collections, databaseName, go, goPage, remember, remembered, route } from '../lib/store.js';
import { compareNames, documentName, relative, summary, toJSON, typeOf, vector } from '../lib/values.js';
import { documentGrid, fieldColumns, fitted, idKey } from '../ui/columns.js';
import { fieldInput, filterInput, lines, typedInput, valueInput } from '../ui/inputs.js';
import { pipelineForm } from '../ui/pipeline.js';
import { suggesting } from '../ui/suggestions.js';
import { attempt, ask, copy, toast } from '../ui/widgets.js';

const directions = [['ASCENDING', 'ascending'], ['DESCENDING', 'descending']];
const measures = [['COSINE', 'cosine'], ['EUCLIDEAN', 'euclidean'], ['DOT_PRODUCT', 'dot product']];

export function open({ setPrimary }) {
  /** Where, what and which figures; the inputs write into the query, whose lines may be unfinished. */
  let model = { parent: '', query: queryOf(), aggregations: [] };
  /** What reads the inputs of values into the query, each of which may throw a sentence. */
  let readers = [];
  let language = remembered('language', 'Swift');
  let grid = null;
  let ran = null;
  let rows = new Map();
  const seen = new Set();
  const later = () => setTimeout(read);
  const builder = region('.builder', 'Query');
  for (const change of ['input', 'change', 'click']) builder.addEventListener(change, later);
  const source = h('pre', { tabIndex: 0, label: 'The query as code' });
  const problem = problemLine();
  const results = h('.results');
  const pipeline = pipelineForm(h('.row', h('span.grow'), tool(null, 'Builder', () => goPage('query'))), results, showRows);
  const form = h('.query', builder, h('.code',
    h('.row.wrap', segments('Language', languageNames.map((l) => [l]), language, (chosen) => {
      language = chosen;
      remember('language', chosen);
      read();
    }), h('span.grow'), tool(null, 'Copy', () => copy(source.textContent, 'Query copied')), tool(null, 'Paste', paste),
    tool(null, 'Pipeline', async () => {
      await goPage('query', { p: pipeline.begin() });
      pipeline.element.querySelector('textarea').focus();
    })), problem, source));
  const element = h('.query-page', h('h1.visually-hidden', 'Query'), form, results);

  const fields = () => [idKey, ...[...seen].sort(compareNames)];
  const line = (label, ...content) => h('.line', h('span', label), h('.value', content));
  const field = (item, key = 'fieldPath', label = 'Field') =>
    fieldInput(item[key] ?? '', fields, label, (event) => { item[key] = event.target.value; }).element;
  const whole = (label, item, properties) => input({
    inputMode: 'numeric', size: 6, label, value: item.limit || '', ...properties,
    oninput: (event) => { item.limit = Math.max(0, parseInt(event.target.value, 10) || 0); },
  });
  const choose = (label, options, item, key) => select(label, options, item[key], (value) => { item[key] = value; });

  function draw() {
    readers = [];
    const { query, aggregations } = model;
    const { from: [from], orderBy = [], select: { fields: selected = [] } = {}, startAt, endAt, findNearest } = query;
    Object.assign(query, { orderBy, select: { fields: selected } });
    const path = input({
      label: 'Collection', placeholder: 'collection', value: [model.parent, from.collectionId].filter(Boolean).join('/'), oninput: () => {
        const segments = path.value.split('/').filter(Boolean);
        from.collectionId = segments.pop();
        model.parent = segments.join('/');
      },
    });
    const where = filterInput(query.where, { fields, database: databaseName() });
    readers.push(() => { query.where = where.read(); });
    const isLong = Boolean(selected.length || startAt || endAt || aggregations.length || findNearest);
    replace(builder,
      line('From', h('.row.wrap', suggesting(path, () => collections.value.ids), select('Scope',
        [['', 'this collection'], ['group', 'all collections of this id']], from.allDescendants ? 'group' : '',
        (v) => { from.allDescendants = Boolean(v); }))),
      line('Where', where.element),
      line('Order by', lines(orderBy, (o) => [field(o.field), choose('Direction', directions, o, 'direction')],
        { 'Add order': () => ({ field: { fieldPath: '' }, direction: 'ASCENDING' }) })),
      line('Limit', whole('Limit', query, { placeholder: 'none' })),
      h('details', { open: isLong }, h('summary.muted', 'Select, cursors, aggregations, vectors'), h('.builder',
        line('Select', lines(selected, (s) => field(s), { 'Add field': () => ({ fieldPath: '' }) })),
        cursor('startAt', 'Start', [['true', 'at'], ['false', 'after']]), cursor('endAt', 'End', [['false', 'at'], ['true', 'before']]),
        line('Aggregate', lines(aggregations, aggregation, { 'Add aggregation': () => ({ alias: '', count: {} }) })),
        line('Nearest', nearest()))));
  }

  function cursor(side, label, words) {
    const { values = [], before = side === 'startAt' } = model.query[side] ?? {};
    const made = (value) => typedInput(value, databaseName(), { label: `${label} value` });
    const inputs = values.map(made);
    const place = select(`${label} at or not`, words, String(before));
    readers.push(() => { model.query[side] = { values: inputs.map((i) => i.read()), before: place.value === 'true' }; });
    return line(label, h('.row.wrap', place, lines(inputs, (i) => i.element, { 'Add value': () => made() })));
  }

  function aggregation(item) {
    const [op] = Object.keys(item).filter((key) => key !== 'alias');
    const of = { fieldPath: '', ...item[op].field };
    const place = field(of);
    const set = (chosen) => {
      for (const key of ['count', 'sum', 'avg']) delete item[key];
      item[chosen] = chosen === 'count' ? {} : { field: of };
      place.hidden = chosen === 'count';
    };
    set(op);
    return [select('Aggregation', ['count', 'sum', ['avg', 'average']], op, set), place, field(item, 'alias', 'Alias')];
  }

  function nearest() {
    const items = [model.query.findNearest].filter(Boolean);
    const inputs = new Map();
    readers.push(() => {
      [model.query.findNearest] = items;
      if (items.length) items[0].queryVector = inputs.get(items[0]).read();
    });
    return lines(items, (n) => {
      inputs.set(n, valueInput(n.queryVector, databaseName(), { label: 'Query vector' }));
      return [field(n.vectorField, 'fieldPath', 'Vector field'), choose('Distance', measures, n, 'distanceMeasure'),
        whole('Number of results', n), field(n, 'distanceResultField', 'Field for the distance'), inputs.get(n).element];
    }, { 'Find nearest': () => ({ vectorField: { fieldPath: '' }, queryVector: vector([]), distanceMeasure: 'COSINE', limit: 10 }) });
  }

  /** Reads the inputs, and shows the code. False, with the sentence, if something is not finished. */
  function read() {
    try {
      for (const reader of readers) reader();
      source.textContent = code(model.parent, model.query, model.aggregations, language);
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
    const area = h('textarea.mono', { rows: 10, spellcheck: false });
    const pasted = await ask({ title: 'Paste REST JSON', isWide: true, action: 'Use', fields: { 'REST JSON': area }, read: readQuery });
    if (pasted) take({ ...model, ...pasted });
  }

  async function run() {
    if (!read()) return;
    const path = model.parent ? model.parent.split('/') : [];
    const parent = documentName(databaseName(), path);
    const body = requestOf(model.query, model.aggregations);
    ran = toJSON(body);
    watch('query', null);
    await go({ path, params: { q: ran } }, { replace: !route.value.params.q });
    const began = performance.now();
    try {
      const { documents, fields: answer, metrics } = await send(parent, body, { explain: remembered('explain', true) });
      if (body.structuredQuery) {
        rows = new Map(documents.map((d) => [d.name, rowOf(d)]));
        showResults(parent, body.structuredQuery, explained(metrics), performance.now() - began);
      } else {
        replace(results, explained(metrics), h('.content', facts(Object.fromEntries(Object.entries(answer).map(([name, value]) =>
          [name, h(`span.mono.v-${typeOf(value)}`, summary(value))])))));
      }
    } catch (error) {
      replace(results, failure(error, run));
    }
  }

  function showResults(parent, query, plan, ms) {
    const all = [...rows.values()];
    const isGroup = Boolean(query.from[0].allDescendants);
    for (const { key } of fieldColumns(all.slice(0, 200), Infinity)) seen.add(key);
    const watching = tool(null, 'Watch', () => {
      watching.ariaPressed = watching.classList.toggle('on');
      if (watching.ariaPressed === 'true') follow(parent, query);
      else watch('query', null);
    }, { ariaPressed: false });
    showTable(all, counted(all.length, 'result'), ms, isGroup, { above: plan, more: watching });
  }

  function showRows(rows, { plan, most, ms }) {
    const all = rows.slice(0, most);
    const places = new Set(all.map(({ name }) => name.slice(0, name.lastIndexOf('/'))));
    showTable(all, rows.length > most ? `The first ${number(most)} rows` : counted(rows.length, 'row'), ms, places.size > 1,
      { below: plan && region('.explain', 'Explanation', h('pre', plan)) });
  }

  function showTable(all, title, ms, isGroup, { above, more, below }) {
    const columns = fieldColumns(all.slice(0, 100), 12, isGroup);
    grid?.destroy();
    grid = documentGrid({
      label: 'Results', isGroup, open: ({ name }) => name && go({ page: 'data', path: relative(name).split('/') }),
      columns: fitted(all.some(({ name }) => name) ? columns : columns.slice(1), results.clientWidth),
    });
    replace(results, above, h('.bar', h('h2', title), h('span.faint.figures', `${ms.toFixed(0)} ms`), h('span.grow'),
      checkbox('Explain', remembered('explain', true), (event) => remember('explain', event.target.checked)), more),
    all.length ? h('.grid-place', grid.element) : empty('No results.'), below);
    grid.setRows(all);
  }

  function follow(parent, structuredQuery) {
    const change = (name, row) => {
      rows.set(name, row);
      grid.setRows([...rows.values()]);
      announce('Results changed');
    };
    watch('query', { query: { parent, structuredQuery } }, {
      change: (d) => { if (rows.get(d.name)?.updateTime !== d.updateTime) change(d.name, { ...rowOf(d), isFresh: true }); },
      remove: (name) => { if (rows.has(name)) change(name, { ...rows.get(name), isGone: true }); },
      failed: (cause) => toast(cause?.message ?? 'The query cannot be watched.', { isError: true }),
    });
  }

  function explained(metrics) {
    if (!metrics) return null;
    const { sentence, ideal, facts: costs, indexes } = explanation(metrics);
    return h('.explain', h('p', sentence, ' ', ideal && small('Create the index', () => attempt(async () => {
      await databaseCall('POST', 'indexes', { index: ideal });
      toast('The index is being built.', { action: 'Show', onaction: () => goPage('indexes') });
    }))), h('p.muted.small', costs), h('p.mono.small.muted', indexes));
  }

  const keys = { 'ctrl-enter': () => (form.isConnected ? run() : pipeline.run()) };
  const stop = collections.onChange(({ ids }) => {
    if (!model.query.from[0].collectionId && ids.length) take({ ...model, query: queryOf(ids[0]) });
  });
  return {
    element,
    update({ params, path: above }) {
      const shown = params.p ? pipeline.element : form;
      const isOther = !shown.isConnected;
      if (isOther) element.children[1].replaceWith(shown);
      if (isOther || !results.firstChild) {
        watch('query', null);
        ran = null;
        replace(results, empty('Run it to see what it finds.', muted('Ctrl Enter runs it.')));
      }
      setPrimary(primary('Run', keys['ctrl-enter'], { title: 'Run (Ctrl Enter)' }));
      if (params.p) {
        pipeline.take(params.p, isOther);
        return;
      }
      // What was built is still there.
      if (params.q ? params.q === ran : isOther && builder.firstChild) return;
      const found = fromURL(params.q);
      take({ parent: above.join('/'), query: queryOf(collections.value.ids[0]), aggregations: [], ...found });
      if (found) run();
    },
    destroy() {
      stop();
      watch('query', null);
      grid?.destroy();
    },
    keys,
  };
}
