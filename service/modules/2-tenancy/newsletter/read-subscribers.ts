import { consentText } from '@partner-portal/contract/newsletter-consent.ts';
import type { Actor } from '#platform/actor.ts';
import type { CsvColumns } from '#platform/http/csv-list.ts';
import { toPage } from '#platform/http/cursor.ts';
import type { NewsletterDeps } from './deps.ts';
import { listSubscribers, type SubscriberFilters, type SubscriberRow } from './store.ts';

type Deps = Pick<NewsletterDeps, 'db' | 'cursors'>;

/** Returns subscribers for staff, newest first. */
export async function readSubscribers(
  { db, cursors }: Deps,
  actor: Actor,
  { limit, cursor, ...filters }: SubscriberFilters & { limit: number; cursor?: string | undefined },
) {
  return db.asStaff(actor, async (tx) => {
    const bound = { ...filters, list: 'newsletter' };
    const [before = null] = cursors.open(bound, cursor) ?? [];
    const rows = await listSubscribers(tx, filters, before, limit + 1);
    const page = toPage(
      rows,
      limit,
      (row) => [row.id],
      (position) => cursors.seal(bound, position),
    );
    return { ...page, data: page.data.map(toRecord) };
  });
}

export const SUBSCRIBER_COLUMNS: CsvColumns<ReturnType<typeof toRecord>> = [
  ['Subscriber', (row) => row.id],
  ['Mail', (row) => row.email],
  ['Status', (row) => row.status],
  ['Source', (row) => row.source],
  ['Consent version', (row) => row.textVersion],
  ['Consent', (row) => row.consentText],
  ['Requested', (row) => row.requestedAt],
  ['Confirmed', (row) => row.confirmedAt],
  ['Unsubscribed', (row) => row.unsubscribedAt],
];

function toRecord(row: SubscriberRow) {
  return { ...row, consentText: consentText(row.textVersion) ?? '' };
}
