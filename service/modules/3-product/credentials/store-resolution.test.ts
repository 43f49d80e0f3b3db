import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import {
  createCredentialResolver,
  type CredentialSlot,
  isCredentialUsable,
  type StoredCredential,
} from '@partner-portal/core/credential/resolution.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { sql } from 'kysely';
import type { SystemTx } from '#platform/db/tx.ts';
import { newId } from '#platform/ids.ts';
import { markConnectionsDue } from './store-connections.ts';
import type { Slot } from './store.ts';
import { findEffective, findEffectiveStates } from './store-resolution.ts';
import { listSummaries } from './store-views.ts';

/** SQL and core must agree on which credential counts, for every set of stored rows. */

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

type Row = StoredCredential & { id: string };

/** Every set of these rows, from none to all. */
const subsets = <T>(all: readonly T[]): T[][] => all.reduce<T[][]>((sets, one) => [...sets, ...sets.map((set) => [...set, one])], [[]]);

async function store(tx: SystemTx, slots: readonly Slot[]): Promise<Row[]> {
  await tx.deleteFrom('credential').execute();
  const rows = slots.map((slot) => ({ id: newId(), ...slot, sourceMode: 'byok' as const }));
  if (rows.length > 0) await tx.insertInto('credential').values(rows).execute();
  return rows.map((row) => ({ ...row, hasValue: false, lastCheckOk: null }));
}

it('each statement picks the row that core picks, for every set of stored rows', async () => {
  const { partnerId, rivalPartnerId, clientId, otherClientId } = service.world;
  const providers = ['openai', 'resend'] as const;
  const slots = [null, clientId, otherClientId].flatMap((client) =>
    providers.map((provider): Slot => ({ partnerId, clientId: client, provider })),
  );
  const rivals: Slot = { partnerId: rivalPartnerId, clientId: null, provider: 'resend' };
  const asked = [...slots, rivals];
  let compared = 0;
  await service.db.asSystem('seed', async (tx) => {
    const connections = asked.map((slot) => ({ id: newId(), ...slot, externalId: newId(), projectId: 'p', sourceMode: 'byok' }));
    await tx.insertInto('engineConnection').values(connections).execute();
    for (const stored of subsets([...slots, rivals])) {
      const rows = await store(tx, stored);
      const pick = (slot: CredentialSlot, of = rows) => createCredentialResolver(of, [])(slot).row?.id;
      const expected = asked.map((slot) => pick(slot));
      assert.deepEqual(
        (await findEffectiveStates(tx, asked)).map((row) => row?.id),
        expected,
      );
      const { rows: together } = await sql<{ clientId: string | null; provider: Slot['provider']; id: string | null }>`
        select slot_client_id as client_id, slot_provider as provider, id from effective_credentials(${partnerId},
          ${slots.map((slot) => slot.clientId)}::uuid[], ${slots.map((slot) => slot.provider)}::text[], '{}')`.execute(tx);
      assert.equal(together.length, slots.length);
      for (const { id, ...slot } of together) assert.equal(id ?? undefined, pick({ partnerId, ...slot }));
      for (const [index, slot] of asked.entries()) {
        assert.equal((await findEffective(tx, slot))?.id, expected[index]);
        // A connection carries a slot when a row stored there would count for it.
        const changed = { ...slot, id: newId(), sourceMode: 'byok' as const, hasValue: true, lastCheckOk: null };
        const others = rows.filter(
          (row) => !(row.partnerId === slot.partnerId && row.clientId === slot.clientId && row.provider === slot.provider),
        );
        const due = connections.filter((one) => pick(one, [...others, changed]) === changed.id).map((one) => one.id);
        assert.deepEqual((await markConnectionsDue(tx, slot)).toSorted(), due.toSorted());
        compared += 1;
      }
      for (const client of [clientId, otherClientId]) {
        const shown = await listSummaries(tx, { partnerId, clientId: client }, { templateNames: [], providers: [] });
        const counting = providers.map((provider) => pick({ partnerId, clientId: client, provider })).filter((id) => id !== undefined);
        assert.deepEqual(shown.map((row) => row.id).toSorted(), counting.toSorted());
        const live = shown.map((row) => row.live);
        assert.ok(
          live.every((state) => state === 'pending'),
          `each is carried by a connection: ${live.join()}`,
        );
      }
    }
  });
  assert.equal(compared, 2 ** 7 * 7);
});

it('a stored row is usable for SQL exactly when core says so', async () => {
  const { partnerId } = service.world;
  let usable = 0;
  await service.db.asSystem('seed', async (tx) => {
    for (const provider of ['openai', 'anthropic'])
      for (const sourceMode of ['byok', 'platform'] as const)
        for (const hasValue of sourceMode === 'platform' ? [false] : [true, false]) {
          await tx.deleteFrom('credential').execute();
          const sealed = hasValue ? Buffer.from('x') : null;
          await tx.insertInto('credential').values({ id: newId(), partnerId, clientId: null, provider, sourceMode, sealed }).execute();
          const { rows } = await sql<{ isUsable: boolean }>`select is_usable from effective_credentials(${partnerId}, array[null]::uuid[],
            ${[provider]}::text[], array['openai'])`.execute(tx);
          const isUsable = isCredentialUsable({ provider, sourceMode, hasValue }, ['openai']);
          assert.deepEqual(
            rows.map((row) => row.isUsable),
            [isUsable],
          );
          usable += Number(isUsable);
        }
  });
  assert.equal(usable, 3);
});

it('the planner puts the choice into the asking statement', async () => {
  const [row] = await service.db.asSystem('seed', async (tx) => {
    const { rows } = await sql<{
      'QUERY PLAN': string;
    }>`explain (format json) select * from effective_credential(${newId()}, null, 'resend')`.execute(tx);
    return rows;
  });
  assert.match(JSON.stringify(row), /"Relation Name":"credential"/);
});
