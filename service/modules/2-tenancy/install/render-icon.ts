import { createRequire } from 'node:module';
import sharp from 'sharp';

// One image at a time per thread of ours, and nothing of it is kept.
sharp.concurrency(1);
sharp.cache(false);
const FONT = createRequire(import.meta.url).resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf');
const WORK_SECONDS = 8;

export type IconInput = {
  /** Bytes of the logo; null: the initial on the colour. */
  logo: Uint8Array | null;
  initial: string;
  /** Colors of the ground and of the initial, as hex. */
  fill: string;
  on: string;
  side: number;
  /** The platform cuts the edges off: what matters stays in the inner four fifths. */
  isMaskable: boolean;
};

/** Draws an icon as a square PNG: the logo on white, or the initial on the agency's colour. */
export async function renderIcon({ logo, initial, fill, on, side, isMaskable }: IconInput): Promise<Uint8Array> {
  const inner = Math.round(side * (logo === null ? 0.5 : isMaskable ? 0.62 : 0.84));
  const content =
    logo === null
      ? await sharp({
          text: {
            text: `<span foreground="${on}">${escaped(initial)}</span>`,
            font: 'Inter',
            fontfile: FONT,
            width: inner,
            height: inner,
            rgba: true,
          },
        })
          .png()
          .toBuffer()
      : await sharp(logo, { failOn: 'error', pages: 1 })
          .resize({ width: inner, height: inner, fit: 'inside' })
          .timeout({ seconds: WORK_SECONDS })
          .png()
          .toBuffer();
  return sharp({ create: { width: side, height: side, channels: 4, background: logo === null ? fill : '#ffffff' } })
    .composite([{ input: content, gravity: 'center' }])
    .timeout({ seconds: WORK_SECONDS })
    .png({ compressionLevel: 9, palette: logo === null })
    .toBuffer();
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
