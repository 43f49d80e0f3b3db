// The manners of every text message: none to a contact on the stop list or whom the service says not to text, none at night,
// none twice within the set hours, and always the way to opt out. Numbers come as E.164 (core/template/read).

const minutesOfDay = (clock) => {
  const match = /^(\d{1,2}):(\d{2})$/.exec(clock.trim());
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
};

const localMinutes = (date, timezone) => {
  const shape = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  try {
    return minutesOfDay(new Intl.DateTimeFormat('en-GB', { ...shape, timeZone: timezone || 'UTC' }).format(date));
  } catch {
    return minutesOfDay(new Intl.DateTimeFormat('en-GB', { ...shape, timeZone: 'UTC' }).format(date));
  }
};

// "21:00-08:00" in minutes of the day, null for never: it may pass midnight.
const rangeOf = (range) => {
  const [from, to] = String(range ?? '')
    .split('-')
    .map((clock) => minutesOfDay(clock));
  return from === undefined || from === null || to === undefined || to === null || from === to ? null : { from, to };
};

const isWithin = ({ from, to }, minutes) => (from < to ? minutes >= from && minutes < to : minutes >= from || minutes < to);

// `range` is in the client's own time zone; empty means never quiet.
export const inQuietHours = (range, timezone, nowIso) => {
  const quiet = rangeOf(range);
  return quiet !== null && isWithin(quiet, localMinutes(new Date(nowIso || Date.now()), timezone));
};

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

// The moment of a planned text: as it is, or an hour before the quiet hours begin that it falls into. The service makes the same plan
// (core/schedule/quiet-hours.ts).
export const outsideQuietHours = (at, range, timezone) => {
  const quiet = rangeOf(range);
  const minutes = localMinutes(new Date(at), timezone);
  if (quiet === null || !isWithin(quiet, minutes)) return at;
  const back = (minutes - quiet.from + DAY_MINUTES) % DAY_MINUTES;
  const begin = Math.floor(at / MINUTE_MS) * MINUTE_MS - back * MINUTE_MS;
  // A clock change in between shows another time there.
  const off = ((localMinutes(new Date(begin), timezone) - quiet.from + DAY_MINUTES * 1.5) % DAY_MINUTES) - DAY_MINUTES / 2;
  const awake = (quiet.from - quiet.to + DAY_MINUTES) % DAY_MINUTES;
  return begin - (off + Math.min(60, awake)) * MINUTE_MS;
};

export const contactedWithin = (hours, lastContactAt, nowIso) => {
  const last = new Date(lastContactAt || NaN).getTime();
  if (Number.isNaN(last) || !(Number(hours) > 0)) return false;
  return new Date(nowIso || Date.now()).getTime() - last < Number(hours) * 3_600_000;
};

// Says why this person must not get a text now, or null when a text is welcome.
export const whyNoText = ({ number, config, client, facts }) => {
  if (facts.onStopList === true) return { reason: 'on_stop_list', message: 'This number has asked not to get texts' };
  if (facts.noText) return facts.noText;
  if (!number) return { fault: 'number_not_e164', message: 'There is no phone number to text' };
  if (contactedWithin(config.repeatAfterHours, facts.lastContactAt, facts.now)) {
    return { reason: 'recently_contacted', message: 'This number got a text a short while ago' };
  }
  if (inQuietHours(config.quietHours, client.timezone, facts.now)) {
    return { reason: 'quiet_hours', message: 'It is quiet hours for the business' };
  }
  return null;
};

// A text without the sentence that leads to an empty link: "Book here: {bookingUrl}" before the opt-out line would ask to reply STOP in order to book.
// Where the link stands alone, the sentence before it led to it; behind a colon it ends its sentence. "z. B." and "St." end none,
// but where an address ends with it: "at 5 Main St. Book here:", "Raum A. Termin:".
const SHORT = String.raw`(?<!(?<!\p{L})(?:[^\P{L}mM]|[Ss]t|[Dd]ra?|[Mm]rs?|[Mm]s|[Pp]rof|[Ss]ra?|[Ss]rta|bzw|ca|[Nn]r|inkl|[Ss]tr|[Tt]el|evtl|ggf|[Aa]v)\.)`;
const ADDRESS_WORD =
  '[Gg]ate|[Rr]oom|[Ss]uite|[Uu]nit|[Bb]uilding|[Hh]all|[Ee]ntrance|Raum|Zimmer|Haus|Halle|Gebäude|Block|Eingang|[Ss]ala|[Pp]uerta|[Ll]ocal|[Ee]dificio';
const ADDRESS_END = String.raw`(?<=(?<!\p{L})(?:\d+\p{L}*\s+(?:\p{Lu}\p{L}*\s+){0,3}(?:St|Dr)|(?:at|on|near)\s+(?:\p{Lu}\p{L}*\s+){1,3}St|Str|(?:${ADDRESS_WORD}|\d|\dº|\dª|\d\.º|\d\.ª)\s*\p{Lu})\.)(?=\s+\p{Lu})`;
const SENTENCE_END = new RegExp(String.raw`(?<=[.!?])${SHORT}(?=\s)|${ADDRESS_END}|(?=\n)|(?<=:\s*\{\w+\})(?=\s+\p{Lu})`, 'u');
export const withoutEmptyLink = (text, key, link) => {
  const words = String(text ?? '');
  const place = '{' + key + '}';
  if (link || !words.includes(place)) return words;
  const kept = [];
  for (const part of words.split(SENTENCE_END)) {
    if (!part.includes(place)) kept.push(part);
    else if (!/[\p{L}\p{N}]/u.test(part.split(place).join(''))) kept.pop();
  }
  return kept.join('').trim();
};

// Plain JavaScript, since a bare isolate has no URLSearchParams; byte for byte what that would give.
const formPart = (value) =>
  encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, '\uFFFD'))
    .replace(/[!'()~]/g, (sign) => '%' + sign.charCodeAt(0).toString(16).toUpperCase())
    .replace(/%20/g, '+');

// The form-encoded body of one text; the opt-out line is added unless the text carries it already. `link`: the one that the text has to keep; `words`: for the placeholders of the line.
export const smsForm = ({ to, from, text, link, optOutLine, words = {} }) =>
  Object.entries({ To: to, From: from, Body: smsBody({ text, link, line: fill(optOutLine, words) }) })
    .map(([name, value]) => name + '=' + formPart(value))
    .join('&');
