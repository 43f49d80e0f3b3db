import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `node scripts/words.ts` lists and counts replaced words (see docs/glossary.md) in all code that is not a test; the check covers revised parts. */
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
const PATTERN = new RegExp(`\\b(?:${WORDS.join('|')})\\b`, 'gi');
const CODE = /\.(?:ts|tsx|mjs|js|sql|css)$/;
const SKIPPED = /^tests\/|\.test\.tsx?$|^scripts\/words\.ts$/;

/** Parts of the tree whose prose is not revised yet. A revised part is removed from the list, and the check then covers it. */
const UNREVISED = /^(?:catalog\/|service\/(?:adapters|platform)\/)/;

/** Uses that stay: the line contains the text. Summaries of routes are part of the published API document; lists hold words of visitors. */
const ALLOWED: readonly { file: string; text: string }[] = [
  ...['alerts', 'notifications', 'plan-requests', 'plans', 'sso', 'users'].map((name) => ({
    file: `contract/routes/${name}.ts`,
    text: "summary: '",
  })),
  { file: 'core/knowledge/stop-words.ts', text: ' so ' },
  { file: 'core/knowledge/stop-words.ts', text: ' some' },
  { file: 'sandbox/language/tools.ts', text: '\\b(?:' },
  { file: 'sandbox/language/tools.ts', text: 'please (?:give' },
  { file: 'sandbox/language/words.ts', text: ' say shall ' },
];

export type Finding = { file: string; line: number; word: string; text: string };

/** Returns every use of a replaced word in this text. */
export function findWords(file: string, content: string): Finding[] {
  return content
    .split('\n')
    .flatMap((text, index) =>
      [...text.matchAll(PATTERN)]
        .filter(() => !ALLOWED.some((allowed) => allowed.file === file && text.includes(allowed.text)))
        .map(([word]) => ({ file, line: index + 1, word: word.toLowerCase(), text: text.trim() })),
    );
}

/** Returns the findings in all code that is not a test. */
function listFindings(): Finding[] {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  return files
    .filter((file) => CODE.test(file) && !SKIPPED.test(file))
    .flatMap((file) => findWords(file, readFileSync(join(ROOT, file), 'utf8')));
}

/** Returns the findings in the revised parts of the tree. */
export function checkWords(): Finding[] {
  return listFindings().filter(({ file }) => !UNREVISED.test(file));
}

/** Returns one line per finding and the count of each word. */
export function describeFindings(findings: readonly Finding[]): string {
  const counts = WORDS.map((word) => [word, findings.filter((finding) => finding.word === word).length] as const).filter(
    ([, count]) => count > 0,
  );
  const lines = findings.map(({ file, line, word, text }) => `${file}:${line}: ${word}: ${text.slice(0, 120)}`);
  return [...lines, counts.map(([word, count]) => `${word} ${count}`).join(', ')].join('\n');
}

if (import.meta.main) {
  const findings = listFindings();
  process.stdout.write(`${findings.length === 0 ? 'None of the replaced words is used.' : describeFindings(findings)}\n`);
}
