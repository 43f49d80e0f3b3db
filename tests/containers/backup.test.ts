import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { createClient } from '@partner-portal/contract/client.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { signIn } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { type Agency, seedAgency } from './agency.ts';
import { buildImage, deploy, type Deployment, whyNoBackup } from './containers.ts';
import { printedCommands } from './printed.ts';

// The commands of docs/deploy.md#back-up-and-restore, as they are printed, with compose.yaml and the image.

const IMAGE = 'localhost/partner-portal:test';
const LATER = { name: 'Later Studio', slug: 'later', ownerEmail: 'ada@later.example', ownerName: 'Ada Later' };
const PASSWORD = 'eleven open windows';
/** The day in the printed names of dumps. */
const PRINTED_DAY = '2026-11-01';
const skip = whyNoBackup();

describe('the printed backup', { skip, timeout: 1_800_000 }, () => {
  const [backup = [], restore = []] = printedCommands('deploy.md', 'Back up and restore');
  let deployment: Deployment;
  let agency: Agency;
  let oldRun: string;
  let newerRun: string;

  before(async () => {
    assert.deepEqual([backup.length, restore.length > backup.length], [6, true]);
    buildImage(IMAGE);
    deployment = await deploy({ image: IMAGE });
    await deployment.ready();
    agency = await seedAgency(deployment);
  });
  after(() => deployment?.stop());

  /** Creates an agency that saves a key, which makes its data key. */
  const addLater = async (): Promise<void> => {
    const [plan] = await agency.workspace.admin.listPlans();
    const { invitation } = await agency.workspace.admin.createPartner({ body: { ...LATER, planId: plan?.id ?? '' } });
    const token = new URL(invitation.acceptUrl).pathname.split('/').at(-1) ?? '';
    await createClient(routes, { baseUrl: agency.baseUrl, fetch }).acceptInvitation({
      body: { token, password: PASSWORD, fullName: LATER.ownerName },
    });
    const owner = await signIn(agency.baseUrl, LATER.ownerEmail, PASSWORD);
    await owner.putCredential({ params: { provider: 'resend' }, body: { sourceMode: 'byok', data: { apiKey: 're_sandbox_key' } } });
  };

  const restoreAsPrinted = async (): Promise<void> => {
    const days = readdirSync(deployment.dir).flatMap((name) => /^portal-(\d{4}-\d{2}-\d{2})\.dump$/.exec(name)?.[1] ?? []);
    assert.equal(days.length, 1);
    for (const command of restore) await deployment.shell(command.replaceAll(PRINTED_DAY, days[0] ?? ''));
    await deployment.ready();
  };

  /** All that the dumps hold is there again and works, and nothing else is. */
  const isAsDumped = async (): Promise<void> => {
    await agency.signIn();
    const { owner, admin, partnerId } = agency.workspace;
    const old = await owner.getExecution({ params: { id: oldRun } });
    assert.equal(old.status, 'SUCCEEDED');
    assert.match(JSON.stringify(old), /Before the dump/);
    await assert.rejects(owner.getExecution({ params: { id: newerRun } }), { status: 404 });
    await agency.sendsSigned();
    await agency.succeeds(await agency.post('After the restore'));
    // Its connections are made again, for which the saved keys must open.
    const { status } = await admin.reprovision({ params: { id: partnerId }, body: { mode: 'recreate' } });
    assert.equal(status, 'succeeded');
    await agency.succeeds(await agency.post('By an agent that was made again'));
    await assert.rejects(signIn(agency.baseUrl, LATER.ownerEmail, PASSWORD), { status: 401 });
    // The key of the agency that came after the dump was removed: a new agency of that name gets its own.
    const query = 'select count(*) from partner_data_key k where not exists (select from partner p where p.id = k.partner_id)';
    const orphans = await deployment.shell(
      `docker compose exec -T postgres psql --username=portal --dbname=portal --tuples-only --no-align --command='${query}'`,
    );
    assert.equal(orphans.trim(), '0');
    await addLater();
  };

  it('is made without stopping anything, the keys of a newer agency included', async () => {
    oldRun = await agency.post('Before the dump');
    await agency.succeeds(oldRun);
    const [database = '', keys = '', purged = '', stops = '', numbers = '', engine = ''] = backup;
    await deployment.shell(database);
    await addLater();
    await deployment.shell(keys);
    await deployment.shell(purged);
    await deployment.shell(stops);
    await deployment.shell(numbers);
    await deployment.shell(engine);
    newerRun = await agency.post('After the dump');
    await agency.succeeds(newerRun);
  });

  it('is restored on the same machine: keys open, agents run, and what came later is gone', async () => {
    await restoreAsPrinted();
    await isAsDumped();
  });

  it('is restored on a machine that has only .env and the dumps', async () => {
    await deployment.compose('down', '--volumes', '--timeout', '5');
    await restoreAsPrinted();
    await isAsDumped();
  });
});
