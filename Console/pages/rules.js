// SPDX-License-Identifier: Apache-2.0
// Rules: the text in force, what is wrong with it, and what it decides.
import { databaseCall, judge } from '../lib/api.js';
import { button, debounced, failure, h, muted, primary, region, replace } from '../lib/dom.js';
import { databaseName, guard, isReadOnly, route } from '../lib/store.js';
import { CodeArea } from '../ui/code-area.js';
import { trace } from '../ui/parts.js';
import { attempt, confirmDiscard, page, showPlace, toast } from '../ui/widgets.js';

const words = new RegExp([
  /(?<note>\/\/.*|\/\*[^]*?\*\/)/, /(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/,
  /\b(?<word>rules_version|service|match|allow|if|function|let|return|read|write|get|list|create|update|delete|true|false|null|in|is)\b/,
  /\b(?<number>\d+(?:\.\d+)?)\b/,
].map((part) => part.source).join('|'), 'g');

export function open({ setPrimary }) {
  let rules = null;
  let issues = [];
  let shown = '';
  /** Whether the issues are those of the text as it stands. */
  let isChecked = true;
  const numbers = h('.numbers', { ariaHidden: true });
  const code = new CodeArea('Rules', words, { changed: () => {
    isChecked = false;
    draw();
    check();
  } });
  const found = h('.section');
  const again = h('.section');
  const origin = h('span.faint.ellipsis');
  const body = h('.rules', h('.source', numbers, code.element),
    region('.rules-side', 'Issues and decisions', found, again));
  const isDirty = () => rules && code.value !== rules.content;

  function draw() {
    const bad = new Set(issues.map((i) => i.line));
    replace(numbers, code.value.split('\n').map((_, i) => h('div', { class: bad.has(i + 1) ? 'bad' : '' }, String(i + 1))));
    replace(found, h('h2.heading', 'Issues'), issues.map((issue) => h('button.issue', { onclick: () => showPlace(code.area, issue) },
      issue.severity === 'ERROR' ? h('span.danger-text', 'Error') : h('span.warn-text', 'Warning'),
      h('span.faint', ` line ${issue.line} `), issue.message)), !issues.length
      && muted(rules.origin === 'none' ? 'There are no rules: every client can read and write everything.' : 'None.'));
    const disabled = !isChecked || hasErrors();
    setPrimary(rules.canSet && !isReadOnly() && isDirty() && [button('Discard', load), primary('Put in force', put, {
      disabled, title: hasErrors() ? 'The rules have errors.' : '',
    })]);
  }

  const hasErrors = () => issues.some((issue) => issue.severity === 'ERROR');

  async function send(content) {
    const answer = await databaseCall('PUT', 'rules', content);
    ({ issues } = answer);
    isChecked = content.content === code.value;
    draw();
    return answer;
  }

  const check = debounced(400, () => attempt(() => send({ content: code.value, checkOnly: true })));

  const put = () => attempt(async () => {
    const { applied } = await send({ content: code.value });
    toast(applied ? 'The rules are in force.' : 'The rules have errors; the old ones stay in force.', { isError: !applied });
    if (applied) await load();
  });

  /** The request that was come from, judged by the text as it stands; it is not carried out. */
  function drawAgain() {
    const { request } = route.value.params;
    const answer = h('div');
    replace(again, h('h2.heading', 'Try again'), request
      ? [muted('Judged by the text at the left and the data of now. Nothing is written.'), button(`Request ${request} again`, () =>
        attempt(async () => replace(answer, trace(await judge(request, code.value))))), answer]
      : muted('Requests that were denied can be tried again under changed rules, from their page.'));
  }

  async function load() {
    try {
      rules = await databaseCall('GET', 'rules');
      ({ issues } = rules);
      isChecked = true;
      code.value = rules.content;
      code.area.readOnly = isReadOnly();
      origin.textContent = [{ file: `from ${rules.name}`, http: 'set over HTTP', none: 'no rules: open to every client' }[rules.origin],
        rules.broken && 'broken: every request is denied', rules.hash, !rules.canSet && 'changed in the file'].filter(Boolean).join(' · ');
      draw();
    } catch (error) {
      replace(body, failure(error, load));
    }
  }

  guard.mayLeave = (next) => !isDirty() || next.page === 'rules' || confirmDiscard('rules have changes that are not in force');
  return {
    element: page('Rules', origin, body),
    update() {
      if (shown === databaseName()) return;
      shown = databaseName();
      drawAgain();
      load();
    },
    isDirty,
    destroy: () => { guard.mayLeave = () => true; },
    keys: { 'ctrl-s': () => isDirty() && rules.canSet && isChecked && !hasErrors() && put() },
  };
}
