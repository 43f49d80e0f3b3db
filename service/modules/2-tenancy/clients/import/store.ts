import type { ClientImportMode, ClientImportOutcome, ClientImportUndo } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, TenantTx, Tx } from '#platform/db/tx.ts';
import type { ClientFacts } from '../store.ts';

/** Holds off other imports of the agency, and undoing one, until the transaction ends. */
export async function lockImports(tx: Tx, partnerId: string): Promise<void> {
  await runStatement(tx, {
    name: 'client_import_lock',
    prepare: false,
    text: "select pg_advisory_xact_lock(hashtextextended('client-import:' || $1::text, 0))",
    values: [partnerId],
  });
}

export type LiveClient = { id: string; externalRef: string | null; name: string; contactEmail: string | null };

/** A client whose deletion is approved is not live: what an import wrote to it would be purged with it. */
const LIVE = "status in ('active', 'suspended') and suspension_cause is distinct from 'deletion_approved'";

/** The live clients that rows may name. With `lock` they stay as they are until the transaction ends. */
export async function findLiveClients(
  tx: Tx,
  partnerId: string,
  { ids, refs, names }: { ids: readonly string[]; refs: readonly string[]; names: readonly string[] },
  { lock }: { lock: boolean },
): Promise<LiveClient[]> {
  const values: [string, string[], string[], string[]] = [partnerId, [...refs], [...names], [...ids]];
  if (lock)
    return runStatement<'client_import_lock_clients', LiveClient>(tx, {
      name: 'client_import_lock_clients',
      prepare: false,
      text: `select id, external_ref, name, contact_email from client
        where partner_id = $1 and ${LIVE} and (external_ref = any($2) or name = any($3) or id = any($4)) order by id for no key update`,
      values,
    });
  return runStatement<'client_import_find_clients', LiveClient>(tx, {
    name: 'client_import_find_clients',
    prepare: false,
    text: `select id, external_ref, name, contact_email from client
      where partner_id = $1 and ${LIVE} and (external_ref = any($2) or name = any($3) or id = any($4)) order by id`,
    values,
  });
}

/** The columns of a client that an import reads, changes and restores. */
export type ClientValues = Pick<
  ClientFacts,
  | 'id'
  | 'name'
  | 'status'
  | 'contactName'
  | 'contactEmail'
  | 'phone'
  | 'website'
  | 'timezone'
  | 'locale'
  | 'industry'
  | 'externalRef'
  | 'notes'
  | 'businessProfile'
>;

export async function readValues(tx: Tx, ids: readonly string[]): Promise<ClientValues[]> {
  return runStatement<'client_import_values', ClientValues>(tx, {
    name: 'client_import_values',
    prepare: false,
    text: `select id, name, status, contact_name, contact_email, phone, website, timezone, locale, industry, external_ref, notes, business_profile
      from client where id = any($1) order by id`,
    values: [[...ids]],
  });
}

/** Locks clients in the order in which all of this module lock them. */
export async function lockValues(tx: Tx, ids: readonly string[]): Promise<ClientValues[]> {
  return runStatement<'client_import_lock_values', ClientValues>(tx, {
    name: 'client_import_lock_values',
    prepare: false,
    text: `select id, name, status, contact_name, contact_email, phone, website, timezone, locale, industry, external_ref, notes, business_profile
      from client where id = any($1) order by id for no key update`,
    values: [[...ids]],
  });
}

type Columns = Omit<ClientValues, 'status'>;

const COLUMNS = `id uuid, name text, contact_name text, contact_email text, phone text, website text, timezone text, locale text, industry text, external_ref text,
  notes text, business_profile jsonb`;

/** Adds clients and returns the version of each. */
export async function insertClients(
  tx: TenantTx,
  partnerId: string,
  clients: readonly Columns[],
): Promise<{ id: string; updatedAt: Date }[]> {
  return runStatement<'client_import_insert_clients', { id: string; updatedAt: Date }>(tx, {
    name: 'client_import_insert_clients',
    prepare: false,
    text: `insert into client (id, partner_id, name, contact_name, contact_email, phone, website, timezone, locale, industry, external_ref, notes, business_profile)
      select x.id, $1, x.name, x.contact_name, x.contact_email, x.phone, x.website, x.timezone, x.locale, x.industry, x.external_ref, x.notes, x.business_profile
      from jsonb_to_recordset($2::jsonb) as x(${COLUMNS})
      returning id, updated_at`,
    values: [partnerId, recordset(clients)],
  });
}

/** Writes all values of these clients, which are locked. */
export async function updateClients(tx: Tx, clients: readonly Columns[]): Promise<void> {
  await runStatement(tx, {
    name: 'client_import_update_clients',
    prepare: false,
    text: `update client c set name = x.name, contact_name = x.contact_name, contact_email = x.contact_email, phone = x.phone, website = x.website,
        timezone = x.timezone, locale = x.locale, industry = x.industry, external_ref = x.external_ref, notes = x.notes, business_profile = x.business_profile
      from jsonb_to_recordset($1::jsonb) as x(${COLUMNS}) where c.id = x.id and c.id = any($2)`,
    // The ids let the server estimate how many rows it looks for: without them it may compare each with every client.
    values: [recordset(clients), clients.map(({ id }) => id)],
  });
}

function recordset(clients: readonly Columns[]): string {
  return JSON.stringify(
    clients.map(({ contactName, contactEmail, externalRef, businessProfile, ...same }) => ({
      ...same,
      contact_name: contactName,
      contact_email: contactEmail,
      external_ref: externalRef,
      business_profile: businessProfile,
    })),
  );
}

export type ImportRow = {
  id: string;
  filename: string;
  mode: ClientImportMode;
  created: number;
  updated: number;
  unchanged: number;
  refused: number;
  reading: unknown;
  createdAt: Date;
  undoUntil: Date;
  undoneAt: Date | null;
  removed: number;
  restored: number;
  kept: number;
  userId: string | null;
  userName: string | null;
  userEmail: string | null;
};

const IMPORT = `i.id, i.filename, i.mode, i.created, i.updated, i.unchanged, i.refused, i.reading, i.created_at, i.undo_until, i.undone_at, i.removed, i.restored, i.kept,
  u.id as user_id, u.full_name as user_name, u.email as user_email`;

export async function listImports(tx: Tx, partnerId: string, page: { before: string | null; limit: number }): Promise<ImportRow[]> {
  return runStatement<'client_import_list', ImportRow>(tx, {
    name: 'client_import_list',
    prepare: false,
    text: `select ${IMPORT} from client_import i left join app_user u on u.id = i.created_by
      where i.partner_id = $1 and ($2::uuid is null or i.id < $2) order by i.id desc limit $3`,
    values: [partnerId, page.before, page.limit + 1],
  });
}

export async function findImport(tx: Tx, partnerId: string, id: string): Promise<ImportRow | undefined> {
  const [row] = await runStatement<'client_import_find', ImportRow>(tx, {
    name: 'client_import_find',
    prepare: false,
    text: `select ${IMPORT} from client_import i left join app_user u on u.id = i.created_by where i.partner_id = $1 and i.id = $2`,
    values: [partnerId, id],
  });
  return row;
}

/** The import that the same call made before, while its key counts. */
export async function findByKey(
  tx: Tx,
  key: { partnerId: string; hash: Buffer; since: Date },
): Promise<(ImportRow & { bodyHash: Buffer | null }) | undefined> {
  const [row] = await runStatement<'client_import_by_key', ImportRow & { bodyHash: Buffer | null }>(tx, {
    name: 'client_import_by_key',
    prepare: false,
    text: `select ${IMPORT}, i.body_hash from client_import i left join app_user u on u.id = i.created_by
      where i.partner_id = $1 and i.key_hash = $2 and i.created_at >= $3`,
    values: [key.partnerId, key.hash, key.since],
  });
  return row;
}

export type NewImport = {
  id: string;
  partnerId: string;
  createdBy: string;
  filename: string;
  mode: ClientImportMode;
  counts: Readonly<Record<ClientImportOutcome, number>>;
  reading: unknown;
  key: { hash: Buffer; bodyHash: Buffer } | null;
  createdAt: Date;
  undoUntil: Date;
};

export async function insertImport(tx: TenantTx, made: NewImport): Promise<void> {
  if (made.key)
    // Frees the key of an import that no longer counts.
    await runStatement(tx, {
      name: 'client_import_drop_key',
      prepare: false,
      text: 'update client_import set key_hash = null where partner_id = $1 and key_hash = $2',
      values: [made.partnerId, made.key.hash],
    });
  await runStatement(tx, {
    name: 'client_import_insert',
    prepare: false,
    text: `insert into client_import (id, partner_id, created_by, filename, mode, created, updated, unchanged, refused, reading, key_hash, created_at, undo_until, body_hash)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    values: [
      made.id,
      made.partnerId,
      made.createdBy,
      made.filename,
      made.mode,
      made.counts.created,
      made.counts.updated,
      made.counts.unchanged,
      made.counts.refused,
      JSON.stringify(made.reading),
      made.key?.hash ?? null,
      made.createdAt,
      made.undoUntil,
      made.key?.bodyHash ?? null,
    ],
  });
}

export type ResultRow = {
  line: number;
  outcome: ClientImportOutcome;
  clientId: string | null;
  name: string;
  field: string | null;
  column: number | null;
  cell: string | null;
  code: string | null;
  reason: string | null;
  undo: ClientImportUndo | null;
  undoReason: string | null;
};
export type NewRow = Omit<ResultRow, 'undo' | 'undoReason'> & {
  clientVersion: Date | null;
  changes: Record<string, [unknown, unknown]> | null;
};

export async function insertRows(tx: TenantTx, owner: { partnerId: string; importId: string }, rows: readonly NewRow[]): Promise<void> {
  await runStatement(tx, {
    name: 'client_import_insert_rows',
    prepare: false,
    text: `insert into client_import_row (import_id, partner_id, line, outcome, client_id, name, field, "column", cell, code, reason, client_version, changes)
      select $1, $2, x.line, x.outcome, x.client_id, x.name, x.field, x."column", x.cell, x.code, x.reason, x.client_version, x.changes
      from jsonb_to_recordset($3::jsonb) as x(line int, outcome text, client_id uuid, name text, field text, "column" int, cell text, code text, reason text,
        client_version timestamptz, changes jsonb)`,
    values: [
      owner.importId,
      owner.partnerId,
      JSON.stringify(rows.map(({ clientId, clientVersion, ...row }) => ({ ...row, client_id: clientId, client_version: clientVersion }))),
    ],
  });
}

export type RowFilters = { outcome?: ClientImportOutcome | undefined; undo?: ClientImportUndo | undefined };

/** In the order of the file. */
export async function listRows(
  tx: Tx,
  importId: string,
  { outcome, undo }: RowFilters,
  page: { after: number; limit: number },
): Promise<ResultRow[]> {
  return runStatement<'client_import_rows', ResultRow>(tx, {
    name: 'client_import_rows',
    prepare: false,
    text: `select line, outcome, client_id, name, field, "column", cell, code, reason, undo, undo_reason from client_import_row
      where import_id = $1 and ($2::text is null or outcome = $2) and ($3::text is null or undo = $3) and line > $4 order by line limit $5`,
    values: [importId, outcome ?? null, undo ?? null, page.after, page.limit + 1],
  });
}

/** Locks the import against another undo. */
export async function lockImport(
  tx: Tx,
  partnerId: string,
  id: string,
): Promise<{ filename: string; undoUntil: Date; undoneAt: Date | null } | undefined> {
  const [row] = await runStatement<'client_import_lock_one', { filename: string; undoUntil: Date; undoneAt: Date | null }>(tx, {
    name: 'client_import_lock_one',
    prepare: false,
    text: 'select filename, undo_until, undone_at from client_import where partner_id = $1 and id = $2 for update',
    values: [partnerId, id],
  });
  return row;
}

export type UndoableRow = { line: number; clientId: string | null; changes: unknown };

/** The rows that created or changed a client, in the order of the file. */
export async function listUndoable(
  tx: Tx,
  importId: string,
  outcome: 'created' | 'updated',
  page: { after: number; limit: number },
): Promise<UndoableRow[]> {
  return runStatement<'client_import_undoable', UndoableRow>(tx, {
    name: 'client_import_undoable',
    prepare: false,
    text: `select line, client_id, changes from client_import_row where import_id = $1 and outcome = $2 and line > $3 order by line limit $4`,
    values: [importId, outcome, page.after, page.limit],
  });
}

export type RemovedRow = { line: number; clientId: string; heldBy: string | null };

/**
 * Deletes clients that the import created and that nothing happened to since, in the order of the file. Returns each, and for one that stays
 * what holds it.
 */
export async function removeCreated(tx: Tx, importId: string, page: { after: number; limit: number }): Promise<RemovedRow[]> {
  return runStatement<'client_import_remove_created', RemovedRow>(tx, {
    name: 'client_import_remove_created',
    prepare: false,
    text: 'select line, client_id, held_by from remove_imported_clients($1, $2, $3)',
    values: [importId, page.after, page.limit],
  });
}

export async function writeUndo(
  tx: Tx,
  importId: string,
  rows: readonly { line: number; undo: ClientImportUndo; reason: string | null }[],
): Promise<void> {
  if (rows.length === 0) return;
  await runStatement(tx, {
    name: 'client_import_write_undo',
    prepare: false,
    text: `update client_import_row r set undo = x.undo, undo_reason = x.reason, changes = null
      from unnest($2::int[], $3::text[], $4::text[]) as x(line, undo, reason) where r.import_id = $1 and r.line = x.line`,
    values: [importId, rows.map(({ line }) => line), rows.map(({ undo }) => undo), rows.map(({ reason }) => reason)],
  });
}

export async function endUndo(
  tx: Tx,
  importId: string,
  done: { at: Date; by: string; counts: Readonly<Record<ClientImportUndo, number>> },
): Promise<void> {
  await runStatement(tx, {
    name: 'client_import_end_undo',
    prepare: false,
    text: 'update client_import set undone_at = $2, undone_by = $3, removed = $4, restored = $5, kept = $6 where id = $1',
    values: [importId, done.at, done.by, done.counts.removed, done.counts.restored, done.counts.kept],
  });
}

/** Clears former values of a batch of imports that can no longer be undone. Returns how many rows. */
export async function forgetFormerValues(tx: SystemTx, now: Date, batch: number): Promise<number> {
  const rows = await runStatement(tx, {
    name: 'client_import_forget_values',
    prepare: false,
    text: `update client_import_row r set changes = null from (
        select r.import_id, r.line from client_import i join client_import_row r on r.import_id = i.id and r.changes is not null
        where i.undo_until < $1 limit $2) old
      where r.import_id = old.import_id and r.line = old.line returning 1 as cleared`,
    values: [now, batch],
  });
  return rows.length;
}

/** Deletes a batch of old imports with their rows. Returns how many. */
export async function deleteOldImports(tx: SystemTx, before: Date, batch: number): Promise<number> {
  const rows = await runStatement(tx, {
    name: 'client_import_delete_old',
    prepare: false,
    text: `delete from client_import where id in (select id from client_import where created_at < $1 limit $2) returning 1 as deleted`,
    values: [before, batch],
  });
  return rows.length;
}
