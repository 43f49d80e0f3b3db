/** Compares texts by their words: without endings, fill words, and with words of the same meaning taken as one. */

const COMMON = new Set(
  (
    'a about accept all also am an and any are at be been but by can could did do does for from get give go had has have help hello hi how i if in into is it its ' +
    'just know like make may me more much my need no not of on one or our out please say shall she so some take tell than thank thanks that the their them then ' +
    'there these they this to too up us use visitor wants want was we were what when where which who why will wish with would yes you your'
  ).split(' '),
);

const SAME_MEANING: readonly string[] = [
  'text sms message',
  'call phone ring callback telephone',
  'book appointment schedule reserve reservation slot',
  'mail email',
  'person human someone staff colleague team employee representative',
  'contact reach enquiry inquiry lead',
  'review feedback rating',
  'price cost fee charge expensive cheap',
  'hour open close closed',
  'address street location located',
  'insurance insured insurer',
  'kid child children',
];

const MEANING = new Map(
  SAME_MEANING.flatMap((line) => {
    const [first = '', ...others] = line.split(' ').map(stem);
    return [first, ...others].map((word): [string, string] => [word, first]);
  }),
);

// "How much" asks for a price, "where" for an address, "when" for the hours.
const ASKED: readonly [RegExp, string][] = [
  [/\bhow much\b/i, 'price'],
  [/\bwhere\b/i, 'address'],
  [/\b(?:when are you|what time)\b/i, 'hour'],
];

/** Returns the meanings of a text: what is left of its words when endings and fill words are dropped. */
export function meanings(text: string): Set<string> {
  const found = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\be-mail/g, 'email')
    .match(/[\p{L}\d]{2,}/gu);
  const kept = (found ?? []).filter((word) => !COMMON.has(word)).map(stem);
  return new Set(kept.map((word) => MEANING.get(word) ?? word));
}

/** Returns the meanings of a question, with what its question word asks for. */
export function questionMeanings(text: string): Set<string> {
  return new Set([
    ...meanings(text),
    ...ASKED.flatMap(([form, meaning]) => (form.test(text) ? [MEANING.get(stem(meaning)) ?? meaning] : [])),
  ]);
}

/** Whether words of a list of the same meaning are among these meanings. */
export function isGrouped(meaning: string): boolean {
  return MEANING.has(meaning);
}

function stem(word: string): string {
  const bare = word.replace(/(?:ings?|ers?|es|ed|s|e)$/, '');
  return bare.length >= 3 ? bare.replace(/([b-df-hj-np-rt-vx-z])\1$/, '$1') : word;
}
