// From one to five in English, German, Spanish and French.
const WORDS = [
  ['one', 'eins', 'ein', 'uno', 'una', 'un', 'une'],
  ['two', 'zwei', 'dos', 'deux'],
  ['three', 'drei', 'tres', 'trois'],
  ['four', 'vier', 'cuatro', 'quatre'],
  ['five', 'fünf', 'fuenf', 'cinco', 'cinq'],
];
const numberOf = (word) => WORDS.findIndex((words) => words.includes(word)) + 1;
const STARS = '(?:stars?|sterne?n?|punkte?n?|points?|estrellas?|puntos?|étoiles?)';
const OF = '(?:of|out of|von|de|sobre|sur)';
const SPOKEN = new RegExp('^(\\p{L}+)(?:\\s+' + STARS + ')?(?:\\s+' + OF + '\\s+(\\p{L}+))?(?:\\s+' + STARS + ')?$', 'u');
const WRITTEN = new RegExp(
  '^(\\d{1,3}(?:[.,]\\d{1,2})?)\\s*(?:' + STARS + '?\\s*(?:/|' + OF + ')\\s*(\\d{1,3})(?:[.,]0)?)?\\s*(?:[a-zäöüé]+|[★⭐]\\uFE0F?|\\*)?$',
  'u',
);

// No rating is longer, with what its writer says to it.
const RATING_MAX = 2000;

// The name of a step of a scale. "5 - sehr unzufrieden" is on one that counts the other way, as school marks of Germany do.
const DEGREES =
  'sehr|äußerst|eher|ziemlich|recht|very|extremely|completely|totally|strongly|somewhat|rather|quite|mostly|fairly|muy|totalmente|bastante|más bien|très|plutôt|assez';
// "2 - slightly satisfied" is low on a scale whose 5 is the best, too.
const LITTLE = 'etwas|teilweise|slightly|partly|a little|algo|un poco|un peu';
const NOT =
  '(?:weniger|(?:eher )?(?:gar |überhaupt )?nicht|not(?: at all)?|less|nada|no|menos|poco|pas)(?: so| sehr| besonders| very| really| muy| très)?';
const BAD = new RegExp(
  '^(?:(?:' +
    DEGREES +
    '|' +
    LITTLE +
    ') )?(?:mangelhaft|ungenügend|ausreichend|schlecht|bad|poor|terrible|horrible|awful|mal[oa]?|p[eé]sim[oa]|mauvais|(?:the )?worst|am schlechtesten|(?:lo |el )?peor|disappoint(?:ed|ing)|enttäusch(?:t|end)|decepcionad[oa]|furchtbar|deficiente|unacceptable|inaceptable|never again|nie wieder|nunca más|disagree|en desacuerdo)$' +
    '|^(?:(?:' +
    DEGREES +
    '|' +
    LITTLE +
    ') )?(?:unzufrieden|dissatisfied|unsatisfied|unhappy|insatisfech[oa]s?|descontent[oa]s?|mécontent|insatisfait)(?!\\p{L})' +
    '|^' +
    NOT +
    ' (?:zufrieden|gut|satisfied|happy|good|great|satisfech[oa]s?|content[oa]s?|buen[oa]|satisfait|bon)(?!\\p{L})' +
    '|^(?:stimme|trifft) (?:eher )?(?:gar |überhaupt )?nicht zu$',
  'u',
);
const GOOD = new RegExp(
  '^(?:(?:' +
    DEGREES +
    ') )?(?:gut|hervorragend|ausgezeichnet|zufrieden|good|satisfied|happy|excellent|great|perfect|perfekt|buen[oa]|satisfech[oa]|excelente|perfecto|content[oa]|satisfait|(?:the )?best|am besten|(?:lo |el )?mejor|agree|de acuerdo)$' +
    '|^(?:stimme|trifft) (?:eher |voll |völlig |voll und ganz )?zu$',
  'u',
);
const labelOf = (text) =>
  text
    .split(/\d/)
    .at(-1)
    .replace(/^[^\p{L}]+/u, '')
    .split(/[,.;!?)]/, 1)[0]
    .trim();

// A rating as forms and people write it, on a scale of 5: "4", "4,5", "4/5", "4 of 5", "8 out of 10", "5 stars", "★★★★☆", "FIVE", "5 - excellent". Null for none, NaN for what is
// no rating: someone whose rating is not understood is never asked for a public review.
const readRating = (raw) => {
  const text = String(raw ?? '')
    .trim()
    .toLowerCase();
  if (text === '') return null;
  if (text.length > RATING_MAX) return Number.NaN;
  const stars = /^(?:[★⭐]\uFE0F?\s*){1,5}(?:☆\s*){0,5}$/u.test(text)
    ? Array.from(text).filter((sign) => sign === '★' || sign === '⭐').length
    : 0;
  if (stars > 0) return stars;
  const [, word = '', whole = ''] = SPOKEN.exec(text) ?? [];
  if (numberOf(word) > 0) return whole === '' || numberOf(whole) === 5 ? numberOf(word) : Number.NaN;
  // "Rating: 5 - excellent", "★★★★★ 5.0"
  const bare = text
    .replace(/^(?:(?:your|ihre|su|tu|votre) )?(?:rating|bewertung|valoración|puntuación|calificación)\s*:\s*/, '')
    .replace(/^[★⭐☆\uFE0F\s]+(?=\d)/u, '')
    .replace(/(?<=\d)\s*(?:\s[-–—]\s[^\d]*|[:=]\s[^\d]*|\([^\d()]*\))$/, '');
  const found = WRITTEN.exec(bare);
  if (found === null) return Number.NaN;
  const rating = (Number(found[1].replace(',', '.')) * 5) / Number(found[2] ?? 5);
  const label = labelOf(text);
  if ((rating >= 4 && BAD.test(label)) || (rating <= 2 && GOOD.test(label))) return Number.NaN;
  return rating >= 0 && rating <= 5 ? Math.round(rating * 10) / 10 : Number.NaN;
};

// Happy or unrated customers are asked for a review by text; unhappy ones are mailed to the owner, never asked in public.
export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const facts = inputs.facts || {};
  const rating = readRating(input.rating);
  // A rating that came as an object or a list is left out of the input.
  if (Number.isNaN(rating) || facts.leftOut?.includes('rating'))
    return stop('rating_not_understood', 'The rating could not be understood, so no review was asked for');
  if (rating !== null && rating < config.minRating) return tellOwner(input, config, client, rating);

  const no = whyNoText({ number: input.customerPhone, config, client, facts });
  if (no?.fault) return fault(no.fault, no.message);
  if (no) return stop(no.reason, no.message);
  if (!config.fromNumber) return fault('sender_number_missing', 'This agent has no sender number in its settings');
  const reviewUrl = config.reviewUrl || client.businessProfile?.reviewUrl;
  if (!reviewUrl) return fault('review_link_missing', 'Neither the settings nor the business profile hold a review link');
  const to = input.customerPhone;
  const words = { firstName: firstName(input.customerName), businessName: client.name, service: unlinked(input.service), reviewUrl };
  const text = fill(config.askText, words);
  return go({
    byText: true,
    byMail: false,
    quote: quoteOf(input, rating),
    contacted: to,
    text,
    form: smsForm({ to, from: config.fromNumber, text, link: reviewUrl, optOutLine: config.optOutLine, words }),
  });
};

// What a happy customer wrote and allowed to be quoted, for the report; the first name alone, and nothing in it that leads elsewhere.
const quoteOf = (input, rating) => {
  const words = clip(unlinked(input.comment), 1000);
  const customer = firstName(input.customerName);
  return rating !== null && input.mayQuote === true && words && customer ? { words, customer, rating } : null;
};

// What the owner reads, in the language of the client.
const OWNER_WORDS = {
  en: {
    subject: 'A customer was not happy: ',
    gave: (name, rating, service) => name + ' gave ' + rating + ' of 5' + (service && ' for ' + service) + '.',
    phone: 'Phone: ',
    wrote: 'They wrote:',
    unknown: 'unknown',
    advice: 'A call today often turns this around. They were not asked for a public review.',
  },
  de: {
    subject: 'Ein Kunde war nicht zufrieden: ',
    gave: (name, rating, service) => name + ' hat ' + rating + ' von 5' + (service && ' für ' + service) + ' gegeben.',
    phone: 'Telefon: ',
    wrote: 'Kommentar:',
    unknown: 'unbekannt',
    advice: 'Ein Anruf noch heute hilft oft. Um eine öffentliche Bewertung wurde nicht gebeten.',
  },
  es: {
    subject: 'Un cliente no quedó conforme: ',
    gave: (name, rating, service) => name + ' dio ' + rating + ' de 5' + (service && ' por ' + service) + '.',
    phone: 'Teléfono: ',
    wrote: 'Comentario:',
    unknown: 'desconocido',
    advice: 'Una llamada hoy suele arreglarlo. No se le pidió una reseña pública.',
  },
};

const tellOwner = (input, config, client, rating) => {
  if (!config.ownerEmail || !config.fromAddress) return stop('owner_not_told', 'The rating was low, and the settings name no recipient');
  const words = inLocale(client.ownerLocale, OWNER_WORDS);
  const text = [
    words.gave(input.customerName, decimalIn(client.ownerLocale, rating), input.service ? clip(input.service, 120) : ''),
    words.phone + (input.customerPhone || words.unknown),
    ...(input.comment ? [words.wrote + '\n' + clip(input.comment, 4000)] : []),
    words.advice,
  ].join('\n\n');
  const mail = mailTo({
    to: config.ownerEmail,
    fromAddress: config.fromAddress,
    mailName: client.mailName,
    subject: words.subject + clip(input.customerName, 80),
    text,
    html: paragraphs(text),
  });
  return go({ byText: false, byMail: true, rating, mail });
};
