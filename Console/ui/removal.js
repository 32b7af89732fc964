// SPDX-License-Identifier: Apache-2.0
// Deleting a document or a collection with everything below it.
import { commit, listDocuments, namesBelow } from '../lib/api.js';
import { h } from '../lib/dom.js';
import { relative, rootOf } from '../lib/values.js';
import { confirm, dialog, showError, toast } from './widgets.js';

/** Counts, asks, deletes in steps with progress, and can be stopped. True if everything is gone. */
export async function removeRecursively(database, path) {
  const abort = new AbortController();
  try {
    const first = await namesBelow(database, path, { limit: 101 });
    const isDocument = path.length % 2 === 0;
    const many = first.length > 100 ? 'more than 100 documents' : `${first.length} ${first.length === 1 ? 'document' : 'documents'}`;
    const what = isDocument ? 'the document and everything below it' : 'the collection and everything below it';
    const count = first.length;
    if (!(await confirm({ title: `Delete ${path.join('/')}?`, text: `This deletes ${what}: ${many}. It cannot be undone.`, action: 'Delete',
      name: path.at(-1), count }))) return false;
    const progress = h('p', { class: 'figures', role: 'status' }, 'Deleting…');
    let done = 0;
    let isOver = false;
    const shown = dialog({ title: 'Deleting', body: progress, actions: [['Stop', 'stop']] }).then(() => abort.abort());
    for (;;) {
      let names = await namesBelow(database, path, { limit: 500, signal: abort.signal });
      if (!names.length && !isDocument) names = await restOf(database, path, abort.signal);
      if (!names.length) break;
      await commit(database, names.map((name) => ({ delete: name })));
      done += names.length;
      progress.textContent = `${done.toLocaleString('en')} deleted`;
      if (abort.signal.aborted) break;
    }
    if (isDocument && !abort.signal.aborted) {
      await commit(database, [{ delete: [rootOf(database), ...path].join('/') }]);
      done += 1;
    }
    isOver = !abort.signal.aborted;
    document.querySelector('dialog[open]')?.close();
    await shown;
    toast(`${done.toLocaleString('en')} documents deleted${isOver ? '' : '; stopped'}.`);
    return isOver;
  } catch (error) {
    document.querySelector('dialog[open]')?.close();
    showError(error);
    return false;
  }
}

/** What the range of names does not contain: documents with numeric ids, which are before all others, and what is below them. */
async function restOf(database, path, signal) {
  const parent = [rootOf(database), ...path.slice(0, -1)].join('/');
  const { documents } = await listDocuments(parent, path.at(-1), { pageSize: 20, signal });
  const lists = await Promise.all(documents.map((d) => namesBelow(database, relative(d.name).split('/'), { signal })));
  return documents.flatMap((d, i) => [...lists[i], d.name]).slice(0, 500);
}
