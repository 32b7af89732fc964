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
