import type { Role } from '@partner-portal/contract/vocabulary.ts';

/** Start page and preferences page of each role. */
const PAGES: Readonly<Record<Role, { home: string; settings: string }>> = {
  ADMIN: { home: '/admin', settings: '/admin/account' },
  PARTNER: { home: '/dashboard', settings: '/dashboard/settings/notifications' },
  CLIENT: { home: '/client', settings: '/client/settings' },
};

export function preferencesPage(role: Role): { home: string; settings: string } {
  return PAGES[role];
}
