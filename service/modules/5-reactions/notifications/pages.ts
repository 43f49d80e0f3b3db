import type { Role } from '@partner-portal/contract/vocabulary.ts';

/** Where each face begins, and where one chooses how to be told. */
const PAGES: Readonly<Record<Role, { home: string; settings: string }>> = {
  ADMIN: { home: '/admin', settings: '/admin/account' },
  PARTNER: { home: '/dashboard', settings: '/dashboard/settings/alerts' },
  CLIENT: { home: '/client', settings: '/client/settings' },
};

export function preferencesPage(role: Role): { home: string; settings: string } {
  return PAGES[role];
}
