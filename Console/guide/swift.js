// SPDX-License-Identifier: Apache-2.0
// Swift code: excerpts of files, and a little colour.
import { code } from './sources.js';
import { h } from './document.js';

const words = 'as|associatedtype|await|case|catch|class|default|defer|do|else|enum|extension|false|for|func|guard|if|import|in|init|internal|is|'
  + 'let|mutating|nil|private|protocol|public|return|self|Self|static|struct|super|switch|throw|throws|true|try|typealias|var|weak|where|while';
const tokens = new RegExp([
  '(?<note>//[^\\n]*)', '(?<text>"(?:\\\\.|[^"\\\\\\n])*")', '(?<mark>[@#][A-Za-z]\\w*)', `(?<word>\\b(?:${words})\\b)`,
  '(?<type>\\b[A-Z]\\w*)', '(?<number>\\b\\d[\\d_.]*)',
].join('|'), 'g');

/** The code as elements. */
export function colored(source) {
  const parts = [];
  let end = 0;
  for (const found of source.matchAll(tokens)) {
    const [kind] = Object.entries(found.groups).find(([, text]) => text !== undefined);
    parts.push(source.slice(end, found.index), h(`span.s-${kind}`, {}, found[0]));
    end = found.index + found[0].length;
  }
  return [...parts, source.slice(end)];
}

/** The declaration or the line that begins with a text, without its indentation; undefined if the file has none. */
export function excerpt(file, start) {
  const lines = code[file]?.split('\n') ?? [];
  const first = lines.findIndex((line) => line.trimStart().startsWith(start));
  if (first < 0) return undefined;
  const indent = lines[first].length - lines[first].trimStart().length;
  const isBlock = lines[first].endsWith('{') || lines[first].endsWith('(');
  const length = isBlock ? lines.slice(first).findIndex((line) => line === `${' '.repeat(indent)}}`) + 1 : 1;
  return lines.slice(first, first + length).map((line) => line.slice(indent)).join('\n');
}
