import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadCatalog } from '@partner-portal/catalog/index.ts';
import { startVaultService, type VaultService } from '@partner-portal/tests/harness/vault.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { overview } from './index.ts';

const catalog = loadCatalog();
const NEEDED = ['openai', 'twilio'] as const;
const TEMPLATES = NEEDED.map((provider) => {
  const template = catalog.find((one) => one.requiredConnections.includes(provider));
  assert.ok(template, `a template needs ${provider}`);
  return template.name;
});
let service: VaultService;

before(async () => {
  service = await startVaultService({ modules: ({ db, clock }) => [overview({ db, clock, catalog, platformProviders: [] })] });
  const { partnerId, clientId } = service.world;
  await service.db.asSystem('seed', async (tx) => {
    for (const templateName of new Set(TEMPLATES))
      for (const owner of [clientId, null]) await addWorkflow(tx, { partnerId, clientId: owner, templateName });
  });
});
after(() => service.close());

type Row = { provider: string; clientId: string | null; sourceMode: 'byok' | 'platform'; lastCheckOk?: boolean };

async function store(rows: readonly Row[]): Promise<void> {
  const { partnerId } = service.world;
  await service.db.asSystem('seed', async (tx) => {
    await tx.deleteFrom('credential').execute();
    for (const { provider, clientId, sourceMode, lastCheckOk = null } of rows) {
      const sealed = sourceMode === 'byok' ? Buffer.from('x') : null;
      await sql`insert into credential (partner_id, client_id, provider, source_mode, sealed, last_check_ok, last_check_at)
        values (${partnerId}, ${clientId}, ${provider}, ${sourceMode}, ${sealed}, ${lastCheckOk}, ${lastCheckOk === null ? null : new Date()})`.execute(
        tx,
      );
    }
  });
}

/** Returns the missing keys that each of the two reports, as sorted `title of client`. */
async function readBoth(): Promise<{ overview: string[]; requirements: string[] }> {
  const summary = await service.call('GET', '/partners/me/summary', { as: 'owner' });
  const requirements = await service.call('GET', '/credentials/requirements', { as: 'owner' });
  type Item = { kind: string; title: string; subject: string | null };
  type Requirement = { provider: string; clientName: string | null; state: string };
  const titles: Record<string, string> = {
    openai: 'OpenAI',
    anthropic: 'Anthropic',
    calcom: 'Cal.com',
    resend: 'Resend',
    twilio: 'Twilio',
  };
  return {
    overview: summary.body.attention
      .filter((item: Item) => item.kind === 'missing_key')
      .map((item: Item) => `${item.title} (${item.subject})`)
      .toSorted(),
    requirements: requirements.body
      .filter((one: Requirement) => one.state === 'missing')
      .map((one: Requirement) => `A ${titles[one.provider] ?? 'SQL database'} key is missing (${one.clientName})`)
      .toSorted(),
  };
}

describe('the overview says that a key is missing exactly when the requirements do', () => {
  const own = (): string => service.world.clientId;
  const cases: { name: string; rows: () => Row[] }[] = [
    { name: 'nothing is saved', rows: () => [] },
    { name: 'the partner has a default', rows: () => NEEDED.map((provider) => ({ provider, clientId: null, sourceMode: 'byok' })) },
    { name: 'only the client has a key', rows: () => [{ provider: 'openai', clientId: own(), sourceMode: 'byok' }] },
    { name: 'a key failed its check', rows: () => [{ provider: 'openai', clientId: null, sourceMode: 'byok', lastCheckOk: false }] },
    { name: 'the platform key is chosen and there is none', rows: () => [{ provider: 'openai', clientId: null, sourceMode: 'platform' }] },
    {
      name: 'an unusable key of the client hides a good default',
      rows: () => [
        { provider: 'openai', clientId: null, sourceMode: 'byok' },
        { provider: 'openai', clientId: own(), sourceMode: 'platform' },
      ],
    },
  ];
  for (const { name, rows } of cases) {
    it(`when ${name}`, async () => {
      await store(rows());
      const both = await readBoth();
      assert.deepEqual(both.overview, both.requirements);
    });
  }
});
