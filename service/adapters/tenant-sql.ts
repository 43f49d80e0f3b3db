import { Socket } from 'node:net';
import type { CredentialData } from '@house/core/credential.ts';
import pg from 'pg';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import { refuseInsideTransaction, type SafeFetch } from '#platform/outbound/safe-fetch.ts';
import { type JsonValue, readValues } from './tenant-sql-values.ts';

export type { JsonValue } from './tenant-sql-values.ts';

type Address = CredentialData['postgres'];

/** Why nothing was read. `message` is for the customer: the database's own words for a query, never a host, a user or a password. */
export type SqlProblem = { ok: false; reason: 'private_address' | 'unreachable' | 'refused' | 'query'; message: string };
export type SqlRows = { ok: true; columns: string[]; rows: { [column: string]: JsonValue }[]; truncated: boolean };

/** Somebody else's SQL database. Every use resolves and checks its address anew and connects to what was checked. */
export type TenantSql = {
  /** Looks at an address without connecting. */
  checkAddress(host: string, port: number): Promise<{ ok: true } | SqlProblem>;
  /** One SELECT in a read-only transaction; at most `rowsMax` rows within `timeoutMs`. Never throws for what the database does. */
  query(
    address: Address,
    text: string,
    params: readonly JsonValue[],
    bounds: { rowsMax: number; timeoutMs: number },
  ): Promise<SqlRows | SqlProblem>;
};

const CONNECT_MS = 8_000;
const GRACE_MS = 1_000;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
const WATCH_MS = 25;
const MESSAGE_LENGTH_MAX = 300;

/** `resolveHost` is the outbound guard: it refuses a name when any of its addresses is not public. */
export function createTenantSql(guard: Pick<SafeFetch, 'resolveHost'>): TenantSql {
  const resolve = async (host: string, port: number): Promise<string | SqlProblem> => {
    refuseInsideTransaction();
    try {
      const [first] = await guard.resolveHost(host, port);
      return first ?? { ok: false, reason: 'unreachable', message: 'The host name could not be found.' };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { ok: false, reason: error.reason === 'private_address' ? 'private_address' : 'unreachable', message: error.message };
    }
  };
  return {
    async checkAddress(host, port) {
      const found = await resolve(host, port);
      return typeof found === 'string' ? { ok: true } : found;
    },
    async query(address, text, params, bounds) {
      const found = await resolve(address.host, address.port);
      return typeof found === 'string' ? readOnce(address, found, text, params, bounds) : found;
    },
  };
}

type Bounds = { rowsMax: number; timeoutMs: number };
type Watch = { socket: Socket; cut: () => 'deadline' | 'size' | undefined; end: () => void };

/** A connection of its own for one read: nothing of a customer's database is kept between two uses. */
async function readOnce(
  address: Address,
  ip: string,
  text: string,
  params: readonly JsonValue[],
  bounds: Bounds,
): Promise<SqlRows | SqlProblem> {
  const watch = watchSocket(CONNECT_MS + bounds.timeoutMs + GRACE_MS);
  const client = new pg.Client({
    // The checked address itself, so that a name that changes in between gains nothing.
    host: ip,
    port: address.port,
    database: address.database,
    user: address.user,
    password: address.password,
    // As "sslmode=require": encrypted, whoever signed the certificate, since most database hosts sign their own.
    ssl: address.ssl ? { rejectUnauthorized: false, servername: address.host } : false,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'partner portal',
    stream: () => watch.socket,
  });
  client.on('error', () => undefined);
  try {
    try {
      await client.connect();
    } catch (error) {
      return connectProblem(error);
    }
    return await readRows(client, text, params, bounds);
  } catch (error) {
    return watch.cut() ? cutProblem(watch.cut(), bounds) : queryProblem(error, [address.host, ip, address.password], bounds);
  } finally {
    watch.end();
  }
}

/**
 * The cursor does four things at once: it admits a single SELECT, nothing that writes, it stops after the rows that are
 * wanted instead of reading all of them, and the extended protocol refuses a second statement behind a semicolon.
 */
async function readRows(client: pg.Client, text: string, params: readonly JsonValue[], bounds: Bounds): Promise<SqlRows> {
  await client.query('BEGIN READ ONLY');
  await client.query(`SET LOCAL statement_timeout = ${Math.trunc(bounds.timeoutMs)}`);
  const declare = { text: `DECLARE portal_rows NO SCROLL CURSOR FOR ${text}`, values: [...params], queryMode: 'extended' };
  await client.query(declare);
  const fetched = await client.query<unknown[]>({
    text: `FETCH ${bounds.rowsMax + 1} FROM portal_rows`,
    rowMode: 'array',
    types: readValues,
  });
  const columns = uniqueNames(fetched.fields.map((field) => field.name));
  const rows = fetched.rows
    .slice(0, bounds.rowsMax)
    .map((row) => Object.fromEntries(columns.map((column, at) => [column, (row[at] ?? null) as JsonValue]))); // the parsers in readValues make nothing else
  return { ok: true, columns, rows, truncated: fetched.rows.length > bounds.rowsMax };
}

/** `a, a` becomes `a, a_2`: a row is an object, and no column may be lost. */
function uniqueNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let n = 2; seen.has(unique); n++) unique = `${name}_${n}`;
    seen.add(unique);
    return unique;
  });
}

/** The other side is a stranger: it may drip for ever or send without end, and the server's own limits are its to ignore. */
function watchSocket(lifeMs: number): Watch {
  const socket = new Socket();
  let cut: 'deadline' | 'size' | undefined;
  const stop = (why: 'deadline' | 'size'): void => {
    cut ??= why;
    socket.destroy();
  };
  const deadline = setTimeout(() => stop('deadline'), lifeMs);
  const size = setInterval(() => {
    if (socket.bytesRead > ANSWER_BYTES_MAX) stop('size');
  }, WATCH_MS);
  return {
    socket,
    cut: () => cut,
    end: () => {
      clearTimeout(deadline);
      clearInterval(size);
      socket.destroy();
    },
  };
}

function connectProblem(error: unknown): SqlProblem {
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? '';
    if (code.startsWith('28')) return { ok: false, reason: 'refused', message: 'The database refused the user or the password.' };
    if (code === '3D000') return { ok: false, reason: 'refused', message: 'The server has no database of this name.' };
    return { ok: false, reason: 'refused', message: 'The database refused the connection.' };
  }
  if (error instanceof Error && /does not support SSL/.test(error.message)) {
    return { ok: false, reason: 'refused', message: 'The server offers no encrypted connection, and this key asks for one.' };
  }
  return { ok: false, reason: 'unreachable', message: 'The database could not be reached.' };
}

function cutProblem(why: 'deadline' | 'size' | undefined, bounds: Bounds): SqlProblem {
  const message = why === 'size' ? 'The answer is too large. Select fewer or shorter columns.' : tooSlow(bounds);
  return { ok: false, reason: 'query', message };
}

function tooSlow({ timeoutMs }: Bounds): string {
  return `The query took longer than ${Math.round(timeoutMs / 1000)} seconds.`;
}

function queryProblem(error: unknown, hidden: readonly string[], bounds: Bounds): SqlProblem {
  if (!(error instanceof pg.DatabaseError))
    return { ok: false, reason: 'unreachable', message: 'The connection to the database was lost.' };
  if (error.code === '57014') return { ok: false, reason: 'query', message: tooSlow(bounds) };
  const words = hidden.filter((word) => word.length > 3).reduce((text, word) => text.replaceAll(word, '…'), error.message);
  return { ok: false, reason: 'query', message: words.slice(0, MESSAGE_LENGTH_MAX) };
}
