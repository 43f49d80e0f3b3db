import { ADMIN_ROLE } from '@partner-portal/service/platform/db/embedded.ts';
import { randomBytes } from 'node:crypto';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { signSession } from '@partner-portal/tests/harness/callers.ts';
import { freePort } from '@partner-portal/tests/harness/free-port.ts';
import { addSeats, fillDatabase, type Seat, sizeFor } from '@partner-portal/tests/harness/scale-rows.ts';
import { startChild } from '../support/child.ts';
import type { BenchDatabase } from '../support/database.ts';
import type { LoadResult } from '../support/load.ts';
import { timingText } from '../support/measure.ts';
import type { ReadsAnswer, ReadsOrder, ReadsReady } from '../support/reads-process.ts';
import { serviceSettings } from '../support/reads-settings.ts';
import { startLoad } from '../support/start-load.ts';

const RUNS = 20_000;
const SECONDS = 4;
const ROUNDS = 3;
/** People of the large agency; each keeps `EACH` requests in flight. */
const PEOPLE = 8;
const EACH = 2;
const READS = [
  '/auth/me',
  '/notifications/unread-count',
  '/notifications',
  '/partners/me',
  '/partners/me/summary',
  '/executions',
  '/clients',
  '/agents',
  '/alerts',
  '/metering/usage',
  '/partners/me/clients-activity',
  '/executions/causes',
  '/executions?limit=100',
  '/agents?limit=100',
  '/audit-log',
  '/billing/subscription',
];

/**
 * A page of a small agency, read with one request of sixteen reads, while eight people of a large agency keep two such requests under way each;
 * alternates with the same page alone. Target: at most three times as long.
 */
export async function benchTogether(database: BenchDatabase, say: (line: string) => void, runs = RUNS): Promise<void> {
  const seats = await addSeats(database.admin);
  const secret = randomBytes(32).toString('hex');
  const people = await database.admin<{ id: string; email: string }>(
    `insert into app_user (email, full_name, role, partner_role, partner_id, sessions_valid_from)
     select 'person' || n || '@large.test', 'Person', 'PARTNER', 'admin', $1, now() - interval '1 day' from generate_series(1, $2) n returning id, email`,
    [seats.large.partnerId, PEOPLE],
  );
  Object.assign(process.env, serviceSettings(database.addressOf(ADMIN_ROLE), database.asTestDatabase().name, secret, await freePort()));
  const service = await startChild<DatabaseAddress, ReadsReady, ReadsOrder, ReadsAnswer>(
    new URL('../support/reads-process.ts', import.meta.url),
    database.addressOf('portal_service'),
  );
  await fillDatabase(database.admin, seats, sizeFor(runs));
  await database.admin('vacuum analyze');
  const startLoadOf = async ({ partnerId }: Seat, person: { id: string; email: string }) => {
    const claims = { role: 'PARTNER', partnerId, partnerRole: 'admin' } as const;
    const target = {
      origin: service.ready.origin,
      paths: ['/reads'],
      body: JSON.stringify({ reads: READS }),
      headers: { authorization: `Bearer ${signSession(secret, claims, person, 86_400)}` },
    };
    return startLoad(target);
  };
  try {
    const page = await startLoadOf(seats.small, { id: seats.small.ownerId, email: 'owner@small.test' });
    const crowd = await Promise.all(people.map((person) => startLoadOf(seats.large, person)));
    const alone: LoadResult[] = [];
    const beside: LoadResult[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const first = await page.ask({ kind: 'closed', connections: 1, seconds: SECONDS });
      const others = Promise.all(crowd.map((load) => load.ask({ kind: 'closed', connections: EACH, seconds: SECONDS + 1 })));
      const second = await page.ask({ kind: 'closed', connections: 1, seconds: SECONDS });
      const results = await others;
      if ([first, second, ...results].some(({ failed, refused }) => failed + refused > 0)) throw new Error('A request failed.');
      const perSecond = results.reduce((sum, one) => sum + one.perSecond, 0);
      if (round === 0) continue;
      alone.push(first);
      beside.push(second);
      say(
        `alone ${timingText(first.timing)}; beside ${timingText(second.timing)}; ${perSecond.toFixed(1)} pages a second of the large agency`,
      );
    }
    const mean = (results: readonly LoadResult[]): number => results.reduce((sum, { timing }) => sum + timing.mean, 0) / results.length;
    say(
      `${(mean(beside) / mean(alone)).toFixed(2)} times as long beside sixteen pages of a large agency (${mean(alone).toFixed(1)} ms alone)`,
    );
    for (const load of [page, ...crowd]) await load.stop();
  } finally {
    await service.child.stop();
  }
}
