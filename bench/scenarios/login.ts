import { type BenchDatabase, seedWorkflows } from '../support/database.ts';
import { startChild } from '../support/child.ts';
import { BENCH_PASSWORD, type HashOrder, type HashResult, type IdentityReady, type IdentitySetup } from '../support/identity-service.ts';
import { addCosts, costText, type Costs, costsSince, readCosts } from '../support/cpu.ts';
import type { LoadOrder, LoadResult } from '../support/load.ts';
import { timingText } from '../support/measure.ts';
import { startLoad } from '../support/start-load.ts';

const PEOPLE = 64;
const LOGINS_AT_ONCE = 16;
const READS_AT_ONCE = 32;
const SECONDS = 4;
const ROUNDS = 3;

/**
 * Logins per second compared with the bare password hash in the same process, and GET /auth/me compared with a bare server that checks the
 * same token. Both sides alternate, so that other load on the machine affects both.
 */
export async function benchLogin(database: BenchDatabase, say: (line: string) => void): Promise<void> {
  const setup: IdentitySetup = { address: database.addressOf('portal_service') };
  const service = await startChild<IdentitySetup, IdentityReady, HashOrder, HashResult>(
    new URL('../support/identity-service.ts', import.meta.url),
    setup,
  );
  const { origin, bareOrigin, passwordHash } = service.ready;
  const emails = await seedPeople(database, passwordHash);
  const bodies = emails.map((email) => JSON.stringify({ email, password: BENCH_PASSWORD }));
  const logins = await startLoad({ origin, paths: ['/auth/login'], bodies });
  const headers = { authorization: `Bearer ${await logIn(origin, bodies[0] ?? '')}` };
  const reads = await startLoad({ origin, paths: ['/auth/me'], headers });
  const bare = await startLoad({ origin: bareOrigin, paths: ['/'], headers });
  try {
    const at = (connections: number, seconds = SECONDS): LoadOrder => ({ kind: 'closed', connections, seconds });
    await service.child.ask({ width: LOGINS_AT_ONCE, seconds: 1 });
    await logins.ask(at(LOGINS_AT_ONCE, 1));
    const rates = { hash: 0, login: 0, me: 0, bare: 0 };
    let [login, me]: (LoadResult | undefined)[] = [];
    const parts = { node: service.child.pid, postgres: database.pid() };
    const costs: Record<keyof typeof rates, Costs> = { hash: {}, login: {}, me: {}, bare: {} };
    const measure = async <R>(side: keyof typeof rates, ask: () => Promise<R>, countOf: (result: R) => number): Promise<R> => {
      const before = readCosts(parts);
      const result = await ask();
      costs[side] = addCosts(costs[side], costsSince(before, readCosts(parts), countOf(result) * ROUNDS));
      rates[side] += countOf(result) / SECONDS / ROUNDS;
      return result;
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      await measure(
        'hash',
        () => service.child.ask({ width: LOGINS_AT_ONCE, seconds: SECONDS }),
        ({ done }) => done,
      );
      login = await measure(
        'login',
        () => logins.ask(at(LOGINS_AT_ONCE)),
        ({ accepted }) => accepted,
      );
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      await measure(
        'bare',
        () => bare.ask(at(READS_AT_ONCE)),
        ({ accepted }) => accepted,
      );
      me = await measure(
        'me',
        () => reads.ask(at(READS_AT_ONCE)),
        ({ accepted }) => accepted,
      );
    }
    say(`hash     ${rates.hash.toFixed(1)} bare verifications/s, ${LOGINS_AT_ONCE} at once`);
    say(`login    ${rates.login.toFixed(1)}/s, ${describe(login)}`);
    say(`ratio    ${(rates.login / rates.hash).toFixed(2)} of the bare hash (target: 0.80 or more)`);
    say(`bare     ${rates.bare.toFixed(0)} token checks/s over HTTP`);
    say(`me       ${rates.me.toFixed(0)} GET /auth/me a second, ${describe(me)}`);
    say(`ratio    ${(rates.me / rates.bare).toFixed(2)} of the bare server`);
    for (const [side, cost] of Object.entries(costs)) say(`cpu      ${side.padEnd(5)} ${costText(cost)}`);
  } finally {
    for (const one of [logins, reads, bare, service.child]) await one.stop();
  }
}

function describe(result: LoadResult | undefined): string {
  return result ? `${timingText(result.timing)}, refused ${result.refused}, failed ${result.failed}` : 'nothing';
}

async function seedPeople(database: BenchDatabase, passwordHash: string): Promise<string[]> {
  await seedWorkflows(database, 8, 2);
  const rows = await database.admin<{ email: string }>(
    `insert into app_user (email, full_name, role, partner_id, partner_role, password_hash)
      select 'person' || n || '@bench.example', 'Person ' || n, 'PARTNER', p.ids[1 + n % 8], 'admin', $2
      from generate_series(1, $1::int) n, (select array_agg(id) as ids from partner where not is_house) p returning email`,
    [PEOPLE, passwordHash],
  );
  return rows.map(({ email }) => email);
}

async function logIn(origin: string, body: string): Promise<string> {
  const response = await fetch(`${origin}/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { accessToken } = (await response.json()) as { accessToken: string }; // the bench's own two ends
  return accessToken;
}
