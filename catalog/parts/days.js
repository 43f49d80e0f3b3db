// Days and times of a report, as they are for the business.

const DAY_MS = 86_400_000;

const inZone = (shape, date, timezone) => {
  try {
    return new Intl.DateTimeFormat('sv-SE', { ...shape, timeZone: timezone || 'UTC' }).format(date);
  } catch {
    return new Intl.DateTimeFormat('sv-SE', { ...shape, timeZone: 'UTC' }).format(date);
  }
};

const DAY = { year: 'numeric', month: '2-digit', day: '2-digit' };
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

const dayIn = (date, timezone) => inZone(DAY, date, timezone);

// The day that it is for the business at the time of the run, or yesterday.
export const reportDay = (input, client, facts) => {
  if (/^\d{4}-\d\d-\d\d$/.test(input.runDate)) return input.runDate;
  const date = input.runDate ? new Date(input.runDate) : new Date(new Date(facts.now || Date.now()).getTime() - DAY_MS);
  return dayIn(date, client.timezone);
};

// The form in which the service passes on a moment of a database (timestamptz). A day or a time without a zone has no Z and stays as it is.
const isMoment = (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);

// A column of moments that all begin a day holds days: those of the business, or those of a database that counts them in UTC.
const columnIn = (values, timezone) => {
  const moments = values.filter(isMoment);
  if (moments.every((value) => value.endsWith('T00:00:00.000Z'))) return (value) => value.slice(0, 10);
  const beginsDay = (value) => dayIn(new Date(value), timezone) !== dayIn(new Date(new Date(value).getTime() - 1), timezone);
  const shape = moments.every(beginsDay) ? DAY : { ...DAY, ...CLOCK };
  return (value) => inZone(shape, new Date(value), timezone);
};

// Rows with their moments as days and clock times of the business.
export const rowsIn = (rows, timezone) => {
  const columns = (rows[0] ?? []).map((_, index) =>
    columnIn(
      rows.map((row) => row[index]),
      timezone,
    ),
  );
  return rows.map((row) => row.map((value, index) => (isMoment(value) ? columns[index](value) : value)));
};

export const isDay = (value) => /^\d{4}-\d{2}-\d{2}/.test(String(value ?? ''));

// Oldest first where the first column is a day, else as the query orders them.
export const inOrder = (rows) => {
  const key = (row) => String(row[0] ?? '');
  if (!rows.every((row) => key(row) === '' || isDay(key(row)))) return rows;
  return rows.toSorted((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0));
};
