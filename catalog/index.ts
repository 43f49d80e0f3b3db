import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { OUTCOME_SOURCE } from '@partner-portal/core/template/template.ts';
import {
  type DefaultTexts,
  defaultTexts,
  type OutcomeWords,
  textProblems,
  toVisitors,
  translateSentence,
  withTexts,
} from '@partner-portal/core/template/texts.ts';
import type { Template, TemplateBundle } from '@partner-portal/core/template/types.ts';
import type { z } from 'zod';
import { outcomeWordsSchema, sampleSchema, templateSchema, textsSchema } from './template-schema.ts';

export { templateSchema } from './template-schema.ts';
export type { Template, TemplateBundle } from '@partner-portal/core/template/types.ts';

const ROOT = import.meta.dirname;

let bundles: readonly TemplateBundle[] | undefined;

/**
 * Returns every template, sorted by name. They are read and validated on the first call, then frozen; an invalid file aborts startup, so
 * that an invalid template never reaches an engine.
 */
export function loadCatalog(): readonly Template[] {
  return loadBundles().map((bundle) => bundle.template);
}

/** Returns every template with its sources and sample, frozen. */
export function loadBundles(): readonly TemplateBundle[] {
  bundles ??= Object.freeze(templateFolders().map((folder) => deepFreeze(readBundle(folder))));
  return bundles;
}

/** Returns one template with its sources, or undefined for an unknown name. */
export function findBundle(name: string): TemplateBundle | undefined {
  return loadBundles().find((bundle) => bundle.template.name === name);
}

/** The templates themselves are written in English. */
type Translated = Exclude<Locale, 'en'>;
type Translations = { templates: ReadonlyMap<string, Template>; defaults: ReadonlyMap<string, DefaultTexts>; words: OutcomeWords };

let translations: Readonly<Record<Translated, Translations>> | undefined;

/**
 * Returns the template with the texts that clients read (title, summary, labels, phrases, sentences) in their language. A template that the catalog no
 * longer has stays English.
 */
export function templateTextsOf(template: Template, locale: Locale): Template {
  return locale === 'en' ? template : (loadTranslations()[locale].templates.get(template.name) ?? template);
}

/**
 * Returns the texts that a new agent of a client begins with, in the language of the client. There are none in English: what a setting is by default stands
 * in the template.
 */
export function defaultTextsOf({ name }: Template, locale: Locale): DefaultTexts {
  return locale === 'en' ? {} : (loadTranslations()[locale].defaults.get(name) ?? {});
}

/**
 * Returns the sentence of an execution, which is stored in English, in the language of its reader; a translation leaves out the cause of a failure. A run
 * that a visitor asked for in a chat has the words of its template for visitors, where it has some.
 */
export function sentenceFor(locale: Locale, templateName: string | null, status: string, sentence: string, isForVisitor = false): string {
  if (locale === 'en' && !isForVisitor) return sentence;
  const source = loadCatalog().find(({ name }) => name === templateName);
  if (locale === 'en')
    return source?.visitorSentences
      ? translateSentence(sentence, status, { source, target: toVisitors(source), words: {}, keepsCause: true })
      : sentence;
  const { templates, words } = loadTranslations()[locale];
  const target = templates.get(templateName ?? '');
  if (!source || !target) return sentence;
  return translateSentence(sentence, status, { source, target: isForVisitor ? toVisitors(target) : target, words });
}

/** Returns the name of an agent as its reader knows it: one that still has the title of its template has that title in their language. */
export function agentNameFor(locale: Locale, templateName: string | null, name: string): string {
  const template = locale === 'en' ? undefined : loadCatalog().find((one) => one.name === templateName);
  return template?.title === name ? templateTextsOf(template, locale).title : name;
}

/** The same for a name without its template, as a log keeps it: the title of any template. */
export function agentTitleFor(locale: Locale, name: string): string {
  const template = locale === 'en' ? undefined : loadCatalog().find(({ title }) => title === name);
  return template ? templateTextsOf(template, locale).title : name;
}

function loadTranslations(): Readonly<Record<Translated, Translations>> {
  translations ??= { de: readTranslations('de'), es: readTranslations('es') };
  return translations;
}

function readTranslations(locale: Translated): Translations {
  const translated = loadCatalog().map((template) => {
    const file = join(template.name, `texts.${locale}.json`);
    const texts = parseFile(file, textsSchema);
    const problems = textProblems(template, texts);
    if (problems.length > 0) throw new Error(`catalog/${file} does not match its template: ${problems.join('; ')}`);
    return { name: template.name, template: deepFreeze(withTexts(template, texts)), defaults: deepFreeze(defaultTexts(texts)) };
  });
  return {
    templates: new Map(translated.map(({ name, template }) => [name, template])),
    defaults: new Map(translated.map(({ name, defaults }) => [name, defaults])),
    words: parseFile(`parts/outcomes.${locale}.json`, outcomeWordsSchema),
  };
}

function templateFolders(): string[] {
  return readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['parts', 'node_modules'].includes(entry.name))
    .map((entry) => entry.name)
    .toSorted();
}

function readBundle(folder: string): TemplateBundle {
  const template = parseFile(join(folder, 'template.json'), templateSchema);
  if (template.name !== folder)
    throw new Error(`catalog/${folder}/template.json is named "${template.name}"; the folder must have the same name`);
  const sample = parseFile(join(folder, 'sample.json'), sampleSchema);
  const sources: { [file: string]: string } = { [OUTCOME_SOURCE]: readText(OUTCOME_SOURCE) };
  for (const step of template.steps) {
    if (step.kind !== 'code') continue;
    sources[step.file] = readText(join(folder, step.file));
    for (const part of step.uses) sources[`parts/${part}.js`] = readText(`parts/${part}.js`);
  }
  return { template, sources, sample };
}

function parseFile<Shape extends z.ZodType>(file: string, shape: Shape): z.output<Shape> {
  const parsed = shape.safeParse(JSON.parse(readText(file)));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  throw new Error(`catalog/${file} does not match the template schema: ${problems}`);
}

function readText(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function deepFreeze<T extends object>(value: T): T {
  for (const item of Object.values(value)) if (item !== null && typeof item === 'object') deepFreeze(item);
  return Object.freeze(value);
}
