import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { signIn } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { startSmtp, type TestSmtp } from '../harness/smtp.ts';
import { startSystem, type System, until } from '../harness/system.ts';

// The worst moment for a mail: the server has taken it, and the process dies before it can write that down. Whether it arrived is then
// unknown to us. It is tried once more under the same id, by which a receiver tells the repetition, and after a second death never again.

let smtp: TestSmtp;
let system: System;
before(async () => {
  smtp = await startSmtp({ startTls: false });
  system = await startSystem({
    env: { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(smtp.port), SMTP_FROM: 'no-reply@mail.example', SMTP_SECURITY: 'none' },
  });
});
after(async () => {
  await system?.stop();
  await smtp?.stop();
});

const mails = () =>
  system.query<{ status: string; interrupted: number; error: string | null }>(
    'select status, interrupted, last_error as error from mail order by id',
  );
/** The claim of the dead process has run out, and the sweep has looked. */
async function claimRunsOut(): Promise<void> {
  await system.query(`update mail set due_at = now() - interval '5 minutes' where due_at is not null`);
}

async function createAgency(slug: string): Promise<string> {
  const admin = await signIn(system.baseUrl, system.admin.email, system.admin.password);
  const [plan] = await admin.listPlans();
  assert.ok(plan);
  const made = await admin.createPartner({
    body: { name: slug, slug, planId: plan.id, ownerEmail: `owner@${slug}.example`, ownerName: 'Olga' },
  });
  return made.invitation.acceptUrl;
}

/** From now on the service dies over the next mail the server has taken, once what asked for it is answered; resolves when it has. */
function dieOverNextMail(answered?: Promise<unknown>): Promise<void> {
  const died = Promise.withResolvers<void>();
  smtp.behaviour.beforeAnswer = async () => {
    smtp.behaviour.beforeAnswer = undefined;
    await answered;
    await system.kill('SIGKILL');
    died.resolve();
  };
  return died.promise;
}

async function createAgencyAndDie(slug: string): Promise<string> {
  const answered = Promise.withResolvers<undefined>();
  const died = dieOverNextMail(answered.promise);
  const link = await createAgency(slug);
  answered.resolve(undefined);
  await died;
  return link;
}

it('a mail that was taken in the moment of a crash is sent at most once more, under the same id', async () => {
  const link = await createAgencyAndDie('first-agency');
  assert.deepEqual(await mails(), [{ status: 'queued', interrupted: 0, error: null }]);
  await claimRunsOut();
  await system.restart();
  await until('it has been sent', async () => (await mails())[0]?.status === 'sent');
  assert.equal(smtp.received.length, 2);
  assert.equal(new Set(smtp.received.map(({ mail }) => mail.messageId)).size, 1);
  for (const { mail } of smtp.received) assert.ok(mail.text?.includes(link));
  const { checks } = await system.client().getReadiness();
  assert.equal(checks.mail, 'ok');
});

it('after a second crash over the same mail it is given up, and its invitation says so', async () => {
  smtp.received.length = 0;
  await createAgencyAndDie('second-agency');
  await claimRunsOut();
  const second = dieOverNextMail();
  // It may die before it says that it is ready.
  await Promise.race([system.restart().catch(() => undefined), second]);
  await second;
  await claimRunsOut();
  await system.restart();
  await until('it has been given up', async () => (await mails())[1]?.status === 'failed');
  assert.deepEqual((await mails())[1], { status: 'failed', interrupted: 2, error: 'interrupted' });
  assert.equal(smtp.received.length, 2);
  const [invitation] = await system.query<{ status: string }>(
    "select email_status as status from invitation where email = 'owner@second-agency.example'",
  );
  assert.equal(invitation?.status, 'failed');
});
