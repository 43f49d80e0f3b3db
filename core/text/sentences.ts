const END = String.raw`(?:[.!?…؟।]["'”’»)\]]{0,3}|\p{Extended_Pictographic}\uFE0F?)`;
/** A title, an initial or "z. B." has a full stop and ends nothing. */
const TITLE = String.raw`(?<![\p{L}.])(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Sra|Fr|Hr|Nr|\p{L})\.`;
/** Nor does the day of a German date: "7. Dezember". */
const MONTH = String.raw`(?<=\d\.\s+)(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)`;
const BETWEEN = new RegExp(String.raw`(?<=${END})(?<!${TITLE})\s+(?![\s\p{Ll}]|${MONTH})|(?<=[。！？])|(?<!\s)\s*\n\s*`, 'u');

/** Returns the sentences of a text, without the white space between them. A line ends a sentence as well. */
export function sentencesOf(text: string): string[] {
  return text
    .split(BETWEEN)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** An end that no digit stands before: "from 1." may be the beginning of 1.250. */
const ENDS = new RegExp(String.raw`(?<!\d)${END}\s*$`, 'u');
const LIST_MARK = /(?:^|\n)[^\S\n]*(?:\d{1,3}[.)]|[-*•–])\s*$/;

/** Returns a text that breaks off up to its last whole sentence or line; of a single one up to its last whole word, with "…". */
export function wholeSentencesOf(text: string): string {
  const written = text.trimEnd();
  const last = sentencesOf(written).at(-1);
  if (last === undefined || ENDS.test(written)) return written;
  const whole = written.slice(0, -last.length).trimEnd().replace(LIST_MARK, '').trimEnd();
  return whole === '' ? `${written.replace(/(?<!\s)\s+\S*$/u, '')}…` : whole;
}
