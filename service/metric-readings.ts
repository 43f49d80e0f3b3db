import { CLIENT_STATUSES, PARTNER_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { defineReading, type Reading } from '#platform/http/metrics.ts';
import { readWorkerState } from '#platform/jobs/heartbeat.ts';
import { countAccounts } from '#modules/6-views/staff-overview/index.ts';
import type { App } from './app.ts';

const DATABASE_MS = 2_000;
const ENGINE_MS = 3_000;
/** Asking costs the engine a request. */
const ENGINE_KEEP_MS = 5_000;
/** Counting reads every account. */
const ACCOUNTS_KEEP_MS = 60_000;

/** Gauges of the metrics port. All but those of connections, isolates and the role are about the whole system, and the same in each of its processes. */
export function metricReadings(app: App, codeStepsHeld: () => Promise<number | null>, servesRequests: boolean): Reading[] {
  return [
    // First: the readings after it take connections themselves.
    defineReading({
      gauges: {
        portal_database_pool_connections: { help: 'Open connections of this process to the database, by pool.', label: 'pool' },
        portal_database_pool_idle_connections: { help: 'Those of them that no transaction uses.', label: 'pool' },
        portal_database_pool_max_connections: { help: 'Connections that the pool may open.', label: 'pool' },
        portal_database_pool_waiting: { help: 'Transactions that wait for a connection, by pool.', label: 'pool' },
      },
      async read() {
        const [service, queue] = [app.poolState(), app.runner.poolState()];
        return {
          portal_database_pool_connections: { service: service.open, queue: queue.open },
          portal_database_pool_idle_connections: { service: service.idle, queue: queue.idle },
          portal_database_pool_max_connections: { service: service.max, queue: queue.max },
          portal_database_pool_waiting: { service: service.waiting, queue: queue.waiting },
        };
      },
    }),
    defineReading({
      gauges: { portal_jobs_due: { help: 'Jobs that are due and not claimed.' } },
      read: async () => ({ portal_jobs_due: await app.runner.depth() }),
    }),
    defineReading({
      gauges: { portal_events_waiting: { help: 'Events whose reactions have not run.' } },
      read: async () => ({ portal_events_waiting: await app.events.waiting() }),
    }),
    defineReading({
      gauges: { portal_held_isolates: { help: 'Code steps that run in an isolate of the embedded engine or wait for one.' } },
      read: async () => ({ portal_held_isolates: await codeStepsHeld() }),
    }),
    defineReading({
      gauges: { portal_deliveries_waiting: { help: 'Webhook deliveries that are queued or being sent.' } },
      read: async () => ({ portal_deliveries_waiting: await app.webhooks.waiting() }),
    }),
    defineReading({
      gauges: {
        portal_dispatches_waiting: { help: 'Runs that wait to be handed over to the engine.' },
        portal_dispatch_oldest_age_seconds: {
          help: 'Age of the oldest run that waits for the engine, without those that wait for the next hour of first contacts.',
        },
        portal_dispatches_busiest_agency_ratio: {
          help: 'Share of the waiting runs that belong to the agency with the most of them, from 0 to 1.',
        },
        portal_runs_under_way: { help: 'Runs that the engine has and that have not ended.' },
        portal_runs_under_way_busiest_agency_ratio: {
          help: 'Share of the runs under way that belong to the agency with the most of them, from 0 to 1.',
        },
      },
      async read() {
        const { waiting, oldestSeconds, waitingShare, underWay, underWayShare } = await app.executions.backlog();
        return {
          portal_dispatches_waiting: waiting,
          portal_dispatch_oldest_age_seconds: oldestSeconds,
          portal_dispatches_busiest_agency_ratio: waitingShare,
          portal_runs_under_way: underWay,
          portal_runs_under_way_busiest_agency_ratio: underWayShare,
        };
      },
    }),
    defineReading({
      gauges: { portal_worker_up: { help: '1 while a process of the system has taken jobs within the last minute, else 0.' } },
      read: async () => ({ portal_worker_up: (await readWorkerState(app.db)).isSilent ? 0 : 1 }),
    }),
    defineReading({
      gauges: { portal_serves_requests: { help: '1 in a process that serves the portal and the API, 0 in one that only works.' } },
      read: async () => ({ portal_serves_requests: Number(servesRequests) }),
    }),
    defineReading({
      gauges: { portal_engine_up: { help: '1 while the engine reports itself healthy, else 0; not a number where it is switched off.' } },
      keepMs: ENGINE_KEEP_MS,
      async read() {
        const isUp = await app.isEngineUp(ENGINE_MS);
        return { portal_engine_up: isUp === null ? null : Number(isUp) };
      },
    }),
    defineReading({
      gauges: { portal_database_up: { help: '1 while the database answers this process within two seconds, else 0.' } },
      read: async () => ({ portal_database_up: Number(await app.db.isUp(DATABASE_MS)) }),
    }),
    defineReading({
      gauges: {
        portal_agencies: { help: 'Agencies by status.', label: 'status' },
        portal_clients: { help: 'Clients of agencies by status.', label: 'status' },
      },
      keepMs: ACCOUNTS_KEEP_MS,
      async read() {
        const rows = await app.db.asSystem('staff', countAccounts);
        const byStatus = (kind: string, statuses: readonly string[]): Record<string, number> =>
          Object.fromEntries(
            statuses.map((status) => [status, rows.find((row) => row.kind === kind && row.status === status)?.accounts ?? 0]),
          );
        return { portal_agencies: byStatus('agency', PARTNER_STATUSES), portal_clients: byStatus('client', CLIENT_STATUSES) };
      },
    }),
  ];
}
