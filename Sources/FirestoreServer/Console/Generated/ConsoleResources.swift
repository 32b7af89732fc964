// Made by dev/console-resources from Console/. Do not edit.

/// The files of the console, inside the program.
enum ConsoleResources {
    private static let file0 = ConsoleResource("console.css", tag: "5a7311a598e9a620", #"""
/* SPDX-License-Identifier: Apache-2.0 */
:root {
  color-scheme: light dark;
  --bg: light-dark(#FAFAF9, #141210); --surface: light-dark(#FFFFFF, #1C1A18); --sunken: light-dark(#F3F2F0, #100E0D);
  --line: light-dark(#E3E0DC, #33302C); --line-strong: light-dark(#8A837B, #7A736B);
  --text: light-dark(#1C1917, #EEEAE5); --muted: light-dark(#5F5953, #B3ABA2); --faint: light-dark(#716A64, #958D84);
  --accent: light-dark(#B93E0A, #FF9A5C); --on-accent: light-dark(#FFFFFF, #2A1206); --soft: light-dark(#FFF1E8, #3A2114);
  --focus: light-dark(#1D5FD1, #7FB0FF); --ok: light-dark(#1A7F4B, #5CCB93); --warn: light-dark(#8A5A00, #E7B45A);
  --danger: light-dark(#B42318, #FF8A7A); --danger-soft: light-dark(#FEECEA, #3B1A16);
  --string: light-dark(#1B6E4A, #7FD1A4); --number: light-dark(#1D4FBF, #8FB4FF); --boolean: light-dark(#7A3EB1, #CBA2F5);
  --timestamp: light-dark(#8A5200, #E8B870); --reference: light-dark(#0B6B75, #6FCBD3); --geopoint: light-dark(#A62B6C, #F29BC6);
  --bytes: light-dark(#5A5F6B, #AEB4C0); --null: light-dark(#6B655F, #A59D94); --hover: color-mix(in srgb, var(--text) 5%, transparent);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
:root[data-theme=light] { color-scheme: light; }
:root[data-theme=dark] { color-scheme: dark; }
@media (prefers-contrast: more) { :root { --line: var(--line-strong); --muted: var(--text); --faint: var(--text); } }

* { box-sizing: border-box; }
html { font-size: 81.25%; }
body {
  margin: 0; height: 100dvh; display: grid; grid-template: 44px auto minmax(0, 1fr) 26px / 200px minmax(0, 1fr);
  grid-template-areas: "top top" "gone gone" "left main" "status status";
  font: 400 1rem/20px system-ui, sans-serif; color: var(--text); background: var(--bg); overflow: hidden;
}
h1, h2, h3, p, ul, dl, dd, pre { margin: 0; padding: 0; }
ul { list-style: none; }
h1, h2 { font-size: 1rem; font-weight: 600; }
a { color: inherit; text-decoration: none; }
p a, .empty a { color: var(--accent); text-decoration: underline; }
.mono, code, kbd, pre { font-family: var(--mono); font-size: .9615rem; }
.figures { font-variant-numeric: tabular-nums; }
.muted { color: var(--muted); } .faint { color: var(--faint); } .small { font-size: .846rem; }
.warn-text { color: var(--warn); } .danger-text { color: var(--danger); } .ok-text { color: var(--ok); }
.row { display: flex; align-items: center; gap: 8px; min-width: 0; } .wrap { flex-wrap: wrap; } .grow { flex: 1 1 auto; min-width: 0; }
.stack { display: grid; gap: 4px; color: var(--muted); font-weight: 500; } .pad { padding: 8px 12px; }
.ellipsis { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
.heading { font: 600 .846rem/16px system-ui, sans-serif; text-transform: uppercase; letter-spacing: .04em; color: var(--faint); }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 8px; top: -60px; z-index: 9; background: var(--surface); padding: 6px 12px; border-radius: 6px; }
.skip:focus { top: 6px; }
[hidden] { display: none !important; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; border-radius: 4px; }
.main:focus-visible, .panel-body:focus-visible { outline: none; }
.icon { width: 16px; height: 16px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round;
  stroke-linejoin: round; }
.icon-more { stroke-width: 2.4; }
kbd { font-size: .846rem; color: var(--faint); white-space: nowrap; }

/* Controls */
.button, .tool, input, select, textarea { font: inherit; color: inherit; height: 28px; border-radius: 6px;
  border: 1px solid var(--line-strong); background: var(--surface); padding: 0 12px; margin: 0; }
.button { color: var(--text); font-weight: 500; display: inline-flex; align-items: center; justify-content: center; gap: 6px;
  cursor: pointer; white-space: nowrap; border-color: color-mix(in srgb, var(--line-strong) 60%, var(--line)); }
.button:hover { background: var(--sunken); }
.button.small { height: 24px; padding: 0 8px; font-size: .923rem; }
.button.primary { background: var(--accent); color: var(--on-accent); border-color: transparent; }
.button.primary:hover { background: color-mix(in srgb, var(--accent) 90%, var(--text)); }
.button.danger { background: var(--danger); color: light-dark(#fff, #2A0A06); border-color: transparent; }
.button:disabled, .tool:disabled { opacity: .5; cursor: default; }
.tool { display: inline-flex; align-items: center; justify-content: center; gap: 6px; border-color: transparent; background: none;
  padding: 0 6px; min-width: 28px; cursor: pointer; color: var(--muted); font-weight: 500; white-space: nowrap; flex: none; }
.tool.danger-text { color: var(--danger); }
.tool:hover, .tool[aria-expanded=true] { background: var(--hover); color: var(--text); }
.tool.on { background: var(--soft); color: var(--accent); }
.tool.inline { height: 20px; min-width: 24px; padding: 0 4px; }
input, select, textarea { min-width: 0; padding: 0 8px; background: var(--surface); }
input.mono, textarea.mono, select.mono { font-family: var(--mono); font-size: .9615rem; }
label :is(input, select, textarea), :where(.stack) :is(input, select, textarea) { color: var(--text); }
input::placeholder, textarea::placeholder { color: var(--faint); opacity: 1; }
textarea { height: auto; padding: 4px 8px; resize: vertical; line-height: 20px; width: 100%; field-sizing: content; max-height: 40vh; }
select.type { flex: none; padding: 0 4px; color: var(--muted); border-color: var(--line); cursor: pointer; }
input[type=checkbox], input[type=radio] { width: 16px; height: 16px; margin: 0; padding: 0; accent-color: var(--accent); flex: none; }
input[type=file] { padding: 3px 6px; max-width: 220px; }
input[type=file]::file-selector-button { font: inherit; border: 0; background: none; color: var(--accent); padding: 0 6px 0 0;
  cursor: pointer; }
input:focus-visible, select:focus-visible, textarea:focus-visible { border-radius: 6px; }
[aria-invalid=true] { border-color: var(--danger); }
.picker { width: 36px; padding: 0 8px; color: transparent; border-color: transparent; background: none; }
.picker::-webkit-datetime-edit { display: none; }
.picker::-webkit-calendar-picker-indicator { margin: 0; }
.problem { color: var(--danger); font-size: .923rem; } .problem:empty { display: none; }
.chip { display: inline-flex; align-items: center; gap: 2px; height: 24px; padding: 0 2px 0 10px; border-radius: 12px;
  background: var(--sunken); border: 1px solid var(--line); max-width: 280px; font-size: .923rem; }
.chip .tool { height: 20px; min-width: 24px; padding: 0; border-radius: 10px; } .chip .icon { width: 12px; height: 12px; }
.chip.on { background: var(--soft); color: var(--accent); border-color: transparent; padding-right: 10px; font-weight: 500; }
.segments { display: inline-flex; border: 1px solid var(--line); border-radius: 6px; background: var(--sunken); padding: 1px; flex: none; }
.segments button { font: inherit; font-weight: 500; font-size: .923rem; border: 0; background: none; color: var(--muted); height: 24px;
  padding: 0 10px; border-radius: 5px; cursor: pointer; }
.segments button[aria-pressed=true] { background: var(--surface); color: var(--text); box-shadow: 0 0 0 1px var(--line); }

/* Shell */
.top { grid-area: top; display: flex; align-items: center; gap: 8px; padding: 0 12px; background: var(--surface);
  border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 6px; font-weight: 650; font-size: 1.077rem; color: var(--text); padding-right: 8px; }
.brand .icon { color: var(--accent); width: 18px; height: 18px; }
.database { max-width: 220px; color: var(--text); } .database .icon-down { width: 12px; height: 12px; color: var(--faint); }
.combobox { position: relative; flex: 1 1 0; min-width: 56px; }
.combobox input { width: 100%; background: var(--sunken); border-color: transparent; }
.combobox input:hover { border-color: var(--line); } .combobox input:focus { background: var(--surface); border-color: var(--line-strong); }
.options { position: absolute; z-index: 5; top: 32px; left: 0; right: 0; max-width: 560px; max-height: 60vh; overflow: auto;
  background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 4px; box-shadow: 0 8px 24px rgb(0 0 0 / .18); }
.options li { display: flex; gap: 12px; padding: 4px 8px; border-radius: 5px; cursor: pointer; }
.options li:hover { background: var(--hover); }
.options [aria-selected=true] { background: var(--soft); color: var(--accent); }
.gone-bar { grid-area: gone; background: var(--danger-soft); color: var(--danger); padding: 4px 12px;
  border-bottom: 1px solid var(--line); font-weight: 500; }
.is-gone .main { opacity: .6; }
.left { grid-area: left; overflow: auto; border-right: 1px solid var(--line); padding: 8px; background: var(--bg); }
.left a { display: flex; align-items: center; gap: 8px; height: 28px; padding: 0 8px; border-radius: 6px; color: var(--muted);
  font-weight: 500; position: relative; }
.left a.mono { font-weight: 400; color: var(--text); padding-left: 8px; }
.left a:hover { background: var(--hover); color: var(--text); }
.left [aria-current] { background: var(--soft); color: var(--accent); } .left a.mono[aria-current] { color: var(--accent); }
.left [aria-current=true]::before { content: ""; position: absolute; left: 0; top: 5px; bottom: 5px; width: 3px; border-radius: 2px;
  background: var(--accent); }
.left .heading { padding: 16px 8px 6px; } .below a { padding-left: calc(8px + var(--depth) * 12px) !important; }
.main { grid-area: main; min-width: 0; overflow: hidden; display: grid; background: var(--surface); }
.status { grid-area: status; display: flex; align-items: center; gap: 16px; padding: 0 12px; border-top: 1px solid var(--line);
  background: var(--bg); font-size: .923rem; color: var(--muted); white-space: nowrap; }
.state { font: inherit; border: 0; background: none; color: var(--muted); display: inline-flex; align-items: center; gap: 6px;
  padding: 0 4px; height: 24px; border-radius: 4px; cursor: pointer; }
.state:hover { color: var(--text); }
.dot { width: 8px; height: 8px; border-radius: 50%; background: var(--faint); }
.dot.live { background: var(--ok); }
.dot.paused { background: none; border: 2px solid var(--warn); }
.dot.gone { background: var(--danger); border-radius: 1px; }
.address { font-size: .885rem; }
.toasts { position: fixed; right: 16px; bottom: 42px; display: grid; gap: 8px; z-index: 20; justify-items: end;
  max-width: min(560px, calc(100vw - 32px)); }
.toast { display: flex; align-items: center; gap: 12px; background: var(--text); color: var(--bg); padding: 6px 6px 6px 14px;
  border-radius: 8px; box-shadow: 0 8px 24px rgb(0 0 0 / .18); overflow-wrap: anywhere; }
.toast .button { background: none; color: inherit; border-color: color-mix(in srgb, var(--bg) 40%, transparent); }
.toast .tool { color: inherit; }
.toast .button:hover { background: color-mix(in srgb, var(--bg) 14%, transparent); }
.toast.error { background: var(--danger-soft); color: var(--danger); border: 1px solid var(--danger); }

/* Menus and dialogs */
.menu { margin: 0; inset: auto; min-width: 180px; max-width: 320px; max-height: 70vh; overflow: auto; border: 1px solid var(--line);
  border-radius: 8px; padding: 4px; background: var(--surface); color: var(--text); box-shadow: 0 8px 24px rgb(0 0 0 / .18); }
.menu button { display: flex; align-items: center; gap: 8px; width: 100%; text-align: left; border: 0; background: none; font: inherit;
  color: inherit; padding: 4px 8px; min-height: 28px; border-radius: 5px; cursor: pointer; }
.menu button.danger-text { color: var(--danger); }
.menu button:hover, .menu button:focus-visible { background: var(--hover); }
.menu button:disabled { color: var(--faint); cursor: default; }
.menu hr { border: 0; border-top: 1px solid var(--line); margin: 4px 0; }
.menu-heading { padding: 8px 8px 4px; font-size: .846rem; color: var(--faint); }
.menu-check { width: 16px; height: 16px; flex: none; color: var(--accent); }
dialog { border: 1px solid var(--line); border-radius: 10px; padding: 0; width: min(460px, calc(100vw - 24px));
  max-height: calc(100dvh - 48px); background: var(--surface); color: var(--text); box-shadow: 0 8px 24px rgb(0 0 0 / .18);
  overflow: hidden; }
dialog.wide { width: min(760px, calc(100vw - 24px)); } dialog::backdrop { background: rgb(0 0 0 / .32); }
dialog form { display: flex; flex-direction: column; max-height: calc(100dvh - 50px); }
dialog header { display: flex; align-items: center; justify-content: space-between; padding: 10px 8px 10px 16px;
  border-bottom: 1px solid var(--line); }
dialog h2 { font-size: 1.077rem; overflow-wrap: anywhere; }
.dialog-body { padding: 16px; display: grid; gap: 12px; overflow: auto; } .dialog-body p { overflow-wrap: anywhere; }
dialog footer { display: flex; justify-content: flex-end; gap: 8px; padding: 12px 16px; border-top: 1px solid var(--line);
  background: var(--bg); }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; }
.facts dt { color: var(--muted); }
.facts dd { overflow-wrap: anywhere; }
.checks { max-height: 320px; overflow: auto; } .checks label { display: flex; gap: 8px; align-items: center; height: 28px; }
.choices { border-collapse: collapse; width: 100%; table-layout: fixed; }
.choices th, .choices td { text-align: left; padding: 6px 8px; border-bottom: 1px solid var(--line); font-weight: 400; overflow: hidden;
  text-overflow: ellipsis; }
.choices thead th { font-weight: 600; font-size: .923rem; color: var(--muted); }

/* Pages */
.page { display: flex; flex-direction: column; min-height: 0; min-width: 0; height: 100%; position: relative; }
.scroll { overflow: auto; } .content { padding: 16px; display: grid; gap: 16px; align-content: start; max-width: 1080px; }
.bar { display: flex; align-items: center; gap: 4px 8px; padding: 6px 12px; min-height: 44px; border-bottom: 1px solid var(--line);
  flex-wrap: wrap; }
.bar .title { margin-right: 8px; gap: 4px; max-width: 40%; font-size: 1rem; } h1.plain { font-size: 1.077rem; }
.split { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); min-height: 0; position: relative; }
.split.has-panel { grid-template-columns: minmax(0, 1fr) 1px min(var(--panel), 70vw); }
.table-place { min-width: 0; min-height: 0; display: grid; }
.panel-place { min-width: 0; min-height: 0; background: var(--surface); display: grid; }
.split > .plain-edge { background: var(--line); }
.resizer { width: 9px; margin-left: -4px; cursor: col-resize; z-index: 3;
  background: linear-gradient(var(--line), var(--line)) center / 1px 100% no-repeat; touch-action: none; }
.resizer:hover, .resizer:focus-visible { background-size: 3px 100%; }
.grid-place { flex: 1; min-height: 0; display: grid; }
.arrived { position: absolute; top: 84px; left: 50%; transform: translateX(-50%); z-index: 4; height: 28px; padding: 0 14px;
  border-radius: 14px; border: 1px solid var(--accent); background: var(--soft); color: var(--accent); font: inherit; font-weight: 500;
  cursor: pointer; box-shadow: 0 8px 24px rgb(0 0 0 / .18); }
.empty, .failure { padding: 48px 24px; display: grid; justify-items: center; align-content: start; gap: 12px; text-align: center;
  color: var(--muted); }
.empty-title, .failure-title { color: var(--text); font-weight: 600; font-size: 1.077rem; overflow-wrap: anywhere; }
.failure-title { color: var(--danger); }
.command { background: var(--sunken); border: 1px solid var(--line); border-radius: 6px; padding: 8px 12px; overflow: auto;
  max-width: 100%; user-select: all; text-align: left; }
.skeleton { padding: 16px; display: grid; gap: 14px; align-content: start; }
.skeleton-line { height: 12px; border-radius: 4px; background: var(--sunken); width: 70%; }
.skeleton-line:nth-child(3n) { width: 45%; }
.skeleton-line:nth-child(3n+1) { width: 85%; }
.late { animation: appear 0s 150ms both; } @keyframes appear { from { visibility: hidden; } }
.notice { margin: 12px; padding: 12px; background: var(--sunken); border-radius: 6px; display: grid; gap: 8px; justify-items: start; }

/* Tables */
.grid { overflow: auto; overflow-anchor: none; position: relative; contain: strict; min-height: 0; background: var(--surface); }
.grid:focus-visible { outline-offset: -2px; border-radius: 0; }
.grid:focus-visible:has(.active) { outline: none; }
.grid-heads { position: sticky; top: 0; z-index: 2; min-width: max(100%, var(--width)); width: max-content; }
.grid-head { display: grid; grid-template-columns: var(--columns); background: var(--sunken); border-bottom: 1px solid var(--line);
  height: var(--row); min-width: 100%; }
.grid-header { position: relative; display: flex; align-items: center; gap: 4px; padding: 0 10px; font-size: .923rem; font-weight: 500;
  color: var(--muted); cursor: pointer; min-width: 0; }
.grid-header:hover { color: var(--text); }
.grid-header.number { justify-content: flex-end; }
.sorted { color: var(--accent); }
.grid-edge { position: absolute; right: -5px; top: 0; bottom: 0; width: 10px; cursor: col-resize; touch-action: none; z-index: 1; }
.grid-edge::after { content: ""; position: absolute; left: 5px; top: 8px; bottom: 8px; width: 1px; background: var(--line); }
.grid-body { position: relative; min-width: max(100%, var(--width)); width: max-content; }
.grid-row { position: absolute; left: 0; top: 0; width: 100%; height: var(--row); display: grid; grid-template-columns: var(--columns);
  border-bottom: 1px solid var(--line); cursor: default; }
.grid-cell { padding: 0 10px; display: flex; align-items: center; gap: 4px; min-width: 0; font-family: var(--mono); font-size: .9615rem;
  white-space: nowrap; overflow: hidden; border-radius: 0; }
.grid-cell.number { justify-content: flex-end; font-variant-numeric: tabular-nums; }
.grid-cell.plain { font-family: inherit; font-size: 1rem; }
.grid-row:hover { background: var(--hover); }
.grid-row.open { background: var(--soft); }
.grid-row.open::before { content: ""; position: absolute; left: 0; top: 0; bottom: 0; width: 3px; background: var(--accent); }
.grid-row.selected { background: color-mix(in srgb, var(--soft) 70%, var(--surface)); }
.grid-row.selected .grid-cell:first-child::before { content: "✓"; color: var(--accent); }
.grid-row.missing .id { font-style: italic; color: var(--faint); } .grid-row.gone { text-decoration: line-through; opacity: .6; }
.grid :is(.grid-cell, .grid-header).active { outline: 2px solid var(--focus); outline-offset: -2px; } .grid-foot { height: 8px; }
.flash { animation: flash 1s; } @keyframes flash { from { background-color: color-mix(in srgb, var(--ok) 16%, var(--surface)); } }
.v-string { color: var(--string); }
.v-integer, .v-double, .v-vector { color: var(--number); }
.v-boolean { color: var(--boolean); }
.v-timestamp { color: var(--timestamp); }
.v-reference { color: var(--reference); }
.v-geopoint { color: var(--geopoint); }
.v-bytes { color: var(--bytes); }
.v-null { color: var(--null); font-style: italic; }
.v-array, .v-map { color: var(--muted); }
.v-sentinel { color: var(--accent); font-style: italic; }

/* The document */
.panel { display: flex; flex-direction: column; min-height: 0; }
.panel-head { display: flex; align-items: center; gap: 6px; min-height: 44px; padding: 6px 8px 6px 12px;
  border-bottom: 1px solid var(--line); }
.panel-head h2 { flex: 1; }
.panel-body { flex: 1; overflow: auto; padding: 4px 0 16px; min-height: 0; }
.panel-body.content { padding: 12px; max-width: none; }
.panel-footer { display: flex; align-items: center; gap: 8px; padding: 8px 12px; border-top: 1px solid var(--line); background: var(--bg); }
.field { display: grid; grid-template-columns: minmax(90px, 38%) minmax(0, 1fr) auto; align-items: start; min-height: 28px;
  position: relative; }
.field:hover, .field:focus-within { background: var(--hover); }
.field:focus-visible { outline-offset: -2px; }
.field.editing { background: var(--sunken); }
.field.removed .name, .field.removed .value-cell { text-decoration: line-through; opacity: .7; }
.field.changed::before { content: ""; position: absolute; left: 0; top: 0; bottom: 0; width: 3px; background: var(--accent); }
.name-cell { display: flex; align-items: center; gap: 4px; padding: 4px 4px 4px calc(8px + var(--depth, 0) * 14px); min-width: 0;
  min-height: 28px; }
.name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.toggle { width: 14px; flex: none; display: grid; }
.toggle .icon { width: 14px; height: 14px; color: var(--faint); }
.value-cell { display: flex; align-items: center; gap: 4px; padding: 4px 8px; min-width: 0; min-height: 28px; font-family: var(--mono);
  font-size: .9615rem; cursor: text; }
.tools-cell { display: flex; align-items: center; min-height: 28px; padding-right: 6px; min-width: 88px; justify-content: flex-end; }
.type-name { font-size: .846rem; color: var(--faint); }
.field-menu { height: 24px; min-width: 24px; padding: 0; margin-left: 2px; opacity: 0; }
.field:is(:hover, :focus-within) .field-menu { opacity: 1; }
.field.editing { grid-template-columns: minmax(70px, 24%) minmax(0, 1fr) 0; }
.editing .tools-cell { display: none; }
.edit { width: 100%; display: grid; gap: 4px; }
.edit input:not(.picker, [type=file]), .edit textarea { width: 100%; flex: 1; }
.edit .row:has(.picker) input:not(.picker) { min-width: 206px; }
.edit .row input:not(.picker, [type=file]) { width: 0; min-width: 120px; }
.mark-mine { color: var(--accent); font-size: .6rem; }
.mark-theirs { border: 0; background: none; color: var(--warn); font: inherit; cursor: pointer; padding: 0; width: 24px; height: 24px;
  margin: -2px 0; }
.add-field { margin: 4px 12px; }
.add-form { margin: 4px 12px; padding: 10px; background: var(--sunken); border-radius: 6px; display: grid; gap: 6px; }
.add-form .row { align-items: flex-start; }
.wrap > textarea { flex: 1 0 100%; }
.list td > .tool { margin: -4px 0; height: 28px; }
.grid-cell .id { min-width: 40px; flex: none; max-width: 100%; }
.add-form > .row > .grow { flex-basis: 100%; }
.add-form .grow .mono { flex: 1 1 120px; }
.add-form .v-timestamp { min-width: 206px; }
.id-row { padding: 8px 12px; }
.below-document { padding: 12px; display: grid; gap: 4px; justify-items: start; border-top: 1px solid var(--line); margin-top: 8px; }
.below-document ul { width: 100%; }
.below-document a { display: flex; align-items: center; gap: 4px; height: 28px; }
.below-document a:hover { color: var(--accent); }
.below-document .tool { margin-left: -6px; }
.times { display: grid; grid-template-columns: max-content 1fr; gap: 0 12px; padding: 0 12px; font-size: .923rem; }
textarea.json { border: 0; border-radius: 0; min-height: 60%; max-height: none; padding: 8px 12px; resize: none; tab-size: 2;
  background: none; }
textarea.json:focus-visible { outline-offset: -2px; }

/* Query, requests and the others */
.query { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr) minmax(300px, 36%); }
.builder { overflow: auto; padding: 12px; display: grid; gap: 10px; align-content: start; }
.builder > .line { display: grid; grid-template-columns: 84px minmax(0, 1fr); gap: 8px; align-items: start; }
.builder > .line > :first-child { color: var(--muted); line-height: 28px; font-weight: 500; }
.builder .value { display: grid; gap: 6px; justify-items: start; }
.builder .value > .row { max-width: 100%; }
.builder .button.small { margin: 2px 0; }
.conditions { display: grid; gap: 6px; border-left: 2px solid var(--line); padding-left: 10px; width: 100%; }
.conditions.root { border: 0; padding: 0; }
.condition { display: flex; align-items: flex-start; gap: 4px; }
.condition select.mono { width: 112px; }
.value input { flex: 0 1 auto; }
.field-input input { width: 140px; }
.code .segments button { padding: 0 8px; }
.code { border-left: 1px solid var(--line); display: flex; flex-direction: column; min-height: 0; background: var(--bg); }
.code > .row { padding: 8px 12px; }
.code pre { flex: 1; overflow: auto; padding: 4px 12px 12px; white-space: pre; }
.query-page { display: grid; grid-template: minmax(0, max-content) minmax(160px, 1fr) / minmax(0, 1fr); height: 100%; }
.query { max-height: 52vh; border-bottom: 1px solid var(--line); }
.results { display: flex; flex-direction: column; min-height: 0; min-width: 0; }
.explain { padding: 10px 12px; border-bottom: 1px solid var(--line); background: var(--bg); display: grid; gap: 4px; }
.explain p:first-child { font-weight: 500; }
.list { width: 100%; border-collapse: collapse; }
.list th { text-align: left; font-weight: 500; font-size: .923rem; color: var(--muted); background: var(--sunken); }
.list th, .list td { padding: 5px 10px; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
.list .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.table-scroll { overflow: auto; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(230px, 1fr)); gap: 0 24px; }
.tile { padding: 12px 0; border-bottom: 1px solid var(--line); display: grid; gap: 2px; }
.tile strong { font-size: 1.54rem; line-height: 28px; font-weight: 600; font-variant-numeric: tabular-nums; }
.sparkline { width: 100%; height: 40px; color: var(--accent); }
.sparkline polyline { fill: none; stroke: currentColor; stroke-width: 1.5; }
.sparkline polygon { fill: currentColor; opacity: .1; }
.drop { border: 1px dashed var(--line-strong); border-radius: 8px; padding: 24px; display: grid; gap: 8px; justify-items: center;
  text-align: center; }
.drop.over { background: var(--soft); border-color: var(--accent); }
progress { width: 100%; height: 6px; accent-color: var(--accent); }
.form { display: grid; grid-template-columns: repeat(auto-fit, minmax(180px, 1fr)); gap: 12px; align-items: end; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(320px, 1fr)); gap: 24px; align-items: start; }
.section { display: grid; gap: 12px; align-content: start; min-width: 0; }
.section > h2:not(.heading) { font-size: 1.077rem; }
.rules { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr) minmax(260px, 340px); min-height: 0; flex: 1; }
.source { display: grid; grid-template-columns: max-content minmax(0, 1fr); overflow: auto; font-family: var(--mono);
  font-size: .9615rem; line-height: 20px; }
.source .numbers { padding: 8px 8px 8px 12px; text-align: right; color: var(--faint); user-select: none; white-space: pre;
  background: var(--bg); border-right: 1px solid var(--line); }
.source .numbers .bad { color: var(--danger); font-weight: 600; }
.code-area { position: relative; min-width: max-content; }
.code-area > * { grid-area: 1 / 1; margin: 0; padding: 8px 12px; border: 0; font: inherit; line-height: 20px; white-space: pre;
  tab-size: 2; }
.code-area pre { pointer-events: none; min-height: 100%; }
.code-area textarea { position: absolute; inset: 0; width: 100%; height: 100%; max-height: none; color: transparent;
  caret-color: var(--text); background: none; overflow: hidden; resize: none; border-radius: 0; field-sizing: fixed; }
.code-area textarea:focus-visible { outline-offset: -2px; }
.k-word { color: var(--accent); }
.k-text { color: var(--string); }
.k-note { color: var(--faint); font-style: italic; }
.k-number { color: var(--number); }
.rules-side { border-left: 1px solid var(--line); overflow: auto; padding: 12px; display: grid; gap: 16px; align-content: start; }
.issue { display: block; text-align: left; width: 100%; border: 0; background: none; font: inherit; color: inherit; padding: 6px 8px;
  border-radius: 6px; cursor: pointer; }
.issue:hover { background: var(--hover); }
.trace { display: grid; gap: 8px; }
.statement { border-left: 3px solid var(--danger); padding-left: 10px; display: grid; gap: 2px; }
.statement.granted { border-color: var(--ok); }
.statement .mono { overflow-wrap: anywhere; }

@media (max-width: 1000px) {
  .split.has-panel { grid-template-columns: minmax(0, 1fr); }
  .split.has-panel .resizer { display: none; }
  .has-panel .panel-place { position: absolute; inset: 0 0 0 auto; width: min(520px, 100%); border-left: 1px solid var(--line);
    z-index: 4; }
  .query { grid-template-columns: minmax(0, 1fr); max-height: 60vh; overflow: auto; }
  .code { border-left: 0; border-top: 1px solid var(--line); }
  .builder, .code pre { overflow: visible; }
  .code pre { overflow-x: auto; }
  .rules { grid-template: minmax(0, 1fr) minmax(0, 40%) / minmax(0, 1fr); }
  .rules-side { border-left: 0; border-top: 1px solid var(--line); }
}
.narrow-only { display: none; }
@media (max-width: 340px) { .brand { display: none !important; } }
@media (max-width: 640px) {
  body { grid-template-columns: minmax(0, 1fr); grid-template-areas: "top" "gone" "main" "status"; }
  .narrow-only { display: inline-flex; }
  .wide-only { display: none; }
  .top { gap: 2px; padding: 0 6px; }
  .brand { padding: 0 4px; }
  .database > :is(.icon-data, .icon-down) { display: none; }
  .database { max-width: 76px; }
  .top .button { padding: 0 8px; }
  .left { position: fixed; inset: 44px auto 26px 0; width: 240px; z-index: 10; visibility: hidden; transform: translateX(-100%);
    transition: transform .15s, visibility .15s; box-shadow: 0 8px 24px rgb(0 0 0 / .18); }
  .menu-open .left { visibility: visible; transform: none; }
  .bar .title { max-width: 100%; flex-basis: 100%; }
  .field { grid-template-columns: minmax(80px, 36%) minmax(0, 1fr) auto; }
  .tools-cell { min-width: 28px; }
  .type-name { display: none; }
  .field-menu { opacity: 1; }
  .builder > .line { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .top:has(#primary .button + .button) { gap: 0; }
  .top:has(#primary .button + .button) > :is(.brand, .path) { display: none; }
  #primary { margin-left: auto; }
  .query-page { grid-template-rows: max-content max-content; overflow: auto; }
  .query { max-height: none; overflow: visible; }
  .results { height: 70vh; }
  .table-scroll .list { min-width: 600px; }
  .status { gap: 8px; }
}
@media (prefers-reduced-motion: reduce) { *, ::before { animation: none !important; transition: none !important; } }
@media (forced-colors: active) { .grid-row.open, .left [aria-current], .chip.on { outline: 1px solid Highlight; outline-offset: -1px;
  } .dot { forced-color-adjust: none; } }

"""#)

    private static let file1 = ConsoleResource("flame.svg", tag: "abed0f84ebb0f64a", #"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#E2570F" d="M8.4 1c.5 3 4.3 4.6 4.3 8.900A4.7 4.7 0 0 1 8 14.700a4.7 4.7 0 0 1-4.7-4.800c0-2 1-3.3 2.1-4.3.1 1.1.6 1.8 1.2 2.2.1-2.5.4-4.9 1.8-6.800Z"/><path fill="#FFC48A" d="M8 13.700c-1.3 0-2.2-1-2.2-2.2 0-1.3 1.1-2 1.7-3.1 1 .9 2.7 1.7 2.7 3.3 0 1.1-.9 2-2.2 2Z"/></svg>

"""#)

    private static let file2 = ConsoleResource("index.html", tag: "280d6fe14d8421d2", #"""
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Hearth</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <link rel="icon" href="/console/flame.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/console/console.css">
  <link rel="modulepreload" href="/console/lib/dom.js">
  <link rel="modulepreload" href="/console/lib/store.js">
  <link rel="modulepreload" href="/console/lib/values.js">
  <link rel="modulepreload" href="/console/lib/api.js">
  <link rel="modulepreload" href="/console/lib/live.js">
  <link rel="modulepreload" href="/console/lib/query.js">
  <link rel="modulepreload" href="/console/ui/widgets.js">
  <link rel="modulepreload" href="/console/ui/grid.js">
  <link rel="modulepreload" href="/console/pages/data.js">
  <link rel="modulepreload" href="/console/lib/rows.js">
  <link rel="modulepreload" href="/console/lib/json.js">
  <link rel="modulepreload" href="/console/ui/editor.js">
  <link rel="modulepreload" href="/console/ui/inputs.js">
  <link rel="modulepreload" href="/console/ui/questions.js">
  <link rel="modulepreload" href="/console/ui/removal.js">
  <link rel="modulepreload" href="/console/ui/columns.js">
  <link rel="modulepreload" href="/console/ui/conditions.js">
  <script type="module" src="/console/main.js"></script>
</head>
<body>
  <a class="skip" href="#main">Skip to content</a>
  <header id="top" class="top"></header>
  <nav id="left" class="left" aria-label="Console"></nav>
  <main id="main" class="main" tabindex="-1"></main>
  <footer id="status" class="status"></footer>
  <div id="toasts" class="toasts"></div>
  <div id="news" class="visually-hidden" role="status" aria-live="polite"></div>
  <div id="alerts" class="visually-hidden" role="alert" aria-live="assertive"></div>
  <noscript>The console needs JavaScript.</noscript>
</body>
</html>

"""#)

    private static let file3 = ConsoleResource("lib/api.js", tag: "d3f353853f585d1f", #"""
// SPDX-License-Identifier: Apache-2.0
// Calls: REST under /v1/, and the console's own under /console/api/.
import { server, signal } from './store.js';
import { rootOf, toJSON } from './values.js';

class APIError extends Error {
  constructor(message, status, code, where) {
    super(message);
    Object.assign(this, { status, code, where });
  }
}

/** ok, gone (the server does not answer) or locked (no token, or not this server's). */
export const connection = signal('ok');

/** Who the data is read as: null is the administrator. */
export const viewAs = signal(null);

let token = null;

/** Other tabs of this server: a new one asks them for the token. Only pages of the same origin hear it. */
const tabs = new BroadcastChannel('hearth');
tabs.addEventListener('message', ({ data }) => { if (data === 'token?' && token !== null) tabs.postMessage({ token }); });

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
  } catch { /* Without storage the token lives as long as the page. */ }
  if (token !== null) return;
  await new Promise((resolve) => {
    const hear = ({ data }) => {
      if (data?.token === undefined) return;
      keepToken(data.token);
      resolve();
    };
    tabs.addEventListener('message', hear);
    setTimeout(resolve, 200);
    tabs.postMessage('token?');
  });
}

export function keepToken(text) {
  token = text;
  try {
    sessionStorage.setItem('hearth.token', text);
  } catch { /* As above. */ }
}

const base64url = (text) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');

export function headers(isData = false) {
  const all = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  if (isData && viewAs.value) all['Hearth-Console-As'] = viewAs.value === 'anonymous' ? 'anonymous' : base64url(toJSON(viewAs.value));
  return all;
}

async function errorOf(response, where) {
  let body;
  try {
    body = await response.json();
  } catch { /* A proxy's page. */ }
  const error = (Array.isArray(body) ? body[0] : body)?.error ?? {};
  return new APIError(error.message ?? `The server answered with status ${response.status}.`, error.status ?? String(response.status),
    response.status, where);
}

/** fetch that knows errors, a server that is gone, and a token that is not accepted. */
export async function request(method, path, { body, signal: abort, raw, isData } = {}) {
  let response;
  const where = `${method} ${path.split('?')[0]}`;
  try {
    response = await fetch(path, {
      method, signal: abort, headers: headers(isData), body: body === undefined ? undefined : raw ? body : toJSON(body), cache: 'no-store',
        credentials: 'omit',
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    connection.value = 'gone';
    throw new APIError('The server does not answer.', 'UNAVAILABLE', 0, where);
  }
  if (response.status === 401 && !(isData && viewAs.value)) connection.value = 'locked';
  else if (connection.value !== 'ok') connection.value = 'ok';
  if (!response.ok) throw await errorOf(response, where);
  return response;
}

export const consoleCall = async (method, path, options) => {
  const response = await request(method, `/console/api/${path}`, options);
  return response.status === 204 ? {} : response.json();
};

const encodedName = (name) => name.split('/').map(encodeURIComponent).join('/');

async function rest(method, path, options = {}) {
  const response = await request(method, `/v1/${path}`, { ...options, isData: true });
  const body = await response.json();
  if (Array.isArray(body)) {
    const failed = body.find((part) => part.error);
    if (failed) throw new APIError(failed.error.message, failed.error.status, failed.error.code, `${method} ${path}`);
  }
  return body;
}

/** The document, or undefined if it does not exist. A batch of one: browsers log a missing document as an error. */
export async function getDocument(name, abort) {
  const root = name.split('/').slice(0, 5).join('/');
  const parts = await rest('POST', `${encodedName(root)}:batchGet`, { body: { documents: [name] }, signal: abort });
  return parts.find((p) => p.found)?.found;
}

/** A page of a collection by name, with documents that do not exist but have collections below. */
export async function listDocuments(parent, collection, { pageSize, pageToken, signal: abort }) {
  const query = new URLSearchParams({ pageSize, showMissing: 'true', ...(pageToken && { pageToken }) });
  const answer = await rest('GET', `${encodedName(parent)}/${encodeURIComponent(collection)}?${query}`, { signal: abort });
  return { documents: answer.documents ?? [], next: answer.nextPageToken };
}

/** Documents of a query, and what it cost if `explain`. */
export async function runQuery(parent, structuredQuery, { explain, signal: abort } = {}) {
  const body = { structuredQuery, ...(explain && { explainOptions: { analyze: explain === 'analyze' } }) };
  const parts = await rest('POST', `${encodedName(parent)}:runQuery`, { body, signal: abort });
  return {
    documents: parts.filter((p) => p.document).map((p) => p.document),
    metrics: parts.find((p) => p.explainMetrics)?.explainMetrics, readTime: parts.find((p) => p.readTime)?.readTime,
  };
}

export async function runAggregation(parent, structuredAggregationQuery, { explain, signal: abort } = {}) {
  const body = { structuredAggregationQuery, ...(explain && { explainOptions: { analyze: explain === 'analyze' } }) };
  const parts = await rest('POST', `${encodedName(parent)}:runAggregationQuery`, { body, signal: abort });
  return {
    fields: parts.find((p) => p.result)?.result.aggregateFields ?? {},
    metrics: parts.find((p) => p.explainMetrics)?.explainMetrics,
  };
}

export async function count(parent, structuredQuery, upTo) {
  const { orderBy, ...query } = structuredQuery;
  const { fields } = await runAggregation(parent, { structuredQuery: query,
    aggregations: [{ alias: 'n', count: { upTo: String(upTo) } }] });
  return Number(fields.n?.integerValue ?? 0);
}

export async function collectionIDs(parent, pageToken) {
  const answer = await rest('POST', `${encodedName(parent)}:listCollectionIds`,
    { body: { pageSize: 300, ...(pageToken && { pageToken }) } });
  return { ids: answer.collectionIds ?? [], next: answer.nextPageToken };
}

export const commit = (database, writes) => rest('POST', `${encodedName(rootOf(database))}:commit`, { body: { writes } });

/** Names of what is below a document or in a collection, and below that. */
export async function namesBelow(database, path, { after, limit = 500, signal: abort } = {}) {
  const isCollection = path.length % 2 === 1;
  const parent = [rootOf(database), ...path.slice(0, isCollection ? -1 : undefined)].join('/');
  if (!isCollection) {
    const query = {
      from: [{ allDescendants: true }], select: { fields: [{ fieldPath: '__name__' }] }, orderBy: [{ field: { fieldPath: '__name__' } }],
        limit,
      ...(after && { startAt: { values: [{ referenceValue: after }], before: false } }),
    };
    return (await runQuery(parent, query, { signal: abort })).documents.map((d) => d.name);
  }
  // A query of all descendants has no collection: names bound it.
  const collection = `${parent}/${path.at(-1)}`;
  const query = {
    from: [{ allDescendants: true }], select: { fields: [{ fieldPath: '__name__' }] }, orderBy: [{ field: { fieldPath: '__name__' } }],
      limit,
    startAt: { values: [{ referenceValue: after ?? `${collection}/\u0001` }], before: !after },
  };
  const names = (await runQuery(parent, query, { signal: abort })).documents.map((d) => d.name);
  const end = names.findIndex((n) => !n.startsWith(collection + '/'));
  return end < 0 ? names : names.slice(0, end);
}

export async function loadServer() {
  server.value = await consoleCall('GET', 'server');
  return server.value;
}

"""#)

    private static let file4 = ConsoleResource("lib/code.js", tag: "d036700c9ff44cc2", #"""
// SPDX-License-Identifier: Apache-2.0
// A query as source code to copy. Pure.
import { isUnary, requestOf, symbols } from './query.js';
import {
  bytesOf, doubleText, elementsOf, fieldsOf, parseFieldPath, relative, sortedNames, toJSON, typeOf, vectorOf,
} from './values.js';

export const languages = ['Swift', 'JavaScript', 'Python', 'REST'];

const json = JSON.stringify;

/** A string literal of Swift and of Python: JSON's escapes that they do not have are rewritten. */
const swiftText = (s) => json(s).replace(/\\u([0-9a-f]{4})/gi, '\\u{$1}').replace(/\\b/g, '\\u{8}').replace(/\\f/g, '\\u{c}');
const pythonText = (s) => json(s);

/** @type {Object<string, {path: function, value: function}>} */
const literals = {
  Swift: {
    text: swiftText,
    field: (p) => {
      const parts = parseFieldPath(p);
      if (parts.length === 1 && parts[0] === '__name__') return 'FieldPath.documentID()';
      return parts.every((s) => /^[^.`~*/[\]]+$/.test(s)) ? swiftText(parts.join('.')) : `FieldPath([${parts.map(swiftText).join(', ')}])`;
    },
    double: (d) => ({ NaN: 'Double.nan', Infinity: 'Double.infinity', '-Infinity': '-Double.infinity' }[doubleText(d)] ?? doubleText(d)),
    null: 'NSNull()', boolean: String,
    timestamp: (t) => {
      const [, whole, fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(t) ?? [];
      return `Timestamp(seconds: ${Math.floor(Date.parse(whole + 'Z') / 1000)}, nanoseconds: ${Number(fraction.padEnd(9, '0'))})`;
    },
    bytes: (v) => `Data(base64Encoded: ${json(v.bytesValue)})!`,
    reference: (path) => `db.document(${swiftText(path)})`,
    geopoint: (a, b) => `GeoPoint(latitude: ${a}, longitude: ${b})`,
    vector: (n) => `FieldValue.vector([${n.join(', ')}])`,
    array: (items) => `[${items.join(', ')}]`,
    map: (pairs) => (pairs.length ? `[${pairs.map(([k, v]) => `${swiftText(k)}: ${v}`).join(', ')}]` : '[:]'),
  },
  JavaScript: {
    text: json,
    field: (p) => {
      const parts = parseFieldPath(p);
      if (parts.length === 1 && parts[0] === '__name__') return 'documentId()';
      return parts.every((s) => /^[^.`~*/[\]]+$/.test(s)) ? json(parts.join('.')) : `new FieldPath(${parts.map(json).join(', ')})`;
    },
    double: (d) => doubleText(d),
    null: 'null', boolean: String,
    timestamp: (t) => {
      const [, whole, fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(t) ?? [];
      return `new Timestamp(${Math.floor(Date.parse(whole + 'Z') / 1000)}, ${Number(fraction.padEnd(9, '0'))})`;
    },
    bytes: (v) => `Bytes.fromBase64String(${json(v.bytesValue)})`,
    reference: (path) => `doc(db, ${json(path)})`,
    geopoint: (a, b) => `new GeoPoint(${a}, ${b})`,
    vector: (n) => `vector([${n.join(', ')}])`,
    array: (items) => `[${items.join(', ')}]`,
    map: (pairs) => `{ ${pairs.map(([k, v]) => `${json(k)}: ${v}`).join(', ')} }`,
  },
  Python: {
    text: pythonText,
    field: (p) => (p === '__name__' ? '"__name__"' : pythonText(p)),
    double: (d) => ({ NaN: 'float("nan")', Infinity: 'float("inf")', '-Infinity': 'float("-inf")' }[doubleText(d)] ?? doubleText(d)),
    null: 'None', boolean: (b) => (b ? 'True' : 'False'),
    timestamp: (t) => `DatetimeWithNanoseconds.from_rfc3339(${json(t)})`,
    bytes: (v) => `bytes.fromhex("${Array.from(bytesOf(v), (b) => b.toString(16).padStart(2, '0')).join('')}")`,
    reference: (path) => `db.document(${pythonText(path)})`,
    geopoint: (a, b) => `GeoPoint(${a}, ${b})`,
    vector: (n) => `Vector([${n.join(', ')}])`,
    array: (items) => `[${items.join(', ')}]`,
    map: (pairs) => `{${pairs.map(([k, v]) => `${pythonText(k)}: ${v}`).join(', ')}}`,
  },
};

function literal(value, l) {
  switch (typeOf(value)) {
    case 'string': return l.text(value.stringValue);
    case 'integer':
      return l === literals.JavaScript && !Number.isSafeInteger(Number(value.integerValue)) ? `BigInt("${value.integerValue}")`
        : value.integerValue;
    case 'double': return l.double(value.doubleValue);
    case 'boolean': return l.boolean(value.booleanValue);
    case 'timestamp': return l.timestamp(value.timestampValue);
    case 'bytes': return l.bytes(value);
    case 'reference': return l.reference(relative(value.referenceValue));
    case 'geopoint': return l.geopoint(value.geoPointValue.latitude ?? 0, value.geoPointValue.longitude ?? 0);
    case 'vector': return l.vector(vectorOf(value).map((n) => l.double(n)));
    case 'array': return l.array(elementsOf(value).map((v) => literal(v, l)));
    case 'map': return l.map(sortedNames(fieldsOf(value)).map((n) => [n, literal(fieldsOf(value)[n], l)]));
    default: return l.null;
  }
}

/** Lines without a field are not finished and left out. */
const finished = (group) => group.items.map((i) => (i.items ? { ...i, items: finished(i) } : i)).filter((i) => (i.items ? i.items.length
  : i.field.trim()));

const unaryAs = { IS_NULL: ['EQUAL', 'null'], IS_NOT_NULL: ['NOT_EQUAL', 'null'], IS_NAN: ['EQUAL', 'NaN'],
  IS_NOT_NAN: ['NOT_EQUAL', 'NaN'] };

function operand(line, l) {
  if (!isUnary(line.op)) return [symbols[line.op], literal(line.value, l)];
  const [op, what] = unaryAs[line.op];
  return [symbols[op], what === 'null' ? l.null : l.double('NaN')];
}

const swiftLabels = {
  '==': 'isEqualTo', '!=': 'isNotEqualTo', '<': 'isLessThan', '<=': 'isLessThanOrEqualTo', '>': 'isGreaterThan',
    '>=': 'isGreaterThanOrEqualTo',
  'array-contains': 'arrayContains', in: 'in', 'not-in': 'notIn', 'array-contains-any': 'arrayContainsAny',
};

function swift(model) {
  const l = literals.Swift;
  const path = (model.parent ? model.parent + '/' : '') + model.collection;
  const lines = [];
  const condition = (i) => {
    if (i.items) return `Filter.${i.op === 'OR' ? 'or' : 'and'}Filter([${i.items.map(condition).join(', ')}])`;
    const [symbol, value] = operand(i, l);
    return `Filter.whereField(${l.field(i.field)}, ${swiftLabels[symbol]}: ${value})`;
  };
  const where = finished(model.where);
  if (model.where.op === 'OR' && where.length > 1) lines.push(`.whereFilter(${condition({ op: 'OR', items: where })})`);
  else {
    for (const i of where) {
      if (i.items) lines.push(`.whereFilter(${condition(i)})`);
      else {
        const [symbol, value] = operand(i, l);
        lines.push(`.whereField(${l.field(i.field)}, ${swiftLabels[symbol]}: ${value})`);
      }
    }
  }
  for (const o of model.order.filter((o) => o.field)) {
    lines.push(`.order(by: ${l.field(o.field)}${o.direction === 'DESCENDING' ? ', descending: true' : ''})`);
  }
  const cursor = (c) => `[${c.values.map((v) => literal(v, l)).join(', ')}]`;
  if (model.start?.values.length) lines.push(`.start(${model.start.before ? 'at' : 'after'}: ${cursor(model.start)})`);
  if (model.end?.values.length) lines.push(`.end(${model.end.before ? 'before' : 'at'}: ${cursor(model.end)})`);
  if (model.limit && !model.nearest) lines.push(`.limit(to: ${model.limit})`);
  if (model.nearest?.field) {
    const n = model.nearest;
    lines.push(`.findNearest(vectorField: ${l.field(n.field)}, queryVector: ${literal(n.queryVector, l)}, limit: ${n.limit}, distanceMeasure: .${n.measure === 'DOT_PRODUCT' ? 'dotProduct' : n.measure.toLowerCase()})`);
  }
  const from = model.group ? `db.collectionGroup(${l.text(model.collection)})` : `db.collection(${l.text(path)})`;
  let source = [`let query = ${from}`, ...lines.map((x) => '    ' + x)].join('\n');
  if (!model.aggregates.length) return `${source}\nlet documents = try await query.getDocuments().documents`;
  const list = model.aggregates.map((a) => (a.op === 'count' ? '.count()' : `.${a.op === 'avg' ? 'average' : 'sum'}(${l.field(a.field)})`));
  source += `\nlet result = try await query.aggregate([${list.map((x) => 'AggregateField' + x).join(', ')}]).getAggregation(source: .server)`;
  return source;
}

function javaScript(model) {
  const l = literals.JavaScript;
  const path = (model.parent ? model.parent + '/' : '') + model.collection;
  const condition = (i) => {
    if (i.items) return `${i.op.toLowerCase()}(${i.items.map(condition).join(', ')})`;
    const [symbol, value] = operand(i, l);
    return `where(${l.field(i.field)}, "${symbol}", ${value})`;
  };
  const where = finished(model.where);
  const parts = model.where.op === 'OR' && where.length > 1 ? [condition({ op: 'OR', items: where })] : where.map(condition);
  for (const o of model.order.filter((o) =>
    o.field)) parts.push(`orderBy(${l.field(o.field)}${o.direction === 'DESCENDING' ? ', "desc"' : ''})`);
  const cursor = (c) => c.values.map((v) => literal(v, l)).join(', ');
  if (model.start?.values.length) parts.push(`${model.start.before ? 'startAt' : 'startAfter'}(${cursor(model.start)})`);
  if (model.end?.values.length) parts.push(`${model.end.before ? 'endBefore' : 'endAt'}(${cursor(model.end)})`);
  if (model.limit && !model.nearest) parts.push(`limit(${model.limit})`);
  const from = model.group ? `collectionGroup(db, ${json(model.collection)})` : `collection(db, ${json(path)})`;
  const source = `const q = query(\n${[from, ...parts].map((p) => `  ${p},`).join('\n')}\n);`;
  if (model.nearest?.field) return '// The web SDK has no vector search; with the Node.js library:\n' + nodeNearest(model, parts, l, path);
  if (!model.aggregates.length) return `${source}\nconst snapshot = await getDocs(q);`;
  const list = model.aggregates.map((a, i) =>
    `${json(a.alias || `${a.op}_${i + 1}`)}: ${a.op === 'count' ? 'count()' : `${a.op === 'avg' ? 'average' : 'sum'}(${l.field(a.field)})`}`);
  return `${source}\nconst snapshot = await getAggregateFromServer(q, { ${list.join(', ')} });`;
}

function nodeNearest(model, parts, l, path) {
  const n = model.nearest;
  const from = model.group ? `db.collectionGroup(${json(model.collection)})` : `db.collection(${json(path)})`;
  const calls = parts.map((p) => `  .${p}`);
  return [`const snapshot = await ${from}`, ...calls,
    `  .findNearest({ vectorField: ${l.field(n.field)}, queryVector: ${literal(n.queryVector, l).replace(/^vector\((.*)\)$/, '$1')}, limit: ${n.limit}, distanceMeasure: "${n.measure}" })`,
    '  .get();'].join('\n');
}

function python(model) {
  const l = literals.Python;
  const path = (model.parent ? model.parent + '/' : '') + model.collection;
  const condition = (i) => {
    if (i.items) return `${i.op === 'OR' ? 'Or' : 'And'}([${i.items.map(condition).join(', ')}])`;
    const [symbol, value] = operand(i, l);
    return `FieldFilter(${l.field(i.field)}, "${symbol.replace('-', '_').replace('-', '_')}", ${value})`;
  };
  const where = finished(model.where);
  const conditions = model.where.op === 'OR' && where.length > 1 ? [condition({ op: 'OR', items: where })] : where.map(condition);
  const lines = conditions.map((c) => `.where(filter=${c})`);
  for (const o of model.order.filter((o) => o.field)) {
    lines.push(`.order_by(${l.field(o.field)}${o.direction === 'DESCENDING' ? ', direction="DESCENDING"' : ''})`);
  }
  const cursor = (c) => `[${c.values.map((v) => literal(v, l)).join(', ')}]`;
  if (model.start?.values.length) lines.push(`.start_${model.start.before ? 'at' : 'after'}(${cursor(model.start)})`);
  if (model.end?.values.length) lines.push(`.end_${model.end.before ? 'before' : 'at'}(${cursor(model.end)})`);
  if (model.limit && !model.nearest) lines.push(`.limit(${model.limit})`);
  if (model.nearest?.field) {
    const n = model.nearest;
    lines.push(`.find_nearest(vector_field=${l.field(n.field)}, query_vector=${literal(n.queryVector, l)}, limit=${n.limit}, distance_measure=DistanceMeasure.${n.measure})`);
  }
  const from = model.group ? `db.collection_group(${pythonText(model.collection)})` : `db.collection(${pythonText(path)})`;
  const source = `query = (\n    ${[from, ...lines].join('\n    ')}\n)`;
  if (!model.aggregates.length) return `${source}\ndocuments = query.get()`;
  const list = model.aggregates.map((a, i) => {
    const alias = pythonText(a.alias || `${a.op}_${i + 1}`);
    return a.op === 'count' ? `.count(alias=${alias})` : `.${a.op}(${l.field(a.field)}, alias=${alias})`;
  });
  return `${source}\nresult = AggregationQuery(query)${list.join('')}.get()`;
}

/** The query in a language. Throws for field paths that are not ones. */
export function code(model, language) {
  switch (language) {
    case 'Swift': return swift(model);
    case 'JavaScript': return javaScript(model);
    case 'Python': return python(model);
    default: return toJSON(requestOf(model), 2);
  }
}


"""#)

    private static let file5 = ConsoleResource("lib/dom.js", tag: "68c4f7786c48cd11", #"""
// SPDX-License-Identifier: Apache-2.0
// Elements. Text gets into the page as text only: ids and values are hostile.

/** Makes an element. `on…` are listeners; class, data-… and aria-… are attributes; other names of the element are properties. */
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  set(element, properties ?? {});
  element.append(...children.flat(9).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

export function set(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else if (name === 'style') for (const [property, v] of Object.entries(value)) element.style.setProperty(property, v);
    else if (name in element && !name.includes('-') && !['list', 'role', 'form'].includes(name)) element[name] = value;
    else if (value === null || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? (name.startsWith('aria-') ? 'true' : '') : value);
  }
  return element;
}

export function replace(element, ...children) {
  element.replaceChildren(...children.flat(9).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

const svg = 'http://www.w3.org/2000/svg';

/** Strokes of 1.5 px in 16 × 16. */
const strokes = {
  flame: 'M8.2 1.8c.4 2.6 3.9 4 3.9 7.8a4.1 4.1 0 0 1-8.2 0c0-1.7.8-2.9 1.8-3.8.1 1 .5 1.6 1.1 2 .1-2.2.3-4.3 1.4-6Z M8 13.7c-1.2 '
    + '0-1.9-.9-1.9-1.9 0-1.1.9-1.7 1.5-2.7.9.8 2.3 1.5 2.3 2.9 0 1-.8 1.7-1.9 1.7Z',
  data: 'M2.5 4c0-1 2.5-1.8 5.5-1.8s5.5.8 5.5 1.8-2.5 1.8-5.5 1.8S2.5 5 2.5 4Zm0 0v8c0 1 2.5 1.8 5.5 1.8s5.5-.8 5.5-1.8V4M2.5 8c0 1 2.5 '
    + '1.8 5.5 1.8s5.5-.8 5.5-1.8',
  query: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14',
  requests: 'M2 5h9M8.5 2.5 11 5 8.5 7.5M14 11H5m2.5-2.5L5 11l2.5 2.5',
  indexes: 'M2 3.5h12M2 8h8M2 12.5h5M12.5 8v5.5m-2-2 2 2 2-2',
  usage: 'M2 13.5h12M4 11V8m4 3V3.5M12 11V6',
  transfer: 'M5 13V3.5M2.5 6 5 3.5 7.5 6M11 3v9.5M8.5 10l2.5 2.5 2.5-2.5',
  rules: 'M8 1.8 13 4v3.7c0 3-2.1 5.3-5 6.5-2.9-1.2-5-3.5-5-6.5V4l5-2.2Zm-2.3 6 1.7 1.7 3-3.2',
  plus: 'M8 3v10M3 8h10', close: 'M4 4l8 8M12 4l-8 8', more: 'M3.5 8h.01M8 8h.01M12.5 8h.01', down: 'M4 6l4 4 4-4', right: 'M6 4l4 4-4 4',
  left: 'M10 4 6 8l4 4', up: 'M4 10l4-4 4 4', menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11', check: 'M3 8.5 6.5 12 13 4.5',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8Z', trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9',
    link: 'M9 3h4v4M13 3 7.5 8.5M11 9.5v4H2.5V5h4',
  filter: 'M2 4h12M4.5 8h7M7 12h2', columns: 'M2.5 3h11v10h-11ZM6.2 3v10M9.8 3v10', pause: 'M5.5 3.5v9M10.5 3.5v9',
    play: 'M5 3.5 12 8l-7 4.5Z',
  undo: 'M3 6h6.5a3.5 3.5 0 0 1 0 7H6M5.5 3.5 3 6l2.5 2.5',
    sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 '
    + '3.4l-.9.9M4.3 11.7l-.9.9',
  person: 'M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8Zm-5 5.5c.5-2.3 2.5-3.5 5-3.5s4.5 1.2 5 3.5',
    refresh: 'M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3',
};

export function icon(name) {
  const element = document.createElementNS(svg, 'svg');
  for (const [key, value] of Object.entries({ viewBox: '0 0 16 16', class: `icon icon-${name}`, 'aria-hidden': 'true',
    focusable: 'false' })) {
    element.setAttribute(key, value);
  }
  const path = document.createElementNS(svg, 'path');
  path.setAttribute('d', strokes[name]);
  element.append(path);
  return element;
}

/** A button with an icon; without a visible word its label is read aloud and shown as a tooltip. */
export function iconButton(name, label, onclick, properties = {}) {
  return h('button', { type: 'button', class: 'tool', title: label, 'aria-label': label, onclick, ...properties }, icon(name));
}

export function button(label, onclick, properties = {}) {
  return h('button', { type: 'button', class: 'button', onclick, ...properties }, label);
}

/** Lines of values over time. */
export function sparkline(values, label, { width = 240, height = 48 } = {}) {
  const known = values.filter((v) => v !== undefined && Number.isFinite(v));
  const element = document.createElementNS(svg, 'svg');
  const attributes = { viewBox: `0 0 ${width} ${height}`, class: 'sparkline', role: 'img', 'aria-label': label,
    preserveAspectRatio: 'none' };
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (known.length < 2) return element;
  const most = Math.max(...known, 1e-9);
  const x = (i) => (i / (values.length - 1)) * width;
  const y = (v) => height - 2 - (v / most) * (height - 6);
  const points = values.map((v, i) => (v === undefined || !Number.isFinite(v) ? null
    : `${x(i).toFixed(1)},${y(v).toFixed(1)}`)).filter(Boolean);
  for (const [name, list] of [['polygon', [`${points[0].split(',')[0]},${height}`, ...points, `${points.at(-1).split(',')[0]},${height}`]],
    ['polyline', points]]) {
    const line = document.createElementNS(svg, name);
    line.setAttribute('points', list.join(' '));
    line.setAttribute('vector-effect', 'non-scaling-stroke');
    element.append(line);
  }
  return element;
}

export const isTyping = (target) => target?.closest?.('input, textarea, select, [contenteditable]') != null;

/** Calls once per pause. */
export function debounced(ms, action) {
  let timer;
  const call = (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...args), ms);
  };
  call.cancel = () => clearTimeout(timer);
  return call;
}

const news = { polite: null, last: 0, waiting: null };

/** One live region, at most every 5 s; errors at once. */
export function announce(message, isError = false) {
  const region = document.getElementById(isError ? 'alerts' : 'news');
  if (!region) return;
  if (isError) {
    region.textContent = message;
    return;
  }
  clearTimeout(news.waiting);
  const wait = Math.max(0, news.last + 5000 - Date.now());
  news.waiting = setTimeout(() => {
    news.last = Date.now();
    region.textContent = message;
  }, wait);
}

/** Skeleton lines, after 150 ms. */
export function skeleton(lines = 8) {
  return h('div', { class: 'skeleton', role: 'status', 'aria-label': 'Loading' },
    Array.from({ length: lines }, () => h('div', { class: 'skeleton-line' })));
}

export function empty(title, ...content) {
  return h('div', { class: 'empty' }, h('p', { class: 'empty-title' }, title), content);
}

export function failure(error, retry) {
  const details = [error.message, error.status, error.where].filter(Boolean).join('\n');
  return h('div', { class: 'failure', role: 'alert' },
    h('p', { class: 'failure-title' }, error.message),
    h('p', { class: 'muted' }, [error.status, error.where].filter(Boolean).join(' · ')),
    h('div', { class: 'row' }, retry && button('Try again', retry), button('Copy details', () => navigator.clipboard?.writeText(details))));
}

"""#)

    private static let file6 = ConsoleResource("lib/json.js", tag: "5deee451d5122b18", #"""
// SPDX-License-Identifier: Apache-2.0
// Documents as text: typed JSON (docs/cli.md), in which 1 is an integer and 1.0 a double. Pure.
import * as values from './values.js';

/** What is wrong in a text, and where. */
class TextError extends Error {
  constructor(message, line, column) {
    super(`Line ${line}, column ${column}: ${message}`);
    Object.assign(this, { line, column, reason: message });
  }
}

/** A number as it was written, so that 1 and 1.0, and digits beyond 2⁵³, stay apart. */
class NumberText {
  constructor(text) { this.text = text; }
}

/** JSON whose numbers are NumberTexts and whose objects are arrays of entries in a Map. */
class Reader {
  constructor(text) { Object.assign(this, { text, at: 0 }); }

  fail(message, at = this.at) {
    const before = this.text.slice(0, at).split('\n');
    throw new TextError(message, before.length, before.at(-1).length + 1);
  }

  space() { while (/\s/.test(this.text[this.at] ?? '')) this.at += 1; }

  take(character) {
    this.space();
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  expect(character) { if (!this.take(character)) this.fail(`“${character}” is expected.`); }

  whole() {
    const value = this.value();
    this.space();
    if (this.at < this.text.length) this.fail('This is text behind the end.');
    return value;
  }

  value(depth = 0) {
    this.space();
    if (depth > 100) this.fail('Values are nested too deep.');
    const start = this.at;
    const c = this.text[start];
    if (c === '{') {
      const object = new Map();
      object.at = start;
      this.at += 1;
      if (this.take('}')) return object;
      do {
        this.space();
        const nameAt = this.at;
        if (this.text[nameAt] !== '"') this.fail('A name in double quotes is expected.');
        const name = this.string();
        if (object.has(name)) this.fail(`“${name}” occurs twice.`, nameAt);
        this.expect(':');
        object.set(name, this.value(depth + 1));
      } while (this.take(','));
      this.expect('}');
      return object;
    }
    if (c === '[') {
      const array = [];
      this.at += 1;
      if (this.take(']')) return array;
      do array.push(this.value(depth + 1)); while (this.take(','));
      this.expect(']');
      return array;
    }
    if (c === '"') return this.string();
    const rest = this.text.slice(start, start + 400);
    const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/.exec(rest);
    if (number) {
      this.at += number[0].length;
      return new NumberText(number[0]);
    }
    for (const [word, value] of [['true', true], ['false', false], ['null', null]]) {
      if (rest.startsWith(word)) {
        this.at += word.length;
        return value;
      }
    }
    return this.fail('A value is expected: text in double quotes, a number, true, false, null, { or [.');
  }

  string() {
    const start = this.at;
    for (let i = start + 1; ; i += 1) {
      if (i >= this.text.length || this.text[i] === '\n') this.fail('This text has no closing double quote.', start);
      if (this.text[i] === '\\') i += 1;
      else if (this.text[i] === '"') {
        this.at = i + 1;
        try {
          return JSON.parse(this.text.slice(start, i + 1));
        } catch {
          return this.fail('This text contains an escape sequence or a character that JSON does not allow.', start);
        }
      }
    }
  }
}

/** The fields of a document from typed JSON, plain JSON, the REST form, or an object of `hearth get`.
 *  Where plain JSON is ambiguous, a field keeps the type that it has in `before`. */
export function parseFields(text, database, before = {}) {
  const reader = new Reader(text);
  const object = reader.whole();
  if (!(object instanceof Map)) throw new TextError('A document is an object: { … }.', 1, 1);
  const inner = object.get('fields');
  const isWrapped = inner instanceof Map && [...object.keys()].every((k) => ['fields', 'name', 'path', 'createTime',
    'updateTime'].includes(k));
  if (isWrapped && (object.has('name') || (object.size === 1 && isREST(inner)))) return restFields(inner);
  return typedFields(isWrapped && object.has('path') ? inner : object, reader, database, before);
}

const restNames = /^(null|boolean|integer|double|timestamp|string|bytes|reference|geoPoint|array|map)Value$/;
const isREST = (fields) => fields.size > 0 && [...fields.values()].every((v) => v instanceof Map && v.size === 1
  && restNames.test([...v.keys()][0]));

/** The REST form needs no interpretation, but numbers beyond 2⁵³ may be written without quotes. */
function restFields(fields) {
  const plain = (v, key) => {
    if (v instanceof NumberText) return key === 'integerValue' ? v.text : values.restNumber(Number(v.text));
    if (Array.isArray(v)) return v.map((e) => plain(e));
    if (v instanceof Map) return fromEntries([...v].map(([k, e]) => [k, plain(e, k)]));
    return v;
  };
  return plain(fields);
}

function fromEntries(entries) {
  const object = {};
  for (const [name, value] of entries) values.define(object, name, value);
  return object;
}

function typedFields(map, reader, database, before) {
  return fromEntries([...map].map(([name, v]) => {
    if (!name) reader.fail('A field has a name.', map.at);
    return [name, typed(v, reader, database, Object.hasOwn(before, name) ? before[name] : undefined, false, map.at)];
  }));
}

function typed(v, reader, database, old, isElement, at) {
  if (v === null) return { nullValue: null };
  if (typeof v === 'boolean') return { booleanValue: v };
  if (v instanceof NumberText) {
    const isDouble = /[.eE]/.test(v.text) || (old && values.typeOf(old) === 'double');
    return parsed(isDouble ? 'double' : 'integer', v.text, reader, database, at);
  }
  if (typeof v === 'string') {
    const kind = old && values.typeOf(old);
    if (['timestamp', 'reference', 'bytes'].includes(kind)) {
      try {
        return values.parseValue(kind, kind === 'bytes' ? `base64:${v}` : v, database);
      } catch { /* A text that is not of the old type is a string. */ }
    }
    return values.text(v);
  }
  if (Array.isArray(v)) {
    if (isElement) reader.fail('An array cannot contain an array directly.', at);
    const olds = old && values.typeOf(old) === 'array' ? values.elementsOf(old) : [];
    return values.arrayOf(v.map((e, i) => typed(e, reader, database, olds[i], true, e?.at ?? at)));
  }
  const [name] = v.keys();
  if (v.size === 1 && name.startsWith('$')) return special(name, v.get(name), reader, database, v.at);
  return values.mapOf(typedFields(v, reader, database, old && values.typeOf(old) === 'map' ? values.fieldsOf(old) : {}));
}

function special(name, v, reader, database, at) {
  const number = (n) => (n instanceof NumberText ? n.text : String(n));
  switch (name) {
    case '$timestamp': case '$reference': return parsed(name.slice(1), String(v), reader, database, at);
    case '$bytes': {
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(v) || v.length % 4) reader.fail('$bytes is base64.', at);
      return { bytesValue: v };
    }
    case '$double': case '$integer': return parsed(name.slice(1), number(v), reader, database, at);
    case '$geopoint':
      if (!(v instanceof Map)) reader.fail('$geopoint has latitude and longitude.', at);
      return parsed('geopoint', `${number(v.get('latitude'))}, ${number(v.get('longitude'))}`, reader, database, at);
    case '$vector':
      if (!Array.isArray(v)) reader.fail('$vector is an array of numbers.', at);
      return parsed('vector', v.map((n) => (n instanceof Map ? number(n.get('$double')) : number(n))).join(', '), reader, database, at);
    case '$map':
      if (!(v instanceof Map)) reader.fail('$map is an object.', at);
      return values.mapOf(typedFields(v, reader, database, {}));
    default:
      return reader.fail(
        `${name} is not a type. The types are $timestamp, $bytes, $geopoint, $reference, $vector, $double, $integer; `
        + 'write a map with such a field as {"$map": …}.', at);
  }
}

function parsed(type, text, reader, database, at) {
  try {
    return values.parseValue(type, text, database);
  } catch (error) {
    return reader.fail(error.message, at ?? reader.at);
  }
}

/** Typed JSON of fields, names sorted. */
export function fieldsText(fields, database, indent = '  ') {
  return objectText(fields, database, '', indent);
}

function objectText(fields, database, before, indent) {
  const names = values.sortedNames(fields);
  if (!names.length) return '{}';
  const inner = before + indent;
  const [open, next, close] = indent ? [`{\n${inner}`, `,\n${inner}`, `\n${before}}`] : ['{', ', ', '}'];
  return open + names.map((n) => `${JSON.stringify(n)}: ${valueText(fields[n], database, inner, indent)}`).join(next) + close;
}

export function valueText(value, database, before = '', indent = '') {
  const mark = (name, json) => `{"$${name}": ${json}}`;
  switch (values.typeOf(value)) {
    case 'string': return JSON.stringify(value.stringValue);
    case 'integer': return value.integerValue;
    case 'double': {
      const number = Number(value.doubleValue);
      return Number.isFinite(number) ? values.doubleText(number) : mark('double', `"${number}"`);
    }
    case 'boolean': return String(value.booleanValue);
    case 'timestamp': return mark('timestamp', JSON.stringify(value.timestampValue));
    case 'bytes': return mark('bytes', JSON.stringify(value.bytesValue ?? ''));
    case 'reference': return mark('reference', JSON.stringify(values.referenceText(value, database)));
    case 'geopoint': {
      const { latitude = 0, longitude = 0 } = value.geoPointValue;
      return mark('geopoint', `{"latitude": ${values.doubleText(latitude)}, "longitude": ${values.doubleText(longitude)}}`);
    }
    case 'vector': {
      const numbers = values.vectorOf(value);
      return mark('vector', `[${numbers.map((n) => (Number.isFinite(n) ? values.doubleText(n) : mark('double', `"${n}"`))).join(', ')}]`);
    }
    case 'array': {
      const items = values.elementsOf(value);
      if (!items.length) return '[]';
      const inner = before + indent;
      const [open, next, close] = indent ? [`[\n${inner}`, `,\n${inner}`, `\n${before}]`] : ['[', ', ', ']'];
      return open + items.map((v) => valueText(v, database, inner, indent)).join(next) + close;
    }
    case 'map': {
      const fields = values.fieldsOf(value);
      const names = Object.keys(fields);
      const json = objectText(fields, database, before, indent);
      return names.length === 1 && names[0].startsWith('$') ? mark('map', json) : json;
    }
    default: return 'null';
  }
}

"""#)

    private static let file7 = ConsoleResource("lib/live.js", tag: "c42eafdc3127e845", #"""
// SPDX-License-Identifier: Apache-2.0
// The one stream of a tab: listeners and topics, as lines of JSON. Closed while the tab is hidden.
import { connection, headers, viewAs } from './api.js';
import { databaseName, route, signal } from './store.js';
import { toJSON } from './values.js';

/** connecting, live, paused (only topics), off (refused, as for a database that does not exist) or gone. */
export const liveState = signal('connecting');
export const isPaused = signal(false);

/** @type {Map<string, {id: number, target: object, handler: object, token?: string}>} */
const targets = new Map();
const topics = new Map();
/** Samples of the last 15 minutes, and the latest. */
export const samples = [];
export const sample = signal(null);
let nextID = 1;
let stream = null;
let timer = null;
let failures = 0;
let lastRequest;
let hiddenTimer = null;
let isHidden = false;

/** Listens to a query or to documents: `handler` has change(document), remove(name, isDeleted), current(), reset() and
 *  failed(status). null ends it. */
export function watch(key, target, handler) {
  const known = targets.get(key);
  if (!target) {
    if (!targets.delete(key)) return;
  } else if (known && known.text === toJSON(target)) {
    return; // The handler that has heard the first snapshot goes on.
  } else {
    targets.set(key, { id: nextID++, target, text: toJSON(target), handler });
  }
  restart(80);
}

/** Hears a topic until the function that it returns is called. */
export function subscribe(topic, handler) {
  topics.set(topic, handler);
  if (topic === 'requests') lastRequest = undefined;
  restart(20);
  return () => {
    if (topics.get(topic) !== handler) return;
    topics.delete(topic);
    restart(80);
  };
}

export function restart(delay = 0) {
  clearTimeout(timer);
  timer = setTimeout(open, delay);
}

function close() {
  stream?.abort();
  stream = null;
}

async function open() {
  close();
  if (isHidden) return;
  if (isPaused.value) {
    liveState.value = 'paused';
  }
  const listened = isPaused.value ? [] : [...targets.values()];
  const abort = new AbortController();
  stream = abort;
  const body = {
    ...(listened.length && { database: databaseName() }), ...(viewAs.value && { as: viewAs.value }),
    targets: listened.map((t) => ({ targetId: t.id, ...t.target, ...(t.token && { resumeToken: t.token }) })),
    topics: ['metrics', ...topics.keys()], ...(lastRequest !== undefined && { requestsAfter: lastRequest }),
  };
  if (liveState.value !== 'live' && !isPaused.value) liveState.value = 'connecting';
  try {
    const response = await fetch('/console/api/live', {
      method: 'POST', headers: headers(), body: toJSON(body), signal: abort.signal, cache: 'no-store', credentials: 'omit',
    });
    if (response.status === 401) {
      connection.value = 'locked';
      return;
    }
    if (!response.ok) throw Object.assign(new Error(), { isRefused: response.status < 500 });
    connection.value = 'ok';
    failures = 0;
    if (!isPaused.value) liveState.value = 'live';
    await read(response.body.getReader(), new Map(listened.map((t) => [t.id, t])), abort);
    throw new Error('ended');
  } catch (error) {
    if (stream !== abort) return;
    stream = null;
    failures += 1;
    if (error.isRefused) liveState.value = 'off';
    else if (failures > 1) {
      liveState.value = 'gone';
      connection.value = 'gone';
    }
    restart(Math.min(8000, 250 * 2 ** failures));
  }
}

async function read(reader, byID, abort) {
  const decoder = new TextDecoder();
  let rest = '';
  const silence = () => setTimeout(() => reader.cancel().catch(() => {}), 40000);
  let watchdog = silence();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || stream !== abort) return;
      clearTimeout(watchdog);
      watchdog = silence();
      rest += decoder.decode(value, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop();
      for (const line of lines) if (line.trim()) take(JSON.parse(line), byID);
    }
  } finally {
    clearTimeout(watchdog);
  }
}

function take(message, byID) {
  if (message.listen) listen(message.listen, byID);
  else if (message.requests) {
    lastRequest = Math.max(lastRequest ?? 0, ...message.requests.map((r) => r.id));
    topics.get('requests')?.(message.requests);
  } else if (message.metrics) addSamples([message.metrics]);
  else if (message.dropped) topics.get('requests')?.([], message.dropped);
}

export function addSamples(list) {
  samples.push(...list.filter((s) => !samples.length || s.time > samples.at(-1).time));
  samples.splice(0, samples.length - 450);
  if (samples.length) sample.value = samples.at(-1);
}

function listen(response, byID) {
  const of = (ids) => (ids?.length ? ids.map((id) => byID.get(id)) : [...byID.values()]).filter((t) => t && targets.size);
  const { targetChange, documentChange, documentDelete, documentRemove, filter } = response;
  if (documentChange) {
    for (const t of of(documentChange.targetIds)) if (documentChange.targetIds?.length) t.handler.change?.(documentChange.document);
    if (documentChange.removedTargetIds?.length) {
      for (const t of of(documentChange.removedTargetIds)) t.handler.remove?.(documentChange.document.name, false);
    }
  } else if (documentDelete || documentRemove) {
    const removed = documentDelete ?? documentRemove;
    for (const t of of(removed.removedTargetIds)) t.handler.remove?.(removed.document, documentDelete !== undefined);
  } else if (targetChange) {
    const list = of(targetChange.targetIds);
    for (const t of list) {
      if (targetChange.resumeToken) t.token = targetChange.resumeToken;
      if (targetChange.targetChangeType === 'CURRENT') t.handler.current?.();
      if (targetChange.targetChangeType === 'RESET') t.handler.reset?.();
      if (targetChange.targetChangeType === 'REMOVE') t.handler.failed?.(targetChange.cause);
    }
  } else if (filter) {
    // The filter says that something was missed: begin anew.
    const t = byID.get(filter.targetId);
    if (t?.handler.count && t.handler.count() !== (filter.count ?? 0)) {
      delete t.token;
      t.handler.reset?.();
      restart();
    }
  }
}

export function followVisibility() {
  // A tab that was opened behind another one has no stream: browsers have six connections for all tabs of a server.
  isHidden = document.hidden;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiddenTimer);
    if (document.hidden) {
      hiddenTimer = setTimeout(() => {
        isHidden = true;
        close();
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
  let database = databaseName();
  route.onChange(() => {
    if (databaseName() === database) return;
    database = databaseName();
    targets.clear();
    restart(80);
  });
}

"""#)

    private static let file8 = ConsoleResource("lib/query.js", tag: "35c9e4358e0dc728", #"""
// SPDX-License-Identifier: Apache-2.0
// What the query page builds, and the StructuredQuery it means. Pure.
//
// The model has what the page shows: lines, also unfinished ones. The REST JSON is what is sent, copied, pasted and kept in the URL.
import { fieldPath, parseFieldPath, valueAt } from './values.js';

const operators = [
  ['EQUAL', '=='], ['NOT_EQUAL', '!='], ['LESS_THAN', '<'], ['LESS_THAN_OR_EQUAL', '<='], ['GREATER_THAN', '>'],
  ['GREATER_THAN_OR_EQUAL', '>='], ['ARRAY_CONTAINS', 'array-contains'], ['IN', 'in'], ['NOT_IN', 'not-in'],
  ['ARRAY_CONTAINS_ANY', 'array-contains-any'],
];
const unaryOperators = [['IS_NULL', 'is null'], ['IS_NOT_NULL', 'is not null'], ['IS_NAN', 'is NaN'], ['IS_NOT_NAN', 'is not NaN']];
export const symbols = Object.fromEntries([...operators, ...unaryOperators]);
export const isUnary = (op) => op.startsWith('IS_');
export const takesArray = (op) => ['IN', 'NOT_IN', 'ARRAY_CONTAINS_ANY'].includes(op);

/** @typedef {{field: string, op: string, value?: object}} Line */
/** @typedef {{op: 'AND'|'OR', items: (Line|Group)[]}} Group */

export const emptyModel = (collection = '', parent = '') => ({
  parent, collection, group: false, where: { op: 'AND', items: [] }, order: [], limit: 100, offset: 0, select: [], start: null,
  end: null, aggregates: [], nearest: null,
});

/** A field path as typed: names are quoted where that is needed. */
const canonicalPath = (typed) => fieldPath(parseFieldPath(typed.trim()));

function filter(item) {
  if (item.items) {
    const filters = item.items.map(filter).filter(Boolean);
    if (filters.length < 2) return filters[0];
    return { compositeFilter: { op: item.op, filters } };
  }
  if (!item.field.trim()) return undefined;
  const field = { fieldPath: canonicalPath(item.field) };
  if (isUnary(item.op)) return { unaryFilter: { field, op: item.op } };
  return { fieldFilter: { field, op: item.op, value: item.value } };
}

/** The request body of `:runQuery` or `:runAggregationQuery` for a model. Throws for field paths that are not ones. */
export function requestOf(model) {
  const query = {};
  if (model.select.length) query.select = { fields: model.select.map((p) => ({ fieldPath: canonicalPath(p) })) };
  query.from = [{ ...(model.collection && { collectionId: model.collection }), ...(model.group && { allDescendants: true }) }];
  const where = filter(model.where);
  if (where) query.where = where;
  const order = model.order.filter((o) => o.field.trim());
  if (order.length) query.orderBy = order.map((o) => ({ field: { fieldPath: canonicalPath(o.field) }, direction: o.direction }));
  if (model.start?.values.length) query.startAt = model.start;
  if (model.end?.values.length) query.endAt = model.end;
  if (model.offset) query.offset = model.offset;
  if (model.limit) query.limit = model.limit;
  if (model.nearest?.field) {
    const { field, queryVector, measure, limit, resultField, threshold } = model.nearest;
    query.findNearest = {
      vectorField: { fieldPath: canonicalPath(field) }, queryVector, distanceMeasure: measure, limit,
      ...(resultField && { distanceResultField: resultField }), ...(threshold != null && { distanceThreshold: threshold }),
    };
  }
  if (!model.aggregates.length) return { structuredQuery: query };
  const aggregations = model.aggregates.map((a, i) => ({
    alias: a.alias || `${a.op}_${i + 1}`,
    ...(a.op === 'count' ? { count: {} } : { [a.op]: { field: { fieldPath: canonicalPath(a.field) } } }),
  }));
  return { structuredAggregationQuery: { structuredQuery: query, aggregations } };
}

function items(f) {
  if (f.compositeFilter) return { op: f.compositeFilter.op ?? 'AND', items: (f.compositeFilter.filters ?? []).map(items) };
  if (f.unaryFilter) return { field: f.unaryFilter.field.fieldPath, op: f.unaryFilter.op };
  return { field: f.fieldFilter.field.fieldPath, op: f.fieldFilter.op, value: f.fieldFilter.value };
}

/** The model of a request body, or of the query in it: what is pasted, or stands in the URL. Throws if it is not a query. */
export function modelOf(json, parent = '') {
  const aggregation = json.structuredAggregationQuery;
  const query = aggregation?.structuredQuery ?? json.structuredQuery ?? json;
  if (!query || typeof query !== 'object' || Array.isArray(query)) throw new Error('This is not a query.');
  if (!['from', 'where', 'orderBy', 'limit', 'select', 'findNearest', 'startAt', 'endAt', 'offset'].some((k) => k in query)) {
    throw new Error('This is not a query: it has none of from, where, orderBy, limit.');
  }
  if ((query.from?.length ?? 0) > 1) throw new Error('A query has one collection in “from”.');
  const from = query.from?.[0] ?? {};
  const where = query.where ? items(query.where) : { op: 'AND', items: [] };
  const nearest = query.findNearest;
  return {
    ...emptyModel(from.collectionId ?? '', parent),
    group: from.allDescendants ?? false,
    where: where.items ? where : { op: 'AND', items: [where] },
    order: (query.orderBy ?? []).map((o) => ({ field: o.field.fieldPath, direction: o.direction ?? 'ASCENDING' })),
    limit: Number(query.limit?.value ?? query.limit ?? 0), offset: query.offset ?? 0,
    select: (query.select?.fields ?? []).map((f) => f.fieldPath),
    start: query.startAt ?? null, end: query.endAt ?? null,
    nearest: nearest ? {
      field: nearest.vectorField.fieldPath, queryVector: nearest.queryVector, measure: nearest.distanceMeasure,
      limit: Number(nearest.limit?.value ?? nearest.limit ?? 10), resultField: nearest.distanceResultField ?? '',
      threshold: nearest.distanceThreshold?.value ?? nearest.distanceThreshold,
    } : null,
    aggregates: (aggregation?.aggregations ?? []).map((a) => {
      const op = ['count', 'sum', 'avg'].find((o) => a[o]) ?? 'count';
      return { op, alias: a.alias ?? '', field: a[op]?.field?.fieldPath ?? '' };
    }),
  };
}

/** The model of what stands in the URL; undefined if it is not a query. */
export function fromURL(text, parent) {
  try {
    return modelOf(JSON.parse(text), parent);
  } catch {
    return undefined;
  }
}

// Cursors of pages

/** All that a query is ordered by: what is asked for, fields of inequalities, and the name. As the server completes it. */
export function fullOrder(query) {
  const order = (query.orderBy ?? []).map((o) => ({ field: o.field.fieldPath, direction: o.direction ?? 'ASCENDING' }));
  const last = order.at(-1)?.direction ?? 'ASCENDING';
  const unequal = new Set();
  const visit = (f) => {
    if (f?.compositeFilter) f.compositeFilter.filters.forEach(visit);
    const op = f?.fieldFilter?.op ?? f?.unaryFilter?.op;
    if (['LESS_THAN', 'LESS_THAN_OR_EQUAL', 'GREATER_THAN', 'GREATER_THAN_OR_EQUAL', 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NULL',
      'IS_NOT_NAN'].includes(op)) {
      unequal.add((f.fieldFilter ?? f.unaryFilter).field.fieldPath);
    }
  };
  visit(query.where);
  for (const field of [...unequal].sort()) if (!order.some((o) => o.field === field)) order.push({ field, direction: last });
  if (!order.some((o) => o.field === '__name__')) order.push({ field: '__name__', direction: last });
  return order;
}

const flipped = { ASCENDING: 'DESCENDING', DESCENDING: 'ASCENDING' };

/** The query for a page behind or before a row; without a row the first or the last page. Results of a page before come reversed. */
export function pageQuery(query, { row, isBackward = false, isInclusive = false, limit }) {
  const order = fullOrder(query);
  const page = {
    ...query, limit,
    orderBy: order.map((o) => ({ field: { fieldPath: o.field }, direction: isBackward ? flipped[o.direction] : o.direction })),
  };
  if (isBackward) {
    [page.startAt, page.endAt] = [query.endAt, query.startAt].map((c) => c && { values: c.values, before: !c.before });
    if (!page.startAt) delete page.startAt;
    if (!page.endAt) delete page.endAt;
  }
  if (row) {
    page.startAt = { values: cursorValues(order, row), before: isInclusive };
    delete page.offset;
  }
  return page;
}

function cursorValues(order, row) {
  return order.map((o) => (o.field === '__name__' ? { referenceValue: row.name } : valueAt(row.fields ?? {}, parseFieldPath(o.field))));
}

/** A sentence about what a query cost, and what would help. `metrics` is `explainMetrics` of an answer. */
export function explanation(metrics) {
  const stats = metrics.executionStats ?? {};
  const debug = stats.debugStats ?? {};
  const count = (n) => Number(n ?? 0).toLocaleString('en');
  const scanned = Number(debug.index_entries_scanned ?? 0) || Number(debug.documents_scanned ?? 0);
  const unit = Number(debug.index_entries_scanned ?? 0) ? 'index entries' : 'documents';
  const results = Number(stats.resultsReturned ?? 0);
  const ideal = debug.ideal_index_properties;
  let sentence = `Read ${count(scanned)} ${unit} for ${count(results)} ${results === 1 ? 'result' : 'results'}`;
  if (ideal) {
    const fields = ideal.replace(/^\(|\)$/g, '').replace(/, __name__ (ASC|DESC)$/, '');
    sentence += `: an index on ${fields} would read ${count(results)}.`;
  } else sentence += scanned <= Math.max(results * 2, 1) ? ', which is as few as possible.' : '.';
  return {
    sentence, ideal: ideal && parseIdeal(debug),
    indexes: (metrics.planSummary?.indexesUsed ?? []).map((i) => `${i.collection_id ?? ''} ${i.properties} · ${i.query_scope}`.trim()),
    duration: parseFloat(stats.executionDuration ?? '0'), reads: stats.readOperations, plan: debug.plan,
  };
}

function parseIdeal(debug) {
  const fields = debug.ideal_index_properties.replace(/^\(|\)$/g, '').split(/,\s*/).map((part) => {
    const [, path, mode] = /^(.*) (\S+)$/.exec(part) ?? [];
    if (mode === 'CONTAINS') return { fieldPath: path, arrayConfig: 'CONTAINS' };
    return { fieldPath: path, order: mode === 'DESC' ? 'DESCENDING' : 'ASCENDING' };
  });
  return {
    collectionGroup: debug.ideal_index_collection_id,
    queryScope: debug.ideal_index_query_scope === 'Collection group' ? 'COLLECTION_GROUP' : 'COLLECTION',
    fields: fields.filter((f) => f.fieldPath && f.fieldPath !== '__name__'),
  };
}

"""#)

    private static let file9 = ConsoleResource("lib/rows.js", tag: "a3c8b30b6e44f6a2", #"""
// SPDX-License-Identifier: Apache-2.0
// A window of rows of a collection or a query: pages of 100 by cursor, at most 1,000 rows kept.
import { listDocuments, runQuery } from './api.js';
import { pageQuery } from './query.js';

const pageSize = 100;
const mostPages = 10;

/** @typedef {{name: string, fields: object, createTime?: string, updateTime?: string, isMissing: boolean}} Row */

const rowOf = (d) => ({ name: d.name, fields: d.fields ?? {}, createTime: d.createTime, updateTime: d.updateTime,
  isMissing: !d.updateTime });

export class Rows {
  /** A list by name shows documents that do not exist, too; with `query` it is what the query finds.
   *  `changed(shift)` is called with the number of rows that were put in before those that were there. */
  constructor({ parent, collection, query, changed, failed }) {
    Object.assign(this, { parent, collection, query, changed, failed, pages: [], tokens: [''], firstPage: 0, isAtStart: true,
      isAtEnd: false });
    this.abort = new AbortController();
    this.loading = null;
    this.isList = !query;
    this.plain = query ?? { from: [{ collectionId: collection }] };
  }

  get rows() { return this.pages.flat(); }

  close() { this.abort.abort(); }

  /** One load at a time; the rest waits for its rows to be drawn. */
  async load(action) {
    if (this.loading) return;
    this.loading = action();
    try {
      await this.loading;
    } catch (error) {
      if (error.name !== 'AbortError') this.failed(error);
    } finally {
      this.loading = null;
    }
  }

  first() {
    return this.load(async () => {
      this.isList = !this.query;
      const page = this.isList ? await this.listed(0) : await this.found({});
      this.begin([page]);
      this.isAtStart = true;
    });
  }

  last() {
    return this.load(async () => {
      this.isList = false;
      const page = await this.found({ isBackward: true });
      this.begin([page.reverse()]);
      [this.isAtStart, this.isAtEnd] = [page.length < pageSize, true];
      this.changed(0);
    });
  }

  /** From the document of a name on, whether it exists or not. */
  from(name) {
    return this.load(async () => {
      this.isList = false;
      const page = await this.found({ row: { name, fields: {} }, isInclusive: true });
      this.begin([page]);
      this.isAtStart = false;
      this.changed(0);
    });
  }

  begin(pages) {
    this.pages = pages;
    this.firstPage = 0;
    this.isAtEnd = this.isList ? !this.tokens[1] : pages[0].length < pageSize;
    this.changed(0);
  }

  next() {
    if (this.isAtEnd || !this.pages.length) return undefined;
    return this.load(async () => {
      const row = this.pages.at(-1)?.at(-1);
      const at = this.firstPage + this.pages.length;
      const page = this.isList ? await this.listed(at) : await this.found({ row });
      this.pages.push(page);
      this.isAtEnd = this.isList ? !this.tokens[at + 1] : page.length < pageSize;
      let shift = 0;
      if (this.pages.length > mostPages) {
        shift = -this.pages.shift().length;
        this.firstPage += 1;
        this.isAtStart = false;
      }
      this.changed(shift);
    });
  }

  previous() {
    if (this.isAtStart || !this.pages.length) return undefined;
    return this.load(async () => {
      const row = this.pages[0]?.[0];
      const page = this.isList ? await this.listed(this.firstPage - 1) : (await this.found({ row, isBackward: true })).reverse();
      if (this.isList) this.firstPage -= 1;
      this.isAtStart = this.isList ? this.firstPage === 0 : page.length < pageSize;
      if (page.length) this.pages.unshift(page);
      if (this.pages.length > mostPages) {
        this.pages.pop();
        this.isAtEnd = false;
      }
      this.changed(page.length);
    });
  }

  async listed(at) {
    const answer = await listDocuments(this.parent, this.collection, { pageSize, pageToken: this.tokens[at], signal: this.abort.signal });
    this.tokens[at + 1] = answer.next;
    return answer.documents.map(rowOf);
  }

  async found(options) {
    const query = pageQuery(this.plain, { ...options, limit: pageSize });
    return (await runQuery(this.parent, query, { signal: this.abort.signal })).documents.map(rowOf);
  }

  /** Replaces a row by a newer state of its document; undefined if it is not in the window. */
  update(document) {
    for (const page of this.pages) {
      const at = page.findIndex((r) => r.name === document.name);
      if (at < 0) continue;
      if (page[at].updateTime === document.updateTime && !page[at].isGone) return page[at];
      page[at] = { ...rowOf(document), isFresh: true };
      return page[at];
    }
    return undefined;
  }

  /** Strikes a row through; it stays until the next scroll. */
  strike(name) {
    for (const page of this.pages) {
      const at = page.findIndex((r) => r.name === name);
      if (at >= 0) page[at] = { ...page[at], isGone: true };
    }
  }

  /** Takes struck rows out; true if there were any. */
  sweep() {
    const before = this.rows.length;
    this.pages = this.pages.map((page) => page.filter((r) => !r.isGone));
    return this.rows.length !== before;
  }
}

"""#)

    private static let file10 = ConsoleResource("lib/store.js", tag: "459eb74f027adae1", #"""
// SPDX-License-Identifier: Apache-2.0
// State: the route, which is the URL, and what is remembered in the browser. Parsing and formatting are pure.

export const pages = ['data', 'query', 'requests', 'indexes', 'usage', 'transfer', 'rules'];
const base = '/console/';

/** @typedef {{page: string, project: string, database: string, path: string[], params: Object<string, string>}} Route */

/** Every id in a URL is percent-encoded once. The default database's parentheses stay readable. */
export const encode = (id) => encodeURIComponent(id);

function decode(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** @returns {Route} */
export function parseRoute(pathname, search = '') {
  const segments = pathname.startsWith(base) ? pathname.slice(base.length).split('/').filter(Boolean).map(decode) : [];
  const [page = 'data', project = '', database = '', ...path] = segments;
  const params = Object.fromEntries(new URLSearchParams(search));
  return { page: pages.includes(page) ? page : 'data', project, database, path, params };
}

/** @param {Partial<Route>} route */
export function formatRoute({ page, project, database, path = [], params = {} }) {
  const place = project && database ? [project, database, ...path].map(encode).join('/') : '';
  const search = new URLSearchParams(Object.entries(params).filter(([, v]) => v !== undefined && v !== null && v !== '')).toString();
  return `${base}${page}${place ? '/' + place : ''}${search ? '?' + search : ''}`;
}

/** A value that tells when it changes. */
export function signal(initial) {
  const observers = new Set();
  let current = initial;
  return {
    get value() { return current; },
    set value(next) {
      if (Object.is(next, current)) return;
      current = next;
      for (const observer of [...observers]) observer(next);
    },
    /** Calls at once and at every change, until the function that it returns is called. */
    watch(observer) {
      observers.add(observer);
      observer(current);
      return () => observers.delete(observer);
    },
    /** Calls at every change. */
    onChange(observer) {
      observers.add(observer);
      return () => observers.delete(observer);
    },
  };
}

const here = globalThis.location;
export const route = signal(here ? parseRoute(here.pathname, here.search) : parseRoute('/console/'));

/** Asked before the page is left; false keeps it. */
export const guard = { mayLeave: async () => true };

let position = 0;

/** Goes to another place. Members that are not given stay, except params. */
export async function go(change, { replace = false, force = false } = {}) {
  const { page, project, database, path } = route.value;
  const next = { page, project, database, path, params: {}, ...change };
  const url = formatRoute(next);
  if (url === location.pathname + location.search) return true;
  if (!force && !(await guard.mayLeave(next))) return false;
  if (!replace) position += 1;
  history[replace ? 'replaceState' : 'pushState']({ position }, '', url);
  route.value = parseRoute(location.pathname, location.search);
  return true;
}

/** Replaces parameters of the URL; undefined removes. */
export const setParams = (params, options = { replace: true, force: true }) =>
  go({ params: { ...route.value.params, ...params } }, options);

export function followHistory() {
  position = history.state?.position ?? 0;
  addEventListener('popstate', async (event) => {
    const next = parseRoute(location.pathname, location.search);
    const there = event.state?.position ?? 0;
    if (!(await guard.mayLeave(next))) {
      history.pushState({ position }, '', formatRoute(route.value));
      return;
    }
    position = there;
    route.value = next;
  });
}

export const databaseName = (r = route.value) => (r.project && r.database ? `projects/${r.project}/databases/${r.database}` : '');

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
    if (value === undefined) localStorage.removeItem(`hearth.${key}`);
    else localStorage.setItem(`hearth.${key}`, JSON.stringify(value));
  } catch { /* It is forgotten with the page. */ }
}

export const theme = signal(remembered('theme', 'system'));
export const density = signal(remembered('density', 'normal'));
export const server = signal(null);
export const databases = signal([]);
export const isReadOnly = () => server.value?.readOnly ?? false;

"""#)

    private static let file11 = ConsoleResource("lib/values.js", tag: "23d5c78ce6d854c2", #"""
// SPDX-License-Identifier: Apache-2.0
// Values in the form of Firestore's REST API, and the texts people read and type. Pure: no page, no server.
//
// A value that is not edited goes back as it came. Integers are texts of digits (BigInt while they are checked), times are texts and
// never a Date, doubles keep the sign of zero.

/** @typedef {Object<string, any>} Value a value as REST writes it: {"integerValue": "3"} */
/** @typedef {Object<string, Value>} Fields */

export const types = [
  'string', 'integer', 'double', 'boolean', 'timestamp', 'reference', 'geopoint', 'array', 'map', 'vector', 'bytes', 'null',
];

const members = {
  nullValue: 'null', booleanValue: 'boolean', integerValue: 'integer', doubleValue: 'double', timestampValue: 'timestamp',
  stringValue: 'string', bytesValue: 'bytes', referenceValue: 'reference', geoPointValue: 'geopoint', arrayValue: 'array',
  mapValue: 'map', sentinel: 'sentinel',
};

/** @param {Value} value */
export function typeOf(value) {
  for (const key in value) {
    const type = members[key];
    if (type === 'map' && isVector(value)) return 'vector';
    if (type) return type;
  }
  return 'null';
}

function isVector(value) {
  const fields = value.mapValue.fields;
  return fields?.__type__?.stringValue === '__vector__' && Array.isArray(fields.value?.arrayValue?.values ?? []);
}

export const fieldsOf = (value) => value.mapValue?.fields ?? {};
export const elementsOf = (value) => value.arrayValue?.values ?? [];
export const vectorOf = (value) => (value.mapValue.fields.value?.arrayValue?.values ?? []).map(numberOf);
const numberOf = (value) => Number('doubleValue' in value ? value.doubleValue : value.integerValue);
export const bytesOf = (value) => Uint8Array.from(atob(value.bytesValue ?? ''), (c) => c.charCodeAt(0));

export const text = (string) => ({ stringValue: string });
export const mapOf = (fields) => ({ mapValue: { fields } });
export const arrayOf = (values) => ({ arrayValue: { values } });
export const vector = (numbers) => mapOf({
  __type__: text('__vector__'), value: arrayOf(numbers.map((n) => ({ doubleValue: restNumber(n) }))),
});

/** JSON has no NaN and no infinities, and JSON.stringify drops the sign of zero. */
export function restNumber(number) {
  if (Object.is(number, -0)) return '-0.0';
  return Number.isFinite(number) ? number : String(number);
}

export const bytes = (array) => {
  let binary = '';
  for (let i = 0; i < array.length; i += 8192) binary += String.fromCharCode(...array.subarray(i, i + 8192));
  return { bytesValue: btoa(binary) };
};

/** JSON that keeps the sign of zero. */
export const toJSON = (any, indent) => JSON.stringify(any, (_, v) => (Object.is(v, -0) ? '-0.0' : v), indent);

// Names and paths

/** By UTF-8 bytes, as the server orders names; the same as by code points. */
export function compareNames(a, b) {
  const [x, y] = [a[Symbol.iterator](), b[Symbol.iterator]()];
  for (;;) {
    const [l, r] = [x.next(), y.next()];
    if (l.done || r.done) return l.done ? (r.done ? 0 : -1) : 1;
    const difference = l.value.codePointAt(0) - r.value.codePointAt(0);
    if (difference) return difference;
  }
}

export const sortedNames = (fields) => Object.keys(fields).sort(compareNames);

export function fieldPath(segments) {
  return segments.map((s) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(s) ? s : '`' + s.replace(/[\\`]/g, '\\$&') + '`')).join('.');
}

/** The names in a field path: dots separate, backticks quote. Throws an Error that says what is wrong. */
export function parseFieldPath(path) {
  const segments = [];
  let i = 0;
  for (;;) {
    let name = '';
    if (path[i] === '`') {
      for (i += 1; path[i] !== '`'; i += 1) {
        if (i >= path.length) throw new Error('A backtick is not closed.');
        if (path[i] === '\\') i += 1;
        name += path[i] ?? '';
      }
      i += 1;
    } else {
      while (i < path.length && path[i] !== '.') name += path[i++];
    }
    if (!name) throw new Error('A field path has no empty parts.');
    segments.push(name);
    if (i >= path.length) return segments;
    if (path[i] !== '.') throw new Error(`A dot is expected after \`${name}\`.`);
    i += 1;
  }
}

/** The value at a path of names and indexes; undefined if there is none. */
export function valueAt(fields, path) {
  let value = mapOf(fields);
  for (const step of path) {
    if (typeof step === 'number') value = typeOf(value) === 'array' ? elementsOf(value)[step] : undefined;
    else value = typeOf(value) === 'map' && Object.hasOwn(fieldsOf(value), step) ? fieldsOf(value)[step] : undefined;
    if (!value) return undefined;
  }
  return value;
}

/** A copy of a map or array in which the member at a path is other; undefined removes it. Maps on the way are made. */
function withMember(value, [step, ...rest], change) {
  if (typeof step === 'number') {
    const items = [...elementsOf(value)];
    const next = rest.length ? withMember(items[step], rest, change) : change;
    items.splice(step, 1, ...(next === undefined ? [] : [next]));
    return arrayOf(items);
  }
  const fields = value && typeOf(value) === 'map' ? { ...fieldsOf(value) } : {};
  const inner = Object.hasOwn(fields, step) ? fields[step] : undefined;
  const next = rest.length && (inner || change !== undefined) ? withMember(inner, rest, change) : change;
  if (next === undefined) delete fields[step];
  else define(fields, step, next);
  return mapOf(fields);
}

/** The fields with another value at a path. */
export const withValue = (fields, path, value) => fieldsOf(withMember(mapOf(fields), path, value));

export const rootOf = (database) => `${database}/documents`;
export const relative = (name) => name.replace(/^projects\/[^/]+\/databases\/[^/]+\/documents\/?/, '');
export const isIn = (name, database) => name.startsWith(rootOf(database) + '/');

/** The problem of an id, or undefined. */
export function idProblem(id) {
  if (!id) return 'An id has at least one character.';
  if (id.includes('/')) return 'An id cannot contain a slash.';
  if (id === '.' || id === '..') return 'An id cannot be “.” or “..”.';
  if (/^__.*__$/s.test(id)) return 'Ids like __name__ are reserved.';
  if (new TextEncoder().encode(id).length > 1500) return 'An id has at most 1,500 bytes.';
  return undefined;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export function newID() {
  let id = '';
  while (id.length < 20) for (const b of crypto.getRandomValues(new Uint8Array(40))) if (b < 248 && id.length < 20) id += alphabet[b % 62];
  return id;
}

// Texts

/** The shortest text that reads back as this double and is not an integer's. */
export function doubleText(value) {
  const number = Number(value);
  if (Object.is(number, -0)) return '-0.0';
  const shortest = String(number);
  return /^-?\d+$/.test(shortest) ? shortest + '.0' : shortest;
}

const grouped = (digits) => String(digits).replace(/\B(?=(\d{3})+$)/g, '\u202f');

export const sizeText = (bytes) => {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let at = -1;
  while (bytes >= 999.5 && at < 3) [bytes, at] = [bytes / 1000, at + 1];
  return `${bytes < 10 ? bytes.toFixed(1) : Math.round(bytes)} ${units[at]}`;
};

/** Characters that are not seen: controls, marks of direction, joiners. */
const invisible = /[\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g;
const pictures = { '\n': '↵', '\t': '⇥', '\r': '␍', '\u00a0': '⍽' };
export const visible = (string) =>
  string.replace(invisible, (c) => pictures[c] ?? `‹${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}›`);

export const hex = (array, separator = '') => Array.from(array, (b) => b.toString(16).padStart(2, '0')).join(separator);

/** One line that shows a value: what tables and trees contain. */
export function summary(value, database) {
  switch (typeOf(value)) {
    case 'string': {
      const all = value.stringValue;
      const cut = all.length > 200 ? all.slice(0, 200) + '…' : all;
      return `"${visible(cut)}"`;
    }
    case 'integer': return grouped(value.integerValue);
    case 'double': return doubleText(value.doubleValue);
    case 'boolean': return String(value.booleanValue);
    case 'timestamp': return value.timestampValue.replace('T', ' ');
    case 'reference': return referenceText(value, database);
    case 'geopoint': return `${coordinate(value, 'latitude')}, ${coordinate(value, 'longitude')}`;
    case 'array': return `[${elementsOf(value).length}]`;
    case 'map': {
      const names = sortedNames(fieldsOf(value));
      return `{${names.slice(0, 4).map((n) => visible(n.slice(0, 24))).join(', ')}${names.length > 4 ? ', …' : ''}}`;
    }
    case 'vector': {
      const numbers = vectorOf(value);
      return `${numbers.length} · ${numbers.slice(0, 3).map(Number).join(', ')}${numbers.length > 3 ? ', …' : ''}`;
    }
    case 'bytes': {
      const array = bytesOf(value);
      return `${sizeText(array.length)} · ${hex(array.subarray(0, 16), ' ')}${array.length > 16 ? ' …' : ''}`;
    }
    case 'sentinel': return sentinelText(value.sentinel);
    default: return 'null';
  }
}

const coordinate = (value, name) => String(doubleText(value.geoPointValue[name] ?? 0)).replace(/\.0$/, '');

export function referenceText(value, database) {
  const name = value.referenceValue;
  return database && isIn(name, database) ? relative(name) : name;
}

/** The text that is put into an input, of types that are edited as one. */
export function editText(value, database) {
  switch (typeOf(value)) {
    case 'string': return value.stringValue;
    case 'integer': return value.integerValue;
    case 'double': return doubleText(value.doubleValue);
    case 'boolean': return String(value.booleanValue);
    case 'timestamp': return value.timestampValue;
    case 'reference': return referenceText(value, database);
    case 'geopoint': return `${coordinate(value, 'latitude')}, ${coordinate(value, 'longitude')}`;
    case 'vector': return vectorOf(value).map((n) => (Object.is(n, -0) ? '-0' : String(n))).join(', ');
    case 'bytes': return hex(bytesOf(value), ' ');
    case 'null': return 'null';
    default: return '';
  }
}

/** The value of a typed text. Throws an Error with a sentence for the person who typed it. */
export function parseValue(type, typed, database) {
  const trimmed = typed.trim();
  switch (type) {
    case 'string': return text(typed);
    case 'integer': return { integerValue: parseInteger(trimmed) };
    case 'double': return { doubleValue: restNumber(parseDouble(trimmed)) };
    case 'boolean':
      if (trimmed !== 'true' && trimmed !== 'false') throw new Error('A boolean is true or false.');
      return { booleanValue: trimmed === 'true' };
    case 'timestamp': return { timestampValue: parseTimestamp(trimmed) };
    case 'reference': return { referenceValue: parseReference(trimmed, database) };
    case 'geopoint': return parseGeoPoint(trimmed);
    case 'vector': return vector(parseNumbers(trimmed));
    case 'bytes': return bytes(parseBytes(trimmed));
    case 'null': return { nullValue: null };
    default: throw new Error(`A value of type ${type} is not one line of text.`);
  }
}

function parseInteger(typed) {
  const digits = typed.replace(/[\s_\u202f\u2009,']/g, '').replace(/^\u2212/, '-');
  if (!/^[+-]?\d+$/.test(digits)) throw new Error('An integer has digits only. For 1.5 choose the type double.');
  const number = BigInt(digits.replace('+', ''));
  if (BigInt.asIntN(64, number) !== number) {
    throw new Error('Integers have 64 bits: −9,223,372,036,854,775,808 to 9,223,372,036,854,775,807.');
  }
  return number.toString();
}

function parseDouble(typed) {
  const plain = typed.replace(/[\s\u202f]/g, '').replace(/^\u2212/, '-');
  if (/^[+-]?(nan)$/i.test(plain)) return NaN;
  if (/^[+-]?(inf|infinity|∞)$/i.test(plain)) return plain[0] === '-' ? -Infinity : Infinity;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) throw new Error('A double is a number such as 1.5, 6.02e23, NaN or -Infinity.');
  const number = Number(plain);
  if (!Number.isFinite(number)) throw new Error('This is more than a double can hold; write Infinity if that is meant.');
  return number;
}

function parseNumbers(typed) {
  const inner = typed.replace(/^\[|\]$/g, '').trim();
  const numbers = inner ? inner.split(/[\s,;]+/).filter(Boolean).map(parseDouble) : [];
  if (numbers.length > 2048) throw new Error(`A vector has at most 2,048 dimensions, and this has ${numbers.length}.`);
  return numbers;
}

function parseGeoPoint(typed) {
  const parts = typed.split(/[\s,;]+/).filter(Boolean).map(parseDouble);
  if (parts.length !== 2) throw new Error('A geopoint is two numbers: latitude, longitude.');
  if (!(Math.abs(parts[0]) <= 90)) throw new Error('The latitude is from −90 to 90.');
  if (!(Math.abs(parts[1]) <= 180)) throw new Error('The longitude is from −180 to 180.');
  return { geoPointValue: { latitude: restNumber(parts[0]), longitude: restNumber(parts[1]) } };
}

function parseReference(typed, database) {
  const path = typed.replace(/^\/+|\/+$/g, '');
  const isFull = /^projects\/[^/]+\/databases\/[^/]+\/documents\/./.test(path);
  const segments = relative(path).split('/');
  const problem = segments.map(idProblem).find(Boolean);
  if (problem) throw new Error(problem);
  if (segments.length % 2) throw new Error('A reference names a document: collection/id, or collection/id/collection/id.');
  return isFull ? path : `${rootOf(database)}/${path}`;
}

/** Hexadecimal digits, or base64 behind “base64:”: a text like "ABCD" is both, so it has to be said. */
function parseBytes(typed) {
  const plain = typed.replace(/\s/g, '');
  if (/^(0x)?([0-9a-f]{2})*$/i.test(plain)) {
    return Uint8Array.from(plain.replace(/^0x/i, '').match(/../g) ?? [], (pair) => parseInt(pair, 16));
  }
  try {
    if (!plain.startsWith('base64:')) throw new Error();
    const base64 = plain.slice(7).replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '');
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  } catch {
    throw new Error('Bytes are pairs of hexadecimal digits, or “base64:” and base64.');
  }
}

// Times

const monthDays = (year, month) =>
  month === 2 ? (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

/** Days since 1970-01-01 of a date of the Gregorian calendar. */
function daysOf(year, month, day) {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const yearOfEra = y - era * 400;
  return era * 146097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719468;
}

function dateOf(days) {
  const z = days + 719468;
  const era = Math.floor(z / 146097);
  const e = z - era * 146097;
  const year = Math.floor((e - Math.floor(e / 1460) + Math.floor(e / 36524) - Math.floor(e / 146096)) / 365);
  const dayOfYear = e - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const m = Math.floor((5 * dayOfYear + 2) / 153);
  const month = m < 10 ? m + 3 : m - 9;
  return [year + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - Math.floor((153 * m + 2) / 5) + 1];
}

const two = (n, width = 2) => String(n).padStart(width, '0');
const dateTime = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/i;

/** The same moment as RFC 3339 in UTC, with the digits behind the point as typed. */
export function parseTimestamp(typed) {
  const found = dateTime.exec(typed.replace('\u2212', '-'));
  if (!found) throw new Error('A timestamp is like 2026-11-22T09:30:00.25Z, with up to 9 digits, or with an offset like +01:00.');
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((n) => Number(n ?? 0));
  const fraction = found[7] ?? '';
  if (month < 1 || month > 12 || day < 1 || day > monthDays(year, month)) throw new Error(`There is no day ${typed.slice(0, 10)}.`);
  if (hour > 23 || minute > 59 || second > 59) throw new Error('The time of day ends at 23:59:59.');
  if (fraction.length > 9) throw new Error('A timestamp has at most 9 digits behind the point.');
  const zone = /^([+-])(\d\d):?(\d\d)$/.exec(found[8] ?? '');
  const offset = zone ? (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3])) : 0;
  const minutes = daysOf(year, month, day) * 1440 + hour * 60 + minute - offset;
  const [y, m, d] = dateOf(Math.floor(minutes / 1440));
  if (y < 1 || y > 9999) throw new Error('A timestamp is from year 1 to 9999.');
  const rest = ((minutes % 1440) + 1440) % 1440;
  const digits = fraction.replace(/0+$/, '');
  return `${two(y, 4)}-${two(m)}-${two(d)}T${two(Math.floor(rest / 60))}:${two(rest % 60)}:${two(second)}${digits ? '.' + digits : ''}Z`;
}

/** The local time of a timestamp, with all its digits. Only the difference to UTC comes from the system. */
export function localTime(timestamp) {
  const found = /^(-?\d+-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z$/.exec(timestamp);
  const moment = found ? Date.parse(found[1] + 'Z') : NaN;
  if (Number.isNaN(moment)) return timestamp;
  const offset = -new Date(moment).getTimezoneOffset();
  const local = new Date(moment + offset * 60000).toISOString().slice(0, 19).replace('T', ' ');
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const zone = offset === 0 ? 'UTC' : `UTC${offset < 0 ? '−' : '+'}${two(hours)}:${two(minutes)}`;
  return `${local}${found[2] ?? ''} ${zone}`;
}

// Types changed by the type menu

/** A value of another type that keeps what can be kept. */
export function converted(value, type, database) {
  const from = typeOf(value);
  if (from === type) return value;
  switch (type) {
    case 'null': return { nullValue: null };
    case 'array': return from === 'vector' ? arrayOf(vectorOf(value).map((n) => ({ doubleValue: restNumber(n) }))) : arrayOf([]);
    case 'map': return from === 'vector' ? mapOf({}) : mapOf({});
    case 'boolean': return { booleanValue: from === 'integer' || from === 'double' ? numberOf(value) !== 0 : editText(value) === 'true' };
    case 'integer':
      if (from === 'double') {
        const whole = Math.round(numberOf(value));
        if (Number.isSafeInteger(whole)) return { integerValue: BigInt(whole).toString() };
      }
      break;
    case 'double':
      if (from === 'integer') return { doubleValue: numberOf(value) };
      break;
    case 'vector':
      if (from === 'array') {
        const items = elementsOf(value);
        if (items.every((i) => ['integer', 'double'].includes(typeOf(i)))) return vector(items.map(numberOf));
      }
      break;
    case 'bytes':
      return bytes(new TextEncoder().encode(from === 'string' ? value.stringValue : ''));
    case 'string': {
      if (from === 'bytes') return text(new TextDecoder().decode(bytesOf(value)));
      return text(from === 'null' ? '' : editText(value, database));
    }
  }
  try {
    return parseValue(type, editText(value, database), database);
  } catch {
    return initial(type, database);
  }
}

/** What a new field of a type begins with. */
export function initial(type, database) {
  switch (type) {
    case 'integer': return { integerValue: '0' };
    case 'double': return { doubleValue: 0 };
    case 'boolean': return { booleanValue: false };
    case 'timestamp': return { timestampValue: new Date().toISOString() };
    case 'reference': return { referenceValue: `${rootOf(database ?? 'projects/p/databases/d')}/collection/id` };
    case 'geopoint': return { geoPointValue: { latitude: 0, longitude: 0 } };
    case 'array': return arrayOf([]);
    case 'map': return mapOf({});
    case 'vector': return vector([]);
    case 'bytes': return { bytesValue: '' };
    case 'null': return { nullValue: null };
    default: return text('');
  }
}

// What the server computes

export const sentinels = {
  serverTime: 'Server time', increment: 'Increment by…', union: 'Array union…', remove: 'Array removal…',
};

function sentinelText(sentinel) {
  switch (sentinel.kind) {
    case 'serverTime': return 'server time when saved';
    case 'increment': return `increment by ${summary(sentinel.operand)}`;
    case 'union': return `add missing ${elementsOf(sentinel.operand).length} to the array`;
    default: return `remove ${elementsOf(sentinel.operand).length} from the array`;
  }
}

function transform(path, { kind, operand }) {
  const field = { fieldPath: fieldPath(path) };
  if (kind === 'serverTime') return { ...field, setToServerValue: 'REQUEST_TIME' };
  if (kind === 'increment') return { ...field, increment: operand };
  return { ...field, [kind === 'union' ? 'appendMissingElements' : 'removeAllFromArray']: operand.arrayValue };
}

/** Takes what the server computes out of fields, and lists it as transforms. */
function withoutSentinels(fields, path, transforms) {
  const kept = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value.sentinel) transforms.push(transform([...path, name], value.sentinel));
    else if (typeOf(value) === 'map') define(kept, name, mapOf(withoutSentinels(fieldsOf(value), [...path, name], transforms)));
    else define(kept, name, value);
  }
  return kept;
}

/** A member of any name, `__proto__` included. */
export function define(object, name, value) {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

// Comparing and saving

export function same(a, b) {
  if (a === b) return true;
  const type = typeOf(a);
  if (type !== typeOf(b)) return false;
  switch (type) {
    case 'double': return Object.is(Number(a.doubleValue), Number(b.doubleValue));
    case 'array': return sameList(elementsOf(a), elementsOf(b));
    case 'map': return sameFields(fieldsOf(a), fieldsOf(b));
    case 'vector': return sameList(vectorOf(a), vectorOf(b), Object.is);
    case 'geopoint':
      return ['latitude', 'longitude'].every((n) => Object.is(Number(a.geoPointValue[n] ?? 0), Number(b.geoPointValue[n] ?? 0)));
    case 'null': return true;
    case 'sentinel': return toJSON(a) === toJSON(b);
    default: {
      const key = Object.keys(a).find((k) => k in members);
      return a[key] === b[key];
    }
  }
}

const sameList = (a, b, equal = same) => a.length === b.length && a.every((v, i) => equal(v, b[i]));

export function sameFields(a, b) {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((n) => Object.hasOwn(b, n) && same(a[n], b[n]));
}

/** The paths that differ, each as long as possible: maps are compared field by field, everything else as a whole. */
export function changedPaths(before, after, prefix = []) {
  const paths = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before, after].map((f) => (Object.hasOwn(f, name) ? f[name] : undefined));
    const path = [...prefix, name];
    if (!old || !now) paths.push(path);
    else if (typeOf(old) === 'map' && typeOf(now) === 'map' && Object.keys(fieldsOf(old)).length && Object.keys(fieldsOf(now)).length) {
      paths.push(...changedPaths(fieldsOf(old), fieldsOf(now), path));
    } else if (!same(old, now)) paths.push(path);
  }
  return paths;
}

/** One write of just what differs, for a commit; undefined if nothing does. */
export function writeOfChanges(name, before, after, precondition) {
  const transforms = [];
  let fields = {};
  const mask = [];
  for (const path of changedPaths(before, after)) {
    const value = valueAt(after, path);
    if (value?.sentinel) {
      transforms.push(transform(path, value.sentinel));
      continue;
    }
    mask.push(fieldPath(path));
    if (!value) continue;
    fields = withValue(fields, path, typeOf(value) === 'map' ? mapOf(withoutSentinels(fieldsOf(value), path, transforms)) : value);
  }
  if (!mask.length && !transforms.length) return undefined;
  return {
    update: { name, fields }, updateMask: { fieldPaths: mask },
    ...(transforms.length && { updateTransforms: transforms }), ...(precondition && { currentDocument: precondition }),
  };
}

/** A write of a whole document. */
export function writeOfDocument(name, fields, precondition) {
  const transforms = [];
  const kept = withoutSentinels(fields, [], transforms);
  return {
    update: { name, fields: kept }, ...(transforms.length && { updateTransforms: transforms }),
    ...(precondition && { currentDocument: precondition }),
  };
}

"""#)

    private static let file12 = ConsoleResource("main.js", tag: "d48e10b785b51d9b", #"""
// SPDX-License-Identifier: Apache-2.0
// The shell: what stands around each page, the keys, and what to do without a server or a token.
import { collectionIDs, connection, consoleCall, keepToken, loadServer, takeToken, viewAs } from './lib/api.js';
import { announce, button, empty, h, icon, iconButton, isTyping, replace, skeleton } from './lib/dom.js';
import { addSamples, followVisibility, isPaused, liveState, restart, sample, samples } from './lib/live.js';
import {
  databaseName, databases, density, followHistory, formatRoute, go, parseRoute, remember, remembered, route, server, signal, theme,
} from './lib/store.js';
import { rootOf } from './lib/values.js';
import { combobox, dialog, guideLink, menuButton, showError } from './ui/widgets.js';

const titles = {
  data: 'Data', query: 'Query', requests: 'Requests', indexes: 'Indexes', usage: 'Usage', transfer: 'Import & export', rules: 'Rules',
};
const keys = { d: 'data', q: 'query', r: 'requests', i: 'indexes', u: 'usage', t: 'transfer', s: 'rules' };
const byID = (id) => document.getElementById(id);

export const collections = signal({ ids: [], next: undefined, isLoaded: false });
let page = null;
let pageName = '';
let turn = 0;

export async function loadCollections(more = false) {
  const database = databaseName();
  if (!database) return;
  try {
    const before = more ? collections.value : { ids: [] };
    const answer = await collectionIDs(rootOf(database), before.next);
    if (database === databaseName()) collections.value = { ids: [...before.ids, ...answer.ids], next: answer.next, isLoaded: true };
  } catch (error) {
    if (error.name !== 'AbortError') collections.value = { ids: [], isLoaded: true, error };
  }
}

const loadDatabases = async () => { databases.value = (await consoleCall('GET', 'databases')).databases; };

/** The place of the URL; without one the database of last time, of the server, or the first. */
async function findPlace() {
  const { project, database } = route.value;
  if (project && database) return;
  const names = databases.value.map((d) => d.name);
  const wanted = [remembered('database'), server.value?.project && `projects/${server.value.project}/databases/(default)`];
  const name = wanted.find((n) => names.includes(n)) ?? names[0];
  if (name) await go({ project: name.split('/')[1], database: name.split('/')[3], path: [] }, { replace: true });
}

// Top bar

function top() {
  const database = h('span', { class: 'ellipsis' });
  const person = h('span', { class: 'ellipsis wide-only' });
  const personButton = menuButton([icon('person'), person], viewMenu, { 'aria-label': 'View as', title: 'View as' });
  const databaseButton = menuButton([icon('data'), database, icon('down')], databaseMenu,
    { 'aria-label': 'Database', class: 'tool database' });
  const box = combobox({
    label: 'Path or command', placeholder: 'Go to a path or command   /', className: 'path', suggest, submit: openPath,
  });
  byID('top').append(
    iconButton('menu', 'Menu', () => document.body.classList.toggle('menu-open'), { class: 'tool narrow-only' }),
    h('a', { class: 'brand', href: '/console/data' }, icon('flame'), h('span', { class: 'wide-only' }, 'Hearth')),
    databaseButton, box.element, personButton,
    menuButton(icon('more'), settingsMenu, { 'aria-label': 'Settings', title: 'Settings' }),
    h('div', { id: 'primary', class: 'row' }));
  route.watch((r) => {
    database.textContent = r.project ? (r.database === '(default)' ? r.project : `${r.project} / ${r.database}`) : 'No database';
    box.input.value = r.page === 'data' ? r.path.join('/') : '';
  });
  viewAs.watch((as) => {
    person.textContent = as === null ? 'Administrator' : as === 'anonymous' ? 'Not signed in' : as.sub;
    personButton.classList.toggle('on', as !== null);
  });
  return box;
}

function databaseMenu() {
  loadDatabases().catch(() => {});
  return [
    { heading: 'Databases' },
    ...databases.value.map((d) => {
      const [, project, , id] = d.name.split('/');
      return {
        label: `${project} / ${id}`, checked: d.name === databaseName(),
        action: () => go({ project, database: id, path: [] }),
      };
    }),
    null,
    { label: 'Another database…', action: otherDatabase },
  ];
}

async function otherDatabase() {
  const project = h('input', { class: 'mono', required: true, autocomplete: 'off', value: route.value.project });
  const id = h('input', { class: 'mono', autocomplete: 'off', value: '(default)' });
  const answer = await dialog({
    title: 'Another database', actions: [['Cancel', undefined], ['Open', true, 'primary']],
    body: [h('p', { class: 'muted' }, 'A database that does not exist is created by its first document.'),
      h('label', { class: 'stack' }, 'Project', project), h('label', { class: 'stack' }, 'Database', id)],
    validate: () => (project.value && id.value && !/[/]/.test(project.value + id.value) ? undefined : 'Both have a name without slashes.'),
  });
  if (answer) go({ page: 'data', project: project.value, database: id.value, path: [] });
}

/** The id of a user; “anonymous” is none, and strings have a method sub. */
const userOf = (as) => (as && typeof as === 'object' ? as.sub : undefined);

function viewMenu() {
  const set = (as) => () => {
    viewAs.value = as;
    loadCollections();
    page?.refresh?.();
  };
  const as = viewAs.value;
  const user = userOf(as);
  return [
    { heading: 'View as' },
    { label: 'Administrator', checked: as === null, action: set(null) },
    { label: 'Not signed in', checked: as === 'anonymous', action: set('anonymous') },
    { label: user ? `User ${user}…` : 'A user…', checked: Boolean(user), action: viewUser },
  ];
}

async function viewUser() {
  const id = h('input', { class: 'mono', autocomplete: 'off', value: userOf(viewAs.value) ?? '' });
  const { sub, ...claims } = userOf(viewAs.value) ? viewAs.value : {};
  const text = h('textarea', { class: 'mono', rows: 5, spellcheck: false, value: Object.keys(claims).length
    ? JSON.stringify(claims, null, 2) : '' });
  let as;
  const answer = await dialog({
    title: 'View as a user', actions: [['Cancel', undefined], ['View', true, 'primary']],
    body: [h('p', { class: 'muted' }, 'Requests of this console are then judged by the rules, as if this user had sent them.'),
      h('label', { class: 'stack' }, 'User id', id), h('label', { class: 'stack' }, 'Claims, as JSON', text)],
    validate: () => {
      if (!id.value) return 'A user has an id.';
      try {
        as = { ...JSON.parse(text.value || '{}'), sub: id.value };
      } catch (error) {
        return `The claims are not JSON: ${error.message}`;
      }
      return undefined;
    },
  });
  if (!answer) return;
  viewAs.value = as;
  loadCollections();
  page?.refresh?.();
}

function settingsMenu() {
  const choice = (setting, name, value, label) => ({
    label, checked: setting.value === value, action: () => {
      setting.value = value;
      remember(name, value);
    },
  });
  return [
    { heading: 'Theme' }, choice(theme, 'theme', 'system', 'As the system'), choice(theme, 'theme', 'light', 'Light'),
      choice(theme, 'theme', 'dark', 'Dark'),
    { heading: 'Rows' }, choice(density, 'density', 'compact', 'Compact'), choice(density, 'density', 'normal', 'Normal'),
      choice(density, 'density', 'roomy', 'Roomy'),
    null, { label: 'Keys', hint: '?', action: showKeys }, { label: 'About this server', action: showServer },
  ];
}

function showServer() {
  const s = server.value ?? {};
  const rows = [
    ['Version', s.version], ['Address', s.address], ['Data', s.data ?? 'in memory'], ['Started', s.startTime],
    ['Mode', s.development ? 'development: tokens are not verified' : 'tokens are verified'], ...Object.entries(s.settings ?? {}),
  ];
  dialog({ title: 'This server', body: h('dl', { class: 'facts' },
    rows.map(([k, v]) => [h('dt', {}, k), h('dd', { class: 'mono' }, String(v ?? '–'))])) });
}

const keyList = [
  ['/ or Ctrl K', 'Path and commands'], ['g d, g q, g r', 'Data, query, requests'],
    ['g i, g u, g t, g s', 'Indexes, usage, transfer, rules'],
  ['↑ ↓ ← → Home End', 'Move in tables'], ['Enter', 'Open, or edit a field'], ['e', 'Edit the document'], ['n', 'New document'],
    ['Space', 'Select a row'],
  ['Delete', 'Delete'], ['[ and ]', 'Previous and next document'], ['Ctrl S', 'Save'], ['Ctrl Enter', 'Run the query'],
    ['Alt ↑ ↓', 'Move an element of an array'],
  ['.', 'Pause live updates'], ['Escape', 'Take back, close'], ['?', 'This list'],
];

function showKeys() {
  dialog({ title: 'Keys', body: h('dl', { class: 'facts keys' },
    keyList.map(([k, v]) => [h('dt', {}, h('kbd', {}, k)), h('dd', {}, v)])) });
}

function commands() {
  return [
    ...Object.entries(titles).map(([name, title]) => ({
      label: title, hint: `g ${Object.keys(keys).find((k) => keys[k] === name)}`, action: () => go({ page: name, path: [] }),
    })),
    { label: isPaused.value ? 'Resume live updates' : 'Pause live updates', hint: '.',
      action: () => { isPaused.value = !isPaused.value; } },
    { label: 'Keys', hint: '?', action: showKeys },
    ...(page?.commands?.() ?? []),
  ];
}

async function suggest(text) {
  const typed = text.trim().toLowerCase();
  const known = route.value.path.join('/').toLowerCase();
  const all = [
    ...collections.value.ids.map((id) => ({ label: id, hint: 'collection', action: () => go({ page: 'data', path: [id] }) })),
      ...commands(),
  ];
  return (typed && typed !== known ? all.filter((o) => o.label.toLowerCase().includes(typed)) : all).slice(0, 14);
}

function openPath(text) {
  const path = text.trim().split('/').filter(Boolean);
  if (path.length) go({ page: 'data', path });
}

// Left column

function left() {
  const list = h('ul', {});
  const found = h('div', { class: 'collections' });
  byID('left').append(list, found);
  route.watch((r) => {
    replace(list, Object.entries(titles).map(([name, title]) => h('li', {}, h('a', {
      href: formatRoute({ ...r, page: name, path: [], params: {} }), 'aria-current': r.page === name ? 'page' : undefined,
    }, icon(name), title))));
    document.body.classList.remove('menu-open');
  });
  const draw = () => {
    const { ids, next, isLoaded, error } = collections.value;
    const r = route.value;
    const isShown = Boolean(r.project) && isLoaded && (ids.length > 0 || error);
    replace(found, isShown && [
      h('h2', { class: 'heading' }, 'Collections'),
      error && h('p', { class: 'muted pad' }, error.message),
      h('ul', {}, ids.map((id) => {
        const isHere = r.page === 'data' && r.path[0] === id;
        return h('li', {}, h('a', {
          class: 'mono', title: id, href: formatRoute({ ...r, page: 'data', path: [id], params: {} }),
          'aria-current': isHere && r.path.length <= 2 ? 'true' : undefined,
        }, h('span', { class: 'ellipsis' }, id)), isHere && below(r));
      })),
      next && button('More collections', () => loadCollections(true), { class: 'button small pad' }),
    ]);
  };
  collections.onChange(draw);
  route.watch(draw);
}

/** The way from a collection to the one below that is open. */
function below(r) {
  const parts = [];
  for (let i = 2; i < r.path.length; i += 2) {
    const path = r.path.slice(0, i + 1);
    parts.push(h('li', {}, h('a', {
      class: 'mono', href: formatRoute({ ...r, page: 'data', path, params: {} }), title: path.join('/'),
        style: { '--depth': String(i / 2) },
      'aria-current': i + 2 >= r.path.length ? 'true' : undefined,
    }, h('span', { class: 'ellipsis' }, h('span', { class: 'faint' }, path[i - 1], ' / '), path[i]))));
  }
  return parts.length ? h('ul', { class: 'below' }, parts) : null;
}

// Status bar

function status() {
  const state = h('button', {
    type: 'button', class: 'state', onclick: () => {
      if (liveState.value === 'gone') restart();
      else isPaused.value = !isPaused.value;
    },
  });
  const figures = h('span', { class: 'figures wide-only' });
  byID('status').append(state, h('span', { class: 'address mono faint' }, location.host), figures,
    h('span', { class: 'grow' }), h('button', { type: 'button', class: 'state', onclick: showKeys }, '? for keys'));
  const words = { connecting: 'Connecting', live: 'Live', paused: 'Paused', off: 'Not live', gone: 'No connection' };
  liveState.watch((s) => replace(state, h('span', { class: `dot ${s}`, 'aria-hidden': 'true' }), words[s]));
  sample.watch((s) => {
    const before = samples.at(-2);
    const seconds = s && before ? (Date.parse(s.time) - Date.parse(before.time)) / 1000 : 0;
    const rate = (name) => Math.max(0, Math.round((s[name] - before[name]) / seconds)).toLocaleString('en');
    const what = s?.reads !== undefined ? 'reads' : 'calls';
    figures.textContent = seconds > 0 ? `${rate(what)} ${what}/s   ·   ${s.listeners ?? '–'} ${s.listeners === 1 ? 'listener' : 'listeners'}` : '';
  });
}

// Pages

async function show(r) {
  const mine = ++turn;
  if (!r.project || !r.database) {
    await findPlace();
    if (route.value.project) return;
    leave();
    replace(byID('main'), noDatabase());
    return;
  }
  remember('database', databaseName());
  if (pageName === r.page && page) {
    page.update?.(r);
  } else {
    leave();
    const late = setTimeout(() => replace(byID('main'), skeleton()), 150);
    try {
      const module = await import(`./pages/${r.page}.js`);
      if (mine !== turn) return;
      page = module.open({ setPrimary, collections, loadCollections });
      pageName = r.page;
      replace(byID('main'), page.element);
      page.update?.(r);
    } finally {
      clearTimeout(late);
    }
  }
  document.title = [r.page === 'data' && r.path.length ? r.path.join('/') : titles[r.page], 'Hearth'].join(' · ');
}

function leave() {
  page?.destroy?.();
  page = null;
  pageName = '';
  setPrimary();
}

/** The one filled button of a page. */
function setPrimary(...buttons) {
  replace(byID('primary'), buttons);
}

function noDatabase() {
  return empty('Nothing here yet. Point an app at it:',
    h('pre', { class: 'command', tabIndex: 0 }, `export FIRESTORE_EMULATOR_HOST=${location.host}`),
    h('p', { class: 'muted' }, 'Or begin here:'), button('Open a database', otherDatabase, { class: 'button primary' }), guideLink());
}

function locked() {
  turn += 1;
  leave();
  const input = h('input', { class: 'mono', autocomplete: 'off', 'aria-label': 'Token or address', placeholder: 'http://…/console/#t=…' });
  const form = h('form', {
    class: 'row', onsubmit: (event) => {
      event.preventDefault();
      keepToken(decodeURIComponent(input.value.trim().replace(/^.*#t=/, '')));
      connection.value = 'ok';
      start();
    },
  }, input, button('Open', undefined, { class: 'button primary', type: 'submit' }));
  replace(byID('main'), empty('This page needs the address with the token.',
    h('p', { class: 'muted' }, 'The server prints it when it starts, and so does this command:'),
    h('pre', { class: 'command', tabIndex: 0 }, 'hearth console'), h('p', { class: 'muted' }, 'Open it, or paste it here:'), form));
  input.focus();
}

async function start() {
  try {
    const later = loadDatabases();
    later.catch(() => {});
    const loaded = loadServer();
    // With a place in the URL its rows are asked for at once; a console that only reads is drawn again without what writes.
    const isPlaced = Boolean(route.value.database);
    if (isPlaced) show(route.value).catch(() => {});
    await loaded;
    connection.value = 'ok';
    consoleCall('GET', 'metrics').then((m) => addSamples(m.samples), () => {});
    if (!isPlaced) await later;
    if (server.value.readOnly) leave();
    if (!isPlaced || server.value.readOnly) await show(route.value);
    restart();
    loadCollections();
  } catch (error) {
    if (connection.value === 'gone') setTimeout(() => server.value || start(), 1500);
    else if (connection.value !== 'locked') showError(error);
  }
}

/** Asks a server that is gone until it answers. */
async function retry() {
  if (connection.value !== 'gone') return;
  try {
    await loadServer();
  } catch { /* It is asked again. */ }
  setTimeout(retry, 1500);
}

// Keys

let waitsForG = 0;

function pressed(event) {
  const control = event.ctrlKey || event.metaKey;
  if (control && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    path.input.focus();
    return;
  }
  if (control && ['s', 'enter'].includes(event.key.toLowerCase())) {
    if (page?.keys?.[`ctrl-${event.key.toLowerCase()}`]) {
      event.preventDefault();
      page.keys[`ctrl-${event.key.toLowerCase()}`]();
    }
    return;
  }
  if (control || event.altKey || event.defaultPrevented || isTyping(event.target)
    || document.querySelector('dialog[open], .menu:popover-open')) return;
  const isSecond = Date.now() - waitsForG < 1200;
  waitsForG = 0;
  if (isSecond && keys[event.key]) go({ page: keys[event.key], path: [] });
  else if (event.key === 'g') waitsForG = Date.now();
  else if (event.key === '/') path.input.focus();
  else if (event.key === '?') showKeys();
  else if (event.key === '.') isPaused.value = !isPaused.value;
  else if (page?.keys?.[event.key]) page.keys[event.key](event);
  else return;
  event.preventDefault();
}

let path;

async function main() {
  theme.watch((t) => { document.documentElement.dataset.theme = t; });
  followHistory();
  followVisibility();
  path = top();
  left();
  status();
  document.addEventListener('keydown', pressed);
  document.addEventListener('click', (event) => {
    const anchor = event.target.closest?.('a[href^="/console/"]');
    if (!anchor || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
      || anchor.download) return;
    event.preventDefault();
    const url = new URL(anchor.href);
    go(parseRoute(url.pathname, url.search));
  });
  const bar = h('div', { class: 'gone-bar', role: 'alert', hidden: true },
    'The server does not answer. What you see may be out of date; this page tries again by itself.');
  byID('main').before(bar);
  connection.onChange((state) => {
    bar.hidden = state !== 'gone';
    document.body.classList.toggle('is-gone', state === 'gone');
    if (state === 'locked') locked();
    if (state === 'gone') setTimeout(retry, 1500);
    if (state === 'ok' && server.value) {
      announce('Connected again');
      page?.refresh?.(true);
      restart();
    }
  });
  let database = databaseName();
  route.onChange((r) => {
    if (databaseName() !== database) {
      database = databaseName();
      collections.value = { ids: [], isLoaded: false };
      loadCollections();
    }
    show(r).catch(showError);
  });
  await takeToken();
  start();
}

main();

"""#)

    private static let file13 = ConsoleResource("pages/data.js", tag: "f8a96ae8ff834e22", #"""
// SPDX-License-Identifier: Apache-2.0
// Data: a collection as a table, and one of its documents beside it.
import { commit, count } from '../lib/api.js';
import { announce, button, debounced, empty, failure, h, icon, iconButton, replace, skeleton } from '../lib/dom.js';
import { fieldsText } from '../lib/json.js';
import { watch } from '../lib/live.js';
import { fullOrder, modelOf, pageQuery, requestOf, symbols, isUnary } from '../lib/query.js';
import { Rows } from '../lib/rows.js';
import { databaseName, formatRoute, go, guard, isReadOnly, remember, remembered, route, setParams } from '../lib/store.js';
import { relative, rootOf, summary, toJSON } from '../lib/values.js';
import { conditions } from '../ui/conditions.js';
import { DocumentPanel } from '../ui/editor.js';
import { Grid } from '../ui/grid.js';
import { askCollection, askID } from '../ui/questions.js';
import { removeRecursively } from '../ui/removal.js';
import { confirm, copy, dialog, download, guideLink, menu, menuButton, resizer, showError, toast } from '../ui/widgets.js';
import { documentCell, fieldColumns } from '../ui/columns.js';

const nameOf = (path) => [rootOf(databaseName()), ...path].join('/');

export function open({ setPrimary, collections, loadCollections }) {
  const element = h('div', { class: 'split' });
  let table = null;
  let tableKey = '';
  let panel = null;
  let panelKey = '';

  const places = {
    table: h('section', { class: 'table-place', 'aria-label': 'Collection' }),
    panel: h('aside', { class: 'panel-place', 'aria-label': 'Document', hidden: true }),
  };
  const setWidth = (width) => element.style.setProperty('--panel', `${width}px`);
  setWidth(remembered('panel', 420));
  const edge = resizer('Width of the document', {
    get: () => places.panel.offsetWidth || 420, min: 300, max: () => innerWidth - 420, isReversed: true,
    set: (width) => {
      setWidth(width);
      remember('panel', width);
    },
  });
  edge.hidden = true;
  element.append(places.table, edge, places.panel);

  function update(r) {
    const { path, params } = r;
    const isDocument = path.length > 0 && path.length % 2 === 0;
    const collection = isDocument ? path.slice(0, -1) : path;
    if (!collection.length) {
      closeTable();
      closePanel();
      start();
      return;
    }
    const key = toJSON([databaseName(), collection, params.q]);
    if (key !== tableKey) {
      closeTable();
      tableKey = key;
      table = new CollectionTable(collection, params, { loadCollections });
      replace(places.table, table.element);
    }
    const wanted = isDocument ? nameOf(path) : params.new !== undefined ? `new:${collection.join('/')}` : '';
    if (wanted !== panelKey) {
      closePanel();
      panelKey = wanted;
      if (wanted) openPanel(isDocument ? path : [...collection, ''], isDocument);
    }
    table.opened(isDocument ? nameOf(path) : '');
    primary(collection);
  }

  function primary(collection) {
    setPrimary(!isReadOnly() && button([icon('plus'), h('span', { class: 'wide-only' }, 'New document')],
      () => setPanel({ path: collection, params: { ...route.value.params, new: '1' } }),
        { class: 'button primary', title: 'New document (n)', 'aria-label': 'New document' }));
  }

  const setPanel = (change) => go(change);

  function openPanel(path, exists) {
    panel = new DocumentPanel({
      database: databaseName(), path, isNew: !exists,
      close: () => go({ path: path.slice(0, -1), params: withoutNew() }).then((done) => done
        && table?.grid.element.focus({ preventScroll: true })),
      saved: (document) => {
        table?.saved(document);
        if (!collections.value.ids.includes(path[0])) loadCollections();
      },
      created: (id) => go({ path: [...path.slice(0, -1), id], params: withoutNew() }, { replace: true, force: true }),
      deleted: (name) => {
        table?.deleted(name);
        go({ path: path.slice(0, -1), params: route.value.params }, { force: true });
      },
    });
    guard.mayLeave = async (next) => {
      if (!panel?.isDirty) return true;
      const stays = next?.page === 'data' && toJSON(next.path) === toJSON(route.value.path);
      return stays || confirm({ title: 'Discard the changes?', text: 'The document has changes that are not saved.', action: 'Discard' });
    };
    replace(places.panel, panel.element);
    places.panel.hidden = edge.hidden = false;
    element.classList.add('has-panel');
  }

  function withoutNew() {
    const { new: _, ...params } = route.value.params;
    return params;
  }

  function closePanel() {
    panel?.destroy();
    panel = null;
    panelKey = '';
    guard.mayLeave = async () => true;
    places.panel.hidden = edge.hidden = true;
    element.classList.remove('has-panel');
    replace(places.panel);
  }

  function closeTable() {
    table?.destroy();
    table = null;
    tableKey = '';
    replace(places.table);
  }

  /** Without a collection in the path: the first one, or what to do in an empty database. */
  function start() {
    const { ids, isLoaded, error } = collections.value;
    if (error) replace(places.table, failure(error, () => loadCollections()));
    else if (!isLoaded) replace(places.table, h('div', { class: 'late' }, skeleton()));
    else if (ids.length) go({ path: [ids[0]] }, { replace: true });
    else {
      replace(places.table, empty('Nothing here yet. Point an app at it:',
        h('pre', { class: 'command', tabIndex: 0 }, `export FIRESTORE_EMULATOR_HOST=${location.host}`),
        !isReadOnly() && [h('p', { class: 'muted' }, 'Or begin with a document:'),
          button('New collection', newCollection, { class: 'button primary' })], guideLink()));
      setPrimary();
    }
  }

  async function newCollection() {
    const id = await askCollection();
    if (id) go({ path: [id], params: { new: '1' } });
  }

  const stop = collections.onChange(() => { if (!route.value.path.length && route.value.page === 'data') start(); });
  const step = (by) => table?.step(by);
  return {
    element, update,
    destroy() {
      stop();
      closeTable();
      closePanel();
    },
    /** After a lost connection the listeners tell what has changed; only what was never loaded is loaded. */
    refresh: (isReconnected) => {
      if (!isReconnected || !table?.grid.rows.length) table?.reload();
      if (!isReconnected || !panel?.document) panel?.reload();
      if (!table) start();
    },
    commands: () => (isReadOnly() ? [] : [{ label: 'New collection', action: newCollection }]),
    keys: {
      n: () => !isReadOnly() && route.value.path.length && setPanel({ path: table.path, params: { ...route.value.params, new: '1' } }),
      e: () => panel?.edit(), '[': () => step(-1), ']': () => step(1), 'ctrl-s': () => panel?.save(),
      Delete: () => (table?.grid.selection.size ? table.removeSelected() : panel?.remove()),
      Escape: () => panel?.closePanel(),
    },
  };
}

class CollectionTable {
  constructor(path, params, shell) {
    Object.assign(this, { path, shell, database: databaseName(), fresh: new Set(), live: null });
    this.parent = [rootOf(this.database), ...path.slice(0, -1)].join('/');
    this.collection = path.at(-1);
    this.memory = `table.${this.database}.${path.filter((_, i) => i % 2 === 0).join('/')}`;
    this.model = { ...modelOf({ from: [{ collectionId: this.collection }], ...(params.q && safeParse(params.q)) }, ''), limit: 0 };
    const { limit, ...query } = requestOf(this.model).structuredQuery;
    this.query = query.where || query.orderBy || query.startAt || query.endAt ? query : null;
    this.columns = remembered(this.memory, null);
    if (params.cols !== undefined) this.columns = [{ key: '__id__', width: 180 },
      ...params.cols.split(',').filter(Boolean).map((key) => ({ key, width: 150 }))];
    this.place = h('div', { class: 'grid-place' });
    this.note = h('span', { class: 'faint figures' });
    this.arrived = h('button', { type: 'button', class: 'arrived', hidden: true, onclick: () => this.reload() });
    this.selectionBar = h('div', { class: 'row', hidden: true });
    this.element = h('div', { class: 'page' }, this.bar(), this.place, this.arrived);
    this.grid = new Grid({
      label: `Documents of ${path.join('/')}`, columns: [], selection: true, key: (row) => row.name, resized: () => this.keepColumns(),
      cell: (cell, row, column) => documentCell(cell, row, column, this.database),
      rowClass: (row) => [row.isMissing && 'missing', row.isGone && 'gone'].filter(Boolean).join(' '),
      isOpen: (row) => row.name === this.openName, total: () => (this.rows?.isAtStart && this.rows.isAtEnd ? this.rows.rows.length : -1),
      open: (row) => go({ path: [...this.path, row.name.split('/').at(-1)], params: this.keptParams() }),
      header: (column, cell) => this.headerMenu(column, cell), selected: () => this.selectionChanged(),
      edge: (side) => (side === 'end' ? this.rows.next() : this.rows.previous()), scrolled: debounced(250, () => this.settled()),
      jump: (where) => this.jump(where),
    });
    this.start();
  }

  keptParams() {
    const { q, cols } = route.value.params;
    return { q, cols };
  }

  async start() {
    this.rows = new Rows({
      parent: this.parent, collection: this.collection, query: this.query, changed: (shift) => this.loaded(shift), failed: (error) =>
        this.failed(error),
    });
    const late = setTimeout(() => replace(this.place, skeleton(12)), 150);
    await this.rows.first();
    clearTimeout(late);
  }

  failed(error) {
    if (this.grid.rows.length) showError(error);
    else replace(this.place, failure(error, () => this.reload()));
  }

  loaded(shift) {
    const rows = this.rows.rows;
    if (!rows.length && this.rows.isAtStart) {
      replace(this.place, this.query
        ? empty('No document matches.', h('p', { class: 'muted' }, 'Sorting and filters leave out documents without the field.'),
          button('Show all', () => setParams({ q: undefined })))
        : empty('This collection has no documents.', !isReadOnly() && button('New document', () =>
          go({ path: this.path, params: { new: '1' } }))));
    } else {
      if (!this.columns) this.columns = fieldColumns(rows.slice(0, 100));
      if (!this.grid.columns.length) this.showColumns();
      if (this.grid.element.parentNode !== this.place) replace(this.place, this.grid.element);
      this.grid.setRows(rows, shift);
    }
    this.say();
    this.settled();
  }

  say() {
    const { isAtStart, isAtEnd } = this.rows;
    const n = this.grid.rows.length;
    this.note.textContent = this.counted ?? (n ? `${n.toLocaleString('en')} shown${isAtStart && isAtEnd ? '' : ' · more'}` : '');
  }

  showColumns() {
    const order = this.query ? fullOrder(this.query) : [];
    this.grid.setColumns(this.columns.map((c) => {
      const path = c.key === '__id__' ? '__name__' : c.key;
      const sort = this.model.order.length ? order.find((o) => o.field === path
        && this.model.order.some((m) => m.field === path))?.direction : undefined;
      return { ...c, title: c.key === '__id__' ? 'id' : c.key, sort };
    }));
  }

  keepColumns() {
    this.columns = this.grid.columns.map(({ key, width }) => ({ key, width }));
    remember(this.memory, this.columns);
  }

  setColumns(columns) {
    this.columns = columns;
    remember(this.memory, columns);
    if (route.value.params.cols !== undefined) setParams({ cols: undefined });
    this.showColumns();
  }

  // The bar above the table

  bar() {
    const crumbs = this.path.map((id, i) => (i === this.path.length - 1 ? h('span', { class: 'ellipsis' }, id) : [
      h('a', { class: 'ellipsis faint', href: formatRoute({ ...route.value, path: this.path.slice(0, i + 1), params: {} }) }, id),
        h('span', { class: 'faint' }, ' / '),
    ]));
    const chips = this.model.where.items.map((item, i) => h('span', { class: 'chip mono' },
      h('span', { class: 'ellipsis' }, item.items ? `${item.op} of ${item.items.length}`
        : `${item.field} ${symbols[item.op]} ${isUnary(item.op) ? '' : summary(item.value, this.database)}`),
      iconButton('close', 'Remove the filter', () => this.setQuery({ ...this.model,
        where: { ...this.model.where, items: this.model.where.items.toSpliced(i, 1) } }))));
    return h('div', { class: 'bar' },
      h('h1', { class: 'mono row title' }, crumbs), chips,
      h('button', { type: 'button', class: 'tool', onclick: () => this.filter() }, icon('filter'), 'Filter'),
      h('button', { type: 'button', class: 'tool', onclick: () => this.chooseColumns() }, icon('columns'),
        h('span', { class: 'wide-only' }, 'Columns')),
      this.selectionBar, h('span', { class: 'grow' }), this.note,
      h('button', { type: 'button', class: 'tool wide-only', onclick: () => this.count() }, 'Count'),
      menuButton(icon('more'), () => [
        { label: 'First documents', hint: 'Home', action: () => this.jump('first') },
          { label: 'Last documents', hint: 'End', action: () => this.jump('last') },
        !this.query && { label: 'Go to id…', action: () => this.goToID() },
        { label: 'Count', action: () => this.count() }, { label: 'Reload', action: () => this.reload() },
        null,
        { label: 'Open in Query', action: () => go({ page: 'query', path: this.path.slice(0, -1),
          params: { q: toJSON(requestOf({ ...this.model, limit: 100 })) } }) },
        { label: 'Copy path', action: () => copy(this.path.join('/'), 'Path copied') },
        { label: 'Export…', action: () => go({ page: 'transfer', path: this.path }) },
        ...(isReadOnly() ? [] : [null, { label: 'Delete collection…', danger: true, action: () => this.removeCollection() }]),
      ], { 'aria-label': 'More', title: 'More' }));
  }

  setQuery(model) {
    const { from, limit, ...query } = requestOf({ ...model, limit: 0 }).structuredQuery;
    return go({ path: this.path, params: { ...this.keptParams(), q: Object.keys(query).length ? toJSON(query) : undefined } });
  }

  async filter() {
    const fields = this.columns?.map((c) => (c.key === '__id__' ? '__name__' : c.key)) ?? [];
    const editor = conditions(structuredClone(this.model.where), { fields: () => fields, database: this.database, isRoot: true });
    let where;
    const answer = await dialog({
      title: 'Filter', isWide: true, body: editor.element, actions: [['Cancel', undefined], ['Show', true, 'primary']],
      validate: () => {
        try {
          where = editor.read();
          requestOf({ ...this.model, where });
          return undefined;
        } catch (error) {
          return error.message;
        }
      },
    });
    if (answer) this.setQuery({ ...this.model, where });
  }

  headerMenu(column, cell) {
    const isID = column.key === '__id__';
    const path = isID ? '__name__' : column.key;
    const sort = (direction) => this.setQuery({ ...this.model, order: direction ? [{ field: path, direction }] : [] });
    const at = this.columns.findIndex((c) => c.key === column.key);
    const move = (by) => {
      const columns = this.columns.toSpliced(at, 1);
      columns.splice(at + by, 0, this.columns[at]);
      this.setColumns(columns);
    };
    menu(cell, [
      { label: 'Sort ascending', checked: column.sort === 'ASCENDING', action: () => sort('ASCENDING') },
      { label: 'Sort descending', checked: column.sort === 'DESCENDING', action: () => sort('DESCENDING') },
      { label: 'Do not sort', checked: !column.sort, action: () => sort(null) },
      !isID && { heading: 'Sorting leaves out documents without the field.' },
      null,
      { label: 'Move left', disabled: at < 2, action: () => move(-1) },
      { label: 'Move right', disabled: isID || at >= this.columns.length - 1, action: () => move(1) },
      { label: 'Hide', disabled: isID, action: () => this.setColumns(this.columns.toSpliced(at, 1)) },
      { label: 'Copy field path', action: () => copy(path) },
    ], { label: column.title });
  }

  async chooseColumns() {
    const seen = fieldColumns(this.grid.rows.slice(0, 300), Infinity).map((c) => c.key).slice(1);
    const chosen = new Set(this.columns?.map((c) => c.key));
    const list = h('ul', { class: 'checks' });
    const draw = (text) => replace(list, [...new Set([...(this.columns ?? []).map((c) => c.key).slice(1), ...seen])]
      .filter((key) => key.toLowerCase().includes(text.toLowerCase())).slice(0, 200).map((key) => h('li', {}, h('label', {}, h('input', {
        type: 'checkbox', checked: chosen.has(key), onchange: (event) => (event.target.checked ? chosen.add(key) : chosen.delete(key)),
      }), h('span', { class: 'mono ellipsis' }, key)))));
    draw('');
    const search = h('input', { type: 'search', class: 'mono', placeholder: 'Field or path, like author.name',
      'aria-label': 'Search fields', oninput: () => draw(search.value) });
    const add = button('Add', () => {
      if (search.value.trim()) chosen.add(search.value.trim());
      seen.push(search.value.trim());
      search.value = '';
      draw('');
    });
    const answer = await dialog({
      title: 'Columns', body: [h('div', { class: 'row' }, search, add), list],
      actions: [['Reset', 'reset'], ['Cancel', undefined], ['Show', true, 'primary']],
    });
    if (answer === 'reset') this.setColumns(fieldColumns(this.grid.rows.slice(0, 100)));
    else if (answer) {
      const kept = this.columns.filter((c) => chosen.has(c.key));
      const added = [...chosen].filter((key) => key && !kept.some((c) => c.key === key)).map((key) => ({ key, width: 150 }));
      this.setColumns([...kept, ...added]);
    }
  }

  async count() {
    try {
      const most = 100000;
      const n = await count(this.parent, this.query ?? { from: [{ collectionId: this.collection }] }, most);
      this.counted = n >= most ? '100k+ documents' : `${n.toLocaleString('en')} ${n === 1 ? 'document' : 'documents'}`;
      this.say();
      announce(this.counted);
    } catch (error) {
      showError(error);
    }
  }

  // Moving

  async jump(where) {
    if (where === 'last') await this.rows.last();
    else if (!this.rows.isAtStart) await this.rows.first();
    this.grid.activate(where === 'last' ? this.grid.rows.length - 1 : 0);
  }

  async goToID() {
    const id = await askID('Go to id', 'Go', { text: 'Shows documents from this id on.' });
    if (!id) return;
    await this.rows.from(`${this.parent}/${this.collection}/${id}`);
    this.grid.activate(0);
    this.grid.element.focus();
  }

  step(by) {
    const at = this.openName ? this.grid.indexOf(this.openName) : this.grid.at - by;
    const row = this.grid.rows[at + by];
    if (!row) return;
    go({ path: [...this.path, row.name.split('/').at(-1)], params: this.keptParams() });
    this.grid.at = at + by;
    this.grid.reveal();
  }

  opened(name) {
    this.openName = name;
    this.grid.draw();
  }

  /** The same place again: from the first row of the window. */
  async reload() {
    this.arrived.hidden = true;
    this.fresh.clear();
    this.counted = undefined;
    this.rows.close();
    watch('rows', null);
    this.grid.rows = [];
    await this.start();
    this.grid.element.scrollTop = 0;
  }

  // Live

  /** After a load or a scroll: struck rows go, and the listener is put on what is visible. */
  settled() {
    if (this.rows.sweep()) this.grid.setRows(this.rows.rows);
    const [first, last] = this.grid.range;
    const visible = this.grid.rows.slice(first, last).filter((r) => !r.isMissing);
    if (!visible.length) return;
    const plain = this.query ?? { from: [{ collectionId: this.collection }] };
    const isTop = first === 0 && this.rows.isAtStart;
    const structuredQuery = isTop ? { ...pageQuery(plain, { limit: visible.length }) }
      : pageQuery(plain, { row: visible[0], isInclusive: true, limit: visible.length });
    const names = new Set(visible.map((r) => r.name));
    const tail = new Set(visible.slice(-3).map((r) => r.name));
    let known = new Set();
    watch('rows', { query: { parent: this.parent, structuredQuery } }, {
      change: (document) => {
        known.add(document.name);
        const had = this.rows.update(document);
        if (!had) this.arrive(document.name);
        this.refreshSoon();
      },
      remove: (name, isDeleted) => {
        known.delete(name);
        this.fresh.delete(name);
        if (isDeleted || (this.query?.where && names.has(name) && !tail.has(name))) this.rows.strike(name);
        this.refreshSoon();
      },
      current: () => {
        for (const row of visible) if (!known.has(row.name) && !tail.has(row.name) && !this.fresh.size) this.rows.strike(row.name);
        this.refreshSoon();
      },
      reset: () => { known = new Set(); }, count: () => known.size, failed: (cause) =>
        announce(cause?.message ?? 'Live updates have stopped', true),
    });
  }

  refreshSoon() {
    this.changes = (this.changes ?? 0) + 1;
    if (this.refreshing) return;
    this.refreshing = requestAnimationFrame(() => {
      this.refreshing = 0;
      this.grid.setRows(this.rows.rows);
      announce(`${this.changes} ${this.changes === 1 ? 'document' : 'documents'} changed`);
      this.changes = 0;
    });
  }

  arrive(name) {
    if (this.own === name) return;
    this.fresh.add(name);
    this.arrived.hidden = false;
    this.arrived.textContent = `${this.fresh.size} new ↑`;
  }

  saved(document) {
    if (this.rows.update(document)) this.grid.setRows(this.rows.rows);
    else {
      this.own = document.name;
      if (this.rows.isAtEnd || !this.grid.rows.length) this.reload();
      else this.arrive(document.name);
    }
  }

  deleted(name) {
    this.rows.strike(name);
    this.grid.setRows(this.rows.rows);
  }

  // Several rows

  selectionChanged() {
    const n = this.grid.selection.size;
    this.selectionBar.hidden = n === 0;
    replace(this.selectionBar, n > 0 && [
      h('span', { class: 'chip on' }, `${n} selected`), h('button', { type: 'button', class: 'tool', onclick: () => this.copySelected() },
        icon('copy'), 'Copy'),
      h('button', { type: 'button', class: 'tool', onclick: () => download(`${this.collection}.jsonl`, [this.selectedText()]) },
        icon('transfer'), 'Export'),
      !isReadOnly() && h('button', { type: 'button', class: 'tool danger-text', onclick: () => this.removeSelected() }, icon('trash'),
        'Delete'),
      iconButton('close', 'Select none', () => this.grid.clearSelection()),
    ]);
  }

  selectedText() {
    return this.grid.rows.filter((r) => this.grid.selection.has(r.name) && !r.isMissing)
      .map((r) => `{"path": ${JSON.stringify(relative(r.name))}, "fields": ${fieldsText(r.fields, this.database, '')}}\n`).join('');
  }

  copySelected() { copy(this.selectedText(), `${this.grid.selection.size} copied`); }

  async removeSelected() {
    const names = [...this.grid.selection];
    const what = `${names.length} ${names.length === 1 ? 'document' : 'documents'}`;
    if (!(await confirm({ title: `Delete ${what}?`, text: 'Collections below them are kept.', action: `Delete ${what}`,
      name: this.collection, count: names.length }))) return;
    const before = this.grid.rows.filter((r) => this.grid.selection.has(r.name) && !r.isMissing);
    try {
      for (let i = 0; i < names.length; i += 500) await commit(this.database, names.slice(i, i + 500).map((name) => ({ delete: name })));
      this.grid.clearSelection();
      for (const name of names) this.rows.strike(name);
      this.grid.setRows(this.rows.rows);
      toast(`${what} deleted.`, { action: 'Undo', onaction: () => this.restore(before) });
    } catch (error) {
      showError(error);
    }
  }

  async restore(rows) {
    try {
      for (let i = 0; i < rows.length; i += 500) {
        await commit(this.database, rows.slice(i, i + 500).map((r) => ({ update: { name: r.name, fields: r.fields },
          currentDocument: { exists: false } })));
      }
      this.reload();
    } catch (error) {
      showError(error);
    }
  }

  async removeCollection() {
    if (await removeRecursively(this.database, this.path)) {
      await this.shell.loadCollections();
      go({ path: this.path.slice(0, -2) });
    }
  }

  destroy() {
    watch('rows', null);
    this.rows?.close();
    this.grid.destroy();
  }
}

function safeParse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}


"""#)

    private static let file14 = ConsoleResource("pages/indexes.js", tag: "84a4d6d47d9721ba", #"""
// SPDX-License-Identifier: Apache-2.0
// Indexes: what there is, what it costs, and what queries lacked.
import { consoleCall } from '../lib/api.js';
import { button, empty, failure, h, iconButton, replace, skeleton } from '../lib/dom.js';
import { databaseName, isReadOnly } from '../lib/store.js';
import { localTime, sizeText, toJSON } from '../lib/values.js';
import { fieldInput } from '../ui/conditions.js';
import { copy, dialog, showError } from '../ui/widgets.js';

const modes = [['ASCENDING', 'ascending'], ['DESCENDING', 'descending'], ['CONTAINS', 'array contains']];
const modeOf = (f) => f.order ?? f.arrayConfig ?? (f.vectorConfig && `vector of ${f.vectorConfig.dimension}`);
const words = { ASCENDING: '↑', DESCENDING: '↓', CONTAINS: 'contains' };
const fieldsText = (index) => index.fields.map((f) => `${f.fieldPath} ${words[modeOf(f)] ?? modeOf(f)}`).join(',  ');

export function open({ setPrimary, collections }) {
  const place = h('div', { class: 'content scroll', tabIndex: 0, role: 'region', 'aria-label': 'Indexes' });
  const element = h('div', { class: 'page' }, h('div', { class: 'bar' }, h('h1', { class: 'plain' }, 'Indexes')), place);
  let timer;
  const path = () => `indexes?database=${encodeURIComponent(databaseName())}`;

  async function load() {
    clearTimeout(timer);
    try {
      const answer = await consoleCall('GET', path());
      draw(answer);
      if (answer.indexes.some((i) => i.state === 'BUILDING')) timer = setTimeout(load, 1000);
    } catch (error) {
      if (error.name !== 'AbortError') replace(place, failure(error, load));
    }
  }

  function draw({ policy, indexes, needed = [] }) {
    const head = ['Collection', 'Fields', 'State', 'Entries', 'Size', 'Last used', ''].map((t, i) =>
      h('th', { scope: 'col', class: i === 3 || i === 4 ? 'number' : '' }, t || h('span', { class: 'visually-hidden' }, 'Actions')));
    const rows = indexes.map((i) => h('tr', {}, h('td', { class: 'mono' }, i.index.collectionGroup,
      i.index.queryScope === 'COLLECTION_GROUP' && h('span', { class: 'faint' }, ' group')),
      h('td', { class: 'mono' }, fieldsText(i.index)),
      h('td', {}, i.state === 'BUILDING' ? h('span', { class: 'warn-text' }, `building ${Math.round((i.progress ?? 0) * 100)} %`)
        : h('span', { class: 'ok-text' }, 'ready'), h('span', { class: 'faint' }, i.configured ? ' · configured' : ' · automatic')),
      h('td', { class: 'number' }, i.entries?.toLocaleString('en') ?? '–'),
        h('td', { class: 'number' }, i.bytes === undefined ? '–' : sizeText(i.bytes)),
        h('td', { class: 'figures' }, i.lastUsed ? localTime(i.lastUsed).replace(/\.\d+/, '') : 'never'),
      h('td', {}, i.configured && !isReadOnly() && iconButton('trash', `Delete the index on ${fieldsText(i.index)}`, () =>
        change('DELETE', i.index)))));
    replace(place, h('p', { class: 'muted' }, {
      automatic: 'Hearth makes the indexes that queries need, and drops them when they are no longer used.',
        manual: 'Only configured indexes are kept; other queries scan.', required: 'Queries without an index are refused.',
    }[policy] ?? ''),
    indexes.length ? h('div', { class: 'table-scroll', tabIndex: 0, role: 'region', 'aria-label': 'List of indexes' },
      h('table', { class: 'list' }, h('thead', {}, h('tr', {}, head)), h('tbody', {}, rows)))
      : empty('No indexes yet.', h('p', {}, 'They appear as queries need them.')),
    needed.length > 0 && [h('h2', {}, 'Queries lacked'), h('ul', { class: 'stack' },
      needed.map((n) => h('li', { class: 'row wrap' }, h('span', { class: 'mono' }, `${n.collectionGroup}: ${fieldsText(n)}`), !isReadOnly()
      && button('Create', () => change('POST', n), { class: 'button small' }))))],
    indexes.length > 0 && h('div', {}, button('Copy as firestore.indexes.json', () =>
      copy(toJSON({ indexes: indexes.map((i) => i.index), fieldOverrides: [] }, 2)))));
  }

  async function change(method, index) {
    try {
      await consoleCall(method, path(), { body: { index } });
      load();
    } catch (error) {
      showError(error);
    }
  }

  async function add() {
    const collection = h('input', { class: 'mono', 'aria-label': 'Collection id', list: 'index-collections', value: collections.value.ids[0]
      ?? '' });
    const scope = h('select', { 'aria-label': 'Scope' }, h('option', { value: 'COLLECTION' }, 'each collection'),
      h('option', { value: 'COLLECTION_GROUP' }, 'all collections of this id'));
    const list = h('div', { class: 'stack' });
    const rows = [];
    const more = () => {
      const field = fieldInput('', () => []);
      const mode = h('select', { class: 'type', 'aria-label': 'Mode' }, modes.map(([v, t]) => h('option', { value: v }, t)));
      rows.push({ field: field.element.querySelector('input'), mode });
      list.append(h('div', { class: 'row' }, field.element, mode));
    };
    more();
    more();
    const index = () => ({
      collectionGroup: collection.value, queryScope: scope.value,
      fields: rows.filter((r) => r.field.value).map((r) => ({ fieldPath: r.field.value,
        ...(r.mode.value === 'CONTAINS' ? { arrayConfig: 'CONTAINS' } : { order: r.mode.value }) })),
    });
    const answer = await dialog({
      title: 'New index', actions: [['Cancel', undefined], ['Create', true, 'primary']],
        validate: () => (!collection.value ? 'An index is for a collection.' : index().fields.length ? undefined
        : 'An index has at least one field.'),
      body: [h('label', { class: 'stack' }, 'Collection', collection),
        h('datalist', { id: 'index-collections' }, collections.value.ids.map((id) => h('option', { value: id }))),
        h('label', { class: 'stack' }, 'Scope', scope), h('div', { class: 'stack' }, 'Fields', list),
          button('Another field', more, { class: 'button small' })],
    });
    if (answer) change('POST', index());
  }

  return {
    element, refresh: load, destroy: () => clearTimeout(timer),
    update() {
      setPrimary(!isReadOnly() && button('New index', add, { class: 'button primary' }));
      replace(place, h('div', { class: 'late' }, skeleton()));
      load();
    },
  };
}

"""#)

    private static let file15 = ConsoleResource("pages/query.js", tag: "16f1bcbfdc8e5654", #"""
// SPDX-License-Identifier: Apache-2.0
// Query: a builder, the same query as code, the results, and what they cost.
import { consoleCall, runAggregation, runQuery } from '../lib/api.js';
import { announce, button, empty, failure, h, icon, iconButton, replace } from '../lib/dom.js';
import { code, languages } from '../lib/code.js';
import { watch } from '../lib/live.js';
import { emptyModel, explanation, fromURL, modelOf, requestOf } from '../lib/query.js';
import { databaseName, go, remember, remembered, route } from '../lib/store.js';
import { compareNames, rootOf, summary, toJSON, typeOf } from '../lib/values.js';
import { documentCell, fieldColumns } from '../ui/columns.js';
import { conditions, fieldInput } from '../ui/conditions.js';
import { Grid } from '../ui/grid.js';
import { typedInput, valueInput } from '../ui/inputs.js';
import { copy, dialog, showError, toast } from '../ui/widgets.js';

export function open({ setPrimary, collections }) {
  let model = emptyModel();
  let parts = [];
  let seen = new Set();
  let language = remembered('language', 'Swift');
  let grid = null;
  let ran = null;
  let isWatching = false;
  let documents = [];
  const builder = h('div', { class: 'builder', role: 'region', 'aria-label': 'Query', tabIndex: 0, oninput: () => later(), onchange: () =>
    later() });
  const source = h('pre', { tabIndex: 0, 'aria-label': 'The query as code' });
  const problem = h('p', { class: 'problem pad', role: 'alert' });
  const tabs = h('div', { class: 'segments', role: 'group', 'aria-label': 'Language' });
  const results = h('div', { class: 'results' }, empty('Run the query to see what it finds.',
    h('p', { class: 'muted' }, 'Ctrl Enter runs it.')));
  const element = h('div', { class: 'query-page' }, h('h1', { class: 'visually-hidden' }, 'Query'),
    h('div', { class: 'query' }, builder, h('div', { class: 'code' },
    h('div', { class: 'row wrap' }, tabs, h('span', { class: 'grow' }),
      iconButton('copy', 'Copy', () => copy(source.textContent, 'Query copied')),
      h('button', { type: 'button', class: 'tool', onclick: paste }, 'Paste')), problem, source)), results);

  const fields = () => ['__name__', ...[...seen].sort(compareNames)];
  const labelled = (label, ...content) => h('div', { class: 'line' }, h('span', {}, label), h('div', { class: 'value' }, content));

  /** A list of lines of which each can be removed, and one added. */
  function lines(list, row, add, label) {
    const place = h('div', { class: 'stack grow' });
    const draw = () => replace(place, list.map((item, i) => h('div', { class: 'row wrap' }, row(item), iconButton('close', 'Remove', () => {
      list.splice(i, 1);
      draw();
      later();
    }))), h('div', {}, button(label, () => {
      list.push(add());
      draw();
      [...place.querySelectorAll('input')].at(-1)?.focus();
    }, { class: 'button small' })));
    draw();
    return place;
  }

  const select = (label, value, options, onchange) => h('select',
    { class: 'type', 'aria-label': label, onchange: (e) => onchange(e.target.value) },
    options.map(([v, t]) => h('option', { value: v, selected: v === value }, t)));

  function path(item, key = 'field', label = 'Field') {
    const input = fieldInput(item[key], fields, label);
    input.element.querySelector('input').addEventListener('input', (e) => { item[key] = e.target.value; });
    return input.element;
  }

  function draw() {
    parts = [];
    const ids = h('datalist', { id: 'collection-ids' }, collections.value.ids.map((id) => h('option', { value: id })));
    const from = h('input', {
      class: 'mono', 'aria-label': 'Collection', placeholder: 'collection', list: 'collection-ids', autocomplete: 'off', spellcheck: false,
      value: [model.parent, model.collection].filter(Boolean).join('/'), oninput: () => {
        const segments = from.value.split('/').filter(Boolean);
        model.collection = segments.pop() ?? '';
        model.parent = segments.join('/');
      },
    });
    const where = conditions(model.where, { fields, database: databaseName(), isRoot: true, begins: false });
    parts.push(() => { model.where = where.read(); });
    const number = (label, key, placeholder) => h('input', {
      class: 'mono', inputMode: 'numeric', size: 7, 'aria-label': label, placeholder, value: model[key] || '',
        oninput: (e) => { model[key] = Math.max(0, parseInt(e.target.value, 10) || 0); },
    });
    replace(builder,
      labelled('From', h('div', { class: 'row wrap' }, from, ids, select('Scope', model.group ? 'group' : 'one',
        [['one', 'this collection'], ['group', 'all collections of this id']], (v) => { model.group = v === 'group'; }))),
      labelled('Where', where.element),
      labelled('Order by', lines(model.order, (o) => [path(o), select('Direction', o.direction,
        [['ASCENDING', 'ascending'], ['DESCENDING', 'descending']], (v) => { o.direction = v; })],
        () => ({ field: '', direction: 'ASCENDING' }), 'Add order')),
      labelled('Limit', h('div', { class: 'row' }, number('Limit', 'limit', 'none'), h('span', { class: 'muted' }, 'skip'),
        number('Offset', 'offset', '0'))),
      h('details', { open: Boolean(model.select.length || model.start || model.end || model.aggregates.length || model.nearest) },
        h('summary', { class: 'muted' }, 'Select, cursors, aggregations, vectors'), h('div', { class: 'builder more' },
        labelled('Select', lines(model.select, (p) => {
          const item = { p };
          const row = path(item, 'p');
          row.querySelector('input').addEventListener('input', () => { model.select[model.select.indexOf(p)] = p = item.p; });
          return row;
        }, () => '', 'Add field')),
        ['start', 'end'].map((side) => cursor(side)),
        labelled('Aggregate', lines(model.aggregates, (a) => {
          const row = path(a);
          row.hidden = a.op === 'count';
          return [select('Aggregation', a.op, [['count', 'count'], ['sum', 'sum'], ['avg', 'average']], (v) => {
            a.op = v;
            row.hidden = v === 'count';
          }), row, path(a, 'alias', 'Alias')];
        }, () => ({ op: 'count', field: '', alias: '' }), 'Add aggregation')),
        labelled('Nearest', nearest()))));
  }

  function cursor(side) {
    const label = side === 'start' ? 'Start' : 'End';
    const c = model[side] ?? { values: [], before: side === 'start' };
    const inputs = c.values.map((v) => ({ input: typedInput(v, databaseName(), { label: `${label} value` }) }));
    parts.push(() => { model[side] = inputs.length ? { values: inputs.map((i) => i.input.read()), before: c.before } : null; });
    const words = side === 'start' ? [['true', 'at'], ['false', 'after']] : [['false', 'at'], ['true', 'before']];
    return labelled(label, h('div', { class: 'row wrap' }, select(`${label} at or not`, String(c.before), words,
      (v) => { c.before = v === 'true'; }),
      lines(inputs, (i) => i.input.element, () => ({ input: typedInput(undefined, databaseName(), { label: `${label} value` }) }),
        'Add value')));
  }

  function nearest() {
    const place = h('div', { class: 'stack' });
    const show = () => {
      const n = model.nearest;
      if (!n) {
        replace(place, h('div', {}, button('Find nearest', () => {
          model.nearest = { field: '', queryVector: { mapValue: { fields: { __type__: { stringValue: '__vector__' },
            value: { arrayValue: { values: [] } } } } }, measure: 'COSINE', limit: 10, resultField: '' };
          show();
        }, { class: 'button small' })));
        return;
      }
      const vector = valueInput(n.queryVector, databaseName(), { label: 'Query vector' });
      parts.push(() => { if (model.nearest === n) n.queryVector = vector.read(); });
      replace(place, h('div', { class: 'row wrap' }, path(n, 'field', 'Vector field'),
        select('Distance', n.measure, [['COSINE', 'cosine'], ['EUCLIDEAN', 'euclidean'], ['DOT_PRODUCT', 'dot product']],
        (v) => { n.measure = v; }),
        h('input', { class: 'mono', size: 5, 'aria-label': 'Number of results', value: String(n.limit),
          oninput: (e) => { n.limit = parseInt(e.target.value, 10) || 10; } }), path(n, 'resultField', 'Field for the distance'),
        iconButton('close', 'Remove', () => {
          model.nearest = null;
          show();
          later();
        })), vector.element);
    };
    show();
    return place;
  }

  /** Reads the inputs, and shows the code. False, with the sentence, if something is not finished. */
  function read() {
    try {
      for (const part of parts) part();
      source.textContent = code(model, language);
      problem.textContent = '';
      return true;
    } catch (error) {
      problem.textContent = error.message;
      return false;
    }
  }

  const later = () => setTimeout(read);

  function drawTabs() {
    replace(tabs, languages.map((l) => h('button', {
      type: 'button', 'aria-pressed': String(l === language), onclick: () => {
        language = l;
        remember('language', l);
        drawTabs();
        read();
      },
    }, l)));
  }

  async function paste() {
    const area = h('textarea', { class: 'mono', rows: 10, 'aria-label': 'REST JSON', spellcheck: false });
    let pasted;
    const answer = await dialog({
      title: 'Paste REST JSON', isWide: true, body: area, actions: [['Cancel', undefined], ['Use', true, 'primary']],
      validate: () => {
        try {
          pasted = modelOf(JSON.parse(area.value), model.parent);
          return undefined;
        } catch (error) {
          return error.message;
        }
      },
    });
    if (!answer) return;
    model = pasted;
    draw();
    read();
  }

  const parent = () => [rootOf(databaseName()), model.parent].filter(Boolean).join('/');

  async function run({ explain = remembered('explain', true) } = {}) {
    if (!read()) return;
    const body = requestOf(model);
    ran = toJSON(body);
    stopWatching();
    await go({ path: model.parent ? model.parent.split('/') : [], params: { q: ran } }, { replace: route.value.params.q === undefined });
    const began = performance.now();
    try {
      if (body.structuredAggregationQuery) {
        const { fields: answer, metrics } = await runAggregation(parent(), body.structuredAggregationQuery,
          { explain: explain && 'analyze' });
        replace(results, explain && metrics && explained(metrics), h('div', { class: 'content' },
          h('dl', { class: 'facts' }, Object.entries(answer).map(([k, v]) => [h('dt', { class: 'mono' }, k),
          h('dd', { class: `mono v-${typeOf(v)}` }, summary(v))]))));
        return;
      }
      const answer = await runQuery(parent(), body.structuredQuery, { explain: explain && 'analyze' });
      documents = answer.documents.map((d) => ({ ...d, fields: d.fields ?? {}, isGroup: model.group }));
      showResults(body, explain && answer.metrics, performance.now() - began);
    } catch (error) {
      if (error.name !== 'AbortError') replace(results, failure(error, () => run()));
    }
  }

  function showResults(body, metrics, ms) {
    grid?.destroy();
    for (const c of fieldColumns(documents.slice(0, 200), Infinity)) if (c.key !== '__id__') seen.add(c.key);
    const bar = h('div', { class: 'bar' },
      h('h2', {}, `${documents.length.toLocaleString('en')} ${documents.length === 1 ? 'result' : 'results'}`),
      h('span', { class: 'faint figures' }, `${ms.toFixed(0)} ms`), h('span', { class: 'grow' }),
      h('label', { class: 'row muted' }, h('input', { type: 'checkbox', checked: remembered('explain', true), onchange: (e) =>
        remember('explain', e.target.checked) }), 'Explain'),
      h('button', { type: 'button', class: 'tool', 'aria-pressed': String(isWatching), onclick: (e) => toggleWatch(e.currentTarget, body) },
        icon('play'), 'Watch'));
    if (!documents.length) {
      replace(results, metrics && explained(metrics), bar, empty('No document matches.'));
      return;
    }
    grid = new Grid({
      label: 'Results', columns: fieldColumns(documents.slice(0, 100)).map((c) => ({ ...c, title: c.key === '__id__'
        ? (model.group ? 'path' : 'id') : c.key, width: c.key === '__id__' && model.group ? c.width * 1.6 : c.width })),
      key: (d) => d.name, cell: (cell, d, column) => documentCell(cell, d, column, databaseName()),
        rowClass: (d) => (d.isGone ? 'gone' : ''),
      open: (d) => go({ page: 'data', path: d.name.slice(rootOf(databaseName()).length + 1).split('/') }), resized: () => {},
    });
    const place = h('div', { class: 'grid-place' }, grid.element);
    replace(results, metrics && explained(metrics), bar, place);
    grid.setRows(documents);
  }

  function toggleWatch(control, body) {
    if (isWatching) {
      stopWatching();
      control.setAttribute('aria-pressed', 'false');
      control.classList.remove('on');
      return;
    }
    isWatching = true;
    control.setAttribute('aria-pressed', 'true');
    control.classList.add('on');
    const known = new Map(documents.map((d) => [d.name, d]));
    let frame = 0;
    const show = () => {
      if (!frame) {
        frame = requestAnimationFrame(() => {
          frame = 0;
          documents = [...known.values()];
          grid?.setRows(documents);
          announce('Results changed');
        });
      }
    };
    watch('query', { query: { parent: parent(), structuredQuery: body.structuredQuery } }, {
      change: (d) => {
        if (known.get(d.name)?.updateTime === d.updateTime) return;
        known.set(d.name, { ...d, fields: d.fields ?? {}, isGroup: model.group, isFresh: true });
        show();
      },
      remove: (name) => {
        if (known.has(name)) known.set(name, { ...known.get(name), isGone: true });
        show();
      },
      failed: (cause) => toast(cause?.message ?? 'The query cannot be watched.', { isError: true }),
    });
  }

  function stopWatching() {
    isWatching = false;
    watch('query', null);
  }

  function explained(metrics) {
    const e = explanation(metrics);
    return h('div', { class: 'explain' }, h('p', {}, e.sentence, ' ', e.ideal?.fields.length > 0
      && button('Create the index', () => createIndex(e.ideal), { class: 'button small' })),
      h('p', { class: 'muted small' }, [`${(e.duration * 1000).toFixed(1)} ms`, e.reads && `${e.reads} reads billed`,
        e.plan].filter(Boolean).join(' · ')),
      e.indexes.length > 0 && h('p', { class: 'mono small muted' }, e.indexes.join('; ')));
  }

  async function createIndex(index) {
    try {
      await consoleCall('POST', `indexes?database=${encodeURIComponent(databaseName())}`, { body: { index } });
      toast('The index is being built.', { action: 'Show', onaction: () => go({ page: 'indexes', path: [] }) });
    } catch (error) {
      showError(error);
    }
  }

  drawTabs();
  const stop = collections.onChange(({ ids }) => {
    if (model.collection || !ids.length || model.where.items.length) return;
    model.collection = ids[0];
    draw();
    read();
  });
  return {
    element,
    update(r) {
      setPrimary(button('Run', () => run(), { class: 'button primary', title: 'Run (Ctrl Enter)' }));
      if (r.params.q !== undefined && r.params.q === ran) return;
      const found = r.params.q && fromURL(r.params.q, r.path.join('/'));
      model = found || emptyModel(collections.value.ids[0] ?? '', r.path.join('/'));
      draw();
      read();
      if (found) run();
    },
    destroy() {
      stop();
      stopWatching();
      grid?.destroy();
    },
    keys: { 'ctrl-enter': () => run() },
  };
}


"""#)

    private static let file16 = ConsoleResource("pages/requests.js", tag: "b4032081e934cac4", #"""
// SPDX-License-Identifier: Apache-2.0
// Requests: calls as they end, with what rules decided.
import { consoleCall } from '../lib/api.js';
import { button, debounced, empty, h, icon, iconButton, replace } from '../lib/dom.js';
import { subscribe } from '../lib/live.js';
import { databaseName, go, route, server, setParams } from '../lib/store.js';
import { sizeText, toJSON } from '../lib/values.js';
import { Grid } from '../ui/grid.js';
import { trace } from '../ui/trace.js';
import { copy, showError } from '../ui/widgets.js';

const most = 5000;
const columns = [
  ['time', 'Time', 110], ['method', 'Method', 140], ['path', 'Path', 300], ['caller', 'Caller', 130], ['transport', 'Over', 70],
    ['code', 'Outcome', 150],
  ['duration', 'Duration', 90, 'number'], ['documents', 'Documents', 90, 'number'], ['sent', 'Sent', 80, 'number'],
].map(([key, title, width, align]) => ({ key, title, width, align }));

function durationText(seconds) {
  if (seconds === undefined) return '–';
  if (seconds < 0.001) return `${(seconds * 1e6).toFixed(0)} µs`;
  return seconds < 1 ? `${(seconds * 1000).toFixed(1)} ms` : `${seconds.toFixed(2)} s`;
}

function cellText(request, key) {
  switch (key) {
    case 'time': return request.time.slice(11, 23);
    case 'caller': return request.caller.replace(/^user:/, '');
    case 'duration': return request.open ? 'open' : durationText(request.duration);
    case 'code': return request.open ? 'open' : request.code;
    case 'sent': return request.sent === undefined ? '–' : sizeText(request.sent);
    default: return String(request[key] ?? '–');
  }
}

function cellClass(request, key) {
  if (key === 'time') return 'faint';
  if (key !== 'code' || request.open) return 'ellipsis';
  return request.code === 'OK' ? 'ok-text ellipsis' : 'danger-text ellipsis';
}

export function open({ setPrimary }) {
  let all = [];
  let isPaused = false;
  let waiting = 0;
  let current = null;
  const filters = { text: route.value.params.text ?? '', method: route.value.params.method ?? '', code: route.value.params.code ?? '' };
  const place = h('div', { class: 'grid-place' });
  const detail = h('aside', { class: 'panel-place', 'aria-label': 'Request', hidden: true });
  const note = h('span', { class: 'faint figures' });
  const grid = new Grid({
    label: 'Requests', columns, key: (r) => r.id, resized: () => {}, isOpen: (r) => r.id === current?.id, open: show,
    cell: (cell, r, { key }) => {
      cell.classList.toggle('plain', ['transport', 'code', 'caller'].includes(key));
      const text = cellText(r, key);
      cell.title = text;
      cell.replaceChildren(h('span', { class: cellClass(r, key) }, text));
    },
  });
  const method = h('select', { class: 'type', 'aria-label': 'Method', onchange: () => filter({ method: method.value }) });
  const code = h('select', { class: 'type', 'aria-label': 'Outcome', onchange: () => filter({ code: code.value }) });
  const search = h('input', { type: 'search', value: filters.text, placeholder: 'Filter', 'aria-label': 'Filter',
    oninput: debounced(150, () => filter({ text: search.value })) });
  const pause = h('button', {
    type: 'button', class: 'tool', 'aria-pressed': 'false', onclick: () => {
      isPaused = !isPaused;
      draw();
    },
  });
  const element = h('div', { class: 'split' }, h('div', { class: 'page' },
    h('div', { class: 'bar' }, h('h1', { class: 'plain' }, 'Requests'), search, method, code, h('span', { class: 'grow' }), note, pause,
      h('button', { type: 'button', class: 'tool', onclick: () => { all = []; draw(); } }, icon('close'), 'Clear')), place),
  h('span', { class: 'plain-edge' }), detail);
  element.style.setProperty('--panel', '440px');

  function filter(change) {
    Object.assign(filters, change);
    setParams(Object.fromEntries(Object.entries(filters).map(([k, v]) => [k, v || undefined])));
    draw();
  }

  const matches = (r) => {
    if (filters.method && r.method !== filters.method) return false;
    if (filters.code && (filters.code === 'failed' ? !r.code || r.code === 'OK' : r.code !== filters.code)) return false;
    const words = [r.method, r.path, r.caller, r.code, r.message].join(' ').toLowerCase();
    return words.includes(filters.text.toLowerCase());
  };

  const options = (select, values, first, chosen) => {
    const key = values.join();
    if (select.dataset.key === key) return;
    select.dataset.key = key;
    replace(select, first.map(([v, t]) => h('option', { value: v }, t)), values.map((v) => h('option', { value: v }, v)));
    select.value = chosen;
  };

  function draw() {
    waiting = 0;
    replace(pause, icon(isPaused ? 'play' : 'pause'), isPaused ? 'Resume' : 'Pause');
    options(method, [...new Set(all.map((r) => r.method))].sort(), [['', 'All methods']], filters.method);
    options(code, [...new Set(all.map((r) => r.code).filter(Boolean))].sort(), [['', 'All outcomes'], ['failed', 'Failed']], filters.code);
    const rows = all.filter(matches);
    note.textContent = all.length ? `${rows.length.toLocaleString('en')} of ${all.length.toLocaleString('en')}` : '';
    if (!rows.length) {
      replace(place, all.length ? empty('No request matches the filter.')
        : empty('No requests yet.', h('p', { class: 'muted' }, 'Calls of apps appear here as they end.')));
    } else if (grid.element.parentNode !== place) replace(place, grid.element);
    grid.setRows(rows);
  }

  const stop = subscribe('requests', (list, dropped) => {
    const known = new Map(list.map((r) => [r.id, r]));
    // What is open is told again when a stream ends, and when it is known why a call was denied.
    if (known.has(current?.id)) {
      const top = detail.querySelector('.panel-body').scrollTop;
      show(known.get(current.id));
      detail.querySelector('.panel-body').scrollTop = top;
    }
    all = all.map((r) => {
      const newer = known.get(r.id);
      known.delete(r.id);
      return newer ?? r;
    });
    const shift = grid.element.scrollTop > 0 ? [...known.values()].filter(matches).length : 0;
    all = [...[...known.values()].reverse(), ...all].slice(0, most);
    if (dropped) note.textContent = `${dropped} left out`;
    if (isPaused) {
      waiting += known.size;
      replace(pause, icon('play'), `Resume (${waiting})`);
      return;
    }
    const top = grid.element.scrollTop;
    draw();
    if (shift) grid.element.scrollTop = top + shift * grid.rowHeight;
  });

  function show(r) {
    current = r;
    const tried = h('div', {});
    replace(detail, h('div', { class: 'panel' }, h('header', { class: 'panel-head' }, h('h2', { class: 'ellipsis' }, r.method),
      iconButton('close', 'Close', hide)),
      h('div', { class: 'panel-body content', tabIndex: 0, role: 'region', 'aria-label': 'Details' },
        h('dl', { class: 'facts' }, [['Outcome', r.open ? 'open' : r.code], ['Message', r.message], ['Path', r.path], ['Database', r.database],
          ['Caller', r.caller], ['Over', r.transport], ['Time', r.time], ['Duration', durationText(r.duration)], ['Documents', r.documents],
          ['Received', r.received !== undefined && sizeText(r.received)], ['Sent', r.sent !== undefined && sizeText(r.sent)]]
          .filter(([, v]) => v !== undefined && v !== '' && v !== false).map(([k, v]) => [h('dt', {}, k),
            h('dd', { class: 'mono' }, String(v))])),
        r.targets?.length > 0 && [h('h3', { class: 'heading' }, 'Targets'),
          h('ul', {}, r.targets.map((t) =>
          h('li', { class: 'mono' }, `${t.targetId}: ${t.path} · ${t.snapshots} snapshots, ${t.documents} documents`)))],
        r.decision && [h('h3', { class: 'heading' }, 'Rules'), trace(r.decision),
          h('div', { class: 'row' }, button('Try again', () => tryAgain(r, tried)),
          button('Edit the rules', () => go({ page: 'rules', path: [], params: { request: String(r.id) } }))), tried],
        r.request ? [h('h3', { class: 'heading' }, 'Request'), h('pre', { class: 'command', tabIndex: 0 },
          JSON.stringify(r.request, null, 2)), h('div', { class: 'row' }, button('Copy', () => copy(toJSON(r.request, 2))),
          r.request.structuredQuery && button('Run in Query', () => go({ page: 'query', path: [], params: { q: toJSON(r.request) } })))]
          : !server.value?.requestValues && h('p', { class: 'muted' }, 'The server keeps requests only with ',
            h('code', {}, '--console-values'), ', because they can hold personal data.'))));
    detail.hidden = false;
    element.classList.add('has-panel');
    grid.draw();
  }

  function hide() {
    current = null;
    detail.hidden = true;
    element.classList.remove('has-panel');
    grid.draw();
    grid.element.focus();
  }

  async function tryAgain(r, place) {
    try {
      const { decision } = await consoleCall('POST', 'decisions', { body: { database: databaseName(), request: r.id } });
      replace(place, h('p', { class: 'muted' }, 'With the rules and the data of now:'), trace(decision));
    } catch (error) {
      showError(error);
    }
  }

  draw();
  setPrimary();
  return {
    element, destroy() {
      stop();
      grid.destroy();
    }, keys: { Escape: hide },
  };
}

"""#)

    private static let file17 = ConsoleResource("pages/rules.js", tag: "5e8b2f0e5a193d4a", #"""
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

"""#)

    private static let file18 = ConsoleResource("pages/transfer.js", tag: "cb27f16908d10c3d", #"""
// SPDX-License-Identifier: Apache-2.0
// Import and export, as streams, with progress and a stop.
import { headers, request } from '../lib/api.js';
import { button, h, replace } from '../lib/dom.js';
import { databaseName, isReadOnly, route } from '../lib/store.js';
import { sizeText } from '../lib/values.js';
import { download, showError, toast } from '../ui/widgets.js';

export function open({ setPrimary, loadCollections }) {
  const outgoing = h('div', { class: 'stack', role: 'status' });
  const incoming = h('div', { class: 'stack', role: 'status' });
  const collection = h('input', { class: 'mono', autocomplete: 'off', placeholder: 'everything', value: route.value.path.join('/') });
  let file = null;

  // Export

  async function save() {
    const name = `${collection.value.replaceAll('/', '-') || databaseName().split('/')[1]}.jsonl`;
    const abort = new AbortController();
    let target;
    try {
      // Where the browser can, documents go straight to the disk; otherwise they are collected in memory.
      target = await globalThis.showSaveFilePicker?.({ suggestedName: name }).then((f) => f.createWritable());
    } catch (error) {
      if (error.name === 'AbortError') return;
    }
    try {
      const response = await request('POST', '/console/api/export',
        { body: { database: databaseName(), ...(collection.value && { collection: collection.value }) }, signal: abort.signal });
      const total = Number(response.headers.get('Hearth-Documents')) || undefined;
      const bar = h('progress', { 'aria-label': 'Progress', max: total, ...(total && { value: 0 }) });
      const text = h('span', { class: 'figures muted' });
      replace(outgoing, bar, h('div', { class: 'row' }, text, button('Stop', () => abort.abort(), { class: 'button small' })));
      const reader = response.body.getReader();
      const parts = [];
      let [documents, size] = [0, 0];
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        size += value.length;
        for (const byte of value) if (byte === 10) documents += 1;
        if (target) await target.write(value);
        else parts.push(value);
        if (total) bar.value = documents;
        text.textContent = `${documents.toLocaleString('en')} documents, ${sizeText(size)}`;
      }
      if (target) await target.close();
      else download(name, parts);
      replace(outgoing, h('p', { class: 'ok-text' }, `${documents.toLocaleString('en')} documents, ${sizeText(size)}: ${name}`));
    } catch (error) {
      await target?.abort();
      replace(outgoing, h('p', { class: 'muted' }, error.name === 'AbortError' ? 'Stopped.' : error.message));
    }
  }

  // Import

  const choose = h('input', { type: 'file', 'aria-label': 'File', accept: '.jsonl,.json,.csv,.gz,.ndjson', onchange: () =>
    take(choose.files[0]) });
  const drop = h('div', {
    class: 'drop', ondragover: (e) => { e.preventDefault(); drop.classList.add('over'); }, ondragleave: () => drop.classList.remove('over'),
    ondrop: (e) => {
      e.preventDefault();
      drop.classList.remove('over');
      take(e.dataTransfer.files[0]);
    },
  }, h('p', {}, 'Drop a file here: JSON lines, JSON or CSV, also with gzip.'), choose);
  const into = h('input', { class: 'mono', placeholder: 'from the file', autocomplete: 'off' });
  const idField = h('input', { class: 'mono', placeholder: 'new ids', autocomplete: 'off' });
  const types = h('input', { class: 'mono', placeholder: 'guessed', autocomplete: 'off' });
  const skip = h('input', { type: 'checkbox' });
  const buttons = h('div', { class: 'row', hidden: true }, button('Try without writing', () => load(true)),
    button('Import', () => load(false), { class: 'button primary' }));

  function take(chosen) {
    if (!chosen) return;
    file = chosen;
    buttons.hidden = false;
    replace(incoming, h('p', {}, h('span', { class: 'mono' }, file.name), h('span', { class: 'faint' }, ` ${sizeText(file.size)}`)));
  }

  function load(isDry) {
    const format = /\.csv(\.gz)?$/.test(file.name) ? 'csv' : /\.json(\.gz)?$/.test(file.name) ? 'json' : 'jsonl';
    if (format === 'csv' && !into.value) {
      replace(incoming, h('p', { class: 'problem', role: 'alert' }, 'Rows of CSV have no paths: name the collection.'));
      return;
    }
    const query = new URLSearchParams(Object.entries({
      database: databaseName(), format, collection: into.value, idField: idField.value, types: types.value, skipBad: skip.checked ? 'true'
        : '', dryRun: isDry ? 'true' : '',
    }).filter(([, v]) => v));
    // XMLHttpRequest tells how much of the file was taken; the server takes it as fast as it commits.
    const call = new XMLHttpRequest();
    const bar = h('progress', { 'aria-label': 'Progress', max: file.size, value: 0 });
    const text = h('p', { class: 'figures muted' }, isDry ? 'Reading…' : 'Importing…');
    const bad = h('ul', { class: 'mono small' });
    replace(incoming, bar, text, bad, button('Stop', () => call.abort(), { class: 'button small' }));
    let seen = 0;
    const read = () => {
      const end = call.responseText.lastIndexOf('\n') + 1;
      const lines = call.responseText.slice(seen, end).split('\n').filter((l) => l.trim());
      seen = end;
      for (const line of lines) {
        const message = JSON.parse(line);
        if (message.progress) text.textContent = `${message.progress.documents.toLocaleString('en')} documents`;
        if (message.types) bad.append(h('li', { class: 'muted' }, `types ${message.types}`));
        if (message.bad && bad.children.length < 100) bad.append(h('li', {}, `Line ${message.bad.line}: ${message.bad.message}`));
        if (message.done) finish(message.done);
        if (message.error) replace(incoming, h('p', { class: 'problem', role: 'alert' }, message.error.message), bad);
      }
    };
    const finish = ({ documents, bad: left, existing, examples }) => {
      const n = `${documents.toLocaleString('en')} ${documents === 1 ? 'document' : 'documents'}`;
      replace(incoming, h('p', { class: 'ok-text' }, isDry ? `${n} would be written.` : `${n} imported.`), left > 0
        && h('p', { class: 'warn-text' }, `${left} malformed and left out:`), bad,
        existing > 0 && [h('p', { class: 'warn-text' }, `${existing.toLocaleString('en')} exist already and would be replaced:`),
          h('ul', { class: 'mono small' }, examples.map((p) => h('li', {}, p)))]);
      if (isDry) return;
      toast(`${n} imported.`);
      loadCollections();
    };
    call.upload.onprogress = (e) => { bar.value = e.loaded; };
    call.onprogress = () => { if (call.status === 200) read(); };
    call.onload = () => {
      if (call.status === 200) read();
      else {
        let message = `The server answered with status ${call.status}.`;
        try {
          message = JSON.parse(call.responseText).error.message;
        } catch { /* The status has to do. */ }
        replace(incoming, h('p', { class: 'problem', role: 'alert' }, message));
      }
    };
    call.onerror = () => showError(new Error('The server does not answer.'));
    call.onabort = () => replace(incoming, h('p', { class: 'muted' }, 'Stopped. What was imported before stays.'));
    call.open('POST', `/console/api/import?${query}`);
    for (const [name, value] of Object.entries(headers())) call.setRequestHeader(name, name === 'Content-Type' ? 'application/octet-stream'
      : value);
    call.send(file);
  }

  const field = (label, input) => h('label', { class: 'stack' }, label, input);
  const element = h('div', { class: 'page' }, h('div', { class: 'bar' }, h('h1', { class: 'plain' }, 'Import & export')),
    h('div', { class: 'content scroll', tabIndex: 0, role: 'region', 'aria-label': 'Import and export' }, h('div', { class: 'columns' },
    h('section', { class: 'section' }, h('h2', {}, 'Export'), h('p', { class: 'muted' },
      'One document per line, in typed JSON, read at one moment.'), field('Collection', collection), h('div', {}, button('Export', save)),
      outgoing,
      h('p', { class: 'faint' }, 'The folder of the official emulator is written by ', h('code', {}, 'hearth export --format emulator'),
        '.')),
    !isReadOnly() && h('section', { class: 'section' }, h('h2', {}, 'Import'),
      h('p', { class: 'muted' }, 'Each document replaces the one under its path; others are kept.'), drop,
      h('div', { class: 'form' }, field('Into collection', into), field('Field with the id', idField), field('Types of columns', types)),
        h('label', { class: 'row' }, skip, 'Leave out malformed documents'), buttons, incoming))));
  setPrimary();
  return { element };
}

"""#)

    private static let file19 = ConsoleResource("pages/usage.js", tag: "5a79d74605f3a5f8", #"""
// SPDX-License-Identifier: Apache-2.0
// Usage: figures of the server, as far back as it remembers.
import { consoleCall } from '../lib/api.js';
import { h, replace, sparkline } from '../lib/dom.js';
import { sample, samples } from '../lib/live.js';
import { databases, formatRoute, route } from '../lib/store.js';
import { sizeText } from '../lib/values.js';

const count = (n) => Math.round(n).toLocaleString('en');
const ms = (s) => `${(s * 1000).toFixed(s < 0.01 ? 2 : 0)} ms`;

/** [title, member, text, whether it is a rate of a counter] */
const tiles = [
  ['Documents read', 'reads', (n) => `${count(n)}/s`, true], ['Documents written', 'writes', (n) => `${count(n)}/s`, true],
    ['Documents deleted', 'deletes', (n) => `${count(n)}/s`, true],
  ['Calls', 'calls', (n) => `${count(n)}/s`, true], ['Failed calls', 'errors', (n) => `${count(n)}/s`, true],
    ['Half of calls end within', 'p50', ms], ['99 of 100 calls end within', 'p99', ms],
  ['Listeners', 'listeners', count], ['Connections', 'connections', count], ['Memory', 'memory', sizeText], ['Files', 'bytes', sizeText],
];

export function open({ setPrimary }) {
  const grid = h('div', { class: 'tiles' });
  const list = h('tbody', {});
  const element = h('div', { class: 'page' }, h('div', { class: 'bar' }, h('h1', { class: 'plain' }, 'Usage'),
    h('span', { class: 'faint' }, 'the last 15 minutes')),
    h('div', { class: 'content scroll', tabIndex: 0, role: 'region', 'aria-label': 'Figures' }, grid, h('h2', {}, 'Databases'),
      h('div', { class: 'table-scroll' }, h('table', { class: 'list' },
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Database'), h('th', { scope: 'col', class: 'number' }, 'Documents'),
        h('th', { scope: 'col', class: 'number' }, 'Size'))), list))));

  const rates = (key) => samples.map((s, i) => {
    const before = samples[i - 1];
    const seconds = before && (Date.parse(s.time) - Date.parse(before.time)) / 1000;
    return seconds > 0 && s[key] !== undefined ? Math.max(0, (s[key] - before[key]) / seconds) : undefined;
  });

  const stops = [sample.watch(() => replace(grid, tiles.map(([title, key, text, isRate]) => {
    const values = isRate ? rates(key) : samples.map((s) => s[key]);
    const last = values.at(-1);
    return h('div', { class: 'tile' }, h('span', { class: 'muted' }, title), h('strong', {}, last === undefined ? '–' : text(last)),
      sparkline(values, `${title} over time`));
  }))), databases.watch((all) => replace(list, all.map((d) => {
    const [, project, , id] = d.name.split('/');
    return h('tr', {}, h('td', {}, h('a', { class: 'mono',
      href: formatRoute({ ...route.value, page: 'data', project, database: id, path: [], params: {} }) }, `${project} / ${id}`)),
      h('td', { class: 'number' }, d.documents?.toLocaleString('en') ?? '–'),
        h('td', { class: 'number' }, d.bytes === undefined ? '–' : sizeText(d.bytes)));
  })))];
  const timer = setInterval(async () => {
    try {
      databases.value = (await consoleCall('GET', 'databases')).databases;
    } catch { /* The bar says that the server is gone. */ }
  }, 30000);
  setPrimary();
  return {
    element, destroy() {
      clearInterval(timer);
      for (const stop of stops) stop();
    },
  };
}

"""#)

    private static let file20 = ConsoleResource("ui/columns.js", tag: "d992d05b01be7ede", #"""
// SPDX-License-Identifier: Apache-2.0
// Documents in a table: which columns, and what a cell shows.
import { relative, compareNames, fieldPath, fieldsOf, parseFieldPath, summary, typeOf, valueAt } from '../lib/values.js';
import { h } from '../lib/dom.js';

/** The fields of the rows, the most frequent first; maps with few fields by path. At most 12 to begin with. */
export function fieldColumns(rows, most = 12) {
  const database = rows[0]?.name.split('/').slice(0, 4).join('/');
  const found = new Map();
  const visit = (fields, prefix, depth) => {
    for (const [name, value] of Object.entries(fields)) {
      const path = [...prefix, name];
      const key = fieldPath(path);
      const entry = found.get(key) ?? { key, count: 0, length: 0 };
      entry.count += 1;
      entry.length = Math.max(entry.length, Math.min(40, summary(value, database).length));
      entry.align = ['integer', 'double'].includes(typeOf(value)) && entry.align !== '' ? 'number' : '';
      found.set(key, entry);
      if (most === Infinity && typeOf(value) === 'map' && depth < 3) visit(fieldsOf(value), path, depth + 1);
    }
  };
  for (const row of rows) visit(row.fields, [], 0);
  const longest = Math.max(8, ...rows.slice(0, 100).map((r) => r.name.length - r.name.lastIndexOf('/') - 1));
  const columns = [...found.values()].sort((a, b) => b.count - a.count || compareNames(a.key, b.key)).slice(0,
    most).map(({ key, length }) => ({
    key, width: Math.round(Math.max(76, Math.min(260, Math.max(length, key.length + 2) * 7.7 + 22))),
  }));
  const note = rows.some((r) => r.isMissing) ? 120 : 0;
  return [{ key: '__id__', width: Math.round(Math.min(240, Math.max(110, longest * 7.7 + 24)) + note) }, ...columns];
}

/** Fills a cell. Numbers stand at the right. */
export function documentCell(cell, row, column, database) {
  if (column.key === '__id__') {
    const id = row.isGroup ? relative(row.name) : row.name.slice(row.name.lastIndexOf('/') + 1);
    cell.replaceChildren(h('span', { class: 'id ellipsis' }, id),
      ...(row.isMissing ? [h('span', { class: 'faint ellipsis' }, ' does not exist')] : []));
    cell.title = id;
    return;
  }
  const value = valueAt(row.fields, parseFieldPath(column.key));
  cell.removeAttribute('title');
  if (!value) {
    cell.replaceChildren();
    return;
  }
  const type = typeOf(value);
  cell.classList.toggle('number', type === 'integer' || type === 'double');
  const text = summary(value, database);
  cell.replaceChildren(h('span', { class: `v-${type} ellipsis` }, text));
  cell.title = `${type}: ${text}`;
}

"""#)

    private static let file21 = ConsoleResource("ui/conditions.js", tag: "36ba4bb58e903e81", #"""
// SPDX-License-Identifier: Apache-2.0
// Lines of `field operator value` with groups of AND and OR.
import { button, h, iconButton, replace } from '../lib/dom.js';
import { isUnary, symbols, takesArray } from '../lib/query.js';
import { arrayOf, elementsOf, text, typeOf } from '../lib/values.js';
import { typedInput } from './inputs.js';
import { newElementID } from './widgets.js';

export function fieldInput(value, fields, label = 'Field') {
  const id = newElementID('fields');
  const list = h('datalist', { id });
  return {
    element: h('span', { class: 'field-input' }, h('input', {
      class: 'mono', value, 'aria-label': label, placeholder: 'field', autocomplete: 'off', spellcheck: false, list: id, size: 14,
      onfocus: () => replace(list, fields().map((f) => h('option', { value: f }))),
    }), list),
  };
}

/** Edits a group: {element, read()}; read throws with a sentence. */
export function conditions(group, options) {
  const element = h('div', { class: options.isRoot ? 'conditions root' : 'conditions' });
  let rows = [];
  let op = group.op;
  const draw = () => replace(element,
    (rows.length > 1 || !options.isRoot) && h('div', { class: 'row' },
      h('select', { 'aria-label': 'All or any', class: 'type', onchange: (e) => { op = e.target.value; } },
      h('option', { value: 'AND', selected: op === 'AND' }, 'all of'), h('option', { value: 'OR', selected: op === 'OR' }, 'any of'))),
    rows.map((r) => h('div', { class: 'condition' }, r.element, iconButton('close', 'Remove', () => {
      rows = rows.filter((o) => o !== r);
      draw();
    }))),
    h('div', { class: 'row' }, button('Add condition', () => {
      rows.push(line({ field: '', op: 'EQUAL', value: text('') }, options));
      draw();
      rows.at(-1).element.querySelector('input').focus();
    }, { class: 'button small' }), button('Add group', () => {
      rows.push(conditions({ op: 'OR', items: [{ field: '', op: 'EQUAL', value: text('') }] }, { ...options, isRoot: false }));
      draw();
    }, { class: 'button small' })));
  rows = group.items.map((item) => (item.items ? conditions(item, { ...options, isRoot: false }) : line(item, options)));
  if (options.isRoot && !rows.length && options.begins !== false) rows.push(line({ field: '', op: 'EQUAL', value: text('') }, options));
  draw();
  return { element, read: () => ({ op, items: rows.map((r) => r.read()) }) };
}

function line(item, { fields, database }) {
  const field = fieldInput(item.field, fields);
  const place = h('span', { class: 'row grow wrap' });
  let read = () => undefined;
  const show = (op, value) => {
    if (isUnary(op)) {
      replace(place);
      read = () => undefined;
    } else if (takesArray(op)) {
      let inputs = (value && typeOf(value) === 'array' ? elementsOf(value) : [value ?? text('')]).map((v) =>
        typedInput(v, database, { label: 'value' }));
      const draw = () => replace(place, inputs.map((i) => h('span', { class: 'row' }, i.element, inputs.length > 1
        && iconButton('close', 'Remove the value', () => {
        inputs = inputs.filter((o) => o !== i);
        draw();
      }))), iconButton('plus', 'Another value', () => {
        inputs.push(typedInput(inputs.at(-1)?.read() ?? text(''), database, { label: 'value' }));
        draw();
      }));
      draw();
      read = () => arrayOf(inputs.map((i) => i.read()));
    } else {
      const input = typedInput(value && typeOf(value) === 'array' ? elementsOf(value)[0] : value, database,
        { label: 'value', only: ['string', 'integer', 'double', 'boolean', 'timestamp', 'reference', 'geopoint', 'bytes', 'null'] });
      replace(place, input.element);
      read = () => input.read();
    }
  };
  const select = h('select', {
    class: 'mono type', 'aria-label': 'Operator', onchange: () => {
      let value;
      try {
        value = read();
      } catch { /* It is typed anew. */ }
      show(select.value, value);
    },
  }, Object.entries(symbols).map(([op, symbol]) => h('option', { value: op, selected: op === item.op }, symbol)));
  show(item.op, item.value);
  const element = h('div', { class: 'row wrap grow' }, field.element, select, place);
  return {
    element, read: () => {
      const path = field.element.querySelector('input').value;
      try {
        return { field: path, op: select.value, ...(!isUnary(select.value) && { value: read() }) };
      } catch (error) {
        throw new Error(`${path || 'A condition'} ${symbols[select.value]}: ${error.message}`);
      }
    },
  };
}

"""#)

    private static let file22 = ConsoleResource("ui/editor.js", tag: "2ecfddbd85a4fd94", #"""
// SPDX-License-Identifier: Apache-2.0
// One document: a tree of fields, saved as one commit of just what changed.
import { collectionIDs, commit, getDocument } from '../lib/api.js';
import { button, failure, h, icon, iconButton, replace, skeleton } from '../lib/dom.js';
import { fieldsText, parseFields, valueText } from '../lib/json.js';
import { watch } from '../lib/live.js';
import { formatRoute, go, isReadOnly, route } from '../lib/store.js';
import {
  arrayOf, changedPaths, doubleText, elementsOf, fieldPath, fieldsOf, idProblem, isIn, localTime, mapOf, newID, relative, rootOf,
  same, sameFields, sortedNames, summary, text, toJSON, typeOf, types, valueAt, vectorOf, visible, withValue, writeOfChanges,
  writeOfDocument,
} from '../lib/values.js';
import { askCollection, askComputed, askID, askMerge, askName, askType } from './questions.js';
import { typedInput, valueInput } from './inputs.js';
import { removeRecursively } from './removal.js';
import { confirm, copy, menu, menuButton, showError, toast } from './widgets.js';

const isContainer = (value) => ['array', 'map'].includes(typeOf(value));
const keyOf = (path) => toJSON(path);

export class DocumentPanel {
  /** @param {{database: string, path: string[], isNew: boolean, close: function, saved: function, created: function,
    deleted: function}} options */
  constructor(options) {
    Object.assign(this, { ...options, base: {}, draft: {}, theirs: null, document: null, open: new Set(), editing: null, view: 'fields',
      active: 0, nodes: [] });
    if (this.isNew && !this.path.at(-1)) this.path[this.path.length - 1] = newID();
    this.body = h('div', { class: 'panel-body', tabIndex: -1 });
    this.footer = h('div', { class: 'panel-footer', hidden: true });
    this.head = h('header', { class: 'panel-head' });
    this.element = h('div', { class: 'panel' }, this.head, this.body, this.footer);
    this.below = { ids: [], next: undefined };
    this.load();
  }

  get name() { return [rootOf(this.database), ...this.path].join('/'); }
  get isDirty() { return this.isNew ? Object.keys(this.draft).length > 0 : this.jsonText !== undefined
    || !sameFields(this.base, this.draft); }
  /** Whether there is an input, of a value or of a new field, which is not drawn over. */
  get isTyping() { return this.editing || this.form?.isConnected; }

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
    const late = setTimeout(() => replace(this.body, skeleton(6)), 150);
    try {
      const found = await getDocument(this.name);
      clearTimeout(late);
      if (this.isClosed) return;
      this.accept(found);
      this.draw();
      this.listen();
      this.below = await collectionIDs(this.name);
      if (!this.isClosed) this.drawBelow();
    } catch (error) {
      clearTimeout(late);
      replace(this.body, failure(error, () => this.load()));
    }
  }

  reload() { if (!this.isDirty) this.load(); }

  accept(document) {
    this.document = document ?? null;
    this.base = document?.fields ?? {};
    this.draft = { ...this.base };
    this.theirs = null;
    this.jsonText = undefined;
  }

  listen() {
    if (this.isClosed) return;
    watch('document', { documents: { documents: [this.name] } }, {
      change: (document) => {
        if (document.name === this.name && document.updateTime !== (this.theirs
          ?? this.document)?.updateTime) this.changedElsewhere(document);
      },
      remove: () => { if (this.document) this.changedElsewhere(null); },
    });
  }

  /** Somebody else saved: shown at once, or as marks while a person edits. */
  changedElsewhere(document) {
    if (this.isSaving) return;
    if (this.isDirty || this.isTyping) {
      this.theirs = document ?? { fields: {}, isDeleted: true };
      this.draw(true);
      return;
    }
    const changed = new Set(changedPaths(this.base, document?.fields ?? {}).map((p) => keyOf(p.slice(0, 1))));
    this.accept(document);
    this.draw();
    for (const row of this.body.querySelectorAll('.field')) if (changed.has(keyOf([row.node.path[0]]))) row.classList.add('flash');
  }

  // Drawing

  draw(keepsInput = false) {
    this.drawHead();
    this.drawFooter();
    if (keepsInput && this.isTyping) {
      this.marks();
      return;
    }
    if (this.view === 'json') {
      this.drawJSON();
      return;
    }
    const hadFocus = this.body.contains(document.activeElement);
    const scroll = this.body.scrollTop;
    const missing = !this.document && !this.isNew && h('div', { class: 'notice' }, h('p', {}, 'This document does not exist.'),
      !isReadOnly() && button('Create it', () => this.createMissing(), { class: 'button small' }));
    this.tree = h('div', { class: 'tree', role: 'treegrid', 'aria-label': 'Fields', 'aria-readonly': isReadOnly() ? 'true' : undefined,
      onkeydown: (e) => this.pressed(e) });
    this.drawTree();
    this.subcollections = h('div', { class: 'below-document' });
    this.times = h('dl', { class: 'times faint' });
    replace(this.body, missing, this.isNew && this.idRow(), this.tree,
      !isReadOnly() && (this.document || this.isNew) && h('button',
        { type: 'button', class: 'tool add-field', onclick: () => this.addField([]) }, icon('plus'), 'Add field'), this.subcollections,
        this.times);
    if (this.document) {
      replace(this.times, [['Created', this.document.createTime], ['Updated', this.document.updateTime]].map(([k, t]) => [h('dt', {}, k),
        h('dd', { class: 'figures', title: t }, localTime(t))]));
    }
    this.drawBelow();
    this.body.scrollTop = scroll;
    if (hadFocus) this.focusRow();
  }

  drawHead() {
    const id = this.path.at(-1);
    replace(this.head, h('h2', { class: 'mono ellipsis', title: id }, this.isNew ? 'New document' : id),
      h('div', { class: 'segments', role: 'group', 'aria-label': 'View' }, ['fields', 'json'].map((view) => h('button', {
        type: 'button', 'aria-pressed': String(this.view === view), onclick: () => this.show(view),
      }, view === 'json' ? 'JSON' : 'Fields'))),
      !this.isNew && menuButton(icon('more'), () => [
        { label: 'Copy path', action: () => copy(this.path.join('/'), 'Path copied') },
        { label: 'Copy as typed JSON', action: () => copy(fieldsText(this.draft, this.database)) },
        { label: 'Copy as REST JSON', action: () => copy(toJSON({ name: this.name, fields: this.draft }, 2)) },
        ...(isReadOnly() ? [] : [
          { label: 'Duplicate…', action: () => this.duplicate() }, null,
          { label: 'Delete document', hint: 'Del', danger: true, disabled: !this.document, action: () => this.remove() },
          { label: 'Delete with everything below…', danger: true, action: () => this.removeAll() },
        ]),
      ], { 'aria-label': 'Document', title: 'More' }),
      iconButton('close', 'Close', () => this.close()));
  }

  drawFooter() {
    const isShown = this.isDirty || this.isNew;
    this.footer.hidden = !isShown;
    if (!isShown) return;
    const paths = this.isNew ? [] : changedPaths(this.base, this.draft);
    const others = this.theirs && h('span', { class: 'warn-text' }, this.theirs.isDeleted ? 'Deleted elsewhere' : 'Changed elsewhere');
    replace(this.footer, h('span', { class: 'muted ellipsis grow', title: paths.map((p) => fieldPath(p)).join(', ') },
      others ?? (this.isNew ? '' : `${paths.length} ${paths.length === 1 ? 'change' : 'changes'}`)),
    button(this.isNew ? 'Cancel' : 'Discard', () => (this.isNew ? this.close() : this.discard())),
    button('Save', () => this.save(), { class: 'button primary', title: 'Save (Ctrl S)' }));
  }

  drawBelow() {
    if (!this.subcollections || this.isNew) return;
    const { ids, next } = this.below;
    const href = (id) => formatRoute({ ...route.value, page: 'data', path: [...this.path, id], params: {} });
    replace(this.subcollections, h('h3', { class: 'heading' }, 'Collections'), ids.length > 0
      && h('ul', {}, ids.map((id) => h('li', {}, h('a', { class: 'mono', href: href(id) }, icon('right'), id)))),
      next && h('p', { class: 'faint' }, 'There are more.'),
      !isReadOnly() && h('button', { type: 'button', class: 'tool', onclick: () => this.addCollection() }, icon('plus'), 'Add collection'));
  }

  async addCollection() {
    const id = await askCollection();
    if (id) go({ path: [...this.path, id], params: { new: '1' } });
  }

  idRow() {
    const problem = h('p', { class: 'problem', role: 'alert' });
    const input = h('input', {
      class: 'mono grow', value: this.path.at(-1), autocomplete: 'off', spellcheck: false,
      oninput: () => {
        this.path[this.path.length - 1] = input.value;
        problem.textContent = idProblem(input.value) ?? '';
      },
    });
    return h('label', { class: 'stack id-row' }, 'Document id', input, problem);
  }

  /** All rows, with those of open maps and arrays. Fields that were removed stay, struck through, until they are saved. */
  list() {
    const nodes = [];
    const add = (path, value, old, depth) => {
      const isOpen = this.open.has(keyOf(path));
      nodes.push({ path, value: value ?? old, old, depth, isOpen, isRemoved: !value, hasChildren: value && isContainer(value) });
      if (!value || !isOpen) return;
      if (typeOf(value) === 'array') elementsOf(value).forEach((v, i) => add([...path, i], v, valueAt(this.base, [...path, i]), depth + 1));
      if (typeOf(value) === 'map') members(path, fieldsOf(value), old && typeOf(old) === 'map' ? fieldsOf(old) : {}, depth + 1);
    };
    const members = (prefix, fields, olds, depth) => {
      const all = sortedNames(Object.assign(Object.create(null), olds, fields));
      for (const name of all) add([...prefix, name], Object.hasOwn(fields, name) ? fields[name] : undefined, Object.hasOwn(olds, name)
        ? olds[name] : undefined, depth);
    };
    members([], this.draft, this.base, 0);
    return nodes;
  }

  drawTree() {
    this.nodes = this.list();
    this.active = Math.max(0, Math.min(this.active, this.nodes.length - 1));
    replace(this.tree, this.nodes.length ? this.nodes.map((node, i) => this.row(node, i))
      : h('div', { role: 'row' }, h('div', { role: 'gridcell', class: 'muted pad' }, this.document ? 'No fields.' : '')));
  }

  row(node, index) {
    const { path, value, depth } = node;
    const type = typeOf(value);
    const step = path.at(-1);
    const isChanged = !this.isNew && (node.isRemoved || !node.old || !same(node.old, value));
    const toggle = h('span', { class: 'toggle' }, node.hasChildren && icon(node.isOpen ? 'down' : 'right'));
    const name = h('span', { class: typeof step === 'number' ? 'name faint mono' : 'name mono', title: fieldPath(path.map(String)) },
      typeof step === 'number' ? `${step}` : visible(step));
    const row = h('div', {
      role: 'row', class: ['field', isChanged && 'changed', node.isRemoved && 'removed'].filter(Boolean).join(' '),
        tabIndex: index === this.active ? 0 : -1,
      'aria-level': String(depth + 1), 'aria-expanded': node.hasChildren ? String(node.isOpen) : undefined,
        style: { '--depth': String(depth) },
      onfocus: () => { this.active = index; },
    },
    h('div', { role: 'rowheader', class: 'name-cell', onclick: () => node.hasChildren && this.toggle(node) }, toggle, name,
      isChanged && h('span', { class: 'mark-mine', title: 'Changed, not saved', role: 'img', 'aria-label': 'changed' }, '●')),
    h('div', {
      role: 'gridcell', class: 'value-cell', title: this.tip(value),
      onclick: () => {
        this.active = index;
        if (node.hasChildren) this.toggle(node);
        else this.edit(index);
      },
    }, this.shown(value)),
    h('div', { role: 'gridcell', class: 'tools-cell' }, h('span', { class: 'type-name' }, type === 'sentinel' ? 'computed' : type),
      !isReadOnly() && h('button', {
        type: 'button', class: 'tool field-menu', tabIndex: -1, 'aria-label': `Menu of ${step}`, 'aria-haspopup': 'menu',
        onclick: (event) => {
          this.active = index;
          menu(event.currentTarget, this.menuOf(node), { label: `${step}` });
        },
      }, icon('more'))));
    row.node = node;
    this.markTheirs(row);
    return row;
  }

  shown(value) {
    const type = typeOf(value);
    if (type === 'reference' && isIn(value.referenceValue, this.database)) {
      return h('a', { class: 'v-reference ellipsis', href: formatRoute({ ...route.value, page: 'data',
        path: relative(value.referenceValue).split('/'), params: {} }), tabIndex: -1, onclick: (e) => e.stopPropagation() },
        summary(value, this.database));
    }
    const all = [h('span', { class: `v-${type} ellipsis` }, summary(value, this.database))];
    if (type === 'string' && value.stringValue.length > 80) all.push(h('span', { class: 'faint small' },
      ` ${value.stringValue.length.toLocaleString('en')}`));
    if (type === 'string' && /^https?:\/\/\S+$/.test(value.stringValue)) {
      all.push(h('a', { class: 'tool inline', href: value.stringValue, target: '_blank', rel: 'noopener noreferrer',
        title: 'Open in a new tab', 'aria-label': 'Open in a new tab', tabIndex: -1, onclick: (e) => e.stopPropagation() }, icon('link')));
    }
    return all;
  }

  tip(value) {
    switch (typeOf(value)) {
      case 'timestamp': return `${value.timestampValue}\n${localTime(value.timestampValue)}`;
      case 'double': return doubleText(value.doubleValue);
      case 'vector': return vectorOf(value).slice(0, 64).join(', ');
      case 'string': return value.stringValue.slice(0, 1000);
      default: return undefined;
    }
  }

  /** A mark where the document was changed elsewhere while it is edited here. */
  markTheirs(row) {
    const { path } = row.node;
    row.querySelector('.mark-theirs')?.remove();
    if (!this.theirs) return;
    const theirs = valueAt(this.theirs.fields ?? {}, path);
    const old = valueAt(this.base, path);
    if (theirs === old || (theirs && old && same(theirs, old))) return;
    const what = theirs ? summary(theirs, this.database) : 'removed';
    row.querySelector('.name-cell').append(h('button', {
      type: 'button', class: 'mark-theirs', title: `Elsewhere: ${what}. Click to take it.`,
        'aria-label': `Changed elsewhere: ${what}. Take it.`, tabIndex: -1,
      onclick: (event) => {
        event.stopPropagation();
        this.change(path, theirs);
      },
    }, '◆'));
  }

  marks() { for (const row of this.body.querySelectorAll('.field')) this.markTheirs(row); }

  focusRow() { this.tree?.children[this.active]?.focus({ preventScroll: false }); }

  toggle(node) {
    const key = keyOf(node.path);
    if (!this.open.delete(key)) this.open.add(key);
    this.draw();
    this.focusRow();
  }

  pressed(event) {
    const row = event.target.closest('.field');
    if (!row || event.target !== row) return;
    const { node } = row;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.altKey && move) this.moveElement(node, move);
    else if (move) {
      this.active = Math.max(0, Math.min(this.active + move, this.nodes.length - 1));
      [...this.tree.children].forEach((r, i) => { r.tabIndex = i === this.active ? 0 : -1; });
      this.focusRow();
    } else if (event.key === 'ArrowRight' && node.hasChildren && !node.isOpen) this.toggle(node);
    else if (event.key === 'ArrowLeft' && node.isOpen) this.toggle(node);
    else if (event.key === 'ArrowLeft' && node.depth) {
      this.active = this.nodes.findIndex((n) => keyOf(n.path) === keyOf(node.path.slice(0, -1)));
      this.focusRow();
    } else if (event.key === 'Enter') {
      if (node.hasChildren) this.toggle(node);
      else this.edit(this.active);
    } else if (event.key === 'Delete' && !isReadOnly()) this.change(node.path, undefined);
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) menu(row, this.menuOf(node));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  menuOf(node) {
    const { path, value } = node;
    const type = typeOf(value);
    const isElement = typeof path.at(-1) === 'number';
    const inArray = path.some((s) => typeof s === 'number');
    if (node.isRemoved) return [{ label: 'Keep the field', action: () => this.change(path, node.old) }];
    return [
      !isContainer(value) && type !== 'sentinel' && { label: 'Edit', hint: 'Enter', action: () => this.edit(this.nodes.indexOf(node)) },
      isContainer(value) && { label: type === 'array' ? 'Add element' : 'Add field', action: () => this.addField(path) },
      !isElement && { label: 'Rename…', action: () => this.rename(node) },
      isElement && { label: 'Move up', hint: 'Alt ↑', disabled: path.at(-1) === 0, action: () => this.moveElement(node, -1) },
      isElement && { label: 'Move down', hint: 'Alt ↓', action: () => this.moveElement(node, 1) },
      { label: 'Change type…', action: () => this.ask(askType, node) },
      !inArray && { label: 'Compute when saved…', action: () => this.ask(askComputed, node) },
      null,
      { label: 'Copy field path', action: () => copy(fieldPath(path.map(String))) },
        { label: 'Copy value', action: () => copy(valueText(value, this.database, '', '  ')) },
      node.old && !same(node.old, value) && { label: 'Take back', action: () => this.change(path, node.old) },
      null, { label: isElement ? 'Remove' : 'Delete field', hint: 'Del', danger: true, action: () => this.change(path, undefined) },
    ];
  }

  // Editing

  change(path, value) {
    if (isReadOnly()) return;
    this.draft = withValue(this.draft, path, value);
    this.editing = null;
    this.draw();
    this.focusRow();
  }

  /** Puts an input in the place of a value. Without an index the first field is edited. */
  edit(index = this.active) {
    if (isReadOnly() || this.view === 'json') return;
    const node = this.nodes[index];
    if (!node || node.isRemoved) {
      if (!this.nodes.length && (this.document || this.isNew)) this.addField([]);
      return;
    }
    if (node.hasChildren || typeOf(node.value) === 'sentinel') {
      this.active = index;
      this.focusRow();
      return;
    }
    if (this.editing) this.editing.commit();
    const row = this.tree.children[index];
    const problem = h('p', { class: 'problem', role: 'alert' });
    const finish = (take) => {
      if (this.editing !== session) return;
      if (take) {
        try {
          const value = input.read();
          this.editing = null;
          this.change(node.path, value);
        } catch (error) {
          problem.textContent = error.message;
          input.input?.setAttribute('aria-invalid', 'true');
          return;
        }
      } else {
        this.editing = null;
        this.draw();
      }
      this.focusRow();
    };
    const session = { commit: () => finish(true) };
    if (typeOf(node.value) === 'boolean') {
      this.change(node.path, { booleanValue: !node.value.booleanValue });
      return;
    }
    const input = valueInput(node.value, this.database, { label: `Value of ${node.path.at(-1)}`, commit: () => finish(true), cancel: () =>
      finish(false) });
    this.editing = session;
    this.active = index;
    row.classList.add('editing');
    const cell = row.children[1];
    cell.onclick = null;
    replace(cell, h('div', {
      class: 'edit', onclick: (e) => e.stopPropagation(), onkeydown: (e) => this.tabbed(e, index, finish),
      onfocusout: (e) => {
        if (!cell.contains(e.relatedTarget) && document.hasFocus() && !e.relatedTarget?.closest('.menu')) finish(true);
      },
    }, input.element, problem));
    const first = cell.querySelector('input, textarea, select');
    first?.focus();
    first?.select?.();
  }

  /** Tab goes on to the next value, Shift Tab to the one before. */
  tabbed(event, index, finish) {
    if (event.key !== 'Tab') return;
    const inputs = [...event.currentTarget.querySelectorAll('input, textarea, select, button')];
    if (event.target !== inputs.at(event.shiftKey ? 0 : -1)) return;
    const next = index + (event.shiftKey ? -1 : 1);
    finish(true);
    if (this.editing || !this.nodes[next]) return;
    event.preventDefault();
    this.active = next;
    if (typeOf(this.nodes[next].value) === 'boolean') this.focusRow();
    else this.edit(next);
  }

  async addField(path) {
    const parent = path.length ? valueAt(this.draft, path) : mapOf(this.draft);
    const isArray = typeOf(parent) === 'array';
    if (path.length) this.open.add(keyOf(path));
    const name = h('input', { class: 'mono', placeholder: 'field', 'aria-label': 'Name of the field', autocomplete: 'off',
      spellcheck: false, size: 12 });
    const only = types.filter((t) => !(isArray && t === 'array'));
    const form = typedInput(text(''), this.database, { label: 'value', commit: () => add(), only });
    const problem = h('p', { class: 'problem', role: 'alert' });
    const add = (again = false) => {
      const last = this.form;
      try {
        if (!isArray && !name.value) throw new Error('A field has a name.');
        if (!isArray && Object.hasOwn(fieldsOf(parent), name.value)) throw new Error('There is a field of this name.');
        if (!isArray && /^__.*__$/s.test(name.value)) throw new Error('Names like __name__ are reserved.');
        const value = form.read();
        const target = [...path, isArray ? elementsOf(parent).length : name.value];
        this.form = null;
        this.active = 0;
        this.change(target, value);
        this.active = this.nodes.findIndex((n) => keyOf(n.path) === keyOf(target));
        this.focusRow();
        if (isContainer(value)) this.open.add(keyOf(target));
        if (again) this.addField(path);
      } catch (error) {
        this.form = last;
        problem.textContent = error.message;
      }
    };
    this.draw();
    this.form?.remove();
    this.form = h('div', {
      class: 'add-form', role: 'group', 'aria-label': isArray ? 'New element' : 'New field',
      onkeydown: (event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          this.form.remove();
          this.form = null;
          this.focusRow();
        } else if (event.key === 'Enter' && event.target.matches('select, input') && event.target === name) {
          event.preventDefault();
          form.focus();
        }
      },
    }, path.length > 0 && h('div', { class: 'faint mono small' }, fieldPath(path.map(String))),
      h('div', { class: 'row wrap' }, !isArray && name, form.element, button('Add', () => add(), { class: 'button small' })), problem);
    this.body.querySelector('.add-field')?.before(this.form);
    if (isArray) form.focus();
    else name.focus({ preventScroll: this.isNew });
  }

  async rename(node) {
    const name = await askName(node, this.draft);
    if (name === undefined) return;
    this.draft = withValue(this.draft, node.path, undefined);
    this.change([...node.path.slice(0, -1), name], node.value);
  }

  async ask(question, node) {
    const value = await question(node, this.database);
    if (value) this.change(node.path, value);
  }

  moveElement(node, by) {
    const index = node.path.at(-1);
    const parent = node.path.slice(0, -1);
    if (typeof index !== 'number') return;
    const items = [...elementsOf(valueAt(this.draft, parent))];
    if (index + by < 0 || index + by >= items.length) return;
    [items[index], items[index + by]] = [items[index + by], items[index]];
    this.active += by;
    this.change(parent, arrayOf(items));
    this.active = this.nodes.findIndex((n) => keyOf(n.path) === keyOf([...parent, index + by]));
    this.focusRow();
  }

  discard() {
    if (this.theirs) this.accept(this.theirs.isDeleted ? undefined : this.theirs);
    else this.accept(this.document ?? undefined);
    this.editing = null;
    this.draw();
  }

  // JSON

  show(view) {
    if (view === this.view || !this.takeJSON()) return;
    if (this.editing) this.editing.commit();
    this.view = view;
    this.draw();
  }

  drawJSON() {
    const problem = h('p', { class: 'problem', role: 'alert' });
    this.area = h('textarea', {
      class: 'mono json', spellcheck: false, readOnly: isReadOnly(), 'aria-label': 'Document as typed JSON', value: this.jsonText
        ?? fieldsText(this.draft, this.database),
      oninput: () => {
        this.jsonText = this.area.value;
        problem.textContent = '';
        this.drawFooter();
      },
    });
    this.problem = problem;
    replace(this.body, this.isNew && this.idRow(), this.area, problem,
      h('p', { class: 'faint small pad' },
        'Typed JSON, as the command line writes it. REST JSON and plain JSON can be pasted: fields keep the types that they have.'));
  }

  /** The text of the JSON view becomes the draft; false, with the place of the error, if it is not a document. */
  takeJSON() {
    if (this.jsonText === undefined) return true;
    try {
      this.draft = parseFields(this.jsonText, this.database, this.base);
      this.jsonText = undefined;
      return true;
    } catch (error) {
      this.problem.textContent = error.message;
      if (error.line) {
        const start = this.area.value.split('\n').slice(0, error.line - 1).join('\n').length + (error.line > 1 ? 1 : 0) + error.column - 1;
        this.area.focus();
        this.area.setSelectionRange(start, start + 1);
      }
      return false;
    }
  }

  // Saving

  async save() {
    if (isReadOnly() || this.isSaving) return;
    this.editing?.commit();
    if (this.editing || !this.takeJSON()) return;
    const problem = this.isNew && idProblem(this.path.at(-1));
    if (problem) {
      toast(problem, { isError: true });
      return;
    }
    const before = this.document;
    const write = this.isNew || !before ? writeOfDocument(this.name, this.draft, { exists: false })
      : writeOfChanges(this.name, this.base, this.draft, { updateTime: before.updateTime });
    if (!write) {
      this.draw();
      return;
    }
    this.isSaving = true;
    try {
      const answer = await commit(this.database, [write]);
      const saved = await getDocument(this.name);
      this.accept(saved);
      const time = answer.writeResults?.[0]?.updateTime ?? answer.commitTime;
      toast('Saved.', { action: 'Undo', onaction: () => this.undo(this.name, before, time) });
      if (saved) this.saved(saved);
      if (this.isNew) {
        this.isNew = false;
        this.created(this.path.at(-1));
      }
      this.draw();
      this.listen();
    } catch (error) {
      if (['FAILED_PRECONDITION', 'ABORTED', 'NOT_FOUND'].includes(error.status) && before) await this.conflict();
      else showError(error);
    } finally {
      this.isSaving = false;
    }
  }

  createMissing() {
    this.isSaving = true;
    commit(this.database, [writeOfDocument(this.name, {}, { exists: false })]).then(async () => {
      this.accept(await getDocument(this.name));
      this.isSaving = false;
      this.saved(this.document);
      this.draw();
    }, showError);
  }

  /** The document changed in between: theirs and mine, field by field. */
  async conflict() {
    const theirs = await getDocument(this.name);
    if (!theirs) {
      const again = await confirm({ title: 'The document was deleted',
        text: 'Another client deleted it. Saving creates it again, with all fields as they are here.', action: 'Create again' });
      this.document = null;
      this.base = {};
      this.theirs = null;
      this.isSaving = false;
      if (again) await this.save();
      return;
    }
    const draft = await askMerge(this.base, theirs.fields ?? {}, this.draft, this.database);
    if (!draft) {
      this.theirs = theirs;
      this.draw();
      return;
    }
    this.document = theirs;
    this.base = theirs.fields ?? {};
    this.draft = draft;
    this.theirs = null;
    this.isSaving = false;
    await this.save();
  }

  /** A commit of what was before, if nobody came between. */
  async undo(name, before, updateTime) {
    try {
      await commit(this.database, [before ? { update: { name, fields: before.fields ?? {} }, currentDocument: { updateTime } }
        : { delete: name, currentDocument: { updateTime } }]);
      if (this.isClosed || this.name !== name) return;
      this.accept(await getDocument(name));
      this.draw();
      if (this.document) this.saved(this.document);
    } catch (error) {
      showError(error.status === 'FAILED_PRECONDITION' ? new Error('It cannot be taken back: the document has changed since.') : error);
    }
  }

  async remove() {
    const before = this.document;
    if (isReadOnly() || !before) return;
    try {
      await commit(this.database, [{ delete: this.name, currentDocument: { updateTime: before.updateTime } }]);
      this.draft = this.base;
      const { database, name, saved } = this;
      toast(`${this.path.at(-1)} deleted.`, {
        action: 'Undo', onaction: async () => {
          try {
            await commit(database, [{ update: { name, fields: before.fields ?? {} }, currentDocument: { exists: false } }]);
            saved(await getDocument(name));
          } catch (error) {
            showError(error);
          }
        },
      });
      this.deleted(this.name);
    } catch (error) {
      showError(error.status === 'FAILED_PRECONDITION' ? new Error('The document has changed since; look at it again.') : error);
    }
  }

  async removeAll() {
    if (await removeRecursively(this.database, this.path)) this.deleted(this.name);
  }

  async duplicate() {
    const id = await askID('Duplicate', 'Duplicate', { value: newID() });
    if (!id) return;
    try {
      const path = [...this.path.slice(0, -1), id];
      await commit(this.database, [writeOfDocument([rootOf(this.database), ...path].join('/'), this.draft, { exists: false })]);
      this.saved(await getDocument([rootOf(this.database), ...path].join('/')));
      go({ path, params: route.value.params }, { force: true });
    } catch (error) {
      showError(error);
    }
  }

  closePanel() { this.close(); }
}


"""#)

    private static let file23 = ConsoleResource("ui/grid.js", tag: "8151a6665f707231", #"""
// SPDX-License-Identifier: Apache-2.0
// A table of which only the visible rows are elements. The focus stays on the table; the active cell is named to readers.
import { h } from '../lib/dom.js';
import { density } from '../lib/store.js';
import { newElementID } from './widgets.js';

const heights = { compact: 26, normal: 30, roomy: 36 };

/** @typedef {{key: string, title: string, width: number, align?: string, sort?: 'ASCENDING'|'DESCENDING'}} Column */

export class Grid {
  /**
   * @param {{label: string, columns: Column[], key: function, cell: function, open?: function, active?: function, header?: function,
   *   resized?: function, selection?: boolean, selected?: function, edge?: function, rowClass?: function, total?: function}} options
   */
  constructor(options) {
    Object.assign(this, { rows: [], columns: [], pool: new Map(), at: 0, column: 0, selection: new Set(), anchor: 0, ...{ options } });
    this.id = newElementID('grid');
    this.head = h('div', { class: 'grid-head', role: 'row', 'aria-rowindex': '1' });
    this.body = h('div', { class: 'grid-body', role: 'rowgroup' });
    this.foot = h('div', { class: 'grid-foot', role: 'presentation' });
    this.element = h('div', {
      class: 'grid', role: 'grid', tabIndex: 0, 'aria-label': options.label, 'aria-multiselectable': options.selection ? 'true' : undefined,
      onscroll: () => this.scrolled(), onkeydown: (event) => this.pressed(event),
      onfocus: () => this.mark(), onblur: () => this.mark(),
    }, h('div', { role: 'rowgroup', class: 'grid-heads' }, this.head), this.body, this.foot);
    this.setColumns(options.columns);
    this.stop = density.watch((value) => {
      this.rowHeight = heights[value] ?? 30;
      this.element.style.setProperty('--row', `${this.rowHeight}px`);
      this.reset();
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
    this.column = Math.max(0, Math.min(this.column, columns.length - 1));
    this.element.setAttribute('aria-colcount', String(columns.length));
    this.head.replaceChildren(...columns.map((column, i) => {
      const title = h('span', { class: 'ellipsis' }, column.title);
      const sort = column.sort && h('span', { class: 'sorted', 'aria-hidden': 'true' }, column.sort === 'DESCENDING' ? '↓' : '↑');
      const cell = h('div', {
        id: `${this.id}-h-${i}`, role: 'columnheader', 'aria-colindex': String(i + 1), class: `grid-header ${column.align ?? ''}`,
          title: column.title,
        'aria-sort': column.sort ? column.sort.toLowerCase() : undefined,
        onclick: () => this.options.header?.(column, cell),
      }, title, sort);
      if (this.options.resized && i < columns.length) cell.append(this.edge(column));
      return cell;
    }));
    this.widen();
    this.reset();
  }

  widen() {
    this.element.style.setProperty('--columns', this.columns.map((c) => `${c.width}px`).join(' ') + ' minmax(0, 1fr)');
    this.element.style.setProperty('--width', `${this.columns.reduce((sum, c) => sum + c.width, 0)}px`);
  }

  edge(column) {
    const element = h('span', {
      class: 'grid-edge', onclick: (event) => event.stopPropagation(),
      onpointerdown: (event) => {
        event.stopPropagation();
        element.setPointerCapture(event.pointerId);
        const [from, width] = [event.clientX, column.width];
        element.onpointermove = (move) => {
          column.width = Math.max(56, Math.min(900, width + move.clientX - from));
          this.widen();
        };
        element.onpointerup = () => {
          element.onpointermove = null;
          this.options.resized(column);
        };
      },
    });
    return element;
  }

  /** Shows other rows. `shift` rows were put in before the old ones: what is visible stays where it is. */
  setRows(rows, shift = 0) {
    const top = this.element.scrollTop;
    this.rows = rows;
    this.at = Math.max(0, Math.min(this.at + shift, rows.length - 1));
    this.body.style.height = `${rows.length * this.rowHeight}px`;
    const known = this.options.total?.();
    this.element.setAttribute('aria-rowcount', String(known === undefined ? rows.length + 1 : known < 0 ? -1 : known + 1));
    if (shift) this.element.scrollTop = top + shift * this.rowHeight;
    this.draw();
  }

  reset() {
    for (const element of this.pool.values()) element.remove();
    this.pool.clear();
    this.setRows(this.rows);
  }

  get range() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.rowHeight));
    return [first, Math.min(this.rows.length, first + Math.ceil((this.element.clientHeight || 600) / this.rowHeight) + 1)];
  }

  scrolled() {
    this.draw();
    this.options.scrolled?.();
  }

  /** Asks for a drawing in the next frame: however many rows change, it is drawn once. */
  draw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.drawNow();
    });
  }

  drawNow() {
    const [first, last] = this.range;
    const [from, to] = [Math.max(0, first - 8), Math.min(this.rows.length, last + 8)];
    const wanted = new Map();
    for (let i = from; i < to; i += 1) wanted.set(this.options.key(this.rows[i]), i);
    const free = [];
    for (const [key, element] of this.pool) {
      if (wanted.has(key)) continue;
      this.pool.delete(key);
      free.push(element);
    }
    const unused = new Set(free);
    let place = this.body.firstElementChild;
    for (const [key, i] of wanted) {
      const row = this.rows[i];
      while (unused.has(place)) place = place.nextElementSibling;
      let element = this.pool.get(key);
      if (!element) {
        element = free.pop() ?? this.newRow();
        element.drawn = undefined;
        this.pool.set(key, element);
      }
      // Elements stand in the order of the rows, for those who have them read aloud.
      if (element === place) place = place.nextElementSibling;
      else this.body.insertBefore(element, place);
      element.index = i;
      element.style.transform = `translateY(${i * this.rowHeight}px)`;
      element.setAttribute('aria-rowindex', String(i + 2));
      const isSelected = this.selection.has(key);
      const name = ['grid-row', this.options.rowClass?.(row) ?? '', isSelected && 'selected', this.options.isOpen?.(row)
        && 'open'].filter(Boolean).join(' ');
      if (element.className !== name) element.className = name;
      if (this.options.selection) element.setAttribute('aria-selected', String(isSelected));
      const version = this.options.version?.(row) ?? row;
      if (element.drawn === version) continue;
      const isChange = element.drawn !== undefined;
      element.drawn = version;
      this.columns.forEach((column, c) => {
        const cell = element.children[c];
        cell.className = `grid-cell ${column.align ?? ''}`;
        this.options.cell(cell, row, column);
      });
      if (isChange || row.isFresh) {
        row.isFresh = false;
        element.classList.add('flash');
        setTimeout(() => element.classList.remove('flash'), 1000);
      }
    }
    for (const element of free) element.remove();
    this.mark();
    const edge = this.options.edge;
    if (edge && this.rows.length) {
      const screen = last - first;
      if (last + screen >= this.rows.length) edge('end');
      if (first - screen <= 0) edge('start');
    }
  }

  newRow() {
    const element = h('div', { role: 'row', class: 'grid-row' }, this.columns.map((_, i) =>
      h('div', { role: 'gridcell', 'aria-colindex': String(i + 1) })));
    element.addEventListener('click', (event) => {
      this.column = Math.max(0, [...element.children].indexOf(event.target.closest('[role=gridcell]')));
      this.activate(element.index);
      if (this.options.selection && (event.ctrlKey || event.metaKey)) this.toggle(element.index);
      else if (this.options.selection && event.shiftKey) this.selectTo(element.index);
      else this.options.open?.(this.rows[element.index]);
    });
    return element;
  }

  /** Names the active cell, and draws its frame while the table has the focus. */
  mark() {
    const old = this.element.querySelector('.active');
    old?.classList.remove('active');
    if (old && !old.id.includes('-h-')) old.removeAttribute('id');
    let cell;
    if (this.at < 0) cell = this.head.children[this.column];
    else if (this.rows[this.at]) {
      cell = this.pool.get(this.options.key(this.rows[this.at]))?.children[this.column];
      if (cell) cell.id = `${this.id}-active`;
    }
    if (cell) this.element.setAttribute('aria-activedescendant', cell.id);
    else this.element.removeAttribute('aria-activedescendant');
    if (cell && document.activeElement === this.element) cell.classList.add('active');
  }

  activate(index) {
    this.at = Math.max(this.options.header ? -1 : 0, Math.min(index, this.rows.length - 1));
    this.reveal();
    this.drawNow();
    this.options.active?.(this.rows[this.at]);
  }

  reveal() {
    const top = this.at * this.rowHeight;
    const view = this.element.clientHeight - this.rowHeight - 12;
    if (this.at < 0) this.element.scrollTop = 0;
    else if (top < this.element.scrollTop) this.element.scrollTop = top;
    else if (top + this.rowHeight > this.element.scrollTop + view) this.element.scrollTop = top + this.rowHeight - view;
    const left = this.columns.slice(0, this.column).reduce((sum, c) => sum + c.width, 0);
    const width = this.columns[this.column]?.width ?? 0;
    const { scrollLeft, clientWidth } = this.element;
    if (left < scrollLeft) this.element.scrollLeft = left;
    else if (left + width > scrollLeft + clientWidth) this.element.scrollLeft = left + width - clientWidth;
  }

  indexOf(key) { return this.rows.findIndex((row) => this.options.key(row) === key); }

  toggle(index) {
    const key = this.options.key(this.rows[index]);
    if (!this.selection.delete(key)) this.selection.add(key);
    this.anchor = index;
    this.selectionChanged();
  }

  selectTo(index) {
    for (let i = Math.min(index, this.anchor); i <= Math.max(index,
      this.anchor); i += 1) this.selection.add(this.options.key(this.rows[i]));
    this.selectionChanged();
  }

  clearSelection() {
    this.selection.clear();
    this.selectionChanged();
  }

  selectionChanged() {
    this.drawNow();
    this.options.selected?.(this.selection);
  }

  pressed(event) {
    if (event.target !== this.element || event.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 2);
    const row = { ArrowDown: this.at + 1, ArrowUp: this.at - 1, PageDown: this.at + page, PageUp: Math.max(0, this.at - page) }[event.key];
    if (row !== undefined) {
      this.activate(row);
      if (event.shiftKey && this.options.selection && this.at >= 0) this.selectTo(this.at);
    } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      this.column = Math.max(0, Math.min(this.column + (event.key === 'ArrowLeft' ? -1 : 1), this.columns.length - 1));
      this.activate(this.at);
    } else if (event.key === 'Home' || event.key === 'End') {
      if (this.options.jump) this.options.jump(event.key === 'Home' ? 'first' : 'last');
      else this.activate(event.key === 'Home' ? 0 : this.rows.length - 1);
    } else if (event.key === 'Enter') {
      if (this.at < 0) this.options.header?.(this.columns[this.column], this.head.children[this.column]);
      else if (this.rows[this.at]) this.options.open?.(this.rows[this.at], true);
    } else if (event.key === ' ' && this.options.selection && this.at >= 0) this.toggle(this.at);
    else if (event.key === 'Escape' && this.selection.size) this.clearSelection();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

"""#)

    private static let file24 = ConsoleResource("ui/inputs.js", tag: "4b4739dfa47a0b42", #"""
// SPDX-License-Identifier: Apache-2.0
// Inputs for one typed value, used by the document and by queries.
import { collectionIDs, runQuery } from '../lib/api.js';
import { button, debounced, h, iconButton, replace } from '../lib/dom.js';
import { bytes, bytesOf, editText, hex, initial, parseValue, rootOf, typeOf, types } from '../lib/values.js';
import { download, newElementID } from './widgets.js';

/** An input for a value of one type, except arrays and maps: {element, read()}, where read throws with a sentence. */
export function valueInput(value, database, { commit, cancel, label = 'Value' } = {}) {
  const type = typeOf(value);
  const keys = (event) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      cancel?.();
    } else if (event.key === 'Enter' && !(event.shiftKey && event.target.matches('textarea')) && !event.ctrlKey) {
      event.preventDefault();
      commit?.();
    }
  };
  const common = { class: `mono v-${type}`, 'aria-label': label, spellcheck: false, autocomplete: 'off', onkeydown: keys };
  if (type === 'boolean') {
    const select = h('select', common, ['true', 'false'].map((t) =>
      h('option', { value: t, selected: String(value.booleanValue) === t }, t)));
    return { element: select, read: () => parseValue('boolean', select.value) };
  }
  if (type === 'null') return { element: h('span', { class: 'v-null' }, 'null'), read: () => value };
  if (type === 'geopoint') {
    const [latitude, longitude] = editText(value).split(', ').map((text, i) =>
      h('input', { ...common, 'aria-label': i ? 'Longitude' : 'Latitude', value: text, inputMode: 'decimal', size: 10 }));
    return { element: h('span', { class: 'row' }, latitude, longitude), read: () =>
      parseValue('geopoint', `${latitude.value}, ${longitude.value}`) };
  }
  const text = editText(value, database);
  const isLong = type === 'string' || type === 'vector' || type === 'bytes';
  const input = h(isLong ? 'textarea' : 'input', { ...common, value: text,
    ...(isLong && { rows: Math.min(10, 1 + text.split('\n').length - 1 + Math.floor(text.length / 60)) }) });
  const read = () => {
    // What was not touched goes back as it was: a text with line ends that an input would change, too.
    if (input.value === input.defaultValue || input.value === text) return value;
    return parseValue(type, input.value, database);
  };
  if (type === 'timestamp') {
    // The picker has minutes; seconds and digits behind the point stay.
    const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(.*)$/.exec(text);
    const picker = h('input', {
      type: 'datetime-local', 'aria-label': 'Date and time in UTC', class: 'picker', value: found?.[1] ?? '',
      onchange: () => { if (picker.value) input.value = picker.value.slice(0,
        16) + (/^\d{4}-\d\d-\d\dT\d\d:\d\d(.*)$/.exec(input.value)?.[1] ?? ':00Z'); },
      onkeydown: keys,
    });
    const now = button('Now', () => { input.value = new Date().toISOString(); }, { class: 'button small' });
    return { element: h('span', { class: 'row wrap grow' }, input, picker, now), input, read };
  }
  if (type === 'reference') return { element: completed(input, database), input, read };
  if (type === 'bytes') {
    let chosen;
    const file = h('input', {
      type: 'file', 'aria-label': 'File with the bytes', onchange: async () => {
        chosen = bytes(new Uint8Array(await file.files[0].arrayBuffer()));
        input.value = hex(bytesOf(chosen).subarray(0, 4096), ' ');
      },
    });
    return {
      element: h('span', { class: 'row wrap grow' }, input, file, iconButton('transfer', 'Download', () =>
        download('bytes.bin', [bytesOf(value)]))),
      input, read: () => chosen ?? read(),
    };
  }
  return { element: input, input, read };
}

/** Completes a path: collections, then the ids that begin as typed. */
function completed(input, database) {
  const list = h('datalist', { id: newElementID('paths') });
  input.setAttribute('list', list.id);
  input.addEventListener('input', debounced(150, async () => {
    const segments = input.value.split('/');
    const typed = segments.pop();
    const parent = [rootOf(database), ...segments.slice(0, segments.length - (segments.length % 2))].join('/');
    try {
      const ids = segments.length % 2 ? await idsFrom(parent, segments.at(-1), typed) : (await collectionIDs(parent)).ids.map((id) => `${id}/`);
      replace(list, ids.filter((id) => id.startsWith(typed)).map((id) => h('option', { value: [...segments, id].join('/') })));
    } catch { /* A path that is not finished has no completions. */ }
  }));
  return h('span', { class: 'grow' }, input, list);
}

async function idsFrom(parent, collection, typed) {
  const name = { field: { fieldPath: '__name__' } };
  const { documents } = await runQuery(parent, {
    from: [{ collectionId: collection }], select: { fields: [{ fieldPath: '__name__' }] }, orderBy: [name], limit: 10,
    ...(typed && { startAt: { values: [{ referenceValue: `${parent}/${collection}/${typed}` }], before: true } }),
  });
  return documents.map((d) => d.name.slice(d.name.lastIndexOf('/') + 1));
}

export function typeSelect(type, onchange, { label = 'Type', only = types } = {}) {
  const select = h('select', { class: 'type', 'aria-label': label, onchange: () => onchange(select.value) },
    only.map((t) => h('option', { value: t, selected: t === type }, t)));
  return select;
}

/** A type menu and an input beside it. Values in arrays of filters are elements, one per line. */
export function typedInput(value, database, { label, commit, only } = {}) {
  const place = h('span', { class: 'row grow' });
  let current = value ?? { stringValue: '' };
  let input;
  const show = () => {
    input = valueInput(current, database, { label, commit });
    place.replaceChildren(input.element);
  };
  const select = typeSelect(typeOf(current), (type) => {
    const typed = input.input?.value ?? editText(current, database);
    try {
      current = parseValue(type, typed, database);
    } catch {
      current = initial(type, database);
    }
    show();
  }, { only, label: `Type of ${label ?? 'the value'}` });
  show();
  return { element: h('span', { class: 'row grow' }, select, place), read: () => input.read(), focus: () =>
    place.querySelector('input, textarea, select')?.focus() };
}

"""#)

    private static let file25 = ConsoleResource("ui/questions.js", tag: "2c72478dc95d9049", #"""
// SPDX-License-Identifier: Apache-2.0
// Questions about ids, fields and values, as dialogs. Each answers undefined if the person thinks better of it.
import { h, replace } from '../lib/dom.js';
import {
  arrayOf, changedPaths, converted, fieldPath, fieldsOf, idProblem, mapOf, same, sentinels, summary, toJSON, typeOf, types, valueAt,
  withValue,
} from '../lib/values.js';
import { typedInput, typeSelect } from './inputs.js';
import { dialog } from './widgets.js';

export async function askID(title, action, { text, label = 'Document id', value = '' } = {}) {
  const input = h('input', { class: 'mono', value, autocomplete: 'off' });
  const answer = await dialog({
    title, body: [text && h('p', { class: 'muted' }, text), h('label', { class: 'stack' }, label, input)],
    actions: [['Cancel', undefined], [action, true, 'primary']], validate: () => idProblem(input.value),
  });
  return answer && input.value;
}

export const askCollection = () =>
  askID('New collection', 'Go on', { text: 'A collection exists as soon as it has a document.', label: 'Collection id' });

/** Another name for a field, one that its siblings do not have. */
export async function askName({ path }, draft) {
  const name = path.at(-1);
  const siblings = fieldsOf(valueAt(draft, path.slice(0, -1)) ?? mapOf(draft));
  const input = h('input', { class: 'mono', value: name, 'aria-label': 'Name' });
  const answer = await dialog({
    title: 'Rename field', body: input, actions: [['Cancel', undefined], ['Rename', true, 'primary']],
    validate: () => {
      if (!input.value) return 'A field has a name.';
      return input.value !== name && Object.hasOwn(siblings, input.value) ? 'There is a field of this name.' : undefined;
    },
  });
  return answer && input.value !== name ? input.value : undefined;
}

/** The value as another type, shown before it is taken. */
export async function askType({ path, value }, database) {
  let type = typeOf(value);
  const isElement = typeof path.at(-1) === 'number';
  const preview = h('p', { class: 'mono ellipsis' });
  const show = () => replace(preview, h('span', { class: `v-${type}` }, summary(converted(value, type, database), database)));
  const select = typeSelect(type, (chosen) => {
    type = chosen;
    show();
  }, { only: types.filter((t) => !(isElement && t === 'array')) });
  show();
  const answer = await dialog({
    title: `Type of ${path.at(-1)}`, actions: [['Cancel', undefined], ['Change', true, 'primary']],
    body: [h('label', { class: 'stack' }, 'Type', select), h('div', { class: 'stack' }, 'Becomes', preview)],
  });
  return answer && converted(value, type, database);
}

/** What the server computes in the commit: its time, an increment, array unions and removals. */
export async function askComputed(_, database) {
  const operand = typedInput({ integerValue: '1' }, database, {
    label: 'operand', only: types.filter((t) => !['array', 'map'].includes(t)),
  });
  const row = h('div', { class: 'stack', hidden: true }, 'Operand', operand.element);
  const kind = h('select', { 'aria-label': 'Value', onchange: () => { row.hidden = kind.value === 'serverTime'; } },
    Object.entries(sentinels).map(([k, label]) => h('option', { value: k }, label)));
  let value;
  const answer = await dialog({
    title: 'Compute when saved', actions: [['Cancel', undefined], ['Use', true, 'primary']],
    body: [h('p', { class: 'muted' }, 'The server computes the value in the same commit.'), h('label', { class: 'stack' }, 'Value', kind),
      row],
    validate: () => {
      try {
        value = kind.value === 'serverTime' ? undefined : operand.read();
        const isNumber = value && ['integer', 'double'].includes(typeOf(value));
        return kind.value === 'increment' && !isNumber ? 'An increment is an integer or a double.' : undefined;
      } catch (error) {
        return error.message;
      }
    },
  });
  return answer && {
    sentinel: { kind: kind.value, ...(value && { operand: kind.value === 'increment' ? value : arrayOf([value]) }) },
  };
}

/** Theirs and mine, field by field, of the fields that were changed here: the fields to save. */
export async function askMerge(base, theirs, mine, database) {
  const choices = new Map();
  const option = (path, which, value) => h('td', {}, h('label', { class: 'row' },
    h('input', {
      type: 'radio', name: toJSON(path), checked: which === 'mine', 'aria-label': `${fieldPath(path)}: ${which}`,
      onchange: () => choices.set(path, which),
    }),
    value ? h('span', { class: `mono ellipsis v-${typeOf(value)}` }, summary(value, database))
      : h('span', { class: 'faint' }, 'no field')));
  const rows = changedPaths(base, mine).map((path) => {
    const [a, b] = [valueAt(theirs, path), valueAt(mine, path)];
    choices.set(path, 'mine');
    return h('tr', {}, h('th', { class: 'mono', scope: 'row' }, fieldPath(path)), a === b || (a && b && same(a, b))
      ? h('td', { colSpan: 2, class: 'faint' }, 'both the same') : [option(path, 'theirs', a), option(path, 'mine', b)]);
  });
  const answer = await dialog({
    title: 'The document has changed', isWide: true, actions: [['Cancel', undefined], ['Save', true, 'primary']],
    body: [
      h('p', { class: 'muted' },
        'Another client saved it in the meantime. Choose what to keep of the fields that you changed; all others stay as they are there.'),
      h('table', { class: 'choices' },
        h('thead', {}, h('tr', {}, ['Field', 'Theirs', 'Mine'].map((t) => h('th', { scope: 'col' }, t)))), h('tbody', {}, rows)),
    ],
  });
  if (!answer) return undefined;
  return [...choices].filter(([, which]) => which === 'mine').reduce((fields, [path]) => withValue(fields, path, valueAt(mine, path)),
    theirs);
}

"""#)

    private static let file26 = ConsoleResource("ui/removal.js", tag: "20e5213854ca1c72", #"""
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

"""#)

    private static let file27 = ConsoleResource("ui/trace.js", tag: "c9742f6670cfb5c6", #"""
// SPDX-License-Identifier: Apache-2.0
// Why rules granted or denied a request.
import { h } from '../lib/dom.js';

export function trace(decision) {
  return h('div', { class: 'trace' },
    h('p', {}, h('strong', { class: decision.granted ? 'ok-text' : 'danger-text' }, decision.granted ? 'Granted' : 'Denied'), ' ',
      h('span', { class: 'mono' }, decision.operation)),
    !decision.statements?.length && h('p', { class: 'muted' }, 'No allow statement for this method covers the path.'),
    decision.statements?.map((s) => h('div', { class: s.granted ? 'statement granted' : 'statement' },
      h('p', {}, h('span', { class: 'faint figures' }, `Line ${s.line} `), h('span', { class: 'mono' }, s.match), ' ',
        h('strong', {}, s.outcome)),
      s.values?.map((v) => h('p', { class: 'mono small' }, h('span', { class: 'faint' }, `${v.line}:${v.column} `), v.expression,
        h('span', { class: 'faint' }, ' = '), v.result)))),
    ['request', 'resource'].filter((k) => decision[k]).map((k) =>
      h('details', {}, h('summary', { class: 'mono' }, k), h('pre', { class: 'command', tabIndex: 0 },
      JSON.stringify(decision[k], null, 2)))));
}

"""#)

    private static let file28 = ConsoleResource("ui/widgets.js", tag: "0c6ff550bc133344", #"""
// SPDX-License-Identifier: Apache-2.0
// Dialogs, menus, toasts and the combobox, on the platform's own elements.
import { announce, button, h, icon, iconButton, replace } from '../lib/dom.js';
import { server } from '../lib/store.js';

let ids = 0;
export const newElementID = (prefix) => `${prefix}-${++ids}`;

/** A modal dialog with a form. `actions` are [label, value, kind]; the promise has the value of the pressed one, or undefined. */
export function dialog({ title, body, actions = [['Close', undefined]], isWide = false, validate, labelled }) {
  return new Promise((resolve) => {
    const id = newElementID('dialog');
    const problem = h('p', { class: 'problem', role: 'alert' });
    let result;
    const press = (value) => {
      if (value !== undefined) {
        const message = validate?.(value);
        problem.textContent = message ?? '';
        if (message) return;
      }
      result = value;
      element.close();
    };
    const buttons = actions.map(([label, value, kind]) => button(label, () => press(value), {
      class: kind ? `button ${kind}` : 'button', type: kind ? 'submit' : 'button',
    }));
    const submit = actions.find(([, , kind]) => kind);
    const element = h('dialog', { class: isWide ? 'wide' : '', 'aria-labelledby': id },
      h('form', {
        method: 'dialog', onsubmit: (event) => {
          event.preventDefault();
          if (submit && !event.submitter) press(submit[1]);
        },
      },
      h('header', {}, h('h2', { id }, title), iconButton('close', 'Close', () => press(undefined))),
      h('div', { class: 'dialog-body', ...(labelled && { tabIndex: 0, role: 'region', 'aria-label': labelled }) }, body, problem),
      h('footer', {}, buttons)));
    const before = document.activeElement;
    element.addEventListener('close', () => {
      element.remove();
      if (before?.isConnected) before.focus({ preventScroll: true });
      resolve(result);
    });
    element.addEventListener('click', (event) => { if (event.target === element) press(undefined); });
    document.body.append(element);
    element.showModal();
    (element.querySelector('[autofocus]') ?? element.querySelector('.dialog-body :is(input, textarea, select)') ?? buttons.at(-1))?.focus();
  });
}

/** Asks; beyond 100 documents the name has to be typed. */
export async function confirm({ title, text, action, name, count = 0 }) {
  const input = count > 100 ? h('input', { class: 'mono', 'aria-label': `Type ${name} to confirm`, placeholder: name }) : null;
  return await dialog({
    title, body: [h('p', {}, text), input && h('label', { class: 'stack' },
      h('span', { class: 'muted' }, 'Type ', h('code', {}, name), ' to confirm'), input)],
    actions: [['Cancel', undefined], [action, true, 'danger']],
    validate: () => (input && input.value !== name ? `The text is not “${name}”.` : undefined),
  }) === true;
}

/** A menu at an element. Items: {label, action, danger, disabled, checked, hint} or null for a line. */
export function menu(anchor, items, { label = 'Menu' } = {}) {
  document.querySelector('.menu')?.hidePopover();
  const element = h('div', { class: 'menu', popover: 'auto', role: 'menu', 'aria-label': label });
  const isChoice = items.some((i) => i && 'checked' in i);
  for (const item of items) {
    if (item === undefined || item === false) continue;
    if (item === null) {
      element.append(h('hr', { role: 'separator' }));
      continue;
    }
    if (item.heading) {
      element.append(h('div', { class: 'menu-heading', role: 'presentation' }, item.heading));
      continue;
    }
    element.append(h('button', {
      type: 'button', class: item.danger ? 'danger-text' : '', disabled: item.disabled ?? false, tabIndex: -1,
      role: 'checked' in item ? 'menuitemradio' : 'menuitem', ...('checked' in item && { 'aria-checked': String(item.checked) }),
      onclick: () => {
        element.hidePopover();
        item.action();
      },
    }, isChoice && h('span', { class: 'menu-check' }, item.checked && icon('check')), h('span', { class: 'grow ellipsis' }, item.label),
    item.hint && h('kbd', {}, item.hint)));
  }
  const focusable = () => [...element.querySelectorAll('button:not(:disabled)')];
  element.addEventListener('keydown', (event) => {
    const list = focusable();
    const at = list.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      list.at(next % list.length)?.focus();
    } else if (event.key === 'Tab') element.hidePopover();
    else if (event.key.length === 1 && event.key !== ' ') {
      list.find((b) => b.textContent.toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
    }
    event.stopPropagation();
  });
  element.addEventListener('toggle', (event) => {
    if (event.newState !== 'closed') return;
    const hadFocus = element.contains(document.activeElement) || document.activeElement === document.body;
    element.remove();
    anchor.setAttribute?.('aria-expanded', 'false');
    if (hadFocus) anchor.focus?.({ preventScroll: true });
  });
  (anchor.closest?.('dialog, header.top, nav, main, footer') ?? document.body).append(element);
  element.showPopover();
  const box = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = element;
  const below = box.bottom + 4 + height <= innerHeight || box.top < height;
  element.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
  element.style.top = `${Math.max(8, below ? Math.min(box.bottom + 4, innerHeight - height - 8) : box.top - 4 - height)}px`;
  anchor.setAttribute?.('aria-expanded', 'true');
  (element.querySelector('[aria-checked=true]') ?? focusable()[0])?.focus();
  return element;
}

export function menuButton(label, items, properties = {}) {
  return h('button', {
    type: 'button', class: 'tool', 'aria-haspopup': 'menu', 'aria-expanded': 'false',
    onclick: (event) => menu(event.currentTarget, items(), { label: properties['aria-label'] ?? String(label) }), ...properties,
  }, label);
}

/** A message that goes away; with Undo it stays 10 s. */
export function toast(message, { action, onaction, isError = false } = {}) {
  const close = () => element.remove();
  const element = h('div', { class: isError ? 'toast error' : 'toast' }, h('span', {}, message),
    action && button(action, () => {
      close();
      onaction();
    }, { class: 'button small' }), iconButton('close', 'Dismiss', close));
  document.getElementById('toasts').append(element);
  announce(message, isError);
  let timer = setTimeout(close, action || isError ? 10000 : 4000);
  element.addEventListener('pointerenter', () => clearTimeout(timer));
  element.addEventListener('focusin', () => clearTimeout(timer));
  element.addEventListener('pointerleave', () => { timer = setTimeout(close, 4000); });
}

/** Says what went wrong; that the server is gone stands in a bar already. */
export const showError = (error) => {
  if (error?.name !== 'AbortError' && error?.code !== 0) toast([error.message, error.status].filter(Boolean).join(' · '),
    { isError: true });
};

export async function copy(text, what = 'Copied') {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what}.`);
  } catch {
    const area = h('textarea', { class: 'mono', rows: 8, readOnly: true, value: text, 'aria-label': 'Text to copy', autofocus: true,
      onfocus: () => area.select() });
    dialog({ title: 'Copy this text', body: area });
  }
}

export function download(name, parts) {
  const url = URL.createObjectURL(new Blob(parts, { type: 'application/octet-stream' }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** An input with suggestions: `suggest(text)` has [{label, hint, action}], now or later. */
export function combobox({ label, placeholder, suggest, submit, className = '' }) {
  const id = newElementID('options');
  const list = h('ul', { id, class: 'options', role: 'listbox', 'aria-label': label, hidden: true });
  let options = [];
  let at = -1;
  let turn = 0;
  const choose = (option) => {
    hide();
    input.blur();
    option.action();
  };
  const hide = () => {
    turn += 1;
    list.hidden = true;
    at = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const mark = (index) => {
    at = index;
    [...list.children].forEach((item, i) => item.setAttribute('aria-selected', String(i === at)));
    const item = list.children[at];
    item?.scrollIntoView({ block: 'nearest' });
    if (item) input.setAttribute('aria-activedescendant', item.id);
    else input.removeAttribute('aria-activedescendant');
  };
  const show = async () => {
    const mine = ++turn;
    const found = await suggest(input.value);
    if (mine !== turn || document.activeElement !== input) return;
    options = found;
    replace(list, options.map((o, i) => h('li', {
      id: `${id}-${i}`, role: 'option', 'aria-selected': 'false',
      onmousedown: (event) => {
        event.preventDefault();
        choose(o);
      },
    }, h('span', { class: 'grow ellipsis' }, o.label), o.hint && h('span', { class: 'faint' }, o.hint))));
    list.hidden = !options.length;
    input.setAttribute('aria-expanded', String(options.length > 0));
    mark(-1);
  };
  const input = h('input', {
    class: 'mono', type: 'text', role: 'combobox', 'aria-label': label, 'aria-controls': id, 'aria-expanded': 'false',
      'aria-autocomplete': 'list',
    placeholder, autocomplete: 'off', spellcheck: false, oninput: show, onfocus: () => {
      input.select();
      show();
    }, onblur: hide,
    onkeydown: (event) => {
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        if (options.length) mark((at + (event.key === 'ArrowDown' ? 1 : at < 0 ? 0 : -1) + options.length) % options.length);
      } else if (event.key === 'Enter') {
        event.preventDefault();
        if (options[at]) choose(options[at]);
        else {
          hide();
          input.blur();
          submit(input.value);
        }
      } else if (event.key === 'Escape') {
        hide();
        input.blur();
        document.getElementById('main').focus();
      }
    },
  });
  return { element: h('div', { class: `combobox ${className}` }, input, list), input };
}

/** Lets a person drag, or move with arrow keys, the edge between two parts. */
export function resizer(label, { get, set, min, max, isReversed }) {
  const clamp = (value) => Math.round(Math.min(Math.max(value, min), typeof max === 'function' ? max() : max));
  const apply = (value) => {
    set(clamp(value));
    element.setAttribute('aria-valuenow', String(clamp(value)));
  };
  const element = h('div', {
    class: 'resizer', role: 'separator', 'aria-orientation': 'vertical', 'aria-label': label, tabIndex: 0,
    'aria-valuemin': String(min), 'aria-valuemax': '2000', 'aria-valuenow': String(get()),
    onpointerdown: (event) => {
      event.preventDefault();
      element.setPointerCapture(event.pointerId);
      const [from, width] = [event.clientX, get()];
      element.onpointermove = (move) => apply(width + (move.clientX - from) * (isReversed ? -1 : 1));
      element.onpointerup = () => { element.onpointermove = null; };
    },
    onkeydown: (event) => {
      const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
      if (!step) return;
      event.preventDefault();
      apply(get() + step * (isReversed ? -1 : 1));
    },
  });
  return element;
}

/** A server with a guide is also where to learn what to do here. */
export const guideLink = () => server.value?.guide && h('p', {},
  h('a', { href: server.value.guide }, 'Read the guide, which runs on this server'));

"""#)

    static let all: [ConsoleResource] = [file0, file1, file2, file3, file4, file5, file6, file7, file8, file9, file10, file11, file12, file13, file14, file15, file16, file17, file18, file19, file20, file21, file22, file23, file24, file25, file26, file27, file28]
}
