/** A page with a text of the operator: its path, its title as plain text, and its HTML. */
export type TextPage = { path: string; title: string; html: string };

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Puts a text into the page that the build made for texts. */
export function fillTextPage(shell: string, { path, title, html }: TextPage): string {
  const plain = title.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
  const values: Readonly<Record<string, string>> = { title: plain, path, text: html };
  return shell.replaceAll(/\{\{(title|path|text)\}\}/g, (_whole, name: string) => values[name] ?? '');
}
