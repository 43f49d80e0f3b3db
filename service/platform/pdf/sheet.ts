import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';

type Font = 'regular' | 'medium' | 'bold';
export const COLOR = { ink: '#1a1f36', quiet: '#5a6477', line: '#dfe3ea' } as const;
export const MARGIN = 54;
const FOOTER_HEIGHT = 46;

/** Inter (SIL Open Font License 1.1): Latin, Greek and Cyrillic. Read once per thread. */
const FONTS: Record<Font, Buffer> = {
  regular: readFont('400Regular/Inter_400Regular.ttf'),
  medium: readFont('500Medium/Inter_500Medium.ttf'),
  bold: readFont('600SemiBold/Inter_600SemiBold.ttf'),
};

function readFont(file: string): Buffer {
  return readFileSync(fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${file}`)));
}

type LoadedFont = { font: { hasGlyphForCodePoint(code: number): boolean } };

export type TextStyle = {
  font?: Font;
  size?: number;
  color?: string;
  align?: 'left' | 'right' | 'center';
  /** Points between lines. */
  lineGap?: number;
};
export type Box = { x: number; y: number; width: number };

/** A tag of the structure tree, which gives readers the order and meaning of the texts. */
export type Tag = PDFKit.PDFStructureElement;

export type Sheet = ReturnType<typeof openSheet>;

export type SheetOptions = {
  paper: 'A4' | 'Letter';
  info: Record<string, string>;
  createdAt: Date;
  footer: string;
  /** BCP 47 tag of the texts. */
  lang: string;
  /** Author in the document's properties. */
  creator: string;
  pageLabel: (page: number, count: number) => string;
};

/** Draws inside a figure, whose meaning readers take from its alternative text. */
export type Pen = {
  rect(box: Box & { height: number }, color: string): void;
  label(content: string, box: Box, style?: TextStyle): void;
};

/** Opens a tagged document with one page. Coordinates are points from the top left. */
export function openSheet(options: SheetOptions) {
  const doc = new PDFDocument({
    size: options.paper,
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: 0 },
    bufferPages: true,
    tagged: true,
    subset: 'PDF/UA' as 'PDF/A-1', // the type lacks it
    pdfVersion: '1.7',
    lang: options.lang,
    displayTitle: true,
    info: { ...options.info, CreationDate: options.createdAt, ModDate: options.createdAt, Producer: 'pdfkit', Creator: options.creator },
  });
  for (const [name, data] of Object.entries(FONTS)) doc.registerFont(name, data);
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const root = doc.struct('Document');
  doc.addStructure(root);
  const left = MARGIN;
  const width = doc.page.width - 2 * MARGIN;
  const bottom = doc.page.height - FOOTER_HEIGHT - 20;

  /** Sets the style, and returns the text without characters of which the font has no glyph: they would be printed as empty boxes. */
  const set = ({ font = 'regular', size = 9.5, color = COLOR.ink }: TextStyle, content: string): string => {
    doc.font(font).fontSize(size).fillColor(color);
    const { font: current } = (doc as unknown as { _font: LoadedFont })._font; // the library shows it nowhere else
    if (/^[\n\x20-\x7e]*$/.test(content)) return content;
    const known = [...content].filter((char) => char === '\n' || current.hasGlyphForCodePoint(char.codePointAt(0) ?? 0)).join('');
    return known.length === content.length ? content : known.replace(/ {2,}/g, ' ').replace(/^ | $/gm, '');
  };
  const optionsOf = ({ align = 'left', lineGap = 2.5 }: TextStyle, boxWidth: number) => ({ width: boxWidth, align, lineGap });

  const fillBox = ({ x, y, width: boxWidth, height }: Box & { height: number }, color: string): void =>
    void doc.rect(x, y, boxWidth, height).fillColor(color).fill();

  const sheet = {
    root,
    left,
    width,
    bottom,
    /** Top of what is drawn next. */
    y: MARGIN,
    /** Opens a tag inside another. `end` it once its parts are drawn. */
    tag(parent: Tag, type: string): Tag {
      const element = doc.struct(type);
      parent.add(element);
      return element;
    },
    /** Draws a text with a tag of its own. Returns the y below it. */
    text(parent: Tag, type: string, content: string, { x, y, width: boxWidth }: Box, style: TextStyle = {}): number {
      let below = y;
      const element = doc.struct(type, {}, () => {
        doc.text(set(style, content), x, y, optionsOf(style, boxWidth));
        below = doc.y;
      });
      parent.add(element);
      element.end();
      return below;
    },
    /** Returns the height of a text. */
    heightOf(content: string, boxWidth: number, style: TextStyle = {}): number {
      return doc.heightOfString(set(style, content), optionsOf(style, boxWidth));
    },
    /** Returns the width of a text on one line. */
    widthOf(content: string, style: TextStyle = {}): number {
      return doc.widthOfString(set(style, content));
    },
    /** Draws a text that readers skip, because it repeats another one. */
    ornament(content: string, { x, y, width: boxWidth }: Box, style: TextStyle = {}): void {
      asArtifact(() => void doc.text(set(style, content), x, y, optionsOf(style, boxWidth)));
    },
    /** Draws a PNG in an upper corner of a box, whole. Readers skip it. */
    image(content: Uint8Array, { x, y, width: boxWidth, height }: Box & { height: number }, align: 'left' | 'right' = 'right'): void {
      const side = align === 'right' ? { align } : {};
      asArtifact(() => doc.image(Buffer.from(content), x, y, { fit: [boxWidth, height], ...side, valign: undefined }));
    },
    /** Fills a box. Readers skip it. */
    fill(box: Box & { height: number }, color: string): void {
      asArtifact(() => fillBox(box, color));
    },
    /** Draws a picture with its alternative text. */
    figure(parent: Tag, alt: string, draw: (pen: Pen) => void): void {
      const element = doc.struct('Figure', { alt }, () =>
        draw({
          rect: fillBox,
          label(content, { x, y, width: boxWidth }, style = {}) {
            doc.text(set(style, content), x, y, { ...optionsOf(style, boxWidth), lineBreak: false });
          },
        }),
      );
      parent.add(element);
      element.end();
    },
    rule(y: number, x: number = left, length: number = width, color: string = COLOR.line): void {
      asArtifact(() =>
        doc
          .moveTo(x, y)
          .lineTo(x + length, y)
          .lineWidth(0.75)
          .strokeColor(color)
          .stroke(),
      );
    },
    addPage(): void {
      doc.addPage();
      sheet.y = MARGIN;
    },
    /** Draws the footers and returns the bytes. */
    async end(): Promise<Uint8Array> {
      root.end();
      const { start, count } = doc.bufferedPageRange();
      for (let page = start; page < start + count; page += 1) {
        doc.switchToPage(page);
        const y = doc.page.height - FOOTER_HEIGHT;
        sheet.rule(y);
        const style = { size: 8, color: COLOR.quiet } as const;
        sheet.ornament(options.footer, { x: left, y: y + 10, width: width - 90 }, style);
        sheet.ornament(
          options.pageLabel(page - start + 1, count),
          { x: left + width - 90, y: y + 10, width: 90 },
          { ...style, align: 'right' },
        );
      }
      const ended = new Promise<void>((resolve, reject) => doc.once('end', resolve).once('error', reject));
      doc.end();
      await ended;
      return new Uint8Array(Buffer.concat(chunks));
    },
  };
  const asArtifact = (draw: () => void): void => {
    doc.markContent('Artifact', { type: 'Layout' });
    draw();
    doc.endMarkedContent();
  };
  return sheet;
}
