/** A client that was archived before its deletion was approved stays archived, which is final. */
export const ARCHIVED_AGAIN = 'It was archived before, so it is archived again and its agents stay stopped.';

/** What an approved reactivation led to. */
export function broughtBack(name: string, status: string | null): string {
  return status === 'archived' ? `${name} is archived again. Its deletion is withdrawn.` : `${name} is back, with everything it had.`;
}
