import type { MemberRow } from './store.ts';

/** The record of the API. */
export function toRecord({ lastAuthMethod, ...member }: MemberRow) {
  return { ...member, authMethod: lastAuthMethod };
}
