import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { newId } from '@partner-portal/service/platform/ids.ts';
import type pg from 'pg';
import type { TestDatabase } from './database.ts';

/** Rows of an account in every table, with a canary in every column that can hold one; and the search for them. */

export type Owner = { partnerId: string; clientId: string | null };
type Column = { name: string; type: string; notNull: boolean; references: string | null };
type Table = { name: string; columns: Column[] };

const asAdmin = <T>({ host, name }: TestDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withClient({ ...host.adminConfig, database: name }, work);

/** There already, or of no account; connections would be looked for in the engine. */
const LEFT_OUT: readonly string[] = [
  'partner',
  'client',
  'purge',
  'purge_step',
  'partner_data_key',
  'partner_quota',
  'subscription',
  'engine_connection',
  // Its file is not one of the account's media.
  'invoice_document',
];

/** What conditions of the purge read; everything else is a canary. */
const VALUES: { readonly [column: string]: unknown } = {
  'file.purpose': 'media',
  'invoice.status': 'issued',
  'deletion_request.status': 'rejected',
  'reactivation_request.status': 'rejected',
  'account_export.status': 'failed',
  'rerun_item.state': 'refused',
  // Sums of all agencies keep these two words.
  'usage_entry.kind': 'grant',
  'usage_delta.counter': 'run',
  'app_user.role': 'CLIENT',
  // Nothing is in the engine.
  'workflow.provider_flow_id': null,
  'automation_instance.status': 'unprovisioned',
  'agent_removal.ended_at': new Date(),
};
/** Columns that name a row without a reference, because their table is partitioned or kept longer. */
const NAMED: { readonly [column: string]: string } = {
  workflow_id: 'workflow',
  execution_id: 'execution',
  event_id: 'event',
  delivery_id: 'delivery',
  endpoint_id: 'webhook_endpoint',
};

/** Their id is that of their execution. */
const OF_EXECUTION: readonly string[] = ['execution_payload', 'usage_entry'];

/** Inserts a row into every tenant table for each owner. Checks are dropped: which states are possible is not the point. Returns the tables. */
export async function fillAccount(
  database: TestDatabase,
  owners: readonly Owner[],
  canary: string,
  isFilled: (table: string) => boolean = () => true,
): Promise<string[]> {
  return asAdmin(database, async (client) => {
    await dropChecks(client);
    const tables = (await readTables(client)).filter((table) => isFilled(table.name));
    await client.query("set session_replication_role = 'replica'");
    let n = 0;
    for (const owner of owners) {
      const ids = new Map<string, string>();
      for (const table of inOrder(tables)) {
        n += 1;
        await insertRow(client, table, owner, ids, `${canary}-${n}`);
      }
    }
    for (const { partnerId, clientId } of owners) {
      const [table, id] = clientId === null ? ['partner', partnerId] : ['client', clientId];
      await overwrite(client, table, id, canary);
    }
    await client.query("set session_replication_role = 'origin'");
    return tables.map((table) => table.name);
  });
}

async function dropChecks(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, conname as name from pg_constraint
     where contype = 'c' and connamespace = 'public'::regnamespace and conparentid = 0 and coninhcount = 0 and conrelid <> 0`,
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint if exists "${name}"`);
}

async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, (
       select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null), 'notNull', a.attnotnull, 'references', (
         select f.confrelid::regclass::text from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and f.conkey = array[a.attnum] limit 1)) order by a.attnum)
       from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'partner_id' and not a.attisdropped) order by 1`,
  );
  return rows.filter((table) => !LEFT_OUT.includes(table.name));
}

/** Tables behind those they refer to; where they refer to each other, one of both columns stays empty. */
function inOrder(tables: readonly Table[]): Table[] {
  const left = new Map(tables.map((table) => [table.name, table]));
  const order: Table[] = [];
  const needs = ({ name, columns }: Table, isStuck: boolean): boolean =>
    columns
      .filter((column) => column.notNull || !isStuck)
      .map((column) => column.references ?? NAMED[column.name] ?? (OF_EXECUTION.includes(name) ? 'execution' : ''))
      .some((other) => other !== name && left.has(other));
  while (left.size > 0) {
    const next = [...left.values()].find((table) => !needs(table, false)) ?? [...left.values()].find((table) => !needs(table, true));
    if (!next) throw new Error(`These tables need each other: ${[...left.keys()].join(', ')}.`);
    left.delete(next.name);
    order.push(next);
  }
  return order;
}

async function insertRow(client: pg.Client, table: Table, owner: Owner, ids: Map<string, string>, canary: string): Promise<void> {
  // Not of an agency without a client.
  if (owner.clientId === null && table.columns.some((column) => column.name === 'client_id' && column.notNull)) return;
  const values = new Map<string, unknown>();
  for (const column of table.columns) values.set(column.name, valueOf(table, column, owner, ids, canary));
  const named = [...values].filter(([, value]) => value !== undefined);
  const text = `insert into ${table.name} (${named.map(([name]) => `"${name}"`).join(', ')}) values (${named.map((_, i) => `$${i + 1}`).join(', ')}) on conflict do nothing returning *`;
  const { rows } = await client.query<{ id?: string; deletion_request_id?: string }>(
    text,
    named.map(([, value]) => value),
  );
  const id = rows[0]?.id;
  if (id !== undefined) ids.set(table.name, id);
}

function valueOf(
  table: Table,
  { name, type, notNull, references }: Column,
  owner: Owner,
  ids: Map<string, string>,
  canary: string,
): unknown {
  const given = `${table.name}.${name}`;
  if (given in VALUES) return VALUES[given];
  if (name === 'partner_id') return owner.partnerId;
  if (name === 'client_id') return owner.clientId;
  if (name === 'id' && type === 'uuid') return OF_EXECUTION.includes(table.name) ? ids.get('execution') : newId();
  const other = references ?? NAMED[name];
  if (other !== undefined) return ids.get(other) ?? (notNull ? (other === 'partner' ? owner.partnerId : newId()) : null);
  if (table.name === 'idempotency_key' && name === 'scope') return ids.get('workflow');
  if (type === 'text' || type.startsWith('character')) return `${canary}-${table.name}-${name}`;
  if (type === 'jsonb' || type === 'json') return JSON.stringify({ [canary]: `${canary}-${table.name}` });
  if (type === 'bytea') return Buffer.from(`${canary}-${table.name}-${name}`);
  if (type === 'text[]') return [canary];
  if (type === 'bytea[]') return [Buffer.from(canary)];
  if (type.endsWith('[]')) return notNull ? [] : null;
  if (!notNull) return null;
  if (type === 'uuid') return newId();
  if (type === 'boolean') return false;
  if (type.startsWith('timestamp') || type === 'date') return new Date();
  return 1;
}

/** Puts the canary into every text of one row that exists. */
async function overwrite(client: pg.Client, table: string, id: string, canary: string): Promise<void> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select a.attname as name, format_type(a.atttypid, null) as type from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0
       and not a.attisdropped and a.attgenerated = '' and a.attname not in ('status', 'suspension_cause', 'timezone')`,
    [table],
  );
  const texts = rows.filter(({ type }) => type === 'text').map(({ name }) => `${name} = '${canary}-' || id || '-${name}'`);
  const objects = rows.filter(({ type }) => type === 'jsonb').map(({ name }) => `${name} = '{"${canary}": "${canary}"}'`);
  await client.query(`update ${table} set ${[...texts, ...objects].join(', ')} where id = $1`, [id]);
}

/** Every table of every schema that holds the text, as text or as bytes, with how many rows. */
export async function findEverywhere(database: TestDatabase, text: string): Promise<Record<string, number>> {
  return asAdmin(database, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace s on s.oid = c.relnamespace
       where c.relkind in ('r', 'p') and not c.relispartition and s.nspname not like 'pg\\_%' and s.nspname <> 'information_schema' order by 1`,
    );
    const found: Record<string, number> = {};
    const hex = Buffer.from(text).toString('hex');
    for (const { name } of rows) {
      const [counted] = (
        await client.query<{ n: number }>(
          `select count(*)::int as n from ${name} t where position($1 in t::text) > 0 or position($2 in t::text) > 0`,
          [text, hex],
        )
      ).rows;
      if (counted && counted.n > 0) found[name] = counted.n;
    }
    return found;
  });
}

/** One checksum per tenant table of the rows of these owners; a condition on `t` narrows them. */
export async function checksumRows(database: TestDatabase, condition: string, values: readonly unknown[]): Promise<Record<string, string>> {
  return asAdmin(database, async (client) => {
    const sums: Record<string, string> = {};
    for (const { name, columns } of await readTables(client)) {
      if (condition.includes('t.client_id') && !columns.some((column) => column.name === 'client_id')) continue;
      const { rows } = await client.query<{ sum: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as sum from ${name} t where ${condition}`,
        [...values],
      );
      sums[name] = rows[0]?.sum ?? '';
    }
    return sums;
  });
}
