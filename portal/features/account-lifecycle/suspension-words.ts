import type { Suspension } from '../../app/suspension.ts';
import { formatLongDay } from '../../ui/text/format.ts';

/** Who reads the page: the agency itself, a client whose own account is suspended, or a client of a suspended agency. */
export type Reader = 'agency' | 'client' | 'client_of_agency';

export function readerOf(role: string, { scope }: Pick<Suspension, 'scope'>): Reader {
  if (role !== 'CLIENT') return 'agency';
  return scope === 'client' ? 'client' : 'client_of_agency';
}

type Names = { agency: string; account: string };

/** The heading and what happened, for each reader. Clients read their agency's name in place of the platform's. */
export function explainSuspension(suspension: Suspension, reader: Reader, { agency, account }: Names): { title: string; lead: string } {
  const { cause, since, purgeAfter } = suspension;
  const day = formatLongDay(since);
  if (reader === 'client_of_agency')
    return {
      title: `${agency} is paused`,
      lead: `Your agents have been paused since ${day}, because the account of ${agency} is suspended. ${
        purgeAfter
          ? `Everything, also your data, is removed on ${formatLongDay(purgeAfter)} unless it continues before. Export your data until then.`
          : 'Nothing of yours was deleted.'
      }`,
    };
  const who = reader === 'client' ? agency : 'We';
  if (cause === 'archived') return { title: `${account} is archived`, lead: `${who} archived this account. Nothing was deleted.` };
  if (cause === 'deletion_approved')
    return {
      title: `${account} will be deleted`,
      lead: `The request to delete this account was approved on ${day}.${
        purgeAfter ? ` Everything is removed on ${formatLongDay(purgeAfter)}; until then it can be brought back as it was.` : ''
      }`,
    };
  const why = cause === 'billing' ? ' because of its billing' : cause === 'policy' ? ' because of its use' : '';
  return { title: `${account} is suspended`, lead: `${who} suspended this account on ${day}${why}. Nothing was deleted.` };
}

/** What works and what does not, for each reader. */
export function effectOf(reader: Reader): string {
  return reader === 'agency'
    ? 'Agents refuse events and schedules are paused for all your clients. Agents, settings, keys and runs stay as they were.'
    : 'Your agents do nothing for now. Their settings and your activity stay as they were.';
}
