import {
  type ClientImportField,
  type ClientImportMode,
  type ClientImportOutcome,
  LIMITS,
  type TableDelimiter,
  type TableEncoding,
} from '@partner-portal/contract/vocabulary.ts';
import { isCarriedOut, type Planned, planImport, refusalText } from '@partner-portal/core/client-import/plan-import.ts';
import { storedFilename } from './stored-filename.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import { recordFacts } from '#platform/facts.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { fingerprintOf, hashIdempotencyKey, refuseOtherBody } from '#platform/http/idempotency.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit, recordAudits } from '#modules/1-ledger/audit/index.ts';
import { reviewNames } from '#modules/2-tenancy/name-reviews/index.ts';
import { clientChanges } from '../client-changes.ts';
import { clientChanged } from '../facts.ts';
import { countPlaces, lockClientLimit } from '../store.ts';
import type { CheckedRow, CheckedTable } from './check-table.ts';
import type { ImportDeps } from './deps.ts';
import { readFile } from './read-file.ts';
import {
  type ClientValues,
  findByKey,
  findImport,
  findLiveClients,
  insertClients,
  insertImport,
  insertRows,
  listRows,
  type LiveClient,
  lockImports,
  type NewRow,
  readValues,
  updateClients,
} from './store.ts';
import { toImportRecord, toRowRecord } from './to-import-record.ts';

type Given = {
  dryRun: boolean;
  mode: ClientImportMode;
  mapping?: Readonly<Record<string, ClientImportField>> | undefined;
  hasHeader: boolean;
  delimiter?: TableDelimiter | undefined;
  encoding?: TableEncoding | undefined;
};

/** Rows per statement. */
const PORTION = 500;
const MINUTE_MS = 60_000;

/**
 * Adds and changes clients by the rows of a file, in one transaction; with `dryRun` only says what would happen. With the same
 * Idempotency-Key it answers as the first call did. The key is in the row of the import, which holds the answer already and stays longer
 * than a day; an import of which nothing is carried out leaves none.
 */
export async function importClients(deps: ImportDeps, caller: RequestContext, given: Given) {
  const { actor, upload } = caller;
  const { file } = upload;
  if (!file) return refuseField('file', 'required', 'Choose a file.');
  const table = await readFile(deps, actor.partnerId, {
    bytes: file.bytes,
    mapping: given.mapping ?? null,
    hasHeader: given.hasHeader,
    delimiter: given.delimiter ?? null,
    encoding: given.encoding ?? null,
  });
  if (given.dryRun) return deps.db.asTenant(actor, (tx) => dryRun(tx, actor.partnerId, given.mode, table));
  const keyHash = hashIdempotencyKey(caller, actor.userId);
  const key = keyHash && { hash: keyHash, bodyHash: fingerprintOf({ ...given, filename: file.filename }, file.bytes) };
  return deps.db.asTenant(actor, async (tx) => {
    await lockImports(tx, actor.partnerId);
    const before = key && (await repeat(tx, caller, key));
    return before ?? carryOut(tx, caller, { mode: given.mode, table, filename: storedFilename(file.filename), key });
  });
}

type Places = { included: number; used: number };
type Match = { row: CheckedRow; plan: Planned<LiveClient> };

async function dryRun(tx: TenantTx, partnerId: string, mode: ClientImportMode, table: CheckedTable) {
  const places = await countPlaces(tx, partnerId);
  if (!places) return refuse('not_found');
  const live = await findLiveClients(tx, partnerId, identities(table.rows), { lock: false });
  const rows = await settle(tx, match(table.rows, live, places), null);
  return toResult({ dryRun: true, mode, table, places, rows, made: null });
}

type Work = { mode: ClientImportMode; table: CheckedTable; filename: string; key: Key | null };
type Key = { hash: Buffer; bodyHash: Buffer };

async function carryOut(tx: TenantTx, caller: RequestContext, { mode, table, filename, key }: Work) {
  const { actor, now } = caller;
  const { partnerId } = actor;
  // Clients before the place they take, as a reactivation locks them.
  const live = await findLiveClients(tx, partnerId, identities(table.rows), { lock: true });
  const limit = await lockClientLimit(tx, partnerId);
  if (!limit) return refuse('not_found');
  const places = { included: limit.included, used: limit.used };
  const matches = match(table.rows, live, places);
  const refused = matches.filter(({ plan }) => plan.does === 'refuse').length;
  if (!isCarriedOut(mode, refused)) {
    const rows = await settle(tx, matches, null);
    return toResult({ dryRun: false, mode, table, places, rows, made: null });
  }
  const rows = await settle(tx, matches, { caller, timezone: limit.timezone });
  const id = newId();
  const counts = countOutcomes(rows);
  const reading = { encoding: table.encoding, delimiter: table.delimiter, columns: table.columns, clientLimit: places };
  const undoUntil = new Date(now.getTime() + LIMITS.importUndoMinutes * MINUTE_MS);
  await insertImport(tx, { id, partnerId, createdBy: actor.userId, filename, mode, counts, reading, key, createdAt: now, undoUntil });
  for (const portion of portions(rows)) await insertRows(tx, { partnerId, importId: id }, portion);
  const changes = Object.fromEntries(Object.entries(counts).map(([outcome, count]) => [outcome, [null, count] as [unknown, unknown]]));
  const target = { type: 'client_import', id, label: filename };
  await recordAudit(tx, { partnerId, actor, action: 'client.imported', target, changes, origin: originOf(caller) });
  const made = await findImport(tx, partnerId, id);
  return toResult({ dryRun: false, mode, table, places, rows, made: made ? toImportRecord(made) : null });
}

function identities(rows: readonly CheckedRow[]): { ids: string[]; refs: string[]; names: string[] } {
  const ids = new Set<string>();
  const refs = new Set<string>();
  const names = new Set<string>();
  for (const { id, client } of rows) {
    if (client && id !== null) ids.add(id);
    if (client?.externalRef) refs.add(client.externalRef);
    else if (client) names.add(client.name);
  }
  return { ids: [...ids], refs: [...refs], names: [...names] };
}

/** Decides about every row; those that their own check refused take no part. */
function match(rows: readonly CheckedRow[], live: readonly LiveClient[], { included, used }: Places): Match[] {
  const good = rows.flatMap((row) => (row.client ? [{ ...row.client, id: row.id }] : []));
  const plans = planImport(good, live, included - used);
  let next = 0;
  return rows.map((row): Match => {
    const own: Planned<LiveClient> = { does: 'refuse', refusal: { code: 'duplicate_in_file', field: null } };
    return { row, plan: row.client ? (plans[next++] ?? own) : own };
  });
}

/** Adds and changes clients portion by portion, when `write` says by whom, and returns the outcome of every row. */
async function settle(
  tx: TenantTx,
  matches: readonly Match[],
  write: { caller: RequestContext; timezone: string } | null,
): Promise<NewRow[]> {
  const rows: NewRow[] = [];
  for (const portion of portions(matches)) {
    const ids = portion.flatMap(({ plan }) => (plan.does === 'match' ? [plan.client.id] : []));
    const before = new Map((ids.length > 0 ? await readValues(tx, ids) : []).map((client) => [client.id, client]));
    const settled = portion.map((one) => outcomeOf(one, before));
    if (write) await writePortion(tx, write, settled);
    rows.push(...settled.map(({ row }) => row));
  }
  return rows;
}

type Settled = { row: NewRow; client: CheckedRow['client']; before: ClientValues | null };

function outcomeOf({ row, plan }: Match, values: ReadonlyMap<string, ClientValues>): Settled {
  const { line, name, client } = row;
  const blank = {
    line,
    name,
    clientId: null,
    field: null,
    column: null,
    cell: null,
    code: null,
    reason: null,
    clientVersion: null,
    changes: null,
  };
  if (!client) return { row: { ...blank, outcome: 'refused', ...row.refusal }, client, before: null };
  if (plan.does === 'refuse') {
    const { code, field } = plan.refusal;
    const cell = field === null ? null : ((field === 'name' ? client.name : client.externalRef) ?? null);
    return { row: { ...blank, outcome: 'refused', field, cell, code, reason: refusalText(code) }, client: null, before: null };
  }
  const remark = row.warning ?? {};
  if (plan.does === 'create') return { row: { ...blank, ...remark, outcome: 'created' }, client, before: null };
  const before = values.get(plan.client.id);
  if (!before) throw new Error('A client that a row of an import names was not read.');
  const changes = clientChanges(before, client);
  const changed = Object.keys(changes).length > 0;
  return {
    row: { ...blank, ...remark, outcome: changed ? 'updated' : 'unchanged', clientId: before.id, changes: changed ? changes : null },
    client,
    before,
  };
}

async function writePortion(
  tx: TenantTx,
  { caller, timezone }: { caller: RequestContext; timezone: string },
  settled: readonly Settled[],
): Promise<void> {
  const { actor } = caller;
  const { partnerId } = actor;
  const shared = { partnerId, actor, origin: originOf(caller) };
  const created = settled.filter(({ row }) => row.outcome === 'created');
  for (const { row } of created) row.clientId = newId();
  const added = created.flatMap(({ row, client }) =>
    client && row.clientId !== null ? [{ ...EMPTY, timezone, ...withoutUndefined(client), name: client.name, id: row.clientId }] : [],
  );
  if (added.length > 0) {
    const versions = new Map((await insertClients(tx, partnerId, added)).map(({ id, updatedAt }) => [id, updatedAt]));
    for (const { row } of created) row.clientVersion = versions.get(row.clientId ?? '') ?? null;
    await reviewNames(
      tx,
      partnerId,
      added.map(({ id, name }) => ({ clientId: id, before: null, name })),
      actor,
    );
    await recordAudits(
      tx,
      { ...shared, action: 'client.created' },
      added.map(({ id, name }) => ({ clientId: id, target: { type: 'client', id, label: name }, changes: { name: [null, name] } })),
    );
  }
  await writeChanges(
    tx,
    caller,
    settled.flatMap(({ row: { changes }, before }) => (before && changes ? [{ before, changes }] : [])),
  );
}

/** Writes changes of clients, which are locked, with what follows from them. */
export async function writeChanges(
  tx: TenantTx,
  caller: RequestContext,
  changed: readonly { before: ClientValues; changes: Record<string, [unknown, unknown]> }[],
): Promise<void> {
  if (changed.length === 0) return;
  const { actor } = caller;
  const { partnerId } = actor;
  await updateClients(
    tx,
    changed.map(({ before: { status: _same, ...before }, changes }) => ({
      ...before,
      ...Object.fromEntries(Object.entries(changes).map(([field, [, after]]) => [field, after])),
    })),
  );
  await reviewNames(
    tx,
    partnerId,
    changed.flatMap(({ before, changes: { name } }) => (name ? [{ clientId: before.id, before: before.name, name: String(name[1]) }] : [])),
    actor,
  );
  await recordAudits(
    tx,
    { partnerId, actor, action: 'client.changed', origin: originOf(caller) },
    changed.map(({ before, changes }) => ({
      clientId: before.id,
      target: { type: 'client', id: before.id, label: before.name },
      changes,
    })),
  );
  await recordFacts(
    tx,
    clientChanged,
    changed.map(({ before }) => ({ partnerId, clientId: before.id })),
  );
}

const EMPTY = {
  contactName: null,
  contactEmail: null,
  phone: null,
  website: null,
  locale: 'en',
  industry: null,
  externalRef: null,
  notes: null,
  businessProfile: {},
} as const;

/** Answers like the call before that had this key. */
async function repeat(tx: TenantTx, { actor, now }: RequestContext, { hash, bodyHash }: Key) {
  const since = new Date(now.getTime() - LIMITS.idempotencyHours * 60 * MINUTE_MS);
  const made = await findByKey(tx, { partnerId: actor.partnerId, hash, since });
  if (!made) return null;
  refuseOtherBody(made.bodyHash, bodyHash);
  const rows = await listRows(tx, made.id, {}, { after: 0, limit: LIMITS.importRowsMax });
  // Written by `carryOut`, and parsed again by the reply schema.
  const { clientLimit, ...table } = made.reading as Omit<CheckedTable, 'rows'> & { clientLimit: Places };
  return {
    ...toResult({ dryRun: false, mode: made.mode, table, places: clientLimit, rows: [], made: toImportRecord(made) }),
    counts: toImportRecord(made).counts,
    rows: rows.map(toRowRecord),
  };
}

function toResult(facts: {
  dryRun: boolean;
  mode: ClientImportMode;
  table: Omit<CheckedTable, 'rows'>;
  places: Places;
  rows: readonly NewRow[];
  made: ReturnType<typeof toImportRecord> | null;
}) {
  const { dryRun: isDry, mode, table, places, rows, made } = facts;
  return {
    dryRun: isDry,
    mode,
    import: made,
    encoding: table.encoding,
    delimiter: table.delimiter,
    columns: table.columns,
    counts: countOutcomes(rows),
    clientLimit: places,
    rows: rows.map((row) => toRowRecord({ ...row, undo: null, undoReason: null })),
  };
}

function countOutcomes(rows: readonly { outcome: ClientImportOutcome }[]): Record<ClientImportOutcome, number> {
  const counts = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  for (const { outcome } of rows) counts[outcome] += 1;
  return counts;
}

export function* portions<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += PORTION) yield items.slice(from, from + PORTION);
}

function withoutUndefined<T extends object>(given: T): { [Field in keyof T]: Exclude<T[Field], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Field in keyof T]: Exclude<T[Field], undefined>;
  }; // exactly the members that have a value
}
