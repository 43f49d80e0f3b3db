import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `node scripts/words.ts [path…]` lists and counts words and sentence patterns that have a plainer replacement (docs/style.md), under these paths or
 * everywhere.
 */
const ROOT = join(import.meta.dirname, '..');
const WORDS = [
  'told',
  'tell',
  'tells',
  'nobody',
  'somebody',
  'whoever',
  'whatever',
  'news',
  'amid',
  'goods',
  'in vain',
  'leads nowhere',
  'hears of',
  'hear of',
  'sign in',
  'signs in',
  'signed in',
  'signing in',
  'sign out',
  'signed out',
  'signing out',
  'an own',
  'mend',
  'as things stand',
  'charged no more',
];
/** Words replaced in prose only, because a screen, a name or a list of visitors' words may need them. */
const PROSE_WORDS = ['anew', 'so much', 'so many', 'as it may', 'beside'];
/** Words of code that pages replace as well. */
const PAGE_WORDS = ['nobody', 'somebody', 'whoever', 'whatever', 'in vain', 'hears? of', 'mend'];
/** Openings that hide the subject of a sentence. */
const OPENINGS = ['Of [a-z]+', 'One (?:that|who|whose|of which|with|without)', 'What (?:is|was|are|were|has|had)', 'Whose'];

/** Texts that people read: one spelling, `ID`, no space before the percent sign (German has one), typographic apostrophes. */
const TEXT_PATTERNS = [
  /(?<![-\w.])colou?rs?\b(?<!colours?)(?![-:\w])/giu,
  /(?<=[\p{L},.] )ids?\b(?![-=:]|\.\w)/gu,
  /\d %/gu,
  /(?<=\p{L})'(?=\p{L})/gu,
];

const PATTERN = new RegExp(`\\b(?:${WORDS.join('|')})\\b`, 'gi');
const PROSE_PATTERN = new RegExp(`\\b(?:${PROSE_WORDS.join('|')})\\b`, 'gi');
const PAGE_PATTERN = new RegExp(`\\b(?:${PAGE_WORDS.join('|')})\\b`, 'gi');
const OPENING_PATTERN = new RegExp(`(?<=^|[.:;] |\\*\\*|\\| )(?:${OPENINGS.join('|')})\\b`, 'g');
/** The comment of a line, a whole line or its end, and the title of a test. */
const COMMENT = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/|--)\s?(.*)$/;
const COMMENT_AT_END = /\s(?:\/\/|\/\*\*?|--) (.*)$/;
const TITLE = /^\s*(?:it|test|describe)(?:\.\w+)?\(\s*(['"`])(.*)\1/;

/** Texts in the source of a line: what stands in quotes and has a space, and a line that is text between tags. */
const QUOTED = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
const BETWEEN_TAGS = /^\s*(?!\w+: )[\p{L}“‘][^=;{}()<>[\]"`]* [^=;{}()<>[\]"`]*$/u;
const SCREENS =
  /^portal\/(?:app|chat|features|queries|routes|shared|ui|widget)\/|^messages\/(?!de\/)|^contract\/|^core\/|^service\/modules\//;

const SQL = /\b(?:select|insert|update|delete|from|where|join|and|order by|returning|set|values)\b .*(?:[a-z]\.)?\bid\b/;

const CODE = /\.(?:ts|tsx|mjs|js|sql|css)$/;
const DOCS = /\.md$/;
const TESTS = /^tests\/|\.test\.tsx?$|^bench\//;
/** Quotes titles of tests. */
const TITLES = /^docs\/behaviour\/coverage\.md$/;
const SKIPPED = /^scripts\/words(?:\.test)?\.ts$|^docs\/style\.md$/;

/**
 * Uses that stay: the line contains the text. Summaries of routes are part of the published API document; lists hold words of visitors; the code of a
 * released template's steps changes only with a new version of the template; `nobody` is an account of the operating system.
 */
const ALLOWED: readonly { file: string; text: string }[] = [
  ...['alerts', 'notifications', 'plan-requests', 'plans', 'sso', 'users'].map((name) => ({
    file: `contract/routes/${name}.ts`,
    text: "summary: '",
  })),
  { file: 'catalog/ai-email-triage/steps/check-answer.js', text: "'Nobody reads mails at this address'" },
  { file: 'catalog/lead-follow-up-email/steps/clean-lead.js', text: "'Nobody reads mails at this address'" },
  { file: 'catalog/lead-qualifier/steps/check-score.js', text: 'who hears of the lead' },
  { file: 'catalog/parts/outcome.js', text: 'tells the story of the run' },
  // Headings of other systems' files, and words that no name may hold.
  { file: 'core/client-import/columns.ts', text: " id'," },
  { file: 'core/people/protected-names.ts', text: ' id ' },
  { file: 'core/knowledge/stop-words.ts', text: ' so ' },
  { file: 'core/knowledge/stop-words.ts', text: ' some' },
  { file: 'sandbox/language/tools.ts', text: '\\b(?:' },
  { file: 'sandbox/language/tools.ts', text: 'please (?:give' },
  { file: 'sandbox/language/words.ts', text: ' say shall ' },
  { file: 'service/platform/db/postgres-binaries.ts', text: '`nobody`' },
  { file: 'service/platform/db/postgres-binaries.ts', text: "'nobody'" },
  { file: 'service/platform/db/postgres-binaries.ts', text: '"nobody"' },
];

export type Finding = { file: string; line: number; word: string; text: string };

/** Returns every use of a replaced word, and of a replaced opening of a sentence, in the text of a file. */
export function findWords(file: string, content: string): Finding[] {
  return content.split('\n').flatMap((text, index) =>
    wordsOfLine(file, text)
      .filter(() => !ALLOWED.some((allowed) => allowed.file === file && text.includes(allowed.text)))
      .map((word) => ({ file, line: index + 1, word: word.toLowerCase(), text: text.trim() })),
  );
}

function wordsOfLine(file: string, line: string): string[] {
  const texts = SCREENS.test(file) && !TESTS.test(file) && !DOCS.test(file) ? textsOf(file, line) : [];
  const misspelt = texts.flatMap((text) => TEXT_PATTERNS.flatMap((pattern) => [...text.matchAll(pattern)].map(([word]) => word)));
  return [...misspelt, ...plainerWordsOf(file, line)];
}

/** Returns what a person reads of a line of code. */
function textsOf(file: string, line: string): string[] {
  if (COMMENT.test(line) || SQL.test(line)) return [];
  if (file.endsWith('.tsx') && BETWEEN_TAGS.test(line)) return [line];
  return [...line.matchAll(QUOTED)].map(([, one, two, three]) => one ?? two ?? three ?? '').filter((text) => text.includes(' '));
}

function plainerWordsOf(file: string, line: string): string[] {
  const prose = DOCS.test(file) ? line.replace(/^[\s\-*#>\d.]*(?=\S)/, '') : proseOf(line);
  const found = TESTS.test(file) || TITLES.test(file) ? [] : [...line.matchAll(DOCS.test(file) ? PAGE_PATTERN : PATTERN)];
  if (prose === null) return found.map(([word]) => word);
  return [...found, ...prose.matchAll(PROSE_PATTERN), ...prose.matchAll(OPENING_PATTERN)].map(([word]) => word);
}

/** Returns the comment or the title of a test in a line of code; null when the line has none. */
function proseOf(line: string): string | null {
  return COMMENT.exec(line)?.[1] ?? TITLE.exec(line)?.[2] ?? COMMENT_AT_END.exec(line)?.[1] ?? null;
}

/** Returns the findings under these paths; everywhere without paths. */
function listFindings(paths: readonly string[] = []): Finding[] {
  const files = execFileSync('git', ['ls-files', '--', ...paths], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  return files
    .filter((file) => (CODE.test(file) || DOCS.test(file)) && !SKIPPED.test(file))
    .flatMap((file) => findWords(file, readFileSync(join(ROOT, file), 'utf8')));
}

/** Returns the findings everywhere. */
export function checkWords(): Finding[] {
  return listFindings();
}

/** Returns one line per finding and the count of each word. */
export function describeFindings(findings: readonly Finding[]): string {
  const counts = [...Map.groupBy(findings, ({ word }) => word)]
    .map(([word, found]) => [word, found.length] as const)
    .toSorted(([, one], [, other]) => other - one);
  const lines = findings.map(({ file, line, word, text }) => `${file}:${line}: ${word}: ${text.slice(0, 120)}`);
  return [...lines, counts.map(([word, count]) => `${word} ${count}`).join(', ')].join('\n');
}

if (import.meta.main) {
  const findings = listFindings(process.argv.slice(2));
  process.stdout.write(`${findings.length === 0 ? 'None of the replaced words is used.' : describeFindings(findings)}\n`);
}
