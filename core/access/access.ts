import type { ErrorCode } from '@partner-portal/contract/errors.ts';
import type { PartnerRole, Role } from '@partner-portal/contract/vocabulary.ts';

/**
 * Permissions per role. The portal uses the table to disable controls and name the reason; the server enforces the `access` of
 * each route. Browser-safe. See docs/behaviour/identity.md.
 */

/** All permissions. `.view` reads; every other one changes something. */
export const PERMISSIONS = [
  'account.manage',
  'agency.view',
  'agency.manage',
  'agents.view',
  'agents.create',
  'agents.manage',
  'agents.pause',
  'agents.trigger',
  'alerts.view',
  'alerts.manage',
  'automation.view',
  'automation.manage',
  'chatbot.view',
  'chatbot.manage',
  'clients.view',
  'clients.create',
  'clients.manage',
  'credentials.view',
  'credentials.manage',
  'deliveries.view',
  'engine.view',
  'inbox.view',
  'inbox.reply',
  'ingest.view',
  'invitations.view',
  'invitations.manage',
  'partners.view',
  'partners.manage',
  'profile.manage',
  'requests.view',
  'requests.create',
  'requests.decide',
  'runs.view',
  'runs.payloads',
  'runs.rerun',
  'sso.view',
  'sso.manage',
  'stop-list.manage',
  'team.view',
  'team.manage',
  'usage.view',
  'users.view',
  'users.manage',
  'webhooks.view',
  'webhooks.manage',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

export type AccessSubject = { role: Role; partnerRole: PartnerRole | null; readOnly?: boolean };
export type AccessDecision =
  | { allowed: true }
  | { allowed: false; code: Extract<ErrorCode, 'role_forbidden' | 'partner_role_forbidden' | 'view_as_read_only'> };

const STAFF: readonly Permission[] = [
  'inbox.view',
  'account.manage',
  'agents.view',
  'agents.create',
  'agents.manage',
  'agents.trigger',
  'alerts.view',
  'alerts.manage',
  'automation.view',
  'automation.manage',
  'chatbot.view',
  'chatbot.manage',
  'clients.view',
  'clients.manage',
  'credentials.view',
  'deliveries.view',
  'engine.view',
  'ingest.view',
  'invitations.view',
  'partners.view',
  'partners.manage',
  'requests.view',
  'requests.decide',
  'runs.view',
  'runs.payloads',
  'runs.rerun',
  'usage.view',
  'users.view',
  'users.manage',
];
const AGENCY: readonly Permission[] = [
  'inbox.view',
  'inbox.reply',
  'account.manage',
  'agency.view',
  'agency.manage',
  'agents.view',
  'agents.manage',
  'agents.pause',
  'agents.trigger',
  'alerts.view',
  'alerts.manage',
  'automation.view',
  'chatbot.view',
  'chatbot.manage',
  'clients.view',
  'clients.create',
  'clients.manage',
  'credentials.view',
  'credentials.manage',
  'ingest.view',
  'invitations.view',
  'invitations.manage',
  'requests.view',
  'requests.create',
  'runs.view',
  'runs.payloads',
  'runs.rerun',
  'sso.view',
  'sso.manage',
  'stop-list.manage',
  'team.view',
  'team.manage',
  'usage.view',
  'webhooks.view',
  'webhooks.manage',
];
/** `agents.pause` applies only to agents with `clientCanPause`. */
const CLIENT: readonly Permission[] = [
  'inbox.view',
  'inbox.reply',
  'account.manage',
  'agents.view',
  'agents.pause',
  'agents.trigger',
  'chatbot.view',
  'credentials.view',
  'credentials.manage',
  'profile.manage',
  'requests.view',
  'requests.create',
  'runs.view',
  'stop-list.manage',
  'usage.view',
];
const BY_ROLE: Readonly<Record<Role, readonly Permission[]>> = { ADMIN: STAFF, PARTNER: AGENCY, CLIENT };
const READING: ReadonlySet<Permission> = new Set(
  PERMISSIONS.filter((permission) => permission.endsWith('.view') || permission === 'runs.payloads'),
);

/** Returns whether `subject` has `permission`, and if not, the error code the server would refuse with. */
export function can(subject: AccessSubject, permission: Permission): AccessDecision {
  if (!BY_ROLE[subject.role].includes(permission)) return { allowed: false, code: 'role_forbidden' };
  if (READING.has(permission)) return { allowed: true };
  if (subject.readOnly) return { allowed: false, code: 'view_as_read_only' };
  // A PARTNER user without a partner role counts as a moderator, never as an admin.
  if (subject.role === 'PARTNER' && subject.partnerRole !== 'admin') return { allowed: false, code: 'partner_role_forbidden' };
  return { allowed: true };
}

/** Returns all permissions of `subject`, as listed by `GET /auth/me`. */
export function permissionsOf(subject: AccessSubject): Permission[] {
  return PERMISSIONS.filter((permission) => can(subject, permission).allowed);
}
