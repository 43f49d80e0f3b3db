/** Languages of the client's face, of mail to clients, of the chat and of reports. */
export const LOCALES = ['en', 'de', 'es'] as const;
export type Locale = (typeof LOCALES)[number];
