export const ROLES = ['ADMIN', 'PARTNER', 'CLIENT'] as const;
export type Role = (typeof ROLES)[number];

export const PARTNER_ROLES = ['admin', 'moderator'] as const;
export type PartnerRole = (typeof PARTNER_ROLES)[number];

export const AUTH_METHODS = ['password', 'password_mfa', 'saml', 'oidc', 'view_as'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

export const USER_STATUSES = ['active', 'disabled'] as const;

export const THEMES = ['system', 'light', 'dark'] as const;

export const INVITATION_KINDS = ['owner', 'team', 'client_user'] as const;
export type InvitationKind = (typeof INVITATION_KINDS)[number];

export const INVITATION_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const;

/** `held`: waits until staff send it (docs/behaviour/mail.md). */
export const EMAIL_STATUSES = ['sent', 'held', 'failed', 'not_configured'] as const;
