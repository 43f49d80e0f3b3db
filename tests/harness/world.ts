import type { Actor } from '@partner-portal/service/platform/actor.ts';
import type { Database, SystemTx } from '@partner-portal/service/platform/db/tx.ts';
import { newId } from '@partner-portal/service/platform/ids.ts';

/** The users of a test: one of each role, a second client, and the same for a rival partner. */
export const PEOPLE = ['staff', 'owner', 'moderator', 'clientUser', 'otherClientUser', 'rivalOwner', 'rivalClientUser'] as const;
export type Person = (typeof PEOPLE)[number];
export type PersonFacts = Pick<Actor, 'userId' | 'email' | 'role' | 'partnerId' | 'partnerRole' | 'clientId'>;

export type World = {
  people: Record<Person, PersonFacts>;
  housePartnerId: string;
  /** The partner most tests use. */
  partnerId: string;
  clientId: string;
  otherClientId: string;
  rivalPartnerId: string;
  rivalClientId: string;
  /** The plan both agencies are on: Growth, 10 seats, 50 clients, 10,000 credits. */
  planId: string;
};

/** The password of every user in the test world. */
export const PASSWORD = 'seven green sparrows';

/** Its hash at the least cost that argon2id has. A login checks a password at the cost that its hash names, and tests log in hundreds of times. */
const PASSWORD_HASH = '$argon2id$v=19$m=8,t=1,p=1$c2FsdCBvZiB0aGUgdGVzdHM$GHuIHtDIsoiE7VCxowm7Y/Hywgve/F9VdMMuJFzv9qk';

/**
 * Fills an empty database: agencies with plan and quota, clients, users who can sign in. `sessionsValidFrom`: for tests whose clock is not that
 * of the database; now when left out.
 */
export async function seedWorld(db: Database, sessionsValidFrom = new Date()): Promise<World> {
  return db.asSystem('seed', async (tx) => {
    const house = await tx.selectFrom('partner').select('id').where('isHouse', '=', true).executeTakeFirstOrThrow();
    const plan = await tx.selectFrom('plan').select(['id', 'monthlyCredits']).where('name', '=', 'Growth').executeTakeFirstOrThrow();
    const partnerId = await addPartner(tx, { name: 'Acme Agency', slug: 'acme', planId: plan.id });
    const rivalPartnerId = await addPartner(tx, { name: 'Rival Agency', slug: 'rival', planId: plan.id });
    const clientId = await addClient(tx, partnerId, 'Oak Street Dental');
    const otherClientId = await addClient(tx, partnerId, 'Elm Road Physio');
    const rivalClientId = await addClient(tx, rivalPartnerId, 'Rival Client');
    const person = async (name: string, facts: Omit<PersonFacts, 'userId' | 'email'>): Promise<PersonFacts> => {
      const user = { id: newId(), email: `${name.toLowerCase()}@portal.test`, ...facts };
      const fullName = `${name.charAt(0).toUpperCase()}${name.slice(1)} Tester`;
      await tx
        .insertInto('appUser')
        .values({ ...user, fullName, passwordHash: PASSWORD_HASH, sessionsValidFrom })
        .execute();
      return { userId: user.id, email: user.email, ...facts };
    };
    const member = (id: string, partnerRole: 'admin' | 'moderator') =>
      ({ role: 'PARTNER', partnerId: id, partnerRole, clientId: null }) as const;
    const business = (id: string, of: string) => ({ role: 'CLIENT', partnerId: id, partnerRole: null, clientId: of }) as const;
    return {
      people: {
        staff: await person('staff', { role: 'ADMIN', partnerId: house.id, partnerRole: null, clientId: null }),
        owner: await person('owner', member(partnerId, 'admin')),
        moderator: await person('moderator', member(partnerId, 'moderator')),
        clientUser: await person('clientUser', business(partnerId, clientId)),
        otherClientUser: await person('otherClientUser', business(partnerId, otherClientId)),
        rivalOwner: await person('rivalOwner', member(rivalPartnerId, 'admin')),
        rivalClientUser: await person('rivalClientUser', business(rivalPartnerId, rivalClientId)),
      },
      housePartnerId: house.id,
      partnerId,
      clientId,
      otherClientId,
      rivalPartnerId,
      rivalClientId,
      planId: plan.id,
    };
  });
}

export type NewPartner = { name: string; slug: string; planId: string; credits?: number };

/** An agency with a running subscription and a full quota. */
export async function addPartner(tx: SystemTx, partner: NewPartner): Promise<string> {
  const { id } = await tx
    .insertInto('partner')
    .values({ name: partner.name, slug: partner.slug })
    .returning('id')
    .executeTakeFirstOrThrow();
  const periodStart = new Date(Date.now() - 5 * 86_400_000);
  const periodEnd = new Date(Date.now() + 25 * 86_400_000);
  await tx
    .insertInto('subscription')
    .values({
      partnerId: id,
      planId: partner.planId,
      status: 'active',
      currentPeriodStart: periodStart,
      currentPeriodEnd: periodEnd,
      periodAnchor: periodEnd,
      currency: 'USD',
    })
    .execute();
  await tx
    .insertInto('partnerQuota')
    .values({ partnerId: id, periodStart, periodEnd, periodAnchor: periodEnd, monthlyCredits: partner.credits ?? 10_000 })
    .execute();
  return id;
}

export async function addClient(tx: SystemTx, partnerId: string, name: string): Promise<string> {
  const row = await tx
    .insertInto('client')
    .values({ partnerId, name, timezone: 'America/Chicago' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** A time zone in which it is about noon: no day, week or month of it ends while a test runs. */
export function noonZone(): string {
  const ahead = 12 - new Date().getUTCHours();
  // These names count westwards.
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

export type NewWorkflow = {
  partnerId: string;
  clientId: string | null;
  templateName: string;
  /** Left out: 1. */
  templateVersion?: number | null;
  name?: string;
  config?: { [key: string]: string | string[] };
  /** Left out: installed; null: not installed yet. */
  providerFlowId?: string | null;
  isActive?: boolean;
  clientCanPause?: boolean;
  consecutiveFailures?: number;
  lastRunAt?: Date | null;
  /** Since when it is on again after it was off. */
  onSince?: Date | null;
};

/** An agent, installed and switched on by default. */
export async function addWorkflow(tx: SystemTx, workflow: NewWorkflow): Promise<string> {
  const { id } = await tx
    .insertInto('workflow')
    .values({
      templateVersion: 1,
      providerFlowId: `flow-${newId()}`,
      ...workflow,
      name: workflow.name ?? workflow.templateName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
