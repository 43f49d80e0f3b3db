import type { Role } from './vocabulary.ts';

/** Pages of the portal by role: the first one, the own account, and where notifications are chosen. */
export const ROLE_PAGES = {
  ADMIN: { home: '/admin', account: '/admin/account', notifications: '/admin/account' },
  PARTNER: { home: '/dashboard', account: '/dashboard/settings/security', notifications: '/dashboard/settings/notifications' },
  CLIENT: { home: '/client', account: '/client/settings', notifications: '/client/settings' },
} as const satisfies Readonly<Record<Role, object>>;
