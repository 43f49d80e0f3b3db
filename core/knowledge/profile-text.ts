import type { ProfileKey } from '@partner-portal/contract/vocabulary.ts';

export type KnownProfile = {
  name: string;
  phone: string | null;
  website: string | null;
  contactEmail: string | null;
  businessProfile: { [key in ProfileKey]?: string };
};

export const PROFILE_SECTIONS = ['hours', 'address', 'contact', 'booking', 'reviews', 'questions'] as const;
export type ProfileSection = (typeof PROFILE_SECTIONS)[number];

/** Headings and labels in the language of the business. `contactOf`: a sentence with its name. */
export type ProfileWords = {
  headingOf: (section: ProfileSection) => string;
  contactOf: string;
  phone: string;
  mail: string;
  website: string;
  bookingLink: string;
  reviewLink: string;
};

/** Returns what a client says of its business as a text to answer from: one section per fact, so that each is a passage of its own. */
export function profileText({ phone, website, contactEmail, businessProfile: profile }: KnownProfile, words: ProfileWords): string {
  const line = (label: string, value: string | null | undefined): string[] => (value ? [`${label}: ${value}`] : []);
  const contact = [...line(words.phone, phone), ...line(words.mail, contactEmail), ...line(words.website, website)];
  const texts: Record<ProfileSection, string | undefined> = {
    hours: profile.hours,
    address: profile.address,
    contact: contact.length > 0 ? [words.contactOf, ...contact].join('\n') : undefined,
    booking: line(words.bookingLink, profile.bookingUrl)[0],
    reviews: line(words.reviewLink, profile.reviewUrl)[0],
    questions: profile.faqText,
  };
  return PROFILE_SECTIONS.flatMap((section) => {
    const text = texts[section]?.trim();
    return text ? [`# ${words.headingOf(section)}\n\n${text}`] : [];
  }).join('\n\n');
}
