import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { sql } from 'kysely';
import { ADMIN_ROLE } from '../db/embedded.ts';
import { withClient } from '../db/roles.ts';
import { runStatement } from '../db/statements.ts';
import { refuse } from '../refuse.ts';
import { defineHandlers } from './context.ts';
import { toRefusal } from './errors.ts';

let service: TestService;
/** The statement timeout that the handler of the last call read. */
let allowed: string | undefined;

before(async () => {
  service = await startTestService({
    modules: ({ db }) => {
      const look = async (actor: Parameters<typeof db.asTenant>[0], code: 'not_found' | 'client_limit_reached'): Promise<never> => {
        allowed = await db.asTenant(
          actor,
          async (tx) =>
            (await sql<{ allowed: string }>`select current_setting('statement_timeout') as allowed`.execute(tx)).rows[0]?.allowed,
        );
        return refuse(code);
      };
      return [
        {
          routes: defineHandlers({
            getQuota: (_input, { actor }) => look(actor, 'not_found'),
            exportLedger: (_input, { actor }) => look(actor, 'not_found'),
            createClient: (_input, { actor }) => look(actor, 'client_limit_reached'),
          }),
        },
      ];
    },
  });
});
after(() => service.close());

describe('the longest time of a statement', () => {
  it('is shorter for a page than for an export or a change, and below 15 s for each', async () => {
    await service.call('GET', '/metering/quota', { as: 'owner' });
    const page = allowed;
    await service.call('GET', '/metering/ledger/export.csv', { as: 'owner' });
    const file = allowed;
    await service.call('POST', '/clients', { as: 'owner', body: { name: 'Oak' } });
    assert.deepEqual([page, file, allowed], ['8s', '12s', '12s']);
  });

  it('stops a statement that runs too long, with a problem of its own that asks for no repetition', async () => {
    const actor = { ...service.actor('owner'), statementTimeoutMs: 20 };
    const endless = service.db.asTenant(actor, (tx) => sql`select pg_sleep(600)`.execute(tx));
    const refusal = toRefusal(await endless.catch((error: unknown) => error));
    assert.deepEqual([refusal.code, refusal.status, refusal.extras.retryAfterSeconds], ['took_too_long', 503, undefined]);
    assert.match(refusal.extras.detail ?? '', /Nothing was changed/);
  });

  it('is that of a transaction and two seconds more: many short statements are stopped too, in the same words, and the next request works', async () => {
    const actor = { ...service.actor('owner'), statementTimeoutMs: 100 };
    const many = service.db.asTenant(actor, async (tx) => {
      for (;;) await sql`select pg_sleep(0.05)`.execute(tx);
    });
    const refusal = toRefusal(await many.catch((error: unknown) => error));
    assert.deepEqual([refusal.code, refusal.status], ['took_too_long', 503]);
    const short = { text: 'select pg_sleep(0.05)', prepare: false } as never; // it has no declared name
    const atOnce = service.db.readAsTenant(actor, (tx) => Promise.all(Array.from({ length: 60 }, () => runStatement(tx, short))));
    assert.equal(toRefusal(await atOnce.catch((error: unknown) => error)).code, 'took_too_long');
    const between = service.db.asTenant(actor, async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await until('the server has ended the session', async () => {
        const held = await withClient(service.database.configFor(ADMIN_ROLE), (client) =>
          client.query('select from pg_stat_activity where pid = $1', [rows[0]?.pid]),
        );
        return held.rowCount === 0;
      });
      await sql`select 1`.execute(tx);
    });
    const ended = toRefusal(await between.catch((error: unknown) => error));
    assert.deepEqual([ended.code, ended.extras.retryAfterSeconds], ['took_too_long', undefined], 'between two statements');
    // With the time of any request: a first statement on a new connection may take longer than a tenth of a second.
    const left = service.db.asTenant(service.actor('owner'), (tx) => sql`select 1`.execute(tx));
    await assert.doesNotReject(left);
  });

  it('bounds one transaction, not the next one on its connection, and no job', async () => {
    const { rows } = await service.db.asSystem('health', (tx) =>
      sql<{ allowed: string }>`select current_setting('statement_timeout') as allowed`.execute(tx),
    );
    assert.equal(rows[0]?.allowed, '15s');
  });
});
