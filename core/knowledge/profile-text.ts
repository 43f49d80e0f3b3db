export type KnownProfile = {
  name: string;
  phone: string | null;
  website: string | null;
  contactEmail: string | null;
  businessProfile: { hours?: string; bookingUrl?: string; reviewUrl?: string; address?: string; faqText?: string };
};

/** Returns what a client says of its business as a text to answer from: one section per fact, so that each is a passage of its own. */
export function profileText({ name, phone, website, contactEmail, businessProfile: profile }: KnownProfile): string {
  const contact = [
    ['Phone', phone],
    ['Mail', contactEmail],
    ['Website', website],
  ].flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));
  const sections: [string, string | null | undefined][] = [
    ['Opening hours', profile.hours],
    ['Address and location', profile.address],
    ['Contact', contact.length > 0 ? `Contact ${name}.\n${contact.join('\n')}` : null],
    ['Book an appointment online', profile.bookingUrl ? `Booking link: ${profile.bookingUrl}` : null],
    ['Reviews', profile.reviewUrl ? `Leave a review: ${profile.reviewUrl}` : null],
    ['Frequently asked questions', profile.faqText],
  ];
  return sections.flatMap(([heading, text]) => (text?.trim() ? [`# ${heading}\n\n${text.trim()}`] : [])).join('\n\n');
}
