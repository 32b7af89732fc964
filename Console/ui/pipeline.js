// SPDX-License-Identifier: Apache-2.0
// A pipeline as text: the other form of the query page.
import { databaseCall, rest, viewAs } from '../lib/api.js';
import { counted, debounced, failure, h, muted, problemLine, replace } from '../lib/dom.js';
import { collections, databaseName, go, remembered, route } from '../lib/store.js';
import { rootOf } from '../lib/values.js';
import { CodeArea } from './code-area.js';
import { confirm, showPlace } from './widgets.js';

const words = /(?<note>#.*)|(?<text>"(?:[^"\\\n]|\\.)*")|\b(?<word>\w+)(?=\()|(?<boolean>\$\w+)|\b(?<number>\d[\d.]*)/g;
const most = 1000;

async function execute(request) {
  const parts = await rest('POST', rootOf(databaseName()), ':executePipeline', request);
  return {
    // A row that is no document has no name.
    rows: parts.flatMap((part) => part.results ?? []).map((row) => ({ name: '', fields: {}, ...row })),
    plan: parts.find((part) => part.explainStats)?.explainStats.data.value,
  };
}

/** `bar` stands above the notes; `showRows` shows what is found. */
export function pipelineForm(bar, results, showRows) {
  let ran = null;
  let isBegun = false;
  const problem = problemLine();
  const check = debounced(400, () => read().catch((error) => replace(problem, error.message)));
  const code = new CodeArea('Pipeline', words, { changed: check });
  const element = h('.query', h('.source.json', code.element), h('.code', bar, h('.pad', problem, muted(
    'Stages: collection(/books), where(equal(n, 1)), limit(20). Or REST JSON.'))));

  /** The requests of the text; undefined for a mistake, which is shown, and gets the caret if it was to run. */
  async function read(isRun) {
    const { value } = code;
    const { mistake, text, ...requests } = await databaseCall('POST', 'pipeline', {
      text: value, limit: most + 1, explain: remembered('explain', true) && !viewAs.value,
    });
    if (code.value !== value) return undefined;
    replace(problem, mistake && h('button.issue', { onclick: () => showPlace(code.area, mistake) },
      h('span.danger-text', `Line ${mistake.line} `), mistake.reason));
    if (isRun && text !== value) code.value = text;
    if (isRun && mistake) showPlace(code.area, mistake);
    return mistake ? undefined : requests;
  }

  /** Documents are changed only if a person has pressed the button and confirmed. */
  async function run(isPressed = true) {
    try {
      const { request, count, writes } = await read(true) ?? {};
      if (!request) return;
      if (count) {
        if (!isPressed) return;
        const n = Number((await execute(count)).rows[0].fields.n.integerValue);
        if (!await confirm({
          title: `Run ${writes}?`, text: `The stage ${writes} is for ${counted(n, 'document')}.`, action: 'Run', name: writes, count: n,
        })) return;
      }
      const typed = code.value;
      ran = typed;
      await go({ path: [], params: { p: typed } }, { replace: !route.value.params.p });
      const began = performance.now();
      const { rows, plan } = await execute(request);
      if (ran === typed && element.isConnected) showRows(rows, { plan, most, ms: performance.now() - began });
    } catch (error) {
      replace(results, failure(error, run));
    }
  }

  return {
    element, run: () => run(),
    /** The text in the URL; `isOther` if the builder was shown until now. */
    take(typed, isOther) {
      const isKnown = isOther ? isBegun : typed === ran;
      isBegun = false;
      if (isKnown) return;
      code.value = typed;
      run(false);
    },
    /** A text that is not run. */
    begin() {
      isBegun = true;
      return code.value ||= `collection(/${collections.value.ids[0] ?? 'books'})\nlimit(100)`;
    },
  };
}
