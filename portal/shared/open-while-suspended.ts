/** Pages that work while the account is suspended, by its portal, with the pages below them. */
export const OPEN_WHILE_SUSPENDED = {
  agency: ['/dashboard/billing', '/dashboard/settings/profile', '/dashboard/settings/security'],
  client: ['/client/settings'],
} as const;

const ALL: readonly string[] = Object.values(OPEN_WHILE_SUSPENDED).flat();

/** Returns whether the page of a path works while the account is suspended. */
export function isOpenWhileSuspended(path: string): boolean {
  return ALL.some((open) => path === open || path.startsWith(`${open}/`));
}
