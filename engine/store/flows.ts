import type { Pool, PoolClient } from 'pg';
import { EngineError, FrameworkError, notFound } from '../errors.ts';
import { applyEdit, emptyContent, isEdit } from '../flow/operations.ts';
import type { FlowContent } from '../flow/operations.ts';
import { newId } from '../ids.ts';
import type { FlowOperation } from '../protocol.ts';
import { contentOf, flowReply, versionReply } from './flow-rows.ts';
import type { FlowRow, VersionRow } from './flow-rows.ts';
import { readPage } from './page.ts';
import type { Page } from './page.ts';
import type { Platform } from './platform.ts';
import { containsPattern } from './projects.ts';

export type FlowFilter = {
  projectId: string;
  name?: string | undefined;
  status?: string[] | undefined;
  externalIds?: string[] | undefined;
  connectionExternalIds?: string[] | undefined;
  lockedOnly: boolean;
  limit: number;
  cursor?: string | undefined;
};
type Flow = ReturnType<typeof flowReply>;

const LATEST = "order by (state = 'DRAFT') desc, created desc limit 1";

async function readLatest(client: Pool | PoolClient, flowId: string): Promise<VersionRow> {
  const { rows } = await client.query<VersionRow>(`select * from engine.flow_version where flow_id = $1 ${LATEST}`, [flowId]);
  const row = rows[0];
  if (row === undefined) throw notFound('flow', flowId);
  return row;
}

async function readVersion(client: Pool | PoolClient, flowId: string, versionId: string): Promise<VersionRow> {
  const { rows } = await client.query<VersionRow>('select * from engine.flow_version where id = $1 and flow_id = $2', [versionId, flowId]);
  const row = rows[0];
  if (row === undefined)
    throw new EngineError('ENTITY_NOT_FOUND', { entityId: versionId, entityType: 'FlowVersion', message: `flowId=${flowId}` });
  return row;
}

/** `isEarlier`: it holds what an earlier version of the engine stored, and runs as it did there. */
async function writeDraft(
  client: PoolClient,
  flowId: string,
  latest: VersionRow | undefined,
  content: FlowContent,
  isEarlier = false,
): Promise<void> {
  const values = [
    content.displayName,
    JSON.stringify(content.trigger),
    content.valid,
    content.schemaVersion,
    content.connectionIds,
    JSON.stringify(content.notes),
    isEarlier,
  ];
  if (latest?.state === 'DRAFT') {
    await client.query(
      `update engine.flow_version set display_name = $2, trigger = $3, valid = $4, schema_version = $5, connection_ids = $6,
         notes = $7, earlier_globals = $8, updated = clock_timestamp() where id = $1`,
      [latest.id, ...values],
    );
    return;
  }
  await client.query(
    `insert into engine.flow_version (id, flow_id, state, display_name, trigger, valid, schema_version, connection_ids, notes, earlier_globals)
     values ($1, $2, 'DRAFT', $3, $4, $5, $6, $7, $8, $9)`,
    [newId(), flowId, ...values],
  );
}

function refuseEmpty(version: VersionRow): void {
  if (version.trigger.type !== 'EMPTY') return;
  throw new EngineError('ENTITY_NOT_FOUND', {
    entityType: 'piece_trigger',
    message: 'Trigger not found for piece undefined@undefined',
    extra: {},
  });
}

/** One statement: a webhook sees the version before or the version after, never a gap. */
async function publish(client: PoolClient, flow: FlowRow, latest: VersionRow, status: string): Promise<void> {
  refuseEmpty(latest);
  await client.query("update engine.flow_version set state = 'LOCKED', updated = clock_timestamp() where id = $1 and state = 'DRAFT'", [
    latest.id,
  ]);
  await client.query('update engine.flow set published_version_id = $2, status = $3, updated = now() where id = $1', [
    flow.id,
    latest.id,
    status,
  ]);
}

async function changeStatus(client: PoolClient, flow: FlowRow, latest: VersionRow, status: string): Promise<void> {
  if (status === 'ENABLED' && flow.published_version_id === null) {
    refuseEmpty(latest);
    throw new FrameworkError(500, 'publishedFlowVersionId is required is null or undefined');
  }
  await client.query('update engine.flow set status = $2, updated = now() where id = $1 and status <> $2', [flow.id, status]);
}

async function applyOperation(client: PoolClient, flow: FlowRow, operation: FlowOperation): Promise<void> {
  const latest = await readLatest(client, flow.id);
  if (isEdit(operation)) {
    const content = applyEdit(contentOf(latest), operation, new Date().toISOString());
    await writeDraft(client, flow.id, latest, content, latest.earlier_globals && operation.type !== 'IMPORT_FLOW');
    await client.query('update engine.flow set updated = now() where id = $1', [flow.id]);
    return;
  }
  switch (operation.type) {
    case 'LOCK_AND_PUBLISH':
      return publish(client, flow, latest, operation.request.status ?? 'ENABLED');
    case 'CHANGE_STATUS':
      return changeStatus(client, flow, latest, operation.request.status);
    case 'USE_AS_DRAFT': {
      const source = await readVersion(client, flow.id, operation.request.versionId);
      return writeDraft(client, flow.id, latest, contentOf(source), source.earlier_globals);
    }
    case 'UPDATE_METADATA': {
      const metadata = operation.request.metadata ?? null;
      await client.query('update engine.flow set metadata = $2, updated = now() where id = $1', [
        flow.id,
        metadata === null ? null : JSON.stringify(metadata),
      ]);
    }
  }
}

export type FlowStore = ReturnType<typeof createFlowStore>;

/** Runs deleted in one transaction. */
const RUNS_AT_ONCE = 1_000;

async function removeRuns(pool: Pool, flowId: string): Promise<number> {
  const { rows } = await pool.query<{ removed: number }>(
    `with runs as (delete from engine.run where id = any (array(select id from engine.run where flow_id = $1 order by id desc limit $2)) returning id),
          steps as (delete from engine.run_step where run_id in (select id from runs))
     select count(*)::int as removed from runs`,
    [flowId, RUNS_AT_ONCE],
  );
  return rows[0]?.removed ?? 0;
}

export function createFlowStore(pool: Pool, platform: Platform) {
  const readFlow = async (id: string): Promise<FlowRow> => {
    const { rows } = await pool.query<FlowRow>('select * from engine.flow where id = $1', [id]);
    const row = rows[0];
    if (row === undefined) throw notFound('flow', id);
    return row;
  };
  const get = async (id: string, versionId?: string): Promise<Flow> => {
    const flow = await readFlow(id);
    const version = versionId === undefined ? await readLatest(pool, id) : await readVersion(pool, id, versionId);
    return flowReply(flow, version, platform);
  };
  return {
    get,
    create: async (input: {
      displayName: string;
      projectId: string;
      metadata?: Record<string, unknown> | null | undefined;
    }): Promise<Flow> => {
      const id = newId();
      await inTransaction(pool, async (client) => {
        await client.query('insert into engine.flow (id, project_id, external_id, metadata) values ($1, $2, $3, $4)', [
          id,
          input.projectId,
          newId(),
          input.metadata ? JSON.stringify(input.metadata) : null,
        ]);
        await writeDraft(client, id, undefined, emptyContent(input.displayName, new Date().toISOString()));
      });
      return get(id);
    },
    /** Applies an operation. Serialized by a lock on the flow's row, so that concurrent edits are not lost. Throws 404. */
    operate: async (id: string, operation: FlowOperation): Promise<Flow> => {
      await inTransaction(pool, async (client) => {
        const { rows } = await client.query<FlowRow>('select * from engine.flow where id = $1 for update', [id]);
        const flow = rows[0];
        if (flow === undefined) throw notFound('flow', id);
        await applyOperation(client, flow, operation);
      });
      return get(id);
    },
    /** Deletes with the versions and the run log, which holds personal data of callers. */
    remove: async (id: string): Promise<void> => {
      // A flow may have very many runs: most of them go in short transactions before it.
      while ((await removeRuns(pool, id)) === RUNS_AT_ONCE);
      const { rows } = await pool.query<{ removed: string }>(
        `with runs as (delete from engine.run where flow_id = $1 returning id),
              steps as (delete from engine.run_step where run_id in (select id from runs))
         delete from engine.flow where id = $1 returning id as removed`,
        [id],
      );
      if (rows.length === 0) throw new EngineError('ENTITY_NOT_FOUND', { entityType: 'FlowVersion', message: `flowId=${id}` });
    },
    list: (filter: FlowFilter): Promise<Page<Flow>> =>
      readPage<FlowRow & { version: VersionRow }, Flow>(
        {
          pool,
          select: `select f.*, f.status as key_0, f.updated as key_1, f.id as key_2, to_json(v) as version
            from engine.flow f cross join lateral (
              select * from engine.flow_version where flow_id = f.id and (not $6 or id = f.published_version_id) ${LATEST}) v
            where f.project_id = $1 and ($2::text is null or v.display_name ilike $2) and ($3::text[] is null or f.status = any ($3))
              and ($4::text[] is null or f.external_id = any ($4)) and ($5::text[] is null or v.connection_ids && $5)`,
          params: [
            filter.projectId,
            filter.name === undefined ? null : containsPattern(filter.name),
            filter.status ?? null,
            filter.externalIds ?? null,
            filter.connectionExternalIds ?? null,
            filter.lockedOnly,
          ],
          keys: [
            { column: 'f.status', cast: 'text' },
            { column: 'f.updated', cast: 'timestamptz' },
            { column: 'f.id', cast: 'text' },
          ],
          direction: 'desc',
          limit: filter.limit,
          cursor: filter.cursor,
        },
        ({ version, ...row }) => flowReply(row, withDates(version), platform),
      ),
    versions: async (id: string, limit: number, cursor: string | undefined, user: unknown): Promise<Page<unknown>> => {
      await readFlow(id);
      return readPage<VersionRow, unknown>(
        {
          pool,
          select: 'select *, created as key_0, id as key_1 from engine.flow_version where flow_id = $1',
          params: [id],
          keys: [
            { column: 'created', cast: 'timestamptz' },
            { column: 'id', cast: 'text' },
          ],
          direction: 'desc',
          limit,
          cursor,
        },
        (row) => {
          const {
            trigger: _trigger,
            agentIds: _agents,
            connectionIds: _connections,
            backupFiles: _backup,
            notes: _notes,
            ...shown
          } = versionReply(row, platform);
          return { ...shown, updatedByUser: user };
        },
      );
    },
    readFlow,
    /** Undefined when the version is gone with its flow. */
    findVersion: async (versionId: string): Promise<VersionRow | undefined> => {
      const { rows } = await pool.query<VersionRow>('select * from engine.flow_version where id = $1', [versionId]);
      return rows[0];
    },
    readLatest: (flowId: string): Promise<VersionRow> => readLatest(pool, flowId),
  };
}

/** to_json spells times as text. */
function withDates(row: VersionRow): VersionRow {
  return { ...row, created: new Date(row.created), updated: new Date(row.updated) };
}

async function inTransaction(pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await work(client);
    await client.query('commit');
    client.release();
  } catch (error) {
    // A connection that cannot even roll back is not given to the next caller.
    const broken = await client.query('rollback').then(
      () => false,
      () => true,
    );
    client.release(broken);
    throw error;
  }
}
