import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Client } from '@partner-portal/contract/client.ts';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { type RouteName, type Routes, routes } from '@partner-portal/contract/index.ts';
import { DEMO, ingestUrl, postJson, type Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { Secret, TOTP } from 'otpauth';
import { startOidcProvider, type TestOidc } from '../harness/oidc-provider.ts';
import { type SamlShapes, startSamlShapes } from '../harness/saml-shapes.ts';
import { bodyOf, FREE_PARAMS, type Ids, idsOf, KINDS } from '../harness/route-cases.ts';
import {
  addRival,
  type RouteCall,
  callRoute,
  formOf,
  refusalOf,
  type CallerName,
  type Callers,
  createCallers,
} from '../harness/callers.ts';
import { addVisitorConversation } from '../harness/conversations.ts';
import { startSmtp, type TestSmtp } from '../harness/smtp.ts';
import { DEMO_PASSWORD, seedDemo, startSystem, type System, until } from '../harness/system.ts';

// Generated from the route table: every route that is no GET is called, and its entry in the audit log checked.

let system: System;
let workspace: Workspace;
let callers: Callers;
let smtp: TestSmtp;
let directory: TestOidc;
let saml: SamlShapes;
let ids: Partial<Ids>;

const NAMES = Object.keys(routes) as RouteName[]; // the keys of the table itself
const routeOf = (name: RouteName): RouteShape => routes[name];
const isOurs = (name: RouteName): boolean => ['session', 'public'].includes(routeOf(name).access.kind);
const AUDITED = NAMES.filter((name) => routeOf(name).audit !== undefined);

/** Routes that change nothing; each declares why. */
const WITHOUT_A_LINE: RouteName[] = [
  'announceTyping',
  'announceVisitorTyping',
  'completeChat',
  'deleteSavedFilter',
  'followTogether',
  'markConversationRead',
  'preflight',
  'previewChatbot',
  'previewCopies',
  'putSavedFilter',
  'readAllNotifications',
  'readNotification',
  'readTogether',
  'sendSampleNotification',
  'sendVisitorMessage',
  'ssoAssertion',
];
/** Respond before the user is looked up, so that no caller learns who exists: a job writes the entry, which belongs to no request. */
const WRITTEN_LATER: RouteName[] = ['forgotPassword'];
before(async () => {
  smtp = await startSmtp({ startTls: false });
  directory = await startOidcProvider(['https://portal.example/callback']);
  saml = await startSamlShapes({ entityId: 'http://portal.test', acsUrl: 'http://portal.test' });
  const mail = { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(smtp.port), SMTP_SECURITY: 'none', SMTP_FROM: 'portal@audit.example' };
  system = await startSystem({
    endsAtRest: true,
    env: {
      TRUSTED_PROXIES: '127.0.0.1',
      // No name server answers there.
      CUSTOM_DOMAIN_RESOLVERS: '127.0.0.1:9',
      WEBHOOK_DEV_ALLOWED_HOSTS: [directory.issuer, saml.metadataUrl].map((url) => new URL(url).host).join(','),
      ...mail,
    },
  });
  workspace = await seedDemo(system);
  callers = await createCallers(system, await addRival(system, workspace));
  ids = { partner: workspace.partnerId, client: workspace.oakStreetId, workflow: workspace.workflowIds['missed-call-text-back'] ?? '' };
});
after(async () => {
  await system?.stop();
  await smtp?.stop();
  await directory?.close();
  await saml?.close();
});

const bearer = (caller: CallerName): string => `Bearer ${callers[caller].token()}`;
const as = (caller: CallerName): Client<Routes> => system.client(callers[caller].token());
let made = 0;
const fresh = (what: string): string => `${what}-${(made += 1)}`;
const address = (): string => `${fresh('user')}@audit.example`;

const newClient = async (): Promise<string> => (await as('owner').createClient({ body: { name: fresh('Client') } })).id;
async function newAgent(templateName = 'missed-call-text-back'): Promise<string> {
  const clientId = await newClient();
  return (await as('staff').createAgent({ body: { partnerId: workspace.partnerId, clientId, templateName } })).id;
}
async function newUser(): Promise<string> {
  const text = `insert into app_user (email, full_name, role, partner_id, client_id) values ($1, 'Some Body', 'CLIENT', $2, $3) returning id`;
  const [row] = await system.query<{ id: string }>(text, [address(), workspace.partnerId, workspace.oakStreetId]);
  return row?.id ?? '';
}
/** The token of the newest link of this page in a mail, of a new request unless `email` is empty. */
async function newsletterToken(path: string, email = address()): Promise<string> {
  const count = smtp.received.length;
  if (email !== '') await system.client().subscribeToNewsletter({ body: { email } });
  return until('a mail holds it', async () => {
    const text = smtp.received
      .slice(email === '' ? 0 : count)
      .map(({ mail }) => mail.text ?? '')
      .filter((one) => one.includes(`${path}?`))
      .at(-1);
    return text?.match(new RegExp(`${path}\\?\\S*token=(\\S+)`))?.[1];
  });
}
/** Gives the client a month that ended and in which an agent ran; returns the month. */
async function reported(): Promise<string> {
  await system.query("update client set created_at = now() - interval '100 days', timezone = 'UTC' where id = $1", [workspace.oakStreetId]);
  const [row] = await system.query<{ month: string }>(
    `insert into workflow_hour (partner_id, workflow_id, client_id, hour, succeeded, helped)
      values ($1, uuidv7(), $2, date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' - interval '10 days', 3, 3)
      returning to_char(hour at time zone 'UTC', 'YYYY-MM') as month`,
    [workspace.partnerId, workspace.oakStreetId],
  );
  return row?.month ?? '';
}
const newMedia = async (): Promise<string> => (await as('owner').uploadMedia({ body: formOf({ purpose: 'general' }) })).id;
const newConversation = () => addVisitorConversation(system, { partnerId: workspace.partnerId, clientId: workspace.oakStreetId });
async function newMember(permission = 'admin'): Promise<string> {
  const text = `insert into app_user (email, full_name, role, partner_id, partner_role) values ($1, 'Some Body', 'PARTNER', $2, $3) returning id`;
  const [row] = await system.query<{ id: string }>(text, [address(), workspace.partnerId, permission]);
  return row?.id ?? '';
}
/** No setup of the agency is under way, and no job that may begin one. */
const settled = () =>
  until('the setup has ended', async () => {
    const rows = await system.query(
      `select 1 from provisioning_attempt where partner_id = $1 and status = 'running'
       union all select 1 from graphile_worker.jobs where task_identifier in ('agent-requests.install', 'rollouts.run-batch') and run_at <= now()`,
      [workspace.partnerId],
    );
    return rows.length === 0;
  });
async function newPartner(): Promise<string> {
  const { partner } = await as('staff').createPartner({ body: await partnerBody() });
  return partner.id;
}
async function partnerBody() {
  const [plan] = await as('staff').listPlans();
  return { name: fresh('Agency'), slug: fresh('agency'), ownerEmail: address(), ownerName: 'Owner', planId: plan?.id ?? '' };
}
/** The first invoice of a new agency that pays. */
async function newDraft(): Promise<string> {
  const plan = (await as('staff').listPlans()).find(({ monthlyPriceMinor }) => monthlyPriceMinor > 0);
  const { partner } = await as('staff').createPartner({ body: { ...(await partnerBody()), planId: plan?.id ?? '' } });
  const { data } = await as('staff').listInvoices({ query: { partnerId: partner.id, status: 'draft' } });
  return data[0]?.id ?? '';
}
async function newInvoice(): Promise<string> {
  const id = await newDraft();
  await as('staff').issueInvoice({ params: { id } });
  return id;
}
/** A deletion that is requested for a client of its own. */
async function newDeletion(): Promise<string> {
  const { id: clientId, name } = await as('owner').createClient({ body: { name: fresh('Client') } });
  return (await as('owner').requestDeletion({ body: { scope: 'client', clientId, reason: 'a test', confirmName: name } })).id;
}
async function newReactivation(): Promise<string> {
  const clientId = await newClient();
  await as('owner').suspendClient({ params: { id: clientId }, body: {} });
  return (await as('owner').requestReactivation({ body: { message: 'a test', clientId } })).id;
}
const newInvitation = () =>
  as('owner').createInvitation({ body: { kind: 'client_user', email: address(), clientId: workspace.oakStreetId } });
async function newRequest(by: 'owner' | 'clientUser' = 'owner'): Promise<string> {
  const body = { clientId: workspace.oakStreetId, title: fresh('Agent'), description: 'Reminds people of what they forgot.' };
  const made = await as(by).createAgentRequest({ body });
  return ('id' in made ? made : (made[0] ?? { id: '' })).id;
}
/** Uses a new text each time: one suggestion per text may be pending. */
async function newTextSuggestion(): Promise<{ id: string; before: string }> {
  await system.query(`update text_suggestion set status = 'withdrawn', decided_at = now() where status = 'pending'`);
  const body = { key: 'message', text: `${fresh('Text')} {businessName}` };
  return as('clientUser').suggestText({ params: { id: ids['workflow'] ?? '' }, body });
}
async function newPlan(): Promise<string> {
  const body = { ...bodyOf('createPlan', routeOf('createPlan')), name: fresh('Plan') };
  const answer = await callRoute(system, 'createPlan', { body, authorization: bearer('staff') });
  return (JSON.parse(answer.text) as { id: string }).id; // the contract's record
}
async function newApplication(): Promise<string> {
  const email = address();
  await system.client().registerTrial({ body: { email, fullName: 'Ada', companyName: fresh('Applied'), acceptTerms: true } });
  const [row] = await system.query<{ id: string }>('select id from plan_request where applicant_email = $1', [email]);
  return row?.id ?? '';
}
const newEndpoint = async (): Promise<string> =>
  (await as('owner').createWebhook({ body: { url: `https://93.184.216.34/${fresh('in')}` } })).id;
/** Five are all that an agency may have. */
async function withEndpoint<T>(work: (id: string) => Promise<T>): Promise<T> {
  for (const { id } of await as('owner').listWebhooks()) await as('owner').deleteWebhook({ params: { id } });
  return work(await newEndpoint());
}
async function failedDelivery(id: string): Promise<string> {
  const { deliveryId } = await as('owner').testWebhook({ params: { id } });
  await system.query('delete from delivery_queue where delivery_id = $1', [deliveryId]);
  await system.query(
    `update delivery set status = 'failed', reason = 'attempts_exhausted', due_at = null, event_type = 'account.suspended' where id = $1`,
    [deliveryId],
  );
  return deliveryId;
}
const withDomain = () => as('owner').putMyDomain({ body: { host: `${fresh('portal')}.audit.example` } });
const ssoBody = () => ({
  protocol: 'oidc' as const,
  issuer: directory.issuer,
  clientId: directory.clientId,
  clientSecret: directory.clientSecret,
  emailDomains: ['northwind.example'],
});
async function withSso({ enforced } = { enforced: false }): Promise<void> {
  await as('owner').putSsoConnection({ body: ssoBody() });
  if (enforced)
    await system.query(`update sso_connection set status = 'verified', verified_at = now(), enforced = true where partner_id = $1`, [
      workspace.partnerId,
    ]);
}
/** Creates a connection with its first key and no next key. */
async function withSaml(): Promise<void> {
  await system.query('delete from sso_connection where partner_id = $1', [workspace.partnerId]);
  await as('owner').putSsoConnection({ body: { protocol: 'saml', metadataUrl: saml.metadataUrl, emailDomains: ['northwind.example'] } });
}
async function newAlert(): Promise<string> {
  const text = `insert into alert (partner_id, rule, severity, subject_type, subject_id, subject_label, message)
    values ($1, 'failure_streak', 'warning', 'agent', $2, 'An agent', 'It failed three times.') returning id`;
  const [row] = await system.query<{ id: string }>(text, [workspace.partnerId, fresh('agent')]);
  return row?.id ?? '';
}
async function newNameReview(): Promise<string> {
  const { id } = await as('owner').createClient({ body: { name: fresh('PayPal Security') } });
  const { data } = await as('staff').listNameReviews({ query: { status: 'pending' } });
  return data.find(({ clientId }) => clientId === id)?.id ?? '';
}

async function endedRun(event: Record<string, unknown>): Promise<string> {
  const posted = await postJson(await ingestUrl(as('owner'), ids.workflow), event);
  const { executionId } = (await posted.json()) as { executionId: string }; // the contract's answer to an accepted event
  await until('the run has ended', async () => (await as('owner').getExecution({ params: { id: executionId } })).status !== 'RUNNING');
  return executionId;
}

const login = async (email: string): Promise<string> => system.login(email, DEMO_PASSWORD);
/** An authenticator app. A code works once, so the used time step is cleared before each code, which is always the current one. */
type App = { session: string; secret: string; recoveryCode: string };
let app: App | undefined;
/** The app that the last call enabled two-step login for. */
let enabledLast: App | undefined;
async function nextCode(of: App): Promise<string> {
  await system.query('update user_mfa set last_step = 0');
  return TOTP.generate({ secret: Secret.fromBase32(of.secret) });
}
async function newApp(email: string): Promise<App> {
  const session = await login(email);
  const { secret } = await system.client(session).setUpMfa();
  return { session, secret, recoveryCode: '' };
}
async function enabledApp(): Promise<App> {
  if (app) return app;
  app = await newApp(DEMO.moderator.email);
  const { recoveryCodes } = await system.client(app.session).enableMfa({ body: { token: await nextCode(app) } });
  app.recoveryCode = recoveryCodes[0] ?? '';
  return app;
}
async function challenge(): Promise<{ app: App; tempToken: string }> {
  const enabled = await enabledApp();
  const answer = await system.client().login({ body: { email: DEMO.moderator.email, password: DEMO_PASSWORD } });
  if (!('tempToken' in answer)) throw new Error('There is no second factor to ask for.');
  return { app: enabled, tempToken: answer.tempToken };
}

type Case = RouteCall & { caller?: CallerName };
/** Preconditions of a route besides a valid body: creates records in the state in which the route succeeds. */
const CASES: Partial<Record<RouteName, () => Promise<Case>>> = {
  takeOverConversation: async () => ({ params: { id: await newConversation() } }),
  replyToConversation: async () => ({ params: { id: await newConversation() } }),
  giveBackConversation: async () => {
    const id = await newConversation();
    await as('owner').takeOverConversation({ params: { id } });
    return { params: { id } };
  },
  closeConversation: async () => ({ params: { id: await newConversation() } }),
  deleteCannedReply: async () => {
    const { id } = await as('owner').addCannedReply({ body: { title: fresh('Reply'), text: 'A text.' } });
    return { params: { id } };
  },
  changeMedia: async () => ({ params: { id: await newMedia() } }),
  deleteMedia: async () => ({ params: { id: await newMedia() } }),
  undoClientImport: async () => ({ params: { id: (await as('owner').importClients({ body: formOf({}, 'table') })).import?.id ?? '' } }),
  uploadKnowledge: async () => ({ body: { clientId: await newClient() } }),
  deleteKnowledge: async () => {
    const { id } = await as('owner').uploadKnowledge({ body: formOf({ clientId: workspace.oakStreetId }, 'text') });
    return { params: { id } };
  },
  login: async () => ({ body: { email: DEMO.owner.email, password: DEMO_PASSWORD } }),
  logout: async () => ({ authorization: `Bearer ${await login(DEMO.clientUser.email)}` }),
  endSession: async () => {
    const token = await login(DEMO.clientUser.email);
    const own = (await system.client(token).listSessions()).find((one) => one.isCurrent);
    return { authorization: `Bearer ${token}`, params: { id: own?.id ?? '' } };
  },
  endOtherSessions: async () => {
    await login(DEMO.clientUser.email);
    return { authorization: `Bearer ${await login(DEMO.clientUser.email)}` };
  },
  logoutAll: async () => ({ authorization: `Bearer ${await login(DEMO.clientUser.email)}` }),
  changePassword: async () => ({
    authorization: `Bearer ${await login(DEMO.moderator.email)}`,
    body: { currentPassword: DEMO_PASSWORD, newPassword: 'eleven blue herons' },
  }),
  reauthenticate: async () => ({ authorization: `Bearer ${await login(DEMO.clientUser.email)}`, body: { password: DEMO_PASSWORD } }),
  forgotPassword: async () => ({ body: { email: DEMO.owner.email } }),
  resetPassword: async () => {
    // A link that was asked for before would be taken for this one.
    await until('no link is on its way', async () => {
      const rows = await system.query(
        `select 1 from mail where kind = 'password_reset' and status = 'queued'
         union all select 1 from graphile_worker.jobs where task_identifier = 'identity.send-reset-link'`,
      );
      return rows.length === 0;
    });
    const { length } = smtp.received;
    await system.client().forgotPassword({ body: { email: DEMO.owner.email } });
    const token = await until('the link has come', () => {
      const links = smtp.received.slice(length).map((one) => /\/reset-password#([\w-]{20,})/.exec(one.mail.text ?? '')?.[1]);
      return links.findLast((found) => found !== undefined);
    });
    return { body: { token, password: 'twelve blue herons' } };
  },
  setUpMfa: async () => ({ authorization: `Bearer ${await login(DEMO.moderator.email)}` }),
  enableMfa: async () => {
    const own = await newApp(DEMO.clientUser.email);
    enabledLast = own;
    return { authorization: `Bearer ${own.session}`, body: { token: await nextCode(own) } };
  },
  verifyMfa: async () => {
    const { app: own, tempToken } = await challenge();
    return { body: { tempToken, token: await nextCode(own) } };
  },
  recoverMfa: async () => {
    const { app: own, tempToken } = await challenge();
    return { body: { tempToken, recoveryCode: own.recoveryCode } };
  },
  renewRecoveryCodes: async () => {
    if (!enabledLast) throw new Error('No user has a second factor whose codes can be renewed.');
    return { authorization: `Bearer ${enabledLast.session}`, body: { token: await nextCode(enabledLast) } };
  },
  disableMfa: async () => {
    const own = await enabledApp();
    return { authorization: `Bearer ${own.session}`, body: { token: await nextCode(own) } };
  },
  viewAs: async () => ({ body: { clientId: workspace.oakStreetId, reason: 'a test' } }),
  endViewAs: async () => {
    const view = await as('owner').viewAs({ body: { clientId: workspace.oakStreetId, reason: 'a test' } });
    return { authorization: `Bearer ${view.accessToken}` };
  },
  createPartner: async () => ({ body: await partnerBody() }),
  updatePartner: async () => ({ params: { id: await newPartner() } }),
  suspendPartner: async () => ({ params: { id: await newPartner() } }),
  resumePartner: async () => {
    const id = await newPartner();
    await as('staff').suspendPartner({ params: { id }, body: { reason: 'a test' } });
    return { params: { id } };
  },
  changeChatbot: async () => ({ body: { clientId: await newClient(), name: 'Front desk' } }),
  updateClient: async () => ({ params: { id: await newClient() } }),
  suspendClient: async () => ({ params: { id: await newClient() } }),
  resumeClient: async () => {
    const id = await newClient();
    await as('owner').suspendClient({ params: { id }, body: { reason: 'a test' } });
    return { params: { id } };
  },
  archiveClient: async () => ({ params: { id: await newClient() } }),
  sendClientReport: async () => {
    const month = await reported();
    return { params: { id: workspace.oakStreetId }, body: { month, to: 'me' } };
  },
  unsubscribeReport: async () => {
    const month = await reported();
    await as('owner').sendClientReport({ params: { id: workspace.oakStreetId }, body: { month, to: 'me' } });
    const offered = await until('a report offers it', async () =>
      smtp.received
        .flatMap(({ mail }) => mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? [])
        .findLast((value) => value.includes('/reports/')),
    );
    return { query: { token: new URL(offered.slice(1, -1)).searchParams.get('token') ?? '' } };
  },
  putReportRecipient: async () => ({ params: { id: workspace.oakStreetId, userId: await newUser() } }),
  removeClientUser: async () => ({ params: { id: workspace.oakStreetId, userId: await newUser() } }),
  putMyDomain: async () => ({ body: { host: `${fresh('portal')}.audit.example` } }),
  verifyMyDomain: async () => (await withDomain(), {}),
  deleteMyDomain: async () => (await withDomain(), {}),
  putSsoConnection: async () => ({ body: ssoBody() }),
  testSsoConnection: async () => (await withSso(), {}),
  refreshSsoConnection: async () => (await withSso(), {}),
  replaceSsoSecret: async () => (await withSso(), { body: { clientSecret: ssoBody().clientSecret } }),
  addSsoKey: async () => (await withSaml(), {}),
  useSsoKey: async () => (await withSaml(), await as('owner').addSsoKey(), {}),
  deleteSsoConnection: async () => (await withSso(), {}),
  enforceSso: async () => (await withSso({ enforced: true }), { body: { enforced: false } }),
  releaseSso: async () => (await withSso({ enforced: true }), { body: { partnerId: workspace.partnerId, reason: 'a test' } }),
  exchangeSsoCode: async () => {
    const [code, mark] = ['c'.repeat(43), 'm'.repeat(43)];
    const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
    await system.query(
      `insert into sso_code (code_hash, partner_id, user_id, auth_method, browser_hash, expires_at) values ($1, $2, $3, 'oidc', $4, now() + interval '1 minute')`,
      [hash(code), workspace.partnerId, await newMember(), hash(mark)],
    );
    return { body: { code }, headers: { cookie: `sso_browser=${mark}` } };
  },
  confirmNewsletter: async () => ({ query: { token: await newsletterToken('/confirm-newsletter') } }),
  unsubscribeFromNewsletter: async () => {
    await as('staff').confirmNewsletter({ query: { token: await newsletterToken('/confirm-newsletter') } });
    return { body: { token: await newsletterToken('/newsletter/unsubscribe', '') } };
  },
  unsubscribe: async () => {
    await as('owner').sendSampleNotification();
    const offered = await until('a mail offers it', async () =>
      smtp.received
        .flatMap(({ mail }) => mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? [])
        .findLast((value) => value.includes('/notifications/')),
    );
    return { query: { token: new URL(offered.slice(1, -1)).searchParams.get('token') ?? '' } };
  },
  acknowledgeAlert: async () => ({ params: { id: await newAlert() } }),
  resolveAlert: async () => ({ params: { id: await newAlert() } }),
  changeMember: async () => ({ params: { userId: await newMember() }, body: { partnerRole: 'moderator' } }),
  removeMember: async () => ({ params: { userId: await newMember() } }),
  resetUserMfa: async () => {
    const { user } = await system.client(enabledLast?.session).getMe();
    return { params: { id: user.id } };
  },
  makeAdmin: async () => ({ params: { id: await newMember('moderator') } }),
  signOutUser: async () => ({ params: { id: await newUser() } }),
  updateUser: async () => ({ params: { id: await newUser() } }),
  issueInvoice: async () => ({ params: { id: await newDraft() } }),
  payInvoice: async () => ({ params: { id: await newInvoice() } }),
  voidInvoice: async () => ({ params: { id: await newInvoice() } }),
  creditInvoice: async () => ({ params: { id: await newInvoice() } }),
  updatePlan: async () => ({ params: { id: await newPlan() } }),
  retirePlan: async () => ({ params: { id: await newPlan() } }),
  register: async () => ({ body: { email: address(), fullName: 'Ada', companyName: 'Applied', acceptTerms: true } }),
  registerTrial: async () => ({ body: { email: address(), fullName: 'Ada', companyName: 'Applied', acceptTerms: true } }),
  approvePlanRequest: async () => {
    const [plan] = await as('staff').listPlans();
    return { params: { id: await newApplication() }, body: { planId: plan?.id } };
  },
  rejectPlanRequest: async () => ({ params: { id: await newApplication() } }),
  // Without a mail server no mail is held, so this creates the row of a held mail.
  sendApplicationMail: async () => {
    const id = await newApplication();
    await system.query(
      `update mail m set status = 'held', held_for = 'cap', due_at = null, sending_since = null, sent_at = null from plan_request r
       where r.id = $1 and m.to_address = r.applicant_email and m.kind = 'application_received'`,
      [id],
    );
    return { params: { id } };
  },
  removeSampleData: async () => {
    await system.query(
      `insert into sample_data (partner_id, begins_at, ends_at) select id, created_at - interval '2 hours', date_trunc('hour', created_at, 'UTC') from partner where id = $1`,
      [workspace.partnerId],
    );
    return {};
  },
  approveNameReview: async () => ({ params: { id: await newNameReview() } }),
  rejectNameReview: async () => ({ params: { id: await newNameReview() } }),
  cancelPlanRequest: async () => {
    await system.query(`update plan_request set status = 'cancelled' where partner_id = $1 and status = 'pending'`, [workspace.partnerId]);
    return { params: { id: (await as('owner').createPlanRequest({ body: { kind: 'custom', message: 'More.' } })).id } };
  },
  requestDeletion: async () => {
    const { id: clientId, name } = await as('owner').createClient({ body: { name: fresh('Client') } });
    return { body: { scope: 'client', clientId, reason: 'a test', confirmName: name } };
  },
  approveDeletion: async () => ({ params: { id: await newDeletion() } }),
  rejectDeletion: async () => ({ params: { id: await newDeletion() } }),
  cancelDeletion: async () => ({ params: { id: await newDeletion() } }),
  requestReactivation: async () => {
    const clientId = await newClient();
    await as('owner').suspendClient({ params: { id: clientId }, body: {} });
    return { body: { message: 'a test', clientId } };
  },
  approveReactivation: async () => ({ params: { id: await newReactivation() } }),
  rejectReactivation: async () => ({ params: { id: await newReactivation() } }),
  createInvitation: async () => ({ body: { kind: 'client_user', email: address(), clientId: workspace.oakStreetId } }),
  resendInvitation: async () => ({ params: { id: (await newInvitation()).id }, body: {} }),
  revokeInvitation: async () => ({ params: { id: (await newInvitation()).id } }),
  acceptInvitation: async () => {
    const token = (await newInvitation()).acceptUrl.split('/').at(-1) ?? '';
    return { body: { token, password: 'thirteen blue herons', fullName: 'Some Body' } };
  },
  createAgent: async () => ({ body: { partnerId: workspace.partnerId, clientId: await newClient(), templateName: 'lead-qualifier' } }),
  updateAgent: async () => ({ params: { id: await newAgent() } }),
  deleteAgent: async () => ({ params: { id: await newAgent() } }),
  pauseAgent: async () => ({ params: { id: await newAgent() } }),
  resumeAgent: async () => {
    const id = await newAgent();
    await as('owner').pauseAgent({ params: { id } });
    return { params: { id } };
  },
  switchAgents: async () => ({ body: { ids: [await newAgent()], isActive: false } }),
  copyAgent: async () => ({ params: { id: await newAgent('lead-qualifier') }, body: { clientIds: [await newClient()] } }),
  createAgentRequests: async () => ({ body: { clientIds: [await newClient()], templateName: 'lead-qualifier' } }),
  dismissOnboarding: async () => ({ params: { step: 'webhook' } }),
  restoreOnboarding: async () => {
    await as('owner').dismissOnboarding({ params: { step: 'team' } });
    return { params: { step: 'team' } };
  },
  submitAgentRequest: async () => ({ params: { id: await newRequest('clientUser') } }),
  declineAgentRequest: async () => ({ params: { id: await newRequest('clientUser') } }),
  cancelAgentRequest: async () => ({ params: { id: await newRequest() } }),
  approveAgentRequest: async () => ({ params: { id: await newRequest() } }),
  rejectAgentRequest: async () => ({ params: { id: await newRequest() } }),
  retryAgentRequest: async () => {
    const id = await newRequest();
    await system.query(
      `update agent_request set kind = 'template', template_name = 'review-request', status = 'provisioning_failed' where id = $1`,
      [id],
    );
    return { params: { id } };
  },
  fulfillAgentRequest: async () => {
    const id = await newRequest();
    await as('staff').approveAgentRequest({ params: { id }, body: {} });
    return { params: { id }, body: { workflowId: ids.workflow } };
  },
  suggestText: async () => ({ params: { id: ids['workflow'] ?? '' }, body: { key: 'message', text: fresh('Text') } }),
  applyTextSuggestion: async () => {
    const { id, before } = await newTextSuggestion();
    return { params: { id }, body: { replaces: before } };
  },
  declineTextSuggestion: async () => ({ params: { id: (await newTextSuggestion()).id } }),
  withdrawTextSuggestion: async () => ({ params: { id: (await newTextSuggestion()).id } }),
  assignWorkItem: async () => ({ body: { kind: 'agent_request', itemId: await newRequest(), assigned: true } }),
  deleteSchedule: async () => {
    const id = await newAgent('daily-sql-report');
    await as('owner').putSchedule({ params: { id }, body: { every: 'day', at: '07:00', timezone: 'UTC', enabled: true } });
    return { params: { id } };
  },
  putSchedule: async () => ({ params: { id: await newAgent('daily-sql-report') } }),
  rerunExecution: async () => ({ params: { id: await endedRun({ callerNumber: '+13125550148', businessNumber: DEMO.businessNumber }) } }),
  rerunFailed: async () => {
    // The clock may be set back by some milliseconds until the run begins.
    const from = new Date(Date.now() - 1_000).toISOString();
    await endedRun({ callerNumber: '+15002160600', businessNumber: DEMO.businessNumber });
    return { body: { workflowId: ids.workflow, status: 'FAILED', from, to: new Date(Date.now() + 60_000).toISOString() } };
  },
  provision: async () => ({ params: { id: await newPartner() }, body: { templateNames: ['lead-intake-cleaner'] } }),
  reprovision: async () => (await settled(), {}),
  verifyAutomation: async () => (await settled(), {}),
  deprovision: async () => (await settled(), { params: { id: workspace.partnerId }, query: { confirm: DEMO.partner.slug } }),
  createRollout: async () => {
    await settled();
    await system.query('update workflow set template_version = 0 where id = $1', [ids.workflow]);
    return {};
  },
  pauseRollout: async () => {
    const text = `insert into rollout (template_name, target_version, batch_size, status, due_at) values ('lead-qualifier', 2, 1, 'running', null) returning id`;
    const [row] = await system.query<{ id: string }>(text);
    return { params: { rolloutId: row?.id ?? '' } };
  },
  deleteCredential: async () => {
    await as('owner').putCredential({ params: { provider: 'calcom' }, body: { sourceMode: 'byok', data: { apiKey: 'cal_sandbox_key' } } });
    return { params: { provider: 'calcom' } };
  },
  downloadExport: async () => {
    const { id } = await as('owner').createExport({ body: { scope: 'client', clientId: workspace.oakStreetId } });
    await until('the export is ready', async () => (await as('owner').getExport({ params: { id } })).status === 'ready');
    return { params: { id } };
  },
  createWebhook: async () => withEndpoint(async () => ({ body: { url: `https://93.184.216.34/${fresh('in')}` } })),
  updateWebhook: async () => withEndpoint(async (id) => ({ params: { id }, body: { isActive: false } })),
  deleteWebhook: async () => withEndpoint(async (id) => ({ params: { id } })),
  testWebhook: async () => withEndpoint(async (id) => ({ params: { id } })),
  redeliver: async () => withEndpoint(async (id) => ({ params: { id, deliveryId: await failedDelivery(id) } })),
  cancelRecovery: async () =>
    withEndpoint(async (id) => {
      const text = `insert into webhook_recovery (partner_id, endpoint_id, since, until, total) values ($1, $2, now(), now(), 1) returning id`;
      const [row] = await system.query<{ id: string }>(text, [workspace.partnerId, id]);
      return { params: { id, recoveryId: row?.id ?? '' } };
    }),
  getMail: async () => ({ params: { id: (await as('staff').listMail()).data[0]?.id ?? '' } }),
  retryMail: async () => {
    const to = address();
    smtp.behaviour.recipient = (recipient) => (recipient === to ? { code: 550, text: 'no such mailbox' } : undefined);
    await as('owner').createInvitation({ body: { kind: 'client_user', email: to, clientId: workspace.oakStreetId } });
    const [failed] = await until('the mail has failed', async () => {
      const rows = await system.query<{ id: string }>(`select id from mail where to_address = $1 and status = 'failed'`, [to]);
      return rows.length > 0 && rows;
    });
    return { params: { id: failed?.id ?? '' } };
  },
  recoverDeliveries: async () =>
    withEndpoint(async (id) => {
      await failedDelivery(id);
      return { params: { id }, body: { since: new Date(Date.now() - 3_600_000).toISOString(), dryRun: false } };
    }),
};
/** Routes that remove what others need, in the order of their calls. */
const AT_THE_END: RouteName[] = [
  'setUpMfa',
  'verifyMfa',
  'recoverMfa',
  'disableMfa',
  'changePassword',
  'enableMfa',
  'renewRecoveryCodes',
  'resetUserMfa',
  'resetPassword',
  'deprovision',
];

/** A call that succeeds: the values of its case, otherwise a valid body, ids of the partner and a caller who is allowed. */
async function goodCall(name: RouteName): Promise<RouteCall> {
  const route = routeOf(name);
  const own = (await CASES[name]?.()) ?? {};
  const found = idsOf(name, route);
  const fill = (members: Record<string, keyof Ids>) =>
    Object.fromEntries(Object.entries(members).flatMap(([member, kind]) => (ids[kind] ? [[member, ids[kind]]] : [])));
  const body = bodyOf(name, route);
  const caller =
    own.caller ?? (['owner', 'staff', 'clientUser'] as const).find((one) => refusalOf(route, callers[one].claims) === undefined);
  return {
    ...(body ? { body: { ...body, ...fill(found.body) } } : {}),
    ...(route.access.kind === 'session' && caller ? { authorization: bearer(caller) } : {}),
    ...own,
    params: { ...FREE_PARAMS, ...fill(found.params), ...own.params },
  };
}

describe('a route that is no GET', () => {
  it('names an action or is one of those that leave nothing to account for; events and reports keep records of their own', () => {
    const without = NAMES.filter((name) => routeOf(name).method !== 'GET' && routeOf(name).audit === undefined);
    assert.deepEqual(without.filter(isOurs).toSorted(), WITHOUT_A_LINE);
    for (const name of WITHOUT_A_LINE) assert.ok((routeOf(name).changesNothing ?? '').length > 10, `${name} says why`);
    assert.deepEqual(
      without.filter((name) => !isOurs(name)),
      ['ingestEvent', 'queryForExecution', 'reportExecution'],
    );
    assert.ok(KINDS.length > 0 && AUDITED.length > 60);
  });

  const inOrder = [...AUDITED.filter((name) => !AT_THE_END.includes(name)), ...AT_THE_END.filter((name) => AUDITED.includes(name))];
  for (const name of inOrder) {
    const { audit: action = '' } = routeOf(name);
    it(`${name} leaves ${action} in the log when it succeeds`, async () => {
      const call = await goodCall(name);
      // The clock may be set back by some milliseconds until the entry is written.
      const [start] = await system.query<{ id: string }>("select uuidv7(interval '-1 second') as id");
      const answer = await callRoute(system, name, call);
      assert.ok(answer.status < 300, `Give ${name} a state in which it succeeds (CASES): ${answer.status} ${answer.text.slice(0, 400)}`);
      assert.ok(answer.requestId);
      const [entry, ...more] = await until(`${name} is in the log`, async () => {
        const rows = await system.query<{ action: string; result: string }>(
          'select action, result from audit_entry where action = $2 and (request_id = $1 or ($4 and request_id is null and id > $3))',
          [answer.requestId, action, start?.id, WRITTEN_LATER.includes(name)],
        );
        return rows.length > 0 && rows;
      });
      assert.deepEqual([entry, more.length], [{ action, result: 'ok' }, 0]);
    });
  }
});

describe('a refused call of it', () => {
  for (const name of AUDITED.filter((one) => routeOf(one).access.kind === 'session')) {
    const route = routeOf(name);
    const { audit: action = '' } = route;
    const caller = (['moderator', 'clientUser', 'owner'] as const).find((one) => refusalOf(route, callerClaims(one)) !== undefined);
    if (!caller) continue;
    it(`${name} by a ${caller} leaves ${action} as refused`, async () => {
      const answer = await callRoute(system, name, { params: { ...FREE_PARAMS }, authorization: bearer(caller) });
      const rows = await system.query<{ action: string; result: string; changes: unknown; by: string; partner: string }>(
        'select action, result, changes, actor_email as by, partner_id as partner from audit_entry where request_id = $1',
        [answer.requestId],
      );
      const code = answer.problem?.code;
      assert.equal(code, refusalOf(route, callers[caller].claims));
      const [row] = rows;
      assert.ok(row && rows.length === 1);
      assert.ok(row.by.startsWith(caller.toLowerCase()));
      assert.deepEqual(
        [row.action, row.result, row.changes, row.partner],
        [action, 'refused', { refusal: [null, code] }, workspace.partnerId],
      );
    });
  }
});

/** Claims with the roles that `addRival` will create; the table of tests is built before there is a system. */
function callerClaims(caller: 'moderator' | 'clientUser' | 'owner') {
  const partnerId = '';
  if (caller === 'clientUser') return { role: 'CLIENT', partnerId, clientId: '' } as const;
  return { role: 'PARTNER', partnerId, partnerRole: caller === 'owner' ? 'admin' : 'moderator' } as const;
}
