import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pdfOf, type PdfSpelling, unpackingPdf } from '../knowledge/test-pdfs.ts';
import { unpacksTooLarge } from './unpacked-size.ts';

const MIB = 1_048_576;
const hex = { encode: (content: Buffer) => Buffer.from(`${content.toString('hex')}>`) };

describe('a PDF that unpacks to more than it may is found, however it is spelled:', () => {
  const spellings: [name: string, spelling: PdfSpelling][] = [
    ['plainly', {}],
    ['with a blank before the line ends', { afterStream: ' \n' }],
    ['with other text before the line ends', { afterStream: ' %x\r\n' }],
    ['with a carriage return alone', { afterStream: '\r' }],
    ['in hexadecimal', { ...hex, filter: '[/ASCIIHexDecode /FlateDecode]' }],
    ['in hexadecimal, abbreviated', { ...hex, filter: '[ /AHx/Fl ]' }],
    ['with an escaped name', { ...hex, filter: '[/#41SCIIHexDecode /FlateDecode]' }],
    ['with a comment between', { ...hex, filter: '%a\n[/ASCIIHexDecode %]\n /FlateDecode]' }],
    ['with a filter that stands elsewhere', { ...hex, filter: '[7 0 R /FlateDecode]' }],
    ['with the word that ends a run inside it', { inside: 'endstream' }],
  ];
  for (const [name, spelling] of spellings) it(name, () => assert.equal(unpacksTooLarge(unpackingPdf(3, 1, spelling), 2 * MIB), true));
});

describe('a PDF that unpacks to less is let through', () => {
  it('spelled plainly, with a blank, and made by a usual library', async () => {
    assert.equal(unpacksTooLarge(unpackingPdf(1), 2 * MIB), false);
    assert.equal(unpacksTooLarge(unpackingPdf(1, 1, { afterStream: ' \n' }), 2 * MIB), false);
    assert.equal(unpacksTooLarge(await pdfOf([{ heading: 'Prices', text: 'A cleaning costs 120.' }]), 2 * MIB), false);
  });

  it('with an image in text form, which is not unpacked further', () => {
    const image = Buffer.from('%PDF-1.4\n4 0 obj\n<< /Filter [/ASCII85Decode /DCTDecode] >>\nstream\ns4IA~>\nendstream\nendobj\n');
    assert.equal(unpacksTooLarge(image, 2 * MIB), false);
  });
});
