import { LOCALES, type Locale } from '@partner-portal/contract/vocabulary.ts';
import { PROFILE_SECTIONS, type ProfileSection, type ProfileWords } from '@partner-portal/core/knowledge/profile-text.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import type { MessageKey } from '@partner-portal/messages/messages.ts';

/** What a chatbot's own documents are called in the language of its client: visitors read it as the source of an answer. */

type Named = { name: string; locale: Locale };

export function profileTitle({ name, locale }: Named): string {
  return messagesFor(locale).t('bot.profile.title', { business: name });
}

export function textTitle(locale: Locale): string {
  return messagesFor(locale).t('bot.profile.text');
}

const HEADINGS: Readonly<Record<ProfileSection, MessageKey>> = {
  hours: 'bot.profile.hours',
  address: 'bot.profile.address',
  contact: 'bot.profile.contact',
  booking: 'bot.profile.booking',
  reviews: 'bot.profile.reviews',
  questions: 'bot.profile.questions',
};
/** What visitors write who ask for a section, whichever language they and the business use. */
const ASKED: Readonly<Record<ProfileSection, readonly MessageKey[]>> = {
  hours: ['bot.profile.hours', 'bot.asked.hours'],
  address: ['bot.profile.address', 'bot.asked.address'],
  contact: ['bot.profile.contact', 'bot.profile.phone', 'bot.profile.mail', 'bot.profile.website', 'bot.asked.contact'],
  booking: ['bot.profile.booking', 'bot.asked.booking'],
  reviews: ['bot.profile.reviews', 'bot.asked.reviews'],
  questions: ['bot.profile.questions'],
};

/** Returns the headings and labels of a profile, and by heading the words of all languages that also find it. */
export function profileWords({ name, locale }: Named): { words: ProfileWords; foundBy: Readonly<Record<string, string>> } {
  const { t } = messagesFor(locale);
  const say = LOCALES.map((one) => messagesFor(one).t);
  const headingOf = (section: ProfileSection): string => t(HEADINGS[section]);
  return {
    words: {
      headingOf,
      contactOf: t('bot.profile.contact-of', { business: name }),
      phone: t('bot.profile.phone'),
      mail: t('bot.profile.mail'),
      website: t('bot.profile.website'),
      bookingLink: t('bot.profile.booking-link'),
      reviewLink: t('bot.profile.review-link'),
    },
    foundBy: Object.fromEntries(
      PROFILE_SECTIONS.map((section) => [headingOf(section), say.flatMap((tOf) => ASKED[section].map((key) => tOf(key))).join(' ')]),
    ),
  };
}
