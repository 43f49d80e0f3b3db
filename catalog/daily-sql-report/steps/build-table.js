// Turns rows into a table. When the first column is a day, the day of the report is held against an earlier one.
const readRows = (rows, columns) =>
  (Array.isArray(rows) ? rows : []).map((row) => (Array.isArray(row) ? row : columns.map((column) => row?.[column])));

const daysBefore = (day, days) => new Date(new Date(day + 'T00:00:00Z').getTime() - days * 86_400_000).toISOString().slice(0, 10);

const asNumber = (value) => {
  const number = typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
};

const change = (now, then) => {
  if (now === null || then === null) return null;
  if (then === 0) return now === 0 ? 0 : null;
  return Math.round(((now - then) / Math.abs(then)) * 1000) / 10;
};

const compare = (columns, rows, day, earlier) => {
  // Several rows of one day are of several things, such as products: the first of each would be compared with another.
  const find = (wanted) => {
    const found = rows.filter((row) => String(row[0] ?? '').slice(0, 10) === wanted);
    return found.length === 1 ? found[0] : undefined;
  };
  const [current, past] = [find(day), find(earlier)];
  if (!current) return [];
  return columns
    .slice(1)
    .map((column, index) => ({
      column,
      value: current[index + 1],
      percent: past ? change(asNumber(current[index + 1]), asNumber(past[index + 1])) : null,
    }))
    .filter((one) => asNumber(one.value) !== null);
};

// What the owner reads, in the language of the client.
const OWNER_WORDS = {
  en: {
    title: 'Daily report',
    against: ' against ',
    empty: 'The query found no rows.',
    newest: (shown, all) => 'Only the newest ' + shown + ' of ' + all + ' rows are shown.',
    last: (shown, all) => 'Only the last ' + shown + ' of ' + all + ' rows are shown.',
    truncated: (read) => 'The query found more rows than a report can hold; only the first ' + read + ' were read.',
  },
  de: {
    title: 'Tagesbericht',
    against: ' gegenüber ',
    empty: 'Die Abfrage lieferte keine Zeilen.',
    newest: (shown, all) => 'Gezeigt sind die neuesten ' + shown + ' von ' + all + ' Zeilen.',
    last: (shown, all) => 'Gezeigt sind die letzten ' + shown + ' von ' + all + ' Zeilen.',
    truncated: (read) => 'Die Abfrage lieferte mehr Zeilen, als ein Bericht fasst; nur die ersten ' + read + ' wurden gelesen.',
  },
  es: {
    title: 'Informe diario',
    against: ' frente al ',
    empty: 'La consulta no devolvió filas.',
    newest: (shown, all) => 'Se muestran las ' + shown + ' filas más recientes de ' + all + '.',
    last: (shown, all) => 'Se muestran las últimas ' + shown + ' filas de ' + all + '.',
    truncated: (read) => 'La consulta devolvió más filas de las que caben en un informe; solo se leyeron las primeras ' + read + '.',
  },
};

const dayFor = (locale, text) =>
  text.replace(/^(\d{4})-(\d\d)-(\d\d)(?= |$)/, inLocale(locale, { en: '$&', de: '$3.$2.$1', es: '$3/$2/$1' }));

const sign = (percent, locale) => (percent === null ? '' : (percent > 0 ? '+' : '') + decimalIn(locale, percent) + ' %');

const show = (value) => (value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value));

// Cells as the owner reads them. Only a column of numbers holds decimals: a version such as 1.5 may stand in a column of texts.
const cellsFor = (rows, locale) => {
  const columns = (rows[0] ?? []).map((_, index) => rows.map((row) => row[index]).filter((value) => show(value) !== ''));
  const isNumbers = columns.map((values) => values.every((value) => asNumber(value) !== null));
  return rows.map((row) =>
    row.map((value, index) => clip(isNumbers[index] ? decimalIn(locale, show(value)) : dayFor(locale, show(value)), 200)),
  );
};

const htmlTable = (columns, rows) =>
  '<table cellpadding="6" style="border-collapse:collapse;font-family:sans-serif;font-size:14px">' +
  '<tr>' +
  columns.map((column) => '<th align="left" style="border-bottom:1px solid #999">' + escapeHtml(column) + '</th>').join('') +
  '</tr>' +
  rows
    .map((row) => '<tr>' + row.map((cell) => '<td style="border-bottom:1px solid #ddd">' + escapeHtml(cell) + '</td>').join('') + '</tr>')
    .join('') +
  '</table>';

export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const facts = inputs.facts || {};
  const to = (Array.isArray(config.recipients) ? config.recipients : []).map((one) => String(one).trim()).filter(isEmail);
  if (to.length === 0) return fault('recipients_missing', 'This agent has no recipients in its settings');
  if (!config.fromAddress) return fault('sender_address_missing', 'This agent has no sender address in its settings');
  const columns = (Array.isArray(inputs.columns) ? inputs.columns : []).map(String);
  const rows = rowsIn(readRows(inputs.rows, columns), client.timezone);
  const day = reportDay(input, client, facts);
  const earlier = daysBefore(day, Math.max(1, Math.floor(config.compareDays || 7)));
  const hasDays = rows.length > 0 && isDay(rows[0][0]);
  const changes = hasDays ? compare(columns, rows, day, earlier) : [];
  const locale = client.ownerLocale;
  const words = inLocale(locale, OWNER_WORDS);
  const title = (config.title || words.title) + ', ' + dayFor(locale, day);
  const summary = changes.map(
    (one) =>
      one.column +
      ': ' +
      decimalIn(locale, show(one.value)) +
      (one.percent === null ? '' : ' (' + sign(one.percent, locale) + words.against + dayFor(locale, earlier) + ')'),
  );
  const newest = new Set(inOrder(rows).slice(-100));
  const shown = rows.filter((row) => newest.has(row));
  const notes = [
    ...(rows.length === 0 ? [words.empty] : []),
    ...(shown.length < rows.length ? [words[hasDays ? 'newest' : 'last'](shown.length, rows.length)] : []),
    ...(inputs.truncated === true ? [words.truncated(rows.length)] : []),
  ];
  const cells = cellsFor(shown, locale);
  const text = [title, ...summary, '', columns.join('\t'), ...cells.map((row) => row.join('\t')), '', ...notes].join('\n').trim();
  const html =
    '<h2>' +
    escapeHtml(title) +
    '</h2>' +
    (summary.length > 0 ? '<ul>' + summary.map((line) => '<li>' + escapeHtml(line) + '</li>').join('') + '</ul>' : '') +
    (rows.length > 0 ? htmlTable(columns, cells) : '') +
    notes.map((note) => '<p>' + escapeHtml(note) + '</p>').join('');
  const mail = mailTo({
    to,
    fromAddress: config.fromAddress,
    mailName: client.mailName,
    subject: title,
    text,
    html,
  });
  return go({ day, rowCount: rows.length, changes: summary, mail });
};
