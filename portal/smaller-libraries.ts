import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';

const ICONS = 'lucide-react';
const RADIX = 'radix-ui';
/** What modal parts of Radix do to the rest of the page. Modal dialogs of the portal are the browser's. */
const MODAL_PARTS = ['aria-hidden', 'react-remove-scroll'];
const NO_MODAL_PARTS = '\0no-modal-parts';
const PARSER = '@formatjs/icu-messageformat-parser';
const PLAIN_PARSER = '\0plain-message-parser';
const REFUSALS_IN_ENGLISH = 'en/problem';
const PASSWORDS = '@zxcvbn-ts/language-common';
const SHORT_PASSWORDS = '\0common-passwords';
/** Where messages are named. */
const SOURCES = ['portal/{app,features,queries,routes,shared,ui}/**/*.{ts,tsx}', 'messages/*.ts'];
const ROOT = join(import.meta.dirname, '..');
/** The commonest passwords that a form knows. The service knows all of the library's and decides. */
const PASSWORD_COUNT = 2_000;
/** The keyboards whose rows a form knows. */
const KEYBOARDS = ['qwerty', 'keypad'];

/** Replaces what the browser would load of libraries, and does not need: see each of the plugins. */
export function smallerLibraries(): Plugin[] {
  return [ownIcons(), ownParts(), unnamedParts(), noModalParts(), compiledMessages(), commonPasswords()];
}

/** Imports each icon from its file: the index of the library imports all, and a page would load those of every other. */
function ownIcons(): Plugin {
  let files: Map<string, string>;
  return {
    name: 'own-icons',
    enforce: 'post',
    apply: 'build',
    async buildStart() {
      const index = (await this.resolve(ICONS))?.id ?? '';
      const exports = readFileSync(index, 'utf8').matchAll(/^export \{ ([^}]+) \} from '\.\/(icons\/[\w-]+\.mjs)'/gm);
      files = new Map(
        [...exports].flatMap(([, names = '', file = '']) =>
          names.split(', ').map((name) => [name.replace('default as ', ''), join(index, '..', file)]),
        ),
      );
    },
    transform(code) {
      if (!code.includes(ICONS)) return undefined;
      return code.replaceAll(/import \{([^}]+)\} from ["']lucide-react["'];?/g, (_whole, names: string) =>
        names
          .split(',')
          .map((name) => name.trim().split(' as '))
          .filter(([name]) => name !== '')
          .map(([name = '', local = name]) => {
            const file = files.get(name);
            if (file === undefined) throw new Error(`${ICONS} has no icon ${name}.`);
            return `import ${local} from ${JSON.stringify(file)};`;
          })
          .join(''),
      );
    },
  };
}

/** Imports each part of Radix from its package: the index names all, and what one page uses would be taken for what every page loads. */
function ownParts(): Plugin {
  let files: Map<string, string>;
  return {
    name: 'own-parts',
    enforce: 'post',
    apply: 'build',
    async buildStart() {
      const index = (await this.resolve(RADIX))?.id ?? '';
      const parts = readFileSync(index, 'utf8').matchAll(/^import \* as (\w+) from "([^"]+)";$/gm);
      files = new Map(
        await Promise.all([...parts].map(async ([, name = '', from = '']) => [name, (await this.resolve(from, index))?.id ?? ''] as const)),
      );
    },
    transform(code) {
      if (!code.includes(RADIX)) return undefined;
      return code.replaceAll(/import \{([^}]+)\} from ["']radix-ui["'];?/g, (_whole, names: string) =>
        names
          .split(',')
          .map((name) => name.trim().split(' as '))
          .map(([name = '', local = name]) => {
            const file = files.get(name);
            if (!file) throw new Error(`${RADIX} has no part ${name}.`);
            return `import * as ${local} from ${JSON.stringify(file)};`;
          })
          .join(''),
      );
    },
  };
}

/** Lets the build leave out functions of Radix that nothing calls: giving each its name again, for stack traces, counts as a use. */
function unnamedParts(): Plugin {
  return {
    name: 'unnamed-parts',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      if (!id.includes('/node_modules/@radix-ui/')) return undefined;
      return code.replaceAll(/^\s*static \{\s*__name\(this, "[^"]*"\);\s*\}$/gm, '').replaceAll(/^\s*__name\([\w$]+, "[^"]*"\);$/gm, '');
    },
  };
}

/** Leaves out what hides and locks the page around a modal part of Radix: no part of the portal is one (`smaller-libraries.test.ts`). */
function noModalParts(): Plugin {
  return {
    name: 'no-modal-parts',
    enforce: 'pre',
    apply: 'build',
    resolveId: (id) => (MODAL_PARTS.includes(id) ? NO_MODAL_PARTS : undefined),
    load: (id) =>
      id === NO_MODAL_PARTS
        ? `const refuse = () => { throw new Error('Modal parts of Radix are not built in.'); };
export { refuse as hideOthers, refuse as RemoveScroll };`
        : undefined,
  };
}

/**
 * Parses the messages when the portal is built, so that no browser loads the parser, and leaves out the areas that no page names, such as mails, and the texts of refusals in
 * English, in which the service itself answers. A message with nothing but
 * plain values in it stays a text, which takes less room than its syntax tree.
 */
function compiledMessages(): Plugin {
  let texts = '';
  return {
    name: 'compiled-messages',
    enforce: 'pre',
    apply: 'build',
    buildStart() {
      texts = globSync(SOURCES, { cwd: ROOT })
        .map((path) => readFileSync(join(ROOT, path), 'utf8'))
        .join('\n');
    },
    resolveId: (id, importer) => (id === PARSER && importer?.includes('intl-messageformat') ? PLAIN_PARSER : undefined),
    async load(id) {
      if (id === PLAIN_PARSER)
        return `export * from ${JSON.stringify(`${PARSER}/no-parser.js`)};\nexport ${parsePlain.toString().replace('parsePlain', 'parse')}`;
      const locale = /\/messages\/(en|de|es)\/[\w-]+\.ts$/.exec(id)?.[1];
      if (locale === undefined || ['index.ts', 'at-login.ts'].includes(basename(id))) return undefined;
      const areas = (await import(id)) as Readonly<Record<string, Readonly<Record<string, string>>>>; // one object of messages each
      const compiled = await Promise.all(
        Object.entries(areas).map(async ([name, messages]) => {
          const area = Object.keys(messages)[0]?.split('.')[0] ?? '';
          const isNamed =
            `${locale}/${area}` !== REFUSALS_IN_ENGLISH && ["'", '"', '`'].some((quote) => texts.includes(`${quote}${area}.`));
          return `export const ${name} = ${JSON.stringify(isNamed ? await compileAll(messages, locale) : {})};`;
        }),
      );
      return compiled.join('\n');
    },
  };
}

async function compileAll(messages: Readonly<Record<string, string>>, locale: string): Promise<Record<string, unknown>> {
  const { parse } = await import(PARSER);
  return Object.fromEntries(
    Object.entries(messages).map(([key, text]) => {
      // As messages/messages.ts has it parsed.
      const tree: unknown = parse(text, { ignoreTag: true, locale: new Intl.Locale(locale) });
      return [key, JSON.stringify(parsePlain(text)) === JSON.stringify(tree) ? text : tree];
    }),
  );
}

/** Parses a message of text and plain values, in the form of the library's own parser. It stands alone: its source is sent to browsers. */
function parsePlain(message: string): { type: 0 | 1; value: string }[] {
  return message
    .split(/\{(\w+)\}/)
    .map((value, at): { type: 0 | 1; value: string } => ({ type: at % 2 === 0 ? 0 : 1, value }))
    .filter(({ type, value }) => type === 1 || value !== '');
}

/** Gives the form of a new password the commonest passwords, most common first, in place of all that the library has: half a megabyte. */
function commonPasswords(): Plugin {
  return {
    name: 'common-passwords',
    enforce: 'pre',
    apply: 'build',
    resolveId: (id, importer) => (id === PASSWORDS && importer?.includes('/core/people/') ? SHORT_PASSWORDS : undefined),
    async load(id) {
      return id === SHORT_PASSWORDS ? shortDictionary() : undefined;
    },
  };
}

/** Returns the source of a module with the exports of the library that `core/people/password.ts` uses. */
export async function shortDictionary(count = PASSWORD_COUNT): Promise<string> {
  const { adjacencyGraphs, dictionary } = await import(PASSWORDS);
  const graphs = adjacencyGraphs as Readonly<Record<string, unknown>>;
  const { 'passwords-common': passwords, 'diceware-common': words } = dictionary as Record<string, readonly (string | number)[]>;
  if (!passwords || !words) throw new Error(`${PASSWORDS} has other dictionaries.`);
  return `${readShared.toString()}
export const adjacencyGraphs = ${JSON.stringify(Object.fromEntries(KEYBOARDS.map((name) => [name, graphs[name]])))};
export const dictionary = {
  'passwords-common': ${JSON.stringify(passwords.slice(0, count).join('\n'))}.split('\\n'),
  'diceware-common': readShared(${JSON.stringify(writeShared(words.map(String)))}),
};`;
}

/** Writes words of a sorted list with how many letters each shares with the one before, as a digit: `6able` after `notice` is `noticeable`. */
function writeShared(words: readonly string[]): string {
  return words
    .map((word, at) => {
      const before = words[at - 1] ?? '';
      let shared = 0;
      while (shared < 9 && shared < word.length && word[shared] === before[shared]) shared++;
      return `${shared}${word.slice(shared)}`;
    })
    .join('\n');
}

/** Reads what `writeShared` wrote. It stands alone: its source is sent to browsers. */
function readShared(text: string): string[] {
  let word = '';
  return text.split('\n').map((line) => (word = word.slice(0, Number(line[0])) + line.slice(1)));
}
