// Puts one lead, or each of a list, into order: one spelling per thing, duplicates merged, quality from 0 to 100. Members of a whole lead come as they
// were sent and are tidied here; inputs of their own come canonical.

// As letters in lower case: "Full Name", "full_name" and "fullName" are one.
const FIELDS = {
  name: ['name', 'fullname', 'yourname'],
  firstName: ['firstname', 'givenname', 'fname'],
  lastName: ['lastname', 'surname', 'familyname', 'lname'],
  email: ['email', 'emailaddress', 'mail', 'youremail'],
  phone: ['phone', 'phonenumber', 'tel', 'telephone', 'mobile', 'mobilephone', 'mobilenumber', 'cell', 'cellphone'],
  message: ['message', 'yourmessage', 'comments', 'comment', 'text'],
};

// As many as a result holds (parts/outcome.js).
const LEADS_MAX = 200;

const pick = (source, names) => {
  const members = Object.entries(source ?? {}).map(([name, value]) => [name.toLowerCase().replace(/[\s_-]/g, ''), value]);
  const found = names
    .flatMap((name) => members.filter(([key]) => key === name).map(([, value]) => value))
    .find((value) => value !== undefined && value !== null && String(value).trim() !== '');
  return found === undefined ? '' : String(found);
};

const nameOf = (source) => pick(source, FIELDS.name) || [pick(source, FIELDS.firstName), pick(source, FIELDS.lastName)].join(' ').trim();

const tidyName = (raw) =>
  clip(raw.replace(/\s+/g, ' ').trim(), 120)
    .split(' ')
    .map((part) =>
      part === part.toUpperCase() || part === part.toLowerCase() ? part.charAt(0).toUpperCase() + part.slice(1).toLowerCase() : part,
    )
    .join(' ');

const tidyEmail = (raw) => {
  const address = raw.replace(/\s+/g, '').toLowerCase();
  return isEmail(address) ? address : '';
};

const tidyPhone = (raw, countryCode) => {
  const compact = raw
    .replace(/\s*(?:x|ext\.?|extension|#)\s*\d{1,6}\s*$/i, '')
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
  return /^\+[1-9]\d{6,14}$/.test(number) ? number : '';
};

const isBlocked = (lead, blockList) => {
  const text = [lead.name, lead.email, lead.phone, lead.message].join(' ').toLowerCase();
  return (Array.isArray(blockList) ? blockList : []).some(
    (word) => String(word).trim() !== '' && text.includes(String(word).trim().toLowerCase()),
  );
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

const clean = (source, config, input = {}) => {
  const lead = {
    name: tidyName(pick(input, ['name']) || nameOf(source)),
    email: input.email ? input.email.toLowerCase() : tidyEmail(pick(source, FIELDS.email)),
    phone: input.phone || tidyPhone(pick(source, FIELDS.phone), config.countryCode),
    message: clip((input.message || pick(source, FIELDS.message)).replace(/\s+/g, ' ').trim(), 2000),
  };
  const wanted = Array.isArray(config.required) ? config.required : [];
  const missing = wanted.filter((field) => !lead[field]);
  const verdict = isBlocked(lead, config.blockList) ? 'junk' : missing.length > 0 ? 'incomplete' : 'ready';
  return { ...lead, quality: verdict === 'junk' ? 0 : score(lead), verdict, missing };
};

// The same person twice: same mail address, or same phone. The fuller of the two stays.
const merge = (leads) => {
  const kept = [];
  for (const lead of leads) {
    const twin = kept.findIndex((one) => (lead.email && one.email === lead.email) || (lead.phone && one.phone === lead.phone));
    if (twin < 0) kept.push(lead);
    else if (lead.quality > kept[twin].quality) kept[twin] = lead;
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
  const leads = merge(cleaned);
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
