// Packs the rows into a small table of text: the newest ones, few enough that the model reads them with care.
const ROWS_MAX = 120;

export const code = async (inputs) => {
  const config = inputs.config || {};
  const client = inputs.client || {};
  const to = (Array.isArray(config.recipients) ? config.recipients : []).filter((one) => isEmail(one));
  if (to.length === 0) return fault('recipients_missing', 'This agent has no recipients in its settings');
  const columns = (Array.isArray(inputs.columns) ? inputs.columns : []).map(String);
  const rows = (Array.isArray(inputs.rows) ? inputs.rows : []).map((row) =>
    Array.isArray(row) ? row : columns.map((column) => row?.[column]),
  );
  if (rows.length === 0) return stop('no_rows', 'The query found no rows to explain');
  const cell = (value) =>
    clip(value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value), 60).replace(
      /[\t\n]/g,
      ' ',
    );
  const table = [columns.join('\t'), ...rows.slice(-ROWS_MAX).map((row) => row.map(cell).join('\t'))].join('\n');
  const prompt =
    'Business: ' +
    (client.name || 'unknown') +
    '\nQuestion: ' +
    (config.question || 'What changed, and what should we look at?') +
    '\nTable:\n' +
    table;
  return go({ rowCount: rows.length, prompt: clip(prompt, 20000) });
};
