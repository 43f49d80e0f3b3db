import type { RouteShape } from '@house/contract/define-route.ts';
import type { RouteName } from '@house/contract/index.ts';

/** What a tenant owns and others might name. */
export const KINDS = ['partner', 'client', 'user', 'invitation', 'workflow', 'execution', 'attempt', 'request', 'rollout'] as const;
export type Kind = (typeof KINDS)[number];
export type Ids = Record<Kind, string>;

/** What the first id in a path names, by the path's beginning; `undefined` means that this table has to learn a new path. */
const OF_PATH: [RegExp, Kind][] = [
  [/^\/partners\/:id/, 'partner'],
  [/^\/clients\/:id/, 'client'],
  [/^\/users\/:id/, 'user'],
  [/^\/invitations\/:id/, 'invitation'],
  [/^\/agents\/:id/, 'workflow'],
  [/^\/workflows\/:id/, 'workflow'],
  [/^\/executions\/:id/, 'execution'],
  [/^\/agent-requests\/:id/, 'request'],
];
const OF_NAME: Record<string, Kind> = {
  userId: 'user',
  workflowId: 'workflow',
  executionId: 'execution',
  clientId: 'client',
  partnerId: 'partner',
  attemptId: 'attempt',
  rolloutId: 'rollout',
};
/** Names that no tenant owns. */
const FREE = ['templateName', 'provider', 'token', 'planId'];

export function kindOf(route: RouteShape, member: string): Kind | 'free' | undefined {
  if (FREE.includes(member)) return 'free';
  return member === 'id' ? OF_PATH.find(([path]) => path.test(route.path))?.[1] : OF_NAME[member];
}

/** The ids a route takes: in its path, its query and its body. Throws for a member nobody has thought of. */
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
    query: pick(Object.keys(route.query?.shape ?? {}).filter(looksLikeId)),
    body: pick(inBody),
  };
}

/** A good body for the route; undefined when it takes none. Throws for a route nobody has thought of. */
export function bodyOf(name: RouteName, route: RouteShape): Record<string, unknown> | undefined {
  const body = BODIES[name];
  if (route.body && !body) throw new Error(`${name} takes a body, and tests/harness/route-cases.ts knows no good one.`);
  return body;
}

/** Members whose value is no id of a tenant and still has to be a good one. */
export const FREE_PARAMS: Record<string, string> = { templateName: 'missed-call-text-back', provider: 'twilio', token: 'x'.repeat(43) };

const ANY = '00000000-0000-4000-8000-000000000000';
/** A good body of every route that takes one; ids are put in by whoever uses it. */
const BODIES: Record<string, Record<string, unknown>> = {
  login: { email: 'somebody@seats.example', password: 'a password of nobody' },
  updateMe: { fullName: 'Another Name' },
  createPartner: { name: 'Third', slug: 'third', ownerEmail: 'third@seats.example', ownerName: 'Third', planId: ANY },
  updatePartner: { name: 'Renamed' },
  suspendPartner: { reason: 'a test' },
  updateMyPartner: { name: 'Renamed' },
  createClient: { name: 'A client' },
  updateClient: { name: 'Renamed' },
  suspendClient: { reason: 'a test' },
  updateMyClient: { contactName: 'Renamed' },
  updateUser: { status: 'disabled' },
  createInvitation: { kind: 'client_user', email: 'invited@seats.example', clientId: ANY },
  acceptInvitation: { token: 'x'.repeat(43), password: 'eleven blue herons', fullName: 'Nobody' },
  createAgent: { partnerId: ANY, clientId: ANY, templateName: 'lead-qualifier' },
  updateAgent: { name: 'Renamed' },
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
  createRollout: { templateName: 'missed-call-text-back', partnerIds: 'all', batchSize: 1 },
  pauseRollout: { paused: true },
  preflight: { clientId: ANY, templateNames: ['missed-call-text-back'] },
  createAgentRequest: { clientId: ANY, title: 'A new agent', description: 'Reminds people of what they forgot.' },
  declineAgentRequest: { note: 'a test' },
  approveAgentRequest: { note: 'a test' },
  rejectAgentRequest: { note: 'a test' },
  fulfillAgentRequest: { workflowId: ANY },
  putCredential: { clientId: ANY, sourceMode: 'byok', data: { accountSid: `AC${'1'.repeat(32)}`, authToken: 'sandbox-of-somebody' } },
};
