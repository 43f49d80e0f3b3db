import { type ExportKind, type ExportScope } from '../kinds/kind.ts';
import type { ExportSubject } from '../store.ts';

/** README.txt: what is in the archive and how to read it. */
export function readmeText(
  { accountName, partnerName, snapshotAt }: ExportSubject,
  scope: ExportScope,
  kinds: readonly ExportKind[],
): string {
  const whose = scope.clientId === null ? partnerName : `${accountName}, a client of ${partnerName}`;
  const width = Math.max(...kinds.map(({ name }) => name.length));
  return [
    `Data of ${oneLine(whose)}`,
    `As of ${snapshotAt.toISOString()} (UTC). Everything in this archive is from this one moment.`,
    '',
    'FILES',
    '',
    'data/     Each kind of record twice: as JSON Lines (.jsonl, one JSON object in each line, for programs) and as CSV (for spreadsheets).',
    'files/    Uploaded files and the PDFs of invoices, if there are any.',
    'manifest.json    The number of records, the size in bytes and the SHA-256 of each file.',
    '',
    'KINDS OF RECORD',
    '',
    ...kinds.map(({ name, about }) => `${name.padEnd(width)}    ${about}`),
    '',
    'HOW TO READ IT',
    '',
    '- Both forms hold the same records and columns. Times are in UTC. Amounts of money are in the smallest unit of the currency.',
    '- A column whose name ends in Id holds the ID of a record of another kind.',
    '- CSV files are UTF-8 with a byte order mark and commas. Columns with structured values hold JSON.',
    "- In CSV files an apostrophe (') stands before text that a spreadsheet could run as a formula. The JSON Lines hold the text as it is.",
    '- Spreadsheets show at most 1,048,576 rows and 32,767 characters in a cell. Use the JSON Lines for more.',
    '- Keys of other services, passwords, tokens and secrets are not part of an export. Values in runs that are named like secrets read [hidden].',
    '',
  ].join('\r\n');
}

/** Names are typed by people. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
