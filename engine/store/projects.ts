import type { Pool } from 'pg';
import { EngineError, notFound } from '../errors.ts';
import { newId } from '../ids.ts';
import { readPage } from './page.ts';
import type { Page } from './page.ts';
import type { Platform } from './platform.ts';

type Row = {
  id: string;
  display_name: string;
  external_id: string | null;
  type: 'PERSONAL' | 'TEAM';
  metadata: unknown;
  plan_id: string;
  created: Date;
  updated: Date;
};
export type ProjectFilter = {
  displayName?: string | undefined;
  externalId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
};

function toReply(row: Row, platform: Platform) {
  return {
    id: row.id,
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
    ownerId: platform.userId,
    displayName: row.display_name,
    platformId: platform.id,
    maxConcurrentJobs: null,
    type: row.type,
    icon: { color: 'DARK_GREEN' },
    externalId: row.external_id,
    releasesEnabled: false,
    metadata: row.metadata,
    poolId: null,
    plan: {
      id: row.plan_id,
      created: row.created.toISOString(),
      updated: row.created.toISOString(),
      projectId: row.id,
      locked: false,
      name: row.type === 'PERSONAL' ? 'free' : 'platform',
      piecesFilterType: 'NONE',
      pieces: [],
    },
    analytics: { totalUsers: 0, activeUsers: 0, totalFlows: 0, activeFlows: 0 },
  };
}
type Project = ReturnType<typeof toReply>;

/** Escapes what LIKE would read as a pattern. */
export function containsPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

export type ProjectStore = ReturnType<typeof createProjectStore>;

export function createProjectStore(pool: Pool, platform: Platform, teamProjects: 'ONE' | 'UNLIMITED') {
  const get = async (id: string): Promise<Project> => {
    const { rows } = await pool.query<Row>('select * from engine.project where id = $1', [id]);
    const row = rows[0];
    if (row === undefined) throw notFound('project', id);
    return toReply(row, platform);
  };
  return {
    /** Throws 404 for a project that is not there. */
    get,
    personalId: async (): Promise<string> => {
      const { rows } = await pool.query<{ id: string }>("select id from engine.project where type = 'PERSONAL'");
      return rows[0]?.id ?? '';
    },
    list: (filter: ProjectFilter): Promise<Page<Project>> =>
      readPage<Row, Project>(
        {
          pool,
          select: `select *, created as key_0, id as key_1 from engine.project
            where ($1::text is null or display_name ilike $1) and ($2::text is null or external_id = $2)`,
          params: [filter.displayName === undefined ? null : containsPattern(filter.displayName), filter.externalId ?? null],
          keys: [
            { column: 'created', cast: 'timestamptz' },
            { column: 'id', cast: 'text' },
          ],
          direction: 'asc',
          limit: filter.limit,
          cursor: filter.cursor,
        },
        (row) => toReply(row, platform),
      ),
    /** Throws 402 when there is a team project already, unless this engine was started for many. */
    create: async (input: { displayName: string; externalId?: string | null | undefined; metadata?: unknown }): Promise<Project> => {
      const { rows } = await pool.query<Row>(
        `insert into engine.project (id, display_name, external_id, type, metadata, plan_id, beyond_plan)
         select $1, $2, $3, 'TEAM', $4, $5, $6 where $6 or not exists (select from engine.project where type = 'TEAM')
         on conflict (type) where not beyond_plan do nothing returning *`,
        [
          newId(),
          input.displayName,
          input.externalId ?? null,
          input.metadata === undefined ? null : JSON.stringify(input.metadata),
          newId(),
          teamProjects === 'UNLIMITED',
        ],
      );
      const row = rows[0];
      if (row === undefined) {
        throw new EngineError('FEATURE_DISABLED', {
          message: 'Maximum limit of 1 team project reached for this plan. Upgrade your plan to add more team projects.',
        });
      }
      return toReply(row, platform);
    },
    /** A personal project keeps its name, without an error: so the recorded engine does. */
    rename: async (id: string, displayName: string | undefined): Promise<Project> => {
      await pool.query(
        `update engine.project set updated = now(),
           display_name = case when type = 'TEAM' then coalesce($2, display_name) else display_name end where id = $1`,
        [id, displayName ?? null],
      );
      return get(id);
    },
    remove: async (id: string): Promise<void> => {
      const project = await get(id);
      if (project.type === 'PERSONAL') throw new EngineError('VALIDATION', { message: 'Personal projects cannot be deleted' });
      await pool.query(
        `with gone as (delete from engine.run where project_id = $1 returning id),
              steps as (delete from engine.run_step where run_id in (select id from gone))
         delete from engine.project where id = $1`,
        [id],
      );
    },
  };
}
