import pg from 'pg';
import { type DatabaseAddress, KEEP_ALIVE } from '../db/host.ts';
import type { Log } from '../log.ts';

/** Detects dead workers and releases their jobs. */
export type Liveness = {
  register(workerId: string): Promise<void>;
  /** Releases the jobs of a worker of this process that has ended. */
  release(workerId: string): Promise<void>;
  freeDeadWorkers(): Promise<void>;
  /** Ends the connection, as if the server had; another one follows. */
  reconnect(): void;
  close(): Promise<void>;
};

const SWEEP_MS = 10_000;
const RECONNECT_MS = 500;
const FRESH_SECONDS = 5;
const NAMESPACE = 'portal worker ';
/** The server drops the connection of a machine that is gone, and with it the lock, after twenty seconds; by itself it would after two hours. */
const NOTICED_BY_SERVER = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=20000';

/**
 * Opens the liveness check of the workers in this process. The queue would keep a killed worker's jobs locked for four hours; each worker
 * holds a session-level advisory lock, which Postgres releases when the process dies, so a worker whose lock can be taken is dead. Job locks
 * younger than `freshSeconds` (5) are skipped: a starting worker may not hold its lock yet. A locked queue always has a locked job of the same worker.
 */
export function openLiveness(address: DatabaseAddress, pool: pg.Pool, log: Log, freshSeconds = FRESH_SECONDS): Liveness {
  const workerIds = new Set<string>();
  let client: pg.Client | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  const hold = async (workerId: string): Promise<void> => {
    await client?.query('select pg_advisory_lock(hashtextextended($1, 0))', [NAMESPACE + workerId]).catch(() => undefined);
  };
  const connect = async (): Promise<void> => {
    if (closed) return;
    const fresh = new pg.Client({ ...address, ...KEEP_ALIVE, application_name: 'portal worker', options: NOTICED_BY_SERVER });
    const again = (): void => {
      if (closed || client !== fresh) return;
      client = undefined;
      retry = setTimeout(() => void connect(), RECONNECT_MS);
    };
    client = fresh;
    fresh.on('error', again);
    fresh.on('end', again);
    try {
      await fresh.connect();
      await Promise.all([...workerIds].map(hold));
    } catch {
      again();
    }
  };
  const freeDeadWorkers = async (): Promise<void> => {
    const { rows } = await pool.query<{ worker: string }>(
      `select worker from (
         select distinct locked_by as worker from graphile_worker.jobs where locked_at < now() - make_interval(secs => $2)
       ) holder where worker is not null and pg_try_advisory_xact_lock(hashtextextended($1 || worker, 0))`,
      [NAMESPACE, freshSeconds],
    );
    if (rows.length === 0) return;
    const dead = rows.map((row) => row.worker);
    await pool.query('select graphile_worker.force_unlock_workers($1::text[])', [dead]);
    log.warn({ dead }, 'released jobs of dead workers');
  };
  const connected = connect();
  const sweep = setInterval(() => {
    freeDeadWorkers().catch((error: unknown) => log.warn({ err: error }, 'check for dead workers failed'));
  }, SWEEP_MS);
  sweep.unref();

  return {
    async register(workerId) {
      workerIds.add(workerId);
      await connected;
      await hold(workerId);
    },
    async release(workerId) {
      workerIds.delete(workerId);
      await client?.query('select pg_advisory_unlock(hashtextextended($1, 0))', [NAMESPACE + workerId]).catch(() => undefined);
      await pool.query('select graphile_worker.force_unlock_workers($1::text[])', [[workerId]]);
    },
    freeDeadWorkers,
    reconnect: () => void client?.connection.stream.destroy(),
    async close() {
      closed = true;
      clearInterval(sweep);
      clearTimeout(retry);
      await connected;
      await client?.end().catch(() => undefined);
    },
  };
}
