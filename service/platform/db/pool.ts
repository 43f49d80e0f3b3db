import pg from 'pg';
import { type DatabaseAddress, KEEP_ALIVE } from './host.ts';

export type PoolOptions = {
  /** Shown in pg_stat_activity. */
  name: string;
  max: number;
  /** Called for idle connections that broke; the pool replaces them. */
  onIdleError?: (error: Error) => void;
  /** Longest one statement may run. */
  statementTimeoutMs?: number;
};

/** Connections of a pool: open, open and not in use, requests that wait for one, and how many may be open. */
export type PoolState = { open: number; idle: number; waiting: number; max: number };

export function poolState(pool: pg.Pool): PoolState {
  return { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, max: pool.options.max };
}

/** Connections of the service's own pool; docs/deploy.md adds them up. */
export const SERVICE_POOL_MAX = 20;
const INT8 = 20;
const DATE = 1082;

/**
 * Opens the service's pool. Statements queued together travel together (`pipeline`), which is what makes
 * BEGIN + scope one round trip. 8-byte integers arrive as numbers (counters stay far below 2^53), dates without a
 * time as text, timestamps as Date.
 */
export function createPool(address: DatabaseAddress, options: PoolOptions): pg.Pool {
  const types = {
    getTypeParser(id: number, format?: 'text' | 'binary') {
      if (id === INT8 && format !== 'binary') return Number;
      if (id === DATE && format !== 'binary') return String;
      return format === 'binary' ? pg.types.getTypeParser(id, 'binary') : pg.types.getTypeParser(id, 'text');
    },
  };
  const pool = new pg.Pool({
    ...address,
    ...KEEP_ALIVE,
    max: options.max,
    application_name: options.name,
    pipeline: true,
    types,
    connectionTimeoutMillis: 10_000,
    // A new connection plans each statement first: one that is used every minute is kept.
    idleTimeoutMillis: 300_000,
    statement_timeout: options.statementTimeoutMs ?? 15_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  // Without a listener, a connection that breaks between two statements would end the process. The next statement fails with the error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
