import { randomBytes } from 'node:crypto';
import { ADMIN_ROLE } from '@partner-portal/service/platform/db/embedded.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { signSession } from '@partner-portal/tests/harness/callers.ts';
import { freePort } from '@partner-portal/tests/harness/free-port.ts';
import { addSeats, fillDatabase, sizeFor } from '@partner-portal/tests/harness/scale-rows.ts';
import { startChild } from '../support/child.ts';
import { addCosts, type Costs, costsSince, readCosts } from '../support/cpu.ts';
import type { BenchDatabase } from '../support/database.ts';
import type { ReadsAnswer, ReadsOrder, ReadsReady } from '../support/reads-process.ts';
import { serviceSettings } from '../support/reads-settings.ts';
import { startLoad } from '../support/start-load.ts';

const RUNS = 20_000;
const AT_ONCE = 16;
const SECONDS = 2;
const ROUNDS = 3;

/**
 * The reads that an open portal makes most, as an agency of a database with `runs` runs, compared with a bare server that checks the same token and sends
 * the same statements in one transaction. Both are in one process and alternate. Target: half of the bare server's rate.
 */
export async function benchReads(database: BenchDatabase, say: (line: string) => void, runs = RUNS): Promise<void> {
  const seats = await addSeats(database.admin);
  const secret = randomBytes(32).toString('hex');
  const { partnerId, ownerId, executionId } = seats.large;
  const claims = { role: 'PARTNER', partnerId, partnerRole: 'admin' } as const;
  const authorization = `Bearer ${signSession(secret, claims, { id: ownerId, email: 'owner@large.test' }, 86_400)}`;
  const paths = [
    '/auth/me',
    '/notifications/unread-count',
    '/notifications',
    '/partners/me',
    '/partners/me/summary',
    '/executions',
    `/executions/${executionId}`,
    '/clients',
    '/agents',
    '/alerts',
    '/metering/usage',
  ];
  Object.assign(process.env, serviceSettings(database.addressOf(ADMIN_ROLE), database.asTestDatabase().name, secret, await freePort()));
  const service = await startChild<DatabaseAddress, ReadsReady, ReadsOrder, ReadsAnswer>(
    new URL('../support/reads-process.ts', import.meta.url),
    database.addressOf('portal_service'),
  );
  await fillDatabase(database.admin, seats, sizeFor(runs));
  await database.admin('vacuum analyze');
  const parts = { node: service.child.pid, postgres: database.pid() };
  try {
    for (const path of paths) {
      const { statements, bytes } = await service.child.ask({ path, authorization });
      const own = await startLoad({ origin: service.ready.origin, paths: [path], headers: { authorization } });
      const bare = await startLoad({ origin: service.ready.bareOrigin, paths: [path], headers: { authorization } });
      const sums = { own: { done: 0, costs: {} as Costs }, bare: { done: 0, costs: {} as Costs } };
      for (let round = 0; round <= ROUNDS; round += 1)
        for (const [side, load] of [['own', own] as const, ['bare', bare] as const]) {
          const before = readCosts(parts);
          const { accepted, refused, failed } = await load.ask({ kind: 'closed', connections: AT_ONCE, seconds: SECONDS });
          if (refused + failed > 0) throw new Error(`${path}: ${refused + failed} of the ${side} reads failed.`);
          if (round === 0) continue;
          sums[side].done += accepted;
          sums[side].costs = addCosts(sums[side].costs, costsSince(before, readCosts(parts), accepted * ROUNDS));
        }
      for (const load of [own, bare]) await load.stop();
      const rate = ({ done }: { done: number }): number => done / SECONDS / ROUNDS;
      const costs = ({ costs: { node = 0, postgres = 0 } }: { costs: Costs }): string => `${node.toFixed(0)} + ${postgres.toFixed(0)} us`;
      say(
        `${(rate(sums.own) / rate(sums.bare)).toFixed(2)} of the bare server  ${path.replace(executionId, ':id').padEnd(28)} ` +
          `${rate(sums.own).toFixed(0)}/s of ${rate(sums.bare).toFixed(0)}/s, ${statements} statements, ${bytes} bytes; ` +
          `node + postgres ${costs(sums.own)}, bare ${costs(sums.bare)}`,
      );
    }
  } finally {
    await service.child.stop();
  }
}
