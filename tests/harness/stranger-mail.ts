import { after, before, beforeEach } from 'node:test';
import { auditLog } from '@partner-portal/service/modules/1-ledger/audit/index.ts';
import { clients } from '@partner-portal/service/modules/2-tenancy/clients/index.ts';
import { invitations } from '@partner-portal/service/modules/2-tenancy/invitations/index.ts';
import { nameReviews } from '@partner-portal/service/modules/2-tenancy/name-reviews/index.ts';
import { newsletter } from '@partner-portal/service/modules/2-tenancy/newsletter/index.ts';
import { partners } from '@partner-portal/service/modules/2-tenancy/partners/index.ts';
import { planRequests } from '@partner-portal/service/modules/2-tenancy/plan-requests/index.ts';
import { workQueue } from '@partner-portal/service/modules/6-views/work-queue/index.ts';
import { createRunner, type JobRunner } from '@partner-portal/service/platform/jobs/runner.ts';
import { startTestService, type TestService } from './service.ts';
import { mailerTo, startSmtp, type TestSmtp } from './smtp.ts';

/** Mails to addresses without an account that go out at once, and what is above waits. */
export const CAPS = { perAddress: 3, perNetwork: 4, perPlatform: 6 };

let smtp: TestSmtp;
let service: TestService;
let runner: JobRunner;

/** What a test reads while it runs: each has a service of its own, because the caps are counted by the service. */
export const current = {
  get smtp(): TestSmtp {
    return smtp;
  },
  get service(): TestService {
    return service;
  },
  get runner(): JobRunner {
    return runner;
  },
};

/** Starts, for each test of the file, a service with caps on mail to strangers and a real mail server. */
export function useStrangerMail(): void {
  let isStarted = false;
  const stop = async (): Promise<void> => {
    if (!isStarted) return;
    isStarted = false;
    await runner.stop(0);
    await service.close();
  };
  before(async () => {
    smtp = await startSmtp({ startTls: false });
  });
  beforeEach(async () => {
    await stop();
    smtp.received.length = 0;
    await start();
    isStarted = true;
  });
  after(async () => {
    await stop();
    await smtp.stop();
  });
}

async function start(): Promise<void> {
  service = await startTestService({
    mailer: mailerTo(smtp),
    strangerMail: CAPS,
    trustedProxies: ['127.0.0.1'],
    modules: (platform) => [
      platform.mail,
      auditLog(platform),
      planRequests(platform),
      invitations(platform),
      newsletter(platform),
      clients(platform),
      partners(platform),
      nameReviews(platform),
      workQueue(platform),
    ],
  });
  runner = createRunner({
    address: service.database.configFor('portal_queue'),
    jobs: service.mail.jobs,
    crons: [...service.mail.crons, ...nameReviews(service).crons],
    log: service.log,
  });
}

let count = 0;
export const fresh = () => `applicant${(count += 1)}@strangers.example`;
export const from = (address: string) => ({ 'x-forwarded-for': address });

/** Applies for access, each time from another network unless one is given. */
export const apply = (email: string, address = `203.0.113.${(count += 1) % 250}`, more: object = {}, path = '/auth/register') =>
  service.call('POST', path, {
    body: { email, fullName: 'Ada Applicant', companyName: `Company ${count}`, acceptTerms: true, ...more },
    headers: from(address),
  });

export const invite = (email: string, as: 'owner' | 'rivalOwner' = 'owner') =>
  service.call('POST', '/invitations', {
    as,
    body: { kind: 'client_user', email, clientId: as === 'owner' ? service.world.clientId : service.world.rivalClientId },
  });

export const applicationOf = async (email: string) => {
  const { body } = await service.call('GET', '/custom-plan-requests?status=pending&limit=100', { as: 'staff' });
  return body.data.find((one: { applicant: { email: string } }) => one.applicant.email === email);
};

/** Sends what may go out, and returns to whom everything of this test went. */
export const sentTo = async (): Promise<string[]> => {
  await runner.drain();
  return smtp.received.map(({ to }) => to).toSorted();
};

/** Returns why and to whom each mail waits. */
export const held = async (): Promise<string[]> =>
  (await service.call('GET', '/provisioning/mail?status=held&limit=100', { as: 'staff' })).body.data.map(
    ({ to, heldFor }: { to: string; heldFor: string }) => `${heldFor} ${to}`,
  );
