import type { textChanges as source } from '../en/text-changes.ts';

export const textChanges: Readonly<Record<keyof typeof source, string>> = {
  'text-changes.suggest': 'Änderung vorschlagen',
  'text-changes.dialog': 'Anderer Text für „{label}“',
  'text-changes.lead': '{agency} liest Ihren Vorschlag und übernimmt ihn oder lehnt ihn ab. Bis dahin ändert sich nichts.',
  'text-changes.text': 'Text',
  'text-changes.placeholders': 'Wörter in Klammern wie {example} werden für jede Person eingesetzt.',
  'text-changes.preview': 'So liest es sich',
  'text-changes.note': 'Notiz für {agency}',
  'text-changes.optional': 'optional',
  'text-changes.send': 'Vorschlag senden',
  'text-changes.sent': 'Vorschlag gesendet. {agency} entscheidet darüber.',
  'text-changes.yours': 'Ihre Vorschläge',
  'text-changes.status-pending': 'Wartet auf {agency}',
  'text-changes.status-applied': 'Übernommen',
  'text-changes.status-declined': 'Abgelehnt',
  'text-changes.status-withdrawn': 'Zurückgezogen',
  'text-changes.by': '{status} von {name}',
  'text-changes.withdraw': 'Zurückziehen',
  'text-changes.withdrawing': 'Wird zurückgezogen',
  'text-changes.withdrawn': 'Vorschlag zurückgezogen.',
};
