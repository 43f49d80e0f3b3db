import { type Client, createClient } from '@partner-portal/contract/client.ts';
import { type Routes, routes } from '@partner-portal/contract/index.ts';

/**
 * Fills an empty system with a demo workspace through the API alone, so every record is created as in real use: an accepted invitation,
 * saved keys, agents provisioned by the pipeline, events posted to ingest URLs.
 */

export const DEMO = {
  partner: { name: 'Northwind Studio', slug: 'northwind', timezone: 'America/Chicago', brandColor: '#1f4e8c' },
  owner: { email: 'maya@northwind.example', fullName: 'Maya Lindqvist' },
  moderator: { email: 'theo@northwind.example', fullName: 'Theo Brandt' },
  clientUser: { email: 'elena@oakstreet.example', fullName: 'Elena Ruiz' },
  businessNumber: '+13125550100',
} as const;

/** A receiver of webhooks at the provider sandbox, and the sandbox's bearer. */
export type Receiver = { url: string; token: string };

export type SeedOptions = {
  baseUrl: string;
  admin: { email: string; password: string };
  /** The password of the three demo users. */
  password: string;
  /** URL of a receiver of signed webhooks (the sandbox has one); without it no endpoint is registered. */
  receiver?: Receiver;
  /** Adds further clients and returns their agents, which are installed with the others. */
  addClients?: (owner: DemoClient) => Promise<NewAgent[]>;
  /** Receives one sentence per step. */
  report: (sentence: string) => void;
};

export type DemoClient = Client<Routes>;
export type NewAgent = { clientId: string; templateName: string; config?: Record<string, unknown> };
export type Workspace = {
  partnerId: string;
  oakStreetId: string;
  lakeviewId: string;
  admin: DemoClient;
  owner: DemoClient;
  workflowIds: Record<string, string>;
  /** Why the agents could not be installed, safe to show; null when they were. */
  problem: string | null;
};

/** Creates the demo workspace and installs three agents. When provisioning fails, for example with the engine off, the rest is still created. */
export async function seedWorkspace(options: SeedOptions): Promise<Workspace> {
  const admin = await signIn(options.baseUrl, options.admin.email, options.admin.password);
  const { partner, invitation } = await createAgency(admin);
  await accept(options, invitation.acceptUrl, DEMO.owner.fullName);
  const owner = await signIn(options.baseUrl, DEMO.owner.email, options.password);
  await owner.updateMyPartner({
    body: { brandColor: DEMO.partner.brandColor, timezone: DEMO.partner.timezone, supportEmail: 'help@northwind.example' },
  });
  options.report(`${DEMO.partner.name} has a workspace; ${DEMO.owner.fullName} accepted the invitation.`);

  if (options.receiver) {
    await registerReceiver(owner, options.receiver);
    options.report('A webhook endpoint is registered; its receiver knows the signing secret and checks every delivery.');
  }

  const team = await owner.createInvitation({ body: { kind: 'team', email: DEMO.moderator.email, fullName: DEMO.moderator.fullName } });
  await accept(options, team.acceptUrl, DEMO.moderator.fullName);
  const { oakStreet, lakeview } = await addClients(options, owner);
  const others = (await options.addClients?.(owner)) ?? [];
  options.report(
    others.length === 0
      ? 'Two clients: Oak Street Dental and Lakeview Physio.'
      : 'Six clients, from Oak Street Dental to Casa Verde Landscaping.',
  );

  await owner.putCredential({
    params: { provider: 'twilio' },
    body: { sourceMode: 'byok', data: { accountSid: 'ACsandbox00000000000000000000000000', authToken: 'sandbox-auth-token' } },
  });
  await owner.putCredential({ params: { provider: 'resend' }, body: { sourceMode: 'byok', data: { apiKey: 're_sandbox_key' } } });
  for (const provider of ['openai', 'anthropic']) await owner.putCredential({ params: { provider }, body: { sourceMode: 'platform' } });
  options.report('The agency saved its Twilio and Resend keys. They are encrypted and never shown again.');

  // No quiet hours: the demo must send texts at any time of day.
  const agents: NewAgent[] = [
    { clientId: oakStreet, templateName: 'missed-call-text-back', config: { quietHours: '', repeatAfterHours: 0 } },
    {
      clientId: oakStreet,
      templateName: 'review-request',
      config: { quietHours: '', fromNumber: DEMO.businessNumber, ownerEmail: DEMO.clientUser.email, fromAddress: 'desk@oakstreet.example' },
    },
    { clientId: lakeview, templateName: 'lead-intake-cleaner' },
    ...others,
  ];
  for (const agent of agents) await admin.createAgent({ body: { partnerId: partner.id, ...agent } });
  const problem = await install(admin, partner.id);
  // A fourth agent lacks a key, so that the overview shows a problem to fix.
  await admin.createAgent({ body: { partnerId: partner.id, clientId: lakeview, templateName: 'appointment-reminder' } });
  for (const provider of ['twilio', 'resend']) await owner.testCredential({ params: { provider } });
  // A key from another account fails its check, so that the bell and the overview show an alert.
  const wrongKey = { clientId: lakeview, sourceMode: 'byok', data: { apiKey: 'sk-ant-of-another-account' } } as const;
  await owner.putCredential({ params: { provider: 'anthropic' }, body: wrongKey });
  await owner.testCredential({ params: { provider: 'anthropic' }, query: { clientId: lakeview } });
  const installed = await owner.listAgents({ query: { limit: 100 } });
  // Several clients may have an agent of one template: those of the first two count.
  const firstOnes = installed.data.filter(({ clientId }) => clientId === oakStreet || clientId === lakeview);
  const workflowIds = Object.fromEntries(firstOnes.map((agent) => [agent.templateName, agent.id]));
  options.report(
    problem === null
      ? `Staff provisioned ${agents.length} agents through the twelve-step pipeline.`
      : `The agents could not be installed: ${problem} As staff, open Partners › ${DEMO.partner.name} › Automation for the reason.`,
  );
  return { partnerId: partner.id, oakStreetId: oakStreet, lakeviewId: lakeview, admin, owner, workflowIds, problem };
}

/** Posts sample events as a phone provider or a web form would, including some that fail. */
export async function postSampleEvents(options: SeedOptions, workspace: Workspace): Promise<void> {
  const { owner, workflowIds } = workspace;
  const textBack = await ingestUrl(owner, workflowIds['missed-call-text-back']);
  const form = new URLSearchParams({ From: '+13125550148', To: DEMO.businessNumber });
  await post(textBack, form, 'application/x-www-form-urlencoded');
  for (const callerNumber of ['+13125550121', '+13125550167', '+13125550190'])
    await postJson(textBack, { callerNumber, businessNumber: DEMO.businessNumber });
  // A rerun with the number of the business repairs it, as the run says.
  await postJson(textBack, { callerNumber: '+13125550184', businessNumber: '+15005550007' });
  await postJson(textBack, { businessNumber: DEMO.businessNumber });

  const review = await ingestUrl(owner, workflowIds['review-request']);
  await postJson(review, { customerName: 'Ana Flores', customerPhone: '+13125550133', rating: 5, service: 'Cleaning' });
  await postJson(review, { customerName: 'Leo Grant', customerPhone: '+13125550144', rating: 2, service: 'Whitening' });
  const intake = await ingestUrl(owner, workflowIds['lead-intake-cleaner']);
  await postJson(intake, { name: 'Priya Shah', email: 'priya@example.com', message: 'Do you treat runners knee?' });
  await postJson(intake, {
    name: 'jon PARK ',
    email: 'Jon.Park@Example.com',
    phone: '(312) 555-0172',
    message: 'Knee pain after running, mornings are best',
  });
  options.report(
    'Ten sample events were sent: missed calls, review requests and leads. One is refused by the phone provider, one has no number.',
  );
  const [endpoint] = await owner.listWebhooks();
  if (endpoint) await owner.testWebhook({ params: { id: endpoint.id } });
}

/** Registers an endpoint at the sandbox's receiver and gives the receiver its signing secret. Returns the endpoint's id. */
export async function registerReceiver(owner: DemoClient, { url, token }: Receiver): Promise<string> {
  const { id, secret } = await owner.createWebhook({ body: { url } });
  const response = await fetch(`${url}/secret`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ secret }),
  });
  if (!response.ok) throw new Error(`The receiver returned ${response.status}.`);
  return id;
}

/** Logs in and returns an API client for the session. */
export async function signIn(baseUrl: string, email: string, password: string): Promise<DemoClient> {
  const anonymous = createClient(routes, { baseUrl, fetch });
  const login = await anonymous.login({ body: { email, password } });
  if ('mfaRequired' in login) throw new Error(`${email} has a second factor; the demo users have none.`);
  return createClient(routes, { baseUrl, fetch, token: () => login.accessToken });
}

/** Returns the secret URL that starts executions of this workflow. */
export async function ingestUrl(owner: DemoClient, workflowId: string | undefined): Promise<string> {
  if (!workflowId) throw new Error('The agent was not installed.');
  return (await owner.getIngestUrl({ params: { workflowId } })).url;
}

export function postJson(url: string, body: Record<string, unknown>): Promise<Response> {
  return post(url, JSON.stringify(body), 'application/json');
}

function post(url: string, body: string | URLSearchParams, contentType: string): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': contentType }, body });
}

async function createAgency(admin: DemoClient) {
  const plans = await admin.listPlans();
  const plan = plans.find((candidate) => candidate.name === 'Growth') ?? plans[0];
  if (!plan) throw new Error('No plan is seeded.');
  const { name, slug, timezone } = DEMO.partner;
  return admin.createPartner({
    body: { name, slug, timezone, planId: plan.id, ownerEmail: DEMO.owner.email, ownerName: DEMO.owner.fullName },
  });
}

async function addClients(options: SeedOptions, owner: DemoClient): Promise<{ oakStreet: string; lakeview: string }> {
  const oak = await owner.createClient({
    body: {
      name: 'Oak Street Dental',
      contactName: DEMO.clientUser.fullName,
      contactEmail: DEMO.clientUser.email,
      phone: DEMO.businessNumber,
      timezone: DEMO.partner.timezone,
      industry: 'Dental practice',
      externalRef: 'crm-182',
      inviteEmail: DEMO.clientUser.email,
      businessProfile: {
        hours: 'Mon–Fri 8:00–17:00',
        bookingUrl: 'https://oakstreet.example/book',
        reviewUrl: 'https://oakstreet.example/review',
        address: '12 Oak Street, Chicago',
      },
    },
  });
  if (oak.invitation) await accept(options, oak.invitation.acceptUrl, DEMO.clientUser.fullName);
  const lakeview = await owner.createClient({
    body: {
      name: 'Lakeview Physio',
      contactEmail: 'desk@lakeview.example',
      timezone: DEMO.partner.timezone,
      industry: 'Physiotherapy',
      businessProfile: { hours: 'Mon–Sat 7:00–19:00', bookingUrl: 'https://lakeview.example/book' },
    },
  });
  return { oakStreet: oak.id, lakeview: lakeview.id };
}

/** Provisions all agents of the partner. Returns the failed step's public text, or null on success. */
async function install(admin: DemoClient, partnerId: string): Promise<string | null> {
  const { status, instance } = await admin.provision({ params: { id: partnerId }, body: {} });
  return status === 'succeeded' ? null : (instance.errorPublic ?? `Provisioning ended as ${status}.`);
}

async function accept(options: SeedOptions, acceptUrl: string, fullName: string): Promise<void> {
  const token = new URL(acceptUrl).pathname.split('/').at(-1) ?? '';
  await createClient(routes, { baseUrl: options.baseUrl, fetch }).acceptInvitation({
    body: { token, password: options.password, fullName },
  });
}
