type Chooser = { userId: string; role: string; partnerRole: string | null };

/**
 * Returns why someone may not choose for a person: `others` when only an admin of the agency may, `opted_out` when the person ended it and
 * only they can begin again. Null when they may.
 */
export function recipientObstacle(
  by: Chooser,
  person: { userId: string; hasOptedOut: boolean },
  isSubscribed: boolean,
): 'others' | 'opted_out' | null {
  if (by.userId === person.userId) return null;
  if (by.role !== 'PARTNER' || by.partnerRole !== 'admin') return 'others';
  return isSubscribed && person.hasOptedOut ? 'opted_out' : null;
}
