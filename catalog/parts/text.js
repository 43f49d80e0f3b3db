// Fills {name} placeholders. An unknown name becomes nothing, so that no brace ever reaches a customer,
// and the blanks it leaves behind are closed.
export const fill = (text, values) => closeBlanks(String(text ?? '').replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? '')));

// "Hola, {firstName}: …" without a name begins "Hola: …".
export const closeBlanks = (text) =>
  text
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/ +([.,!?;:])/g, '$1')
    .replace(/,(?=[.,!?;:](?:\s|$))/g, '')
    .trim();

// A sign as people see one may be many characters long: a cut falls between two of them. Signs that are longer than this are none.
const SIGN_MAX = 64;

// The beginning of a text, at most `max` UTF-16 units long, and never half a sign.
export const head = (text, max) => {
  if (text.length <= max) return text;
  if (max <= 0) return '';
  const start = text.slice(0, max + SIGN_MAX);
  const at = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(start).containing(max)?.index ?? max;
  return start.slice(0, at > 0 ? at : max);
};

// Cuts at a word where possible.
export const clip = (text, max) => {
  const whole = String(text ?? '');
  if (whole.length <= max) return whole;
  const cut = head(whole, max - 1);
  const space = cut.lastIndexOf(' ');
  return (space > max / 2 ? cut.slice(0, space) : cut) + '…';
};

// A number with the decimal mark of a language, and no other marks: it may be an id or a year.
export const decimalIn = (locale, number) =>
  inLocale(locale, { en: String(number), de: String(number).replace('.', ','), es: String(number).replace('.', ',') });

// What the provider takes as one text.
const BODY_MAX = 1600;
// What links and the opt-out line leave of it for words, at least.
export const LINK_MAX = 1200;

// A text with its opt-out line. What does not fit is cut from its middle: its beginning, the link and the line always go out. The words behind
// the link keep a third of the room.
export const smsBody = ({ text, link, line }) => {
  const whole = line === '' || text.includes(line) ? text : text + ' ' + line;
  if (whole.length <= BODY_MAX) return whole;
  const said = line === '' ? text : text.split(line).join('').trim();
  const end = line === '' ? '' : ' ' + line;
  const room = BODY_MAX - end.length;
  const at = link && link.length <= LINK_MAX ? said.lastIndexOf(link) : -1;
  if (at < 0) return clip(said, room) + end;
  const left = room - link.length;
  const after = clip(said.slice(at + link.length), Math.max(Math.floor(left / 3), left - at));
  const begin = said.slice(0, at);
  const before = begin.length <= left - after.length ? begin : clip(begin, left - after.length - 1) + ' ';
  return before + link + after + end;
};

export const escapeHtml = (text) =>
  String(text ?? '').replace(/[&<>"']/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign]);

// For members of lists and of whole leads, which come as they were sent; an address of its own comes canonical.
export const isEmail = (text) => /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;".]{2,}$/.test(String(text ?? '').trim());

const UNREAD =
  /^(?:(?:.*[-_.+])?(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|nicht[-_.]?antworten|keine[-_.]?antwort|no[-_.]?responder)\d*(?:[-_.+].*)?|(?:.*[-_.+])?notifications?|bounces?(?:[-_.+].*)?|mailer[-_.]?daemon|postmaster)@/;

// Whether no one reads the mails to an address: programs write from it, and bounces return to it.
export const isUnread = (address) => UNREAD.test(String(address ?? '').toLowerCase());

// What others wrote goes to someone who did not write it, so phones and mail programs must find nothing in it to tap. The service judges names of people
// in the same way (core/people/name.ts), which knows all top-level domains; here any word in lower case after a dot is one.
const folded = (word) =>
  word
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[。․﹒．｡]/gu, '.');
// The letters before "://" are looked for behind it: a word of many letters would be read to its end from each of them.
const ADDRESS =
  /:\/\/(?<=[a-z][a-z0-9+.-]*:\/\/)|\b(?:https?|mailto|tel|sms|ftp|data|javascript):|(?<![\p{L}\p{N}])www\d?\.|[^\s@]@[^\s@]|(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)/iu;
const HOST = /[\p{L}\p{N}\p{M}]\.(?:xn--[a-z0-9-]+|(?!\p{L}*\p{Lu})\p{Ll}[\p{L}\p{M}]+)(?![\p{L}\p{N}])/u;
const PATH = /[\p{L}\p{N}]\.\p{L}{2,}(?:[/?#]|:\d)/u;
const PHONE = /\+?\p{Nd}(?:[\s()./-]*\p{Nd}){6,}/gu;

const hasLink = (text) =>
  String(text ?? '')
    .split(/\s+/)
    .map(folded)
    .some((word) => ADDRESS.test(word) || HOST.test(word) || PATH.test(word));

// A web address as such, in a text that a language model wrote.
export const hasWebAddress = (text) =>
  /https?:\/\/|www\./i.test(text) ||
  String(text ?? '')
    .split(/\s+/)
    .some((word) => PATH.test(folded(word)));

const withSpaces = (text) => text.replace(/(?<=[\p{L}\p{N}\p{M}])\p{Cf}*[.。․﹒．｡](?=\p{Cf}*\p{L}\p{M}*\p{Cf}*\p{L})/gu, '. ');

// "Dr.Müller" becomes "Dr. Müller", and "Evil.Com" no link. `own`: what may stand as it is, but not as a part of another name or domain, such as the
// address of the reader or the domain of the business.
export const spaced = (text, own = []) => {
  const names = own.filter(Boolean).map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (names.length === 0) return withSpaces(text);
  const whole = new RegExp(
    '(?<![\\p{L}\\p{N}.-])(?:' + names.join('|') + ')(?![\\p{L}\\p{N}-]|\\p{Cf}*[.。․﹒．｡]\\p{Cf}*[\\p{L}\\p{N}])',
    'giu',
  );
  let rest = 0;
  let spacedText = '';
  for (const found of text.matchAll(whole)) {
    spacedText += withSpaces(text.slice(rest, found.index)) + found[0];
    rest = found.index + found[0].length;
  }
  return spacedText + withSpaces(text.slice(rest));
};

// Where a mail of the business comes from: any address of it is its own.
export const domainOf = (address) =>
  String(address ?? '')
    .split('@')
    .at(-1);

// A place that a model left for a name, as templates of mails have them.
export const hasPlaceholder = (text) => /\[[^\]]{2,40}\]|\{[^{}]{1,40}\}|<\p{L}[\p{L} _-]{0,40}>/u.test(text);

const plainWords = (text) =>
  String(text ?? '')
    .replace(PHONE, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && !hasLink(word));

// A line of others without the words and numbers that could be tapped.
export const unlinked = (text) =>
  plainWords(text)
    .map((word) => spaced(word))
    .join(' ');

// A subject whose words are no links: no mail program makes one of a mail address in it.
export const spacedSubject = (text, own = []) =>
  text
    .split(/\s+/)
    .map((word) => (word.includes('@') ? word : spaced(word, own)))
    .join(' ')
    .trim();

// The subject of an answer, which is known by its words.
export const unlinkedSubject = (text) =>
  spacedSubject(
    String(text ?? '')
      .replace(PHONE, ' ')
      .split(/\s+/)
      .filter((word) => !hasWebAddress(word))
      .join(' '),
  );

const TITLE =
  /^(?:mrs?|ms|miss|mister|mx|dra?|prof|professor|herrn?|frau|fräulein|frl|sra?|srta|señora?|señorita|doña|dña|dª|sres|sras|señores|lic|mme|mlle|madame|monsieur|maître|msc|bsc|mba|phd)\.?$|^(?:hr|fr|rev|dipl|ing|mag|med|rer|nat)\.$/iu;
const TITLE_WITHOUT_SPACE = /(?<!\p{L})(mrs?|ms|dra?|prof|hr|fr|frl|sra?|srta|lic|dipl|ing|mag|med)\.(?=\p{L})/giu;
// Before a name: "Dipl.-Ing.", "dent.", "Capt."; behind another title also "med" and "Don".
const DEGREE =
  /^(?:capt|lt|col|sgt|maj|gen|hon|rev|arq|abog|mtr[oa]|dent|vet|dipl|phil|jur|habil|univ|ing|mag|psych|kfm|kffr|h\.?c)\.$|\p{L}\.-|^dipl-/iu;
const SECOND_TITLE = /^(?:med|dent|vet|phil|jur|rer|nat|h\.?c\.?)$/;
const isDon = (word, index, words) => /^don$/i.test(word) && /^(?:sr|señor)\.?$/i.test(words[index - 1] ?? '');
// How a family name begins: "von der Leyen", "De la Cruz".
const PARTICLE = /^(?:von|vom|zu|zum|zur|van|der|den|de|del|della|da|das|dos|di|do|du|la|las|le|los|ten|ter|te)$/;
const MARIA = /^m\.?ª$/i;
const AND = /^(?:&|\+|and|und|y|e|et)$/i;
// What stands after a whole name and a comma.
const SUFFIX = /^(?:jr|sr|i{2,3}|iv|md|dds|dmd|phd|esq|rn|cpa|mba|msc|bsc|ma|ba|dipl-?(?:ing|kfm|kffr|psych|inf)|gmbh|ag|ltd|inc|llc)$/i;
const COMPANY = /^(?:gmbh|ag|ug|kg|ltd|inc|llc|corp)$/i;
const BUSINESS = /^(?:firma|fa\.|\p{L}*praxis|\p{L}*kanzlei|hotel|restaurante?|cl[ií]nica|empresa|despacho|bufete|société)$/iu;
const FAMILY = /^(?:the|family|familie|fam|familia|eheleute|ehepaar)\.?$/i;
// What programs and forms store where there is no name; all of its words are such.
const NO_NAME =
  /^(?:none|null|undefined|nil|nan|na|unknown|anonymous|guest|customer|client|caller|no|not|name|provided|given|unbekannte?r?|anonym|gast|kunde|kundin|keine?|angabe|desconocid[oa]|an[oó]nim[oa]|invitad[oa]|cliente|sin|nombre)$/i;
const withoutDots = (word) => word.replace(/\.(?=.)/g, '');
const isTitle = (word, index, words) =>
  TITLE.test(withoutDots(word)) ||
  (index < words.length - 1 && DEGREE.test(word)) ||
  (index > 0 && SECOND_TITLE.test(word)) ||
  isDon(word, index, words);

const isCompany = (words) => COMPANY.test((words.at(-1) ?? '').replace(/\./g, ''));

// No person's name is longer.
const NAME_MAX = 400;

// Nothing when a name has no first name: a title and a family name, a family, a business, an address, or signs and words that stand for none.
export const firstName = (name) => {
  const [whole = '', given = ''] = head(String(name ?? ''), NAME_MAX)
    .split(',', 2)
    .map((part) => part.trim());
  const isGiven = given !== '' && !SUFFIX.test(given.replace(/[.\s]/g, '')) && !isCompany(given.split(/\s+/));
  const words = (isGiven ? given : whole)
    .replace(TITLE_WITHOUT_SPACE, '$1. ')
    .split(/\s+/)
    .map((word) => word.replace(/^["“„«([]+|["”“»)\]]+$/g, ''));
  if (isCompany(words) || BUSINESS.test(words[0]) || [words[0], words.at(-1)].some((word) => FAMILY.test(word))) return '';
  if (words.every((word) => NO_NAME.test(word))) return '';
  const at = words.findIndex((word, index) => !isTitle(word, index, words) && !(index > 0 && AND.test(word)));
  const others = at < 0 ? [] : words.slice(at);
  const [first = ''] = others;
  // The name ends where another person is added: "Mr. Smith & Ms. Jones".
  const and = others.findIndex((word) => AND.test(word));
  const count = and < 0 ? others.length : and;
  if (MARIA.test(first)) return 'María';
  if (PARTICLE.test(at > 0 ? first.toLowerCase() : first)) return '';
  // A title in Spanish, or a first name.
  if (at === 0 && count > 2 && /^don$/i.test(first)) return '';
  if ((at > 0 && !isGiven && count < 2) || !/\p{L}\p{M}*\p{L}/u.test(first)) return '';
  return plainWords(others.join(' '))[0] === first ? spaced(first) : '';
};

// What a customer reads in the language of the client: its text in `texts`, English where there is none.
export const inLocale = (locale, texts) => (Object.hasOwn(texts, locale) ? texts[locale] : texts.en);

// A weekday and clock time as the client's customers read it, which is said after "on", "am" and "el".
export const localTime = (iso, timezone, locale) => {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const tag = inLocale(locale, { en: 'en-GB', de: 'de-DE', es: 'es-ES' });
  const shape = { weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  const written = (timeZone) => {
    const format = new Intl.DateTimeFormat(tag, { ...shape, timeZone });
    if (tag !== 'es-ES') return format.format(date);
    const { weekday, day, month, hour, minute } = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]));
    return weekday + ' ' + day + ' de ' + month + ' a las ' + hour + ':' + minute;
  };
  try {
    return written(timezone || 'UTC');
  } catch {
    return written('UTC');
  }
};
