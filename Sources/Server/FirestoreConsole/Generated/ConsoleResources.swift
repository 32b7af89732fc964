// Made by dev/console-resources from Console/. Do not edit.

/// The files of the console, inside the program.
enum ConsoleResources {
    private static let file0 = ConsoleResource("console.css", tag: "2e5d30e9d780065e", #"""
/* SPDX-License-Identifier: Apache-2.0 */
:root {
  color-scheme: light dark;
  --bg: light-dark(#FAFAF9, #141210); --surface: light-dark(#FFFFFF, #1C1A18); --sunken: light-dark(#F3F2F0, #100E0D);
  --line: light-dark(#E3E0DC, #33302C); --line-strong: light-dark(#8A837B, #7A736B);
  --text: light-dark(#1C1917, #EEEAE5); --muted: light-dark(#5F5953, #B3ABA2); --faint: light-dark(#716A64, #958D84);
  --accent: light-dark(#B93E0A, #FF9A5C); --on-accent: light-dark(#FFFFFF, #2A1206); --soft: light-dark(#FFF1E8, #3A2114);
  --focus: light-dark(#1D5FD1, #7FB0FF); --ok: light-dark(#1A7F4B, #5CCB93); --warn: light-dark(#8A5A00, #E7B45A);
  --danger: light-dark(#B42318, #FF8A7A); --danger-soft: light-dark(#FEECEA, #3B1A16);
  --hairline: 1px solid var(--line); --hover: color-mix(in srgb, var(--text) 5%, transparent); --shadow: 0 8px 24px rgb(0 0 0 / .18);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
:root[data-theme=light] { color-scheme: light; }
:root[data-theme=dark] { color-scheme: dark; }
@media (prefers-contrast: more) { :root { --line: var(--line-strong); --muted: var(--text); --faint: var(--text); } }

* { box-sizing: border-box; margin: 0; padding: 0; }
[hidden] { display: none !important; }
html { font-size: 81.25%; }
body {
  height: 100dvh; display: grid;
  grid-template: "top top" 44px "gone gone" auto "left main" minmax(0, 1fr) "status status" 26px / 200px minmax(0, 1fr);
  font: 1rem/20px system-ui, sans-serif; color: var(--text); background: var(--bg); overflow: hidden;
}
ul { list-style: none; }
h1, h2 { font-size: 1.077rem; font-weight: 600; }
a { color: inherit; text-decoration: none; }
p a { color: var(--accent); text-decoration: underline; }
button, input, select, textarea { font: inherit; color: inherit; }
button { background: none; border: 0; border-radius: 6px; cursor: pointer; text-align: left; }
:disabled { color: var(--faint); cursor: default; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; border-radius: 4px; }
:is(main, .panel-body):focus-visible { outline: none; }
:is(.grid, .field, .code-area textarea):focus-visible { outline-offset: -2px; }

/* Text, lines, boxes */
.mono, code, kbd, pre, .grid-cell, .value-cell { font-family: var(--mono); font-size: .9615rem; }
.figures, .number { font-variant-numeric: tabular-nums; }
.small, kbd, .type-name, .scale { font-size: .846rem; }
.muted { color: var(--muted); }
.faint, kbd, .type-name, .toggle, .scale { color: var(--faint); }
.accent, .on, .arrived, .menu-check, .sparkline svg, .v-sentinel, .k-word { color: var(--accent); }
.ok-text { color: var(--ok); }
.warn-text, .mark-theirs { color: var(--warn); }
.danger-text, .problem, .failure > .title { color: var(--danger); }
.heading { font: 600 .846rem/16px system-ui, sans-serif; text-transform: uppercase; letter-spacing: .04em; color: var(--faint); }
.ellipsis { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
.row, .bar, .chip, .button, .tool, .brand, .state, .toast, .menu button, .panel-head, .panel-footer, .grid-header, .grid-cell,
.field > *, .below-document > *, #top, #left a, #status, dialog :is(header, footer) {
  display: flex; align-items: center; gap: 8px; min-width: 0;
}
.bar, .panel-head, #top, dialog header, .grid-head, .grid-row, .list :is(th, td), .query, .explain, .tile {
  border-bottom: var(--hairline);
}
.panel-footer, #status, dialog footer, .below-document { border-top: var(--hairline); background: var(--bg); }
.wrap, .bar { flex-wrap: wrap; }
.grow { flex: 1 1 auto; min-width: 0; }
.content, .stack, .section, .trace, .builder, .conditions, .dialog-body, .rules-side, .notice, .add-form, .empty, .skeleton, .drop {
  display: grid; gap: 12px; align-content: start; min-width: 0;
}
.stack { gap: 4px; color: var(--muted); font-weight: 500; }
.page, .panel, .results, .code { display: flex; flex-direction: column; min-height: 0; min-width: 0; position: relative; }
.pad { padding: 8px 12px; }
.scroll, .panel-body, .checks, .dialog-body { overflow: auto; }
.facts, .notice, .statement, .dialog-body, .empty, .toast, dialog h2 { overflow-wrap: anywhere; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.icon { width: 16px; height: 16px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; }
.command, .notice, .add-form, .skeleton div { background: var(--sunken); border-radius: 6px; }
.toast, .menu, .suggestions, dialog, .arrived { box-shadow: var(--shadow); }

/* Controls */
.button, input, select, textarea {
  height: 28px; border-radius: 6px; border: 1px solid var(--line-strong); background: var(--surface); padding: 0 8px; min-width: 0;
}
.button, .tool { justify-content: center; flex: none; white-space: nowrap; font-weight: 500; }
.button { padding: 0 12px; border-color: color-mix(in srgb, var(--line-strong) 60%, var(--line)); justify-self: start; }
.button:hover { background: var(--sunken); }
.button.small { height: 24px; padding: 0 8px; font-size: .923rem; }
.button:is(.primary, .danger) { background: var(--accent); color: var(--on-accent); border-color: transparent; }
.button.danger { background: var(--danger); }
.tool { height: 28px; min-width: 28px; gap: 6px; padding: 0 6px; color: var(--muted); }
.tool.danger-text { color: var(--danger); }
:is(.tool, .issue, #left a, .field, .menu button, .grid-row, .resizer):hover, .tool[aria-expanded=true], .field:focus-within,
.menu button:focus-visible {
  background: var(--hover);
}
.on, .arrived, .drop.over, .grid-row:is(.open, .selected) { background: var(--soft); }
textarea { height: auto; padding: 4px 8px; resize: vertical; width: 100%; field-sizing: content; max-height: 40vh; }
select.type { flex: none; padding: 0 4px; color: var(--muted); border-color: var(--line); justify-self: start; max-width: 100%; }
::placeholder { color: var(--faint); opacity: 1; }
input:is([type=checkbox], [type=radio]) { width: 16px; height: 16px; accent-color: var(--accent); flex: none; }
[aria-invalid=true] { border-color: var(--danger); }
.picker { width: 36px; color: transparent; border-color: transparent; background: none; }
.picker::-webkit-datetime-edit { display: none; }
.problem { font-size: .923rem; }
.problem, .lines, .toast { white-space: pre-line; }
.problem:empty { display: none; }
.chip { height: 24px; gap: 2px; padding: 0 10px; border-radius: 12px; max-width: 280px; font-size: .923rem; }
.chip:not(.on) { background: var(--sunken); }
.chip .tool { height: 24px; min-width: 24px; margin-right: -8px; }
.segments { display: flex; border: var(--hairline); border-radius: 6px; background: var(--sunken); padding: 1px; flex: none; }
.segments button { font-weight: 500; font-size: .923rem; color: var(--muted); height: 24px; padding: 0 8px; }
.segments [aria-pressed=true] { background: var(--surface); color: var(--text); box-shadow: 0 0 0 1px var(--line); }

/* Shell */
.skip { position: absolute; left: 8px; top: -60px; z-index: 9; background: var(--surface); padding: 6px 12px; }
.skip:focus { top: 6px; }
#top { grid-area: top; padding: 0 12px; background: var(--surface); }
.brand { font-weight: 650; font-size: 1.077rem; padding-right: 8px; }
.brand img { width: 18px; }
.database { max-width: 220px; flex: initial; }
.path { flex: 1; background: var(--sunken); border-color: transparent; }
.gone-bar { grid-area: gone; background: var(--danger-soft); color: var(--danger); padding: 4px 12px; font-weight: 500; }
.gone-bar:not([hidden]) + main { opacity: .6; }
#left { grid-area: left; overflow: auto; border-right: var(--hairline); padding: 8px; background: var(--bg); }
#left a { height: 28px; padding: 0 8px; border-radius: 6px; color: var(--muted); font-weight: 500; }
#left a.mono { font-weight: 400; color: var(--text); padding-left: calc(2px + var(--depth) * 6px); }
#left a[aria-current] { background: var(--soft); color: var(--accent); }
#left a[aria-current=true], .grid-row.open, .field.changed { box-shadow: inset 3px 0 var(--accent); }
#left .head { padding: 12px 0 2px 8px; }
main { grid-area: main; min-width: 0; overflow: hidden; display: grid; background: var(--surface); }
#status { grid-area: status; gap: 16px; padding: 0 12px; font-size: .923rem; color: var(--muted); white-space: nowrap; }
.state { height: 24px; }
.dot { width: 8px; height: 8px; border-radius: 50%; background: var(--faint); }
.dot.live { background: var(--ok); }
.dot.paused { background: none; border: 2px solid var(--warn); }
.dot.gone { background: var(--danger); border-radius: 1px; }
#toasts {
  position: fixed; right: 16px; bottom: 82px; display: grid; gap: 8px; z-index: 20; justify-items: end;
  max-width: min(560px, calc(100vw - 32px));
}
.toast { background: var(--text); color: var(--bg); padding: 6px 6px 6px 14px; border-radius: 8px; }
.toast :is(.button, .tool) { background: none; color: inherit; }
.toast.error { background: var(--danger-soft); color: var(--danger); border: 1px solid var(--danger); }

/* Menus and dialogs */
.suggestions { width: max-content; min-width: var(--width); max-width: min(420px, 90vw); max-height: 40vh; overflow: auto; margin: 2px 0; }
.option { padding: 4px 8px; border-radius: 6px; font: .9615rem/20px var(--mono); cursor: pointer; }
.option:is(:hover, [aria-selected=true]) { background: var(--soft); color: var(--accent); }
.menu, .suggestions, dialog { border: var(--hairline); border-radius: 8px; background: var(--surface); color: var(--text); }
.menu, .suggestions {
  inset: auto; position-area: bottom span-right; position-try-fallbacks: flip-inline, flip-block, flip-block flip-inline; margin: 4px 0;
  min-width: 180px; max-width: 320px; max-height: 70vh; padding: 4px;
}
@supports not (position-area: bottom) { :is(.menu, .suggestions) { inset: 0; margin: auto; height: fit-content; } }
.menu button { width: 100%; padding: 4px 8px; min-height: 28px; }
.menu hr { border: 0; border-top: var(--hairline); margin: 4px 0; }
.menu-heading { padding: 8px 8px 4px; font-size: .846rem; color: var(--faint); }
.menu-check { width: 16px; height: 16px; }
dialog { margin: auto; width: min(460px, calc(100vw - 24px)); }
dialog.wide { width: min(760px, calc(100vw - 24px)); }
dialog::backdrop { background: rgb(0 0 0 / .32); }
dialog form { display: flex; flex-direction: column; max-height: calc(100dvh - 50px); }
dialog :is(header, footer) { padding: 10px 16px; }
dialog footer { justify-content: end; }
dialog h2, .panel-head h2, .panel-body, .path, .table-place, .panel-place, .grid-place, .rules { flex: 1; }
.dialog-body, .content, .skeleton { padding: 16px; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; align-content: start; }
.facts dt { color: var(--muted); }
.checks { max-height: 320px; }
.checks label { height: 28px; }

/* Pages */
.bar { gap: 4px 8px; padding: 6px 12px; min-height: 44px; }
.bar .title { margin-right: 8px; gap: 4px; max-width: 40%; }
.split { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); min-height: 0; position: relative; }
.split:not(.has-panel) > :is(.resizer, .panel-place) { display: none; }
.has-panel { grid-template-columns: minmax(0, 1fr) auto min(var(--panel, 440px), 70vw); }
.table-place, .panel-place, .grid-place { display: grid; min-width: 0; min-height: 0; }
.panel-place { background: var(--surface); border-left: var(--hairline); grid-column: -2; }
.resizer { width: 9px; margin: 0 -4px; cursor: col-resize; z-index: 3; touch-action: none; }
.filter-bar {
  display: flex; flex-wrap: wrap; align-items: end; gap: 8px; padding: 8px 12px; background: var(--bg); border-bottom: var(--hairline);
  max-height: 40vh; overflow: auto;
}
.filter-bar > .conditions { flex: 1 1 260px; width: auto; }
.filter-bar > .problem { flex-basis: 100%; }
.arrived {
  position: absolute; top: 84px; left: 50%; translate: -50%; z-index: 4; height: 28px; padding: 0 14px; border-radius: 14px;
  border: 1px solid; font-weight: 500;
}
.empty { padding: 48px 24px; justify-items: center; text-align: center; }
:is(.empty, .drop) > * { justify-self: center; }
.empty > .command { text-align: left; white-space: pre-wrap; }
.empty > .title { font-weight: 600; font-size: 1.077rem; }
.command { border: var(--hairline); padding: 8px 12px; overflow: auto; max-width: 100%; user-select: all; text-align: left; }
.ways { display: grid; gap: 12px; max-width: 100%; text-align: left; }
.way { min-width: 0; }
.way .row { gap: 4px; }
.way .command { flex: 1; padding: 6px 12px; }
.skeleton { animation: appear 0s 150ms both; }
.skeleton div { height: 14px; width: 80%; }
.skeleton div:nth-child(3n) { width: 45%; }
@keyframes appear { from { visibility: hidden; } }
.notice { margin: 12px; padding: 12px; }

/* Tables */
.grid { overflow: auto; overflow-anchor: none; contain: strict; }
.grid:focus-visible:has(.active) { outline: none; }
.grid-heads, .grid-body { position: relative; min-width: max(100%, var(--width)); width: max-content; }
.grid-heads { position: sticky; top: 0; z-index: 2; }
.grid-heads, .list thead { background: var(--sunken); font-size: .923rem; font-weight: 500; color: var(--muted); }
.grid-head, .grid-row { display: grid; grid-template-columns: var(--columns); height: var(--row); width: 100%; }
.grid-row { position: absolute; left: 0; top: 0; }
.grid-header, .grid-cell { position: relative; padding: 0 10px; gap: 4px; cursor: default; }
.grid-cell { white-space: nowrap; overflow: hidden; }
.grid-cell.plain { font: inherit; }
.grid .number { justify-content: end; }
.grid-edge { position: absolute; right: -5px; top: 0; bottom: 0; width: 10px; cursor: col-resize; touch-action: none; z-index: 1; }
.grid-edge::after { content: ""; position: absolute; inset: 8px 5px; border-left: var(--hairline); }
.grid-row.selected .grid-cell:first-child::before { content: "✓"; color: var(--accent); }
.grid-row.missing .id { font-style: italic; color: var(--faint); }
.grid-row.gone, .field.removed :is(.name, .value-cell) { text-decoration: line-through; }
.grid .active { outline: 2px solid var(--focus); outline-offset: -2px; }
.id { flex: none; max-width: 100%; }
.flash { animation: flash 1s; }
@keyframes flash { from { background-color: color-mix(in srgb, var(--ok) 16%, var(--surface)); } }
.v-string, .k-text { color: light-dark(#1B6E4A, #7FD1A4); }
.v-integer, .v-double, .v-vector, .k-number { color: light-dark(#1D4FBF, #8FB4FF); }
.v-boolean, .k-boolean { color: light-dark(#7A3EB1, #CBA2F5); }
.v-timestamp { color: light-dark(#8A5200, #E8B870); }
.v-reference { color: light-dark(#0B6B75, #6FCBD3); }
.v-geopoint { color: light-dark(#A62B6C, #F29BC6); }
.v-bytes { color: light-dark(#5A5F6B, #AEB4C0); }
.v-null { color: light-dark(#6B655F, #A59D94); font-style: italic; }
.k-note { color: var(--faint); font-style: italic; }
.list { width: 100%; border-collapse: collapse; }
.list :is(th, td) { text-align: left; font-weight: 400; padding: 5px 10px; overflow-wrap: break-word; }
.list .number { text-align: right; white-space: nowrap; }

/* The document */
.panel-head, .panel-footer { gap: 6px; min-height: 44px; padding: 6px 8px 6px 12px; }
.panel-body { padding: 4px 0 16px; }
.panel-body.content { padding: 12px; }
.panel-body:not(.content) > .facts { padding: 0 12px; gap: 0 12px; font-size: .846rem; color: var(--faint); }
.field { display: grid; grid-template-columns: minmax(90px, 38%) minmax(0, 1fr) auto; }
.field.editing { grid-template-columns: minmax(70px, 24%) minmax(0, 1fr); background: var(--sunken); }
.field.editing .tools-cell { display: none; }
.field > * { gap: 4px; padding: 0 8px; min-height: 28px; }
.field > .name-cell { padding: 0 4px 0 calc(8px + var(--depth) * 14px); }
.toggle { display: grid; width: 14px; flex: none; }
.value-cell { cursor: text; }
.field-menu { height: 24px; opacity: 0; }
.field:is(:hover, :focus-within) .field-menu { opacity: 1; }
.edit { width: 100%; display: grid; gap: 4px; padding: 4px 0; }
.edit :is(input.mono, textarea) { width: 100%; }
:is(.edit, .add-form) .row:has(.picker) > .mono { flex: 1; min-width: 206px; width: 0; }
.mark-theirs { width: 24px; height: 24px; text-align: center; }
.add-field { margin: 4px 12px; }
.add-form { margin: 4px 12px; padding: 8px; gap: 4px; }
.add-row { display: flex; flex-wrap: wrap; align-items: start; gap: 6px; }
.add-row > .mono { flex: 1 1 84px; width: 0; }
.add-row > .grow { flex: 3 1 200px; align-items: start; }
.add-row :is(.grow > .mono, textarea) { width: 100%; }
.add-row > .grow:has(.picker, [type=file]) { flex-basis: 100%; }
.add-row > .row:not(.grow) { gap: 0; min-height: 28px; }
.below-document { padding: 12px; display: grid; gap: 4px; justify-items: start; margin-top: 8px; background: none; }
.below-document > * { min-height: 28px; }
.json { min-height: 60%; }
.json .code-area { min-width: 100%; width: max-content; }

/* Query */
.query-page { display: grid; grid-template: minmax(0, max-content) minmax(160px, 1fr) / minmax(0, 1fr); }
.query { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr) minmax(300px, 36%); max-height: 52vh; }
.builder { padding: 12px; }
.builder .builder { padding: 10px 0; }
.line { display: grid; grid-template-columns: 84px minmax(0, 1fr); gap: 8px; }
.line > :first-child { color: var(--muted); line-height: 28px; font-weight: 500; }
.conditions { gap: 6px; border-left: 2px solid var(--line); padding-left: 10px; width: 100%; }
.conditions .wrap > .grow { flex-basis: 220px; }
.conditions.root { border: 0; padding: 0; }
.conditions:not(:has(> .stack > .row:nth-child(3))) > .type { display: none; }
:is(.conditions, .value) .stack > .row:not(.wrap) { min-height: 28px; }
.stack > .row.wrap { align-items: start; flex-wrap: nowrap; }
.code { border-left: var(--hairline); background: var(--bg); }
.code > .row { padding: 8px 12px; gap: 0; }
.code > pre { flex: 1; overflow: auto; padding: 4px 12px 12px; }
.explain { padding: 10px 12px; background: var(--bg); }

/* The others */
.tiles, .form, .columns { display: grid; grid-template-columns: repeat(auto-fill, minmax(230px, 1fr)); gap: 0 24px; }
.tile { padding: 12px 0; display: grid; gap: 2px; }
.tile strong { font-size: 1.54rem; line-height: 28px; font-weight: 600; margin-bottom: -20px; }
.sparkline svg {
  display: block; width: 100%; height: 40px; fill: none; stroke: currentColor; stroke-width: 1.5; border-bottom: var(--hairline);
}
.scale { display: flex; line-height: 16px; }
.sparkline > .scale:first-child { justify-content: end; }
.sparkline polygon { fill: currentColor; stroke: none; opacity: .1; }
.drop { border: 1px dashed var(--line-strong); border-radius: 8px; padding: 24px; justify-items: center; text-align: center; }
progress { width: 100%; height: 6px; accent-color: var(--accent); }
.form { grid-template-columns: repeat(auto-fit, minmax(140px, 1fr)); gap: 12px; align-items: end; }
.columns { grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr)); gap: 24px; }
.rules { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr) minmax(260px, 340px); min-height: 0; }
.source { display: grid; grid-template-columns: max-content minmax(0, 1fr); overflow: auto; font: .9615rem/20px var(--mono); }
.numbers { padding: 8px 8px 8px 12px; text-align: right; color: var(--faint); background: var(--bg); border-right: var(--hairline); }
.numbers .bad { color: var(--danger); font-weight: 600; }
.code-area { position: relative; min-width: max-content; }
.code-area > * { padding: 8px 12px; border: 0; font: inherit; white-space: pre; tab-size: 2; min-height: 100%; }
.code-area textarea {
  position: absolute; inset: 0; max-height: none; color: transparent; caret-color: var(--text); background: none; overflow: hidden;
  resize: none; field-sizing: fixed;
}
.rules-side { border-left: var(--hairline); padding: 12px; }
.issue { width: 100%; padding: 6px 8px; }
.statement { border-left: 3px solid var(--danger); padding-left: 10px; }
.statement.granted { border-color: var(--ok); }

.narrow-only { display: none; }
@media (max-width: 1000px) {
  .has-panel { grid-template-columns: minmax(0, 1fr); }
  .has-panel > .resizer { display: none; }
  .panel-place { position: absolute; inset: 0 0 0 auto; width: min(520px, 100%); z-index: 4; }
  .query-page, .query { display: block; max-height: none; overflow: auto; }
  .results .grid-place { height: 50vh; }
  .rules { grid-template: minmax(240px, 1fr) auto / minmax(0, 1fr); overflow: auto; }
  .code, .rules-side { border-left: 0; border-top: var(--hairline); }
}
@media (max-width: 640px) {
  body { grid-template-columns: 0 minmax(0, 1fr); }
  .narrow-only { display: flex; }
  .wide-only, .type-name, .database .icon { display: none; }
  #top { gap: 2px; padding: 0 6px; }
  .brand { padding: 0; }
  .database { max-width: 76px; }
  #top .button { padding: 0 8px; }
  #left {
    position: fixed; inset: 44px auto 26px 0; width: 240px; z-index: 10; visibility: hidden; translate: -100%;
    transition: translate .15s, visibility .15s; box-shadow: var(--shadow);
  }
  .menu-open #left { visibility: visible; translate: none; }
  .bar .title { max-width: 100%; flex-basis: 100%; }
  .field-menu { opacity: 1; }
  .line { grid-template-columns: minmax(0, 1fr); gap: 0; }
  #top:has(#primary .button + .button) > :is(.brand, .path) { display: none; }
  #primary { margin-left: auto; }
  .results { min-height: 70vh; }
  .list { min-width: 600px; }
}
@media (max-width: 340px) { .brand { display: none; } }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
@media (forced-colors: active) {
  .grid-row.open, #left [aria-current], .chip.on { outline: 1px solid Highlight; outline-offset: -1px; }
  .dot { forced-color-adjust: none; }
}

"""#)

    private static let file1 = ConsoleResource("flame.svg", tag: "abed0f84ebb0f64a", #"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#E2570F" d="M8.4 1c.5 3 4.3 4.6 4.3 8.900A4.7 4.7 0 0 1 8 14.700a4.7 4.7 0 0 1-4.7-4.800c0-2 1-3.3 2.1-4.3.1 1.1.6 1.8 1.2 2.2.1-2.5.4-4.9 1.8-6.800Z"/><path fill="#FFC48A" d="M8 13.700c-1.3 0-2.2-1-2.2-2.2 0-1.3 1.1-2 1.7-3.1 1 .9 2.7 1.7 2.7 3.3 0 1.1-.9 2-2.2 2Z"/></svg>

"""#)

    private static let file2 = ConsoleResource("guide/document.js", tag: "22c81bda3b6e58ab", #"""
// SPDX-License-Identifier: Apache-2.0
// A document beside the text: every value is an input, and what is typed is saved when the input is left.
import { commit } from '/console/lib/api.js';
import { writeOfChanges } from '/console/lib/changes.js';
import {
  converted, editText, elementsOf, fieldsOf, initial, isContainer, parseValue, rootOf, sortedNames, toJSON, typeOf, types, withValue,
} from '/console/lib/values.js';

export const database = 'projects/demo-guide/databases/(default)';
export const nameOf = (path) => `${rootOf(database)}/${path}`;

/** An element; text gets into it as text only. */
export function h(tag, properties, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((c) => c || c === 0));
  return element;
}

const isColor = (value) => /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(value?.stringValue ?? '');

/** A reference names a document, also before one is typed. */
const valid = (value) => (/\/documents\/./.test(value.referenceValue ?? '/documents/x') ? value : { referenceValue: nameOf('books/solaris') });

export class DocumentCard {
  constructor(path, { isReadOnly, tell }) {
    Object.assign(this, { path, name: nameOf(path), isReadOnly, tell, fields: undefined, rows: [] });
    this.list = h('div.fields');
    this.problem = h('p.problem', { role: 'alert' });
    this.element = h('div.document', { role: 'group', 'aria-label': `Document ${path}` }, this.list, this.problem);
    this.draw();
  }

  /** Shows the stored fields: undefined while they are unknown, null for a document that does not exist. */
  show(fields) {
    const before = this.rows;
    this.fields = fields;
    const rows = this.found();
    const isSame = this.isDrawn && rows.length === before.length
      && rows.every((row, i) => row.key === before[i].key && typeOf(row.value) === typeOf(before[i].value));
    if (!isSame) {
      this.draw();
      return;
    }
    rows.forEach((row, i) => {
      if (toJSON(row.value) !== toJSON(before[i].value)) {
        before[i].value = row.value;
        this.refresh(before[i]);
      }
    });
  }

  found() {
    const rows = [];
    const add = (path, value) => {
      rows.push({ path, value, key: toJSON(path) });
      if (typeOf(value) === 'map') for (const name of sortedNames(fieldsOf(value))) add([...path, name], fieldsOf(value)[name]);
      if (typeOf(value) === 'array') elementsOf(value).forEach((v, i) => add([...path, i], v));
    };
    for (const name of sortedNames(this.fields ?? {})) add([name], this.fields[name]);
    return rows;
  }

  draw() {
    const focused = this.list.contains(document.activeElement) ? document.activeElement : null;
    const typed = focused?.isDirty ? focused.value : undefined;
    this.rows = this.found();
    this.isDrawn = Boolean(this.fields);
    this.list.replaceChildren(
      ...(this.fields ? this.rows.map((row) => this.row(row))
        : [h('p.faint', {}, this.fields === null ? 'The document does not exist.' : '…')]),
      ...(this.fields && !this.isReadOnly() ? [this.addition([])] : []));
    // What had the focus has it again, with what was typed.
    const again = focused && this.list.querySelector(`[data-key='${CSS.escape(focused.dataset.key)}']`);
    if (!again) return;
    if (typed !== undefined) again.value = typed;
    again.focus({ preventScroll: true });
  }

  row(row) {
    const { path, value } = row;
    const label = path.join('.');
    const type = typeOf(value);
    const key = (kind) => ({ 'data-key': kind + row.key });
    const isFixed = this.isReadOnly();
    const select = h('select.type', {
      'aria-label': `Type of ${label}`, disabled: isFixed, ...key('type'),
      onchange: () => this.change(path, valid(converted(row.value, select.value, database))),
    }, types.map((t) => h('option', { value: t, selected: t === type }, t)));
    const isEdited = !isContainer(value) && type !== 'null';
    row.input = isEdited ? h('input.value.mono', {
      'aria-label': `Value of ${label}`, spellcheck: 'false', autocomplete: 'off', readonly: isFixed, ...key('value'),
      oninput: () => { row.input.isDirty = true; },
      onchange: () => this.take(row),
      onkeydown: (event) => {
        if (event.key === 'Enter') this.take(row);
        if (event.key === 'Escape') this.refresh(row, true);
      },
    }) : type === 'null' ? h('span.value.v-null.mono', {}, 'null') : isFixed ? h('span') : this.addition(path, value);
    row.swatch = h('span.swatch', { 'aria-hidden': 'true' });
    row.element = h('div.field', {},
      h('span.name.mono', { title: label }, typeof path.at(-1) === 'number' ? `[${path.at(-1)}]` : path.at(-1)), select,
      h('span.cell', {}, row.swatch, row.input),
      !isFixed && h('button.remove', { type: 'button', 'aria-label': `Remove ${label}`, title: 'Remove', ...key('remove'),
        onclick: () => this.change(path, undefined) }, '×'));
    row.element.style.setProperty('--depth', path.length - 1);
    this.refresh(row, true);
    return row.element;
  }

  /** A field more; in arrays an element, like the last one. */
  addition(path, value) {
    const label = path.join('.');
    if (value && typeOf(value) === 'array') {
      const elements = elementsOf(value);
      return h('button.add', { type: 'button', 'aria-label': `Add to ${label}`, 'data-key': `add${toJSON(path)}`,
        onclick: () => this.change(path, { arrayValue: { values: [...elements, elements.at(-1) ?? initial('string')] } }) }, 'Add');
    }
    const input = h('input.mono', { 'aria-label': label ? `New field in ${label}` : 'New field', placeholder: 'new field', size: 9,
      autocomplete: 'off', spellcheck: 'false', 'data-key': `add${toJSON(path)}` });
    return h('form.addition', { onsubmit: (event) => {
      event.preventDefault();
      if (input.value) this.change([...path, input.value], initial('string'));
    } }, input, h('button.add', { type: 'submit', 'aria-label': label ? `Add to ${label}` : 'Add field' }, 'Add'));
  }

  /** Shows the stored value, unless a person is typing another one. */
  refresh(row, isForced = false) {
    if (row.input.matches('input') && (isForced || !row.input.isDirty)) {
      row.input.value = editText(row.value, database);
      row.input.isDirty = false;
      row.input.removeAttribute('aria-invalid');
      row.input.className = `value mono v-${typeOf(row.value)}`;
    }
    row.swatch.hidden = !isColor(row.value);
    if (isColor(row.value)) row.swatch.style.setProperty('--color', row.value.stringValue);
    if (isForced) return;
    row.element.classList.remove('flash');
    requestAnimationFrame(() => row.element.classList.add('flash'));
  }

  take(row) {
    if (!row.input.isDirty) return;
    try {
      const value = parseValue(typeOf(row.value), row.input.value, database);
      row.input.isDirty = false;
      row.input.removeAttribute('aria-invalid');
      this.change(row.path, value);
    } catch (error) {
      row.input.setAttribute('aria-invalid', 'true');
      this.problem.textContent = error.message;
    }
  }

  /** Saves a value at a path; undefined removes it. */
  async change(path, value) {
    this.problem.textContent = '';
    const before = this.fields ?? {};
    await this.commit(writeOfChanges(this.name, before, withValue(before, path, value)));
  }

  async commit(write) {
    if (!write) return;
    try {
      await commit([write]);
    } catch (error) {
      this.problem.textContent = error.message;
    }
  }
}

"""#)

    private static let file3 = ConsoleResource("guide/guide.css", tag: "aceafa20b1b188f3", #"""
/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens of the page are the console's; those of values and code stand here. */
body.guide {
  --string: light-dark(#1B6E4A, #7FD1A4); --number: light-dark(#1D4FBF, #8FB4FF); --boolean: light-dark(#7A3EB1, #CBA2F5);
  --timestamp: light-dark(#8A5200, #E8B870); --reference: light-dark(#0B6B75, #6FCBD3); --geopoint: light-dark(#A62B6C, #F29BC6);
  --null: light-dark(#6B655F, #A59D94); padding: 0; display: grid; grid-template: auto 1fr / 232px minmax(0, 1fr); height: auto; min-height: 100dvh; overflow: visible;
  background: var(--bg); }
html:has(.guide) { scroll-padding-top: 60px; scroll-behavior: smooth; }
.guide-top { grid-area: 1 / 1 / 2 / -1; position: sticky; top: 0; z-index: 5; height: 44px; display: flex; align-items: center; gap: 12px;
  padding: 0 16px; background: var(--surface); border-bottom: 1px solid var(--line); }
.guide-top .brand { display: flex; align-items: center; gap: 6px; font-weight: 650; font-size: 1.077rem; }
.guide-top .state { display: inline-flex; align-items: center; gap: 6px; color: var(--muted); height: auto; cursor: default; }
.guide-nav { grid-area: 2 / 1; position: sticky; top: 44px; align-self: start; max-height: calc(100dvh - 44px); overflow: auto; padding: 20px 8px 20px 12px; }
.guide-nav ol { list-style: none; margin: 0; padding: 0; counter-reset: part; }
.guide-nav li { counter-increment: part; }
.guide-nav a { display: flex; gap: 8px; padding: 4px 8px; border-radius: 6px; color: var(--muted); }
.guide-nav a::before { content: counter(part); min-width: 16px; text-align: right; color: var(--faint); font-variant-numeric: tabular-nums; }
.guide-nav a:hover { background: var(--hover); color: var(--text); }
.guide-nav a[aria-current] { background: var(--soft); color: var(--accent); font-weight: 500; }
.guide-main { grid-area: 2 / 2; display: block; padding: 32px 32px 96px; max-width: 1280px; min-width: 0; outline: none; background: none;
  overflow: visible; }
.guide h1 { font-size: 2.154rem; line-height: 36px; font-weight: 650; letter-spacing: -.015em; text-wrap: balance; margin-bottom: 12px; }
.guide h2 { font-size: 1.538rem; line-height: 28px; font-weight: 650; letter-spacing: -.01em; display: flex; gap: 12px; }
.guide h2 .number { color: var(--accent); font-weight: 500; font-variant-numeric: tabular-nums; }
.guide-main p { max-width: 68ch; text-wrap: pretty; }
.intro > p, .prose p, .lives > p { font-size: 1.154rem; line-height: 24px; }
.prose { display: grid; gap: 12px; margin: 10px 0 20px; }
.prose code, .intro code, .guide-notice code, .report-head code, .lives > p code { background: var(--sunken); border: 1px solid var(--line);
  border-radius: 4px; padding: 0 4px; overflow-wrap: anywhere; }
.section-of-guide { padding: 40px 0 0; margin-top: 40px; border-top: 1px solid var(--line); }
.pair { display: grid; grid-template-columns: minmax(0, 11fr) minmax(0, 10fr); gap: 24px; align-items: start; }
.codes, .lives { display: grid; gap: 16px; min-width: 0; }
@media (min-width: 1181px) { .lives { position: sticky; top: 60px; } }
.lives > p { color: var(--muted); font-size: 1.077rem; line-height: 22px; }

/* Code */
.code { margin: 0; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); overflow: hidden; }
.guide figure.code { display: block; }
.code figcaption { padding: 6px 12px; border-bottom: 1px solid var(--line); color: var(--faint); font-size: .923rem; }
.guide pre { margin: 0; padding: 12px; overflow: auto; line-height: 20px; tab-size: 4; white-space: pre; }
.code pre { max-height: 520px; }
.s-word { color: var(--accent); } .s-type { color: var(--reference); } .s-text { color: var(--string); } .s-number { color: var(--number); }
.s-note { color: var(--faint); font-style: italic; } .s-mark { color: var(--boolean); }

/* Documents, and what Swift makes of them */
.tries { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.try { font: inherit; font-weight: 500; min-height: 28px; padding: 3px 12px; border-radius: 14px; border: 1px solid var(--line);
  background: var(--surface); color: var(--accent); cursor: pointer; text-align: left; }
.try:hover { background: var(--soft); border-color: var(--accent); }
.live { border: 1px solid var(--line); border-radius: 8px; background: var(--surface); overflow: hidden; }
.live-head { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; padding: 6px 8px 6px 12px; border-bottom: 1px solid var(--line);
  max-width: none !important; }
.live-head a { flex: 1 1 auto; color: var(--text); font-weight: 600; text-decoration: none; overflow-wrap: anywhere; }
.live-head a:hover { text-decoration: underline; }
.document { padding: 6px 4px 6px 12px; }
.document > .problem { padding: 4px 0; }
.field { display: grid; grid-template-columns: minmax(0, 2fr) 92px minmax(0, 3fr) 24px; gap: 4px; align-items: center; min-height: 30px;
  border-radius: 4px; }
.field .name { padding-left: calc(var(--depth) * 14px); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.field select.type { width: 100%; height: 26px; padding: 0 2px; border-color: transparent; background: none; color: var(--muted);
  font-size: .923rem; }
.field select.type:hover, .field .value:hover { border-color: var(--line); }
.cell { display: flex; align-items: center; gap: 6px; min-width: 0; }
.cell input.value { width: 100%; height: 26px; padding: 0 6px; border-color: transparent; background: none; }
.cell input.value:focus { background: var(--surface); border-color: var(--line-strong); }
.cell span.value { padding: 0 7px; }
.cell input[aria-invalid] { border-color: var(--danger) !important; }
.swatch { flex: none; width: 14px; height: 14px; border-radius: 4px; background: var(--color); border: 1px solid var(--line-strong);
  margin-left: 4px; }
.remove, .add { font: inherit; border: 0; background: none; color: var(--faint); min-width: 24px; height: 24px; border-radius: 4px;
  cursor: pointer; padding: 0 4px; }
.remove:hover { color: var(--danger); background: var(--hover); } .add { color: var(--accent); font-weight: 500; }
.add:hover { background: var(--hover); }
.addition { display: flex; gap: 4px; align-items: center; min-width: 0; }
.addition input { height: 24px; border-color: transparent; background: none; width: 100px; padding: 0 6px; }
.fields > .addition input { padding: 0; margin-right: 12px; }
.addition input:hover { border-color: var(--line); } .addition input:focus { border-color: var(--line-strong); background: var(--surface); }
.guide .v-string { color: var(--string); } .guide :is(.v-integer, .v-double) { color: var(--number); }
.guide .v-boolean { color: var(--boolean); } .guide .v-timestamp { color: var(--timestamp); } .guide .v-geopoint { color: var(--geopoint); }
.guide .v-reference { color: var(--reference); } .guide .v-null { color: var(--null); font-style: italic; }
.report { border-top: 1px solid var(--line); background: var(--bg); box-shadow: inset 3px 0 var(--ok); }
.report.failed { box-shadow: inset 3px 0 var(--danger); background: color-mix(in srgb, var(--danger-soft) 55%, var(--surface)); }
.report.stale { box-shadow: inset 3px 0 var(--line-strong); }
.report-head { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: baseline; padding: 8px 12px 0; color: var(--muted); }
.report.stale .report-head { padding-bottom: 8px; }
.report.failed .report-head { color: var(--danger); }
.report pre { padding: 6px 12px 10px; }
.report .error { padding: 4px 12px 10px; color: var(--text); overflow-wrap: anywhere; line-height: 20px; }
.network, .server-has { padding: 6px 12px; color: var(--muted); } .network:empty, .server-has:empty { display: none; }
.guide-notice { background: var(--soft); border: 1px solid color-mix(in srgb, var(--accent) 40%, transparent); border-radius: 8px;
  padding: 10px 14px; margin-bottom: 24px; }
.guide-notice, .guide-notice form { display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: center; }
.guide-notice p { line-height: 24px; }
.guide-notice > div { flex: 1 1 280px; }
.button:disabled { cursor: default; }
@keyframes guide-flash { from { background-color: color-mix(in srgb, var(--ok) 22%, transparent); } }
.field.flash, .report.flash { animation: guide-flash 1s ease-out; }

@media (max-width: 1180px) { .pair { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 860px) {
  body.guide { grid-template: auto auto 1fr / minmax(0, 1fr); }
  .guide-nav { position: static; max-height: none; padding: 12px 16px; border-bottom: 1px solid var(--line); }
  .guide-nav ol { columns: 2; column-gap: 8px; }
  .guide-nav li { break-inside: avoid; }
  .guide-main { grid-area: 3 / 1; padding: 20px 16px 64px; }
}
@media (max-width: 480px) {
  .guide-top { gap: 8px; padding: 0 12px; white-space: nowrap; } .guide-top > .muted { display: none; }
  .guide h1 { font-size: 1.77rem; line-height: 30px; }
  .field { grid-template-columns: minmax(0, 1fr) 92px 24px; }
  .field .cell { grid-column: 1 / 3; grid-row: 2; padding-left: calc(var(--depth) * 14px); }
  .field { padding: 4px 0; border-bottom: 1px solid var(--line); }
}
@media (prefers-reduced-motion: reduce) { html:has(.guide) { scroll-behavior: auto; } }
@media (forced-colors: active) { .guide-nav [aria-current], .report.failed { outline: 1px solid Highlight; outline-offset: -1px; }
  .swatch { forced-color-adjust: none; } }

"""#)

    private static let file4 = ConsoleResource("guide/guide.js", tag: "960c717de74ae537", #"""
// SPDX-License-Identifier: Apache-2.0
// The guide as a page: text, the code of the example, its documents, and what the Swift process makes of them.
import { commit, connection, keepToken, loadServer, takeToken } from '/console/lib/api.js';
import { announce } from '/console/lib/dom.js';
import * as live from '/console/lib/live.js';
import { isReadOnly, remember, route, theme } from '/console/lib/store.js';
import { writeOfDocument } from '/console/lib/changes.js';
import { newID, relative, rootOf } from '/console/lib/values.js';
import { DocumentCard, database, h, nameOf } from './document.js';
import { sections } from './sections.js';
import { samples } from './sources.js';
import { colored, excerpt } from './swift.js';

const byID = (id) => document.getElementById(id);
/** A process that has been silent for longer is taken as absent; it writes every 2 s. */
const silence = 7000;
const cards = new Map();
const reports = new Map();
const results = new Map();
let isRunning = false;
let lastBeat = 0;

const stored = (path) => cards.get(path)?.card;
/** The fields of a sample; references in it are paths. */
const sampleOf = (path) => JSON.parse(JSON.stringify(samples[path]), (key, value) => (key === 'referenceValue' ? nameOf(value) : value));

async function ask(action, path) {
  try {
    const fields = { action: { stringValue: action }, ...(path && { path: { stringValue: path } }) };
    await commit([writeOfDocument(nameOf(`guide-requests/${newID()}`), fields, { exists: false })]);
  } catch (error) {
    announce(error.message, true);
  }
}

// Text

/** Words between backticks are code. */
const prose = (paragraph) => h('p', {}, paragraph.split('`').map((part, i) => (i % 2 ? h('code', {}, part) : part)));

function codeOf([file, start]) {
  return h('figure.code', {}, h('figcaption', {}, `Sections/${file}`),
    h('pre', { tabindex: '0', role: 'group', 'aria-label': `Code of ${file}: ${start}` }, h('code', {}, colored(excerpt(file, start) ?? ''))));
}

/** What the Swift process says about a document or a list. */
function reportOf(subject) {
  const output = h('div.report', { role: 'group', 'aria-label': `Swift, ${subject}` });
  reports.set(subject, output);
  return output;
}

function drawReport(subject) {
  const output = reports.get(subject);
  if (!output) return;
  const { value, error, case: kind, codingPath } = results.get(subject) ?? {};
  output.classList.toggle('stale', !isRunning);
  output.classList.toggle('failed', Boolean(error));
  output.replaceChildren(...[
    h('p.report-head', {}, h('span.heading', {}, 'Swift'),
      !isRunning ? h('span', {}, 'does not run; start it with ', h('code', {}, 'make guide'))
        : error ? h('span', {}, kind ? h('code', {}, kind) : 'an error', codingPath && [' at ', h('code', {}, codingPath)])
          : value !== undefined && h('span', {}, 'decoded')),
    isRunning && value !== undefined && h('pre', { tabindex: '0', role: 'group', 'aria-label': `Value of ${subject}` },
      h('code', {}, colored(value))),
    isRunning && error && h('p.error', {}, error),
  ].filter(Boolean));
  for (const button of document.querySelectorAll('[data-needs-swift]')) button.disabled = !isRunning;
}

function documentOf(path, section) {
  const card = new DocumentCard(path, { isReadOnly });
  const reset = () => {
    const write = samples[path] ? writeOfDocument(nameOf(path), sampleOf(path)) : { delete: nameOf(path) };
    return card.commit(write);
  };
  // A list has one report.
  const report = section.list ? null : reportOf(path);
  const element = h('div.live', {},
    h('p.live-head', {}, h('a.mono', { href: `/console/data/demo-guide/(default)/${path}` }, path),
      section.writes && h('button.button.small', { type: 'button', 'data-needs-swift': true, disabled: true,
        title: 'The Swift process decodes the document and stores what it has decoded', onclick: () => ask('write', path) },
      'Write back'),
      h('button.button.small', { type: 'button', 'aria-label': `Reset ${path}`, onclick: reset }, 'Reset')),
    card.element, report);
  cards.set(path, { card, reset });
  return element;
}

const action = (label, name) => h('button.button.small', { type: 'button', 'data-needs-swift': true, disabled: true,
  onclick: () => ask(name) }, label);

/** A collection that a listener of the Swift side shows. */
function listOf(section) {
  const isDrafts = section.list === 'drafts';
  const subject = isDrafts ? 'offline' : section.list;
  const network = h('p.network', { role: 'status' });
  if (isDrafts) network.id = 'network';
  return h('div.live', {}, h('p.live-head', {}, h('a.mono', { href: `/console/data/demo-guide/(default)/${section.list}` }, section.list),
    isDrafts ? [action('Disconnect', 'disconnect'), action('Connect', 'connect'), action('Add a draft', 'add-draft')]
      : action('Add a colour in Swift', 'add-color')),
  isDrafts && network, h('p.server-has', { id: `server-${section.list}` }), reportOf(subject));
}

function tryOf({ label, path, field, value }) {
  return h('button.try', { type: 'button', onclick: async () => {
    const card = stored(path);
    if (card && card.fields !== undefined) await card.change(field, value);
  } }, label);
}

function drawSections() {
  byID('guide-text').append(
    h('div.intro', {}, h('h1', {}, 'Mapping documents with Swift’s Codable'),
      prose('How Swift types become Firestore documents and back: each section has the code, a document that it reads, and what came out. '
        + 'The documents are live. Change a value or its type, and the Swift process, a client of this server that runs exactly the code '
        + 'shown here, decodes it again.')),
    ...sections.map((section, i) => h('section.section-of-guide', { id: section.id, 'aria-labelledby': `${section.id}-title` },
      h('h2', { id: `${section.id}-title` }, h('span.number', { 'aria-hidden': 'true' }, i + 1), section.title),
      h('div.prose', {}, section.text.map(prose)),
      h('div.pair', {}, h('div.codes', {}, section.code.map(codeOf)),
        h('div.lives', {},
          section.tries.length > 0 && h('div.tries', { role: 'group', 'aria-label': 'Try' }, h('span.heading', {}, 'Try'),
            section.tries.map(tryOf)),
          section.list && listOf(section), section.documents.map((path) => documentOf(path, section)),
          section.after && prose(section.after))))));
  for (const subject of reports.keys()) drawReport(subject);
  byID('contents').append(h('ol', {}, sections.map((s) => h('li', {}, h('a', { href: `#${s.id}` }, s.title)))));
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const link = byID('contents').querySelector(`a[href="#${target.id}"]`);
      if (isIntersecting) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  }, { rootMargin: '-30% 0px -60% 0px' });
  for (const element of document.querySelectorAll('.section-of-guide')) seen.observe(element);
}

// Top

function drawTop() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (theme.value === 'system' ? dark.matches : theme.value === 'dark');
  byID('guide-top').append(
    h('a.brand', { href: '/console/' }, h('img', { src: '/console/flame.svg', alt: '', width: '18', height: '18' }), 'Hearth'),
    h('span.muted', {}, 'Guide'), h('span.grow'), h('span.state', { id: 'state', role: 'status' }),
    h('button.tool', { type: 'button', onclick: () => {
      theme.value = isDark() ? 'light' : 'dark';
      remember('theme', theme.value);
    } }, 'Theme'));
  theme.watch((value) => { document.documentElement.dataset.theme = value; });
}

function drawState() {
  const state = connection.value === 'locked' ? ['gone', 'No token'] : connection.value === 'gone' ? ['gone', 'No connection']
    : isRunning ? ['live', 'Swift process runs'] : ['paused', 'No Swift process'];
  byID('state').replaceChildren(h(`span.dot.${state[0]}`, { 'aria-hidden': 'true' }), state[1]);
  const missing = connection.value === 'ok' && !isRunning && Object.keys(samples).some((path) => !stored(path)?.fields);
  const bar = byID('bar') ?? h('div.guide-notice', { id: 'bar', role: 'region', 'aria-label': 'Notice' });
  const kind = `${connection.value} ${isRunning} ${missing}`;
  if (bar.kind === kind) return;
  bar.kind = kind;
  if (connection.value === 'locked') bar.replaceChildren(tokenForm());
  else if (connection.value === 'gone') {
    bar.replaceChildren(h('p', {}, 'The server does not answer. The page goes on by itself when it is back.'));
  } else if (!isRunning) {
    bar.replaceChildren(h('div', {}, h('p', {}, 'The Swift half of this guide does not run. The documents can be read and changed, but '
      + 'nothing decodes them. In the folder of Hearth, ', h('code', {}, 'make guide'), ' starts a server and the Swift process together; ',
    h('code', {}, `.build/debug/guide-live ${location.host}`), ' joins this server.')),
    missing && !isReadOnly() ? h('button.button.small', { type: 'button', onclick: seed }, 'Write the documents that are missing') : '');
  }
  if (connection.value === 'ok' && isRunning) bar.remove();
  else if (!bar.isConnected) byID('guide-text').prepend(bar);
}

function tokenForm() {
  const input = h('input.mono', { id: 'token', autocomplete: 'off', spellcheck: 'false' });
  return h('form', { onsubmit: async (event) => {
    event.preventDefault();
    keepToken(/#t=([^&\s]+)/.exec(input.value)?.[1] ?? input.value.trim());
    await start();
  } }, h('p', {}, 'The documents need the address with the token: ', h('code', {}, 'hearth guide --print'), ' or ',
    h('code', {}, 'hearth console --print'), ' prints it.'),
  h('label', {}, 'Token or address ', input), h('button.button.small', { type: 'submit' }, 'Open'));
}

async function seed() {
  const writes = Object.keys(samples).filter((path) => !stored(path)?.fields)
    .map((path) => writeOfDocument(nameOf(path), sampleOf(path), { exists: false }));
  try {
    await commit(writes);
    live.restart();
  } catch (error) {
    announce(error.message, true);
  }
}

// Live

/** The plain value of what reports consist of. */
const plain = (fields) => Object.fromEntries(Object.entries(fields ?? {}).map(([key, v]) =>
  [key, v.integerValue !== undefined ? Number(v.integerValue) : v.stringValue ?? v.booleanValue ?? v.timestampValue]));

function heard(name, fields) {
  const path = relative(name);
  const card = stored(path);
  if (card) {
    card.show(fields);
    drawState();
  }
  if (path.startsWith('guide-live/')) heardReport(path.slice('guide-live/'.length), plain(fields));
}

function heardReport(id, result) {
  if (id === 'process') {
    // What was written before the page came counts by its time; afterwards every change is a sign of life.
    const age = Date.now() - Date.parse(result.beat);
    if (result.beat === undefined) setRunning(false);
    else if (lastBeat || age < silence) {
      lastBeat = Date.now();
      setRunning(true);
    } else lastBeat = Date.now() - silence;
    return;
  }
  const subject = [...reports.keys()].find((s) => s.replace('/', '.') === id);
  if (!subject) return;
  const before = results.get(subject);
  results.set(subject, result);
  drawReport(subject);
  if (before && before.count !== result.count) {
    const output = reports.get(subject);
    output.classList.remove('flash');
    requestAnimationFrame(() => output.classList.add('flash'));
    announce(`${subject}: ${result.error ?? 'decoded'}`);
  }
  if (subject === 'offline') {
    byID('network').textContent = result.isOnline ? 'The second client is connected.'
      : `The second client is offline; ${result.waiting} ${result.waiting === 1 ? 'draft waits' : 'drafts wait'}.`;
  }
}

function setRunning(value) {
  if (isRunning === value) return;
  isRunning = value;
  for (const subject of reports.keys()) drawReport(subject);
  drawState();
}

/** A list as the server has it: the number of its documents. */
function watchList(collection) {
  const names = new Set();
  const draw = () => { byID(`server-${collection}`).textContent = `On the server: ${names.size} in ${collection}.`; };
  live.watch(`list-${collection}`, { query: { parent: rootOf(database), structuredQuery: { from: [{ collectionId: collection }] } } }, {
    change: ({ name }) => { names.add(name); draw(); }, remove: (name) => { names.delete(name); draw(); }, reset: () => names.clear(),
    count: () => names.size, current: draw,
  });
}

async function start() {
  try {
    await loadServer();
  } catch { /* The bar says why. */ }
  drawState();
  if (connection.value !== 'locked') live.restart();
}

async function main() {
  route.value = { page: 'data', project: 'demo-guide', database: '(default)', path: [], params: {} };
  drawTop();
  drawSections();
  await takeToken();
  connection.onChange(drawState);
  live.followPage();
  live.watch('documents', { documents: { documents: [...cards.keys()].map(nameOf) } }, {
    change: ({ name, fields }) => heard(name, fields ?? {}), remove: (name) => heard(name, null),
    // Of a document that has never existed nothing is said.
    current: () => { for (const { card } of cards.values()) if (card.fields === undefined) heard(card.name, null); },
  });
  live.watch('reports', { query: { parent: rootOf(database), structuredQuery: { from: [{ collectionId: 'guide-live' }] } } }, {
    change: ({ name, fields }) => heard(name, fields), remove: (name) => heard(name, undefined), reset: () => {}, current: drawState,
  });
  watchList('colors');
  watchList('drafts');
  setInterval(() => { if (Date.now() - lastBeat > silence) setRunning(false); }, 1000);
  await start();
  if (location.hash) byID(location.hash.slice(1))?.scrollIntoView();
}

main();

"""#)

    private static let file5 = ConsoleResource("guide/index.html", tag: "214e6abf187a7bd8", #"""
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Mapping documents with Codable · Hearth</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <link rel="icon" href="/console/flame.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/console/console.css">
  <link rel="stylesheet" href="/guide/guide.css">
  <link rel="modulepreload" href="/console/lib/values.js">
  <link rel="modulepreload" href="/console/lib/api.js">
  <link rel="modulepreload" href="/console/lib/live.js">
  <link rel="modulepreload" href="/guide/sections.js">
  <link rel="modulepreload" href="/guide/sources.js">
  <link rel="modulepreload" href="/guide/document.js">
  <script type="module" src="/guide/guide.js"></script>
</head>
<body class="guide">
  <a class="skip" href="#guide-text">Skip to the text</a>
  <header class="guide-top" id="guide-top"></header>
  <nav class="guide-nav" id="contents" aria-label="Sections"></nav>
  <main class="guide-main" id="guide-text" tabindex="-1"></main>
  <div id="news" class="visually-hidden" role="status" aria-live="polite"></div>
  <div id="alerts" class="visually-hidden" role="alert" aria-live="assertive"></div>
  <noscript>The guide needs JavaScript.</noscript>
</body>
</html>

"""#)

    private static let file6 = ConsoleResource("guide/sections.js", tag: "c1dd1b39fe3ed180", #"""
// SPDX-License-Identifier: Apache-2.0
// The text of the guide, and what to try. Code and documents come from Examples/Guide (sources.js).
const text = (s) => ({ stringValue: s });
const whole = (n) => ({ integerValue: String(n) });
const nothing = { nullValue: null };

/** A change to try: without a value the field is removed. */
const attempt = (label, path, field, value) => ({ label, path, field: [field].flat(), value });

/**
 * `code`: file and the line that an excerpt begins with. `documents`: what is shown beside it. `writes`: the Swift side can write the value
 * that it has decoded. `list`: a collection that a listener of the Swift side shows.
 */
export const sections = [
  {
    id: 'by-hand', title: 'Mapping by hand',
    text: ['A document arrives as a dictionary: names of fields, and values of type `Any`. One can take it apart field by field, with a '
      + 'cast and a fallback for each, and at first that looks like little work.',
    'The trouble is what happens when the data is not what the code believes. The cast fails, the fallback takes its place, and nothing '
      + 'says so: a book with no pages looks like any other. Every new field also has to be added here, in the right spelling.'],
    code: [['ManualMapping.swift', 'public func fetchBook']], documents: ['books/solaris'],
    tries: [attempt('Store the pages as text', 'books/solaris', 'numberOfPages', text('204')),
      attempt('Remove the author', 'books/solaris', 'author')],
    after: 'Both are wrong data, and both produce a book. The rest of this guide is about finding out instead.',
  },
  {
    id: 'simple-types', title: 'Simple types',
    text: ['A type that conforms to `Codable` already says what it consists of. The compiler writes the code that takes it apart and puts it '
      + 'together, so reading becomes one call, `data(as:)`, and writing another, `setData(from:)`.',
    'Strings, integers, floating-point numbers and booleans map to the Swift types one expects. A property that is not optional is a promise: '
      + 'a document without it does not decode.'],
    code: [['Book.swift', 'public struct Book'], ['SimpleTypes.swift', 'self.book = try document.data(as: Book.self)'],
      ['SimpleTypes.swift', 'public func updateBook']],
    documents: ['books/left-hand'], writes: true,
    tries: [attempt('Store the pages as text', 'books/left-hand', 'numberOfPages', text('304')),
      attempt('A double without a fraction', 'books/left-hand', 'numberOfPages', { doubleValue: 304 }),
      attempt('Half a page more', 'books/left-hand', 'numberOfPages', { doubleValue: 304.5 }),
      attempt('A field that the type does not have', 'books/left-hand', 'isLent', { booleanValue: true })],
    after: 'Unknown fields do no harm when reading. `setData(from:)` replaces the document, though: write it back and the extra field is gone.',
  },
  {
    id: 'nested-types', title: 'Types within types',
    text: ['A struct inside a struct is a map inside a document. Nothing has to be written for it: if the inner type is `Codable`, so is the '
      + 'outer one. URLs are stored as their text.',
    'The cover is optional here. A document may come without it, but if there is one it has to be complete.'],
    code: [['NestedTypes.swift', 'public struct CoverImages'], ['NestedTypes.swift', 'public struct BookWithCoverImages']],
    documents: ['books/piranesi'], writes: true,
    tries: [attempt('Remove the cover', 'books/piranesi', 'cover'), attempt('Remove one size', 'books/piranesi', ['cover', 'medium'])],
  },
  {
    id: 'arrays', title: 'Arrays',
    text: ['An array property is an array in the document, of anything that is `Codable`: plain strings for genres, or a struct with a title and '
      + 'a colour for tags. Elements are part of their document and need no id.',
    'When one element does not fit, the whole document does not. The error says which one.'],
    code: [['Arrays.swift', 'public struct BookWithGenre'], ['Arrays.swift', 'public enum ArraysOfNestedTypes']],
    documents: ['books/gideon', 'books/all-systems-red'], writes: true,
    tries: [attempt('A number among the genres', 'books/gideon', ['genres', 1], whole(7)),
      attempt('A tag without a colour', 'books/all-systems-red', ['tags', 1, 'color'])],
  },
  {
    id: 'document-ids', title: 'Document ids',
    text: ['The id of a document is part of its path and not of its fields, yet an app needs it: to write a changed value to the place it came '
      + 'from, and to tell the rows of a list apart. A property with `@DocumentID` receives it when a document is read, and is left out when '
      + 'the value is written.'],
    code: [['Book.swift', 'public struct Book']], documents: ['books/earthsea'], writes: true,
    tries: [attempt('Store a field named id', 'books/earthsea', 'id', text('another'))],
    after: 'A stored field of the same name would compete with the real id. It is reported, not resolved silently.',
  },
  {
    id: 'dates', title: 'Dates and times',
    text: ['Firestore has a type for moments in time, with microseconds, and `Date` maps to it in both directions. A `Timestamp` property keeps '
      + 'every digit; a `Date` is a floating-point number and rounds. A text that merely looks like a date is a string.'],
    code: [['DatesAndTimes.swift', 'public struct ProgrammingLanguage']], documents: ['programming-languages/smalltalk'], writes: true,
    tries: [attempt('A year as a number', 'programming-languages/smalltalk', 'year', whole(1972)),
      attempt('A date as text', 'programming-languages/smalltalk', 'year', text('1972-09-01'))],
  },
  {
    id: 'server-timestamps', title: 'Server timestamps',
    text: ['Clocks of devices disagree. For the moment of a write, the clock that counts is the server’s: a property with `@ServerTimestamp` '
      + 'that is `nil` is filled in by the server as it stores the document. A value that is there already stays.',
    'This article was stored without either time. Write it back from Swift: both properties are `nil`, so both get the server’s time, and '
      + 'the listener hears of it at once. Remove one of the fields and write back again.'],
    code: [['DatesAndTimes.swift', 'public struct Article']], documents: ['articles/today'], writes: true,
    tries: [attempt('Forget when it was updated', 'articles/today', 'lastUpdatedAt')],
  },
  {
    id: 'places', title: 'Geopoints, references and URLs',
    text: ['A position on Earth is a `GeoPoint`, two doubles in one value. Core Location’s type for the same is one initialiser away. A '
      + '`DocumentReference` property points to another document, and can be read at once. A `URL` is a string that has to parse.'],
    code: [['Geopoints.swift', 'public struct Office'], ['Geopoints.swift', 'extension Office'], ['References.swift', 'public struct Loan']],
    documents: ['locations/lisbon', 'loans/1842'], writes: true,
    tries: [attempt('Move the office south', 'locations/lisbon', 'location', { geoPointValue: { latitude: -33.9249, longitude: 18.4241 } }),
      attempt('Two numbers are not a geopoint', 'locations/lisbon', 'location', { arrayValue: { values: [whole(38), whole(-9)] } }),
      attempt('A path as text', 'loans/1842', 'book', text('books/piranesi')), attempt('An empty URL', 'loans/1842', 'receipt', text(''))],
  },
  {
    id: 'enums', title: 'Enums',
    text: ['Firestore does not restrict a field to a list of values, but a Swift type can. An enum with raw values is stored as its raw value, '
      + 'and a value outside the list is an error rather than a state that the app has never heard of.',
    'The raw value is also where a case and its stored text part ways: `inReview` is stored as “in review”.'],
    code: [['Enums.swift', 'public enum Status'], ['Enums.swift', 'public struct Article']], documents: ['articles/hearths'], writes: true,
    tries: [attempt('Publish it', 'articles/hearths', 'status', text('published')),
      attempt('The name of the case', 'articles/hearths', 'status', text('inReview')),
      attempt('A state from the future', 'articles/hearths', 'status', text('retracted'))],
  },
  {
    id: 'coding-keys', title: 'Other names: CodingKeys',
    text: ['Fields are often named by someone else, in another style. An enum `CodingKeys` lists the properties that are mapped, and for each '
      + 'the name it has in the document. Once there is such an enum it is complete: a property that it does not list is neither read nor '
      + 'written, which is also how one keeps a property out. It then needs a default value.'],
    code: [['CustomizingTheMapping.swift', 'public struct ProgrammingLanguage: Identifiable, Codable']],
    documents: ['programming-languages/swift'], writes: true,
    tries: [attempt('Name the field as Swift does', 'programming-languages/swift', 'name', text('Swift')),
      attempt('Without language_name', 'programming-languages/swift', 'language_name')],
    after: 'The reason is stored in the document, and the decoded value has an empty one. Written back, the document loses it.',
  },
  {
    id: 'explicit-null', title: 'Nothing, and null',
    text: ['An optional that is `nil` is left out when it is written, so the document has no such field. Where a query should find '
      + 'documents without a value, an absent field is of no use: it is in no index. `@ExplicitNull` writes `null` instead.',
    'Reading treats both alike: absent or null, the property is `nil`. The difference appears when the value is written back.'],
    code: [['CustomizingTheMapping.swift', 'public struct Reader']], documents: ['readers/grace'], writes: true,
    tries: [attempt('No nickname: null', 'readers/grace', 'nickname', nothing),
      attempt('Remove the favourite', 'readers/grace', 'favouriteLanguage'), attempt('A name of null', 'readers/grace', 'name', nothing)],
  },
  {
    id: 'custom-coding', title: 'A coder of one’s own: colours',
    text: ['Some types are not `Codable`, or not in the form one wants to store. A colour as a map of four numbers is hard to read and to '
      + 'query; as the text that style sheets use, every client understands it. `init(from:)` and `encode(to:)` with a single-value container '
      + 'are all it takes, and every type that contains a colour is `Codable` again.',
    'The decoder is also the place to insist on a form: a text that is not a colour is refused with a message of one’s own.'],
    code: [['Color+Hex.swift', 'extension Color: Codable'], ['Colors.swift', 'public struct Tag']], documents: ['books/frankenstein'],
    writes: true,
    tries: [attempt('A short form', 'books/frankenstein', ['tags', 0, 'color'], text('#a3e')),
      attempt('A name instead', 'books/frankenstein', ['tags', 0, 'color'], text('purple'))],
    after: 'Written back, the short form becomes six digits: it was decoded to numbers and encoded from them.',
  },
  {
    id: 'errors', title: 'When a document does not fit',
    text: ['Four things can be wrong with a field, and `DecodingError` has a case for each: another type (`typeMismatch`), null where a value is '
      + 'needed (`valueNotFound`), no field at all (`keyNotFound`), and the right type with an impossible content (`dataCorrupted`). A '
      + 'document that does not exist is an error of its own.',
    'The view model below fetches three documents. What stands under each is its `book` or its `errorMessage`.'],
    code: [['HandlingErrors.swift', 'private func fetchBook']], documents: ['books/hitchhiker', 'books/invalid-data', 'books/does-not-exist'],
    tries: [attempt('Pages: null', 'books/hitchhiker', 'numberOfPages', nothing), attempt('No author', 'books/hitchhiker', 'author'),
      attempt('Half a page', 'books/hitchhiker', 'numberOfPages', { doubleValue: 0.5 }),
      attempt('Repair the second', 'books/invalid-data', 'numberOfPages', whole(200)),
      attempt('Create the third', 'books/does-not-exist', 'title', text('It does now'))],
  },
  {
    id: 'live-updates', title: 'Errors in live updates',
    text: ['A snapshot listener delivers a list again and again, and sooner or later one of its documents does not fit. One bad document should '
      + 'not empty the screen: each is decoded on its own, the good ones are shown, and the message tells about the others.',
    'The message is that of the document decoded last, so a good one after a bad one clears it. An app that wants to report every problem '
      + 'collects them.'],
    code: [['LiveUpdates.swift', 'public func subscribe'], ['LiveUpdates.swift', 'public func addColorEntry']], list: 'colors',
    documents: ['colors/ember', 'colors/moss', 'colors/sky'],
    tries: [attempt('Spoil the last', 'colors/sky', 'color', text('light blue')), attempt('Spoil the first', 'colors/ember', 'color', whole(7))],
  },
  {
    id: 'offline', title: 'Adding documents, also offline',
    text: ['`addDocument(from:)` returns at once, with the id of the new document, and does not wait for the server. Listeners show the '
      + 'document immediately, marked with `hasPendingWrites`. Without a connection the write waits in a queue and is sent when the '
      + 'connection is back; only then has the server set its timestamps.',
    'The Swift process has a second client for this section, whose network you can switch off. Add a draft while it is off: its listener has '
      + 'the draft, with no time of creation, and the server has nothing.'],
    code: [['SimpleTypes.swift', 'public func addBook'], ['DatesAndTimes.swift', 'public struct Article']], list: 'drafts', documents: [],
    tries: [],
  },
];

"""#)

    private static let file7 = ConsoleResource("guide/sources.js", tag: "525f4f3774fc9399", #"""
// SPDX-License-Identifier: Apache-2.0
// Made by dev/console-resources from Examples/Guide. Do not edit.
export const code = {
  "Arrays.swift": "import FirebaseFirestore\n\n/// Section \"Arrays\": any codable type may be an element.\npublic struct BookWithGenre: Codable {\n    @DocumentID var id: String?\n    var title: String\n    var numberOfPages: Int\n    var author: String\n    var genres: [String]\n}\n\n/// Tags whose colour is still plain text; the colour section replaces it.\npublic enum ArraysOfNestedTypes {\n    public struct Tag: Codable, Hashable {\n        var title: String\n        var color: String\n    }\n\n    public struct BookWithTags: Codable {\n        @DocumentID var id: String?\n        var title: String\n        var numberOfPages: Int\n        var author: String\n        var tags: [Tag]\n    }\n}\n",
  "Book.swift": "import FirebaseFirestore\n\n/// The guide's model: three fields and the id of the document they came from.\npublic struct Book: Codable {\n    @DocumentID public var id: String?\n    public var title: String\n    public var numberOfPages: Int\n    public var author: String\n\n    public init(id: String? = nil, title: String, numberOfPages: Int, author: String) {\n        self.id = id\n        self.title = title\n        self.numberOfPages = numberOfPages\n        self.author = author\n    }\n}\n\nextension Book {\n    public static var empty: Book { Book(title: \"\", numberOfPages: 0, author: \"\") }\n}\n",
  "Color+Hex.swift": "import SwiftUI\n\n/// Section \"Using a custom encoder and decoder for mapping colors\": a colour is a CSS hex string.\nextension Color {\n    init(hex: String) {\n        let rgba = hex.toRGBA()\n\n        self.init(\n            .sRGB,\n            red: Double(rgba.r),\n            green: Double(rgba.g),\n            blue: Double(rgba.b),\n            opacity: Double(rgba.alpha))\n    }\n\n    /// `#rrggbb`, or `#rrggbbaa` when the colour is not opaque; nil outside sRGB, which CSS hex cannot express.\n    var toHex: String? {\n        guard colorSpace == .sRGB else { return nil }\n        let components = opacity < 1 ? [red, green, blue, opacity] : [red, green, blue]\n        return \"#\"\n            + components.map { component in\n                let byte = UInt8((min(max(component, 0), 1) * 255).rounded())\n                return (byte < 16 ? \"0\" : \"\") + String(byte, radix: 16)\n            }.joined()\n    }\n}\n\nextension Color: Codable {\n    public init(from decoder: Decoder) throws {\n        let container = try decoder.singleValueContainer()\n        let hex = try container.decode(String.self)\n        guard hex.hexDigits != nil else {\n            throw DecodingError.dataCorruptedError(\n                in: container, debugDescription: \"A colour is written #rgb, #rgba, #rrggbb or #rrggbbaa.\")\n        }\n\n        self.init(hex: hex)\n    }\n\n    public func encode(to encoder: Encoder) throws {\n        var container = encoder.singleValueContainer()\n        try container.encode(toHex)\n    }\n}\n\nextension String {\n    /// The components of a CSS hex colour, each 0…1; transparent black if the string is not one.\n    func toRGBA() -> (r: Double, g: Double, b: Double, alpha: Double) {\n        guard let digits = hexDigits else { return (0, 0, 0, 0) }\n        let bytes =\n            digits.count <= 4\n            ? digits.map { $0 * 17 }\n            : stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }\n        let parts = bytes.map { Double($0) / 255 }\n        return (parts[0], parts[1], parts[2], parts.count > 3 ? parts[3] : 1)\n    }\n\n    /// The digits after the `#`, or nil if this is not a CSS hex colour.\n    fileprivate var hexDigits: [Int]? {\n        guard first == \"#\", [3, 4, 6, 8].contains(utf8.count - 1) else { return nil }\n        let digits = dropFirst().compactMap(\\.hexDigitValue)\n        return digits.count == utf8.count - 1 ? digits : nil\n    }\n}\n",
  "Colors.swift": "import FirebaseFirestore\nimport SwiftUI\n\n/// The colour section's models: tags that hold a `Color` instead of its text.\npublic struct Tag: Codable, Hashable {\n    var title: String\n    var color: Color\n}\n\npublic struct BookWithTags: Codable {\n    @DocumentID var id: String?\n    var title: String\n    var numberOfPages: Int\n    var author: String\n    var tags: [Tag]\n}\n\npublic struct ColorEntry: Codable, Identifiable {\n    @DocumentID public var id: String?\n    public var name: String\n    public var color: Color\n\n    public static var empty: ColorEntry { ColorEntry(name: \"\", color: .clear) }\n}\n",
  "CustomizingTheMapping.swift": "import FirebaseFirestore\nimport Foundation\n\n/// Section \"Customizing the mapping\".\npublic enum CustomizingTheMapping {\n    /// A field that has another name in the document than in Swift.\n    public struct ProgrammingLanguage: Codable {\n        @DocumentID var id: String?\n        var name: String\n        var year: Date\n\n        enum CodingKeys: String, CodingKey {\n            case id\n            case name = \"language_name\"\n            case year\n        }\n    }\n\n    /// Optionals that are missing in the document, and ones that are stored as null.\n    public struct Reader: Codable {\n        @DocumentID var id: String?\n        var name: String\n        var nickname: String?\n        @ExplicitNull var favouriteLanguage: String?\n    }\n}\n\n/// A property that `CodingKeys` leave out is neither written nor read.\npublic enum ExcludingProperties {\n    public struct ProgrammingLanguage: Identifiable, Codable {\n        @DocumentID public var id: String?\n        var name: String\n        var year: Date\n        var reasonWhyILoveThis: String = \"\"\n\n        enum CodingKeys: String, CodingKey {\n            case id\n            case name = \"language_name\"\n            case year\n        }\n    }\n}\n",
  "DatesAndTimes.swift": "import FirebaseFirestore\nimport Foundation\n\n/// Section \"Dates and times\".\npublic enum DatesAndTimes {\n    public struct ProgrammingLanguage: Codable {\n        @DocumentID var id: String?\n        var name: String\n        var year: Date\n    }\n\n    /// The guide's description of `@ServerTimestamp` as code: nil is filled in by the database,\n    /// an existing value is kept.\n    public struct Article: Codable {\n        @DocumentID var id: String?\n        var title: String\n        @ServerTimestamp var createdAt: Date?\n        @ServerTimestamp var lastUpdatedAt: Date?\n    }\n}\n",
  "Enums.swift": "import FirebaseFirestore\n\n/// Section \"Enums\": the document contains the raw value.\npublic enum Status: String, Codable {\n    case draft\n    case inReview = \"in review\"\n    case approved\n    case published\n}\n\npublic struct Article: Codable {\n    @DocumentID var id: String?\n    var title: String\n    var status: Status\n}\n",
  "Geopoints.swift": "import CoreLocation\nimport FirebaseFirestore\n\n/// Section \"Geopoints\".\npublic struct Office: Codable {\n    @DocumentID var id: String?\n    var name: String\n    var location: GeoPoint\n}\n\nextension Office {\n    var coordinate: CLLocationCoordinate2D {\n        let office = self\n        return CLLocationCoordinate2D(\n            latitude: office.location.latitude,\n            longitude: office.location.longitude)\n    }\n}\n",
  "HandlingErrors.swift": "import FirebaseFirestore\nimport SwiftUI\n\n/// Section \"Handling errors\".\npublic enum HandlingErrors {\n    public class MappingSimpleTypesViewModel: ObservableObject {\n        @Published public var book: Book = .empty\n        @Published public var errorMessage: String?\n\n        private var db = Firestore.firestore()\n\n        public init() {}\n\n        public func fetchAndMap() {\n            fetchBook(documentId: \"hitchhiker\")\n        }\n\n        public func fetchAndMapNonExisting() {\n            fetchBook(documentId: \"does-not-exist\")\n        }\n\n        public func fetchAndTryMappingInvalidData() {\n            fetchBook(documentId: \"invalid-data\")\n        }\n\n        // The guide stops at three; these meet the remaining cases of DecodingError.\n\n        public func fetchAndTryMappingMissingField() {\n            fetchBook(documentId: \"missing-field\")\n        }\n\n        public func fetchAndTryMappingNullField() {\n            fetchBook(documentId: \"null-field\")\n        }\n\n        public func fetchAndTryMappingUnsuitableNumber() {\n            fetchBook(documentId: \"half-a-page\")\n        }\n\n        private func fetchBook(documentId: String) {\n            let docRef = db.collection(\"books\").document(documentId)\n\n            docRef.getDocument(as: Book.self) { result in\n                switch result {\n                case .success(let book):\n                    // The document exists and its fields fit.\n                    self.book = book\n                    self.errorMessage = nil\n                case .failure(let error):\n                    // It is missing, or it cannot be decoded as a Book.\n                    switch error {\n                    case DecodingError.typeMismatch(_, let context):\n                        self.errorMessage = \"\\(error.localizedDescription): \\(context.debugDescription)\"\n                    case DecodingError.valueNotFound(_, let context):\n                        self.errorMessage = \"\\(error.localizedDescription): \\(context.debugDescription)\"\n                    case DecodingError.keyNotFound(_, let context):\n                        self.errorMessage = \"\\(error.localizedDescription): \\(context.debugDescription)\"\n                    case DecodingError.dataCorrupted(let key):\n                        self.errorMessage = \"\\(error.localizedDescription): \\(key)\"\n                    default:\n                        self.errorMessage = \"Error decoding document: \\(error.localizedDescription)\"\n                    }\n                }\n            }\n        }\n    }\n}\n",
  "LiveUpdates.swift": "import FirebaseFirestore\nimport SwiftUI\n\n/// Section \"Handling errors in live updates\".\n///\n/// The guide prints `if let colorEntry = colorEntry` inside the success case. `data(as:)` returns a value\n/// that is not optional, so the compiler refuses that line with the official SDK as well; the guide's own\n/// sample app leaves it out, and so does this.\npublic class MappingColorsViewModel: ObservableObject {\n    @Published public var colorEntries = [ColorEntry]()\n    @Published public var newColor = ColorEntry.empty\n    @Published public var errorMessage: String?\n\n    private var db = Firestore.firestore()\n    private var listenerRegistration: ListenerRegistration?\n\n    public init() {}\n\n    public func unsubscribe() {\n        if listenerRegistration != nil {\n            listenerRegistration?.remove()\n            listenerRegistration = nil\n        }\n    }\n\n    public func subscribe() {\n        if listenerRegistration == nil {\n            listenerRegistration = db.collection(\"colors\")\n                .addSnapshotListener { [weak self] (querySnapshot, error) in\n                    guard let documents = querySnapshot?.documents else {\n                        self?.errorMessage = \"No documents in 'colors' collection\"\n                        return\n                    }\n\n                    self?.colorEntries = documents.compactMap { queryDocumentSnapshot in\n                        let result = Result { try queryDocumentSnapshot.data(as: ColorEntry.self) }\n\n                        switch result {\n                        case .success(let colorEntry):\n                            // The document's fields fit.\n                            self?.errorMessage = nil\n                            return colorEntry\n                        case .failure(let error):\n                            // This one does not fit; the others are shown nevertheless.\n                            switch error {\n                            case DecodingError.typeMismatch(_, let context):\n                                self?.errorMessage = \"\\(error.localizedDescription): \\(context.debugDescription)\"\n                            case DecodingError.valueNotFound(_, let context):\n                                self?.errorMessage = \"\\(error.localizedDescription): \\(context.debugDescription)\"\n                            case DecodingError.keyNotFound(_, let context):\n                                self?.errorMessage = \"\\(error.localizedDescription): \\(context.debugDescription)\"\n                            case DecodingError.dataCorrupted(let key):\n                                self?.errorMessage = \"\\(error.localizedDescription): \\(key)\"\n                            default:\n                                self?.errorMessage = \"Error decoding document: \\(error.localizedDescription)\"\n                            }\n                            return nil\n                        }\n                    }\n                }\n        }\n    }\n\n    public func addColorEntry() {\n        let collectionRef = db.collection(\"colors\")\n        do {\n            let newDocReference = try collectionRef.addDocument(from: newColor)\n            lastAddedPath = newDocReference.path\n        } catch {\n            print(error)\n        }\n    }\n\n    /// The guide prints the new reference; the walkthrough shows it in its own layout.\n    public private(set) var lastAddedPath: String?\n}\n",
  "ManualMapping.swift": "import Combine\nimport FirebaseFirestore\nimport Foundation\n\n/// Section \"Mapping data\": fields picked out of a dictionary one by one.\n///\n/// It works, and it is what the rest of the guide replaces: a wrong type silently turns into an\n/// empty string or a zero.\npublic enum ManualMapping {\n    public class MappingManuallyViewModel: ObservableObject {\n        @Published public var book: Book = .empty\n        @Published public var errorMessage: String?\n\n        private var db = Firestore.firestore()\n\n        public init() {}\n\n        public func fetchBook(documentId: String) {\n            let docRef = db.collection(\"books\").document(documentId)\n\n            docRef.getDocument { document, error in\n                if let error = error as NSError? {\n                    self.errorMessage = \"Error getting document: \\(error.localizedDescription)\"\n                } else {\n                    if let document = document {\n                        let id = document.documentID\n                        let data = document.data()\n                        let title = data?[\"title\"] as? String ?? \"\"\n                        let numberOfPages = data?[\"numberOfPages\"] as? Int ?? 0\n                        let author = data?[\"author\"] as? String ?? \"\"\n                        self.book = Book(id: id, title: title, numberOfPages: numberOfPages, author: author)\n                    }\n                }\n            }\n        }\n    }\n}\n",
  "NestedTypes.swift": "import FirebaseFirestore\nimport Foundation\n\n/// Section \"Nested custom types\": a struct in a struct is a map in a document, a URL is a string.\npublic struct CoverImages: Codable {\n    var small: URL\n    var medium: URL\n    var large: URL\n}\n\npublic struct BookWithCoverImages: Codable {\n    @DocumentID var id: String?\n    var title: String\n    var numberOfPages: Int\n    var author: String\n    var cover: CoverImages?\n}\n",
  "References.swift": "import FirebaseFirestore\nimport Foundation\n\n/// Beside the guide's sections: a reference names a document, a URL is stored as its text.\npublic struct Loan: Codable {\n    @DocumentID var id: String?\n    var reader: String\n    var book: DocumentReference\n    var receipt: URL\n    var due: Date?\n}\n",
  "SampleApp.swift": "import Combine\nimport CoreLocation\nimport Firebase\nimport FirebaseAuth\nimport FirebaseCore\nimport FirebaseFirestore\nimport FirebaseFirestoreSwift\nimport SwiftUI\n\n/// What the guide's sample app does at launch, with the imports it uses.\npublic enum SampleApp {\n    /// - Parameter useEmulator: talk to an emulator on this machine instead of the embedded database.\n    public static func launch(useEmulator: Bool) async throws {\n        if FirebaseApp.app() == nil {\n            FirebaseApp.configure()\n        }\n        if useEmulator {\n            Auth.auth().useEmulator(withHost: \"localhost\", port: 9099)\n            Firestore.firestore().useEmulator(withHost: \"localhost\", port: 8080)\n\n            let settings = Firestore.firestore().settings\n            settings.isPersistenceEnabled = false\n            settings.isSSLEnabled = false\n            Firestore.firestore().settings = settings\n        }\n        try await Auth.auth().signInAnonymously()\n    }\n}\n",
  "SimpleTypes.swift": "import Combine\nimport FirebaseFirestore\nimport Foundation\n\n/// Section \"Mapping to and from simple types\": one line each way.\npublic enum SimpleTypes {\n    public class MappingSimpleTypesViewModel: ObservableObject {\n        @Published public var book: Book = .empty\n        @Published public var errorMessage: String?\n        /// The id of the document `addBook` made; the guide prints it.\n        @Published public var newDocumentPath: String?\n\n        private var db = Firestore.firestore()\n\n        public init() {}\n\n        /// First form: fetch the snapshot, map it in a second step.\n        public func fetchBook(documentId: String) {\n            let docRef = db.collection(\"books\").document(documentId)\n\n            docRef.getDocument { document, error in\n                if let error = error as NSError? {\n                    self.errorMessage = \"Error getting document: \\(error.localizedDescription)\"\n                } else {\n                    if let document = document {\n                        do {\n                            self.book = try document.data(as: Book.self)\n                        } catch {\n                            print(error)\n                        }\n                    }\n                }\n            }\n        }\n\n        /// Second form: fetch and map in one call.\n        public func fetchBookAsResult(documentId: String) {\n            let docRef = db.collection(\"books\").document(documentId)\n\n            docRef.getDocument(as: Book.self) { result in\n                switch result {\n                case .success(let book):\n                    // The document exists and its fields fit.\n                    self.book = book\n                    self.errorMessage = nil\n                case .failure(let error):\n                    // The document is missing, or a field does not fit.\n                    self.errorMessage = \"Error decoding document: \\(error.localizedDescription)\"\n                }\n            }\n        }\n\n        public func updateBook(book: Book) {\n            if let id = book.id {\n                let docRef = db.collection(\"books\").document(id)\n                do {\n                    try docRef.setData(from: book)\n                } catch {\n                    print(error)\n                }\n            }\n        }\n\n        public func addBook(book: Book) {\n            let collectionRef = db.collection(\"books\")\n            do {\n                let newDocReference = try collectionRef.addDocument(from: self.book)\n                newDocumentPath = newDocReference.path\n            } catch {\n                print(error)\n            }\n        }\n    }\n\n    /// The form the sample app uses on the main actor.\n    @MainActor\n    public class AsyncBookViewModel: ObservableObject {\n        @Published public var book: Book?\n\n        public init() {}\n\n        public func fetchBook(documentId: String) async throws {\n            let docRef = Firestore.firestore().collection(\"books\").document(documentId)\n            self.book = try await docRef.getDocument(as: Book.self)\n        }\n    }\n}\n",
  "WhatIsCodable.swift": "import Foundation\n\n/// Section \"What is Codable, anyway?\": the same kind of type, with Foundation's JSON coders.\npublic enum WhatIsCodable {\n    public struct Book: Codable, Equatable {\n        public var title: String\n        public var numberOfPages: Int\n        public var author: String\n    }\n\n    public static func encodedBook() -> Data? {\n        do {\n            let book = Book(\n                title: \"The Left Hand of Darkness\",\n                numberOfPages: 286,\n                author: \"Ursula K. Le Guin\")\n            let encoder = JSONEncoder()\n            encoder.outputFormatting = .sortedKeys\n            let data = try encoder.encode(book)\n            return data\n        } catch {\n            print(\"Error when trying to encode book: \\(error)\")\n            return nil\n        }\n    }\n\n    public static func decodedBook(from data: Data) throws -> Book {\n        let decoder = JSONDecoder()\n        let decodedBook = try decoder.decode(Book.self, from: data)\n        return decodedBook\n    }\n}\n",
};

export const samples = {
  "books/solaris": {"title": {"stringValue": "Solaris"}, "numberOfPages": {"integerValue": "204"}, "author": {"stringValue": "Stanisław Lem"}},
  "books/left-hand": {"title": {"stringValue": "The Left Hand of Darkness"}, "numberOfPages": {"integerValue": "304"}, "author": {"stringValue": "Ursula K. Le Guin"}},
  "books/piranesi": {"title": {"stringValue": "Piranesi"}, "numberOfPages": {"integerValue": "272"}, "author": {"stringValue": "Susanna Clarke"}, "cover": {"mapValue": {"fields": {"small": {"stringValue": "https://covers.example/piranesi-160.jpg"}, "medium": {"stringValue": "https://covers.example/piranesi-320.jpg"}, "large": {"stringValue": "https://covers.example/piranesi-640.jpg"}}}}},
  "books/gideon": {"title": {"stringValue": "Gideon the Ninth"}, "numberOfPages": {"integerValue": "448"}, "author": {"stringValue": "Tamsyn Muir"}, "genres": {"arrayValue": {"values": [{"stringValue": "Fantasy"}, {"stringValue": "Mystery"}]}}},
  "books/all-systems-red": {"title": {"stringValue": "All Systems Red"}, "numberOfPages": {"integerValue": "144"}, "author": {"stringValue": "Martha Wells"}, "tags": {"arrayValue": {"values": [{"mapValue": {"fields": {"title": {"stringValue": "Novella"}, "color": {"stringValue": "#2f6f4f"}}}}, {"mapValue": {"fields": {"title": {"stringValue": "Robots"}, "color": {"stringValue": "#b93e0a"}}}}]}}},
  "articles/hearths": {"title": {"stringValue": "Why a hearth has a door"}, "status": {"stringValue": "in review"}},
  "programming-languages/smalltalk": {"name": {"stringValue": "Smalltalk"}, "year": {"timestampValue": "1972-09-01T00:00:00Z"}},
  "locations/lisbon": {"name": {"stringValue": "Lisbon"}, "location": {"geoPointValue": {"latitude": 38.7167, "longitude": -9.1333}}},
  "loans/1842": {"reader": {"stringValue": "Ada"}, "book": {"referenceValue": "books/piranesi"}, "receipt": {"stringValue": "https://library.example/loans/1842"}, "due": {"timestampValue": "2027-01-15T18:00:00Z"}},
  "books/earthsea": {"title": {"stringValue": "A Wizard of Earthsea"}, "numberOfPages": {"integerValue": "205"}, "author": {"stringValue": "Ursula K. Le Guin"}},
  "articles/today": {"title": {"stringValue": "What the clock on the wall knows"}},
  "programming-languages/swift": {"language_name": {"stringValue": "Swift"}, "year": {"timestampValue": "2014-06-02T00:00:00Z"}, "reasonWhyILoveThis": {"stringValue": "Optionals."}},
  "readers/grace": {"name": {"stringValue": "Grace"}, "nickname": {"stringValue": "Amazing"}, "favouriteLanguage": {"nullValue": null}},
  "books/frankenstein": {"title": {"stringValue": "Frankenstein"}, "numberOfPages": {"integerValue": "280"}, "author": {"stringValue": "Mary Shelley"}, "tags": {"arrayValue": {"values": [{"mapValue": {"fields": {"title": {"stringValue": "Gothic"}, "color": {"stringValue": "#4b2e5a"}}}}, {"mapValue": {"fields": {"title": {"stringValue": "Letters"}, "color": {"stringValue": "#8a520080"}}}}]}}},
  "books/hitchhiker": {"title": {"stringValue": "The Hitchhiker's Guide to the Galaxy"}, "numberOfPages": {"integerValue": "224"}, "author": {"stringValue": "Douglas Adams"}},
  "books/invalid-data": {"title": {"stringValue": "A book with its pages in words"}, "numberOfPages": {"stringValue": "two hundred"}, "author": {"stringValue": "Anonymous"}},
  "colors/ember": {"name": {"stringValue": "Ember"}, "color": {"stringValue": "#b93e0a"}},
  "colors/moss": {"name": {"stringValue": "Moss"}, "color": {"stringValue": "#5c7a3a"}},
  "colors/sky": {"name": {"stringValue": "Sky"}, "color": {"stringValue": "#7fb0ff"}}
};

"""#)

    private static let file8 = ConsoleResource("guide/swift.js", tag: "4e38523f60ce76ab", #"""
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

"""#)

    private static let file9 = ConsoleResource("index.html", tag: "8e4b79bc59db66bf", #"""
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Hearth</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="icon" href="/console/flame.svg">
  <link rel="stylesheet" href="/console/console.css">
  <link rel="modulepreload" href="/console/lib/api.js">
  <link rel="modulepreload" href="/console/lib/changes.js">
  <link rel="modulepreload" href="/console/lib/dom.js">
  <link rel="modulepreload" href="/console/lib/json.js">
  <link rel="modulepreload" href="/console/lib/live.js">
  <link rel="modulepreload" href="/console/lib/query.js">
  <link rel="modulepreload" href="/console/lib/rows.js">
  <link rel="modulepreload" href="/console/lib/store.js">
  <link rel="modulepreload" href="/console/lib/values.js">
  <link rel="modulepreload" href="/console/pages/data.js">
  <link rel="modulepreload" href="/console/ui/code-area.js">
  <link rel="modulepreload" href="/console/ui/collection.js">
  <link rel="modulepreload" href="/console/ui/columns.js">
  <link rel="modulepreload" href="/console/ui/editor.js">
  <link rel="modulepreload" href="/console/ui/field-form.js">
  <link rel="modulepreload" href="/console/ui/field-tree.js">
  <link rel="modulepreload" href="/console/ui/filter-bar.js">
  <link rel="modulepreload" href="/console/ui/grid.js">
  <link rel="modulepreload" href="/console/ui/inputs.js">
  <link rel="modulepreload" href="/console/ui/questions.js">
  <link rel="modulepreload" href="/console/ui/suggestions.js">
  <link rel="modulepreload" href="/console/ui/widgets.js">
  <script type="module" src="/console/main.js"></script>
</head>
<body>
  <a class="skip" href="#main">Skip to content</a>
  <header id="top"></header>
  <nav id="left" aria-label="Console"></nav>
  <main id="main" tabindex="-1"></main>
  <footer id="status"></footer>
  <section id="toasts" aria-label="Messages"></section>
  <div id="news" class="visually-hidden" role="status"></div>
  <div id="alerts" class="visually-hidden" role="alert"></div>
  <noscript>The console needs JavaScript.</noscript>
</body>
</html>

"""#)

    private static let file10 = ConsoleResource("lib/api.js", tag: "0428d34b936f3686", #"""
// SPDX-License-Identifier: Apache-2.0
// Calls: REST under /v1/, and the console's own under /console/api/.
import { collections, databaseName, databases, server, signal } from './store.js';
import { rootOf, toJSON } from './values.js';

const apiError = (message, status, code, where) => Object.assign(new Error(message), { status, code, where });

/** ok, gone (the server does not answer) or locked (no token, or not this server's). */
export const connection = signal('ok');

/** What this tab keeps when it is loaded again. */
function inTab(key, value) {
  try {
    if (value === undefined) return JSON.parse(sessionStorage.getItem(`hearth.${key}`));
    sessionStorage.setItem(`hearth.${key}`, JSON.stringify(value));
  } catch { /* Without storage it lives as long as the page. */ }
  return null;
}

/** Who the data is read as: null is the administrator, 'anonymous', or claims. */
export const viewAs = signal(inTab('as'));
viewAs.onChange((as) => inTab('as', as));

let token = null;

/** Other tabs of this server: a new one asks them for the token. Only pages of the same origin hear it. */
const tabs = new BroadcastChannel('hearth');
tabs.addEventListener('message', ({ data }) => {
  if (data === 'token?' && token !== null) tabs.postMessage({ token });
  if (data.token && token === null) keepToken(data.token);
});

export function keepToken(text) {
  token = text;
  try {
    sessionStorage.setItem('hearth.token', text);
  } catch { /* Without storage the token lives as long as the page. */ }
}

/** Takes the token out of the address, which must not keep it; otherwise that of this tab, or of another one. */
export async function takeToken() {
  const found = /^#t=([^&]+)/.exec(location.hash);
  if (found) {
    keepToken(decodeURIComponent(found[1]));
    history.replaceState(history.state, '', location.pathname + location.search);
    return;
  }
  try {
    token = sessionStorage.getItem('hearth.token');
  } catch { /* As above. */ }
  if (token === null) tabs.postMessage('token?');
  for (let i = 0; i < 20 && token === null; i += 1) await new Promise((resolve) => setTimeout(resolve, 10));
}

export function headers(isData = false) {
  const all = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  if (!isData || !viewAs.value) return all;
  const claims = btoa(String.fromCharCode(...new TextEncoder().encode(toJSON(viewAs.value))));
  const as = viewAs.value === 'anonymous' ? 'anonymous' : claims.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return { ...all, 'Hearth-Console-As': as };
}

/** fetch that knows errors, a server that is gone, and a token that is not accepted. */
export async function request(method, path, { body, signal: abort, isData } = {}) {
  const where = `${method} ${path.split('?')[0]}`;
  const options = { method, signal: abort, headers: headers(isData), body: body && toJSON(body), cache: 'no-store', credentials: 'omit' };
  const response = await fetch(path, options).catch((error) => {
    if (error.name === 'AbortError') throw error;
    connection.value = 'gone';
    throw apiError('The server does not answer.', 'UNAVAILABLE', 0, where);
  });
  connection.value = response.status === 401 && !(isData && viewAs.value) ? 'locked' : 'ok';
  if (response.ok) return response;
  // What is not JSON is the page of a proxy.
  const answer = await response.json().catch(() => ({}));
  const { message = `The server answered with status ${response.status}.`, status } = [answer].flat()[0].error ?? {};
  throw apiError(message, status ?? String(response.status), response.status, where);
}

export async function consoleCall(method, path, body) {
  const response = await request(method, `/console/api/${path}`, { body });
  return response.status === 204 ? {} : response.json();
}

/** A call of the console's own API about the open database. */
export const databaseCall = (method, path, body) => consoleCall(method, `${path}?database=${encodeURIComponent(databaseName())}`, body);

/** What rules decide about a request that was made, now; `rules` are others than those in force. */
export const judge = async (id, rules) =>
  (await consoleCall('POST', 'decisions', { database: databaseName(), request: Number(id), rules })).decision;

export const loadServer = async () => { server.value = await consoleCall('GET', 'server'); };
export const loadDatabases = async () => { ({ databases: databases.value } = await consoleCall('GET', 'databases')); };

async function rest(method, name, suffix, body, abort) {
  const path = `/v1/${name.split('/').map(encodeURIComponent).join('/')}${suffix}`;
  const answer = await (await request(method, path, { body, signal: abort, isData: true })).json();
  const { error } = [answer].flat().find((part) => part.error) ?? {};
  if (error) throw apiError(error.message, error.status, error.code, `${method} ${path}`);
  return answer;
}

const databaseRoot = (name) => name.split('/').slice(0, 5).join('/');

/** The document, or undefined if it does not exist. A batch of one: browsers log a missing document as an error. */
export async function getDocument(name) {
  const parts = await rest('POST', databaseRoot(name), ':batchGet', { documents: [name] });
  return parts.find((part) => part.found)?.found;
}

/** A page of a collection by name, with documents that do not exist but have collections below. */
export async function listDocuments(collection, { pageSize, pageToken, signal }) {
  const query = new URLSearchParams({ pageSize, showMissing: 'true', ...(pageToken && { pageToken }) });
  const { documents = [], nextPageToken } = await rest('GET', collection, `?${query}`, undefined, signal);
  return { documents, next: nextPageToken };
}

/** Runs what requestOf has made: documents, or the fields of an aggregation. Only administrators may have it explained. */
export async function run(parent, body, { explain, signal } = {}) {
  const method = body.structuredQuery ? ':runQuery' : ':runAggregationQuery';
  const explained = explain && !viewAs.value && { explainOptions: { analyze: true } };
  const parts = await rest('POST', parent, method, { ...body, ...explained }, signal);
  return {
    documents: parts.flatMap((part) => part.document ?? []), fields: parts.find((part) => part.result)?.result.aggregateFields ?? {},
    metrics: parts.find((part) => part.explainMetrics)?.explainMetrics,
  };
}

export async function count(parent, { orderBy, ...structuredQuery }, upTo) {
  const aggregations = [{ alias: 'n', count: { upTo: String(upTo) } }];
  return Number((await run(parent, { structuredAggregationQuery: { structuredQuery, aggregations } })).fields.n.integerValue);
}

export async function collectionIDs(parent, pageToken) {
  const { collectionIds = [], nextPageToken } = await rest('POST', parent, ':listCollectionIds', { pageSize: 300, pageToken });
  return { ids: collectionIds, next: nextPageToken };
}

/** The collections of the open database, or the next of them. */
export async function loadCollections(isMore = false) {
  const database = databaseName();
  if (!database) return;
  const before = isMore ? collections.value : { ids: [] };
  const loaded = await collectionIDs(rootOf(database), before.next).catch((error) => ({ ids: [], error }));
  if (database === databaseName()) collections.value = { ...loaded, ids: [...before.ids, ...loaded.ids], isLoaded: true };
}

/** Writes to one database, in steps of what a commit may have. */
export async function commit(writes) {
  for (let i = 0; i < writes.length; i += 500) {
    const { update, delete: name } = writes[i];
    await rest('POST', databaseRoot(name ?? update.name), ':commit', { writes: writes.slice(i, i + 500) });
  }
}

/** Names of documents from one on: of a collection, or of all collections below. */
export async function namesFrom(parent, from, first, limit, signal) {
  const field = { fieldPath: '__name__' };
  const startAt = first ? { values: [{ referenceValue: first }], before: true } : undefined;
  const structuredQuery = { from: [from], select: { fields: [field] }, orderBy: [{ field }], limit, startAt };
  return (await run(parent, { structuredQuery }, { signal })).documents.map((d) => d.name);
}

/** Names of what is below a document or in a collection, and below that. */
export async function namesBelow(name, { limit = 500, signal } = {}) {
  // A query of all descendants has no collection: names bound it.
  const [parent, prefix] = name.split('/').length % 2 ? [name, ''] : [name.slice(0, name.lastIndexOf('/')), `${name}/`];
  const names = await namesFrom(parent, { allDescendants: true }, prefix && `${prefix}\u0001`, limit, signal);
  const end = names.findIndex((n) => !n.startsWith(prefix));
  return end < 0 ? names : names.slice(0, end);
}

"""#)

    private static let file11 = ConsoleResource("lib/changes.js", tag: "40d83f3447dc17b8", #"""
// SPDX-License-Identifier: Apache-2.0
// What differs between two versions of a document, and the writes of it. Pure.
import { valueText } from './json.js';
import { define, fieldPath, fieldsOf, mapOf, typeOf, valueAt, withValue } from './values.js';

/** Typed JSON says the same of what is the same: names are sorted, doubles and times have one text. */
export const same = (a, b) => a === b || Boolean(a && b) && valueText(a) === valueText(b);
export const sameFields = (a, b) => same(mapOf(a), mapOf(b));

/** The paths that differ, each as long as possible: maps are compared field by field, everything else as a whole. */
export function changedPaths(before, after, prefix = []) {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [old, now] = [before, after].map((fields) => valueAt(fields, [name]));
    const inner = [old, now].map((v) => (v && typeOf(v) === 'map' ? fieldsOf(v) : {}));
    if (inner.every((fields) => Object.keys(fields).length)) return changedPaths(...inner, [...prefix, name]);
    return same(old, now) ? [] : [[...prefix, name]];
  });
}

const transforms = {
  serverTime: () => ({ setToServerValue: 'REQUEST_TIME' }), increment: (operand) => ({ increment: operand }),
  union: ({ arrayValue }) => ({ appendMissingElements: arrayValue }), remove: ({ arrayValue }) => ({ removeAllFromArray: arrayValue }),
};

/** Takes what the server computes out of a value, and lists it as transforms. */
function withoutSentinels(value, path, found) {
  if (value.sentinel) found.push({ fieldPath: fieldPath(path), ...transforms[value.sentinel.kind](value.sentinel.operand) });
  if (value.sentinel || typeOf(value) !== 'map') return value;
  const kept = {};
  for (const [name, inner] of Object.entries(fieldsOf(value))) {
    const rest = withoutSentinels(inner, [...path, name], found);
    if (!rest.sentinel) define(kept, name, rest);
  }
  return mapOf(kept);
}

/** One write of just what differs, for a commit; undefined if nothing does. */
export function writeOfChanges(name, before, after, currentDocument) {
  const updateTransforms = [];
  const fieldPaths = [];
  let fields = {};
  for (const path of changedPaths(before, after)) {
    const value = valueAt(after, path);
    const kept = value && withoutSentinels(value, path, updateTransforms);
    if (!kept?.sentinel) fieldPaths.push(fieldPath(path));
    if (kept && !kept.sentinel) fields = withValue(fields, path, kept);
  }
  if (!fieldPaths.length && !updateTransforms.length) return undefined;
  return { update: { name, fields }, updateMask: { fieldPaths }, ...(updateTransforms.length && { updateTransforms }), currentDocument };
}

export function writeOfDocument(name, fields, currentDocument) {
  const updateTransforms = [];
  const kept = fieldsOf(withoutSentinels(mapOf(fields), [], updateTransforms));
  return { update: { name, fields: kept }, ...(updateTransforms.length && { updateTransforms }), currentDocument };
}

"""#)

    private static let file12 = ConsoleResource("lib/code.js", tag: "69f94f3232f98c7f", #"""
// SPDX-License-Identifier: Apache-2.0
// A query as source code to copy. Pure.
import { groupOf, isUnary, requestOf, symbols } from './query.js';
import { doubleText, elementsOf, fieldPath, fieldsOf, parseFieldPath, relative, sortedNames, toJSON, typeOf, vectorOf } from './values.js';

const quoted = JSON.stringify;

/** How each language writes it: $1, $2 … are the parts. What is not listed is a call or a word of the same name. */
const languages = {
  Swift: {
    text: (s) => quoted(s).replace(/\\u([0-9a-f]{4})/gi, '\\u{$1}').replace(/\\b/g, '\\u{8}').replace(/\\f/g, '\\u{c}'),
    path: (names, text) => `FieldPath([${names.map(text).join(', ')}])`, id: 'FieldPath.documentID()',
    null: 'NSNull()', NaN: 'Double.nan', Infinity: 'Double.infinity', '-Infinity': '-Double.infinity',
    timestamp: 'Timestamp(seconds: $1, nanoseconds: $2)', bytes: 'Data(base64Encoded: $1)!', reference: 'db.document($1)',
    geopoint: 'GeoPoint(latitude: $1, longitude: $2)', vector: 'FieldValue.vector([$1])', map: '[$1]', emptyMap: '[:]',
    ops: {
      '==': 'isEqualTo', '!=': 'isNotEqualTo', '<': 'isLessThan', '<=': 'isLessThanOrEqualTo', '>': 'isGreaterThan',
      '>=': 'isGreaterThanOrEqualTo', 'array-contains': 'arrayContains', 'not-in': 'notIn', 'array-contains-any': 'arrayContainsAny',
    },
    condition: 'Filter.whereField($1, $2: $3)', AND: 'Filter.andFilter([$1])', OR: 'Filter.orFilter([$1])',
    where: 'whereField($1, $2: $3)', filter: 'whereFilter($1)', ASCENDING: 'order(by: $1)', DESCENDING: 'order(by: $1, descending: true)',
    startAt: 'start(at: [$1])', startAfter: 'start(after: [$1])', endBefore: 'end(before: [$1])', endAt: 'end(at: [$1])',
    limit: 'limit(to: $1)', DOT_PRODUCT: 'dotProduct', COSINE: 'cosine', EUCLIDEAN: 'euclidean',
    nearest: 'findNearest(vectorField: $1, queryVector: $2, limit: $3, distanceMeasure: .$4)',
    count: 'AggregateField.count()', sum: 'AggregateField.sum($1)', avg: 'AggregateField.average($1)',
    group: 'collectionGroup', call: '\n    .$1', query: 'let query = db.$1($2)$3\n',
    get: 'let documents = try await query.getDocuments().documents',
    aggregated: 'let result = try await query.aggregate([$1]).getAggregation(source: .server)',
  },
  JavaScript: {
    text: quoted, path: (names) => `new FieldPath(${names.map(quoted).join(', ')})`, id: 'documentId()',
    timestamp: 'new Timestamp($1, $2)', bytes: 'Bytes.fromBase64String($1)', reference: 'doc(db, $1)', geopoint: 'new GeoPoint($1, $2)',
    vector: 'vector([$1])', map: '{ $1 }', emptyMap: '{}', ops: {},
    condition: 'where($1, "$2", $3)', AND: 'and($1)', OR: 'or($1)', filter: '$1',
    ASCENDING: 'orderBy($1)', DESCENDING: 'orderBy($1, "desc")',
    nearest: '/* The web SDK has no vector search: findNearest on $1 is in the Node.js library. */',
    count: '$2: count()', sum: '$2: sum($1)', avg: '$2: average($1)',
    group: 'collectionGroup', call: '\n  $1,', query: 'const q = query(\n  $1(db, $2),$3\n);\n',
    get: 'const snapshot = await getDocs(q);', aggregated: 'const snapshot = await getAggregateFromServer(q, { $1 });',
  },
  Python: {
    text: quoted, path: (names) => quoted(fieldPath(names)), id: '"__name__"',
    null: 'None', true: 'True', false: 'False', NaN: 'float("nan")', Infinity: 'float("inf")', '-Infinity': 'float("-inf")',
    timestamp: 'DatetimeWithNanoseconds.from_rfc3339($3)', bytes: 'b64decode($1)', reference: 'db.document($1)',
    geopoint: 'GeoPoint($1, $2)', vector: 'Vector([$1])', map: '{$1}', emptyMap: '{}',
    ops: { 'array-contains': 'array_contains', 'array-contains-any': 'array_contains_any' },
    condition: 'FieldFilter($1, "$2", $3)', AND: 'And([$1])', OR: 'Or([$1])', filter: 'where(filter=$1)',
    ASCENDING: 'order_by($1)', DESCENDING: 'order_by($1, direction="DESCENDING")',
    startAt: 'start_at([$1])', startAfter: 'start_after([$1])', endBefore: 'end_before([$1])', endAt: 'end_at([$1])',
    nearest: 'find_nearest($1, $2, limit=$3, distance_measure=DistanceMeasure.$4)',
    count: '.count(alias=$2)', sum: '.sum($1, alias=$2)', avg: '.avg($1, alias=$2)',
    group: 'collection_group', call: '\n    .$1', query: 'query = (\n    db.$1($2)$3\n)\n',
    get: 'documents = query.get()', aggregated: 'result = AggregationQuery(query)$1.get()', between: '',
  },
};

export const languageNames = [...Object.keys(languages), 'REST'];

/** The query in a language. Throws for field paths that are not ones. */
export function code(parent, query, aggregations, language) {
  const request = requestOf(query, aggregations);
  const to = languages[language];
  if (!to) return toJSON(request, 2);
  const { structuredQuery: sent, aggregations: asked = [] } = request.structuredAggregationQuery ?? request;
  const write = (form, ...parts) => (to[form] ?? `${form}($1)`).replace(/\$(\d)/g, (_, i) => parts[i - 1]);
  const word = (name) => to[name] ?? name;
  const text = (s) => to.text(s);
  const number = (n) => word(doubleText(n));
  const list = (values) => values.map(literal).join(', ');

  function literal(value) {
    switch (typeOf(value)) {
      case 'string': return text(value.stringValue);
      case 'integer': return value.integerValue;
      case 'double': return number(value.doubleValue);
      case 'boolean': return word(String(value.booleanValue));
      case 'timestamp': {
        const [all, seconds, fraction = ''] = /^(.{19})\.?(\d*)Z/.exec(value.timestampValue);
        return write('timestamp', Date.parse(`${seconds}Z`) / 1000, Number(fraction.padEnd(9, '0')), text(all));
      }
      case 'bytes': return write('bytes', quoted(value.bytesValue));
      case 'reference': return write('reference', text(relative(value.referenceValue)));
      case 'geopoint': return write('geopoint', value.geoPointValue.latitude ?? 0, value.geoPointValue.longitude ?? 0);
      case 'vector': return write('vector', vectorOf(value).map(number).join(', '));
      case 'array': return `[${list(elementsOf(value))}]`;
      case 'map': {
        const fields = fieldsOf(value);
        const pairs = sortedNames(fields).map((name) => `${text(name)}: ${literal(fields[name])}`);
        return pairs.length ? write('map', pairs.join(', ')) : to.emptyMap;
      }
      default: return word('null');
    }
  }

  function field({ fieldPath: path }) {
    const names = parseFieldPath(path);
    if (path === '__name__') return to.id;
    return names.every((name) => /^[^.`~*/[\]]+$/.test(name)) ? text(names.join('.')) : to.path(names, text);
  }

  function filter(f, form = 'condition') {
    if (f.compositeFilter) return write(f.compositeFilter.op, f.compositeFilter.filters.map((inner) => filter(inner)).join(', '));
    const { op, field: path, value } = f.unaryFilter ?? f.fieldFilter;
    const symbol = isUnary(op) ? (/NOT/.test(op) ? '!=' : '==') : symbols[op];
    return write(form, field(path), to.ops[symbol] ?? symbol, isUnary(op) ? word(/NAN/.test(op) ? 'NaN' : 'null') : literal(value));
  }
  const where = (f) => (to.where && !f.compositeFilter ? filter(f, 'where') : write('filter', filter(f)));

  const { op, filters } = groupOf(sent.where);
  const { startAt, endAt, limit, orderBy = [], findNearest: nearest, from: [{ collectionId = '', allDescendants }] } = sent;
  const calls = [
    ...(op === 'OR' ? [sent.where] : filters).map(where),
    ...orderBy.map((o) => write(o.direction ?? 'ASCENDING', field(o.field))),
    startAt && write(startAt.before ? 'startAt' : 'startAfter', list(startAt.values)),
    endAt && write(endAt.before ? 'endBefore' : 'endAt', list(endAt.values)),
    nearest ? write('nearest', field(nearest.vectorField), literal(nearest.queryVector), nearest.limit, word(nearest.distanceMeasure))
      : limit && write('limit', limit),
  ].filter(Boolean);
  const path = text(allDescendants ? collectionId : [parent, collectionId].filter(Boolean).join('/'));
  const aggregates = asked.map(({ alias, ...aggregation }) => {
    const [[how, { field: path }]] = Object.entries(aggregation);
    return write(how, path && field(path), text(alias));
  });
  return write('query', allDescendants ? to.group : 'collection', path, calls.map((call) => write('call', call)).join(''))
    + (aggregates.length ? write('aggregated', aggregates.join(to.between ?? ', ')) : to.get);
}

"""#)

    private static let file13 = ConsoleResource("lib/dom.js", tag: "ae68dbbbac22c60a", #"""
// SPDX-License-Identifier: Apache-2.0
// Elements. Text gets into the page as text only: ids and values are hostile.

const shown = (content) => content.flat(9).filter((c) => c !== null && c !== undefined && c !== false);

/** Makes an element: h('p.muted', { title }, 'text'). `on…` are listeners, `label` is read aloud; other names are properties if the element
 *  has such a one, else attributes. */
export function h(selector, ...content) {
  const [tag, ...classes] = selector.split('.');
  const element = document.createElement(tag || 'div');
  element.classList.add(...classes);
  if (tag === 'button') element.type = 'button';
  const isPlain = content[0] && Object.getPrototypeOf(content[0]) === Object.prototype;
  for (const [name, value] of Object.entries(isPlain ? content.shift() : {})) {
    if (value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.classList.add(...value.split(' ').filter(Boolean));
    else if (name === 'label') element.ariaLabel = value;
    else if (name.startsWith('--')) element.style.setProperty(name, value);
    else if (name in element && name !== 'list') element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...shown(content));
  return element;
}

export const replace = (element, ...content) => element.replaceChildren(...shown(content));

/** Strokes of 1.5 px in 16 × 16. */
const strokes = {
  data: 'M2.5 4c0-1 2.5-1.8 5.5-1.8s5.5.8 5.5 1.8-2.5 1.8-5.5 1.8S2.5 5 2.5 4Zm0 0v8c0 1 2.5 1.8 5.5 1.8s5.5-.8 5.5-1.8V4',
  query: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14',
  requests: 'M2 5h9M8.5 2.5 11 5 8.5 7.5M14 11H5m2.5-2.5L5 11l2.5 2.5',
  indexes: 'M2 3.5h12M2 8h8M2 12.5h5M12.5 8v5.5m-2-2 2 2 2-2',
  usage: 'M2 13.5h12M4 11V8m4 3V3.5M12 11V6',
  transfer: 'M5 13V3.5M2.5 6 5 3.5 7.5 6M11 3v9.5M8.5 10l2.5 2.5 2.5-2.5',
  rules: 'M8 1.8 13 4v3.7c0 3-2.1 5.3-5 6.5-2.9-1.2-5-3.5-5-6.5V4l5-2.2Zm-2.3 6 1.7 1.7 3-3.2',
  users: 'M6 7.5a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Zm-4 5.5c.3-2 1.9-3.2 4-3.2s3.7 1.2 4 3.2'
    + 'M10.5 3.2a2.2 2.2 0 0 1 0 4.2m1.3 2.5c1.3.4 2 1.5 2.2 3',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  check: 'M3 8.5 6.5 12 13 4.5',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9',
  filter: 'M2 4h12M4.5 8h7M7 12h2',
  columns: 'M2.5 3h11v10h-11ZM6.2 3v10M9.8 3v10',
  copy: 'M5.5 5.5h8v8h-8ZM10.5 5.5v-3h-8v8h3',
  person: 'M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8Zm-5 5.5c.5-2.3 2.5-3.5 5-3.5s4.5 1.2 5 3.5',
};

export function drawing(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export const icon = (name) =>
  drawing('svg', { viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true' }, drawing('path', { d: strokes[name] }));

export const button = (word, onclick, properties) => h('button.button', { onclick, ...properties }, word);
export const small = (word, onclick) => button(word, onclick, { class: 'small' });
export const primary = (word, onclick, properties) => button(word, onclick, { class: 'primary', ...properties });
export const tool = (name, word, onclick, properties) => h('button.tool', { onclick, ...properties }, name && icon(name), word);

/** A tool without a word: its label is read aloud and shown as a tooltip. */
export const iconButton = (name, label, onclick, properties) => tool(name, null, onclick, { title: label, label, ...properties });

export const input = (properties) => h('input.mono', { autocomplete: 'off', spellcheck: false, ...properties });
export const checkbox = (word, checked, onchange) => h('label.row', h('input', { type: 'checkbox', checked, onchange }), word);

/** Options are values, or pairs of a value and its word. */
export const select = (label, options, value, onchange) => h('select.type',
  { label, onchange: (event) => onchange?.(event.target.value) },
  options.map((option) => [option].flat()).map(([v, word = v]) => h('option', { value: v, selected: v === value }, word)));

/** A button that asks for a file. */
export function fileButton(word, label, take, accept = '') {
  const chooser = h('input', { type: 'file', hidden: true, label, accept, onchange: () => {
    if (chooser.files[0]) take(chooser.files[0]);
    chooser.value = '';
  } });
  return [small(word, () => chooser.click()), chooser];
}

export const labelled = (label, ...control) => h('label.stack', label, control);
export const muted = (...words) => h('p.muted', words);
export const pre = (text) => h('pre.command', { tabIndex: 0 }, text);

/** What scrolls can have the focus, so that it scrolls without a mouse, too. */
export const region = (selector, label, ...content) => h(`${selector}.scroll`, { tabIndex: 0, role: 'region', label }, content);

export const facts = (all) => h('dl.facts',
  Object.entries(all).filter(([, fact]) => fact !== undefined && fact !== '').map(([word, fact]) => [h('dt', word), h('dd', fact)]));

/** Rows of cells, which are elements or texts. A head that begins with a space stands over numbers. */
export const table = (heads, rows) => h('table.list',
  h('thead', h('tr', heads.map((head) => h('th', { scope: 'col', class: head.startsWith(' ') ? 'number' : '' }, head)))),
  h('tbody', rows.map((cells) => h('tr', cells.map((cell, i) => h('td', { class: heads[i].startsWith(' ') ? 'number' : '' }, cell))))));

export const problemLine = (problem) => h('p.problem', { role: 'alert' }, problem);

export function segments(label, options, current, choose) {
  const buttons = options.map(([value, word = value]) => h('button', {
    ariaPressed: value === current, onclick: () => {
      for (const b of buttons) b.ariaPressed = b.textContent === word;
      choose(value);
    },
  }, word));
  return h('.segments', { role: 'group', label }, buttons);
}

export const isTyping = (target) => Boolean(target?.closest?.('input, textarea, select'));

/** Not by `toLocaleString`, whose first call takes longer than drawing the first rows. */
export const number = (n) => n?.toString().replace(/\B(?=(\d{3})+$)/g, ',') ?? '–';
export const counted = (n, noun) => `${number(n)} ${noun}${n === 1 ? '' : 's'}`;

let lastNews = 0;
let waitingNews;

/** Read aloud: news at most every 5 s, errors at once. */
export function announce(message, isError = false) {
  clearTimeout(waitingNews);
  waitingNews = setTimeout(() => {
    if (!isError) lastNews = Date.now();
    document.getElementById(isError ? 'alerts' : 'news').textContent = message;
  }, isError ? 0 : Math.max(0, lastNews + 5000 - Date.now()));
}

export function debounced(ms, action) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, ms);
  };
}

/** Lines where content will be; style sheets show them after 150 ms. What is there already stays. */
export function loading(place) {
  if (!place.firstChild) replace(place, h('.skeleton', { role: 'status', label: 'Loading' }, Array.from({ length: 8 }, () => h('div'))));
}

/** `title` is a text, or the heading of a page that has no other. */
export const empty = (title, ...content) => h('.empty', title instanceof Element ? title : h('p.title', title), content);
export const headed = (title, ...content) => empty(h('h1.title', title), ...content);

/** The first line of a message says what is wrong; further ones, such as the trace of rules, why. */
export function failure(error, retry) {
  const cause = [error.status, error.where].filter(Boolean).join(' · ');
  const [title, ...more] = error.message.split('\n');
  return h('.empty.failure', { role: 'alert' }, h('p.title', title), more.length > 0 && pre(more.join('\n')), muted(cause), h('.row',
    button('Try again', retry),
    button('Copy details', () => navigator.clipboard?.writeText(`${error.message}\n${cause}`))));
}

"""#)

    private static let file14 = ConsoleResource("lib/json.js", tag: "8315b3695af86ba7", #"""
// SPDX-License-Identifier: Apache-2.0
// Documents as text: typed JSON (docs/reference/cli.md), in which 1 is an integer and 1.0 a double. Pure.
import {
  arrayOf, define, doubleText, editText, elementsOf, fieldsOf, mapOf, own, parseValue, sortedNames, text, toJSON, typeOf, vectorOf,
} from './values.js';

/** Reads values as they are typed: JSON.parse would keep neither 1 and 1.0 apart nor digits beyond 2⁵³, and does not say where it fails. */
class Reader {
  constructor(source, database) { Object.assign(this, { source, database, at: 0, tokenAt: 0 }); }

  fail(message, at = this.tokenAt) {
    const lines = this.source.slice(0, at).split('\n');
    const place = { line: lines.length, column: lines.at(-1).length + 1 };
    throw Object.assign(new Error(`Line ${place.line}, column ${place.column}: ${message}`), place);
  }

  next() {
    const token = /\s*([{}[\],:]|"(?:[^"\\\n]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|$)/y;
    token.lastIndex = this.at;
    const found = token.exec(this.source);
    this.tokenAt = this.at + /^\s*/.exec(this.source.slice(this.at))[0].length;
    if (!found) this.fail('This is not JSON: text in double quotes, a number, true, false, null, { or [ is expected.');
    this.at = token.lastIndex;
    return found[1];
  }

  list(close, member) {
    for (let token = this.next(); token !== close; token = this.next()) {
      member(token);
      token = this.next();
      if (token === close) return;
      if (token !== ',') this.fail(`“,” or “${close}” is expected.`);
    }
  }

  string(token) {
    try {
      if (token[0] === '"') return JSON.parse(token);
    } catch { /* A control character, or an escape that JSON does not have. */ }
    return this.fail('A text in double quotes is expected.');
  }

  parsed(type, typed, at = this.tokenAt) {
    try {
      return parseValue(type, typed, this.database);
    } catch (error) {
      return this.fail(error.message, at);
    }
  }

  /** Where plain JSON is ambiguous, a value keeps the type of the one before it. */
  value(before, token = this.next(), isFields = false) {
    const kind = before && typeOf(before);
    const at = this.tokenAt;
    if (token === '{') {
      const fields = {};
      this.list('}', (member) => {
        const name = this.string(member);
        if (Object.hasOwn(fields, name)) this.fail(`“${name}” occurs twice.`);
        if (this.next() !== ':') this.fail('“:” is expected.');
        define(fields, name, this.value(own(fieldsOf(before), name), this.next(), name === '$map'));
      });
      const [name, ...others] = Object.keys(fields);
      return !isFields && name?.startsWith('$') && !others.length ? this.special(name, fields[name], at) : mapOf(fields);
    }
    if (token === '[') {
      const values = [];
      this.list(']', (element) => values.push(this.value(elementsOf(before)[values.length], element)));
      if (values.some((v) => v.arrayValue)) this.fail('An array cannot contain an array directly.', at);
      return arrayOf(values);
    }
    if (token === 'null') return { nullValue: null };
    if (/^[tf]/.test(token)) return { booleanValue: token === 'true' };
    if (/^[-\d]/.test(token)) return this.parsed(/[.eE]/.test(token) || kind === 'double' ? 'double' : 'integer', token);
    if (token[0] !== '"') this.fail('A value is expected.');
    const string = this.string(token);
    const typed = { timestamp: string, reference: string, bytes: `base64:${string}` }[kind];
    try {
      if (typed !== undefined) return parseValue(kind, typed, this.database);
    } catch { /* Then it is a text. */ }
    return text(string);
  }

  special(name, content, at) {
    if (name === '$map' && content.mapValue) return content;
    const { latitude, longitude } = fieldsOf(content);
    const listed = (values) => values.map((v) => (v ? editText(v) : '')).join(', ');
    const typed = {
      $bytes: `base64:${editText(content)}`, $geopoint: listed([latitude, longitude]), $vector: listed(elementsOf(content)),
      $timestamp: editText(content), $reference: editText(content), $double: editText(content), $integer: editText(content),
    }[name] ?? this.fail(`${name} is none of $timestamp, $bytes, $geopoint, $reference, $vector, $double, $integer, $map.`, at);
    return this.parsed(name.slice(1), typed, at);
  }
}

/** The fields of a document in REST form, which needs no interpretation; undefined if it is another form. */
function restFields(source) {
  try {
    // Integers may be written without quotes; JSON.parse would round them.
    const { fields, name } = JSON.parse(source.replace(/("integerValue"\s*:\s*)(-?\d+)/g, '$1"$2"'));
    const isREST = (v) => v && Object.keys(v).length === 1 && /^[a-z][a-zP]+Value$/.test(Object.keys(v)[0]);
    return fields && (name || (Object.keys(fields).length && Object.values(fields).every(isREST))) ? fields : undefined;
  } catch {
    return undefined;
  }
}

/** The fields of a document from typed JSON, plain JSON, the REST form, or an object of `hearth get`. */
export function parseFields(source, database, before = {}) {
  const rest = restFields(source);
  if (rest) return rest;
  const reader = new Reader(source, database);
  const document = reader.value(mapOf(before), reader.next(), true);
  if (reader.next() !== '') reader.fail('This is text behind the end.');
  if (!document.mapValue) reader.fail('A document is an object: { … }.', 0);
  const { path, fields, ...others } = fieldsOf(document);
  const isGot = path && fields?.mapValue && Object.keys(others).every((k) => /^(create|update)Time$/.test(k));
  return fieldsOf(isGot ? fields : document);
}

function listText(brackets, items, outer, indent) {
  if (!items.length) return brackets;
  const [before, between, after] = indent ? [`\n${outer}${indent}`, `,\n${outer}${indent}`, `\n${outer}`] : ['', ', ', ''];
  return brackets[0] + before + items.join(between) + after + brackets[1];
}

export const fieldsText = (fields, database, indent = '  ', outer = '') => listText('{}',
  sortedNames(fields).map((n) => `${JSON.stringify(n)}: ${valueText(fields[n], database, indent, outer + indent)}`), outer, indent);

const numberText = (n) => (Number.isFinite(Number(n)) ? doubleText(n) : `{"$double": "${n}"}`);

export function valueText(value, database, indent = '', outer = '') {
  const type = typeOf(value);
  const mark = (json) => `{"$${type}": ${json}}`;
  switch (type) {
    case 'string': return JSON.stringify(value.stringValue);
    case 'double': return numberText(value.doubleValue);
    case 'timestamp': case 'reference': return mark(JSON.stringify(editText(value, database)));
    case 'bytes': return mark(JSON.stringify(value.bytesValue ?? ''));
    case 'geopoint': {
      const { latitude = 0, longitude = 0 } = value.geoPointValue;
      return mark(`{"latitude": ${doubleText(latitude)}, "longitude": ${doubleText(longitude)}}`);
    }
    case 'vector': return mark(`[${vectorOf(value).map(numberText).join(', ')}]`);
    case 'array': return listText('[]', elementsOf(value).map((v) => valueText(v, database, indent, outer + indent)), outer, indent);
    case 'map': {
      const names = Object.keys(fieldsOf(value));
      const json = fieldsText(fieldsOf(value), database, indent, outer);
      return names.length === 1 && names[0].startsWith('$') ? mark(json) : json;
    }
    case 'sentinel': return toJSON(value);
    default: return editText(value);
  }
}

"""#)

    private static let file15 = ConsoleResource("lib/live.js", tag: "cc6bc762e7aa45fa", #"""
// SPDX-License-Identifier: Apache-2.0
// The one stream of a tab: listeners and topics, as lines of JSON. Closed while the tab is hidden.
import { request, viewAs } from './api.js';
import { databaseName, onDatabase, signal } from './store.js';
import { toJSON } from './values.js';

/** connecting, live, paused (only topics), off (refused, as for a database that does not exist) or gone. */
export const liveState = signal('connecting');
export const isPaused = signal(false);
export const samples = [];
export const sample = signal(null);

/** @type {Map<string, {id: number, target: object, handler: object, token?: string}>} */
const targets = new Map();
let lastID = 0;
let hearRequests = null;
let lastRequest;
let stream = null;
let timer;
let failures = 0;
let isHidden = false;

/** Listens to a query or to documents: `handler` has change(document), remove(name, isDeleted), current(), reset(), count() and
 *  failed(status). A target that is listened to already keeps its handler, which has heard the first snapshot. null ends it. */
export function watch(key, target, handler) {
  const text = toJSON(target);
  if (target ? targets.get(key)?.text === text : !targets.delete(key)) return;
  if (target) targets.set(key, { id: lastID += 1, target, text, handler });
  restart(80);
}

export function watchRequests(handler) {
  hearRequests = handler;
  lastRequest = undefined;
  restart(20);
  return () => {
    hearRequests = null;
    restart(80);
  };
}

export function restart(delay = 0) {
  clearTimeout(timer);
  timer = setTimeout(open, delay);
}

async function open() {
  stream?.abort();
  if (isHidden) return;
  const mine = new AbortController();
  stream = mine;
  const listened = isPaused.value ? [] : [...targets.values()];
  const body = {
    ...(listened.length && { database: databaseName() }), ...(viewAs.value && { as: viewAs.value }),
    targets: listened.map((t) => ({ targetId: t.id, ...t.target, resumeToken: t.token })),
    topics: ['metrics', ...(hearRequests ? ['requests'] : [])], requestsAfter: lastRequest,
  };
  if (isPaused.value) liveState.value = 'paused';
  else if (liveState.value !== 'live') liveState.value = 'connecting';
  try {
    const response = await request('POST', '/console/api/live', { body, signal: mine.signal });
    failures = 0;
    if (!isPaused.value) liveState.value = 'live';
    await read(response.body.getReader(), new Map(listened.map((t) => [t.id, t])), mine);
    throw new Error('ended');
  } catch (error) {
    if (stream !== mine || error.code === 401) return;
    failures += 1;
    if (error.code >= 400 && error.code < 500) liveState.value = 'off';
    else if (failures > 1) liveState.value = 'gone';
    restart(Math.min(8000, 250 * 2 ** failures));
  }
}

async function read(reader, byID, mine) {
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    // A line comes every 15 s at least.
    const silence = setTimeout(() => reader.cancel().catch(() => {}), 40000);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done || stream !== mine) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line) take(JSON.parse(line), byID);
  }
}

function take({ listen, requests, dropped, metrics }, byID) {
  if (listen) takeListen(listen, byID);
  if (requests) lastRequest = Math.max(lastRequest ?? 0, ...requests.map((r) => r.id));
  if (requests || dropped) hearRequests?.(requests ?? [], dropped);
  if (metrics) addSamples([metrics]);
}

export function addSamples(list) {
  samples.push(...list.filter((s) => !samples.length || s.time > samples.at(-1).time));
  samples.splice(0, samples.length - 450);
  if (samples.length) sample.value = samples.at(-1);
}

/** How a counter grows per second at a sample; undefined if it is not known. */
export function rateAt(i, key) {
  const seconds = (Date.parse(samples[i]?.time) - Date.parse(samples[i - 1]?.time)) / 1000;
  return seconds > 0 && key in samples[i] ? Math.max(0, (samples[i][key] - samples[i - 1][key]) / seconds) : undefined;
}

function takeListen({ targetChange, documentChange, documentDelete, documentRemove, filter }, byID) {
  const call = (ids, action) => {
    for (const t of ids ? ids.map((id) => byID.get(id)) : byID.values()) if (t) action(t.handler, t);
  };
  const { document, targetIds = [], removedTargetIds = [] } = documentChange ?? documentDelete ?? documentRemove ?? {};
  call(targetIds, (handler) => handler.change?.(document));
  call(removedTargetIds, (handler) => handler.remove?.(document.name ?? document, documentDelete !== undefined));
  if (targetChange) {
    const { resumeToken, targetChangeType: type, cause } = targetChange;
    // Without targets it is about all.
    call(targetChange.targetIds?.length ? targetChange.targetIds : undefined, (handler, t) => {
      if (resumeToken) t.token = resumeToken;
      if (type === 'CURRENT') handler.current?.();
      if (type === 'RESET') handler.reset?.();
      if (type === 'REMOVE') handler.failed?.(cause);
    });
  }
  // A filter with another count says that something was missed: the target begins anew.
  if (filter) {
    call([filter.targetId], (handler, t) => {
      if (!handler.count || handler.count() === (filter.count ?? 0)) return;
      delete t.token;
      handler.reset?.();
      restart();
    });
  }
}

export function followPage() {
  let hiding;
  // A tab that was opened behind another one has no stream: browsers have six connections for all tabs of a server.
  isHidden = document.hidden;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding);
    if (document.hidden) {
      hiding = setTimeout(() => {
        isHidden = true;
        stream?.abort();
        stream = null;
      }, 5000);
    } else if (isHidden) {
      isHidden = false;
      restart();
    }
  });
  isPaused.onChange(() => restart());
  viewAs.onChange(() => {
    for (const t of targets.values()) delete t.token;
    restart();
  });
  onDatabase(() => {
    targets.clear();
    restart(80);
  });
}

"""#)

    private static let file16 = ConsoleResource("lib/query.js", tag: "6fed364259d2a264", #"""
// SPDX-License-Identifier: Apache-2.0
// What the query page builds: a request body as REST has it, in which lines may be unfinished. Pure.
import { fieldPath, parseFieldPath, valueAt } from './values.js';

export const symbols = {
  EQUAL: '==', NOT_EQUAL: '!=', LESS_THAN: '<', LESS_THAN_OR_EQUAL: '<=', GREATER_THAN: '>', GREATER_THAN_OR_EQUAL: '>=',
  ARRAY_CONTAINS: 'array-contains', IN: 'in', NOT_IN: 'not-in', ARRAY_CONTAINS_ANY: 'array-contains-any',
  IS_NULL: 'is null', IS_NOT_NULL: 'is not null', IS_NAN: 'is NaN', IS_NOT_NAN: 'is not NaN',
};
export const isUnary = (op) => op.startsWith('IS_');
export const takesArray = (op) => ['IN', 'NOT_IN', 'ARRAY_CONTAINS_ANY'].includes(op);

export const queryOf = (collectionId) => ({ from: [{ collectionId }], limit: 100 });
/** Any filter as a group. */
export const groupOf = (filter) => filter?.compositeFilter ?? { op: 'AND', filters: filter ? [filter] : [] };

const isNamed = (field) => Boolean(field?.fieldPath.trim());
const named = ({ fieldPath: typed }) => ({ fieldPath: fieldPath(parseFieldPath(typed.trim())) });
const namedIn = (object) => ({ ...object, field: named(object.field) });
const unlessEmpty = (list) => (list?.length ? list : undefined);

/** A filter without lines that have no field, and without groups of less than two. */
function filterOf({ compositeFilter, unaryFilter, fieldFilter } = {}) {
  if (compositeFilter) {
    const filters = compositeFilter.filters.map(filterOf).filter(Boolean);
    return filters.length > 1 ? { compositeFilter: { ...compositeFilter, filters } } : filters[0];
  }
  if (!isNamed((unaryFilter ?? fieldFilter)?.field)) return undefined;
  return unaryFilter ? { unaryFilter: namedIn(unaryFilter) } : { fieldFilter: namedIn(fieldFilter) };
}

/** What is sent of a query and its aggregations: unfinished lines are left out. Throws for field paths that are not ones. */
export function requestOf({ select, where, orderBy = [], startAt, endAt, offset, limit, findNearest, ...query }, aggregations = []) {
  const structuredQuery = {
    ...query, select: unlessEmpty(select?.fields) && { fields: select.fields.filter(isNamed).map(named) }, where: filterOf(where),
    orderBy: unlessEmpty(orderBy.filter((o) => isNamed(o.field)).map(namedIn)), startAt: unlessEmpty(startAt?.values) && startAt,
    endAt: unlessEmpty(endAt?.values) && endAt, offset: offset || undefined, limit: limit || undefined,
    findNearest: isNamed(findNearest?.vectorField) ? {
      ...findNearest, vectorField: named(findNearest.vectorField), distanceResultField: findNearest.distanceResultField || undefined,
    } : undefined,
  };
  if (!aggregations.length) return { structuredQuery };
  const summed = ({ alias, ...aggregation }, i) => {
    const [[op, { field }]] = Object.entries(aggregation);
    return { alias: alias || `${op}_${i + 1}`, [op]: field ? { field: named(field) } : {} };
  };
  return { structuredAggregationQuery: { structuredQuery, aggregations: aggregations.map(summed) } };
}

/** The query and the aggregations of a request body, or of the query in it, as pasted or in the URL. Throws if it is none. */
export function readQuery(text) {
  const json = JSON.parse(text);
  const { structuredQuery: query = json, aggregations = [] } = json.structuredAggregationQuery ?? json;
  if (!['from', 'where', 'orderBy', 'limit', 'select', 'findNearest', 'startAt', 'endAt', 'offset'].some((k) => query[k])) {
    throw new Error('This is not a query: it has none of from, where, orderBy, limit.');
  }
  if (query.from?.length > 1) throw new Error('A query has one collection in “from”.');
  return { query: { from: [{}], ...query, limit: Number(query.limit?.value ?? query.limit ?? 0) }, aggregations };
}

export function fromURL(text) {
  try {
    return readQuery(text);
  } catch {
    return undefined;
  }
}

/** All that a query is ordered by: what is asked for, fields of inequalities, and the name. As the server completes it. */
export function fullOrder({ where, orderBy = [] }) {
  const order = orderBy.map(({ field, direction = 'ASCENDING' }) => ({ field, direction }));
  const direction = order.at(-1)?.direction ?? 'ASCENDING';
  const inequalities = (f) => {
    if (f?.compositeFilter) return f.compositeFilter.filters.flatMap(inequalities);
    const { op = '', field } = f?.fieldFilter ?? f?.unaryFilter ?? {};
    return /THAN|NOT/.test(op) ? [field.fieldPath] : [];
  };
  for (const path of [...inequalities(where).sort(), '__name__']) {
    if (!order.some((o) => o.field.fieldPath === path)) order.push({ field: { fieldPath: path }, direction });
  }
  return order;
}

const flipped = { ASCENDING: 'DESCENDING', DESCENDING: 'ASCENDING' };

/** The query for a page behind or before a row; without a row the first or the last page. Results of a page before come reversed. */
export function pageQuery(query, { row, isBackward = false, isInclusive = false, limit }) {
  const { startAt, endAt, offset, ...page } = query;
  const order = fullOrder(query);
  const turned = (cursor) => cursor && { values: cursor.values, before: !cursor.before };
  const [start, end] = isBackward ? [turned(endAt), turned(startAt)] : [startAt, endAt];
  const valueOf = ({ field: { fieldPath: path } }) =>
    (path === '__name__' ? { referenceValue: row.name } : valueAt(row.fields, parseFieldPath(path)));
  return {
    ...page, limit, startAt: row ? { values: order.map(valueOf), before: isInclusive } : start, endAt: end,
    offset: row ? undefined : offset, orderBy: isBackward ? order.map((o) => ({ ...o, direction: flipped[o.direction] })) : order,
  };
}

/** A sentence about what a query cost, and what would help. `metrics` is `explainMetrics` of an answer. */
export function explanation({ executionStats = {}, planSummary }) {
  const { resultsReturned = 0, debugStats = {}, executionDuration = '0', readOperations } = executionStats;
  const entries = Number(debugStats.index_entries_scanned ?? 0);
  const scanned = entries || Number(debugStats.documents_scanned ?? 0);
  const count = (n) => Number(n).toLocaleString('en');
  const ideal = debugStats.ideal_index_properties?.replace(/^\(|(, __name__ \w+)?\)$/g, '');
  const end = ideal ? `: an index on ${ideal} would read ${count(resultsReturned)}.`
    : scanned <= Math.max(resultsReturned * 2, 1) ? ', which is as few as possible.' : '.';
  return {
    sentence: `Read ${count(scanned)} ${entries ? 'index entries' : 'documents'} for ${count(resultsReturned)} results${end}`,
    ideal: ideal && {
      collectionGroup: debugStats.ideal_index_collection_id,
      queryScope: debugStats.ideal_index_query_scope === 'Collection group' ? 'COLLECTION_GROUP' : 'COLLECTION',
      fields: ideal.split(/,\s*/).map((part) => {
        const [, path, mode] = /^(.*) (\S+)$/.exec(part);
        return { fieldPath: path, ...(mode === 'CONTAINS' ? { arrayConfig: mode } : { order: `${mode}ENDING` }) };
      }),
    },
    indexes: (planSummary?.indexesUsed ?? []).map((i) => `${i.collection_id ?? ''} ${i.properties} · ${i.query_scope}`.trim()).join('; '),
    facts: [`${(parseFloat(executionDuration) * 1000).toFixed(1)} ms`, readOperations && `${readOperations} reads on Cloud Firestore`,
      debugStats.plan].filter(Boolean).join(' · '),
  };
}

"""#)

    private static let file17 = ConsoleResource("lib/rows.js", tag: "8cc8d42029e624e6", #"""
// SPDX-License-Identifier: Apache-2.0
// A window of rows of a collection or a query: pages of 100 by cursor, at most 1,000 rows kept.
import { listDocuments, run } from './api.js';
import { pageQuery } from './query.js';

const pageSize = 100;
const mostPages = 10;

/** @typedef {{name: string, fields: object, createTime?: string, updateTime?: string, isMissing: boolean}} Row */

export const rowOf = (document) => ({ fields: {}, ...document, isMissing: !document.updateTime });

export class Rows {
  pages = [];
  /** Of a list, the token of each page, and which is the first that is kept. */
  tokens = [''];
  firstPage = 0;
  isAtStart = true;
  isAtEnd = false;
  isLoading = false;
  abort = new AbortController();

  /** A list by name shows documents that do not exist, too; with `isQuery` it is what the query finds.
   *  `changed(shift)` is called with the number of rows that were put in before those that were there. */
  constructor({ parent, query, isQuery, changed, failed }) {
    Object.assign(this, { parent, query, isQuery, changed, failed });
  }

  get rows() { return this.pages.flat(); }
  get isWhole() { return this.isAtStart && this.isAtEnd; }

  close() { this.abort.abort(); }

  /** One load at a time; `action` answers the shift. */
  async load(action) {
    if (this.isLoading) return;
    this.isLoading = true;
    const { signal } = this.abort;
    try {
      this.changed(await action());
    } catch (error) {
      if (error.name !== 'AbortError') this.failed(error);
    } finally {
      if (!signal.aborted) this.isLoading = false;
    }
  }

  /** Begins with another page: without options the first one, and a list if there is no query. */
  begin(options) {
    this.close();
    Object.assign(this, { abort: new AbortController(), isLoading: false });
    return this.load(async () => {
      this.isList = !this.isQuery && !options;
      const [page, isLast] = await this.page(0, options);
      Object.assign(this, { pages: [page], firstPage: 0, isAtEnd: options?.isBackward || isLast });
      this.isAtStart = options?.isBackward ? isLast : !options?.row;
      return 0;
    });
  }

  first() { return this.begin(); }
  last() { return this.begin({ isBackward: true }); }
  from(name) { return this.begin({ row: { name, fields: {} }, isInclusive: true }); }

  next() {
    if (this.isAtEnd || !this.pages.length) return undefined;
    return this.load(async () => {
      const [page, isLast] = await this.page(this.firstPage + this.pages.length, { row: this.pages.at(-1).at(-1) });
      this.pages.push(page);
      this.isAtEnd = isLast;
      if (this.pages.length <= mostPages) return 0;
      this.firstPage += 1;
      this.isAtStart = false;
      return -this.pages.shift().length;
    });
  }

  previous() {
    if (this.isAtStart || !this.pages.length) return undefined;
    return this.load(async () => {
      const [page, isLast] = await this.page(this.firstPage - 1, { row: this.pages[0][0], isBackward: true });
      this.firstPage -= 1;
      this.isAtStart = this.isList ? this.firstPage === 0 : isLast;
      if (page.length) this.pages.unshift(page);
      if (this.pages.length > mostPages) {
        this.pages.pop();
        this.isAtEnd = false;
      }
      return page.length;
    });
  }

  /** A page of the list by its number, or of the query by the row before; and whether it is the last in its direction. */
  async page(at, options = {}) {
    const { signal } = this.abort;
    if (this.isList) {
      const collection = `${this.parent}/${this.query.from[0].collectionId}`;
      const { documents, next } = await listDocuments(collection, { pageSize, pageToken: this.tokens[at], signal });
      this.tokens[at + 1] = next;
      return [documents.map(rowOf), !next];
    }
    const { documents } = await run(this.parent, { structuredQuery: pageQuery(this.query, { ...options, limit: pageSize }) }, { signal });
    const page = documents.map(rowOf);
    return [options.isBackward ? page.reverse() : page, page.length < pageSize];
  }

  /** Replaces a row; false if it is not in the window. */
  change(name, replacement) {
    for (const page of this.pages) {
      const at = page.findIndex((row) => row.name === name);
      if (at < 0) continue;
      page[at] = replacement(page[at]);
      return true;
    }
    return false;
  }

  update(document) {
    return this.change(document.name, (row) =>
      (row.updateTime === document.updateTime && !row.isGone ? row : { ...rowOf(document), isFresh: true }));
  }

  /** Strikes a row through; it stays until the next scroll. */
  strike(name) { this.change(name, (row) => ({ ...row, isGone: true })); }

  sweep() {
    const before = this.rows.length;
    this.pages = this.pages.map((page) => page.filter((row) => !row.isGone));
    return this.rows.length !== before;
  }
}

"""#)

    private static let file18 = ConsoleResource("lib/store.js", tag: "3d010bf266765938", #"""
// SPDX-License-Identifier: Apache-2.0
// State: the route, which is the URL, and what is remembered in the browser.

export const pages = {
  data: 'Data', query: 'Query', requests: 'Requests', indexes: 'Indexes', usage: 'Usage', transfer: 'Import & export', rules: 'Rules',
  users: 'Users',
};
const base = '/console/';

/** @typedef {{page: string, project: string, database: string, path: string[], params: Object<string, string>}} Route */

function decode(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function parseRoute(pathname, search = '') {
  const segments = pathname.slice(base.length).split('/').filter(Boolean).map(decode);
  const [page = 'data', project = '', database = '', ...path] = segments;
  const params = Object.fromEntries(new URLSearchParams(search));
  return { page, project, database, path, params };
}

export function formatRoute({ page, project, database, path = [], params = {} }) {
  const place = project && database ? [project, database, ...path].map((id) => '/' + encodeURIComponent(id)).join('') : '';
  const search = new URLSearchParams(Object.entries(params).filter(([, v]) => v)).toString();
  return `${base}${page}${place}${search && '?' + search}`;
}

export function signal(value) {
  const observers = new Set();
  return {
    get value() { return value; },
    set value(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const observer of [...observers]) observer(next);
    },
    /** Calls at every change, until the function that it returns is called. */
    onChange(observer) {
      observers.add(observer);
      return () => observers.delete(observer);
    },
    watch(observer) {
      observer(value);
      return this.onChange(observer);
    },
  };
}

const here = () => (globalThis.location ? parseRoute(location.pathname, location.search) : parseRoute(base));
export const route = signal(here());

/** Asked before the page is left; false keeps it. */
export const guard = { mayLeave: async () => true };

/** Goes to another place. Members that are not given stay, except params. */
export async function go(change, { replace = false, force = false } = {}) {
  const next = { ...route.value, params: {}, ...change };
  const url = formatRoute(next);
  if (url === location.pathname + location.search) return true;
  if (!force && !(await guard.mayLeave(next))) return false;
  history[replace ? 'replaceState' : 'pushState'](null, '', url);
  route.value = here();
  return true;
}

/** Shows another page of this database. */
export const goPage = (page, params) => go({ page, path: [], params });

/** Replaces parameters of the URL; undefined removes. */
export const setParams = (params) => go({ params: { ...route.value.params, ...params } }, { replace: true, force: true });

export function followHistory() {
  addEventListener('popstate', async () => {
    const next = here();
    if (await guard.mayLeave(next)) route.value = next;
    else history.pushState(null, '', formatRoute(route.value));
  });
}

export const databaseName = ({ project, database } = route.value) =>
  (project && database ? `projects/${project}/databases/${database}` : '');

/** Calls when another database is opened. */
export function onDatabase(action) {
  let shown = databaseName();
  return route.onChange(() => {
    if (databaseName() === shown) return;
    shown = databaseName();
    action();
  });
}

/** The address of a collection or document of the open database. */
export const dataLink = (path) => formatRoute({ ...route.value, page: 'data', path, params: {} });

// Remembered in the browser. Private windows may refuse.

export function remembered(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`hearth.${key}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(`hearth.${key}`, JSON.stringify(value));
  } catch { /* It is forgotten with the page. */ }
}

function setting(key, otherwise) {
  const value = signal(remembered(key, otherwise));
  value.onChange((next) => remember(key, next));
  return value;
}

export const theme = setting('theme', 'system');
export const density = setting('density', 'normal');
export const server = signal(null);
export const databases = signal([]);
export const collections = signal({ ids: [], isLoaded: false });
export const isReadOnly = () => server.value?.readOnly ?? false;

"""#)

    private static let file19 = ConsoleResource("lib/values.js", tag: "1302c48a96cd225c", #"""
// SPDX-License-Identifier: Apache-2.0
// Values in the form of Firestore's REST API, and the texts people read and type. Pure: no page, no server.
//
// A value that is not edited goes back as it came. Integers are texts of digits (BigInt while they are checked), times are texts,
// doubles keep the sign of zero.

export const text = (string) => ({ stringValue: string });
export const mapOf = (fields) => ({ mapValue: { fields } });
export const arrayOf = (values) => ({ arrayValue: { values } });
export const vector = (numbers) => ({ mapValue: vectorMap(numbers) });

function fail(problem) {
  throw new Error(problem);
}

function vectorMap(numbers) {
  if (numbers.length > 2048) fail(`A vector has at most 2,048 dimensions, and this has ${numbers.length}.`);
  return { fields: { __type__: text('__vector__'), value: arrayOf(numbers.map((n) => ({ doubleValue: restNumber(n) }))) } };
}

const decode64 = (base64 = '') => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
export const encode64 = (array) => btoa(Array.from(array, (byte) => String.fromCharCode(byte)).join(''));

/** JSON has no NaN and no infinities, and JSON.stringify drops the sign of zero. */
const restNumber = (n) => (Object.is(n, -0) ? '-0.0' : Number.isFinite(n) ? n : String(n));

const words = (typed) => typed.replace(/^\[|\]$/g, '').split(/[\s,;]+/).filter(Boolean);

/** What each type is in REST, what it begins with, how it is shown, what a person edits, and how that is read. */
const kinds = {
  string: {
    member: 'stringValue', initial: '', parse: String, shown: (s) => `"${visible(s.length > 200 ? s.slice(0, 200) + '…' : s)}"`,
  },
  integer: { member: 'integerValue', initial: '0', shown: (digits) => digits.replace(/\B(?=(\d{3})+$)/g, '\u202f'), parse: parseInteger },
  double: { member: 'doubleValue', initial: 0, edited: doubleText, parse: (typed) => restNumber(parseDouble(typed)) },
  boolean: {
    member: 'booleanValue', initial: false,
    parse: (typed) => (/^(true|false)$/.test(typed) ? typed === 'true' : fail('A boolean is true or false.')),
  },
  timestamp: { member: 'timestampValue', initial: '1970-01-01T00:00:00Z', shown: (t) => t.replace('T', ' '), parse: parseTimestamp },
  reference: {
    member: 'referenceValue', initial: '', parse: parseReference,
    edited: (name, database) => (database && isIn(name, database) ? relative(name) : name),
  },
  geopoint: {
    member: 'geoPointValue', initial: { latitude: 0, longitude: 0 }, parse: parseGeoPoint,
    edited: ({ latitude = 0, longitude = 0 }) => [latitude, longitude].map((n) => doubleText(n).replace(/\.0$/, '')).join(', '),
  },
  array: { member: 'arrayValue', initial: {}, shown: ({ values = [] }) => `[${values.length}]` },
  map: {
    member: 'mapValue', initial: {},
    shown: ({ fields = {} }) => `{${some(sortedNames(fields).map((n) => visible(n.slice(0, 24))), 4)}}`,
  },
  vector: {
    member: 'mapValue', initial: vectorMap([]), parse: (typed) => vectorMap(words(typed).map(parseDouble)),
    edited: (map) => numbersOf(map).map((n) => (Object.is(n, -0) ? '-0' : n)).join(', '),
    shown: (map) => `${numbersOf(map).length} · ${some(numbersOf(map), 3)}`,
  },
  bytes: {
    member: 'bytesValue', initial: '', edited: (base64) => hex(decode64(base64)), parse: parseBytes,
    shown: (base64) => `${sizeText(decode64(base64).length)} · ${hex(decode64(base64.slice(0, 24)).subarray(0, 16))}`,
  },
  null: { member: 'nullValue', initial: null, parse: () => null },
  /** What the server is to compute: not a type of Firestore's, and never sent as it is (changes.js). */
  sentinel: { member: 'sentinel', shown: ({ kind, operand }) => `${sentinels[kind].toLowerCase()} ${operand ? summary(operand) : ''}` },
};

export const types = Object.keys(kinds).filter((type) => type !== 'sentinel');
export const sentinels = { serverTime: 'Server time', increment: 'Increment by', union: 'Array union', remove: 'Array removal' };

export function typeOf(value) {
  const type = Object.keys(kinds).find((kind) => kinds[kind].member in value) ?? 'null';
  return type === 'map' && fieldsOf(value).__type__?.stringValue === '__vector__' ? 'vector' : type;
}

const contentOf = (value) => value[kinds[typeOf(value)].member];
const valueOf = (type, content) => ({ [kinds[type].member]: content });

export const initial = (type) => (type === 'timestamp' ? { timestampValue: new Date().toISOString() } : valueOf(type, kinds[type].initial));

/** The text that a person edits, of types that are one text. */
export function editText(value, database) {
  const { edited = String, parse } = kinds[typeOf(value)];
  return parse ? edited(contentOf(value), database) : '';
}

/** One line that shows a value: what tables and trees contain. */
export function summary(value, database) {
  const { shown, edited = String } = kinds[typeOf(value)];
  return (shown ?? edited)(contentOf(value), database);
}

/** The value of a typed text. Throws an Error with a sentence for the person who typed it. */
export function parseValue(type, typed, database) {
  const { parse } = kinds[type];
  if (!parse) fail(`A value of type ${type} is not one line of text.`);
  return valueOf(type, parse(type === 'string' ? typed : typed.trim(), database));
}

/** A value of another type that keeps what can be kept. */
export function converted(value, type, database) {
  const from = typeOf(value);
  if (from === type) return value;
  try {
    const typed = type === 'integer' && from === 'double' ? String(BigInt(Math.round(value.doubleValue))) : editText(value, database);
    return parseValue(type, from === 'null' ? '' : typed, database);
  } catch {
    return initial(type);
  }
}

export const isContainer = (value) => ['array', 'map'].includes(typeOf(value));
export const fieldsOf = (value) => value?.mapValue?.fields ?? {};
export const elementsOf = (value) => value?.arrayValue?.values ?? [];
const numbersOf = ({ fields }) => elementsOf(fields.value).map((v) => Number(v.doubleValue ?? v.integerValue));
export const vectorOf = (value) => numbersOf(value.mapValue);
export const bytesOf = (value) => decode64(value.bytesValue);

export const toJSON = (any, indent) => JSON.stringify(any, (_, v) => (Object.is(v, -0) ? '-0.0' : v), indent);

/** By UTF-8 bytes, as the server orders names; the same as by code points. */
export function compareNames(a, b) {
  const [x, y] = [[...a], [...b]];
  const at = x.findIndex((c, i) => c !== y[i]);
  if (at < 0) return x.length - y.length;
  return at >= y.length ? 1 : x[at].codePointAt(0) - y[at].codePointAt(0);
}

export const sortedNames = (fields) => Object.keys(fields).sort(compareNames);

export const fieldPath = (names) =>
  names.map((s) => (/^[A-Za-z_]\w*$/.test(s) ? s : '`' + String(s).replace(/[\\`]/g, '\\$&') + '`')).join('.');

/** The names in a field path: dots separate, backticks quote. */
export function parseFieldPath(path) {
  const names = [];
  const name = /(?:`((?:[^\\`]|\\[^])+)`|([^.`][^.]*))(?:\.(?!$)|$)/y;
  do {
    const found = name.exec(path);
    if (!found) fail(`“${path}” is not a field path: names with dots between them, in backticks if they contain dots.`);
    names.push(found[1]?.replace(/\\([^])/g, '$1') ?? found[2]);
  } while (name.lastIndex < path.length);
  return names;
}

/** A member of its own: `constructor` is a name as any other. */
export const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);
export const define = (object, name, value) =>
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });

/** The value at a path of names and indexes; undefined if there is none. */
export const valueIn = (value, path) => path.reduce((v, step) => own(typeof step === 'number' ? elementsOf(v) : fieldsOf(v), step), value);
export const valueAt = (fields, path) => valueIn(mapOf(fields), path);

/** A copy of a map or array with another member at a path; undefined removes it. Maps on the way are made. */
function withMember(value, [step, ...rest], change) {
  const isIndex = typeof step === 'number';
  const inside = isIndex ? [...elementsOf(value)] : { ...fieldsOf(value) };
  const old = own(inside, step);
  const next = rest.length && (old || change) ? withMember(old, rest, change) : change;
  if (next) define(inside, step, next);
  else if (isIndex) inside.splice(step, 1);
  else delete inside[step];
  return isIndex ? arrayOf(inside) : mapOf(inside);
}

export const withValue = (fields, path, value) => fieldsOf(withMember(mapOf(fields), path, value));

export const rootOf = (database) => `${database}/documents`;
export const documentName = (database, path) => [rootOf(database), ...path].join('/');
export const relative = (name) => name.replace(/^projects\/[^/]+\/databases\/[^/]+\/documents\/?/, '');
export const isIn = (name, database) => name.startsWith(rootOf(database) + '/');
export const lastID = (name) => name.slice(name.lastIndexOf('/') + 1);

export function idProblem(id) {
  if (!id) return 'An id has at least one character.';
  if (id.includes('/')) return 'An id cannot contain a slash.';
  if (id === '.' || id === '..') return 'An id cannot be “.” or “..”.';
  if (/^__.*__$/s.test(id)) return 'Ids like __name__ are reserved.';
  return new TextEncoder().encode(id).length > 1500 ? 'An id has at most 1,500 bytes.' : '';
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const newID = () => Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => alphabet[byte % 62]).join('');

// Texts that people read

const some = (list, most) => list.slice(0, most).join(', ') + (list.length > most ? ', …' : '');

/** The shortest text that reads back as this double and is not an integer's. */
export function doubleText(value) {
  const number = Number(value);
  if (Object.is(number, -0)) return '-0.0';
  return /^-?\d+$/.test(number) ? `${number}.0` : String(number);
}

export function sizeText(bytes) {
  const power = Math.min(4, Math.max(0, Math.floor(Math.log10(bytes || 1) / 3 + 0.0001)));
  const shown = bytes / 1000 ** power;
  return `${power && shown < 10 ? shown.toFixed(1) : Math.round(shown)} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`;
}

/** Shows controls, marks of direction and joiners, which are not seen. */
export const visible = (string) => string.replace(
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g,
  (c) => ({ '\n': '↵', '\t': '⇥' }[c] ?? `‹${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}›`));

export const hex = (array) => Array.from(array, (b) => b.toString(16).padStart(2, '0')).join(' ');

/** The local time of a timestamp, with all its digits. Only the difference to UTC comes from the system. */
export function localTime(timestamp) {
  const [, seconds, fraction = ''] = /^(.{19})(\.\d+)?Z$/.exec(timestamp) ?? [];
  const moment = Date.parse(`${seconds}Z`);
  if (Number.isNaN(moment)) return timestamp;
  const offset = -new Date(moment).getTimezoneOffset() * 60000;
  const zone = offset ? `${offset < 0 ? '−' : '+'}${new Date(Math.abs(offset)).toISOString().slice(11, 16)}` : '';
  return `${new Date(moment + offset).toISOString().slice(0, 19).replace('T', ' ')}${fraction} UTC${zone}`;
}

// Texts that people type

const plainNumber = (typed) => typed.replace(/[\s_\u202f\u2009]/g, '').replace('\u2212', '-');

function parseInteger(typed) {
  const digits = plainNumber(typed);
  if (!/^[+-]?\d+$/.test(digits)) fail('An integer has digits only. For 1.5 choose the type double.');
  const number = BigInt(digits.replace('+', ''));
  if (BigInt.asIntN(64, number) !== number) fail(`Integers have 64 bits: ${-(2n ** 63n)} to ${2n ** 63n - 1n}.`);
  return String(number);
}

function parseDouble(typed) {
  const plain = plainNumber(typed);
  if (/^[+-]?(nan|inf(inity)?)$/i.test(plain)) return /n$/i.test(plain) ? NaN : plain[0] === '-' ? -Infinity : Infinity;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) fail('A double is a number such as 1.5, 6.02e23, NaN or -Infinity.');
  return Number.isFinite(Number(plain)) ? Number(plain) : fail('This is more than a double can hold; write Infinity if that is meant.');
}

function parseGeoPoint(typed) {
  const [latitude, longitude, ...more] = words(typed).map(parseDouble);
  if (longitude === undefined || more.length) fail('A geopoint is two numbers: latitude, longitude.');
  if (!(Math.abs(latitude) <= 90)) fail('The latitude is from −90 to 90.');
  if (!(Math.abs(longitude) <= 180)) fail('The longitude is from −180 to 180.');
  return { latitude: restNumber(latitude), longitude: restNumber(longitude) };
}

function parseReference(typed, database) {
  const path = typed.replace(/^\/+|\/+$/g, '');
  const ids = relative(path).split('/');
  const problem = ids.map(idProblem).find(Boolean);
  if (problem) fail(problem);
  if (ids.length % 2) fail('A reference names a document: collection/id, or collection/id/collection/id.');
  return relative(path) === path ? `${rootOf(database)}/${path}` : path;
}

/** Hexadecimal digits, or base64 behind “base64:”: a text like "ABCD" is both, so it has to be said. */
function parseBytes(typed) {
  const plain = typed.replace(/\s/g, '');
  if (/^([0-9a-f]{2})*$/i.test(plain)) return encode64((plain.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
  try {
    if (plain.startsWith('base64:')) return btoa(atob(plain.slice(7).replaceAll('-', '+').replaceAll('_', '/')));
  } catch { /* Said below. */ }
  return fail('Bytes are pairs of hexadecimal digits, or “base64:” and base64.');
}

/** The same moment as RFC 3339 in UTC, with the digits behind the point as typed. */
export function parseTimestamp(typed) {
  const found = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|([+-])(\d\d):?(\d\d))?$/i.exec(typed);
  if (!found) fail('A timestamp is like 2026-11-22T09:30:00.25Z, with up to 9 digits, or with an offset like +01:00.');
  const [, day, time = '00:00', seconds = '00', fraction = '', , sign = '+', hours = 0, minutes = 0] = found;
  const written = `${day}T${time}:${seconds}`;
  // A Date is exact for whole seconds; the digits behind the point never get into one.
  const moment = Date.parse(`${written}Z`);
  if (Number.isNaN(moment) || !new Date(moment).toISOString().startsWith(written)) fail(`There is no ${written}.`);
  const utc = new Date(moment - Number(`${sign}1`) * (hours * 60 + Number(minutes)) * 60000);
  if (utc.getUTCFullYear() < 1 || utc.getUTCFullYear() > 9999) fail('A timestamp is from year 1 to 9999.');
  const digits = fraction.replace(/0+$/, '');
  return `${utc.toISOString().slice(0, 19)}${digits && '.' + digits}Z`;
}

"""#)

    private static let file20 = ConsoleResource("main.js", tag: "6fac891c91053b74", #"""
// SPDX-License-Identifier: Apache-2.0
// The shell: what stands around each page, the keys, and what to do without a server or a token.
import { connection, consoleCall, keepToken, loadCollections, loadDatabases, loadServer, takeToken, viewAs } from './lib/api.js';
import {
  announce, button, counted, facts, failure, h, headed, icon, iconButton, input, isTyping, loading, muted, number, pre, primary, replace,
} from './lib/dom.js';
import { addSamples, followPage, isPaused, liveState, rateAt, restart, sample, samples } from './lib/live.js';
import {
  collections, databaseName, databases, dataLink, density, followHistory, formatRoute, go, goPage, isReadOnly, onDatabase, pages,
  parseRoute, remember, remembered, route, server, theme,
} from './lib/store.js';
import { newCollection } from './ui/questions.js';
import { suggesting } from './ui/suggestions.js';
import { ask, attempt, beginning, dialog, menuButton } from './ui/widgets.js';

const byID = (id) => document.getElementById(id);
const main = byID('main');
const pageKeys = { d: 'data', q: 'query', r: 'requests', i: 'indexes', u: 'usage', t: 'transfer', s: 'rules', a: 'users' };
let page = null;
let pageName = '';
let turn = 0;

// Databases, and who looks at them

const placeText = (name) => {
  const [, project, , database] = name.split('/');
  return database === '(default)' ? project : `${project} / ${database}`;
};

function openDatabase(name, path) {
  const [, project, , database] = name.split('/');
  return go({ project, database, path: [] }, path);
}

/** Without a place in the URL: the database of last time, of the server, or the first. */
async function findPlace() {
  const names = databases.value.map((d) => d.name);
  const wanted = [remembered('database'), `projects/${server.value?.project}/databases/(default)`, names[0]];
  const found = wanted.find((name) => names.includes(name));
  if (found) await openDatabase(found, { replace: true });
}

async function databaseMenu() {
  // If the server takes long, the list of before has to do.
  await Promise.race([loadDatabases().catch(() => {}), new Promise((resolve) => { setTimeout(resolve, 2000); })]);
  return ['Databases', ...databases.value.map(({ name }) =>
    [placeText(name), () => openDatabase(name), { checked: name === databaseName() }]), null, ['Another database…', otherDatabase]];
}

async function otherDatabase() {
  const chosen = await ask({
    title: 'Another database', action: 'Open', text: 'A database that does not exist is created by its first document.',
    fields: { Project: route.value.project, Database: '(default)' }, read: (project, database) => {
      if (![project, database].every((name) => /^[^/]+$/.test(name))) throw new Error('Both have a name without slashes.');
      return { project, database };
    },
  });
  if (chosen) go({ page: 'data', path: [], ...chosen });
}

function setViewAs(as) {
  viewAs.value = as;
  loadCollections();
  page?.refresh?.();
}

function viewMenu() {
  const { sub } = viewAs.value ?? {};
  const isUser = viewAs.value && viewAs.value !== 'anonymous';
  return [
    'View as',
    ['Administrator', () => setViewAs(null), { checked: viewAs.value === null }],
    ['Not signed in', () => setViewAs('anonymous'), { checked: viewAs.value === 'anonymous' }],
    [isUser ? `User ${sub}…` : 'A user…', viewUser, { checked: Boolean(isUser) }],
  ];
}

async function viewUser() {
  const { sub = '', ...claims } = typeof viewAs.value === 'object' ? { ...viewAs.value } : {};
  const text = h('textarea.mono', { rows: 5, spellcheck: false, value: sub ? JSON.stringify(claims, null, 2) : '' });
  const as = await ask({
    title: 'View as a user', action: 'View', text: 'Requests of this console are then judged by the rules, as if this user had sent them.',
    fields: { 'User id': sub, 'Claims, as JSON': text }, read: (id, typed) => {
      if (!id) throw new Error('A user has an id.');
      return { ...JSON.parse(typed || '{}'), sub: id };
    },
  });
  if (as) setViewAs(as);
}

// What stands around each page

/** What can be gone to or done, by its word. */
const commands = () => ({
  ...Object.fromEntries(Object.entries(pages).map(([name, title]) => [title, () => goPage(name)])),
  [isPaused.value ? 'Resume live updates' : 'Pause live updates']: togglePause,
  ...(!isReadOnly() && { 'New collection': newCollection }),
  Keys: showKeys,
  ...page?.commands?.(),
});

function pathBox() {
  const reset = () => { box.value = route.value.page === 'data' ? route.value.path.join('/') : ''; };
  const submit = () => {
    const typed = box.value.trim();
    // The beginning of a command is enough, unless there is a collection of this name.
    const isCommand = ([word]) => typed && word.toLowerCase().startsWith(typed.toLowerCase());
    const [, command] = (!collections.value.ids.includes(typed) && Object.entries(commands()).find(isCommand)) || [];
    box.blur();
    reset();
    if (command) command();
    else if (typed) go({ page: 'data', path: typed.split('/').filter(Boolean) });
  };
  const box = input({
    label: 'Path or command', placeholder: 'Go to a path or command   /', class: 'path', onfocus: () => box.select(),
    onkeydown: (event) => {
      if (event.key === 'Escape') {
        reset();
        main.focus();
      }
      if (event.key !== 'Enter') return;
      // Otherwise the key would submit the dialog that it opens.
      event.preventDefault();
      submit();
    },
  });
  route.watch(reset);
  return suggesting(box, () => [...collections.value.ids, ...Object.keys(commands())], (value) => {
    box.value = value;
    submit();
  });
}

function drawTop() {
  const database = h('span.ellipsis');
  const person = h('span.ellipsis.wide-only');
  const personButton = menuButton([icon('person'), person], viewMenu, 'View as');
  byID('top').append(
    iconButton('menu', 'Menu', () => document.body.classList.toggle('menu-open'), { class: 'narrow-only' }),
    h('a.brand', { href: '/console/data' }, h('img', { src: '/console/flame.svg', alt: '' }), h('span.wide-only', 'Hearth')),
    menuButton([icon('data'), database, icon('down')], databaseMenu, 'Database', { class: 'database' }), ...pathBox(), personButton,
    menuButton(icon('more'), settingsMenu, 'Settings'), h('.row', { id: 'primary' }));
  route.watch(() => { database.textContent = databaseName() ? placeText(databaseName()) : 'No database'; });
  viewAs.watch((as) => {
    person.textContent = as === null ? 'Administrator' : as === 'anonymous' ? 'Not signed in' : as.sub;
    personButton.classList.toggle('on', as !== null);
  });
}

function settingsMenu() {
  const choices = (setting, words) => Object.entries(words).map(([value, word]) =>
    [word, () => { setting.value = value; }, { checked: setting.value === value }]);
  return [
    'Theme', ...choices(theme, { system: 'As the system', light: 'Light', dark: 'Dark' }),
    'Rows', ...choices(density, { compact: 'Compact', normal: 'Normal', roomy: 'Roomy' }),
    null, ['Keys', showKeys, { hint: '?' }], ['About this server', showServer],
  ];
}

function showServer() {
  const { version, address, data = 'in memory', startTime, development, settings } = server.value;
  const mode = development ? 'development: tokens are not verified' : 'tokens are verified';
  dialog({ title: 'This server', body: facts({
    Version: version, Address: address, Data: data, Started: startTime, Mode: mode, ...settings,
  }) });
}

const showKeys = () => dialog({ title: 'Keys', body: facts({
  '/ or Ctrl K': 'Path and commands', 'g d, g q, g r': 'Data, query, requests',
  'g i, g u, g t, g s, g a': 'Indexes, usage, transfer, rules, users',
  '↑ ↓ ← → Home End': 'Move in tables', Enter: 'Open, or edit a field', e: 'Edit the document', n: 'New document',
  Space: 'Select a row', Delete: 'Delete', '[ and ]': 'Previous and next document', 'Ctrl S': 'Save', 'Ctrl Enter': 'Run the query',
  'Alt ↑ ↓': 'Move an element of an array', '.': 'Pause live updates', Escape: 'Take back, close', '?': 'This list',
}) });

function togglePause() { isPaused.value = !isPaused.value; }

function drawLeft() {
  const r = route.value;
  const { ids, next, isLoaded, error } = collections.value;
  document.body.classList.remove('menu-open');
  const link = (path, isHere, ...content) => h('li', h('a.mono', {
    href: dataLink(path), title: path.join('/'), ariaCurrent: isHere ? 'true' : undefined, '--depth': path.length,
  }, h('span.ellipsis', content)));
  const below = r.path.map((id, i) => i % 2 === 0 && i > 0
    && link(r.path.slice(0, i + 1), i + 2 >= r.path.length, h('span.faint', `${r.path[i - 1]} / `), id));
  replace(byID('left'),
    h('ul', Object.entries(pages).map(([name, title]) => h('li', h('a', {
      href: formatRoute({ ...r, page: name, path: [], params: {} }), ariaCurrent: r.page === name ? 'page' : undefined,
    }, icon(name), title)))),
    databaseName() && isLoaded && [
      h('.row.head', h('h2.heading.grow', 'Collections'), !isReadOnly() && iconButton('plus', 'New collection', newCollection)),
      error && h('p.muted.pad.lines', error.message),
      h('ul.collections', ids.map((id) => {
        const isHere = r.page === 'data' && r.path[0] === id;
        return [link([id], isHere && r.path.length <= 2, id), isHere && below];
      })),
      next && button('More collections', () => loadCollections(true), { class: 'small' }),
    ]);
}

function drawStatus() {
  const words = { connecting: 'Connecting', live: 'Live', paused: 'Paused', off: 'Not live', gone: 'No connection' };
  const state = h('button.state', { onclick: () => (liveState.value === 'gone' ? restart() : togglePause()) });
  const figures = h('span.figures.wide-only');
  byID('status').append(state, h('span.mono.faint', location.host), figures, h('span.grow'),
    h('button.state', { onclick: showKeys }, '? for keys'));
  liveState.watch((s) => replace(state, h('span.dot', { class: s }), words[s]));
  sample.onChange(({ listeners = 0 }) => {
    const rate = rateAt(samples.length - 1, 'reads');
    if (rate !== undefined) figures.textContent = `${number(Math.round(rate))} reads/s   ·   ${counted(listeners, 'listener')}`;
  });
}

// Pages

const setPrimary = (...buttons) => replace(byID('primary'), buttons);

async function show(r) {
  turn += 1;
  const mine = turn;
  if (!Object.hasOwn(pages, r.page)) {
    leave();
    document.title = 'Not found · Hearth';
    replace(main, headed('Not found', muted('The console has no page at ', h('span.mono', location.pathname)),
      primary('Open the data', () => goPage('data'))));
    return;
  }
  if (!databaseName()) {
    await findPlace();
    if (databaseName()) return;
    leave();
    replace(main, headed('Nothing here yet. Point an app at it:', beginning(), muted('Or begin here:'), h('.row',
      !isReadOnly() && primary('New collection', newCollection), button('Open a database', otherDatabase))));
    return;
  }
  remember('database', databaseName());
  if (pageName !== r.page) {
    leave();
    const { open } = await import(`./pages/${r.page}.js`);
    if (mine !== turn) return;
    page = open({ setPrimary });
    pageName = r.page;
    replace(main, page.element);
  }
  page.update?.(r);
  document.title = `${r.page === 'data' && r.path.length ? r.path.join('/') : pages[r.page]} · Hearth`;
}

function leave() {
  page?.destroy?.();
  page = null;
  pageName = '';
  setPrimary();
  replace(main);
  loading(main);
}

function showLocked() {
  turn += 1;
  leave();
  const address = input({ label: 'Token or address', placeholder: 'http://…/console/#t=…' });
  replace(main, headed('This page needs the address with the token.',
    muted('The server prints it when it starts, and so does this command:'), pre('hearth console'), muted('Open it, or paste it here:'),
    h('form.row', {
      onsubmit: (event) => {
        event.preventDefault();
        keepToken(decodeURIComponent(address.value.trim().replace(/^.*#t=/, '')));
        connection.value = 'ok';
      },
    }, address, primary('Open', undefined, { type: 'submit' }))));
  address.focus();
}

async function start() {
  try {
    const listed = loadDatabases();
    listed.catch(() => { /* Told by the connection. */ });
    // With a place in the URL its rows are asked for at once; a console that only reads is drawn again without what writes.
    const isPlaced = Boolean(databaseName());
    if (isPlaced) attempt(() => show(route.value));
    await loadServer();
    consoleCall('GET', 'metrics').then((metrics) => addSamples(metrics.samples), () => { /* Figures come with the stream, too. */ });
    await (isPlaced ? null : listed);
    if (server.value.readOnly) leave();
    if (!isPlaced || server.value.readOnly) await show(route.value);
    restart();
    loadCollections();
  } catch (error) {
    if (connection.value === 'ok') replace(main, failure(error, start));
  }
}

// The server

async function retry() {
  if (connection.value !== 'gone') return;
  setTimeout(retry, 1500);
  await loadServer().catch(() => { /* It is asked again. */ });
}

function reconnected() {
  if (server.value) announce('Connected again');
  restart();
  if (page) page.refresh?.(true);
  else start();
}

function followConnection() {
  const bar = h('.gone-bar', { role: 'alert', hidden: true },
    'The server does not answer. What you see may be out of date; this page tries again by itself.');
  main.before(bar);
  connection.onChange((state) => {
    bar.hidden = state !== 'gone';
    if (state === 'locked') showLocked();
    if (state === 'gone') setTimeout(retry, 1500);
    if (state === 'ok') reconnected();
  });
}

// Keys and links

let waitsForPage = 0;

function pressed(event) {
  const key = event.ctrlKey || event.metaKey ? `ctrl-${event.key.toLowerCase()}` : event.key;
  const isBusy = event.altKey || event.defaultPrevented || isTyping(event.target) || document.querySelector('dialog[open], .menu');
  if (isBusy && !['ctrl-k', 'ctrl-s', 'ctrl-enter'].includes(key)) return;
  const isSecond = Date.now() - waitsForPage < 1200;
  waitsForPage = key === 'g' ? Date.now() : 0;
  const goTo = () => byID('top').querySelector('.path').focus();
  const own = { 'ctrl-k': goTo, '/': goTo, '?': showKeys, '.': togglePause };
  const action = isSecond && pageKeys[key] ? () => goPage(pageKeys[key]) : own[key] ?? page?.keys?.[key];
  if (!action) return;
  event.preventDefault();
  action();
}

/** Links within the console do not load it again. */
function clicked(event) {
  const link = event.target.closest?.('a[href^="/console/"]');
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(parseRoute(link.pathname, link.search));
}

/** Closing or reloading the tab would lose what is typed. */
addEventListener('beforeunload', (event) => { if (page?.isDirty?.()) event.preventDefault(); });

theme.watch((value) => { document.documentElement.dataset.theme = value; });
followHistory();
followPage();
drawTop();
drawStatus();
followConnection();
document.addEventListener('keydown', pressed);
document.addEventListener('click', clicked);
collections.onChange(drawLeft);
route.watch(drawLeft);
onDatabase(() => {
  collections.value = { ids: [], isLoaded: false };
  loadCollections();
});
route.onChange((r) => attempt(() => show(r)));
await takeToken();
start();

"""#)

    private static let file21 = ConsoleResource("pages/data.js", tag: "f5c9b021091b6f7c", #"""
// SPDX-License-Identifier: Apache-2.0
// Data: a collection as a table, and one of its documents beside it.
import { loadCollections } from '../lib/api.js';
import { failure, h, headed, icon, loading, muted, primary, replace } from '../lib/dom.js';
import { collections, databaseName, go, guard, isReadOnly, remember, remembered, route } from '../lib/store.js';
import { documentName, toJSON } from '../lib/values.js';
import { collectionTable } from '../ui/collection.js';
import { DocumentPanel } from '../ui/editor.js';
import { newCollection } from '../ui/questions.js';
import { beginning, confirmDiscard, drag } from '../ui/widgets.js';

export function open({ setPrimary }) {
  let table = null;
  let tableKey = '';
  let panel = null;
  let panelKey = '';
  let width = remembered('panel', 420);
  /** What the tables of one collection keep when their query changes. */
  let kept = {};
  const tablePlace = h('section.table-place', { label: 'Collection' });
  const panelPlace = h('aside.panel-place', { label: 'Document' });
  const edge = h('.resizer', {
    role: 'separator', ariaOrientation: 'vertical', label: 'Width of the document', ariaValueMin: 300, ariaValueMax: 2000, tabIndex: 0,
    onpointerdown: (event) => {
      const before = width;
      drag(event, (by) => resize(before - by));
    },
    onkeydown: (event) => resize(width + ({ ArrowLeft: 16, ArrowRight: -16 }[event.key] ?? 0)),
  });
  const element = h('.split', tablePlace, edge, panelPlace);
  resize(width);

  function resize(wanted) {
    width = Math.round(Math.max(300, Math.min(wanted, innerWidth - 420)));
    element.style.setProperty('--panel', `${width}px`);
    edge.ariaValueNow = width;
    remember('panel', width);
  }

  function update({ path, params }) {
    const isDocument = path.length > 0 && path.length % 2 === 0;
    const collection = isDocument ? path.slice(0, -1) : path;
    const key = collection.length ? toJSON([databaseName(), collection, params.q]) : '';
    if (key !== tableKey) {
      table?.destroy();
      if (toJSON(table?.path) !== toJSON(collection)) kept = {};
      tableKey = key;
      table = key ? collectionTable(collection, params, { kept, removed: async () => {
        await loadCollections();
        go({ path: collection.slice(0, -2) });
      } }) : null;
      replace(tablePlace, table?.element);
    }
    const opened = isDocument ? documentName(databaseName(), path) : '';
    const wanted = opened || (params.new && collection.join('/'));
    if (wanted !== panelKey) {
      closePanel();
      if (wanted) openPanel(isDocument ? path : [...collection, ''], !isDocument);
      panelKey = wanted;
    }
    table?.opened(opened);
    setPrimary(table && !isReadOnly() && primary([icon('plus'), h('span.wide-only', 'New document')], create,
      { title: 'New document (n)', label: 'New document' }));
    if (!table) start();
  }

  const create = () => go({ path: table.path, params: { ...route.value.params, new: '1' } });

  function openPanel(path, isNew) {
    const leave = (to, options) => go({ path: to, params: { ...route.value.params, new: undefined } }, options);
    const above = path.slice(0, -1);
    panel = new DocumentPanel({
      database: databaseName(), path, isNew,
      close: async () => { if (await leave(above)) table?.grid.element.focus({ preventScroll: true }); },
      saved: (document) => {
        table?.saved(document);
        if (!collections.value.ids.includes(path[0])) loadCollections();
      },
      siblings: () => (table?.grid.rows ?? []).filter((row) => row.name !== panel?.name).map((row) => row.fields),
      created: (id) => leave([...above, id], { replace: true, force: true }),
      deleted: (name) => {
        table?.deleted([name]);
        leave(above, { force: true });
      },
    });
    const placeOf = ({ page, path: at, params, ...r }) => toJSON([page, databaseName(r), at, params.new]);
    guard.mayLeave = (next) => !panel?.isDirty || placeOf(next) === placeOf(route.value)
      || confirmDiscard('document has changes that are not saved');
    replace(panelPlace, panel.element);
    element.classList.add('has-panel');
  }

  function closePanel() {
    panel?.destroy();
    panel = null;
    panelKey = '';
    guard.mayLeave = () => true;
    element.classList.remove('has-panel');
    replace(panelPlace);
  }

  /** Without a collection in the path: the first one, or what to do in an empty database. */
  function start() {
    const { ids, isLoaded, error } = collections.value;
    if (error) replace(tablePlace, failure(error, () => loadCollections()));
    else if (!isLoaded) loading(tablePlace);
    else if (ids.length) go({ path: [ids[0]] }, { replace: true });
    else {
      replace(tablePlace, headed('Nothing here yet. Point an app at it:', beginning(), !isReadOnly() && [
        muted('Or begin with a document:'), primary('New collection', newCollection)]));
    }
  }

  const stop = collections.onChange(() => { if (!table) start(); });
  return {
    element, update, isDirty: () => panel?.isDirty,
    destroy() {
      stop();
      table?.destroy();
      closePanel();
    },
    /** After a lost connection the listeners tell what has changed; only what was never loaded is loaded. */
    refresh(isReconnected) {
      if (!isReconnected || !table?.grid.rows.length) table?.reload();
      if (!isReconnected || !panel?.document) panel?.reload();
      if (!table) start();
    },
    keys: {
      n: () => !isReadOnly() && table && create(),
      e: () => panel?.tree.edit(),
      '[': () => table?.step(-1),
      ']': () => table?.step(1),
      'ctrl-s': () => panel?.save(),
      Delete: () => (table?.grid.selection.size ? table.removeSelected() : panel?.remove()),
      Escape: () => panel?.close(),
    },
  };
}

"""#)

    private static let file22 = ConsoleResource("pages/indexes.js", tag: "fdb053af4a840bd3", #"""
// SPDX-License-Identifier: Apache-2.0
// Indexes: what there is, what it costs, and what queries lacked.
import { databaseCall } from '../lib/api.js';
import {
  button, empty, failure, h, iconButton, input, labelled, loading, muted, number, primary, region, replace, select, small, table,
} from '../lib/dom.js';
import { collections, isReadOnly } from '../lib/store.js';
import { localTime, sizeText, toJSON } from '../lib/values.js';
import { fieldInput, lines } from '../ui/inputs.js';
import { suggesting } from '../ui/suggestions.js';
import { attempt, copy, dialog, page } from '../ui/widgets.js';

const words = { ASCENDING: '↑', DESCENDING: '↓', CONTAINS: 'contains' };
const fieldsText = ({ fields }) => fields.map(({ fieldPath, order, arrayConfig, vectorConfig }) =>
  `${fieldPath} ${words[order ?? arrayConfig] ?? `vector of ${vectorConfig?.dimension}`}`).join(',  ');
const policies = {
  automatic: 'Hearth makes the indexes that queries need, and drops them when they are no longer used.',
  manual: 'Only configured indexes are kept; other queries scan.', required: 'Queries without an index are refused.',
};
const heads = ['Collection', 'Fields', 'State', ' Entries', ' Size', 'Last used', '\u200b'];

export function open({ setPrimary }) {
  const place = region('.content', 'Indexes');
  let timer;

  async function load() {
    clearTimeout(timer);
    try {
      const answer = await databaseCall('GET', 'indexes');
      draw(answer);
      if (answer.indexes.some((i) => i.state === 'BUILDING')) timer = setTimeout(load, 1000);
    } catch (error) {
      replace(place, failure(error, load));
    }
  }

  const change = (method, index) => attempt(async () => {
    await databaseCall(method, 'indexes', { index });
    await load();
  });

  const row = ({ index, state, progress = 0, configured, entries, bytes, lastUsed }) => [
    h('span.mono', index.collectionGroup, index.queryScope === 'COLLECTION_GROUP' && h('span.faint', ' group')),
    h('span.mono', fieldsText(index)),
    [state === 'BUILDING' ? h('span.warn-text', `building ${Math.round(progress * 100)} %`) : h('span.ok-text', 'ready'),
      h('span.faint', configured ? ' · configured' : ' · automatic')],
    number(entries), bytes === undefined ? '–' : sizeText(bytes), lastUsed ? localTime(lastUsed).replace(/\.\d+/, '') : 'never',
    configured && !isReadOnly() ? iconButton('trash', `Delete the index on ${fieldsText(index)}`, () => change('DELETE', index)) : '',
  ];

  const draw = ({ policy, indexes, needed = [] }) => replace(place, muted(policies[policy]),
    indexes.length ? region('', 'List of indexes', table(heads, indexes.map(row)))
      : empty('No indexes yet.', h('p', 'They appear as queries need them.')),
    needed.length > 0 && [h('h2', 'Queries lacked'), needed.map((index) => h('.row.wrap',
      h('span.mono', `${index.collectionGroup}: ${fieldsText(index)}`), !isReadOnly() && small('Create', () => change('POST', index))))],
    indexes.length > 0 && h('div', button('Copy as firestore.indexes.json', () =>
      copy(toJSON({ indexes: indexes.map((i) => i.index), fieldOverrides: [] }, 2)))));

  async function add() {
    const collection = input({ label: 'Collection id', value: collections.value.ids[0] ?? '' });
    const scope = select('Scope', [['COLLECTION', 'each collection'], ['COLLECTION_GROUP', 'all collections of this id']], 'COLLECTION');
    const modes = [['ASCENDING', 'ascending'], ['DESCENDING', 'descending'], ['CONTAINS', 'array contains']];
    const unfinished = () => ({ field: fieldInput('', () => []), mode: select('Mode', modes) });
    const parts = [unfinished(), unfinished()];
    const index = await dialog({
      title: 'New index', action: 'Create', body: [labelled('Collection', suggesting(collection, () => collections.value.ids)),
        labelled('Scope', scope),
        h('.stack', 'Fields', lines(parts, ({ field, mode }) => [field.element, mode], { 'Another field': unfinished }))],
      read: () => {
        const fields = parts.map(({ field, mode }) => ({
          fieldPath: field.read(), [mode.value === 'CONTAINS' ? 'arrayConfig' : 'order']: mode.value,
        })).filter((f) => f.fieldPath);
        if (!collection.value || !fields.length) throw new Error('An index is for a collection, and has at least one field.');
        return { collectionGroup: collection.value, queryScope: scope.value, fields };
      },
    });
    if (index) change('POST', index);
  }

  return {
    element: page('Indexes', null, place), refresh: load, destroy: () => clearTimeout(timer),
    update() {
      setPrimary(!isReadOnly() && primary('New index', add));
      loading(place);
      load();
    },
  };
}

"""#)

    private static let file23 = ConsoleResource("pages/query.js", tag: "cae5a84a457c8be1", #"""
// SPDX-License-Identifier: Apache-2.0
// Query: a builder, the same query as code, the results, and what they cost.
import { databaseCall, run as send } from '../lib/api.js';
import { code, languageNames } from '../lib/code.js';
import {
  announce, checkbox, counted, empty, facts, failure, h, input, muted, primary, problemLine, region, replace, segments, select, small,
  tool,
} from '../lib/dom.js';
import { watch } from '../lib/live.js';
import { explanation, fromURL, queryOf, readQuery, requestOf } from '../lib/query.js';
import { rowOf } from '../lib/rows.js';
import { collections, databaseName, go, goPage, remember, remembered, route } from '../lib/store.js';
import { compareNames, documentName, relative, summary, toJSON, typeOf, vector } from '../lib/values.js';
import { documentGrid, fieldColumns, fitted, idKey } from '../ui/columns.js';
import { fieldInput, filterInput, lines, typedInput, valueInput } from '../ui/inputs.js';
import { suggesting } from '../ui/suggestions.js';
import { attempt, ask, copy, toast } from '../ui/widgets.js';

const directions = [['ASCENDING', 'ascending'], ['DESCENDING', 'descending']];
const measures = [['COSINE', 'cosine'], ['EUCLIDEAN', 'euclidean'], ['DOT_PRODUCT', 'dot product']];

export function open({ setPrimary }) {
  /** Where, what and which figures; the inputs write into the query, whose lines may be unfinished. */
  let model = { parent: '', query: queryOf(), aggregations: [] };
  /** What reads the inputs of values into the query, each of which may throw a sentence. */
  let readers = [];
  let language = remembered('language', 'Swift');
  let grid = null;
  let ran = null;
  let rows = new Map();
  const seen = new Set();
  const later = () => setTimeout(read);
  const builder = region('.builder', 'Query');
  for (const change of ['input', 'change', 'click']) builder.addEventListener(change, later);
  const source = h('pre', { tabIndex: 0, label: 'The query as code' });
  const problem = problemLine();
  const results = h('.results', empty('Run the query to see what it finds.', muted('Ctrl Enter runs it.')));
  const element = h('.query-page', h('h1.visually-hidden', 'Query'), h('.query', builder, h('.code',
    h('.row.wrap', segments('Language', languageNames.map((l) => [l]), language, (chosen) => {
      language = chosen;
      remember('language', chosen);
      read();
    }), h('span.grow'), tool(null, 'Copy', () => copy(source.textContent, 'Query copied')), tool(null, 'Paste', paste)),
    problem, source)), results);

  const fields = () => [idKey, ...[...seen].sort(compareNames)];
  const line = (label, ...content) => h('.line', h('span', label), h('.value', content));
  const field = (item, key = 'fieldPath', label = 'Field') =>
    fieldInput(item[key] ?? '', fields, label, (event) => { item[key] = event.target.value; }).element;
  const whole = (label, item, properties) => input({
    inputMode: 'numeric', size: 6, label, value: item.limit || '', ...properties,
    oninput: (event) => { item.limit = Math.max(0, parseInt(event.target.value, 10) || 0); },
  });
  const choose = (label, options, item, key) => select(label, options, item[key], (value) => { item[key] = value; });

  function draw() {
    readers = [];
    const { query, aggregations } = model;
    const { from: [from], orderBy = [], select: { fields: selected = [] } = {}, startAt, endAt, findNearest } = query;
    Object.assign(query, { orderBy, select: { fields: selected } });
    const path = input({
      label: 'Collection', placeholder: 'collection', value: [model.parent, from.collectionId].filter(Boolean).join('/'), oninput: () => {
        const segments = path.value.split('/').filter(Boolean);
        from.collectionId = segments.pop();
        model.parent = segments.join('/');
      },
    });
    const where = filterInput(query.where, { fields, database: databaseName() });
    readers.push(() => { query.where = where.read(); });
    const isLong = Boolean(selected.length || startAt || endAt || aggregations.length || findNearest);
    replace(builder,
      line('From', h('.row.wrap', suggesting(path, () => collections.value.ids), select('Scope',
        [['', 'this collection'], ['group', 'all collections of this id']], from.allDescendants ? 'group' : '',
        (v) => { from.allDescendants = Boolean(v); }))),
      line('Where', where.element),
      line('Order by', lines(orderBy, (o) => [field(o.field), choose('Direction', directions, o, 'direction')],
        { 'Add order': () => ({ field: { fieldPath: '' }, direction: 'ASCENDING' }) })),
      line('Limit', whole('Limit', query, { placeholder: 'none' })),
      h('details', { open: isLong }, h('summary.muted', 'Select, cursors, aggregations, vectors'), h('.builder',
        line('Select', lines(selected, (s) => field(s), { 'Add field': () => ({ fieldPath: '' }) })),
        cursor('startAt', 'Start', [['true', 'at'], ['false', 'after']]), cursor('endAt', 'End', [['false', 'at'], ['true', 'before']]),
        line('Aggregate', lines(aggregations, aggregation, { 'Add aggregation': () => ({ alias: '', count: {} }) })),
        line('Nearest', nearest()))));
  }

  function cursor(side, label, words) {
    const { values = [], before = side === 'startAt' } = model.query[side] ?? {};
    const made = (value) => typedInput(value, databaseName(), { label: `${label} value` });
    const inputs = values.map(made);
    const place = select(`${label} at or not`, words, String(before));
    readers.push(() => { model.query[side] = { values: inputs.map((i) => i.read()), before: place.value === 'true' }; });
    return line(label, h('.row.wrap', place, lines(inputs, (i) => i.element, { 'Add value': () => made() })));
  }

  function aggregation(item) {
    const [op] = Object.keys(item).filter((key) => key !== 'alias');
    const of = { fieldPath: '', ...item[op].field };
    const place = field(of);
    const set = (chosen) => {
      for (const key of ['count', 'sum', 'avg']) delete item[key];
      item[chosen] = chosen === 'count' ? {} : { field: of };
      place.hidden = chosen === 'count';
    };
    set(op);
    return [select('Aggregation', ['count', 'sum', ['avg', 'average']], op, set), place, field(item, 'alias', 'Alias')];
  }

  function nearest() {
    const items = [model.query.findNearest].filter(Boolean);
    const inputs = new Map();
    readers.push(() => {
      [model.query.findNearest] = items;
      if (items.length) items[0].queryVector = inputs.get(items[0]).read();
    });
    return lines(items, (n) => {
      inputs.set(n, valueInput(n.queryVector, databaseName(), { label: 'Query vector' }));
      return [field(n.vectorField, 'fieldPath', 'Vector field'), choose('Distance', measures, n, 'distanceMeasure'),
        whole('Number of results', n), field(n, 'distanceResultField', 'Field for the distance'), inputs.get(n).element];
    }, { 'Find nearest': () => ({ vectorField: { fieldPath: '' }, queryVector: vector([]), distanceMeasure: 'COSINE', limit: 10 }) });
  }

  /** Reads the inputs, and shows the code. False, with the sentence, if something is not finished. */
  function read() {
    try {
      for (const reader of readers) reader();
      source.textContent = code(model.parent, model.query, model.aggregations, language);
      problem.textContent = '';
      return true;
    } catch (error) {
      problem.textContent = error.message;
      return false;
    }
  }

  function take(changed) {
    model = changed;
    draw();
    read();
  }

  async function paste() {
    const area = h('textarea.mono', { rows: 10, spellcheck: false });
    const pasted = await ask({ title: 'Paste REST JSON', isWide: true, action: 'Use', fields: { 'REST JSON': area }, read: readQuery });
    if (pasted) take({ ...model, ...pasted });
  }

  async function run() {
    if (!read()) return;
    const path = model.parent ? model.parent.split('/') : [];
    const parent = documentName(databaseName(), path);
    const body = requestOf(model.query, model.aggregations);
    ran = toJSON(body);
    watch('query', null);
    await go({ path, params: { q: ran } }, { replace: !route.value.params.q });
    const began = performance.now();
    try {
      const { documents, fields: answer, metrics } = await send(parent, body, { explain: remembered('explain', true) });
      if (body.structuredQuery) {
        rows = new Map(documents.map((d) => [d.name, rowOf(d)]));
        showResults(parent, body.structuredQuery, explained(metrics), performance.now() - began);
      } else {
        replace(results, explained(metrics), h('.content', facts(Object.fromEntries(Object.entries(answer).map(([name, value]) =>
          [name, h(`span.mono.v-${typeOf(value)}`, summary(value))])))));
      }
    } catch (error) {
      replace(results, failure(error, run));
    }
  }

  function showResults(parent, query, plan, ms) {
    const all = [...rows.values()];
    const isGroup = Boolean(query.from[0].allDescendants);
    for (const { key } of fieldColumns(all.slice(0, 200), Infinity)) seen.add(key);
    const watching = tool(null, 'Watch', () => {
      watching.ariaPressed = watching.classList.toggle('on');
      if (watching.ariaPressed === 'true') follow(parent, query);
      else watch('query', null);
    }, { ariaPressed: false });
    grid?.destroy();
    grid = documentGrid({
      label: 'Results', isGroup, open: (row) => go({ page: 'data', path: relative(row.name).split('/') }),
      columns: fitted(fieldColumns(all.slice(0, 100), 12, isGroup), results.clientWidth),
    });
    replace(results, plan, h('.bar', h('h2', counted(all.length, 'result')), h('span.faint.figures', `${ms.toFixed(0)} ms`), h('span.grow'),
      checkbox('Explain', remembered('explain', true), (event) => remember('explain', event.target.checked)), watching),
    all.length ? h('.grid-place', grid.element) : empty('No document matches.'));
    grid.setRows(all);
  }

  function follow(parent, structuredQuery) {
    const change = (name, row) => {
      rows.set(name, row);
      grid.setRows([...rows.values()]);
      announce('Results changed');
    };
    watch('query', { query: { parent, structuredQuery } }, {
      change: (d) => { if (rows.get(d.name)?.updateTime !== d.updateTime) change(d.name, { ...rowOf(d), isFresh: true }); },
      remove: (name) => { if (rows.has(name)) change(name, { ...rows.get(name), isGone: true }); },
      failed: (cause) => toast(cause?.message ?? 'The query cannot be watched.', { isError: true }),
    });
  }

  function explained(metrics) {
    if (!metrics) return null;
    const { sentence, ideal, facts: costs, indexes } = explanation(metrics);
    return h('.explain', h('p', sentence, ' ', ideal && small('Create the index', () => attempt(async () => {
      await databaseCall('POST', 'indexes', { index: ideal });
      toast('The index is being built.', { action: 'Show', onaction: () => goPage('indexes') });
    }))), h('p.muted.small', costs), h('p.mono.small.muted', indexes));
  }

  const stop = collections.onChange(({ ids }) => {
    if (!model.query.from[0].collectionId && ids.length) take({ ...model, query: queryOf(ids[0]) });
  });
  return {
    element,
    update({ params, path: above }) {
      setPrimary(primary('Run', run, { title: 'Run (Ctrl Enter)' }));
      if (params.q && params.q === ran) return;
      const found = fromURL(params.q);
      take({ parent: above.join('/'), query: queryOf(collections.value.ids[0]), aggregations: [], ...found });
      if (found) run();
    },
    destroy() {
      stop();
      watch('query', null);
      grid?.destroy();
    },
    keys: { 'ctrl-enter': run },
  };
}

"""#)

    private static let file24 = ConsoleResource("pages/requests.js", tag: "047558e29fcc3ff9", #"""
// SPDX-License-Identifier: Apache-2.0
// Requests: calls as they end, with what rules decided.
import { judge } from '../lib/api.js';
import { button, debounced, empty, facts, h, input, muted, number, region, replace, select, tool } from '../lib/dom.js';
import { watchRequests } from '../lib/live.js';
import { goPage, route, server, setParams } from '../lib/store.js';
import { sizeText, toJSON } from '../lib/values.js';
import { charactersWide, fitted } from '../ui/columns.js';
import { Grid } from '../ui/grid.js';
import { source, trace } from '../ui/trace.js';
import { attempt, copy, page, panelHead } from '../ui/widgets.js';

const most = 5000;
const columns = [
  ['time', 'Time', 'faint'], ['method', 'Method'], ['path', 'Path'], ['caller', 'Caller'], ['transport', 'Over'], ['code', 'Outcome'],
  ['duration', 'Duration', 'number'], ['documents', 'Documents', 'number'], ['sent', 'Sent', 'number'],
].map(([key, title, align]) => ({ key, title, align, width: charactersWide(title.length) }));

function durationText(seconds) {
  if (seconds < 0.001) return `${(seconds * 1e6).toFixed(0)} µs`;
  return seconds < 1 ? `${(seconds * 1000).toFixed(1)} ms` : `${seconds.toFixed(2)} s`;
}

/** A client that goes, as a tab that is closed, ends its calls without a failure. */
const outcomeOf = ({ open: isOpen, code }) => (isOpen ? 'open' : code === 'CANCELLED' ? 'closed' : code);
const isFailed = (request) => !['open', 'closed', 'OK'].includes(outcomeOf(request));

const texts = {
  time: ({ time }) => time.slice(11, 23), caller: ({ caller }) => caller?.replace(/^user:/, ''), code: outcomeOf,
  duration: ({ duration }) => duration && durationText(duration), sent: ({ sent }) => sizeText(sent),
};

const textOf = (request, key) => String(texts[key]?.(request) ?? request[key] ?? '–');

function cell(request, { key, align = '' }) {
  const text = textOf(request, key);
  const outcome = key !== 'code' ? '' : isFailed(request) ? 'danger-text' : request.code === 'OK' && !request.open ? 'ok-text' : 'faint';
  return h('.grid-cell', { class: align, title: text }, h('span.ellipsis', { class: outcome }, text));
}

export function open() {
  let all = [];
  let isPaused = false;
  let waiting = 0;
  let current = null;
  const filters = { text: '', method: '', code: '', ...route.value.params };
  const place = h('.grid-place');
  const detail = h('aside.panel-place', { label: 'Request' });
  const note = h('span.faint.figures');
  const grid = new Grid({ label: 'Requests', columns, key: (r) => r.id, isOpen: (r) => r.id === current?.id, open: show, cell });
  const search = input({
    type: 'search', value: filters.text, placeholder: 'Filter', label: 'Filter',
    oninput: debounced(150, () => filter({ text: search.value })),
  });
  const method = select('Method', [], '', (value) => filter({ method: value }));
  const code = select('Outcome', [], '', (value) => filter({ code: value }));
  const pause = tool(null, 'Pause', () => {
    isPaused = !isPaused;
    draw();
  });
  const clear = tool(null, 'Clear', () => {
    all = [];
    draw();
  });
  const element = h('.split', page('Requests', [search, method, code, h('span.grow'), note, pause, clear], place), detail);

  function filter(change) {
    Object.assign(filters, change);
    setParams(filters);
    draw();
  }

  const matches = (r) => (!filters.method || r.method === filters.method)
    && (!filters.code || (filters.code === 'failed' ? isFailed(r) : outcomeOf(r) === filters.code))
    && [r.method, r.path, r.caller, r.code, r.message].join(' ').toLowerCase().includes(filters.text.toLowerCase());

  function offer(choice, key, first) {
    const values = [...new Set([...all.map((r) => texts[key]?.(r) ?? r[key]), filters[key]])].filter((v) => v && v !== 'failed').sort();
    const options = [...first, ...values.map((v) => [v, v])];
    if (choice.options.length !== options.length) replace(choice, options.map(([value, word]) => h('option', { value }, word)));
    choice.value = filters[key];
  }

  function draw() {
    offer(method, 'method', [['', 'All methods']]);
    offer(code, 'code', [['', 'All outcomes'], ['failed', 'Failed']]);
    waiting = isPaused ? waiting : 0;
    pause.textContent = isPaused ? `Resume${waiting ? ` (${waiting})` : ''}` : 'Pause';
    const rows = all.filter(matches);
    widen(rows);
    note.textContent = all.length ? `${number(rows.length)} of ${number(all.length)}` : '';
    if (!rows.length) {
      replace(place, all.length ? empty('No request matches the filter.')
        : empty('No requests yet.', muted('Calls of apps appear here as they end.')));
    } else if (!grid.element.isConnected) replace(place, grid.element);
    grid.setRows(rows);
  }

  /** Columns are as wide as what they have shown; a person can make them otherwise. */
  function widen(rows) {
    const wider = grid.columns.map((column) => ({ ...column, content: rows.slice(0, 200).reduce(
      (width, r) => Math.max(width, charactersWide(textOf(r, column.key).slice(0, 64).length)), column.content ?? column.width) }));
    if (wider.every((column, i) => column.content === (grid.columns[i].content ?? grid.columns[i].width))) return;
    const content = wider.map((column) => ({ ...column, width: column.content }));
    grid.setColumns(fitted(content, place.clientWidth));
  }

  const stop = watchRequests((list, dropped) => {
    const known = new Map(list.map((r) => [r.id, r]));
    // What is open is told again when a stream ends, and when it is known why a call was denied.
    if (current && known.has(current.id)) {
      const top = detail.querySelector('.panel-body').scrollTop;
      show(known.get(current.id));
      detail.querySelector('.panel-body').scrollTop = top;
    }
    const older = all.map((r) => known.get(r.id) ?? r);
    for (const r of all) known.delete(r.id);
    const added = [...known.values()].reverse();
    all = [...added, ...older].slice(0, most);
    if (isPaused) waiting += added.length;
    const { scrollTop } = grid.element;
    draw();
    if (scrollTop > 0) grid.element.scrollTop = scrollTop + added.filter(matches).length * grid.rowHeight;
    if (dropped) note.textContent = `${dropped} left out`;
  });

  function show(r) {
    current = r;
    const tried = h('div');
    const again = () => attempt(async () => replace(tried, muted('With the rules and the data of now:'), trace(await judge(r.id))));
    replace(detail, h('.panel', panelHead(r.method, null, hide), region('.panel-body.content', 'Details',
      facts({
        Outcome: outcomeOf(r), Message: r.message, Path: r.path, Database: r.database, Caller: r.caller, Over: r.transport,
        Time: r.time, Duration: r.duration && durationText(r.duration), Documents: r.documents, Snapshots: r.snapshots,
        Received: r.received && sizeText(r.received), Sent: r.sent && sizeText(r.sent),
      }),
      r.decision && [h('h3.heading', 'Rules'), trace(r.decision), h('.row', button('Try again', again),
        button('Edit the rules', () => goPage('rules', { request: String(r.id) }))), tried],
      r.request ? [h('h3.heading', 'Request'), source(r.request), h('.row', button('Copy', () => copy(toJSON(r.request, 2))),
        r.request.structuredQuery && button('Run in Query', () => goPage('query', { q: toJSON(r.request) })))]
        : !server.value?.requestValues && muted('The server keeps requests only with ', h('code', '--console-values'),
          ', because they can hold personal data.'))));
    element.classList.add('has-panel');
    grid.draw();
  }

  function hide() {
    current = null;
    element.classList.remove('has-panel');
    grid.draw();
    grid.element.focus();
  }

  draw();
  return {
    element,
    destroy() {
      stop();
      grid.destroy();
    },
    keys: { Escape: hide },
  };
}

"""#)

    private static let file25 = ConsoleResource("pages/rules.js", tag: "cab4be9e15c9b85a", #"""
// SPDX-License-Identifier: Apache-2.0
// Rules: the text in force, what is wrong with it, and what it decides.
import { databaseCall, judge } from '../lib/api.js';
import { button, debounced, failure, h, muted, primary, region, replace } from '../lib/dom.js';
import { databaseName, guard, isReadOnly, route } from '../lib/store.js';
import { trace } from '../ui/trace.js';
import { CodeArea } from '../ui/code-area.js';
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

"""#)

    private static let file26 = ConsoleResource("pages/transfer.js", tag: "36b1128108eac639", #"""
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

"""#)

    private static let file27 = ConsoleResource("pages/usage.js", tag: "9949fd877fcab280", #"""
// SPDX-License-Identifier: Apache-2.0
// Usage: figures of the server, as far back as it remembers.
import { loadDatabases } from '../lib/api.js';
import { drawing, h, number, region, replace, table } from '../lib/dom.js';
import { rateAt, sample, samples } from '../lib/live.js';
import { databases, formatRoute } from '../lib/store.js';
import { sizeText } from '../lib/values.js';
import { page } from '../ui/widgets.js';

const count = (n) => number(Math.round(n));
const perSecond = (n) => `${n && n < 10 ? Number(n.toFixed(1)) : count(n)}/s`;
const ms = (s) => `${(s * 1000).toFixed(s < 0.01 ? 2 : 0)} ms`;

/** Title, member of a sample, and its text: those per second are rates of a counter. */
const tiles = [
  ['Documents read', 'reads', perSecond], ['Documents written', 'writes', perSecond], ['Documents deleted', 'deletes', perSecond],
  ['Calls', 'calls', perSecond], ['Failed calls', 'errors', perSecond], ['Duration, p50', 'p50', ms],
  ['Duration, p99', 'p99', ms], ['Listeners', 'listeners', count], ['Connections', 'connections', count],
  ['Memory', 'memory', sizeText], ['Files', 'bytes', sizeText],
];

function ago(seconds) {
  return seconds < 90 ? `${Math.round(seconds)} s ago` : `${Math.round(seconds / 60)} min ago`;
}

/** A line from 0 to the largest value, which stands at its top, over the time that stands below. */
function sparkline(values, title, text) {
  const [width, height] = [240, 40];
  const known = values.filter(Number.isFinite);
  const most = Math.max(...known, 0);
  const points = values.map((v, i) => [(i / Math.max(1, values.length - 1)) * width, height - 1 - (v / (most || 1)) * (height - 2)])
    .filter((point) => point.every(Number.isFinite)).map((point) => point.map((n) => n.toFixed(1)));
  const area = points.length ? [[points[0][0], height], ...points, [points.at(-1)[0], height]] : [];
  const line = (tag, list) => drawing(tag, { points: list.join(' '), 'vector-effect': 'non-scaling-stroke' });
  const span = (Date.parse(samples.at(-1)?.time) - Date.parse(samples[0]?.time)) / 1000;
  const scale = known.length ? text(most) : '–';
  return h('.sparkline', h('.scale.figures', { title: 'The largest value' }, scale), drawing('svg', {
    viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${title} over time, at most ${scale}`, preserveAspectRatio: 'none',
  }, line('polygon', area), line('polyline', points)), h('.scale.figures', span > 0 && h('span', ago(span)), h('span.grow'), 'now'));
}

export function open() {
  const grid = h('.tiles');
  const list = h('.scroll', { tabIndex: 0 });
  const stops = [sample.watch(() => replace(grid, tiles.map(([title, key, text]) => {
    const values = samples.map((s, i) => (text === perSecond ? rateAt(i, key) : s[key]));
    const last = values.at(-1);
    return h('.tile', h('span.muted', title), h('strong', last === undefined ? '–' : text(last)), sparkline(values, title, text));
  }))), databases.watch((all) => replace(list, table(['Database', ' Documents', ' Size'], all.map(({ name, documents, bytes }) => {
    const [, project, , database] = name.split('/');
    return [h('a.mono', { href: formatRoute({ page: 'data', project, database }) }, `${project} / ${database}`), number(documents),
      bytes === undefined ? '–' : sizeText(bytes)];
  }))))];
  const timer = setInterval(() => loadDatabases().catch(() => { /* The bar says that the server is gone. */ }), 30000);
  return {
    element: page('Usage', h('span.faint', 'the last 15 minutes'), region('.content', 'Figures', grid, h('h2', 'Databases'), list)),
    destroy() {
      clearInterval(timer);
      for (const stop of stops) stop();
    },
  };
}

"""#)

    private static let file28 = ConsoleResource("pages/users.js", tag: "2c025b39f27bb8dc", #"""
// SPDX-License-Identifier: Apache-2.0
// Users: the accounts that the server keeps (--auth).
import { consoleCall } from '../lib/api.js';
import {
  button, counted, debounced, empty, facts, failure, h, input, loading, muted, number, pre, primary, region, replace, small, table,
} from '../lib/dom.js';
import { isReadOnly, route, server, setParams } from '../lib/store.js';
import { localTime } from '../lib/values.js';
import { Grid } from '../ui/grid.js';
import { ask, attempt, confirm, copy, dialog, page, panelHead, toast } from '../ui/widgets.js';

const pageSize = 50;
const columns = [
  ['name', 'User', 240], ['providers', 'Signs in with', 150, 'plain'], ['state', 'State', 90, 'plain'],
  ['created', 'Created', 160, 'faint'], ['lastLogin', 'Signed in', 160, 'faint'], ['id', 'User id', 260, 'faint'],
].map(([key, title, width, align]) => ({ key, title, width, align }));

const purposes = {
  PASSWORD_RESET: 'Reset of a password', VERIFY_EMAIL: 'Verification', EMAIL_SIGNIN: 'Sign-in',
  VERIFY_AND_CHANGE_EMAIL: 'Change of address',
};

const time = (milliseconds) => (milliseconds ? localTime(new Date(Number(milliseconds)).toISOString()).replace(/\.\d+/, '') : undefined);
const nameOf = (user) => user.email ?? user.phoneNumber ?? user.displayName ?? user.localId;

function providersOf(user) {
  const ids = new Set((user.providerUserInfo ?? []).map((info) => info.providerId));
  if (user.customAuth) ids.add('custom token');
  return ids.size ? [...ids].join(', ') : 'anonymous';
}

const texts = {
  name: nameOf, providers: providersOf, state: (user) => (user.disabled ? 'disabled' : 'enabled'), created: (user) => time(user.createdAt),
  lastLogin: (user) => time(user.lastLoginAt) ?? 'never', id: (user) => user.localId,
};

function cell(user, { key, align }) {
  const text = texts[key](user) ?? '–';
  const mark = key === 'state' && user.disabled ? 'warn-text' : '';
  return h('.grid-cell', { class: align, title: text }, h('span.ellipsis', { class: mark }, text));
}

/** In development mode each project has accounts; a server in production has those of one. */
const project = () => (server.value?.users?.anyProject ? route.value.project : server.value?.users?.project);

const call = (method, parameters, body) => consoleCall(method, `users?${new URLSearchParams(parameters)}`, body);
const change = (action, of, fields) => call('POST', { project: of }, { action, ...fields });
const update = ({ localId, project: of }, fields) => change('update', of, { localId, ...fields });

/** Users, each with its project: what is done to one is done there, whatever the page shows by then. */
async function usersOf(parameters) {
  const answer = await call('GET', parameters);
  return { ...answer, users: answer.users.map((user) => ({ ...user, project: parameters.project })) };
}

/** What the person typed; what is empty is left out. */
const given = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

const claimsText = ({ customAttributes = '{}' }) => JSON.stringify(JSON.parse(customAttributes), null, 2);

function readClaims(text) {
  const claims = JSON.parse(text || '{}');
  if (claims === null || typeof claims !== 'object' || Array.isArray(claims)) throw new Error('Claims are a JSON object.');
  return JSON.stringify(claims);
}

export function open({ setPrimary }) {
  let users = [];
  let next;
  let total = 0;
  let current = null;
  let turn = 0;
  let isLoading = false;
  /** Whose users are shown. */
  let owner;
  const place = h('.grid-place');
  const detail = h('aside.panel-place', { label: 'User' });
  const note = h('span.faint.figures', { role: 'status' });
  const search = input({
    type: 'search', value: route.value.params.search ?? '', label: 'Search', placeholder: 'E-mail, id or phone begins with',
    oninput: debounced(200, () => setParams({ search: search.value })),
  });
  const grid = new Grid({
    label: 'Users', columns, key: (user) => user.localId, isOpen: isShown, open: show, cell, scrolled,
  });
  const codes = button('Codes', () => attempt(showCodes), { class: 'small', hidden: true });
  const element = h('.split', page('Users', [search, h('span.grow'), note, codes], place), detail);

  const question = () => given({ project: owner, search: search.value, limit: pageSize });

  function isShown(user) { return user.localId === current?.localId && user.project === current.project; }

  async function load() {
    turn += 1;
    const mine = turn;
    try {
      const answer = await usersOf(question());
      if (mine !== turn) return;
      ({ users, next, count: total } = answer);
      draw();
      scrolled();
      if (!current) return;
      // It may stand further down than the first rows, and others may begin with its id.
      const { localId, project: of } = current;
      const user = users.find(isShown) ?? (await usersOf({ project: of, search: localId, limit: pageSize })).users.find(isShown);
      if (mine === turn && user && isShown(user)) show(user);
    } catch (error) {
      if (mine === turn) replace(place, failure(error, load));
    }
  }

  function scrolled() {
    const { scrollTop, clientHeight, scrollHeight } = grid.element;
    if (next && !isLoading && scrollTop + 2 * clientHeight > scrollHeight) attempt(more);
  }

  async function more() {
    isLoading = true;
    const mine = turn;
    try {
      const answer = await usersOf({ ...question(), after: next });
      if (mine === turn) {
        users = [...users, ...answer.users];
        ({ next } = answer);
        draw();
      }
    } finally {
      isLoading = false;
    }
    scrolled();
  }

  function draw() {
    const all = total ? counted(total, 'user') : '';
    note.textContent = search.value && all ? `${number(users.length)} found, ${all} in all` : all;
    if (!users.length) {
      replace(place, search.value
        ? empty('No user is found.', muted('The beginning of an e-mail address, an id or a phone number is looked up.'))
        : empty('No users yet.', muted('Users appear here when they sign up. Point an app at the accounts, or create one:'),
          !isReadOnly() && button('Create a user', create)));
    } else if (!grid.element.isConnected) replace(place, grid.element);
    grid.setRows(users);
  }

  /** Does something to the user that is shown, says so, and shows what has become of it. */
  const done = (action, message) => attempt(async () => {
    if (await action() === undefined) return;
    toast(message);
    await load();
  });

  async function create() {
    const of = owner;
    const [email, password, name, phone, id] = ['email', 'text', 'text', 'tel', 'text'].map((type) => input({ type }));
    const made = await ask({
      title: 'Create a user', action: 'Create', text: 'A user without an e-mail address signs in with custom tokens.',
      fields: { 'E-mail address': email, Password: password, Name: name, 'Phone number': phone, 'User id (made if empty)': id },
      read: (...typed) => {
        const [emailText, passwordText, displayName, phoneNumber, localId] = typed;
        if (passwordText && passwordText.length < 6) throw new Error('A password has at least 6 characters.');
        return given({ email: emailText, password: passwordText, displayName, phoneNumber, localId });
      },
    });
    if (!made) return;
    attempt(async () => {
      const { localId } = await change('create', of, made);
      toast('Created.');
      if (of !== owner) return;
      current = { localId, project: of };
      setParams({ search: '' });
      await load();
    });
  }

  const edit = (user) => done(async () => {
    const verified = h('input', { type: 'checkbox', checked: Boolean(user.emailVerified) });
    const fields = await ask({
      title: 'Edit the user', action: 'Save', text: 'Another e-mail address ends all sessions of the user.', fields: {
        'E-mail address': user.email ?? '', 'The address is verified': verified, Name: user.displayName ?? '',
        'Phone number': user.phoneNumber ?? '',
      },
      read: (email, _, displayName, phoneNumber) => ({
        ...given({ email: email === user.email ? '' : email, displayName, phoneNumber }), emailVerified: verified.checked,
        deleteAttribute: displayName ? [] : ['DISPLAY_NAME'], deleteProvider: phoneNumber ? [] : ['phone'],
      }),
    });
    return fields && update(user, fields);
  }, 'Saved.');

  const editClaims = (user) => done(async () => {
    const text = h('textarea.mono', { rows: 8, spellcheck: false, value: claimsText(user) });
    const claims = await ask({
      title: 'Claims', action: 'Save',
      text: 'Rules read them as request.auth.token. They are in the next token of the user, within an hour.',
      fields: { 'Claims, as JSON': text }, read: readClaims,
    });
    return claims && update(user, { customAttributes: claims });
  }, 'Saved.');

  const setDisabled = (user, isDisabled) => done(async () => {
    if (isDisabled && !await confirm({
      title: `Disable ${nameOf(user)}?`, action: 'Disable',
      text: 'The user can no longer sign in, and all sessions and streams end at once.',
    })) return undefined;
    return update(user, { disableUser: isDisabled });
  }, isDisabled ? 'Disabled.' : 'Enabled.');

  const setPassword = (user) => done(async () => {
    const password = await ask({
      title: 'Set a password', action: 'Set', text: 'All sessions of the user end.', fields: { 'New password': input({ type: 'text' }) },
      read: (typed) => {
        if (typed.length < 6) throw new Error('A password has at least 6 characters.');
        return typed;
      },
    });
    return password && update(user, { password });
  }, 'The password is set.');

  const reset = (user) => attempt(async () => {
    const { oobLink } = await change('reset', user.project, { email: user.email });
    dialog({
      title: 'Reset link', isWide: true, body: [
        muted('This link sets a new password, once within an hour. Its holder can take the account over.'), pre(oobLink),
        h('.row', button('Copy', () => copy(oobLink)))],
    });
  });

  const sendReset = (user) => done(() => change('sendReset', user.project, { email: user.email }), 'The e-mail is on its way.');

  const endSessions = (user) => done(async () => {
    const text = 'All tokens and sessions of the user end, on every device.';
    if (!await confirm({ title: `Sign ${nameOf(user)} out?`, action: 'Sign out', text })) return undefined;
    return update(user, { validSince: String(Math.floor(Date.now() / 1000)) });
  }, 'Signed out everywhere.');

  const remove = (user) => done(async () => {
    const text = 'The account is deleted. Documents of the user stay. It cannot be undone.';
    if (!await confirm({ title: `Delete ${nameOf(user)}?`, action: 'Delete', text })) return undefined;
    const answer = await call('DELETE', { project: user.project, id: user.localId });
    if (isShown(user)) hide();
    return answer;
  }, 'Deleted.');

  async function showCodes() {
    const { codes: list } = await call('GET', { project: owner, codes: '1' });
    const rows = [...list].reverse().map(({ requestType, email, oobLink }) =>
      [purposes[requestType] ?? requestType, h('span.mono', email), small('Copy link', () => copy(oobLink))]);
    dialog({
      title: 'Codes', isWide: true, body: list.length
        ? [muted('Development mode keeps the codes that it would send by e-mail, until they are used.'),
          region('', 'Codes', table(['For', 'E-mail address', '\u200b'], rows))]
        : muted('No codes are waiting. They appear when an app asks for a reset, a verification or a sign-in by e-mail.'),
    });
  }

  function show(user) {
    current = user;
    const providers = (user.providerUserInfo ?? []).map((info) =>
      h('li.mono', `${info.providerId}: ${info.email ?? info.phoneNumber ?? info.rawId}`));
    replace(detail, h('.panel', panelHead(nameOf(user), null, hide), region('.panel-body.content', 'Details',
      facts({
        'User id': h('span.mono', user.localId),
        'E-mail': user.email && `${user.email}${user.emailVerified ? ', verified' : ', not verified'}`,
        Name: user.displayName, Phone: user.phoneNumber, State: user.disabled ? 'disabled' : 'enabled', Created: time(user.createdAt),
        'Signed in': time(user.lastLoginAt) ?? 'never', 'Password set': time(user.passwordUpdatedAt),
      }),
      !isReadOnly() && [
        h('.row.wrap', button('Edit', () => edit(user)), button('Claims', () => editClaims(user)),
          user.disabled ? button('Enable', () => setDisabled(user, false)) : button('Disable', () => setDisabled(user, true))),
        h('.row.wrap', button('Set password', () => setPassword(user)), user.email && button('Reset link', () => reset(user)),
          user.email && server.value?.users?.sendsMail && button('Send reset e-mail', () => sendReset(user))),
        h('.row.wrap', button('Sign out everywhere', () => endSessions(user)),
          button('Delete', () => remove(user), { class: 'danger-text' })),
      ],
      providers.length > 0 && [h('h3.heading', 'Signs in with'), h('ul', providers)],
      user.customAttributes && [h('h3.heading', 'Claims'), pre(claimsText(user))],
      h('.row', button('Copy the id', () => copy(user.localId))))));
    element.classList.add('has-panel');
    grid.draw();
  }

  function hide() {
    current = null;
    element.classList.remove('has-panel');
    replace(detail);
    grid.draw();
    grid.element.focus();
  }

  /** What the page can do is known with the server, which may answer later than the page is opened. */
  function begin() {
    if (!server.value) return loading(place);
    if (!server.value.users) {
      setPrimary();
      return replace(element, page('Users', null, empty('This server keeps no accounts.', muted('Start it with accounts of its own:'),
        pre('hearth serve --auth'),
        muted('Users whose tokens come from elsewhere (--firebase-project, --issuer) are managed there.'))));
    }
    if (owner !== project()) {
      replace(place);
      hide();
      owner = project();
      [users, next] = [[], undefined];
      grid.setRows(users);
    }
    codes.hidden = !server.value.development;
    setPrimary(!isReadOnly() && primary('New user', create));
    if (!users.length) loading(place);
    return load();
  }

  const stop = server.onChange(begin);

  return {
    element,
    refresh: load,
    update({ params }) {
      if (search.value !== (params.search ?? '')) search.value = params.search ?? '';
      begin();
    },
    destroy() {
      turn += 1;
      stop();
      grid.destroy();
    },
    keys: { Escape: hide, n: () => !isReadOnly() && create() },
  };
}

"""#)

    private static let file29 = ConsoleResource("ui/code-area.js", tag: "633e7f811ded628a", #"""
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

"""#)

    private static let file30 = ConsoleResource("ui/collection.js", tag: "5c741458bc57b87b", #"""
// SPDX-License-Identifier: Apache-2.0
// The documents of a collection as a live table.
import { commit, count } from '../lib/api.js';
import {
  announce, button, counted, debounced, empty, failure, h, icon, iconButton, loading, muted, number, replace, tool,
} from '../lib/dom.js';
import { fieldsText } from '../lib/json.js';
import { watch } from '../lib/live.js';
import { fromURL, groupOf, isUnary, pageQuery, requestOf, symbols } from '../lib/query.js';
import { Rows } from '../lib/rows.js';
import { databaseName, dataLink, go, isReadOnly, remember, remembered, route, setParams } from '../lib/store.js';
import { documentName, lastID, relative, summary, toJSON } from '../lib/values.js';
import { askColumns, documentGrid, fieldColumns, fitted, titled } from './columns.js';
import { FilterBar } from './filter-bar.js';
import { askID, offerUndo, removeRecursively } from './questions.js';
import { attempt, confirm, copy, download, menu, menuButton, showError } from './widgets.js';

const countedUpTo = 100000;

/** `q` is the query without its collection, `cols` the columns, both as they stand in the URL; `kept` outlives the table. */
export function collectionTable(path, { q, cols }, { removed, kept }) {
  const database = databaseName();
  const collection = path.at(-1);
  const parent = documentName(database, path.slice(0, -1));
  const memory = `table.${database}.${path.filter((_, i) => i % 2 === 0).join('/')}`;
  const { limit, ...asked } = fromURL(q)?.query ?? {};
  const { structuredQuery: query } = requestOf({ ...asked, from: [{ collectionId: collection }] });
  const isQuery = Boolean(query.where || query.orderBy || query.startAt || query.endAt);
  let columns = cols?.split(',').map((key) => ({ key, width: 150 })) ?? remembered(memory, null);
  let isChosen = Boolean(columns);
  let opened = '';
  let figure = '';
  let changes = 0;
  /** Names of documents that have arrived and are not shown yet. */
  const fresh = new Set();

  const rows = new Rows({ parent, query, isQuery, changed: loaded, failed });
  const place = h('.grid-place');
  const note = h('span.faint.figures');
  const selection = h('.row', { hidden: true });
  const arrived = h('button.arrived', { hidden: true, onclick: () => reload() });
  const openRow = (name) => go({ path: [...path, lastID(name)], params: { q: route.value.params.q, cols: route.value.params.cols } });
  const grid = documentGrid({
    label: `Documents of ${path.join('/')}`, columns: [], open: (row) => openRow(row.name), header: headerMenu, jump,
    resized: () => setColumns(grid.columns), isOpen: (row) => row.name === opened, total: () => (rows.isWhole ? rows.rows.length : -1),
    selected: showSelection, edge: (side) => (side === 'end' ? rows.next() : rows.previous()), scrolled: debounced(250, settled),
  });
  const filters = new FilterBar({
    where: query.where, fields: () => columns?.map((c) => c.key) ?? [], database, set: (where) => setQuery({ where }), closed: () => {
      kept.isFiltering = false;
      chips.hidden = false;
      grid.element.focus();
    },
  });
  const chips = h('.row.wrap');
  const element = h('.page', bar(), filters.element, place, arrived);
  if (kept.isFiltering) filter();
  loading(place);
  rows.first();

  function failed(error) {
    say();
    if (grid.rows.length) showError(error);
    else replace(place, failure(error, reload));
  }

  function loaded(shift) {
    if (rows.rows.length) {
      fit();
      if (!grid.columns.length) showColumns();
      if (!grid.element.isConnected) replace(place, grid.element);
    } else if (isQuery) {
      replace(place, empty('No document matches.', muted('Sorting and filters leave out documents without the field.'),
        button('Show all', () => setParams({ q: undefined }))));
    } else {
      replace(place, empty('This collection has no documents.',
        !isReadOnly() && button('New document', () => go({ path, params: { new: '1' } }))));
    }
    grid.setRows(rows.rows, shift);
    say();
    settled();
  }

  /** Until a person has chosen otherwise, columns are those of the rows, and as wide. */
  function fit() {
    if (isChosen) return;
    const before = toJSON(columns);
    columns = fitted(fieldColumns(rows.rows.slice(0, 100)), place.clientWidth);
    if (toJSON(columns) !== before) showColumns();
  }

  function say() {
    const n = grid.rows.length;
    note.textContent = figure || (n ? `${number(n)} shown${rows.isWhole ? '' : ' · more'}` : '');
  }

  async function reload() {
    arrived.hidden = true;
    fresh.clear();
    figure = '';
    watch('rows', null);
    // What another caller may not see is not left standing if this fails.
    grid.setRows([]);
    say();
    await rows.first();
    grid.element.scrollTop = 0;
  }

  function bar() {
    const { op, filters: all } = groupOf(query.where);
    const filterText = ({ compositeFilter, unaryFilter, fieldFilter }) => {
      if (compositeFilter) return `${compositeFilter.op} of ${compositeFilter.filters.length}`;
      const { field, op: symbol, value } = unaryFilter ?? fieldFilter;
      return `${field.fieldPath} ${symbols[symbol]} ${isUnary(symbol) ? '' : summary(value, database)}`;
    };
    replace(chips, all.map((f) => h('span.chip.mono', h('span.ellipsis', filterText(f)), iconButton('close', 'Remove the filter', () =>
      setQuery({ where: { compositeFilter: { op, filters: all.filter((other) => other !== f) } } })))));
    return h('.bar',
      h('h1.mono.row.title', path.map((id, i) => (i === path.length - 1 ? h('span.ellipsis', id)
        : [h('a.ellipsis.faint', { href: dataLink(path.slice(0, i + 1)) }, id), h('span.faint', ' / ')]))),
      chips, tool('filter', 'Filter', () => (filters.isOpen ? filters.close() : filter())),
      tool('columns', h('span.wide-only', 'Columns'), chooseColumns, { label: 'Columns' }),
      selection, h('span.grow'), note, tool(null, 'Count', countAll, { class: 'wide-only' }),
      menuButton(icon('more'), () => [
        ['First documents', () => jump('first'), { hint: 'Home' }],
        ['Last documents', () => jump('last'), { hint: 'End' }],
        !isQuery && ['Go to id…', goToID],
        ['Count', countAll],
        ['Reload', reload],
        null,
        ['Open in Query', () => go({ page: 'query', path: path.slice(0, -1), params: { q: toJSON({ ...query, limit: 100 }) } })],
        ['Copy path', () => copy(path.join('/'), 'Path copied')],
        ['Export…', () => go({ page: 'transfer', path })],
        ...(isReadOnly() ? [] : [null, ['Delete collection…', () => attempt(async () => {
          if (await removeRecursively(`${parent}/${collection}`)) removed();
        }), { danger: true }]]),
      ], 'More'));
  }

  function setQuery(change) {
    const { from, ...rest } = requestOf({ ...query, ...change }).structuredQuery;
    const changed = toJSON(rest);
    go({ path, params: { cols: route.value.params.cols, q: changed === '{}' ? undefined : changed } });
  }

  function filter() {
    kept.isFiltering = true;
    chips.hidden = true;
    filters.open();
  }

  function countAll() {
    attempt(async () => {
      const n = await count(parent, query, countedUpTo);
      figure = n >= countedUpTo ? '100k+ documents' : counted(n, 'document');
      say();
      announce(figure);
    });
  }

  function showColumns() {
    const sortOf = (key) => query.orderBy?.find((o) => o.field.fieldPath === key);
    grid.setColumns(columns.map((c) => ({ ...titled(c), sort: sortOf(c.key) && (sortOf(c.key).direction ?? 'ASCENDING') })));
  }

  function setColumns(changed) {
    columns = changed.map(({ key, width }) => ({ key, width }));
    isChosen = true;
    remember(memory, columns);
    if (cols) setParams({ cols: undefined });
    showColumns();
  }

  function headerMenu({ key, sort, title }, cell) {
    const sorting = (word, direction) => [word, () => setQuery({ orderBy: direction && [{ field: { fieldPath: key }, direction }] }),
      { checked: sort === direction }];
    const at = columns.findIndex((c) => c.key === key);
    const others = columns.filter((c) => c.key !== key);
    const move = (by) => setColumns(others.toSpliced(at + by, 0, columns[at]));
    menu(cell, [
      sorting('Sort ascending', 'ASCENDING'), sorting('Sort descending', 'DESCENDING'), sorting('Do not sort'),
      'Sorting leaves out documents without the field.',
      null,
      ['Move left', () => move(-1), { disabled: at < 2 }],
      ['Move right', () => move(1), { disabled: at < 1 || at === columns.length - 1 }],
      ['Hide', () => setColumns(others), { disabled: at < 1 }],
      ['Copy field path', () => copy(key)],
    ], title);
  }

  async function chooseColumns() {
    const chosen = await askColumns(columns ?? [], grid.rows);
    if (chosen) setColumns(chosen);
  }

  async function jump(where) {
    if (where === 'last') await rows.last();
    else if (!rows.isAtStart) await rows.first();
    grid.activate(where === 'last' ? grid.rows.length - 1 : 0);
  }

  async function goToID() {
    const id = await askID('Go to id', 'Go', 'Shows documents from this id on.');
    if (!id) return;
    await rows.from(`${parent}/${collection}/${id}`);
    grid.activate(0);
    grid.element.focus();
  }

  function step(by) {
    const at = (opened ? grid.indexOf(opened) : grid.at - by) + by;
    if (!grid.rows[at]) return;
    openRow(grid.rows[at].name);
    grid.at = at;
    grid.reveal();
  }

  /** After a load or a scroll: struck rows go, and the listener is put on what is visible. */
  function settled() {
    if (rows.sweep()) grid.setRows(rows.rows);
    const [first, last] = grid.range;
    const visible = grid.rows.slice(first, last).filter((row) => !row.isMissing);
    if (!visible.length) return;
    const row = first > 0 || !rows.isAtStart ? visible[0] : undefined;
    const names = new Set(visible.map((r) => r.name));
    // The last rows may be pushed out of the limit by others: they are not gone.
    const tail = new Set(visible.slice(-3).map((r) => r.name));
    const known = new Set();
    watch('rows', { query: { parent, structuredQuery: pageQuery(query, { row, isInclusive: true, limit: visible.length }) } }, {
      change: (document) => {
        known.add(document.name);
        if (!rows.update(document)) arrive(document.name);
        redraw();
      },
      remove: (name, isDeleted) => {
        known.delete(name);
        fresh.delete(name);
        if (isDeleted || (query.where && names.has(name) && !tail.has(name))) rows.strike(name);
        redraw();
      },
      current: () => {
        for (const name of names) if (!known.has(name) && !tail.has(name) && !fresh.size) rows.strike(name);
        redraw();
      },
      reset: () => known.clear(),
      count: () => known.size,
      failed: (cause) => announce(cause?.message ?? 'Live updates have stopped', true),
    });
  }

  function redraw() {
    changes += 1;
    if (changes > 1) return;
    requestAnimationFrame(() => {
      grid.setRows(rows.rows);
      announce(`${counted(changes, 'document')} changed`);
      changes = 0;
    });
  }

  function arrive(name) {
    fresh.add(name);
    arrived.hidden = false;
    arrived.textContent = `${fresh.size} new ↑`;
  }

  function saved(document) {
    if (rows.update(document)) grid.setRows(rows.rows);
    else if (rows.isAtEnd) reload();
    else arrive(document.name);
  }

  function deleted(names) {
    names.forEach((name) => rows.strike(name));
    grid.setRows(rows.rows);
  }

  const selected = () => grid.rows.filter((row) => grid.selection.has(row.name) && !row.isMissing);
  const selectedText = () => selected().map((row) =>
    `{"path": ${JSON.stringify(relative(row.name))}, "fields": ${fieldsText(row.fields, database, '')}}\n`).join('');

  function showSelection() {
    const n = grid.selection.size;
    selection.hidden = n === 0;
    replace(selection, h('span.chip.on', `${n} selected`), tool(null, 'Copy', () => copy(selectedText(), `${n} copied`)),
      tool(null, 'Export', () => download(`${collection}.jsonl`, selectedText())),
      !isReadOnly() && tool(null, 'Delete', removeSelected, { class: 'danger-text' }),
      iconButton('close', 'Select none', () => grid.clearSelection()));
  }

  async function removeSelected() {
    const names = [...grid.selection];
    const what = counted(names.length, 'document');
    const question = { title: `Delete ${what}?`, text: 'Collections below them are kept.', action: `Delete ${what}`, name: collection };
    if (isReadOnly() || !await confirm({ ...question, count: names.length })) return;
    const before = selected().map(({ name, fields }) => ({ update: { name, fields }, currentDocument: { exists: false } }));
    await attempt(async () => {
      await commit(names.map((name) => ({ delete: name })));
      grid.clearSelection();
      deleted(names);
      offerUndo(`${what} deleted.`, before, reload);
    });
  }

  return {
    element, path, grid, reload, step, saved, deleted, removeSelected,
    opened(name) {
      opened = name;
      grid.draw();
    },
    destroy() {
      watch('rows', null);
      rows.close();
      grid.destroy();
    },
  };
}

"""#)

    private static let file31 = ConsoleResource("ui/columns.js", tag: "22c7ffa0ac89070b", #"""
// SPDX-License-Identifier: Apache-2.0
// Documents in a table: which columns, and what a cell shows.
import { button, checkbox, h, input, replace } from '../lib/dom.js';
import { databaseName } from '../lib/store.js';
import { compareNames, fieldPath, fieldsOf, lastID, parseFieldPath, relative, summary, typeOf, valueAt } from '../lib/values.js';
import { Grid } from './grid.js';
import { dialog } from './widgets.js';

export const idKey = '__name__';
const most = 260;
const longest = 64;
export const charactersWide = (n) => Math.round(Math.max(64, n * 7.6 + 24));

/** Columns no wider than some, unless there is room for all that is in them. */
export function fitted(columns, room) {
  const rest = room - columns.reduce((sum, c) => sum + Math.min(most, c.width), 0);
  const wanted = columns.reduce((sum, c) => sum + Math.max(0, c.width - most), 0);
  const share = Math.max(0, Math.min(1, rest / (wanted || 1)));
  return columns.map((c) => ({ ...c, width: Math.floor(Math.min(c.width, most + (c.width - most) * share)) }));
}

/** The fields of the rows, the most frequent first. At most 12 to begin with; Infinity means those in maps, too. */
export function fieldColumns(rows, count = 12, isGroup = false) {
  const found = new Map();
  const visit = (fields, prefix) => {
    for (const [name, value] of Object.entries(fields)) {
      const path = [...prefix, name];
      const key = fieldPath(path);
      const { count: seen = 0, length = key.length } = found.get(key) ?? {};
      found.set(key, { key, count: seen + 1, length: Math.max(length, Math.min(longest, summary(value).length)) });
      if (count === Infinity && path.length < 4 && typeOf(value) === 'map') visit(fieldsOf(value), path);
    }
  };
  for (const row of rows) visit(row.fields, []);
  const frequent = [...found.values()].sort((a, b) => b.count - a.count || compareNames(a.key, b.key)).slice(0, count);
  const ids = Math.max(4, ...rows.map(({ name }) => Math.min(longest, (isGroup ? relative(name) : lastID(name)).length)));
  return [{ key: idKey, width: charactersWide(ids) + (rows.some((row) => row.isMissing) ? 120 : 0) },
    ...frequent.map(({ key, length }) => ({ key, width: charactersWide(length) }))];
}

function documentCell(row, { key }, isGroup) {
  if (key === idKey) {
    const id = isGroup ? relative(row.name) : lastID(row.name);
    return h('.grid-cell', { title: id }, h('span.id.ellipsis', id), row.isMissing && h('span.faint.ellipsis', ' does not exist'));
  }
  const value = valueAt(row.fields, parseFieldPath(key));
  if (!value) return h('.grid-cell');
  const type = typeOf(value);
  const text = summary(value, databaseName());
  const align = /integer|double/.test(type) ? 'number' : '';
  return h('.grid-cell', { title: `${type}: ${text}`, class: align }, h(`span.ellipsis.v-${type}`, text));
}

/** A table of documents; those of several collections are shown with their paths. */
export const documentGrid = ({ isGroup, columns, ...options }) => new Grid({
  key: (row) => row.name, cell: (row, column) => documentCell(row, column, isGroup), columns: columns.map(titled),
  rowClass: (row) => (row.isMissing ? 'missing' : row.isGone ? 'gone' : ''), ...options,
});

export const titled = (column) => ({ ...column, title: column.key === idKey ? 'id' : column.key });

/** Asks which columns to show: those of `columns`, and what else `rows` have. */
export async function askColumns(columns, rows) {
  const initial = fieldColumns(rows.slice(0, 100));
  const all = fieldColumns(rows.slice(0, 300), Infinity);
  let chosen = new Set(columns.map((c) => c.key));
  const list = h('ul.checks');
  const search = input({
    type: 'search', class: 'grow', placeholder: 'Field or path, like author.name', label: 'Search fields', oninput: () => draw(),
  });
  const draw = (change) => {
    change?.();
    const known = new Set([...chosen, ...all.map((c) => c.key)]);
    const found = [...known].filter((key) => key !== idKey && key.toLowerCase().includes(search.value.toLowerCase()));
    replace(list, found.slice(0, 200).map((key) => h('li', checkbox(h('span.mono.ellipsis', key), chosen.has(key),
      (event) => (event.target.checked ? chosen.add(key) : chosen.delete(key))))));
  };
  const add = () => {
    if (search.value.trim()) chosen.add(search.value.trim());
    search.value = '';
  };
  const reset = () => { chosen = new Set(initial.map((c) => c.key)); };
  draw();
  const body = [h('.row', search, button('Add', () => draw(add)), button('Reset', () => draw(reset))), list];
  if (!await dialog({ title: 'Columns', action: 'Apply', body })) return undefined;
  const known = [...columns, ...fitted(all, 0)];
  return [...chosen].map((key) => known.find((c) => c.key === key) ?? { key, width: charactersWide(key.length) });
}

"""#)

    private static let file32 = ConsoleResource("ui/editor.js", tag: "8fda2ebd0853b707", #"""
// SPDX-License-Identifier: Apache-2.0
// One document: its draft as a tree of fields or as JSON, saved as one commit of just what changed.
import { collectionIDs, commit, getDocument } from '../lib/api.js';
import { changedPaths, sameFields, writeOfChanges, writeOfDocument } from '../lib/changes.js';
import {
  button, counted, facts, failure, h, icon, input, labelled, loading, primary, problemLine, replace, segments, small, tool,
} from '../lib/dom.js';
import { fieldsText, parseFields } from '../lib/json.js';
import { watch } from '../lib/live.js';
import { dataLink, go, isReadOnly } from '../lib/store.js';
import {
  documentName, fieldPath, fieldsOf, idProblem, isContainer, localTime, mapOf, newID, toJSON, valueAt, valueIn, withValue,
} from '../lib/values.js';
import { CodeArea, json } from './code-area.js';
import { FieldForm } from './field-form.js';
import { FieldTree, unlessReadOnly } from './field-tree.js';
import { askCollection, askMerge, offerUndo, removeRecursively } from './questions.js';
import { attempt, confirm, copy, menuButton, panelHead, showPlace } from './widgets.js';

export class DocumentPanel {
  base = {};
  draft = {};
  document = null;
  /** What another client has saved while this one is edited; undefined if nobody has. */
  theirs = undefined;
  /** The text of the JSON view, if it was edited. */
  jsonText = null;
  view = 'fields';
  body = h('.panel-body', { tabIndex: -1 });
  note = h('span.muted.ellipsis.grow');
  leave = button('', () => this.discard());
  footer = h('.panel-footer', this.note, this.leave, primary('Save', () => this.save(), { title: 'Save (Ctrl S)' }));
  below = h('.below-document');
  adding = h('div', { oninput: () => this.drawFooter(), onchange: () => this.drawFooter() });
  /** The form of a new field, if it is open. */
  form = null;
  tree = new FieldTree(this);
  top = h('div');
  element = h('.panel', this.top, this.body, this.footer);

  /** @param {{database: string, path: string[], isNew: boolean, close: function, saved: function, created: function,
   *   deleted: function, siblings: function}} options `siblings` answers the fields of other documents of the collection. */
  constructor(options) {
    Object.assign(this, options);
    if (this.isNew && !this.path.at(-1)) this.path = [...this.path.slice(0, -1), newID()];
    this.load();
  }

  get name() { return documentName(this.database, this.path); }
  get isDirty() { return this.isNamed || this.form?.isTouched || this.jsonText !== null || !sameFields(this.base, this.draft); }
  /** Whether there is an input, of a value or of a new field, which is not drawn over. */
  get isTyping() { return this.tree.editing || this.form; }

  destroy() {
    this.isClosed = true;
    watch('document', null);
  }

  async load() {
    if (this.isNew) {
      this.draw();
      // The panel gets into the page first: what is not there cannot have the focus.
      queueMicrotask(() => this.addField([]));
      return;
    }
    loading(this.body);
    try {
      this.accept(await getDocument(this.name));
      this.listen();
      await this.listBelow();
    } catch (error) {
      replace(this.body, failure(error, () => this.load()));
    }
  }

  reload() { if (!this.isDirty) this.load(); }

  accept(document) {
    Object.assign(this, { document, base: document?.fields ?? {}, theirs: undefined, jsonText: null });
    this.tree.editing = null;
    this.draft = { ...this.base };
    this.closeForm();
    this.draw();
  }

  listen() {
    if (this.isClosed) return;
    watch('document', { documents: { documents: [this.name] } }, {
      change: (document) => {
        if (document.updateTime !== (this.theirs ?? this.document)?.updateTime) this.changedElsewhere(document);
      },
      remove: () => { if (this.document) this.changedElsewhere(null); },
    });
  }

  /** Shown at once, or as marks while a person edits. */
  changedElsewhere(document) {
    if (this.isSaving) return;
    if (this.isDirty || this.isTyping) {
      this.theirs = document;
      this.draw(this.isTyping);
      return;
    }
    const changed = new Set(changedPaths(this.base, document?.fields ?? {}).map(([name]) => name));
    this.accept(document);
    for (const row of this.body.querySelectorAll('.field')) row.classList.toggle('flash', changed.has(row.node.path[0]));
  }

  // What is seen

  draw(keepsInput = false) {
    this.drawFooter();
    if (this.tree.editing || keepsInput) {
      this.tree.mark();
      return;
    }
    replace(this.top, this.head());
    const hadFocus = this.body.contains(document.activeElement);
    const { scrollTop } = this.body;
    replace(this.body, this.isNew && this.idRow(), this.view === 'json' ? this.json() : this.fields());
    this.body.scrollTop = scrollTop;
    if (hadFocus) this.tree.focusRow();
  }

  head() {
    const id = this.path.at(-1);
    return panelHead(this.isNew ? 'New document' : id, [
      segments('View', [['fields', 'Fields'], ['json', 'JSON']], this.view, (view) => this.show(view)),
      !this.isNew && menuButton(icon('more'), () => [
        ['Copy path', () => copy(this.path.join('/'), 'Path copied')],
        ['Copy as typed JSON', () => copy(fieldsText(this.draft, this.database))],
        ['Copy as REST JSON', () => copy(toJSON({ name: this.name, fields: this.draft }, 2))],
        ...unlessReadOnly(null, ['Delete document', () => this.remove(), { hint: 'Del', danger: true, disabled: !this.document }],
          ['Delete with everything below…', () => this.removeAll(), { danger: true }]),
      ], 'Document')], () => this.close());
  }

  /** The buttons stay: one that is replaced while it is pressed is not clicked. */
  drawFooter() {
    this.footer.hidden = !this.isDirty && !this.isNew;
    const paths = this.isNew ? [] : changedPaths(this.base, this.draft);
    this.note.title = paths.map(fieldPath).join(', ');
    this.leave.textContent = this.isNew ? 'Cancel' : 'Discard';
    const isChanged = this.theirs !== undefined;
    replace(this.note, isChanged ? h('span.warn-text', this.theirs ? 'Changed elsewhere' : 'Deleted elsewhere')
      : !this.isNew && counted(paths.length + (this.form?.isTouched ? 1 : 0), 'change'));
  }

  discard() {
    if (this.isNew) this.close();
    else this.accept(this.theirs === undefined ? this.document : this.theirs);
  }

  idRow() {
    const problem = problemLine();
    const field = input({ value: this.path.at(-1), oninput: () => {
      this.isNamed = true;
      this.path[this.path.length - 1] = field.value;
      problem.textContent = idProblem(field.value);
    } });
    return h('.id-row.pad', labelled('Document id', field), problem);
  }

  fields() {
    const { createTime, updateTime } = this.document ?? {};
    const canWrite = !isReadOnly();
    const time = (timestamp) => h('span.figures', { title: timestamp }, localTime(timestamp));
    this.tree.draw();
    return [
      !this.document && !this.isNew && h('.notice', h('p', 'This document does not exist.'),
        canWrite && small('Create it', () => this.save())),
      this.tree.element, this.adding,
      canWrite && (this.document || this.isNew) && tool('plus', 'Add field', () => this.addField([]), { class: 'add-field' }),
      !this.isNew && this.below, this.document && facts({ Created: time(createTime), Updated: time(updateTime) }),
    ];
  }

  async listBelow() {
    const { ids, next } = await collectionIDs(this.name);
    replace(this.below, h('h3.heading', 'Collections'),
      ids.map((id) => h('a.mono', { href: dataLink([...this.path, id]) }, icon('right'), id)), next && h('p.faint', 'There are more.'),
      unlessReadOnly(tool('plus', 'Add collection', async () => {
        const id = await askCollection();
        if (id) go({ path: [...this.path, id], params: { new: '1' } });
      })));
  }

  change(path, value) {
    if (isReadOnly()) return;
    this.draft = withValue(this.draft, path, value);
    this.tree.editing = null;
    this.draw();
    this.tree.focusRow();
  }

  addField(path) {
    if (!this.takeForm()) return;
    if (path.length) this.tree.open(path);
    this.draw();
    this.form = new FieldForm({
      path, database: this.database, parent: () => valueIn(mapOf(this.draft), path),
      siblings: () => this.siblings().map((fields) => fieldsOf(valueAt(fields, path))),
      add: (step, value) => {
        this.closeForm();
        const target = [...path, step];
        if (isContainer(value)) this.tree.open(target);
        this.change(target, value);
        this.tree.activate(target);
      },
      close: () => {
        this.closeForm();
        this.drawFooter();
        this.tree.focusRow();
      },
    });
    replace(this.adding, this.form.element);
    this.form.focus({ preventScroll: this.isNew });
  }

  closeForm() {
    this.form = null;
    replace(this.adding);
  }

  /** A field that is typed and not added yet is added. False, with the reason beside it, if that is not possible. */
  takeForm() {
    if (this.form?.isTouched) return this.form.take();
    this.closeForm();
    return true;
  }

  // JSON

  show(view) {
    this.tree.editing?.(true);
    if (this.takeForm() && this.takeJSON()) this.view = view;
    this.draw();
  }

  json() {
    this.problem = problemLine();
    this.code = new CodeArea('Document as typed JSON', json, {
      readOnly: isReadOnly(), value: this.jsonText ?? fieldsText(this.draft, this.database), changed: () => {
        this.jsonText = this.code.value;
        this.drawFooter();
      },
    });
    return [h('.source.json', this.code.element), this.problem, h('p.faint.small.pad',
      'Typed JSON, as the command line writes it. REST JSON and plain JSON can be pasted: fields keep the types that they have.')];
  }

  /** The text of the JSON view becomes the draft; false, with the place of the error, if it is not a document. */
  takeJSON() {
    try {
      if (this.jsonText !== null) this.draft = parseFields(this.jsonText, this.database, this.base);
      this.jsonText = null;
      return true;
    } catch (error) {
      this.problem.textContent = error.message;
      showPlace(this.code.area, error, 1);
      return false;
    }
  }

  // Commits

  /** Carries out what changes the document; what listeners tell in the meantime is known. */
  async saving(action) {
    if (isReadOnly() || this.isSaving) return;
    this.isSaving = true;
    await attempt(action);
    this.isSaving = false;
  }

  save() {
    this.tree.editing?.(true);
    if (this.tree.editing || !this.takeForm() || !this.takeJSON()) return;
    this.saving(async () => {
      const { name, document: before, isNew } = this;
      const problem = isNew && idProblem(this.path.at(-1));
      if (problem) throw new Error(problem);
      const write = before ? writeOfChanges(name, this.base, this.draft, { updateTime: before.updateTime })
        : writeOfDocument(name, this.draft, { exists: false });
      if (!write) {
        this.draw();
        return;
      }
      try {
        await commit([write]);
      } catch (error) {
        if (!before || !['FAILED_PRECONDITION', 'ABORTED', 'NOT_FOUND'].includes(error.status)) throw error;
        await this.conflict();
        return;
      }
      const saved = await getDocument(name);
      this.isNew = false;
      this.isNamed = false;
      this.accept(saved);
      this.saved(saved);
      if (isNew) this.created(this.path.at(-1));
      this.listen();
      const currentDocument = { updateTime: saved.updateTime };
      const undo = before ? { update: { name, fields: before.fields ?? {} }, currentDocument } : { delete: name, currentDocument };
      offerUndo('Saved.', [undo], async () => {
        const now = await getDocument(name);
        if (this.name === name && this.isDirty) this.changedElsewhere(now ?? null);
        else if (this.name === name) this.accept(now);
        if (now) this.saved(now);
      });
    });
  }

  /** The document changed in between: theirs and mine, field by field. */
  async conflict() {
    const theirs = await getDocument(this.name);
    const draft = theirs ? await askMerge(this.base, theirs.fields ?? {}, this.draft, this.database)
      : await confirm({ title: 'The document was deleted', action: 'Create again',
        text: 'Another client deleted it. Saving creates it again, with all fields as they are here.' }) && this.draft;
    this.isSaving = false;
    if (draft) {
      Object.assign(this, { document: theirs, base: theirs?.fields ?? {}, draft, theirs: undefined });
      this.save();
    } else {
      this.theirs = theirs ?? null;
      this.draw();
    }
  }

  remove() {
    const { document: before, name, saved } = this;
    if (!before) return;
    this.saving(async () => {
      await commit([{ delete: name, currentDocument: { updateTime: before.updateTime } }]);
      this.draft = this.base;
      const undo = { update: { name, fields: before.fields ?? {} }, currentDocument: { exists: false } };
      offerUndo(`${this.path.at(-1)} deleted.`, [undo], async () => saved(await getDocument(name)));
      this.deleted(name);
    });
  }

  removeAll() {
    attempt(async () => { if (await removeRecursively(this.name)) this.deleted(this.name); });
  }
}

"""#)

    private static let file33 = ConsoleResource("ui/field-form.js", tag: "82a0075322d48ecb", #"""
// SPDX-License-Identifier: Apache-2.0
// The row that adds a field to a document or a map, or an element to an array. What is typed in it is part of the draft.
import { h, iconButton, input, problemLine, small } from '../lib/dom.js';
import { elementsOf, fieldPath, fieldsOf, initial, text, typeOf, types } from '../lib/values.js';
import { typedInput } from './inputs.js';
import { checkName } from './questions.js';
import { suggesting } from './suggestions.js';

/** The type that a value most probably has, from values beside it: the most frequent one. */
export function guessedType(values) {
  const counts = new Map();
  for (const value of values) counts.set(typeOf(value), (counts.get(typeOf(value)) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

export class FieldForm {
  problem = problemLine();

  /** @param {{path: (string|number)[], parent: function, siblings: function, database: string, add: function, close: function}} options
   *  `parent` answers the map or the array as it is, `siblings` the fields in its place in other documents; `add` gets the step and
   *  the value. */
  constructor(options) {
    Object.assign(this, options);
    const parent = this.parent();
    this.isArray = typeOf(parent) === 'array';
    const type = this.isArray && guessedType(elementsOf(parent));
    this.value = typedInput(type ? initial(type) : text(''), this.database, {
      commit: () => this.take(), only: types.filter((t) => t !== 'array' || !this.isArray),
    });
    this.name = input({ placeholder: 'field', label: 'Name of the field', size: 8, oninput: () => this.guess() });
    const names = () => [...new Set(this.siblings().flatMap(Object.keys))].filter((name) => !Object.hasOwn(fieldsOf(this.parent()), name));
    this.element = h('.add-form', {
      role: 'group', label: this.isArray ? 'New element' : 'New field', onkeydown: (event) => this.pressed(event),
    }, this.path.length > 0 && h('.faint.mono.small', fieldPath(this.path)),
    h('.add-row', !this.isArray && suggesting(this.name, names), this.value.element,
      h('.row', small('Add', () => this.take()), iconButton('close', 'Do not add', this.close))), this.problem);
  }

  get isTouched() { return this.name.value !== '' || this.value.isTouched(); }

  focus(options) { (this.isArray ? this.value : this.name).focus(options); }

  /** Fields of this name in other documents have a type, which the new one gets as long as nothing else was chosen. */
  guess() {
    const { value: name } = this.name;
    const same = this.siblings().filter((fields) => Object.hasOwn(fields, name)).map((fields) => fields[name]);
    this.value.suggest(guessedType(same) ?? 'string');
  }

  /** Adds what is typed. False, with the reason, if it is not a field. */
  take() {
    const parent = this.parent();
    try {
      if (!this.isArray) checkName(this.name.value, fieldsOf(parent));
      this.add(this.isArray ? elementsOf(parent).length : this.name.value, this.value.read());
      return true;
    } catch (error) {
      this.problem.textContent = error.message;
      this.focus();
      return false;
    }
  }

  pressed(event) {
    if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && event.target === this.name) this.value.focus();
    else return;
    event.stopPropagation();
    event.preventDefault();
  }
}

"""#)

    private static let file34 = ConsoleResource("ui/field-tree.js", tag: "aed731982b72105f", #"""
// SPDX-License-Identifier: Apache-2.0
// The fields of a document as a tree, with the inputs that open in it.
import { h, icon, iconButton, number, problemLine, replace } from '../lib/dom.js';
import { same } from '../lib/changes.js';
import { valueText } from '../lib/json.js';
import { dataLink, isReadOnly } from '../lib/store.js';
import {
  arrayOf, elementsOf, fieldPath, fieldsOf, isContainer, isIn, localTime, mapOf, relative, sortedNames, summary, toJSON, typeOf, valueAt,
  valueIn, visible, withValue,
} from '../lib/values.js';
import { firstInput, valueInput } from './inputs.js';
import { askComputed, askName, askType } from './questions.js';
import { copy, menu } from './widgets.js';

const isIndex = (step) => typeof step === 'number';
export const unlessReadOnly = (...items) => (isReadOnly() ? [] : items);

export class FieldTree {
  /** The paths of maps and arrays that are open, as JSON. */
  opened = new Set();
  active = 0;
  nodes = [];
  /** What ends the input that is open, if there is one. */
  editing = null;
  element = h('.tree', { role: 'treegrid', label: 'Fields', onkeydown: (event) => this.pressed(event) });

  /** @param {object} panel The document: its `draft`, `base` and `theirs`, `change(path, value)`, `addField(path)` and `draw()`. */
  constructor(panel) { this.panel = panel; }

  draw() {
    this.element.ariaReadOnly = isReadOnly();
    this.nodes = this.list();
    this.active = Math.max(0, Math.min(this.active, this.nodes.length - 1));
    replace(this.element, this.nodes.map((node, i) => this.row(node, i)), !this.nodes.length
      && h('div', { role: 'row' }, h('.muted.pad', { role: 'gridcell' }, this.panel.document ? 'No fields.' : '')));
  }

  open(path) { this.opened.add(toJSON(path)); }

  /** Marks what is changed elsewhere, without drawing over the input that is open. */
  mark() { for (const row of this.element.children) this.markTheirs(row); }

  /** All rows, with those of open maps and arrays. Fields that were removed stay, struck through, until they are saved. */
  list(value = mapOf(this.panel.draft), old = mapOf(this.panel.base), path = []) {
    const steps = typeOf(value) === 'array' ? elementsOf(value).map((_, i) => i) : sortedNames({ ...fieldsOf(old), ...fieldsOf(value) });
    return steps.flatMap((step) => {
      const [now, before] = [value, old].map((v) => v && valueIn(v, [step]));
      const inner = [...path, step];
      const hasChildren = Boolean(now) && isContainer(now);
      const isOpen = hasChildren && this.opened.has(toJSON(inner));
      const node = { path: inner, value: now ?? before, old: before, isRemoved: !now, hasChildren, isOpen };
      return [node, ...(isOpen ? this.list(now, before, inner) : [])];
    });
  }

  row(node, index) {
    const { path, value, hasChildren, isOpen } = node;
    const step = path.at(-1);
    const isChanged = !this.panel.isNew && (node.isRemoved || !same(node.old, value));
    const act = () => (hasChildren ? this.toggle(node) : this.edit(index));
    const row = h('.field', {
      role: 'row', class: `${isChanged ? 'changed' : ''} ${node.isRemoved ? 'removed' : ''}`, tabIndex: index === this.active ? 0 : -1,
      ariaLevel: path.length, ariaExpanded: hasChildren ? isOpen : undefined, '--depth': path.length - 1,
      onfocus: () => { this.active = index; },
    },
    h('.name-cell', { role: 'rowheader', onclick: () => hasChildren && act() },
      h('span.toggle', hasChildren && icon(isOpen ? 'down' : 'right')),
      h('span.name.mono.ellipsis', { title: fieldPath(path), class: isIndex(step) ? 'faint' : '' }, visible(`${step}`)),
      isChanged && h('span.accent.small', { title: 'Changed, not saved', role: 'img', label: 'changed' }, '●')),
    h('.value-cell', { role: 'gridcell', title: this.tip(value), onclick: act }, this.shown(value)),
    h('.tools-cell', { role: 'gridcell' }, h('span.type-name', value.sentinel ? 'computed' : typeOf(value)),
      unlessReadOnly(iconButton('more', `Menu of ${step}`, (event) => menu(event.currentTarget, this.menuOf(node), `${step}`),
        { class: 'field-menu', tabIndex: -1, ariaHasPopup: 'menu' }))));
    row.node = node;
    this.markTheirs(row);
    return row;
  }

  shown(value) {
    const shown = summary(value, this.panel.database);
    const { stringValue = '', referenceValue } = value;
    if (referenceValue && isIn(referenceValue, this.panel.database)) {
      const href = dataLink(relative(referenceValue).split('/'));
      return h('a.v-reference.ellipsis', { href, tabIndex: -1, onclick: (event) => event.stopPropagation() }, shown);
    }
    return [h(`span.ellipsis.v-${typeOf(value)}`, shown), stringValue.length > 80 && h('span.faint.small', number(stringValue.length))];
  }

  tip({ timestampValue, stringValue }) {
    return timestampValue ? `${timestampValue}\n${localTime(timestampValue)}` : stringValue?.slice(0, 1000);
  }

  /** A mark where the document was changed elsewhere while it is edited here. */
  markTheirs(row) {
    const { path } = row.node ?? { path: [] };
    row.querySelector('.mark-theirs')?.remove();
    if (this.panel.theirs === undefined) return;
    const theirs = valueAt(this.panel.theirs?.fields ?? {}, path);
    if (same(theirs, valueAt(this.panel.base, path))) return;
    const label = `Changed elsewhere: ${theirs ? summary(theirs, this.panel.database) : 'removed'}. Take it.`;
    row.firstChild.append(h('button.mark-theirs', { title: label, label, tabIndex: -1, onclick: (event) => {
      event.stopPropagation();
      this.panel.change(path, theirs);
    } }, '◆'));
  }

  focusRow() { this.element.children[this.active]?.focus(); }

  activate(path) {
    this.active = Math.max(0, this.nodes.findIndex((node) => toJSON(node.path) === toJSON(path)));
    this.focusRow();
  }

  toggle({ path }) {
    const key = toJSON(path);
    if (!this.opened.delete(key)) this.opened.add(key);
    this.panel.draw();
    this.activate(path);
  }

  pressed(event) {
    const { node } = event.target;
    if (!node) return;
    const { key } = event;
    const move = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (event.altKey && move) this.moveElement(node, move);
    else if (move) {
      event.target.tabIndex = -1;
      this.active = Math.max(0, Math.min(this.active + move, this.nodes.length - 1));
      this.element.children[this.active].tabIndex = 0;
      this.focusRow();
    } else if (key === (node.isOpen ? 'ArrowLeft' : 'ArrowRight') && node.hasChildren) this.toggle(node);
    else if (key === 'ArrowLeft' && node.path.length > 1) this.activate(node.path.slice(0, -1));
    else if (key === 'Enter') (node.hasChildren ? this.toggle(node) : this.edit());
    else if (key === 'Delete') this.panel.change(node.path, undefined);
    else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) menu(event.target, this.menuOf(node), `${node.path.at(-1)}`);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  menuOf(node) {
    const { path, value, old } = node;
    const isElement = isIndex(path.at(-1));
    const ask = async (question) => {
      const answer = await question(node, this.panel.database);
      if (answer) this.panel.change(path, answer);
    };
    if (node.isRemoved) return [['Keep the field', () => this.panel.change(path, old)]];
    return [
      isContainer(value) ? [typeOf(value) === 'array' ? 'Add element' : 'Add field', () => this.panel.addField(path)]
        : !value.sentinel && ['Edit', () => this.edit(this.nodes.indexOf(node)), { hint: 'Enter' }],
      ...(isElement ? [['Move up', () => this.moveElement(node, -1), { hint: 'Alt ↑' }],
        ['Move down', () => this.moveElement(node, 1), { hint: 'Alt ↓' }]] : [['Rename…', () => this.rename(node)]]),
      ['Change type…', () => ask(askType)],
      !path.some(isIndex) && ['Compute when saved…', () => ask(askComputed)],
      null,
      ['Copy field path', () => copy(fieldPath(path))],
      /^https?:\/\/\S+$/.test(value.stringValue) && ['Open the link', () => open(value.stringValue, '_blank', 'noreferrer')],
      ['Copy value', () => copy(valueText(value, this.panel.database, '  '))],
      old && !same(old, value) && ['Take back', () => this.panel.change(path, old)],
      null,
      [isElement ? 'Remove' : 'Delete field', () => this.panel.change(path, undefined), { hint: 'Del', danger: true }],
    ];
  }

  async rename(node) {
    const name = await askName(node, this.panel.draft);
    if (name === undefined) return;
    this.panel.draft = withValue(this.panel.draft, node.path, undefined);
    this.panel.change([...node.path.slice(0, -1), name], node.value);
  }

  moveElement({ path }, by) {
    const [index, parent] = [path.at(-1), path.slice(0, -1)];
    const items = [...elementsOf(valueIn(mapOf(this.panel.draft), parent))];
    if (!isIndex(index) || !items[index + by]) return;
    [items[index], items[index + by]] = [items[index + by], items[index]];
    this.panel.change(parent, arrayOf(items));
    this.activate([...parent, index + by]);
  }

  edit(index = this.active) {
    const node = this.nodes[index];
    if (isReadOnly() || this.panel.view === 'json' || node?.isRemoved) return;
    if (!node) {
      this.panel.addField([]);
      return;
    }
    this.editing?.(true);
    this.active = index;
    const { path, value } = node;
    if (typeOf(value) === 'boolean') {
      this.panel.change(path, { booleanValue: !value.booleanValue });
      return;
    }
    if (node.hasChildren || value.sentinel) {
      this.focusRow();
      return;
    }
    const problem = problemLine();
    const finish = (takes) => {
      if (this.editing !== finish) return;
      try {
        this.panel.change(path, takes ? field.read() : value);
      } catch (error) {
        problem.textContent = error.message;
        if (field.field) field.field.ariaInvalid = true;
      }
    };
    const field = valueInput(value, this.panel.database, {
      label: `Value of ${path.at(-1)}`, commit: () => finish(true), cancel: () => finish(false),
    });
    this.editing = finish;
    const row = this.element.children[index];
    row.classList.add('editing');
    const cell = h('.value-cell', { role: 'gridcell' }, h('.edit', {
      onkeydown: (event) => this.tabbed(event, index), onfocusout: ({ relatedTarget }) => {
        if (!cell.contains(relatedTarget) && document.hasFocus()) finish(true);
      },
    }, field.element, problem));
    row.children[1].replaceWith(cell);
    const first = firstInput(cell);
    first?.focus();
    first?.select?.();
  }

  /** Tab goes on to the next value, Shift Tab to the one before. */
  tabbed(event, index) {
    const inputs = [...event.currentTarget.querySelectorAll('input, textarea, select, button')];
    const next = index + (event.shiftKey ? -1 : 1);
    if (event.key !== 'Tab' || event.target !== inputs.at(event.shiftKey ? 0 : -1)) return;
    this.editing(true);
    if (this.editing || !this.nodes[next]) return;
    event.preventDefault();
    this.active = next;
    if (typeOf(this.nodes[next].value) === 'boolean') this.focusRow();
    else this.edit(next);
  }
}

"""#)

    private static let file35 = ConsoleResource("ui/filter-bar.js", tag: "5cbdd2c5ae5c59e9", #"""
// SPDX-License-Identifier: Apache-2.0
// The filter of a table, as a bar above its rows.
import { button, h, primary, problemLine, replace } from '../lib/dom.js';
import { requestOf } from '../lib/query.js';
import { filterInput, firstInput } from './inputs.js';

const blank = { fieldFilter: { field: { fieldPath: '' }, op: 'EQUAL' } };

export class FilterBar {
  problem = problemLine();
  element = h('form.filter-bar', {
    role: 'search', label: 'Filter', hidden: true, onsubmit: (event) => {
      event.preventDefault();
      this.apply();
    }, onkeydown: (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.close();
    },
  });

  /** @param {{where?: object, fields: function, database: string, set: function, closed: function}} options
   *  `set` gets the filter, which may have unfinished lines. */
  constructor(options) { Object.assign(this, options); }

  get isOpen() { return !this.element.hidden; }

  open() {
    this.element.hidden = false;
    this.editor = filterInput(this.where ?? blank, { fields: this.fields, database: this.database, commit: () => this.apply() });
    replace(this.element, this.editor.element, h('.row', this.where && button('Clear', () => this.set(undefined)),
      button('Close', () => this.close(), { label: 'Close the filter' }), primary('Apply', undefined, { type: 'submit' })), this.problem);
    // It gets into the page first.
    queueMicrotask(() => firstInput(this.editor.element.querySelector('.field-input'))?.focus());
  }

  close() {
    this.element.hidden = true;
    this.closed();
  }

  apply() {
    try {
      const where = this.editor.read();
      requestOf({ where });
      this.problem.textContent = '';
      this.set(where);
    } catch (error) {
      this.problem.textContent = error.message;
    }
  }
}

"""#)

    private static let file36 = ConsoleResource("ui/grid.js", tag: "d01904d93bdfb332", #"""
// SPDX-License-Identifier: Apache-2.0
// A table of which only the visible rows are elements. The focus stays on the table; the active cell is named to readers.
import { h, replace } from '../lib/dom.js';
import { density } from '../lib/store.js';
import { drag } from './widgets.js';

const heights = { compact: 26, normal: 30, roomy: 36 };
const within = (value, least, most) => Math.max(least, Math.min(value, most));
const names = (classes) => Object.keys(classes).filter((name) => classes[name]).join(' ');
let grids = 0;

/** @typedef {{key: string, title: string, width: number, align?: string, sort?: 'ASCENDING'|'DESCENDING'}} Column */

export class Grid {
  rows = [];
  at = 0;
  column = 0;
  selection = new Set();
  anchor = 0;
  activeID = `active-${grids += 1}`;

  /** @param {{label: string, columns: Column[], key: function, cell: function, open?: function, header?: function, resized?: function,
   *   selected?: function, edge?: function, jump?: function, scrolled?: function, rowClass?: function, total?: function}} options
   *  `cell` makes the element of a cell; rows can be selected if there is `selected`. */
  constructor(options) {
    this.options = options;
    this.head = h('.grid-head', { role: 'row', ariaRowIndex: 1 });
    this.body = h('.grid-body', { role: 'rowgroup' });
    this.element = h('.grid', {
      role: 'grid', tabIndex: 0, label: options.label, ariaMultiSelectable: Boolean(options.selected),
      onscroll: () => {
        this.draw();
        options.scrolled?.();
      },
      onkeydown: (event) => this.pressed(event), onfocus: () => this.mark(), onblur: () => this.mark(),
    }, h('.grid-heads', { role: 'rowgroup' }, this.head), this.body);
    this.columns = options.columns;
    this.stop = density.watch((value) => {
      this.rowHeight = heights[value];
      this.element.style.setProperty('--row', `${this.rowHeight}px`);
      this.setColumns(this.columns);
    });
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.element);
  }

  destroy() {
    this.stop();
    this.observer.disconnect();
  }

  setColumns(columns) {
    this.columns = columns;
    this.column = within(this.column, 0, columns.length - 1);
    replace(this.head, columns.map((column, i) => {
      const { title, sort, align = '' } = column;
      const cell = h('.grid-header', {
        role: 'columnheader', ariaColIndex: i + 1, class: align, title, ariaSort: sort?.toLowerCase(),
        onclick: () => this.options.header?.(column, cell),
      }, h('span.ellipsis', title), sort && h('span.accent', sort === 'DESCENDING' ? '↓' : '↑'), h('span.grid-edge', {
        onclick: (event) => event.stopPropagation(), onpointerdown: (event) => {
          const { width } = column;
          drag(event, (by) => {
            column.width = within(width + by, 56, 900);
            this.widen();
          }, this.options.resized);
        },
      }));
      return cell;
    }));
    this.widen();
    /** The elements of rows. A row that changes is another object, and so drawn anew. */
    this.drawn = new WeakMap();
    this.setRows(this.rows);
  }

  widen() {
    this.element.style.setProperty('--columns', this.columns.map((c) => `${c.width}px`).join(' ') + ' minmax(0, 1fr)');
    this.element.style.setProperty('--width', `${this.columns.reduce((sum, c) => sum + c.width, 0)}px`);
  }

  /** Shows other rows. `shift` rows were put in before the old ones: what is visible stays where it is. */
  setRows(rows, shift = 0) {
    this.rows = rows;
    this.at = within(this.at + shift, 0, rows.length - 1);
    this.body.style.height = `${rows.length * this.rowHeight}px`;
    const total = this.options.total?.() ?? rows.length;
    this.element.ariaRowCount = total < 0 ? -1 : total + 1;
    if (shift) this.element.scrollTop += shift * this.rowHeight;
    this.draw();
  }

  get range() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.rowHeight));
    return [first, Math.min(this.rows.length, first + Math.ceil((this.element.clientHeight || 600) / this.rowHeight) + 1)];
  }

  /** In the next frame: however many rows change, it is drawn once. */
  draw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.drawNow();
    });
  }

  drawNow() {
    const [first, last] = this.range;
    const from = Math.max(0, first - 8);
    const elements = this.rows.slice(from, last + 8).map((row, n) => this.drawRow(row, from + n));
    // Elements that are put in again would begin their animations anew.
    if (elements.length !== this.body.children.length || elements.some((e, i) => e !== this.body.children[i])) replace(this.body, elements);
    this.mark();
    const screen = last - first;
    if (this.rows.length && last + screen >= this.rows.length) this.options.edge?.('end');
    if (this.rows.length && first <= screen) this.options.edge?.('start');
  }

  drawRow(row, index) {
    const { key, rowClass, isOpen, cell, selected } = this.options;
    const make = () => h('div', { role: 'row', onclick: (event) => this.clicked(element, event) }, this.columns.map((column, i) =>
      Object.assign(cell(row, column), { role: 'gridcell', ariaColIndex: i + 1 })));
    const element = this.drawn.get(row) ?? make();
    this.drawn.set(row, element);
    if (row.isFresh) setTimeout(() => { element.isFlashing = false; }, 1000);
    if (row.isFresh) element.isFlashing = true;
    row.isFresh = false;
    element.index = index;
    element.style.transform = `translateY(${index * this.rowHeight}px)`;
    element.ariaRowIndex = index + 2;
    const isSelected = this.selection.has(key(row));
    if (selected) element.ariaSelected = isSelected;
    const states = { selected: isSelected, open: isOpen?.(row), flash: element.isFlashing };
    element.className = `grid-row ${rowClass?.(row) ?? ''} ${names(states)}`;
    return element;
  }

  clicked(element, event) {
    this.column = Math.max(0, [...element.children].indexOf(event.target.closest('[role=gridcell]')));
    this.activate(element.index);
    if (this.options.selected && (event.ctrlKey || event.metaKey)) this.toggle(element.index);
    else if (this.options.selected && event.shiftKey) this.selectTo(element.index);
    else this.options.open?.(this.rows[element.index]);
  }

  /** Names the active cell, and draws its frame while the table has the focus. */
  mark() {
    const old = this.element.querySelector(`#${this.activeID}`);
    old?.classList.remove('active');
    old?.removeAttribute('id');
    const row = this.at < 0 ? this.head : this.rows[this.at] && this.drawn.get(this.rows[this.at]);
    const cell = row?.isConnected && row.children[this.column];
    if (cell) cell.id = this.activeID;
    if (cell) cell.classList.toggle('active', document.activeElement === this.element);
    this.element.setAttribute('aria-activedescendant', cell ? this.activeID : '');
  }

  activate(index) {
    this.at = within(index, this.options.header ? -1 : 0, this.rows.length - 1);
    this.reveal();
    this.drawNow();
  }

  reveal() {
    const { scrollTop, clientHeight, scrollLeft, clientWidth } = this.element;
    const top = this.at * this.rowHeight;
    this.element.scrollTop = this.at < 0 ? 0 : within(scrollTop, top - clientHeight + 2 * this.rowHeight + 12, top);
    const left = this.columns.slice(0, this.column).reduce((sum, c) => sum + c.width, 0);
    this.element.scrollLeft = within(scrollLeft, left + (this.columns[this.column]?.width ?? 0) - clientWidth, left);
  }

  indexOf(name) { return this.rows.findIndex((row) => this.options.key(row) === name); }

  select(change) {
    change(this.selection);
    this.drawNow();
    this.options.selected();
  }

  toggle(index) {
    const name = this.options.key(this.rows[index]);
    this.anchor = index;
    this.select((selection) => selection.delete(name) || selection.add(name));
  }

  selectTo(index) {
    const [from, to] = [index, this.anchor].sort((a, b) => a - b);
    this.select((selection) => this.rows.slice(from, to + 1).forEach((row) => selection.add(this.options.key(row))));
  }

  clearSelection() { this.select((selection) => selection.clear()); }

  pressed(event) {
    if (event.target !== this.element || event.altKey) return;
    const { header, open, selected, jump } = this.options;
    const { key } = event;
    const row = this.rows[this.at];
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 2);
    const rows = { ArrowDown: this.at + 1, ArrowUp: this.at - 1, PageDown: this.at + page, PageUp: Math.max(0, this.at - page) };
    const columns = { ArrowLeft: this.column - 1, ArrowRight: this.column + 1 };
    const ends = { Home: ['first', 0], End: ['last', this.rows.length - 1] };
    if (key in rows) {
      this.activate(rows[key]);
      if (event.shiftKey && selected && this.at >= 0) this.selectTo(this.at);
    } else if (key in columns) {
      this.column = within(columns[key], 0, this.columns.length - 1);
      this.activate(this.at);
    } else if (key in ends) jump ? jump(ends[key][0]) : this.activate(ends[key][1]);
    else if (key === 'Enter' && this.at < 0) header(this.columns[this.column], this.head.children[this.column]);
    else if (key === 'Enter' && row) open?.(row);
    else if (key === ' ' && selected && row) this.toggle(this.at);
    else if (key === 'Escape' && this.selection.size) this.clearSelection();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

"""#)

    private static let file37 = ConsoleResource("ui/inputs.js", tag: "894bf21b3b9fc4d6", #"""
// SPDX-License-Identifier: Apache-2.0
// Inputs for typed values and for filters, used by the document and by queries: {element, read()}, where read throws with a sentence.
import { collectionIDs, namesFrom } from '../lib/api.js';
import { fileButton, h, iconButton, input, replace, select, small } from '../lib/dom.js';
import { groupOf, isUnary, symbols, takesArray } from '../lib/query.js';
import {
  arrayOf, bytesOf, documentName, editText, elementsOf, hex, initial, lastID, parseValue, text, typeOf, types,
} from '../lib/values.js';
import { suggesting } from './suggestions.js';
import { download } from './widgets.js';

export const firstInput = (element) => element.querySelector('input, textarea, select');

export function valueInput(value, database, { commit, cancel, label = 'Value' } = {}) {
  const type = typeOf(value);
  const edited = editText(value, database);
  const common = {
    class: `v-${type}`, label, onkeydown: (event) => {
      if (event.key === 'Escape' && cancel) {
        event.stopPropagation();
        cancel();
      } else if (event.key === 'Enter' && !event.ctrlKey && !(event.shiftKey && event.target.matches('textarea'))) {
        event.preventDefault();
        commit?.();
      }
    },
  };
  if (type === 'null') return { element: h('span.v-null', 'null'), read: () => value, text: () => '' };
  if (type === 'boolean') {
    const choice = select(label, ['true', 'false'], edited);
    choice.addEventListener('keydown', common.onkeydown);
    return { element: choice, read: () => parseValue(type, choice.value), text: () => choice.value };
  }
  if (type === 'geopoint') {
    const parts = edited.split(', ').map((part, i) =>
      input({ ...common, label: i ? 'Longitude' : 'Latitude', value: part, inputMode: 'decimal', size: 10 }));
    const typed = () => parts.map((part) => part.value).join(', ');
    return { element: h('span.row', parts), read: () => parseValue(type, typed()), text: typed };
  }
  const rows = Math.min(10, edited.split('\n').length + Math.floor(edited.length / 60));
  const field = ['string', 'vector', 'bytes'].includes(type)
    ? h('textarea.mono', { spellcheck: false, ...common, rows, value: edited }) : input({ ...common, value: edited });
  const untouched = field.value;
  // What was not touched goes back as it was: an input changes the ends of lines.
  const read = () => (field.value === untouched ? value : parseValue(type, field.value, database));
  const beside = { timestamp: dateTools, bytes: fileTools, reference: completion }[type]?.(field, value, database);
  return { element: beside ? h('span.row.wrap.grow', field, beside) : field, field, read, text: () => field.value };
}

/** A picker of minutes, in UTC: seconds and digits behind the point stay. */
const dateTools = (field) => [h('input.picker', {
  type: 'datetime-local', label: 'Date and time in UTC', value: field.value.slice(0, 16),
  onchange: (event) => { field.value = event.target.value.slice(0, 16) + (field.value.slice(16) || ':00Z'); },
}), small('Now', () => { field.value = new Date().toISOString(); })];

const fileTools = (field, value) => [fileButton('From a file…', 'File with the bytes', async (file) => {
  field.value = hex(new Uint8Array(await file.arrayBuffer()));
}), iconButton('transfer', 'Download', () => download('bytes.bin', bytesOf(value)))];

/** Completes a path: collections, then the ids that begin as typed. */
function completion(field, _, database) {
  const [, list] = suggesting(field, async (typed) => {
    const above = typed.split('/');
    const begun = above.pop();
    const isID = above.length % 2 === 1;
    const place = documentName(database, above);
    const idsIn = (parent, collectionId) => namesFrom(parent, { collectionId }, begun && `${place}/${begun}`, 10);
    try {
      const ids = isID ? (await idsIn(documentName(database, above.slice(0, -1)), above.at(-1))).map(lastID)
        : (await collectionIDs(place)).ids.map((id) => `${id}/`);
      return ids.filter((id) => id.startsWith(begun)).map((id) => [...above, id].join('/'));
    } catch {
      // A path that is not finished has no completions.
      return [];
    }
  });
  return list;
}

/** A value of a type to choose. */
export function typedInput(value, database, { label = 'value', commit, only = types } = {}) {
  const place = h('span.row.grow');
  let current = value ?? text('');
  let isChosen = false;
  let shown;
  let untouched;
  const show = () => {
    shown = valueInput(current, database, { label, commit });
    replace(place, shown.element);
    untouched = shown.text();
  };
  const type = select(`Type of ${label}`, only, typeOf(current), (chosen) => {
    isChosen = true;
    try {
      current = parseValue(chosen, shown.field?.value ?? editText(current, database), database);
    } catch {
      current = initial(chosen);
    }
    show();
  });
  show();
  return {
    element: h('span.row.grow', type, place), read: () => shown.read(), focus: () => {
      firstInput(place)?.focus();
      firstInput(place)?.select?.();
    },
    isTouched: () => isChosen || shown.text() !== untouched,
    /** Another type, unless a person has chosen one or has typed a value. */
    suggest(other) {
      if (isChosen || shown.text() !== untouched || !only.includes(other) || type.value === other) return;
      current = initial(other);
      type.value = other;
      show();
    },
  };
}

// Queries

export function fieldInput(value, fields, label = 'Field', oninput = undefined) {
  const field = input({ value, label, placeholder: 'field', size: 14, oninput });
  return { element: h('span.field-input', suggesting(field, fields)), read: () => field.value };
}

/** Lines of which each can be removed, and one added: `row` makes the element of an item, `adds` are words with what each adds. */
export function lines(items, row, adds, isKept = () => false) {
  const place = h('.stack.grow');
  const draw = () => replace(place, items.map((item) => h('.row.wrap', row(item), !isKept() && iconButton('close', 'Remove', () => {
    items.splice(items.indexOf(item), 1);
    draw();
  }))), h('.row', Object.entries(adds).map(([word, add]) => small(word, () => {
    items.push(add());
    draw();
    firstInput(place.children[items.length - 1])?.focus();
  }))));
  draw();
  return place;
}

const unfinished = () => ({ fieldFilter: { field: { fieldPath: '' }, op: 'EQUAL', value: text('') } });

/** Edits a filter as a group of lines `field operator value`. */
export function filterInput(filter, options, isRoot = true) {
  const { op, filters } = groupOf(filter);
  const made = (inner) => (inner.compositeFilter ? filterInput(inner, options, false) : conditionInput(inner, options));
  const rows = filters.map(made);
  const choice = select('All or any', [['AND', 'all of'], ['OR', 'any of']], op);
  return {
    element: h('.conditions', { class: isRoot ? 'root' : '' }, choice, lines(rows, (r) => r.element, {
      'Add condition': () => made(unfinished()), 'Add group': () => made({ compositeFilter: { op: 'OR', filters: [unfinished()] } }),
    })),
    read: () => ({ compositeFilter: { op: choice.value, filters: rows.map((r) => r.read()) } }),
  };
}

function conditionInput({ unaryFilter, fieldFilter }, { fields, database, commit }) {
  const { field: { fieldPath: path }, op: before, value: valueBefore } = unaryFilter ?? fieldFilter;
  const field = fieldInput(path, fields);
  const place = h('span.row.grow.wrap');
  const only = types.filter((type) => !['array', 'map', 'vector'].includes(type));
  let read;
  const show = (op, value) => {
    const made = (v) => typedInput(v, database, { only, commit });
    const inputs = (value?.arrayValue ? elementsOf(value) : [value]).map(made);
    read = () => (takesArray(op) ? arrayOf(inputs.map((i) => i.read())) : inputs[0].read());
    const more = { 'Another value': () => made(inputs.at(-1).read()) };
    replace(place, isUnary(op) ? [] : takesArray(op) ? lines(inputs, (i) => i.element, more, () => inputs.length < 2) : inputs[0].element);
  };
  const operator = select('Operator', Object.entries(symbols), before, (op) => {
    let value;
    try {
      value = read();
    } catch { /* It is typed anew. */ }
    show(op, value);
  });
  show(before, valueBefore);
  return {
    element: h('.row.wrap.grow', field.element, operator, place),
    read: () => {
      const filter = { field: { fieldPath: field.read() }, op: operator.value };
      try {
        return isUnary(filter.op) ? { unaryFilter: filter } : { fieldFilter: { ...filter, value: read() } };
      } catch (error) {
        throw new Error(`${field.read() || 'A condition'} ${symbols[filter.op]}: ${error.message}`);
      }
    },
  };
}

"""#)

    private static let file38 = ConsoleResource("ui/questions.js", tag: "49317cf054a277d2", #"""
// SPDX-License-Identifier: Apache-2.0
// Questions about ids, fields, values and deletion, as dialogs. Each answers undefined if the person thinks better of it.
import { commit, listDocuments, namesBelow } from '../lib/api.js';
import { changedPaths, same } from '../lib/changes.js';
import { counted, h, labelled, muted, replace, select, table } from '../lib/dom.js';
import {
  arrayOf, converted, fieldPath, fieldsOf, idProblem, mapOf, relative, sentinels, summary, toJSON, typeOf, types, valueAt, withValue,
} from '../lib/values.js';
import { typedInput } from './inputs.js';
import { databaseName, go, server } from '../lib/store.js';
import { ask, attempt, confirm, dialog, toast } from './widgets.js';

function fail(problem) {
  if (problem) throw new Error(problem);
}

export const askID = (title, action, text, label = 'Document id') =>
  ask({ title, action, text, fields: { [label]: '' }, read: (id) => fail(idProblem(id)) ?? id });

export const askCollection = () =>
  askID('New collection', 'Continue', 'A collection exists as soon as it has a document.', 'Collection id');

/** Begins the first document of a new collection, without an open database in the default one of a project. */
export async function newCollection() {
  if (databaseName()) {
    const id = await askCollection();
    if (id) go({ page: 'data', path: [id], params: { new: '1' } });
    return;
  }
  const found = await ask({
    title: 'New collection', action: 'Continue', text: 'A database and a collection exist as soon as they have a document.',
    fields: { 'Collection id': '', Project: server.value?.project ?? 'demo' }, read: (id, project) => {
      fail(idProblem(id) || (!/^[^/]+$/.test(project) && 'A project has a name without slashes.'));
      return { path: [id], project };
    },
  });
  if (found) go({ page: 'data', database: '(default)', params: { new: '1' }, ...found });
}

/** The problem of a name for a field among others, as an error. */
export function checkName(name, fields) {
  fail(!name && 'A field has a name.');
  fail(Object.hasOwn(fields, name) && 'There is a field of this name.');
  fail(/^__.*__$/s.test(name) && 'Names like __name__ are reserved.');
}

export const askName = ({ path }, draft) => ask({
  title: 'Rename field', action: 'Rename', fields: { Name: path.at(-1) },
  read: (name) => checkName(name, fieldsOf(path.length > 1 ? valueAt(draft, path.slice(0, -1)) : mapOf(draft))) ?? name,
});

export function askType({ path, value }, database) {
  const preview = h('p.mono.ellipsis');
  const become = (type) => converted(value, type, database);
  const show = (type) => replace(preview, h(`span.v-${type}`, summary(become(type), database)));
  const only = types.filter((type) => type !== 'array' || typeof path.at(-1) !== 'number');
  const choice = select('Type', only, typeOf(value), show);
  show(choice.value);
  return dialog({
    title: `Type of ${path.at(-1)}`, action: 'Change', read: () => become(choice.value),
    body: [labelled('Type', choice), h('.stack', 'Becomes', preview)],
  });
}

/** What the server computes in the commit: its time, an increment, array unions and removals. */
export function askComputed(_, database) {
  const only = types.filter((type) => type !== 'array' && type !== 'map');
  const operand = typedInput({ integerValue: '1' }, database, { label: 'operand', only });
  const row = h('.stack', { hidden: true }, 'Operand', operand.element);
  const choice = select('Value', Object.entries(sentinels), 'serverTime', (kind) => { row.hidden = kind === 'serverTime'; });
  return dialog({
    title: 'Compute when saved', action: 'Use',
    body: [muted('The server computes the value in the same commit.'), labelled('Value', choice), row],
    read: () => {
      const kind = choice.value;
      if (kind === 'serverTime') return { sentinel: { kind } };
      const value = operand.read();
      fail(kind === 'increment' && !['integer', 'double'].includes(typeOf(value)) && 'An increment is an integer or a double.');
      return { sentinel: { kind, operand: kind === 'increment' ? value : arrayOf([value]) } };
    },
  });
}

/** Theirs and mine, field by field, of the fields that were changed here: the fields to save. */
export function askMerge(base, theirs, mine, database) {
  const kept = new Map();
  const rows = changedPaths(base, mine).map((path) => {
    kept.set(path, true);
    const option = (which, value) => h('label.row', h('input', {
      type: 'radio', name: toJSON(path), checked: which === 'mine', label: `${fieldPath(path)}: ${which}`,
      onchange: () => kept.set(path, which === 'mine'),
    }), value ? h(`span.mono.ellipsis.v-${typeOf(value)}`, summary(value, database)) : h('span.faint', 'no field'));
    const [a, b] = [valueAt(theirs, path), valueAt(mine, path)];
    return [h('span.mono', fieldPath(path)), ...(same(a, b) ? ['the same', 'the same'] : [option('theirs', a), option('mine', b)])];
  });
  return dialog({
    title: 'The document has changed', isWide: true, action: 'Save',
    body: [muted('Another client saved it in the meantime. Choose what to keep of the fields that you changed; all others stay as they are '
      + 'there.'), table(['Field', 'Theirs', 'Mine'], rows)],
    read: () => [...kept].reduce((fields, [path, isMine]) => (isMine ? withValue(fields, path, valueAt(mine, path)) : fields), theirs),
  });
}

// Deletion

/** Says what was done, with an Undo that commits the opposite, if nobody came between. */
export function offerUndo(message, writes, done) {
  toast(message, {
    action: 'Undo', onaction: () => attempt(async () => {
      await commit(writes).catch((error) => {
        if (error.code === 400 || error.code === 409) error.message = 'It cannot be taken back: the document has changed since.';
        throw error;
      });
      await done();
    }),
  });
}

/** Counts, asks, deletes in steps with progress, and can be stopped. True if everything is gone. */
export async function removeRecursively(name) {
  const path = relative(name).split('/');
  const isDocument = path.length % 2 === 0;
  const { length: count } = await namesBelow(name, { limit: 101 });
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
    await commit(names.map((n) => ({ delete: n })));
    done += names.length;
    progress.textContent = `${counted(done, 'document')} deleted`;
  };
  try {
    let names;
    do {
      names = await namesBelow(name, { signal });
      if (!names.length && !isDocument) names = await restOf(name, signal);
      await remove(names);
    } while (names.length && !signal.aborted);
    if (isDocument && !signal.aborted) await remove([name]);
    return !signal.aborted;
  } finally {
    toast(`${counted(done, 'document')} deleted${signal.aborted ? '; stopped' : ''}.`);
    progress.closest('dialog')?.close();
  }
}

/** What the range of names does not contain: documents with numeric ids, which are before all others, and what is below them. */
async function restOf(collection, signal) {
  const { documents } = await listDocuments(collection, { pageSize: 20, signal });
  const lists = await Promise.all(documents.map((d) => namesBelow(d.name, { signal })));
  return documents.flatMap((d, i) => [...lists[i], d.name]);
}

"""#)

    private static let file39 = ConsoleResource("ui/suggestions.js", tag: "efdbdf5c69a30ddc", #"""
// SPDX-License-Identifier: Apache-2.0
// An input with values to choose from: a combobox with a list of its own.
import { h, replace } from '../lib/dom.js';

const most = 50;
let lists = 0;

const typeInto = (field) => (value) => {
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

class Suggestions {
  at = -1;
  options = [];

  constructor(field, values, choose) {
    lists += 1;
    Object.assign(this, { field, values, choose });
    this.id = `list-${lists}`;
    this.element = h('.suggestions', {
      id: this.id, popover: 'manual', role: 'listbox', label: 'Suggestions', onpointerdown: (event) => event.preventDefault(),
    });
    field.role = 'combobox';
    field.ariaAutoComplete = 'list';
    field.ariaExpanded = false;
    field.setAttribute('aria-controls', this.id);
    field.addEventListener('input', () => { if (document.activeElement === field) this.open(); });
    field.addEventListener('click', () => this.open());
    field.addEventListener('blur', () => this.close());
    // Before what else the field does with these keys.
    field.addEventListener('keydown', (event) => this.pressed(event), true);
  }

  get isOpen() { return this.field.ariaExpanded === 'true'; }

  /** The values that contain what is typed; those that begin with it are the first. */
  async open() {
    const typed = this.field.value;
    const values = await this.values(typed);
    if (document.activeElement !== this.field || this.field.value !== typed) return;
    const rank = (value) => value.toLowerCase().indexOf(typed.toLowerCase());
    const found = [...new Set(values)].filter((value) => value !== typed && rank(value) >= 0)
      .sort((a, b) => Math.min(1, rank(a)) - Math.min(1, rank(b))).slice(0, most);
    this.at = -1;
    this.field.removeAttribute('aria-activedescendant');
    this.options = found.map((value, i) => h('.option.ellipsis', {
      role: 'option', id: `${this.id}-${i}`, title: value, ariaSelected: false, onclick: (event) => {
        // A label around the input would open the list again.
        event.preventDefault();
        this.take(value);
      },
    }, value));
    replace(this.element, this.options);
    if (!found.length || !this.field.isConnected) this.close();
    else if (!this.isOpen) {
      this.element.style.setProperty('--width', `${this.field.offsetWidth}px`);
      this.element.showPopover({ source: this.field });
      this.field.ariaExpanded = true;
    }
  }

  close() {
    if (!this.isOpen) return;
    this.field.ariaExpanded = false;
    this.field.removeAttribute('aria-activedescendant');
    if (this.element.isConnected) this.element.hidePopover();
  }

  take(value) {
    this.choose(value);
    this.close();
  }

  mark(at) {
    this.at = (at + this.options.length) % this.options.length;
    this.options.forEach((option, i) => { option.ariaSelected = i === this.at; });
    this.options[this.at].scrollIntoView({ block: 'nearest' });
    this.field.setAttribute('aria-activedescendant', this.options[this.at].id);
  }

  pressed(event) {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move && !event.altKey) {
      if (this.isOpen) this.mark(this.at < 0 && move < 0 ? -1 : this.at + move);
      else this.open();
    } else if (this.isOpen && event.key === 'Enter' && this.at >= 0) this.take(this.options[this.at].title);
    else if (this.isOpen && event.key === 'Escape') this.close();
    else {
      if (event.key === 'Enter') this.close();
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

/** The input and its list. `values(typed)` are asked for whenever something is typed; `choose` takes one, otherwise it is typed. */
export function suggesting(field, values, choose = typeInto(field)) {
  return [field, new Suggestions(field, values, choose).element];
}

"""#)

    private static let file40 = ConsoleResource("ui/trace.js", tag: "0ec0cbe84e2543d4", #"""
// SPDX-License-Identifier: Apache-2.0
// Why rules granted or denied a request.
import { h } from '../lib/dom.js';
import { toJSON } from '../lib/values.js';
import { highlighted, json } from './code-area.js';

export const source = (object) => h('pre.command', { tabIndex: 0 }, highlighted(toJSON(object, 2), json));

export const trace = ({ granted, operation, statements = [], request, resource }) => h('.trace',
  h('p', h('strong', { class: granted ? 'ok-text' : 'danger-text' }, granted ? 'Granted' : 'Denied'), ' ', h('span.mono', operation)),
  !statements.length && h('p.muted', 'No allow statement for this method covers the path.'),
  statements.map((s) => h('.statement', { class: s.granted ? 'granted' : '' },
    h('p', h('span.faint', `Line ${s.line} `), h('span.mono', s.match), ' ', h('strong', s.outcome)),
    s.values?.map((v) => h('p.mono.small', h('span.faint', `${v.line}:${v.column} `), v.expression, h('span.faint', ' = '), v.result)))),
  Object.entries({ request, resource }).map(([name, content]) => content && h('details', h('summary.mono', name), source(content))));

"""#)

    private static let file41 = ConsoleResource("ui/widgets.js", tag: "3adabfe83ab9b863", #"""
// SPDX-License-Identifier: Apache-2.0
// Dialogs, menus and toasts, on the platform's own elements.
import { announce, button, h, icon, iconButton, input, labelled, muted, pre, problemLine, small } from '../lib/dom.js';
import { server } from '../lib/store.js';

/** A modal dialog. With an `action` the promise has what `read` answers, which may throw a sentence; undefined if it is closed. */
export const dialog = ({ title, body, action, kind = 'primary', close = action ? 'Cancel' : 'Close', isWide, read = () => true }) =>
  new Promise((resolve) => {
    const problem = problemLine();
    let result;
    const leave = () => element.close();
    const element = h('dialog', { class: isWide ? 'wide' : '', label: title, closedby: 'any', onclose: () => {
      element.remove();
      resolve(result);
    } }, h('form', { method: 'dialog', onsubmit: (event) => {
      event.preventDefault();
      try {
        result = action && read();
        leave();
      } catch (error) {
        problem.textContent = error.message;
      }
    } }, h('header', h('h2', title), iconButton('close', 'Close', leave)),
    // What scrolls and has no inputs can have the focus.
    h('.dialog-body', { tabIndex: action ? undefined : 0 }, body, problem),
    h('footer', button(close, leave), action && button(action, undefined, { class: kind, type: 'submit' }))));
    document.body.append(element);
    element.showModal();
    element.querySelector('.dialog-body :is(input, textarea, select), footer .button:last-child').focus();
  });

/** Asks for texts: `fields` are labels, each with its value or with an element to type it into. `read` is given what was typed. */
export function ask({ text, fields, read, ...options }) {
  const controls = Object.values(fields).map((field) => (field instanceof Element ? field : input({ value: field })));
  return dialog({
    ...options, read: () => read(...controls.map((control) => control.value)),
    body: [text && muted(text), Object.keys(fields).map((label, i) => labelled(label, controls[i]))],
  });
}

/** With the name to type, if more than 100 documents go. */
export function confirm({ text, name, count = 0, ...options }) {
  const isMuch = count > 100;
  return ask({
    kind: 'danger', ...options, text, fields: isMuch ? { [`Type ${name} to confirm`]: '' } : {}, read: (typed) => {
      if (isMuch && typed !== name) throw new Error(`The text is not “${name}”.`);
      return true;
    },
  });
}

export const confirmDiscard = (what) =>
  confirm({ title: 'Discard the changes?', text: `The ${what}.`, action: 'Discard' });

/** A menu at an element. Items are [label, action, {danger, disabled, checked, hint}], a text for a heading, or null for a line. */
export function menu(anchor, items, label) {
  const shown = items.filter((item) => item !== false && item !== undefined).map((item) => {
    if (!item) return h('hr');
    if (typeof item === 'string') return h('.menu-heading', item);
    const [word, action, { danger, disabled = false, checked, hint } = {}] = item;
    const role = checked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', ariaChecked: checked };
    return h('button', { class: danger ? 'danger-text' : '', disabled, ...role, onclick: () => {
      element.hidePopover();
      action();
    } }, checked !== undefined && h('span.menu-check', checked && icon('check')), h('span.grow.ellipsis', word), hint && h('kbd', hint));
  });
  const usable = shown.filter((e) => e.matches('button:enabled'));
  const element = h('.menu', {
    popover: 'auto', role: 'menu', label, onkeydown: (event) => {
      const at = usable.indexOf(document.activeElement);
      const next = { ArrowDown: (at + 1) % usable.length, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
      event.stopPropagation();
      if (event.key === 'Tab') element.hidePopover();
      if (next === undefined) return;
      event.preventDefault();
      usable.at(next).focus();
    },
    ontoggle: (event) => {
      if (event.newState === 'open') return;
      element.remove();
      anchor.ariaExpanded = false;
    },
  }, shown);
  // In the same landmark, and above the dialog. Where it stands is a matter of style sheets, which know the source.
  anchor.closest('dialog, header, main').append(element);
  element.showPopover({ source: anchor });
  anchor.ariaExpanded = true;
  (usable.find((b) => b.ariaChecked === 'true') ?? usable[0])?.focus();
}

export const menuButton = (content, items, label, properties) => h('button.tool', {
  ariaHasPopup: 'menu', ariaExpanded: false, label, title: label,
  onclick: async ({ currentTarget }) => menu(currentTarget, await items(), label), ...properties,
}, content);

/** A message that goes away; with an action it stays 10 s. */
export function toast(message, { action, onaction, isError = false } = {}) {
  let timer;
  const close = () => element.remove();
  const stay = () => clearTimeout(timer);
  const leaveIn = (ms) => { timer = setTimeout(close, ms); };
  const element = h('.toast', { class: isError ? 'error' : '', onpointerenter: stay, onfocusin: stay, onpointerleave: () => leaveIn(4000) },
    message, action && small(action, () => {
      close();
      onaction();
    }), iconButton('close', 'Dismiss', close));
  document.getElementById('toasts').append(element);
  announce(message, isError);
  leaveIn(action || isError ? 10000 : 4000);
}

/** Says what went wrong; that the server is gone stands in a bar already. */
export function showError(error) {
  if (error.name !== 'AbortError' && error.code !== 0) toast([error.message, error.status].filter(Boolean).join(' · '), { isError: true });
}

export async function attempt(action) {
  try {
    await action();
  } catch (error) {
    showError(error);
  }
}

export async function copy(text, what = 'Copied') {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what}.`);
  } catch {
    dialog({ title: 'Copy this text', body: h('textarea.mono', { rows: 8, readOnly: true, value: text, label: 'Text to copy' }) });
  }
}

export function download(name, content) {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** Follows the pointer until it is released, with how far it went. */
export function drag(event, moved, done) {
  const element = event.currentTarget;
  element.setPointerCapture(event.pointerId);
  element.onpointermove = (move) => moved(move.clientX - event.clientX);
  element.onpointerup = () => {
    element.onpointermove = element.onpointerup = null;
    done?.();
  };
}

/** A page: its heading, what stands beside it, and the content. */
export const page = (title, bar, ...content) => h('.page', h('.bar', h('h1', title), bar), content);

/** The head of what stands beside a table: a document or a request. */
export const panelHead = (title, tools, close) =>
  h('header.panel-head', h('h2.mono.ellipsis', { title }, title), tools, iconButton('close', 'Close', close));

/** Where in a text a line and column are, for what is said to be wrong there. */
export function showPlace(area, { line, column }, length = 0) {
  const start = area.value.split('\n').slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, column - 1);
  area.focus();
  area.setSelectionRange(start, start + length);
}

/** How apps connect to this server: each way with its line, to copy. */
export function beginning() {
  const { hostname, host, port, protocol } = location;
  const number = port || (protocol === 'https:' ? 443 : 80);
  const ways = {
    'Any server SDK, in its environment': `export FIRESTORE_EMULATOR_HOST=${host}`,
    'Web SDK': `connectFirestoreEmulator(db, '${hostname}', ${number});`,
    Swift: `Firestore.firestore().useEmulator(withHost: "${hostname}", port: ${number})`,
  };
  return [h('.ways', Object.entries(ways).map(([word, line]) => h('.way', h('h2.heading', word),
    h('.row', pre(line), iconButton('copy', `Copy the line for ${word}`, () => copy(line, 'Line copied')))))),
  server.value?.guide && h('p', h('a', { href: server.value.guide }, 'Read the guide, which runs on this server'))];
}

"""#)

    static let all: [ConsoleResource] = [file0, file1, file2, file3, file4, file5, file6, file7, file8, file9, file10, file11, file12, file13, file14, file15, file16, file17, file18, file19, file20, file21, file22, file23, file24, file25, file26, file27, file28, file29, file30, file31, file32, file33, file34, file35, file36, file37, file38, file39, file40, file41]
}
