/** Text of visitors and documents as data: in a fixed form whose delimiters the text cannot forge. */

/** One character for another: a text costs no more tokens quoted than written, with any text of a stranger. */
const ESCAPES: { readonly [character: string]: string } = { '<': '‹', '>': '›' };
/** Control and format characters that hide text from people but not from a model; line breaks and tabs stay. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\u{E0000}-\u{E007F}]/gu;

/** Returns an element with text as its content. No text can end the element or begin another one. */
export function quoteText(element: string, text: string, attributes: { readonly [name: string]: string | number } = {}): string {
  const named = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${escapeText(String(value)).replaceAll('"', "'").replaceAll('\n', ' ')}"`,
  );
  return `<${element}${named.join('')}>${escapeText(text)}</${element}>`;
}

function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(HIDDEN, (character) => (character === '\n' || character === '\t' ? character : ''))
    .replace(/[<>]/g, (character) => ESCAPES[character] ?? character);
}
