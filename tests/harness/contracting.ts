/**
 * Finds statements of a migration that the version before may not survive: for the minutes of a rolling upgrade its processes work on the schema of the
 * next one (docs/adr/0081-expand-then-contract.md). A comment directly above a statement says why it may stand:
 * `-- unused since 1.1.0` for what is removed, `-- the version before: <why it goes on>` for what is restricted.
 */
export function findContracting(sql: string, version: string): string[] {
  const made = new Set<string>();
  return splitStatements(sql).flatMap(({ comments, text }) => {
    const created = /^create (?:unlogged )?table (?:if not exists )?([\w.]+)/.exec(text)?.[1];
    if (created !== undefined) made.add(created);
    const target =
      /^(?:alter table (?:if exists )?(?:only )?|create unique index .*? on (?:only )?|revoke .*? on (?:table )?)([\w.]+)/.exec(text)?.[1];
    if (target !== undefined && made.has(target)) return [];
    const removed = REMOVES.find(([pattern]) => pattern.test(text));
    const restricted = removed ?? RESTRICTS.find(([pattern]) => pattern.test(text)) ?? addsRequired(text);
    if (restricted === undefined) return [];
    const [, what] = restricted;
    if (removed === undefined)
      return comments.some((line) => /^-- the version before: \S/.test(line))
        ? []
        : [`${what} without "-- the version before: <why it goes on>": ${text}`];
    const since = comments.map((line) => /^-- unused since (\d+\.\d+\.\d+)$/.exec(line)?.[1]).find((found) => found !== undefined);
    if (since === undefined) return [`${what} without "-- unused since <version>": ${text}`];
    return isBefore(since, version) ? [] : [`${what}, which ${since} still has to do without for one version: ${text}`];
  });
}

type Rule = readonly [pattern: RegExp, what: string];

const REMOVES: readonly Rule[] = [
  [/\bdrop (?:table|view|materialized view|type|domain|sequence|schema|column|function|procedure|policy)\b/, 'removes'],
  [/\balter table\b.*\bdrop (?!constraint\b|not null\b|default\b|identity\b|expression\b|column\b)\w+/, 'removes'],
  [/\balter (?:table|type|view|function|schema|sequence)\b.*\brename\b/, 'renames'],
  [/\bdrop (?:default|identity|expression)\b/, 'removes the value of a column that the version before leaves out'],
];
const RESTRICTS: readonly Rule[] = [
  [/\bset not null\b/, 'requires a value'],
  [/\balter (?:column )?\w+ (?:set data )?type\b/, 'changes a type'],
  [/\badd (?:constraint \w+ )?(?:check|unique|primary key|foreign key|exclude)\b/, 'restricts rows'],
  [/\bcreate unique index\b/, 'restricts rows'],
  [/^revoke\b/, 'takes a right'],
];

/** A new column that must have a value, and has none by itself. */
function addsRequired(text: string): Rule | undefined {
  if (!text.startsWith('alter table')) return undefined;
  const actions = text.split(/,(?![^(]*\))/);
  const required = /\badd (?!constraint\b|check\b|unique\b|primary\b|foreign\b|exclude\b).*\b(?:not null|primary key)\b/;
  return actions.some((action) => required.test(action) && !/\b(?:default|generated)\b/.test(action))
    ? [required, 'adds a required column']
    : undefined;
}

type Version = [number, number, number];

function isBefore(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number)) as [Version, Version]; // three numbers each, by the pattern
  for (const part of [0, 1, 2] as const) if (a[part] !== b[part]) return a[part] < b[part];
  return false;
}

const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|(\$\w*\$)[\s\S]*?\1|;|[^-/'$;]+|[-/'$]/g;

/** The statements of a file in lower case, without comments and texts, each with the comment lines directly above it. Bodies in dollar quotes are kept. */
function splitStatements(sql: string): { comments: string[]; text: string }[] {
  const statements: { comments: string[]; text: string }[] = [];
  let comments: string[] = [];
  let text = '';
  const end = (): void => {
    const plain = text.replace(/\s+/g, ' ').trim().toLowerCase();
    if (plain !== '') statements.push({ comments, text: plain });
    [comments, text] = [[], ''];
  };
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token === ';') end();
    else if (token.startsWith('--')) {
      if (text.trim() === '') comments.push(token.trim());
    } else if (token.startsWith('/*')) text += ' ';
    else if (token.startsWith("'")) text += "''";
    else text += token.startsWith('$') ? token.replace(/--[^\n]*/g, '') : token;
  }
  end();
  return statements;
}
