import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { containerProblem } from './file-problem.ts';

/** A PDF with this text as a comment inside, or as one behind its directory. */
function pdf(inside = '', behind = ''): Uint8Array {
  const body = `%PDF-1.7\n1 0 obj <</Type /Catalog>> endobj\n%${inside}\n`;
  const text = `${body}xref\n0 1\ntrailer <</Root 1 0 R /Size 2>>\n%${behind}\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
const DIRECTORY = 'PK\u0001\u0002';
/** The end record of an archive with a comment of this length. */
const endOf = (comment: number): string =>
  `PK\u0005\u0006${'\0'.repeat(16)}${String.fromCharCode(comment % 256, Math.floor(comment / 256))}`;
/** The bytes from the record to the end of the file are its comment. */
const REST = pdf('', 'x').length - Buffer.from(pdf('', 'x')).indexOf('\nstartxref');

describe('a PDF that is also', () => {
  for (const [name, inside] of [
    ['a page', '<HTML>'],
    ['a page of one image', '<img src=x onerror=alert(1)>'],
    ['a page of one drawing', '<svg/onload=alert(1)>'],
    ['a page of one body', '<body\n class="a" ONLOAD = alert(1)>'],
  ] as const)
    it(`${name} is refused`, () => assert.equal(containerProblem('application/pdf', pdf(inside)), 'html'));

  for (const [name, record] of [
    ['an archive that ends where it does', endOf(REST)],
    ['an archive with something behind its end', `${DIRECTORY}${endOf(0)}`],
    ['an archive that says it has a longer comment', `${DIRECTORY}${endOf(60_000)}`],
  ] as const)
    it(`${name} is refused`, () => assert.equal(containerProblem('application/pdf', pdf('', record)), 'trailing_data'));

  it('nothing else is accepted, also when its data looks like it', () => {
    const inside = ['', '<imgs on', '<on=', 'a < b on c = d', '<rdf:li>on = 1</rdf:li>', '<body xmlns="x">', DIRECTORY, endOf(9)];
    for (const text of inside) assert.equal(containerProblem('application/pdf', pdf(text)), null, text);
  });
});
