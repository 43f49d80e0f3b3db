import { type DemoClient, signIn } from '@partner-portal/service/quick-start/seed-workspace.ts';
import type { Page } from '@playwright/test';
import { type Api, expect, PASSWORD } from './portal.ts';

/** An agency of one test only, so that changes to its team lock no other test out. */
export type NewAgency = { id: string; name: string; slug: string; owner: { email: string; fullName: string }; api: DemoClient };

type Terms = {
  hasSso: boolean;
  /** Its own terms leave the chatbot out. */
  hasNoChatbot?: boolean;
  /** More clients than plans include. */
  includedClients?: number;
};

/** Made by staff; its owner has accepted. `hasSso`: whether the plan includes single sign-on. */
export async function newAgency(
  page: Page,
  address: string,
  staff: Api['staff'],
  { hasSso, hasNoChatbot, includedClients }: Terms,
): Promise<NewAgency> {
  const stamp = Date.now().toString(36);
  const slug = `team-${stamp}`;
  const owner = { email: `olive@${slug}.example`, fullName: 'Olive Owner' };
  const plan = (await staff.listPlans()).find(({ features, monthlyPriceMinor }) => features.sso === hasSso && monthlyPriceMinor > 0);
  const overrides = { ...(hasNoChatbot ? { features: { chatbot: false } } : {}), ...(includedClients ? { includedClients } : {}) };
  const { partner, invitation } = await staff.createPartner({
    body: { name: `Team ${stamp}`, slug, ownerEmail: owner.email, ownerName: owner.fullName, planId: plan?.id ?? '', overrides },
  });
  await accept(page, invitation.acceptUrl, owner.fullName);
  return { id: partner.id, name: partner.name, slug, owner, api: await signIn(address, owner.email, PASSWORD) };
}

/** Invites a team member and accepts the invitation; returns the e-mail. */
export async function newMember(page: Page, agency: NewAgency, fullName: string): Promise<string> {
  const email = `${fullName.split(' ')[0]?.toLowerCase()}@${agency.slug}.example`;
  const { acceptUrl } = await agency.api.createInvitation({ body: { kind: 'team', email } });
  await accept(page, acceptUrl, fullName);
  return email;
}

/** Adds a client with one user, who has accepted; returns the client's id and the e-mail of the user. */
export async function newClientUser(page: Page, agency: NewAgency, name: string): Promise<{ id: string; name: string; email: string }> {
  const client = await agency.api.createClient({ body: { name, timezone: 'America/Chicago' } });
  const email = `carla@${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.${agency.slug}.example`;
  const { acceptUrl } = await agency.api.createInvitation({ body: { kind: 'client_user', clientId: client.id, email } });
  await accept(page, acceptUrl, 'Carla Client');
  return { id: client.id, name, email };
}

async function accept(page: Page, acceptUrl: string, fullName: string): Promise<void> {
  const token = acceptUrl.slice(acceptUrl.lastIndexOf('/') + 1);
  const accepted = await page.request.post('/invitations/accept', { data: { token, password: PASSWORD, fullName } });
  expect(accepted.status()).toBe(201);
}
