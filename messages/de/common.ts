import type { common as source } from '../en/common.ts';

export const common: Readonly<Record<keyof typeof source, string>> = {
  'common.cancel': 'Abbrechen',
  'common.visitor': 'Besucher {code}',
  'common.leaveTitle': 'Ohne Speichern verlassen?',
  'common.leaveText': 'Ihre Änderungen hier sind noch nicht gespeichert.',
  'common.leave': 'Verlassen',
  'common.stay': 'Hier bleiben',
};
