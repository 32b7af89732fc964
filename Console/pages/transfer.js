// SPDX-License-Identifier: Apache-2.0
// Import and export, as streams, with progress and a stop.
import { headers, request } from '../lib/api.js';
import { button, h, replace } from '../lib/dom.js';
import { databaseName, isReadOnly, route } from '../lib/store.js';
import { sizeText } from '../lib/values.js';
import { download, showError, toast } from '../ui/widgets.js';

export function open({ setPrimary, loadCollections }) {
  const outgoing = h('div', { class: 'stack', role: 'status' });
  const incoming = h('div', { class: 'stack', role: 'status' });
  const collection = h('input', { class: 'mono', autocomplete: 'off', placeholder: 'everything', value: route.value.path.join('/') });
  let file = null;

  // Export

  async function save() {
    const name = `${collection.value.replaceAll('/', '-') || databaseName().split('/')[1]}.jsonl`;
    const abort = new AbortController();
    let target;
    try {
      // Where the browser can, documents go straight to the disk; otherwise they are collected in memory.
      target = await globalThis.showSaveFilePicker?.({ suggestedName: name }).then((f) => f.createWritable());
    } catch (error) {
      if (error.name === 'AbortError') return;
    }
    try {
      const response = await request('POST', '/console/api/export',
        { body: { database: databaseName(), ...(collection.value && { collection: collection.value }) }, signal: abort.signal });
      const total = Number(response.headers.get('Hearth-Documents')) || undefined;
      const bar = h('progress', { 'aria-label': 'Progress', max: total, ...(total && { value: 0 }) });
      const text = h('span', { class: 'figures muted' });
      replace(outgoing, bar, h('div', { class: 'row' }, text, button('Stop', () => abort.abort(), { class: 'button small' })));
      const reader = response.body.getReader();
      const parts = [];
      let [documents, size] = [0, 0];
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        size += value.length;
        for (const byte of value) if (byte === 10) documents += 1;
        if (target) await target.write(value);
        else parts.push(value);
        if (total) bar.value = documents;
        text.textContent = `${documents.toLocaleString('en')} documents, ${sizeText(size)}`;
      }
      if (target) await target.close();
      else download(name, parts);
      replace(outgoing, h('p', { class: 'ok-text' }, `${documents.toLocaleString('en')} documents, ${sizeText(size)}: ${name}`));
    } catch (error) {
      await target?.abort();
      replace(outgoing, h('p', { class: 'muted' }, error.name === 'AbortError' ? 'Stopped.' : error.message));
    }
  }

  // Import

  const choose = h('input', { type: 'file', 'aria-label': 'File', accept: '.jsonl,.json,.csv,.gz,.ndjson', onchange: () =>
    take(choose.files[0]) });
  const drop = h('div', {
    class: 'drop', ondragover: (e) => { e.preventDefault(); drop.classList.add('over'); }, ondragleave: () => drop.classList.remove('over'),
    ondrop: (e) => {
      e.preventDefault();
      drop.classList.remove('over');
      take(e.dataTransfer.files[0]);
    },
  }, h('p', {}, 'Drop a file here: JSON lines, JSON or CSV, also with gzip.'), choose);
  const into = h('input', { class: 'mono', placeholder: 'from the file', autocomplete: 'off' });
  const idField = h('input', { class: 'mono', placeholder: 'new ids', autocomplete: 'off' });
  const types = h('input', { class: 'mono', placeholder: 'guessed', autocomplete: 'off' });
  const skip = h('input', { type: 'checkbox' });
  const buttons = h('div', { class: 'row', hidden: true }, button('Try without writing', () => load(true)),
    button('Import', () => load(false), { class: 'button primary' }));

  function take(chosen) {
    if (!chosen) return;
    file = chosen;
    buttons.hidden = false;
    replace(incoming, h('p', {}, h('span', { class: 'mono' }, file.name), h('span', { class: 'faint' }, ` ${sizeText(file.size)}`)));
  }

  function load(isDry) {
    const format = /\.csv(\.gz)?$/.test(file.name) ? 'csv' : /\.json(\.gz)?$/.test(file.name) ? 'json' : 'jsonl';
    if (format === 'csv' && !into.value) {
      replace(incoming, h('p', { class: 'problem', role: 'alert' }, 'Rows of CSV have no paths: name the collection.'));
      return;
    }
    const query = new URLSearchParams(Object.entries({
      database: databaseName(), format, collection: into.value, idField: idField.value, types: types.value, skipBad: skip.checked ? 'true'
        : '', dryRun: isDry ? 'true' : '',
    }).filter(([, v]) => v));
    // XMLHttpRequest tells how much of the file was taken; the server takes it as fast as it commits.
    const call = new XMLHttpRequest();
    const bar = h('progress', { 'aria-label': 'Progress', max: file.size, value: 0 });
    const text = h('p', { class: 'figures muted' }, isDry ? 'Reading…' : 'Importing…');
    const bad = h('ul', { class: 'mono small' });
    replace(incoming, bar, text, bad, button('Stop', () => call.abort(), { class: 'button small' }));
    let seen = 0;
    const read = () => {
      const end = call.responseText.lastIndexOf('\n') + 1;
      const lines = call.responseText.slice(seen, end).split('\n').filter((l) => l.trim());
      seen = end;
      for (const line of lines) {
        const message = JSON.parse(line);
        if (message.progress) text.textContent = `${message.progress.documents.toLocaleString('en')} documents`;
        if (message.types) bad.append(h('li', { class: 'muted' }, `types ${message.types}`));
        if (message.bad && bad.children.length < 100) bad.append(h('li', {}, `Line ${message.bad.line}: ${message.bad.message}`));
        if (message.done) finish(message.done);
        if (message.error) replace(incoming, h('p', { class: 'problem', role: 'alert' }, message.error.message), bad);
      }
    };
    const finish = ({ documents, bad: left, existing, examples }) => {
      const n = `${documents.toLocaleString('en')} ${documents === 1 ? 'document' : 'documents'}`;
      replace(incoming, h('p', { class: 'ok-text' }, isDry ? `${n} would be written.` : `${n} imported.`), left > 0
        && h('p', { class: 'warn-text' }, `${left} malformed and left out:`), bad,
        existing > 0 && [h('p', { class: 'warn-text' }, `${existing.toLocaleString('en')} exist already and would be replaced:`),
          h('ul', { class: 'mono small' }, examples.map((p) => h('li', {}, p)))]);
      if (isDry) return;
      toast(`${n} imported.`);
      loadCollections();
    };
    call.upload.onprogress = (e) => { bar.value = e.loaded; };
    call.onprogress = () => { if (call.status === 200) read(); };
    call.onload = () => {
      if (call.status === 200) read();
      else {
        let message = `The server answered with status ${call.status}.`;
        try {
          message = JSON.parse(call.responseText).error.message;
        } catch { /* The status has to do. */ }
        replace(incoming, h('p', { class: 'problem', role: 'alert' }, message));
      }
    };
    call.onerror = () => showError(new Error('The server does not answer.'));
    call.onabort = () => replace(incoming, h('p', { class: 'muted' }, 'Stopped. What was imported before stays.'));
    call.open('POST', `/console/api/import?${query}`);
    for (const [name, value] of Object.entries(headers())) call.setRequestHeader(name, name === 'Content-Type' ? 'application/octet-stream'
      : value);
    call.send(file);
  }

  const field = (label, input) => h('label', { class: 'stack' }, label, input);
  const element = h('div', { class: 'page' }, h('div', { class: 'bar' }, h('h1', { class: 'plain' }, 'Import & export')),
    h('div', { class: 'content scroll', tabIndex: 0, role: 'region', 'aria-label': 'Import and export' }, h('div', { class: 'columns' },
    h('section', { class: 'section' }, h('h2', {}, 'Export'), h('p', { class: 'muted' },
      'One document per line, in typed JSON, read at one moment.'), field('Collection', collection), h('div', {}, button('Export', save)),
      outgoing,
      h('p', { class: 'faint' }, 'The folder of the official emulator is written by ', h('code', {}, 'hearth export --format emulator'),
        '.')),
    !isReadOnly() && h('section', { class: 'section' }, h('h2', {}, 'Import'),
      h('p', { class: 'muted' }, 'Each document replaces the one under its path; others are kept.'), drop,
      h('div', { class: 'form' }, field('Into collection', into), field('Field with the id', idField), field('Types of columns', types)),
        h('label', { class: 'row' }, skip, 'Leave out malformed documents'), buttons, incoming))));
  setPrimary();
  return { element };
}
