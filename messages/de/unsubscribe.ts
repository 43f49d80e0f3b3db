export const unsubscribe = {
  'unsubscribe.title': 'Diese E-Mails abbestellen?',
  'unsubscribe.notifications':
    'Sie erhalten keine E-Mails dieser Art mehr. Im Portal sehen Sie den Inhalt weiterhin, und in Ihren Einstellungen können Sie sie wieder einschalten.',
  'unsubscribe.digest':
    'Sie erhalten keine tägliche Zusammenfassung mehr. Im Portal sehen Sie den Inhalt weiterhin, und in Ihren Einstellungen können Sie sie wieder einschalten.',
  'unsubscribe.report':
    'Sie erhalten keine Monatsberichte per E-Mail mehr. Der Bericht bleibt im Portal, und dort können Sie die E-Mail wieder einschalten.',
  'unsubscribe.newsletter': 'Sie erhalten keinen Newsletter mehr, und wir löschen Ihre Adresse.',
  'unsubscribe.stop': 'E-Mails abbestellen',
  'unsubscribe.stopping': 'Wird abbestellt',
  'unsubscribe.done': 'Sie erhalten diese E-Mails nicht mehr',
  'unsubscribe.close': 'Sie können diese Seite schließen.',
  'unsubscribe.invalid': 'Dieser Link funktioniert nicht',
  'unsubscribe.incomplete': 'Er ist vielleicht unvollständig. Öffnen Sie ihn noch einmal aus der E-Mail.',
  'unsubscribe.failed': 'Das konnte nicht gespeichert werden. Versuchen Sie es in einer Minute noch einmal.',
  'unsubscribe.notOpened': 'Die Seite konnte nicht geöffnet werden',
  'unsubscribe.later': 'Öffnen Sie den Link in einer Minute noch einmal aus der E-Mail.',
} as const;
