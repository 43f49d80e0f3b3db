import type { RouteName } from '@partner-portal/contract';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import type { ErrorCode } from '@partner-portal/contract/errors.ts';
import { isAllowedInViewAs } from '@partner-portal/contract/view-as.ts';
import type { PartnerRole, Role } from '@partner-portal/contract/vocabulary.ts';

/**
 * Who may call what. The one home of it is the `access` of each route: the server asks it for each call, and a permission is the name of something that a route does,
 * by which the portal disables controls and names the reason. Browser-safe. See docs/behaviour/identity.md.
 */

export type AccessSubject = { role: Role; partnerRole: PartnerRole | null; readOnly?: boolean };
export type AccessRefusal = Extract<ErrorCode, 'role_forbidden' | 'partner_role_forbidden' | 'view_as_read_only'>;
type Route = Pick<RouteShape, 'method' | 'access'>;

/** Returns the error code with which the access of a route refuses this user, or null. What a route declares beyond its access is not asked here. */
export function refusedCall(route: Route, { role, partnerRole, readOnly }: AccessSubject): AccessRefusal | null {
  if (route.access.kind !== 'session') return null;
  if (!route.access.roles.includes(role)) return 'role_forbidden';
  if (readOnly && !isAllowedInViewAs(route)) return 'view_as_read_only';
  // A PARTNER user without a partner role counts as a moderator, never as an admin.
  if (route.access.write && role === 'PARTNER' && partnerRole !== 'admin') return 'partner_role_forbidden';
  return null;
}

/** All permissions, each with the route that decides it. `.view` and `runs.payloads` read; every other one changes something. */
export const PERMISSIONS = {
  'account.manage': 'createExport',
  'agency.view': 'getMyPartner',
  'agency.manage': 'updateMyPartner',
  'agents.view': 'listAgents',
  'agents.create': 'createAgent',
  'agents.manage': 'updateAgent',
  // For users of a client only with `clientCanPause` of the agent.
  'agents.pause': 'pauseAgent',
  'agents.trigger': 'triggerWorkflow',
  'alerts.view': 'listAlerts',
  'alerts.manage': 'acknowledgeAlert',
  'automation.view': 'getMyAutomation',
  'automation.manage': 'provision',
  'chatbot.view': 'getChatbot',
  'chatbot.manage': 'changeChatbot',
  'clients.view': 'listClients',
  'clients.create': 'createClient',
  'clients.manage': 'updateClient',
  'credentials.view': 'listCredentials',
  'credentials.manage': 'putCredential',
  'deliveries.view': 'listWebhookEndpoints',
  'engine.view': 'getEngine',
  'inbox.view': 'listConversations',
  'inbox.reply': 'replyToConversation',
  'ingest.view': 'listInboundEvents',
  'invitations.view': 'listInvitations',
  'invitations.manage': 'createInvitation',
  'partners.view': 'listPartners',
  'partners.manage': 'updatePartner',
  'profile.manage': 'updateMyClient',
  'requests.view': 'listAgentRequests',
  'requests.create': 'createAgentRequest',
  'requests.decide': 'approveAgentRequest',
  'sample-data.remove': 'removeSampleData',
  'runs.view': 'listExecutions',
  'runs.payloads': 'listInboundEvents',
  'runs.rerun': 'rerunExecution',
  'sso.view': 'getSsoConnection',
  'sso.manage': 'putSsoConnection',
  'stop-list.manage': 'addToStopList',
  'team.view': 'listTeam',
  'team.manage': 'changeMember',
  'usage.view': 'getUsage',
  'users.view': 'listUsers',
  'users.manage': 'updateUser',
  'webhooks.view': 'listWebhooks',
  'webhooks.manage': 'createWebhook',
} as const satisfies { [permission: string]: RouteName };
export type Permission = keyof typeof PERMISSIONS;

/** The routes that decide permissions; the whole table has more. */
export type DecidingRoutes = { readonly [Name in (typeof PERMISSIONS)[Permission]]: Route };
export type AccessDecision = { allowed: true } | { allowed: false; code: AccessRefusal };

/** Returns whether `subject` has `permission`, and if not, the error code the server would refuse with. */
export function can(routes: DecidingRoutes, subject: AccessSubject, permission: Permission): AccessDecision {
  const code = refusedCall(routes[PERMISSIONS[permission]], subject);
  return code === null ? { allowed: true } : { allowed: false, code };
}

/** Returns all permissions of `subject`, as listed by `GET /auth/me`. */
export function permissionsOf(routes: DecidingRoutes, subject: AccessSubject): Permission[] {
  return Object.keys(PERMISSIONS).filter((permission): permission is Permission => can(routes, subject, permission as Permission).allowed);
}
