// SPDX-License-Identifier: Apache-2.0
// Deleting: with everything below, and with an Undo.
import { commit, listDocuments, namesBelow } from '../lib/api.js';
import { counted, h } from '../lib/dom.js';
import { documentName, relative } from '../lib/values.js';
import { attempt, confirm, dialog, toast } from './widgets.js';

/** Says what was done, with an Undo that commits the opposite, if nobody came between. */
export function offerUndo(message, database, writes, done) {
  toast(message, {
    action: 'Undo', onaction: () => attempt(async () => {
      await commit(database, writes).catch((error) => {
        if (error.code === 400 || error.code === 409) error.message = 'It cannot be taken back: the document has changed since.';
        throw error;
      });
      await done();
    }),
  });
}

/** Counts, asks, deletes in steps with progress, and can be stopped. True if everything is gone. */
export async function removeRecursively(database, path) {
  const isDocument = path.length % 2 === 0;
  const { length: count } = await namesBelow(database, path, { limit: 101 });
  const many = count > 100 ? 'more than 100 documents' : counted(count, 'document');
  if (!await confirm({
    title: `Delete ${path.join('/')}?`, action: 'Delete', name: path.at(-1), count,
    text: `This deletes the ${isDocument ? 'document' : 'collection'} and everything below it: ${many}. It cannot be undone.`,
  })) return false;
  const abort = new AbortController();
  const { signal } = abort;
  const progress = h('p.figures', { role: 'status' }, 'Deleting…');
  dialog({ title: 'Deleting', body: progress, close: 'Stop' }).then(() => abort.abort());
  let done = 0;
  const remove = async (names) => {
    await commit(database, names.map((name) => ({ delete: name })));
    done += names.length;
    progress.textContent = `${counted(done, 'document')} deleted`;
  };
  try {
    let names;
    do {
      names = await namesBelow(database, path, { signal });
      if (!names.length && !isDocument) names = await restOf(database, path, signal);
      await remove(names);
    } while (names.length && !signal.aborted);
    if (isDocument && !signal.aborted) await remove([documentName(database, path)]);
    return !signal.aborted;
  } finally {
    toast(`${counted(done, 'document')} deleted${signal.aborted ? '; stopped' : ''}.`);
    progress.closest('dialog')?.close();
  }
}

/** What the range of names does not contain: documents with numeric ids, which are before all others, and what is below them. */
async function restOf(database, path, signal) {
  const { documents } = await listDocuments(documentName(database, path.slice(0, -1)), path.at(-1), { pageSize: 20, signal });
  const lists = await Promise.all(documents.map((d) => namesBelow(database, relative(d.name).split('/'), { signal })));
  return documents.flatMap((d, i) => [...lists[i], d.name]);
}
