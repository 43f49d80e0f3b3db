import type { Property, Tool } from './conversation.ts';
import { dateIn, timeIn } from './times.ts';

export type Sources = { texts: readonly string[]; wish: string; system: string; now: Date };

/**
 * Fills the inputs of a tool from the visitor's texts, the newest first, and the inputs of the business from the instructions. Inputs that are
 * required and not found are returned as a list of words to ask for.
 */
export function fillInputs(tool: Tool, sources: Sources): { input: { [key: string]: unknown }; missing: string[] } {
  const input: { [key: string]: unknown } = {};
  const missing: string[] = [];
  for (const [name, property] of Object.entries(tool.properties)) {
    const value = find(name, property, sources);
    if (value !== undefined) input[name] = value;
    else if (tool.required.includes(name)) missing.push(wordsFor(name, property));
  }
  return { input, missing };
}

/** Fills what a forced call lacks with empty values of the right type. */
export function fillEmpty(tool: Tool, input: { [key: string]: unknown }): { [key: string]: unknown } {
  const empty: { [type: string]: unknown } = { string: '', number: 0, integer: 0, boolean: false, array: [], object: {} };
  const lacking = tool.required.filter((name) => !(name in input));
  return {
    ...input,
    ...Object.fromEntries(
      lacking.map((name) => [name, tool.properties[name]?.choices[0] ?? empty[tool.properties[name]?.type ?? 'string'] ?? '']),
    ),
  };
}

type Kind = 'phone' | 'email' | 'name' | 'date' | 'time' | 'moment' | 'link' | 'choice' | 'flag' | 'number' | 'text' | 'other';

function kindOf(name: string, property: Property): Kind {
  const said = `${name.replace(/([a-z])([A-Z])/g, '$1 $2')} ${property.title} ${property.description}`.toLowerCase();
  const own = name.toLowerCase();
  if (property.choices.length > 0) return 'choice';
  if (property.type === 'boolean') return 'flag';
  if (property.type === 'number' || property.type === 'integer') return 'number';
  if (property.type !== 'string') return 'other';
  if (property.format === 'email' || /e-?mail|mail address/.test(said)) return 'email';
  if (property.format === 'date') return 'date';
  if (property.format === 'date-time') return 'moment';
  if (property.format === 'time') return 'time';
  if (property.format === 'phone' || /phone|mobile|\btel\b|country code|(?:caller|business|contact)\s*number/.test(said)) return 'phone';
  if (own.endsWith('name') && !/(?:service|business|company|product)/.test(own)) return 'name';
  if (/date|day/.test(own)) return 'date';
  if (/time|when|start/.test(own) || /iso 8601/.test(said)) return 'moment';
  if (property.format === 'uri' || /\b(?:url|link)\b/.test(said)) return 'link';
  if (/message|question|note|reason|text|comment|request|topic|subject|summary|details|wish/.test(own)) return 'text';
  return 'other';
}

function find(name: string, property: Property, { texts, wish, system, now }: Sources): unknown {
  const kind = kindOf(name, property);
  if (kind === 'text') return wish;
  const isOfBusiness = /business|company|practice|our/i.test(name);
  const places = isOfBusiness ? [system] : texts.toReversed();
  for (const text of places) {
    const value = read(kind, property, text, now);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Whether a text holds a value of one of the inputs. */
export function answersAny(tool: Tool, text: string, now: Date): boolean {
  return Object.entries(tool.properties).some(([name, property]) => read(kindOf(name, property), property, text, now) !== undefined);
}

function read(kind: Kind, property: Property, text: string, now: Date): unknown {
  switch (kind) {
    case 'phone':
      return phoneIn(text);
    case 'email':
      return /[^\s@<>,;"()]+@[^\s@<>,;"()]+\.[\p{L}]{2,}/u.exec(text)?.[0]?.toLowerCase();
    case 'link':
      return /https?:\/\/[^\s<>"]+/.exec(text)?.[0];
    case 'name':
      return nameIn(text);
    case 'date':
      return dateIn(text, now);
    case 'time':
      return timeIn(text);
    case 'moment': {
      const [date, time] = [dateIn(text, now), timeIn(text)];
      return date === undefined || time === undefined ? undefined : `${date}T${time}:00Z`;
    }
    case 'choice':
      return property.choices.find((choice) => text.toLowerCase().includes(choice.toLowerCase()));
    case 'flag':
      return /\b(?:yes|yeah|sure|ok|okay)\b/i.test(text) ? true : /\bno\b/i.test(text) ? false : undefined;
    case 'number': {
      const found = /(?<![\d+.-])\d{1,6}(?:\.\d+)?(?![\d-])/.exec(text)?.[0];
      return found === undefined ? undefined : Number(found);
    }
    default:
      return undefined;
  }
}

/** Returns the first phone number of a text with its country; ten digits are a number of the country +1. */
export function phoneIn(text: string): string | undefined {
  for (const [found] of text.matchAll(/\+?\(?\d[\d\s().-]{7,18}\d/g)) {
    const digits = found.replace(/\D/g, '');
    if (/^\d{4}-\d{2}-\d{2}/.test(found)) continue;
    if (found.startsWith('+')) return `+${digits}`;
    if (digits.length === 10) return `+1${digits}`;
    if (digits.length === 11 && digits.startsWith('1')) return `+${digits}`;
  }
  return undefined;
}

const NAME = String.raw`(\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’.-]+){0,3})`;
const INTRODUCED = new RegExp(String.raw`(?:\b[Mm]y name is|\b[Nn]ame\s*:|\bI am|\bI['’]m|\b[Tt]his is|\b[Ii]t['’]s)\s+${NAME}`, 'u');
const ALONE = new RegExp(String.raw`^${NAME}\s*(?:[,;.]|$|\+?\(?\d)`, 'u');
const NO_NAMES = new Set('yes no hello hi thanks thank please ok okay sure never i'.split(' '));

function nameIn(text: string): string | undefined {
  const found = (INTRODUCED.exec(text) ?? ALONE.exec(text.trim()))?.[1]?.replace(/\.$/, '');
  return found === undefined || NO_NAMES.has((found.split(/\s/)[0] ?? '').toLowerCase()) ? undefined : found;
}

const ASKED_WORDS: { readonly [kind in Kind]?: string } = {
  phone: 'your phone number',
  email: 'your e-mail address',
  name: 'your name',
  date: 'the day',
  time: 'the time of day',
  moment: 'the day and the time',
};

function wordsFor(name: string, property: Property): string {
  const words = ASKED_WORDS[kindOf(name, property)];
  if (words !== undefined) return words;
  if (property.choices.length > 0) return `one of ${property.choices.join(', ')}`;
  return (property.title || name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')).toLowerCase();
}
