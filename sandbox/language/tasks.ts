/**
 * The tasks that agents give a language model: the JSON keys that the prompt asks for are filled by simple rules, so that an execution has
 * a plausible result.
 */

export type Prompt = { system: string; user: string };

/** Returns the completion: JSON when the prompt asks for JSON, else a short polite text. */
export function writeAnswer(prompt: Prompt, json: boolean): string {
  const keys = wantedKeys(prompt.system);
  if (!json && keys.length === 0) return writeProse(prompt);
  const known: { [key: string]: unknown } = {
    ...scoreLead(prompt.user),
    ...answerQuestion(prompt),
    ...sortMail(prompt),
    ...writeMail(prompt),
  };
  const picked = Object.fromEntries(keys.map((key) => [key, known[key] ?? '']));
  return JSON.stringify(picked);
}

/** Whether instructions name the keys of a JSON object to fill. */
export function wantsKeys(system: string): boolean {
  return wantedKeys(system).length > 0;
}

// Prompts name their keys in quotes: … JSON with the keys "score", "reason" …
function wantedKeys(system: string): string[] {
  const list = /keys? ((?:"\w+"[^".]*)+)/i.exec(system)?.[1] ?? '';
  return [...list.matchAll(/"(\w+)"/g)].map((found) => found[1] ?? '');
}

const HOT_WORDS = [
  'today',
  'urgent',
  'asap',
  'now',
  'ready',
  'budget',
  'price',
  'quote',
  'book',
  'buy',
  'call me',
  'this week',
  'tomorrow',
  'appointment',
];
const COLD_WORDS = ['just looking', 'maybe', 'someday', 'student', 'newsletter', 'unsubscribe', 'job', 'partnership', 'seo'];

function scoreLead(user: string): { score: number; reason: string; nextStep: string } {
  const text = user.toLowerCase();
  const hot = HOT_WORDS.filter((word) => text.includes(word));
  const cold = COLD_WORDS.filter((word) => text.includes(word));
  const score = Math.max(0, Math.min(100, 40 + hot.length * 15 - cold.length * 20));
  const found = [...hot, ...cold];
  return {
    score,
    reason:
      found.length > 0
        ? `The message says ${found
            .slice(0, 3)
            .map((word) => `“${word}”`)
            .join(', ')}.`
        : 'The message says little about time or budget.',
    nextStep: score >= 70 ? 'Call back today.' : score >= 40 ? 'Answer by mail and ask about the timing.' : 'Add to the newsletter.',
  };
}

const COMMON = new Set(
  'a an and are at be can do does for from have how i in is it me my of on or our that the there to we what when where which who why will with you your'.split(
    ' ',
  ),
);

function words(text: string): Set<string> {
  const found = text.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? [];
  return new Set(found.filter((word) => !COMMON.has(word)).map((word) => word.replace(/(ing|s)$/, '')));
}

function answerQuestion(prompt: Prompt): { answer: string; confidence: number } {
  const asked = words(prompt.user);
  const lines = prompt.system.split('\n').map((line) => line.trim());
  const faqStart = lines.findIndex((line) => /^faq/i.test(line));
  const facts = faqStart < 0 ? [] : lines.slice(faqStart + 1).filter((line) => line.length > 10);
  const ranked = facts
    .map((line) => ({ line, hits: [...words(line)].filter((word) => asked.has(word)).length }))
    .toSorted((one, other) => other.hits - one.hits);
  const best = ranked[0];
  if (best === undefined || best.hits === 0) return { answer: 'I am not sure; a colleague will get back to you.', confidence: 0.2 };
  const answer = best.line.replace(/^(q|a|question|answer)\s*[:.]\s*/i, '').replace(/^[^?]*\?\s*(?:a\s*:)?\s*/i, '');
  return { answer: answer === '' ? best.line : answer, confidence: Math.min(0.95, 0.6 + best.hits * 0.15) };
}

const URGENT_WORDS = [
  'urgent',
  'asap',
  'immediately',
  'emergency',
  'complaint',
  'refund',
  'lawyer',
  'broken',
  'flood',
  'leak',
  'today',
  'pain',
];

function sortMail(prompt: Prompt): { label: string; urgent: boolean; summary: string; reply: string } {
  const text = prompt.user.toLowerCase();
  const labels =
    /labels?: ([^\n]+)/i
      .exec(prompt.system)?.[1]
      ?.split(',')
      .map((label) => label.replace(/["[\].]/g, '').trim()) ?? [];
  const label = labels.find((one) => text.includes(one.toLowerCase())) ?? labels.at(-1) ?? 'other';
  const subject = /subject: ([^\n]+)/i.exec(prompt.user)?.[1] ?? 'your message';
  return {
    label,
    urgent: URGENT_WORDS.some((word) => text.includes(word)),
    summary: prompt.user.replace(/\s+/g, ' ').trim().slice(0, 140),
    reply: `Thank you for your mail about “${subject.trim()}”. We have read it and will come back to you within one working day.`,
  };
}

function writeMail(prompt: Prompt): { subject: string; body: string } {
  const name = /name: ([^\n]+)/i.exec(prompt.user)?.[1]?.trim().split(/\s+/)[0] ?? 'there';
  const service = /service: ([^\n]+)/i.exec(prompt.user)?.[1]?.trim() ?? '';
  const about = service === '' ? 'your enquiry' : service;
  return {
    subject: `About ${about}`,
    body: `Hello ${name},\n\nthank you for writing to us about ${about}. We would be glad to help. Which day this week suits you for a short call?\n\nWe look forward to hearing from you.`,
  };
}

function writeProse(prompt: Prompt): string {
  const numbers = (prompt.user.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number).filter((number) => Number.isFinite(number));
  if (numbers.length < 4) return writeMail(prompt).body;
  const highest = Math.max(...numbers);
  const lowest = Math.min(...numbers);
  return [
    `The figures hold ${numbers.length} values.`,
    `The highest is ${highest} and the lowest ${lowest}.`,
    'Most days are close to each other, with one clear peak.',
    'Nothing points to a fault in the data.',
    'It is worth asking what was different on the best day.',
  ].join(' ');
}
