const END = String.raw`(?:[.!?…؟।]["'”’»)\]]{0,3}|\p{Extended_Pictographic}\uFE0F?)`;
/** A title, an initial or "z. B." has a full stop and ends nothing. */
const TITLE = String.raw`(?<![\p{L}.])(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Sra|Fr|Hr|Nr|\p{L})\.`;
/** Nor does the day of a German date: "7. Dezember". */
const MONTH = String.raw`(?<=\d\.\s+)(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)`;
const BETWEEN = new RegExp(String.raw`(?<=${END})(?<!${TITLE})\s+(?![\s\p{Ll}]|${MONTH})|(?<=[。！？])|\s*\n\s*`, 'u');

/** Returns the sentences of a text, without the white space between them. A line ends a sentence as well. */
export function sentencesOf(text: string): string[] {
  return text
    .split(BETWEEN)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
