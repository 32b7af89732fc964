// SPDX-License-Identifier: Apache-2.0
// Text to edit, with coloured words: a layer of spans under a transparent text area.
import { h, replace } from '../lib/dom.js';

const string = /"(?:[^"\\\n]|\\.)*"/.source;
export const json = new RegExp([
  `(?<name>${string})(?=\\s*:)`, `(?<text>${string})`, /(?<number>-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\b/.source,
  /\b(?<boolean>true|false|null)\b/.source,
].join('|'), 'g');
// Larger texts are shown without colours, which would take longer than a key.
const mostColoured = 100000;

/** Colours words by spans, never by markup. */
export function highlighted(source, words) {
  if (source.length > mostColoured) return [source];
  const parts = [];
  let end = 0;
  for (const { 0: word, index, groups } of source.matchAll(words)) {
    parts.push(source.slice(end, index), h(`span.k-${Object.keys(groups).find((kind) => groups[kind])}`, word));
    end = index + word.length;
  }
  return [...parts, source.slice(end)];
}

export class CodeArea {
  colours = h('pre', { ariaHidden: true });

  constructor(label, words, { value = '', changed, ...properties } = {}) {
    this.words = words;
    this.area = h('textarea', { spellcheck: false, label, wrap: 'off', value, ...properties, oninput: () => {
      this.draw();
      changed?.();
    } });
    this.element = h('.code-area', this.colours, this.area);
    this.draw();
  }

  get value() { return this.area.value; }
  set value(source) {
    this.area.value = source;
    this.draw();
  }

  draw() { replace(this.colours, highlighted(this.area.value, this.words), '\n'); }
}
