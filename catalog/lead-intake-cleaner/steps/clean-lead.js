// Puts one lead, or each of a list, into order: one spelling per thing, duplicates merged, quality from 0 to 100. Members of a whole lead come as they
// were sent and are tidied here; inputs of their own come canonical.

// As letters in lower case without accents: "Full Name", "full_name" and "fullName" are one. English, German, Spanish and French.
const listOf = (text) => text.split(' ');
const FIELDS = {
  name: listOf('name fullname yourname ihrname nombrecompleto nombreyapellidos sunombre tunombre votrenom'),
  firstName: listOf('firstname givenname fname vorname nombre nombres prenom'),
  lastName: listOf('lastname surname familyname lname nachname familienname apellido apellidos nom nomdefamille'),
  email: listOf(
    'email emailaddress mail youremail emailadresse mailadresse ihreemail correo correoelectronico direcciondecorreo sucorreo tucorreo courriel adresseemail adressemail',
  ),
  phone: listOf(
    'phone phonenumber tel telephone mobile mobilephone mobilenumber cell cellphone telefon telefonnummer rufnummer handy handynummer mobil mobilnummer mobiltelefon telefono numerodetelefono telefonomovil movil celular telephoneportable portable numerodetelephone',
  ),
  message: listOf(
    'message yourmessage comments comment text nachricht ihrenachricht mitteilung anfrage kommentar bemerkung bemerkungen mensaje sumensaje tumensaje consulta comentario comentarios votremessage commentaire commentaires',
  ),
};

// As many as a result holds (parts/outcome.js).
const LEADS_MAX = 200;

// A field in parts, such as { first, last }, is one text, its last name after the first, and so are the items of a list.
const rankOf = (name) => (/^suffix/i.test(name) ? 2 : /^(?:last|sur|family)/i.test(name) ? 1 : 0);
const textOf = (value, depth = 0) => {
  if (value === null || value === undefined || depth > 4) return '';
  if (typeof value !== 'object') return String(value).trim();
  const parts = Array.isArray(value)
    ? value
    : Object.entries(value)
        .toSorted(([one], [other]) => rankOf(one) - rankOf(other))
        .map(([, part]) => part);
  return parts
    .map((part) => textOf(part, depth + 1))
    .filter((part) => part !== '')
    .join(Array.isArray(value) ? ', ' : ' ');
};

const pick = (source, names) => {
  const members = Object.entries(source ?? {}).map(([name, value]) => [
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[\p{M}\s_.:*-]/gu, ''),
    value,
  ]);
  const found = names
    .flatMap((name) => members.filter(([key]) => key === name).map(([, value]) => value))
    .map((value) => textOf(value))
    .find((text) => text !== '');
  return found ?? '';
};

// A whole name comes first, unless it is a part: "Name" next to "Vorname", one word next to a last name.
const nameOf = (source, input) => {
  const first = pick(source, FIELDS.firstName).trim();
  const last = pick(source, FIELDS.lastName).trim();
  const whole = (pick(input, ['name']) || pick(source, FIELDS.name)).trim();
  const isWord = !/\s/.test(whole);
  const before = pick(source, ['vorname']).trim() || (isWord ? first : '');
  const others = whole.toLowerCase().split(/\s+/);
  const part = (word) => (others.includes(word.toLowerCase()) ? '' : word);
  return [part(before), whole, isWord ? part(last) : ''].join(' ').trim();
};

// Words that stay small inside a name; the others only in a name that was typed with care, where "Ada do Byron" is one.
const SMALL =
  /^(?:von|vom|zu|zum|zur|van|der|den|de|del|della|da|dos|di|du|la|las|los|ten|ter|y|und|and|(?:med|dent|phil|rer|nat|jur|vet)\.?)$/;
const SMALL_TYPED = /^(?:das|do|le|te|e|i|et)$/;
// Capitals that stay: "Ada Byron III", and in a name typed with care "Müller AG".
const NUMERAL = /^(?:I{2,3}|IV)$/;
const CAPITALS = /^(?:\p{Lu}{2}|LLC|INC|LTD|MBA|PHD|DDS|DMD|ESQ)\.?$/u;
const isMixed = (word) => /\p{Lu}/u.test(word) && /\p{Ll}/u.test(word);

// A name typed with care, in capitals and small letters, stays as it is where it can be right.
const tidyName = (raw) => {
  const words = clip(raw.replace(/\s+/g, ' ').trim(), 120).split(' ');
  const isCareful = words.some(isMixed);
  return words
    .map((word, at) => {
      if (isMixed(word)) return word;
      const lower = word.toLowerCase();
      const isTyped = isCareful && word === lower;
      if ((SMALL.test(lower) && (at > 0 || isTyped)) || (SMALL_TYPED.test(lower) && isTyped)) return lower;
      if (NUMERAL.test(word) || (CAPITALS.test(word) && isCareful)) return word;
      return lower.replace(/(?:^|[-'’.])\p{L}/gu, (letter) => letter.toUpperCase());
    })
    .join(' ');
};

// "Ada <ada@example.com>" and the first of several, as an input of its own is read; blanks inside an address are dropped.
const tidyEmail = (raw) => {
  const words = (/<([^<>]*)>/.exec(raw)?.[1] ?? raw).split(/[\s,;]+/).map((word) => word.replace(/^mailto:/i, ''));
  return ([...words, raw.replace(/\s+/g, '')].find(isEmail) ?? '').toLowerCase();
};

const tidyPhone = (raw, countryCode) => {
  // The first of several.
  const one =
    raw
      .slice(0, 200)
      .split(/[,;]/)
      .find((part) => part.replace(/\D/g, '').length > 6) ?? raw.slice(0, 200);
  const compact = one
    .replace(/\s*(?:x|ext|extensi[oó]n|durchwahl|dw|nebenstelle|nst|app|apparat|anexo|interno|#)\.?\s*\d{1,6}\s*$/i, '')
    // "+44 (0) 20": the zero is dialled inside the country only.
    .replace(/^(\s*(?:\+|00)[\d\s]*)\(\s*0\s*\)/, '$1')
    .replace(/[^\d+]/g, '');
  if (compact === '') return '';
  const code = '+' + String(countryCode || '').replace(/\D/g, '');
  const digits = compact.replace(/\D/g, '');
  // Without its plus sign; a national number of that length begins with 0. In Italy the zero is part of the number.
  const isWhole = code.length === 3 && digits.startsWith(code.slice(1)) && digits.length >= 11;
  const national = isWhole
    ? digits.slice(2)
    : code === '+1'
      ? digits.replace(/^1(?=\d{10}$)/, '')
      : code === '+39'
        ? digits
        : digits.replace(/^0/, '');
  const number = compact.startsWith('+')
    ? '+' + digits
    : compact.startsWith('00')
      ? '+' + digits.slice(2)
      : code === '+'
        ? ''
        : code + national;
  // A number of North America has ten digits, the first of them from 2 on.
  return /^\+(?:1[2-9]\d{9}|[2-9]\d{6,14})$/.test(number) ? number : '';
};

// A word alone, not within another: "seo" is none of "Deseo". A domain is also part of an address, and a number may be the begin of one.
const isWithin = (text, word) => {
  if (word.startsWith('+')) return text.includes(word);
  const [before, after] = [
    /^[\p{L}\p{N}]/u.test(word) ? '(?<![\\p{L}\\p{N}])' : '',
    /[\p{L}\p{N}]$/u.test(word) ? '(?![\\p{L}\\p{N}])' : '',
  ];
  return new RegExp(before + word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + after, 'u').test(text);
};
const isBlocked = (lead, blockList) => {
  const text = [lead.name, lead.email, lead.phone, lead.message].join(' ').toLowerCase();
  const words = (Array.isArray(blockList) ? blockList : []).map((word) => String(word).trim().toLowerCase());
  return words.some((word) => word !== '' && isWithin(text, word));
};

const score = (lead) => {
  const links = (lead.message.match(/https?:\/\//g) ?? []).length;
  const full =
    (lead.name ? 15 : 0) +
    (lead.name.includes(' ') ? 10 : 0) +
    (lead.email ? 35 : 0) +
    (lead.phone ? 25 : 0) +
    (lead.message.length >= 10 ? 15 : 0);
  return Math.max(0, Math.min(100, full - links * 15));
};

const judged = ({ name, email, phone, message }, config) => {
  const lead = { name, email, phone, message };
  const wanted = Array.isArray(config.required) ? config.required : [];
  const missing = wanted.filter((field) => !lead[field]);
  const verdict = isBlocked(lead, config.blockList) ? 'junk' : missing.length > 0 ? 'incomplete' : 'ready';
  return { ...lead, quality: verdict === 'junk' ? 0 : score(lead), verdict, missing };
};

const MESSAGE_MAX = 2000;
const clean = (source, config, input = {}) =>
  judged(
    {
      name: tidyName(nameOf(source, input)),
      email: input.email ? input.email.toLowerCase() : tidyEmail(pick(source, FIELDS.email)),
      phone: input.phone || tidyPhone(pick(source, FIELDS.phone), config.countryCode),
      message: clip((input.message || pick(source, FIELDS.message)).replace(/\s+/g, ' ').trim(), MESSAGE_MAX),
    },
    config,
  );

// The same person twice: same mail address or same phone, and the other of the two not another one. Junk is merged with junk alone.
const isTwin = (one, other) => {
  const isSame = (field) => one[field] !== '' && one[field] === other[field];
  const isOther = (field) => one[field] !== '' && other[field] !== '' && one[field] !== other[field];
  const isPerson = (isSame('email') && !isOther('phone')) || (isSame('phone') && !isOther('email'));
  return isPerson && (one.verdict === 'junk') === (other.verdict === 'junk');
};

const bothMessages = ({ message: first }, { message: second }) =>
  first.includes(second) ? first : second.includes(first) ? second : clip(first + '\n' + second, MESSAGE_MAX);

// The fuller of two stays, with what only the other one says.
const both = (first, second, config) => {
  const [fuller, other] = second.quality > first.quality ? [second, first] : [first, second];
  const of = (field) => fuller[field] || other[field];
  return judged({ name: of('name'), email: of('email'), phone: of('phone'), message: bothMessages(first, second) }, config);
};

// A lead that joins two, one by its address and one by its phone, is merged with both.
const merge = (leads, config) => {
  const kept = [];
  for (const lead of leads) {
    let merged = lead;
    let place = kept.length;
    for (;;) {
      const at = kept.findIndex((one) => isTwin(one, merged));
      if (at < 0) break;
      place = Math.min(place, at);
      merged = both(kept.splice(at, 1)[0], merged, config);
    }
    kept.splice(place, 0, merged);
  }
  return kept;
};

export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const payload = input.payload && typeof input.payload === 'object' ? input.payload : null;
  if (Array.isArray(payload) && payload.length > LEADS_MAX)
    return stop('too_many_leads', 'A list may hold at most 200 leads, so none was checked');
  const cleaned = Array.isArray(payload)
    ? payload.map((source) => clean(source, config))
    : [clean({ ...payload, ...input }, config, input)];
  const leads = merge(cleaned, config);
  if (leads.length === 0) return stop('no_leads', 'The list holds no lead');
  const [lead] = leads;
  const duplicates = cleaned.length - leads.length;
  return go({
    lead,
    quality: lead.quality,
    verdict: lead.verdict,
    missing: lead.missing,
    duplicates,
    ...(leads.length > 1 ? { leads } : {}),
  });
};
