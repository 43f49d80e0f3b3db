import type { Messages } from '@partner-portal/messages/messages.ts';
import type { Suspension } from '../../app/suspension.ts';
import { formatLongDay } from '../../ui/text/format.ts';

/** Who reads the page: the agency itself, a client whose own account is suspended, or a client of a suspended agency. */
export type Reader = 'agency' | 'client' | 'client_of_agency';

export function readerOf(role: string, { scope }: Pick<Suspension, 'scope'>): Reader {
  if (role !== 'CLIENT') return 'agency';
  return scope === 'client' ? 'client' : 'client_of_agency';
}

type Names = { agency: string; account: string };

const SUSPENDED = { billing: 'lifecycle.suspended-by-billing', policy: 'lifecycle.suspended-by-policy' } as const;

/** The heading, what happened, and what works, for each reader. Clients read their agency's name in place of the platform's. */
export function explainSuspension(
  t: Messages['t'],
  suspension: Suspension,
  reader: Reader,
  { agency, account }: Names,
): { title: string; lead: string; effect: string } {
  const { cause, since, purgeAfter, reactivationPending } = suspension;
  const day = formatLongDay(since);
  const until = purgeAfter ? formatLongDay(purgeAfter) : null;
  const effect = reader === 'agency' ? AGENCY.effect : t('lifecycle.effect');
  if (reader === 'client_of_agency') {
    const happened = t('lifecycle.agency-paused-since', { day, agency });
    const kept = until === null ? t('lifecycle.nothing-of-yours') : t('lifecycle.agency-removed', { day: until });
    return { title: t('lifecycle.agency-paused', { agency }), lead: `${happened} ${kept}`, effect };
  }
  if (cause === 'deletion_approved') {
    const happened = t('lifecycle.approved-on', { day });
    const lead =
      until === null
        ? happened
        : `${happened} ${t(reactivationPending ? 'lifecycle.removal-waits' : 'lifecycle.removed-until-then', { day: until })}`;
    return { title: t('lifecycle.will-be-deleted', { account }), lead, effect };
  }
  // Archived is final: docs/behaviour/tenancy.md.
  if (cause === 'archived')
    return {
      title: t('lifecycle.is-archived', { account }),
      lead: t('lifecycle.archived-by', { agency }),
      effect: t('lifecycle.effect-archived'),
    };
  const key = cause === 'billing' || cause === 'policy' ? SUSPENDED[cause] : 'lifecycle.suspended-by';
  const who = reader === 'client' ? agency : AGENCY.we;
  return { title: t('lifecycle.is-suspended', { account }), lead: t(key, { agency: who, day }), effect };
}

/** The agency's face is in English. */
const AGENCY = {
  we: 'We',
  effect: 'Agents refuse events and schedules are paused for all your clients. Agents, settings, keys and runs stay as they were.',
};
