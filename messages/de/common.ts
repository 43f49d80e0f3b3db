import type { common as source } from '../en/common.ts';

export const common: Readonly<Record<keyof typeof source, string>> = {
  'common.cancel': 'Abbrechen',
  'common.visitor': 'Besucher {code}',
  'common.leaveTitle': 'Ohne Speichern verlassen?',
  'common.leaveText': 'Ihre Änderungen hier sind noch nicht gespeichert.',
  'common.leave': 'Verlassen',
  'common.stay': 'Hier bleiben',
  'common.noMail': 'E-Mail ist hier nicht eingerichtet, es wird also keine gesendet.',
  'common.mailIsOff':
    'E-Mail ist hier nicht eingerichtet, daher erreicht Sie kein Link. Senden Sie die Anfrage und bitten Sie dann die Person, die Sie eingeladen hat, um den Link.',
  'common.noMailSent':
    'Es wurde keine E-Mail gesendet, weil E-Mail hier nicht eingerichtet ist. Wenn es zu dieser Adresse ein Konto gibt, fragen Sie die Person, die Sie eingeladen hat: Der technische Support kann den Link weitergeben.',
};
