import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { type RouteName, routes } from '@partner-portal/contract/index.ts';

/** Kinds of records a tenant owns and others might reference. */
export const KINDS = [
  'partner',
  'client',
  'user',
  'invitation',
  'workflow',
  'execution',
  'attempt',
  'request',
  'planRequest',
  'nameReview',
  'deletion',
  'reactivation',
  'rollout',
  'mail',
  'endpoint',
  'delivery',
  'recovery',
  'alert',
  'notification',
  'invoice',
  'export',
  'media',
  'conversation',
  'cannedReply',
  'knowledge',
  'clientImport',
  'textSuggestion',
] as const;
export type Kind = (typeof KINDS)[number];
export type Ids = Record<Kind, string>;

/** What the first id in a path, or the ids in its query, name, by the path's beginning; `undefined` means that this table has to learn a new path. */
const OF_PATH: [RegExp, Kind][] = [
  [/^\/partners\/:id/, 'partner'],
  [/^\/partners\/me\/webhooks\/:id/, 'endpoint'],
  [/^\/partners\/me\/activity/, 'workflow'],
  [/^\/partners\/onboarding/, 'partner'],
  [/^\/clients\/:id/, 'client'],
  [/^\/clients\/imports\/:id/, 'clientImport'],
  [/^\/clients\/me\/agents\/:id/, 'workflow'],
  [/^\/text-suggestions\/:id/, 'textSuggestion'],
  [/^\/users\/:id/, 'user'],
  [/^\/invitations\/:id/, 'invitation'],
  [/^\/agents\/:id/, 'workflow'],
  [/^\/workflows\/:id/, 'workflow'],
  [/^\/executions\/:id/, 'execution'],
  [/^\/agent-requests\/:id/, 'request'],
  [/^\/provisioning\/mail\/:id/, 'mail'],
  [/^\/custom-plan-requests\/:id/, 'planRequest'],
  [/^\/provisioning\/name-reviews\/:id/, 'nameReview'],
  [/^\/account-deletion\/:id/, 'deletion'],
  [/^\/account-reactivation\/:id/, 'reactivation'],
  [/^\/account-export\/:id/, 'export'],
  [/^\/billing\/invoices\/:id/, 'invoice'],
  [/^\/alerts\/:id/, 'alert'],
  [/^\/media\/:id/, 'media'],
  [/^\/chatbot\/knowledge\/:id/, 'knowledge'],
  [/^\/notifications\/:id/, 'notification'],
  [/^\/chatbot\/conversations\/:id/, 'conversation'],
  [/^\/chatbot\/canned-replies\/:id/, 'cannedReply'],
];
const OF_NAME: Record<string, Kind> = {
  userId: 'user',
  workflowId: 'workflow',
  executionId: 'execution',
  clientId: 'client',
  clientIds: 'client',
  partnerId: 'partner',
  attemptId: 'attempt',
  rolloutId: 'rollout',
  deliveryId: 'delivery',
  recoveryId: 'recovery',
  itemId: 'request',
};
/** Names that no tenant owns, the audit log's filter by target, which may be of any kind, and what visitors prove with. */
const FREE = [
  'slug',
  'templateName',
  'provider',
  'token',
  'planId',
  'packId',
  'targetId',
  'key',
  'step',
  'chatbotId',
  'conversationId',
  'agency',
  'icon',
  'contact',
];

export function kindOf(route: RouteShape, member: string): Kind | 'free' | undefined {
  // Plans are global, a provider has clients of its own, and the ids of saved filters and sessions are each user's own.
  if (FREE.includes(member) || /^\/(plans\/|sso\/connection|saved-filters\/|auth\/sessions\/)/.test(route.path)) return 'free';
  return member === 'id' || member === 'ids' ? OF_PATH.find(([path]) => path.test(route.path))?.[1] : OF_NAME[member];
}

/** Ids in the query, separated by commas. */
export const isIdList = (member: string): boolean => member === 'ids' || member.endsWith('Ids');

/** The ids a route takes: in its path, its query and its body. Throws for an unknown member. */
export function idsOf(
  name: RouteName,
  route: RouteShape,
): { params: Record<string, Kind>; query: Record<string, Kind>; body: Record<string, Kind> } {
  const pick = (members: string[]): Record<string, Kind> =>
    Object.fromEntries(
      members.flatMap((member): [string, Kind][] => {
        const kind = kindOf(route, member);
        if (kind === undefined) throw new Error(`${name}: what does "${member}" name? Add it to tests/harness/route-cases.ts.`);
        return kind === 'free' ? [] : [[member, kind]];
      }),
    );
  const looksLikeId = (member: string): boolean => member === 'id' || member.endsWith('Id');
  const inBody = Object.keys(bodyOf(name, route) ?? {}).filter(looksLikeId);
  return {
    params: pick(Object.keys(route.params?.shape ?? {})),
    query: pick(Object.keys(route.query?.shape ?? {}).filter((member) => looksLikeId(member) || isIdList(member))),
    body: pick(inBody),
  };
}

/** A good body for the route; undefined when it takes none. Throws for an unknown route. */
export function bodyOf(name: RouteName, route: RouteShape): Record<string, unknown> | undefined {
  const body = BODIES[name];
  if (route.body && !body) throw new Error(`${name} takes a body, and tests/harness/route-cases.ts knows no good one.`);
  return body;
}

/** Members whose value is no id of a tenant and still has to be a good one. */
export const FREE_PARAMS: Record<string, string> = {
  slug: 'unknown',
  templateName: 'missed-call-text-back',
  provider: 'twilio',
  token: 'x'.repeat(43),
  key: 'x'.repeat(32),
  step: 'sample',
  agency: 'x'.repeat(43),
  icon: '192.png',
  contact: '+13125550199',
  chatbotId: '00000000-0000-4000-8000-000000000000',
  conversationId: '00000000-0000-4000-8000-000000000000',
  id: '00000000-0000-4000-8000-000000000000',
};

const ANY = '00000000-0000-4000-8000-000000000000';
/** A good body of every route that takes one; the caller puts the ids in. */
const PLAN = {
  name: 'A plan',
  description: 'For a test.',
  monthlyPriceMinor: 100,
  currency: 'USD',
  includedSeats: 1,
  includedClients: 1,
  monthlyCredits: 10,
  seatPriceMinor: 100,
  creditPacks: [],
  features: { sso: false, chatbot: false, customTemplates: false, aiPlatformKeys: false, customDomain: false, auditRetentionDays: 365 },
  isPublic: false,
  isTrial: false,
  trialDays: null,
};
const APPLICATION = { email: 'applicant@callers.example', fullName: 'Ada Applicant', companyName: 'Applied', acceptTerms: true };
const BODIES: Record<string, Record<string, unknown>> = {
  changeMember: { partnerRole: 'moderator' },
  importClients: { mode: 'valid' },
  uploadMedia: { purpose: 'general', altText: 'A dot' },
  sendVisitorMessage: { text: 'When do you open?' },
  changeChatbot: { clientId: ANY, name: 'Front desk' },
  changeChatBudgets: { sharePercent: 35 },
  previewChatbot: { clientId: ANY, messages: [{ author: 'visitor', text: 'When do you open?' }] },
  uploadKnowledge: { clientId: ANY },
  changeMedia: { altText: 'Another dot' },
  createExport: { scope: 'partner' },
  resetUserMfa: { reason: 'a test' },
  makeAdmin: { reason: 'a test' },
  signOutUser: { reason: 'a test' },
  putAlertRules: { usageThresholds: [60, 90], failureStreak: 5, silentDays: 14, recipients: [] },
  acknowledgeAlert: { note: 'a test' },
  resolveAlert: { note: 'a test' },
  subscribeToNewsletter: { email: 'reader@callers.example', source: 'landing' },
  unsubscribeFromNewsletter: { token: 'x'.repeat(43) },
  unsubscribe: { 'List-Unsubscribe': 'One-Click' },
  putNotificationPreferences: { security: { inApp: false, email: 'now' } },
  putMyDomain: { host: 'portal.callers.example' },
  putSsoConnection: {
    protocol: 'oidc',
    issuer: 'https://idp.callers.example',
    clientId: 'portal',
    clientSecret: 'a secret',
    emailDomains: ['callers.example'],
  },
  replaceSsoSecret: { clientSecret: 'a secret' },
  enforceSso: { enforced: false },
  releaseSso: { partnerId: ANY, reason: 'a test' },
  ssoAssertion: { SAMLResponse: 'AAAA', RelayState: 'unknown' },
  exchangeSsoCode: { code: 'x'.repeat(43) },
  createPlan: PLAN,
  updatePlan: { description: 'Changed.' },
  register: APPLICATION,
  registerTrial: APPLICATION,
  createPlanRequest: { kind: 'custom', message: 'More of everything.' },
  approvePlanRequest: { planId: ANY },
  rejectPlanRequest: { note: 'a test' },
  approveNameReview: { note: 'a test' },
  rejectNameReview: { note: 'a test' },
  requestDeletion: { scope: 'client', clientId: ANY, reason: 'a test', confirmName: 'A client' },
  approveDeletion: { note: 'a test' },
  rejectDeletion: { note: 'a test' },
  requestReactivation: { message: 'a test' },
  approveReactivation: { note: 'a test' },
  rejectReactivation: { note: 'a test' },
  assignWorkItem: { kind: 'agent_request', itemId: ANY, assigned: true },
  login: { email: 'unknown@callers.example', password: 'a wrong password' },
  updateMe: { fullName: 'Another Name' },
  verifyMfa: { tempToken: 'no token of ours', token: '123456' },
  recoverMfa: { tempToken: 'no token of ours', recoveryCode: '7K3D-M2QX-9WPA-C4TE' },
  enableMfa: { token: '123456' },
  disableMfa: { token: '123456' },
  renewRecoveryCodes: { token: '123456' },
  forgotPassword: { email: 'unknown@callers.example' },
  resetPassword: { token: 'x'.repeat(43), password: 'eleven blue herons' },
  changePassword: { currentPassword: 'not the current password', newPassword: 'eleven blue herons' },
  reauthenticate: { password: 'not the current password' },
  viewAs: { clientId: ANY, reason: 'a test' },
  createPartner: { name: 'Third', slug: 'third', ownerEmail: 'third@callers.example', ownerName: 'Third', planId: ANY },
  updatePartner: { name: 'Renamed' },
  suspendPartner: { reason: 'a test' },
  updateMyPartner: { name: 'Renamed' },
  createClient: { name: 'A client' },
  updateClient: { name: 'Renamed' },
  suspendClient: { reason: 'a test' },
  resumeClient: { reason: 'a test' },
  archiveClient: { reason: 'a test' },
  cancelPlanRequest: { note: 'a test' },
  updateMyClient: { contactName: 'Renamed' },
  sendClientReport: { month: '2026-01', to: 'me' },
  unsubscribeReport: { 'List-Unsubscribe': 'One-Click' },
  putReportRecipient: { isSubscribed: true },
  putHoursEstimate: { hours: 0.25 },
  putResultValues: { currency: 'USD', values: [{ templateName: 'missed-call-text-back', valueMinor: 4_500 }] },
  updateUser: { status: 'disabled' },
  createInvitation: { kind: 'client_user', email: 'invited@callers.example', clientId: ANY },
  acceptInvitation: { token: 'x'.repeat(43), password: 'eleven blue herons', fullName: 'Ada Unknown' },
  resendInvitation: { email: 'corrected@callers.example' },
  createAgent: { partnerId: ANY, clientId: ANY, templateName: 'lead-qualifier' },
  updateAgent: { name: 'Renamed' },
  putSavedFilter: { table: 'agents', name: 'Failing', search: { health: 'failing' } },
  switchAgents: { ids: [ANY], isActive: false },
  previewCopies: { clientIds: [ANY] },
  copyAgent: { clientIds: [ANY] },
  testAgent: { input: { callerNumber: '+13125550121', businessNumber: '+13125550100' }, dryRun: true },
  putSchedule: { every: 'day', at: '07:00', timezone: 'UTC', enabled: true },
  triggerWorkflow: { input: { callerNumber: '+13125550121', businessNumber: '+13125550100' } },
  ingestEvent: { callerNumber: '+13125550121', businessNumber: '+13125550100' },
  rerunExecution: { input: { callerNumber: '+13125550121', businessNumber: '+13125550100' } },
  rerunFailed: { workflowId: ANY, status: 'FAILED', from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' },
  queryForExecution: { query: 'select 1' },
  reportExecution: { executionId: ANY, workflowId: ANY, status: 'SUCCEEDED' },
  provision: { templateNames: ['missed-call-text-back'], clientId: ANY },
  reprovision: { mode: 'repair', templateNames: ['missed-call-text-back'], clientId: ANY, refreshTemplates: true },
  completeChat: { provider: 'openai', model: 'gpt-5', messages: [{ role: 'user', content: 'Hello' }], clientId: ANY, maxTokens: 16 },
  changeAiRate: {
    provider: 'openai',
    model: 'gpt-test',
    inputCredits: 1,
    outputCredits: 2,
    inputCostMinor: 0.1,
    outputCostMinor: 0.4,
    currency: 'USD',
  },
  createRollout: { templateName: 'missed-call-text-back', partnerIds: 'all', batchSize: 1 },
  pauseRollout: { paused: true },
  preflight: { clientId: ANY, templateNames: ['missed-call-text-back'] },
  createAgentRequest: { clientId: ANY, title: 'A new agent', description: 'Reminds people of what they forgot.' },
  addToStopList: { contact: '+13125550199' },
  removeFromStopList: { reason: 'a test' },
  suggestText: { key: 'message', text: 'Another text for the same call.' },
  applyTextSuggestion: { replaces: '' },
  declineTextSuggestion: { note: 'a test' },
  createWebhook: { url: 'https://93.184.216.34/in' },
  updateWebhook: { isActive: true },
  recoverDeliveries: { since: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z', dryRun: true },
  createAgentRequests: { clientIds: [ANY], templateName: 'lead-qualifier' },
  declineAgentRequest: { note: 'a test' },
  approveAgentRequest: { note: 'a test' },
  rejectAgentRequest: { note: 'a test' },
  fulfillAgentRequest: { workflowId: ANY },
  buySeats: { quantity: 1 },
  releaseSeats: { quantity: 0 },
  buyCredits: { packId: 'pack-1000', quantity: 1 },
  updateBillingSettings: { address: '1 Main Street' },
  adjustBilling: { partnerId: ANY, credits: 1, note: 'a test' },
  updateSubscription: { taxNote: 'a test' },
  payInvoice: { reference: 'a test' },
  voidInvoice: { reason: 'a test' },
  creditInvoice: { lines: [{ description: 'a test', quantity: 1, unitPriceMinor: 1 }], reason: 'a test' },
  replyToConversation: { text: 'We open at nine.' },
  markConversationRead: { isRead: true },
  addCannedReply: { clientId: ANY, title: 'Hours', text: 'We open at nine.' },
  readTogether: { reads: ['/auth/me'] },
  followTogether: { follow: [{ path: '/notifications/stream' }] },
  putCredential: { clientId: ANY, sourceMode: 'byok', data: { accountSid: `AC${'1'.repeat(32)}`, authToken: 'sandbox-token' } },
};

/** About one client, which agencies and staff name in the query. */
export const OF_A_CLIENT: readonly RouteName[] = ['getChatbot', 'listKnowledge', 'searchKnowledge'];
/** Members of the query that no call may leave out. */
const NEEDED_QUERY: { readonly [name in RouteName]?: Record<string, string> } = {
  searchKnowledge: { q: 'opening hours' },
  getActivity: { of: 'agents' },
  getRequestReadiness: { templateName: 'missed-call-text-back' },
  listSavedFilters: { table: 'agents' },
  unsubscribe: { token: 'x'.repeat(43) },
  unsubscribeReport: { token: 'x'.repeat(43) },
};

/** What the route needs in its query; a list of ids always has one. */
export function queryOf(name: RouteName, ids: Ids): Record<string, string> {
  const lists = Object.entries(idsOf(name, routes[name]).query).filter(([member]) => isIdList(member));
  return { ...NEEDED_QUERY[name], ...Object.fromEntries(lists.map(([member, kind]) => [member, ids[kind]])) };
}

/** A call of the route with good values everywhere and these ids; other members of the query only when asked for. */
export function buildCall(name: RouteName, ids: Ids, queryMember?: string) {
  const route: RouteShape = routes[name];
  const found = idsOf(name, route);
  const fill = (members: Record<string, keyof Ids>) =>
    Object.fromEntries(Object.entries(members).map(([member, kind]) => [member, ids[kind]]));
  const body = bodyOf(name, route);
  const kind = queryMember === undefined ? undefined : found.query[queryMember];
  return {
    params: { ...FREE_PARAMS, ...fill(found.params) },
    query: { ...queryOf(name, ids), ...(kind === undefined || queryMember === undefined ? {} : { [queryMember]: ids[kind] }) },
    ...(body ? { body: { ...body, ...fill(found.body) } } : {}),
  };
}
