// The manners of every text message: a true E.164 number, none to a contact on the stop list or whom the service
// says not to text, none at night,
// none twice within the set hours, and always the way to opt out.

export const toE164 = (value) => {
  const compact = String(value ?? '')
    .trim()
    .replace(/[\s().\-/]/g, '');
  const number = compact.startsWith('00') ? '+' + compact.slice(2) : compact;
  return /^\+[1-9]\d{6,14}$/.test(number) ? number : null;
};

const minutesOfDay = (clock) => {
  const match = /^(\d{1,2}):(\d{2})$/.exec(clock.trim());
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
};

const localMinutes = (nowIso, timezone) => {
  const shape = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  const date = new Date(nowIso || Date.now());
  try {
    return minutesOfDay(new Intl.DateTimeFormat('en-GB', { ...shape, timeZone: timezone || 'UTC' }).format(date));
  } catch {
    return minutesOfDay(new Intl.DateTimeFormat('en-GB', { ...shape, timeZone: 'UTC' }).format(date));
  }
};

// `range` is "21:00-08:00" in the client's own time zone; it may pass midnight; empty means never quiet.
export const inQuietHours = (range, timezone, nowIso) => {
  const [from, to] = String(range ?? '')
    .split('-')
    .map((clock) => minutesOfDay(clock));
  if (from === undefined || from === null || to === undefined || to === null || from === to) return false;
  const now = localMinutes(nowIso, timezone);
  return from < to ? now >= from && now < to : now >= from || now < to;
};

export const contactedWithin = (hours, lastContactAt, nowIso) => {
  const last = new Date(lastContactAt || NaN).getTime();
  if (Number.isNaN(last) || !(Number(hours) > 0)) return false;
  return new Date(nowIso || Date.now()).getTime() - last < Number(hours) * 3_600_000;
};

// Says why this person must not get a text now, or null when a text is welcome.
export const whyNoText = ({ number, config, client, facts }) => {
  if (toE164(number) === null) {
    return { fault: 'number_not_e164', message: 'The phone number is not E.164, for example +13125550121' };
  }
  if (facts.onStopList === true) return { reason: 'on_stop_list', message: 'This number has asked not to get texts' };
  if (facts.noText) return facts.noText;
  if (contactedWithin(config.repeatAfterHours, facts.lastContactAt, facts.now)) {
    return { reason: 'recently_contacted', message: 'This number got a text a short while ago' };
  }
  if (inQuietHours(config.quietHours, client.timezone, facts.now)) {
    return { reason: 'quiet_hours', message: 'It is quiet hours for the business' };
  }
  return null;
};

// Plain JavaScript, since a bare isolate has no URLSearchParams; byte for byte what that would give.
const formPart = (value) =>
  encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, '\uFFFD'))
    .replace(/[!'()~]/g, (sign) => '%' + sign.charCodeAt(0).toString(16).toUpperCase())
    .replace(/%20/g, '+');

// The form-encoded body of one text; the opt-out line is added unless the text carries it already.
export const smsForm = ({ to, from, text, optOutLine }) => {
  const line = String(optOutLine ?? '').trim();
  const body = line === '' || text.includes(line) ? text : text + ' ' + line;
  const fields = { To: toE164(to) ?? '', From: toE164(from) ?? '', Body: body.slice(0, 1600) };
  return Object.entries(fields)
    .map(([name, value]) => name + '=' + formPart(value))
    .join('&');
};
