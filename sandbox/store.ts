import type pg from 'pg';

/** All SQL statements of the sandbox. */

export type Call = { provider: string; method: string; path: string; body: string | null; status: number };
export type StoredCall = Call & { id: string; at: string };
export type CallPage = { data: StoredCall[]; nextCursor: string | null };
export type CallQuery = { provider?: string; q?: string; cursor?: string; limit: number };

const CALLS_KEPT = 20_000;
/** Characters kept of a body: those of a long conversation would fill the disk. */
const BODY_KEPT_MAX = 64 * 1024;
const DAYS_KEPT = 14;

export async function saveCall(pool: pg.Pool, call: Call): Promise<void> {
  await pool.query('insert into sandbox.call (provider, method, path, body, status) values ($1, $2, $3, $4, $5)', [
    call.provider,
    call.method,
    call.path,
    call.body?.slice(0, BODY_KEPT_MAX) ?? null,
    call.status,
  ]);
}

/** Lists calls, newest first. `q` is searched in path and body as plain text. The cursor is the id of the last row returned. */
export async function listCalls(pool: pg.Pool, query: CallQuery): Promise<CallPage> {
  const { rows } = await pool.query<{ id: string; at: Date } & Call>(
    `select id, at, provider, method, path, body, status from sandbox.call
     where ($1::text is null or provider = $1) and ($2::uuid is null or id < $2)
       and ($3::text is null or position(lower($3) in lower(path || ' ' || coalesce(body, ''))) > 0)
     order by id desc limit $4`,
    [query.provider ?? null, query.cursor ?? null, query.q ?? null, query.limit + 1],
  );
  const data = rows.slice(0, query.limit).map((row) => ({ ...row, at: row.at.toISOString() }));
  return { data, nextCursor: rows.length > query.limit ? (data.at(-1)?.id ?? null) : null };
}

/** Deletes all but the newest calls, and those older than 14 days, with the bookings made by then. */
export async function trimCalls(pool: pg.Pool): Promise<void> {
  await pool.query('delete from sandbox.call where at < now() - make_interval(days => $1)', [DAYS_KEPT]);
  await pool.query('delete from sandbox.booking where created_at < now() - make_interval(days => $1)', [DAYS_KEPT]);
  await pool.query('delete from sandbox.call where id < (select id from sandbox.call order by id desc offset $1 limit 1)', [CALLS_KEPT]);
}

export type BookingRecord = { uid: string; status: string; start: string; [key: string]: unknown };

export async function saveBooking(pool: pg.Pool, booking: BookingRecord): Promise<void> {
  await pool.query('insert into sandbox.booking (uid, record) values ($1, $2) on conflict (uid) do update set record = excluded.record', [
    booking.uid,
    JSON.stringify(booking),
  ]);
}

export async function findBookings(pool: pg.Pool, uid: string | null): Promise<BookingRecord[]> {
  const { rows } = await pool.query<{ record: BookingRecord }>(
    'select record from sandbox.booking where $1::text is null or uid = $1 order by created_at desc limit 100',
    [uid],
  );
  return rows.map((row) => row.record);
}

const BOOKINGS_READ_MAX = 10_000;

/** Returns the bookings of a list, newest first. */
export async function findAllBookings(pool: pg.Pool): Promise<BookingRecord[]> {
  const { rows } = await pool.query<{ record: BookingRecord }>('select record from sandbox.booking order by created_at desc limit $1', [
    BOOKINGS_READ_MAX,
  ]);
  return rows.map((row) => row.record);
}

const SECRETS_KEPT = 5;

/** Adds a secret to a receiver; only the newest few are valid. */
export async function saveReceiverSecret(pool: pg.Pool, name: string, secret: string): Promise<void> {
  await pool.query('insert into sandbox.receiver (name, secret) values ($1, $2) on conflict (name, secret) do update set at = now()', [
    name,
    secret,
  ]);
}

export async function listReceiverSecrets(pool: pg.Pool, name: string): Promise<string[]> {
  const { rows } = await pool.query<{ secret: string }>('select secret from sandbox.receiver where name = $1 order by at desc limit $2', [
    name,
    SECRETS_KEPT,
  ]);
  return rows.map((row) => row.secret);
}

export async function saveWebsiteChatbot(pool: pg.Pool, chatbotId: string): Promise<void> {
  await pool.query('insert into sandbox.website (chatbot_id) values ($1) on conflict (id) do update set chatbot_id = excluded.chatbot_id', [
    chatbotId,
  ]);
}

export async function findWebsiteChatbot(pool: pg.Pool): Promise<string | null> {
  const { rows } = await pool.query<{ chatbot_id: string }>('select chatbot_id from sandbox.website');
  return rows[0]?.chatbot_id ?? null;
}
