import type { clientPeople as source } from '../en/client-people.ts';

export const clientPeople: Readonly<Record<keyof typeof source, string>> = {
  'client-people.title': 'Personen',
  'client-people.lead': 'Wer aus Ihrem Unternehmen Zugang hat, und Ihre Ansprechpersonen bei {agency}.',
  'client-people.yours': 'Aus Ihrem Unternehmen',
  'client-people.you': 'Sie',
  'client-people.last-login': 'Zuletzt angemeldet {when}',
  'client-people.never': 'Noch nie angemeldet',
  'client-people.invited': 'Eingeladen',
  'client-people.invited-until': 'Einladung gesendet {when}, gültig bis {until}',
  'client-people.agency': 'Bei {agency}',
  'client-people.responsible': 'Verantwortlich',
  'client-people.support': 'Support',
  'client-people.change': 'Um jemanden einzuladen oder zu entfernen, fragen Sie {agency}.',
};
