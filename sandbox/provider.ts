import type { IncomingHttpHeaders } from 'node:http';
import type pg from 'pg';

/** Request to a provider stand-in and its response. Header names are lower-case. */
export type Ask = {
  method: string;
  /** Without the provider's prefix and the query. */
  path: string;
  query: { readonly [key: string]: string };
  headers: IncomingHttpHeaders;
  /** Parsed JSON or form; undefined without a body. */
  body: unknown;
  now: Date;
  pool: pg.Pool;
  /** Aborts when the caller closes the connection. */
  signal: AbortSignal;
};

/** `pieces`: sent one by one instead of a body; when they end with an error, the connection breaks. */
export type Reply = { status: number; headers?: { readonly [name: string]: string } } & (
  | { body: unknown }
  | { contentType: string; pieces: AsyncIterable<string> }
);

export type StandIn = {
  answer(ask: Ask): Reply | Promise<Reply>;
  /** The path as recorded, without account numbers, which are credentials. */
  storedPath?(path: string): string;
};

/** Returns whether a secret is marked as good; any other gets the provider's own error. */
export function isGoodSecret(secret: string | undefined): boolean {
  return secret !== undefined && secret.toLowerCase().includes('sandbox');
}

export function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  const found = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '');
  return found?.[1];
}

export function fieldsOf(body: unknown): { readonly [key: string]: unknown } {
  // A parse boundary: any posted value, read as named fields.
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as { readonly [key: string]: unknown }) : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
