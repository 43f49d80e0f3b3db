// Puts one lead, or each of a list, into order: one spelling per thing, duplicates merged, quality from 0 to 100. Members of a whole lead come as they
// were sent and are tidied here; inputs of their own come canonical.

const FIELDS = {
  name: ['name', 'fullName', 'full_name', 'Name'],
  email: ['email', 'Email', 'email_address', 'mail'],
  phone: ['phone', 'Phone', 'phone_number', 'tel', 'mobile'],
  message: ['message', 'Message', 'comments', 'text'],
};

const LEADS_MAX = 200;

const pick = (source, names) => {
  const found = names.map((name) => source?.[name]).find((value) => value !== undefined && value !== null && String(value).trim() !== '');
  return found === undefined ? '' : String(found);
};

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
  const compact = raw.replace(/[^\d+]/g, '');
  if (compact === '') return '';
  const code = '+' + String(countryCode || '').replace(/\D/g, '');
  const digits = compact.replace(/\D/g, '');
  const national = code !== '+1' ? digits.replace(/^0/, '') : digits.length === 11 ? digits.replace(/^1/, '') : digits;
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
    name: tidyName(pick(input, ['name']) || pick(source, FIELDS.name)),
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
  const cleaned = Array.isArray(payload)
    ? payload.slice(0, LEADS_MAX).map((source) => clean(source, config))
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
