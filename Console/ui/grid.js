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
