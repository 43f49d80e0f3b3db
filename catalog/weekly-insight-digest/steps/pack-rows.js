// Packs the rows into a small table of text: the newest ones, few enough that the model reads them with care.
const ROWS_MAX = 120;
/** Signs of the whole task. */
const PROMPT_MAX = 20_000;

const cell = (value) =>
  clip(value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value), 60).replace(
    /[\t\n]/g,
    ' ',
  );

// The last lines that fit, one at least.
const lastLines = (lines, room) => {
  let left = room;
  const fits = (line) => (left -= line.length + 1) >= 0;
  const tooLong = lines
    .slice(-ROWS_MAX)
    .toReversed()
    .findIndex((line) => !fits(line));
  return lines.slice(-(tooLong < 0 ? ROWS_MAX : Math.max(1, tooLong)));
};

export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const to = (Array.isArray(config.recipients) ? config.recipients : []).filter((one) => isEmail(one));
  if (to.length === 0) return fault('recipients_missing', 'This agent has no recipients in its settings');
  const columns = (Array.isArray(inputs.columns) ? inputs.columns : []).map(String);
  const found = (Array.isArray(inputs.rows) ? inputs.rows : []).map((row) =>
    Array.isArray(row) ? row : columns.map((column) => row?.[column]),
  );
  if (found.length === 0) return stop('no_rows', 'The query found no rows to explain');
  const task =
    'Business: ' +
    (client.name || 'unknown') +
    '\nDay of the report: ' +
    reportDay(input, client, inputs.facts || {}) +
    '. Later days are not complete yet.' +
    (inputs.truncated === true ? '\nThe query found more rows; only the first ' + found.length + ' were read.' : '') +
    inLocale(client.locale, { en: '', de: '\nLanguage of the answer: German', es: '\nLanguage of the answer: Spanish' }) +
    '\nQuestion: ' +
    (config.question || 'What changed, and what should we look at?') +
    '\nTable:\n' +
    columns.map(cell).join('\t');
  const lines = inOrder(rowsIn(found, client.timezone)).map((row) => row.map(cell).join('\t'));
  const packed = lastLines(lines, PROMPT_MAX - task.length);
  return go({ rowCount: packed.length, found: found.length, prompt: clip([task, ...packed].join('\n'), PROMPT_MAX) });
};
