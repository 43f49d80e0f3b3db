import type { Pool } from 'pg';
import { notFound } from '../errors.ts';
import { newId } from '../ids.ts';
import type { ConnectionValue } from '../protocol.ts';
import type { Seal } from '../seal.ts';
import { readPage } from './page.ts';
import type { Page } from './page.ts';
import type { Platform } from './platform.ts';
import { containsPattern } from './projects.ts';

type Row = {
  id: string;
  project_id: string;
  external_id: string;
  display_name: string;
  type: string;
  status: string;
  piece_name: string;
  piece_version: string;
  metadata: unknown;
  sealed: Buffer;
  created: Date;
  updated: Date;
  flow_ids?: string[];
};
export type ConnectionFilter = {
  projectId: string;
  displayName?: string | undefined;
  pieceName?: string | undefined;
  status?: string | undefined;
  limit: number;
  cursor?: string | undefined;
};
export type StoredConnection = {
  projectId: string;
  externalId: string;
  displayName: string;
  value: ConnectionValue;
  status: 'ACTIVE' | 'MISSING';
  pieceName: string;
  pieceVersion: string;
  metadata: unknown;
};

function toReply(row: Row, platform: Platform) {
  return {
    id: row.id,
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
    displayName: row.display_name,
    externalId: row.external_id,
    type: row.type,
    status: row.status,
    platformId: platform.id,
    pieceName: row.piece_name,
    ownerId: platform.userId,
    projectIds: [row.project_id],
    scope: 'PROJECT',
    metadata: row.metadata,
    pieceVersion: row.piece_version,
    preSelectForNewProjects: false,
    usingSecretManager: false,
  };
}
type Connection = ReturnType<typeof toReply>;

const contextOf = (projectId: string, externalId: string): string => `${projectId}\0${externalId}`;

export type ConnectionStore = ReturnType<typeof createConnectionStore>;

export function createConnectionStore(pool: Pool, platform: Platform, seal: Seal, owner: Record<string, unknown>) {
  return {
    /** One statement keyed by (project, external id): repeats keep the id, and four at once leave one row. */
    upsert: async (input: StoredConnection): Promise<Connection> => {
      const { rows } = await pool.query<Row>(
        `insert into engine.app_connection (id, project_id, external_id, display_name, type, status, piece_name, piece_version, metadata, sealed)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         on conflict (project_id, external_id) do update set display_name = excluded.display_name, type = excluded.type,
           status = excluded.status, piece_name = excluded.piece_name, piece_version = excluded.piece_version,
           metadata = excluded.metadata, sealed = excluded.sealed, updated = now()
         returning *`,
        [
          newId(),
          input.projectId,
          input.externalId,
          input.displayName,
          input.value.type,
          input.status,
          input.pieceName,
          input.pieceVersion,
          input.metadata === undefined ? null : JSON.stringify(input.metadata),
          seal.seal(input.value, contextOf(input.projectId, input.externalId)),
        ],
      );
      const row = rows[0];
      if (row === undefined) throw new Error('the upsert returned no row');
      return toReply(row, platform);
    },
    rename: async (id: string, displayName: string): Promise<Connection> => {
      const { rows } = await pool.query<Row>(
        'update engine.app_connection set display_name = $2, updated = now() where id = $1 returning *',
        [id, displayName],
      );
      const row = rows[0];
      if (row === undefined) throw notFound('app_connection', id);
      return toReply(row, platform);
    },
    remove: async (id: string): Promise<{ projectId: string; externalId: string }> => {
      const { rows } = await pool.query<Row>('delete from engine.app_connection where id = $1 returning *', [id]);
      const row = rows[0];
      if (row === undefined) throw notFound('app_connection', id);
      return { projectId: row.project_id, externalId: row.external_id };
    },
    list: (filter: ConnectionFilter): Promise<Page<Connection & { owner: unknown; flowIds: string[] }>> =>
      readPage<Row, Connection & { owner: unknown; flowIds: string[] }>(
        {
          pool,
          select: `select c.*, c.created as key_0, c.id as key_1,
              array(select distinct f.id from engine.flow f join engine.flow_version v on v.flow_id = f.id
                    where f.project_id = c.project_id and c.external_id = any (v.connection_ids)) as flow_ids
            from engine.app_connection c where c.project_id = $1 and ($2::text is null or c.display_name ilike $2)
              and ($3::text is null or c.piece_name = $3) and ($4::text is null or c.status = $4)`,
          params: [
            filter.projectId,
            filter.displayName === undefined ? null : containsPattern(filter.displayName),
            filter.pieceName ?? null,
            filter.status ?? null,
          ],
          keys: [
            { column: 'c.created', cast: 'timestamptz' },
            { column: 'c.id', cast: 'text' },
          ],
          direction: 'asc',
          limit: filter.limit,
          cursor: filter.cursor,
        },
        (row) => ({ ...toReply(row, platform), owner, flowIds: row.flow_ids ?? [] }),
      ),
    /** Opened values of the named connections; a name without a row is left out. */
    open: async (projectId: string, externalIds: readonly string[]): Promise<Map<string, ConnectionValue>> => {
      const { rows } = await pool.query<Pick<Row, 'external_id' | 'sealed'>>(
        'select external_id, sealed from engine.app_connection where project_id = $1 and external_id = any ($2)',
        [projectId, externalIds],
      );
      return new Map(
        // Sealed by `upsert` from a checked value.
        rows.map((row) => [row.external_id, seal.open(row.sealed, contextOf(projectId, row.external_id)) as ConnectionValue]),
      );
    },
  };
}
