import type { ProfileKey } from '@partner-portal/contract/vocabulary.ts';
import type { MessageKey, Messages } from './messages.ts';

/** Labels of the members of a client's business profile, as its page has them. */
export const PROFILE_LABELS: Readonly<Record<ProfileKey, MessageKey>> = {
  hours: 'client.hours',
  bookingUrl: 'client.bookingLink',
  reviewUrl: 'client.reviewLink',
  address: 'client.address',
  faqText: 'client.faq',
};

/** A required setting that is empty, and the member of the business profile that would fill it. */
type Lack = { fromProfile?: string | null | undefined };

/**
 * Returns for a client who still has to add what to an agent that is being set up, without a full stop: the client or its agency what the business
 * profile holds, its agency everything else.
 */
export function lackSentence({ t, tag }: Pick<Messages, 't' | 'tag'>, agency: string, lacks: readonly Lack[]): string {
  const labels = Object.entries(PROFILE_LABELS).flatMap(([member, label]) =>
    lacks.some(({ fromProfile }) => fromProfile === member) ? [t(label)] : [],
  );
  const hasOther = lacks.some(({ fromProfile }) => !fromProfile);
  const who = labels.length === 0 ? 'agency' : hasOther ? 'both' : 'either';
  return t('client.lacks', { who, agency, what: new Intl.ListFormat(tag).format(labels) });
}
