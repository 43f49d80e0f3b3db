import { deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';

/** PDFs of strangers for the tests, good and bad. */

type Section = { heading: string; text: string };

/** A PDF of these sections, with large headings. */
export async function pdfOf(sections: readonly Section[], options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const document = new PDFDocument(options);
  for (const { heading, text } of sections) {
    document.fontSize(22).text(heading);
    document.fontSize(11).text(text).moveDown(2);
  }
  return finished(document);
}

/** A PDF of this many pages with a line each; without text, like a scan. */
export async function pagesOf(pages: number, line: string | null): Promise<Buffer> {
  const document = new PDFDocument({ autoFirstPage: false });
  for (let page = 0; page < pages; page += 1) {
    document.addPage();
    if (line !== null) document.text(`${line} ${page}`);
    else document.rect(20, 20, 100, 100).fill();
  }
  return finished(document);
}

async function finished(document: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => document.once('end', resolve));
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

export type PdfSpelling = {
  /** Between the word `stream` and what it holds. */
  afterStream?: string;
  filter?: string;
  encode?: (content: Buffer) => Buffer;
  /** Stands uncompressed at the beginning of what is compressed. */
  inside?: string;
};

/** A PDF whose page has this many MiB once it is unpacked; compressed `times` times. */
export function unpackingPdf(mib: number, times = 1, { afterStream = '\n', filter, encode, inside }: PdfSpelling = {}): Buffer {
  let content: Buffer = Buffer.alloc(mib * 1_048_576, 'q Q ');
  for (let n = 0; n < times; n += 1) content = deflateSync(content, { level: 9 });
  if (inside !== undefined) content = withStored(content, inside);
  if (encode) content = encode(content);
  const filters = filter ?? `[${Array.from({ length: times }, () => '/FlateDecode').join(' ')}]`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R >>',
  ];
  const head = objects.map((object, n) => `${n + 1} 0 obj\n${object}\nendobj\n`).join('');
  const start = `%PDF-1.5\n${head}4 0 obj\n<< /Length ${content.length} /Filter ${filters} >>\nstream${afterStream}`;
  return Buffer.concat([
    Buffer.from(start),
    content,
    Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R /Size 5 >>\nstartxref\n0\n%%EOF\n'),
  ]);
}

/** Puts a stored block of this text behind the two bytes that begin compressed data. */
function withStored(deflated: Buffer, text: string): Buffer {
  const block = Buffer.alloc(5);
  block.writeUInt16LE(text.length, 1);
  block.writeUInt16LE(text.length ^ 0xffff, 3);
  return Buffer.concat([deflated.subarray(0, 2), block, Buffer.from(text), deflated.subarray(2)]);
}
