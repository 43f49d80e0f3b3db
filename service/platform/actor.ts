import type { AuthMethod, PartnerRole, Role } from '@partner-portal/contract/vocabulary.ts';

/**
 * Who calls, as proved by the session token. Tenant ids come from here only; an id in a URL or a body is never a scope.
 * `readOnly` marks a view-as session, `actingUserId` the person behind it.
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
};

/** A tenant without a person: a job or a proved token acts for it. No session is checked. */
export type TenantScope = { kind: 'tenant'; partnerId: string; clientId: string | null };
