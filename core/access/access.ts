import type { ErrorCode } from '@partner-portal/contract/errors.ts';
import type { PartnerRole, Role } from '@partner-portal/contract/vocabulary.ts';

/**
 * What each kind of caller may do, as one table. The portal asks it to show a control as disabled with its reason; the
 * server refuses by the `access` of each route. Browser-safe.
 * Sources: specification, Team permission and Roles and permissions; product.md §5 for the roles of each route.
 */

/** Everything that can be permitted. `.view` reads, everything else changes something. */
export const PERMISSIONS = [
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
  'clients.view',
  'clients.create',
  'clients.manage',
  'credentials.view',
  'credentials.manage',
  'deliveries.view',
  'engine.view',
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
  'agents.view',
  'agents.create',
  'agents.manage',
  'agents.trigger',
  'alerts.view',
  'alerts.manage',
  'automation.view',
  'automation.manage',
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
  'agency.view',
  'agency.manage',
  'agents.view',
  'agents.manage',
  'agents.pause',
  'agents.trigger',
  'alerts.view',
  'alerts.manage',
  'automation.view',
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
  'team.view',
  'team.manage',
  'usage.view',
  'webhooks.view',
  'webhooks.manage',
];
/** `agents.pause` holds only for agents whose agency allows it; the agent itself says so. */
const CLIENT: readonly Permission[] = [
  'agents.view',
  'agents.pause',
  'agents.trigger',
  'credentials.view',
  'credentials.manage',
  'profile.manage',
  'requests.view',
  'requests.create',
  'runs.view',
  'usage.view',
];
const BY_ROLE: Readonly<Record<Role, readonly Permission[]>> = { ADMIN: STAFF, PARTNER: AGENCY, CLIENT };
const READING: ReadonlySet<Permission> = new Set(
  PERMISSIONS.filter((permission) => permission.endsWith('.view') || permission === 'runs.payloads'),
);

/** Whether `subject` may do `permission` at all, and if not, with which code the server would refuse. */
export function can(subject: AccessSubject, permission: Permission): AccessDecision {
  if (!BY_ROLE[subject.role].includes(permission)) return { allowed: false, code: 'role_forbidden' };
  if (READING.has(permission)) return { allowed: true };
  if (subject.readOnly) return { allowed: false, code: 'view_as_read_only' };
  // A PARTNER without a permission counts as a moderator, never as an admin (product.md §2.4).
  if (subject.role === 'PARTNER' && subject.partnerRole !== 'admin') return { allowed: false, code: 'partner_role_forbidden' };
  return { allowed: true };
}

/** All permissions of `subject`, as `GET /auth/me` answers them. */
export function permissionsOf(subject: AccessSubject): Permission[] {
  return PERMISSIONS.filter((permission) => can(subject, permission).allowed);
}
