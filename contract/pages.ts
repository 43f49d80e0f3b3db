import type { Role } from './vocabulary.ts';

/** The first page of the portal by role. */
export const HOME_PAGES = { ADMIN: '/admin', PARTNER: '/dashboard', CLIENT: '/client' } as const satisfies Readonly<Record<Role, string>>;
