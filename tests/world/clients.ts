/** The businesses that events arrive at: each in a country, a time zone and a language of its own. */
export const CLIENTS = {
  chicago: { name: 'Oak Street Dental', timezone: 'America/Chicago', locale: 'en', phone: '+13125550100', textsFrom: '+13125550100' },
  london: { name: 'Baker & Sons Plumbing', timezone: 'Europe/London', locale: 'en', phone: '+442079460018', textsFrom: '+447400123456' },
  berlin: {
    name: 'Bergmann, Söhne @ Wien; (Praxis)',
    timezone: 'Europe/Berlin',
    locale: 'de',
    phone: '+4930901820',
    textsFrom: '+4915123456780',
  },
  madrid: { name: 'Clínica Mirador', timezone: 'Europe/Madrid', locale: 'es', phone: '+34912345678', textsFrom: '+34612345670' },
  sydney: { name: 'Harbour Physio', timezone: 'Australia/Sydney', locale: 'en', phone: '+61293744000', textsFrom: '+61412345670' },
} as const;
export type ClientName = keyof typeof CLIENTS;
