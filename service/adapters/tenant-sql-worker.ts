import { isIP, Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { type CertificateProblem, certificateProblem } from '#platform/certificate-problem.ts';
import type { SqlOrder, SqlProblem, SqlRows } from './tenant-sql.ts';
import { type JsonValue, readValues } from './tenant-sql-values.ts';

const GRACE_MS = 1_000;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
const WATCH_MS = 25;
const MESSAGE_LENGTH_MAX = 300;
/** SQLSTATEs of a server that is full, stops, starts or has lost its own connection. 08P01 is none: PgBouncer names an unknown database by it. */
const UNAVAILABLE = /^(?:53|57P0[123]|08(?!P01))/;

type Address = SqlOrder['address'];
type Bounds = SqlOrder['bounds'];
type Watch = { socket: Socket; cut: () => 'deadline' | 'size' | undefined; end: () => void };

// Thread that reads one database of a customer: it posts one result and is terminated by its parent.
const order: SqlOrder = workerData;
parentPort?.postMessage(await readOnce(order));

/** Reads on a new connection: nothing of a customer's database is shared between two reads. */
async function readOnce({ address, ip, text, params, bounds, connectMs }: SqlOrder): Promise<SqlRows | SqlProblem> {
  const watch = watchSocket(connectMs + bounds.timeoutMs + GRACE_MS);
  const client = new pg.Client({
    // The checked address itself, so that a name that changes in between gains nothing.
    host: ip,
    port: address.port,
    database: address.database,
    user: address.user,
    password: address.password,
    ssl: tlsOptions(address),
    connectionTimeoutMillis: connectMs,
    application_name: 'partner portal',
    stream: () => watch.socket,
  });
  client.on('error', () => undefined);
  try {
    try {
      await client.connect();
    } catch (error) {
      return connectProblem(error, address);
    }
    return await readRows(client, text, params, bounds);
  } catch (error) {
    return watch.cut() ? cutProblem(watch.cut(), bounds) : queryProblem(error, [address.host, ip, address.password], bounds);
  } finally {
    watch.end();
  }
}

/** The certificate must be for the name in the key, though the connection goes to the checked address. */
function tlsOptions({ host, ssl }: Address): ConnectionOptions | false {
  if (ssl === false) return false;
  const name = { host, ...(isIP(host) === 0 ? { servername: host } : {}) };
  if (ssl === true) return name;
  return 'ca' in ssl ? { ...name, ca: ssl.ca } : { ...name, rejectUnauthorized: false };
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

/** Limits time and size: an untrusted server may drip forever or send without end, and ignore its own limits. */
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

function connectProblem(error: unknown, address: Address): SqlProblem {
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? '';
    if (code.startsWith('28')) return { ok: false, reason: 'refused', message: 'The database refused the user or the password.' };
    if (UNAVAILABLE.test(code)) return { ok: false, reason: 'unreachable', message: 'The database takes no connections right now.' };
    if (code === '3D000') return { ok: false, reason: 'refused', message: 'The server has no database of this name.' };
    return { ok: false, reason: 'refused', message: 'The database refused the connection.' };
  }
  if (error instanceof Error && /does not support SSL/.test(error.message)) {
    return { ok: false, reason: 'refused', message: 'The server offers no encrypted connection, and this key asks for one.' };
  }
  const certificate = certificateProblem(error);
  if (certificate !== null) return { ok: false, reason: 'certificate', message: certificateMessage(certificate, address) };
  return { ok: false, reason: 'unreachable', message: 'The database could not be reached.' };
}

function certificateMessage(problem: CertificateProblem, { ssl }: Address): string {
  switch (problem) {
    case 'other_name':
      return 'The certificate of the database is for another host name.';
    case 'expired':
      return 'The certificate of the database has expired.';
    case 'not_yet_valid':
      return 'The certificate of the database is not valid yet.';
    case 'unknown_issuer':
      return typeof ssl === 'object' && 'ca' in ssl
        ? 'The certificate of the database was not issued by the CA certificate of this key.'
        : 'The certificate of the database was issued by an authority that is not publicly known. Add its CA certificate to the key.';
  }
}

function cutProblem(why: 'deadline' | 'size' | undefined, bounds: Bounds): SqlProblem {
  if (why !== 'size') return tooSlow(bounds);
  return { ok: false, reason: 'query', message: 'The answer is too large. Select fewer or shorter columns.' };
}

function tooSlow({ timeoutMs }: Bounds): SqlProblem {
  return { ok: false, reason: 'timeout', message: `The query took longer than ${Math.round(timeoutMs / 1000)} seconds.` };
}

function queryProblem(error: unknown, hidden: readonly string[], bounds: Bounds): SqlProblem {
  if (!(error instanceof pg.DatabaseError) || error.code?.startsWith('57P0'))
    return { ok: false, reason: 'unreachable', message: 'The connection to the database was lost.' };
  if (error.code === '57014') return tooSlow(bounds);
  const words = hidden.filter((word) => word.length > 3).reduce((text, word) => text.replaceAll(word, '…'), error.message);
  return { ok: false, reason: 'query', message: words.slice(0, MESSAGE_LENGTH_MAX) };
}
