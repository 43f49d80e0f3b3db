/** Returns a text as the font can set it: composed letters, no control or direction marks, line breaks kept. */
export function printable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/[^\P{C}\n]/gu, '');
}
