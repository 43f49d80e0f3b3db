import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../refuse.ts';
import type { Secret } from '../secret.ts';

/** Page cursors: opaque to callers, signed, and bound to the filters of their list. */
export type Cursors = {
  /** Returns a cursor. `filters` is everything that decides which rows are listed, tenant included; `position` is the last row's key. */
  seal(filters: unknown, position: readonly string[]): string;
  /** Returns the position; null without a cursor. Refuses `invalid_cursor`. */
  open(filters: unknown, cursor: string | undefined): string[] | null;
};

/** `secret` signs; cursors of the `older` ones stay valid. */
export function createCursors(secret: Secret, older: readonly Secret[] = []): Cursors {
  const sign = (filters: unknown, body: string, by = secret): Buffer =>
    createHmac('sha256', by.reveal()).update('cursor\n').update(canonical(filters)).update('\n').update(body).digest().subarray(0, 16);
  return {
    seal(filters, position) {
      const body = Buffer.from(JSON.stringify(position)).toString('base64url');
      return `${body}.${sign(filters, body).toString('base64url')}`;
    },
    open(filters, cursor) {
      if (cursor === undefined || cursor === '') return null;
      const [body = '', signature = ''] = cursor.split('.');
      const given = Buffer.from(signature, 'base64url');
      const isOurs = [secret, ...older].some((by) => {
        const expected = sign(filters, body, by);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
      if (!isOurs) {
        throw new AppError('invalid_cursor', { detail: 'This cursor belongs to other filters. Start again from the first page.' });
      }
      return JSON.parse(Buffer.from(body, 'base64url').toString()) as string[]; // verified above
    },
  };
}

/** Returns the page of `limit + 1` rows and the cursor of the next page. */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => readonly string[],
  seal: (position: readonly string[]) => string,
): { data: Row[]; nextCursor: string | null } {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, nextCursor: rows.length > limit && last !== undefined ? seal(positionOf(last)) : null };
}

/** Returns filters as text: members sorted, absent ones left out, paging members ignored. */
function canonical(filters: unknown): string {
  if (typeof filters !== 'object' || filters === null) return JSON.stringify(filters) ?? '';
  const entries = Object.entries(filters).filter(([name, value]) => value !== undefined && name !== 'cursor' && name !== 'limit');
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
