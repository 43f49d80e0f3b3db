import type { MemberRow } from './store.ts';

/** A member as the agency sees them. */
export function toRecord({ lastAuthMethod, ...member }: MemberRow) {
  return { ...member, authMethod: lastAuthMethod };
}
