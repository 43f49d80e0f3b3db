import { deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import sharp from 'sharp';

/** Files of strangers for the tests, good and bad. */

const create = (width: number, height: number) =>
  ({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 60, alpha: 0.5 } } }) as const;

export const png = (width = 300, height = 200) => sharp(create(width, height)).png().toBuffer();
export const jpeg = (width = 300, height = 200) => sharp(create(width, height)).jpeg().toBuffer();
export const webp = (width = 300, height = 200) => sharp(create(width, height)).webp().toBuffer();

/** A progressive JPEG that repeats its last pass. */
export async function jpegOfPasses(passes: number): Promise<Buffer> {
  const image = await sharp(create(300, 200)).jpeg({ progressive: true }).toBuffer();
  const last = image.lastIndexOf(Buffer.from([0xff, 0xda]));
  const end = image.length - 2;
  return Buffer.concat([image.subarray(0, end), ...Array.from({ length: passes }, () => image.subarray(last, end)), image.subarray(end)]);
}

/** A photo that says who took it, where, and is turned by its metadata. */
export const photo = () =>
  sharp(create(300, 200))
    .jpeg()
    .withExif({ IFD0: { Artist: 'SECRET ARTIST', Orientation: '6' }, IFD3: { GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();

export async function pdf(pages = 1, options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const document = new PDFDocument(options);
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  document.text('A leaflet');
  for (let page = 1; page < pages; page += 1) document.addPage();
  const ended = new Promise((resolve) => document.once('end', resolve));
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

/** A PDF whose directory has this many MiB once it is decompressed, a thousandth of it before. */
export function directoryBomb(mib: number): Buffer {
  const content = deflateSync(Buffer.alloc(mib * 1_048_576), { level: 9 });
  const head = '%PDF-1.5\n';
  const dictionary = `<< /Type /XRef /Size ${mib * 349_525} /W [1 1 1] /Root 2 0 R /Filter /FlateDecode /Length ${content.length} >>`;
  const end = `\nendstream\nendobj\nstartxref\n${head.length}\n%%EOF\n`;
  return Buffer.concat([Buffer.from(`${head}1 0 obj\n${dictionary}\nstream\n`), content, Buffer.from(end)]);
}

export async function animatedWebp(): Promise<Buffer> {
  const frame = await sharp(create(40, 40)).raw().toBuffer();
  const other = Buffer.from(frame.map((byte) => 255 - byte));
  return sharp(Buffer.concat([frame, other]), { raw: { width: 40, height: 80, channels: 4, pageHeight: 40 } })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer();
}

/** A PNG of these chunks. The checksums are right. */
export function pngOf(...chunks: (readonly [type: string, content: Buffer])[]): Buffer {
  const parts = chunks.map(([type, content]) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(content.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([head, body, sum]);
  });
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...parts]);
}

/** A header that declares this many pixels, with few bytes behind it. */
export function hugePng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  return pngOf(['IHDR', head], ['IDAT', deflateSync(Buffer.alloc(1_000))], ['IEND', Buffer.alloc(0)]);
}

/** An image with the mark of an animation. */
export async function animatedPng(): Promise<Buffer> {
  const still = await png(20, 20);
  const control = pngOf(['acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])]).subarray(8);
  return Buffer.concat([still.subarray(0, 33), control, still.subarray(33)]);
}

/** An empty zip file. */
export const ZIP = Buffer.concat([Buffer.from('PK\u0005\u0006', 'latin1'), Buffer.alloc(18)]);

function crc32(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
