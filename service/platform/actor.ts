import type { AuthMethod, PartnerRole, Role } from '@partner-portal/contract/vocabulary.ts';

/**
 * The caller, as authenticated by the session token. Tenant ids are taken from here only, never from a URL or a body. `readOnly` marks a
 * view-as session, `actingUserId` the staff user behind it.
 */
export type Actor = {
  kind: 'user';
  userId: string;
  email: string;
  role: Role;
  partnerId: string;
  /** Always present for PARTNER (a token lacking it counts as `moderator`), null otherwise. */
  partnerRole: PartnerRole | null;
  /** Present for CLIENT, null otherwise. */
  clientId: string | null;
  authMethod: AuthMethod;
  jti: string;
  issuedAt: Date;
  expiresAt: Date;
  readOnly: boolean;
  actingUserId: string | null;
  /** Whether the route that is called answers for a suspended account: its declared access is the only source. */
  whileSuspended: boolean;
  /** Longest one statement of the call may run, by the kind of its route; the bound of a change when left out. */
  statementTimeoutMs?: number;
};

/** A tenant without a user: a job or a verified token acts for it. No session is asserted. */
export type TenantScope = { kind: 'tenant'; partnerId: string; clientId: string | null };
