import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { signIn } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { startSmtp, type TestSmtp } from '../harness/smtp.ts';
import { runSweep, startSystem, type System, until } from '../harness/system.ts';

// The worst moment for a mail: the server has accepted it, and the process dies before it records that. Whether it arrived is then unknown.
// It is sent once more with the same message id, by which a receiver recognises the repetition, and not again after a second crash.

let smtp: TestSmtp;
let system: System;
before(async () => {
  smtp = await startSmtp({ startTls: false });
  system = await startSystem({
    env: {
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(smtp.port),
      SMTP_FROM: 'no-reply@mail.example',
      SMTP_SECURITY: 'none',
      // No agent runs here.
      AUTOMATION_ENGINE_ENABLED: 'false',
    },
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
/** As a minute later: the claim and the job locks of the dead process are old, and the sweep of the next minute is queued. */
async function expireClaim(): Promise<void> {
  await system.query(`update graphile_worker._private_jobs set locked_at = locked_at - interval '1 minute' where locked_at is not null`);
  await system.query(`update mail set due_at = now() - interval '5 minutes' where due_at is not null`);
  await runSweep(system, 'mail.sweep');
}

async function createPartner(slug: string): Promise<string> {
  const admin = await signIn(system.baseUrl, system.admin.email, system.admin.password);
  const [plan] = await admin.listPlans();
  assert.ok(plan);
  const made = await admin.createPartner({
    body: { name: slug, slug, planId: plan.id, ownerEmail: `owner@${slug}.example`, ownerName: 'Olga' },
  });
  return made.invitation.acceptUrl;
}

/** Kills the service when the server accepts the next mail, once `answered` has resolved; resolves after the kill. */
function crashOnNextMail(answered?: Promise<unknown>): Promise<void> {
  const died = Promise.withResolvers<void>();
  smtp.behaviour.beforeAnswer = async () => {
    smtp.behaviour.beforeAnswer = undefined;
    await answered;
    await system.kill('SIGKILL');
    died.resolve();
  };
  return died.promise;
}

async function createPartnerAndCrash(slug: string): Promise<string> {
  const answered = Promise.withResolvers<undefined>();
  const died = crashOnNextMail(answered.promise);
  const link = await createPartner(slug);
  answered.resolve(undefined);
  await died;
  return link;
}

it('a mail that was accepted at the moment of a crash is sent at most once more, with the same message id', async () => {
  const link = await createPartnerAndCrash('first-agency');
  assert.deepEqual(await mails(), [{ status: 'queued', interrupted: 0, error: null }]);
  await expireClaim();
  await system.restart();
  await until('it has been sent', async () => (await mails())[0]?.status === 'sent');
  assert.equal(smtp.received.length, 2);
  assert.equal(new Set(smtp.received.map(({ mail }) => mail.messageId)).size, 1);
  for (const { mail } of smtp.received) assert.ok(mail.text?.includes(link));
  const { checks } = await system.client().getReadiness();
  assert.equal(checks.mail, 'ok');
});

it('after a second crash during the same mail it fails, and its invitation reports it', async () => {
  smtp.received.length = 0;
  await createPartnerAndCrash('second-agency');
  await expireClaim();
  const second = crashOnNextMail();
  // It may be killed before it is ready.
  await Promise.race([system.restart().catch(() => undefined), second]);
  await second;
  await expireClaim();
  await system.restart();
  await until('it has failed', async () => (await mails())[1]?.status === 'failed');
  assert.deepEqual((await mails())[1], { status: 'failed', interrupted: 2, error: 'interrupted' });
  assert.equal(smtp.received.length, 2);
  const [invitation] = await system.query<{ status: string }>(
    "select email_status as status from invitation where email = 'owner@second-agency.example'",
  );
  assert.equal(invitation?.status, 'failed');
});
