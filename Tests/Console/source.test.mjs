// SPDX-License-Identifier: Apache-2.0
// What no file of the console may contain.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../Console/', import.meta.url);
const files = readdirSync(root, { recursive: true }).filter((f) => /\.(js|html|css|svg)$/.test(f));
// The server writes this one, from the guide's code and documents.
const written = new Set(['guide/sources.js']);
const text = (file) => written.has(file) ? '' : readFileSync(new URL(file, root), 'utf8');

test('text gets into the page as text only', () => {
  for (const file of files) {
    assert.doesNotMatch(text(file), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function|createContextualFragment/, file);
    assert.doesNotMatch(text(file), /\bstyle="|setAttribute\('style'|\son\w+="/, file);
  }
});

test('nothing names another host', () => {
  for (const file of files) {
    const foreign = text(file).match(/https?:\/\/(?!www\.w3\.org\/2000\/svg|…)\S+/g) ?? [];
    assert.deepEqual(foreign, [], file);
  }
});

test('modules import modules that exist, and all are loaded by the first page or on demand', () => {
  for (const file of files.filter((f) => f.endsWith('.js'))) {
    for (const [, path] of text(file).matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) text(new URL(path, new URL(file, root)).href.slice(root.href.length));
  }
});

/** The modules that the first rows need. */
function firstModules() {
  const needed = new Set();
  const need = (file) => {
    if (needed.has(file)) return;
    needed.add(file);
    for (const [, path] of text(file).matchAll(/from '(\.[^']+)'/g)) need(new URL(path, new URL(file, root)).href.slice(root.href.length));
  };
  need('main.js');
  need('pages/data.js');
  return [...needed];
}

const sizeOf = (list) => list.reduce((sum, file) => sum + Buffer.byteLength(text(file)), 0);

test('the modules that the first rows need are loaded together, not one after another', () => {
  const loaded = [...text('index.html').matchAll(/(?:modulepreload" href|module" src)="\/console\/([^"]+)"/g)].map(([, file]) => file);
  assert.deepEqual(loaded.sort(), firstModules().sort());
});

test('what the first page needs does not grow', () => {
  const bytes = sizeOf(['index.html', 'console.css', ...firstModules()]);
  assert.ok(bytes <= 200_000, `${bytes} bytes`);
});

test('the pages do not grow', () => {
  const bytes = sizeOf(files.filter((file) => !/^guide\//.test(file)));
  assert.ok(bytes <= 315_000, `${bytes} bytes`);
});

test('lines end where people read', () => {
  for (const file of files.filter((f) => !/^(guide)\/|svg$/.test(f))) {
    text(file).split('\n').forEach((line, i) => assert.ok(line.length <= 140, `${file}:${i + 1} has ${line.length} characters`));
  }
});
