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

const sign = (percent) => (percent === null ? '' : (percent > 0 ? '+' : '') + percent + ' %');

const show = (value) => (value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value));

const htmlTable = (columns, rows) =>
  '<table cellpadding="6" style="border-collapse:collapse;font-family:sans-serif;font-size:14px">' +
  '<tr>' +
  columns.map((column) => '<th align="left" style="border-bottom:1px solid #999">' + escapeHtml(column) + '</th>').join('') +
  '</tr>' +
  rows
    .map(
      (row) =>
        '<tr>' +
        row.map((cell) => '<td style="border-bottom:1px solid #ddd">' + escapeHtml(clip(show(cell), 200)) + '</td>').join('') +
        '</tr>',
    )
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
  const title = config.title || 'Daily report';
  const summary = changes.map(
    (one) => one.column + ': ' + show(one.value) + (one.percent === null ? '' : ' (' + sign(one.percent) + ' against ' + earlier + ')'),
  );
  const newest = new Set(inOrder(rows).slice(-100));
  const shown = rows.filter((row) => newest.has(row));
  const notes = [
    ...(rows.length === 0 ? ['The query found no rows.'] : []),
    ...(shown.length < rows.length
      ? ['Only the ' + (hasDays ? 'newest ' : 'last ') + shown.length + ' of ' + rows.length + ' rows are shown.']
      : []),
    ...(inputs.truncated === true
      ? ['The query found more rows than a report can hold; only the first ' + rows.length + ' were read.']
      : []),
  ];
  const text = [
    title + ', ' + day,
    ...summary,
    '',
    columns.join('\t'),
    ...shown.map((row) => row.map((cell) => clip(show(cell), 200)).join('\t')),
    '',
    ...notes,
  ]
    .join('\n')
    .trim();
  const html =
    '<h2>' +
    escapeHtml(title) +
    ', ' +
    day +
    '</h2>' +
    (summary.length > 0 ? '<ul>' + summary.map((line) => '<li>' + escapeHtml(line) + '</li>').join('') + '</ul>' : '') +
    (rows.length > 0 ? htmlTable(columns, shown) : '') +
    notes.map((note) => '<p>' + escapeHtml(note) + '</p>').join('');
  const mail = mailTo({
    to,
    fromAddress: config.fromAddress,
    mailName: client.mailName,
    subject: title + ', ' + day,
    text,
    html,
  });
  return go({ day, rowCount: rows.length, changes: summary, mail });
};
