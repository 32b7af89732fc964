// SPDX-License-Identifier: Apache-2.0
// Query: a builder, the same query as code, the results, and what they cost.
import { consoleCall, runAggregation, runQuery } from '../lib/api.js';
import { announce, button, empty, failure, h, icon, iconButton, replace } from '../lib/dom.js';
import { code, languages } from '../lib/code.js';
import { watch } from '../lib/live.js';
import { emptyModel, explanation, fromURL, modelOf, requestOf } from '../lib/query.js';
import { databaseName, go, remember, remembered, route } from '../lib/store.js';
import { compareNames, rootOf, summary, toJSON, typeOf } from '../lib/values.js';
import { documentCell, fieldColumns } from '../ui/columns.js';
import { conditions, fieldInput } from '../ui/conditions.js';
import { Grid } from '../ui/grid.js';
import { typedInput, valueInput } from '../ui/inputs.js';
import { copy, dialog, showError, toast } from '../ui/widgets.js';

export function open({ setPrimary, collections }) {
  let model = emptyModel();
  let parts = [];
  let seen = new Set();
  let language = remembered('language', 'Swift');
  let grid = null;
  let ran = null;
  let isWatching = false;
  let documents = [];
  const builder = h('div', { class: 'builder', role: 'region', 'aria-label': 'Query', tabIndex: 0, oninput: () => later(), onchange: () =>
    later() });
  const source = h('pre', { tabIndex: 0, 'aria-label': 'The query as code' });
  const problem = h('p', { class: 'problem pad', role: 'alert' });
  const tabs = h('div', { class: 'segments', role: 'group', 'aria-label': 'Language' });
  const results = h('div', { class: 'results' }, empty('Run the query to see what it finds.',
    h('p', { class: 'muted' }, 'Ctrl Enter runs it.')));
  const element = h('div', { class: 'query-page' }, h('h1', { class: 'visually-hidden' }, 'Query'),
    h('div', { class: 'query' }, builder, h('div', { class: 'code' },
    h('div', { class: 'row wrap' }, tabs, h('span', { class: 'grow' }),
      iconButton('copy', 'Copy', () => copy(source.textContent, 'Query copied')),
      h('button', { type: 'button', class: 'tool', onclick: paste }, 'Paste')), problem, source)), results);

  const fields = () => ['__name__', ...[...seen].sort(compareNames)];
  const labelled = (label, ...content) => h('div', { class: 'line' }, h('span', {}, label), h('div', { class: 'value' }, content));

  /** A list of lines of which each can be removed, and one added. */
  function lines(list, row, add, label) {
    const place = h('div', { class: 'stack grow' });
    const draw = () => replace(place, list.map((item, i) => h('div', { class: 'row wrap' }, row(item), iconButton('close', 'Remove', () => {
      list.splice(i, 1);
      draw();
      later();
    }))), h('div', {}, button(label, () => {
      list.push(add());
      draw();
      [...place.querySelectorAll('input')].at(-1)?.focus();
    }, { class: 'button small' })));
    draw();
    return place;
  }

  const select = (label, value, options, onchange) => h('select',
    { class: 'type', 'aria-label': label, onchange: (e) => onchange(e.target.value) },
    options.map(([v, t]) => h('option', { value: v, selected: v === value }, t)));

  function path(item, key = 'field', label = 'Field') {
    const input = fieldInput(item[key], fields, label);
    input.element.querySelector('input').addEventListener('input', (e) => { item[key] = e.target.value; });
    return input.element;
  }

  function draw() {
    parts = [];
    const ids = h('datalist', { id: 'collection-ids' }, collections.value.ids.map((id) => h('option', { value: id })));
    const from = h('input', {
      class: 'mono', 'aria-label': 'Collection', placeholder: 'collection', list: 'collection-ids', autocomplete: 'off', spellcheck: false,
      value: [model.parent, model.collection].filter(Boolean).join('/'), oninput: () => {
        const segments = from.value.split('/').filter(Boolean);
        model.collection = segments.pop() ?? '';
        model.parent = segments.join('/');
      },
    });
    const where = conditions(model.where, { fields, database: databaseName(), isRoot: true, begins: false });
    parts.push(() => { model.where = where.read(); });
    const number = (label, key, placeholder) => h('input', {
      class: 'mono', inputMode: 'numeric', size: 7, 'aria-label': label, placeholder, value: model[key] || '',
        oninput: (e) => { model[key] = Math.max(0, parseInt(e.target.value, 10) || 0); },
    });
    replace(builder,
      labelled('From', h('div', { class: 'row wrap' }, from, ids, select('Scope', model.group ? 'group' : 'one',
        [['one', 'this collection'], ['group', 'all collections of this id']], (v) => { model.group = v === 'group'; }))),
      labelled('Where', where.element),
      labelled('Order by', lines(model.order, (o) => [path(o), select('Direction', o.direction,
        [['ASCENDING', 'ascending'], ['DESCENDING', 'descending']], (v) => { o.direction = v; })],
        () => ({ field: '', direction: 'ASCENDING' }), 'Add order')),
      labelled('Limit', h('div', { class: 'row' }, number('Limit', 'limit', 'none'), h('span', { class: 'muted' }, 'skip'),
        number('Offset', 'offset', '0'))),
      h('details', { open: Boolean(model.select.length || model.start || model.end || model.aggregates.length || model.nearest) },
        h('summary', { class: 'muted' }, 'Select, cursors, aggregations, vectors'), h('div', { class: 'builder more' },
        labelled('Select', lines(model.select, (p) => {
          const item = { p };
          const row = path(item, 'p');
          row.querySelector('input').addEventListener('input', () => { model.select[model.select.indexOf(p)] = p = item.p; });
          return row;
        }, () => '', 'Add field')),
        ['start', 'end'].map((side) => cursor(side)),
        labelled('Aggregate', lines(model.aggregates, (a) => {
          const row = path(a);
          row.hidden = a.op === 'count';
          return [select('Aggregation', a.op, [['count', 'count'], ['sum', 'sum'], ['avg', 'average']], (v) => {
            a.op = v;
            row.hidden = v === 'count';
          }), row, path(a, 'alias', 'Alias')];
        }, () => ({ op: 'count', field: '', alias: '' }), 'Add aggregation')),
        labelled('Nearest', nearest()))));
  }

  function cursor(side) {
    const label = side === 'start' ? 'Start' : 'End';
    const c = model[side] ?? { values: [], before: side === 'start' };
    const inputs = c.values.map((v) => ({ input: typedInput(v, databaseName(), { label: `${label} value` }) }));
    parts.push(() => { model[side] = inputs.length ? { values: inputs.map((i) => i.input.read()), before: c.before } : null; });
    const words = side === 'start' ? [['true', 'at'], ['false', 'after']] : [['false', 'at'], ['true', 'before']];
    return labelled(label, h('div', { class: 'row wrap' }, select(`${label} at or not`, String(c.before), words,
      (v) => { c.before = v === 'true'; }),
      lines(inputs, (i) => i.input.element, () => ({ input: typedInput(undefined, databaseName(), { label: `${label} value` }) }),
        'Add value')));
  }

  function nearest() {
    const place = h('div', { class: 'stack' });
    const show = () => {
      const n = model.nearest;
      if (!n) {
        replace(place, h('div', {}, button('Find nearest', () => {
          model.nearest = { field: '', queryVector: { mapValue: { fields: { __type__: { stringValue: '__vector__' },
            value: { arrayValue: { values: [] } } } } }, measure: 'COSINE', limit: 10, resultField: '' };
          show();
        }, { class: 'button small' })));
        return;
      }
      const vector = valueInput(n.queryVector, databaseName(), { label: 'Query vector' });
      parts.push(() => { if (model.nearest === n) n.queryVector = vector.read(); });
      replace(place, h('div', { class: 'row wrap' }, path(n, 'field', 'Vector field'),
        select('Distance', n.measure, [['COSINE', 'cosine'], ['EUCLIDEAN', 'euclidean'], ['DOT_PRODUCT', 'dot product']],
        (v) => { n.measure = v; }),
        h('input', { class: 'mono', size: 5, 'aria-label': 'Number of results', value: String(n.limit),
          oninput: (e) => { n.limit = parseInt(e.target.value, 10) || 10; } }), path(n, 'resultField', 'Field for the distance'),
        iconButton('close', 'Remove', () => {
          model.nearest = null;
          show();
          later();
        })), vector.element);
    };
    show();
    return place;
  }

  /** Reads the inputs, and shows the code. False, with the sentence, if something is not finished. */
  function read() {
    try {
      for (const part of parts) part();
      source.textContent = code(model, language);
      problem.textContent = '';
      return true;
    } catch (error) {
      problem.textContent = error.message;
      return false;
    }
  }

  const later = () => setTimeout(read);

  function drawTabs() {
    replace(tabs, languages.map((l) => h('button', {
      type: 'button', 'aria-pressed': String(l === language), onclick: () => {
        language = l;
        remember('language', l);
        drawTabs();
        read();
      },
    }, l)));
  }

  async function paste() {
    const area = h('textarea', { class: 'mono', rows: 10, 'aria-label': 'REST JSON', spellcheck: false });
    let pasted;
    const answer = await dialog({
      title: 'Paste REST JSON', isWide: true, body: area, actions: [['Cancel', undefined], ['Use', true, 'primary']],
      validate: () => {
        try {
          pasted = modelOf(JSON.parse(area.value), model.parent);
          return undefined;
        } catch (error) {
          return error.message;
        }
      },
    });
    if (!answer) return;
    model = pasted;
    draw();
    read();
  }

  const parent = () => [rootOf(databaseName()), model.parent].filter(Boolean).join('/');

  async function run({ explain = remembered('explain', true) } = {}) {
    if (!read()) return;
    const body = requestOf(model);
    ran = toJSON(body);
    stopWatching();
    await go({ path: model.parent ? model.parent.split('/') : [], params: { q: ran } }, { replace: route.value.params.q === undefined });
    const began = performance.now();
    try {
      if (body.structuredAggregationQuery) {
        const { fields: answer, metrics } = await runAggregation(parent(), body.structuredAggregationQuery,
          { explain: explain && 'analyze' });
        replace(results, explain && metrics && explained(metrics), h('div', { class: 'content' },
          h('dl', { class: 'facts' }, Object.entries(answer).map(([k, v]) => [h('dt', { class: 'mono' }, k),
          h('dd', { class: `mono v-${typeOf(v)}` }, summary(v))]))));
        return;
      }
      const answer = await runQuery(parent(), body.structuredQuery, { explain: explain && 'analyze' });
      documents = answer.documents.map((d) => ({ ...d, fields: d.fields ?? {}, isGroup: model.group }));
      showResults(body, explain && answer.metrics, performance.now() - began);
    } catch (error) {
      if (error.name !== 'AbortError') replace(results, failure(error, () => run()));
    }
  }

  function showResults(body, metrics, ms) {
    grid?.destroy();
    for (const c of fieldColumns(documents.slice(0, 200), Infinity)) if (c.key !== '__id__') seen.add(c.key);
    const bar = h('div', { class: 'bar' },
      h('h2', {}, `${documents.length.toLocaleString('en')} ${documents.length === 1 ? 'result' : 'results'}`),
      h('span', { class: 'faint figures' }, `${ms.toFixed(0)} ms`), h('span', { class: 'grow' }),
      h('label', { class: 'row muted' }, h('input', { type: 'checkbox', checked: remembered('explain', true), onchange: (e) =>
        remember('explain', e.target.checked) }), 'Explain'),
      h('button', { type: 'button', class: 'tool', 'aria-pressed': String(isWatching), onclick: (e) => toggleWatch(e.currentTarget, body) },
        icon('play'), 'Watch'));
    if (!documents.length) {
      replace(results, metrics && explained(metrics), bar, empty('No document matches.'));
      return;
    }
    grid = new Grid({
      label: 'Results', columns: fieldColumns(documents.slice(0, 100)).map((c) => ({ ...c, title: c.key === '__id__'
        ? (model.group ? 'path' : 'id') : c.key, width: c.key === '__id__' && model.group ? c.width * 1.6 : c.width })),
      key: (d) => d.name, cell: (cell, d, column) => documentCell(cell, d, column, databaseName()),
        rowClass: (d) => (d.isGone ? 'gone' : ''),
      open: (d) => go({ page: 'data', path: d.name.slice(rootOf(databaseName()).length + 1).split('/') }), resized: () => {},
    });
    const place = h('div', { class: 'grid-place' }, grid.element);
    replace(results, metrics && explained(metrics), bar, place);
    grid.setRows(documents);
  }

  function toggleWatch(control, body) {
    if (isWatching) {
      stopWatching();
      control.setAttribute('aria-pressed', 'false');
      control.classList.remove('on');
      return;
    }
    isWatching = true;
    control.setAttribute('aria-pressed', 'true');
    control.classList.add('on');
    const known = new Map(documents.map((d) => [d.name, d]));
    let frame = 0;
    const show = () => {
      if (!frame) {
        frame = requestAnimationFrame(() => {
          frame = 0;
          documents = [...known.values()];
          grid?.setRows(documents);
          announce('Results changed');
        });
      }
    };
    watch('query', { query: { parent: parent(), structuredQuery: body.structuredQuery } }, {
      change: (d) => {
        if (known.get(d.name)?.updateTime === d.updateTime) return;
        known.set(d.name, { ...d, fields: d.fields ?? {}, isGroup: model.group, isFresh: true });
        show();
      },
      remove: (name) => {
        if (known.has(name)) known.set(name, { ...known.get(name), isGone: true });
        show();
      },
      failed: (cause) => toast(cause?.message ?? 'The query cannot be watched.', { isError: true }),
    });
  }

  function stopWatching() {
    isWatching = false;
    watch('query', null);
  }

  function explained(metrics) {
    const e = explanation(metrics);
    return h('div', { class: 'explain' }, h('p', {}, e.sentence, ' ', e.ideal?.fields.length > 0
      && button('Create the index', () => createIndex(e.ideal), { class: 'button small' })),
      h('p', { class: 'muted small' }, [`${(e.duration * 1000).toFixed(1)} ms`, e.reads && `${e.reads} reads billed`,
        e.plan].filter(Boolean).join(' · ')),
      e.indexes.length > 0 && h('p', { class: 'mono small muted' }, e.indexes.join('; ')));
  }

  async function createIndex(index) {
    try {
      await consoleCall('POST', `indexes?database=${encodeURIComponent(databaseName())}`, { body: { index } });
      toast('The index is being built.', { action: 'Show', onaction: () => go({ page: 'indexes', path: [] }) });
    } catch (error) {
      showError(error);
    }
  }

  drawTabs();
  const stop = collections.onChange(({ ids }) => {
    if (model.collection || !ids.length || model.where.items.length) return;
    model.collection = ids[0];
    draw();
    read();
  });
  return {
    element,
    update(r) {
      setPrimary(button('Run', () => run(), { class: 'button primary', title: 'Run (Ctrl Enter)' }));
      if (r.params.q !== undefined && r.params.q === ran) return;
      const found = r.params.q && fromURL(r.params.q, r.path.join('/'));
      model = found || emptyModel(collections.value.ids[0] ?? '', r.path.join('/'));
      draw();
      read();
      if (found) run();
    },
    destroy() {
      stop();
      stopWatching();
      grid?.destroy();
    },
    keys: { 'ctrl-enter': () => run() },
  };
}

