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
