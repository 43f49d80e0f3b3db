import type { PartnerColumns, SessionRow } from './store.ts';

const NO_FEATURES = {
  sso: false,
  chatbot: false,
  customTemplates: false,
  aiPlatformKeys: false,
  customDomain: false,
  auditRetentionDays: 365,
};

export function featuresOf(row: Pick<SessionRow, 'features'>) {
  return { ...NO_FEATURES, ...row.features };
}

export function partnerOf(row: PartnerColumns) {
  return {
    id: row.partnerId,
    name: row.partnerName,
    slug: row.partnerSlug,
    logoUrl: row.partnerLogoUrl,
    logoAlt: row.partnerLogoAlt,
    brandColor: row.partnerBrandColor,
    status: row.partnerStatus,
    timezone: row.partnerTimezone,
  };
}

export function clientOf(row: SessionRow) {
  return row.clientId === null ? null : { id: row.clientId, name: row.clientName ?? '' };
}

/** The `user` of a session response, without the hash. */
export function sessionUserOf(row: SessionRow, authMethod: string) {
  return {
    id: row.id,
    email: row.email,
    fullName: row.fullName,
    role: row.role,
    partnerId: row.partnerId,
    partnerRole: row.partnerRole,
    clientId: row.clientId,
    status: row.status,
    mfaEnabled: row.mfaEnabled,
    avatarUrl: row.avatarUrl,
    locale: row.locale,
    timezone: row.timezone,
    theme: row.theme,
    lastLoginAt: row.lastLoginAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    partner: partnerOf(row),
    client: clientOf(row),
    features: featuresOf(row),
    suspension: row.suspension,
    authMethod,
  };
}
