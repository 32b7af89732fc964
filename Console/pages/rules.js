// SPDX-License-Identifier: Apache-2.0
// Rules: the text in force, what is wrong with it, and what it decides.
import { consoleCall } from '../lib/api.js';
import { button, debounced, failure, h, replace } from '../lib/dom.js';
import { parseFields } from '../lib/json.js';
import { databaseName, guard, isReadOnly, route } from '../lib/store.js';
import { trace } from '../ui/trace.js';
import { confirm, showError, toast } from '../ui/widgets.js';

const words = /(\/\/.*|\/\*[\s\S]*?\*\/)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\b(rules_version|service|match|allow|if|function|let|return|read|write|get|list|create|update|delete|true|false|null|in|is)\b|\b(\d+(?:\.\d+)?)\b/g;

/** Colours words by spans, never by markup. */
function highlighted(text) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(words)) {
    if (found.index > end) parts.push(text.slice(end, found.index));
    parts.push(h('span', { class: found[1] ? 'k-note' : found[2] ? 'k-text' : found[3] ? 'k-word' : 'k-number' }, found[0]));
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end), '\n'];
}

export function open({ setPrimary }) {
  let rules = null;
  let issues = [];
  const path = () => `rules?database=${encodeURIComponent(databaseName())}`;
  const numbers = h('div', { class: 'numbers', 'aria-hidden': 'true' });
  const colours = h('pre', { 'aria-hidden': 'true' });
  const area = h('textarea', { spellcheck: false, 'aria-label': 'Rules', wrap: 'off', autocomplete: 'off',
    oninput: () => { paint(); check(); } });
  const side = h('div', { class: 'rules-side', tabIndex: 0, role: 'region', 'aria-label': 'Issues and decisions' });
  const origin = h('span', { class: 'faint ellipsis' });
  const found = h('div', { class: 'section' });
  const body = h('div', { class: 'rules' }, h('div', { class: 'source' }, numbers, h('div', { class: 'code-area' }, colours, area)), side);
  const element = h('div', { class: 'page' }, h('div', { class: 'bar' }, h('h1', { class: 'plain' }, 'Rules'), origin), body);
  const isDirty = () => rules && area.value !== rules.content;

  function paint() {
    replace(colours, highlighted(area.value));
    const bad = new Set(issues.map((i) => i.line));
    replace(numbers, area.value.split('\n').map((_, i) => h('div', { class: bad.has(i + 1) ? 'bad' : '' }, String(i + 1))));
    drawButtons();
  }

  function drawButtons() {
    setPrimary(rules?.canSet && !isReadOnly() && isDirty() && [button('Discard',
      () => { area.value = rules.content; issues = rules.issues; paint(); drawIssues(); }),
      button('Put in force', put, { class: 'button primary' })]);
  }

  const check = debounced(400, async () => {
    try {
      issues = (await consoleCall('PUT', path(), { body: { content: area.value, checkOnly: true } })).issues;
      paint();
      drawIssues();
    } catch (error) {
      showError(error);
    }
  });

  async function put() {
    try {
      const answer = await consoleCall('PUT', path(), { body: { content: area.value } });
      issues = answer.issues;
      if (answer.applied) {
        toast('The rules are in force.');
        await load();
      } else {
        toast('The rules have errors; the old ones stay in force.', { isError: true });
        paint();
        drawIssues();
      }
    } catch (error) {
      showError(error);
    }
  }

  function drawIssues() {
    replace(found, h('h2', { class: 'heading' }, 'Issues'), issues.length ? issues.map((i) => h('button', {
      type: 'button', class: 'issue', onclick: () => {
        const at = area.value.split('\n').slice(0, i.line - 1).reduce((n, l) => n + l.length + 1, 0) + i.column - 1;
        area.focus();
        area.setSelectionRange(at, at);
      },
    }, h('span', { class: i.severity === 'ERROR' ? 'danger-text' : 'warn-text' }, i.severity === 'ERROR' ? 'Error' : 'Warning'),
      h('span', { class: 'faint figures' }, ` line ${i.line} `), i.message))
      : h('p', { class: 'muted' }, rules?.origin === 'none' ? 'There are no rules: every client can read and write everything.'
        : 'None.'));
  }

  /** A request that is judged and not carried out. */
  function simulator() {
    const request = route.value.params.request;
    const who = h('select', {}, [['anonymous', 'not signed in'], ['user', 'a user']].map(([v, t]) => h('option', { value: v }, t)));
    const user = h('input', { class: 'mono', placeholder: 'user id', 'aria-label': 'User id', autocomplete: 'off' });
    const claims = h('textarea', { class: 'mono', rows: 1, placeholder: '{"admin": true}', 'aria-label': 'Claims, as JSON',
      spellcheck: false });
    const method = h('select', {}, ['get', 'list', 'create', 'update', 'delete'].map((m) => h('option', { value: m }, m)));
    const place = h('input', { class: 'mono', placeholder: 'books/bk-1', autocomplete: 'off' });
    const data = h('textarea', { class: 'mono', rows: 2, placeholder: '{"title": "…"}', spellcheck: false });
    const problem = h('p', { class: 'problem', role: 'alert' });
    const answer = h('div', {});
    const judge = async (what) => {
      try {
        problem.textContent = '';
        const { decision } = await consoleCall('POST', 'decisions', { body: { database: databaseName(), ...what(), rules: area.value } });
        replace(answer, trace(decision));
      } catch (error) {
        problem.textContent = error.message;
      }
    };
    const described = () => ({
      as: who.value === 'anonymous' ? 'anonymous' : { ...JSON.parse(claims.value || '{}'), sub: user.value }, method: method.value,
        path: place.value,
      ...(data.value.trim() && { fields: parseFields(data.value, databaseName()) }),
    });
    const field = (label, input) => h('label', { class: 'stack' }, label, input);
    return h('div', { class: 'section' }, h('h2', { class: 'heading' }, 'Try a request'),
      h('p', { class: 'muted' }, 'Judged by the text at the left and the data of now. Nothing is written.'),
      request && h('div', {}, button(`Request ${request} again`, () => judge(() => ({ request: Number(request) })))),
      h('div', { class: 'form' }, field('Caller', who), user), claims,
        h('div', { class: 'form' }, field('Method', method), field('Path', place)), field('Fields of a write, as typed JSON', data),
      h('div', {}, button('Try', () => judge(described))), problem, answer);
  }

  async function load() {
    try {
      rules = await consoleCall('GET', path());
      issues = rules.issues;
      area.value = rules.content;
      area.readOnly = isReadOnly();
      origin.textContent = [{ file: `from ${rules.name}`, http: 'set over HTTP', none: 'no rules: open to every client' }[rules.origin],
        rules.broken && 'broken: every request is denied', rules.hash, !rules.canSet && 'changed in the file'].filter(Boolean).join(' · ');
      paint();
      drawIssues();
    } catch (error) {
      replace(body, failure(error, load));
    }
  }

  guard.mayLeave = async (next) => !isDirty() || next.page === 'rules'
    || confirm({ title: 'Discard the changes?', text: 'The rules have changes that are not in force.', action: 'Discard' });
  let shown = '';
  return {
    element,
    update() {
      if (shown === databaseName()) return;
      shown = databaseName();
      replace(side, found, simulator());
      load();
    },
    destroy: () => { guard.mayLeave = async () => true; },
    keys: { 'ctrl-s': () => isDirty() && rules.canSet && put() },
  };
}
