// SPDX-License-Identifier: Apache-2.0
// Import and export, as streams, with progress and a stop.
import { headers, loadCollections, request } from '../lib/api.js';
import {
  button, checkbox, counted, fileButton, h, input, labelled, muted, number, primary, problemLine, region, replace, small,
} from '../lib/dom.js';
import { databaseName, isReadOnly, route } from '../lib/store.js';
import { sizeText } from '../lib/values.js';
import { download, page, toast } from '../ui/widgets.js';

const status = () => h('.stack', { role: 'status' });

function progress(place, max, stop) {
  const bar = h('progress', { label: 'Progress', ...(max && { max, value: 0 }) });
  const text = h('span.figures.muted');
  replace(place, bar, h('.row', text, small('Stop', stop)));
  return { bar, text };
}

function exporting() {
  const place = status();
  const collection = input({ placeholder: 'everything', value: route.value.path.join('/') });

  async function save() {
    const name = `${collection.value.replaceAll('/', '-') || databaseName().split('/')[1]}.jsonl`;
    const abort = new AbortController();
    const { signal } = abort;
    try {
      // Where the browser can, documents go straight to the disk; otherwise they are collected in memory.
      const target = await (await globalThis.showSaveFilePicker?.({ suggestedName: name }))?.createWritable();
      const body = { database: databaseName(), collection: collection.value || undefined };
      const response = await request('POST', '/console/api/export', { body, signal });
      const total = Number(response.headers.get('Hearth-Documents'));
      const { bar, text } = progress(place, total, () => abort.abort());
      let [documents, size] = [0, 0];
      const documentsPass = new TransformStream({ transform(part, out) {
        size += part.length;
        for (const byte of part) if (byte === 10) documents += 1;
        if (total) bar.value = documents;
        text.textContent = `${counted(documents, 'document')}, ${sizeText(size)}`;
        out.enqueue(part);
      } });
      const passed = response.body.pipeThrough(documentsPass, { signal });
      if (target) await passed.pipeTo(target, { signal });
      else download(name, await new Response(passed).blob());
      replace(place, h('p.ok-text', `${text.textContent}: ${name}`));
    } catch (error) {
      replace(place, muted(error.name === 'AbortError' ? 'Stopped.' : error.message));
    }
  }

  return h('section.section', h('h2', 'Export'), muted('One document per line, in typed JSON, read at one moment.'),
    labelled('Collection', collection), h('div', button('Export', save)), place,
    h('p.faint', 'The folder of the official emulator is written by ', h('code', 'hearth export --format emulator'), '.'));
}

function importing() {
  const place = status();
  let file = null;
  const over = (isOver) => (event) => {
    event.preventDefault();
    drop.classList.toggle('over', isOver);
    if (event.type === 'drop') take(event.dataTransfer.files[0]);
  };
  const drop = h('.drop', { ondragover: over(true), ondragleave: over(false), ondrop: over(false) },
    h('p', 'Drop a file here: JSON lines, JSON or CSV, also with gzip.'),
    fileButton('Choose a file…', 'File', (chosen) => take(chosen), '.jsonl,.json,.csv,.gz,.ndjson'));
  const into = input({ placeholder: 'from the file' });
  const idField = input({ placeholder: 'new ids' });
  const types = input({ placeholder: 'guessed' });
  let skipBad;
  const buttons = h('.row', { hidden: true }, button('Try without writing', () => load(true)), primary('Import', () => load(false)));

  function take(chosen) {
    if (!chosen) return;
    file = chosen;
    buttons.hidden = false;
    replace(place, h('p', h('span.mono', file.name), h('span.faint', ` ${sizeText(file.size)}`)));
  }

  function load(isDry) {
    const [, format = 'jsonl'] = /\.(csv|json)(?:\.gz)?$/.exec(file.name) ?? [];
    if (format === 'csv' && !into.value) {
      replace(place, problemLine('Rows of CSV have no paths: name the collection.'));
      return;
    }
    const query = new URLSearchParams(Object.entries({
      database: databaseName(), format, collection: into.value, idField: idField.value, types: types.value, skipBad, dryRun: isDry || '',
    }).filter(([, value]) => value));
    // XMLHttpRequest tells how much of the file was taken; the server takes it as fast as it commits.
    const call = new XMLHttpRequest();
    const { bar, text } = progress(place, file.size, () => call.abort());
    const notes = h('ul.mono.small');
    const note = (words) => { if (notes.children.length < 100) notes.append(h('li', words)); };
    const failed = (message) => replace(place, problemLine(message), notes);
    place.append(notes);
    let seen = 0;

    function read() {
      const lines = call.responseText.split('\n').slice(seen, -1);
      seen += lines.length;
      for (const { progress: at, types: guessed, bad, done, error } of lines.filter(Boolean).map((line) => JSON.parse(line))) {
        if (at) text.textContent = counted(at.documents, 'document');
        if (guessed) note(`types ${guessed}`);
        if (bad) note(`Line ${bad.line}: ${bad.message}`);
        if (done) finish(done);
        if (error) failed(error.message);
      }
    }

    function finish({ documents, bad, existing, examples }) {
      const imported = `${counted(documents, 'document')} ${isDry ? 'would be written' : 'imported'}.`;
      replace(place, h('p.ok-text', imported), bad > 0 && h('p.warn-text', `${bad} malformed and left out:`), notes,
        existing > 0 && [h('p.warn-text', `${number(existing)} exist already and would be replaced:`),
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
      else failed(message ?? `The server answered with status ${call.status}.`);
    };
    call.onerror = () => failed('The server does not answer.');
    call.onabort = () => replace(place, muted('Stopped. What was imported before stays.'));
    call.open('POST', `/console/api/import?${query}`);
    call.setRequestHeader('Authorization', headers().Authorization);
    call.setRequestHeader('Content-Type', 'application/octet-stream');
    call.send(file);
  }

  return h('section.section', h('h2', 'Import'), muted('Each document replaces the one under its path; others are kept.'), drop,
    h('.form', labelled('Into collection', into), labelled('Field with the id', idField), labelled('Types of columns', types)),
    checkbox('Leave out malformed documents', false, (event) => { skipBad = event.target.checked; }), buttons, place);
}

export const open = () => ({
  element: page('Import & export', null, region('.content.columns', 'Import and export', exporting(), !isReadOnly() && importing())),
});
