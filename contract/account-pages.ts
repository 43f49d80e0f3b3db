import type { Role } from './vocabulary.ts';

/** Pages of the portal by role: the own account, and where notifications are chosen. Apart from `HOME_PAGES`, which the login loads. */
export const ACCOUNT_PAGES = {
  ADMIN: { account: '/admin/account', notifications: '/admin/account' },
  PARTNER: { account: '/dashboard/settings/security', notifications: '/dashboard/settings/notifications' },
  CLIENT: { account: '/client/settings', notifications: '/client/settings' },
} as const satisfies Readonly<Record<Role, object>>;
