// SPDX-License-Identifier: Apache-2.0
// Import and export, as streams, with progress and a stop.
import { headers, request } from '../lib/api.js';
import { button, counted, h, input, labelled, replace } from '../lib/dom.js';
import { databaseName, isReadOnly, route } from '../lib/store.js';
import { sizeText } from '../lib/values.js';
import { muted } from '../ui/questions.js';
import { download, toast } from '../ui/widgets.js';

const failed = (message) => h('p.problem', { role: 'alert' }, message);

function progress(place, max, stop) {
  const bar = h('progress', { 'aria-label': 'Progress', ...(max && { max, value: 0 }) });
  const text = h('span.figures.muted');
  replace(place, bar, h('.row', text, button('Stop', stop, { class: 'small' })));
  return { bar, text };
}

export function open({ loadCollections }) {
  const status = () => h('.stack', { role: 'status' });
  const [outgoing, incoming] = [status(), status()];
  const collection = input({ placeholder: 'everything', value: route.value.path.join('/') });
  let file = null;

  async function save() {
    const name = `${collection.value.replaceAll('/', '-') || databaseName().split('/')[1]}.jsonl`;
    const abort = new AbortController();
    let target;
    try {
      // Where the browser can, documents go straight to the disk; otherwise they are collected in memory.
      target = await (await globalThis.showSaveFilePicker?.({ suggestedName: name }))?.createWritable();
      const body = { database: databaseName(), ...(collection.value && { collection: collection.value }) };
      const response = await request('POST', '/console/api/export', { body, signal: abort.signal });
      const total = Number(response.headers.get('Hearth-Documents'));
      const { bar, text } = progress(outgoing, total, () => abort.abort());
      const reader = response.body.getReader();
      const parts = [];
      let [documents, size] = [0, 0];
      for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
        size += value.length;
        for (const byte of value) if (byte === 10) documents += 1;
        if (target) await target.write(value);
        else parts.push(value);
        if (total) bar.value = documents;
        text.textContent = `${counted(documents, 'document')}, ${sizeText(size)}`;
      }
      if (target) await target.close();
      else download(name, parts);
      replace(outgoing, h('p.ok-text', `${text.textContent}: ${name}`));
    } catch (error) {
      await target?.abort();
      replace(outgoing, muted(error.name === 'AbortError' ? 'Stopped.' : error.message));
    }
  }

  const choose = h('input', {
    type: 'file', 'aria-label': 'File', accept: '.jsonl,.json,.csv,.gz,.ndjson', onchange: () => take(choose.files[0]),
  });
  const drop = h('.drop', {
    ondragover: (event) => {
      event.preventDefault();
      drop.classList.add('over');
    },
    ondragleave: () => drop.classList.remove('over'),
    ondrop: (event) => {
      event.preventDefault();
      drop.classList.remove('over');
      take(event.dataTransfer.files[0]);
    },
  }, h('p', 'Drop a file here: JSON lines, JSON or CSV, also with gzip.'), choose);
  const into = input({ placeholder: 'from the file' });
  const idField = input({ placeholder: 'new ids' });
  const types = input({ placeholder: 'guessed' });
  const skip = h('input', { type: 'checkbox' });
  const buttons = h('.row', { hidden: true }, button('Try without writing', () => load(true)),
    button('Import', () => load(false), { class: 'primary' }));

  function take(chosen) {
    if (!chosen) return;
    file = chosen;
    buttons.hidden = false;
    replace(incoming, h('p', h('span.mono', file.name), h('span.faint', ` ${sizeText(file.size)}`)));
  }

  function load(isDry) {
    const [, format = 'jsonl'] = /\.(csv|json)(?:\.gz)?$/.exec(file.name) ?? [];
    if (format === 'csv' && !into.value) {
      replace(incoming, failed('Rows of CSV have no paths: name the collection.'));
      return;
    }
    const query = new URLSearchParams(Object.entries({
      database: databaseName(), format, collection: into.value, idField: idField.value, types: types.value,
      skipBad: skip.checked ? 'true' : '', dryRun: isDry ? 'true' : '',
    }).filter(([, value]) => value));
    // XMLHttpRequest tells how much of the file was taken; the server takes it as fast as it commits.
    const call = new XMLHttpRequest();
    const { bar, text } = progress(incoming, file.size, () => call.abort());
    const notes = h('ul.mono.small');
    const note = (words) => { if (notes.children.length < 100) notes.append(h('li', words)); };
    incoming.append(notes);
    let seen = 0;

    function read() {
      const end = call.responseText.lastIndexOf('\n') + 1;
      const lines = call.responseText.slice(seen, end).split('\n').filter(Boolean);
      seen = end;
      for (const { progress: at, types: guessed, bad, done, error } of lines.map((line) => JSON.parse(line))) {
        if (at) text.textContent = counted(at.documents, 'document');
        if (guessed) note(`types ${guessed}`);
        if (bad) note(`Line ${bad.line}: ${bad.message}`);
        if (done) finish(done);
        if (error) replace(incoming, failed(error.message), notes);
      }
    }

    function finish({ documents, bad, existing, examples }) {
      const imported = `${counted(documents, 'document')} ${isDry ? 'would be written' : 'imported'}.`;
      replace(incoming, h('p.ok-text', imported), bad > 0 && h('p.warn-text', `${bad} malformed and left out:`), notes,
        existing > 0 && [h('p.warn-text', `${existing.toLocaleString('en')} exist already and would be replaced:`),
          h('ul.mono.small', examples.map((path) => h('li', path)))]);
      if (isDry) return;
      toast(imported);
      loadCollections();
    }

    call.upload.onprogress = (event) => { bar.value = event.loaded; };
    call.onprogress = () => { if (call.status === 200) read(); };
    call.onload = () => {
      const [, message] = /"message": ?"((?:[^"\\]|\\.)*)"/.exec(call.responseText) ?? [];
      if (call.status === 200) read();
      else replace(incoming, failed(message ?? `The server answered with status ${call.status}.`));
    };
    call.onerror = () => replace(incoming, failed('The server does not answer.'));
    call.onabort = () => replace(incoming, muted('Stopped. What was imported before stays.'));
    call.open('POST', `/console/api/import?${query}`);
    call.setRequestHeader('Authorization', headers().Authorization);
    call.setRequestHeader('Content-Type', 'application/octet-stream');
    call.send(file);
  }

  const element = h('.page', h('.bar', h('h1', 'Import & export')),
    h('.content.columns.scroll', { tabIndex: 0, role: 'region', 'aria-label': 'Import and export' },
      h('section.section', h('h2', 'Export'), muted('One document per line, in typed JSON, read at one moment.'),
        labelled('Collection', collection), h('div', button('Export', save)), outgoing,
        h('p.faint', 'The folder of the official emulator is written by ', h('code', 'hearth export --format emulator'), '.')),
      !isReadOnly() && h('section.section', h('h2', 'Import'),
        muted('Each document replaces the one under its path; others are kept.'), drop,
        h('.form', labelled('Into collection', into), labelled('Field with the id', idField), labelled('Types of columns', types)),
        h('label.row', skip, 'Leave out malformed documents'), buttons, incoming)));
  return { element };
}
