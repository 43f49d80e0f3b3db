import type { notFound as source } from '../en/not-found.ts';

export const notFound: Readonly<Record<keyof typeof source, string>> = {
  'not-found.title': 'Seite nicht gefunden',
  'not-found.text': 'Der Link ist vielleicht unvollständig oder veraltet, oder der Eintrag wurde entfernt.',
  'not-found.home': 'Zur Startseite',
  'not-found.back': 'Zurück',
  'not-found.portal': 'Zum Portal',
  'not-found.login': 'Anmelden',
  'not-found.status': 'Status des Dienstes',
};
