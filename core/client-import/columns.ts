import { CLIENT_IMPORT_FIELDS, type ClientImportField } from '@partner-portal/contract/vocabulary.ts';

/** How each field is shown, which is also its heading in the template. */
export const FIELD_LABELS: Readonly<Record<ClientImportField, string>> = {
  name: 'Name',
  contactName: 'Contact name',
  contactEmail: 'E-mail',
  phone: 'Phone',
  website: 'Website',
  timezone: 'Time zone',
  locale: 'Language',
  industry: 'Industry',
  externalRef: 'Your reference',
  notes: 'Notes',
  hours: 'Opening hours',
  bookingUrl: 'Booking link',
  reviewUrl: 'Review link',
  address: 'Address',
  faqText: 'Questions and answers',
  id: 'Portal ID',
};

/** Headings that other systems use in English, German and Spanish, as `fold` writes them. The first column that fits takes the field, `NUMBER_OR_NAME` last. */
const HEADINGS: Readonly<Record<ClientImportField, readonly string[]>> = {
  name: [
    'name',
    'client',
    'client name',
    'company',
    'company name',
    'business',
    'business name',
    'account',
    'account name',
    'customer',
    'customer name',
    'organization',
    'organisation',
    'kunde',
    'kundenname',
    'firma',
    'firmenname',
    'unternehmen',
    'unternehmensname',
    'betrieb',
    'mandant',
    'cliente',
    'nombre',
    'nombre del cliente',
    'empresa',
    'nombre de la empresa',
    'nombre empresa',
    'negocio',
    'nombre del negocio',
    'razon social',
  ],
  contactName: [
    'contact',
    'contact name',
    'contact person',
    'main contact',
    'primary contact',
    'owner',
    'owner name',
    'ansprechpartner',
    'ansprechpartnerin',
    'ansprechperson',
    'kontakt',
    'kontaktperson',
    'kontaktname',
    'inhaber',
    'inhaberin',
    'contacto',
    'nombre de contacto',
    'nombre del contacto',
    'persona de contacto',
    'responsable',
    'propietario',
  ],
  contactEmail: [
    'email',
    'e mail',
    'mail',
    'email address',
    'e mail address',
    'contact email',
    'contact e mail',
    'e mail adresse',
    'emailadresse',
    'mailadresse',
    'kontakt e mail',
    'correo',
    'correo electronico',
    'direccion de correo',
    'email de contacto',
    'correo de contacto',
  ],
  phone: [
    'phone',
    'phone number',
    'telephone',
    'tel',
    'mobile',
    'cell',
    'contact phone',
    'telefon',
    'telefonnummer',
    'rufnummer',
    'handy',
    'mobil',
    'mobilnummer',
    'telefono',
    'numero de telefono',
    'movil',
    'celular',
  ],
  website: ['website', 'web site', 'web', 'url', 'homepage', 'webseite', 'internetseite', 'webadresse', 'sitio web', 'pagina web'],
  timezone: ['time zone', 'timezone', 'tz', 'zeitzone', 'zona horaria', 'huso horario'],
  locale: ['language', 'locale', 'lang', 'sprache', 'idioma', 'lengua'],
  industry: ['industry', 'sector', 'vertical', 'category', 'branche', 'gewerbe', 'kategorie', 'industria', 'rubro', 'categoria', 'giro'],
  externalRef: [
    'your reference',
    'reference',
    'ref',
    'external ref',
    'external reference',
    'external id',
    'externalref',
    'crm id',
    'client id',
    'customer id',
    'customer number',
    'client number',
    'account number',
    'referenz',
    'ihre referenz',
    'kundennummer',
    'kunden nr',
    'kundennr',
    'externe id',
    'externe nummer',
    'referencia',
    'su referencia',
    'referencia externa',
    'id externo',
    'numero de cliente',
    'id de cliente',
    'id cliente',
    'codigo de cliente',
  ],
  notes: [
    'notes',
    'note',
    'comment',
    'comments',
    'remarks',
    'notiz',
    'notizen',
    'bemerkung',
    'bemerkungen',
    'anmerkungen',
    'notas',
    'nota',
    'comentarios',
    'observaciones',
  ],
  hours: [
    'opening hours',
    'business hours',
    'hours',
    'office hours',
    'offnungszeiten',
    'oeffnungszeiten',
    'geschaftszeiten',
    'geschaeftszeiten',
    'sprechzeiten',
    'horario',
    'horarios',
    'horario de apertura',
    'horario de atencion',
  ],
  bookingUrl: [
    'booking link',
    'booking url',
    'booking page',
    'booking',
    'calendar link',
    'buchungslink',
    'buchungsseite',
    'terminlink',
    'terminbuchung',
    'enlace de reservas',
    'enlace de reserva',
    'reservas',
    'url de reservas',
    'link de reservas',
    'enlace de citas',
  ],
  reviewUrl: [
    'review link',
    'review url',
    'reviews',
    'google review link',
    'google reviews',
    'bewertungslink',
    'bewertungsseite',
    'bewertungen',
    'enlace de resenas',
    'enlace de opiniones',
    'resenas',
    'url de resenas',
    'opiniones',
  ],
  address: ['address', 'street address', 'business address', 'adresse', 'anschrift', 'direccion', 'domicilio', 'direccion del negocio'],
  faqText: [
    'questions and answers',
    'faq',
    'faqs',
    'q and a',
    'fragen und antworten',
    'haufige fragen',
    'haeufige fragen',
    'preguntas y respuestas',
    'preguntas frecuentes',
  ],
  id: ['portalid'],
};

const FIELD_OF = new Map(
  CLIENT_IMPORT_FIELDS.flatMap((field) =>
    [fold(field), ...HEADINGS[field]].map((heading) => [heading.replaceAll(' ', ''), field] as const),
  ),
);

/** Headings over a name, or over a number or an ID where another column holds the name, as in our own exports. */
const NUMBER_OR_NAME: ReadonlySet<string> = new Set(['client', 'customer', 'account', 'kunde', 'mandant', 'cliente']);

/** The heading of the IDs in our own exports of clients. */
const ID_OF_EXPORTS = 'client';

/** Which field each column fills, by its heading; null for one that is not recognised. No field is filled twice. */
export function recogniseColumns(header: readonly string[]): (ClientImportField | null)[] {
  const headings = header.map((heading) => fold(heading).replaceAll(' ', ''));
  const hasName = headings.some((heading) => FIELD_OF.get(heading) === 'name' && !NUMBER_OR_NAME.has(heading));
  const taken = new Set<ClientImportField>();
  return headings.map((heading) => {
    const isNumber = hasName && NUMBER_OR_NAME.has(heading);
    const field = isNumber ? (heading === ID_OF_EXPORTS ? 'id' : undefined) : FIELD_OF.get(heading);
    if (field === undefined || taken.has(field)) return null;
    taken.add(field);
    return field;
  });
}

/** A web or mail address or a number of at least five digits, which no heading is. */
const DATA = /@|^https?:|\.[a-z]{2,}(\/|$)|\d[\d\s()./-]{3,}\d/i;

/** Whether a first row is data rather than headings: it names no field, and a cell of it looks like an address or a number. */
export function looksLikeData(cells: readonly string[]): boolean {
  return recogniseColumns(cells).every((field) => field === null) && cells.some((cell) => DATA.test(cell.trim()));
}

/** Lower-case letters and digits without accents; everything else is a blank. */
function fold(heading: string): string {
  return heading
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
